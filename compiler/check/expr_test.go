package check

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func recordOf(fields ...plan.Field) *plan.Type { return &plan.Type{Kind: plan.Record, Fields: fields} }

func testNames() []*Param {
	oneOf := func(words ...string) *plan.Type { return &plan.Type{Kind: plan.String, Enum: words} }
	person := recordOf(plan.Field{Name: "name", Type: plan.StringType},
		plan.Field{Name: "skill", Type: plan.IntType, Optional: true})
	v := NewParam
	return []*Param{
		v("i", plan.IntType), v("j", plan.IntType), v("d", plan.DoubleType), v("b", plan.BoolType), v("s", plan.StringType),
		v("aspect", oneOf("body", "mind")), v("is", plan.ListOf(plan.IntType)), v("ds", plan.ListOf(plan.DoubleType)),
		v("m", plan.MapOf(plan.IntType)), v("p", person), v("ps", plan.ListOf(person)),
		v("rise", oneOf("low", "mid", "high")), v("fall", oneOf("high", "low")), v("ends", oneOf("low", "high")),
	}
}

// show prints a tree on one line.
func show(e *Expr) string {
	if e == nil {
		return "-"
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = show(a)
	}
	list := strings.Join(args, ", ")
	switch e.Op {
	case OpConst:
		return showConst(e)
	case OpRef:
		return e.Object.Name()
	case OpField:
		return list + "." + e.Name
	case OpHas:
		return "has(" + list + "." + e.Name + ")"
	case OpCall:
		return e.Name + "(" + list + ")"
	case OpMakeList:
		return "[" + list + "]"
	case OpAll, OpExists, OpExistsOne, OpMap, OpFilter, OpSortBy:
		return fmt.Sprintf("%s(%s: %s)", opNames[e.Op], e.Item.Name(), list)
	}
	return opNames[e.Op] + "(" + list + ")"
}

var opNames = map[Op]string{
	OpAnd: "and", OpOr: "or", OpCond: "cond", OpMakeMap: "map literal", OpAll: "all", OpExists: "exists",
	OpExistsOne: "exists_one",
	OpMap:       "map", OpFilter: "filter", OpSortBy: "sort_by", OpFold: "fold",
}

func showConst(e *Expr) string {
	switch e.Type.Kind {
	case plan.Int:
		return strconv.FormatInt(e.Value.Int, 10)
	case plan.Double:
		return strconv.FormatFloat(e.Value.Double, 'f', 1, 64)
	case plan.Bool:
		return strconv.FormatBool(e.Value.Bool)
	}
	return strconv.Quote(e.Value.String)
}

func TestExpression(t *testing.T) {
	for _, c := range []struct{ text, tree, typ string }{
		{"i + 2", "add_int64(i, 2)", "int"},
		{"i + d", "add_double(int64_to_double(i), d)", "double"},
		{"d * (i + 1) + 1", "add_double(multiply_double(d, int64_to_double(add_int64(i, 1))), int64_to_double(1))", "double"},
		{"i / d", "divide_double(int64_to_double(i), d)", "double"},
		{"i < d", "less_int64_double(i, d)", "bool"},
		{"is.exists(x, x < d)", "exists(x: is, less_int64_double(x, d))", "bool"},
		{"-i % 3", "modulo_int64(negate_int64(i), 3)", "int"},
		{"b && !b || i == 1", "or(and(b, logical_not(b)), equals(i, 1))", "bool"},
		{"b ? 1 : i", "cond(b, 1, i)", "int"},
		{"b ? [] : is", "cond(b, [], is)", "list(int)"},
		{"is + []", "add_list(is, [])", "list(int)"},
		{"[i, 2][0]", "index_list([i, 2], 0)", "int"},
		{"m['a'] + m.b", "add_int64(index_map(m, \"a\"), m.b)", "int"},
		{"has(m.a)", "has(m.a)", "bool"},
		{"has(p.skill) ? p.skill : 0", "cond(has(p.skill), p.skill, 0)", "int"},
		{"'a' in m && i in is", "and(in_map(\"a\", m), in_list(i, is))", "bool"},
		{"size(is) + is.size() + size(s) + m.size()",
			"add_int64(add_int64(add_int64(size_list(is), size_list(is)), size_string(s)), size_map(m))", "int"},
		{"is.map(x, x + 1)", "map(x: is, add_int64(x, 1))", "list(int)"},
		{"is.map(x, x > 1, d)", "map(x: is, d, greater_int64(x, 1))", "list(double)"},
		{"is.filter(x, x > 1)", "filter(x: is, greater_int64(x, 1))", "list(int)"},
		{"is.all(x, x > 1) && is.exists_one(x, x == 1)", "and(all(x: is, greater_int64(x, 1)), exists_one(x: is, equals(x, 1)))",
			"bool"},
		{"is.count(x, x > 1)", "size_list(filter(x: is, greater_int64(x, 1)))", "int"},
		{"is.sum(x, x * 2)", "sum_list_int(map(x: is, multiply_int64(x, 2)))", "int"},
		{"is.sum(x, x * 0.5)", "sum_list_double(map(x: is, multiply_double(int64_to_double(x), 0.5)))", "double"},
		{"ps.sort_by(x, x.name).map(x, x.name)", "map(x: sort_by(x: ps, x.name), x.name)", "list(string)"},
		{"m.map(k, m[k])", "map(k: m, index_map(m, k))", "list(int)"},
		{"m.count(k, m[k] > 0)", "size_list(filter(k: m, greater_int64(index_map(m, k), 0)))", "int"},
		{"min(i, 2, j)", "min_int(min_int(i, 2), j)", "int"},
		{"max(d, 2.0) + max(is)", "add_double(max_double(d, 2.0), int64_to_double(max_list_int(is)))", "double"},
		{"sum(ds)", "sum_list_double(ds)", "double"},
		{"div_floor(i, 2) + pow(2, i)", "add_int64(div_floor(i, 2), pow_int(2, i))", "int"},
		{"get(m, 'a', 0)", "get_map(m, \"a\", 0)", "int"},
		{"with(m, 'a', 1)", "with_map(m, \"a\", 1)", "map(string, int)"},
		{"with(p, 'name', 'x')", "with_record(p, \"name\", \"x\")", "{name: string, skill?: int}"},
		{"is.slice(0, 2)", "slice_list(is, 0, 2)", "list(int)"},
		{"sort(is)", "sort_list(is)", "list(int)"},
		{"range(3) + range(1, 2)", "add_list(range_1(3), range_2(1, 2))", "list(int)"},
		{"pour(i, [1, 2])", "pour(i, [1, 2])", "list(int)"},
		{"string(i) + s", "add_string(int64_to_string(i), s)", "string"},
		{"int(d) + int(s)", "add_int64(double_to_int64(d), string_to_int64(s))", "int"},
		{"s.startsWith('a') || s.contains('b')", "or(starts_with_string(s, \"a\"), contains_string(s, \"b\"))", "bool"},
		{"aspect == 'body'", "equals(aspect, \"body\")", "bool"},
		{"floor(d * 0.29)", "floor_double(multiply_double(d, 0.3))", "int"},
		{"floor(i / 2.0)", "floor_double(divide_double(int64_to_double(i), 2.0))", "int"},
		{"[[1], []]", "[[1], []]", "list(list(int))"},
	} {
		var diags diag.List
		got := CheckExpression(&book.Text{S: c.text}, testNames(), Profile{}, &diags)
		if !diags.Empty() {
			t.Errorf("%s: %v", c.text, diags.Sorted())
			continue
		}
		if show(got.Root) != c.tree || got.Root.Type.String() != c.typ {
			t.Errorf("%s:\n got %s: %s\nwant %s: %s", c.text, show(got.Root), got.Root.Type, c.tree, c.typ)
		}
	}
}
