package lower

import (
	"fmt"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice that explode into dice of their own are rolled as people do it at the table: all of them, then one for each that
// has exploded, and again. Every throw is a roll of the plan whose count is read from the faces of the throw before it,
// and the list that formulas read is all throws, one behind the other. All of them share the id of the source, like the
// groups of a sum: {die: 6, count: 3, explode: {on: 6, into: "dice"}} that shows 6, 2, 6, then 6, 1, then 3 is given as
// six faces.
//
// A roll that knew by itself of dice of their own would make lists whose length depends on their own faces, which odds
// and columns would have to learn. Throws are rolls that they know: as no throw has more dice than the one before it,
// nothing but the number of throws must be bounded. Formulas that walk the list are lowered for each throw by itself
// (builder.parts), so that odds follow throw by throw, and never make the list.

// lowerThrows lowers such dice.
func (s diceLowerer) lowerThrows(d *check.Die, count plan.Value) plan.Value {
	most, declared := d.Throws()
	count.Fault = s.firstFault(count.Fault, s.explosionFault(d))
	faces := s.lowerFaces(d, count)
	parts := []plan.Value{s.valuesOfFaces(d, faces)}
	for range most {
		count = newScalar(plan.IntType, s.countExploded(d, faces), count.Fault)
		faces = s.lowerFaces(d, count)
		parts = append(parts, s.valuesOfFaces(d, faces))
	}
	if !declared { // no dice fall then, and what has no value fails as where some do: at its place, whoever reads it
		ends := s.op(plan.OpLeInt, plan.Bool, s.countExploded(d, faces), s.int(0))
		s.addRoll(d.Book, plan.Die{List: true}, s.bool(true), s.int(2), s.int(0), s.failUnless(ends, d.Book.Place,
			fmt.Sprintf("dice are thrown on more than %d times", most)))
	}
	return s.joinParts(parts)
}

// explosionFault returns the fault of the formulas that decide which faces explode.
func (s diceLowerer) explosionFault(d *check.Die) plan.ID {
	_, n, _ := d.Explode.Comparison()
	fault := plan.None
	for _, e := range []*check.Expr{n, d.Explode.When} {
		if e != nil {
			fault = s.firstFault(fault, s.lowerExpr(e).Fault)
		}
	}
	return fault
}

// countExploded counts the dice of a throw that explode, which is how many dice the next throw has. The formulas of the
// repeat are lowered once, before the loop over the dice.
func (s diceLowerer) countExploded(d *check.Die, faces plan.ID) plan.ID {
	operator, n, band := d.Explode.Comparison()
	when := s.bool(true)
	if d.Explode.When != nil {
		when = s.lowerExpr(d.Explode.When).ID
	}
	var limit plan.ID
	if n != nil {
		limit = s.lowerExpr(n).ID
	}
	return s.loop(s.sizeOf(faces), []plan.ID{s.int(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		face := s.elementSlot(faces, i, plan.Int, 1, 0)
		var holds plan.ID
		if n != nil {
			holds = s.compareFace(operator, s.shownNumber(d.Rolls.Shows, face), limit)
		} else {
			holds = s.isInBand(face, &band)
		}
		return []plan.ID{s.op(plan.OpAddInt, plan.Int, carried[0], s.selectValue(s.and(when, holds), s.int(1), s.int(0)))}
	})[0]
}

// compareFace returns the comparison of a face's value with a number.
func (s diceLowerer) compareFace(operator string, face, n plan.ID) plan.ID {
	switch operator {
	case "<":
		return s.op(plan.OpLtInt, plan.Bool, face, n)
	case "<=":
		return s.op(plan.OpLeInt, plan.Bool, face, n)
	case ">":
		return s.op(plan.OpLtInt, plan.Bool, n, face)
	case ">=":
		return s.op(plan.OpLeInt, plan.Bool, n, face)
	}
	return s.op(plan.OpEqInt, plan.Bool, face, n)
}
