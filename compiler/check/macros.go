package check

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// buildMacro builds an expanded macro. The accumulator tells which one it was: true, false, a number or a list.
//
// CEL's parser has expanded xs.exists_one(x, p) to a fold (CEL specification, "Macros"):
//
//	fold over xs with x, count = 0: p ? count + 1 : count, result count == 1
//
// The tree needs the macro and its body back. The accumulators tell macros apart; of the step the body is taken and the
// rest dropped, as OpExistsOne says it again.
func (b *treeBuilder) buildMacro(out *Expr, c ast.ComprehensionExpr, want *plan.Type) {
	over := b.buildExpr(c.IterRange(), nil)
	out.Args = []*Expr{over}
	var start *Expr
	if syntax.IsFold(c) { // its start is read before there is an element: a name of it is an outer one
		start = b.buildExpr(c.AccuInit(), nil)
	}
	out.Item = &Item{header: header{name: c.IterVar(), typ: itemType(over.Type)}}
	if over.Type.Kind == plan.List {
		out.Item.over = over
	}
	b.items = append(b.items, out.Item)
	defer func() { b.items = b.items[:len(b.items)-1] }()
	if start != nil {
		b.buildFold(out, c, start)
		return
	}
	step := c.LoopStep().AsCall()
	if c.AccuInit().Kind() == ast.ListKind {
		b.buildCollection(out, step, want)
		return
	}
	out.Type = plan.BoolType
	switch c.AccuInit().AsLiteral() {
	case types.True:
		out.Op = OpAll
	case types.False:
		out.Op = OpExists
	default: // a count, in steps of condition ? count + 1 : count
		out.Op = OpExistsOne
		out.Args = append(out.Args, b.buildExpr(step.Args()[0], nil))
		return
	}
	out.Args = append(out.Args, b.buildExpr(step.Args()[1], nil))
}

// buildFold builds fold. Its state is a number, a string, a truth value or a record of such. A string is of the words of its
// start and of all later states. The fields of a record keep theirs, by which the next record is judged.
func (b *treeBuilder) buildFold(out *Expr, c ast.ComprehensionExpr, start *Expr) {
	out.Op, out.Type = OpFold, b.typeOfState(c, start.Type)
	if start.Type.Kind != plan.Invalid && !isFoldState(start.Type) {
		d := b.addf("type", start.Place, "the state of fold is a number, a string, a truth value, or a record of "+
			"such, not %s", briefType(start.Type))
		if d.Repair = "fold each number by itself"; start.Op == OpMakeMap {
			d.Repair = "begin with a row of a table that has a column for each value, tally('empty'), and set its " +
				"fields: with(state, 'left', state.left - 1)"
		}
		out.Type = broken
	}
	out.State = &Item{header: header{name: c.AccuVar(), typ: out.Type}}
	b.items = append(b.items, out.State)
	next := b.buildExpr(c.LoopStep(), out.Type)
	b.items = b.items[:len(b.items)-1]
	if out.Type.Kind == plan.Record {
		b.checkFits(next, out.Type, "the next state")
	}
	out.Args = append(out.Args, next, start)
}

// typeOfState returns the type of the state of a fold that begins with a value. CEL types it by its start, and the words
// that later states may be are known when the body is built, of which the state is a part. So the body is built, without a
// report, for the words that are known, until no further word comes of it. It is kept for the types around it: a fold in the
// body of another one is built as often as that one, and would take twice as long for each fold around it.
func (b *treeBuilder) typeOfState(c ast.ComprehensionExpr, start *plan.Type) *plan.Type {
	if start.Kind != plan.String {
		return start
	}
	key := fmt.Sprint(c.LoopStep().ID(), keyOfWords(start))
	for _, item := range b.items {
		key += " " + keyOfWords(item.typ)
	}
	t, isKnown := b.states[key]
	if !isKnown {
		t = b.inferState(c, start)
		b.states[key] = t
	}
	return t
}

func (b *treeBuilder) inferState(c ast.ComprehensionExpr, t *plan.Type) *plan.Type {
	const most = 8
	for range most {
		var problems diag.List
		inner := *b
		inner.reporter = b.reporterTo(&problems, b.subject)
		inner.items = append(slices.Clone(b.items), &Item{header: header{name: c.AccuVar(), typ: t}})
		next := joinTypes(t, inner.buildExpr(c.LoopStep(), t).Type)
		if keyOfWords(next) == keyOfWords(t) {
			return t
		}
		t = next
	}
	return plan.StringType
}

// isFoldState reports whether a value of a type may be the state of a fold: it takes the same slots whatever it is.
// Lists and maps grow, and a field that may be missing is in no start.
func isFoldState(t *plan.Type) bool {
	if t.Kind != plan.Record {
		return t.Scalar()
	}
	return !slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return f.Optional || !isFoldState(f.Type) })
}

// itemType returns the type of the items that a macro walks: a list's elements, a map's keys.
func itemType(t *plan.Type) *plan.Type {
	switch t.Kind {
	case plan.List:
		return t.Elem
	case plan.Map:
		return &plan.Type{Kind: t.Key}
	}
	return broken
}

// buildCollection builds map and filter, in steps of list + [element] or condition ? list + [element] : list.
func (b *treeBuilder) buildCollection(out *Expr, step ast.CallExpr, want *plan.Type) {
	var condition ast.Expr
	if step.FunctionName() == operators.Conditional {
		condition = step.Args()[0]
		step = step.Args()[1].AsCall()
	}
	item := step.Args()[1].AsList().Elements()[0]
	if condition != nil && item.Kind() == ast.IdentKind && item.AsIdent() == out.Item.name {
		out.Op, out.Type = OpFilter, plan.ListOf(out.Item.typ)
		out.Args = append(out.Args, b.buildExpr(condition, nil))
		return
	}
	out.Op = OpMap
	var elem *plan.Type
	if want != nil && want.Kind == plan.List {
		elem = want.Elem
	}
	x := b.buildExpr(item, elem)
	out.Type = plan.ListOf(x.Type)
	out.Args = append(out.Args, x)
	if condition != nil {
		out.Args = append(out.Args, b.buildExpr(condition, nil))
	}
}

// buildSortBy builds the list and the list of its keys, which is a map over a copy of the list, as one operation.
func (b *treeBuilder) buildSortBy(out *Expr, args []ast.Expr) {
	list, keys := b.buildExpr(args[0], nil), b.buildExpr(args[1], nil)
	out.Op, out.Type, out.Item = OpSortBy, list.Type, keys.Item
	out.Args, out.Order = []*Expr{list, keys.Args[1]}, keys.Args[1].Type.Order()
	words := keys.Args[1]
	if words.Op == OpRef && words.Object == Object(keys.Item) { // the words themselves
		words = list
	}
	b.checkOneOrder(out, words)
}
