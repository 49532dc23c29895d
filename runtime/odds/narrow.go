package odds

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// countOnly replaces lists of which only the size is read by spans that have nothing but a size.
func (g *graph) countOnly() {
	sized := make([]bool, len(g.nodes))
	for id := range g.nodes {
		switch n := &g.nodes[id]; n.Op {
		case plan.OpNewSpan, plan.OpPush:
			sized[id] = g.needed[id]
		case plan.OpParam, plan.OpResult, plan.OpSelect:
			sized[id] = g.needed[id] && n.Kind == plan.List
		}
	}
	for g.unsize(sized) {
	}
	for id := range g.nodes {
		if n := &g.nodes[id]; sized[id] {
			switch n.Op {
			case plan.OpNewSpan:
				n.Op, n.Imm, n.Args, n.Site = plan.OpConst, 0, nil, -1
			case plan.OpPush:
				n.Op, n.Imm, n.Args, n.Kind, n.Site = plan.OpAddInt, 0, n.Args[:2], plan.List, -1
			}
		}
	}
}

// unsize takes out what is read otherwise than for its size, or made otherwise than by pushing; it reports whether
// there was some.
func (g *graph) unsize(sized []bool) (more bool) {
	out := func(id plan.ID) {
		if sized[id] {
			sized[id], more = false, true
		}
	}
	for id := range g.nodes {
		if !g.needed[id] {
			continue
		}
		n := &g.nodes[id]
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
	for id := range g.nodes {
		if sized[id] && g.isRoot(plan.ID(id)) {
			out(plan.ID(id))
		}
	}
	return more
}

// unsizeLoop keeps what a loop carries of one kind: its first value, its parameter, its result.
func (g *graph) unsizeLoop(loop plan.ID, sized []bool, out func(plan.ID)) {
	n := &g.nodes[loop]
	for k, r := range g.results(loop) {
		same := []plan.ID{n.Args[k+1], r}
		for id := range g.nodes {
			x := &g.nodes[id]
			carried := x.Op == plan.OpParam && g.home[id] == int32(n.Imm) && x.Imm == int64(k)+1
			if carried || x.Op == plan.OpResult && x.Args[0] == loop && x.Imm == int64(k) {
				if g.needed[id] {
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
func (g *graph) readsSize(id plan.ID, k int, sized []bool) bool {
	switch g.nodes[id].Op {
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

// madeOf are the spans that a span is made of.
func (g *graph) madeOf(id plan.ID) []plan.ID {
	switch n := &g.nodes[id]; n.Op {
	case plan.OpPush:
		return n.Args[:1]
	case plan.OpSelect:
		return n.Args[1:]
	}
	return nil
}

// sumOnly replaces lists that a loop over dice makes, one element for each face, and of which only the sum is read, by
// that sum, where no sum can overflow.
func (g *graph) sumOnly(shapes [plan.NumRoots]*plan.Shape) {
	var bounds []interval.Interval
	for id := range g.nodes {
		if n := &g.nodes[id]; g.needed[id] && n.Op == plan.OpLoop && g.overDice(n) {
			if bounds == nil {
				bounds = interval.Analyse(g.plan, g.Graph, shapes)
			}
			for k := range g.results(plan.ID(id)) {
				g.sumCarried(plan.ID(id), k, bounds)
			}
		}
	}
}

// overDice reports whether a loop walks a list of faces.
func (g *graph) overDice(loop *plan.Node) bool {
	count := &g.nodes[loop.Args[0]]
	return count.Op == plan.OpSize && g.nodes[count.Args[0]].Op == plan.OpRoll
}

// sumCarried replaces the list that a loop carries as its k-th.
func (g *graph) sumCarried(loop plan.ID, k int, bounds []interval.Interval) {
	init, push := g.nodes[loop].Args[k+1], g.results(loop)[k]
	p := &g.nodes[push]
	if g.nodes[init].Op != plan.OpNewSpan || len(g.users[init]) != 1 {
		return
	}
	if p.Op != plan.OpPush || len(p.Args) != 3 || g.nodes[p.Args[2]].Kind != plan.Int {
		return
	}
	param := &g.nodes[p.Args[0]]
	always, known := g.constant(p.Args[1])
	if param.Op != plan.OpParam || param.Imm != int64(k)+1 || !known || always != 1 {
		return
	}
	if len(g.users[p.Args[0]]) != 1 || len(g.users[push]) != 0 {
		return
	}
	sums, only := g.sumsOf(loop, k)
	if !only || !fitsSum(bounds[p.Args[2]], bounds[g.nodes[loop].Args[0]].Max) {
		return
	}
	x := &g.nodes[init]
	x.Op, x.Kind, x.Imm, x.Args, x.Site = plan.OpConst, plan.Int, 0, nil, -1
	param.Kind = plan.Int
	p.Op, p.Kind, p.Imm, p.Args, p.Site = plan.OpAddInt, plan.Int, 0, []plan.ID{p.Args[0], p.Args[2]}, -1
	for _, id := range sums {
		switch s := &g.nodes[id]; s.Op {
		case plan.OpResult:
			s.Kind = plan.Int
		case plan.OpSumIntFault:
			s.Op, s.Imm, s.Args, s.Site = plan.OpConst, 0, nil, -1
		default: // the sum of the list is what is carried
			s.Op, s.Args, s.Site = plan.OpMaxInt, []plan.ID{s.Args[0], s.Args[0]}, -1
		}
	}
}

// fitsSum reports whether no sum of so many elements overflows.
func fitsSum(elem interval.Interval, count int64) bool {
	return count <= 0 || elem.Max <= math.MaxInt64/count && elem.Min >= math.MinInt64/count
}

// sumsOf are the results that are a loop's k-th carried value and the sums that read them; only tells that nothing
// else does.
func (g *graph) sumsOf(loop plan.ID, k int) (out []plan.ID, only bool) {
	for id := range g.nodes {
		n := &g.nodes[id]
		if !g.needed[id] || n.Op != plan.OpResult || n.Args[0] != loop || n.Imm != int64(k) {
			continue
		}
		out = append(out, plan.ID(id))
		for _, u := range g.users[id] {
			if op := g.nodes[u].Op; op != plan.OpSumInt && op != plan.OpSumIntFault {
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
