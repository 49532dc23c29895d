package check

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// table checks that every key has one row, and types the row.
func (c *pass) table(t *book.Table) *TableDef {
	def := &TableDef{Book: t, Row: c.row(t), Gives: -1}
	subject := "table " + t.ID
	if t.Gives.Written() {
		def.Gives, _ = def.Row.Field(t.Gives.S)
		if def.Gives < 0 {
			c.diags.Addf("unknown-column", t.Gives.Place, subject, "no row has a column %s", t.Gives.S).
				Repair = diag.DidYouMean(t.Gives.S, c.types.members(def.Row))
			def.Row = broken
		}
	}
	if len(t.Rows) == 0 {
		c.diags.Addf("table-empty", t.Place, subject, "it has no rows").Related = c.disablings(t)
	}
	over := c.over(def, subject)
	switch t.Kind {
	case book.Keyed:
		c.keyed(t, subject)
	case book.Bands:
		c.bands(t, over, subject)
	case book.Steps:
		c.steps(t, over, subject)
	}
	if c.tables[t.ID] == nil {
		c.tables[t.ID] = def
		c.lookable(def)
	}
	return def
}

// row is the type of a table's rows. A column of strings is an enum of those that stand in it.
func (c *pass) row(t *book.Table) *plan.Type {
	row := &plan.Type{Kind: plan.Record}
	for i, m := range t.Columns {
		f := plan.Field{Name: m.Name, Type: c.typeOf(m.Shape)}
		if f.Type.Kind == plan.String {
			f.Type = cells(t, i)
		}
		row.Fields = append(row.Fields, f)
	}
	return row
}

func cells(t *book.Table, column int) *plan.Type {
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
	return out
}

// keys is the range of keys that must have a row; none when it is not declared.
type keys struct {
	declared bool
	min, max float64
}

func (c *pass) over(def *TableDef, subject string) keys {
	o := &def.Book.Over
	switch {
	case o.Range && o.Min > o.Max:
		c.diags.Addf("table-over", o.Place, subject, "over ends at %s, before it begins at %s", number(o.Max), number(o.Min))
		return keys{}
	case o.Range:
		return keys{declared: true, min: o.Min, max: o.Max}
	case !o.Dice.Written():
		return keys{}
	}
	e := c.notation(&o.Dice, subject)
	if e == nil {
		return keys{}
	}
	if t := e.Unbounded(); t != nil {
		c.diags.Addf("table-over", o.Dice.At(t.Offset), subject, "dice that explode without end can show any number").
			Repair = "say from where to where the rows must go: over: [1, 20]"
		return keys{}
	}
	min, max := e.Bounds()
	def.OverMin, def.OverMax = min, max
	return keys{declared: true, min: float64(min), max: float64(max)}
}

func (c *pass) keyed(t *book.Table, subject string) {
	seen := map[string]*book.Row{}
	for i := range t.Rows {
		row := &t.Rows[i]
		if first := seen[row.Key]; first != nil {
			c.twice(row, first, subject, "the key "+row.Key)
			continue
		}
		seen[row.Key] = row
	}
}

func (c *pass) twice(row, first *book.Row, subject, what string) {
	c.diags.Addf("table-duplicate", row.Place, subject, "%s stands in two rows", what).
		Related = []diag.Related{{Place: first.Place, Message: "the other row"}}
}

// bands checks that no key lies in two rows and, over the declared keys, that every integer lies in one.
func (c *pass) bands(t *book.Table, over keys, subject string) {
	if c.backwards(t, subject) {
		return
	}
	next := over.min
	var last *book.Row
	for _, row := range ascending(t.Rows) {
		switch {
		case last != nil && row.Lo <= last.Hi:
			c.diags.Addf("table-overlap", row.Place, subject, "%s lies in two rows", number(row.Lo)).
				Related = []diag.Related{{Place: last.Place, Message: "the other row"}}
		case over.declared && row.Lo > next && next <= over.max:
			c.gap(t, next, math.Min(math.Ceil(row.Lo)-1, over.max), subject)
		}
		next = math.Max(next, math.Floor(row.Hi)+1)
		if last == nil || row.Hi > last.Hi {
			last = row
		}
	}
	if over.declared && last != nil && next <= over.max {
		c.gap(t, next, over.max, subject)
	}
}

func (c *pass) backwards(t *book.Table, subject string) bool {
	found := false
	for i := range t.Rows {
		if row := &t.Rows[i]; row.Lo > row.Hi {
			c.diags.Addf("table-band", row.Place, subject, "the band ends at %s, before it begins at %s", number(row.Hi), number(row.Lo))
			found = true
		}
	}
	return found
}

func (c *pass) gap(t *book.Table, from, to float64, subject string) {
	if from > to {
		return
	}
	keys := "key " + number(from)
	if from != to {
		keys = "keys " + number(from) + " to " + number(to)
	}
	c.diags.Addf("table-gap", t.Over.Place, subject, "no row has the %s", keys).Related = c.disablings(t)
}

func ascending(rows []book.Row) []*book.Row {
	out := make([]*book.Row, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	slices.SortStableFunc(out, func(a, b *book.Row) int { return cmp.Compare(a.Lo, b.Lo) })
	return out
}

// steps checks that no limit stands twice and that the first declared key has reached one.
func (c *pass) steps(t *book.Table, over keys, subject string) {
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
			c.twice(row, first, subject, "the limit "+number(row.Lo))
			continue
		}
		seen[l] = row
		covered = covered || row.Lo < over.min || row.Lo == over.min && !row.Above
	}
	if over.declared && !covered && len(t.Rows) > 0 {
		c.diags.Addf("table-gap", t.Over.Place, subject, "no row has the key %s: the least limit is above it", number(over.min)).
			Related = c.disablings(t)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
