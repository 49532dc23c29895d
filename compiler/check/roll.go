package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice as data are strings: a cell "2d6 + 3" is read, compared, chosen and printed as any other string. Only where they are
// rolled must they be dice, and there the type knows every string that may come: a column is an enum of its cells, and so
// is a field of alternatives. Each of them is parsed when the ruleset is compiled, so that nothing is left to go wrong at
// the table.

// readRolls reads the notation that stands in place of a formula. A roll comes to an int.
func (k *dieChecker) readRolls() {
	d := k.die
	d.typ = listIf(d.Book.Roll.Repeat.Written(), plan.IntType)
	for b := d.Book.Roll; b != nil; b = b.Plus {
		r := &Roll{Book: b}
		d.Data = append(d.Data, r)
		if b != d.Book.Roll && b.Repeat.Written() {
			k.addf("dice-data", b.Repeat.At(0), "repeat stands with the first of the dice that are added").
				Repair = "all of them are rolled so often"
		}
		if !dice.IsNotation(b.Dice.S) {
			continue
		}
		if e, repeat := k.parseNotation(&b.Dice); e != nil && repeat == 0 {
			r.Forms = []Form{{b.Dice.S, e}}
		} else {
			if repeat > 0 {
				k.addf("dice-notation", b.Dice.At(0),
					"%dx makes a list, which is not multiplied or added to", repeat).
					Repair = fmt.Sprintf("leave it out and write repeat: %d", repeat)
			}
			d.Data = d.Data[:len(d.Data)-1] // reported
		}
	}
}

// typeRoll checks dice as data.
func (k *dieChecker) typeRoll(r *Roll) {
	b := r.Book
	r.Most = b.Most
	r.Times = k.checker.typeTextAs(&b.Times, plan.IntType, "times")
	if b.Most > 0 && !b.Times.Written() {
		d := k.addf("die-count", b.MostPlace, "most %d bounds nothing: it is the greatest that times may be, and there are "+
			"no times", b.Most)
		d.Repair = "leave it out"
		if b.Repeat.Written() {
			d.Repair = fmt.Sprintf("leave it out, and bound what repeat reads: <=%d at the field, or a requirement", b.Most)
		}
	}
	if n, known := constantOf(r.Times); known && n < 0 {
		k.addf("die-count", r.Times.Place, "%d times as many dice cannot be rolled", n)
	} else if known && b.Most > 0 && n > int64(b.Most) {
		k.addf("die-count", r.Times.Place, "%d times are more than most allows, %d: the die would have no value", n, b.Most).
			Repair = "leave most out: a number that is written out is its own bound"
	}
	if len(r.Forms) == 0 {
		k.typeNotation(r)
	}
	k.checkMultiplied(r)
}

// typeNotation checks a formula that says which dice are rolled, and reads every notation that it may give.
// Every word of the enum becomes a form, or is reported here; a cell of a column that is declared
// as dice has been reported with its table, once and not for each rule that rolls it.
func (k *dieChecker) typeNotation(r *Roll) {
	e := k.checker.typeTextAs(&r.Book.Dice, plan.StringType, "the notation that is rolled")
	if e == nil {
		return
	}
	text := strings.TrimSpace(r.Book.Dice.S)
	if len(e.Type.Enum) == 0 {
		d := k.addf("dice-data", e.Place, "%s may be any string, and dice are known before they are rolled",
			text)
		d.Repair = `read a column of a table, or list what the field may be: "1d6" | "1d8"`
		if e.Op == OpField {
			d.About(e.Name) // the column, whose cells may be the problem
		}
		return
	}
	r.Notation = e
	for _, s := range e.Type.Enum {
		form, err := dice.ParseExpression(s)
		if err == nil {
			r.Forms = append(r.Forms, Form{s, form})
			continue
		}
		cell, declared := findDiceCell(e, s)
		if declared {
			continue // reported where its table was checked
		}
		d := k.addf("dice-data", e.Place, "%s may be %q, which is no dice in notation: %s", text, s, err)
		if cell != nil {
			d.Related = []diag.Related{{Place: cell.Place, Message: "the cell"}}
		}
	}
}

// findDiceCell finds a string in the tables that an expression looks up, and tells whether its column is declared as dice.
func findDiceCell(e *Expr, s string) (cell *book.Cell, declared bool) {
	if t, ok := e.Object.(*Table); ok {
		for i := range t.Book.Rows {
			for k := range t.Book.Rows[i].Cells {
				x := &t.Book.Rows[i].Cells[k]
				if isText := strings.HasPrefix(x.JSON, `"`) || x.JSON == "null"; isText && textOfCell(x) == s {
					return x, isDiceColumn(t.Book, t.Book.Columns[k].Name)
				}
			}
		}
	}
	for _, a := range e.Args {
		if cell, declared = findDiceCell(a, s); cell != nil {
			return cell, declared
		}
	}
	return nil, false
}

func isDiceColumn(t *book.Table, column string) bool {
	return slices.ContainsFunc(t.Dice, func(d book.Text) bool { return d.S == column })
}

// textOfCell returns the string of a cell; empty when it is none.
func textOfCell(c *book.Cell) (s string) {
	if json.Unmarshal([]byte(c.JSON), &s) != nil {
		return ""
	}
	return s
}

// checkMultiplied reports forms of dice for which times means nothing, or not one thing.
func (k *dieChecker) checkMultiplied(r *Roll) {
	if n, known := constantOf(r.Times); r.Times == nil || known && n <= 1 {
		return
	}
	k.checkMultipliedKeeps(r)
	k.checkMultipliedNumbers(r)
}

// checkMultipliedKeeps reports dice of which only some are kept, and more of them asked for: twice 4d6kh3 could be 8d6kh3,
// 8d6kh6 or two rolls.
func (k *dieChecker) checkMultipliedKeeps(r *Roll) {
	for _, f := range r.Forms {
		for i := range f.Dice.Terms {
			if t := &f.Dice.Terms[i]; t.Keep != t.Count {
				k.addf("dice-data", r.Times.Place,
					"some dice of %s are left out, so times is not clear for it", f.Text).
					Repair = "roll them once, or use a rule that rolls them once for each time"
				return
			}
		}
	}
}

// checkMultipliedNumbers reports cells that hold a number and no dice, where twice as many dice are asked for: there are no
// more of them then, which some books mean and other authors do not know. Twice nothing is nothing in either case.
func (k *dieChecker) checkMultipliedNumbers(r *Roll) {
	for _, f := range r.Forms {
		if _, most := f.Dice.Bounds(); r.Notation == nil || f.Dice.Dice() || most == 0 {
			continue
		}
		d := k.addf("times-number", r.Book.Times.At(0),
			"times multiplies dice, and %s may be the number %s, which stays as it is",
			strings.TrimSpace(r.Book.Dice.S), f.Text)
		d.Repair = "multiply the number where the die is read, or roll the die so often by repeat; allow it where it " +
			"is meant"
		if cell, _ := findDiceCell(r.Notation, f.Text); cell != nil {
			d.Related = []diag.Related{{Place: cell.Place, Message: "the cell"}}
		}
		return
	}
}

// listIf returns the type of dice: of one value, or of a list of them.
func listIf(list bool, t *plan.Type) *plan.Type {
	if list {
		return plan.ListOf(t)
	}
	return t
}
