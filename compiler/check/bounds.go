package check

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// Bounds are found by abstract interpretation over intervals (Cousot and Cousot, "Abstract interpretation: a unified
// lattice model", POPL 1977), on the typed tree: every expression has an extent, which holds each value that it can have,
// whatever is given and rolled. A number has its least and greatest value, a list its greatest size and the extent of its
// elements, a record one for each field. Leaves have what their author declared: the bounds of a field, the faces of a
// die, the cells of a column. An operation has the extent that follows from those of its operands, in the row of a
// builtin or, for the operators of CEL, in standardExtents.
//
// The language has no loops and no recursion, so that one pass suffices and nothing has to be widened: an object is
// followed when it is first asked for, and remembered. Functions are the exception, as what they come to depends on their
// arguments: they are followed at each call, with the extents of these.
//
// Extents are sound and not exact. level - level has the extent -8 to 8 for a level from 1 to 9, as both operands are
// taken for independent. So what an extent excludes can be said to never happen, and nothing may be said because a value
// lies within: a warning needs the whole extent outside, and an error ("nothing bounds how many dice are rolled") is
// about the extent itself, which an author can narrow by a bound. isExact finds the few expressions of which the ends are
// reached.
//
// For "character.level - 3" as the count of a die, with a level from 1 to 9, extentOf follows the call subtract_int64: 1
// to 9 less 3 to 3 is -2 to 6. The die gets Most = 6. As level is read once, by operations that rise or fall with each
// operand, -2 is reached, and checkCountOfInput reports it.

// A bounder finds the extents of a ruleset in which nothing else is wrong.
//
// names has the extent of an object once it was asked for; it is shared by all texts of the
// ruleset, as objects of different bodies are different keys. Parameters are in a map of their own
// for each call (extentOfApply). rows has the extents of the columns of a table. at names the text
// for messages. It is nil where a part of a text is asked for its extent once more: the walk of the
// whole text has reported its problems.
type bounder struct {
	ruleset *Ruleset
	diags   *diag.List
	names   map[Object]*builtin.Extent
	rows    map[*Table]*builtin.Extent
	rolled  map[Object]*Die // the items of loops over dice
	trees   map[*Expr]*Tree // by their roots
	at      *Tree           // the one that is followed
}

// newBounder indexes the trees by their roots, since extents are followed from expression to expression and a problem
// needs the text, with its subject, in which the expression stands.
func newBounder(r *Ruleset, diags *diag.List) *bounder {
	b := &bounder{
		ruleset: r, diags: diags, names: map[Object]*builtin.Extent{}, rows: map[*Table]*builtin.Extent{},
		rolled: map[Object]*Die{}, trees: map[*Expr]*Tree{},
	}
	for _, t := range r.Trees {
		b.trees[t.Root] = t
	}
	return b
}

// checkBounds follows every expression but those of functions, which are followed where they are called, with the extents
// of their arguments.
// Indexes come after all expressions, for they ask names whose extents are known then; dice come
// last, as their counts may be named.
func (b *bounder) checkBounds() {
	for _, t := range b.ruleset.Trees {
		if !t.scope.ofFunction {
			b.extentOfWhole(t.Root, b.names)
		}
	}
	b.checkIndexes()
	for x := range b.ruleset.Bodies() {
		b.checkDice(x.Body, x.Subject)
	}
}

// extentOfWhole follows an expression that may be the whole of a text, under the name of which problems are reported.
//
// A text may be reached from another one, through a let or a trait. Problems found in it are its
// own and are reported under its name, so the current text is changed for the time of the walk.
func (b *bounder) extentOfWhole(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	outer := b.at
	defer func() { b.at = outer }()
	if t := b.trees[e]; t != nil {
		b.at = t
	}
	return b.extentOf(e, names)
}

// extentOf returns the extent of an expression.
//
// Cost: an object is followed once, a function anew at each call, as its arguments differ.
// Functions call no functions in a circle, so this ends; it doubles with each level of functions
// that call two others, up to maxParts, which checkSizes has judged.
func (b *bounder) extentOf(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	switch e.Op {
	case OpConst:
		return constantExtent(e)
	case OpRef:
		return b.nameExtent(e.Object, names)
	case OpField:
		return b.extentOf(e.Args[0], names).FieldExtent(e.Name)
	case OpTrait:
		return b.nameExtent(e.Object, b.names)
	case OpLookUp:
		b.extentOf(e.Args[0], names)
		return b.lookUpExtent(e.Object.(*Table))
	case OpApply:
		return b.extentOfApply(e, names)
	case OpChoose:
		return b.extentOfChoice(e, names)
	case OpAll, OpExists, OpExistsOne, OpMap, OpFilter, OpSortBy:
		return b.extentOfMacro(e, names)
	case OpFold:
		return b.extentOfFold(e, names)
	}
	args := make([]*builtin.Extent, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.extentOf(a, names)
	}
	switch e.Op {
	case OpCond:
		return args[1].Unite(args[2])
	case OpMakeList:
		return extentOfList(args)
	case OpMakeMap:
		var values []*builtin.Extent
		for i := 1; i < len(args); i += 2 {
			values = append(values, args[i])
		}
		return extentOfList(values)
	case OpCall:
		b.checkCall(e, args, names)
		return b.callExtent(e, args)
	}
	return &builtin.Extent{}
}

// checkCall reports calls that can never hold or never have a value, for any input and any dice. Within a function nothing
// is said, for another call of it may have other arguments.
//
// Extents are sound: they hold every value that can come up and possibly more. So only exclusions can be reported
// ("never"), and nothing is ever said because a value lies within.
func (b *bounder) checkCall(e *Expr, args []*builtin.Extent, names map[Object]*builtin.Extent) {
	if b.at == nil || b.at.scope.ofFunction {
		return
	}
	switch e.Name {
	case "equals", "not_equals":
		b.checkEverEqual(e, args)
		b.checkExploded(e)
	case "index_list":
		b.checkIndex(e, args)
	case "min_int", "min_double", "max_int", "max_double":
		b.checkClamp(e, args)
	default:
		if order := orderPattern().FindString(e.Name); order != "" {
			b.checkEverLess(e, order, args)
		}
	}
}

// checkEverEqual reports a comparison with a number that the other side never is: natural == 21 of a d20.
func (b *bounder) checkEverEqual(e *Expr, args []*builtin.Extent) {
	for i, other := range []int{1, 0} {
		literal, known := constantOf(e.Args[i])
		x := args[other]
		if !known || x == nil || e.Args[other].Type.Kind != plan.Int || math.IsInf(x.Lo, 0) || math.IsInf(x.Hi, 0) {
			continue
		}
		if v := float64(literal); v < x.Lo || v > x.Hi {
			b.diags.Addf("never-equal", e.Place, b.at.Subject, "%s is never %d: it lies in %s to %s",
				e.Args[other].Describe(), literal, formatNumber(x.Lo), formatNumber(x.Hi)).
				Repair = "write a number that it can be, or leave the comparison out"
		}
	}
}

// checkExploded reports a comparison of an exploding die with the least face on which it is rolled on: what falls then is
// added, so that it is that number never.
func (b *bounder) checkExploded(e *Expr) {
	for i, other := range []int{1, 0} {
		literal, known := constantOf(e.Args[i])
		d := dieOf(e.Args[other])
		if d == nil && e.Args[other].Op == OpRef {
			d = b.rolled[e.Args[other].Object]
		}
		if known && d != nil && d.explodesFirstOn(literal) {
			b.diags.Addf("never-equal", e.Place, b.at.Subject, "%s is never %d: what falls after a %[2]d is added to it",
				e.Args[other].Describe(), literal).
				Repair = fmt.Sprintf(
				`write >= %d, or into: "dice" beside on, so that each further face is a die of its own`, literal)
		}
	}
}

// dieOf returns the die that an expression names; nil of any other.
func dieOf(e *Expr) *Die {
	if e.Op != OpRef {
		return nil
	}
	d, _ := e.Object.(*Die)
	return d
}

// explodesFirstOn reports whether a face is always rolled on, and none that is less.
func (d *Die) explodesFirstOn(face int64) bool {
	return !d.HasThrows() && !d.Book.ExplodeWhen.Written() && d.Rolls.Shows == nil && face == max(d.Rolls.Explode.Lo, 1) &&
		d.Rolls.Explode.Holds(face)
}

// checkEverLess reports a comparison of a whole number with a written number that is the same for every input and all dice:
// natural >= 0.9 of a d20. Of doubles nothing is said, since their extents are those of exact arithmetic, and nothing where
// a table is read or another rule used: these are the parts that homebrews change. Where both numbers are written out, CUE
// may have computed the formula, "\(level) > 2 ? 1 : 0", and for other values it is no constant.
func (b *bounder) checkEverLess(e *Expr, order string, args []*builtin.Extent) {
	for i, other := range []int{1, 0} {
		literal, known := writtenNumber(e.Args[i])
		value := withoutPromotion(e.Args[other])
		_, bothKnown := writtenNumber(value)
		x := args[other]
		if !known || bothKnown || x == nil || value.Type.Kind != plan.Int || math.IsInf(x.Lo, 0) || math.IsInf(x.Hi, 0) ||
			!isArithmetic(value, map[*Let]bool{}) {
			continue
		}
		valueOrder := order // with the value on the left
		if other == 1 {
			valueOrder = mirroredOrder[order]
		}
		always := map[string]bool{
			"less": x.Hi < literal, "less_equals": x.Hi <= literal,
			"greater": x.Lo > literal, "greater_equals": x.Lo >= literal,
		}[valueOrder]
		never := map[string]bool{
			"less": x.Lo >= literal, "less_equals": x.Lo > literal,
			"greater": x.Hi <= literal, "greater_equals": x.Hi < literal,
		}[valueOrder]
		if always || never {
			often, extent, chance := "never", "lies in "+formatNumber(x.Lo)+" to "+formatNumber(x.Hi), "whatever is given"
			if always {
				often = "always"
			}
			if x.Lo == x.Hi {
				extent = "is " + formatNumber(x.Lo)
			}
			if value.Mentions(isRolled) {
				chance = "whatever falls"
			}
			b.diags.Addf("constant-comparison", e.Place, b.at.Subject, "this %s holds: %s %s, %s",
				often, cmp.Or(strings.TrimPrefix(value.Describe(), "this"), "what is compared"), extent, chance).
				Repair = "compare with a number within that range, or leave the comparison out"
		}
	}
}

// checkClamp reports the least of a written number and what is never less, and the greatest of one and what is never more:
// min(1, max(20, total)) is always 1. As of comparisons nothing is said where homebrews may change what is never less, but
// for a number that is written there, too.
func (b *bounder) checkClamp(e *Expr, args []*builtin.Extent) {
	name, opposite := "min", "max"
	if strings.HasPrefix(e.Name, "max") {
		name, opposite = opposite, name
	}
	for i, other := range []int{1, 0} {
		literal, known := writtenNumber(e.Args[i])
		value := withoutPromotion(e.Args[other])
		_, bothKnown := writtenNumber(value)
		x := args[other].NumberOrUnbounded()
		if !known || bothKnown || name == "min" && x.Lo < literal || name == "max" && x.Hi > literal {
			continue
		}
		bound, isSwapped := clampBound(value, opposite)
		if !isSwapped && (value.Type.Kind != plan.Int || !isArithmetic(value, map[*Let]bool{})) {
			continue
		}
		never := "less"
		if name == "max" {
			never = "more"
		}
		d := b.diags.Addf("constant-clamp", e.Place, b.at.Subject, "this %s is always %s: what it is taken of is never %s",
			name, formatNumber(literal), never)
		d.Repair = "write a number that lies within the range of the other, or leave it out"
		if isSwapped {
			d.Repair = fmt.Sprintf("write max(%s, min(%s, ...)): the least result stands with max, the greatest with min",
				formatNumber(min(literal, bound)), formatNumber(max(literal, bound)))
		}
	}
}

// clampBound returns the written number in a call of min or max.
func clampBound(e *Expr, name string) (bound float64, ok bool) {
	if e.Op != OpCall || e.Name != name+"_int" && e.Name != name+"_double" {
		return 0, false
	}
	for _, a := range e.Args {
		if n, known := writtenNumber(a); known {
			return n, true
		}
	}
	return 0, false
}

// orderPattern finds in the name of an overload which order it judges.
var orderPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(less|greater)(_equals)?`) })

// mirroredOrder is an order with its operands exchanged.
var mirroredOrder = map[string]string{
	"less": "greater", "less_equals": "greater_equals", "greater": "less", "greater_equals": "less_equals",
}

// isArithmetic reports whether a value is computed by operators and builtins from dice, inputs and numbers alone, through
// lets; those in seen have been looked through.
func isArithmetic(e *Expr, seen map[*Let]bool) bool {
	switch e.Op {
	case OpConst, OpField, OpCall, OpCond:
		return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !isArithmetic(a, seen) })
	case OpRef:
		switch o := e.Object.(type) {
		case *Given:
			return true
		case *Die:
			return o.Rows == nil
		case *Let:
			if seen[o] {
				return true
			}
			seen[o] = true
			return isArithmetic(o.Formula.Expr, seen)
		}
	}
	return false
}

// withoutPromotion returns the whole number behind a double that the language made of it.
func withoutPromotion(e *Expr) *Expr {
	if e.Op == OpCall && e.Name == "int64_to_double" {
		return e.Args[0]
	}
	return e
}

// writtenNumber returns a number that is written out, and whether it is one.
func writtenNumber(e *Expr) (float64, bool) {
	e = withoutPromotion(e)
	switch {
	case e.Op == OpConst && e.Type.Kind == plan.Double:
		return e.Value.Double, true
	case e.Op == OpCall && e.Name == "negate_double" && e.Args[0].Op == OpConst:
		return -e.Args[0].Value.Double, true
	}
	n, known := constantOf(e)
	return float64(n), known
}

// checkIndex reports an index at which a list never has an element.
func (b *bounder) checkIndex(e *Expr, args []*builtin.Extent) {
	most, index := args[0].MostElements(), args[1].NumberOrUnbounded()
	switch {
	case index.Hi < 0:
		b.diags.Addf("index-outside", e.Place, b.at.Subject, "the index is never 0 or more: it is at most %s",
			formatNumber(index.Hi)).Repair = "the last element is [size(xs) - 1]"
	case index.Lo >= most:
		b.diags.Addf("index-outside", e.Place, b.at.Subject, "%s has at most %s, and the index is at least %s",
			e.Args[0].Describe(), plural.Of(int(most), "element"), formatNumber(index.Lo)).Repair = "the first element is [0]"
	}
}

// extentOfChoice returns the extent of a value that one of several arms gives, each of which is a text of its own.
func (b *bounder) extentOfChoice(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	var out *builtin.Extent
	for i, arm := range e.Args[1:] {
		if x := b.extentOfWhole(arm, names); i == 0 {
			out = x
		} else {
			out = out.Unite(x)
		}
	}
	return out
}

func constantExtent(e *Expr) *builtin.Extent {
	switch e.Type.Kind {
	case plan.Int:
		return builtin.ExtentBetween(float64(e.Value.Int), float64(e.Value.Int))
	case plan.Double:
		return builtin.ExtentBetween(e.Value.Double, e.Value.Double)
	}
	return &builtin.Extent{}
}

// extentOfList returns the extent of a list that is written out: its size is exact, and its elements have the union of the
// extents of all. An empty list has elements of no extent.
func extentOfList(args []*builtin.Extent) *builtin.Extent {
	out := builtin.ExtentOfElements(float64(len(args)), nil)
	for i, a := range args {
		if i == 0 {
			out.Elem = a
		} else {
			out.Elem = out.Elem.Unite(a)
		}
	}
	return out
}

// nameExtent returns the extent of a name: all that its shape admits, or that of its formula.
//
// An object is looked up first among the parameters of the call that is followed, then among the known extents of the
// ruleset. Entries of the second kind are never wrong for another call, because no object but a parameter depends on the
// call.
func (b *bounder) nameExtent(o Object, names map[Object]*builtin.Extent) *builtin.Extent {
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

// objectExtent returns the extent of an object, computed anew; nameExtent keeps it.
//
// A result of nil is the extent without bounds, which NumberOrUnbounded and ElementExtent turn into a value where they need
// one.
func (b *bounder) objectExtent(o Object) *builtin.Extent {
	switch o := o.(type) {
	case *Given:
		return extentOfShape(o.Shape, b.ruleset.Book.Character)
	case *Die:
		return b.dieExtent(o)
	case *Let:
		return b.extentOfWhole(o.Formula.Expr, b.names)
	case *Trait:
		return b.extentOfWhole(o.Formula.Expr, b.names)
	case *Use:
		return b.useExtent(o)
	case *Each:
		return b.extentOfWhole(o.List, b.names).ElementExtent()
	}
	return nil
}

// useExtent returns the extents of the outputs of the used rule, for any input that it admits, joined with those of its
// otherwise formulas.
//
// For a use of a list the outputs are those of any element, and there are as many as the shortest of the lists walked in
// step.
func (b *bounder) useExtent(u *Use) *builtin.Extent {
	out := &builtin.Extent{Fields: map[string]*builtin.Extent{}}
	for _, o := range u.Rule.Body.Outputs {
		out.Fields[o.name] = b.nameExtent(o, b.names)
	}
	for _, o := range u.Otherwise {
		out.Fields[o.name] = out.Fields[o.name].Unite(b.extentOfWhole(o.Formula.Expr, b.names))
	}
	if len(u.Each) == 0 {
		return out
	}
	most := math.Inf(1)
	for _, e := range u.Each {
		most = math.Min(most, b.extentOfWhole(e.List, b.names).MostElements())
	}
	return builtin.ExtentOfElements(most, out)
}

// lookUpExtent returns the extent of a look-up: of a row, of the column that the table gives, or of a cell found by two
// keys.
//
// Any row may be found, whatever the key: the extent is the union over all of them. A key that is known would give less,
// and would make messages depend on the order of constants.
func (b *bounder) lookUpExtent(t *Table) *builtin.Extent {
	row, ok := b.rows[t]
	if !ok {
		row = rowExtent(t)
		b.rows[t] = row
	}
	switch {
	case t.Across != nil:
		out := row.FieldExtent(t.Row.Fields[0].Name)
		for _, f := range t.Row.Fields[1:] {
			out = out.Unite(row.FieldExtent(f.Name))
		}
		return out
	case t.Gives >= 0:
		return row.FieldExtent(t.Row.Fields[t.Gives].Name)
	}
	return row
}

// rowExtent returns the extent of each column over all rows. It takes time linear in the cells, and is therefore kept for
// each table.
func rowExtent(t *Table) *builtin.Extent {
	out := &builtin.Extent{Fields: map[string]*builtin.Extent{}}
	for i, f := range t.Row.Fields {
		for k := range t.Book.Rows {
			if x := extentOfJSON(t.Book.Rows[k].Cells[i].JSON); k == 0 {
				out.Fields[f.Name] = x
			} else {
				out.Fields[f.Name] = out.Fields[f.Name].Unite(x)
			}
		}
	}
	return out
}

// extentOfApply follows a function with the extents of its arguments.
func (b *bounder) extentOfApply(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	f := e.Object.(*Function)
	inner := map[Object]*builtin.Extent{}
	for i, p := range f.Params {
		inner[p] = b.extentOf(e.Args[i], names)
	}
	outer := b.at
	defer func() { b.at = outer }()
	b.at = f.Formula.arms[0] // an instance is none of the texts
	return b.extentOfWhole(f.Formula.Expr, inner)
}

// extentOfMacro returns the extent of a macro over a list or a map. It binds the variable to the extent of an element while
// the body is followed.
//
// Arguments are followed from the last to the first, so that body ends as the extent of the first one, which is the result
// of a map. The others are followed for their problems.
func (b *bounder) extentOfMacro(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	over := b.extentOf(e.Args[0], names)
	item := over.ElementExtent()
	if e.Args[0].Type.Kind == plan.Map {
		item = &builtin.Extent{}
	}
	names[e.Item] = item
	if d := dieOf(e.Args[0]); d != nil {
		b.rolled[e.Item] = d
	}
	var body *builtin.Extent
	for i := len(e.Args) - 1; i > 0; i-- {
		body = b.extentOf(e.Args[i], names)
	}
	switch e.Op {
	case OpMap:
		return builtin.ExtentOfElements(over.MostElements(), body)
	case OpFilter, OpSortBy:
		return builtin.ExtentOfElements(over.MostElements(), item)
	}
	return &builtin.Extent{}
}

// mostFolds is how many steps of a fold are followed one by one before what still grows counts as unbounded.
const mostFolds = 64

// extentOfFold returns the extent of the states of a fold: the start, and the results of each step from the states
// before. The steps are followed in silence, since they know only a part of the states; the last walk knows all, and
// reports.
func (b *bounder) extentOfFold(e *Expr, names map[Object]*builtin.Extent) *builtin.Extent {
	over := b.extentOf(e.Args[0], names)
	if names[e.Item] = over.ElementExtent(); e.Args[0].Type.Kind == plan.Map {
		names[e.Item] = &builtin.Extent{}
	}
	state := extentOfState(e.Type, b.extentOf(e.Args[2], names))
	at := b.at
	b.at = nil
	for i := 0; ; i++ {
		names[e.State] = state
		if float64(i) >= over.MostElements() {
			break
		}
		next := state.Unite(extentOfState(e.Type, b.extentOf(e.Args[1], names)))
		if !hasGrown(state, next) {
			break
		}
		if i >= mostFolds {
			unboundGrown(state, next)
		}
		state = next
	}
	if b.at = at; at != nil {
		b.extentOf(e.Args[1], names)
	}
	return state
}

// extentOfState returns the extent of a state of a type, with every field of a record; numbers of which nothing is known
// have no bounds.
func extentOfState(t *plan.Type, x *builtin.Extent) *builtin.Extent {
	if t.Kind != plan.Record {
		return x.NumberOrUnbounded()
	}
	out := &builtin.Extent{Fields: map[string]*builtin.Extent{}}
	for _, f := range t.Fields {
		out.Fields[f.Name] = extentOfState(f.Type, x.FieldExtent(f.Name))
	}
	return out
}

// hasGrown reports whether a number of a state has another extent in the next one.
func hasGrown(state, next *builtin.Extent) bool {
	for name, f := range next.Fields {
		if hasGrown(state.Fields[name], f) {
			return true
		}
	}
	return next.Lo != state.Lo || next.Hi != state.Hi
}

// unboundGrown takes the bounds from the numbers of the next state that are beyond those of a state.
func unboundGrown(state, next *builtin.Extent) {
	for name, f := range next.Fields {
		unboundGrown(state.Fields[name], f)
	}
	if next.Lo < state.Lo {
		next.Lo = math.Inf(-1)
	}
	if next.Hi > state.Hi {
		next.Hi = math.Inf(1)
	}
}

// callExtent returns the extent of a function of the language. A function that neither builtin nor standardExtents names
// has no number and no list as its result, or one without bounds.
func (b *bounder) callExtent(e *Expr, args []*builtin.Extent) *builtin.Extent {
	if bound := builtin.OverloadExtent(e.Name); bound != nil {
		b.checkRange(e, args)
		return bound(args)
	}
	if bound := standardExtents[e.Name]; bound != nil {
		return bound(args)
	}
	if e.Name == "with_record" {
		return extentWithField(e.Args[0].Type, args[0], strings.Split(e.Args[1].Value.String, "."), args[2])
	}
	return nil
}

// extentWithField returns the extent of a record with another value at a path; nil through a map.
func extentWithField(t *plan.Type, x *builtin.Extent, path []string, value *builtin.Extent) *builtin.Extent {
	if len(path) == 0 {
		return value
	}
	i, _ := t.Field(path[0])
	if i < 0 {
		return nil
	}
	out := &builtin.Extent{Fields: map[string]*builtin.Extent{}}
	for _, f := range t.Fields {
		out.Fields[f.Name] = x.FieldExtent(f.Name)
	}
	out.Fields[path[0]] = extentWithField(t.Fields[i].Type, x.FieldExtent(path[0]), path[1:], value)
	return out
}

// standardExtents bound the operators and functions of CEL's own, by overload.
var standardExtents = map[string]func(args []*builtin.Extent) *builtin.Extent{
	"add_int64": extentOfSum, "add_double": extentOfSum,
	"subtract_int64": extentOfDifference, "subtract_double": extentOfDifference,
	"multiply_int64": extentOfProduct, "multiply_double": extentOfProduct,
	"negate_int64": extentOfNegative, "negate_double": extentOfNegative,
	"divide_double": func(args []*builtin.Extent) *builtin.Extent {
		return args[0].NumberOrUnbounded().DivideBy(args[1].NumberOrUnbounded())
	},
	"modulo_int64": func(args []*builtin.Extent) *builtin.Extent {
		return args[0].NumberOrUnbounded().RemainderOf(args[1].NumberOrUnbounded())
	},
	"double_to_int64": func(args []*builtin.Extent) *builtin.Extent { return args[0].NumberOrUnbounded().WidenToWhole() },
	"int64_to_double": func(args []*builtin.Extent) *builtin.Extent { return args[0] },
	"index_list":      extentOfElement, "index_map": extentOfElement,
	"size_list": extentOfSize, "size_map": extentOfSize,
	"add_list": func(args []*builtin.Extent) *builtin.Extent {
		size := args[0].MostElements() + args[1].MostElements()
		return builtin.ExtentOfElements(size, joinElements(args[0], args[1]))
	},
}

func extentOfSum(args []*builtin.Extent) *builtin.Extent {
	return args[0].NumberOrUnbounded().AddExtent(args[1].NumberOrUnbounded())
}

func extentOfDifference(args []*builtin.Extent) *builtin.Extent {
	return args[0].NumberOrUnbounded().AddExtent(args[1].NumberOrUnbounded().Negate())
}

func extentOfProduct(args []*builtin.Extent) *builtin.Extent {
	return args[0].NumberOrUnbounded().Multiply(args[1].NumberOrUnbounded())
}

func extentOfNegative(args []*builtin.Extent) *builtin.Extent {
	return args[0].NumberOrUnbounded().Negate()
}

func extentOfElement(args []*builtin.Extent) *builtin.Extent { return args[0].ElementExtent() }

func extentOfSize(args []*builtin.Extent) *builtin.Extent {
	return builtin.ExtentBetween(0, args[0].MostElements())
}

func joinElements(x, y *builtin.Extent) *builtin.Extent {
	if x == nil || y == nil {
		return nil
	}
	return x.UniteElements(y)
}

// checkRange reports a range that goes on without a bound, or too far. Everything made of its elements would have no bound
// either.
func (b *bounder) checkRange(e *Expr, args []*builtin.Extent) {
	if b.at == nil || e.Name != "range_1" && e.Name != "range_2" {
		return
	}
	from, to := builtin.RangeEnds(args)
	switch most := to.Hi - from.Lo; {
	case math.IsInf(most, 1):
		b.diags.Addf("unbounded-range", e.Place, b.at.Subject, "nothing bounds how far this range goes").
			Repair = "bound it: range(min(n, 100))"
	case most > plan.MaxRange:
		b.diags.Addf("unbounded-range", e.Place, b.at.Subject, "this range may have %.0f elements, and %d is the most", most, plan.MaxRange).
			Repair = fmt.Sprintf("bound it: range(min(n, %d))", plan.MaxRange)
	}
}
