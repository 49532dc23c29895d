package runtime

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

const (
	minInt int64 = math.MinInt64
	maxInt int64 = math.MaxInt64
	two53  int64 = 1 << 53
	two32  int64 = 1 << 32
)

var (
	intList    = plan.ListOf(plan.IntType)
	doubleList = plan.ListOf(plan.DoubleType)
	stringList = plan.ListOf(plan.StringType)
	boolList   = plan.ListOf(plan.BoolType)
	intMap     = plan.MapOf(plan.IntType)
	nan        = math.NaN()
	inf        = math.Inf(1)
)

// An opCase is one operation on values. Of a fault, want is its message, empty when it does not happen; of any other the value as JSON.
type opCase struct {
	op   plan.Op
	args []any
	want string
	imm  *plan.Type // a type that the immediate names
}

func in(args ...any) []any { return args }

// opCases are grouped by what the operations give.
var opCases = []struct {
	gives *plan.Type // nil: a fault
	cases []opCase
}{
	{plan.IntType, []opCase{
		{plan.OpAddInt, in(2, 3), "5", nil},
		{plan.OpAddInt, in(maxInt, 1), "-9223372036854775808", nil},
		{plan.OpSubInt, in(2, 3), "-1", nil},
		{plan.OpSubInt, in(minInt, 1), "9223372036854775807", nil},
		{plan.OpMulInt, in(-4, 3), "-12", nil},
		{plan.OpNegInt, in(4), "-4", nil},
		{plan.OpNegInt, in(minInt), "-9223372036854775808", nil},
		{plan.OpAbsInt, in(-4), "4", nil},
		{plan.OpAbsInt, in(4), "4", nil},
		{plan.OpMinInt, in(4, -3), "-3", nil},
		{plan.OpMaxInt, in(4, -3), "4", nil},
		{plan.OpDivTrunc, in(-7, 2), "-3", nil},
		{plan.OpDivTrunc, in(7, 0), "0", nil},
		{plan.OpDivFloor, in(-7, 2), "-4", nil},
		{plan.OpDivCeil, in(-7, 2), "-3", nil},
		{plan.OpDivCeil, in(7, 2), "4", nil},
		{plan.OpDivHalfUp, in(-7, 2), "-3", nil},
		{plan.OpDivHalfUp, in(7, 2), "4", nil},
		{plan.OpDivAway, in(-7, 2), "-4", nil},
		{plan.OpDivAway, in(7, 2), "4", nil},
		{plan.OpDivAway, in(8, -2), "-4", nil},
		{plan.OpDivAway, in(7, 0), "0", nil},
		{plan.OpModInt, in(-7, 3), "-1", nil},
		{plan.OpModInt, in(7, 0), "0", nil},
		{plan.OpPowInt, in(-2, 3), "-8", nil},
		{plan.OpPowInt, in(0, 0), "1", nil},
		{plan.OpPowInt, in(2, -1), "0", nil},
		{plan.OpFloor, in(-2.5), "-3", nil},
		{plan.OpFloor, in(nan), "0", nil},
		{plan.OpCeil, in(-2.5), "-2", nil},
		{plan.OpCeil, in(1e300), "0", nil},
		{plan.OpRound, in(2.5), "3", nil},
		{plan.OpRound, in(-2.5), "-3", nil},
		{plan.OpRound, in(0.49999999999999994), "0", nil},
		{plan.OpTrunc, in(-2.9), "-2", nil},
		{plan.OpSizeString, in("héé"), "3", nil},
		{plan.OpIndexOf, in("héllo", "l"), "2", nil},
		{plan.OpIndexOf, in("héllo", "z"), "-1", nil},
		{plan.OpIndexOf, in("héllo", ""), "0", nil},
		{plan.OpStringToInt, in("-12"), "-12", nil},
		{plan.OpStringToInt, in("1.5"), "0", nil},
		{plan.OpSize, in(list{7, 8, 9}), "3", nil},
		{plan.OpSize, in(dict{"a", 1}), "1", nil},
		{plan.OpSumInt, in(list{7, 8, 9}), "24", nil},
		{plan.OpSumInt, in(list{}), "0", nil},
		{plan.OpLeast, in(list{7, -8, 9}), "-8", intList},
		{plan.OpLeast, in(list{}), "0", intList},
		{plan.OpGreatest, in(list{7, -8, 9}), "9", intList},
		{plan.OpFind, in(dict{"a", 1, "b", 2}, "b"), "1", intMap},
		{plan.OpFind, in(dict{"a", 1, "b", 2}, "c"), "-1", intMap},
	}},
	{plan.DoubleType, []opCase{
		{plan.OpAddDouble, in(0.1, 0.2), "0.30000000000000004", nil},
		{plan.OpSubDouble, in(1.0, 0.75), "0.25", nil},
		{plan.OpMulDouble, in(100.0, 0.29), "28.999999999999996", nil},
		{plan.OpDivDouble, in(1.0, 8.0), "0.125", nil},
		{plan.OpNegDouble, in(1.5), "-1.5", nil},
		{plan.OpNegDouble, in(0.0), "-0.0", nil},
		{plan.OpAbsDouble, in(-1.5), "1.5", nil},
		{plan.OpMinDouble, in(2.0, 1.0), "1.0", nil},
		{plan.OpMinDouble, in(1.0, nan), "1.0", nil},
		{plan.OpMaxDouble, in(2.0, 1.0), "2.0", nil},
		{plan.OpMaxDouble, in(2.0, nan), "2.0", nil},
		{plan.OpPowDouble, in(2.0, -2.0), "0.25", nil},
		{plan.OpToDouble, in(3), "3.0", nil},
		{plan.OpStringToDouble, in("2.5"), "2.5", nil},
		{plan.OpStringToDouble, in("x"), "0.0", nil},
		{plan.OpSumDouble, in(list{0.5, 0.25}), "0.75", nil},
		{plan.OpLeast, in(list{0.5, -0.25}), "-0.25", doubleList},
		{plan.OpGreatest, in(list{-0.5, -0.25}), "-0.25", doubleList},
	}},
	{plan.BoolType, []opCase{
		{plan.OpEqInt, in(3, 3), "true", nil},
		{plan.OpEqInt, in(3, 4), "false", nil},
		{plan.OpLtInt, in(minInt, maxInt), "true", nil},
		{plan.OpLtInt, in(3, 3), "false", nil},
		{plan.OpLeInt, in(3, 3), "true", nil},
		{plan.OpLeInt, in(4, 3), "false", nil},
		{plan.OpEqDouble, in(0.0, math.Copysign(0, -1)), "true", nil},
		{plan.OpEqDouble, in(nan, nan), "false", nil},
		{plan.OpLtDouble, in(1.0, inf), "true", nil},
		{plan.OpLtDouble, in(nan, inf), "false", nil},
		{plan.OpLeDouble, in(1.0, 1.0), "true", nil},
		{plan.OpLeDouble, in(1.0, nan), "false", nil},
		{plan.OpLtIntDouble, in(two53, float64(two53)+2), "true", nil},
		{plan.OpLeIntDouble, in(3, 3.5), "true", nil},
		{plan.OpLtDoubleInt, in(3.5, 3), "false", nil},
		{plan.OpLeDoubleInt, in(3.0, 3), "true", nil},
		{plan.OpLeDoubleInt, in(3.5, 3), "false", nil},
		// An int is rounded to a double first, as the conformance suite of CEL has it.
		{plan.OpLtIntDouble, in(maxInt, 9223372036854775808.0), "false", nil},
		{plan.OpLeIntDouble, in(maxInt, 9223372036854775808.0), "true", nil},
		{plan.OpLtDoubleInt, in(9223372036854775808.0, maxInt), "false", nil},
		{plan.OpLeDoubleInt, in(9223372036854775808.0, maxInt), "true", nil},
		{plan.OpLtDoubleInt, in(2.5, 3), "true", nil},
		{plan.OpLtIntDouble, in(3, nan), "false", nil},
		{plan.OpLeDoubleInt, in(nan, 3), "false", nil},
		{plan.OpAnd, in(true, false), "false", nil},
		{plan.OpAnd, in(true, true), "true", nil},
		{plan.OpOr, in(true, false), "true", nil},
		{plan.OpOr, in(false, false), "false", nil},
		{plan.OpNot, in(true), "false", nil},
		{plan.OpLtString, in("B", "a"), "true", nil},
		{plan.OpLtString, in("a", "a"), "false", nil},
		{plan.OpLeString, in("a", "a"), "true", nil},
		{plan.OpLeString, in("b", "a"), "false", nil},
		{plan.OpContains, in("hello", "ell"), "true", nil},
		{plan.OpContains, in("hello", "elo"), "false", nil},
		{plan.OpStartsWith, in("hello", "he"), "true", nil},
		{plan.OpStartsWith, in("hello", "lo"), "false", nil},
		{plan.OpEndsWith, in("hello", "lo"), "true", nil},
		{plan.OpEndsWith, in("hello", "he"), "false", nil},
		{plan.OpHas, in(list{1, 2}, 2), "true", intList},
		{plan.OpHas, in(list{1, 2}, 3), "false", intList},
		{plan.OpHas, in(list{0.0, nan}, math.Copysign(0, -1)), "true", doubleList},
		{plan.OpHas, in(list{0.0, nan}, nan), "false", doubleList},
		{plan.OpHas, in(list{"a", "b"}, "b"), "true", stringList},
		{plan.OpEqual, in(list{1, 2}, list{1, 2}), "true", intList},
		{plan.OpEqual, in(list{1, 2}, list{2, 1}), "false", intList},
		{plan.OpEqual, in(list{1, 2}, list{1}), "false", intList},
		{plan.OpEqual, in(list{nan}, list{nan}), "false", doubleList},
		{plan.OpEqual, in(list{0.0}, list{math.Copysign(0, -1)}), "true", doubleList},
		{plan.OpEqual, in(list{list{1}, list{}}, list{list{1}, list{}}), "true", plan.ListOf(intList)},
		{plan.OpEqual, in(list{list{1}, list{2}}, list{list{1}, list{3}}), "false", plan.ListOf(intList)},
		{plan.OpEqual, in(dict{"a", 1, "b", 2}, dict{"a", 1, "b", 2}), "true", intMap},
		{plan.OpEqual, in(dict{"a", 1, "b", 2}, dict{"a", 1, "c", 2}), "false", intMap},
		{plan.OpEqual, in(dict{"a", 1}, dict{"a", 2}), "false", intMap},
		{plan.OpEqual, in(list{row{1, true, 2}, row{3, false, 4}}, list{row{1, true, 2}, row{3, false, 5}}), "true", plan.ListOf(pair)},
		{plan.OpEqual, in(list{row{1, true, 2}}, list{row{1, true, 3}}), "false", plan.ListOf(pair)},
		{plan.OpEqual, in(list{row{1, true, 2}}, list{row{1, false, 2}}), "false", plan.ListOf(pair)},
	}},
	{plan.StringType, []opCase{
		{plan.OpConcatString, in("he", "llo"), `"hello"`, nil},
		{plan.OpConcatString, in("", "x"), `"x"`, nil},
		{plan.OpIntToString, in(minInt), `"-9223372036854775808"`, nil},
		{plan.OpDoubleToString, in(1e21), `"1e+21"`, nil},
		{plan.OpDoubleToString, in(-inf), `"-Inf"`, nil},
		{plan.OpDoubleToString, in(0.1), `"0.1"`, nil},
		{plan.OpBoolToString, in(true), `"true"`, nil},
		{plan.OpLower, in("AZ[É"), `"az[É"`, nil},
		{plan.OpUpper, in("az{é"), `"AZ{é"`, nil},
	}},
	{intList, []opCase{
		{plan.OpConcat, in(list{1, 2}, list{3}), "[1,2,3]", intList},
		{plan.OpConcat, in(list{}, list{}), "[]", intList},
		{plan.OpSlice, in(list{1, 2, 3, 4}, 1, 3), "[2,3]", intList},
		{plan.OpSlice, in(list{1, 2}, 2, 2), "[]", intList},
		{plan.OpSlice, in(list{1, 2}, 0, 3), "[]", intList},
		{plan.OpRange, in(2, 5), "[2,3,4]", nil},
		{plan.OpRange, in(5, 2), "[]", nil},
		{plan.OpRange, in(minInt, maxInt), "[]", nil},
		{plan.OpSort, in(list{3, -1, 2}), "[-1,2,3]", intList},
		{plan.OpPour, in(7, list{3, 0, 9}), "[3,0,4]", nil},
		{plan.OpPour, in(9, list{2, 3}), "[2,3]", nil},
		{plan.OpPour, in(-9, list{2, 3}), "[0,0]", nil},
		{plan.OpCounts, in(list{6, 1, 6, 3, 9}, 1, 6), "[1,0,1,0,0,2]", nil},
		{plan.OpCounts, in(list{minInt, maxInt}, maxInt, maxInt), "[1]", nil},
		{plan.OpCounts, in(list{1}, 2, 1), "[]", nil},
		{plan.OpCounts, in(list{1}, minInt, maxInt), "[]", nil},
	}},
	{doubleList, []opCase{{plan.OpSort, in(list{3.0, -1.5, 2.0}), "[-1.5,2.0,3.0]", doubleList}}},
	{boolList, []opCase{{plan.OpSort, in(list{true, false}), "[false,true]", boolList}}},
	{stringList, []opCase{
		{plan.OpSort, in(list{"b", "é", "B", "a"}), `["B","a","b","é"]`, stringList},
		{plan.OpKeys, in(dict{"a", 1, "b", 2}), `["a","b"]`, intMap},
	}},
	{intMap, []opCase{
		{plan.OpWith, in(dict{"a", 1, "c", 2}, "b", 3), `{"a":1,"b":3,"c":2}`, intMap},
		{plan.OpWith, in(dict{"a", 1, "c", 2}, "c", 3), `{"a":1,"c":3}`, intMap},
		{plan.OpWith, in(dict{}, "c", 3), `{"c":3}`, intMap},
	}},
	{nil, []opCase{
		{plan.OpAddIntFault, in(maxInt, 1), "integer overflow", nil},
		{plan.OpAddIntFault, in(maxInt, minInt), "", nil},
		{plan.OpSubIntFault, in(minInt, 1), "integer overflow", nil},
		{plan.OpSubIntFault, in(0, minInt), "integer overflow", nil},
		{plan.OpSubIntFault, in(-1, minInt), "", nil},
		{plan.OpMulIntFault, in(minInt, -1), "integer overflow", nil},
		{plan.OpMulIntFault, in(two32, two32/2), "integer overflow", nil},
		{plan.OpMulIntFault, in(two32, -two32/2), "", nil},
		{plan.OpNegIntFault, in(minInt), "integer overflow", nil},
		{plan.OpNegIntFault, in(maxInt), "", nil},
		{plan.OpAbsIntFault, in(minInt), "integer overflow", nil},
		{plan.OpAbsIntFault, in(-5), "", nil},
		{plan.OpDivFault, in(1, 0), "division by zero", nil},
		{plan.OpDivFault, in(minInt, -1), "integer overflow", nil},
		{plan.OpDivFault, in(minInt, 1), "", nil},
		{plan.OpModFault, in(1, 0), "modulus by zero", nil},
		{plan.OpModFault, in(minInt, -1), "integer overflow", nil},
		{plan.OpModFault, in(7, 3), "", nil},
		{plan.OpPowIntFault, in(2, -1), "pow of integers has no negative exponent: -1", nil},
		{plan.OpPowIntFault, in(2, 63), "integer overflow", nil},
		{plan.OpPowIntFault, in(-2, 63), "", nil},
		{plan.OpPowIntFault, in(-1, maxInt), "", nil},
		{plan.OpStringToIntFault, in("1.5"), `"1.5" is no int`, nil},
		{plan.OpStringToIntFault, in("15"), "", nil},
		{plan.OpStringToDoubleFault, in("x"), `"x" is no double`, nil},
		{plan.OpStringToDoubleFault, in("1e3"), "", nil},
		{plan.OpElemFault, in(list{7, 8}, 2), "index out of bounds: 2, the list has 2 elements", nil},
		{plan.OpElemFault, in(list{7, 8}, -1), "index out of bounds: -1, the list has 2 elements", nil},
		{plan.OpElemFault, in(list{7, 8}, 1), "", nil},
		{plan.OpSliceFault, in(list{7, 8}, 1, 3), "index out of bounds: the list has no slice from 1 to 3", intList},
		{plan.OpSliceFault, in(list{7, 8}, 2, 1), "index out of bounds: the list has no slice from 2 to 1", intList},
		{plan.OpSliceFault, in(list{7, 8}, 0, 2), "", intList},
		{plan.OpRangeFault, in(0, 1001), "range error: from 0 to 1001 are more than 1000 elements", nil},
		{plan.OpRangeFault, in(minInt, maxInt), "range error: from -9223372036854775808 to 9223372036854775807 are more than 1000 elements", nil},
		{plan.OpRangeFault, in(maxInt, minInt), "", nil},
		{plan.OpRangeFault, in(0, 1000), "", nil},
		{plan.OpSumIntFault, in(list{maxInt, 1, -5}), "integer overflow", nil},
		{plan.OpSumIntFault, in(list{maxInt, -1, 1}), "", nil},
		{plan.OpEmptyFault, in(list{}), "the list is empty", intList},
		{plan.OpEmptyFault, in(list{1}), "", intList},
		{plan.OpFindFault, in(dict{"a", 1}, "b"), "no such key: b", intMap},
		{plan.OpFindFault, in(dict{"a", 1}, "a"), "", intMap},
		{plan.OpFindFault, in(dict{1, 1}, 2), "no such key: 2", &plan.Type{Kind: plan.Map, Key: plan.Int, Elem: plan.IntType}},
		{plan.OpFindFault, in(dict{true, 1}, false), "no such key: false", &plan.Type{Kind: plan.Map, Key: plan.Bool, Elem: plan.IntType}},
		{plan.OpPourFault, in(-1, list{1}), "range error: an amount or a capacity is negative", nil},
		{plan.OpPourFault, in(1, list{1, -1}), "range error: an amount or a capacity is negative", nil},
		{plan.OpPourFault, in(1, list{}), "", nil},
		{plan.OpCountsFault, in(list{}, 1, 1000), "", nil},
		{plan.OpCountsFault, in(list{}, 2, 1), "", nil},
		{plan.OpCountsFault, in(list{}, 0, 1000), "range error: from 0 to 1000 are more than 1000 elements", nil},
		{plan.OpCountsFault, in(list{}, minInt, maxInt), "range error: from -9223372036854775808 to 9223372036854775807 are more than 1000 elements", nil},
	}},
}

// pair is a record with an optional field.
var pair = &plan.Type{Kind: plan.Record, Fields: []plan.Field{
	{Name: "x", Type: plan.IntType}, {Name: "y", Type: plan.IntType, Optional: true},
}}

// Every case is executed on operands that are read, and again on constants, which passes may compute: both must agree.
func TestOps(t *testing.T) {
	for _, group := range opCases {
		for _, c := range group.cases {
			for _, constant := range []bool{false, true} {
				b := c.build(group.gives, constant)
				want := `{"r":` + c.want + `}`
				switch {
				case group.gives == nil && c.want == "":
					want = `{"r":0}`
				case group.gives == nil:
					want = "site 0: " + c.want
				}
				b.check(t, c.op.String(), want)
			}
		}
	}
}

// build makes the graph of a case.
func (c *opCase) build(gives *plan.Type, constant bool) *build {
	b := newBuild()
	var args []plan.ID
	for _, a := range c.args {
		args = append(args, b.value(a, constant))
	}
	imm := int64(0)
	if c.imm != nil {
		imm = b.typ(c.imm)
	}
	if gives == nil {
		b.out("r", plan.IntType, b.int(0), b.node(c.op, plan.Fault, imm, args...))
	} else {
		b.out("r", gives, b.node(c.op, gives.Kind, imm, args...), plan.None)
	}
	return b
}
