package lsp

import (
	"context"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A playedRuleset is the plan of a ruleset with the results of its golden cases.
//
// Results are kept for all cases, those that pass too: lenses count them, and a rename must know
// which passed.
type playedRuleset struct {
	program *runtime.Program
	results []*golden.Result
	unread  []*golden.Error // cases that are none
	version int             // of the texts that were played
}

// caseExtension is that of the files of cases.
const caseExtension = ".txtar"

// playCases plays the cases of the rulesets of a view; the error is that of a context which has ended. Cases are not played
// again if neither they nor their ruleset have changed. While there are no plans, because of an error, all results stay:
// marks beside the lines must not come and go with every key.
//
// The test for "nothing changed" is the identity of the plan: the compiler gives the same pointer for a ruleset that it did
// not compile again. Comparing digests would hash a megabyte for each key.
func playCases(
	ctx context.Context, v *view, plans []*plan.Plan, last map[string]*playedRuleset, changed func(since int) bool,
) (map[string]*playedRuleset, error) {
	if len(plans) == 0 {
		return last, nil
	}
	out := map[string]*playedRuleset{}
	for _, p := range plans {
		before := last[p.Ruleset]
		if before != nil && before.program.Plan() == p && !changed(before.version) {
			out[p.Ruleset] = before
			continue
		}
		now := &playedRuleset{program: runtime.New(p), version: v.version}
		cases, err := golden.Load(v, v.casesDir(p.Ruleset), v.casesDir(p.Ruleset))
		now.unread = unreadCases(err)
		for _, c := range cases {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			now.results = append(now.results, golden.Run(now.program, c))
		}
		out[p.Ruleset] = now
	}
	return out, nil
}

// unreadCases takes the errors apart that golden.Load has joined.
func unreadCases(err error) []*golden.Error {
	var list interface{ Unwrap() []error }
	if !errors.As(err, &list) {
		return nil
	}
	var out []*golden.Error
	for _, e := range list.Unwrap() {
		if bad, ok := errors.AsType[*golden.Error](e); ok {
			out = append(out, bad)
		}
	}
	return out
}

// caseDiagnostics returns the differences from the expectations of the cases, by file.
func caseDiagnostics(v *view, all map[string]*playedRuleset) map[string][]diagnostic {
	out := map[string][]diagnostic{}
	add := func(file string, p golden.Problem) {
		at, length := plan.Place{File: file, Line: p.Line, Col: p.Col}, p.Length
		if length == 0 { // the whole line
			at.Col, length = 1, len([]rune(v.text(file).line(p.Line)))
		}
		out[file] = append(out[file],
			diagnostic{Range: v.spanAt(at, length), Severity: 1, Source: "rules test", Message: p.Msg})
	}
	for _, p := range all {
		for _, e := range p.unread {
			add(e.File, golden.Problem{Line: e.Line, Msg: e.Msg})
		}
		for _, r := range p.results {
			for _, problem := range r.Problems {
				add(r.Case.File, problem)
			}
		}
	}
	return out
}

// casesOf returns how the cases of a definition went.
func (p *playedRuleset) casesOf(d *symbols.Symbol) []*golden.Result {
	kinds := map[symbols.Kind][]golden.Kind{
		symbols.Rule: {golden.RuleCase, golden.OddsCase}, symbols.Procedure: {golden.ProcedureCase},
		symbols.Table: {golden.TableCase}, symbols.Function: {golden.FunctionCase},
	}[d.Kind]
	var out []*golden.Result
	for _, r := range p.results {
		if slices.Contains(kinds, r.Case.Kind) && r.Case.Subject == d.Name {
			out = append(out, r)
		}
	}
	return out
}
