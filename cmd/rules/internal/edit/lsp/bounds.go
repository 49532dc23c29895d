package lsp

import (
	"fmt"
	"math"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// describePlayed returns the facts about a name that only the compiled ruleset knows: the type of a value and its bounds
// for every input and all dice, and the value of an option in the release. It is empty where nothing is known.
//
// The declaration is found in the plan by place and name, not by owner: a let that several rules share through a definition
// of CUE is lowered once for each of them. The first that has it speaks for all, although the inputs of the others may
// leave them other bounds.
func describePlayed(t *target, sym *symbols.Symbol) string {
	if sym.Kind == symbols.Option {
		for _, r := range t.rulingsOf(t.index.Ruleset()) {
			if r.Option == sym.Name {
				return "This release plays it as `" + r.Value.S + "`."
			}
		}
		return ""
	}
	last := t.playedRulesets[t.index.Ruleset()]
	if last == nil || sym.Kind != symbols.Local {
		return ""
	}
	p := last.program.Plan()
	for i := range p.Rules {
		r := &p.Rules[i]
		if text := describeBounds(p, &r.Graph, sym, r.Input, nil); text != "" {
			return text
		}
	}
	for i := range p.Procedures {
		x := &p.Procedures[i]
		graphs, events := []*plan.Graph{&x.Start, &x.Close}, []*plan.Shape{nil, nil}
		for k := range x.Events {
			graphs, events = append(graphs, &x.Events[k].Graph), append(events, x.Events[k].Input)
		}
		for k, g := range graphs {
			if text := describeBounds(p, g, sym, x.Input, events[k]); text != "" {
				return text
			}
		}
	}
	return ""
}

// describeBounds returns the type of a value and its bounds in a graph that has just the value that is declared there.
func describeBounds(p *plan.Plan, g *plan.Graph, sym *symbols.Symbol, input, event *plan.Shape) string {
	for i := range g.Names {
		n := &g.Names[i]
		if n.Place != sym.Place || n.Name != sym.Name || n.Value.Type == nil {
			continue
		}
		text := "`" + n.Value.Type.String() + "`"
		if n.Value.ID < 0 {
			return text
		}
		roots := [plan.NumRoots]*plan.Shape{plan.CharacterRoot: p.Character, plan.InputRoot: input, plan.EventRoot: event}
		if bounds := describeInterval(p, n.Value.Type.Kind, interval.Analyse(p, g, roots)[n.Value.ID]); bounds != "" {
			text += ", " + bounds
		}
		return text
	}
	return ""
}

// describeInterval returns the bounds of a value in words; empty where it may be anything.
func describeInterval(p *plan.Plan, kind plan.Kind, b interval.Interval) string {
	switch kind {
	case plan.Bool:
		if b.Min == b.Max {
			return fmt.Sprintf("always %t", b.Min != 0)
		}
	case plan.Int:
		return describeRange(float64(b.Min), float64(b.Max), b.Min == math.MinInt64, b.Max == math.MaxInt64)
	case plan.Double:
		return describeRange(b.Low, b.High, math.IsInf(b.Low, -1), math.IsInf(b.High, 1))
	case plan.List, plan.Map:
		if bounds := describeRange(float64(b.Min), float64(b.Max), b.Min == 0, b.Max == math.MaxInt64); bounds != "" {
			return bounds + " elements"
		}
	case plan.String:
		const most = 12
		if len(b.Words) == 0 || len(b.Words) > most {
			return ""
		}
		var words []string
		for _, w := range b.Words {
			words = append(words, "'"+p.Symbols[w]+"'")
		}
		return "one of " + strings.Join(words, ", ")
	}
	return ""
}

// describeRange returns two bounds in words, of which either may be missing.
func describeRange(low, high float64, noLow, noHigh bool) string {
	switch {
	case noLow && noHigh:
		return ""
	case noLow:
		return fmt.Sprintf("at most %v", high)
	case noHigh:
		return fmt.Sprintf("at least %v", low)
	case low == high:
		return fmt.Sprintf("always %v", low)
	}
	return fmt.Sprintf("%v to %v", low, high)
}
