package check

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// build turns a checked node into the tree. Want is the type that its surroundings ask for, nil when they ask for none:
// it types a list that is written empty, and nothing else.
func (f *formula) build(e ast.Expr, want *plan.Type) *Expr {
	out := &Expr{Place: f.place(e)}
	switch e.Kind() {
	case ast.LiteralKind:
		f.literal(out, e)
	case ast.IdentKind:
		f.ident(out, e.AsIdent())
	case ast.SelectKind:
		f.selection(out, e.AsSelect())
	case ast.CallKind:
		f.call(out, e, want)
	case ast.ListKind:
		f.list(out, e, want)
	case ast.MapKind:
		f.mapLiteral(out, e)
	case ast.ComprehensionKind:
		f.macro(out, e.AsComprehension(), want)
	default:
		f.addf("unsupported", out.Place, "formulas make no records")
	}
	if out.Type == nil {
		out.Type = broken
	}
	if out.Type.Kind == plan.Invalid {
		f.broken = true
	}
	return out
}

func (f *formula) literal(out *Expr, e ast.Expr) {
	switch v := e.AsLiteral().(type) {
	case types.Int:
		out.Type, out.Value.Int = plan.IntType, int64(v)
	case types.Double:
		out.Type, out.Value.Double = plan.DoubleType, float64(v)
	case types.Bool:
		out.Type, out.Value.Bool = plan.BoolType, bool(v)
	case types.String:
		out.Type, out.Value.String = &plan.Type{Kind: plan.String, Enum: []string{string(v)}}, string(v)
	default:
		f.addf("unsupported", out.Place, "formulas have no values of type %s", e.AsLiteral().Type().TypeName())
	}
}

func (f *formula) ident(out *Expr, name string) {
	out.Op, out.Var = Ref, f.variable(name)
	if out.Var == nil {
		panic("check: no variable " + name)
	}
	out.Type = out.Var.Type
}

func (f *formula) variable(name string) *Var {
	for i := len(f.macros) - 1; i >= 0; i-- {
		if f.macros[i].Name == name {
			return f.macros[i]
		}
	}
	return f.scope.find(name)
}

func (f *formula) selection(out *Expr, s ast.SelectExpr) {
	if f.isOption(s) {
		out.Op, out.Var = Ref, f.options[s.FieldName()]
		out.Type = out.Var.Type
		return
	}
	of := f.build(s.Operand(), nil)
	out.Args, out.Name = []*Expr{of}, s.FieldName()
	if s.IsTestOnly() {
		f.has(out, of)
		return
	}
	f.get(out, of)
}

// isOption reports whether a selection is option.<id>.
func (f *formula) isOption(s ast.SelectExpr) bool {
	return s.Operand().Kind() == ast.IdentKind && s.Operand().AsIdent() == "option" && f.variable("option") == nil &&
		f.options[s.FieldName()] != nil
}

func (f *formula) get(out, of *Expr) {
	out.Op = Get
	switch of.Type.Kind {
	case plan.Map:
		out.Type = of.Type.Elem
	case plan.Record:
		t, _ := f.types.field(of.Type, out.Name)
		out.Type = t
		if i, _ := of.Type.Field(out.Name); i < 0 && t != nil {
			out.Op, out.Decl = Trait, f.types.traits[out.Name]
		}
	}
}

func (f *formula) has(out, of *Expr) {
	out.Op, out.Type = Has, plan.BoolType
	if of.Type.Kind != plan.Record {
		return
	}
	i, _ := of.Type.Field(out.Name)
	if i < 0 || !of.Type.Fields[i].Optional {
		f.addf("needless-has", out.Place, "%s is always there", out.Name)
	}
}

func (f *formula) call(out *Expr, e ast.Expr, want *plan.Type) {
	c := e.AsCall()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd:
		f.operands(out, And, plan.BoolType, c.Args())
	case operators.LogicalOr:
		f.operands(out, Or, plan.BoolType, c.Args())
	case operators.Conditional:
		f.cond(out, c.Args(), want)
	case syntax.SortBy:
		f.sortBy(out, c.Args())
	case with:
		f.with(out, c.Args())
	default:
		f.named(out, e, name, want)
	}
}

func (f *formula) operands(out *Expr, op Op, t *plan.Type, args []ast.Expr) {
	out.Op, out.Type = op, t
	for _, a := range args {
		out.Args = append(out.Args, f.build(a, nil))
	}
}

func (f *formula) cond(out *Expr, args []ast.Expr, want *plan.Type) {
	out.Op = Cond
	out.Args = []*Expr{f.build(args[0], nil), f.build(args[1], want), f.build(args[2], want)}
	out.Type = join(out.Args[1].Type, out.Args[2].Type)
}

// named builds a call: a table, a function of the ruleset, or one of the language.
func (f *formula) named(out *Expr, e ast.Expr, name string, want *plan.Type) {
	c := e.AsCall()
	if c.IsMemberFunction() {
		out.Args = append(out.Args, f.build(c.Target(), nil))
	}
	if name != operators.Add {
		want = nil
	}
	for _, a := range c.Args() {
		out.Args = append(out.Args, f.build(a, want))
	}
	switch t, fn := f.tables[name], f.functions[name]; {
	case t != nil && !c.IsMemberFunction():
		out.Op, out.Decl, out.Type = Look, t, t.result()
		f.checkKey(out.Args[0], t)
	case fn != nil && !c.IsMemberFunction():
		out.Op, out.Decl, out.Type = Apply, fn, fn.Formula.Type
	default:
		out.Op = Call
		f.standard(out, e)
	}
}

// result is the type of a look-up.
func (t *TableDef) result() *plan.Type {
	if t.Gives >= 0 {
		return t.Row.Fields[t.Gives].Type
	}
	return t.Row
}

// standard names the overload of a call and types its result, from the operands where they know more than CEL does.
func (f *formula) standard(out *Expr, e ast.Expr) {
	ids := f.tree.GetOverloadIDs(e.ID())
	out.Name = global(ids[0])
	out.Type = f.types.plain(f.tree.GetType(e.ID()))
	switch out.Name {
	case overloads.IndexList, overloads.IndexMap:
		out.Type = out.Args[0].Type.Elem
	case "slice_list":
		out.Type = out.Args[0].Type
	case overloads.AddList:
		out.Type = join(out.Args[0].Type, out.Args[1].Type)
	case "get_map":
		out.Type = join(out.Args[0].Type.Elem, out.Args[2].Type)
	case "sort_list":
		out.Type = out.Args[0].Type
		f.scalars(out)
	case overloads.Equals, overloads.NotEquals, overloads.InList:
		f.checkEnums(out)
	case "floor_double", "ceil_double", "round_double", overloads.DoubleToInt:
		f.checkRounding(out)
	}
}

// global is the id of an overload written as a function of its receiver: xs.size() is size(xs).
func global(id string) string {
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

// scalars judges what sort puts in order; of a list that was found wrong already nothing is known.
func (f *formula) scalars(out *Expr) {
	if elem := out.Type.Elem; elem != nil && elem.Kind != plan.Invalid && !elem.Scalar() {
		f.addf("type", out.Place, "sort puts numbers, strings and truth values in order, not %s", elem).
			Repair = "write xs.sort_by(x, <key>)"
	}
}

// with builds with(map, key, value) and with(record, 'path', value).
func (f *formula) with(out *Expr, args []ast.Expr) {
	of, key := f.build(args[0], nil), f.build(args[1], nil)
	var want *plan.Type
	if of.Type.Kind == plan.Map {
		want = of.Type.Elem
	}
	value := f.build(args[2], want)
	out.Op, out.Name, out.Type, out.Args = Call, "with_map", of.Type, []*Expr{of, key, value}
	switch {
	case of.Type.Kind == plan.Map:
		f.fits(value, plainOf(want), "the value of a key")
		out.Type = &plan.Type{Kind: plan.Map, Key: of.Type.Key, Elem: join(want, value.Type)}
	case of.Type.Kind == plan.Invalid:
	case of.Type.Kind != plan.Record:
		f.addf("type", out.Place, "with sets a key of a map or a field of a record, not of %s", brief(of.Type))
	case key.Op != Const:
		f.addf("type", key.Place, "the field of a record must be named in quotes")
	default:
		out.Name = "with_record"
		f.fieldValue(of.Type, key, value)
	}
}

// plainOf is a type without its enum: what with() puts into a map is judged where the map goes.
func plainOf(t *plan.Type) *plan.Type {
	if t.Kind == plan.String {
		return plan.StringType
	}
	return t
}

func (f *formula) fieldValue(t *plan.Type, path, value *Expr) {
	for name := range strings.SplitSeq(path.Value.String, ".") {
		next := step(t, name)
		if next == nil {
			f.addf("unknown-member", path.Place, "%s has no field %s", brief(t), name).
				Repair = diag.DidYouMean(name, f.types.members(t))
			return
		}
		t = next
	}
	f.fits(value, t, path.Value.String)
}

// step is the type of a record's field or of a map's values; nil when there is none.
func step(t *plan.Type, name string) *plan.Type {
	if t.Kind == plan.Map {
		return t.Elem
	}
	if i, _ := t.Field(name); i >= 0 {
		return t.Fields[i].Type
	}
	return nil
}

// list builds [a, b]: all elements have one type.
func (f *formula) list(out *Expr, e ast.Expr, want *plan.Type) {
	out.Op = MakeList
	var elem *plan.Type
	if want != nil && want.Kind == plan.List {
		elem = want.Elem
	}
	for _, a := range e.AsList().Elements() {
		out.Args = append(out.Args, f.build(a, elem))
	}
	if len(out.Args) == 0 {
		f.emptyList(out, f.types.plain(f.tree.GetType(e.ID())), want)
		return
	}
	t := out.Args[0].Type
	for _, a := range out.Args[1:] {
		if !a.Type.Same(t) && a.Type.Kind != plan.Invalid && t.Kind != plan.Invalid {
			f.mismatch(a.Place, a.Type, t, "the elements of a list have one type: %s stands beside %s", a.Type, t)
			return
		}
		t = join(t, a.Type)
	}
	out.Type = plan.ListOf(t)
}

func (f *formula) emptyList(out *Expr, found, want *plan.Type) {
	switch {
	case closed(found):
		out.Type = found
	case want != nil && want.Kind == plan.List:
		out.Type = want
	default:
		f.addf("open-type", out.Place, "nothing says of what type the elements of this list are")
	}
}

func (f *formula) mapLiteral(out *Expr, e ast.Expr) {
	if !f.profile.MapLiterals {
		f.addf("unsupported", out.Place, "formulas make no maps or records").
			Repair = "use with(map, key, value), or a table, or the outputs of a rule"
		return
	}
	out.Op = MakeMap
	out.Type = f.types.plain(f.tree.GetType(e.ID()))
	for _, entry := range e.AsMap().Entries() {
		m := entry.AsMapEntry()
		out.Args = append(out.Args, f.build(m.Key(), nil), f.build(m.Value(), nil))
	}
	if !closed(out.Type) {
		f.addf("open-type", out.Place, "nothing says of what types the keys and values of this map are")
	}
}
