package check

import (
	"math"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every list has a bound that is known before anything is rolled. Lists come from shapes, which have one, and are
// mapped, filtered and joined, which keeps it; what is left to check is how many faces a die asks for and how far a
// range goes. Both are bounded by following the extents of what they are computed from.

// A totality checks a ruleset in which nothing else is wrong.
type totality struct {
	*pass
	vars   map[*Var]*extent
	lets   map[*Let]*extent
	rows   map[*TableDef]*extent
	owners map[*Expr]*book.Text // the formula that an expression is the whole of
	at     *book.Text           // the formula that is followed
}

func (c *pass) totality() {
	t := &totality{pass: c, vars: map[*Var]*extent{}, lets: map[*Let]*extent{}, rows: map[*TableDef]*extent{}, owners: map[*Expr]*book.Text{}}
	for _, f := range c.out.Formulas {
		t.owners[f.Expr] = f.Text
	}
	for _, f := range c.out.Formulas {
		if !c.inFunction(f) {
			t.whole(f.Expr, t.vars)
		}
	}
	for _, x := range c.out.Rules {
		t.dice(x.Body, "rule "+x.Book.ID)
	}
	for _, p := range c.out.Procedures {
		t.procedure(p)
	}
}

func (t *totality) procedure(p *ProcedureDef) {
	subject := "procedure " + p.Book.ID
	if p.Start != nil {
		t.dice(p.Start.Body, subject+", start")
	}
	for _, e := range p.Events {
		t.dice(e.Body, subject+", event "+e.Book.ID)
	}
}

// inFunction tells the formulas of functions: they are followed where they are called.
func (c *pass) inFunction(f *Checked) bool {
	return strings.HasPrefix(c.names.Sites[f.Text].Subject, "function ")
}

func (t *totality) dice(b *Body, subject string) {
	for _, src := range b.Sources {
		if d := src.Die; d != nil && d.Count != nil && d.Most == 0 {
			t.counted(d, subject+", dice "+d.Book.Name)
		}
	}
}

func (t *totality) counted(d *Die, subject string) {
	most := t.whole(d.Count, t.vars).number().hi
	if most > dice.MaxCount {
		t.diags.Addf("unbounded-dice", d.Count.Place, subject, "nothing bounds how many dice are rolled").
			Repair = "give the die most: a number that the count never exceeds"
		return
	}
	d.Most = int(math.Max(0, most))
}

// whole follows the expression of a formula.
func (t *totality) whole(e *Expr, vars map[*Var]*extent) *extent {
	outer := t.at
	defer func() { t.at = outer }()
	if text := t.owners[e]; text != nil {
		t.at = text
	}
	return t.follow(e, vars)
}

func (t *totality) formula(f *Formula, vars map[*Var]*extent) *extent {
	if f.By == nil {
		return t.whole(f.Expr, vars)
	}
	var out *extent
	for i, a := range f.Arms {
		if x := t.whole(a.Expr, vars); i == 0 {
			out = x
		} else {
			out = out.or(x)
		}
	}
	return out
}

func (t *totality) follow(e *Expr, vars map[*Var]*extent) *extent {
	switch e.Op {
	case Const:
		return constantExtent(e)
	case Ref:
		return t.variable(e.Var, vars)
	case Get:
		return t.follow(e.Args[0], vars).field(e.Name)
	case Trait:
		return t.trait(e.Decl.(*TraitDef))
	case Look:
		t.follow(e.Args[0], vars)
		return t.look(e.Decl.(*TableDef))
	case Apply:
		return t.apply(e, vars)
	case All, Exists, ExistsOne, Map, Filter, SortBy:
		return t.macro(e, vars)
	}
	args := make([]*extent, len(e.Args))
	for i, a := range e.Args {
		args[i] = t.follow(a, vars)
	}
	switch e.Op {
	case Cond:
		return args[1].or(args[2])
	case MakeList:
		return t.makeList(args)
	case Call:
		return t.call(e, args)
	}
	return &extent{}
}

func constantExtent(e *Expr) *extent {
	switch e.Type.Kind {
	case plan.Int:
		return between(float64(e.Value.Int), float64(e.Value.Int))
	case plan.Double:
		return between(e.Value.Double, e.Value.Double)
	}
	return &extent{}
}

func (t *totality) makeList(args []*extent) *extent {
	out := listOf(float64(len(args)), nil)
	for i, a := range args {
		if i == 0 {
			out.elem = a
		} else {
			out.elem = out.elem.or(a)
		}
	}
	return out
}

// variable is the extent of a name: what its shape admits, or what follows from what it is computed from.
func (t *totality) variable(v *Var, vars map[*Var]*extent) *extent {
	if x, ok := vars[v]; ok {
		return x
	}
	if s, ok := t.shapes[v]; ok {
		t.vars[v] = ofShape(s, t.names.Book.Character)
		return t.vars[v]
	}
	switch d := v.Decl.(type) {
	case *Die:
		return t.die(d)
	case *Let:
		return t.let(d)
	case *Use:
		return t.use(d)
	case *Each:
		return t.whole(d.List, t.vars).element()
	}
	return nil
}

func (t *totality) die(d *Die) *extent {
	if d.Sum != nil {
		least, most := d.Sum.Bounds()
		return between(float64(least), float64(most))
	}
	face := unbounded()
	if most := t.whole(d.Faces, t.vars).number().hi; most < math.MaxInt64 {
		least, most := interval.DieTotals(&d.Rolls, int64(most))
		face = between(float64(least), float64(most))
	}
	switch {
	case d.Count == nil:
		return face
	case d.Most > 0:
		return listOf(float64(d.Most), face)
	}
	return listOf(math.Min(dice.MaxCount, t.whole(d.Count, t.vars).number().hi), face)
}

func (t *totality) let(l *Let) *extent {
	if x, ok := t.lets[l]; ok {
		return x
	}
	x := t.formula(l.Formula, t.vars)
	t.lets[l] = x
	return x
}

// use is what the outputs of the rule may be, for any input that it admits, or what they are otherwise.
func (t *totality) use(u *Use) *extent {
	out := &extent{fields: map[string]*extent{}}
	for _, o := range u.Rule.Body.Outputs {
		out.fields[o.Book.Name] = t.let(o)
	}
	for _, o := range u.Otherwise {
		out.fields[o.Book.Name] = out.fields[o.Book.Name].or(t.formula(o.Formula, t.vars))
	}
	if len(u.Each) == 0 {
		return out
	}
	most := math.Inf(1)
	for _, e := range u.Each {
		most = math.Min(most, t.whole(e.List, t.vars).most())
	}
	return listOf(most, out)
}

func (t *totality) trait(d *TraitDef) *extent { return t.formula(d.Formula, t.vars) }

func (t *totality) look(d *TableDef) *extent {
	row, ok := t.rows[d]
	if !ok {
		row = rowExtent(d)
		t.rows[d] = row
	}
	if d.Gives >= 0 {
		return row.field(d.Row.Fields[d.Gives].Name)
	}
	return row
}

func rowExtent(d *TableDef) *extent {
	out := &extent{fields: map[string]*extent{}}
	for i, f := range d.Row.Fields {
		for k := range d.Book.Rows {
			if x := ofJSON(d.Book.Rows[k].Cells[i].JSON); k == 0 {
				out.fields[f.Name] = x
			} else {
				out.fields[f.Name] = out.fields[f.Name].or(x)
			}
		}
	}
	return out
}

// apply follows a function with the extents of its arguments.
func (t *totality) apply(e *Expr, vars map[*Var]*extent) *extent {
	d := e.Decl.(*FunctionDef)
	inner := map[*Var]*extent{}
	for i, p := range d.Params {
		inner[p] = t.follow(e.Args[i], vars)
	}
	return t.formula(d.Formula, inner)
}

func (t *totality) macro(e *Expr, vars map[*Var]*extent) *extent {
	over := t.follow(e.Args[0], vars)
	item := over.element()
	if e.Args[0].Type.Kind == plan.Map {
		item = &extent{}
	}
	vars[e.Bind] = item
	var body *extent
	for i := len(e.Args) - 1; i > 0; i-- {
		body = t.follow(e.Args[i], vars)
	}
	switch e.Op {
	case Map:
		return listOf(over.most(), body)
	case Filter, SortBy:
		return listOf(over.most(), item)
	}
	return &extent{}
}

// call follows a function of the language; what is not named here gives no number and no list, or one without bounds.
func (t *totality) call(e *Expr, args []*extent) *extent {
	if builtin.OverloadOp(e.Name).Has(plan.Divides) {
		return args[0].number().over(args[1].number()).whole()
	}
	switch e.Name {
	case "add_int64", "add_double":
		return args[0].number().plus(args[1].number())
	case "subtract_int64", "subtract_double":
		return args[0].number().plus(args[1].number().negated())
	case "multiply_int64", "multiply_double":
		return args[0].number().times(args[1].number())
	case "divide_double":
		return args[0].number().over(args[1].number())
	case "modulo_int64":
		return args[0].number().modulo(args[1].number())
	case "negate_int64", "negate_double":
		return args[0].number().negated()
	case "abs_int", "abs_double":
		return args[0].number().absolute()
	case "pow_int", "pow_double":
		return args[0].number().power(args[1].number())
	case "min_int", "min_double":
		return args[0].number().least(args[1].number())
	case "max_int", "max_double":
		return args[0].number().greatest(args[1].number())
	case "floor_double", "ceil_double", "round_double", "double_to_int64":
		return args[0].number().whole()
	case "int64_to_double":
		return args[0]
	case "sum_list_int", "sum_list_double":
		return args[0].total()
	}
	return t.listCall(e, args)
}

func (t *totality) listCall(e *Expr, args []*extent) *extent {
	switch e.Name {
	case "min_list_int", "min_list_double", "max_list_int", "max_list_double", "index_list", "index_map":
		return args[0].element()
	case "size_list", "size_map":
		return between(0, args[0].most())
	case "sort_list", "slice_list":
		return args[0]
	case "add_list":
		return &extent{size: args[0].most() + args[1].most(), elem: joined(args[0], args[1])}
	case "get_map":
		return args[0].element().or(args[2])
	case "with_map":
		return listOf(plan.MaxKeys, args[0].element().or(args[2]))
	case "pour":
		return listOf(args[1].most(), between(0, args[1].element().number().hi))
	case "counts":
		return listOf(math.Min(plan.MaxRange, math.Max(0, args[2].number().hi-args[1].number().lo+1)), between(0, args[0].most()))
	case "range_1":
		return t.ranged(e, between(0, 0), args[0].number())
	case "range_2":
		return t.ranged(e, args[0].number(), args[1].number())
	}
	return nil
}

func joined(x, y *extent) *extent {
	if x == nil || y == nil {
		return nil
	}
	return x.elemOr(y)
}

// ranged bounds the integers from a lower to an upper limit, and reports a range that goes on without a bound.
func (t *totality) ranged(e *Expr, from, to *extent) *extent {
	size := math.Max(0, to.hi-from.lo)
	if size > plan.MaxRange {
		f := t.pass.at(t.at)
		f.addf("unbounded-range", e.Place, "nothing bounds how far this range goes").
			Repair = "bound it: range(min(n, 100))"
		size = plan.MaxRange
	}
	return listOf(size, between(from.lo, to.hi-1))
}
