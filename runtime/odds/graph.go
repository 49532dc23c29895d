package odds

import (
	"fmt"
	"maps"
	"slices"

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
	counted map[plan.ID]*countedList // of values: the lists that are never made
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
	out.markNeeded(roots)
	return out
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

// markNeeded finds what the roots and the effects need. A roll that nothing reads and that cannot end anything is no
// effect here.
func (g *graph) markNeeded(roots []*plan.Value) {
	g.needed = make([]bool, len(g.nodes))
	for _, v := range roots {
		g.markValue(v)
	}
	for id := range g.nodes {
		if g.home[id] >= 0 && g.endsEvaluation(plan.ID(id)) {
			g.markNode(plan.ID(id))
		}
	}
	for id, d := range g.draws { // the weights of a pool are right only behind its last draw
		if last := d.pool.last; g.needed[id] && !g.needed[last] {
			g.markNode(last)
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

func (g *graph) markValue(v *plan.Value) {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if v.Type != nil && id != plan.None && (id != v.ID || v.Type.Kind != plan.Record) {
			g.markNode(id)
		}
	}
	if l := g.counted[v.ID]; l != nil {
		for _, r := range l.runs {
			g.markNode(r.count)
		}
	}
	for i := range v.Fields {
		g.markValue(&v.Fields[i])
	}
}

// markNode needs a node, what it reads, and the loop around it; a loop needs its whole body.
func (g *graph) markNode(id plan.ID) {
	if g.needed[id] {
		return
	}
	g.needed[id] = true
	n := &g.nodes[id]
	for _, a := range n.Args {
		g.markNode(a)
	}
	if around := g.owner[g.home[id]]; around != plan.None {
		g.markNode(around)
	}
	if n.Op == plan.OpLoop {
		for _, r := range g.results(id) {
			g.markNode(r)
		}
	}
}

// endsEvaluation reports whether a node may by itself end the evaluation.
func (g *graph) endsEvaluation(id plan.ID) bool {
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

// isRoot reports whether a node is read from outside the graph.
func (g *graph) isRoot(id plan.ID) bool {
	if isPartOf(&g.Outputs, id) {
		return true
	}
	for i := range g.Next {
		if isPartOf(&g.Next[i], id) {
			return true
		}
	}
	return false
}

// nameOf returns a source as an error names it.
func (g *graph) nameOf(id plan.ID) string {
	if id == plan.None {
		return "the rule"
	}
	n := &g.nodes[id]
	if n.Op == plan.OpRoll {
		d := &g.Dice[n.Imm]
		return fmt.Sprintf("die %s (%s:%d:%d)", d.ID, d.Place.File, d.Place.Line, d.Place.Col)
	}
	for i := range g.Dice {
		if d := &g.Dice[i]; slices.Contains(d.Loops, id) {
			return fmt.Sprintf("die %s (%s:%d:%d)", d.ID, d.Place.File, d.Place.Line, d.Place.Col)
		}
	}
	return "the rule"
}

// hasEffects reports whether a loop rolls dice or may end the evaluation.
func (g *graph) hasEffects(loop plan.ID) bool {
	return slices.ContainsFunc(g.Blocks[g.nodes[loop].Imm].Nodes, func(id plan.ID) bool {
		op := g.nodes[id].Op
		return g.needed[id] && (op == plan.OpRoll || op == plan.OpRequire || op == plan.OpLoop && g.hasEffects(id))
	})
}

// iteration is the node in a loop's body that is the number of the iteration; None when the body does not read it.
func (g *graph) iteration(loop plan.ID) plan.ID {
	for _, id := range g.Blocks[g.nodes[loop].Imm].Nodes {
		if n := &g.nodes[id]; n.Op == plan.OpParam && n.Imm == 0 && g.needed[id] {
			return id
		}
	}
	return plan.None
}

// firstDie is the first die that is rolled in a loop, by which messages name it.
func (g *graph) firstDie(loop plan.ID) plan.Die {
	for _, id := range g.Blocks[g.nodes[loop].Imm].Nodes {
		switch n := &g.nodes[id]; {
		case n.Op == plan.OpRoll:
			return g.Dice[n.Imm]
		case n.Op == plan.OpLoop && g.hasEffects(id):
			return g.firstDie(id)
		}
	}
	return plan.Die{}
}

// isDrawn reports whether some count of a pool is read, so that all are drawn.
func (g *graph) isDrawn(p *pool) bool { return p.last != plan.None && g.needed[p.last] }

// externals are the nodes outside of some nodes, and of the loops that they are, that these read; constants are not
// among them.
func (g *graph) externals(nodes []plan.ID) []plan.ID {
	within := map[plan.ID]bool{}
	var enter func(list []plan.ID)
	enter = func(list []plan.ID) {
		for _, id := range list {
			if !g.needed[id] {
				continue
			}
			within[id] = true
			if n := &g.nodes[id]; n.Op == plan.OpLoop {
				enter(g.Blocks[n.Imm].Nodes)
			}
		}
	}
	enter(nodes)
	found := map[plan.ID]bool{}
	note := func(id plan.ID) {
		if !within[id] && g.nodes[id].Op != plan.OpConst {
			found[id] = true
		}
	}
	for id := range within {
		n := &g.nodes[id]
		for _, a := range n.Args {
			note(a)
		}
		if n.Op == plan.OpLoop {
			for _, r := range g.results(id) {
				note(r)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// isDecision reports whether a node is a field that is decided: a leaf that reads what is known then.
func (g *graph) isDecision(id plan.ID) bool {
	n := &g.nodes[id]
	return n.Op == plan.OpLeaf && len(n.Args) > 0
}

// decisionOf is the node of the field at a leaf that is decided; None when nothing needs it.
func (g *graph) decisionOf(leaf plan.Leaf) plan.ID {
	for id := range g.nodes {
		if n := &g.nodes[id]; g.needed[id] && g.isDecision(plan.ID(id)) && g.Leaves[n.Imm] == leaf {
			return plan.ID(id)
		}
	}
	return plan.None
}

// isSymmetric reports whether nothing sees in which order the elements of a list stand.
func (g *graph) isSymmetric(list plan.ID) bool {
	for _, u := range g.users[list] {
		switch g.nodes[u].Op {
		case plan.OpSize, plan.OpSumInt, plan.OpSumIntFault, plan.OpLeast, plan.OpGreatest, plan.OpEmptyFault:
		case plan.OpSort, plan.OpHas:
		default:
			return false
		}
	}
	return !g.isResult(list)
}

// isResult reports whether a node is a value that is asked for, or what its block hands on.
func (g *graph) isResult(id plan.ID) bool {
	return slices.ContainsFunc(g.values, func(v *plan.Value) bool { return isPartOf(v, id) }) ||
		slices.Contains(g.Blocks[g.home[id]].Results, id)
}

// isPartOf reports whether a node is a value, or stands in a record that it is.
func isPartOf(v *plan.Value, id plan.ID) bool {
	if v.Type != nil && v.Type.Kind != plan.Record && v.ID == id {
		return true
	}
	for i := range v.Fields {
		if isPartOf(&v.Fields[i], id) {
			return true
		}
	}
	return false
}

// advice is a form in which dice take less work, when the list that they are is met element by element.
func (g *graph) advice(id plan.ID) string {
	if id == plan.None || g.nodes[id].Op != plan.OpRoll || g.draws != nil || !g.Dice[g.nodes[id].Imm].List ||
		g.isSymmetric(id) {
		return ""
	}
	return "where the order of the dice does not matter, read them sorted, or by how many show a face: sort(), count(), " +
		"sum()"
}

// listType is the type of a node that is a list or a map; nil for every other.
func (g *graph) listType(id plan.ID) *plan.Type {
	if kind := g.nodes[id].Kind; kind != plan.List && kind != plan.Map {
		return nil
	}
	if g.lists == nil {
		rewritten := *g.Graph
		rewritten.Nodes = g.nodes
		g.lists = plan.ListTypes(g.plan, &rewritten, g.shapes)
	}
	return g.lists[id]
}

// isAround reports whether a block is another one, or has it within a loop.
func (g *graph) isAround(outer, block int32) bool {
	for outer != block {
		loop := g.owner[block]
		if loop == plan.None {
			return false
		}
		block = g.home[loop]
	}
	return true
}
