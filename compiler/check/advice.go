package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// adviseArguments returns the text to write for a call whose arguments no overload takes, where the slip shows in how many
// there are and of which types; "" where it does not.
func (b *treeBuilder) adviseArguments(name string, args []ast.Expr, given []*plan.Type) string {
	switch o := b.callables[name].(type) {
	case *Function:
		if len(o.Params) != len(given) {
			return fmt.Sprintf("write %s(%s)", name, strings.Join(o.paramNames(), ", "))
		}
		return b.adviseRows(o, args, given)
	case *Table:
		if len(given) == 1 && given[0].Kind == plan.String && o.Book.Kind.HasNumbers() {
			return fmt.Sprintf("a number finds a row of %s: %[1]s(5)", name)
		}
		return ""
	}
	switch {
	case name == "get" && len(given) == 2:
		return "say what it is where there is no such key: get(m, key, 0)"
	case name == "sum" && len(given) == 1 && isNumber(given[0]):
		return b.writtenForm(args[0]) + " is one number already: leave sum out"
	case name == "sum" && len(given) > 1 && slices.ContainsFunc(given, isListOfNumbers):
		return "sum adds the numbers of one list: sum(a) + sum(b)"
	case name == "sort" && len(given) == 1 && isNumber(given[0]):
		return "one number has no order: a die with a count is a list"
	case name == "sort" && len(given) == 2:
		return "sort goes from the least up; from the greatest down it is xs.sort_by(x, -x)"
	}
	return ""
}

// adviseRows returns what to write where a function takes rows of tables and is given keys of them; "" where it is not.
func (b *treeBuilder) adviseRows(f *Function, args []ast.Expr, given []*plan.Type) string {
	var repairs []string
	for i, p := range f.Params {
		table, key := b.tableOfKey(args[i])
		if p.typ.Kind == plan.Record && given[i].Kind == plan.String && table != nil && key != "" {
			repairs = append(repairs, fmt.Sprintf("%s is a key, whose row is %s(%[1]s)", key, table.name))
		}
	}
	return strings.Join(repairs, "; ")
}

func (f *Function) paramNames() []string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.name
	}
	return names
}

// comparedBeside returns the name that is compared on the other side of || or &&, roll for the 2 in roll == 1 || 2; ""
// where nothing is.
func (b *treeBuilder) comparedBeside(e ast.Expr) (compared string) {
	ast.PostOrderVisit(b.tree.Expr(), ast.NewExprVisitor(func(parent ast.Expr) {
		if parent.Kind() != ast.CallKind || !isJoint(parent.AsCall().FunctionName()) {
			return
		}
		args := parent.AsCall().Args()
		if args[1].ID() != e.ID() || args[0].Kind() != ast.CallKind {
			return
		}
		if left := args[0].AsCall(); left.FunctionName() == operators.Equals && left.Args()[0].Kind() != ast.CallKind {
			compared = b.writtenForm(left.Args()[0])
		}
	}))
	return compared
}

// isJoint reports whether an operator joins two truths.
func isJoint(operator string) bool {
	return operator == operators.LogicalOr || operator == operators.LogicalAnd
}

// memberElsewhere returns where a field is that a record does not have: below another field of the record,
// input.target.guard for input.guard, or in another record, event.engines for input.engines; "" where there is none.
func (b *treeBuilder) memberElsewhere(s ast.SelectExpr, record *plan.Type) string {
	if s.Operand().Kind() != ast.IdentKind {
		return ""
	}
	for _, m := range record.Fields {
		if m.Type.Kind == plan.Record && slices.Contains(b.types.memberNames(m.Type), s.FieldName()) {
			return s.Operand().AsIdent() + "." + m.Name + "." + s.FieldName()
		}
	}
	r := &resolver{reporter: b.reporter, site: b.site}
	for _, name := range r.recordsWith(s.FieldName()) {
		if !strings.HasPrefix(name, s.Operand().AsIdent()+".") {
			return name
		}
	}
	return ""
}

// adviseUsed returns how a formula gets at a part of a used rule that is none of its outputs; "" where the operand of a
// selection is no use, or the rule has no such part.
func (b *treeBuilder) adviseUsed(s ast.SelectExpr) string {
	if s.Operand().Kind() != ast.IdentKind {
		return ""
	}
	use, ok := b.site.scope.findObject(s.Operand().AsIdent()).(*Use)
	if !ok || use.Rule == nil {
		return ""
	}
	name, field := use.Name(), s.FieldName()
	switch {
	case field == "output" || field == "outputs":
		return fmt.Sprintf("outputs stand behind the name of the use: leave out .%s", field)
	case use.Rule.Book.Body.HasPart(field):
		return fmt.Sprintf("a use shows only outputs: in rule %s write output: %s: %[2]q, and read %[3]s.%[2]s",
			use.Rule.Name(), field, name)
	}
	return ""
}

// adviseCallable returns how a table or a function is called that stands as a name, in a formula that goes on with a path:
// weapon('sword').harm for weapon.sword.harm.
func adviseCallable(name string, o Object, path []string) string {
	t, ok := o.(*Table)
	switch {
	case !ok:
		return fmt.Sprintf("call it: %s(...)", name)
	case t.Across != nil:
		return fmt.Sprintf("two keys find a cell, the row's and the column's: %s(row, column)", name)
	case t.Book.Gives.S == "" && len(t.Book.Columns) > 0 && !t.Book.Kind.HasNumbers() && len(path) > 0:
		column := t.Book.Columns[0].Name
		if slices.ContainsFunc(t.Book.Columns, func(m plan.Member) bool { return m.Name == path[0] }) { // skill.ability
			return fmt.Sprintf("a key in parentheses finds a row: %s(key).%s", name, path[0])
		}
		if len(path) > 1 {
			column = path[1]
		}
		return fmt.Sprintf("a key in parentheses finds a row: %s('%s').%s", name, path[0], column)
	case t.Book.Gives.S == "" && len(t.Book.Columns) > 0:
		return fmt.Sprintf("a key in parentheses finds a row: %s(key).%s", name, t.Book.Columns[0].Name)
	}
	return fmt.Sprintf("call it: %s(...)", name)
}

// literalText returns the text of a literal that is one; "" of all else.
func literalText(e ast.Expr) string {
	if e.Kind() != ast.LiteralKind {
		return ""
	}
	text, _ := e.AsLiteral().Value().(string)
	return text
}

// operandText returns an operand as the author wrote it where it is a name, else x.
func (b *treeBuilder) operandText(e ast.Expr) string {
	if e.Kind() == ast.IdentKind {
		return e.AsIdent()
	}
	return "x"
}
