package schedule

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Limits of tabulation.
const (
	maxDomain = 512    // values of the slot
	maxCells  = 16_384 // of all tables of a graph, so that they stay in the cache
	minCost   = 2      // instructions below which a table gains nothing
)

// manifold is the source of a node that depends on more than one slot, or on one with too many values.
const manifold plan.ID = -2

// A tabulation finds the parts of a graph that depend on one slot.
type tabulation struct {
	*work
	source []plan.ID // of each node, the one that it is a function of: itself, None for a constant, or manifold
	ends   []bool    // of each node, whether it is computed whatever becomes of those that read it
	cost   []int     // of each node, the instructions that compute it of its source and of ends
	cells  int       // of all tables
}

// # Tabulation
//
// A rule reads a characteristic from 1 to 100 and makes several numbers of it: a bonus, a tenth, a half rounded up. All of
// them are functions of one slot with a hundred values, whatever they compute on the way. Each becomes a list of a hundred
// results and one look-up, found by the value less the first; a rule's record is executed millions of times, the table
// filled once.
//
// trace walks the graph once and gives each node its source: the only slot that it depends on. A node whose operands have
// two sources is manifold, and a source itself when its own values are few, so that a table may begin where two numbers
// were added. Not every node becomes a table. findEnds keeps those that somebody outside of their part reads; what stands
// between a source and an end is only needed to fill the table, and the pass dead drops it afterwards. An end whose part
// has fewer than minCost instructions is left alone: the look-up is one instruction, too, and reads memory.
//
// The values of a source come from the interval analysis, so that a look-up needs no bounds of its own; the fault of a part
// is tabulated by nobody, because a fault is no value that evaluate computes. maxDomain and maxCells keep all tables of a
// graph within 128 KiB, which any second-level cache holds beside a block's columns: a table that has to be fetched from
// memory is slower than the few instructions that it replaces.

// tabulateNodes replaces the parts of the graph that depend on one slot with few values by tables.
func (w *work) tabulateNodes() {
	if w.bounds == nil {
		return
	}
	// A node that a cut has taken out is never traced, and no table can begin at it.
	t := &tabulation{work: w, source: slices.Repeat([]plan.ID{manifold}, len(w.nodes)), cost: make([]int, len(w.nodes))}
	t.walkNodes(0, t.traceSource)
	t.ends = t.findEnds()
	t.walkNodes(0, func(id plan.ID) {
		if t.cost[id] = t.costOf(id); t.ends[id] && t.cost[id] >= minCost {
			t.replaceByTable(id)
		}
	})
	if w.live != nil {
		w.dropDead()
	}
}

// isComputed reports whether a node stands for itself and is needed.
func (t *tabulation) isComputed(id plan.ID) bool {
	return t.same[id] == id && (t.live == nil || t.live[id])
}

// traceSource finds the source of a node.
func (t *tabulation) traceSource(id plan.ID) {
	n := &t.nodes[id]
	if n.Op == plan.OpConst {
		t.source[id] = plan.None
		return
	}
	if t.source[id] = t.commonSource(n); t.source[id] == manifold && t.domainSize(id) > 0 {
		t.source[id] = id
	}
}

// commonSource returns the one source of all operands; manifold if there is none.
func (t *tabulation) commonSource(n *plan.Node) plan.ID {
	if !isTabular(n) {
		return manifold
	}
	out := plan.None
	for k := range n.Args {
		s := t.source[t.operandOf(n, k)]
		switch {
		case s == plan.None || s == out:
		case out == plan.None:
			out = s
		default:
			return manifold
		}
	}
	if out == plan.None {
		return manifold
	}
	return out
}

// isTabular reports whether evaluateNode computes the operation of a node.
func isTabular(n *plan.Node) bool {
	switch n.Kind {
	case plan.Int, plan.Double, plan.Bool, plan.String:
	default:
		return false
	}
	switch n.Op {
	case plan.OpSelect, plan.OpAnd, plan.OpOr, plan.OpRow, plan.OpRowDouble, plan.OpCell:
		return true
	}
	if len(n.Args) == 0 || len(n.Args) > 2 {
		return false
	}
	_, ok := FoldConstants(n.Op, n.Imm, 0, 0)
	return ok
}

// costOf returns about how many instructions compute a node. A division counts for several.
func (t *tabulation) costOf(id plan.ID) int {
	n, cost := &t.nodes[id], 1
	if n.Op.Has(plan.Slow) {
		cost = 2
	}
	for k := range n.Args {
		if a := t.operandOf(n, k); !t.ends[a] && t.source[a] != a {
			cost += t.cost[a]
		}
	}
	return min(cost, math.MaxInt32)
}

// domainSize returns the number of values that a slot can hold; 0 if they are too many, or no numbers that count.
func (t *tabulation) domainSize(id plan.ID) int64 {
	switch t.nodes[id].Kind {
	case plan.Int, plan.Bool, plan.String:
		i := t.bounds[id]
		if n := i.Max - i.Min; n >= 0 && n < maxDomain {
			return n + 1
		}
	}
	return 0
}

// findEnds returns the nodes at which a part with one source ends: roots, and operands of nodes of another source.
func (t *tabulation) findEnds() []bool {
	out := make([]bool, len(t.nodes))
	t.walkNodes(0, func(id plan.ID) {
		if !t.isComputed(id) {
			return
		}
		n := &t.nodes[id]
		for k := range n.Args {
			if a := t.operandOf(n, k); t.source[a] != t.source[id] || t.source[id] == manifold {
				out[a] = true
			}
		}
		if n.Op == plan.OpLoop {
			for _, id := range t.nextCarried(id) {
				out[t.same[id]] = true
			}
		}
	})
	for _, id := range t.roots {
		out[t.same[id]] = true
	}
	return out
}

// replaceByTable makes a node a look-up in a table of its values.
func (t *tabulation) replaceByTable(id plan.ID) {
	from := t.source[id]
	if !t.isComputed(id) || from == id || from < 0 || t.cells+int(t.domainSize(from)) > maxCells {
		return
	}
	table := Dense{First: t.bounds[from].Min, Cells: make([]int64, t.domainSize(from))}
	cone := t.appendCone(nil, id, from)
	values := map[plan.ID]int64{}
	for i := range table.Cells {
		values[from] = table.First + int64(i)
		for _, id := range cone {
			values[id] = t.evaluateNode(id, values)
		}
		table.Cells[i] = values[id]
	}
	n := &t.nodes[id]
	n.Op, n.Args, n.Imm = OpDense, []plan.ID{from}, t.addTable(table)
}

// addTable returns the number of a table, that of an equal one if there is one.
func (t *tabulation) addTable(table Dense) int64 {
	i := slices.IndexFunc(t.dense,
		func(d Dense) bool { return d.First == table.First && slices.Equal(d.Cells, table.Cells) })
	if i < 0 {
		i = len(t.dense)
		t.dense = append(t.dense, table)
		t.cells += len(table.Cells)
	}
	return int64(i)
}

// appendCone appends the nodes between a source and a node, in the order of computation. Nodes that have become tables of
// the same source are among them, and are looked up while the next table is filled.
func (t *tabulation) appendCone(out []plan.ID, id, from plan.ID) []plan.ID {
	if id == from || t.source[id] == plan.None || slices.Contains(out, id) {
		return out
	}
	for k := range t.nodes[id].Args {
		out = t.appendCone(out, t.operandOf(&t.nodes[id], k), from)
	}
	return append(out, id)
}

// evaluateNode returns the value of a node whose operands are known.
func (t *tabulation) evaluateNode(id plan.ID, values map[plan.ID]int64) int64 {
	n := &t.nodes[id]
	var v [3]int64
	for k := range n.Args {
		a := t.operandOf(n, k)
		if c, ok := t.constantOf(a); ok {
			v[k] = c
		} else {
			v[k] = values[a]
		}
	}
	if n.Op == OpDense {
		return t.dense[n.Imm].At(v[0])
	}
	out, _ := FoldOperands(t.plan, n.Op, n.Imm, v)
	return out
}

// At returns the cell of a value. The difference is taken without a sign: a value below the first one wraps to a huge
// index, so that one comparison checks both ends. Outside it is 0, which only a damaged plan file can ask for.
func (d *Dense) At(v int64) int64 {
	if i := uint64(v) - uint64(d.First); i < uint64(len(d.Cells)) {
		return d.Cells[i]
	}
	return 0
}
