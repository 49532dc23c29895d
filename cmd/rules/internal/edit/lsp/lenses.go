package lsp

import (
	"fmt"
	"path"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// showCases is the command of a lens: it plays the cases of a definition and tells how they go. Its arguments are the
// ruleset, the kind of the definition, and its name.
const showCases = "rules.showCases"

// findLenses returns for each definition of a file how many cases hold it, and how many fail; and how many changes of it no
// case noticed, when that was measured last.
//
// "no case" is a lens too: an author should see a definition that no case holds without asking.
func findLenses(s *snapshot, reports *survivorReports, p documentParams) []codeLens {
	if file, ok := s.fileOf(p.TextDocument.URI); ok && path.Ext(file) == caseExtension {
		return caseLenses(s, file)
	}
	out := []codeLens{}
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	cases := s.playedRulesets[x.Ruleset()]
	survivors := reports.survivorsOf(s, x.Ruleset())
	for _, d := range x.Definitions() {
		if d.Place.File != file {
			continue
		}
		add := func(title, name string) {
			c := command{Title: title, Command: name, Arguments: []any{x.Ruleset(), d.Kind.String(), d.Name}}
			out = append(out, codeLens{s.spanAt(d.Place, 0), c})
		}
		if list, ok := cases.lensOf(&d); ok {
			add(countCases(list)+countCovered(list), showCases)
		}
		if n := len(survivorsOfDefinition(survivors, &d)); n > 0 {
			add(countSurvivors(n), showSurvivors)
		}
	}
	return out
}

// lensOf returns the cases of a definition that has a lens for them: a function without a case has none, since the cases of
// the rules that call it hold it.
func (p *playedRuleset) lensOf(d *symbols.Symbol) (list []*golden.Result, ok bool) {
	if p == nil {
		return nil, false
	}
	list = p.casesOf(d)
	return list, d.Kind == symbols.Rule || d.Kind == symbols.Procedure || d.Kind == symbols.Table || len(list) > 0
}

// countCases returns in words how many cases passed.
func countCases(list []*golden.Result) string {
	failed := len(slices.DeleteFunc(slices.Clone(list), (*golden.Result).Passed))
	switch {
	case len(list) == 0:
		return "no case"
	case failed > 0:
		return fmt.Sprintf("%d of %s failed", failed, plural.Of(len(list), "case"))
	}
	return plural.Of(len(list), "case") + " passed"
}

// countCovered returns in words how many statements of the book the passing cases cover; empty when they name none.
func countCovered(list []*golden.Result) string {
	covered := map[string]bool{}
	for _, r := range list {
		for _, id := range r.Case.Covers {
			covered[id] = covered[id] || r.Passed()
		}
	}
	n := 0
	for _, held := range covered {
		if held {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", " + plural.Of(n, "statement")
}

// runCases plays the cases of a definition and tells how they go.
func runCases(s *snapshot, p executeCommandParams) (*showMessageParams, error) {
	if len(p.Arguments) != 3 {
		return nil, newRefusal("%s has a ruleset, a kind and a name", showCases)
	}
	cases := s.playedRulesets[p.Arguments[0]]
	if cases == nil {
		return nil, newRefusal("no cases of %s were played", p.Arguments[0])
	}
	var d symbols.Symbol
	for _, kind := range []symbols.Kind{symbols.Rule, symbols.Procedure, symbols.Table, symbols.Function} {
		if kind.String() == p.Arguments[1] {
			d = symbols.Symbol{Kind: kind, Name: p.Arguments[2]}
		}
	}
	list := cases.casesOf(&d)
	for i, r := range list {
		list[i] = golden.Run(cases.program, r.Case)
	}
	message := &showMessageParams{infoMessage, p.Arguments[1] + " " + p.Arguments[2] + ": " + countCases(list)}
	for _, r := range list {
		verdict := "passed"
		if !r.Passed() {
			verdict, message.Type = "failed: "+r.Problems[0].String(), errorMessage
		}
		message.Message += "\n" + r.Case.Name + " " + verdict
	}
	return message, nil
}
