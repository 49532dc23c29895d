package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice as data are rolled by numbers that a table of the plan's own has: for each notation that may come, how many dice of
// how many faces each of its groups has, and what is added. Groups that are rolled and counted alike share a place in its
// rows, so that all notations of a ruleset without keeping and exploding need one roll each for their first group, their
// second, and so on. A notation with fewer groups has none of the others' dice. The order of the dice is that of the
// notation.

// A diceGroup is a place in the rows of such a table.
type diceGroup struct {
	term   *dice.Term // how its dice are rolled and counted
	counts []int64    // of each notation; 0 for one without the group
	faces  []int64
	most   int64 // the greatest of counts
}

// alignGroups gives the groups of every notation their places, and adds up its numbers.
//
// For a column with the cells "1d6", "2d8 + 1" and "1d6 + 1d4" there are two places and the rows
//
//	notation      number  count  faces  count  faces
//	"1d6"           0       1      6      0      4
//	"2d8 + 1"       1       2      8      0      4
//	"1d6 + 1d4"     0       1      6      1      4
//
// Two rolls with counts and faces from the row serve all three. A group joins the next place where
// dice are rolled and counted like its own, never an earlier one, so that the order of dice is that
// of each notation.
func alignGroups(forms []check.Form) (groups []diceGroup, numbers []int64) {
	numbers = make([]int64, len(forms))
	for f := range forms {
		next := 0
		for i := range forms[f].Dice.Terms {
			t := &forms[f].Dice.Terms[i]
			if t.Count == 0 {
				numbers[f] += t.Sign * t.Number
				continue
			}
			for next < len(groups) && !isRolledAlike(groups[next].term, t) {
				next++
			}
			if next == len(groups) {
				groups = append(groups, newDiceGroup(t, len(forms)))
			}
			g := &groups[next]
			g.counts[f], g.faces[f], g.most = int64(t.Count), int64(t.Faces), max(g.most, int64(t.Count))
			next++
		}
	}
	return groups, numbers
}

// newDiceGroup returns a group that no notation has yet. A die has faces even where none is rolled.
func newDiceGroup(t *dice.Term, forms int) diceGroup {
	g := diceGroup{term: t, counts: make([]int64, forms), faces: make([]int64, forms)}
	for i := range g.faces {
		g.faces[i] = int64(t.Faces)
	}
	return g
}

// isRolledAlike reports whether two groups differ in nothing but how many dice of how many faces they have. Where some dice
// are left out, their number is part of how they are counted.
func isRolledAlike(a, b *dice.Term) bool {
	keeps := a.Keep != a.Count || b.Keep != b.Count
	switch {
	case a.Sign != b.Sign, a.Least != b.Least, (a.Success == nil) != (b.Success == nil):
		return false
	case keeps && (a.Count != b.Count || a.Keep != b.Keep || a.Lowest != b.Lowest):
		return false
	case a.Success != nil && *a.Success != *b.Success:
		return false
	}
	p, q := &a.Die, &b.Die
	return p.Again == q.Again && p.Once == q.Once && p.Explode == q.Explode && p.Times == q.Times &&
		slices.Equal(p.Shows, q.Shows)
}

// lookUpRolls looks up the notation of each roll of dice as data, and how many times it is rolled.
func (s diceLowerer) lookUpRolls(d *check.Die) []dataLowerer {
	out := make([]dataLowerer, len(d.Data))
	name := d.Book.Name
	for i, r := range d.Data {
		out[i] = dataLowerer{
			diceLowerer: s, die: d, roll: r, name: name + ".roll", row: plan.None, times: plan.None, fault: plan.None,
		}
		out[i].lookUp()
		name += ".plus"
	}
	return out
}

// rollData rolls dice as data: it returns their total, and the fault of the formulas that choose them.
func (s diceLowerer) rollData(data []dataLowerer) (total, fault plan.ID) {
	total, fault = s.int(0), plan.None
	for i := range data {
		total = s.op(plan.OpAddInt, plan.Int, total, data[i].lowerRoll())
		fault = s.firstFault(fault, data[i].fault)
	}
	return total, fault
}

// A dataLowerer lowers one roll.
type dataLowerer struct {
	diceLowerer
	die     *check.Die
	roll    *check.Roll
	name    string // of the notation in a trace: "damage.roll", "damage.plus.roll"
	groups  []diceGroup
	numbers []int64 // that the notations add, one for each
	table   int64   // in the plan
	row     plan.ID // of the table; None when the author wrote the notation itself
	times   plan.ID // None for once
	fault   plan.ID
}

// lookUp finds the row of the notation. Every count and number of faces is then a cell of it.
func (x *dataLowerer) lookUp() {
	x.groups, x.numbers = alignGroups(x.roll.Forms)
	if e := x.roll.Notation; e != nil {
		key := x.lowerExpr(e)
		x.table, x.fault = x.plan.notationTable(x.roll.Forms, x.groups, x.numbers), key.Fault
		x.row = x.opImm(plan.OpRow, plan.Int, x.table, key.ID)
		x.addName(plan.LetName, x.name, key, &check.Formula{Expr: e, Book: &book.Formula{
			Place: x.roll.Book.Dice.At(0), Expr: x.roll.Book.Dice, Overlay: x.die.Book.Overlay}})
	}
	if e := x.roll.Times; e != nil {
		times := x.lowerExpr(e)
		x.times, x.fault = times.ID, x.firstFault(x.fault, times.Fault, x.failIfNegative(times.ID, e.Place))
	}
}

// lowerRoll returns the total of dice as data: the number of the notation and the totals of its groups. Rolled no times at
// all the total is 0, without the number.
func (x *dataLowerer) lowerRoll() plan.ID {
	total := x.readNumber(x.numbers, 0)
	if x.times != plan.None && slices.ContainsFunc(x.numbers, func(n int64) bool { return n != 0 }) {
		total = x.selectValue(x.op(plan.OpLtInt, plan.Bool, x.int(0), x.times), total, x.int(0))
	}
	if len(x.groups) == 0 && x.fault != plan.None { // no dice fall, and what fails fails as where some do
		x.addRoll(x.die.Book, plan.Die{List: true}, x.bool(true), x.int(2), x.int(0), x.fault)
	}
	for i := range x.groups {
		op := plan.OpAddInt
		if x.groups[i].term.Sign < 0 {
			op = plan.OpSubInt
		}
		total = x.op(op, plan.Int, total, x.lowerGroupOf(&x.groups[i], i))
	}
	return total
}

// readNumber returns a slot of the row of the notation that is rolled.
func (x *dataLowerer) readNumber(numbers []int64, slot int) plan.ID {
	if x.row == plan.None {
		return x.int(numbers[0])
	}
	return x.opImm(plan.OpCell, plan.Int, x.table<<32|int64(slot), x.row)
}

// lowerGroupOf returns the total of the dice of a group.
//
// Slot 0 of a row is the number; group i has its count in slot 2i+1 and its faces in 2i+2 (notationTable). Where dice are
// left out and none are rolled, the fixed slice of the kept ones would reach outside of the list: 0 is selected instead.
func (x *dataLowerer) lowerGroupOf(g *diceGroup, i int) plan.ID {
	t := g.term
	if x.row == plan.None && x.times == plan.None {
		return x.lowerGroup(x.die.Book, t)
	}
	count, faces := x.readNumber(g.counts, 2*i+1), x.readNumber(g.faces, 2*i+2)
	fault := x.fault
	if x.times != plan.None {
		tooMany := x.faultOp(plan.OpMulIntFault, x.siteAt(x.roll.Times.Place), 0, count, x.times)
		fault, count = x.firstFault(fault, tooMany), x.op(plan.OpMulInt, plan.Int, count, x.times)
	}
	roll := t.Die
	roll.List, roll.Most = true, g.most*int64(x.roll.Most)
	list := x.shownNumbers(x.addRoll(x.die.Book, roll, x.bool(true), faces, count, x.faultOrOK(fault)), t)
	switch {
	case t.Keep != t.Count:
		some := x.op(plan.OpLtInt, plan.Bool, x.int(0), count)
		return x.selectValue(some, x.lowerKept(list, t), x.int(0))
	case t.Success != nil || t.Least > 0:
		return x.sumWorths(list, t)
	}
	return x.op(plan.OpSumInt, plan.Int, list)
}

// notationTable returns the number in the plan of the table that has the numbers of notations.
func (p *planner) notationTable(forms []check.Form, groups []diceGroup, numbers []int64) int64 {
	texts := make([]string, len(forms))
	for i, f := range forms {
		texts[i] = strconv.Quote(f.Text)
	}
	return p.derivedTable("notation "+strings.Join(texts, " "), func(out *plan.Table) {
		out.Row = &plan.Type{Kind: plan.Record}
		for i := range 1 + 2*len(groups) {
			out.Row.Fields = append(out.Row.Fields, plan.Field{Name: "slot" + strconv.Itoa(i), Type: plan.IntType})
		}
		for f := range forms {
			p.appendKey(out, plan.WordKey(forms[f].Text))
			out.Cells = append(out.Cells, numbers[f])
			for i := range groups {
				out.Cells = append(out.Cells, groups[i].counts[f], groups[i].faces[f])
			}
		}
	})
}
