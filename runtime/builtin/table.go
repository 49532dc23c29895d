// Package builtin is the functions that formulas may call beside CEL's own: one entry each with its types, what it does
// and examples, and the implementations that the runtime executes. It imports nothing of ours.
//
// Invariant: every overload of the table has an implementation, and every example holds.
package builtin

// A Function is one name that formulas may call.
type Function struct {
	Name      string
	Doc       string
	Overloads []Overload
	Examples  []Example
}

// An Overload is a function for operands of certain types. Types are written as CEL writes them; a single capital
// letter stands for any type, the same throughout the overload.
type Overload struct {
	ID     string
	Member bool // called as Params[0].name(Params[1:]...)
	Params []string
	Result string
}

// An Example is an expression and one that has the same value.
type Example struct {
	Expr, Want string
}

// Table lists the functions by name.
func Table() []Function {
	return []Function{
		{
			Name: "abs",
			Doc:  "The number without its sign.",
			Overloads: []Overload{
				{ID: "abs_int", Params: []string{"int"}, Result: "int"},
				{ID: "abs_double", Params: []string{"double"}, Result: "double"},
			},
			Examples: []Example{{"abs(-3)", "3"}, {"abs(-2.5)", "2.5"}},
		},
		{
			Name:      "ceil",
			Doc:       "The least integer that is not below the number.",
			Overloads: []Overload{{ID: "ceil_double", Params: []string{"double"}, Result: "int"}},
			Examples:  []Example{{"ceil(2.1)", "3"}, {"ceil(-2.9)", "-2"}},
		},
		{
			Name:      "div_ceil",
			Doc:       "The quotient, rounded up.",
			Overloads: []Overload{{ID: "div_ceil", Params: []string{"int", "int"}, Result: "int"}},
			Examples:  []Example{{"div_ceil(7, 2)", "4"}, {"div_ceil(-7, 2)", "-3"}},
		},
		{
			Name:      "div_floor",
			Doc:       "The quotient, rounded down.",
			Overloads: []Overload{{ID: "div_floor", Params: []string{"int", "int"}, Result: "int"}},
			Examples:  []Example{{"div_floor(7, 2)", "3"}, {"div_floor(-7, 2)", "-4"}},
		},
		{
			Name:      "div_half_up",
			Doc:       "The quotient, rounded to the nearest integer, a half upwards.",
			Overloads: []Overload{{ID: "div_half_up", Params: []string{"int", "int"}, Result: "int"}},
			Examples:  []Example{{"div_half_up(7, 2)", "4"}, {"div_half_up(-7, 2)", "-3"}, {"div_half_up(10, 3)", "3"}},
		},
		{
			Name:      "div_trunc",
			Doc:       "The quotient, rounded towards zero.",
			Overloads: []Overload{{ID: "div_trunc", Params: []string{"int", "int"}, Result: "int"}},
			Examples:  []Example{{"div_trunc(7, 2)", "3"}, {"div_trunc(-7, 2)", "-3"}},
		},
		{
			Name:      "floor",
			Doc:       "The greatest integer that is not above the number.",
			Overloads: []Overload{{ID: "floor_double", Params: []string{"double"}, Result: "int"}},
			Examples:  []Example{{"floor(2.9)", "2"}, {"floor(-2.1)", "-3"}},
		},
		{
			Name:      "get",
			Doc:       "The value of a key of a map, or the default when the map has no such key.",
			Overloads: []Overload{{ID: "get_map", Params: []string{"map(string, V)", "string", "V"}, Result: "V"}},
			Examples:  []Example{{"get({'a': 1}, 'a', 0)", "1"}, {"get({'a': 1}, 'b', 0)", "0"}},
		},
		{
			Name: "max",
			Doc:  "The greatest of two or more numbers, or of a list that is not empty.",
			Overloads: []Overload{
				{ID: "max_int", Params: []string{"int", "int"}, Result: "int"},
				{ID: "max_double", Params: []string{"double", "double"}, Result: "double"},
				{ID: "max_list_int", Params: []string{"list(int)"}, Result: "int"},
				{ID: "max_list_double", Params: []string{"list(double)"}, Result: "double"},
			},
			Examples: []Example{{"max(1, 3, 2)", "3"}, {"max(1.5, 1.0)", "1.5"}, {"max([4, 9, 2])", "9"}},
		},
		{
			Name: "min",
			Doc:  "The least of two or more numbers, or of a list that is not empty.",
			Overloads: []Overload{
				{ID: "min_int", Params: []string{"int", "int"}, Result: "int"},
				{ID: "min_double", Params: []string{"double", "double"}, Result: "double"},
				{ID: "min_list_int", Params: []string{"list(int)"}, Result: "int"},
				{ID: "min_list_double", Params: []string{"list(double)"}, Result: "double"},
			},
			Examples: []Example{{"min(1, 3, 2)", "1"}, {"min(1.5, 1.0)", "1.0"}, {"min([4, 9, 2])", "2"}},
		},
		{
			Name:      "pour",
			Doc:       "What each capacity gets of an amount that fills them in order.",
			Overloads: []Overload{{ID: "pour", Params: []string{"int", "list(int)"}, Result: "list(int)"}},
			Examples:  []Example{{"pour(7, [3, 0, 9])", "[3, 0, 4]"}, {"pour(9, [2, 3])", "[2, 3]"}},
		},
		{
			Name: "pow",
			Doc:  "The first number to the power of the second.",
			Overloads: []Overload{
				{ID: "pow_int", Params: []string{"int", "int"}, Result: "int"},
				{ID: "pow_double", Params: []string{"double", "double"}, Result: "double"},
			},
			Examples: []Example{{"pow(2, 10)", "1024"}, {"pow(2.0, -1.0)", "0.5"}},
		},
		{
			Name: "range",
			Doc:  "The integers from 0, or from the first number, up to but without the last.",
			Overloads: []Overload{
				{ID: "range_1", Params: []string{"int"}, Result: "list(int)"},
				{ID: "range_2", Params: []string{"int", "int"}, Result: "list(int)"},
			},
			Examples: []Example{{"range(3)", "[0, 1, 2]"}, {"range(2, 5)", "[2, 3, 4]"}, {"size(range(0))", "0"}},
		},
		{
			Name:      "round",
			Doc:       "The nearest integer, a half away from zero.",
			Overloads: []Overload{{ID: "round_double", Params: []string{"double"}, Result: "int"}},
			Examples:  []Example{{"round(2.5)", "3"}, {"round(-2.5)", "-3"}, {"round(2.4)", "2"}},
		},
		{
			Name:      "slice",
			Doc:       "The elements of a list from one index up to but without another.",
			Overloads: []Overload{{ID: "slice_list", Member: true, Params: []string{"list(T)", "int", "int"}, Result: "list(T)"}},
			Examples:  []Example{{"[1, 2, 3, 4].slice(1, 3)", "[2, 3]"}},
		},
		{
			Name:      "sort",
			Doc:       "The numbers, strings or truth values of a list in ascending order.",
			Overloads: []Overload{{ID: "sort_list", Params: []string{"list(T)"}, Result: "list(T)"}},
			Examples:  []Example{{"sort([3, 1, 2])", "[1, 2, 3]"}, {"sort(['b', 'a'])", "['a', 'b']"}},
		},
		{
			Name: "sum",
			Doc:  "All numbers of a list together; 0 when it is empty.",
			Overloads: []Overload{
				{ID: "sum_list_int", Params: []string{"list(int)"}, Result: "int"},
				{ID: "sum_list_double", Params: []string{"list(double)"}, Result: "double"},
			},
			Examples: []Example{{"sum([1, 2, 3])", "6"}, {"sum([0.5, 1.5])", "2.0"}, {"sum(range(0))", "0"}},
		},
		{
			Name: "with",
			Doc:  "A map with one key set to a value, or a record with one field set, named by a path in quotes.",
			Overloads: []Overload{
				{ID: "with_map", Params: []string{"map(string, V)", "string", "V"}, Result: "map(string, V)"},
				{ID: "with_record", Params: []string{"R", "string", "V"}, Result: "R"},
			},
			Examples: []Example{{"with({'a': 1}, 'b', 2)['b']", "2"}, {"size(with({'a': 1}, 'a', 2))", "1"}},
		},
	}
}
