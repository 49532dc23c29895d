package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	cel "github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A treeBuilder turns the expression of one text into the typed tree.
type treeBuilder struct {
	*reporter
	site  *site
	tree  *ast.AST // as CEL has typed it
	items []*Item  // the variables of the macros around the node that is built
	// states are the types of the states of folds: see typeOfState.
	states map[string]*plan.Type
	// ofAnyWords is of a formula that is for words of other choices too: a word that this choice lacks is no mistake.
	ofAnyWords bool
}

// typeSite types the expression of a text; it gives nil when there is a problem, which has been reported. Want is the type
// that the text's surroundings ask for, nil when they ask for none.
//
// The steps: CEL checks the parsed text; its errors are reworded and end it here. Mixed arithmetic
// is made explicit and the whole checked again, which cannot fail. The tree is then built from the
// root, and each node judges its finished operands, so that enums, which CEL does not know, are
// known for every operand.
func (l *language) typeSite(s *site, want *plan.Type) *Tree {
	source := common.NewTextSource(s.text.S)
	env := l.environmentFor(s)
	tree, errs := cel.Check(s.expr.AST, source, env)
	b := &treeBuilder{reporter: l.reporterFor(s.subject), site: s, tree: tree, states: map[string]*plan.Type{}}
	if found := errs.GetErrors(); len(found) > 0 {
		b.explainErrors(found)
		return nil
	}
	if promoteIntegers(tree) {
		b.tree, errs = cel.Check(tree, source, env)
		if found := errs.GetErrors(); len(found) > 0 {
			panic("check: a promoted formula does not check: " + found[0].Message)
		}
	}
	e := b.buildExpr(b.tree.Expr(), want)
	if b.failed {
		return nil
	}
	return &Tree{Text: s.text, Subject: s.subject, Root: e, Reads: objectsOf(s.reads), AST: b.tree, site: s, scope: s.scope}
}

func objectsOf(list []reading) []Object {
	out := make([]Object, len(list))
	for i, r := range list {
		out[i] = r.object
	}
	return out
}

// buildExpr turns a checked node into the tree. Want is the type that its surroundings ask for, nil when they ask for none:
// it types a list that is written empty, and nothing else.
// A type that is broken makes the whole fail silently (failed without a message): its reason has
// been reported where it arose.
func (b *treeBuilder) buildExpr(e ast.Expr, want *plan.Type) *Expr {
	out := &Expr{Place: b.site.expr.Place(e)}
	switch e.Kind() {
	case ast.LiteralKind:
		b.buildLiteral(out, e)
	case ast.IdentKind:
		b.buildName(out, e.AsIdent())
	case ast.SelectKind:
		b.buildSelection(out, e.AsSelect())
	case ast.CallKind:
		b.buildCall(out, e, want)
	case ast.ListKind:
		b.buildList(out, e, want)
	case ast.MapKind:
		b.buildMap(out, e, want)
	case ast.ComprehensionKind:
		b.buildMacro(out, e.AsComprehension(), want)
	default:
		b.addf("unsupported", out.Place, "formulas make no records")
	}
	if out.Type == nil {
		out.Type = broken
	}
	if out.Type.Kind == plan.Invalid {
		b.failed = true
	}
	return out
}

// buildLiteral makes a constant. The type of a string has the string itself as its only value, so that a comparison with
// an enum can tell a misspelt word, and arms of a condition that are words make an enum together.
func (b *treeBuilder) buildLiteral(out *Expr, e ast.Expr) {
	switch v := e.AsLiteral().(type) {
	case types.Int:
		out.Type, out.Value.Int = plan.IntType, int64(v)
	case types.Double:
		out.Type, out.Value.Double = plan.DoubleType, float64(v)
	case types.Bool:
		out.Type, out.Value.Bool = plan.BoolType, bool(v)
	case types.String:
		out.Type, out.Value.String = &plan.Type{Kind: plan.String, Enum: []string{string(v)}}, string(v)
		b.checkBraces(out.Place, string(v))
	default:
		if isNull(e) {
			b.reportNull(out.Place)
			return
		}
		b.addf("unsupported", out.Place, "formulas have no values of type %s", e.AsLiteral().Type().TypeName())
	}
}

// isNull reports whether an expression is the null of CEL, which no value of a ruleset is.
func isNull(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == types.NullType
}

// checkBraces reports a name in braces in a text, where sentences have a value and formulas have none.
func (b *treeBuilder) checkBraces(at plan.Place, text string) {
	for _, m := range inBraces().FindAllStringSubmatch(text, -1) {
		root, _, _ := strings.Cut(m[1], ".")
		if b.findName(root) != nil {
			b.diags.Addf("text-braces", at, b.subject, "{%s} is no value here, and stands in the text as it is written",
				m[1]).
				Repair = fmt.Sprintf("write '...' + string(%s), or let say: tell it", m[1])
		}
	}
}

// inBraces is a name, or a path, in braces.
var inBraces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z_]\w*(?:\.\w+)*)\}`) })

func (b *treeBuilder) reportNull(at plan.Place) *diag.Diagnostic {
	d := b.addf("unsupported", at, "formulas have no null")
	d.Repair = missingForm
	return d
}

func (b *treeBuilder) buildName(out *Expr, name string) {
	out.Op, out.Object = OpRef, b.findName(name)
	if out.Object == nil {
		panic("check: no variable " + name)
	}
	out.Type = out.Object.Type()
}

func (b *treeBuilder) findName(name string) Object {
	for i := len(b.items) - 1; i >= 0; i-- {
		if b.items[i].name == name {
			return b.items[i]
		}
	}
	return b.site.scope.findObject(name)
}

// buildSelection makes of x.name an option, the presence of a field (has(x.name)) or a field. The options are no record:
// `option.luck` is one name, and `option` alone is none.
func (b *treeBuilder) buildSelection(out *Expr, s ast.SelectExpr) {
	if o := b.optionOf(s); o != nil {
		out.Op, out.Object, out.Type = OpRef, o, o.typ
		return
	}
	of := b.buildExpr(s.Operand(), nil)
	out.Args, out.Name = []*Expr{of}, s.FieldName()
	if s.IsTestOnly() {
		b.buildHas(out, of)
		return
	}
	b.buildField(out, of)
}

// optionOf finds the option that option.<id> names. `option` may be hidden by a name of the author's; then it is a
// selection like any other.
func (b *treeBuilder) optionOf(s ast.SelectExpr) *Option {
	if s.Operand().Kind() != ast.IdentKind {
		return nil
	}
	if _, ok := b.findName(s.Operand().AsIdent()).(*OptionSet); !ok {
		return nil
	}
	return b.options[s.FieldName()]
}

// buildField builds of.name: a key of a map, a field of a record, or a trait, which reads like a field of a character.
// CEL allows m.key for a map with strings as keys, so both notations of a map's value are one
// operation here.
func (b *treeBuilder) buildField(out, of *Expr) {
	out.Op = OpField
	switch of.Type.Kind {
	case plan.Map:
		out.Type = of.Type.Elem
	case plan.Record:
		out.Type, _ = b.types.fieldType(of.Type, out.Name)
		if i, _ := of.Type.Field(out.Name); i < 0 && out.Type != nil {
			out.Op, out.Object = OpTrait, b.types.traits[out.Name]
		}
	}
}

// buildHas asks whether a field or a key is there. Of a map any key may be asked for; of a record only a field that may
// be missing, since anything else is a habit and hides that the answer is always true.
func (b *treeBuilder) buildHas(out, of *Expr) {
	out.Op, out.Type = OpHas, plan.BoolType
	if of.Type.Kind != plan.Record {
		return
	}
	i, _ := of.Type.Field(out.Name)
	if i < 0 || !of.Type.Fields[i].Optional {
		b.addf("needless-has", out.Place, "%s is always there", out.Name).
			Repair = "leave has(...) out: only a field declared with ? may be missing"
	}
}

// buildCall makes a call. Operators that CEL evaluates lazily, and macros that syntax keeps as calls, have operations of
// their own, because lowering must know which operand decides whether another counts.
func (b *treeBuilder) buildCall(out *Expr, e ast.Expr, want *plan.Type) {
	c := e.AsCall()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd:
		b.buildOperands(out, OpAnd, plan.BoolType, c.Args())
	case operators.LogicalOr:
		b.buildOperands(out, OpOr, plan.BoolType, c.Args())
	case operators.Conditional:
		b.buildCondition(out, c.Args(), want)
	case syntax.SortBy:
		b.buildSortBy(out, c.Args())
	case with:
		b.buildWith(out, c.Args())
	default:
		b.buildNamedCall(out, e, name, want)
	}
}

func (b *treeBuilder) buildOperands(out *Expr, op Op, t *plan.Type, args []ast.Expr) {
	out.Op, out.Type = op, t
	for _, a := range args {
		out.Args = append(out.Args, b.buildExpr(a, nil))
	}
}

func (b *treeBuilder) buildCondition(out *Expr, args []ast.Expr, want *plan.Type) {
	out.Op = OpCond
	out.Args = []*Expr{b.buildExpr(args[0], nil), b.buildExpr(args[1], want), b.buildExpr(args[2], want)}
	out.Type = joinTypes(out.Args[1].Type, out.Args[2].Type)
	if b.ofAnyWords {
		return
	}
	if !b.checkQuotedArm(out.Args[1], out.Args[2]) || !b.checkQuotedArm(out.Args[2], out.Args[1]) {
		out.Type = broken
	}
}

// checkQuotedArm reports words in quotes that one arm of a condition may be and that the choice of the other arm lacks and
// nearly has: `x ? input.weapon : 'axt'`. A word that is near none of the choice's may stand there on purpose, 'none' where
// nothing is held: then the value is one of a wider choice, which has no order.
func (b *treeBuilder) checkQuotedArm(quoted, other *Expr) (ok bool) {
	isQuoted := func(e *Expr) bool { return e.Op == OpConst }
	chosen := slices.DeleteFunc(resultsOf(other), isQuoted)
	words := resultsOf(quoted)
	if len(chosen) == 0 || len(slices.DeleteFunc(slices.Clone(words), isQuoted)) > 0 {
		return true
	}
	choice := chosen[0].Type
	for _, c := range chosen[1:] {
		choice = joinTypes(choice, c.Type)
	}
	if len(choice.Enum) < 2 { // any string, or a word that has a name
		return true
	}
	ok = true
	for _, w := range words {
		word := w.Value.String
		meant := diag.DidYouMean(word, choice.Enum)
		if meant == "" || hasValue(choice, word) {
			continue
		}
		ok = false
		if b.reportDisabledRow(w, choice) {
			continue
		}
		d := b.addf("enum-value", w.Place, "'%s' stands beside %s, which is one of %s", word, describeSource(chosen[0]),
			listEnum(choice))
		d.Repair, d.Lacks = meant, b.lackedRow(word, choice)
	}
	return ok
}

// buildNamedCall builds a call: a table, a function of the ruleset, or one of the language.
// The type that is wanted goes on into the operands of + alone, as in faces + []: both are of the
// type that the sum has. Operands of anything else have types of their own.
func (b *treeBuilder) buildNamedCall(out *Expr, e ast.Expr, name string, want *plan.Type) {
	c := e.AsCall()
	if c.IsMemberFunction() {
		out.Args = append(out.Args, b.buildExpr(c.Target(), nil))
	}
	if name != operators.Add {
		want = nil
	}
	for _, a := range c.Args() {
		out.Args = append(out.Args, b.buildExpr(a, want))
	}
	if c.IsMemberFunction() {
		b.buildStandardCall(out, e)
		return
	}
	switch o := b.callables[name].(type) {
	case *Table:
		out.Op, out.Object, out.Type = OpLookUp, o, o.typ
		if !b.ofAnyWords && b.reportSwappedKeys(out) {
			break
		}
		for i, k := range o.Keys() {
			if !b.ofAnyWords {
				b.checkKey(out.Args[i], k)
			}
		}
	case *Function:
		f := b.instanceFor(o, out)
		out.Op, out.Object = OpApply, f
		if out.Type == nil {
			out.Type = f.typ
		}
	default:
		b.buildStandardCall(out, e)
	}
}

// buildStandardCall names the overload of a call and types its result, from the operands where they know more than CEL
// does.
//
// CEL types the index of a list of weapons' names as string, and the list's type knows which names;
// that is kept by taking the type of the operand. With an operand of an unknown type CEL leaves
// several overloads possible; the first is taken, which is CEL's own and not a builtin's, by the
// order of languageFunctions.
func (b *treeBuilder) buildStandardCall(out *Expr, e ast.Expr) {
	out.Op = OpCall
	ids := b.tree.GetOverloadIDs(e.ID())
	out.Name = withoutReceiver(ids[0])
	out.Type = b.types.fromCEL(b.tree.GetType(e.ID()))
	switch out.Name {
	case overloads.IndexList, overloads.IndexMap:
		out.Type = elementType(out.Args[0].Type)
	case "slice_list":
		out.Type = out.Args[0].Type
	case overloads.AddList:
		out.Type = joinTypes(out.Args[0].Type, out.Args[1].Type)
	case "get_map":
		out.Type = joinTypes(elementType(out.Args[0].Type), out.Args[2].Type)
	case "sort_list":
		out.Type = out.Args[0].Type
		b.checkSortable(out)
		if elem := out.Type.Elem; elem != nil {
			out.Order = elem.Order()
			b.checkOneOrder(out, out.Args[0])
		}
	case overloads.LessString, overloads.LessEqualsString, overloads.GreaterString, overloads.GreaterEqualsString:
		out.Order = b.findOrder(out)
	case overloads.Equals, overloads.NotEquals, overloads.InList:
		if !b.ofAnyWords {
			b.checkEnums(out)
		}
	case "floor_double", "ceil_double", "round_double", overloads.DoubleToInt:
		b.checkRounding(out)
	}
}

// elementType returns the type of the elements of a list or of the values of a map, and broken of anything else.
func elementType(t *plan.Type) *plan.Type {
	if t.Elem == nil {
		return broken
	}
	return t.Elem
}

// findOrder returns the order by which two words are compared: that of the choice to which both belong. Where neither side
// is of a choice that an author put in an order, they are compared by letters.
//
// For a field size: "small" | "medium" | "large" and the comparison input.size >= 'medium', the
// constant is an enum of one word, which the other side has: the order is that of the field. Two
// fields with the words in other orders cannot be compared.
func (b *treeBuilder) findOrder(out *Expr) []string {
	x, y := out.Args[0], out.Args[1]
	if x.Type.Order() == nil {
		x, y = y, x
	}
	order := x.Type.Order()
	switch other := y.Type.Order(); {
	case order == nil:
		if b.checkOneOrder(out, x) {
			b.checkOneOrder(out, y)
		}
		return nil
	case y.Type.Enum == nil:
		b.addf("type", y.Place, "%s is one of %s in this order, and %s may be any string", x.Describe(), listEnum(x.Type),
			y.Describe()).Repair = "compare words of one choice, or compare with =="
		return nil
	case standsInOrder(x.Type, y.Type):
		if y.Type.Unordered {
			b.checkSourcesIn(out, x, y)
		}
		return order
	case other != nil && standsInOrder(y.Type, x.Type):
		return other
	case other != nil:
		b.reportOtherOrders(out, x, y)
	case b.checkFitsEnum(y, x.Type, x.Describe()):
		b.addf("type", out.Place, "%s is one of %s in this order, and %s is one of %s, which have none", x.Describe(),
			listEnum(x.Type), y.Describe(), listEnum(y.Type)).Repair = "compare words of one choice, or compare with =="
	}
	return nil
}

// checkSourcesIn reports that words which all stand in the order of x come from a choice that has them in another.
func (b *treeBuilder) checkSourcesIn(out, x, words *Expr) {
	for _, source := range wordSources(words) {
		if !standsInOrder(wordType(x), wordType(source)) {
			b.reportOtherOrders(out, x, source)
			return
		}
	}
}

func (b *treeBuilder) reportOtherOrders(out, x, y *Expr) {
	if wordType(y).Order() == nil {
		b.addf("type", y.Place, "%s is one of %s in this order, in which %s has no place", describeSource(x),
			listEnum(wordType(x)), listQuoted(wordType(y))).Repair = "compare words of one choice, or compare with =="
		return
	}
	b.addf("type", out.Place, "%s and %s are choices with orders of their own: %s; and %s", x.Describe(), y.Describe(),
		listEnum(wordType(x)), listEnum(wordType(y))).Repair = "compare words of one choice, or compare with =="
}

// describeSource names where words come from.
func describeSource(e *Expr) string {
	if name := e.Describe(); name != indescribable {
		return name
	}
	return "a value"
}

// checkOneOrder reports that words, or those of a list, which are compared or sorted come from choices with other orders.
func (b *treeBuilder) checkOneOrder(out, words *Expr) (ok bool) {
	x, y := findOtherOrders(words)
	if x != nil {
		b.reportOtherOrders(out, x, y)
	}
	return x == nil
}

// wordType returns the type of an expression, or of the elements of a list or the values of a map.
func wordType(e *Expr) *plan.Type {
	if (e.Type.Kind == plan.List || e.Type.Kind == plan.Map) && e.Type.Elem != nil {
		return e.Type.Elem
	}
	return e.Type
}

// findOtherOrders are two sources of an Unordered expression, neither of which has the words of the other in its order:
// x has a declared order, and y one of its own or words that stand in none; nil for none.
func findOtherOrders(e *Expr) (x, y *Expr) {
	if !wordType(e).Unordered {
		return nil, nil
	}
	isOrdered := func(a *Expr) bool { return wordType(a).Order() != nil }
	standsIn := func(a, b *Expr) bool { return standsInOrder(wordType(a), wordType(b)) }
	sources := wordSources(e)
	for i, later := range sources {
		for _, first := range sources[:i] {
			switch {
			case standsIn(later, first) || standsIn(first, later):
			case isOrdered(first):
				return first, later
			case isOrdered(later):
				return later, first
			}
		}
	}
	return nil, nil
}

// wordSources returns the expressions from which the words of an Unordered one come.
func wordSources(e *Expr) []*Expr {
	return valueSources(e, func(e *Expr) bool { return wordType(e).Unordered }, map[*Expr]bool{})
}

// valueSources returns the expressions from which a value comes, or the elements of a list or a map: the arms of a condition,
// the elements of a list or the values of a map that is written out, lists that are joined or of which a part is taken, what
// get finds, what map makes, a field of each record that it may be of. Only what is composed is taken apart, and nothing
// in seen: lets that read each other twice would take twice as long for each of them.
func valueSources(e *Expr, isComposed func(*Expr) bool, seen map[*Expr]bool) (out []*Expr) {
	for e.Behind() != nil {
		e = e.Behind()
	}
	if seen[e] {
		return nil
	}
	seen[e] = true
	parts := e.Args
	switch {
	case !isComposed(e):
		return []*Expr{e}
	case e.Op == OpCond:
		parts = e.Args[1:]
	case e.Op == OpField && e.Args[0].Type.Kind == plan.Record:
		return fieldSources(e)
	case e.Op == OpRef:
		item, isItem := e.Object.(*Item)
		if !isItem || item.over == nil {
			return []*Expr{e}
		}
		parts = []*Expr{item.over}
	case e.Op == OpMap:
		parts = e.Args[1:2]
	case e.Op == OpFilter, e.Op == OpSortBy, e.Op == OpField && e.Args[0].Type.Kind == plan.Map,
		e.Op == OpCall && slices.Contains([]string{overloads.IndexList, overloads.IndexMap, "slice_list", "sort_list"},
			e.Name):
		parts = e.Args[:1]
	case e.Op == OpCall && (e.Name == "get_map" || e.Name == "with_map"):
		parts = []*Expr{e.Args[0], e.Args[2]}
	case e.Op == OpMakeMap:
		parts = nil
		for i := 1; i < len(e.Args); i += 2 {
			parts = append(parts, e.Args[i])
		}
	case e.Op != OpMakeList && !(e.Op == OpCall && e.Name == overloads.AddList):
		return []*Expr{e}
	}
	for _, part := range parts {
		out = append(out, valueSources(part, isComposed, seen)...)
	}
	return out
}

// fieldSources returns the field of a record in each of the expressions from which the record comes; the expression itself
// where that is one.
func fieldSources(field *Expr) (out []*Expr) {
	records := valueSources(field.Args[0], func(*Expr) bool { return true }, map[*Expr]bool{})
	if len(records) < 2 {
		return []*Expr{field}
	}
	for _, of := range records {
		record := of
		if of.Type.Kind == plan.List || of.Type.Kind == plan.Map {
			record = &Expr{Op: OpCall, Name: overloads.IndexList, Type: elementType(of.Type), Args: []*Expr{of}, Place: of.Place}
		}
		if i, _ := record.Type.Field(field.Name); i >= 0 {
			out = append(out, &Expr{Op: OpField, Type: record.Type.Fields[i].Type, Name: field.Name, Args: []*Expr{record},
				Place: of.Place})
		}
	}
	return out
}

// withoutReceiver returns the id of an overload written as a function of its receiver: xs.size() is size(xs).
func withoutReceiver(id string) string {
	switch id {
	case overloads.SizeListInst:
		return overloads.SizeList
	case overloads.SizeMapInst:
		return overloads.SizeMap
	case overloads.SizeStringInst:
		return overloads.SizeString
	}
	return id
}

// checkSortable reports a list that sort cannot put in order; nothing is known of a list that was found wrong already.
func (b *treeBuilder) checkSortable(out *Expr) {
	if elem := out.Type.Elem; elem != nil && elem.Kind != plan.Invalid && !elem.Scalar() {
		b.addf("type", out.Place, "sort puts numbers, strings and truth values in order, not %s", elem).
			Repair = "write xs.sort_by(x, <key>)"
	}
}

// buildWith builds with(map, key, value) and with(record, 'path', value).
//
// Of the map only the kind of the value is asked for, and the enum of the result is that of old and new values together:
// the place where the map goes may allow more words than it has now. Of a record the path must be a constant, for it
// decides the type of the value.
func (b *treeBuilder) buildWith(out *Expr, args []ast.Expr) {
	of, key := b.buildExpr(args[0], nil), b.buildExpr(args[1], nil)
	var want *plan.Type
	if of.Type.Kind == plan.Map {
		want = of.Type.Elem
	}
	value := b.buildExpr(args[2], want)
	out.Op, out.Name, out.Type, out.Args = OpCall, "with_map", of.Type, []*Expr{of, key, value}
	switch {
	case of.Type.Kind == plan.Map:
		b.checkFits(value, withoutEnum(want), "the value of a key")
		out.Type = &plan.Type{Kind: plan.Map, Key: of.Type.Key, Elem: joinTypes(want, value.Type)}
	case of.Type.Kind == plan.Invalid:
	case of.Type.Kind != plan.Record:
		b.addf("type", out.Place, "with sets a key of a map or a field of a record, not of %s", briefType(of.Type))
	case key.Op != OpConst:
		b.addf("type", key.Place, "the field of a record must be named in quotes")
	default:
		out.Name = "with_record"
		b.checkPathValue(of.Type, key, value)
	}
}

// withoutEnum returns a type without its enum: a value that with() puts into a map is judged where the map goes.
func withoutEnum(t *plan.Type) *plan.Type {
	if t.Kind == plan.String {
		return plan.StringType
	}
	return t
}

// checkPathValue follows the path of with(record, 'a.b', value) through records and maps and checks the value against the
// type at its end.
func (b *treeBuilder) checkPathValue(t *plan.Type, path, value *Expr) {
	for name := range strings.SplitSeq(path.Value.String, ".") {
		next := typeAtStep(t, name)
		if next == nil {
			b.addf("unknown-member", path.Place, "%s has no field %s", briefType(t), name).About(name).
				Repair = diag.DidYouMeanOneOf(name, b.types.memberNames(t))
			return
		}
		t = next
	}
	b.checkFits(value, t, path.Value.String)
}

// typeAtStep returns the type of a record's field or of a map's values; nil when there is none.
func typeAtStep(t *plan.Type, name string) *plan.Type {
	if t.Kind == plan.Map {
		return t.Elem
	}
	if i, _ := t.Field(name); i >= 0 {
		return t.Fields[i].Type
	}
	return nil
}

// buildList builds [a, b]: all elements have one type.
// CEL would make a list of mixed elements one of dyn, which has no layout.
func (b *treeBuilder) buildList(out *Expr, e ast.Expr, want *plan.Type) {
	out.Op = OpMakeList
	var elem *plan.Type
	if want != nil && want.Kind == plan.List {
		elem = want.Elem
	}
	for _, a := range e.AsList().Elements() {
		out.Args = append(out.Args, b.buildExpr(a, elem))
	}
	if len(out.Args) == 0 {
		b.buildEmptyList(out, b.types.fromCEL(b.tree.GetType(e.ID())), want)
		return
	}
	t := out.Args[0].Type
	for _, a := range out.Args[1:] {
		if !a.Type.Same(t) && a.Type.Kind != plan.Invalid && t.Kind != plan.Invalid {
			d := b.reportMismatch(a.Place, a.Type, t, "the elements of a list have one type: %s stands beside %s",
				a.Type, t)
			if d.Code == "no-promotion" {
				d.Repair = b.adviseDouble(e.AsList().Elements())
			}
			return
		}
		t = joinTypes(t, a.Type)
	}
	out.Type = plan.ListOf(t)
}

// buildEmptyList gives [] the type that CEL has inferred for it, or else the one that is asked for where it stands. If
// neither is known it is refused: nobody could say of which type its elements are, nor how many slots each has.
func (b *treeBuilder) buildEmptyList(out *Expr, found, want *plan.Type) {
	switch {
	case isClosed(found):
		out.Type = found
	case want != nil && want.Kind == plan.List:
		out.Type = want
	default:
		b.addf("open-type", out.Place, "nothing says of what type the elements of this list are").
			Repair = "join it with a list, [] + xs, or take the empty part of one, xs.slice(0, 0)"
	}
}

// checkKeyIsNew reports a key that is written out and stands in a map that is written out before: only one of its values
// could count. It notes the place of a key in places.
func (b *treeBuilder) checkKeyIsNew(key *Expr, places map[string]plan.Place) {
	if key.Op != OpConst || key.Type.Kind != plan.String {
		return
	}
	word := key.Value.String
	first, again := places[word]
	if !again {
		places[word] = key.Place
		return
	}
	d := b.addf("duplicate-key", key.Place, "the map has the key '%s' twice", word)
	d.Repair = "leave one of the two out, or give it another key"
	d.Related = append(d.Related, diag.Related{Place: first, Message: "the other"})
}

// buildMap builds {'a': 1}: a map with strings as keys, whose values have one type.
func (b *treeBuilder) buildMap(out *Expr, e ast.Expr, want *plan.Type) {
	out.Op = OpMakeMap
	out.Type = b.types.fromCEL(b.tree.GetType(e.ID()))
	var elem *plan.Type
	if want != nil && want.Kind == plan.Map {
		elem = want.Elem
	}
	values := broken
	var written []ast.Expr
	places := map[string]plan.Place{} // of the keys that are written out
	for _, entry := range e.AsMap().Entries() {
		m := entry.AsMapEntry()
		value := b.buildExpr(m.Value(), elem)
		key := b.buildExpr(m.Key(), nil)
		b.checkKeyIsNew(key, places)
		out.Args = append(out.Args, key, value)
		written = append(written, m.Value())
		if t := value.Type; t.Kind != plan.Invalid && values.Kind != plan.Invalid && !t.Same(values) {
			d := b.reportMismatch(value.Place, t, values, "the values of a map have one type: %s stands beside %s", t,
				values)
			if d.Code == "no-promotion" {
				d.Repair = b.adviseDouble(written)
			}
			out.Type = broken
			return
		}
		values = joinTypes(values, value.Type)
	}
	switch {
	case len(out.Args) == 0 && elem != nil:
		out.Type = want
	case !isClosed(out.Type):
		b.addf("open-type", out.Place, "nothing says of what types the keys and values of this map are").
			Repair = "write an entry into it, {'none': 0}"
	case out.Type.Key != plan.String && !b.profile.MapLiterals:
		b.addf("unsupported", out.Place, "the keys of a map are strings").Repair = "write the key in quotes: {'hit': x}"
	case len(out.Args) > 0 && values.Kind == plan.String: // CEL knows no choices
		out.Type = &plan.Type{Kind: plan.Map, Key: out.Type.Key, Elem: values}
	}
}
