package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// report turns CEL's errors into diagnostics: said in the words of the language, with the repair where it is known.
func (f *formula) report(errs []*common.Error) {
	nodes := map[int64]ast.Expr{}
	ast.PostOrderVisit(f.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) { nodes[e.ID()] = e }))
	for _, err := range errs {
		f.reportOne(err, nodes[err.ExprID])
	}
}

func (f *formula) reportOne(err *common.Error, e ast.Expr) {
	if e == nil {
		f.addf("type", f.text.At(0), "%s", f.plainly(err.Message))
		return
	}
	switch {
	case e.Kind() == ast.CallKind && strings.HasPrefix(err.Message, "found no matching overload"):
		f.noOverload(e)
	case strings.HasPrefix(err.Message, "undeclared reference"):
		f.undeclared(e)
	case strings.HasPrefix(err.Message, "expected type 'bool'"):
		f.addf("type", f.place(e), "bool is asked for here, not %s", f.typeOf(e))
	case strings.Contains(err.Message, "cannot be range of a comprehension"):
		f.addf("type", f.place(e), "only lists and maps have elements, not %s", f.typeOf(e))
	case e.Kind() == ast.SelectKind:
		f.noField(e)
	default:
		f.addf("type", f.place(e), "%s", f.plainly(err.Message))
	}
}

// undeclared reports a name that only an expression outside a ruleset can have: within one, resolve has looked it up.
func (f *formula) undeclared(e ast.Expr) {
	if e.Kind() == ast.CallKind {
		f.addf("unknown-function", f.place(e), "there is no function %s", e.AsCall().FunctionName())
		return
	}
	f.addf("unknown-name", f.place(e), "there is no %s here", e.AsIdent()).Repair = diag.DidYouMean(e.AsIdent(), f.scope.names())
}

func (f *formula) typeOf(e ast.Expr) string { return f.shown(f.ofType(e)) }

func (f *formula) ofType(e ast.Expr) *plan.Type {
	if t := f.tree.GetType(e.ID()); t != nil {
		return f.types.plain(t)
	}
	return broken
}

func (f *formula) shown(t *plan.Type) string {
	if t.Kind == plan.Invalid {
		return "an unknown type"
	}
	return brief(t)
}

// internal finds the names of interned records in a message of CEL's.
var internal = regexp.MustCompile(`#[0-9]+`)

func (f *formula) plainly(message string) string {
	return internal.ReplaceAllStringFunc(message, func(name string) string {
		if t := f.types.types[name]; t != nil {
			return brief(t)
		}
		return name
	})
}

func (f *formula) noField(e ast.Expr) {
	s := e.AsSelect()
	at := f.text.At(syntax.Offset(f.tree, e.ID()) + 1)
	t := f.ofType(s.Operand())
	if t.Kind != plan.Record {
		f.addf("type", at, "%s has no fields", f.shown(t))
		return
	}
	if t.Character && f.disabled(at, "traits", s.FieldName()) {
		return
	}
	f.addf("unknown-member", at, "%s has no field %s", f.written(s.Operand()), s.FieldName()).
		Repair = diag.DidYouMean(s.FieldName(), f.types.members(t))
}

// written is a node as the author wrote it when it is a name with fields, else its type; of a character always that.
func (f *formula) written(e ast.Expr) string {
	switch {
	case f.ofType(e).Character:
		return f.typeOf(e)
	case e.Kind() == ast.IdentKind:
		return e.AsIdent()
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
		return f.written(e.AsSelect().Operand()) + "." + e.AsSelect().FieldName()
	}
	return f.typeOf(e)
}

// noOverload says what a function or an operator does not take.
func (f *formula) noOverload(e ast.Expr) {
	c := e.AsCall()
	var given []*plan.Type
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	for _, a := range args {
		given = append(given, f.ofType(a))
	}
	at := f.place(e)
	if sign, ok := operators.FindReverse(c.FunctionName()); ok && sign != "" {
		f.operator(at, c.FunctionName(), sign, given)
		return
	}
	f.function(at, c, given)
}

// divisionsOf lists the functions that divide integers, the first with its arguments: "div_floor(a, b), div_ceil or div_trunc".
func divisionsOf(args string) string {
	names := builtin.DivisionNames()
	last := len(names) - 1
	return names[0] + args + ", " + strings.Join(names[1:last], ", ") + " or " + names[last]
}

func (f *formula) operator(at plan.Place, name, sign string, given []*plan.Type) {
	switch {
	case name == operators.Divide && given[0].Kind == plan.Int && given[1].Kind == plan.Int:
		f.addf("integer-division", at, "/ of two integers says nothing about the remainder").
			Repair = "say how to round: " + divisionsOf("(a, b)") + ", or divide by a double"
	case len(given) == 2:
		f.mismatch(at, given[0], itself(name, given[1]), "%s does not take %s and %s", sign, f.shown(given[0]), f.shown(given[1]))
	default:
		f.addf("type", at, "%s does not take %s", sign, f.shown(given[0]))
	}
}

// itself is what the left operand of an operator is compared with: an element of the list, for in.
func itself(name string, right *plan.Type) *plan.Type {
	if name == operators.In && right.Kind == plan.List {
		return right.Elem
	}
	return right
}

func (f *formula) function(at plan.Place, c ast.CallExpr, given []*plan.Type) {
	name := c.FunctionName()
	switch name {
	case operators.Conditional:
		f.conditional(at, given)
		return
	case operators.Index:
		f.index(at, given)
		return
	case syntax.SortBy:
		f.sorting(at, given)
		return
	}
	d := f.addf("type", at, "%s takes %s, not (%s)", name, f.taken(name), f.listed(given))
	if numbersOnly(given) && numericFunction(name) {
		d.Code = "no-promotion"
		d.Repair = "write 1.0 or double(x)"
	}
	if (f.tables[name] != nil || f.functions[name] != nil) && slices.ContainsFunc(given, listOfNumbers) {
		d.Repair = "sum(x) adds the numbers of a list, such as the faces of a die with a count"
	}
}

func (f *formula) sorting(at plan.Place, given []*plan.Type) {
	if given[0].Kind != plan.List {
		f.addf("type", at, "sort_by orders the elements of a list, not of %s", f.shown(given[0]))
		return
	}
	f.addf("type", at, "sort_by goes by an int, a double, a string or a bool, not by %s", f.shown(element(given[1])))
}

func (f *formula) conditional(at plan.Place, given []*plan.Type) {
	if given[0].Kind != plan.Bool && given[0].Kind != plan.Invalid {
		f.addf("type", at, "a condition must be bool, not %s", f.shown(given[0]))
		return
	}
	f.mismatch(at, given[1], given[2], "the arms of ?: have one type: %s stands beside %s", f.shown(given[1]), f.shown(given[2]))
}

func (f *formula) index(at plan.Place, given []*plan.Type) {
	switch given[0].Kind {
	case plan.List:
		f.addf("type", at, "the index of a list must be int, not %s", f.shown(given[1]))
	case plan.Map:
		f.addf("type", at, "the key of this map must be string, not %s", f.shown(given[1]))
	default:
		f.addf("type", at, "%s has no elements", f.shown(given[0]))
	}
}

func (f *formula) listed(given []*plan.Type) string {
	names := make([]string, len(given))
	for i, t := range given {
		names[i] = f.shown(t)
	}
	return strings.Join(names, ", ")
}

// taken lists what a function takes.
func (f *formula) taken(name string) string {
	if t := f.tables[name]; t != nil {
		return "(" + keyTypes(t) + ")"
	}
	if fn := f.functions[name]; fn != nil {
		types := make([]*plan.Type, len(fn.Params))
		for i, p := range fn.Params {
			types[i] = p.Type
		}
		return "(" + f.listed(types) + ")"
	}
	for _, b := range builtin.Table() {
		if b.Name == name {
			return signatures(b)
		}
	}
	return map[string]string{
		overloads.Size: "a string, a list or a map", overloads.TypeConvertInt: "(double), (string) or (int)",
		overloads.TypeConvertDouble: "(int), (string) or (double)", overloads.TypeConvertString: "(int), (double), (bool) or (string)",
		overloads.TypeConvertBool: "(string) or (bool)", overloads.Contains: "two strings",
		overloads.StartsWith: "two strings", overloads.EndsWith: "two strings",
	}[name]
}

func keyTypes(t *TableDef) string {
	if t.Book.Kind == 0 {
		return "string"
	}
	return "int or double"
}

func signatures(b builtin.Function) string {
	var out []string
	for _, o := range b.Overloads {
		if o.Member {
			out = append(out, fmt.Sprintf("%s.%s(%s)", o.Params[0], b.Name, strings.Join(o.Params[1:], ", ")))
			continue
		}
		out = append(out, "("+strings.Join(o.Params, ", ")+")")
	}
	return strings.Join(out, " or ")
}

func numbersOnly(given []*plan.Type) bool {
	for _, t := range given {
		if !isNumber(t) && !listOfNumbers(t) {
			return false
		}
	}
	return len(given) > 0
}

// numericFunction reports whether a function would take the numbers if they were all doubles.
func numericFunction(name string) bool {
	switch name {
	case "min", "max", "pow", "floor", "ceil", "round":
		return true
	}
	return false
}
