package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkKeys checks, for each kind of table, that no key finds two rows and that every declared key finds one.
var checkKeys = [plan.NumTableKinds]func(c *checker, t *book.Table, declared keyRange, subject string){
	plan.KeyedTable: (*checker).checkWords,
	plan.BandsTable: (*checker).checkBands,
	plan.StepsTable: (*checker).checkSteps,
}

// endColumns are names of columns that say where a row ends.
var endColumns = []string{"to", "until", "upto", "up_to", "through"}

// checkStepEnds reports a column of a table of steps that says where each row ends, which no formula reads: a step ends where
// the next one begins.
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

// checkTable checks that every key has one row, and types the row.
//
// The row is typed even when keys are wrong, so that formulas that look it up are judged too. The
// look-up is declared for CEL last, with the type that it gives: the row, the column of "gives", or
// the cell of a table with two keys.
func (c *checker) checkTable(t *Table) {
	b := t.Book
	subject := "table " + b.ID
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
		if d.Related = c.disabledRows(b); d.Related == nil {
			d.Repair = "write a row into it, or leave the table out"
		}
	}
	c.checkDiceColumns(t, subject)
	c.checkStepEnds(t, subject)
	checkKeys[b.Kind](c, b, c.declaredKeys(t, subject), subject)
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
	checkKeys[columns.Kind](c, columns, keyRange{}, subject)
	t.Across.Row = &plan.Type{Kind: plan.Record}
	t.Across.typ, t.Across.progress = t.Across.Row, typed
	t.typ = t.Row.Fields[0].Type
	for _, f := range t.Row.Fields[1:] {
		t.typ = joinTypes(t.typ, f.Type)
	}
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

// rowType returns the type of a table's rows. A column of strings is an enum of those that stand in it. So a comparison
// with a word that stands in no row is found, and dice as data know every notation that can come.
func (c *checker) rowType(t *book.Table) *plan.Type {
	row := &plan.Type{Kind: plan.Record}
	for i, m := range t.Columns {
		f := plan.Field{Name: m.Name, Type: c.typeOfShape(m.Shape)}
		if f.Type.Kind == plan.String {
			f.Type = enumOfColumn(t, i)
		}
		row.Fields = append(row.Fields, f)
	}
	return row
}

// enumOfColumn returns the type of a column of strings: an enum of the words in it, so that comparisons with a misspelt
// word are told. Where a row has no string in it, nothing is known of its words.
func enumOfColumn(t *book.Table, column int) *plan.Type {
	out := &plan.Type{Kind: plan.String}
	for i := range t.Rows {
		var s string
		if column >= len(t.Rows[i].Cells) || json.Unmarshal([]byte(t.Rows[i].Cells[column].JSON), &s) != nil {
			return plan.StringType
		}
		if !hasValue(out, s) {
			out.Enum = append(out.Enum, s)
		}
	}
	for _, s := range t.Open[t.Columns[column].Name] {
		if !hasValue(out, s) {
			out.Enum = append(out.Enum, s)
		}
	}
	return out
}

// A keyRange is the keys that must have a row; the zero keyRange is none.
type keyRange struct {
	declared bool
	min, max float64
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
	e, _ := c.parseNotation(&o.Dice, subject)
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

// checkWords checks that no string is the key of two rows. Which strings are needed is not declared.
func (c *checker) checkWords(t *book.Table, _ keyRange, subject string) {
	seen := map[string]*book.Row{}
	for i := range t.Rows {
		row := &t.Rows[i]
		if first := seen[row.Key]; first != nil {
			c.reportTwice(t, row, first, subject, "the key "+row.Key).Repair = fmt.Sprintf(
				"give one of the %ss a name of its own, or leave it out, with its cells", t.RowNoun())
			continue
		}
		seen[row.Key] = row
	}
}

func (c *checker) reportTwice(t *book.Table, row, first *book.Row, subject, what string) *diag.Diagnostic {
	d := c.diags.Addf("table-duplicate", row.Place, subject, "%s stands in two %ss", what, t.RowNoun())
	d.Related = []diag.Related{{Place: first.Place, Message: "the other " + t.RowNoun()}}
	return d
}

// checkBands checks that no key lies in two rows and, over the declared keys, that every integer lies in one.
//
// It goes through the rows in ascending order of their first key, and next is the least declared
// key that no row so far has. For the bands 1 to 3, 4 to 6 and 8 to 10 over 1d10, next is 1, 4, 7:
// the third row begins behind 7, which is a gap. Keys may be fractions, and a gap between 6.5 and 7
// is none: only integers are declared.
func (c *checker) checkBands(t *book.Table, over keyRange, subject string) {
	if slices.ContainsFunc(t.Rows, isUnread) || c.reportReversedBands(t, subject) {
		return
	}
	next := over.min
	var last *book.Row
	rows := byLimit(t.Rows)
	for i, row := range rows {
		switch {
		case last != nil && row.Lo <= last.Hi:
			if !overlaps(last, rows[:i]) { // a row that others lie in is told of once
				c.reportOverlap(t, row, last, rows[i+1:], subject)
			}
		case over.declared && row.Lo > next && next <= over.max:
			c.reportGap(t, row, keyRange{min: next, max: math.Min(math.Ceil(row.Lo)-1, over.max)}, last, subject)
		}
		next = math.Max(next, math.Floor(row.Hi)+1)
		if last == nil || row.Hi > last.Hi {
			last = row
		}
	}
	if over.declared && last != nil && next <= over.max {
		c.reportGap(t, last, keyRange{min: next, max: over.max}, nil, subject)
	}
}

// overlaps reports whether a row has a key of one that begins behind it.
func overlaps(row *book.Row, rows []*book.Row) bool {
	i := slices.Index(rows, row)
	return slices.ContainsFunc(rows[i+1:], func(other *book.Row) bool { return other.Lo <= row.Hi })
}

// reportOverlap reports a row that begins in another one. Where both ends are whole numbers it says how one of the two is
// written so that they meet; of two that begin at one key, the later ends later, or has the keys that no row has behind it.
func (c *checker) reportOverlap(t *book.Table, row, first *book.Row, behind []*book.Row, subject string) {
	d := c.diags.Addf("table-overlap", row.Place, subject, "%s lies in two %ss", formatNumber(row.Lo), t.RowNoun())
	d.Related = []diag.Related{{Place: first.Place, Message: "the other " + t.RowNoun()}}
	if row.Lo != math.Floor(row.Lo) || first.Hi != math.Floor(first.Hi) {
		d.Repair = fmt.Sprintf("let the other %s end before %s, or this one begin behind %s", t.RowNoun(),
			formatNumber(row.Lo), formatNumber(first.Hi))
		return
	}
	var ways []string
	if row.Lo > first.Lo && row.Place.File == first.Place.File {
		ways = append(ways, fmt.Sprintf("let the other %s end before it: %s", t.RowNoun(), keysAsWritten(t, first.Lo, row.Lo-1)))
	}
	free := row.Hi
	if len(behind) > 0 {
		free = math.Max(free, math.Ceil(behind[0].Lo)-1)
	}
	if free > first.Hi {
		ways = append(ways, "let this one begin behind the other: "+keysAsWritten(t, first.Hi+1, free))
	}
	if len(ways) == 0 {
		ways = append(ways, "leave one of the two out")
	}
	d.Repair = strings.Join(ways, ", or ")
}

// keysAsWritten returns a band as it is written.
func keysAsWritten(t *book.Table, first, last float64) string {
	text := formatNumber(first)
	if first != last {
		text = fmt.Sprintf("[%s, %s]", text, formatNumber(last))
	}
	if t.IsAcross {
		return text
	}
	return "on: " + text
}

// isUnread reports whether the key of a row is none: load has reported it.
func isUnread(row book.Row) bool { return math.IsNaN(row.Lo) || math.IsNaN(row.Hi) }

// reportReversedBands reports bands that end before they begin, and says whether there are any: nothing can be told of
// gaps and overlaps then.
func (c *checker) reportReversedBands(t *book.Table, subject string) bool {
	found := false
	for i := range t.Rows {
		if row := &t.Rows[i]; row.Lo > row.Hi {
			c.diags.Addf("table-band", row.Place, subject, "the band ends at %s, before it begins at %s",
				formatNumber(row.Hi), formatNumber(row.Lo)).Repair = "write " + keysAsWritten(t, row.Hi, row.Lo)
			found = true
		}
	}
	return found
}

// reportGap reports keys that no row has, at the row behind them, or at the last row, which has none before it.
func (c *checker) reportGap(t *book.Table, row *book.Row, gap keyRange, before *book.Row, subject string) {
	if gap.min > gap.max {
		return
	}
	keys := "key " + formatNumber(gap.min)
	if gap.min != gap.max {
		keys = "keys " + formatNumber(gap.min) + " to " + formatNumber(gap.max)
	}
	d := c.diags.Addf("table-gap", row.Place, subject, "no row has the %s", keys)
	disabled := c.disabledRows(t)
	d.Related = append([]diag.Related{{Place: t.Over.Place, Message: "the keys are declared here"}}, disabled...)
	d.Repair = fmt.Sprintf("add a %s for them: {%s, ...}", t.RowNoun(), keysAsWritten(t, gap.min, gap.max))
	switch {
	case len(disabled) > 0:
	case row.Lo > gap.max:
		d.Repair = "let this row begin there: " + keysAsWritten(t, gap.min, row.Hi)
		if before != nil {
			d.Repair += ", or the one before end there: " + keysAsWritten(t, before.Lo, gap.max)
		}
	default:
		d.Repair = "let this row end there: " + keysAsWritten(t, row.Lo, gap.max)
		if t.Over.Range && gap.min-1 > t.Over.Min {
			d.Repair += fmt.Sprintf(", or the keys before: over: [%s, %s]", formatNumber(t.Over.Min), formatNumber(gap.min-1))
		}
	}
}

func byLimit(rows []book.Row) []*book.Row {
	out := make([]*book.Row, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	slices.SortStableFunc(out, func(a, b *book.Row) int { return cmp.Compare(a.Lo, b.Lo) })
	return out
}

// checkSteps checks that no limit stands twice and that the first declared key has reached one.
// With over: [0, 20] some row must begin at 0 or below: a limit "above 0" does not find the key 0.
func (c *checker) checkSteps(t *book.Table, over keyRange, subject string) {
	if slices.ContainsFunc(t.Rows, isUnread) {
		return
	}
	type limit struct {
		at    float64
		above bool
	}
	seen := map[limit]*book.Row{}
	covered := false
	for i := range t.Rows {
		row := &t.Rows[i]
		l := limit{row.Lo, row.Above}
		if first := seen[l]; first != nil {
			d := c.reportTwice(t, row, first, subject, "the limit "+formatNumber(row.Lo))
			d.Repair = fmt.Sprintf("give this row a limit of its own, as %s: %s, or leave one of the two out",
				limitField(row), formatNumber(freeLimit(t, row.Lo)))
			continue
		}
		seen[l] = row
		covered = covered || row.Lo < over.min || row.Lo == over.min && !row.Above
	}
	if over.declared && !covered && len(t.Rows) > 0 {
		least := byLimit(t.Rows)[0]
		d := c.diags.Addf("table-gap", t.Over.Place, subject, "no row has the key %s: the least limit is above it",
			formatNumber(over.min))
		d.Related = append(c.disabledRows(t), diag.Related{Place: least.Place, Message: "the least limit"})
		d.Repair = fmt.Sprintf("let that row begin there: from: %s", formatNumber(over.min))
		if t.Over.Range && !least.Above && least.Lo < over.max {
			d.Repair += fmt.Sprintf(", or the keys with it: over: [%s, %s]", formatNumber(least.Lo), formatNumber(over.max))
		}
	}
}

// limitField returns the name of the field that has the limit of a row.
func limitField(row *book.Row) string {
	if row.Above {
		return "above"
	}
	return "from"
}

// freeLimit returns the first whole number above a limit that is none of a table's.
func freeLimit(t *book.Table, limit float64) float64 {
	free := math.Floor(limit) + 1
	for slices.ContainsFunc(t.Rows, func(row book.Row) bool { return row.Lo == free }) {
		free++
	}
	return free
}

// disabledRows returns the places where homebrews disable rows of a table.
func (c *checker) disabledRows(t *book.Table) []diag.Related {
	var out []diag.Related
	for _, d := range c.book.Disabled {
		if len(d.Path) == 4 && d.Path[0] == "tables" && d.Path[1] == t.ID {
			out = append(out, diag.Related{Place: d.Place, Message: "homebrew " + d.Overlay + " disables the row " +
				d.Path[3]})
		}
	}
	return out
}
