package record

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var (
	field   = regexp.MustCompile(`(?m)^(\t+)(\w+):(\s+(?:int|number|string) )`)
	result  = regexp.MustCompile(`(?m)^(\t\t)(\w+):(\s+")`)
	member  = regexp.MustCompile(`\b(character|input)\.(\w+)`)
	earlier = regexp.MustCompile(`(^|[^.\w])(base|mods|wound|chance|success|multiplier|row)\b`)
)

// Large compiles a ruleset whose rule computes n records at once, each from fields of its own, whose names end in its
// number: "strength_0".
func Large(n int) (*plan.Plan, error) {
	text, err := fs.ReadFile(files, "ruleset/reference.cue")
	if err != nil {
		return nil, err
	}
	module, err := fs.ReadFile(files, "ruleset/cue.mod/module.cue")
	if err != nil {
		return nil, err
	}
	dir := fstest.MapFS{
		"cue.mod/module.cue": {Data: module},
		"reference.cue":      {Data: []byte(multiply(string(text), n))},
	}
	p, diags := compiler.Directory(load.Source{FS: dir}, ".", compiler.Options{})
	if p == nil {
		return nil, fmt.Errorf("%d records in one rule do not compile: %v", n, diags)
	}
	return p, nil
}

// multiply repeats the fields and the formulas of the ruleset.
func multiply(text string, n int) string {
	before, rest, _ := strings.Cut(text, "#Character: {\n")
	character, rest, _ := strings.Cut(rest, "}\n")
	tables, rest, _ := strings.Cut(rest, "\t#Input: {\n")
	input, rest, _ := strings.Cut(rest, "\t}\n")
	let, rest, _ := strings.Cut(rest, "\toutput: {\n")
	output, after, _ := strings.Cut(rest, "\n\t}\n")
	let = strings.Replace(let, "let: row:", "let: {\n\t\trow:", 1) + "\t}\n"
	for _, part := range []*string{&character, &input} {
		*part = repeat(*part, n, func(s, number string) string {
			return field.ReplaceAllString(s, "${1}${2}"+number+":${3}")
		})
	}
	output = repeat(output+"\n", n, formulas)
	head, lets, _ := strings.Cut(let, "{\n")
	lets = head + "{\n" + repeat(strings.TrimSuffix(lets, "\t}\n"), n, formulas) + "\t}\n"
	return before + "#Character: {\n" + character + "}\n" + tables + "\t#Input: {\n" + input + "\t}\n" + lets +
		"\toutput: {\n" + output + "\t}\n" + after
}

func formulas(s, number string) string {
	s = result.ReplaceAllString(s, "${1}${2}"+number+":${3}")
	s = member.ReplaceAllString(s, "${1}.${2}"+number)
	var out []string
	for _, line := range strings.SplitAfter(s, "\n") {
		name, formula, found := strings.Cut(line, ":")
		if !found || strings.Contains(name, "?") {
			name, formula = "", line
		} else {
			name += ":"
		}
		out = append(out, name+earlier.ReplaceAllString(formula, "${1}${2}"+number))
	}
	return strings.Join(out, "")
}

func repeat(s string, n int, numbered func(s, number string) string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(numbered(s, fmt.Sprintf("_%d", i)))
	}
	return out.String()
}
