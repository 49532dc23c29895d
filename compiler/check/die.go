package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A dieChecker reads and types one die.
type dieChecker struct {
	*reporter
	checker *checker // of the formulas
	die     *Die
}

func (c *checker) dieChecker(d *Die) *dieChecker {
	return &dieChecker{c.reporterFor(d.within + "dice " + d.name), c, d}
}

// readDie reads a die that is in notation, and gives every die its type: a face, a list of faces, or a sum.
//
// "Plain" notation is the same as a struct: "d20" is a face, "3d6" a list of three. Anything more, "2d6 + 3" or "4d6kh3",
// is a Sum, a single int. The faces and counts of the notation become constants, so that bounds and lowering need not know
// whether a die was written in notation.
func (k *dieChecker) readDie() {
	d := k.die
	text := &d.Book.Notation
	if d.Book.Roll != nil {
		k.readRolls()
		return
	}
	if !text.Written() {
		k.readFaces()
		d.Again = k.readRepeat(&d.Book.Again, &d.Book.AgainWhen)
		d.Explode = k.readRepeat(&d.Book.Explode, &d.Book.ExplodeWhen)
		return
	}
	e, repeat := k.parseNotation(text)
	if e == nil {
		d.typ = broken
		return
	}
	group := e.Plain()
	if group == nil || repeat > 0 {
		d.Sum, d.typ = e, listIf(repeat > 0, plan.IntType)
		if repeat > 0 {
			d.Series = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(repeat)}}
		}
		return
	}
	d.typ, d.Rolls.Shows = listIf(group.Listed, plan.IntType), group.Die.Shows
	d.Faces = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Faces)}}
	if group.Listed {
		d.Count = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Count)}}
		d.Most = group.Count
	}
}

// readFaces finds the faces of the dice of a struct, which is written in one of four ways, and their type.
//
// The four ways: die: 6 or a formula; faces: [1, 1, 2, 3] or the name of a table; pool: [6, 6, 8]. A die with a problem
// goes on with max(2, n) faces, or two for rows that are no faces, so that formulas that read the die are still typed.
func (k *dieChecker) readFaces() {
	d := k.die
	b := d.Book
	isList := b.Count.Written() || b.Pool.Written() || b.ExplodesIntoDice()
	d.typ = listIf(isList, plan.IntType)
	number := func(n int) *Expr {
		return &Expr{Type: plan.IntType, Place: b.Shows.Place, Value: Value{Int: int64(n)}}
	}
	said := 0
	for _, is := range []bool{b.Faces.Written(), b.Shows.Values != nil, b.Rows.Written(), b.Pool.Written()} {
		if is {
			said++
		}
	}
	switch {
	case said != 1:
		message := "what the dice are is said twice"
		if said == 0 {
			message = "what the dice are is not said"
		}
		k.addf("die-faces", b.Place, "%s", message).
			Repair = "write one of die (how many faces), faces (what they show) and pool (a die for each number)"
		d.typ = broken
	case b.Shows.Values != nil || b.Weights.Values != nil && b.Faces.Written():
		shows := k.repeatFaces()
		n := len(shows)
		if n < 2 || n > dice.MaxShown {
			k.addf("die-faces", b.Shows.Place, "a die has from two to %d faces that are listed, not %d",
				dice.MaxShown, n)
		}
		d.Faces, d.Rolls.Shows = number(max(2, n)), shows
		if b.Again.Written() || b.Explode.Written() { // comparisons hold for faces that lie side by side
			d.Rolls.Shows = slices.Sorted(slices.Values(shows))
		}
	case b.Rows.Written():
		d.Rows, _ = k.callables[b.Rows.S].(*Table)
		if d.Rows == nil {
			k.addf("unknown-table", b.Rows.Place, "there is no table %s whose rows could be faces",
				b.Rows.S).
				Repair = diag.DidYouMeanOneOf(b.Rows.S, k.book.TableNames())
			d.typ = broken
			return
		}
		d.Faces = number(k.countRows(d.Rows, b.Rows.Place))
		d.typ = listIf(isList, d.Rows.typ)
	case b.Pool.Written():
		d.Size = &Item{header: header{name: "a die of the pool", typ: plan.IntType, progress: typed}}
		d.Faces = &Expr{Op: OpRef, Type: plan.IntType, Place: b.Pool.At(0), Object: d.Size}
	}
	if b.ExplodesIntoDice() && !b.Count.Written() && !b.Pool.Written() {
		d.Count, d.Most = &Expr{Type: plan.IntType, Place: b.Place, Value: Value{Int: 1}}, 1
	}
	k.checkListed()
}

// repeatFaces lists the faces of a die that are written one by one, each as often as its weight says.
//
// A weight is a number of equal faces, so that drawing, giving, deck and trace of a weighted die are those of a die with
// these faces: a seed draws one of as many as all weights together.
func (k *dieChecker) repeatFaces() (shows []int64) {
	b := k.die.Book
	faces := b.Shows.Values
	if faces == nil {
		n, err := strconv.Atoi(strings.TrimSpace(b.Faces.S))
		if err != nil || n < 2 || n > dice.MaxShown {
			k.addf("die-faces", b.Weights.Place,
				"weights are of faces that are known, from two to %d, not of %s",
				dice.MaxShown, b.Faces.S).
				Repair = "write the faces one by one, faces: [1, 2, 3], or their number, die: 3"
			return []int64{1, 2}
		}
		for face := range n {
			faces = append(faces, int64(face)+1)
		}
	}
	if b.Weights.Values == nil {
		return faces
	}
	if len(b.Weights.Values) != len(faces) {
		k.addf("die-faces", b.Weights.Place, "there must be a weight for each face, and there are %d for %d",
			len(b.Weights.Values), len(faces)).Repair = "write one weight for each face, in their order"
		return faces
	}
	all := int64(0)
	for _, w := range b.Weights.Values {
		all += w
	}
	if all > dice.MaxShown {
		k.addf("die-faces", b.Weights.Place, "the weights come to %d, and at most to %d", all,
			dice.MaxShown).
			Repair = "divide them by what they have in common, or round them"
		return faces
	}
	for i, w := range b.Weights.Values {
		shows = append(shows, slices.Repeat(faces[i:i+1], int(w))...)
	}
	return shows
}

// countRows returns how many faces a die has that shows the rows of a table. Where the rows are found by numbers, these are
// the numbers of the faces, from 1. Bands must cover 1 to n without a gap: the bands 1, 2 to 5, 6 make a die of six faces
// that shows the second row four times out of six.
func (k *dieChecker) countRows(t *Table, at plan.Place) (faces int) {
	b := t.Book
	if b.Across == nil && b.Kind == plan.KeyedTable {
		return len(b.Rows)
	}
	covered, most := map[int]bool{}, 0
	for _, r := range b.Rows {
		for n := int(r.Lo); b.Kind == plan.BandsTable && n <= int(min(r.Hi, dice.MaxShown)) && n >= 1; n++ {
			covered[n], most = true, max(n, most)
		}
	}
	if b.Across == nil && most >= 2 && len(covered) == most {
		return most
	}
	k.addf("die-faces", at, "the rows of %s are no faces", b.ID).
		Repair = "key them by names, or by bands that are the numbers of the faces, from 1 on without a gap"
	return 2
}

// checkListed checks the other properties of dice whose faces are not just numbers from 1.
func (k *dieChecker) checkListed() {
	d := k.die
	b := d.Book
	words := []string{"die", book.OwnDice}
	switch listed := d.Rolls.Shows != nil || d.Rows != nil; {
	case b.Weights.Values != nil && d.Rows != nil:
		k.addf("die-faces", b.Weights.Place, "the rows of %s have their weights in the table", b.Rows.S).
			Repair = "key the table by bands: the row of 1 to 3 comes three times as often as that of 4"
	case b.Weights.Values != nil && b.Pool.Written():
		k.addf("die-faces", b.Weights.Place, "the dice of a pool have no weights").
			Repair = "roll a die with weights for each, {die: 6, weights: [...], count: 2}, and join the lists"
	case b.ExplodeInto.Written() && !slices.Contains(words, b.ExplodeInto.S):
		k.addf("die-faces", b.ExplodeInto.Place, "a die explodes into the die or into dice, not into %q",
			b.ExplodeInto.S).
			Repair = cmp.Or(diag.DidYouMean(b.ExplodeInto.S, words),
			`write "die" where further faces are added to the die, or "dice" where each is a die of its own`)
	case d.Rows != nil && b.Explode.Written() && !b.ExplodesIntoDice():
		k.addf("die-faces", b.Place, "rows of %s cannot be added up, so the die does not explode", b.Rows.S).
			Repair = "write into: \"dice\" beside on, so that each further face is a die of its own"
	case b.Pool.Written() && b.ExplodesIntoDice():
		k.addf("die-faces", b.ExplodeInto.Place,
			"dice of a pool have unlike faces, and explode into no dice of their own").
			Repair = "roll dice with the same number of faces together, {die: 6, count: 2, explode: {...}}, and join " +
			"the lists"
	case b.ExplodesIntoDice() && b.ExplodeTimes > maxThrows:
		k.addf("die-faces", b.Explode.At(0), "dice of their own are thrown on at most %d times, not %d",
			maxThrows, b.ExplodeTimes)
	case listed && b.Zero > 0:
		k.addf("die-faces", b.Place, "zero says which number 0 stands for, and the faces are listed")
		return
	case b.Pool.Written() && (b.Count.Written() || b.Distinct || b.Zero > 0):
		k.addf("die-faces", b.Place,
			"a pool has a die for each number: count, distinct and zero say nothing there")
	}
	d.Rolls.Zero = int64(b.Zero)
}

// typeDie checks a die that is written as a struct. Dice in notation have all of it since readDie. The formulas are typed
// first, and checked together last: a count against the faces, bands against the faces.
func (k *dieChecker) typeDie() {
	d := k.die
	b := d.Book
	if b.Notation.Written() {
		return
	}
	if b.Roll != nil {
		for _, r := range d.Data {
			k.typeRoll(r)
		}
		k.typeSeries()
		return
	}
	d.Most = max(d.Most, b.Most)
	if b.Faces.Written() && b.Weights.Values == nil {
		d.Faces = k.checker.typeTextAs(&b.Faces, plan.IntType, "the faces of a die")
	}
	d.Pool = k.checker.typeTextAs(&b.Pool, plan.ListOf(plan.IntType), "the pool")
	if b.Count.Written() {
		d.Count = k.checker.typeTextAs(&b.Count, plan.IntType, "the count of dice")
	}
	d.Rolls.Distinct, d.Rolls.Once, d.Rolls.Times = b.Distinct, b.Once, int64(b.ExplodeTimes)
	again, explode := k.typeRepeat(d.Again), k.typeRepeat(d.Explode)
	k.checkCount()
	k.checkMost()
	k.checkDistinct()
	if again && explode {
		d.Rolls.Again, d.Rolls.Explode = d.Again.fixedBand(), d.Explode.fixedBand()
		k.checkRepeats()
	}
	if d.HasThrows() {
		d.Rolls.Explode, d.Rolls.Times = plan.Band{}, 0
	}
}

// typeSeries checks how often dice as data are rolled.
func (k *dieChecker) typeSeries() {
	d := k.die
	d.Series = k.checker.typeTextAs(&d.Book.Roll.Repeat, plan.IntType, "repeat")
	if n, known := constantOf(d.Series); known && (n < 0 || n > plan.MaxRange) {
		k.addf("die-count", d.Series.Place, "they cannot be rolled %d times", n).
			Repair = fmt.Sprintf("write a number from 0 to %d", plan.MaxRange)
	}
}

// checkCount checks how many dice there are.
func (k *dieChecker) checkCount() {
	d := k.die
	n, known := constantOf(d.Count)
	if !known {
		return
	}
	faces, fixed := constantOf(d.Faces)
	switch {
	case n < 0 || n > dice.MaxCount:
		k.addf("die-count", d.Count.Place, "%d dice cannot be rolled", n).
			Repair = fmt.Sprintf("write a count from 0 to %d", dice.MaxCount)
	case d.Book.Distinct && fixed && n > faces:
		k.addf("die-count", d.Count.Place, "%d faces cannot all differ when there are %d", n, faces).
			Repair = fmt.Sprintf("write a count of at most %d, or leave distinct out", faces)
	case d.Book.Most > 0 && n > int64(d.Book.Most):
		k.addf("die-count", d.Count.Place, "%d dice are more than most allows, %d: the die would have no value", n,
			d.Book.Most).
			Repair = "leave most out: a count that is written out is its own bound"
	}
	if d.Most == 0 {
		d.Most = int(n)
	}
}

// checkMost reports a bound of a count where there is no count: it would bound neither the faces of a die nor a pool.
func (k *dieChecker) checkMost() {
	d := k.die
	b := d.Book
	if b.Most == 0 || b.Count.Written() {
		return
	}
	about, repair := "there is no count", "leave it out, or write a count beside it: a list of so many dice"
	_, known := constantOf(d.Faces)
	switch {
	case b.Pool.Written() && d.Pool != nil && d.Pool.Op == OpMakeList:
		about, repair = "a pool has a die for each number of its list", "leave it out"
	case b.Pool.Written():
		about, repair = "a pool has a die for each number of its list", "leave it out, and bound the list that is read: "+
			fmt.Sprintf("list.MaxItems(%d) at the field, or a requirement", b.Most)
	case b.ExplodesIntoDice():
		repair = "leave it out, and write times beside on: so often the die explodes at most"
	case b.Faces.Written() && !known:
		about, repair = "one die has no count", "leave it out, and bound the faces by what is read: "+
			fmt.Sprintf("<=%d at the field, or a requirement", b.Most)
	}
	k.addf("die-count", b.MostPlace, "most %d bounds nothing: it is the greatest count of dice, and %s", b.Most, about).
		Repair = repair
}

// checkDistinct reports distinct where there are never two faces that could be the same.
func (k *dieChecker) checkDistinct() {
	d := k.die
	b := d.Book
	if !b.Distinct || b.Pool.Written() || b.Again.Written() || b.Explode.Written() { // else reported
		return
	}
	n, known := constantOf(d.Count)
	about := ""
	switch {
	case known && n == 0:
		about = "there is no die"
	case !b.Count.Written(), known && n == 1, b.Most == 1:
		about = "there is but one die"
	default:
		return
	}
	k.addf("die-faces", b.Place, "distinct says that no face falls twice, and %s", about).
		Repair = "say how many are drawn together, as count: 5, or leave distinct out"
}

// checkRepeats checks the conditions on which dice are rolled again and on. The order of the cases is that of a reader's
// surprise: each hides those behind it, as they would follow from it.
func (k *dieChecker) checkRepeats() {
	d := k.die
	b, r := d.Book, &d.Rolls
	if b.Distinct && (b.Again.Written() || b.Explode.Written()) {
		k.addf("die-faces", b.Place,
			"faces that all differ are drawn from a deck: none is rolled again or on")
	}
	faces, known := constantOf(d.Faces)
	switch why := dice.Endless(r, faces); {
	case !known:
	case faces < 2:
		at := d.Faces.Place
		if b.Rows.Written() { // the number is that of the rows, and stands nowhere
			at = b.Rows.Place
		}
		k.addf("die-faces", at, "a die has at least two faces, not %d", faces).About(b.Rows.S)
	case r.Zero > faces || r.Zero == 1:
		k.addf("die-faces", b.Place, "0 cannot mean %d on a die of %d faces", r.Zero, faces)
	case d.Again.isFixed() && !r.Again.Among(faces):
		k.addf("die-faces", b.Again.At(0),
			"a die of %d faces never shows %s, on which it is rolled again", faces, b.Again.S).Repair =
			fmt.Sprintf("write a face from 1 to %d, as 1", faces)
	case d.Explode.isFixed() && !r.Explode.Among(faces):
		k.addf("die-faces", b.Explode.At(0),
			"a die of %d faces never shows %s, on which it explodes", faces, b.Explode.S).Repair =
			fmt.Sprintf("write %d, or \"max\", which is the greatest of any die", faces)
	case why != "":
		k.addf("die-faces", b.Place, "%s", why)
	}
}
