package check

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// macro builds an expanded macro. Which one it was shows in what it accumulates: true, false, a number or a list.
func (f *formula) macro(out *Expr, c ast.ComprehensionExpr, want *plan.Type) {
	over := f.build(c.IterRange(), nil)
	out.Args = []*Expr{over}
	out.Bind = &Var{Kind: MacroVar, Name: c.IterVar(), Type: element(over.Type)}
	f.macros = append(f.macros, out.Bind)
	defer func() { f.macros = f.macros[:len(f.macros)-1] }()
	step := c.LoopStep().AsCall()
	if c.AccuInit().Kind() == ast.ListKind {
		f.collect(out, step, want)
		return
	}
	out.Type = plan.BoolType
	switch c.AccuInit().AsLiteral() {
	case types.True:
		out.Op = All
	case types.False:
		out.Op = Exists
	default: // a count, in steps of condition ? count + 1 : count
		out.Op = ExistsOne
		out.Args = append(out.Args, f.build(step.Args()[0], nil))
		return
	}
	out.Args = append(out.Args, f.build(step.Args()[1], nil))
}

// element is the type of what a macro walks: a list's elements, a map's keys.
func element(t *plan.Type) *plan.Type {
	switch t.Kind {
	case plan.List:
		return t.Elem
	case plan.Map:
		return &plan.Type{Kind: t.Key}
	}
	return broken
}

// collect builds map and filter, in steps of list + [element] or condition ? list + [element] : list.
func (f *formula) collect(out *Expr, step ast.CallExpr, want *plan.Type) {
	var condition ast.Expr
	if step.FunctionName() == operators.Conditional {
		condition = step.Args()[0]
		step = step.Args()[1].AsCall()
	}
	item := step.Args()[1].AsList().Elements()[0]
	if condition != nil && item.Kind() == ast.IdentKind && item.AsIdent() == out.Bind.Name {
		out.Op, out.Type = Filter, plan.ListOf(out.Bind.Type)
		out.Args = append(out.Args, f.build(condition, nil))
		return
	}
	out.Op = Map
	var elem *plan.Type
	if want != nil && want.Kind == plan.List {
		elem = want.Elem
	}
	x := f.build(item, elem)
	out.Type = plan.ListOf(x.Type)
	out.Args = append(out.Args, x)
	if condition != nil {
		out.Args = append(out.Args, f.build(condition, nil))
	}
}

// sortBy builds the list and the list of its keys, which is a map over a copy of the list, as one operation.
func (f *formula) sortBy(out *Expr, args []ast.Expr) {
	list, keys := f.build(args[0], nil), f.build(args[1], nil)
	out.Op, out.Type, out.Bind = SortBy, list.Type, keys.Bind
	out.Args = []*Expr{list, keys.Args[1]}
}
