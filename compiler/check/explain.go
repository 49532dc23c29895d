package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// explainErrors turns CEL's errors into diagnostics: said in the words of the language, with the repair where it is known.
//
// CEL names the node of an error by its id, and the message has CEL's types. The nodes are
// collected first, because an error may be about a node that a macro has made, for which the table
// has the place.
func (b *treeBuilder) explainErrors(errs []*common.Error) {
	nodes := map[int64]ast.Expr{}
	ast.PostOrderVisit(b.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) { nodes[e.ID()] = e }))
	for _, err := range errs {
		b.explainError(err, nodes[err.ExprID])
	}
}

// explainError words one of CEL's errors. CEL's have no codes, so their text and the kind of the node decide; the texts are
// those of the version of cel-go in go.mod, and TestProblems has an example of each. An error that is not recognised keeps
// CEL's words, with the names of interned records replaced by their fields.
func (b *treeBuilder) explainError(err *common.Error, e ast.Expr) {
	if e == nil {
		b.addf("type", b.site.expr.Start(), "%s", b.inOurTypes(err.Message))
		return
	}
	switch {
	case e.Kind() == ast.CallKind && strings.HasPrefix(err.Message, "found no matching overload"):
		b.explainNoOverload(e)
	case strings.HasPrefix(err.Message, "expected type 'bool'"):
		fallback, isSecond := b.adviseFallback(e)
		if isSecond {
			return
		}
		d := b.addf("type", b.site.expr.Place(e), "bool is asked for here, not %s", b.typeName(e))
		if b.typeOf(e).Kind == plan.String && e.Kind() == ast.SelectKind {
			d.Repair = fmt.Sprintf("a word is compared: %s == '...'", b.writtenForm(e))
		} else if fallback != "" {
			d.Repair = fallback
		} else if compared := b.comparedBeside(e); compared != "" {
			d.Repair = fmt.Sprintf("each side of || and && is a comparison of its own: %s == 1 || %[1]s == 2", compared)
		} else if kind := b.typeOf(e).Kind; kind == plan.Int || kind == plan.Double {
			d.Repair = "a truth is x > 0; a number under a condition is c ? x : 0; a value for one that may be missing " +
				"is has(input.x) ? input.x : 0"
		}
	case strings.HasPrefix(err.Message, "expected type"): // of the macros only fold has a state of another type
		d := b.addf("type", b.site.expr.Place(e), "the state of fold begins as another type: %s", b.inOurTypes(err.Message))
		if b.typeOf(e).Kind == plan.Double {
			d.Repair = "begin with a double, 0.0, or round what follows"
		}
	case strings.Contains(err.Message, "cannot be range of a comprehension"):
		b.addf("type", b.site.expr.Place(e), "only lists and maps have elements, not %s", b.typeName(e)).
			Repair = "write range(n) for the numbers from 0 to n - 1"
	case e.Kind() == ast.SelectKind:
		b.explainNoField(e)
	default:
		b.addf("type", b.site.expr.Place(e), "%s", b.inOurTypes(err.Message))
	}
}

func (b *treeBuilder) typeName(e ast.Expr) string { return b.nameType(b.typeOf(e)) }

func (b *treeBuilder) typeOf(e ast.Expr) *plan.Type {
	if t := b.tree.GetType(e.ID()); t != nil {
		return b.types.fromCEL(t)
	}
	return broken
}

func (b *treeBuilder) nameType(t *plan.Type) string {
	if t.Kind == plan.Invalid {
		return "an unknown type"
	}
	return briefType(t)
}

// internal finds the names of interned records in a message of CEL's.
var internal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#[0-9]+`) })

func (b *treeBuilder) inOurTypes(message string) string {
	return internal().ReplaceAllStringFunc(message, func(name string) string {
		if t := b.types.types[name]; t != nil {
			return briefType(t)
		}
		return name
	})
}

// explainNoField reports a field that an operand does not have. An operand that is no record is mostly the cell of a
// table with `gives`, of which a column is asked for once more, or a list with the method of another language.
func (b *treeBuilder) explainNoField(e ast.Expr) {
	s := e.AsSelect()
	at := b.site.expr.FieldPlace(e)
	t := b.typeOf(s.Operand())
	if t.Kind != plan.Record {
		d := b.addf("type", at, "%s has no fields", b.nameType(t))
		if table := b.lookedUp(s.Operand()); table != nil && table.Book.Gives.S != "" {
			d.Repair = adviseGives(table, s.FieldName())
		} else if f, ok := foreignCalls()[strings.ToLower(s.FieldName())]; ok && t.Kind == plan.List {
			d.Repair = "write " + f.textFor([]string{b.site.expr.Text(s.Operand())})
		} else if m := b.keyOfMap(s.Operand()); m != nil {
			d.Repair = fmt.Sprintf("a key that another field says stands in brackets: [%s.%s]", m.FieldName(),
				s.FieldName())
		} else if table, key := b.tableOfKey(s.Operand()); table != nil {
			d.Repair = fmt.Sprintf("%s is a key of the table %s: write %[2]s(%[1]s)", key, table.name)
			if table.Book.Gives.S == "" {
				d.Repair += "." + s.FieldName()
			}
		} else {
			d.Repair = withoutFields(t, s.FieldName())
		}
		return
	}
	if t.Character && b.reportDisabled(at, "traits", s.FieldName()) {
		return
	}
	d := b.addf("unknown-member", at, "%s has no field %s", b.writtenForm(s.Operand()), s.FieldName()).About(s.FieldName())
	if table := b.lookedUp(s.Operand()); table != nil {
		d.Message = fmt.Sprintf("the table %s has no column %s", table.name, s.FieldName())
		d.Lacks = diag.Lack{Table: table.name, Column: s.FieldName()}
	}
	d.Repair = suggestMember(s.FieldName(), b.types.memberNames(t))
	if repair := b.adviseUsed(s); repair != "" {
		d.Repair = repair
		return
	}
	if elsewhere := b.memberElsewhere(s, t); elsewhere != "" && diag.Nearest(s.FieldName(), b.types.memberNames(t)) == "" {
		d.Repair = "did you mean " + elsewhere + "?"
	}
}

// keyOfMap returns a selection in which the name of a record stands as the key of a map, skills.input; nil of any other
// node.
func (b *treeBuilder) keyOfMap(e ast.Expr) ast.SelectExpr {
	if e.Kind() != ast.SelectKind || b.typeOf(e.AsSelect().Operand()).Kind != plan.Map {
		return nil
	}
	if _, ok := b.site.scope.findObject(e.AsSelect().FieldName()).(*Given); !ok {
		return nil
	}
	return e.AsSelect()
}

// memberRead returns the field of a record that comes with a request, or of the state, that a node reads, and how the
// author wrote it; nil of any other node.
func (b *treeBuilder) memberRead(e ast.Expr) (m *plan.Member, written string) {
	written = writtenPath(e)
	root, path, ok := strings.Cut(written, ".")
	if given, isGiven := b.site.scope.findObject(root).(*Given); ok && isGiven {
		return fieldAt(given.Shape, path), written
	}
	return nil, written
}

// tableOfKey returns the table of which a node reads a key, input.weapon for string @key(weapon), and how the author wrote
// the node; nil of any other node, and of a table with two keys.
func (b *treeBuilder) tableOfKey(e ast.Expr) (t *Table, written string) {
	m, written := b.memberRead(e)
	if m == nil || m.Shape.Kind != plan.String {
		return nil, written
	}
	t, _ = b.callables[m.Shape.KeyOf].(*Table)
	if t != nil && t.Across != nil {
		t = nil
	}
	return t, written
}

// explainNull reports a comparison with null. What is compared may be a field that is always there.
func (b *treeBuilder) explainNull(at plan.Place, operator string, args []ast.Expr) {
	d := b.reportNull(at)
	if operator == operators.Conditional {
		d.Repair = b.adviseArm(args[1:])
		return
	}
	i := slices.IndexFunc(args, func(e ast.Expr) bool { return !isNull(e) })
	if i < 0 || operator != operators.Equals && operator != operators.NotEquals {
		return
	}
	m, written := b.memberRead(args[i])
	sign, not := "==", "!"
	if operator == operators.NotEquals {
		sign, not = "!=", ""
	}
	switch {
	case m == nil:
	case m.Optional:
		d.Repair = fmt.Sprintf("write %shas(%s)", not, written)
	case m.Default != "" && m.Shape.Kind == plan.String:
		d.Repair = fmt.Sprintf("%s is always there, and '%s' where nobody gives it: write %[1]s %[3]s '%[2]s'", written,
			strings.Trim(m.Default, `"`), sign)
	case m.Default != "":
		d.Repair = fmt.Sprintf("%s is always there, and %s where nobody gives it", written, m.Default)
	default:
		d.Repair = written + " is always there: leave the question out"
	}
}

// adviseArm returns what stands in place of null in one of the two arms of a choice.
func (b *treeBuilder) adviseArm(arms []ast.Expr) string {
	for _, arm := range arms {
		switch t := b.typeOf(arm); {
		case isNull(arm):
		case t.Kind == plan.Int:
			return "both arms are a number: write 0"
		case t.Kind == plan.Double:
			return "both arms are a number: write 0.0"
		case t.Kind == plan.String:
			return "both arms are a text: write ''"
		case t.Kind == plan.List:
			return "both arms are a list: write []"
		case t.Kind == plan.Bool:
			return "both arms are a truth: write false"
		}
	}
	return missingForm
}

// withoutFields returns the repair of a field of something that is no record.
func withoutFields(t *plan.Type, field string) string {
	switch {
	case t.Kind == plan.List && t.Elem.Kind != plan.Record:
		return "an element is xs[0], and sum(xs) adds numbers"
	case t.Kind == plan.List:
		return "an element is xs[0], a field of each xs.map(x, x." + field + ")"
	case t.Kind == plan.Invalid:
		return ""
	}
	return "leave out ." + field + ": it is the value itself"
}

// adviseGives returns the repair of a selected column where the table already gives a cell.
func adviseGives(table *Table, column string) string {
	gives := table.Book.Gives.S
	if column == gives {
		return fmt.Sprintf("the table %s gives its %s, and no row: leave out .%s", table.name, gives, column)
	}
	return fmt.Sprintf("the table %s gives its %s, and no row: to read other columns, remove gives, and write .%s where "+
		"the table is read", table.name, gives, gives)
}

// lookedUp returns the table whose row a node is; nil of any other node.
func (b *treeBuilder) lookedUp(e ast.Expr) *Table {
	if e.Kind() != ast.CallKind {
		return nil
	}
	table, _ := b.callables[e.AsCall().FunctionName()].(*Table)
	return table
}

// writtenForm returns a node as the author wrote it when it is a name with fields, else its type; of a character always
// that.
//
// A reader recognises "aim" sooner than "a record of level, difficulty and rate"; of a character
// the name alone would not tell that it is one.
func (b *treeBuilder) writtenForm(e ast.Expr) string {
	switch {
	case b.typeOf(e).Character:
		return b.typeName(e)
	case e.Kind() == ast.IdentKind:
		return e.AsIdent()
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
		return b.writtenForm(e.AsSelect().Operand()) + "." + e.AsSelect().FieldName()
	}
	return b.typeName(e)
}

// explainNoOverload words a call whose argument types no overload has.
//
// The order is from mistakes that people make to the bare types: dice used as a number, notation in a string, then
// operators, then functions.
func (b *treeBuilder) explainNoOverload(e ast.Expr) {
	c := e.AsCall()
	var given []*plan.Type
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	for _, a := range args {
		given = append(given, b.typeOf(a))
	}
	at := b.site.expr.Place(e)
	if slices.ContainsFunc(args, isNull) {
		b.explainNull(at, c.FunctionName(), args)
		return
	}
	sign, isOperator := operators.FindReverse(c.FunctionName())
	isOperator = isOperator && sign != ""
	pool := slices.IndexFunc(given, isListOfNumbers)
	isBroken := slices.ContainsFunc(given, func(t *plan.Type) bool { return t.Kind == plan.Invalid })
	takesNumber := slices.ContainsFunc(given, isNumber) && c.FunctionName() != operators.In || len(given) == 1 || isBroken
	if isOperator && pool >= 0 && takesNumber {
		b.explainPool(at, args[pool], sign, given)
		return
	}
	if isBroken && b.failed { // what is wrong with the operand is told
		return
	}
	if isOperator {
		d := b.explainOperator(at, c.FunctionName(), sign, given)
		if d.Code == "no-promotion" {
			d.Repair = b.adviseDouble(args)
		}
		b.adviseTruth(d, e, args, given)
		b.adviseJoin(d, e, given)
		for _, a := range args {
			switch column := b.diceColumn(a); {
			case column == "":
			case strings.Contains(b.site.subject, ", dice "):
				d.Repair = "a roll is dice alone: add the number where they are read, or plus: {roll: ...} for further dice"
			default:
				d.Repair = fmt.Sprintf("%s is dice, and no number: dice: %s: roll: \"...\" rolls them, and %[2]s is "+
					"what they come to", column, b.site.scope.freeName("harm", "extra"))
			}
		}
		if notation := notationAmong(args); notation != "" {
			d.Repair = rollFirst(notation, b.site.scope)
		}
		if row := b.rowAmong(args); row != nil && isOperator {
			d.Repair = row.readColumn()
		}
		return
	}
	b.explainFunction(at, c, given)
}

// rowAmong returns the table of which one of some operands is a row with columns; nil when none is.
func (b *treeBuilder) rowAmong(operands []ast.Expr) *Table {
	for _, e := range operands {
		if t := b.lookedUp(e); t != nil && b.typeOf(e).Kind == plan.Record && len(t.Book.Columns) > 0 {
			return t
		}
	}
	return nil
}

// readColumn returns the repair of a row of a table that stands where one of its cells is meant.
func (t *Table) readColumn() string {
	return fmt.Sprintf("the table %s gives a row: read a column, %[1]s(...).%s", t.name, t.numberColumn())
}

// numberColumn returns the first column of a table that holds numbers; the first of all where none does.
func (t *Table) numberColumn() string {
	for _, m := range t.Book.Columns {
		if m.Shape.Kind == plan.Int || m.Shape.Kind == plan.Double {
			return m.Name
		}
	}
	return t.Book.Columns[0].Name
}

// notationAmong returns the first of some operands that is dice in notation, as a string; "" when none is.
func notationAmong(operands []ast.Expr) string {
	for _, e := range operands {
		if e.Kind() != ast.LiteralKind {
			continue
		}
		if text, ok := e.AsLiteral().Value().(string); ok && dice.IsNotation(text) {
			return text
		}
	}
	return ""
}

// explainPool reports that an operator takes no list of numbers, such as the faces of several dice. Where a homebrew made a
// list of a single die, the homebrew is the place, for its author cannot mend the formula.
func (b *treeBuilder) explainPool(at plan.Place, pool ast.Expr, sign string, given []*plan.Type) {
	name, what := "x", "the list"
	if pool.Kind() == ast.IdentKind {
		name = pool.AsIdent()
		what = name
	}
	types := slices.DeleteFunc(slices.Clone(given), func(t *plan.Type) bool { return t.Kind == plan.Invalid })
	d := b.addf("type", at, "%s is a list of numbers: %s does not take %s", what, sign,
		strings.ReplaceAll(b.listTypes(types), ", ", " and "))
	d.Repair = fmt.Sprintf("sum(%s) adds them, max(%s) is the greatest, %s.count(n, n >= 5) counts those of 5 or more",
		name, name, name)
	if pool.Kind() == ast.ListKind && pool.AsList().Size() == 1 {
		d.Repair = "brackets make a list; parentheses say what comes first: (a - b) * 2"
	}
	die, ok := b.site.scope.findObject(name).(*Die)
	if !ok || pool.Kind() != ast.IdentKind {
		return
	}
	if die.Book.Notation.Written() {
		d.Repair += fmt.Sprintf("; %q would roll a total", die.Book.Notation.S+" + 0")
	}
	if die.Book.Overlay != "" && die.Book.Place.File != at.File {
		d.Related = []diag.Related{{Place: at, Message: "the formula"}}
		d.Place = die.Book.Place
	}
}

// divisionsOf lists the functions that divide integers, the first with its arguments:
// "div_floor(a, b), div_ceil or div_trunc".
func divisionsOf(args string) string {
	names := builtin.DivisionNames()
	last := len(names) - 1
	return names[0] + args + ", " + strings.Join(names[1:last], ", ") + " or " + names[last]
}

// diceColumn returns the column of dice that an operand looks up, "damage of weapon"; "" of any other operand.
func (b *treeBuilder) diceColumn(e ast.Expr) string {
	looked, column := e, ""
	if e.Kind() == ast.SelectKind {
		looked, column = e.AsSelect().Operand(), e.AsSelect().FieldName()
	}
	t := b.lookedUp(looked)
	if t == nil {
		return ""
	}
	if column == "" {
		column = t.Book.Gives.S
	}
	if !isDiceColumn(t.Book, column) {
		return ""
	}
	return column + " of " + t.name
}

// explainOperator returns the diagnostic of operands that an operator does not take. The cases are from the special to the
// general: a division of integers, where CEL only says that there is no overload; a truth that is added to a number; two
// operands; one.
func (b *treeBuilder) explainOperator(at plan.Place, name, sign string, given []*plan.Type) *diag.Diagnostic {
	var d *diag.Diagnostic
	switch {
	case name == operators.Divide && given[0].Kind == plan.Int && given[1].Kind == plan.Int:
		d = b.addf("integer-division", at, "/ of two integers says nothing about the remainder")
		d.Repair = "say how to round: " + divisionsOf("(a, b)") + ", or divide by a double"
	case len(given) == 2 && (isNumber(given[0]) && given[1].Kind == plan.Bool ||
		given[0].Kind == plan.Bool && isNumber(given[1])):
		d = b.addf("type", at, "%s does not take %s and %s", sign, b.nameType(given[0]), b.nameType(given[1]))
		d.Repair = truthAsNumber
		if isOrder(name) && given[0].Kind == plan.Bool {
			d.Repair = "two comparisons of one number are joined: 1 <= x && x <= 5"
		}
	case len(given) == 2:
		left, right := given[0], comparedType(name, given[1])
		d = b.reportMismatch(at, left, right, "%s does not take %s and %s", sign, b.nameType(given[0]),
			b.nameType(given[1]))
		if left.Kind == plan.String && right.Kind == plan.Bool && d.Repair == "" {
			d.Repair = "a word is compared with a word in quotes: option.tie == 'made'"
		}
		if name == operators.In && right.Kind == plan.String {
			d.Repair = "in looks into a list, x in ['a', 'b']; one word is compared, x == 'a'"
		}
		if left.Kind == plan.Bool && right.Kind == plan.String || left.Kind == plan.String && right.Kind == plan.Bool &&
			d.Repair == "" {
			d.Repair = "true and false stand without quotes; " +
				"a truth x says by itself that it holds, and !x that it does not"
		}
		if isNumber(left) && right.Kind == plan.String || left.Kind == plan.String && isNumber(right) {
			d.Repair = "a number stands without quotes; string(x) makes a text of a number, int(x) a number of a text"
		}
	default:
		d = b.addf("type", at, "%s does not take %s", sign, b.nameType(given[0]))
		switch {
		case name == operators.LogicalNot && isNumber(given[0]):
			d.Repair = "write x == 0"
		case name == operators.LogicalNot && given[0].Kind == plan.String:
			d.Repair = "write x == ''"
		case name == operators.Negate && given[0].Kind == plan.Bool:
			d.Repair = "write !x"
		}
	}
	return d
}

// adviseTruth says how a truth that an operator of arithmetic joins with a number is written as one: of a sum that is the
// condition of a choice, the brackets around the choice are what is missing.
func (b *treeBuilder) adviseTruth(d *diag.Diagnostic, e ast.Expr, args []ast.Expr, given []*plan.Type) {
	name := e.AsCall().FunctionName()
	isSum := name == operators.Add || name == operators.Subtract || name == operators.Multiply
	if !isSum || len(given) != 2 {
		return
	}
	k := slices.IndexFunc(given, func(t *plan.Type) bool { return t.Kind == plan.Bool })
	if k < 0 || !isNumber(given[1-k]) {
		return
	}
	truth := "x"
	if path := writtenPath(args[k]); path != "" {
		truth = path
	}
	d.Repair = fmt.Sprintf("say which number it is, in brackets: (%s ? 1 : 0)", truth)
	if product := b.productOf(e); name == operators.Multiply && truth != "x" {
		text := b.site.expr.Text(product)
		rest, ok := strings.CutPrefix(text, truth+" * ")
		if !ok {
			rest, ok = strings.CutSuffix(text, " * "+truth)
		}
		if ok {
			d.Repair = b.inBrackets(product, fmt.Sprintf("%s ? %s : 0", truth, rest))
		}
	}
	ast.PostOrderVisit(b.tree.Expr(), ast.NewExprVisitor(func(parent ast.Expr) {
		if k != 1 || parent.Kind() != ast.CallKind || parent.AsCall().FunctionName() != operators.Conditional ||
			parent.AsCall().Args()[0].ID() != e.ID() {
			return
		}
		arms := parent.AsCall().Args()[1:]
		d.Repair = fmt.Sprintf("the whole sum is the condition of ?: write brackets around the choice, (%s ? %s : %s)",
			truth, armText(arms[0], "a"), armText(arms[1], "b"))
	}))
}

// productOf returns the whole product that a multiplication begins, a * b * c of a * b.
func (b *treeBuilder) productOf(e ast.Expr) ast.Expr {
	product := e
	ast.PostOrderVisit(b.tree.Expr(), ast.NewExprVisitor(func(parent ast.Expr) { // from the inside outwards
		if parent.Kind() == ast.CallKind && parent.AsCall().FunctionName() == operators.Multiply &&
			parent.AsCall().Args()[0].ID() == product.ID() {
			product = parent
		}
	}))
	return product
}

// inBrackets returns the repair of a node by a choice, which stands in brackets where the node is a part of a formula.
func (b *treeBuilder) inBrackets(e ast.Expr, choice string) string {
	if e.ID() == b.tree.Expr().ID() {
		return "write " + choice
	}
	return "write (" + choice + ")"
}

// adviseJoin says how a text and a number are joined, 'total ' + string(total), where the text is
// written out and is no number itself.
func (b *treeBuilder) adviseJoin(d *diag.Diagnostic, e ast.Expr, given []*plan.Type) {
	if e.AsCall().FunctionName() != operators.Add || len(given) != 2 {
		return
	}
	args := e.AsCall().Args()
	texts := []string{b.site.expr.Text(args[0]), b.site.expr.Text(args[1])}
	k := slices.IndexFunc(given, func(t *plan.Type) bool { return t.Kind == plan.String })
	if k < 0 || !isNumber(given[1-k]) || texts[1-k] == "" || literalText(args[k]) == "" {
		return
	}
	if number, err := strconv.ParseFloat(literalText(args[k]), 64); err == nil {
		texts[k] = strconv.FormatFloat(number, 'f', -1, 64)
		d.Repair = "a number stands without quotes: write " + strings.Join(texts, " + ")
		return
	}
	texts[1-k] = "string(" + texts[1-k] + ")"
	d.Repair = "write " + strings.Join(texts, " + ")
}

// adviseFallback returns the call that means the value of a map, or another one where it has none, as other languages write
// it: m[key] || 0; "" of all else. It is told at the first operand, and nothing more at the second.
func (b *treeBuilder) adviseFallback(e ast.Expr) (repair string, isSecond bool) {
	ast.PostOrderVisit(b.tree.Expr(), ast.NewExprVisitor(func(parent ast.Expr) {
		if parent.Kind() != ast.CallKind || parent.AsCall().FunctionName() != operators.LogicalOr {
			return
		}
		left, right := parent.AsCall().Args()[0], parent.AsCall().Args()[1]
		if left.ID() != e.ID() && right.ID() != e.ID() {
			return
		}
		if path := writtenPath(left); path != "" && right.Kind() == ast.LiteralKind &&
			b.typeOf(left).Kind == b.typeOf(right).Kind && b.typeOf(left).Kind != plan.Bool {
			advice, instead := "%s is always there: leave || %s out", b.site.expr.Text(right)
			if key := strings.LastIndexByte(path, '.'); left.Kind() == ast.SelectKind &&
				b.typeOf(left.AsSelect().Operand()).Kind == plan.Map {
				repair = fmt.Sprintf("write get(%s, '%s', %s)", path[:key], path[key+1:], instead)
				isSecond = right.ID() == e.ID()
				return
			}
			if m, _ := b.memberRead(left); m != nil && m.Optional {
				advice = "write (has(%s) ? %[1]s : %s)"
			}
			repair, isSecond = fmt.Sprintf(advice, path, instead), right.ID() == e.ID()
			return
		}
		if left.Kind() != ast.CallKind || left.AsCall().FunctionName() != operators.Index ||
			b.typeOf(left.AsCall().Args()[0]).Kind != plan.Map || right.Kind() != ast.LiteralKind {
			return
		}
		of := left.AsCall().Args()
		repair = fmt.Sprintf("write get(%s, %s, %s)", b.site.expr.Text(of[0]),
			b.site.expr.Text(of[1]), b.site.expr.Text(right))
		isSecond = right.ID() == e.ID()
	}))
	return repair, isSecond
}

// writtenPath returns a name and what is selected behind it as the author wrote them; "" of all else.
func writtenPath(e ast.Expr) string {
	switch {
	case e.Kind() == ast.IdentKind:
		return e.AsIdent()
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() && writtenPath(e.AsSelect().Operand()) != "":
		return writtenPath(e.AsSelect().Operand()) + "." + e.AsSelect().FieldName()
	}
	return ""
}

// armText returns a name or a whole number as the author wrote it, or else another text.
func armText(e ast.Expr, other string) string {
	switch e.Kind() {
	case ast.LiteralKind:
		if n, ok := e.AsLiteral().Value().(int64); ok {
			return fmt.Sprint(n)
		}
	case ast.IdentKind, ast.SelectKind:
		return cmp.Or(writtenPath(e), other)
	}
	return other
}

// comparedType returns the type with which the left operand of an operator is compared: that of an element of the list, for
// in.
func comparedType(name string, right *plan.Type) *plan.Type {
	if name == operators.In && right.Kind == plan.List {
		return right.Elem
	}
	return right
}

// explainFunction reports a call of which no overload takes the arguments. The message lists the accepted types; the repair
// is for the slip that is usual with just these types, of which at most one is told.
func (b *treeBuilder) explainFunction(at plan.Place, c ast.CallExpr, given []*plan.Type) {
	name := c.FunctionName()
	switch name {
	case operators.Conditional:
		b.explainConditional(at, c.Args(), given)
		return
	case operators.Index:
		b.explainIndex(at, c.Args(), given)
		return
	case syntax.SortBy:
		b.explainSortBy(at, given)
		return
	}
	d := b.addf("type", at, "%s takes %s, not (%s)", name, b.acceptedBy(name), b.listTypes(given)).About(name)
	if areNumbers(given) && takesNumbers(name) && slices.ContainsFunc(given, holdsDoubles) {
		d.Code = "no-promotion"
		d.Repair = b.adviseDouble(c.Args())
		if i := slices.IndexFunc(given, holdsDoubles); c.Args()[i].Kind() == ast.SelectKind {
			d.Repair += fmt.Sprintf("; if %s is always whole, declare it as int", b.writtenForm(c.Args()[i]))
		}
	}
	if isRounding := slices.Contains([]string{"floor", "ceil", "round"}, name); isRounding && len(given) == 1 &&
		given[0].Kind == plan.Int {
		d.Code = "no-promotion"
		d.Repair = "an int is whole already: leave " + name +
			" out; / of two ints is div_floor, div_ceil, div_half_up or " +
			"div_trunc"
	}
	if slices.Contains([]string{"floor", "ceil", "round", "abs"}, name) && len(given) == 2 {
		d.Repair = "it takes one number; an output shows one digit of a fraction by @decimals(1)"
		if given[0].Kind == plan.Int && given[1].Kind == plan.Int {
			d.Repair = "a fraction has a point, 0.5, and no comma"
		}
		return
	}
	if t, ok := b.callables[name].(*Table); ok && t.Book.Kind == plan.KeyedTable && len(given) == 1 &&
		given[0].Kind == plan.Int {
		d.Repair = fmt.Sprintf("rows that a number finds stand in bands: [{on: 1, ...}]; the key of a number is "+
			"%s(string(x))",
			name)
		return
	}
	if t, ok := b.callables[name].(*Table); ok && t.Across != nil && len(given) == 1 {
		d.Repair = fmt.Sprintf("two keys find a cell, the row's and the column's: %s(row, column)", name)
		return
	}
	if t, ok := b.callables[name].(*Table); ok && t.Across == nil && len(given) > 1 {
		d.Repair = fmt.Sprintf("one key finds a row: %s(key)", name)
		key, column := b.site.expr.Text(c.Args()[0]), literalText(c.Args()[1])
		isColumn := func(m plan.Member) bool { return m.Name == column }
		if key != "" && slices.ContainsFunc(t.Book.Columns, isColumn) {
			d.Repair = fmt.Sprintf("one key finds a row, and the column stands behind it: %s(%s).%s", name, key, column)
		}
		return
	}
	switch {
	case (name == "max" || name == "min") && slices.ContainsFunc(given, isListOfNumbers) && len(given) > 1:
		d.Repair = fmt.Sprintf("%s(a, b) compares numbers: sum(xs) adds those of a list, %[1]s(xs) compares them", name)
		return
	case name == "sum" && len(given) > 1 && areNumbers(given) && !slices.ContainsFunc(given, isListOfNumbers):
		d.Repair = "+ adds numbers, x + y; sum adds those of a list"
		return
	case (name == "max" || name == "min") && len(given) == 1 && isNumber(given[0]):
		d.Repair = name + "(a, b) compares two numbers or more, and " + name + "(xs) those of a list"
		return
	case name == overloads.Contains && (given[0].Kind == plan.List || given[0].Kind == plan.Map):
		d.Repair = "write x in xs"
		return
	case name == overloads.Size && len(given) == 1 && isNumber(given[0]):
		d.Repair = "a number has no size: leave it out; a die with a count is a list, dice: roll: {die: 6, count: 3}"
		return
	case name == "int" && len(given) == 1 && given[0].Kind == plan.Bool:
		d.Repair = truthAsNumber
		return
	case name == "slice" && len(given) == 2:
		d.Repair = "say where it ends: xs.slice(from, size(xs))"
		return
	case name == "sum" && len(given) == 1 && given[0].Kind == plan.List && given[0].Elem.Kind == plan.Bool:
		d.Repair = "xs.count(x, condition) says how many there are"
		return
	}
	if d.Repair == "" {
		d.Repair = b.adviseArguments(name, c.Args(), given)
	}
	if row := b.rowAmong(c.Args()); row != nil && d.Repair == "" {
		d.Repair = row.readColumn()
	}
	if f, ok := b.callables[name].(*Function); ok && roundsWhereDouble(f, given) {
		d.Repair = "floor(x), ceil(x) and round(x) make an int of a double"
	}
	if d.Repair == "" && slices.ContainsFunc(given, isListOfNumbers) &&
		(b.callables[name] != nil || slices.ContainsFunc(given, isNumber)) {
		d.Code = "type"
		d.Repair = "sum(x) adds the numbers of a list, such as the faces of a die with a count"
		if i := slices.IndexFunc(given, isListOfNumbers); b.callables[name] != nil && c.Args()[i].Kind() == ast.IdentKind {
			d.Repair += fmt.Sprintf("; for each of them: %s.map(x, %s(x))", c.Args()[i].AsIdent(), name)
		}
	}
}

// adviseDouble returns how an int among some operands becomes a double: a number that is written out by a point, or a name
// by a call.
func (b *treeBuilder) adviseDouble(operands []ast.Expr) string {
	if i := slices.IndexFunc(operands, isWholeNumber); i >= 0 {
		return fmt.Sprintf("write %s.0 for %[1]s", b.site.expr.Text(operands[i]))
	}
	isIntName := func(e ast.Expr) bool {
		return (e.Kind() == ast.IdentKind || e.Kind() == ast.SelectKind) && b.typeOf(e).Kind == plan.Int
	}
	if i := slices.IndexFunc(operands, isIntName); i >= 0 {
		return fmt.Sprintf("write double(%s)", b.site.expr.Text(operands[i]))
	}
	return "write 1.0 or double(x)"
}

// isWholeNumber reports whether an expression is a whole number that is written out.
func isWholeNumber(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == types.IntType
}

// roundsWhereDouble reports whether a function is given nothing wrong but doubles where it takes ints.
func roundsWhereDouble(f *Function, given []*plan.Type) bool {
	if len(given) != len(f.Params) {
		return false
	}
	found := false
	for i, p := range f.Params {
		double := p.typ.Kind == plan.Int && given[i].Kind == plan.Double
		if found = found || double; !double && p.typ.Kind != given[i].Kind {
			return false
		}
	}
	return found
}

func (b *treeBuilder) explainSortBy(at plan.Place, given []*plan.Type) {
	if given[0].Kind != plan.List {
		b.addf("type", at, "sort_by orders the elements of a list, not of %s", b.nameType(given[0]))
		return
	}
	b.addf("type", at, "sort_by goes by an int, a double, a string or a bool, not by %s", b.nameType(itemType(given[1])))
}

// explainConditional tells a condition that is no bool from arms of different types: to CEL both are arguments of ?:
// that fit no overload.
func (b *treeBuilder) explainConditional(at plan.Place, args []ast.Expr, given []*plan.Type) {
	if given[0].Kind != plan.Bool && given[0].Kind != plan.Invalid {
		d := b.addf("type", at, "a condition must be bool, not %s", b.nameType(given[0]))
		if isNumber(given[0]) {
			d.Repair = "compare the number: x > 0, or x != 0"
		}
		if given[0].Kind == plan.String {
			d.Repair = fmt.Sprintf("compare the word: %s == '...'", b.writtenForm(args[0]))
		}
		return
	}
	d := b.reportMismatch(at, given[1], given[2], "the arms of ?: have one type: %s stands beside %s", b.nameType(given[1]),
		b.nameType(given[2]))
	if isNumber(given[1]) && given[2].Kind == plan.String || given[1].Kind == plan.String && isNumber(given[2]) {
		d.Repair = "write two numbers, or two texts: 'yes' and 'no'; string(x) makes a text of a number"
	}
	if isNumber(given[1]) && isNumber(given[2]) {
		d.Repair = b.adviseDouble(args[1:]) + " where a fraction is meant, or floor(x), ceil(x) or round(x) for a " +
			"whole number"
		for i, arm := range args[1:] {
			if given[i+1].Kind == plan.Double && arm.Kind() == ast.SelectKind {
				d.Repair = fmt.Sprintf("if %s is always whole, declare it as int; else %s", b.writtenForm(arm), d.Repair)
			}
		}
	}
}

// explainIndex tells a wrong key from an operand that has no elements at all.
func (b *treeBuilder) explainIndex(at plan.Place, args []ast.Expr, given []*plan.Type) {
	switch given[0].Kind {
	case plan.List:
		b.addf("type", at, "the index of a list must be int, not %s", b.nameType(given[1]))
	case plan.Map:
		b.addf("type", at, "the key of this map must be string, not %s", b.nameType(given[1]))
	default:
		d := b.addf("type", at, "%s has no elements", b.nameType(given[0]))
		switch field := literalText(args[1]); {
		case given[0].Kind == plan.Record && field != "":
			d.Repair = fmt.Sprintf("a field stands behind a dot: %s.%s", b.operandText(args[0]), field)
		case given[0].Kind == plan.Record:
			d.Repair = b.adviseComputedField(args, given)
		case isNumber(given[0]):
			d.Repair = "it is one number: leave out the brackets; a die with a count is a list"
		}
	}
}

// adviseComputedField returns what to write for a field of a record whose name another value says.
func (b *treeBuilder) adviseComputedField(args []ast.Expr, given []*plan.Type) string {
	const advice = "a field has no computed name: write a formula for each value, as a let"
	record, by := writtenPath(args[0]), strings.Split(writtenPath(args[1]), ".")
	var arms []string
	var words []string
	if m, _ := b.memberRead(args[1]); m != nil {
		words = m.Shape.Enum
	}
	for _, word := range words {
		if slices.Contains(b.types.memberNames(given[0]), word) {
			arms = append(arms, fmt.Sprintf("%s: %q", word, record+"."+word))
		}
	}
	if len(by) != 2 || record == "" || len(arms) == 0 || len(arms) < len(words) {
		return advice
	}
	return fmt.Sprintf("%s: let: %s: %s: %s: {%s}", advice, b.site.scope.freeName("value", "chosen"), by[0], by[1],
		strings.Join(arms, ", "))
}

func (b *treeBuilder) listTypes(given []*plan.Type) string {
	names := make([]string, len(given))
	for i, t := range given {
		names[i] = b.nameType(t)
	}
	return strings.Join(names, ", ")
}

// acceptedBy returns a list of the arguments that a function takes.
//
// A table's come from the kinds of its keys, a function's from its parameters, a builtin's from its row, and those of CEL's
// own are written here, because CEL's declarations have overloads of types that the language does not have.
func (b *treeBuilder) acceptedBy(name string) string {
	switch o := b.callables[name].(type) {
	case *Table:
		var keys []string
		for _, k := range o.Keys() {
			keys = append(keys, keyTypes(k))
		}
		return "(" + strings.Join(keys, ", ") + ")"
	case *Function:
		types := make([]*plan.Type, len(o.Params))
		for i, p := range o.Params {
			types[i] = p.typ
		}
		return "(" + b.listTypes(types) + ")"
	}
	for _, f := range builtin.Table() {
		if f.Name == name {
			return signaturesOf(f)
		}
	}
	return map[string]string{
		overloads.Size: "a string, a list or a map", overloads.TypeConvertInt: "(double), (string) or (int)",
		overloads.TypeConvertDouble: "(int), (string) or (double)",
		overloads.TypeConvertString: "(int), (double), (bool) or (string)",
		overloads.TypeConvertBool:   "(string) or (bool)", overloads.Contains: "two strings",
		overloads.StartsWith: "two strings", overloads.EndsWith: "two strings",
	}[name]
}

func keyTypes(t *Table) string {
	if !t.Book.Kind.HasNumbers() {
		return "string"
	}
	return "int or double"
}

// signaturesOf lists the forms in which a function of ours may be called, methods with their receiver in front.
func signaturesOf(f builtin.Function) string {
	var out []string
	for _, o := range f.Overloads {
		if o.Member {
			out = append(out, fmt.Sprintf("%s.%s(%s)", o.Params[0], f.Name, strings.Join(o.Params[1:], ", ")))
			continue
		}
		out = append(out, "("+strings.Join(o.Params, ", ")+")")
	}
	return strings.Join(out, " or ")
}

// isOrder reports whether an operator compares by order, and not by being equal.
func isOrder(operator string) bool {
	switch operator {
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return true
	}
	return false
}

// holdsDoubles reports whether a type is double or a list of doubles.
func holdsDoubles(t *plan.Type) bool {
	return t.Kind == plan.Double || t.Kind == plan.List && t.Elem.Kind == plan.Double
}

func areNumbers(given []*plan.Type) bool {
	for _, t := range given {
		if !isNumber(t) && !isListOfNumbers(t) {
			return false
		}
	}
	return len(given) > 0
}

// takesNumbers reports whether a function would take the numbers if they were all doubles.
func takesNumbers(name string) bool {
	switch name {
	case "min", "max", "pow", "floor", "ceil", "round":
		return true
	}
	return false
}
