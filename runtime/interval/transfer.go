package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// transfers holds the transfer function of each operation. OpLoop has none: its body is followed, and OpResult reads it.
var transfers = [plan.NumOps]transfer{
	plan.OpConst:  boundConst,
	plan.OpLeaf:   boundLeaf,
	plan.OpOption: func(v *valuation, n *plan.Node) Interval { return symbolInterval(v.plan.Options[n.Imm].Symbols) },
	plan.OpParam:  func(v *valuation, n *plan.Node) Interval { return v.params[n.Imm] },
	plan.OpResult: boundResult,

	plan.OpAddInt: boundMonotonic, plan.OpAddIntFault: overflowOf(plan.OpAddInt),
	plan.OpSubInt: boundMonotonic, plan.OpSubIntFault: overflowOf(plan.OpSubInt),
	plan.OpMulInt: boundMonotonic, plan.OpMulIntFault: overflowOf(plan.OpMulInt),
	plan.OpNegInt: boundNegative, plan.OpNegIntFault: boundNegFault,
	plan.OpAbsInt: boundAbsolute, plan.OpAbsIntFault: boundNegFault,
	plan.OpMinInt: boundMonotonic, plan.OpMaxInt: boundMonotonic,
	plan.OpDivFault: boundDivFault,
	plan.OpModInt:   boundRest, plan.OpModFault: boundDivFault,
	plan.OpPowInt: boundPower, plan.OpPowIntFault: boundPowFault,
	plan.OpEqInt: boundEqual, plan.OpLtInt: boundLess, plan.OpLeInt: boundAtMost,

	plan.OpAddDouble: boundMonotonicDouble, plan.OpSubDouble: boundMonotonicDouble,
	plan.OpMulDouble: boundProduct, plan.OpDivDouble: boundRatio,
	plan.OpNegDouble: boundNegativeDouble, plan.OpAbsDouble: boundAbsoluteDouble,
	plan.OpMinDouble: boundLesserDouble, plan.OpMaxDouble: boundLesserDouble,
	plan.OpPowDouble: boundByKind, plan.OpEqDouble: boundEqualDouble,
	plan.OpLtDouble: boundLessDouble, plan.OpLeDouble: boundAtMostDouble,
	plan.OpFloor: boundRounded, plan.OpCeil: boundRounded, plan.OpRound: boundRounded,
	plan.OpTrunc: boundRounded, plan.OpToIntFault: boundToIntFault,
	plan.OpToDouble:    boundToDouble,
	plan.OpLtIntDouble: boundLessDouble, plan.OpLeIntDouble: boundAtMostDouble,
	plan.OpLtDoubleInt: boundLessDouble, plan.OpLeDoubleInt: boundAtMostDouble,

	plan.OpAnd: boundAnd, plan.OpOr: boundOr, plan.OpNot: boundNot,
	plan.OpSelect:   boundSelect,
	plan.OpAndFault: boundSideFault, plan.OpOrFault: boundSideFault,
	plan.OpFirstFault: boundFirstFault, plan.OpNoFault: boundNoFault,
	plan.OpFail: boundFail,

	plan.OpConcatString: boundByKind, plan.OpLtString: boundByKind, plan.OpLeString: boundByKind,
	plan.OpSizeString: func(*valuation, *plan.Node) Interval { return intInterval(0, math.MaxInt64) },
	plan.OpContains:   boundByKind, plan.OpStartsWith: boundByKind, plan.OpEndsWith: boundByKind,
	plan.OpIntToString: boundByKind, plan.OpDoubleToString: boundByKind, plan.OpBoolToString: boundByKind,
	plan.OpStringToInt: boundByKind, plan.OpStringToIntFault: boundByKind,
	plan.OpStringToDouble: boundByKind, plan.OpStringToDoubleFault: boundByKind,
	plan.OpIndexOf: func(*valuation, *plan.Node) Interval { return intInterval(-1, math.MaxInt64) },
	plan.OpLower:   boundByKind, plan.OpUpper: boundByKind,

	plan.OpNewSpan: boundNewSpan, plan.OpPush: boundPush, plan.OpSize: boundSize,
	plan.OpElem: boundElem, plan.OpElemFault: boundElemFault,
	plan.OpConcat: boundConcat,
	plan.OpSlice:  boundSlice, plan.OpSliceFault: boundSliceFault,
	plan.OpRange: boundRange, plan.OpRangeFault: boundRangeFault,
	plan.OpSort: boundSorted, plan.OpSortBy: boundSorted,
	plan.OpSumInt: boundSum, plan.OpSumIntFault: boundSumFault, plan.OpSumDouble: boundByKind,
	plan.OpLeast: boundExtreme, plan.OpGreatest: boundExtreme,
	plan.OpEmptyFault: boundEmptyFault,
	plan.OpHas:        boundByKind, plan.OpEqual: boundByKind,
	plan.OpFind: boundFind, plan.OpFindFault: boundByKind,
	plan.OpWith: boundWith, plan.OpKeys: boundKeys,
	plan.OpPour: boundPour, plan.OpPourFault: boundByKind,
	plan.OpCounts: boundCounts, plan.OpCountsFault: boundCountsFault,

	plan.OpRow: boundRow, plan.OpRowDouble: boundRowDouble,
	plan.OpRowFault: boundRowFault, plan.OpCell: boundCell,

	plan.OpRoll: boundRoll, plan.OpRequire: boundByKind, plan.OpCover: boundByKind,
}

// transferOf returns the transfer function of an operation; nil when it has none.
func transferOf(op plan.Op) transfer {
	if op.Has(plan.Divides) {
		return boundQuotient
	}
	return transfers[op]
}

// HasTransfer reports whether the analysis knows an operation. OpLoop is no operation of its own.
func HasTransfer(op plan.Op) bool { return op == plan.OpLoop || transferOf(op) != nil }
