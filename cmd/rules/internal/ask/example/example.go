// Package example finds a command line that answers: a character, an input and faces that the ruleset ships, or else the
// least that its schema admits.
//
// # In which order
//
// The best example is one that the author wrote for people: a character and an input of that
// character's own. Then a golden case of the rule, preferably without options. Then a shipped
// character with the least that the input may be (least.go), if the rule answers that. Whatever is
// chosen is known to answer: a line that a newcomer copies and that fails is worse than none.
// TestExamplesAnswer runs the line of every shipped rule.
package example

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ExampleOf returns a command line that answers, made of a golden case of the ruleset. If no case answers, it returns
// one with its values left to fill in. call is the beginning of the line, with the flags that choose the rules.
func ExampleOf(files fs.FS, call string, p *plan.Plan, n *describe.Needs) string {
	c := FindAnswering(files, p, n)
	if c == nil {
		return outlineCommand(call, n)
	}
	words := append(inputSettings(c.Input), givenFaces(c.Dice)...)
	for _, o := range p.Options {
		if v, ok := c.Options[o.ID]; ok {
			words = append(words, "--option "+o.ID+"="+v)
		}
	}
	if len(n.Character) == 0 && (n.Kind == "rule" || len(p.Character.Fields) == 0) {
		if len(words) == 0 {
			return outlineCommand(call, n)
		}
		return strings.Join(append([]string{call, n.ID}, words...), " ")
	}
	words = append([]string{call, n.ID, "--character -"}, words...)
	return "echo " + shell.Quote(jsontext.Compact(c.Character)) + " |\n  " + strings.Join(words, " ")
}

// FindAnswering returns a case that a rule or procedure answers, nil for none: a character and an
// input for it that are shipped, a golden case of it, or a shipped character, or the least that one
// may be, with the least that the input may be. Each is tried before it is shown, for files beside a
// ruleset that is being written may lag behind it.
func FindAnswering(files fs.FS, p *plan.Plan, n *describe.Needs) *golden.Case {
	dir := path.Join("golden", p.Ruleset)
	// Shipped files have no faces, and a line that refuses every other time teaches the wrong
	// thing.
	if !mayRefuseByDice(p, n.ID) {
		if c := shippedFor(files, dir, n.ID); c != nil && isAccepted(p, n, c) {
			return c
		}
	}
	if c := CaseOf(files, dir, golden.Kind(n.Kind), n.ID); c != nil && isAccepted(p, n, c) {
		return c
	}
	input := describe.InputOf(p, n.ID)
	c := leastFor(files, dir, input)
	if c == nil {
		character := LeastCharacter(p)
		c = &golden.Case{Character: character, Input: LeastValue(input, character)}
	}
	if isAccepted(p, n, c) {
		return c
	}
	return nil
}

// isAccepted reports whether a rule or procedure answers with the faces and the rulings of a case, or with faces drawn by
// chance where it has none.
func isAccepted(p *plan.Plan, n *describe.Needs, c *golden.Case) bool {
	program := runtime.New(p)
	q := runtime.Request{Character: c.Character, Input: c.Input, Throw: dice.DrawnFrom(0)}
	if !c.Dice.IsZero() {
		q.Throw = dice.Throw{Dice: c.Dice}
	}
	choice := runtime.Choice{Options: c.Options}
	if n.Kind == "procedure" {
		procedure, err := program.Procedure(n.ID, choice)
		if err == nil {
			_, err = procedure.Start(q)
		}
		return err == nil
	}
	rule, err := program.Rule(n.ID, choice)
	if err == nil {
		_, err = rule.Eval(q)
	}
	return err == nil
}

// mayRefuseByDice reports whether the dice may make a rule refuse, so that an example of it needs faces.
func mayRefuseByDice(p *plan.Plan, id string) bool {
	r := p.Rule(id)
	return r != nil && len(r.Graph.Dice) > 0 &&
		slices.ContainsFunc(r.Graph.Requires, func(r plan.Require) bool { return !r.Early })
}

// shippedFor makes a case of the character and the input that are shipped for a rule: ada.json and ada_test.json.
func shippedFor(files fs.FS, dir, id string) *golden.Case {
	inputs, err := fs.Glob(files, path.Join(dir, "*_"+id+".json"))
	must.Succeed(err)
	for _, name := range inputs {
		input, err := fs.ReadFile(files, name)
		character, missing := fs.ReadFile(files, strings.TrimSuffix(name, "_"+id+".json")+".json")
		if err == nil && missing == nil {
			return &golden.Case{Character: character, Input: input}
		}
	}
	return nil
}

// leastFor makes a case of a shipped character and the least input of a shape.
func leastFor(files fs.FS, dir string, input *plan.Shape) *golden.Case {
	names, err := fs.Glob(files, path.Join(dir, "*.json"))
	must.Succeed(err)
	for _, name := range names {
		if character, err := fs.ReadFile(files, name); err == nil && !strings.Contains(path.Base(name), "_") {
			return &golden.Case{Character: character, Input: LeastValue(input, character)}
		}
	}
	return nil
}

// CaseOf returns the first case, by name, of a rule or procedure that gives an answer, if possible
// with the release's rulings.
func CaseOf(files fs.FS, dir string, kind golden.Kind, id string) *golden.Case {
	cases, _ := golden.LoadAbout(files, dir, dir, id) // what cannot be read is no example
	var best *golden.Case
	for _, c := range cases {
		if c.Kind != kind || c.Refused != "" {
			continue
		}
		if best == nil || len(c.Options) < len(best.Options) {
			best = c
		}
	}
	return best
}

// inputSettings gives every member of an input with --set.
func inputSettings(input []byte) []string {
	list, err := jsontext.Members(input)
	if err != nil {
		return nil // no input is written where nothing is asked
	}
	var out []string
	for _, m := range list {
		value := jsontext.Compact(m.Value)
		var text string
		// A string is written without quotes where it cannot be taken for JSON: that is how people
		// type it.
		if json.Unmarshal(m.Value, &text) == nil && !json.Valid([]byte(text)) {
			value = text
		}
		out = append(out, "--set "+shell.Quote(m.Name+"="+value))
	}
	return out
}

// givenFaces gives faces with --dice.
func givenFaces(f dice.Faces) []string {
	if f.ByID == nil && len(f.List) == 0 {
		return nil
	}
	if f.ByID == nil {
		list := dice.Fallen(f.List...)
		return []string{"--dice " + list.Text()}
	}
	var out []string
	for _, r := range dice.NewRolls(f.ByID.ByID()) {
		one := dice.FallenByID(dice.Rolls{r})
		out = append(out, "--dice "+shell.Quote(one.Text()))
	}
	return out
}

// outlineCommand returns a command line with the names of the required values. Parts of records and lists are left out:
// --set or a file gives their record.
func outlineCommand(call string, n *describe.Needs) string {
	words := []string{call, n.ID, "--character FILE"}
	isAlone := len(n.Character) == 0
	if isAlone {
		words = words[:2]
	}
	for i := range n.Input {
		if f := &n.Input[i]; f.Required && !strings.ContainsAny(f.Name, ".[") {
			words = append(words, "--set "+f.Name+"=...")
		}
	}
	if isAlone && len(words) == 2 { // without a character, a seed is what asks for an answer
		words = append(words, "--seed 1")
	}
	return strings.Join(words, " ")
}
