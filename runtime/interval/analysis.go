package interval

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Limits of following loops.
const (
	// A loop of at most maxRounds iterations is followed to its end, so that its bounds are as good
	// as if it were unrolled. Loops within loops multiply their rounds; maxFollowed bounds what
	// that costs.
	maxRounds   = 24     // of one loop
	maxFollowed = 50_000 // nodes in all
)

// An analyser follows intervals through a graph, in the order of execution. Within a loop a node is followed several times,
// and its last bounds are those that hold in every iteration.
type analyser struct {
	*valuation
	left int // nodes that may still be followed before everything is given up that moves
}

// Analyse bounds every node of a graph whose roots are of these shapes; of a root without a shape nothing is known but
// its kinds.
func Analyse(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape) []Interval {
	return AnalyseWithin(p, g, shapes, anyOfKind(plan.Int))
}

// AnalyseWithin bounds every node of a graph that is carried out with fewer ints than 64 bits have: a field holds none
// beyond them, and an operation that leaves them gives 0 beside its fault. Constants are what they are.
func AnalyseWithin(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape, ints Interval) []Interval {
	a := &analyser{&valuation{plan: p, graph: g, ints: ints, at: make([]Interval, len(g.Nodes))}, maxFollowed}
	schema := &schemaBounds{plan: p}
	for root, s := range shapes {
		if s != nil {
			a.roots[root], a.known[root] = schema.layout(s), true
		}
	}
	for id := range g.Nodes {
		a.at[id] = anyOfKind(g.Nodes[id].Kind)
	}
	a.followBlock(0)
	return a.at
}

func (a *analyser) followBlock(index int64) {
	for _, id := range a.graph.Blocks[index].Nodes {
		a.left--
		n := &a.graph.Nodes[id]
		if n.Op == plan.OpLoop {
			a.followLoop(n)
		} else {
			if a.at[id] = transferOf(n.Op)(a.valuation, n); n.Kind == plan.Int && n.Op != plan.OpConst {
				a.at[id] = a.limit(a.at[id])
			}
		}
	}
}

// boundResult returns the interval of a carried value in the end: of its first value, or of the body's. Of a value to which
// the body only adds more is known: it was added as often as the loop was repeated. The value before the loop counts only
// if there may be no iteration.
func boundResult(v *valuation, n *plan.Node) Interval {
	loop := &v.graph.Nodes[n.Args[0]]
	began, times := v.at[loop.Args[n.Imm+1]], v.arg(loop, 0)
	given := v.at[v.graph.Blocks[loop.Imm].Results[n.Imm]]
	switch {
	case times.Max <= 0:
		return began
	case times.Min <= 0:
		given = began.join(given)
	}
	added, ok := v.findAdded(loop, int(n.Imm))
	if !ok {
		return given
	}
	if added, ok = corners(plan.OpMulInt, intInterval(max(0, times.Min), times.Max), added); !ok {
		return given
	}
	if sum, ok := corners(plan.OpAddInt, began, added); ok && v.hasInts(sum) {
		given.Min, given.Max = max(given.Min, sum.Min), min(given.Max, sum.Max)
	}
	return given
}

// followLoop follows a body until the carried intervals hold every value of any iteration.
//
// carried[0] is the number of the iteration, carried[k+1] the k-th value; each holds its values at the beginning of any
// iteration so far. It ends when a round adds nothing, which is a fixed point, or when there were as many rounds as
// iterations. A widened interval cannot grow again, so that after maxRounds few more follow. A loop that is never repeated
// is not followed: its nodes keep the bounds of their kinds.
func (a *analyser) followLoop(n *plan.Node) {
	times := a.arg(n, 0).Max
	carried := []Interval{intInterval(0, max(0, times-1))}
	for _, init := range n.Args[1:] {
		carried = append(carried, a.at[init])
	}
	for round := int64(1); times > 0; round++ {
		grown := a.followOnce(n, carried)
		gaveUp := round > maxRounds || a.left < 0
		if gaveUp && round < times {
			a.giveUp(n, carried, grown) // a span that is pushed to cannot become longer than the longest
		}
		if equalAll(carried, grown) || round >= times {
			if gaveUp {
				a.narrowSums(n, carried, times)
			}
			return
		}
		carried = grown
	}
}

// narrowSums bounds the values to which a body only adds: the summand is known for any carried value, and so is how often
// it is added. Before the last iteration it has been added once less.
func (a *analyser) narrowSums(n *plan.Node, carried []Interval, times int64) {
	for k := range a.graph.Blocks[n.Imm].Results {
		added, ok := a.findAdded(n, k)
		if !ok {
			continue
		}
		grown, ok := corners(plan.OpMulInt, intInterval(0, times-1), added)
		if !ok {
			continue
		}
		if out, ok := corners(plan.OpAddInt, a.at[n.Args[k+1]], grown); ok && a.hasInts(out) {
			carried[k+1] = out
		}
	}
	a.followOnce(n, carried)
}

// findAdded returns the summand that each iteration adds to the k-th carried value; not ok if it does something else with
// it.
func (v *valuation) findAdded(loop *plan.Node, k int) (Interval, bool) {
	b := &v.graph.Blocks[loop.Imm]
	sum := &v.graph.Nodes[b.Results[k]]
	if sum.Op != plan.OpAddInt {
		return Interval{}, false
	}
	for i, id := range sum.Args {
		if p := &v.graph.Nodes[id]; p.Op == plan.OpParam && p.Imm == int64(k)+1 && slices.Contains(b.Nodes, id) {
			return v.at[sum.Args[1-i]], true
		}
	}
	return Interval{}, false
}

// followOnce follows the body once, and returns the intervals of the carried values then or before.
func (a *analyser) followOnce(n *plan.Node, carried []Interval) []Interval {
	outer := a.params
	a.params = carried
	a.followBlock(n.Imm)
	a.params = outer
	grown := []Interval{carried[0]}
	for k, id := range a.graph.Blocks[n.Imm].Results {
		grown = append(grown, carried[k+1].join(a.at[id]))
	}
	return grown
}

// giveUp unbounds the ends of intervals that still move.
func (a *analyser) giveUp(n *plan.Node, carried, grown []Interval) {
	for k := range grown {
		kind := plan.Int
		if k > 0 {
			kind = a.graph.Nodes[n.Args[k]].Kind
		}
		grown[k] = carried[k].widen(grown[k], kind)
	}
}

func equalAll(a, b []Interval) bool {
	for i := range a {
		if !a[i].equal(b[i]) {
			return false
		}
	}
	return true
}
