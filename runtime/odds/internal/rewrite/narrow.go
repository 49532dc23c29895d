package rewrite

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Narrowing replaces a list that is built element by element by less, when all its readers ask for less: its length, or its
// sum. A list of up to ten elements from 1 to 6 has more than 6^10 states, its length 11 and its sum 61. Both are done in
// place, on the network's own copies of the nodes.
//
// Case 48 of melee_attack in zones, which asks for a length, takes 38 units of work, and more than a million without. The
// problem ten_again_50 of the benchmark, which asks for a sum, takes 18,427, and more than a million without.

// countOnly replaces lists of which only the size is read by spans that have nothing but a size.
//
// The value of a list is a span: its offset in the upper half of 64 bits and its length in the lower. So the empty list
// is the constant 0, and a push is the addition of its condition, 0 or 1, to the span. The nodes keep the kind of a
// list, and those that read the size need no change.
//
// The qualifying lists are a greatest fixed point: all are assumed to qualify, and those that are read otherwise are
// removed until none is left to remove. It must begin with all of them, because a carried value depends on itself. It
// ends, as every turn removes at least one.
func (g *Network) countOnly() {
	sized := make([]bool, len(g.Nodes))
	for id := range g.Nodes {
		switch n := &g.Nodes[id]; n.Op {
		case plan.OpNewSpan, plan.OpPush:
			sized[id] = g.Needed[id]
		case plan.OpParam, plan.OpResult, plan.OpSelect:
			sized[id] = g.Needed[id] && n.Kind == plan.List
		}
	}
	for g.dropReadLists(sized) {
	}
	for id := range g.Nodes {
		if n := &g.Nodes[id]; sized[id] {
			switch n.Op {
			case plan.OpNewSpan:
				n.Op, n.Imm, n.Args, n.Site = plan.OpConst, 0, nil, -1
			case plan.OpPush:
				n.Op, n.Imm, n.Args, n.Kind, n.Site = plan.OpAddInt, 0, n.Args[:2], plan.List, -1
			}
		}
	}
}

// dropReadLists removes the lists that are read otherwise than for their size, or made otherwise than by pushing. It
// reports whether there were some.
func (g *Network) dropReadLists(sized []bool) (more bool) {
	out := func(id plan.ID) {
		if sized[id] {
			sized[id], more = false, true
		}
	}
	for id := range g.Nodes {
		if !g.Needed[id] {
			continue
		}
		n := &g.Nodes[id]
		for k, a := range n.Args {
			if !g.readsSize(plan.ID(id), k, sized) {
				out(a)
			}
		}
		for _, from := range g.madeOf(plan.ID(id)) {
			if sized[id] && !sized[from] {
				out(plan.ID(id))
			}
		}
		if n.Op == plan.OpLoop {
			g.unsizeLoop(plan.ID(id), sized, out)
		}
	}
	for id := range g.Nodes {
		if sized[id] && g.isRoot(plan.ID(id)) {
			out(plan.ID(id))
		}
	}
	return more
}

// unsizeLoop removes a carried list of a loop altogether when any of its nodes was removed: its first value, its
// parameter, its result.
func (g *Network) unsizeLoop(loop plan.ID, sized []bool, out func(plan.ID)) {
	n := &g.Nodes[loop]
	for k, r := range g.Results(loop) {
		same := []plan.ID{n.Args[k+1], r}
		for id := range g.Nodes {
			x := &g.Nodes[id]
			carried := x.Op == plan.OpParam && g.BlockOf[id] == int32(n.Imm) && x.Imm == int64(k)+1
			if carried || x.Op == plan.OpResult && x.Args[0] == loop && x.Imm == int64(k) {
				if g.Needed[id] {
					same = append(same, plan.ID(id))
				}
			}
		}
		if slices.ContainsFunc(same, func(id plan.ID) bool { return !sized[id] }) {
			for _, id := range same {
				out(id)
			}
		}
	}
}

// readsSize reports whether a node reads of its k-th operand nothing but the size, or hands it on.
func (g *Network) readsSize(id plan.ID, k int, sized []bool) bool {
	switch g.Nodes[id].Op {
	case plan.OpSize:
		return true
	case plan.OpPush:
		return k == 0 && sized[id]
	case plan.OpSelect:
		return k > 0 && sized[id]
	case plan.OpLoop:
		return k > 0 // unsizeLoop judges
	}
	return false
}

// madeOf returns the spans of which a span is made.
func (g *Network) madeOf(id plan.ID) []plan.ID {
	switch n := &g.Nodes[id]; n.Op {
	case plan.OpPush:
		return n.Args[:1]
	case plan.OpSelect:
		return n.Args[1:]
	}
	return nil
}

// sumOnly replaces lists that a loop over dice makes, at most one element for each face, and of which only the sum is read,
// by that sum, where no sum can overflow. The fault of the sum can then be dropped; else it would have to be asked of the
// elements, and there are none.
func (g *Network) sumOnly(shapes [plan.NumRoots]*plan.Shape) {
	var bounds []interval.Interval
	for id := range g.Nodes {
		if n := &g.Nodes[id]; g.Needed[id] && n.Op == plan.OpLoop && g.overDice(n) {
			if bounds == nil {
				bounds = interval.Analyse(g.Plan, g.Graph, shapes)
			}
			for k := range g.Results(plan.ID(id)) {
				g.sumCarried(plan.ID(id), k, bounds)
			}
		}
	}
}

// overDice reports whether a loop walks a list of faces.
func (g *Network) overDice(loop *plan.Node) bool {
	count := &g.Nodes[loop.Args[0]]
	return count.Op == plan.OpSize && g.Nodes[count.Args[0]].Op == plan.OpRoll
}

// sumCarried replaces the list that a loop carries as its k-th. It changes five kinds of node: the empty list becomes 0,
// the parameter and the result numbers, the push an addition (of 0 where its condition does not hold), and the sum that
// read the list a copy of the result, written as max(x, x) since a plan has no operation that only copies. Every condition
// before the first change asks that nothing else reads one of them.
func (g *Network) sumCarried(loop plan.ID, k int, bounds []interval.Interval) {
	init, push := g.Nodes[loop].Args[k+1], g.Results(loop)[k]
	p := &g.Nodes[push]
	if g.Nodes[init].Op != plan.OpNewSpan || len(g.Users[init]) != 1 {
		return
	}
	if p.Op != plan.OpPush || len(p.Args) != 3 || g.Nodes[p.Args[2]].Kind != plan.Int {
		return
	}
	if param := &g.Nodes[p.Args[0]]; param.Op != plan.OpParam || param.Imm != int64(k)+1 {
		return
	}
	if len(g.Users[p.Args[0]]) != 1 || len(g.Users[push]) != 0 {
		return
	}
	sums, only := g.sumsOf(loop, k)
	if !only || !fitsSum(bounds[p.Args[2]], bounds[g.Nodes[loop].Args[0]].Max) {
		return
	}
	added := p.Args[2]
	if always, known := g.Constant(p.Args[1]); !known || always != 1 {
		zero := g.insertNode(plan.Node{Op: plan.OpConst, Kind: plan.Int, Site: -1}, push)
		added = g.insertNode(plan.Node{
			Op: plan.OpSelect, Kind: plan.Int, Args: []plan.ID{g.Nodes[push].Args[1], added, zero}, Site: -1,
		}, push)
	}
	x := &g.Nodes[init]
	x.Op, x.Kind, x.Imm, x.Args, x.Site = plan.OpConst, plan.Int, 0, nil, -1
	p = &g.Nodes[push]
	g.Nodes[p.Args[0]].Kind = plan.Int
	p.Op, p.Kind, p.Imm, p.Args, p.Site = plan.OpAddInt, plan.Int, 0, []plan.ID{p.Args[0], added}, -1
	for _, id := range sums {
		switch s := &g.Nodes[id]; s.Op {
		case plan.OpResult:
			s.Kind = plan.Int
		case plan.OpSumIntFault:
			s.Op, s.Imm, s.Args, s.Site = plan.OpConst, 0, nil, -1
		default: // the sum of the list is what is carried
			s.Op, s.Args, s.Site = plan.OpMaxInt, []plan.ID{s.Args[0], s.Args[0]}, -1
		}
	}
	graph := *g.Graph // whose intervals are asked for again
	graph.Nodes = slices.Clone(graph.Nodes)
	for _, id := range append(sums, init, push, p.Args[0]) {
		graph.Nodes[id] = g.Nodes[id]
	}
	g.Graph, g.lists = &graph, nil
}

// insertNode adds a needed node before another one of its block, to a copy of the graph: plans share it.
func (g *Network) insertNode(n plan.Node, before plan.ID) plan.ID {
	id, block := plan.ID(len(g.Nodes)), g.BlockOf[before]
	graph := *g.Graph
	graph.Nodes, graph.Blocks = append(slices.Clip(graph.Nodes), n), slices.Clone(graph.Blocks)
	nodes := graph.Blocks[block].Nodes
	graph.Blocks[block].Nodes = slices.Insert(slices.Clone(nodes), slices.Index(nodes, before), id)
	g.Graph = &graph
	g.Nodes, g.BlockOf = append(g.Nodes, n), append(g.BlockOf, block)
	g.Users, g.Needed = append(g.Users, nil), append(g.Needed, true)
	return id
}

// fitsSum reports whether no sum of so many elements overflows.
func fitsSum(elem interval.Interval, count int64) bool {
	return count <= 0 || elem.Max <= math.MaxInt64/count && elem.Min >= math.MinInt64/count
}

// sumsOf returns the results that are a loop's k-th carried value and the sums that read them; only tells that nothing
// else does.
func (g *Network) sumsOf(loop plan.ID, k int) (out []plan.ID, only bool) {
	for id := range g.Nodes {
		n := &g.Nodes[id]
		if !g.Needed[id] || n.Op != plan.OpResult || n.Args[0] != loop || n.Imm != int64(k) {
			continue
		}
		out = append(out, plan.ID(id))
		for _, u := range g.Users[id] {
			if op := g.Nodes[u].Op; op != plan.OpSumInt && op != plan.OpSumIntFault {
				return nil, false
			}
			out = append(out, u)
		}
		if g.isRoot(plan.ID(id)) {
			return nil, false
		}
	}
	return out, true
}
