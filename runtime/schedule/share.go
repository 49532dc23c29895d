package schedule

import "github.com/tabletop-rules/rules/runtime/plan"

// maxShared is the most operands of a node that is shared.
const maxShared = 4

// A value identifies nodes that compute the same. The place of a fault is part of it: of two equal faults the trace
// must name the one that happened.
type value struct {
	op   plan.Op
	kind plan.Kind
	args [maxShared]plan.ID
	imm  int64
	site int32
}

// shareNodes lets the first of several equal nodes stand for the others. It is seen by the nodes after it in its block, and
// in the loops that stand there.
//
// It is value numbering with scopes: one walk, as operands stand before their readers and are already replaced by the first
// of their kind. So of two sums a+(b+c) the inner ones are one node when the outer ones are compared, and these are found
// equal by their numbers alone. A node of a loop's body stands for none outside, because the loop may not run.
func (w *work) shareNodes() { w.shareBlock(0, nil) }

// A scope is the values that are seen in a block, on top of those outside of it.
type scope struct {
	outer *scope
	first map[value]plan.ID
}

func (s *scope) findEqual(v value) (plan.ID, bool) {
	for ; s != nil; s = s.outer {
		if id, ok := s.first[v]; ok {
			return id, true
		}
	}
	return plan.None, false
}

func (w *work) shareBlock(block int64, outer *scope) {
	in := &scope{outer, map[value]plan.ID{}}
	for _, id := range w.graph.Blocks[block].Nodes {
		n := &w.nodes[id]
		w.same[id] = w.same[w.same[id]]
		if n.Op == plan.OpLoop {
			w.shareBlock(n.Imm, in)
		}
		if w.same[id] != id || !isShareable(n) {
			continue
		}
		v := w.valueOf(n)
		if first, ok := in.findEqual(v); ok {
			w.replaceNode(id, first)
		} else {
			in.first[v] = id
		}
	}
}

// isShareable reports whether a node is its operands' value and nothing else. A new span is an identity, and so is one
// that is pushed to; a parameter belongs to its block.
func isShareable(n *plan.Node) bool {
	switch n.Op {
	case plan.OpNewSpan, plan.OpPush, plan.OpLoop, plan.OpParam:
		return false
	}
	return !n.Op.Has(plan.Effect) && len(n.Args) <= maxShared
}

func (w *work) valueOf(n *plan.Node) value {
	v := value{op: n.Op, kind: n.Kind, imm: n.Imm, site: n.Site,
		args: [maxShared]plan.ID{plan.None, plan.None, plan.None, plan.None}}
	switch n.Op {
	case plan.OpConst: // its operands are only what it came from
		return v
	case plan.OpLeaf:
		leaf := w.graph.Leaves[n.Imm]
		v.imm = int64(leaf.Root)<<32 | int64(leaf.Offset)
	}
	for k := range n.Args {
		v.args[k] = w.operandOf(n, k)
	}
	return v
}
