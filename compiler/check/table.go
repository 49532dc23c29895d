package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// endColumns are names of columns that say where a row ends.
var endColumns = []string{"to", "until", "upto", "up_to", "through"}

// checkStepEnds reports a column of a table of steps that says where each row ends, which no formula reads: a step ends
// where the next one begins.
func (c *checker) checkStepEnds(t *Table, subject string) {
	b := t.Book
	if b.Kind != plan.StepsTable {
		return
	}
	for k, m := range b.Columns {
		if !slices.Contains(endColumns, m.Name) || b.Gives.S == m.Name || len(b.Rows) == 0 {
			continue
		}
		isNoEnd := func(r book.Row) bool {
			end, err := strconv.ParseFloat(r.Cells[k].JSON, 64)
			return err != nil || end < r.Lo
		}
		isRead := func(p book.Part) bool {
			return slices.ContainsFunc(syntax.Tokens(p.S), func(x syntax.Token) bool { return p.S[x.From:x.To] == m.Name })
		}
		if slices.ContainsFunc(b.Rows, isNoEnd) || slices.ContainsFunc(c.book.Parts(), isRead) {
			continue
		}
		d := c.diags.Addf("table-column", m.Place, subject,
			"%s ends no row: a step reaches to the next one, and %[1]s is a column that no formula reads", m.Name)
		d.Repair = fmt.Sprintf("leave it out, or write bands, which have two ends: bands: [{on: [%s, %s], ...}, ...]",
			strconv.FormatFloat(b.Rows[0].Lo, 'g', -1, 64), b.Rows[0].Cells[k].JSON)
	}
}

// checkDiceColumns checks that the cells of the columns that are declared as dice are dice.
func (c *checker) checkDiceColumns(t *Table, subject string) {
	b := t.Book
	for _, name := range b.Dice {
		k := slices.IndexFunc(b.Columns, func(m plan.Member) bool { return m.Name == name.S })
		switch {
		case k < 0:
			c.reportUnknownColumn(t, name, subject)
			continue
		case b.Columns[k].Shape.Kind != plan.String:
			c.diags.Addf("dice-data", name.Place, subject, "%s is %s, and dice are strings in notation", name.S,
				briefType(t.Row.Fields[k].Type)).
				Repair = `write "1d8", and "1" for a number that stays`
			continue
		}
		for i := range b.Rows {
			cell := &b.Rows[i].Cells[k]
			if strings.HasPrefix(cell.JSON, "{") || strings.HasPrefix(cell.JSON, "[") || cell.JSON == "null" {
				continue // of another type than the column, or none that CUE knows, which is reported
			}
			if m := printedRange().FindStringSubmatch(textOfCell(cell)); m != nil && diceOfSpan(m[1], m[2]) != "" {
				c.diags.Addf("dice-notation", cell.Place, subject, "%s %s is no dice: a range is no notation", name.S,
					cell.JSON).Repair = "write the dice that show it: " + diceOfSpan(m[1], m[2])
				continue
			}
			e, err := dice.ParseExpression(textOfCell(cell))
			if err != nil {
				d := c.diags.Addf("dice-notation", cell.Place, subject, "%s %s is no dice: %s", name.S, cell.JSON, err)
				if named := nameAt(textOfCell(cell), err); named != "" {
					d.Repair = fmt.Sprintf("dice know no names: add %s in a formula that reads the dice", named)
				}
				continue
			}
			c.reporterFor(subject).reportDepartures(&book.Text{S: textOfCell(cell), Place: cell.Place}, e)
		}
	}
}

// checkTable checks that every key has one row, and types the row.
//
// The row is typed even when keys are wrong, so that formulas that look it up are judged too. The
// look-up is declared for CEL last, with the type that it gives: the row, the column of "gives", or
// the cell of a table with two keys.
func (c *checker) checkTable(t *Table) {
	b := t.Book
	subject := "table " + b.ID
	keys := keyChecker{b, c.book.Disabled, c.diags, subject}
	t.Row = c.rowType(b)
	if b.Gives.Written() {
		t.Gives, _ = t.Row.Field(b.Gives.S)
		if t.Gives < 0 {
			c.reportUnknownColumn(t, b.Gives, subject)
			t.Row = broken
		}
	}
	if len(b.Rows) == 0 && (t.Across == nil || len(t.Across.Book.Rows) > 0) {
		d := c.diags.Addf("table-empty", b.Place, subject, "it has no rows")
		if d.Related = keys.disabledRows(); d.Related == nil {
			d.Repair = "write a row into it, or leave the table out"
		}
	}
	c.checkDiceColumns(t, subject)
	c.checkStepEnds(t, subject)
	keys.check(c.declaredKeys(t, subject))
	t.typ, t.progress = t.Row, typed
	switch {
	case t.Across != nil:
		c.checkAcross(t, subject)
	case t.Gives >= 0:
		t.typ = t.Row.Fields[t.Gives].Type
	}
	if c.callables[b.ID] == t {
		c.declareLookUp(t)
	}
}

// reportUnknownColumn reports the name of a column that no row of a table has.
func (c *checker) reportUnknownColumn(t *Table, name book.Text, subject string) {
	d := c.diags.Addf("unknown-column", name.Place, subject, "no row has a column %s", name.S).About(name.S)
	d.Repair = diag.DidYouMeanOneOf(name.S, c.types.memberNames(t.Row))
	d.Lacks = diag.Lack{Table: t.name, Column: name.S}
}

// checkAcross checks the columns of a table with two keys, and types the cell that it gives: its columns have one type, and
// a cell of strings is one of those of all columns.
func (c *checker) checkAcross(t *Table, subject string) {
	columns := t.Across.Book
	if len(columns.Rows) == 0 {
		d := c.diags.Addf("table-empty", columns.Place, subject, "it has rows and no columns")
		d.Repair, d.Breaks = "rows of one key stand in keyed, bands or steps", []string{t.name}
		t.typ = broken
		return
	}
	if t.Book.Gives.Written() {
		c.diags.Addf("unknown-column", t.Book.Gives.Place, subject, "a table with two keys gives the cell where they meet").
			Repair = "leave out gives"
	}
	keyChecker{columns, c.book.Disabled, c.diags, subject}.check(keyRange{})
	t.Across.Row = &plan.Type{Kind: plan.Record}
	t.Across.typ, t.Across.progress = t.Across.Row, typed
	t.typ = t.Row.Fields[0].Type
	for _, f := range t.Row.Fields[1:] {
		t.typ = joinTypes(t.typ, f.Type)
	}
	t.typ = withWords(t.typ, t.Book, 0, len(t.Book.Columns))
}

// declareLookUp makes a table callable, with an argument for each key. A key that is a number may be an int or a double,
// because it is compared.
//
// A table chart with two keys, the first words and the second bands, is declared for CEL as look_chart_int(string, int) and
// look_chart_double(string, double). The tree keeps OpLookUp and the table, not the overload.
func (c *checker) declareLookUp(t *Table) {
	overloads := map[string][]*types.Type{"look_" + t.name: nil}
	for _, k := range t.Keys() {
		longer := map[string][]*types.Type{}
		for id, params := range overloads {
			if !k.Book.Kind.HasNumbers() {
				longer[id] = append(slices.Clip(params), types.StringType)
				continue
			}
			longer[id+"_int"] = append(slices.Clip(params), types.IntType)
			longer[id+"_double"] = append(slices.Clip(params), types.DoubleType)
		}
		overloads = longer
	}
	c.declareCallable(t.name, t.typ, overloads)
}

// rowType returns the type of a table's rows. A column of strings, or of lists of them, is an enum of those that stand in it.
// So a comparison with a word that stands in no row is found, and dice as data know every notation that can come.
func (c *checker) rowType(t *book.Table) *plan.Type {
	row := &plan.Type{Kind: plan.Record}
	for i, m := range t.Columns {
		f := plan.Field{Name: m.Name, Type: c.typeOfShape(m.Shape)}
		f.Type = withWords(f.Type, t, i, i+1)
		row.Fields = append(row.Fields, f)
	}
	return row
}

// withWords returns the type of some columns with the words that stand in them: of strings, and of lists of strings of which
// no choice is said.
func withWords(of *plan.Type, t *book.Table, from, to int) *plan.Type {
	elem := of
	for elem.Kind == plan.List && elem.Elem != nil {
		elem = elem.Elem
	}
	if elem.Kind != plan.String || elem != of && elem.Enum != nil {
		return of
	}
	out := enumOfCells(t, from, to)
	for ; of.Kind == plan.List; of = of.Elem {
		out = plan.ListOf(out)
	}
	return out
}

// enumOfCells returns the type of the strings in some columns, also in lists: an enum of these words, so that comparisons
// with a misspelt word are told. Where a row has anything else in it, nothing is known of its words.
//
// The words go by the choice that is said for the cells, also that of the keys of a table; those that are in no such choice
// follow in the order in which they are written, row by row. Words to which a column is open are words of it.
func enumOfCells(t *book.Table, from, to int) *plan.Type {
	var written []string
	for i := range t.Rows {
		for column := from; column < to; column++ {
			var cell any
			if column >= len(t.Rows[i].Cells) || json.Unmarshal([]byte(t.Rows[i].Cells[column].JSON), &cell) != nil {
				return plan.StringType
			}
			words, ok := appendStrings(written, cell)
			if !ok {
				return plan.StringType
			}
			written = words
		}
	}
	choice, open, every := t.Columns[from].Shape.Enum, []string(nil), false
	for column := from; column < to; column++ {
		o := t.Open[t.Columns[column].Name]
		open, every = append(open, o.Words...), every || o.Every
	}
	out := &plan.Type{Kind: plan.String}
	for _, s := range choice {
		if every || slices.Contains(written, s) || slices.Contains(open, s) {
			out.Enum = append(out.Enum, s)
		}
	}
	if len(choice) == 0 {
		written = append(written, open...)
	}
	for _, s := range written {
		if !hasValue(out, s) {
			out.Enum = append(out.Enum, s)
		}
	}
	return out
}

// appendStrings appends a string, or those in a list of strings; not ok of any other value.
func appendStrings(to []string, value any) (out []string, ok bool) {
	switch v := value.(type) {
	case string:
		return append(to, v), true
	case nil: // a cell that CUE does not know, which is reported
		return append(to, ""), true
	case []any:
		for _, e := range v {
			if to, ok = appendStrings(to, e); !ok {
				return to, false
			}
		}
		return to, true
	}
	return to, false
}

// declaredKeys finds which keys must have a row. Dice say it by the least and the most that they come to; those that
// explode without end have no most, and no table could cover them.
func (c *checker) declaredKeys(t *Table, subject string) keyRange {
	o := &t.Book.Over
	switch {
	case o.Range && o.Min > o.Max:
		c.diags.Addf("table-over", o.Place, subject, "over ends at %s, before it begins at %s", formatNumber(o.Max),
			formatNumber(o.Min)).Repair = fmt.Sprintf("write over: [%s, %s]", formatNumber(o.Max), formatNumber(o.Min))
		return keyRange{}
	case o.Range:
		return keyRange{declared: true, min: o.Min, max: o.Max}
	case !o.Dice.Written():
		return keyRange{}
	}
	e, _ := c.reporterFor(subject).parseNotation(&o.Dice)
	if e == nil {
		return keyRange{}
	}
	if term := e.Unbounded(); term != nil {
		c.diags.Addf("table-over", o.Dice.At(term.Offset), subject, "dice that explode without end can show any number").
			Repair = "say from where to where the rows must go: over: [1, 20]"
		return keyRange{}
	}
	min, max := e.Bounds()
	t.OverMin, t.OverMax = min, max
	return keyRange{declared: true, min: float64(min), max: float64(max)}
}
