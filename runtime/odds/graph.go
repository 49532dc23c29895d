package odds

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A graph is a plan's graph as odds look at it: the options are constants, and what nothing needs is known.
type graph struct {
	*plan.Graph
	plan   *plan.Plan
	shapes [plan.NumRoots]*plan.Shape // of the records that are given
	lists  []*plan.Type               // of each node that is a list; nil before somebody asks
	nodes  []plan.Node                // rewritten
	home   []int32                    // of each node, its block; -1 when it stands in none
	owner  []plan.ID                  // of each block, its loop; None for the outermost
	users  [][]plan.ID                // of each node, the needed nodes that read it as an operand
	needed []bool
	plain  bool              // keep every effect in its order
	values []*plan.Value     // that are asked for
	draws  map[plan.ID]draw  // of an expanded graph: the rolls that are counts of a class
	heads  map[plan.ID]*pool // and the rolls that are heads of pools
	pools  []*pool
	// isChain holds the nodes of pools that only lead from one draw to the next.
	isChain map[plan.ID]bool
}

// newGraph looks at a graph under the options that are played, as far as the roots and the effects need it. A plain
// graph keeps its lists and the order of its effects; any other one is expanded when that pays.
func newGraph(
	p *plan.Plan, g *plan.Graph, options []int, shapes [plan.NumRoots]*plan.Shape, roots []*plan.Value,
	plain bool, listed float64,
) *graph {
	out := enterGraph(p, g, options, roots, plain)
	out.countOnly()
	out.need(roots)
	if !plain && out.mayExpand() {
		if x := expand(out, interval.Analyse(p, g, shapes), listed); x != nil {
			out = enterGraph(p, x.out, options, x.roots, plain)
			out.adoptPools(x)
			out.need(x.roots)
			out.countOnly()
			out.need(x.roots)
		}
	}
	out.sumOnly(shapes)
	out.need(out.values)
	out.shapes = shapes
	return out
}

func enterGraph(p *plan.Plan, g *plan.Graph, options []int, roots []*plan.Value, plain bool) *graph {
	out := &graph{Graph: g, plan: p, nodes: slices.Clone(g.Nodes), plain: plain, values: roots}
	out.home = slices.Repeat([]int32{-1}, len(g.Nodes))
	out.owner = slices.Repeat([]plan.ID{plan.None}, len(g.Blocks))
	for b := range g.Blocks {
		for _, id := range g.Blocks[b].Nodes {
			out.enter(id, int32(b), options)
		}
	}
	out.need(roots)
	return out
}

// mayExpand reports whether a rule has dice whose lists an expansion could replace.
func (g *graph) mayExpand() bool {
	for id := range g.nodes {
		if n := &g.nodes[id]; g.needed[id] && (n.Op == plan.OpRoll && g.Dice[n.Imm].List || n.Op == plan.OpSort) {
			return true
		}
	}
	return false
}

// adoptPools tells a graph which of its rolls an expansion has made draws and heads.
func (g *graph) adoptPools(x *expander) {
	g.draws, g.heads = map[plan.ID]draw{}, map[plan.ID]*pool{}
	first := len(x.out.Dice) - len(x.draws)
	for id := range g.nodes {
		if n := &g.nodes[id]; n.Op == plan.OpRoll && int(n.Imm) >= first {
			g.draws[plan.ID(id)] = x.draws[int(n.Imm)-first]
		}
	}
	g.pools, g.isChain = x.pools, map[plan.ID]bool{}
	for _, p := range x.pools {
		g.heads[p.head] = p
		for id := p.head; id < p.end; id++ {
			g.isChain[id] = g.nodes[id].Op != plan.OpConst && !slices.Contains(p.counts, id)
		}
	}
}

func (g *graph) enter(id plan.ID, block int32, options []int) {
	n := &g.nodes[id]
	n.Args = slices.Clone(n.Args)
	g.home[id] = block
	switch n.Op {
	case plan.OpLoop:
		g.owner[n.Imm] = id
	case plan.OpOption:
		n.Op, n.Imm = plan.OpConst, g.plan.Options[n.Imm].Symbols[options[n.Imm]]
	}
}

// results are the next carried values of a loop.
func (g *graph) results(loop plan.ID) []plan.ID { return g.Blocks[g.nodes[loop].Imm].Results }

// constant is the value of a constant node.
func (g *graph) constant(id plan.ID) (bits int64, ok bool) {
	n := &g.nodes[id]
	return n.Imm, n.Op == plan.OpConst
}

// need finds what the roots and the effects need. A roll that nothing reads and that cannot end anything is no effect here.
func (g *graph) need(roots []*plan.Value) {
	g.needed = make([]bool, len(g.nodes))
	for _, v := range roots {
		g.needValue(v)
	}
	for id := range g.nodes {
		if g.home[id] >= 0 && g.ends(plan.ID(id)) {
			g.mark(plan.ID(id))
		}
	}
	for id, d := range g.draws { // the weights of a pool are right only behind its last draw
		if last := d.pool.last; g.needed[id] && !g.needed[last] {
			g.mark(last)
		}
	}
	g.users = make([][]plan.ID, len(g.nodes))
	for id := range g.nodes {
		if g.needed[id] {
			for _, a := range g.nodes[id].Args {
				g.users[a] = append(g.users[a], plan.ID(id))
			}
		}
	}
}

func (g *graph) needValue(v *plan.Value) {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if v.Type != nil && id != plan.None && (id != v.ID || v.Type.Kind != plan.Record) {
			g.mark(id)
		}
	}
	for i := range v.Fields {
		g.needValue(&v.Fields[i])
	}
}

// mark needs a node, what it reads, and the loop around it; a loop needs its whole body.
func (g *graph) mark(id plan.ID) {
	if g.needed[id] {
		return
	}
	g.needed[id] = true
	n := &g.nodes[id]
	for _, a := range n.Args {
		g.mark(a)
	}
	if around := g.owner[g.home[id]]; around != plan.None {
		g.mark(around)
	}
	if n.Op == plan.OpLoop {
		for _, r := range g.results(id) {
			g.mark(r)
		}
	}
}

// ends reports whether a node may end the evaluation.
func (g *graph) ends(id plan.ID) bool {
	n := &g.nodes[id]
	switch n.Op {
	case plan.OpRequire:
		guard, _ := g.constant(n.Args[0])
		holds, known := g.constant(n.Args[1])
		fault, sure := g.constant(n.Args[2])
		never := n.Args[0] != plan.None && g.nodes[n.Args[0]].Op == plan.OpConst && guard == 0
		return !never && !(known && holds == 1 && sure && fault == 0)
	case plan.OpRoll:
		_, counts := g.draws[id]
		return !counts && !g.alwaysRolls(n)
	}
	return false
}

// alwaysRolls reports whether dice can be rolled whatever happens.
func (g *graph) alwaysRolls(n *plan.Node) bool {
	d := &g.Dice[n.Imm]
	faces, ok := g.constant(n.Args[1])
	count, known := g.constant(n.Args[2])
	fault, sure := g.constant(n.Args[3])
	return ok && faces >= 1 && sure && fault == 0 &&
		(!d.List || known && count >= 0 && (d.Most == 0 || count <= d.Most) && (!d.Distinct || count <= faces))
}

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
		if sized[id] && g.root(plan.ID(id)) {
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
		if g.root(plan.ID(id)) {
			return nil, false
		}
	}
	return out, true
}

// root reports whether a node is read from outside the graph.
func (g *graph) root(id plan.ID) bool {
	found := false
	var in func(v *plan.Value)
	in = func(v *plan.Value) {
		found = found || v.Type != nil && v.Type.Kind != plan.Record && v.ID == id
		for i := range v.Fields {
			in(&v.Fields[i])
		}
	}
	in(&g.Outputs)
	for i := range g.Next {
		in(&g.Next[i])
	}
	return found
}

// A set of sources of chance.
type set [4]uint64

// maxSources is how many a set can hold, besides the mark of what is carried.
const maxSources = 4*64 - 1

// carried marks what depends on the values that a loop carries.
var carriedSet = single(maxSources)

func single(i int) (s set) {
	s[i/64] = 1 << (i % 64)
	return s
}

func (s set) or(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) without(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s set) in(t set) bool    { return s.without(t) == set{} }
func (s set) apart(t set) bool { return s.without(t) == s }
func (s set) empty() bool      { return s == set{} }

func (s set) size() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
