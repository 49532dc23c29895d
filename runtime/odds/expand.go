package odds

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Expansion rewrites a rule so that lists of dice disappear from it.
//
// The problem. "The largest set of 10d10" reads ten counts of one list. Met as a list, the dice fall in 10^10 ways; even as
// multisets they are 92,378, of which each costs the whole formula.
//
// The idea. n equal dice are a chain of conditional binomials: K₁ of the n show the first face, K₂ of the n-K₁ that
// are left show the second, and so on. Each K is a small source of chance that reads how many dice are left. Every
// reader of the list becomes a formula over the K: a sum is ΣK·f, the size of a filter is the sum of the K that pass,
// the i-th of the sorted dice is the face at which the running sum of the K passes i. Liveness then does the rest: a K
// that only its own face's term reads is dead after its step, and what remains alive is the state that others write by
// hand for such a problem (Liu, Icepool, AIIDE 2022). 10d10 become ten steps of a few hundred states.
//
// The form. An expander is a partial evaluator. It copies the graph node by node, folding constants; a list whose elements
// it knows, each with a count, is a bag (bag.go) and not a node. A loop over a bag applies its body to each run of equal
// elements (bag_loop.go); a loop of constant length that reads a bag is unrolled. A list of dice becomes a pool (pool.go).
//
// A reader that no rule covers (the first die as it fell, say) needs the list itself. Then the pool is given up and the
// expansion begins again without it, so that a list either vanishes completely or stays as it was.

// Limits of one expansion.
const (
	maxUnrolled  = 64     // iterations of a loop that is unrolled
	maxExpanded  = 12_000 // nodes that an expansion may make
	maxClasses   = 24     // faces, or groups of faces, that a pool tells apart
	maxGrouped   = 128    // faces of a pool before equal ones are grouped
	maxInsertion = 24     // elements that are sorted by inserting one after the other
)

// An expander evaluates a graph partially into another one.
type expander struct {
	from     *graph
	bounds   []interval.Interval // of from's nodes
	settings map[plan.ID]*poolSettings
	listed   float64 // lists of at most so many ways stay lists
	out      *plan.Graph
	block    int32
	scopes   []map[nodeKey]plan.ID // of the blocks around: pure nodes that may be used again
	params   map[int32][]operand   // of the loops that are evaluated, by their blocks
	values   map[plan.ID]operand   // of from's nodes
	random   []bool                // of out's nodes: a die decides it
	pools    []*pool
	draws    []draw
	loops    map[plan.ID]plan.ID // of from's loops, their copies
	walks    map[plan.ID]bagWalk // of from's iterations, the run at which a loop over a bag is
	at       plan.ID             // of from, the node that is evaluated
	roots    []*plan.Value       // what stands for the values that are asked for
	sorted   int                 // lists of several chances that were sorted by insertion
	// What is known of nodes that compare elements of sorted lists (bag_pairs.go).
	statistics map[plan.ID]statistic
	conditions map[plan.ID]pairCondition
	sums       map[plan.ID]pairSum
	partners   [][2]*pool // that are compared, and should be met in the same order
	reader     plan.ID    // counts the readers of bags, as marks between the keys of faces
	failed     bool       // a list is needed that cannot be made, or there are too many nodes
}

// An operand is what stands for a node of the graph that is expanded.
type operand struct {
	id      plan.ID   // None when only the bag stands for it
	bag     *bag      // of a list whose elements are known
	carried []operand // of a loop that was evaluated: its results
}

// A nodeKey identifies what a pure node of at most four operands computes.
type nodeKey struct {
	op   plan.Op
	kind plan.Kind
	imm  int64
	site int32
	n    int
	args [4]plan.ID
}

func newExpander(from *graph, bounds []interval.Interval, settings map[plan.ID]*poolSettings, listed float64) *expander {
	g := *from.Graph
	g.Nodes, g.Blocks = nil, []plan.Block{{}}
	g.Dice = slices.Clone(g.Dice)
	return &expander{
		from: from, bounds: bounds, settings: settings, listed: listed, out: &g, scopes: []map[nodeKey]plan.ID{{}},
		params: map[int32][]operand{}, values: map[plan.ID]operand{}, loops: map[plan.ID]plan.ID{}, walks: map[plan.ID]bagWalk{},
		statistics: map[plan.ID]statistic{}, conditions: map[plan.ID]pairCondition{}, sums: map[plan.ID]pairSum{},
	}
}

// evaluateBlock evaluates the needed nodes of a block, in their order.
func (x *expander) evaluateBlock(block int32) {
	for _, id := range x.from.Blocks[block].Nodes {
		if x.from.needed[id] && !x.failed {
			x.evaluate(id)
		}
	}
}

// evaluate finds what stands for a node.
func (x *expander) evaluate(id plan.ID) {
	if len(x.out.Nodes) > maxExpanded {
		x.fail()
		return
	}
	x.at = id
	n := &x.from.nodes[id]
	if n.Kind == plan.Fault && n.Op != plan.OpConst && x.neverFails(id) {
		x.values[id] = operand{id: x.constant(plan.Fault, 0)}
		return
	}
	switch n.Op {
	case plan.OpCover:
	case plan.OpRequire:
		if !x.alwaysHolds(n) {
			x.values[id] = operand{id: x.copyNode(n)}
		}
	case plan.OpParam:
		x.values[id] = x.params[x.from.home[id]][n.Imm]
	case plan.OpLoop:
		x.evaluateLoop(id)
	case plan.OpResult:
		loop := x.values[n.Args[0]]
		if loop.carried != nil {
			x.values[id] = loop.carried[n.Imm]
			return
		}
		x.values[id] = operand{id: x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{loop.id}, Site: n.Site})}
	case plan.OpRoll:
		x.evaluateRoll(id)
	default:
		if v, ok := x.evaluateList(id, n); ok {
			x.values[id] = v
			return
		}
		x.values[id] = operand{id: x.copyNode(n)}
	}
}

// neverFails reports whether the intervals of the rule exclude a fault.
func (x *expander) neverFails(id plan.ID) bool { return x.bounds[id].Max == 0 }

// copyNode copies a node that reads its operands as they are.
func (x *expander) copyNode(n *plan.Node) plan.ID {
	c := plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Site: n.Site}
	for _, a := range n.Args {
		c.Args = append(c.Args, x.node(a))
	}
	return x.emit(c)
}

// node is the node that stands for one of from's; a bag is made into a list.
func (x *expander) node(id plan.ID) plan.ID {
	if id == plan.None {
		return id
	}
	v, ok := x.values[id]
	switch {
	case !ok || v.id == plan.None && v.bag == nil:
		x.fail()
		return 0
	case v.id == plan.None:
		return x.materialise(v.bag)
	}
	return v.id
}

// fail gives the expansion up.
func (x *expander) fail() { x.failed = true }

// refuse gives a pool up: something reads its faces in a way that counts cannot tell.
func (x *expander) refuse(pools []*pool) {
	for _, p := range pools {
		x.settingsOf(p.roll).refused = true
	}
	x.fail()
}

func (x *expander) constant(kind plan.Kind, bits int64) plan.ID {
	return x.emit(plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1})
}

// known is the value of a constant node of the new graph.
func (x *expander) known(id plan.ID) (bits int64, ok bool) {
	n := &x.out.Nodes[id]
	return n.Imm, n.Op == plan.OpConst
}

func (x *expander) is(id plan.ID, bits int64) bool {
	v, ok := x.known(id)
	return ok && v == bits
}

// compute emits an operation that cannot fail.
func (x *expander) compute(op plan.Op, kind plan.Kind, args ...plan.ID) plan.ID {
	return x.emit(plan.Node{Op: op, Kind: kind, Args: args, Site: -1})
}

// choose emits a choice.
func (x *expander) choose(kind plan.Kind, c, a, b plan.ID) plan.ID {
	return x.compute(plan.OpSelect, kind, c, a, b)
}

// emit appends a node to the block that is written, unless it is known what it computes.
func (x *expander) emit(n plan.Node) plan.ID {
	if id, ok := x.simplify(&n); ok {
		return id
	}
	if id, ok := x.evaluatePairs(&n); ok {
		return id
	}
	id := x.emitPlain(n)
	x.notePairs(id, &n)
	return id
}

// emitPlain appends a node, unless there is one that computes the same.
func (x *expander) emitPlain(n plan.Node) plan.ID {
	if id, ok := x.simplify(&n); ok {
		return id
	}
	key, pure := keyOfNode(&n)
	if pure {
		for _, scope := range slices.Backward(x.scopes) {
			if id, ok := scope[key]; ok {
				return id
			}
		}
	}
	id := plan.ID(len(x.out.Nodes))
	x.out.Nodes = append(x.out.Nodes, n)
	b := &x.out.Blocks[x.block]
	b.Nodes = append(b.Nodes, id)
	random := n.Op == plan.OpRoll || slices.ContainsFunc(n.Args, func(a plan.ID) bool { return a != plan.None && x.random[a] })
	x.random = append(x.random, random)
	if pure {
		x.scopes[len(x.scopes)-1][key] = id
	}
	return id
}

// keyOfNode is the key of a node that computes the same wherever it stands. A list that is begun is none: it is pushed to.
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

// simplify finds a node that has the value which n would have. Integers wrap here as in execution.
func (x *expander) simplify(n *plan.Node) (plan.ID, bool) {
	if id, ok := x.simplifySides(n); ok {
		return id, true
	}
	if len(n.Args) == 0 || len(n.Args) > 2 || n.Op == plan.OpPush {
		return 0, false
	}
	var v [2]int64
	for k, a := range n.Args {
		c, known := x.known(a)
		if !known {
			return 0, false
		}
		v[k] = c
	}
	if result, ok := schedule.FoldConstants(n.Op, n.Imm, v[0], v[1]); ok {
		return x.constant(n.Kind, result), true
	}
	return 0, false
}

// simplifySides finds the value of a node that some of its operands decide.
func (x *expander) simplifySides(n *plan.Node) (plan.ID, bool) {
	switch n.Op {
	case plan.OpAddInt:
		return x.neutral(n, 0)
	case plan.OpMulInt:
		for k, a := range n.Args {
			if x.is(a, 0) {
				return n.Args[k], true
			}
		}
		return x.neutral(n, 1)
	case plan.OpSubInt:
		if x.is(n.Args[1], 0) {
			return n.Args[0], true
		}
	case plan.OpMinInt, plan.OpMaxInt:
		if n.Args[0] == n.Args[1] {
			return n.Args[0], true
		}
	case plan.OpSelect:
		return x.simplifyChoice(n)
	case plan.OpAnd:
		return x.simplifyTruth(n, 0)
	case plan.OpOr:
		return x.simplifyTruth(n, 1)
	case plan.OpFirstFault:
		return x.neutral(n, 0)
	case plan.OpAndFault:
		return x.simplifyTruthFault(n, 0)
	case plan.OpOrFault:
		return x.simplifyTruthFault(n, 1)
	case plan.OpDivFault, plan.OpModFault:
		if by, known := x.known(n.Args[1]); known && by != 0 && by != -1 {
			return x.constant(plan.Fault, 0), true
		}
	}
	return 0, false
}

// neutral is the other operand of one that is the neutral constant.
func (x *expander) neutral(n *plan.Node, constant int64) (plan.ID, bool) {
	for k, a := range n.Args {
		if x.is(a, constant) {
			return n.Args[1-k], true
		}
	}
	return 0, false
}

func (x *expander) simplifyChoice(n *plan.Node) (plan.ID, bool) {
	c, known := x.known(n.Args[0])
	switch {
	case known && c != 0, n.Args[1] == n.Args[2]:
		return n.Args[1], true
	case known:
		return n.Args[2], true
	case n.Kind == plan.Bool && x.is(n.Args[1], 1) && x.is(n.Args[2], 0):
		return n.Args[0], true
	}
	return 0, false
}

func (x *expander) simplifyTruth(n *plan.Node, deciding int64) (plan.ID, bool) {
	for k, a := range n.Args {
		switch {
		case x.is(a, deciding):
			return a, true
		case x.is(a, 1-deciding):
			return n.Args[1-k], true
		}
	}
	return n.Args[0], n.Args[0] == n.Args[1]
}

// simplifyTruthFault finds the fault of && or ||: a side that cannot fail and decides absorbs the other's fault, one that
// cannot fail and never decides leaves it.
func (x *expander) simplifyTruthFault(n *plan.Node, deciding int64) (plan.ID, bool) {
	if x.is(n.Args[1], 0) && x.is(n.Args[3], 0) {
		return n.Args[1], true
	}
	for k := range 2 {
		side, fault, other := n.Args[2*k], n.Args[2*k+1], n.Args[3-2*k]
		switch {
		case !x.is(fault, 0):
		case x.is(side, deciding):
			return fault, true
		case x.is(side, 1-deciding):
			return other, true
		}
	}
	return 0, false
}
