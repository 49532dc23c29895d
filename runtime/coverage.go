package runtime

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Coverage yields the branches of all formulas, by place, and how often all evaluations of the program so far went that
// way. A branch that stands in several graphs, because a rule is used by others, is counted once. Only plans that are
// lowered for coverage have any.
func (p *Program) Coverage() iter.Seq2[plan.Branch, int64] {
	var branches []plan.Branch
	times := map[plan.Branch]int64{}
	for _, g := range graphsOf(p.plan) {
		counts := p.image.Counters(g)
		for i, b := range g.Branches {
			key := branchKey(b)
			if _, ok := times[key]; !ok {
				branches = append(branches, b)
			}
			times[key] += counts[i].Load()
		}
	}
	slices.SortStableFunc(branches, func(a, b plan.Branch) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Place.Col, b.Place.Col))
	})
	return func(yield func(plan.Branch, int64) bool) {
		for _, b := range branches {
			if !yield(b, times[branchKey(b)]) {
				return
			}
		}
	}
}

// branchKey returns the identity of a branch: its place and its condition, whatever graph it stands in.
func branchKey(b plan.Branch) plan.Branch { return plan.Branch{Place: b.Place, What: b.What} }

// graphsOf are all graphs of a plan, in its order.
func graphsOf(p *plan.Plan) []*plan.Graph {
	var out []*plan.Graph
	for i := range p.Rules {
		out = append(out, &p.Rules[i].Graph)
	}
	for i := range p.Procedures {
		d := &p.Procedures[i]
		out = append(out, &d.Start)
		for k := range d.Events {
			out = append(out, &d.Events[k].Graph)
		}
		out = append(out, &d.Close)
	}
	for i := range p.Functions {
		out = append(out, &p.Functions[i].Graph)
	}
	return out
}
