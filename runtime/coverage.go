package runtime

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Taken is a branch of formulas, and how often evaluations went that way.
type Taken struct {
	plan.Branch
	Times int64
}

// Coverage counts the branches that all evaluations of the program so far have taken, by place. A branch that stands in
// several graphs, because a rule is used by others, is counted once. Only plans that are lowered for coverage have any.
func (p *Program) Coverage() []Taken {
	var out []Taken
	at := map[plan.Branch]int{}
	for _, g := range graphsOf(p.plan) {
		counts := p.image.Counters(g)
		for i, b := range g.Branches {
			key := plan.Branch{Place: b.Place, What: b.What}
			k, ok := at[key]
			if !ok {
				k = len(out)
				at[key] = k
				out = append(out, Taken{Branch: b})
			}
			out[k].Times += counts[i].Load()
		}
	}
	slices.SortStableFunc(out, func(a, b Taken) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Place.Col, b.Place.Col))
	})
	return out
}

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
	return out
}
