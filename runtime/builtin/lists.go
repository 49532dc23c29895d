package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

// lists are the functions of lists; their implementations read the frame that holds the elements.
var lists = []Function{
	{
		Name: "counts",
		Doc:  "How often each integer from one up to and with another stands in a list.",
		Overloads: []Overload{{ID: "counts", Params: []string{"list(int)", "int", "int"}, Result: "list(int)",
			Op: plan.OpCounts, Extent: countsOfElements}},
		Examples: []Example{{"counts([6, 1, 6, 3], 1, 6)", "[1, 0, 1, 0, 0, 2]"}, {"counts([2, 9], 1, 3)", "[0, 1, 0]"}},
	},
	{
		Name: "pour",
		Doc:  "What each capacity gets of an amount that fills them in order.",
		Overloads: []Overload{{ID: "pour", Params: []string{"int", "list(int)"}, Result: "list(int)", Op: plan.OpPour,
			Extent: pouredInto}},
		Examples: []Example{{"pour(7, [3, 0, 9])", "[3, 0, 4]"}, {"pour(9, [2, 3])", "[2, 3]"}},
	},
	{
		Name: "range",
		Doc:  "The integers from 0, or from the first number, up to but without the last.",
		Overloads: []Overload{
			{ID: "range_1", Params: []string{"int"}, Result: "list(int)", Extent: rangeOf},
			{ID: "range_2", Params: []string{"int", "int"}, Result: "list(int)", Op: plan.OpRange, Extent: rangeOf},
		},
		Examples: []Example{{"range(3)", "[0, 1, 2]"}, {"range(2, 5)", "[2, 3, 4]"}, {"size(range(0))", "0"}},
	},
	{
		Name: "slice",
		Doc:  "The elements of a list from one index up to but without another.",
		Overloads: []Overload{{ID: "slice_list", Member: true, Params: []string{"list(T)", "int", "int"}, Result: "list(T)",
			Op: plan.OpSlice, Extent: theSameList}},
		Examples: []Example{{"[1, 2, 3, 4].slice(1, 3)", "[2, 3]"}},
	},
	{
		Name: "sort",
		Doc:  "The numbers, strings or truth values of a list in ascending order; NaN stands first.",
		Overloads: []Overload{{ID: "sort_list", Params: []string{"list(T)"}, Result: "list(T)", Op: plan.OpSort,
			Extent: theSameList}},
		Examples: []Example{{"sort([3, 1, 2])", "[1, 2, 3]"}, {"sort(['b', 'a'])", "['a', 'b']"}},
	},
	{
		Name: "sum",
		Doc:  "All numbers of a list together, added one after the other to 0, which it is when the list is empty.",
		Overloads: []Overload{
			{ID: "sum_list_int", Params: []string{"list(int)"}, Result: "int", Op: plan.OpSumInt, Extent: sumOfList},
			{ID: "sum_list_double", Params: []string{"list(double)"}, Result: "double", Op: plan.OpSumDouble,
				Extent: sumOfList},
		},
		Examples: []Example{{"sum([1, 2, 3])", "6"}, {"sum([0.5, 1.5])", "2.0"}, {"sum(range(0))", "0"}},
	},
}

// maps are the functions of maps, and of records, which are lowered to several operations.
var maps = []Function{
	{
		Name: "get",
		Doc:  "The value of a key of a map, or the default when the map has no such key.",
		Overloads: []Overload{{ID: "get_map", Params: []string{"map(string, V)", "string", "V"}, Result: "V",
			Extent: valueOrDefault}},
		Examples: []Example{{"get({'a': 1}, 'a', 0)", "1"}, {"get({'a': 1}, 'b', 0)", "0"}},
	},
	{
		Name: "with",
		Doc:  "A map with one key set to a value, or a record with one field set, named by a path in quotes.",
		Overloads: []Overload{
			{ID: "with_map", Params: []string{"map(string, V)", "string", "V"}, Result: "map(string, V)",
				Extent: withAValue},
			{ID: "with_record", Params: []string{"R", "string", "V"}, Result: "R"},
		},
		Examples: []Example{{"with({'a': 1}, 'b', 2)['b']", "2"}, {"size(with({'a': 1}, 'a', 2))", "1"}},
	},
}

// CountInts counts in each place of out how often the integer so far above lo stands in a list.
// The difference is taken unsigned, where it cannot overflow, and v >= lo tells those below.
func CountInts(out, list []int64, lo int64) {
	clear(out)
	for _, v := range list {
		if at := uint64(v) - uint64(lo); v >= lo && at < uint64(len(out)) {
			out[at]++
		}
	}
}
