package eliminate

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Estimate says beforehand what an answer takes at most: an upper bound, because it is not known yet which states merge.
type Estimate struct {
	Steps []EstimatedStep
	Most  float64 // states that meet classes
}

// An EstimatedStep is what one source of chance takes.
type EstimatedStep struct {
	Source  string  // the dice, with their place
	Depth   int     // how many regions and loops it stands in
	Times   float64 // how often it is done
	Classes float64 // what the source can show, as far as anything can tell it apart
	States  float64 // that are left afterwards
	Met     float64 // states that meet classes, all times together
}

// An estimator walks programs without carrying them out.
//
// It multiplies where the engine would merge, and then takes the smaller of that and the product of the widths of the
// columns that are kept. For a + b of two d6: 6 states meet 6 classes, 36; the sum lies between 2 and 12, so 11 are
// left. An unbounded column has the width infinity, and then the product of the classes alone bounds the states.
type estimator struct {
	*rewrite.Network
	bounds   []interval.Interval // of every node
	estimate *Estimate
}

// Estimate returns a bound of the work that the answer for a character takes. Its errors are those of Odds that come
// before any die.
func (r *Rule) Estimate(records odds.Records) (*Estimate, error) {
	w := r.normal
	e := floatEngine(w, r.image)
	e.budget = &budget{all: odds.DefaultBudget}
	if err := e.computePrefix(r, w, records, nil); err != nil {
		if _, ends := endingOf(err); ends {
			return &Estimate{}, nil
		}
		return nil, err
	}
	x := &estimator{Network: w.Network, bounds: interval.Analyse(r.image.Plan(), w.Graph, r.shapes), estimate: &Estimate{}}
	for _, id := range w.program.prefix.outs {
		x.setKnown(id, e.env[id])
	}
	for id := range w.Nodes {
		if n := &w.Nodes[id]; n.Op == plan.OpConst {
			x.setKnown(plan.ID(id), n.Imm)
		}
	}
	x.estimateProgram(w.program, 1, 0, 1)
	return x.estimate, nil
}

// setKnown narrows the interval of a node to a value.
func (x *estimator) setKnown(id plan.ID, bits int64) {
	switch x.Nodes[id].Kind {
	case plan.Int, plan.Bool, plan.String:
		x.bounds[id] = interval.Interval{Min: bits, Max: bits}
	case plan.List, plan.Map:
		size := int64(uint32(bits))
		x.bounds[id].Min, x.bounds[id].Max = size, size
	}
}

// countValues returns the number of values that a node can have, as far as its interval tells.
func (x *estimator) countValues(id plan.ID) float64 {
	b := &x.bounds[id]
	switch x.Nodes[id].Kind {
	case plan.Int, plan.Bool:
		return float64(b.Max) - float64(b.Min) + 1
	case plan.Fault:
		if b.Max == 0 {
			return 1
		}
	case plan.String:
		if b.Words != nil {
			return float64(len(b.Words))
		}
		return float64(b.Max) - float64(b.Min) + 1
	}
	return math.Inf(1)
}

func (x *estimator) countCombinations(ids []plan.ID) float64 {
	out := 1.0
	for _, id := range ids {
		out *= x.countValues(id)
	}
	return out
}

// estimateProgram returns the number of states that a program leaves of so many; it is carried out times times.
func (x *estimator) estimateProgram(p *program, states float64, depth int, times float64) float64 {
	for i := range p.steps {
		s := &p.steps[i]
		classes := 1.0
		at := len(x.estimate.Steps)
		if s.source != nil {
			x.estimate.Steps = append(x.estimate.Steps, EstimatedStep{})
			classes = x.estimateSource(s.source, states, depth, times)
		}
		met := states * classes * times
		x.estimate.Most += met
		states = min(states*classes, x.countCombinations(s.keep))
		if s.source != nil {
			x.estimate.Steps[at] = EstimatedStep{x.NameOf(s.source.id), depth, times, classes, states, met}
		}
	}
	return states
}

// estimateSource returns the largest number of classes of a source. Those of a region or a loop are found by walking it.
func (x *estimator) estimateSource(s *source, states float64, depth int, times float64) float64 {
	n := &x.Nodes[s.id]
	switch s.kind {
	case regionSource:
		return min(x.estimateProgram(s.body, 1, depth+1, times*min(states, x.countCombinations(s.ins))),
			x.countCombinations(s.gives))
	case loopSource:
		return min(x.estimateLoop(s, depth, times*min(states, x.countCombinations(s.ins))), x.countCombinations(s.gives))
	}
	switch s.kind {
	case headSource, unreadSource:
		return 1
	case choiceSource:
		return min(x.countValues(s.id), maxOptions)
	}
	if s.kind == drawSource {
		return x.countValues(s.id)
	}
	d := &x.Dice[n.Imm]
	count := 1.0
	if d.List {
		if count = max(0, float64(x.bounds[n.Args[2]].Max)); d.Most > 0 {
			count = min(count, float64(d.Most))
		}
	}
	totals := totalsOf(d, x.bounds[n.Args[1]].Max)
	if s.ranks {
		totals = min(totals, count)
	}
	all := rewrite.CountLists(totals, count, s.sorted || s.kind == streamSource, d.Distinct)
	if s.tail {
		all /= x.ordersOfTail(s)
	}
	made := totals
	switch s.kind {
	case listSource:
		made += all
	case streamSource:
		all = min(all, x.countCombinations(s.fold.gives))
		made += max(totals*count*all, totals*totals*count*count*count/64)
	}
	x.estimate.Most += made * times * min(states, x.countCombinations(s.ins))
	return all
}

// ordersOfTail returns the least number of orders of the tail of a hand, which are listed as one. That is known only of a
// hand of a known size: there are fewer lists of a smaller tail, but not always of a smaller hand.
func (x *estimator) ordersOfTail(s *source) float64 {
	count, from := x.bounds[x.Nodes[s.id].Args[2]], x.bounds[s.ins[len(s.ins)-1]]
	if count.Min != count.Max || from.Min < 1 {
		return 1
	}
	orders, _ := math.Lgamma(float64(max(0, count.Max-from.Max)) + 1)
	return math.Exp(orders)
}

// maxWalked bounds the iterations of a loop that are walked one by one.
const maxWalked = 64

// estimateLoop walks the iterations of a loop that is met so many times, of which the last stands for all that are not
// walked.
func (x *estimator) estimateLoop(s *source, depth int, times float64) float64 {
	count := x.bounds[x.Nodes[s.id].Args[0]].Max
	states := 1.0
	for i := range min(count, maxWalked) {
		steps := len(x.estimate.Steps)
		if i == maxWalked-1 {
			times *= float64(count - i)
		}
		states = x.estimateProgram(s.body, states, depth+1, times)
		if i < min(count, maxWalked)-1 {
			x.estimate.Steps = x.estimate.Steps[:steps]
		}
	}
	return states
}
