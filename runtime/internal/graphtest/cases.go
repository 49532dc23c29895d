package graphtest

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

const (
	MinInt int64 = math.MinInt64
	MaxInt int64 = math.MaxInt64
	Two53  int64 = 1 << 53
	two32  int64 = 1 << 32
)

var (
	IntList    = plan.ListOf(plan.IntType)
	doubleList = plan.ListOf(plan.DoubleType)
	StringList = plan.ListOf(plan.StringType)
	boolList   = plan.ListOf(plan.BoolType)
	intMap     = plan.MapOf(plan.IntType)
	Nan        = math.NaN()
	Inf        = math.Inf(1)
)

// An opCase is one operation on values. Of a fault, want is its message, empty when it does not happen; of any other the
// value as JSON.
type opCase struct {
	Op   plan.Op
	args []any
	Want string
	imm  *plan.Type // a type that the immediate names
}

// Reversed returns the case with its first operand the other way round, where that is a list.
func (c *opCase) Reversed() *opCase {
	list, ok := c.args[0].(List)
	if !ok {
		return c
	}
	list = slices.Clone(list)
	slices.Reverse(list)
	out := *c
	out.args = slices.Clone(c.args)
	out.args[0] = list
	return &out
}

func operands(args ...any) []any { return args }

// OpCases are grouped by what the operations give.
var OpCases = []struct {
	Gives *plan.Type // nil: a fault
	Cases []opCase
}{
	{plan.IntType, []opCase{
		{plan.OpAddInt, operands(2, 3), "5", nil},
		{plan.OpAddInt, operands(MaxInt, 1), "-9223372036854775808", nil},
		{plan.OpSubInt, operands(2, 3), "-1", nil},
		{plan.OpSubInt, operands(MinInt, 1), "9223372036854775807", nil},
		{plan.OpMulInt, operands(-4, 3), "-12", nil},
		{plan.OpNegInt, operands(4), "-4", nil},
		{plan.OpNegInt, operands(MinInt), "-9223372036854775808", nil},
		{plan.OpAbsInt, operands(-4), "4", nil},
		{plan.OpAbsInt, operands(4), "4", nil},
		{plan.OpMinInt, operands(4, -3), "-3", nil},
		{plan.OpMaxInt, operands(4, -3), "4", nil},
		{plan.OpDivTrunc, operands(-7, 2), "-3", nil},
		{plan.OpDivTrunc, operands(7, 0), "0", nil},
		{plan.OpDivFloor, operands(-7, 2), "-4", nil},
		{plan.OpDivCeil, operands(-7, 2), "-3", nil},
		{plan.OpDivCeil, operands(7, 2), "4", nil},
		{plan.OpDivHalfUp, operands(-7, 2), "-3", nil},
		{plan.OpDivHalfUp, operands(7, 2), "4", nil},
		{plan.OpDivAway, operands(-7, 2), "-4", nil},
		{plan.OpDivAway, operands(7, 2), "4", nil},
		{plan.OpDivAway, operands(8, -2), "-4", nil},
		{plan.OpDivAway, operands(7, 0), "0", nil},
		{plan.OpModInt, operands(-7, 3), "-1", nil},
		{plan.OpModInt, operands(7, 0), "0", nil},
		{plan.OpPowInt, operands(-2, 3), "-8", nil},
		{plan.OpPowInt, operands(0, 0), "1", nil},
		{plan.OpPowInt, operands(2, -1), "0", nil},
		{plan.OpFloor, operands(-2.5), "-3", nil},
		{plan.OpFloor, operands(Nan), "0", nil},
		{plan.OpCeil, operands(-2.5), "-2", nil},
		{plan.OpCeil, operands(1e300), "0", nil},
		{plan.OpRound, operands(2.5), "3", nil},
		{plan.OpRound, operands(-2.5), "-3", nil},
		{plan.OpRound, operands(0.49999999999999994), "0", nil},
		{plan.OpTrunc, operands(-2.9), "-2", nil},
		{plan.OpSizeString, operands("héé"), "3", nil},
		{plan.OpIndexOf, operands("héllo", "l"), "2", nil},
		{plan.OpIndexOf, operands("héllo", "z"), "-1", nil},
		{plan.OpIndexOf, operands("héllo", ""), "0", nil},
		{plan.OpStringToInt, operands("-12"), "-12", nil},
		{plan.OpStringToInt, operands("1.5"), "0", nil},
		{plan.OpSize, operands(List{7, 8, 9}), "3", nil},
		{plan.OpSize, operands(dict{"a", 1}), "1", nil},
		{plan.OpSumInt, operands(List{7, 8, 9}), "24", nil},
		{plan.OpSumInt, operands(List{}), "0", nil},
		{plan.OpLeast, operands(List{7, -8, 9}), "-8", IntList},
		{plan.OpLeast, operands(List{}), "0", IntList},
		{plan.OpGreatest, operands(List{7, -8, 9}), "9", IntList},
		{plan.OpFind, operands(dict{"a", 1, "b", 2}, "b"), "1", intMap},
		{plan.OpFind, operands(dict{"a", 1, "b", 2}, "c"), "-1", intMap},
	}},
	{plan.DoubleType, []opCase{
		{plan.OpAddDouble, operands(0.1, 0.2), "0.30000000000000004", nil},
		{plan.OpSubDouble, operands(1.0, 0.75), "0.25", nil},
		{plan.OpMulDouble, operands(100.0, 0.29), "28.999999999999996", nil},
		{plan.OpDivDouble, operands(1.0, 8.0), "0.125", nil},
		{plan.OpNegDouble, operands(1.5), "-1.5", nil},
		{plan.OpNegDouble, operands(0.0), "-0.0", nil},
		{plan.OpAbsDouble, operands(-1.5), "1.5", nil},
		{plan.OpMinDouble, operands(2.0, 1.0), "1.0", nil},
		{plan.OpMinDouble, operands(1.0, Nan), "1.0", nil},
		{plan.OpMaxDouble, operands(2.0, 1.0), "2.0", nil},
		{plan.OpMaxDouble, operands(2.0, Nan), "2.0", nil},
		{plan.OpPowDouble, operands(2.0, -2.0), "0.25", nil},
		{plan.OpToDouble, operands(3), "3.0", nil},
		{plan.OpStringToDouble, operands("2.5"), "2.5", nil},
		{plan.OpStringToDouble, operands("x"), "0.0", nil},
		{plan.OpSumDouble, operands(List{0.5, 0.25}), "0.75", nil},
		{plan.OpSumDouble, operands(List{math.Copysign(0, -1)}), "0.0", nil},
		{plan.OpLeast, operands(List{0.5, -0.25}), "-0.25", doubleList},
		{plan.OpGreatest, operands(List{-0.5, -0.25}), "-0.25", doubleList},
	}},
	{plan.BoolType, []opCase{
		{plan.OpEqInt, operands(3, 3), "true", nil},
		{plan.OpEqInt, operands(3, 4), "false", nil},
		{plan.OpLtInt, operands(MinInt, MaxInt), "true", nil},
		{plan.OpLtInt, operands(3, 3), "false", nil},
		{plan.OpLeInt, operands(3, 3), "true", nil},
		{plan.OpLeInt, operands(4, 3), "false", nil},
		{plan.OpEqDouble, operands(0.0, math.Copysign(0, -1)), "true", nil},
		{plan.OpEqDouble, operands(Nan, Nan), "false", nil},
		{plan.OpLtDouble, operands(1.0, Inf), "true", nil},
		{plan.OpLtDouble, operands(Nan, Inf), "false", nil},
		{plan.OpLeDouble, operands(1.0, 1.0), "true", nil},
		{plan.OpLeDouble, operands(1.0, Nan), "false", nil},
		{plan.OpLtIntDouble, operands(Two53, float64(Two53)+2), "true", nil},
		{plan.OpLeIntDouble, operands(3, 3.5), "true", nil},
		{plan.OpLtDoubleInt, operands(3.5, 3), "false", nil},
		{plan.OpLeDoubleInt, operands(3.0, 3), "true", nil},
		{plan.OpLeDoubleInt, operands(3.5, 3), "false", nil},
		// An int is rounded to a double first, as the conformance suite of CEL has it.
		{plan.OpLtIntDouble, operands(MaxInt, 9223372036854775808.0), "false", nil},
		{plan.OpLeIntDouble, operands(MaxInt, 9223372036854775808.0), "true", nil},
		{plan.OpLtDoubleInt, operands(9223372036854775808.0, MaxInt), "false", nil},
		{plan.OpLeDoubleInt, operands(9223372036854775808.0, MaxInt), "true", nil},
		{plan.OpLtDoubleInt, operands(2.5, 3), "true", nil},
		{plan.OpLtIntDouble, operands(3, Nan), "false", nil},
		{plan.OpLeDoubleInt, operands(Nan, 3), "false", nil},
		{plan.OpAnd, operands(true, false), "false", nil},
		{plan.OpAnd, operands(true, true), "true", nil},
		{plan.OpOr, operands(true, false), "true", nil},
		{plan.OpOr, operands(false, false), "false", nil},
		{plan.OpNot, operands(true), "false", nil},
		{plan.OpLtString, operands("B", "a"), "true", nil},
		{plan.OpLtString, operands("a", "a"), "false", nil},
		{plan.OpLeString, operands("a", "a"), "true", nil},
		{plan.OpLeString, operands("b", "a"), "false", nil},
		{plan.OpContains, operands("hello", "ell"), "true", nil},
		{plan.OpContains, operands("hello", "elo"), "false", nil},
		{plan.OpStartsWith, operands("hello", "he"), "true", nil},
		{plan.OpStartsWith, operands("hello", "lo"), "false", nil},
		{plan.OpEndsWith, operands("hello", "lo"), "true", nil},
		{plan.OpEndsWith, operands("hello", "he"), "false", nil},
		{plan.OpHas, operands(List{1, 2}, 2), "true", IntList},
		{plan.OpHas, operands(List{1, 2}, 3), "false", IntList},
		{plan.OpHas, operands(List{0.0, Nan}, math.Copysign(0, -1)), "true", doubleList},
		{plan.OpHas, operands(List{0.0, Nan}, Nan), "false", doubleList},
		{plan.OpHas, operands(List{"a", "b"}, "b"), "true", StringList},
		{plan.OpEqual, operands(List{1, 2}, List{1, 2}), "true", IntList},
		{plan.OpEqual, operands(List{1, 2}, List{2, 1}), "false", IntList},
		{plan.OpEqual, operands(List{1, 2}, List{1}), "false", IntList},
		{plan.OpEqual, operands(List{Nan}, List{Nan}), "false", doubleList},
		{plan.OpEqual, operands(List{0.0}, List{math.Copysign(0, -1)}), "true", doubleList},
		{plan.OpEqual, operands(List{List{1}, List{}}, List{List{1}, List{}}), "true", plan.ListOf(IntList)},
		{plan.OpEqual, operands(List{List{1}, List{2}}, List{List{1}, List{3}}), "false", plan.ListOf(IntList)},
		{plan.OpEqual, operands(dict{"a", 1, "b", 2}, dict{"a", 1, "b", 2}), "true", intMap},
		{plan.OpEqual, operands(dict{"a", 1, "b", 2}, dict{"a", 1, "c", 2}), "false", intMap},
		{plan.OpEqual, operands(dict{"a", 1}, dict{"a", 2}), "false", intMap},
		{plan.OpEqual, operands(List{row{1, true, 2}, row{3, false, 4}}, List{row{1, true, 2}, row{3, false, 5}}), "true",
			plan.ListOf(pair)},
		{plan.OpEqual, operands(List{row{1, true, 2}}, List{row{1, true, 3}}), "false", plan.ListOf(pair)},
		{plan.OpEqual, operands(List{row{1, true, 2}}, List{row{1, false, 2}}), "false", plan.ListOf(pair)},
	}},
	{plan.StringType, []opCase{
		{plan.OpConcatString, operands("he", "llo"), `"hello"`, nil},
		{plan.OpConcatString, operands("", "x"), `"x"`, nil},
		{plan.OpIntToString, operands(MinInt), `"-9223372036854775808"`, nil},
		{plan.OpIntToString, operands(-12), `"-12"`, nil},
		{plan.OpDoubleToString, operands(1e21), `"1e+21"`, nil},
		{plan.OpDoubleToString, operands(-Inf), `"-Inf"`, nil},
		{plan.OpDoubleToString, operands(0.1), `"0.1"`, nil},
		{plan.OpBoolToString, operands(true), `"true"`, nil},
		{plan.OpLower, operands("AZ[É"), `"az[É"`, nil},
		{plan.OpUpper, operands("az{é"), `"AZ{é"`, nil},
	}},
	{IntList, []opCase{
		{plan.OpConcat, operands(List{1, 2}, List{3}), "[1,2,3]", IntList},
		{plan.OpConcat, operands(List{}, List{}), "[]", IntList},
		{plan.OpSlice, operands(List{1, 2, 3, 4}, 1, 3), "[2,3]", IntList},
		{plan.OpSlice, operands(List{1, 2}, 2, 2), "[]", IntList},
		{plan.OpSlice, operands(List{1, 2}, 0, 3), "[]", IntList},
		{plan.OpRange, operands(2, 5), "[2,3,4]", nil},
		{plan.OpRange, operands(5, 2), "[]", nil},
		{plan.OpRange, operands(MinInt, MaxInt), "[]", nil},
		{plan.OpSort, operands(List{3, -1, 2}), "[-1,2,3]", IntList},
		{plan.OpPour, operands(7, List{3, 0, 9}), "[3,0,4]", nil},
		{plan.OpPour, operands(9, List{2, 3}), "[2,3]", nil},
		{plan.OpPour, operands(-9, List{2, 3}), "[0,0]", nil},
		{plan.OpCounts, operands(List{6, 1, 6, 3, 9}, 1, 6), "[1,0,1,0,0,2]", nil},
		{plan.OpCounts, operands(List{MinInt, MaxInt}, MaxInt, MaxInt), "[1]", nil},
		{plan.OpCounts, operands(List{1}, 2, 1), "[]", nil},
		{plan.OpCounts, operands(List{1}, MinInt, MaxInt), "[]", nil},
	}},
	{doubleList, []opCase{{plan.OpSort, operands(List{3.0, -1.5, 2.0}), "[-1.5,2.0,3.0]", doubleList}}},
	{boolList, []opCase{{plan.OpSort, operands(List{true, false}), "[false,true]", boolList}}},
	{StringList, []opCase{
		{plan.OpSort, operands(List{"b", "é", "B", "a"}), `["B","a","b","é"]`, StringList},
		{plan.OpKeys, operands(dict{"a", 1, "b", 2}), `["a","b"]`, intMap},
	}},
	{intMap, []opCase{
		{plan.OpWith, operands(dict{"a", 1, "c", 2}, "b", 3), `{"a":1,"b":3,"c":2}`, intMap},
		{plan.OpWith, operands(dict{"a", 1, "c", 2}, "c", 3), `{"a":1,"c":3}`, intMap},
		{plan.OpWith, operands(dict{}, "c", 3), `{"c":3}`, intMap},
	}},
	{nil, []opCase{
		{plan.OpAddIntFault, operands(MaxInt, 1), "integer overflow", nil},
		{plan.OpAddIntFault, operands(MaxInt, MinInt), "", nil},
		{plan.OpAddIntFault, operands(2, 3), "", nil},
		{plan.OpSubIntFault, operands(MinInt, 1), "integer overflow", nil},
		{plan.OpSubIntFault, operands(0, MinInt), "integer overflow", nil},
		{plan.OpSubIntFault, operands(-1, MinInt), "", nil},
		{plan.OpSubIntFault, operands(2, 3), "", nil},
		{plan.OpMulIntFault, operands(MinInt, -1), "integer overflow", nil},
		{plan.OpMulIntFault, operands(two32, two32/2), "integer overflow", nil},
		{plan.OpMulIntFault, operands(two32, -two32/2), "", nil},
		{plan.OpNegIntFault, operands(MinInt), "integer overflow", nil},
		{plan.OpNegIntFault, operands(MaxInt), "", nil},
		{plan.OpAbsIntFault, operands(MinInt), "integer overflow", nil},
		{plan.OpAbsIntFault, operands(-5), "", nil},
		{plan.OpDivFault, operands(1, 0), "division by zero", nil},
		{plan.OpDivFault, operands(MinInt, -1), "integer overflow", nil},
		{plan.OpDivFault, operands(MinInt, 1), "", nil},
		{plan.OpModFault, operands(1, 0), "modulus by zero", nil},
		{plan.OpModFault, operands(MinInt, -1), "integer overflow", nil},
		{plan.OpModFault, operands(7, 3), "", nil},
		{plan.OpPowIntFault, operands(2, -1), "pow of integers has no negative exponent: -1", nil},
		{plan.OpPowIntFault, operands(2, 63), "integer overflow", nil},
		{plan.OpPowIntFault, operands(-2, 63), "", nil},
		{plan.OpPowIntFault, operands(-1, MaxInt), "", nil},
		{plan.OpStringToIntFault, operands("1.5"), `"1.5" is no int`, nil},
		{plan.OpStringToIntFault, operands("15"), "", nil},
		{plan.OpStringToDoubleFault, operands("x"), `"x" is no double`, nil},
		{plan.OpStringToDoubleFault, operands("1e3"), "", nil},
		{plan.OpElemFault, operands(List{7, 8}, 2), "index out of bounds: 2, the list has 2 elements", nil},
		{plan.OpElemFault, operands(List{7, 8}, -1), "index out of bounds: -1, the list has 2 elements", nil},
		{plan.OpElemFault, operands(List{7, 8}, 1), "", nil},
		{plan.OpSliceFault, operands(List{7, 8}, 1, 3), "index out of bounds: the list has no slice from 1 to 3", IntList},
		{plan.OpSliceFault, operands(List{7, 8}, 2, 1), "index out of bounds: the list has no slice from 2 to 1", IntList},
		{plan.OpSliceFault, operands(List{7, 8}, 0, 2), "", IntList},
		{plan.OpRangeFault, operands(0, 1001), "range error: from 0 to 1001 are more than 1000 elements", nil},
		{plan.OpRangeFault, operands(MinInt, MaxInt),
			"range error: from -9223372036854775808 to 9223372036854775807 are more than 1000 elements", nil},
		{plan.OpRangeFault, operands(MaxInt, MinInt), "", nil},
		{plan.OpRangeFault, operands(0, 1000), "", nil},
		{plan.OpSumIntFault, operands(List{MaxInt, 1, -5}), "integer overflow", nil},
		{plan.OpSumIntFault, operands(List{MaxInt, -1, 1}), "", nil},
		{plan.OpSumIntFault, operands(List{2, -3, 4}), "", nil},
		{plan.OpEmptyFault, operands(List{}), "the list is empty", IntList},
		{plan.OpEmptyFault, operands(List{1}), "", IntList},
		{plan.OpFindFault, operands(dict{"a", 1}, "b"), "no such key: b", intMap},
		{plan.OpFindFault, operands(dict{"a", 1}, "a"), "", intMap},
		{plan.OpFindFault, operands(dict{1, 1}, 2), "no such key: 2",
			&plan.Type{Kind: plan.Map, Key: plan.Int, Elem: plan.IntType}},
		{plan.OpFindFault, operands(dict{true, 1}, false), "no such key: false",
			&plan.Type{Kind: plan.Map, Key: plan.Bool, Elem: plan.IntType}},
		{plan.OpPourFault, operands(-1, List{1}), "range error: an amount or a capacity is negative", nil},
		{plan.OpPourFault, operands(1, List{1, -1}), "range error: an amount or a capacity is negative", nil},
		{plan.OpPourFault, operands(1, List{}), "", nil},
		{plan.OpCountsFault, operands(List{}, 1, 1000), "", nil},
		{plan.OpCountsFault, operands(List{}, 2, 1), "", nil},
		{plan.OpCountsFault, operands(List{}, 0, 1000), "range error: from 0 to 1000 are more than 1000 elements", nil},
		{plan.OpCountsFault, operands(List{}, MinInt, MaxInt),
			"range error: from -9223372036854775808 to 9223372036854775807 are more than 1000 elements", nil},
	}},
}

// pair is a record with an optional field.
var pair = &plan.Type{Kind: plan.Record, Fields: []plan.Field{
	{Name: "x", Type: plan.IntType}, {Name: "y", Type: plan.IntType, Optional: true},
}}

// team is a record with a list of records.
var team = &plan.Type{Kind: plan.Record, Fields: []plan.Field{
	{Name: "members", Type: plan.ListOf(&plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "x", Type: plan.IntType}, {Name: "z", Type: plan.IntType},
	}})},
	{Name: "n", Type: plan.IntType},
}}

// Build makes the graph of a case.
func (c *opCase) Build(gives *plan.Type, constant bool) *Builder {
	b := NewBuilder()
	var args []plan.ID
	for _, a := range c.args {
		args = append(args, b.Value(a, constant))
	}
	imm := int64(0)
	if c.imm != nil {
		imm = b.TypeIndex(c.imm)
	}
	if gives == nil {
		b.Output("r", plan.IntType, b.IntConst(0), b.Node(c.Op, plan.Fault, imm, args...))
	} else {
		b.Output("r", gives, b.Node(c.Op, gives.Kind, imm, args...), plan.None)
	}
	return b
}

// A GraphCase is a graph made by hand and its answer to faces.
type GraphCase struct {
	Name  string
	Faces []int64
	Want  string
	Build func(b *Builder)
}

// GraphCases show the operations that need more than operands: choice and faults, lists that are built, loops, tables,
// effects.
var GraphCases = []GraphCase{
	{"select", nil, `{"yes":1,"no":2}`, func(b *Builder) {
		yes, no := b.Leaf(plan.Bool, 1), b.Leaf(plan.Bool, 0)
		b.Output("yes", plan.IntType, b.Node(plan.OpSelect, plan.Int, 0, yes, b.IntConst(1), b.IntConst(2)), plan.None)
		b.Output("no", plan.IntType, b.Node(plan.OpSelect, plan.Int, 0, no, b.IntConst(1), b.IntConst(2)), plan.None)
	}},
	{"the first fault", nil, "site 1: second", func(b *Builder) {
		first := b.Fault(true, "first")
		second := b.Fault(false, "second")
		b.Output("r", plan.IntType, b.IntConst(1), b.Node(plan.OpFirstFault, plan.Fault, 0, first, second))
	}},
	{"no fault", nil, `{"r":true,"s":false}`, func(b *Builder) {
		b.Output("r", plan.BoolType, b.Node(plan.OpNoFault, plan.Bool, 0, b.Fault(true, "x")), plan.None)
		b.Output("s", plan.BoolType, b.Node(plan.OpNoFault, plan.Bool, 0, b.Fault(false, "x")), plan.None)
	}},
	{"elements", nil, `{"before":0,"inside":20,"behind":0}`, func(b *Builder) {
		xs := b.Value(List{10, 20}, false)
		for i, name := range []string{"before", "inside", "behind"} {
			at := b.Leaf(plan.Int, []int64{-1, 1, 2}[i])
			b.Output(name, plan.IntType, b.Node(plan.OpElem, plan.Int, 1<<32, xs, at), plan.None)
		}
	}},
	{"sort by keys, stably", nil, `{"r":["b","d","a","c"]}`, func(b *Builder) {
		xs, keys := b.Value(List{"a", "b", "c", "d"}, false), b.Value(List{2.0, 1.0, 2.0, 1.0}, false)
		types := b.TypeIndex(StringList)<<32 | b.TypeIndex(doubleList)
		b.Output("r", StringList, b.Node(plan.OpSortBy, plan.List, types, xs, keys), plan.None)
	}},
	{"a loop that sums", nil, `{"r":10}`, func(b *Builder) {
		sum := b.Loop(b.Leaf(plan.Int, 5), []plan.ID{b.IntConst(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
			return []plan.ID{b.Node(plan.OpAddInt, plan.Int, 0, carried[0], i)}
		})
		b.Output("r", plan.IntType, sum[0], plan.None)
	}},
	{"a loop that never runs", nil, `{"r":7}`, func(b *Builder) {
		r := b.Loop(b.Leaf(plan.Int, -3), []plan.ID{b.Leaf(plan.Int, 7)}, func(i plan.ID, carried []plan.ID) []plan.ID {
			return []plan.ID{i}
		})
		b.Output("r", plan.IntType, r[0], plan.None)
	}},
	{"carried values that change places", nil, `{"a":2,"b":3,"c":1}`, func(b *Builder) {
		init := []plan.ID{b.Leaf(plan.Int, 1), b.Leaf(plan.Int, 2), b.Leaf(plan.Int, 3)}
		r := b.Loop(b.Leaf(plan.Int, 4), init, func(i plan.ID, c []plan.ID) []plan.ID {
			return []plan.ID{c[1], c[2], c[0]}
		})
		for i, name := range []string{"a", "b", "c"} {
			b.Output(name, plan.IntType, r[i], plan.None)
		}
	}},
	{"a carried value that is read after its next one is known", nil, `{"r":6,"s":10}`, func(b *Builder) {
		init := []plan.ID{b.Leaf(plan.Int, 0), b.Leaf(plan.Int, 0)}
		r := b.Loop(b.Leaf(plan.Int, 4), init, func(i plan.ID, c []plan.ID) []plan.ID {
			next := b.Node(plan.OpAddInt, plan.Int, 0, c[0], i)
			return []plan.ID{next, b.Node(plan.OpAddInt, plan.Int, 0, b.Node(plan.OpAddInt, plan.Int, 0, c[1], next),
				b.Node(plan.OpSubInt, plan.Int, 0, next, next))}
		})
		b.Output("r", plan.IntType, r[0], plan.None)
		b.Output("s", plan.IntType, r[1], plan.None)
	}},
	{"the last value before the next", nil, `{"r":5}`, func(b *Builder) {
		init := []plan.ID{b.Leaf(plan.Int, 0), b.Leaf(plan.Int, 0)}
		r := b.Loop(b.Leaf(plan.Int, 3), init, func(i plan.ID, c []plan.ID) []plan.ID {
			next := b.Node(plan.OpAddInt, plan.Int, 0, c[0], b.IntConst(1))
			return []plan.ID{next, b.Node(plan.OpAddInt, plan.Int, 0, c[0], next)}
		})
		b.Output("r", plan.IntType, r[1], plan.None) // 2 + 3
	}},
	{"loops in loops that push", nil, `{"r":[0,10,11,20,21,22]}`, func(b *Builder) {
		n := b.Leaf(plan.Int, 3)
		out := b.Node(plan.OpNewSpan, plan.List, 1, b.IntConst(6))
		r := b.Loop(n, []plan.ID{out}, func(i plan.ID, outer []plan.ID) []plan.ID {
			more := b.Node(plan.OpAddInt, plan.Int, 0, i, b.IntConst(1))
			return b.Loop(more, outer, func(j plan.ID, inner []plan.ID) []plan.ID {
				ten := b.Node(plan.OpMulInt, plan.Int, 0, i, b.IntConst(10))
				return []plan.ID{b.Node(plan.OpPush, plan.List, 0, inner[0], b.True(),
					b.Node(plan.OpAddInt, plan.Int, 0, ten, j))}
			})
		})
		b.Output("r", IntList, r[0], plan.None)
	}},
	{"lists of records that a filter builds", nil, `{"r":[{"x":1,"y":10},{"x":3}]}`, func(b *Builder) {
		out := b.Node(plan.OpNewSpan, plan.List, 3, b.Leaf(plan.Int, 4))
		r := b.Loop(b.IntConst(4), []plan.ID{out}, func(i plan.ID, c []plan.ID) []plan.ID {
			odd := b.Node(plan.OpEqInt, plan.Bool, 0, b.Node(plan.OpModInt, plan.Int, 0, i, b.IntConst(2)), b.IntConst(1))
			small := b.Node(plan.OpLtInt, plan.Bool, 0, i, b.IntConst(2))
			ten := b.Node(plan.OpMulInt, plan.Int, 0, i, b.IntConst(10))
			return []plan.ID{b.Node(plan.OpPush, plan.List, 0, c[0], odd, i, small, ten)}
		})
		b.Output("r", plan.ListOf(pair), r[0], plan.None)
	}},
	{"a list of records within a record, of which the outer list alone names the fields", nil,
		`{"r":[{"members":[{"x":1,"z":20}],"n":20}]}`, func(b *Builder) {
			members := b.Node(plan.OpPush, plan.List, 0, b.Node(plan.OpNewSpan, plan.List, 2, b.IntConst(1)), b.True(),
				b.Leaf(plan.Int, 1), b.Leaf(plan.Int, 20))
			n := b.Node(plan.OpElem, plan.Int, 2<<32|1, members, b.IntConst(0))
			out := b.Node(plan.OpPush, plan.List, 0, b.Node(plan.OpNewSpan, plan.List, 2, b.IntConst(1)), b.True(),
				members, n)
			b.Output("r", plan.ListOf(team), out, plan.None)
		}},
	{"two lists that grow side by side", nil, `{"r":[0,1],"s":[5,5]}`, func(b *Builder) {
		n := b.Leaf(plan.Int, 2)
		init := []plan.ID{b.Node(plan.OpNewSpan, plan.List, 1, n), b.Node(plan.OpNewSpan, plan.List, 1, n)}
		r := b.Loop(n, init, func(i plan.ID, c []plan.ID) []plan.ID {
			return []plan.ID{b.Node(plan.OpPush, plan.List, 0, c[0], b.True(), i),
				b.Node(plan.OpPush, plan.List, 0, c[1], b.True(), b.IntConst(5))}
		})
		b.Output("r", IntList, r[0], plan.None)
		b.Output("s", IntList, r[1], plan.None)
	}},
	{"the same fault at two places", nil, "site 1: integer overflow", func(b *Builder) {
		x := b.Leaf(plan.Int, MaxInt)
		absorbed, needed := b.Node(plan.OpAddIntFault, plan.Fault, 0, x, x), b.Node(plan.OpAddIntFault, plan.Fault, 0, x, x)
		b.Output("r", plan.BoolType, b.Node(plan.OpNoFault, plan.Bool, 0, absorbed), plan.None)
		b.Output("s", plan.IntType, x, needed)
	}},
	{"an empty list where there is room for none", nil, `{"r":[]}`, func(b *Builder) {
		b.Output("r", IntList, b.Node(plan.OpNewSpan, plan.List, 1, b.Leaf(plan.Int, -5)), plan.None)
	}},
	{"a list within a slice", nil, `{"r":[3,9],"s":[2,3]}`, func(b *Builder) {
		list3 := b.TypeIndex(IntList)
		part := b.Node(plan.OpSlice, plan.List, list3, b.Value(List{1, 2, 3}, false), b.Leaf(plan.Int, 1), b.IntConst(3))
		tail := b.Node(plan.OpSlice, plan.List, list3, part, b.Leaf(plan.Int, 1), b.IntConst(2))
		b.Output("r", IntList, b.Node(plan.OpConcat, plan.List, list3, tail, b.Value(List{9}, false)), plan.None)
		b.Output("s", IntList, part, plan.None)
	}},
	{"an option", nil, `{"r":"down"}`, func(b *Builder) {
		b.Plan.Options = []plan.Option{{ID: "band", Values: []string{"up", "down"},
			Symbols: []int64{b.Symbol("up"), b.Symbol("down")}, Default: 1}}
		b.Output("r", plan.StringType, b.Node(plan.OpOption, plan.String, 0), plan.None)
	}},
	{"a face", []int64{4}, `{"r":4}`, func(b *Builder) {
		b.Output("r", plan.IntType, b.Roll(plan.Die{ID: "roll"}, b.Leaf(plan.Int, 6), b.IntConst(-1)), plan.None)
	}},
	{"a list of faces that nobody reads", []int64{4, 2}, `{"r":1}`, func(b *Builder) {
		b.Roll(plan.Die{ID: "roll", List: true}, b.Leaf(plan.Int, 6), b.Leaf(plan.Int, 2))
		b.Output("r", plan.IntType, b.Leaf(plan.Int, 1), plan.None)
	}},
	{"a requirement that holds", nil, `{"r":1}`, func(b *Builder) {
		b.require(b.True(), b.Leaf(plan.Bool, 1), b.NoFault(), "no")
		b.require(b.Leaf(plan.Bool, 0), b.Leaf(plan.Bool, 0), b.NoFault(), "not asked")
		b.Output("r", plan.IntType, b.IntConst(1), plan.None)
	}},
	{"a requirement that does not hold", nil, "second", func(b *Builder) {
		b.require(b.True(), b.Leaf(plan.Bool, 1), b.NoFault(), "first")
		b.require(b.True(), b.Leaf(plan.Bool, 0), b.NoFault(), "second")
		b.require(b.True(), b.Leaf(plan.Bool, 0), b.NoFault(), "third")
		b.Output("r", plan.IntType, b.IntConst(1), plan.None)
	}},
	{"a requirement that fails", nil, "site 0: broken", func(b *Builder) {
		b.require(b.True(), b.Leaf(plan.Bool, 0), b.Fault(false, "broken"), "no")
	}},
	{"a requirement that fails where it is not asked", nil, "{}", func(b *Builder) {
		b.require(b.Leaf(plan.Bool, 0), b.Leaf(plan.Bool, 0), b.Fault(false, "broken"), "no")
	}},
	{"a die that fails", nil, "site 0: broken", func(b *Builder) {
		b.Graph.Dice = []plan.Die{{ID: "roll"}}
		b.Node(plan.OpRoll, plan.Int, 0, b.True(), b.IntConst(6), b.IntConst(-1), b.Fault(false, "broken"))
	}},
	{"a die that fails where it is not rolled", nil, `{"r":0}`, func(b *Builder) {
		b.Graph.Dice = []plan.Die{{ID: "roll"}}
		b.Output("r", plan.IntType, b.Node(plan.OpRoll, plan.Int, 0, b.Leaf(plan.Bool, 0), b.IntConst(0), b.IntConst(-1),
			b.Fault(false, "broken")), plan.None)
	}},
	{"a symbol that the plan has not", nil, `{"r":true,"s":"xyxy"}`, func(b *Builder) {
		xy := b.Node(plan.OpConcatString, plan.String, 0, b.Value("x", false), b.Value("y", false))
		twice := b.Node(plan.OpConcatString, plan.String, 0, xy,
			b.Node(plan.OpConcatString, plan.String, 0, b.Value("x", false), b.Value("y", false)))
		b.Output("r", plan.BoolType, b.Node(plan.OpEqInt, plan.Bool, 0, xy,
			b.Node(plan.OpLower, plan.String, 0, b.Node(plan.OpUpper, plan.String, 0, xy))), plan.None)
		b.Output("s", plan.StringType, twice, plan.None)
	}},
}

var numberRow = &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "n", Type: plan.IntType}}}

// Degrees returns a table of steps: below 1 nothing, at 1 row 0, above 1 row 1, at 2.5 row 3; written in another order than
// by limit.
func Degrees() plan.Table {
	return plan.Table{
		ID: "degrees", Kind: plan.StepsTable, Row: numberRow,
		Lo: []float64{1, 1, -4, 2.5}, Hi: make([]float64, 4), Above: []bool{false, true, true, false},
		Order: []int32{2, 0, 1, 3}, Cells: []int64{10, 11, 12, 13},
	}
}

// Bands has rows 1..3 and 4..4, a gap, and 7..10.
func Bands() plan.Table {
	return plan.Table{
		ID: "bands", Kind: plan.BandsTable, Row: numberRow,
		Lo: []float64{7, 1, 4}, Hi: []float64{10, 3, 4}, Above: make([]bool, 3),
		Order: []int32{1, 2, 0}, Cells: []int64{10, 11, 12},
	}
}

// TableCases are graphs that look keys up.
func TableCases() []GraphCase {
	look := func(table plan.Table, key any, op plan.Op) func(b *Builder) {
		return func(b *Builder) {
			b.Symbol("axe")
			if table.Kind == plan.KeyedTable {
				table.Keys = []int64{b.Symbol("sword"), b.Symbol("mace"), b.Symbol("bow")}
			}
			b.Plan.Tables = []plan.Table{{Row: numberRow}, table}
			id := b.Value(key, false)
			row := b.Node(op, plan.Int, 1, id)
			b.Output("r", plan.IntType, b.Node(plan.OpCell, plan.Int, 1<<32, row),
				b.Node(plan.OpRowFault, plan.Fault, 1, row, id))
		}
	}
	weapons := plan.Table{ID: "weapons", Kind: plan.KeyedTable, Row: numberRow, Cells: []int64{7, 8, 9}}
	return []GraphCase{
		{"a row by number", nil, `{"r":10}`, look(Bands(), 8, plan.OpRow)},
		{"no row by number", nil, "site 0: no such key: 5", look(Bands(), 5, plan.OpRow)},
		{"a row by double", nil, `{"r":13}`, look(Degrees(), 2.75, plan.OpRowDouble)},
		{"no row by double", nil, "site 0: no such key: -4.5", look(Degrees(), -4.5, plan.OpRowDouble)},
		{"a row by key", nil, `{"r":8}`, look(weapons, "mace", plan.OpRow)},
		{"no row by a key that is known", nil, "site 0: no such key: axe", look(weapons, "axe", plan.OpRow)},
	}
}

// AllCases returns the graphs of all tests.
func AllCases() []GraphCase {
	out := slices.Concat(GraphCases, TableCases())
	for _, group := range OpCases {
		for _, c := range group.Cases {
			out = append(out, GraphCase{Build: func(b *Builder) { *b = *c.Build(group.Gives, false) }})
		}
	}
	return out
}
