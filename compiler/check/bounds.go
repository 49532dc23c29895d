package check

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every list has a bound that is known before anything is rolled. Lists come from shapes, which have one, and are
// mapped, filtered and joined, which keeps it; what is left to check is how many faces a die asks for and how far a
// range goes. Both are bounded by following the extents of what they are computed from.

// A bounder finds the extents of a ruleset in which nothing else is wrong.
type bounder struct {
	ruleset *Ruleset
	diags   *diag.List
	names   map[Object]*extent
	rows    map[*Table]*extent
	trees   map[*Expr]*Tree // by their roots
	at      *Tree           // the one that is followed
}

func newBounder(r *Ruleset, diags *diag.List) *bounder {
	b := &bounder{
		ruleset: r, diags: diags, names: map[Object]*extent{}, rows: map[*Table]*extent{}, trees: map[*Expr]*Tree{},
	}
	for _, t := range r.Trees {
		b.trees[t.Root] = t
	}
	return b
}

// checkBounds follows every expression but those of functions, which are followed where they are called, with the extents
// of their arguments.
func (b *bounder) checkBounds() {
	for _, t := range b.ruleset.Trees {
		if !strings.HasPrefix(t.Subject, "function ") {
			b.extentOfWhole(t.Root, b.names)
		}
	}
	for _, x := range b.ruleset.Rules {
		b.checkDice(x.Body, "rule "+x.name)
	}
	for _, p := range b.ruleset.Procedures {
		subject := "procedure " + p.Book.ID
		if p.Start != nil {
			b.checkDice(p.Start.Body, subject+", start")
		}
		for _, e := range p.Events {
			b.checkDice(e.Body, subject+", event "+e.Book.ID)
		}
	}
}

func (b *bounder) checkDice(body *Body, subject string) {
	for _, src := range body.Sources {
		d := src.Die
		if d == nil {
			continue
		}
		at := subject + ", dice " + d.name
		if d.Count != nil {
			b.checkCountOfInput(d.Count, body, at)
		}
		if d.Count != nil && d.Most == 0 {
			b.boundCount(d, at)
		}
		b.boundSeries(d, at)
		b.boundRepeats(d, at)
		for _, r := range d.Data {
			b.boundRoll(r, body, at)
		}
	}
}

// boundSeries checks that a pool, and how often dice as data are rolled, has a bound.
func (b *bounder) boundSeries(d *Die, subject string) {
	if d.Pool != nil {
		b.names[d.Size] = b.extentOfWhole(d.Pool, b.names).elementExtent()
	}
	e, most := d.Pool, b.mostRolls(d)
	if e == nil {
		e = d.Series
	}
	if e != nil && most > dice.MaxCount {
		b.diags.Addf("unbounded-dice", e.Place, subject, "nothing bounds how many dice are rolled").
			Repair = "bound what the formula reads"
	}
}

// mostRolls is how many values the list of a pool or of a series has at most.
func (b *bounder) mostRolls(d *Die) float64 {
	if d.Pool != nil {
		return b.extentOfWhole(d.Pool, b.names).mostElements()
	}
	if d.Series != nil {
		return b.extentOfWhole(d.Series, b.names).numberOrUnbounded().hi
	}
	return 1
}

// boundCount finds how many dice a computed count may ask for.
func (b *bounder) boundCount(d *Die, subject string) {
	most := b.extentOfWhole(d.Count, b.names).numberOrUnbounded().hi
	if most > dice.MaxCount {
		b.diags.Addf("unbounded-dice", d.Count.Place, subject, "nothing bounds how many dice are rolled").
			Repair = "give the die most: a number that the count never exceeds"
		return
	}
	d.Most = int(math.Max(0, most))
}

// checkCountOfInput reports a computed count that some input makes negative. Extents hold more than can happen, so this
// is said only where they are exact: each field of what is given is read once, by operations that rise or fall with each
// operand, and no requirement is judged before the dice. Where the count depends on dice, nothing is said.
func (b *bounder) checkCountOfInput(count *Expr, body *Body, subject string) {
	early := slices.ContainsFunc(body.Requires, func(r *Require) bool { return r.Early })
	if _, known := constantOf(count); known || early || !isExact(count, map[string]bool{}) {
		return
	}
	x := b.extentOfWhole(count, b.names).numberOrUnbounded()
	if x.lo < 0 && !math.IsInf(x.lo, 0) {
		b.diags.Addf("die-count", count.Place, subject, "the count can be %s, and a count of dice is at least 0",
			formatNumber(x.lo)).
			Repair = "bound what is given, or write max(0, ...)"
	}
}

// isExact reports whether every number of an expression's extent is a value of it, as far as its ends go: read are fields
// of what is given, each once.
func isExact(e *Expr, read map[string]bool) bool {
	switch e.Op {
	case OpConst:
		return e.Type.Kind == plan.Int
	case OpRef:
		let, ok := e.Object.(*Let)
		return ok && isExact(let.Formula.Expr, read)
	case OpField:
		name := e.Describe()
		_, given := e.Args[0].Object.(*Given)
		i, _ := e.Args[0].Type.Field(e.Name)
		exact := given && i >= 0 && !e.Args[0].Type.Fields[i].Optional && !read[name]
		read[name] = true
		return exact
	case OpCall:
		switch e.Name {
		case "add_int64", "subtract_int64", "multiply_int64", "negate_int64", "min_int", "max_int":
			return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !isExact(a, read) })
		}
	}
	return false
}

// extentOfWhole follows an expression that may be the whole of a text, under the name of which problems are reported.
func (b *bounder) extentOfWhole(e *Expr, names map[Object]*extent) *extent {
	outer := b.at
	defer func() { b.at = outer }()
	if t := b.trees[e]; t != nil {
		b.at = t
	}
	return b.extentOf(e, names)
}

// extentOf is the extent of an expression.
func (b *bounder) extentOf(e *Expr, names map[Object]*extent) *extent {
	switch e.Op {
	case OpConst:
		return constantExtent(e)
	case OpRef:
		return b.nameExtent(e.Object, names)
	case OpField:
		return b.extentOf(e.Args[0], names).fieldExtent(e.Name)
	case OpTrait:
		return b.extentOfWhole(e.Object.(*Trait).Formula.Expr, b.names)
	case OpLookUp:
		b.extentOf(e.Args[0], names)
		return b.lookUpExtent(e.Object.(*Table))
	case OpApply:
		return b.extentOfApply(e, names)
	case OpChoose:
		return b.extentOfChoice(e, names)
	case OpAll, OpExists, OpExistsOne, OpMap, OpFilter, OpSortBy:
		return b.extentOfMacro(e, names)
	}
	args := make([]*extent, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.extentOf(a, names)
	}
	switch e.Op {
	case OpCond:
		return args[1].unite(args[2])
	case OpMakeList:
		return extentOfList(args)
	case OpMakeMap:
		var values []*extent
		for i := 1; i < len(args); i += 2 {
			values = append(values, args[i])
		}
		return extentOfList(values)
	case OpCall:
		b.checkCall(e, args, names)
		return b.callExtent(e, args)
	}
	return &extent{}
}

// checkCall reports what a call can never be or do, whatever is given and rolled. Within a function nothing is said, for
// another call of it may have other arguments.
func (b *bounder) checkCall(e *Expr, args []*extent, names map[Object]*extent) {
	if b.at == nil || strings.HasPrefix(b.at.Subject, "function ") {
		return
	}
	switch e.Name {
	case "equals", "not_equals":
		b.checkEverEqual(e, args)
	case "index_list":
		b.checkIndex(e, args)
	}
}

// checkEverEqual reports a comparison with a number that the other side never is: natural == 21 of a d20.
func (b *bounder) checkEverEqual(e *Expr, args []*extent) {
	for i, other := range []int{1, 0} {
		literal, known := constantOf(e.Args[i])
		x := args[other]
		if !known || x == nil || e.Args[other].Type.Kind != plan.Int || math.IsInf(x.lo, 0) || math.IsInf(x.hi, 0) {
			continue
		}
		if v := float64(literal); v < x.lo || v > x.hi {
			b.diags.Addf("never-equal", e.Place, b.at.Subject, "%s is never %d: it lies in %s to %s",
				e.Args[other].Describe(), literal, formatNumber(x.lo), formatNumber(x.hi))
		}
	}
}

// checkIndex reports an index at which a list never has an element.
func (b *bounder) checkIndex(e *Expr, args []*extent) {
	most, index := args[0].mostElements(), args[1].numberOrUnbounded()
	switch {
	case index.hi < 0:
		b.diags.Addf("index-outside", e.Place, b.at.Subject, "the index is never 0 or more: it is at most %s",
			formatNumber(index.hi))
	case index.lo >= most:
		b.diags.Addf("index-outside", e.Place, b.at.Subject, "%s has at most %s elements, and the index is at least %s",
			e.Args[0].Describe(), formatNumber(most), formatNumber(index.lo)).Repair = "the first element is [0]"
	}
}

// extentOfChoice is the extent of what is one of several arms, each of which is a text of its own.
func (b *bounder) extentOfChoice(e *Expr, names map[Object]*extent) *extent {
	var out *extent
	for i, arm := range e.Args[1:] {
		if x := b.extentOfWhole(arm, names); i == 0 {
			out = x
		} else {
			out = out.unite(x)
		}
	}
	return out
}

func constantExtent(e *Expr) *extent {
	switch e.Type.Kind {
	case plan.Int:
		return extentBetween(float64(e.Value.Int), float64(e.Value.Int))
	case plan.Double:
		return extentBetween(e.Value.Double, e.Value.Double)
	}
	return &extent{}
}

func extentOfList(args []*extent) *extent {
	out := extentOfElements(float64(len(args)), nil)
	for i, a := range args {
		if i == 0 {
			out.elem = a
		} else {
			out.elem = out.elem.unite(a)
		}
	}
	return out
}

// nameExtent is the extent of a name: what its shape admits, or what follows from what it is computed from.
func (b *bounder) nameExtent(o Object, names map[Object]*extent) *extent {
	if x, ok := names[o]; ok {
		return x
	}
	x, ok := b.names[o]
	if !ok {
		x = b.objectExtent(o)
		b.names[o] = x
	}
	return x
}

func (b *bounder) objectExtent(o Object) *extent {
	switch o := o.(type) {
	case *Given:
		return extentOfShape(o.Shape, b.ruleset.Book.Character)
	case *Die:
		return b.dieExtent(o)
	case *Let:
		return b.extentOfWhole(o.Formula.Expr, b.names)
	case *Use:
		return b.useExtent(o)
	case *Each:
		return b.extentOfWhole(o.List, b.names).elementExtent()
	}
	return nil
}

func (b *bounder) dieExtent(d *Die) *extent {
	var sum *extent
	if d.Sum != nil {
		least, most := d.Sum.Bounds()
		sum = extentBetween(float64(least), float64(most))
	}
	if len(d.Data) > 0 {
		sum = b.dataExtent(d)
	}
	switch {
	case sum != nil && d.Series != nil:
		return extentOfElements(math.Max(0, b.mostRolls(d)), sum)
	case sum != nil:
		return sum
	}
	return b.facesExtent(d)
}

// facesExtent is the extent of a face, or of a list of dice.
func (b *bounder) facesExtent(d *Die) *extent {
	face := unboundedExtent()
	if d.Pool != nil {
		b.names[d.Size] = b.extentOfWhole(d.Pool, b.names).elementExtent()
	}
	if shows := d.Rolls.Shows; shows != nil {
		face = extentBetween(float64(slices.Min(shows)), float64(slices.Max(shows)))
	} else if d.Rows != nil {
		face = b.lookUpExtent(d.Rows)
	} else if most := b.extentOfWhole(d.Faces, b.names).numberOrUnbounded().hi; most < math.MaxInt64 {
		face = nil
		b.measureRepeats(d)
		for _, v := range d.Variants() {
			least, most := interval.DieTotals(&v.Rolls, int64(most))
			if x := extentBetween(float64(least), float64(most)); face == nil {
				face = x
			} else {
				face = face.unite(x)
			}
		}
	}
	switch {
	case d.Pool != nil:
		return extentOfElements(b.mostRolls(d), face)
	case d.Count == nil:
		return face
	case d.Most > 0:
		return extentOfElements(float64(d.Most), face)
	}
	return extentOfElements(math.Min(dice.MaxCount, b.extentOfWhole(d.Count, b.names).numberOrUnbounded().hi), face)
}

// useExtent is what the outputs of the rule may be, for any input that it admits, or what they are otherwise.
func (b *bounder) useExtent(u *Use) *extent {
	out := &extent{fields: map[string]*extent{}}
	for _, o := range u.Rule.Body.Outputs {
		out.fields[o.name] = b.nameExtent(o, b.names)
	}
	for _, o := range u.Otherwise {
		out.fields[o.name] = out.fields[o.name].unite(b.extentOfWhole(o.Formula.Expr, b.names))
	}
	if len(u.Each) == 0 {
		return out
	}
	most := math.Inf(1)
	for _, e := range u.Each {
		most = math.Min(most, b.extentOfWhole(e.List, b.names).mostElements())
	}
	return extentOfElements(most, out)
}

func (b *bounder) lookUpExtent(t *Table) *extent {
	row, ok := b.rows[t]
	if !ok {
		row = rowExtent(t)
		b.rows[t] = row
	}
	switch {
	case t.Across != nil:
		out := row.fieldExtent(t.Row.Fields[0].Name)
		for _, f := range t.Row.Fields[1:] {
			out = out.unite(row.fieldExtent(f.Name))
		}
		return out
	case t.Gives >= 0:
		return row.fieldExtent(t.Row.Fields[t.Gives].Name)
	}
	return row
}

func rowExtent(t *Table) *extent {
	out := &extent{fields: map[string]*extent{}}
	for i, f := range t.Row.Fields {
		for k := range t.Book.Rows {
			if x := extentOfJSON(t.Book.Rows[k].Cells[i].JSON); k == 0 {
				out.fields[f.Name] = x
			} else {
				out.fields[f.Name] = out.fields[f.Name].unite(x)
			}
		}
	}
	return out
}

// extentOfApply follows a function with the extents of its arguments.
func (b *bounder) extentOfApply(e *Expr, names map[Object]*extent) *extent {
	f := e.Object.(*Function)
	inner := map[Object]*extent{}
	for i, p := range f.Params {
		inner[p] = b.extentOf(e.Args[i], names)
	}
	return b.extentOfWhole(f.Formula.Expr, inner)
}

func (b *bounder) extentOfMacro(e *Expr, names map[Object]*extent) *extent {
	over := b.extentOf(e.Args[0], names)
	item := over.elementExtent()
	if e.Args[0].Type.Kind == plan.Map {
		item = &extent{}
	}
	names[e.Item] = item
	var body *extent
	for i := len(e.Args) - 1; i > 0; i-- {
		body = b.extentOf(e.Args[i], names)
	}
	switch e.Op {
	case OpMap:
		return extentOfElements(over.mostElements(), body)
	case OpFilter, OpSortBy:
		return extentOfElements(over.mostElements(), item)
	}
	return &extent{}
}

// callExtent is the extent of a function of the language; what is not named here gives no number and no list, or one
// without bounds.
func (b *bounder) callExtent(e *Expr, args []*extent) *extent {
	if builtin.OverloadOp(e.Name).Has(plan.Divides) {
		return args[0].numberOrUnbounded().divideBy(args[1].numberOrUnbounded()).widenToWhole()
	}
	switch e.Name {
	case "add_int64", "add_double":
		return args[0].numberOrUnbounded().addExtent(args[1].numberOrUnbounded())
	case "subtract_int64", "subtract_double":
		return args[0].numberOrUnbounded().addExtent(args[1].numberOrUnbounded().negate())
	case "multiply_int64", "multiply_double":
		return args[0].numberOrUnbounded().multiply(args[1].numberOrUnbounded())
	case "divide_double":
		return args[0].numberOrUnbounded().divideBy(args[1].numberOrUnbounded())
	case "modulo_int64":
		return args[0].numberOrUnbounded().remainderOf(args[1].numberOrUnbounded())
	case "negate_int64", "negate_double":
		return args[0].numberOrUnbounded().negate()
	case "abs_int", "abs_double":
		return args[0].numberOrUnbounded().absoluteValue()
	case "pow_int", "pow_double":
		return args[0].numberOrUnbounded().raiseTo(args[1].numberOrUnbounded())
	case "min_int", "min_double":
		return args[0].numberOrUnbounded().minWith(args[1].numberOrUnbounded())
	case "max_int", "max_double":
		return args[0].numberOrUnbounded().maxWith(args[1].numberOrUnbounded())
	case "floor_double", "ceil_double", "round_double", "double_to_int64":
		return args[0].numberOrUnbounded().widenToWhole()
	case "int64_to_double":
		return args[0]
	case "sum_list_int", "sum_list_double":
		return args[0].sumOfElements()
	}
	return b.listCallExtent(e, args)
}

func (b *bounder) listCallExtent(e *Expr, args []*extent) *extent {
	switch e.Name {
	case "min_list_int", "min_list_double", "max_list_int", "max_list_double", "index_list", "index_map":
		return args[0].elementExtent()
	case "size_list", "size_map":
		return extentBetween(0, args[0].mostElements())
	case "sort_list", "slice_list":
		return args[0]
	case "add_list":
		return &extent{size: args[0].mostElements() + args[1].mostElements(), elem: joinElements(args[0], args[1])}
	case "get_map":
		return args[0].elementExtent().unite(args[2])
	case "with_map":
		return extentOfElements(plan.MaxKeys, args[0].elementExtent().unite(args[2]))
	case "pour":
		return extentOfElements(args[1].mostElements(), extentBetween(0, args[1].elementExtent().numberOrUnbounded().hi))
	case "counts":
		faces := args[2].numberOrUnbounded().hi - args[1].numberOrUnbounded().lo + 1
		return extentOfElements(math.Min(plan.MaxRange, math.Max(0, faces)), extentBetween(0, args[0].mostElements()))
	case "range_1":
		return b.checkRange(e, extentBetween(0, 0), args[0].numberOrUnbounded())
	case "range_2":
		return b.checkRange(e, args[0].numberOrUnbounded(), args[1].numberOrUnbounded())
	}
	return nil
}

func joinElements(x, y *extent) *extent {
	if x == nil || y == nil {
		return nil
	}
	return x.uniteElements(y)
}

// checkRange bounds the integers from a lower to an upper limit, and reports a range that goes on without a bound.
func (b *bounder) checkRange(e *Expr, from, to *extent) *extent {
	size := math.Max(0, to.hi-from.lo)
	if size > plan.MaxRange {
		b.diags.Addf("unbounded-range", e.Place, b.at.Subject, "nothing bounds how far this range goes").
			Repair = "bound it: range(min(n, 100))"
		size = plan.MaxRange
	}
	return extentOfElements(size, extentBetween(from.lo, to.hi-1))
}
