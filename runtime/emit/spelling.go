package emit

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Written marks an operation that a back end writes itself, because its text depends on more than its operands.
const Written = "="

// A Spelling says how an operation is written in the languages of the back ends. A cell is a template, in which $a to $d
// stand for the operands and $s for the site of a fault, or Written. A template names each operand at most once, so that an
// operand in place is computed once; the functions that it calls are those of the back end's kernel.
type Spelling struct {
	JS string
	// MayLeaveSafe says that the operation, of ints within 2^53, may give one beyond: a language whose numbers are doubles
	// must check the result unless its bounds are known.
	MayLeaveSafe bool
	// MayBeMinusZero says that the operation, of doubles that are whole, gives -0 where one of them is negative and another 0.
	MayBeMinusZero bool
}

// SpellingOf returns the row of an operation.
func SpellingOf(op plan.Op) Spelling { return spellings[op] }

// Expand returns a template with the texts of its operands and of its site.
func Expand(template string, operands []string, site string) string {
	pairs := []string{"$s", site}
	for k, text := range operands {
		pairs = append(pairs, "$"+string(rune('a'+k)), text)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// spellings has a row for every operation.
//
// In JavaScript ints and doubles are numbers, a fault is null or an object, a list is an array of elements (of more
// than one slot: of arrays of slots) and a map an array of entries in the order of their keys, each an array that
// begins with the key. What wraps beyond 64 bits in a plan has left 2^53 before, and has ended the evaluation; so
// overflows are no faults there.
var spellings = [plan.NumOps]Spelling{
	plan.OpConst: {JS: Written}, plan.OpLeaf: {JS: Written}, plan.OpOption: {JS: Written}, plan.OpParam: {JS: Written},
	plan.OpResult: {JS: Written},

	plan.OpAddInt: {JS: "$a + $b", MayLeaveSafe: true}, plan.OpSubInt: {JS: "$a - $b", MayLeaveSafe: true},
	plan.OpMulInt: {JS: "$a * $b", MayLeaveSafe: true, MayBeMinusZero: true},
	plan.OpNegInt: {JS: "0 - $a"}, plan.OpAbsInt: {JS: "Math.abs($a)"},
	plan.OpMinInt: {JS: "Math.min($a, $b)"}, plan.OpMaxInt: {JS: "Math.max($a, $b)"},
	plan.OpDivTrunc: {JS: Written}, plan.OpDivFloor: {JS: Written},
	plan.OpDivCeil: {JS: Written}, plan.OpDivHalfUp: {JS: "divHalfUp($a, $b)"},
	plan.OpDivAway: {JS: "divAway($a, $b)"}, plan.OpModInt: {JS: "modulo($a, $b)"},
	plan.OpPowInt:      {JS: "powInt($a, $b)"},
	plan.OpAddIntFault: {JS: "null"}, plan.OpSubIntFault: {JS: "null"}, plan.OpMulIntFault: {JS: "null"},
	plan.OpNegIntFault: {JS: "null"}, plan.OpAbsIntFault: {JS: "null"},
	plan.OpDivFault: {JS: "divFault($b, $s)"}, plan.OpModFault: {JS: "modFault($b, $s)"},
	plan.OpPowIntFault: {JS: "powFault($b, $s)"},
	plan.OpEqInt:       {JS: "$a === $b"}, plan.OpLtInt: {JS: Written}, plan.OpLeInt: {JS: Written},

	plan.OpAddDouble: {JS: "$a + $b"}, plan.OpSubDouble: {JS: "$a - $b"}, plan.OpMulDouble: {JS: "$a * $b"},
	plan.OpDivDouble: {JS: "$a / $b"}, plan.OpNegDouble: {JS: "-$a"}, plan.OpAbsDouble: {JS: "Math.abs($a)"},
	plan.OpMinDouble: {JS: "minDouble($a, $b)"}, plan.OpMaxDouble: {JS: "maxDouble($a, $b)"},
	plan.OpPowDouble: {JS: "powDouble($a, $b)"},
	plan.OpEqDouble:  {JS: "$a === $b"}, plan.OpLtDouble: {JS: "$a < $b"}, plan.OpLeDouble: {JS: "$a <= $b"},
	plan.OpFloor: {JS: Written}, plan.OpCeil: {JS: Written},
	plan.OpRound: {JS: Written}, plan.OpTrunc: {JS: Written},
	plan.OpToIntFault:  {JS: "toIntFault($a, $s)"},
	plan.OpToDouble:    {JS: "$a"},
	plan.OpLtIntDouble: {JS: "$a < $b"}, plan.OpLeIntDouble: {JS: "$a <= $b"},
	plan.OpLtDoubleInt: {JS: "$a < $b"}, plan.OpLeDoubleInt: {JS: "$a <= $b"},

	plan.OpAnd: {JS: "$a && $b"}, plan.OpOr: {JS: "$a || $b"}, plan.OpNot: {JS: "!$a"}, plan.OpSelect: {JS: "$a ? $b : $c"},
	plan.OpAndFault: {JS: "andFault($a, $b, $c, $d)"}, plan.OpOrFault: {JS: "orFault($a, $b, $c, $d)"},
	plan.OpFirstFault: {JS: "$a || $b"}, plan.OpNoFault: {JS: "!$a"}, plan.OpFail: {JS: Written},

	plan.OpConcatString: {JS: "r.join($a, $b)"}, plan.OpLtString: {JS: "compareText($a, $b) < 0"},
	plan.OpLeString: {JS: "compareText($a, $b) <= 0"}, plan.OpSizeString: {JS: "sizeText($a)"},
	plan.OpContains: {JS: "$a.includes($b)"}, plan.OpStartsWith: {JS: "$a.startsWith($b)"},
	plan.OpEndsWith: {JS: "$a.endsWith($b)"}, plan.OpIntToString: {JS: "String($a)"},
	plan.OpDoubleToString: {JS: "doubleText($a)"}, plan.OpBoolToString: {JS: "String($a)"},
	plan.OpStringToInt: {JS: "parseInteger($a)"}, plan.OpStringToIntFault: {JS: "integerFault($a, $s)"},
	plan.OpStringToDouble: {JS: "parseDouble($a)"}, plan.OpStringToDoubleFault: {JS: "doubleFault($a, $s)"},
	plan.OpIndexOf: {JS: "indexOfText($a, $b)"}, plan.OpLower: {JS: "lower($a)"}, plan.OpUpper: {JS: "upper($a)"},

	plan.OpNewSpan: {JS: "[]"}, plan.OpPush: {JS: Written}, plan.OpSize: {JS: "$a.length"}, plan.OpElem: {JS: Written},
	plan.OpElemFault: {JS: "elementFault($a, $b, $s)"}, plan.OpConcat: {JS: "r.concat($a, $b)"},
	plan.OpSlice: {JS: "slice($a, $b, $c)"}, plan.OpSliceFault: {JS: "sliceFault($a, $b, $c, $s)"},
	plan.OpRange: {JS: "range($a, $b)"}, plan.OpRangeFault: {JS: "rangeFault($a, $b, $s)"},
	plan.OpSort: {JS: "sort($a)"}, plan.OpSortBy: {JS: "sortBy($a, $b)"},
	plan.OpSumInt: {JS: "sumInts($a)"}, plan.OpSumIntFault: {JS: "null"}, plan.OpSumDouble: {JS: "sumDoubles($a)"},
	plan.OpLeast: {JS: "least($a)"}, plan.OpGreatest: {JS: "greatest($a)"}, plan.OpEmptyFault: {JS: "emptyFault($a, $s)"},
	plan.OpHas: {JS: "$a.indexOf($b) >= 0"}, plan.OpEqual: {JS: Written}, plan.OpFind: {JS: "find($a, $b)"},
	plan.OpFindFault: {JS: "findFault($a, $b, $s)"}, plan.OpWith: {JS: Written}, plan.OpKeys: {JS: "keys($a)"},
	plan.OpPour: {JS: "pour($a, $b)"}, plan.OpPourFault: {JS: "pourFault($a, $b, $s)"},
	plan.OpCounts: {JS: "counts($a, $b, $c)"}, plan.OpCountsFault: {JS: "countsFault($b, $c, $s)"},

	plan.OpRow: {JS: Written}, plan.OpRowDouble: {JS: Written}, plan.OpRowFault: {JS: Written}, plan.OpCell: {JS: Written},

	plan.OpLoop: {JS: Written}, plan.OpRoll: {JS: Written}, plan.OpRequire: {JS: Written},
	plan.OpCover: {JS: "null"}, // branches are counted by the interpreter
}
