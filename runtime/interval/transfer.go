package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

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
	plan.OpPowDouble: boundByKind, plan.OpEqDouble: (*analyser).boundEqualDouble,
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

// transferOf returns the transfer function of an operation; nil when it has none.
func transferOf(op plan.Op) transfer {
	if op.Has(plan.Divides) {
		return (*analyser).boundQuotient
	}
	return transfers[op]
}

// HasTransfer reports whether the analysis knows an operation. OpLoop is no operation of its own.
func HasTransfer(op plan.Op) bool { return op == plan.OpLoop || transferOf(op) != nil }
