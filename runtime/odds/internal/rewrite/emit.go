package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Emission keeps the new graph small while it is written, so that no pass has to follow. Each node is first simplified,
// then sought among those that compute the same, and only then appended: the value numbering of compilers, with one table
// for each block around, as what an outer block has computed may be used within and not the other way round.
//
// It is more than thrift. Classes of faces are found by comparing the nodes that readers see (note in bag.go). That the
// faces 5 and 6 both pass "it >= 5" is seen because both conditions fold to one node, the constant true.

// An emitter appends to a graph, so that a node stands behind its operands. It knows of each node what emission itself
// decides by: whether dice decide it, when the last of them is met, and whether it compares elements of sorted lists.
type emitter struct {
	out      *plan.Graph
	block    int32                 // where emit appends
	scopes   []map[nodeKey]plan.ID // of the blocks around: pure nodes that may be used again
	random   []bool                // of each node, whether a die decides it
	meetings []meeting             // of each node, the latest draw that decides it
	pairs    *comparisons
}

// newEmitter returns an emitter of a graph that has the declarations of another one and no node yet.
func newEmitter(of *plan.Graph) *emitter {
	g := *of
	g.Nodes, g.Blocks = nil, []plan.Block{{}}
	g.Dice = slices.Clone(g.Dice)
	e := &emitter{out: &g, scopes: []map[nodeKey]plan.ID{{}}}
	e.pairs = newComparisons(e)
	return e
}

// A nodeKey identifies what a pure node of at most four operands computes. The site is part of it: two divisions at
// different places of a ruleset fail with different messages.
type nodeKey struct {
	op   plan.Op
	kind plan.Kind
	imm  int64
	site int32
	n    int
	args [4]plan.ID
}

// constantNode returns the node of a constant, one for each kind and value in a scope.
func (e *emitter) constantNode(kind plan.Kind, bits int64) plan.ID {
	return e.emit(plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1})
}

// constantValue returns the value of a constant node of the new graph.
func (e *emitter) constantValue(id plan.ID) (bits int64, ok bool) {
	n := &e.out.Nodes[id]
	return n.Imm, n.Op == plan.OpConst
}

func (e *emitter) isConstant(id plan.ID, bits int64) bool {
	v, ok := e.constantValue(id)
	return ok && v == bits
}

// emitOp emits an operation that cannot fail.
func (e *emitter) emitOp(op plan.Op, kind plan.Kind, args ...plan.ID) plan.ID {
	return e.emit(plan.Node{Op: op, Kind: kind, Args: args, Site: -1})
}

// emitChoice emits a choice.
func (e *emitter) emitChoice(kind plan.Kind, c, a, b plan.ID) plan.ID {
	return e.emitOp(plan.OpSelect, kind, c, a, b)
}

// emit returns a node of the operation: one that is known to have its value, or else a new one in the current block.
func (e *emitter) emit(n plan.Node) plan.ID {
	if id, ok := e.simplifyNode(&n); ok {
		return id
	}
	if id, ok := e.pairs.evaluatePairs(&n); ok {
		return id
	}
	if id, ok := e.compareParts(&n); ok {
		return id
	}
	if n.Op == plan.OpAnd || n.Op == plan.OpOr {
		// From the left, as operands become known: of a && (b && c) all three would be kept until c is.
		if right := &e.out.Nodes[n.Args[1]]; right.Op == n.Op {
			args := [2]plan.ID{right.Args[0], right.Args[1]}
			return e.emitOp(n.Op, n.Kind, e.emitOp(n.Op, n.Kind, n.Args[0], args[0]), args[1])
		}
	}
	id := e.emitPlain(n)
	e.pairs.notePairs(id, &n)
	return id
}

// compareParts compares the two parts of an extreme with a number, in place of the extreme: of 3 <= max(a, b) all that is
// kept while b is unknown is whether a is at least 3.
func (e *emitter) compareParts(n *plan.Node) (plan.ID, bool) {
	if n.Op != plan.OpLtInt && n.Op != plan.OpLeInt {
		return 0, false
	}
	for k, a := range n.Args {
		extreme := &e.out.Nodes[a]
		_, known := e.constantValue(n.Args[1-k])
		if !known || extreme.Op != plan.OpMaxInt && extreme.Op != plan.OpMinInt {
			continue
		}
		args := [2]plan.ID{extreme.Args[0], extreme.Args[1]}
		join := plan.OpAnd // both are below a number, when the greater one is
		if (extreme.Op == plan.OpMaxInt) == (k == 1) {
			join = plan.OpOr
		}
		var parts [2]plan.ID
		for i, part := range args {
			sides := [2]plan.ID{part, part}
			sides[1-k] = n.Args[1-k]
			parts[i] = e.emitOp(n.Op, plan.Bool, sides[0], sides[1])
		}
		return e.emitOp(join, plan.Bool, parts[0], parts[1]), true
	}
	return 0, false
}

// emitPlain appends a node, unless there is one that computes the same. Sums of comparisons are written with it alone:
// emit would take the additions of addPairs for sums to be rewritten, without an end.
//
// It also notes whether the new node is random, and behind how many pools it stands. Both follow from the operands,
// which are older. Only a value that a loop carries has none yet, and counts as random (copyLoop).
func (e *emitter) emitPlain(n plan.Node) plan.ID {
	if id, ok := e.simplifyNode(&n); ok {
		return id
	}
	key, pure := keyOfNode(&n)
	if pure {
		for _, scope := range slices.Backward(e.scopes) {
			if id, ok := scope[key]; ok {
				return id
			}
		}
	}
	id := plan.ID(len(e.out.Nodes))
	e.out.Nodes = append(e.out.Nodes, n)
	b := &e.out.Blocks[e.block]
	b.Nodes = append(b.Nodes, id)
	chance := n.Op == plan.OpRoll || n.Op == plan.OpLeaf && len(n.Args) > 0
	random := chance || slices.ContainsFunc(n.Args, func(a plan.ID) bool { return a != plan.None && e.random[a] })
	e.random = append(e.random, random)
	e.meetings = append(e.meetings, e.latestOf(n.Args...))
	if pure {
		e.scopes[len(e.scopes)-1][key] = id
	}
	return id
}

// latestOf returns the latest meeting that decides some nodes.
func (e *emitter) latestOf(ids ...plan.ID) (out meeting) {
	for _, id := range ids {
		if id != plan.None && out.compare(e.meetings[id]) < 0 {
			out = e.meetings[id]
		}
	}
	return out
}

// keyOfNode returns the key of a node that computes the same wherever it stands. A list that is begun is none: it is
// pushed to.
func keyOfNode(n *plan.Node) (key nodeKey, pure bool) {
	switch n.Op {
	case plan.OpParam, plan.OpResult, plan.OpLoop, plan.OpRoll, plan.OpRequire, plan.OpNewSpan, plan.OpPush:
		return key, false
	}
	if len(n.Args) > len(key.args) {
		return key, false
	}
	key = nodeKey{op: n.Op, kind: n.Kind, imm: n.Imm, site: n.Site, n: len(n.Args)}
	copy(key.args[:], n.Args)
	return key, true
}

// simplifyNode finds a node that has the value which n would have. Integers wrap here as in execution.
func (e *emitter) simplifyNode(n *plan.Node) (plan.ID, bool) {
	if id, ok := e.simplifySides(n); ok {
		return id, true
	}
	if len(n.Args) == 0 || len(n.Args) > 2 || n.Op == plan.OpPush {
		return 0, false
	}
	var v [2]int64
	for k, a := range n.Args {
		c, known := e.constantValue(a)
		if !known {
			return 0, false
		}
		v[k] = c
	}
	if result, ok := schedule.FoldConstants(n.Op, n.Imm, v[0], v[1]); ok {
		return e.constantNode(n.Kind, result), true
	}
	return 0, false
}

// simplifySides returns the value of a node that some of its operands decide, and reports whether there is one. An
// operand may be dropped because it cannot fail: the failure of a formula is a node of its own, its fault, which the
// drop does not touch. A division by -1 may overflow, so its fault stays.
func (e *emitter) simplifySides(n *plan.Node) (plan.ID, bool) {
	switch n.Op {
	case plan.OpAddInt:
		return e.neutralOperand(n, 0)
	case plan.OpMulInt:
		for k, a := range n.Args {
			if e.isConstant(a, 0) {
				return n.Args[k], true
			}
		}
		return e.neutralOperand(n, 1)
	case plan.OpSubInt:
		if e.isConstant(n.Args[1], 0) {
			return n.Args[0], true
		}
	case plan.OpMinInt, plan.OpMaxInt:
		if n.Args[0] == n.Args[1] {
			return n.Args[0], true
		}
	case plan.OpLtInt, plan.OpLeInt:
		return e.compareExtreme(n)
	case plan.OpSelect:
		return e.simplifyChoice(n)
	case plan.OpAnd:
		return e.simplifyTruth(n, 0)
	case plan.OpOr:
		return e.simplifyTruth(n, 1)
	case plan.OpFirstFault:
		return e.neutralOperand(n, 0)
	case plan.OpAndFault:
		return e.simplifyTruthFault(n, 0)
	case plan.OpOrFault:
		return e.simplifyTruthFault(n, 1)
	case plan.OpDivFault, plan.OpModFault:
		if by, known := e.constantValue(n.Args[1]); known && by != 0 && by != -1 {
			return e.constantNode(plan.Fault, 0), true
		}
	}
	return 0, false
}

// neutralOperand returns the operand of n beside the neutral constant.
func (e *emitter) neutralOperand(n *plan.Node, constant int64) (plan.ID, bool) {
	for k, a := range n.Args {
		if e.isConstant(a, constant) {
			return n.Args[1-k], true
		}
	}
	return 0, false
}

// compareExtreme compares a constant with the elements of an extreme instead of the extreme: min(a, b) > 0 is a > 0 and
// b > 0. Truths merge more states than numbers do: between a and b one of two values is alive, and not one of all.
func (e *emitter) compareExtreme(n *plan.Node) (plan.ID, bool) {
	for k, a := range n.Args {
		m := &e.out.Nodes[a]
		isMin := m.Op == plan.OpMinInt
		if _, known := e.constantValue(n.Args[1-k]); !known || !isMin && m.Op != plan.OpMaxInt {
			continue
		}
		var holds [2]plan.ID
		for i, b := range m.Args {
			args := [2]plan.ID{n.Args[1-k], n.Args[1-k]}
			args[k] = b
			holds[i] = e.emitOp(n.Op, plan.Bool, args[:]...)
		}
		if isMin == (k == 1) { // all of them are above the constant, or all below it
			return e.emitOp(plan.OpAnd, plan.Bool, holds[:]...), true
		}
		return e.emitOp(plan.OpOr, plan.Bool, holds[:]...), true
	}
	return 0, false
}

func (e *emitter) simplifyChoice(n *plan.Node) (plan.ID, bool) {
	c, known := e.constantValue(n.Args[0])
	switch {
	case known && c != 0, n.Args[1] == n.Args[2]:
		return n.Args[1], true
	case known:
		return n.Args[2], true
	case n.Kind == plan.Bool && e.isConstant(n.Args[1], 1) && e.isConstant(n.Args[2], 0):
		return n.Args[0], true
	}
	return 0, false
}

func (e *emitter) simplifyTruth(n *plan.Node, deciding int64) (plan.ID, bool) {
	for k, a := range n.Args {
		switch {
		case e.isConstant(a, deciding):
			return a, true
		case e.isConstant(a, 1-deciding):
			return n.Args[1-k], true
		}
	}
	return n.Args[0], n.Args[0] == n.Args[1]
}

// simplifyTruthFault finds the fault of && or ||: a side that cannot fail and decides absorbs the other's fault, one that
// cannot fail and never decides leaves it.
func (e *emitter) simplifyTruthFault(n *plan.Node, deciding int64) (plan.ID, bool) {
	if e.isConstant(n.Args[1], 0) && e.isConstant(n.Args[3], 0) {
		return n.Args[1], true
	}
	for k := range 2 {
		side, fault, other := n.Args[2*k], n.Args[2*k+1], n.Args[3-2*k]
		switch {
		case !e.isConstant(fault, 0):
		case e.isConstant(side, deciding):
			return fault, true
		case e.isConstant(side, 1-deciding):
			return other, true
		}
	}
	return 0, false
}

// asCount returns 1 under a condition, else 0.
func (e *emitter) asCount(c plan.ID) plan.ID {
	return e.emitChoice(plan.Int, c, e.constantNode(plan.Int, 1), e.constantNode(plan.Int, 0))
}
