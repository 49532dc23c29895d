package rewrite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Network is a plan's graph as odds look at it: the options are constants, and what nothing needs is known. Its slices go
// by node of the embedded graph unless they say otherwise. Once it is made, only who made it changes it.
//
// Nodes shadows the graph's own: the plan's are shared and never written. Users and Needed follow from Nodes and from what
// is asked for, so whoever rewrites nodes calls markNeeded again. Draws, Heads, Pools and LinksDraws are nil for a network
// that was not expanded; package eliminate reads them to give a draw its weights and to order sources. Draws and Heads are
// rolls for all else, which is what lets other packages analyse and execute the graph without knowing of pools.
type Network struct {
	*plan.Graph
	Plan       *plan.Plan
	shapes     [plan.NumRoots]*plan.Shape // of the records that are given
	lists      []*plan.Type               // of each node that is a list; nil before somebody asks
	Nodes      []plan.Node                // in place of the graph's: under the options, and simplified
	BlockOf    []int32                    // of each node, its block; -1 when it stands in none
	LoopOf     []plan.ID                  // of each block, its loop; None for the outermost
	Users      [][]plan.ID                // of each node, the needed nodes that read it as an operand
	Needed     []bool                     // by what is asked for, or because the node may end an evaluation
	KeepsOrder bool                       // keep every effect in its order
	Values     []*plan.Value              // that are asked for
	Draws      map[plan.ID]Draw           // of an expanded graph: the rolls that are counts of a class
	Heads      map[plan.ID]*Pool          // and the rolls that are heads of pools
	Pools      []*Pool                    // in the order in which they are rolled
	Sequences  [][]plan.ID                // of each list that is rolled die by die, the dice
	// LinksDraws holds the nodes of pools that only lead from one draw to the next.
	LinksDraws map[plan.ID]bool
	Counted    map[plan.ID]*CountedList // of asked values: the lists that are never made
	IsNarrow   bool                     // with wide limits, more lists would be counts
}

// AsNetwork returns a graph as a network, without rewriting it, under the number of the chosen option of each group. It
// marks the nodes that the roots and the effects need. A plain network keeps every effect in its order.
func AsNetwork(p *plan.Plan, g *plan.Graph, options []int, roots []*plan.Value, plain bool) *Network {
	out := &Network{Graph: g, Plan: p, Nodes: slices.Clone(g.Nodes), KeepsOrder: plain, Values: roots}
	out.BlockOf = slices.Repeat([]int32{-1}, len(g.Nodes))
	out.LoopOf = slices.Repeat([]plan.ID{plan.None}, len(g.Blocks))
	for b := range g.Blocks {
		for _, id := range g.Blocks[b].Nodes {
			out.enterNode(id, int32(b), options)
		}
	}
	if !plain {
		out.foldOptions()
	}
	out.markNeeded(roots)
	return out
}

func (g *Network) enterNode(id plan.ID, block int32, options []int) {
	n := &g.Nodes[id]
	n.Args = slices.Clone(n.Args)
	g.BlockOf[id] = block
	switch n.Op {
	case plan.OpLoop:
		g.LoopOf[n.Imm] = id
	case plan.OpOption:
		n.Op, n.Imm = plan.OpConst, g.Plan.Options[n.Imm].Symbols[options[n.Imm]]
	}
}

// Results returns the next carried values of a loop.
func (g *Network) Results(loop plan.ID) []plan.ID { return g.Blocks[g.Nodes[loop].Imm].Results }

// Constant returns the value of a constant node.
func (g *Network) Constant(id plan.ID) (bits int64, ok bool) {
	n := &g.Nodes[id]
	return n.Imm, n.Op == plan.OpConst
}

// markNeeded marks the nodes that the roots and the effects need. A roll that nothing reads and that cannot end
// anything is no effect here: summed over all its faces it is a factor of 1, a barren node of a Bayesian network
// (Shachter 1986).
//
// Draws of a pool are no such nodes, once one of them is read. Their weights are right only behind the last one, so
// that one is needed as well, and by its operands all before it.
func (g *Network) markNeeded(roots []*plan.Value) {
	g.Needed = make([]bool, len(g.Nodes))
	for _, v := range roots {
		g.markValue(v)
	}
	for id := range g.Nodes {
		if g.BlockOf[id] >= 0 && g.EndsEvaluation(plan.ID(id)) {
			g.markNode(plan.ID(id))
		}
	}
	for id, d := range g.Draws { // the weights of a pool are right only behind its last draw
		if last := d.Pool.last; g.Needed[id] && !g.Needed[last] {
			g.markNode(last)
		}
	}
	g.Users = make([][]plan.ID, len(g.Nodes))
	for id := range g.Nodes {
		if g.Needed[id] {
			for _, a := range g.Nodes[id].Args {
				g.Users[a] = append(g.Users[a], plan.ID(id))
			}
		}
	}
}

func (g *Network) markValue(v *plan.Value) {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if v.Type != nil && id != plan.None && (id != v.ID || v.Type.Kind != plan.Record) {
			g.markNode(id)
		}
	}
	if l := g.Counted[v.ID]; l != nil {
		for _, r := range l.Runs {
			g.markNode(r.Count)
		}
	}
	for i := range v.Fields {
		g.markValue(&v.Fields[i])
	}
}

// markNode marks a node as needed, with its operands and the loop around it. A loop needs all of its results, whether
// or not they are read.
func (g *Network) markNode(id plan.ID) {
	if g.Needed[id] {
		return
	}
	g.Needed[id] = true
	n := &g.Nodes[id]
	for _, a := range n.Args {
		g.markNode(a)
	}
	if around := g.LoopOf[g.BlockOf[id]]; around != plan.None {
		g.markNode(around)
	}
	if n.Op == plan.OpLoop {
		for _, r := range g.Results(id) {
			g.markNode(r)
		}
	}
}

// EndsEvaluation reports whether a node may by itself end the evaluation: a requirement unless it is known to hold or
// never asked, a roll unless its dice are known to be possible. It looks at constants alone. Intervals prove more when
// a graph is expanded, which then has no such node (alwaysHolds).
func (g *Network) EndsEvaluation(id plan.ID) bool {
	n := &g.Nodes[id]
	switch n.Op {
	case plan.OpRequire:
		guard, _ := g.Constant(n.Args[0])
		holds, known := g.Constant(n.Args[1])
		fault, sure := g.Constant(n.Args[2])
		never := n.Args[0] != plan.None && g.Nodes[n.Args[0]].Op == plan.OpConst && guard == 0
		return !never && !(known && holds == 1 && sure && fault == 0)
	case plan.OpRoll:
		_, counts := g.Draws[id]
		return !counts && !g.alwaysRolls(n)
	}
	return false
}

// IsRead reports whether anything reads the value of a node that is needed: another node, a loop that carries it on, or who
// asks for the values.
func (g *Network) IsRead(id plan.ID) bool {
	return len(g.Users[id]) > 0 ||
		slices.ContainsFunc(g.Blocks, func(b plan.Block) bool { return slices.Contains(b.Results, id) }) ||
		slices.ContainsFunc(g.Values, func(v *plan.Value) bool { return isPartOf(v, id) })
}

// alwaysRolls reports whether dice can be rolled whatever happens.
func (g *Network) alwaysRolls(n *plan.Node) bool {
	d := &g.Dice[n.Imm]
	faces, ok := g.Constant(n.Args[1])
	count, known := g.Constant(n.Args[2])
	fault, sure := g.Constant(n.Args[3])
	return ok && faces >= 1 && sure && fault == 0 &&
		(!d.List || known && count >= 0 && (d.Most == 0 || count <= d.Most) && (!d.Distinct || count <= faces))
}

// isRoot reports whether a node is read from outside the graph.
func (g *Network) isRoot(id plan.ID) bool {
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

// NameOf returns a source as an error names it.
func (g *Network) NameOf(id plan.ID) string {
	if id == plan.None {
		return "the rule"
	}
	n := &g.Nodes[id]
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
func (g *Network) hasEffects(loop plan.ID) bool {
	return slices.ContainsFunc(g.Blocks[g.Nodes[loop].Imm].Nodes, func(id plan.ID) bool {
		op := g.Nodes[id].Op
		return g.Needed[id] && (op == plan.OpRoll || op == plan.OpRequire || op == plan.OpLoop && g.hasEffects(id))
	})
}

// iterationNode returns the node of the iteration's number in a loop's body; None when the body does not read it.
func (g *Network) iterationNode(loop plan.ID) plan.ID {
	for _, id := range g.Blocks[g.Nodes[loop].Imm].Nodes {
		if n := &g.Nodes[id]; n.Op == plan.OpParam && n.Imm == 0 && g.Needed[id] {
			return id
		}
	}
	return plan.None
}

// firstDie returns the first die that is rolled in a loop, by which messages name it.
func (g *Network) firstDie(loop plan.ID) plan.Die {
	for _, id := range g.Blocks[g.Nodes[loop].Imm].Nodes {
		switch n := &g.Nodes[id]; {
		case n.Op == plan.OpRoll:
			return g.Dice[n.Imm]
		case n.Op == plan.OpLoop && g.hasEffects(id):
			return g.firstDie(id)
		}
	}
	return plan.Die{}
}

// IsDrawn reports whether some count of a pool is read, so that all are drawn.
func (g *Network) IsDrawn(p *Pool) bool { return p.last != plan.None && g.Needed[p.last] }

// Externals returns the nodes outside of some nodes, and of the loops that they are, that these read; constants are not
// among them.
func (g *Network) Externals(nodes []plan.ID) []plan.ID {
	within := map[plan.ID]bool{}
	var enter func(list []plan.ID)
	enter = func(list []plan.ID) {
		for _, id := range list {
			if !g.Needed[id] {
				continue
			}
			within[id] = true
			if n := &g.Nodes[id]; n.Op == plan.OpLoop {
				enter(g.Blocks[n.Imm].Nodes)
			}
		}
	}
	enter(nodes)
	found := map[plan.ID]bool{}
	note := func(id plan.ID) {
		if !within[id] && g.Nodes[id].Op != plan.OpConst {
			found[id] = true
		}
	}
	for id := range within {
		n := &g.Nodes[id]
		for _, a := range n.Args {
			note(a)
		}
		if n.Op == plan.OpLoop {
			for _, r := range g.Results(id) {
				note(r)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// IsDecision reports whether a node is a field that is decided: a leaf whose operands are the values known at the
// decision.
func (g *Network) IsDecision(id plan.ID) bool {
	n := &g.Nodes[id]
	return n.Op == plan.OpLeaf && len(n.Args) > 0
}

// DecisionOf returns the node of the field at a leaf that is decided; None when nothing needs it.
func (g *Network) DecisionOf(leaf plan.Leaf) plan.ID {
	for id := range g.Nodes {
		if n := &g.Nodes[id]; g.Needed[id] && g.IsDecision(plan.ID(id)) && g.Leaves[n.Imm] == leaf {
			return plan.ID(id)
		}
	}
	return plan.None
}

// IsSymmetric reports whether nothing sees in which order the elements of a list stand.
func (g *Network) IsSymmetric(list plan.ID) bool {
	return !g.IsResult(list) &&
		!slices.ContainsFunc(g.Users[list], func(u plan.ID) bool { return !g.Nodes[u].Op.Has(plan.Symmetric) })
}

// IsResult reports whether a node is part of a root, or a result of its block.
func (g *Network) IsResult(id plan.ID) bool {
	return slices.ContainsFunc(g.Values, func(v *plan.Value) bool { return isPartOf(v, id) }) ||
		slices.Contains(g.Blocks[g.BlockOf[id]].Results, id)
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

// Advice returns a form in which dice take less work, when their list is met element by element.
func (g *Network) Advice(id plan.ID) string {
	if id == plan.None || g.Nodes[id].Op != plan.OpRoll || g.Draws != nil || !g.Dice[g.Nodes[id].Imm].List ||
		g.IsSymmetric(id) {
		return ""
	}
	return "where the order of the dice does not matter, read them sorted, or by how many show a face: sort(), count(), " +
		"sum()"
}

// ListType returns the type of a node that is a list or a map; nil for every other.
func (g *Network) ListType(id plan.ID) *plan.Type {
	if kind := g.Nodes[id].Kind; kind != plan.List && kind != plan.Map {
		return nil
	}
	if g.lists == nil {
		rewritten := *g.Graph
		rewritten.Nodes = g.Nodes
		g.lists = plan.ListTypes(g.Plan, &rewritten, g.shapes)
	}
	return g.lists[id]
}

// IsAround reports whether a block is another one, or has it within a loop.
func (g *Network) IsAround(outer, block int32) bool {
	for outer != block {
		loop := g.LoopOf[block]
		if loop == plan.None {
			return false
		}
		block = g.BlockOf[loop]
	}
	return true
}
