package usage

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
)

// A word too many mostly belongs to a flag: the shell has parted it from the value before it, or the flag itself is
// missing. Each advice looks at the flags that the command has and that are given; the first that has something to say
// is said, so that what is certain stands before what is guessed.

// A strayAdvice returns what to write in place of the words that are too many; "" when that is another's to say.
type strayAdvice func(c *cobra.Command, stray []string) string

// strayAdvices returns the advices, the surest first.
func strayAdvices() []strayAdvice {
	return []strayAdvice{adviseSwallowed, adviseOptional, adviseParted, adviseFaces, adviseJSON, adviseFile,
		adviseAssignment, adviseQuestion, adviseNumber, adviseOutput}
}

// strayWord returns the error of words behind those that a command takes.
func strayWord(c *cobra.Command, stray []string) error {
	var parts []string
	for _, part := range c.Commands() {
		parts = append(parts, part.Name())
	}
	for _, part := range c.Commands() {
		if slices.ContainsFunc(part.Commands(), func(inner *cobra.Command) bool { return inner.Name() == stray[0] }) {
			return fmt.Errorf("%q is none of what stands behind %q: write %s %[1]s", stray[0],
				c.CommandPath(), part.CommandPath())
		}
	}
	if len(parts) > 0 {
		return fmt.Errorf("%q is none of what stands behind %q: %s", stray[0], c.CommandPath(), strings.Join(parts, ", "))
	}
	for _, advise := range strayAdvices() {
		if advice := advise(c, stray); advice != "" {
			return fmt.Errorf("%q is one word too many: %s", stray[0], advice)
		}
	}
	return fmt.Errorf("%q is one word too many: %s", stray[0], c.UseLine())
}

// lastValue returns the last value of a flag that is given; "" for none.
func lastValue(c *cobra.Command, name string) string {
	f := c.Flags().Lookup(name)
	if f == nil || !f.Changed {
		return ""
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		if values := list.GetSlice(); len(values) > 0 {
			return values[len(values)-1]
		}
		return ""
	}
	return f.Value.String()
}

// adviseSwallowed tells of a flag that was taken for the value of another one.
func adviseSwallowed(c *cobra.Command, _ []string) (advice string) {
	c.Flags().Visit(func(f *pflag.Flag) { advice = cmp.Or(advice, swallowedFlag(c, f)) })
	return advice
}

// adviseOptional joins a flag whose value may be left out and a number that stands behind it: --trace 2.
func adviseOptional(c *cobra.Command, stray []string) (advice string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" && areNumbers(stray[:1]) {
			advice = fmt.Sprintf("write --%s=%s", f.Name, stray[0])
		}
	})
	return advice
}

// adviseParted joins a name and its value: --set weapon axe, --set weapon = axe.
func adviseParted(c *cobra.Command, stray []string) string {
	flag, name := partedValue(c)
	if flag == "" {
		return ""
	}
	value := stray[0]
	if value == "=" && len(stray) > 1 {
		value = stray[1]
	}
	return fmt.Sprintf("write --%s %s=%s", flag, name, strings.TrimPrefix(value, "="))
}

// partedValue returns the first flag that takes NAME=VALUE and was given a name alone, and the name: the value is the next
// word of the line.
func partedValue(c *cobra.Command) (flag, name string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		list, ok := f.Value.(pflag.SliceValue)
		if !ok || Placeholder(f) != "NAME=VALUE" {
			return
		}
		for _, text := range list.GetSlice() {
			if name == "" && !strings.Contains(text, "=") && !strings.HasPrefix(text, "@") {
				flag, name = f.Name, text
			}
		}
	})
	return flag, name
}

// adviseFaces joins faces that blanks part: --dice 15 6, --dice d20=15 damage=6.
func adviseFaces(c *cobra.Command, stray []string) string {
	value := lastValue(c, "dice")
	switch {
	case value == "":
	case areNumbers(stray):
		return "write --dice " + strings.TrimSuffix(value, ",") + "," + strings.Join(stray, ",")
	case strings.Contains(value, "=") && assignment().MatchString(stray[0]):
		return "write --dice " + shell.Quote(value+" "+strings.Join(stray, " "))
	}
	return ""
}

func areNumbers(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return strings.Trim(word, "0123456789,") != "" })
}

// adviseJSON tells of JSON that the shell has taken apart: it reads {"a":1,"b":2} as the words a:1 and b:2.
func adviseJSON(c *cobra.Command, stray []string) string {
	for _, flag := range []string{"input", "character"} {
		if value := lastValue(c, flag); jsonPart().MatchString(stray[0]) && strings.Contains(value, ":") {
			return fmt.Sprintf("--%s is a file; JSON itself comes by standard input, in single quotes, which keep it "+
				`from the shell: --%[1]s - <<< '{"name": "value"}'`, flag)
		}
	}
	return ""
}

// adviseFile finds the flag of a file of JSON: the first of the two that is not given.
func adviseFile(c *cobra.Command, stray []string) string {
	if !strings.HasSuffix(stray[0], ".json") {
		return ""
	}
	for _, flag := range []string{"character", "input"} {
		if f := c.Flags().Lookup(flag); f != nil && !f.Changed {
			return "write --" + flag + " " + shell.Quote(stray[0])
		}
	}
	return ""
}

// adviseAssignment finds the flag of a NAME=VALUE: the event whose input it is, or else --set.
func adviseAssignment(c *cobra.Command, stray []string) string {
	name, value, _ := strings.Cut(strings.Replace(stray[0], ":", "=", 1), "=")
	switch {
	case !assignment().MatchString(stray[0]) || value == "":
		return ""
	case lastValue(c, "event") != "" && strings.Contains(stray[0], "="):
		return "write --event " + shell.Quote(lastValue(c, "event")+" "+strings.Join(stray, " "))
	case c.Flags().Lookup(name) != nil && strings.Contains(stray[0], "="):
		return "write --" + shell.Quote(stray[0])
	case c.Flags().Lookup("set") != nil:
		return "a value of the input is --set " + shell.Quote(name+"="+value)
	}
	return ""
}

// adviseQuestion finds the flag of a comparison of outputs.
func adviseQuestion(c *cobra.Command, stray []string) string {
	if c.Flags().Lookup("ask") == nil || !comparison().MatchString(stray[0]) {
		return ""
	}
	return fmt.Sprintf("what is asked of outputs is --ask %q", stray[0])
}

// adviseNumber finds the flag of a number, which is no name of anything.
func adviseNumber(c *cobra.Command, stray []string) string {
	switch {
	case !areNumbers(stray):
		return ""
	case c.Flags().Lookup("set") != nil && c.Flags().Lookup("dice") != nil:
		return fmt.Sprintf("a value of the input is --set NAME=%s, faces that fell are --dice %s", stray[0],
			strings.Join(stray, ","))
	case c.Flags().Lookup("set") != nil:
		return "a value of the input is --set NAME=" + stray[0]
	}
	return ""
}

// adviseOutput finds the flag of the name of an output.
func adviseOutput(c *cobra.Command, stray []string) string {
	switch value := lastValue(c, "output"); {
	case c.Flags().Lookup("output") == nil:
		return ""
	case value != "":
		return "write --output " + strings.Join(slices.Concat(outputsOf(c), stray), ",")
	}
	if f := c.Flags().Lookup("output"); f.Shorthand != "" {
		return "write -" + f.Shorthand + " " + shell.Quote(stray[0])
	}
	advice := c.UseLine() + "; one output alone is --output " + stray[0]
	if c.Flags().Lookup("set") != nil {
		advice += ", a row of a table --set key=" + stray[0]
	}
	if c.Flags().Lookup("event") != nil {
		advice += ", an event of a procedure --event " + stray[0]
	}
	if c.Name() == "odds" {
		advice += ", and rules are set beside each other by rules compare"
	}
	return advice
}

// outputsOf returns the values of --output.
func outputsOf(c *cobra.Command) []string {
	if list, ok := c.Flags().Lookup("output").Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return nil
}

// comparison is a formula that is true or false of an output.
var comparison = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[a-z_][\w.]*\s*(==|!=|<=|>=|<|>|&&)`)
})

// assignment is NAME=VALUE, or NAME:VALUE as other programs write it.
var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][\w.]*[=:][^=]*$`) })

// jsonPart is a member of JSON whose quotes and braces the shell has taken.
var jsonPart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^"?[a-z]\w*"?:`) })
