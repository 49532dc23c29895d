package interval

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An analyser follows intervals through a graph, in the order of execution.
type analyser struct {
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
	a := &analyser{plan: p, graph: g, at: make([]Interval, len(g.Nodes)), left: maxFollowed}
	for root, s := range shapes {
		if s != nil {
			a.roots[root], a.known[root] = a.layout(s), true
		}
	}
	for id := range g.Nodes {
		a.at[id] = anyOfKind(g.Nodes[id].Kind)
	}
	a.followBlock(0)
	return a.at
}

// symbolOf is the symbol of a string.
func (a *analyser) symbolOf(s string) (id int64, ok bool) {
	if a.symbols == nil {
		a.symbols = make(map[string]int64, len(a.plan.Symbols))
		for i, text := range a.plan.Symbols {
			a.symbols[text] = int64(i)
		}
	}
	id, ok = a.symbols[s]
	return id, ok
}

func (a *analyser) followBlock(index int64) {
	for _, id := range a.graph.Blocks[index].Nodes {
		a.left--
		n := &a.graph.Nodes[id]
		if n.Op == plan.OpLoop {
			a.followLoop(n)
		} else {
			a.at[id] = transferOf(n.Op)(a, n)
		}
	}
}

// arg is the interval of an operand.
func (a *analyser) arg(n *plan.Node, k int) Interval { return a.at[n.Args[k]] }

// bits is the interval of an operand's slot, read as an int.
func (a *analyser) bits(n *plan.Node, k int) Interval {
	if a.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return anyOfKind(plan.Int)
	}
	return a.arg(n, k)
}

// A transfer bounds what a node gives from the bounds of its operands.
type transfer func(a *analyser, n *plan.Node) Interval

// transfers holds the transfer function of each operation. OpLoop has none: its body is followed, and OpResult reads it.
var transfers = [plan.NumOps]transfer{
	plan.OpConst:  (*analyser).boundConst,
	plan.OpLeaf:   (*analyser).boundLeaf,
	plan.OpOption: func(a *analyser, n *plan.Node) Interval { return symbolInterval(a.plan.Options[n.Imm].Symbols) },
	plan.OpParam:  func(a *analyser, n *plan.Node) Interval { return a.params[n.Imm] },
	plan.OpResult: (*analyser).boundResult,

	plan.OpAddInt: (*analyser).boundMonotonic, plan.OpAddIntFault: overflowOf(plan.OpAddInt),
	plan.OpSubInt: (*analyser).boundMonotonic, plan.OpSubIntFault: overflowOf(plan.OpSubInt),
	plan.OpMulInt: (*analyser).boundMonotonic, plan.OpMulIntFault: overflowOf(plan.OpMulInt),
	plan.OpNegInt: (*analyser).boundNegative, plan.OpNegIntFault: (*analyser).boundNegFault,
	plan.OpAbsInt: (*analyser).boundAbsolute, plan.OpAbsIntFault: (*analyser).boundNegFault,
	plan.OpMinInt: (*analyser).boundMonotonic, plan.OpMaxInt: (*analyser).boundMonotonic,
	plan.OpDivFault: (*analyser).boundDivFault,
	plan.OpModInt:   (*analyser).boundRest, plan.OpModFault: (*analyser).boundDivFault,
	plan.OpPowInt: (*analyser).boundPower, plan.OpPowIntFault: (*analyser).boundPowFault,
	plan.OpEqInt: (*analyser).boundEqual, plan.OpLtInt: (*analyser).boundLess, plan.OpLeInt: (*analyser).boundAtMost,

	plan.OpAddDouble: (*analyser).boundMonotonicDouble, plan.OpSubDouble: (*analyser).boundMonotonicDouble,
	plan.OpMulDouble: (*analyser).boundProduct, plan.OpDivDouble: (*analyser).boundRatio,
	plan.OpNegDouble: (*analyser).boundNegativeDouble, plan.OpAbsDouble: (*analyser).boundAbsoluteDouble,
	plan.OpMinDouble: (*analyser).boundLesserDouble, plan.OpMaxDouble: (*analyser).boundLesserDouble,
	plan.OpPowDouble: boundByKind, plan.OpEqDouble: boundByKind,
	plan.OpLtDouble: (*analyser).boundLessDouble, plan.OpLeDouble: (*analyser).boundAtMostDouble,
	plan.OpFloor: (*analyser).boundRounded, plan.OpCeil: (*analyser).boundRounded, plan.OpRound: (*analyser).boundRounded,
	plan.OpTrunc: (*analyser).boundRounded, plan.OpToIntFault: (*analyser).boundToIntFault,
	plan.OpToDouble:    (*analyser).boundToDouble,
	plan.OpLtIntDouble: (*analyser).boundLessDouble, plan.OpLeIntDouble: (*analyser).boundAtMostDouble,
	plan.OpLtDoubleInt: (*analyser).boundLessDouble, plan.OpLeDoubleInt: (*analyser).boundAtMostDouble,

	plan.OpAnd: (*analyser).boundAnd, plan.OpOr: (*analyser).boundOr, plan.OpNot: (*analyser).boundNot,
	plan.OpSelect:   (*analyser).boundSelect,
	plan.OpAndFault: (*analyser).boundSideFault, plan.OpOrFault: (*analyser).boundSideFault,
	plan.OpFirstFault: (*analyser).boundFirstFault, plan.OpNoFault: (*analyser).boundNoFault,
	plan.OpFail: (*analyser).boundFail,

	plan.OpConcatString: boundByKind, plan.OpLtString: boundByKind, plan.OpLeString: boundByKind,
	plan.OpSizeString: func(*analyser, *plan.Node) Interval { return intInterval(0, math.MaxInt64) },
	plan.OpContains:   boundByKind, plan.OpStartsWith: boundByKind, plan.OpEndsWith: boundByKind,
	plan.OpIntToString: boundByKind, plan.OpDoubleToString: boundByKind, plan.OpBoolToString: boundByKind,
	plan.OpStringToInt: boundByKind, plan.OpStringToIntFault: boundByKind,
	plan.OpStringToDouble: boundByKind, plan.OpStringToDoubleFault: boundByKind,
	plan.OpIndexOf: func(*analyser, *plan.Node) Interval { return intInterval(-1, math.MaxInt64) },
	plan.OpLower:   boundByKind, plan.OpUpper: boundByKind,

	plan.OpNewSpan: (*analyser).boundNewSpan, plan.OpPush: (*analyser).boundPush, plan.OpSize: (*analyser).boundSize,
	plan.OpElem: (*analyser).boundElem, plan.OpElemFault: (*analyser).boundElemFault,
	plan.OpConcat: (*analyser).boundConcat,
	plan.OpSlice:  (*analyser).boundSlice, plan.OpSliceFault: (*analyser).boundSliceFault,
	plan.OpRange: (*analyser).boundRange, plan.OpRangeFault: (*analyser).boundRangeFault,
	plan.OpSort: (*analyser).boundSorted, plan.OpSortBy: (*analyser).boundSorted,
	plan.OpSumInt: (*analyser).boundSum, plan.OpSumIntFault: (*analyser).boundSumFault, plan.OpSumDouble: boundByKind,
	plan.OpLeast: (*analyser).boundExtreme, plan.OpGreatest: (*analyser).boundExtreme,
	plan.OpEmptyFault: (*analyser).boundEmptyFault,
	plan.OpHas:        boundByKind, plan.OpEqual: boundByKind,
	plan.OpFind: (*analyser).boundFind, plan.OpFindFault: boundByKind,
	plan.OpWith: (*analyser).boundWith, plan.OpKeys: (*analyser).boundKeys,
	plan.OpPour: (*analyser).boundPour, plan.OpPourFault: boundByKind,
	plan.OpCounts: (*analyser).boundCounts, plan.OpCountsFault: (*analyser).boundCountsFault,

	plan.OpRow: (*analyser).boundRow, plan.OpRowDouble: (*analyser).boundRowDouble,
	plan.OpRowFault: (*analyser).boundRowFault, plan.OpCell: (*analyser).boundCell,

	plan.OpRoll: (*analyser).boundRoll, plan.OpRequire: boundByKind, plan.OpCover: boundByKind,
}

// boundByKind knows nothing but the kind.
func boundByKind(_ *analyser, n *plan.Node) Interval { return anyOfKind(n.Kind) }

// transferOf is the transfer function of an operation; nil when it has none.
func transferOf(op plan.Op) transfer {
	if op.Has(plan.Divides) {
		return (*analyser).boundQuotient
	}
	return transfers[op]
}

// HasTransfer reports whether the analysis knows an operation. OpLoop is no operation of its own.
func HasTransfer(op plan.Op) bool { return op == plan.OpLoop || transferOf(op) != nil }

// boundResult is what a loop carries in the end: what it began with, or what its body gave. Of what the body only adds to
// more is known: it was added as often as the loop was repeated.
func (a *analyser) boundResult(n *plan.Node) Interval {
	loop := &a.graph.Nodes[n.Args[0]]
	began, times := a.at[loop.Args[n.Imm+1]], a.arg(loop, 0)
	given := a.at[a.graph.Blocks[loop.Imm].Results[n.Imm]]
	switch {
	case times.Max <= 0:
		return began
	case times.Min <= 0:
		given = began.join(given)
	}
	added, ok := a.findAdded(loop, int(n.Imm))
	if !ok {
		return given
	}
	if added, ok = corners(plan.OpMulInt, intInterval(max(0, times.Min), times.Max), added); !ok {
		return given
	}
	if sum, ok := corners(plan.OpAddInt, began, added); ok {
		given.Min, given.Max = max(given.Min, sum.Min), min(given.Max, sum.Max)
	}
	return given
}

func (a *analyser) boundConst(n *plan.Node) Interval {
	if n.Kind == plan.List || n.Kind == plan.Map {
		size := int64(uint32(n.Imm))
		return intInterval(size, size)
	}
	return constantInterval(n.Kind, n.Imm)
}

func (a *analyser) boundLeaf(n *plan.Node) Interval {
	l := a.graph.Leaves[n.Imm]
	if !a.known[l.Root] {
		return anyOfKind(n.Kind)
	}
	return a.roots[l.Root][l.Offset]
}

// followLoop follows a body until what it carries holds everything that any iteration can.
func (a *analyser) followLoop(n *plan.Node) {
	times := a.arg(n, 0).Max
	carried := []Interval{intInterval(0, max(0, times-1))}
	for _, init := range n.Args[1:] {
		carried = append(carried, a.at[init])
	}
	for round := int64(1); times > 0; round++ {
		grown := a.followOnce(n, carried)
		gaveUp := round > maxRounds || a.left < 0
		if gaveUp && round < times {
			a.giveUp(n, carried, grown) // a span that is pushed to cannot become longer than the longest
		}
		if equalAll(carried, grown) || round >= times {
			if gaveUp {
				a.narrowSums(n, carried, times)
			}
			return
		}
		carried = grown
	}
}

// narrowSums bounds what a body only adds to: what it adds is known for anything that is carried, and so is how often.
// Before the last iteration it has been added once less.
func (a *analyser) narrowSums(n *plan.Node, carried []Interval, times int64) {
	for k := range a.graph.Blocks[n.Imm].Results {
		added, ok := a.findAdded(n, k)
		if !ok {
			continue
		}
		grown, ok := corners(plan.OpMulInt, intInterval(0, times-1), added)
		if !ok {
			continue
		}
		if out, ok := corners(plan.OpAddInt, a.at[n.Args[k+1]], grown); ok {
			carried[k+1] = out
		}
	}
	a.followOnce(n, carried)
}

// findAdded is what each iteration adds to the k-th value that a loop carries; not ok when it does something else with it.
func (a *analyser) findAdded(loop *plan.Node, k int) (Interval, bool) {
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

// followOnce follows the body once, and gives what it carries then or before.
func (a *analyser) followOnce(n *plan.Node, carried []Interval) []Interval {
	outer := a.params
	a.params = carried
	a.followBlock(n.Imm)
	a.params = outer
	grown := []Interval{carried[0]}
	for k, id := range a.graph.Blocks[n.Imm].Results {
		grown = append(grown, carried[k+1].join(a.at[id]))
	}
	return grown
}

// giveUp leaves nothing of what still moves.
func (a *analyser) giveUp(n *plan.Node, carried, grown []Interval) {
	for k := range grown {
		kind := plan.Int
		if k > 0 {
			kind = a.graph.Nodes[n.Args[k]].Kind
		}
		grown[k] = carried[k].widen(grown[k], kind)
	}
}

func equalAll(a, b []Interval) bool {
	for i := range a {
		if !a[i].equal(b[i]) {
			return false
		}
	}
	return true
}

// boundRoll is what a die shows, or its dice; nothing when its guard does not hold.
func (a *analyser) boundRoll(n *plan.Node) Interval {
	die := &a.graph.Dice[n.Imm]
	guard, faces, count := a.arg(n, 0), intInterval(DieTotals(die, max(1, a.arg(n, 1).Max))), a.arg(n, 2)
	if !die.List {
		if guard.Min == 0 {
			faces = faces.or0(plan.Int)
		}
		return faces
	}
	out := intInterval(max(0, count.Min), max(0, count.Max))
	if die.Most > 0 {
		out.Max = min(out.Max, die.Most)
	}
	if guard.Min == 0 {
		out.Min = 0
	}
	out.Max, out.Elem = min(out.Max, math.MaxUint32), []Interval{faces}
	return out
}
