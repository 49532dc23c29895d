package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
)

// Authors call functions of spreadsheets and of other languages. What follows says how each call is written here, with the
// arguments that the author gave it.

// A foreignCall is what is written here for a function of another language. In the form stand the names of the parameters,
// for which arguments are put: size(x) of len(pool) is size(pool). A call with less arguments is told the form as it
// is; what a call has more of, as the column of VLOOKUP, means nothing here.
type foreignCall struct {
	form   string
	params []string
	joins  string // the operator that joins all arguments, in place of a form with parameters
	table  bool   // the parameter of this name is a table, and all else is another call
}

// foreignCalls are the functions of other languages, by their names in small letters. A method has what stands before
// its dot as its first argument.
var foreignCalls = sync.OnceValue(func() map[string]foreignCall {
	x, ab := []string{"x"}, []string{"a", "b"}
	xs, list := []string{"xs"}, []string{"xs", "x"}
	out := map[string]foreignCall{
		"sqrt": {form: "pow(double(x), 0.5)", params: x}, "not": {form: "!x", params: x},
		"clamp": {form: "max(least, min(most, x))", params: []string{"x", "least", "most"}},
		"mod":   {form: "a % b", params: ab}, "quotient": {form: "div_trunc(a, b)", params: ab},
		"and": {form: "a && b", joins: " && "}, "or": {form: "a || b", joins: " || "},
		"concatenate": {form: "a + b", joins: " + "}, "xor": {form: "a != b", params: ab},
		"rounddown": {form: "floor(x), or div_floor(a, b) of a quotient", params: nil},
		"roundup":   {form: "ceil(x), or div_ceil(a, b) of a quotient", params: nil},

		"vlookup": lookUpForm, "hlookup": lookUpForm, "xlookup": lookUpForm, "lookup": lookUpForm,
		"index": {form: "table(row, column)", params: []string{"table", "row", "column"}, table: true},

		"countif": {form: "xs.count(x, x == value)", params: []string{"xs", "value"}},
		"sumif":   {form: "sum(xs.filter(x, x == value))", params: []string{"xs", "value"}},
		"large":   {form: "sort(xs)[size(xs) - n]", params: []string{"xs", "n"}},
		"small":   {form: "sort(xs)[n - 1]", params: []string{"xs", "n"}},
		"iferror": {form: "what is asked for first: has(input.x) ? input.x : 0, or get(m, key, 0) of a map"},
		"total":   {form: "sum(xs)", params: xs}, "any": {form: "xs.exists(x, condition)"},
		"every": {form: "xs.all(x, condition)"}, "some": {form: "xs.exists(x, condition)"},
		"first": {form: "xs[0]", params: xs}, "last": {form: "xs[size(xs) - 1]", params: xs},
		"includes": {form: "x in xs", params: list}, "append": {form: "xs + [x]", params: list},
		"push": {form: "xs + [x]", params: list}, "concat": {form: "xs + ys", params: []string{"xs", "ys"}},
		"reverse": {form: "xs.sort_by(x, -x) for numbers from the greatest down"},
		"find":    {form: "xs.filter(x, condition)[0]"}, "sorted": {form: "sort(xs)", params: xs},
		"reduce": {form: "xs.fold(x, state, start, next)"},
		"lowest": {form: "sort(xs).slice(0, n) for the lowest n, min(xs) for the least; dice in notation keep 2d20kl1"},
		"p":      {form: "the formula alone: --ask tells its chance; P(x) and E(x) stand in --until"},
		"prob":   {form: "the formula alone: --ask tells its chance"},
		"keys":   {form: "k in m; a macro over a map walks its keys: m.exists(k, m[k] > 2)"},
		"values": {form: "m[k]; a macro over a map walks its keys: sum(m.map(k, m[k]))"},
		"has":    {form: "has(input.x), with the name behind a dot; of a map with any keys get(m, key, 0)"},
		"switch": {form: "condition ? a : b, or a table"}, "case": {form: "condition ? a : b, or a table"},
	}
	for form, names := range map[string][]string{
		"size(x)": {"len", "length", "size", "counta"}, "int(x)": {"trunc", "truncate", "integer"}, "ceil(x)": {"ceiling"},
		"string(x)": {"str", "tostring", "text"}, "double(x)": {"float"},
	} {
		for _, name := range names {
			out[name] = foreignCall{form: form, params: x}
		}
	}
	for form, names := range map[string][]string{
		"max(a, b)": {"maximum"}, "min(a, b)": {"minimum"}, "pow(a, b)": {"power"},
	} {
		for _, name := range names {
			out[name] = foreignCall{form: form, params: ab}
		}
	}
	for _, name := range []string{"if", "iif", "ifelse", "if_else", "cond", "ternary", "iff"} {
		out[name] = foreignCall{form: choiceForm, params: []string{"condition", "a", "b"}}
	}
	for _, name := range []string{"average", "avg", "mean"} {
		out[name] = foreignCall{form: "double(sum(xs)) / double(size(xs))", params: xs}
	}
	for _, name := range []string{"highest", "largest", "best", "top", "keep"} {
		out[name] = foreignCall{form: highestForm}
	}
	for _, name := range []string{"lower", "tolowercase", "upper", "touppercase"} {
		out[name] = foreignCall{form: "the word as it is: == compares it letter by letter"}
	}
	return out
})

// choiceForm has brackets, because every operator binds closer than a choice does.
const choiceForm = "(condition ? a : b)"

const highestForm = "sort(xs).slice(size(xs) - n, size(xs)) for the highest n, max(xs) for the greatest; dice in " +
	"notation keep 4d6kh3"

var lookUpForm = foreignCall{form: "table(key)", params: []string{"key", "table"}, table: true}

// criterion is the comparison with a text in which a spreadsheet has a sign and a number: x == '>=5'.
var criterion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`== '([<>]=?|=|<>)\s*(-?[\w.]+)'`) })

// paramName is a name in a form.
var paramName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[(]?\b[a-z]+\b`) })

// textFor returns what is written for a call with some arguments; the form as it is where there are too few.
func (f foreignCall) textFor(args []string) string {
	if f.joins != "" && len(args) > 1 {
		return strings.Join(args, f.joins)
	}
	if len(f.params) == 0 || len(args) < len(f.params) {
		return f.form
	}
	text := paramName().ReplaceAllStringFunc(f.form, func(name string) string {
		bare := strings.TrimPrefix(name, "(")
		i := slices.Index(f.params, bare)
		switch {
		case i < 0:
			return name
		case bare != name, !strings.Contains(args[i], " "), strings.HasSuffix(args[i], ")"):
			return name[:len(name)-len(bare)] + args[i]
		}
		return "(" + args[i] + ")"
	})
	return criterion().ReplaceAllStringFunc(text, func(found string) string {
		m := criterion().FindStringSubmatch(found)
		sign := map[string]string{"=": "==", "<>": "!="}[m[1]]
		if sign == "" {
			sign = m[1]
		}
		return sign + " " + m[2]
	})
}

// targetOf returns the text before the dot of a call; "" of a call without one, and behind the name of a library.
func targetOf(expr *syntax.Expr, c syntax.Call) string {
	if !c.Member || sectionBefore(expr, c) >= 0 {
		return ""
	}
	return expr.Text(c.Expr.AsCall().Target())
}

// argumentTexts returns the arguments of a call as they are written, what stands before its dot first.
func (r *resolver) argumentTexts(expr *syntax.Expr, c syntax.Call) (args []string) {
	if target := targetOf(expr, c); target != "" {
		args = append(args, target)
	}
	for _, e := range c.Expr.AsCall().Args() {
		args = append(args, expr.Text(e))
	}
	return args
}

// passOver notes the places of the tables among the arguments of a call that is unknown: they stand there as the other
// language wants them.
func (r *resolver) passOver(expr *syntax.Expr, c syntax.Call, passed map[int]bool) {
	for _, e := range c.Expr.AsCall().Args() {
		for _, ref := range expr.Refs {
			if e.Kind() == ast.IdentKind && ref.Place == expr.Place(e) && r.callables[ref.Name] != nil {
				passed[ref.Offset] = true
			}
		}
	}
}

// roundings are the functions that divide integers as a function rounds what is divided.
var roundings = map[string]string{"floor": "div_floor", "ceil": "div_ceil", "round": "div_half_up",
	"trunc": "div_trunc", "int": "div_trunc", "rounddown": "div_floor", "roundup": "div_ceil"}

// roundedDivision returns the division that a rounded quotient means, floor(a / b); "" of other calls.
func roundedDivision(expr *syntax.Expr, c syntax.Call) string {
	args := c.Expr.AsCall().Args()
	if len(args) == 0 || args[0].Kind() != ast.CallKind || args[0].AsCall().FunctionName() != operators.Divide ||
		roundings[strings.ToLower(c.Name)] == "" {
		return ""
	}
	quotient := args[0].AsCall().Args()
	return fmt.Sprintf("%s(%s, %s)", roundings[strings.ToLower(c.Name)], expr.Text(quotient[0]), expr.Text(quotient[1]))
}

// foreignForm returns what is written for a call of another language; "" where no row knows it. A look-up that names no
// table of the ruleset is told how one is called.
func (r *resolver) foreignForm(expr *syntax.Expr, c syntax.Call) string {
	f, ok := foreignCalls()[strings.ToLower(c.Name)]
	if !ok {
		return ""
	}
	if rounded := roundedDivision(expr, c); rounded != "" {
		return "write " + rounded
	}
	args := r.argumentTexts(expr, c)
	if !f.table {
		return "write " + f.textFor(args)
	}
	at := slices.Index(f.params, "table")
	if len(args) <= at || r.callables[args[at]] == nil {
		return "a table is called by its key: weapon(key), or weapon(key).column where its rows have several"
	}
	t, ok := r.callables[args[at]].(*Table)
	switch {
	case ok && t.Across != nil && len(args) < 3:
		return "write " + args[at] + "(row, column): two keys find a cell"
	case ok && t.Across == nil && t.Book.Gives.S == "" && len(t.Book.Columns) > 0:
		key := args[1-min(at, 1)]
		return fmt.Sprintf("write %s(%s).%s, with the column that is wanted", args[at], key, t.Book.Columns[0].Name)
	case ok && t.Across == nil && at == 0 && len(args) > 1:
		return fmt.Sprintf("write %s(%s)", args[at], args[1])
	}
	return "write " + f.textFor(args)
}

// suggestFunction returns the repair for an unknown function: one that differs in case alone, the counterpart of another
// language's name, one that is spelt nearly so, or one of the same words in another order, as div_floor for floor_div.
// Behind a dot the few methods are listed.
func (r *resolver) suggestFunction(expr *syntax.Expr, c syntax.Call) string {
	known := r.callableHere(c.Member)
	isSame := func(name string) bool { return name != c.Name && strings.EqualFold(name, c.Name) }
	if i := slices.IndexFunc(known, isSame); i >= 0 {
		return "did you mean " + known[i] + "?"
	}
	if meant := r.foreignForm(expr, c); meant != "" {
		return meant
	}
	if slices.Contains(randomNames, strings.ToLower(c.Name)) {
		return rollFirst(diceOfRange(expr, c), r.site.scope)
	}
	if repair := diag.DidYouMean(c.Name, known); repair != "" {
		return repair
	}
	for _, name := range known {
		if name != c.Name && slices.Equal(sortedWords(name), sortedWords(c.Name)) {
			return "did you mean " + name + "?"
		}
	}
	if c.Member {
		return "behind a dot stand contains, startsWith and endsWith of a string, slice of a list, and the macros " +
			strings.Join(syntax.Macros(), ", ")
	}
	return ""
}

// randomNames are what other languages call a throw of dice.
var randomNames = []string{"roll", "random", "rand", "randint", "randbetween", "dice", "d"}

// diceOfRange returns the die that shows every number of a range from 1, as randint(1, 20) says it; 1d6 of all else.
func diceOfRange(expr *syntax.Expr, c syntax.Call) string {
	args := c.Expr.AsCall().Args()
	if len(args) != 2 || expr.Text(args[0]) != "1" || args[1].Kind() != ast.LiteralKind {
		return "1d6"
	}
	return "1d" + expr.Text(args[1])
}

// macroForms says how each macro that stands behind a dot is written.
var macroForms = map[string]string{
	"all": "xs.all(x, condition)", "exists": "xs.exists(x, condition)", "exists_one": "xs.exists_one(x, condition)",
	"map": "xs.map(x, value)", "filter": "xs.filter(x, condition)", "count": "xs.count(x, condition)",
	"sum": "xs.sum(x, value)", "sort_by": "xs.sort_by(x, key)",
	"fold": "xs.fold(x, state, start, next)",
}
