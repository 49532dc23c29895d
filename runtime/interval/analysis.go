package interval

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An analysis follows intervals through a graph, in the order of execution. A loop's body is followed again and again until what it
// carries grows no more, or as often as it can be repeated; when that takes too long, the ends that still move are given up.
type analysis struct {
	plan    *plan.Plan
	graph   *plan.Graph
	roots   [plan.NumRoots][]Interval
	known   [plan.NumRoots]bool
	symbols map[string]int64
	at      []Interval // of each node
	params  []Interval // of the block that is followed
	left    int        // nodes that may still be followed before everything is given up that moves
}

// Limits of following loops.
const (
	maxRounds   = 24     // of one loop
	maxFollowed = 50_000 // nodes in all
)

// Analyse bounds every node of a graph whose roots are of these shapes; of a root without a shape nothing is known but
// its kinds.
func Analyse(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape) []Interval {
	a := &analysis{plan: p, graph: g, at: make([]Interval, len(g.Nodes)), left: maxFollowed}
	for root, s := range shapes {
		if s != nil {
			a.roots[root], a.known[root] = a.layout(s), true
		}
	}
	for id := range g.Nodes {
		a.at[id] = anything(g.Nodes[id].Kind)
	}
	a.block(0)
	return a.at
}

// symbol is the number of a string.
func (a *analysis) symbol(s string) (id int64, ok bool) {
	if a.symbols == nil {
		a.symbols = make(map[string]int64, len(a.plan.Symbols))
		for i, text := range a.plan.Symbols {
			a.symbols[text] = int64(i)
		}
	}
	id, ok = a.symbols[s]
	return id, ok
}

func (a *analysis) block(index int64) {
	for _, id := range a.graph.Blocks[index].Nodes {
		a.left--
		n := &a.graph.Nodes[id]
		if n.Op == plan.OpLoop {
			a.loop(n)
		} else {
			a.at[id] = a.node(n)
		}
	}
}

// arg is the interval of an operand.
func (a *analysis) arg(n *plan.Node, k int) Interval { return a.at[n.Args[k]] }

// bits is the interval of an operand's slot, read as an int.
func (a *analysis) bits(n *plan.Node, k int) Interval {
	if a.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return anything(plan.Int)
	}
	return a.arg(n, k)
}

// node is the interval of what a node computes.
func (a *analysis) node(n *plan.Node) Interval {
	switch n.Op {
	case plan.OpConst:
		return a.constant(n)
	case plan.OpLeaf:
		return a.leaf(n)
	case plan.OpOption:
		return words(a.plan.Options[n.Imm].Symbols)
	case plan.OpParam:
		return a.params[n.Imm]
	case plan.OpResult:
		return a.result(n)
	case plan.OpRoll:
		return a.roll(n)
	}
	for _, group := range [...]func(*plan.Node) (Interval, bool){a.integers, a.divisions, a.doubles, a.conversions, a.truths, a.faults, a.spans, a.rows} {
		if out, ok := group(n); ok {
			return out
		}
	}
	return anything(n.Kind)
}

// result is what a loop carries in the end: what it began with, or what its body gave.
func (a *analysis) result(n *plan.Node) Interval {
	loop := &a.graph.Nodes[n.Args[0]]
	began, times := a.at[loop.Args[n.Imm+1]], a.arg(loop, 0)
	given := a.at[a.graph.Blocks[loop.Imm].Results[n.Imm]]
	switch {
	case times.Max <= 0:
		return began
	case times.Min > 0:
		return given
	}
	return began.join(given)
}

func (a *analysis) constant(n *plan.Node) Interval {
	if n.Kind == plan.List || n.Kind == plan.Map {
		size := int64(uint32(n.Imm))
		return ints(size, size)
	}
	return exactly(n.Kind, n.Imm)
}

func (a *analysis) leaf(n *plan.Node) Interval {
	l := a.graph.Leaves[n.Imm]
	if !a.known[l.Root] {
		return anything(n.Kind)
	}
	return a.roots[l.Root][l.Offset]
}

// loop follows a body until what it carries holds everything that any iteration can.
func (a *analysis) loop(n *plan.Node) {
	times := a.arg(n, 0).Max
	carried := []Interval{ints(0, max(0, times-1))}
	for _, init := range n.Args[1:] {
		carried = append(carried, a.at[init])
	}
	for round := int64(1); times > 0; round++ {
		grown := a.round(n, carried)
		gaveUp := round > maxRounds || a.left < 0
		if gaveUp && round < times {
			a.giveUp(n, carried, grown) // a span that is pushed to cannot become longer than the longest
		}
		if same(carried, grown) || round >= times {
			if gaveUp {
				a.narrow(n, carried, times)
			}
			return
		}
		carried = grown
	}
}

// narrow bounds what a body only adds to: what it adds is known for anything that is carried, and so is how often. Before
// the last iteration it has been added once less.
func (a *analysis) narrow(n *plan.Node, carried []Interval, times int64) {
	for k := range a.graph.Blocks[n.Imm].Results {
		added, ok := a.added(n, k)
		if !ok {
			continue
		}
		grown, ok := corners(ints(0, times-1), added, mulInt)
		if !ok {
			continue
		}
		if out, ok := corners(a.at[n.Args[k+1]], grown, addInt); ok {
			carried[k+1] = out
		}
	}
	a.round(n, carried)
}

// added is what each iteration adds to the k-th value that a loop carries; not ok when it does something else with it.
func (a *analysis) added(loop *plan.Node, k int) (Interval, bool) {
	b := &a.graph.Blocks[loop.Imm]
	sum := &a.graph.Nodes[b.Results[k]]
	if sum.Op != plan.OpAddInt {
		return Interval{}, false
	}
	for i, id := range sum.Args {
		if p := &a.graph.Nodes[id]; p.Op == plan.OpParam && p.Imm == int64(k)+1 && slices.Contains(b.Nodes, id) {
			return a.at[sum.Args[1-i]], true
		}
	}
	return Interval{}, false
}

// round follows the body once, and gives what it carries then or before.
func (a *analysis) round(n *plan.Node, carried []Interval) []Interval {
	outer := a.params
	a.params = carried
	a.block(n.Imm)
	a.params = outer
	grown := []Interval{carried[0]}
	for k, id := range a.graph.Blocks[n.Imm].Results {
		grown = append(grown, carried[k+1].join(a.at[id]))
	}
	return grown
}

// giveUp leaves nothing of what still moves.
func (a *analysis) giveUp(n *plan.Node, carried, grown []Interval) {
	for k := range grown {
		kind := plan.Int
		if k > 0 {
			kind = a.graph.Nodes[n.Args[k]].Kind
		}
		grown[k] = carried[k].widen(grown[k], kind)
	}
}

func same(a, b []Interval) bool {
	for i := range a {
		if !a[i].equal(b[i]) {
			return false
		}
	}
	return true
}

// roll is what a die shows, or its dice; nothing when its guard does not hold.
func (a *analysis) roll(n *plan.Node) Interval {
	die := &a.graph.Dice[n.Imm]
	guard, faces, count := a.arg(n, 0), ints(DieTotals(die, max(1, a.arg(n, 1).Max))), a.arg(n, 2)
	if !die.List {
		if guard.Min == 0 {
			faces = faces.or0(plan.Int)
		}
		return faces
	}
	out := ints(max(0, count.Min), max(0, count.Max))
	if die.Most > 0 {
		out.Max = min(out.Max, die.Most)
	}
	if guard.Min == 0 {
		out.Min = 0
	}
	out.Max, out.Elem = min(out.Max, math.MaxUint32), []Interval{faces}
	return out
}
