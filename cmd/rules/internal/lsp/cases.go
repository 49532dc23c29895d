package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A played ruleset is its plan, and how its golden cases went with it.
type played struct {
	program *runtime.Program
	results []*golden.Result
	unread  []*golden.Error // cases that are none
	version int             // of the texts that were played
}

// caseExtension is that of the files of cases.
const caseExtension = ".txtar"

// play plays the cases of the rulesets of a version; not ok when it has become stale meanwhile. What neither the rulesets
// nor the cases of which have changed is not played again. While there are no plans, because something is wrong, all stays
// as it was played last: what stands beside the lines must not come and go with every key.
func (s *server) play(v *view, plans []*plan.Plan) (map[string]*played, bool) {
	if len(plans) == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.played, true
	}
	out := map[string]*played{}
	for _, p := range plans {
		before := s.lastPlayed(p.Ruleset)
		if before != nil && before.program.Plan() == p && !s.haveCasesChanged(before.version) {
			out[p.Ruleset] = before
			continue
		}
		now := &played{program: runtime.New(p), version: v.version}
		cases, err := golden.Load(v, s.casesDir(p.Ruleset), s.casesDir(p.Ruleset))
		now.unread = unreadCases(err)
		for _, c := range cases {
			if s.isStale(v.version) {
				return nil, false
			}
			now.results = append(now.results, golden.Run(now.program, c))
		}
		out[p.Ruleset] = now
	}
	return out, true
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

// lastPlayed is how the cases of a ruleset went when they were played last; nil before that.
func (s *server) lastPlayed(ruleset string) *played {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.played[ruleset]
}

// haveCasesChanged reports whether a file of cases may have changed since a version: cases read those of others.
func (s *server) haveCasesChanged(version int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, at := range s.changed {
		if at > version && strings.HasPrefix(name, "golden/") {
			return true
		}
	}
	return s.onDisk > version
}

// caseDiagnostics are what is not as the cases expect, by file.
func caseDiagnostics(v *view, all map[string]*played) map[string][]diagnostic {
	out := map[string][]diagnostic{}
	add := func(file string, line int, message string) {
		text := v.text(file).line(line)
		whole := v.span(plan.Place{File: file, Line: line, Col: 1}, len([]rune(text)))
		out[file] = append(out[file], diagnostic{Range: whole, Severity: 1, Source: "rules test", Message: message})
	}
	for _, p := range all {
		for _, e := range p.unread {
			add(e.File, e.Line, e.Msg)
		}
		for _, r := range p.results {
			for _, problem := range r.Problems {
				add(r.Case.File, problem.Line, problem.Msg)
			}
		}
	}
	return out
}

// casesOf are how the cases of a definition went.
func (p *played) casesOf(d *symbols.Symbol) []*golden.Result {
	kinds := map[symbols.Kind][]golden.Kind{
		symbols.Rule: {golden.RuleCase, golden.OddsCase}, symbols.Procedure: {golden.ProcedureCase},
		symbols.Table: {golden.TableCase},
	}[d.Kind]
	var out []*golden.Result
	for _, r := range p.results {
		if slices.Contains(kinds, r.Case.Kind) && r.Case.Subject == d.Name {
			out = append(out, r)
		}
	}
	return out
}

// showCases is the command of a lens: it tells the cases of a definition and how they went. Its arguments are the ruleset,
// the kind of the definition, and its name.
const showCases = "rules.showCases"

// codeLenses say of each definition of a file how many cases hold it, and how many fail; and how many changes of it no case
// noticed, when that was measured last.
func (s *server) codeLenses(p documentParams) (any, error) {
	out := []codeLens{}
	v, file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	cases := s.lastPlayed(x.Ruleset())
	survivors := s.survivorsOf(v, x.Ruleset())
	for _, d := range x.Definitions() {
		if d.Place.File != file {
			continue
		}
		add := func(title, name string) {
			c := command{Title: title, Command: name, Arguments: []any{x.Ruleset(), d.Kind.String(), d.Name}}
			out = append(out, codeLens{v.span(d.Place, 0), c})
		}
		if hasCases := d.Kind == symbols.Rule || d.Kind == symbols.Procedure || d.Kind == symbols.Table; hasCases &&
			cases != nil {
			list := cases.casesOf(&d)
			add(countCases(list)+countCovered(list), showCases)
		}
		if n := len(ofDefinition(survivors, &d)); n > 0 {
			add(countSurvivors(n), showSurvivors)
		}
	}
	return out, nil
}

// countCases says how cases went.
func countCases(list []*golden.Result) string {
	failed := len(slices.DeleteFunc(slices.Clone(list), (*golden.Result).Passed))
	switch {
	case len(list) == 0:
		return "no case"
	case failed > 0:
		return fmt.Sprintf("%d of %d cases failed", failed, len(list))
	case len(list) == 1:
		return "1 case passed"
	}
	return fmt.Sprintf("%d cases passed", len(list))
}

// countCovered says how many statements of the book cases hold, of those that pass; empty when they name none.
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
	switch n {
	case 0:
		return ""
	case 1:
		return ", 1 statement"
	}
	return fmt.Sprintf(", %d statements", n)
}

// showCasesOf tells the user the cases of a definition and how they went.
func (s *server) showCasesOf(ctx context.Context, conn *jsonrpc2.Conn, p executeCommandParams) (any, error) {
	if len(p.Arguments) != 3 {
		return refuse("%s has a ruleset, a kind and a name", showCases)
	}
	cases := s.lastPlayed(p.Arguments[0])
	if cases == nil {
		return refuse("no cases of %s were played", p.Arguments[0])
	}
	var d symbols.Symbol
	for _, kind := range []symbols.Kind{symbols.Rule, symbols.Procedure, symbols.Table} {
		if kind.String() == p.Arguments[1] {
			d = symbols.Symbol{Kind: kind, Name: p.Arguments[2]}
		}
	}
	list := cases.casesOf(&d)
	message := showMessageParams{3, p.Arguments[1] + " " + p.Arguments[2] + ": " + countCases(list)}
	for _, r := range list {
		verdict := "passed"
		if !r.Passed() {
			verdict, message.Type = "failed: "+r.Problems[0].String(), 1
		}
		message.Message += "\n" + r.Case.Name + " " + verdict
	}
	return nil, conn.Notify(ctx, "window/showMessage", message)
}
