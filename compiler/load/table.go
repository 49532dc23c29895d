package load

import (
	"slices"

	"cuelang.org/go/cue"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// tableKinds are the fields that hold a table's rows, by kind.
var tableKinds = [...]string{book.Keyed: "keyed", book.Bands: "bands", book.Steps: "steps"}

func table(n *node) *book.Table {
	n.checkFields("#Table")
	t := &book.Table{Definition: n.definition(), Gives: n.words("gives")}
	t.Rising, t.Falling = n.list("rising"), n.list("falling")
	t.Cost, t.Benefit = n.words("cost"), n.list("benefit")
	n.fill(t)
	return t
}

// list is the value of a field that is a list of strings.
func (n *node) list(name string) []book.Text {
	var out []book.Text
	for _, k := range n.each(name) {
		out = append(out, k.word())
	}
	return out
}

// fill reads the rows of a table, and the keys that must have one.
func (n *node) fill(t *book.Table) {
	if k, ok := n.field("over"); ok {
		t.Over = k.over()
	}
	kinds := n.tableKind()
	if len(kinds) != 1 {
		n.r.addf("table-kind", n.place, n.subject, "a table has exactly one of keyed, bands and steps")
	}
	if len(kinds) == 0 {
		return
	}
	t.Kind = kinds[0]
	rows := n.rows(t.Kind)
	t.Columns = columns(rows)
	for _, row := range rows {
		t.Rows = append(t.Rows, row.row(t))
	}
}

func (n *node) tableKind() (kinds []book.TableKind) {
	for kind, name := range tableKinds {
		if _, ok := n.field(name); ok {
			kinds = append(kinds, book.TableKind(kind))
		}
	}
	return kinds
}

// over reads the keys that must have a row: a dice expression or a range.
func (n *node) over() book.Over {
	o := book.Over{Place: n.at()}
	if n.value.IncompleteKind() == cue.StringKind {
		o.Dice = n.formulaText()
		return o
	}
	o.Min, o.Max, o.Range = n.interval()
	return o
}

// float is the number that the value is.
func (n *node) float() float64 {
	if !n.want(cue.NumberKind, "a number") {
		return 0
	}
	f, err := n.value.Float64()
	if err != nil {
		n.addf("not-concrete", "%s must be a number that is written out", n.name)
		return 0
	}
	if i, err := n.value.Int(nil); err == nil && !exact(i) {
		n.addf("bound-too-large", "%v is beyond 2^53: it would not be exact", i)
	}
	return f
}

// A tableRow is a row of a table of some kind, and its cells in order.
type tableRow struct {
	*node
	kind  book.TableKind
	cells []*node
}

// rows are the rows in the author's order.
func (n *node) rows(kind book.TableKind) []tableRow {
	k, _ := n.field(tableKinds[kind])
	var nodes []*node
	if kind == book.Keyed {
		nodes = n.in(tableKinds[kind])
	} else {
		nodes = k.elements()
	}
	out := make([]tableRow, 0, len(nodes))
	for _, m := range nodes {
		if m.usable() {
			row := tableRow{node: m, kind: kind}
			row.cells = slices.DeleteFunc(m.data(), row.isKey)
			out = append(out, row)
		}
	}
	return out
}

func (row *tableRow) isKey(k *node) bool {
	switch row.kind {
	case book.Bands:
		return k.name == "on"
	case book.Steps:
		return k.name == "from" || k.name == "above"
	}
	return false
}

// row reads a row by the table's columns.
func (row *tableRow) row(t *book.Table) book.Row {
	out := book.Row{Place: row.place}
	switch t.Kind {
	case book.Keyed:
		out.Key = row.name
	case book.Bands:
		out.Lo, out.Hi = row.band()
	case book.Steps:
		out.Lo, out.Above = row.step()
	}
	row.complete(t.Columns)
	for _, c := range t.Columns {
		out.Cells = append(out.Cells, row.cell(c))
	}
	return out
}

// band is the closed interval of a row.
func (row *tableRow) band() (lo, hi float64) {
	on, ok := row.field("on")
	if !ok {
		row.addf("missing-field", "a row of bands has on: a number, or [first, last]")
		return 0, 0
	}
	if on.value.IncompleteKind()&cue.NumberKind != 0 {
		lo = on.float()
		return lo, lo
	}
	lo, hi, _ = on.interval()
	return lo, hi
}

// interval reads [first, last].
func (n *node) interval() (lo, hi float64, ok bool) {
	if n.value.IncompleteKind() != cue.ListKind && !n.wrong() {
		n.addf("wrong-type", "%s must be [first, last]", n.name)
		return 0, 0, false
	}
	ends := n.elements()
	if len(ends) != 2 {
		n.addf("wrong-type", "%s has %d numbers and must have two: [first, last]", n.name, len(ends))
		return 0, 0, false
	}
	return ends[0].float(), ends[1].float(), true
}

// step is the limit of a row, and whether it is itself outside.
func (row *tableRow) step() (limit float64, above bool) {
	from, reached := row.field("from")
	over, passed := row.field("above")
	switch {
	case reached == passed:
		row.addf("table-step", "a row of steps has either from or above")
		return 0, false
	case passed:
		return over.float(), true
	}
	return from.float(), false
}

// complete reports cells that are missing or that no other row has.
func (row *tableRow) complete(columns []plan.Member) {
	for _, c := range columns {
		if _, ok := row.field(c.Name); !ok {
			row.r.addf("table-column", row.place, row.subject, "row %s has no %s, which other rows have", row.label(), c.Name)
		}
	}
}

// label names a row in diagnostics.
func (row *tableRow) label() string {
	if row.kind == book.Keyed {
		return row.name
	}
	for _, name := range []string{"on", "from", "above"} {
		if k, ok := row.field(name); ok {
			return name + ": " + k.json()
		}
	}
	return "without a key"
}

func (row *tableRow) cell(c plan.Member) book.Cell {
	k, ok := row.field(c.Name)
	if !ok {
		return book.Cell{Place: row.place}
	}
	return book.Cell{JSON: k.json(), Place: k.at()}
}

// json is the value as JSON; what is not concrete is reported.
func (n *node) json() string {
	v, _ := n.value.Default()
	data, err := v.MarshalJSON()
	if err != nil {
		n.addf("not-concrete", "%s must be a value that is written out", n.name)
		return "null"
	}
	if i, err := v.Int(nil); err == nil && !i.IsInt64() {
		n.addf("out-of-range", "%s is beyond 2^63", n.name)
	}
	return string(data)
}

// columns are the columns of a table, each with a type that holds all of its cells.
func columns(rows []tableRow) []plan.Member {
	var out []plan.Member
	for _, row := range rows {
		for _, k := range row.cells {
			i := slices.IndexFunc(out, func(m plan.Member) bool { return m.Name == k.name })
			if i < 0 {
				out = append(out, plan.Member{Name: k.name, Shape: k.kindShape(), Place: k.place})
				continue
			}
			row.widen(out[i].Shape, k)
		}
	}
	for _, c := range out {
		if hollow(c.Shape) {
			rows[0].r.addf("table-type", c.Place, rows[0].subject, "%s is an empty list in every row: its type is not known", c.Name)
		}
	}
	return out
}

// hollow reports whether a column has lists that are empty in every row.
func hollow(s *plan.Shape) bool {
	switch s.Kind {
	case plan.List:
		return s.Elem.Kind == plan.Invalid || hollow(s.Elem)
	case plan.Record:
		return slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return hollow(m.Shape) })
	}
	return false
}

// widen makes a column's type hold one more cell.
func (row *tableRow) widen(s *plan.Shape, k *node) {
	if t := k.kindShape(); !book.Widen(s, t) {
		row.r.addf("table-type", k.at(), row.subject, "%s of row %s is %s where other rows have %s",
			k.name, row.label(), t.Type(), s.Type())
	}
}

// kindShape is the type of a cell.
func (n *node) kindShape() *plan.Shape {
	v, _ := n.value.Default()
	s := &plan.Shape{Place: n.at()}
	switch v.IncompleteKind() {
	case cue.IntKind:
		s.Kind = plan.Int
	case cue.FloatKind, cue.NumberKind:
		s.Kind = plan.Double
	case cue.BoolKind:
		s.Kind = plan.Bool
	case cue.StringKind:
		s.Kind = plan.String
	case cue.ListKind:
		n.listShape(s)
	case cue.StructKind:
		n.recordShape(s)
	default:
		n.addf("not-concrete", "%s must be a value that is written out", n.name)
	}
	return s
}

func (n *node) listShape(s *plan.Shape) {
	elems := n.elements()
	s.Kind, s.MaxItems = plan.List, len(elems)
	s.Elem = &plan.Shape{}
	for _, k := range elems {
		if !book.Widen(s.Elem, k.kindShape()) {
			k.addf("table-type", "the elements of %s have different types", n.name)
		}
	}
}

func (n *node) recordShape(s *plan.Shape) {
	s.Kind = plan.Record
	for _, k := range n.data() {
		s.Fields = append(s.Fields, plan.Member{Name: k.name, Shape: k.kindShape(), Place: k.place})
	}
}

func number(k plan.Kind) bool { return k == plan.Int || k == plan.Double }
