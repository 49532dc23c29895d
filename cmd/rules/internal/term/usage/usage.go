// Package usage checks how a command is called: the number of its arguments, flags that are missing or exclude each
// other, values from a short list. Its errors say what to write instead.
package usage

// # Where a wrong command line is found
//
//	pflag, while it parses    unknown flags, values that do not parse  FlagErrorOf
//	cobra, before the command the number of words                      ArgCount, strayWord
//	JudgeFlags, just before   what is missing, empty or excludes another      annotations of flags and commands
//	the command itself        what depends on values                   RefuseGiven
//
// Cobra has checks for required and exclusive flags too, and they would come first with their own
// words and an order of maps. JudgeFlags runs in the root's PersistentPreRunE, before them, and
// reads the same annotations, so that constructors use cobra's own functions and this program's
// words are said.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// Many is as many arguments as anybody writes.
const Many = math.MaxInt

// ArgCount asks for so many arguments: the first least of those that the use of the command names, and not more than most.
//
// The names of missing words come from the use line of the command, so a word cannot be called two
// names.
func ArgCount(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing: %s%s", strings.Trim(strings.Fields(c.Use)[1+len(args)], "[]"), c.UseLine(),
				exampleOf(c))
		case len(args) > most:
			return strayWord(c, args[most:])
		}
		return nil
	}
}

// exampleOf returns the first example of a command, as the end of a message; "" where it has none.
func exampleOf(c *cobra.Command) string {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	if first == "" || strings.HasSuffix(first, "\\") { // goes on in the next line
		return ""
	}
	return ", as in " + first
}

// FlagErrorOf returns a function that words the errors of flags of a command line. args are all words of that line behind
// the program's name: cobra keeps only those that it has understood before the error.
func FlagErrorOf(args []string) func(*cobra.Command, error) error {
	return func(c *cobra.Command, err error) error { return flagError(c, args, err) }
}

// flagError words the errors of pflag by their types. An error of another type comes from a flag's own Set, which has
// worded it already.
func flagError(c *cobra.Command, args []string, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(c, args, e)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("%s: %s is missing", dashName(e.GetSpecifiedName()), Placeholder(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = fmt.Errorf("--%s %s: %w", e.GetFlag().Name, e.GetValue(), badValue(e))
		if advice := c.Annotations[absentFlag+e.GetFlag().Name+"="+e.GetValue()]; advice != "" {
			err = fmt.Errorf("%w; %s", err, advice)
		}
		return err
	}
	return err
}

// unknownFlag returns an error that says which flag to write instead, the surest advice first: the command's advice on just
// this flag, then dice that were taken for a flag, then a slip of typing.
func unknownFlag(c *cobra.Command, args []string, e *pflag.NotExistError) error {
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	name := e.GetSpecifiedName()
	if advice := c.Annotations[absentFlag+name]; advice != "" {
		return fmt.Errorf("there is no flag %s: %s", dashName(name), advice)
	}
	if name == "o" { // a command that writes files has it
		return errors.New("there is no flag -o: the answer goes to standard output: > FILE writes it to a file")
	}
	if flag := FlagTaking(c, name); flag != "" {
		return fmt.Errorf("there is no flag %s: write --%s %s", dashName(name), flag, name)
	}
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(r) && e.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("there is no flag -%s; what begins with a minus and is no flag stands behind --: \"%s\"",
			name, separateWords(c, args))
	}
	if meant := e.GetSpecifiedShortnames(); slices.Contains(known, meant) {
		return fmt.Errorf("there is no flag -%s; flags of several letters begin with two: --%[1]s", meant)
	}
	begun := slices.DeleteFunc(slices.Clone(known), func(flag string) bool { return !strings.HasPrefix(flag, name) })
	if len(begun) == 1 && len(name) > 1 {
		return fmt.Errorf("there is no flag %s; did you mean --%s", dashName(name), begun[0])
	}
	if len(name) == 1 && len(begun) > 0 && len(begun) <= maxOthers {
		return fmt.Errorf("there is no flag -%s; did you mean --%s", name, strings.Join(begun, ", --"))
	}
	if others := commandsWith(c, name); len(others) > 0 && len(others) <= maxOthers {
		return fmt.Errorf("there is no flag %s here: it is a flag of %s", dashName(name), strings.Join(others, " and "))
	}
	if near := spell.Nearest(name, known); near != "" {
		return fmt.Errorf("there is no flag %s; did you mean --%s", dashName(name), near)
	}
	if event := lastValue(c, "event"); event != "" && fieldName().MatchString(name) {
		return fmt.Errorf("there is no flag %s; what comes with an event stands in its --event: --event '%s %s=VALUE'",
			dashName(name), event, name)
	}
	if c.Flags().Lookup("set") != nil && fieldName().MatchString(name) {
		return fmt.Errorf("there is no flag %s; \"%s --help\" lists them; a value of the input is --set %s=VALUE, "+
			"one of an option --option %[3]s=VALUE", dashName(name), c.CommandPath(), name)
	}
	return fmt.Errorf("there is no flag %s; \"%s --help\" lists them", dashName(name), c.CommandPath())
}

// FlagTaking returns the flag of a command that takes a word as one of a few, as --format takes json; "" for none.
func FlagTaking(c *cobra.Command, word string) (flag string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if few, ok := f.Value.(interface{ Takes(word string) bool }); ok && few.Takes(word) {
			flag = f.Name
		}
	})
	return flag
}

// maxOthers bounds the commands that are named for a flag of theirs: more are no help.
const maxOthers = 4

// commandsWith returns the commands that have a flag, quoted.
func commandsWith(c *cobra.Command, flag string) (out []string) {
	for _, other := range c.Root().Commands() {
		if other != c && other.Flags().Lookup(flag) != nil {
			out = append(out, fmt.Sprintf("%q", other.CommandPath()))
		}
	}
	return out
}

// fieldName is a name that a field of an input may have; a flag may have others, at-least.
var fieldName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_.]+$`) })

// separateWords returns a command line with the same words, in which flags stand before "--" and all other words behind it.
//
// A word with a minus is a flag only when the command has it, so "-1d6" goes behind. Where a flag takes a value follows
// from pflag's two laws: a value after "=" is part of the word, and a flag whose value may be left out never takes the
// next word. The names of the command come first in the line, wherever they stood between flags.
func separateWords(c *cobra.Command, args []string) string {
	var flags, words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			words = append(words, args[i+1:]...)
			break
		}
		f, hasValue := flagOfWord(c, arg)
		if f == nil {
			words = append(words, arg)
			continue
		}
		flags = append(flags, arg)
		if !hasValue && f.NoOptDefVal == "" && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	path := strings.Fields(c.CommandPath())
	for _, name := range path[1:] {
		if at := slices.Index(words, name); at >= 0 {
			words = slices.Delete(words, at, at+1)
		}
	}
	line := slices.Concat(path, flags, []string{"--"}, words)
	for i, word := range line {
		line[i] = shell.Quote(word)
	}
	return strings.Join(line, " ")
}

// flagOfWord returns the flag that a word of a command line gives, nil for none, and whether its value is in the word.
func flagOfWord(c *cobra.Command, word string) (f *pflag.Flag, hasValue bool) {
	if long, ok := strings.CutPrefix(word, "--"); ok {
		name, _, valued := strings.Cut(long, "=")
		return c.Flags().Lookup(name), valued
	}
	if short, ok := strings.CutPrefix(word, "-"); ok && short != "" && short[0] < utf8.RuneSelf {
		return c.Flags().ShorthandLookup(short[:1]), len(short) > 1
	}
	return nil, false
}

// absentFlag begins the annotations of a command that say what to do instead of giving it a flag of others.
const absentFlag = "rules/absent-flag/"

// AdviseInstead gives the advice for a flag that a command does not have and others of its kind have; for a value of a
// flag, too, format=json.
func AdviseInstead(c *cobra.Command, name, advice string) {
	annotate(c, absentFlag+name, advice)
}

func annotate(c *cobra.Command, key, text string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[key] = text
}

// dashName returns a flag as it is written: one letter behind one dash.
func dashName(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Placeholder returns the name of the value of a flag in the help: the word in backquotes of its usage line.
func Placeholder(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// badValue returns why a flag does not accept a value. Numbers get words of this program in place
// of strconv's; any other flag's Set has said it.
func badValue(e *pflag.InvalidValueError) error {
	if twice, ok := errors.AsType[*twiceError](e); ok {
		return twice
	}
	switch e.GetFlag().Value.Type() {
	case "uint64":
		if _, err := strconv.ParseUint(e.GetValue(), 10, 64); errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("it is a whole number from 0 to %d", uint64(math.MaxUint64))
		}
		return fmt.Errorf("it is a whole number from 0%s", wholeMeant(e.GetFlag().Name, e.GetValue()))
	case "int", "int64":
		if _, err := strconv.ParseInt(e.GetValue(), 10, 64); errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("it is a whole number of at most %d", int64(math.MaxInt64))
		}
		return fmt.Errorf("it is a whole number%s", wholeMeant(e.GetFlag().Name, e.GetValue()))
	case "bool":
		return errors.New("it is true or false")
	}
	return e.Unwrap()
}

// wholeMeant says what to write in place of a whole number in another form, 10k or 1,000, or of a seed that is to be
// any; "" where nobody knows.
func wholeMeant(flag, text string) string {
	text = strings.ToLower(text)
	if flag == "seed" && slices.Contains([]string{"random", "any", "rand", "new", "auto"}, text) {
		return ": leave --seed out, and one is drawn and told"
	}
	digits := strings.NewReplacer(",", "", "_", "", " ", "", "'", "").Replace(text)
	number := strings.TrimRight(digits, "km")
	zeros := strings.NewReplacer("k", "000", "m", "000000").Replace(digits[len(number):])
	if number == "" || strings.Trim(number, "0123456789") != "" || len(zeros) > 6 {
		return ""
	}
	return ": write " + number + zeros
}

// refusedKey begins the annotations in which a command notes the flags of every command that it does not take.
const refusedKey = "refused --"

// RefuseFlags makes a command refuse flags of every command, which would change nothing; why gives the alternative.
func RefuseFlags(c *cobra.Command, why string, flags ...string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	for _, name := range flags {
		c.Annotations[refusedKey+name] = why
	}
}

// RefuseGiven returns the error of the first of these flags that is given, where it would change nothing. It is for
// refusals that depend on the rest of the question; those that always hold are RefuseFlags.
func RefuseGiven(c *cobra.Command, why string, flags ...string) error {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s changes nothing here: %s", name, why)
		}
	}
	return nil
}

// TakesFlag reports whether a command does not refuse a flag of every command.
func TakesFlag(c *cobra.Command, name string) bool {
	_, refused := c.Annotations[refusedKey+name]
	return !refused
}

// JudgeFlags looks for flags that are missing or empty, and for flags that do not go together.
func JudgeFlags(c *cobra.Command) (err error) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil {
			return
		}
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			err = missingFlag(c, f)
			return
		}
		if why, refused := c.Annotations[refusedKey+f.Name]; refused && f.Changed {
			err = fmt.Errorf("--%s changes nothing here: %s", f.Name, why)
			return
		}
		if err = judgeEmpty(f); err != nil {
			return
		}
		if advice := swallowedFlag(c, f); advice != "" {
			err = errors.New(advice)
			return
		}
		if err = judgePairs(c, f); err == nil {
			err = judgeNeeds(c, f)
		}
	})
	return err
}

// missingFlag returns the error of a flag that must be given. The character's file may stand where the ruleset does.
func missingFlag(c *cobra.Command, f *pflag.Flag) error {
	word := c.Flags().Arg(0)
	if f.Name == "character" && strings.HasSuffix(word, ".json") {
		return fmt.Errorf("--character FILE is missing: write %s RULESET --character %s",
			c.CommandPath(), shell.Quote(word))
	}
	return fmt.Errorf("--%s %s is missing: %s%s", f.Name, Placeholder(f), c.UseLine(), exampleOf(c))
}

// swallowedFlag says that the value of a flag is a flag itself; "" where it is none.
func swallowedFlag(c *cobra.Command, f *pflag.Flag) string {
	if name, isFlag := strings.CutPrefix(lastValue(c, f.Name), "--"); isFlag && c.Flags().Lookup(name) != nil {
		return fmt.Sprintf("--%s: %s is missing, and --%s is a flag", f.Name, Placeholder(f), name)
	}
	return ""
}

// neededKey is where a flag notes the flag without which it means nothing.
const neededKey = "rules_annotation_needs"

// MarkNeeds says that a flag means nothing without another one.
func MarkNeeds(c *cobra.Command, name, other string) {
	must.Succeed(c.Flags().SetAnnotation(name, neededKey, []string{other}))
}

// judgeNeeds refuses a flag that is given without the one that it needs.
func judgeNeeds(c *cobra.Command, f *pflag.Flag) error {
	for _, other := range f.Annotations[neededKey] {
		if f.Changed && !c.Flags().Changed(other) {
			return fmt.Errorf("--%s has no meaning without --%s", f.Name, other)
		}
	}
	return nil
}

// exclusiveKey is where cobra notes the groups of flags of which one may be given.
const exclusiveKey = "cobra_annotation_mutually_exclusive"

// pairKey begins the annotations in which a command notes why a flag does not go together with others.
const pairKey = "rules/pair/"

// MarkExclusive says that a flag does not go together with others, and why.
func MarkExclusive(c *cobra.Command, why, name string, others ...string) {
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(name, other)
	}
	annotate(c, pairKey+name, why)
}

// judgePairs refuses two flags of one group. cobra stores a group as its names with blanks between
// them.
func judgePairs(c *cobra.Command, f *pflag.Flag) error {
	for _, group := range f.Annotations[exclusiveKey] {
		names := slices.DeleteFunc(strings.Fields(group), func(name string) bool { return !c.Flags().Changed(name) })
		if len(names) > 1 {
			return fmt.Errorf("--%s and --%s do not go together: %s", names[0], names[1],
				cmp.Or(c.Annotations[pairKey+names[0]], "leave one out"))
		}
	}
	return nil
}

// A oneOf is the value of a flag that takes one of a few words, of which the first is the default.
type oneOf[T ~string] struct {
	value       *T
	of          []T
	placeholder string
}

// NewOneOf makes the value of a flag and sets it to the first of the words. It panics without any,
// which is a mistake in a constructor.
func NewOneOf[T ~string](value *T, placeholder string, of ...T) *oneOf[T] {
	*value = of[0]
	return &oneOf[T]{value, of, placeholder}
}

// String implements pflag.Value.
func (x *oneOf[T]) String() string {
	// One that no constructor has made has nothing to print.
	if x.value == nil {
		return ""
	}
	return string(*x.value)
}

// Set implements pflag.Value.
func (x *oneOf[T]) Set(s string) error {
	if !slices.Contains(x.of, T(s)) {
		return errors.New("it is " + Alternatives(x.of))
	}
	*x.value = T(s)
	return nil
}

// Takes reports whether a word is one of the few.
func (x *oneOf[T]) Takes(word string) bool { return slices.Contains(x.of, T(word)) }

// Type implements pflag.Value.
func (x *oneOf[T]) Type() string { return x.placeholder }

// Alternatives lists words: "text, json or sarif".
func Alternatives[T ~string](of []T) string {
	var list []string
	for _, v := range of[:len(of)-1] {
		list = append(list, string(v))
	}
	return strings.Join(list, ", ") + " or " + string(of[len(of)-1])
}

// A Format is the value of --format: text for people, the others for tools and pages.
type Format string

// The zero of a Format is never seen: AddTo sets text.
const (
	asText     Format = "text"
	AsJSON     Format = "json"
	AsMarkdown Format = "markdown"
	AsSARIF    Format = "sarif"
)

// AddTo makes the flag of a command, which writes text, JSON, and the others named.
func (f *Format) AddTo(c *cobra.Command, others ...Format) {
	of := append([]Format{asText, AsJSON}, others...)
	c.Flags().Var(NewOneOf(f, "FORMAT", of...), "format", "how the answer is written: "+Alternatives(of))
	must.Succeed(c.RegisterFlagCompletionFunc("format", Among(of...)))
}

// Among completes the values that a flag may have.
func Among[T ~string](values ...T) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (out []string, _ cobra.ShellCompDirective) {
		for _, v := range values {
			out = append(out, string(v))
		}
		return out, NoFiles
	}
}

// NoFiles tells the shell not to offer names of files where a flag's value is none.
const NoFiles = cobra.ShellCompDirectiveNoFileComp
