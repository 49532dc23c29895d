package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// An index that some input puts outside of its list is a mistake that shows only when that input comes: xs[input.slot -
// 8] for a slot from 3 to 9. Bounds of formulas hold more than can happen, so it is reported only where the ends of the
// bounds do happen (isExact): each field of the input is read once, and nothing depends on dice. And it is reported only
// where the element is needed whatever is given: an arm of ?:, a side of && or ||, and the body of a macro may be
// guarded by what stands beside them, and a requirement that reads the same field may refuse it before.

// An indexChecker follows what a body needs whatever is given.
type indexChecker struct {
	*bounder
	requires []*Require
	subject  string
	seen     map[*Let]bool
}

// checkIndexes checks the bodies of rules and events.
func (b *bounder) checkIndexes() {
	for x := range b.ruleset.Bodies() {
		b.checkIndexesOf(x)
	}
}

// checkIndexesOf follows the formulas that a body computes for its caller. Where fields are decided late nothing is
// followed, for a decision may make an index right that its first value made wrong.
func (b *bounder) checkIndexesOf(body StatedBody) {
	if len(body.Decisions) > 0 {
		return
	}
	c := &indexChecker{bounder: b, requires: body.Requires, seen: map[*Let]bool{}}
	for _, s := range body.Sources {
		c.followDie(s.Die, body.Subject)
	}
	for _, o := range body.Outputs {
		c.subject = fmt.Sprintf("%s, output %s", body.Subject, o.name)
		c.followLet(o)
	}
	for _, n := range body.Next {
		c.subject = fmt.Sprintf("%s, next %s", body.Subject, n.Let.name)
		c.followLet(n.Let)
	}
}

// followDie follows the formulas that say how many faces a die has and how many dice there are: dice are always rolled.
func (c *indexChecker) followDie(d *Die, subject string) {
	if d == nil {
		return
	}
	c.subject = fmt.Sprintf("%s, dice %s", subject, d.name)
	for _, e := range []*Expr{d.Faces, d.Pool, d.Count, d.Series} {
		if e != nil {
			c.follow(e)
		}
	}
}

func (c *indexChecker) followLet(l *Let) {
	if c.seen[l] || l.Formula == nil || l.Formula.Expr == nil {
		return
	}
	c.seen[l] = true
	c.follow(l.Formula.Expr)
}

// follow visits the parts of an expression that are needed whatever is given.
// Of a condition and a choice that is the first operand, which decides; of a macro the list; of &&
// and || neither side, as CEL lets either absorb an error of the other.
func (c *indexChecker) follow(e *Expr) {
	needed := e.Args
	switch e.Op {
	case OpRef:
		if l, ok := e.Object.(*Let); ok {
			c.followLet(l)
		}
	case OpCond, OpChoose, OpAll, OpExists, OpExistsOne, OpMap, OpFilter, OpSortBy:
		needed = needed[:1]
	case OpFold:
		needed = []*Expr{e.Args[0], e.Args[2]}
	case OpAnd, OpOr, OpHas, OpTrait:
		needed = nil
	case OpCall:
		switch {
		case e.Name == "index_list":
			c.checkReach(e)
		case strings.HasPrefix(e.Name, "max_list_"), strings.HasPrefix(e.Name, "min_list_"):
			c.checkExtreme(e)
		}
	}
	for _, a := range needed {
		c.follow(a)
	}
}

// isState reports whether an object is a procedure's state, which its own events fill.
func isState(o Object) bool {
	given, ok := o.(*Given)
	return ok && given.Root == plan.StateRoot
}

// checkReach reports an index that some input puts outside of the longest list that there may be. One that every input puts
// outside has been reported.
func (c *indexChecker) checkReach(e *Expr) {
	if index, known := constantOf(e.Args[1]); known {
		c.checkFewest(e, index)
		return
	}
	read := map[string]bool{}
	if !isExact(e.Args[1], read, map[*Let]bool{}) ||
		e.Args[1].Mentions(isState) {
		return
	}
	if anyReads(c.requires, read) {
		return
	}
	most, index := c.extentOf(e.Args[0], c.names).MostElements(), c.extentOf(e.Args[1], c.names).NumberOrUnbounded()
	if index.Hi < 0 || index.Lo >= most || e.Args[0].Type.Kind != plan.List {
		return
	}
	switch {
	case index.Lo < 0 && !math.IsInf(index.Lo, 0):
		c.diags.Addf("index-outside", e.Place, c.subject, "the index can be %s, and the first element is [0]",
			formatNumber(index.Lo)).Repair = repairIndex
	case index.Hi >= most && !math.IsInf(index.Hi, 0):
		c.diags.Addf("index-outside", e.Place, c.subject, "the index can be %s, and %s has at most %s",
			formatNumber(index.Hi), e.Args[0].Describe(), plural.Of(int(most), "element")).Repair = repairIndex
	}
}

const repairIndex = "bound what is given, guard it with ?:, or require that it fits"

// checkFewest reports a constant index beyond the shortest list that some input makes: roll[1] of one die or two. One
// beyond the longest has been reported.
func (c *indexChecker) checkFewest(e *Expr, index int64) {
	list, read := e.Args[0], map[string]bool{}
	fewest, ok := c.fewestOf(list, read)
	if !ok || float64(index) < fewest || float64(index) >= c.extentOf(list, c.names).MostElements() ||
		c.isRequired(list, read) {
		return
	}
	size := "have as few as " + plural.Of(int(fewest), "element")
	if fewest == 0 {
		size = "be empty"
	}
	c.diags.Addf("index-outside", e.Place, c.subject, "%s may %s, and the index is %d", list.Describe(), size, index).
		Repair = repairIndex
}

// isRequired reports whether a requirement may see to it that a list is longer: it reads the list, or one of the fields on
// which its size depends.
func (c *indexChecker) isRequired(list *Expr, read map[string]bool) bool {
	readsList := func(r *Require) bool {
		return r.Expr.Mentions(func(o Object) bool { return o == list.Object })
	}
	return anyReads(c.requires, read) || list.Op == OpRef && slices.ContainsFunc(c.requires, readsList)
}

// checkExtreme reports the greatest or least of a list that some input makes empty.
func (c *indexChecker) checkExtreme(e *Expr) {
	list, read := e.Args[0], map[string]bool{}
	fewest, ok := c.fewestOf(list, read)
	if !ok || fewest > 0 || c.isRequired(list, read) {
		return
	}
	extreme := e.Name[:len("max")]
	d := c.diags.Addf("index-outside", e.Place, c.subject, "%s may be empty, and then has no %s", list.Describe(), extreme)
	d.Repair = fmt.Sprintf("say what it is then: size(xs) > 0 ? %s(xs) : 0, or require that there is one", extreme)
}

// leastArm returns the least number that an arm of a conditional is, input.bonus > 0 ? input.bonus : 0. Its condition is a
// truth that is given, or compares a field of what is given with a constant, so that either arm is taken by some input; a
// condition that never changes has been reported. The field is added to those that are read.
func leastArm(e *Expr, read map[string]bool) (least float64, ok bool) {
	if e.Op != OpCond {
		return 0, false
	}
	field := e.Args[0]
	if len(field.Args) == 2 {
		if field.Args[1].Op != OpConst && !isConstant(field.Args[1]) {
			return 0, false
		}
		field = field.Args[0]
	}
	if field.Op != OpField {
		return 0, false
	}
	if given, ok := field.Args[0].Object.(*Given); !ok || given.Root == plan.StateRoot {
		return 0, false
	}
	read[field.Describe()] = true
	for _, arm := range e.Args[1:] {
		if n, isNumber := constantOf(arm); isNumber && (!ok || float64(n) < least) {
			least, ok = float64(n), true
		}
	}
	return least, ok
}

// isConstant reports whether an expression is a whole number that is written out, perhaps with a sign.
func isConstant(e *Expr) bool {
	_, ok := constantOf(e)
	return ok
}

// fewestOf returns how many elements a list has at the least, if some input makes it so short; read are the fields on which
// that depends. It is known of dice, and of a list that is given.
func (c *indexChecker) fewestOf(list *Expr, read map[string]bool) (fewest float64, ok bool) {
	switch o := list.Object.(type) {
	case *Die:
		if list.Op != OpRef || o.Count == nil || o.HasThrows() {
			return 0, false
		}
		if least, ok := leastArm(o.Count, read); ok {
			return math.Max(0, least), true
		}
		if !isExact(o.Count, read, map[*Let]bool{}) {
			return 0, false
		}
		return math.Max(0, c.extentOf(o.Count, c.names).NumberOrUnbounded().Lo), true
	}
	if list.Op != OpField || !isExact(list, read, nil) {
		return 0, false
	}
	given := list.Args[0].Object.(*Given)
	s := given.Shape.Member(list.Name)
	if s == nil || given.Root == plan.StateRoot {
		return 0, false
	}
	return float64(s.MinItems), true
}
