package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// placed is a text whose code points stand on the first line of a file.
func placed(s string) *book.Text {
	t := &book.Text{S: s, Place: plan.Place{File: "f", Line: 1, Col: 1}}
	t.Runs = []book.Run{{Place: t.Place}}
	return t
}

// brokenBy prints diagnostics as "column code: message; repair".
func brokenBy(diags *diag.List) string {
	var out []string
	for _, d := range diags.Sorted() {
		s := fmt.Sprintf("%d %s: %s", d.Place.Col, d.Code, d.Message)
		if d.Repair != "" {
			s += "; " + d.Repair
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestProblems(t *testing.T) {
	const convert = "; write double(i)"
	const other = "; compare words of one choice, or compare with =="
	for _, c := range []struct{ text, want string }{
		{"i / 2", "3 integer-division: / of two integers says nothing about the remainder; say how to round: div_floor(a, b), " +
			"div_ceil, div_half_up, div_trunc or div_away, or divide by a double"},
		{"i == 1.0", "3 no-promotion: == does not take int and double" + convert},
		{"d in is", "3 no-promotion: in does not take double and list(int); write 1.0 or double(x)"},
		{"b ? 1 : 2.0", "3 no-promotion: the arms of ?: have one type: int stands beside double; write 1.0 for 1 where a fraction " +
			"is meant, or floor(x), ceil(x) or round(x) for a whole number"},
		{"[1, 2.0]", "5 no-promotion: the elements of a list have one type: double stands beside int; write 1.0 for 1"},
		{"[d, i]", "5 no-promotion: the elements of a list have one type: int stands beside double" + convert},
		{"{'a': 1, 'b': 2.0}", "15 no-promotion: the values of a map have one type: double stands beside int; write 1.0 for 1"},
		{"{'a': s, 'b': i}", "15 type: the values of a map have one type: int stands beside string"},
		{"{'a': is, 'b': [d]}", "16 no-promotion: the values of a map have one type: list(double) stands beside list(int); write " +
			"1.0 or double(x)"},
		{"[1, 'a'].map(x, x)", "5 type: the elements of a list have one type: string stands beside int"},
		{"max(i, d)", "1 no-promotion: max takes (int, int) or (double, double) or (list(int)) or (list(double)), not (int, " +
			"double)" + convert},
		{"floor(i)", "1 no-promotion: floor takes (double), not (int); an int is whole already: leave floor out; / of two ints " +
			"is div_floor, div_ceil, div_half_up or div_trunc"},
		{"pow(2, d)", "1 no-promotion: pow takes (int, int) or (double, double), not (int, double); write 2.0 for 2"},
		{"i + s", "3 type: + does not take int and string; a number stands without quotes; string(x) makes a text of a " +
			"number, int(x) a number of a text"},
		{"!i", "1 type: ! does not take int; write x == 0"},
		{"i && b", "1 type: bool is asked for here, not int; a truth is x > 0; a number under a condition is c ? x : 0; a value for one that may be missing is " +
			"has(input.x) ? input.x : 0"},
		{"i ? 1 : 2", "3 type: a condition must be bool, not int; compare the number: x > 0, or x != 0"},
		{"is.filter(x, x)", "4 type: a condition must be bool, not int; compare the number: x > 0, or x != 0"},
		{"i.map(x, x)", "1 type: only lists and maps have elements, not int; write range(n) for the numbers from 0 to n - 1"},
		{"p.nam", "3 unknown-member: p has no field nam; did you mean name?"},
		{"i.x", "3 type: int has no fields; leave out .x: it is the value itself"},
		{"has(p.name)", "1 needless-has: name is always there; leave has(...) out: only a field declared with ? may be " +
			"missing"},
		{"[]", "1 open-type: nothing says of what type the elements of this list are; join it with a list, [] + xs, or take the " +
			"empty part of one, xs.slice(0, 0)"},
		{"size([])", "6 open-type: nothing says of what type the elements of this list are; join it with a list, [] + xs, or " +
			"take the empty part of one, xs.slice(0, 0)"},
		{"pick(i, 'a': 1)", "12 syntax: \":\" cannot stand here: a choice is written condition ? a : b, a value for each word {'a': 1, 'b': 2}[x]"},
		{"aspect == 'mnid'", "11 enum-value: aspect is never 'mnid': it is one of body, mind; did you mean mind?"},
		{"'soul' == aspect", "1 enum-value: aspect is never 'soul': it is one of body, mind"},
		{"aspect in ['body', 'soul']", "20 enum-value: aspect is never 'soul': it is one of body, mind"},
		{"aspect == (b ? 'body' : 'bodi')", "25 enum-value: aspect is never 'bodi': it is one of body, mind; did you mean body?"},
		{"aspect < 'mnid'", "10 enum-value: aspect is never 'mnid': it is one of body, mind; did you mean mind?"},
		{"s >= aspect", "1 type: aspect is one of body, mind in this order, and s may be any string; compare words of one " +
			"choice, or compare with =="},
		{"rise < (b ? 'low' : 'none')", "21 enum-value: rise is never 'none': it is one of low, mid, high"},
		{"b ? aspect : 'bodi'", "14 enum-value: 'bodi' stands beside aspect, which is one of body, mind; did you mean body?"},
		{"(b ? (b ? 'none' : 'mynd') : aspect) == 'none'", "20 enum-value: 'mynd' stands beside aspect, which is one of body, " +
			"mind; did you mean mind?"},
		{"(b ? aspect : 'none') == 'none'", ""},
		{"(b ? aspect : 'none') < 'body'", "15 type: aspect is one of body, mind in this order, in which 'none' has no place" +
			other},
		{"sort(['none', aspect])", "7 type: aspect is one of body, mind in this order, in which 'none' has no place" + other},
		{"(b ? 'body' : aspect) < (b ? 'mind' : 'body')", ""},
		{"{'x': aspect, 'y': 'body'}['y'] < 'mind'", ""},
		{"{'x': aspect}['y'] == 'bodi'", "23 enum-value: this is never 'bodi': it is one of body, mind; did you mean body?"},
		{"get({'x': aspect}, 'y', 'none') < 'mind'", "25 type: a value is one of body, mind in this order, in which 'none' has no " +
			"place" + other},
		{"[aspect, 'none'].filter(x, b)[0] < 'mind'", "10 type: aspect is one of body, mind in this order, in which 'none' has no " +
			"place" + other},
		{"rise < ['low', 'none'][i]", "6 type: rise is one of low, mid, high in this order, and this is one of low, none, which " +
			"have none" + other},
		{"rise < fall", "6 type: rise and fall are choices with orders of their own: low, mid, high; and high, low" + other},
		{"rise < ends", ""},
		{"(b ? fall : ends) < 'high'", "19 type: fall and ends are choices with orders of their own: high, low; and low, high" +
			other},
		{"(b ? rise : ends) < 'high'", ""},
		{"{1: 2}", "1 unsupported: the keys of a map are strings; write the key in quotes: {'hit': x}"},
		{"1u", "1 unsupported: formulas have no values of type uint"},
		{"b'a'", "1 unsupported: formulas have no values of type bytes"},
		{"null", "1 unsupported: formulas have no null; whether a field is there is asked by has(input.x)"},
		{"i == null", "3 unsupported: formulas have no null; whether a field is there is asked by has(input.x)"},
		{"max(i)", "1 type: max takes (int, int) or (double, double) or (list(int)) or (list(double)), not (int); " +
			"max(a, b) compares two numbers or more, and max(xs) those of a list"},
		{"1 <= i <= 5", "8 type: <= does not take bool and int; two comparisons of one number are joined: 1 <= x && x <= 5"},
		{"is.slice(1)", "4 type: slice takes list(T).slice(int, int), not (list(int), int); say where it ends: xs.slice(from, " +
			"size(xs))"},
		{"is.sum(x, x > 3)", "4 type: sum takes (list(int)) or (list(double)), not (list(bool)); xs.count(x, condition) says " +
			"how many there are"},
		{"floor(i * 0.29)", "11 inexact-rounding: 0.29 has no exact double, and the product that is rounded may fall short of " +
			"a whole number; use integers: for 0.29 * x write div_floor(29 * x, 100), or div_ceil, div_half_up, div_trunc, " +
			"div_away"},
		{"round(100 * 0.29 * i)", "13 inexact-rounding: 0.29 has no exact double, and the product that is rounded may fall " +
			"short of a whole number; use integers: for 0.29 * x write div_floor(29 * x, 100), or div_ceil, div_half_up, " +
			"div_trunc, div_away"},
		{"floor(i * 1.3)", "11 inexact-rounding: 1.3 has no exact double, and the product that is rounded may fall short of a " +
			"whole number; use integers: for 1.3 * x write div_floor(13 * x, 10), or div_ceil, div_half_up, div_trunc, div_away"},
		{"floor(i * 1.5)", ""},
		{"ceil(0.125 * i)", ""},
		{"sort(ps)", "1 type: sort puts numbers, strings and truth values in order, not {name: string, skill?: int}; write " +
			"xs.sort_by(x, <key>)"},
		{"is.fold(x, acc, is, acc)", "17 type: the state of fold is a number, a string, a truth value, or a record of such, not " +
			"list(int); fold each number by itself"},
		{"is.fold(x, acc, {'a': 1, 'b': 2}, acc)", "17 type: the state of fold is a number, a string, a truth value, or a record " +
			"of such, not map(string, int); begin with a row of a table that has a column for each value, tally('empty'), and set " +
			"its fields: with(state, 'left', state.left - 1)"},
		{"is.fold(x, acc, p, acc)", "17 type: the state of fold is a number, a string, a truth value, or a record of such, not " +
			"{name: string, skill?: int}; fold each number by itself"},
		{"is.fold(x, acc, 0, acc + 0.5)", "24 type: the state of fold begins as another type: expected type 'int' but found " +
			"'double'; begin with a double, 0.0, or round what follows"},
		{"is.fold(x, acc, 0, x > 3)", "22 type: the state of fold begins as another type: expected type 'int' but found 'bool'"},
		{"is.fold(x, x, 0, x)", "12 syntax: the element and the state of fold have two names"},
		{"is.fold(x, 0, x + 1, 2)", "12 syntax: fold names the element and the state first: xs.fold(x, state, start, next)"},
		{"is.fold(x, 0, x)", "4 unknown-function: fold is not called so; write xs.fold(x, state, start, next)"},
		{"b ? yes : no", "5 unknown-name: there is no yes here; write true\n" +
			"11 unknown-name: there is no no here; write false"},
		{"int(b)", "1 type: int takes (double), (string) or (int), not (bool); say which number it is, in brackets: (x ? 1 : 0)"},
		{"is.reduce(x, acc, 0, acc + x)", "4 unknown-function: there is no function reduce; write xs.fold(x, state, start, next)"},
		{"m.sort_by(k, k)", "3 type: sort_by orders the elements of a list, not of map(string, int)"},
		{"ps.sort_by(x, x)", "4 type: sort_by goes by an int, a double, a string or a bool, not by {name: string, skill?: int}"},
		{"with(p, s, 'x')", "9 type: the field of a record must be named in quotes"},
		{"with(p, 'nam', 'x')", "9 unknown-member: {name: string, skill?: int} has no field nam; did you mean name?"},
		{"with(p, 'name', 1)", "17 type: name must be string, not int; string(x) makes a text of a number"},
		{"with(m, 'a', 1.0)", "14 no-promotion: the value of a key must be int, not double; say how to round: floor(x), " +
			"ceil(x) or round(x)"},
		{"get(m, 'a', 1.0)", "1 type: get takes (map(string, V), string, V), not (map(string, int), string, double)"},
		{"is['a']", "3 type: the index of a list must be int, not string"},
		{"m[1]", "2 type: the key of this map must be string, not int"},
		{"i[0]", "2 type: int has no elements; it is one number: leave out the brackets; a die with a count is a list"},
		{"i + k", "5 unknown-name: there is no k here"},
		{"floor_div(i, 2)", "1 unknown-function: there is no function floor_div; did you mean div_floor?"},
		{"1d8", "2 syntax: \"d8\" cannot stand here; a formula rolls no dice: write dice: roll: \"d8\", and read roll here"},
		{"k(i)", "1 unknown-function: there is no function k"},
		{"is.sort()", "4 unknown-function: sort does not stand behind a dot; write sort(is)"},
		{"is.sum()", "4 unknown-function: sum is not called so; write sum(is)"},
		{"is.filter(i > 2)", "4 unknown-function: filter is not called so; write xs.filter(x, condition)"},
		{"slice(is, 0, 1)", "1 unknown-function: slice stands behind a dot; write is.slice(0, 1)"},
		{"is.contains(1)", "4 type: contains takes two strings, not (list(int), int); write x in xs"},
		{"is.length", "4 type: list(int) has no fields; write size(is)"},
		{"is[0:2]", "5 syntax: \":\" cannot stand here: a part of a list is xs.slice(from, to), and to is outside of it: " +
			"write is.slice(0, 2)"},
		{"(is[0]):2", "8 syntax: \":\" cannot stand here: a choice has one, condition ? a : b; the b may be a choice again"},
		{"is.first()", "4 unknown-function: there is no function first; write is[0]"},
		{"random(6)", "1 unknown-function: there is no function random; a formula rolls no dice: write dice: roll: \"d6\", " +
			"and read roll here"},
		{"s.shout()", "3 unknown-function: there is no function shout; behind a dot stand contains, startsWith and " +
			"endsWith of a string, " +
			"slice of a list, and the macros all, exists, exists_one, map, filter, count, sum, sort_by, fold"},
		{"(i +", "5 syntax: the expression ends too early: write what follows +, or leave it out"},
		{"i + * 2", "5 syntax: \"*\" cannot stand here"},
		{"i # 2", "3 syntax: \"#\" cannot stand here: a note stands outside of the quotes, behind //"},
		{"'é' +\n i", "5 type: + does not take string and int; write 'é' + string(i)"},
		{"'a' + (\n i + s)", "12 type: + does not take int and string; a number stands without quotes; string(x) makes a text " +
			"of a number, int(x) a number of a text"},
	} {
		var diags diag.List
		got := CheckExpression(placed(c.text), testNames(), Profile{}, &diags)
		if said := brokenBy(&diags); said != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, said, c.want)
		}
		if (got == nil) != (c.want != "") {
			t.Errorf("%s: the tree is %v", c.text, got)
		}
	}
}

func TestProfile(t *testing.T) {
	open := Profile{IntegerDivision: true, MapLiterals: true}
	for text, want := range map[string]string{
		"7 / 2":                   "divide_int64(7, 2)",
		"{'a': i}['a']":           "index_map(map literal(\"a\", i), \"a\")",
		"size({1: 2})":            "size_map(map literal(1, 2))",
		"{true: 1.0}[b]":          "index_map(map literal(true, 1.0), b)",
		"{'a': 1}.all(k, k == s)": "all(k: map literal(\"a\", 1), equals(k, s))",
	} {
		var diags diag.List
		got := CheckExpression(placed(text), testNames(), open, &diags)
		if !diags.Empty() {
			t.Errorf("%s: %s", text, brokenBy(&diags))
			continue
		}
		if show(got.Root) != want {
			t.Errorf("%s: got %s, want %s", text, show(got.Root), want)
		}
	}
}
