package lower

import (
	"fmt"
	"math"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A diceLowerer lowers what dice come to.
type diceLowerer struct{ *scope }

// lowerDie lowers a source of faces.
func (s *scope) lowerDie(d *check.Die) {
	s.inPart("dice "+d.Book.Name, dieText(d.Book), func() {
		s.trace.begin()
		s.vars[d] = diceLowerer{s}.lowerSource(d)
		s.dieTerm(d, s.trace.end())
	})
	s.nameDie(d)
}

// lowerSource returns the value of a source of dice. Dice that are rolled in a loop share one id: their faces lie together,
// in order.
//
// For "4d6kh3 + 2" it is a roll of a list of four faces, and then list and integer operations like those of any formula:
//
//	%r = roll true 6 4          a list, faces as they fall
//	%s = sort %r                ascending
//	%k = slice %s 1 4           without the lowest
//	%t = sum.int %k
//	%v = add.int %t 2
//
// The four faces are given, drawn and shown; that three of them count is arithmetic.
func (s diceLowerer) lowerSource(d *check.Die) plan.Value {
	switch {
	case d.Series != nil:
		return s.lowerSeries(d)
	case d.Pool != nil:
		return s.lowerPool(d)
	case d.Sum != nil || len(d.Data) > 0:
		id, fault := s.lowerTotal(d)
		return newScalar(d.Type(), id, fault)
	case d.Count == nil:
		return s.valueOfFace(d, s.lowerFaces(d, noCount))
	}
	count := s.lowerExpr(d.Count)
	if d.HasThrows() {
		return s.lowerThrows(d, count)
	}
	return s.valuesOfFaces(d, s.lowerFaces(d, count))
}

// valuesOfFaces returns the values of numbers of faces. Only faces that are listed or rows of a table need a loop: those of
// a plain die are their own values.
func (s diceLowerer) valuesOfFaces(d *check.Die, faces plan.ID) plan.Value {
	list := newScalar(plan.ListOf(plan.IntType), faces, plan.None)
	if d.Rows == nil && (d.Rolls.Shows == nil || d.AddsShown()) {
		return list
	}
	return s.collect(s.sizeOf(list.ID), func(i plan.ID) (plan.Value, plan.ID) {
		return s.valueOfFace(d, s.elementAt(list, i).ID), plan.None
	})
}

// lowerTotal rolls a sum or dice as data once. A sum that is written out cannot fail, dice as data can: by the notation
// that is looked up, and by how often.
func (s diceLowerer) lowerTotal(d *check.Die) (id, fault plan.ID) {
	return s.rollTotal(d, s.lookUpRolls(d))
}

// rollTotal rolls a sum, or the dice that have been looked up.
func (s diceLowerer) rollTotal(d *check.Die, data []dataLowerer) (id, fault plan.ID) {
	if len(data) > 0 {
		return s.rollData(data)
	}
	return s.lowerSum(d), plan.None
}

// lowerSeries returns the totals of a sum or of dice as data that are rolled several times. The dice are looked up once:
// the trace names them, and named values stand outside of loops.
func (s diceLowerer) lowerSeries(d *check.Die) plan.Value {
	n := s.lowerExpr(d.Series)
	s.requireNoFault(s.firstFault(n.Fault, s.failIfNegative(n.ID, d.Series.Place)), d.Series.Place)
	data := s.lookUpRolls(d)
	return s.collect(n.ID, func(plan.ID) (plan.Value, plan.ID) {
		id, fault := s.rollTotal(d, data)
		return newScalar(plan.IntType, id, plan.None), fault
	})
}

// failIfNegative fails when dice are to be rolled less often than never.
func (s diceLowerer) failIfNegative(times plan.ID, at plan.Place) plan.ID {
	isSome := s.op(plan.OpLeInt, plan.Bool, s.int(0), times)
	return s.failUnless(isSome, at, "dice are rolled a negative number of times")
}

// lowerPool rolls a die for each number of a list.
func (s diceLowerer) lowerPool(d *check.Die) plan.Value {
	pool := s.lowerExpr(d.Pool)
	s.requireNoFault(pool.Fault, d.Pool.Place)
	return s.collect(s.sizeOf(pool.ID), func(i plan.ID) (plan.Value, plan.ID) {
		s.vars[d.Size] = s.elementAt(pool, i)
		return newScalar(plan.IntType, s.lowerFaces(d, noCount), plan.None), plan.None
	})
}

// collect returns the list of n values, none where the body is not evaluated. A fault that goes with a value is the list's.
// n becomes 0 where the guard is false: a roll in the loop has a guard too, but the list would have as many zeros.
func (s diceLowerer) collect(n plan.ID, value func(i plan.ID) (plan.Value, plan.ID)) plan.Value {
	n = s.selectValue(s.guard, n, s.int(0))
	span := s.newSpan(n, 0)
	var elem *plan.Type
	res := s.loop(n, []plan.ID{span, s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.trace.begin()
		x, fault := value(i)
		s.putOutsideLoops(s.trace.end())
		elem = x.Type
		return append([]plan.ID{s.pushElement(acc[0], s.bool(true), s.slotsOf(x))}, s.carryFault(acc[1], fault)...)
	})
	s.g.Nodes[span].Imm = int64(elem.Slots())
	return newScalar(plan.ListOf(elem), res[0], secondResult(res))
}

// valueOfFace returns the value of a face by its number: the number on the face, or a row of a table.
func (s diceLowerer) valueOfFace(d *check.Die, face plan.ID) plan.Value {
	if d.AddsShown() {
		return newScalar(plan.IntType, face, plan.None)
	}
	if d.Rows == nil {
		return newScalar(plan.IntType, s.shownNumber(d.Rolls.Shows, face), plan.None)
	}
	index := s.plan.tableIndex(d.Rows)
	row := s.op(plan.OpSubInt, plan.Int, face, s.int(1))
	if d.Rows.Book.Kind != plan.KeyedTable {
		row = s.opImm(plan.OpRow, plan.Int, index, face)
	}
	v := readSlots(d.Rows.Row, 0, func(offset int, kind plan.Kind) plan.ID {
		return s.opImm(plan.OpCell, kind, index<<32|int64(offset), row)
	})
	if d.Rows.Gives >= 0 {
		return v.Fields[d.Rows.Gives]
	}
	return v
}

// shownNumber returns the number on a face: a cell of a table of the plan's own.
func (s diceLowerer) shownNumber(shows []int64, face plan.ID) plan.ID {
	if shows == nil {
		return face
	}
	row := s.op(plan.OpSubInt, plan.Int, face, s.int(1))
	return s.opImm(plan.OpCell, plan.Int, s.plan.shownTable(shows)<<32, row)
}

// shownTable returns the number in the plan of the table with the numbers on a die's faces.
func (p *planner) shownTable(shows []int64) int64 {
	return p.derivedTable(fmt.Sprint("faces ", shows), func(out *plan.Table) {
		out.Kind, out.Cells = plan.KeyedTable, shows
		out.Row = &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "shows", Type: plan.IntType}}}
		for i := range shows {
			out.Keys = append(out.Keys, p.internSymbol(fmt.Sprint("face ", i+1)))
		}
	})
}

// nameDie records a die for the trace; of a sum, which is no face, also its parts.
func (s *scope) nameDie(d *check.Die) {
	var text *check.Formula
	switch {
	case d.Sum != nil:
		notation := d.Book.Notation
		text = &check.Formula{Book: &book.Formula{Place: notation.At(0), Expr: notation, Overlay: d.Book.Overlay}}
	case len(d.Data) > 0:
		roll := d.Book.Roll
		text = &check.Formula{Expr: d.Data[0].Notation, Book: &book.Formula{
			Place: roll.Dice.At(0), Expr: book.Text{S: roll.String(), Place: roll.Dice.At(0)}, Overlay: d.Book.Overlay}}
	}
	s.addName(plan.DieName, d.Book.Name, s.vars[d], text)
}

// noCount is the count of a die that is no list.
var noCount = newScalar(plan.IntType, plan.None, plan.None)

// lowerFaces returns one face, or a list of faces whose length is the count.
//
// Variants (check/variants.go) become rolls with conditions of which one holds; a roll whose condition does not hold
// consumes nothing and gives 0, so the selection of its value is of the one that was rolled. The first variant takes the
// remaining cases instead of its own condition: when the conditions have failed, a roll must still happen to carry that
// fault.
func (s diceLowerer) lowerFaces(d *check.Die, count plan.Value) plan.ID {
	faces := s.lowerExpr(d.Faces)
	isList := count.ID != plan.None
	if !isList {
		count.ID = s.int(-1)
	}
	fault := s.firstFault(faces.Fault, count.Fault)
	variants := d.Variants
	holds := make([]plan.ID, len(variants))
	for i, v := range variants {
		var wrong plan.ID
		holds[i], wrong = s.lowerConditions(v.Conditions)
		fault = s.firstFault(fault, wrong)
	}
	out, others := plan.None, s.bool(true)
	for i := len(variants) - 1; i >= 0; i-- {
		roll := variants[i].Rolls
		roll.List, roll.Most = isList, int64(d.Most)
		if i == 0 { // whatever does not hold for the others, so that some die is always rolled
			holds[i] = others
		}
		others = s.and(others, s.not(holds[i]))
		x := s.addRoll(d.Book, roll, holds[i], faces.ID, count.ID, s.faultOrOK(fault))
		if out == plan.None {
			out = x
		} else {
			out = s.selectValue(holds[i], x, out)
		}
	}
	return out
}

// lowerConditions returns the truth that a variant of a die is the one that is rolled, and its fault. The same formula
// stands in the conditions of many variants; its nodes are shared by the builder.
func (s diceLowerer) lowerConditions(list []check.Condition) (holds, fault plan.ID) {
	holds, fault = s.bool(true), plan.None
	for _, c := range list {
		v := s.lowerExpr(c.Expr)
		x := v.ID
		switch {
		case v.Type.Kind == plan.Int:
			x = s.op(plan.OpEqInt, plan.Bool, v.ID, s.int(c.Value))
		case c.Value == 0:
			x = s.not(v.ID)
		}
		holds, fault = s.and(holds, x), s.firstFault(fault, v.Fault)
	}
	return holds, fault
}

// addRoll rolls one group of dice where the body is evaluated and a condition holds. The groups of a source share its id.
func (s diceLowerer) addRoll(b *book.Die, roll plan.Die, holds, faces, count, fault plan.ID) plan.ID {
	roll.ID, roll.Place, roll.Loops = s.path+b.Name, b.Place, s.loops
	s.g.Dice = append(s.g.Dice, roll)
	kind := plan.Int
	if roll.List {
		kind = plan.List
	}
	return s.placeHere(plan.Node{
		Op: plan.OpRoll, Kind: kind, Args: []plan.ID{s.and(s.guard, holds), faces, count, fault},
		Imm: int64(len(s.g.Dice) - 1), Site: s.siteAt(b.Place),
	})
}

// lowerSum lowers a sum of dice and constants. It cannot overflow: notation bounds it far below.
// The dice of all groups have the source's id, so that the faces of "2d6 + 1d4" are given as three
// in a row.
func (s diceLowerer) lowerSum(d *check.Die) plan.ID {
	total := plan.None
	for i := range d.Sum.Terms {
		t := &d.Sum.Terms[i]
		id := s.int(t.Number)
		if t.Count > 0 {
			id = s.lowerGroup(d.Book, t)
		}
		switch {
		case total != plan.None && t.Sign < 0:
			total = s.op(plan.OpSubInt, plan.Int, total, id)
		case total != plan.None:
			total = s.op(plan.OpAddInt, plan.Int, total, id)
		case t.Sign < 0:
			total = s.op(plan.OpNegInt, plan.Int, id)
		default:
			total = id
		}
	}
	return total
}

// lowerGroup returns the total of a group of dice: the sum of the kept ones, or how many of them count.
func (s diceLowerer) lowerGroup(b *book.Die, t *dice.Term) plan.ID {
	faces, roll := s.int(int64(t.Faces)), t.Die
	if roll.List = t.Count > 1; !roll.List {
		die := s.addRoll(b, roll, s.bool(true), faces, s.int(-1), s.ok())
		return s.lowerSingle(s.shownNumber(t.Die.Shows, die), t)
	}
	list := s.addRoll(b, roll, s.bool(true), faces, s.int(int64(t.Count)), s.ok())
	return s.lowerKept(s.shownNumbers(list, t), t)
}

// shownNumbers turns the faces of a group into the numbers that they show, where they are not the same.
func (s diceLowerer) shownNumbers(list plan.ID, t *dice.Term) plan.ID {
	if t.Die.Shows == nil {
		return list
	}
	shown := s.collect(s.sizeOf(list), func(i plan.ID) (plan.Value, plan.ID) {
		face := s.elementSlot(list, i, plan.Int, 1, 0)
		return newScalar(plan.IntType, s.shownNumber(t.Die.Shows, face), plan.None), plan.None
	})
	return shown.ID
}

// lowerKept returns the total of the kept dice of a group.
func (s diceLowerer) lowerKept(list plan.ID, t *dice.Term) plan.ID {
	switch {
	case t.Keep == 1 && t.Success == nil:
		return s.raiseToLeast(s.bestFace(list, t), t)
	case t.Success != nil || t.Least > 0:
		return s.sumWorths(s.keptFaces(list, t), t)
	}
	return s.op(plan.OpSumInt, plan.Int, s.keptFaces(list, t))
}

// bestFace picks the die of which alone a group comes to, without sorting the others: the greatest or the least costs
// one pass.
func (s diceLowerer) bestFace(list plan.ID, t *dice.Term) plan.ID {
	op := plan.OpGreatest
	if t.Lowest {
		op = plan.OpLeast
	}
	return s.opImm(op, plan.Int, s.plan.internType(plan.ListOf(plan.IntType)), list)
}

// raiseToLeast applies the modifier mi: a die that shows less than n counts as n.
func (s diceLowerer) raiseToLeast(die plan.ID, t *dice.Term) plan.ID {
	if t.Least <= 1 {
		return die
	}
	return s.op(plan.OpMaxInt, plan.Int, die, s.int(t.Least))
}

// worthOf returns the contribution of a kept die to its total: its value, or 1 and 0 where successes are counted.
func (s diceLowerer) worthOf(die plan.ID, t *dice.Term) plan.ID {
	die = s.raiseToLeast(die, t)
	if t.Success == nil {
		return die
	}
	return s.countsAsSuccess(die, t.Success)
}

// sumWorths adds up a list of dice. It is a loop and no sum of the list, since each die may count for something else
// than it shows.
func (s diceLowerer) sumWorths(list plan.ID, t *dice.Term) plan.ID {
	total := s.loop(s.sizeOf(list), []plan.ID{s.int(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		x := s.elementSlot(list, i, plan.Int, 1, 0)
		return []plan.ID{s.op(plan.OpAddInt, plan.Int, carried[0], s.worthOf(x, t))}
	})
	return total[0]
}

// lowerSingle returns the group of one die, which has been rolled even when it is not kept.
func (s diceLowerer) lowerSingle(id plan.ID, t *dice.Term) plan.ID {
	if t.Keep == 0 {
		return s.int(0)
	}
	return s.worthOf(id, t)
}

// keptFaces sorts a group and slices the kept dice out of it; a group of which all are kept stays as it fell.
func (s diceLowerer) keptFaces(list plan.ID, t *dice.Term) plan.ID {
	if t.Keep == t.Count {
		return list
	}
	typ := s.plan.internType(plan.ListOf(plan.IntType))
	from, to := t.Count-t.Keep, t.Count
	if t.Lowest {
		from, to = 0, t.Keep
	}
	sorted := s.opImm(plan.OpSort, plan.List, typ, list)
	return s.opImm(plan.OpSlice, plan.List, typ, sorted, s.int(int64(from)), s.int(int64(to)))
}

// countsAsSuccess is 1 for a die that is of the kind said, else 0.
func (s diceLowerer) countsAsSuccess(die plan.ID, kind *plan.Band) plan.ID {
	return s.selectValue(s.isInBand(die, kind), s.int(1), s.int(0))
}

// isInBand returns the truth that the value of a die lies in a band.
func (s diceLowerer) isInBand(die plan.ID, band *plan.Band) plan.ID {
	holds := s.bool(true)
	if band.Lo > math.MinInt64 {
		holds = s.op(plan.OpLeInt, plan.Bool, s.int(band.Lo), die)
	}
	if band.Hi < math.MaxInt64 {
		holds = s.and(holds, s.op(plan.OpLeInt, plan.Bool, die, s.int(band.Hi)))
	}
	return holds
}
