package main

// # From a command line to a plan
//
//	eval -e TEXT, FILE.cue    findInline ─ compileInline: a text without a module
//	eval --plan FILE          readPlan: a plan, a release, or of several the one of the pin
//	eval RULESET RULE         findShipped: the module's, or what ships
//
// findSubject tries them in this order. Whatever the way, the result is a plan and a name, and what
// follows does not know where the plan came from. The exception are error messages and printed
// commands (commandStart), which repeat what was typed.
//
// The four commands that ask about a rule with a character, eval, odds, seek and play, embed a
// question. A field that one of them has no flag for keeps its zero, which means "not asked".

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/playthrough"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A question is what a command line asks about a rule or a procedure, as its flags say it; files
// are named and not yet read.
type question struct {
	playthrough.Playthrough

	plan   string // files; "" for none, "-" for standard input
	inline string // a rule without a module, as -e gives it
	// inlineFile is the file that holds one instead, once it has been found.
	inlineFile string
	character  string
	characters argdata.Characters // of which the first is the character
	input      string
	inputShape *plan.Shape // what the input must be, once it has been read
	// characterShape is what a character must be; nil as long as no plan is there.
	characterShape *plan.Shape
	openColumns    []compiler.OpenColumn // that are compiled beside those of the tables
	compared       []*plan.Shape         // of several rules: the inputs of all, which share what is given
	state          string
	events         string
	event          []string
	dice           []string
	trace          traceDepth
	labels         bool   // add words to JSON
	caseFile       string // --case
	receipt        string // a file
	format         usage.Format
	ndjson         string // a file
	workers        int
	files          argdata.Files
	s              *settings
	c              *cobra.Command
}

// findSubject returns the plan that is used, and the name of the rule or procedure, and notes what a character must be.
func (q *question) findSubject(args []string) (*plan.Plan, string, error) {
	p, id, err := q.locateSubject(args)
	if p != nil {
		q.characterShape = p.Character
	}
	return p, id, err
}

// locateSubject returns the plan that is used, and the name of the rule or procedure. The name is not
// looked up here: eval takes names that no plan has (compileAsked).
func (q *question) locateSubject(args []string) (*plan.Plan, string, error) {
	if x, rest, err := q.findInline(args); x != nil || err != nil {
		return q.compileInline(x, rest, err)
	}
	if q.plan == "" {
		return q.findShipped(args)
	}
	p, err := q.readPlan(args)
	if err != nil {
		return nil, "", err
	}
	id, err := q.subjectIn(p, args)
	if err == nil && id == "" {
		err = nameSubject(p)
	}
	return p, id, err
}

// subjectIn returns the rule or procedure that arguments name behind the ruleset of the plan of --plan, which may be left
// out; "" for none.
func (q *question) subjectIn(p *plan.Plan, args []string) (string, error) {
	switch {
	case len(args) == 2 && args[0] != p.Ruleset:
		return "", fmt.Errorf("%s is a plan of ruleset %s, not of %s", argdata.FileName(q.plan), p.Ruleset, args[0])
	case len(args) == 0, len(args) == 1 && args[0] == p.Ruleset && !slices.Contains(describe.EvaluableNames(p), args[0]):
		return "", nil
	}
	return args[len(args)-1], nil
}

// nameSubject asks for one of the rules and procedures of a plan.
func nameSubject(p *plan.Plan) error {
	return fmt.Errorf("name a rule or procedure: %s has %s", p.Ruleset, strings.Join(describe.EvaluableNames(p), ", "))
}

// readPlan returns the plan in the file of --plan or, when that names several releases, the one
// that the character or the state is pinned to.
func (q *question) readPlan(args []string) (*plan.Plan, error) {
	if !workspace.HoldsReleases(q.plan) {
		if len(args) > 0 && q.receipt == "" { // a receipt has the digest of the whole plan
			return q.s.PlanFileOf(args[len(args)-1], q.plan, &q.files)
		}
		return q.s.PlanFile(q.plan, &q.files)
	}
	releases, err := q.s.ReadReleases(q.plan)
	if err != nil {
		return nil, err
	}
	ruleset := ""
	if len(args) == 2 || len(args) == 1 && releases.Holds(args[0]) {
		ruleset = args[0]
	}
	if q.state != "" {
		text, err := q.files.Read("state", q.state)
		if err != nil {
			return nil, err
		}
		return releases.ChooseForSheet(text)
	}
	// readRequest reads it again: argdata gives the same flag its standard input a second time.
	text, err := q.files.Read("character", q.character)
	if err != nil {
		return nil, err
	}
	return releases.Choose(ruleset, workspace.PinOf(text))
}

// findShipped returns the plan of a ruleset of the module, or of a shipped one, and the name of the rule or procedure
// in the second argument.
func (q *question) findShipped(args []string) (*plan.Plan, string, error) {
	if len(args) == 0 {
		return nil, "", fmt.Errorf("name a ruleset and a rule: %s; there is %s", q.c.UseLine(),
			strings.Join(q.s.RulesetIDs(), ", "))
	}
	compile := q.s.CompileRuleset
	if open := q.findOpenColumns(); len(open) > 0 {
		compile = func(id string) (*plan.Plan, error) { return q.s.CompileRulesetOpen(id, open) }
	}
	p, err := compile(args[0])
	switch {
	case err != nil:
		return nil, "", err
	case len(args) == 1:
		return nil, "", nameSubject(p)
	}
	return p, args[1], nil
}

// findOpenColumns returns the dice of tables that are compiled because the question leaves cells open.
func (q *question) findOpenColumns() []compiler.OpenColumn {
	return slices.Concat(oddsquery.OpenColumns(q.Vary), q.openColumns)
}

// inState is why nothing is given beside --state that the sheet has in it.
const inState = "a state is the whole sheet that --format json printed, with all of that in it"

// optionUsage is the help of --option.
const optionUsage = "play another ruling: `NAME=VALUE`, or those of a file, @FILE; may be repeated"

// parseOptions reads --option NAME=VALUE and --option @FILE, a file of rulings. The same ruling twice is harmless; two
// rulings on one question are refused, since the later would win in silence.
func parseOptions(list []string, files *argdata.Files) (map[string]string, error) {
	out := map[string]string{}
	for _, text := range list {
		held := map[string]string{}
		if name, isFile := strings.CutPrefix(text, "@"); isFile {
			var err error
			if held, err = files.ReadRulings("option", name); err != nil {
				return nil, fmt.Errorf("--option %s: %w", text, err)
			}
		} else {
			name, value, ok := strings.Cut(text, "=")
			if name == "" || !ok && strings.ContainsFunc(text, isNoLetterOfNames) {
				return nil, fmt.Errorf("--option %s: %w, or @FILE; \"rules show RULESET\" names the options, with their "+
					"values", text, phrase.NoAssignment(text, nil))
			}
			held[name] = value // of a word alone the plan knows whether an option or a value is missing
		}
		for _, name := range slices.Sorted(maps.Keys(held)) {
			if other, twice := out[name]; twice && other != held[name] {
				return nil, fmt.Errorf("--option %s: %s is set to %s already", text, name, other)
			}
			out[name] = held[name]
		}
	}
	return out, nil
}

// isNoLetterOfNames reports whether no option and no value of one has a character in its name.
func isNoLetterOfNames(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// readRequest reads one evaluation of a rule, or the start of a procedure: the character, the input
// by its schema, and where faces come from.
func (q *question) readRequest(input *plan.Shape) (r runtime.Request, err error) {
	if r.Character, err = q.files.Read("character", q.character); err != nil {
		return r, err
	}
	if q.character == "" {
		// A rule that needs no character gets an empty one; any other then names what is missing in
		// it.
		r.Character = []byte("{}")
	}
	if r.Input, err = q.inputText(input); err != nil {
		return r, err
	}
	r.Trace = q.trace.isAsked()
	r.Throw, err = q.chooseFaces()
	return r, err
}

// inputText returns the input with the values of --set put into it, and the characters of others in the fields that are
// left. The order matters: --set wins over the file, and a further --character fills only a field that neither gives.
//
// Rules that are compared share what is given, each without the fields of the others.
func (q *question) inputText(own *plan.Shape) ([]byte, error) {
	shape := own
	if len(q.compared) > 1 {
		shape = argdata.JoinShapes(q.compared)
	}
	q.inputShape = shape
	text, err := q.files.Read("input", q.input)
	if err != nil {
		return nil, err
	}
	object := json.RawMessage(text)
	if len(q.Sets) > 0 {
		if q.input == "" {
			object = json.RawMessage("{}")
		}
		if object, err = argdata.Assign(object, nil, q.Sets, shape, &q.files); err != nil {
			return nil, fmt.Errorf("--set %w%s", err, q.adviseVary())
		}
	}
	object, err = q.characters.PutInto(object, shape, &q.files)
	if err != nil || len(q.compared) < 2 {
		return object, err
	}
	return argdata.KeepOwn(object, own, q.compared)
}

// adviseVary returns how several values of a field are compared, which --set gives one each; "" where there is no such
// field, or no such flag.
func (q *question) adviseVary() string {
	if q.c.Flags().Lookup("vary") == nil {
		return ""
	}
	values := map[string][]string{}
	for _, set := range q.Sets {
		name, value, _ := plan.CutAssignment(set)
		values[name] = append(values[name], value)
		if len(values[name]) > 1 {
			return fmt.Sprintf("; several values are compared by --vary %s=%s", name, strings.Join(values[name], ","))
		}
	}
	return ""
}

// addCharacterFlag adds --character. Its first use fills character, every further one adds to the
// others.
func (q *question) addCharacterFlag(c *cobra.Command, says string) {
	q.characters.Own = &q.character
	c.Flags().Var(&q.characters, "character", says)
}

// chooseFaces returns the given faces, or those of a seed that is given or drawn now.
//
// Given faces and drawn ones are mixed only by the id of their die: by position, nobody could say
// which face is meant once a drawn die decides how many others fall.
func (q *question) chooseFaces() (t dice.Throw, err error) {
	if q.DiceGiven {
		if t.Dice, err = argdata.ParseGiven(q.dice, &q.files); err != nil {
			return t, err
		}
	} else if !q.Seeded {
		q.Seed = argdata.DrawSeed()
	}
	if q.Seeded && t.Dice.List != nil {
		return t, errors.New("--dice with --seed: say which die each face is of, as in --dice roll=43")
	}
	if q.Seeded || !q.DiceGiven {
		t.Seed = &q.Seed
	}
	return t, nil
}

// reportSeed says on stderr which seed was drawn, when faces were drawn from it; JSON has it in the sheet.
func (q *question) reportSeed(seed *uint64) {
	if seed != nil && !q.Seeded && q.format != usage.AsJSON {
		fmt.Fprintf(q.c.ErrOrStderr(), "rules: the dice fell by chance; --seed %d lets them fall so again\n", *seed)
	}
}

// placeError adds to an error of a value that does not fit the file in which it stands.
//
// A place in a file is told only where the value came from that file unchanged. After --set or a
// further --character, line and column are those of a text that nobody has ever seen.
func (q *question) placeError(err error) error {
	e, ok := errors.AsType[*runtime.InputError](err)
	if !ok {
		return err
	}
	if m := q.inputShape.Member(strings.TrimPrefix(e.Path, ".")); e.Root == "input" && e.IsMissing() && m != nil &&
		m.Character {
		return fmt.Errorf("%s%s is another character: give it with a further --character FILE", e.Root, e.Path)
	}
	if name := strings.TrimPrefix(e.Path, "."); e.Root == "input" && e.IsUnknown() && q.characterShape.Member(name) != nil {
		return fmt.Errorf("%s%s: there is no such field; %s is the character's: write it into the file of --character",
			e.Root, e.Path, name)
	}
	file, _ := q.fileOf(e.Root)
	err = q.adviseError(err)
	if name := strings.TrimPrefix(e.Path, "."); e.Root == "input" && file == "" && e.IsMissing() {
		return fmt.Errorf("%w: give it with --set %s=VALUE", exit.PathOnly(err), name)
	}
	if file == "" || e.Root == "input" && len(q.Sets)+len(q.characters.Others) > 0 {
		return exit.PathOnly(err)
	}
	return exit.PlaceIn(argdata.FileName(file), err)
}

// fileOf returns the file from which the character or the input was read, and what it must be; "" of anything else.
func (q *question) fileOf(root string) (file string, shape *plan.Shape) {
	switch root {
	case "character":
		return q.character, q.characterShape
	case "input":
		return q.input, q.inputShape
	}
	return "", nil
}

// adviseError adds to an error of a value in a file what to write in its place.
func (q *question) adviseError(err error) error {
	e, ok := errors.AsType[*runtime.InputError](err)
	if !ok {
		return err
	}
	file, shape := q.fileOf(e.Root)
	if text, unread := q.files.Read(e.Root, file); file != "" && unread == nil {
		return jsonadvice.Add(e, shape, text)
	}
	return err
}

// pathError is placeError where the place is that of a text which nobody has seen: with a value of --vary in it, or of a
// procedure after its start, which keeps JSON without the blanks of its file.
func (q *question) pathError(err error) error { return exit.PathOnly(q.adviseError(err)) }

// commandStart returns the beginning of a command line like this one, quoted for a shell, to which
// a rule and its flags can be added.
func (q *question) commandStart(ruleset string) string {
	switch {
	case q.inline != "":
		return "rules eval -e " + shell.Quote(q.inline)
	case q.inlineFile != "":
		return "rules eval " + shell.Quote(q.inlineFile)
	}
	out := "rules eval "
	if q.s.Dir != "" {
		out += "--dir " + shell.Quote(q.s.Dir) + " "
	}
	for _, dir := range q.s.With {
		out += "--with " + shell.Quote(dir) + " "
	}
	if q.plan != "" {
		return out + "--plan " + shell.Quote(q.plan)
	}
	return out + ruleset
}

// registerCompletions makes those of the flags that ask about a rule.
//
// Several commands share it, and each has some of these flags: one that it has not is passed over.
func (q *question) registerCompletions(c *cobra.Command) {
	for name, words := range map[string]func(*plan.Plan, string, string) []string{
		"option": completion.OptionWords, "output": completion.OutputWords, "why": completion.OutputWords,
		"set":  completion.InputWords,
		"vary": completion.InputWords, "dice": completion.DieWords, "policy": completion.EventWords,
		"event": completion.HappeningWords,
	} {
		if c.Flags().Lookup(name) != nil {
			must.Succeed(c.RegisterFlagCompletionFunc(name, q.completeWith(words)))
		}
	}
}

// completeWith returns a completion of a flag, from words for a plan, a rule or procedure, and the text written so far.
// No space follows a word that ends in =, where the value is to follow.
func (q *question) completeWith(words func(p *plan.Plan, id, begun string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		p, id, err := q.findSubject(args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		out := words(p, id, begun)
		if slices.ContainsFunc(out,
			func(word string) bool { return strings.HasSuffix(strings.Split(word, "\t")[0], "=") }) {
			return out, usage.NoFiles | cobra.ShellCompDirectiveNoSpace
		}
		return out, usage.NoFiles
	}
}
