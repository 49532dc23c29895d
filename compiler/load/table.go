package load

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// keyReaders read, for each kind of table, what finds a row as it is written in CUE.
var keyReaders = [plan.NumTableKinds]func(row *tableRow) plan.RowKey{
	plan.KeyedTable: func(row *tableRow) plan.RowKey { return plan.WordKey(row.name) },
	plan.BandsTable: (*tableRow).readBand,
	plan.StepsTable: (*tableRow).readLimit,
}

// kindOfRow is the kind of table that a row in a list belongs to, by the members that it has; bands when none says so.
// The members are plan.TableKind.KeyFields: on; from and above.
func kindOfRow(row *node) plan.TableKind {
	for k := range plan.NumTableKinds {
		for _, name := range k.KeyFields() {
			if _, ok := row.fieldNamed(name); ok {
				return k
			}
		}
	}
	return plan.BandsTable
}

// columnKind is the kind of key that finds a column, by how it is written: a string, a struct with a limit, or a number or
// two.
func columnKind(e *node) plan.TableKind {
	switch {
	case e.value.IncompleteKind() == cue.StringKind:
		return plan.KeyedTable
	case e.isStruct():
		return plan.StepsTable
	}
	return plan.BandsTable
}

// columnKeyReaders read, for each kind of table, what finds a column.
var columnKeyReaders = [plan.NumTableKinds]func(e *node) plan.RowKey{
	plan.KeyedTable: func(e *node) plan.RowKey { return plan.WordKey(textOf(e)) },
	plan.BandsTable: readBandEnds,
	plan.StepsTable: func(e *node) plan.RowKey { return (&tableRow{node: e, kind: plan.StepsTable}).readLimit() },
}

// readTable returns a table. A row may lack cells where `carry` gives it those of the row above, and a row of a homebrew
// may lack cells that a pattern gives to all rows (rowform.go).
func readTable(n *node) *book.Table {
	n.checkFields("#Table")
	t := &book.Table{Definition: n.readCitedDefinition(), Gives: n.readPlacedField("gives")}
	t.Dice = n.readTexts("dice")
	t.Rising, t.Falling = n.readTexts("rising"), n.readTexts("falling")
	t.Cost, t.Benefit = n.readPlacedField("cost"), n.readTexts("benefit")
	if k, ok := n.fieldNamed("benefit"); ok && !n.hasField("cost") {
		k.addf("table-column", "benefit says what a cost buys, and the table has no cost").Repair =
			"name the column of the cost, cost: COLUMN, or leave benefit out"
	}
	rows, carries := fillRows(n, t)
	reportHollow(n, t)
	if t.Across == nil && !carries {
		checkColumns(rows, t.Columns)
	}
	readRowForm(n, t, rows)
	return t
}

// fillRows reads the rows of a table, and the keys that must have one.
//
// The order: the kind of the table; then all rows as nodes; then the columns, as the union over the rows, since any row may
// be the first to have one or to need a wider type; only then each row by these columns, so that every row has a cell for
// every column, in the same order. With "carry: true" a cell that is not written is empty at first and then filled from the
// row above:
//
//	steps: [{from: 1, bonus: 0, armed: false}, {from: 5, bonus: 2}]     // the second row is not armed either
//
// It returns the rows as nodes, and whether cells were carried. Otherwise cells may still be missing: rows of a homebrew
// may lack cells that the table gives to all, which nobody knows here.
func fillRows(n *node, t *book.Table) (rows []tableRow, carries bool) {
	if k, ok := n.fieldNamed("over"); ok {
		t.Over = readOver(k)
	}
	kinds := tableKindsOf(n)
	twoKeys, hasTwoKeys := n.fieldNamed("rows")
	if len(kinds) > 1 || (len(kinds) == 1) == hasTwoKeys {
		d := n.r.addf("table-kind", n.place, n.subject, "a table has exactly one of keyed, bands, steps and rows")
		d.Repair = "write keyed: {...} for words, bands or steps for numbers, rows for two keys"
		if len(kinds) > 0 {
			d.Repair = "leave one, and put the rows of the others into it"
		}
	}
	carries = n.readFlag("carry")
	switch {
	case hasTwoKeys:
		if rows = readMatrix(n, twoKeys, t); carries {
			k, _ := n.fieldNamed("carry")
			k.addf("table-column", "carry fills cells that a row leaves out, and a row of a table with two keys has all of them").
				Repair = "leave carry out"
		}
	case len(kinds) > 0:
		t.Kind = kinds[0]
		rows = n.readRows(t.Kind)
		reportClosedRows(rows)
		if t.Columns = columnsOf(rows); carries {
			checkFirstRow(rows)
			checkCarried(rows)
		}
	}
	if k, ok := n.fieldNamed("over"); ok && t.Over.Range && len(rows) > 0 && !t.Kind.HasNumbers() {
		k.addf("table-kind", "over says which numbers have a row, and words find the rows of this table").Repair =
			"leave over out"
	}
	for i := range rows {
		t.Rows = append(t.Rows, rows[i].readRow(t))
	}
	if carries {
		carryCells(t)
	}
	return rows, carries
}

// checkFirstRow checks a table whose rows state only differences from the row before: the first must be complete.
func checkFirstRow(rows []tableRow) {
	for i := range rows {
		for _, k := range rows[i].cells {
			if _, ok := rows[0].fieldNamed(k.name); !ok {
				rows[i].r.addf("table-column", k.place, rows[i].subject, "row %s has %s, which the first row has not",
					rows[i].rowLabel(), k.name).Repair = "say in the first row what " + k.name + " is to begin with"
			}
		}
	}
}

// checkCarried reports cells that a row leaves out and that a pattern fills in, so that those of the row before are not
// carried. Where both are the same, nothing is to be decided.
func checkCarried(rows []tableRow) {
	for i := 1; i < len(rows); i++ {
		for _, k := range rows[i].cells {
			before, ok := rows[i-1].cellNamed(k.name)
			if !ok || len(k.sites) == 0 || !k.value.IsConcrete() || before.readJSON() == k.readJSON() ||
				slices.ContainsFunc(k.sites, func(s site.Site) bool { return !s.Shared }) {
				continue
			}
			d := k.addf("table-column", "row %s leaves %s out: the pattern of the rows gives it %s, and carry %s",
				rows[i].rowLabel(), k.name, k.readJSON(), before.readJSON())
			d.Place = rows[i].place
			d.Repair = fmt.Sprintf("leave the default of %s out of the pattern, or write %[1]s into the row", k.name)
		}
	}
}

func tableKindsOf(n *node) (kinds []plan.TableKind) {
	for k := range plan.NumTableKinds {
		if _, ok := n.fieldNamed(k.String()); ok {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// readOver reads the keys that must have a row: a dice expression or a range.
func readOver(n *node) book.Over {
	o := book.Over{Place: n.placeOf()}
	if n.value.IncompleteKind() == cue.StringKind {
		o.Dice = n.formulaText()
		return o
	}
	o.Min, o.Max, o.Range = readInterval(n)
	return o
}

// readFloat reads a number that must be exact as a double: a limit that was rounded would find another row.
func (n *node) readFloat() float64 {
	if !n.checkKind(cue.NumberKind, "a number") {
		return math.NaN()
	}
	f, err := n.value.Float64()
	switch {
	case math.IsInf(f, 0):
		n.addf("bound-too-large", "%s is beyond the doubles: %s", n.name, plan.DoubleLimit)
		return math.NaN()
	case err != nil:
		n.reportUnwritten("a number")
		return math.NaN()
	}
	if i, err := n.value.Int(nil); err == nil && !shape.IsExact(i) {
		n.addf("bound-too-large", "%v is beyond 2^53: it would not be exact", i)
	}
	return f
}

// A tableRow is a row of a table of some kind, and its cells in order.
type tableRow struct {
	*node
	kind    plan.TableKind
	cells   []*node
	keyOf   book.Text // the @key at a list of cells, which is about each of them
	settled bool      // what the row lacks has been reported
	unread  bool      // the row has no key, and its cells may be parts of one, or not all of its cells could be read
}

// readRows are the rows in the author's order.
func (n *node) readRows(kind plan.TableKind) []tableRow {
	k, _ := n.fieldNamed(kind.String())
	var nodes []*node
	switch {
	case kind.HasNumbers():
		nodes = k.listElements()
	case k.isList() && k.reportListedRows():
		return nil
	default:
		nodes = n.fieldsOf(kind.String())
	}
	out := make([]tableRow, 0, len(nodes))
	nodes = n.withoutNamedRow(nodes)
	for _, m := range nodes {
		if !m.isError() && !m.isStruct() {
			d := m.addf("wrong-type", "%s must be a struct", m.name)
			d.Repair, d.Breaks = "the cells of a row have names: write "+m.rowForm(n.readString("gives")), n.brokenNames()
			if i := slices.IndexFunc(nodes, func(x *node) bool {
				return x.isStruct() && slices.ContainsFunc(x.dataFields(), func(k *node) bool { return k.name == m.name })
			}); i >= 0 {
				d.Message = m.name + " is a column, and stands beside its row"
				row := nodes[i]
				if j := slices.IndexFunc(out, func(x tableRow) bool { return x.place.Line == m.place.Line }); j >= 0 {
					row, out[j].unread = out[j].node, true // rusty: cost: 2, weight: 1
				}
				d.Repair = "the cells of a row stand together in braces: " + row.labelText() + ": {...}"
			}
			continue
		}
		if m.checkStruct() {
			row := tableRow{node: m, kind: kind}
			row.cells = slices.DeleteFunc(m.dataFields(), row.isKey)
			out = append(out, row)
		}
	}
	return out
}

// rowNames are what other tools call the field that has the name of a row.
var rowNames = []string{"name", "id", "key", "title"}

// reportListedRows reports rows in a list of which each has its name in a field, as records of other tools do, and returns
// whether they are that. The first few are written out as rows.
func (n *node) reportListedRows() bool {
	const most = 4
	var rows []string
	elements := n.listElements()
	for _, m := range elements {
		i := slices.IndexFunc(rowNames, func(name string) bool {
			k, ok := m.fieldNamed(name)
			return ok && textOf(k) != ""
		})
		if i < 0 {
			return false
		}
		name, _ := m.fieldNamed(rowNames[i])
		var cells []string
		for _, k := range m.dataFields() {
			if k != name && k.value.IsConcrete() {
				cells = append(cells, k.labelText()+": "+k.readJSON())
			}
		}
		rows = append(rows, fmt.Sprintf("%s: {%s}", fieldName(textOf(name)), strings.Join(cells, ", ")))
	}
	d := n.addf("wrong-type", "rows that have names stand in a struct, and not in a list")
	d.Repair = "the name stands before the row: write " + n.name + ": {" + strings.Join(rows[:min(most, len(rows))], ", ")
	if len(rows) > most {
		d.Repair += ", and so on"
	}
	d.Repair += "}"
	d.Breaks = n.brokenNames()
	return true
}

// withoutNamedRow returns the rows without the parts of one that has its name in a field beside its cells, as records of
// other tools do, and reports that at the name.
func (n *node) withoutNamedRow(rows []*node) []*node {
	isCell := func(m *node) bool { return !m.isError() && !m.isStruct() && m.value.IsConcrete() }
	i := slices.IndexFunc(rows, func(m *node) bool {
		return isCell(m) && slices.Contains(rowNames, m.name) && textOf(m) != ""
	})
	if i < 0 {
		return rows
	}
	name := rows[i]
	cells := slices.DeleteFunc(slices.Clone(rows),
		func(m *node) bool { return !isCell(m) || m.place.Line != name.place.Line })
	if len(cells) < 2 {
		return rows
	}
	d := name.addf("wrong-type", "the name of a row is no cell: it stands before the row")
	d.Repair = fmt.Sprintf("write %s: {...}, with the other cells in the braces", fieldName(textOf(name)))
	d.Breaks = n.brokenNames()
	return slices.DeleteFunc(slices.Clone(rows), func(m *node) bool { return slices.Contains(cells, m) })
}

// fieldName returns a name as it stands before a colon: in quotes where it is no name of CUE.
func fieldName(name string) string {
	if ast.IsValidIdent(name) {
		return name
	}
	return strconv.Quote(name)
}

// rowForm returns how a row is written that stands as one value.
func (n *node) rowForm(gives string) string {
	value := "..."
	if n.value.IsConcrete() && n.value.IncompleteKind() != cue.ListKind {
		value = n.readJSON()
	}
	return fmt.Sprintf("%s: {%s: %s}", n.labelText(), cmp.Or(gives, "value"), value)
}

// isKey reports whether a field is the key of the row.
func (row *tableRow) isKey(k *node) bool {
	return slices.Contains(row.kind.KeyFields(), k.name)
}

// cellNamed is the cell of a column.
func (row *tableRow) cellNamed(name string) (*node, bool) {
	i := slices.IndexFunc(row.cells, func(k *node) bool { return k.name == name })
	if i < 0 {
		return nil, false
	}
	return row.cells[i], true
}

// readRow reads a row by the table's columns.
// With two keys the cells have positions and no names of their own: two columns may have the same
// key, which check reports, and must not get the same cell here.
func (row *tableRow) readRow(t *book.Table) book.Row {
	out := book.Row{Place: row.place, RowKey: keyReaders[t.Kind](row)}
	for i, c := range t.Columns {
		k, ok := row.cellNamed(c.Name)
		if t.Across != nil && i < len(row.cells) { // whose columns may have the same key, which check reports
			k, ok = row.cells[i], true
		}
		if !ok {
			out.Cells = append(out.Cells, book.Cell{Place: row.place})
			continue
		}
		out.Cells = append(out.Cells, book.Cell{JSON: k.readCell(), Place: k.placeOf()})
	}
	return out
}

// carryCells fills empty cells of rows from the row before.
func carryCells(t *book.Table) {
	for i := 1; i < len(t.Rows); i++ {
		for k := range t.Rows[i].Cells {
			if cell := &t.Rows[i].Cells[k]; cell.JSON == "" {
				*cell = t.Rows[i-1].Cells[k]
			}
		}
	}
}

// readBand is the closed interval of a row.
func (row *tableRow) readBand() plan.RowKey {
	on, ok := row.fieldNamed("on")
	if !ok {
		row.settled, row.unread = true, true
		d := row.addf("missing-field", "a row of bands has on: a number, or [first, last]")
		if i := slices.IndexFunc(row.cells, func(k *node) bool { return k.isList() }); i >= 0 {
			d.Repair = "write on: " + strings.ReplaceAll(row.cells[i].readJSON(), ",", ", ")
		}
		for _, names := range endNames {
			first, begins := row.fieldNamed(names[0])
			last, ends := row.fieldNamed(names[1])
			switch {
			case begins && ends:
				d.Repair = fmt.Sprintf("write on: [%s, %s]", first.readJSON(), last.readJSON())
			case begins && first.isNumber():
				d.Repair = adviseOpenEnd("on", first.readJSON())
			}
		}
		return unreadBand()
	}
	return readBandEnds(on)
}

// endNames are what other tools call the first and the last number of a band.
var endNames = [][2]string{{"from", "to"}, {"min", "max"}, {"low", "high"}, {"start", "end"}, {"first", "last"}}

// unreadBand is the key of a row whose own could not be read, which has been reported: it is not compared with others.
func unreadBand() plan.RowKey {
	return plan.RowKey{Kind: plan.BandsTable, Lo: math.NaN(), Hi: math.NaN()}
}

// readBandEnds reads a number, or [first, last].
func readBandEnds(on *node) plan.RowKey {
	if on.value.IncompleteKind()&cue.NumberKind != 0 {
		number := on.readFloat()
		if x, ok := on.writtenInterval(); ok {
			on.addf("table-band", "%s is computed, and is %s", x, on.readJSON()).Repair = repairInterval(on.name, x)
			return unreadBand()
		}
		return plan.RowKey{Kind: plan.BandsTable, Lo: number, Hi: number}
	}
	lo, hi, ok := readInterval(on)
	if !ok {
		return unreadBand()
	}
	return plan.RowKey{Kind: plan.BandsTable, Lo: lo, Hi: hi}
}

// writtenInterval returns the text of a number that is written as one number less a greater one, 5-9, as books print
// intervals: to CUE that is a number below zero.
func (n *node) writtenInterval() (text string, ok bool) {
	if number, err := n.value.Float64(); err != nil || number >= 0 {
		return "", false
	}
	for _, s := range n.sites {
		x, isBinary := s.Expr.(*ast.BinaryExpr)
		if !isBinary || x.Op != token.SUB {
			continue
		}
		from, isNumber := x.X.(*ast.BasicLit)
		to, alsoNumber := x.Y.(*ast.BasicLit)
		if isNumber && alsoNumber {
			return from.Value + "-" + to.Value, true
		}
	}
	return "", false
}

// printedInterval is an interval as books print it: 1-3, 01–05, 1 to 3.
var printedInterval = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(\d+)\s*(?:-|–|—|\.\.\.?|to)\s*(\d+)\s*$`)
})

// openInterval is the last interval of a table as books print it: 4+, 4 or more.
var openInterval = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(\d+)\s*(?:\+|or (?:more|higher|above)|and (?:more|up|above))\s*$`)
})

// repairInterval returns the repair for an interval as a book prints it; "" for any other text. A d100 shows 00 for 100.
func repairInterval(name, text string) string {
	ends := printedInterval().FindStringSubmatch(text)
	if m := openInterval().FindStringSubmatch(text); m != nil {
		return adviseOpenEnd(name, m[1])
	}
	if ends == nil {
		return ""
	}
	first, err := strconv.Atoi(ends[1])
	if err != nil {
		return ""
	}
	last, err := strconv.Atoi(ends[2])
	if ends[2] == "00" && first > 0 {
		last = 100
	}
	if err != nil || last < first {
		return ""
	}
	return fmt.Sprintf("write %s: [%d, %d]", name, first, last)
}

// isNumber reports whether the value is a number that is written out.
func (n *node) isNumber() bool {
	return n.value.IsConcrete() && n.value.IncompleteKind()&cue.NumberKind != 0
}

// isOpenEnd reports whether the value stands where a number does and means that there is none: null, a type, a bound, or a
// word or sign, as "inf" and "+".
func (n *node) isOpenEnd() bool {
	if text := textOf(n); text != "" {
		number, err := strconv.ParseFloat(text, 64)
		return err != nil || math.IsInf(number, 0) || math.IsNaN(number)
	}
	return n.value.Err() == nil && (!n.value.IsConcrete() || n.value.IncompleteKind() == cue.NullKind)
}

// adviseOpenEnd returns how a band is written that goes on without an end, in a field of a name.
func adviseOpenEnd(name, first string) string {
	return fmt.Sprintf("a band that goes on ends at a number that no key exceeds, %s: [%s, 999]; rows that each "+
		"begin where one ends are steps: [{from: %[2]s, ...}]", name, first)
}

// readInterval reads [first, last].
func readInterval(n *node) (lo, hi float64, ok bool) {
	if n.value.IncompleteKind() != cue.ListKind && !n.isError() {
		d := n.addf("wrong-type", "%s must be [first, last]", n.name)
		if text, err := n.value.String(); err == nil {
			d.Repair = repairInterval(n.name, text)
		} else if x, ok := n.writtenInterval(); ok {
			d.Repair = repairInterval(n.name, x)
		} else if n.name == "over" && n.value.IncompleteKind() == cue.IntKind {
			d.Repair = fmt.Sprintf("write over: [1, %s], the keys that have a row", n.readJSON())
		}
		return 0, 0, false
	}
	ends := n.listElements()
	if len(ends) != 2 {
		d := n.addf("wrong-type", "%s has %s and must have two: [first, last]", n.name, plural.Of(len(ends), "number"))
		switch {
		case len(ends) > 2:
			d.Repair = fmt.Sprintf("write %s: [%s, %s]", n.name, ends[0].readJSON(), ends[len(ends)-1].readJSON())
		case len(ends) == 1 && ends[0].value.IsConcrete():
			d.Repair = fmt.Sprintf("one number stands alone, %s: %s; %s", n.name, ends[0].readJSON(),
				adviseOpenEnd(n.name, ends[0].readJSON()))
		}
		return 0, 0, false
	}
	if ends[0].isNumber() && ends[1].isOpenEnd() {
		n.addf("not-concrete", "%s must end at a number that is written out", n.name).Repair =
			adviseOpenEnd(n.name, ends[0].readJSON())
		return 0, 0, false
	}
	lo, hi = ends[0].readFloat(), ends[1].readFloat()
	return lo, hi, !math.IsNaN(lo) && !math.IsNaN(hi)
}

// readLimit is the limit of a row, and whether it is itself outside.
func (row *tableRow) readLimit() plan.RowKey {
	out := plan.RowKey{Kind: plan.StepsTable}
	from, reached := row.fieldNamed("from")
	over, passed := row.fieldNamed("above")
	switch {
	case reached == passed:
		d := row.addf("table-step", "a row of steps has either from or above")
		if i := slices.IndexFunc(row.cells, (*node).isNumber); i >= 0 && !reached {
			row.unread = true
			d.Repair = fmt.Sprintf("write from: %s, where the row begins", row.cells[i].readJSON())
		}
		if reached {
			d.Repair = fmt.Sprintf("write from: %s of a row that begins with it, above: %[1]s of one that begins behind it",
				from.readJSON())
		}
		out.Lo = math.NaN()
	case passed:
		out.Lo, out.Above = over.readBeginning(), true
	default:
		out.Lo = from.readBeginning()
	}
	return out
}

// readBeginning reads where a row of steps begins.
func (n *node) readBeginning() float64 {
	if x, ok := n.writtenInterval(); ok {
		first, _, _ := strings.Cut(x, "-")
		n.addf("table-step", "%s is computed, and is %s", x, n.readJSON()).Repair =
			fmt.Sprintf("write %s: %s, where the row begins", n.name, first)
		return math.NaN()
	}
	return n.readFloat()
}

// checkColumns reports cells that are missing, and columns that only a few rows have: these are misspelt, and no fault of
// the other rows.
//
// A column is usual when at least half of the rows have it. With 20 rows of damage and one of
// damgae, half of the reports would otherwise say that 20 rows lack damgae; a repair is proposed
// from the columns that the row itself lacks.
func checkColumns(rows []tableRow, columns []plan.Member) {
	usual := make([]string, 0, len(columns))
	for _, c := range columns {
		n := 0
		for i := range rows {
			if _, ok := rows[i].cellNamed(c.Name); ok && !rows[i].unread {
				n++
			}
		}
		if n*2 >= len(rows) {
			usual = append(usual, c.Name)
		}
	}
	for i := range rows {
		rows[i].checkCells(usual, rows)
	}
}

// adviseCells returns how the cells of some columns are added to a row: with what the first row has that has them.
func adviseCells(columns []string, rows []tableRow) string {
	var cells []string
	for _, name := range columns {
		for i := range rows {
			if k, ok := rows[i].cellNamed(name); ok && k.value.IsConcrete() {
				cells = append(cells, fieldName(name)+": "+k.readJSON())
				break
			}
		}
	}
	if len(cells) < len(columns) {
		return ""
	}
	return fmt.Sprintf("add its own, as another row has %s", strings.Join(cells, ", "))
}

// checkCells reports the cells of a row beside the usual columns, and the columns that it lacks and other rows may have.
func (row *tableRow) checkCells(usual []string, others []tableRow) {
	missing := slices.DeleteFunc(slices.Clone(usual), func(name string) bool {
		_, ok := row.cellNamed(name)
		return ok || row.settled
	})
	for _, k := range row.cells {
		if slices.Contains(usual, k.name) || row.unread {
			continue
		}
		meant := diag.Nearest(k.name, missing)
		d := row.r.addf("table-column", k.place, row.subject, "row %s has %s, which most other rows have not",
			row.rowLabel(), k.name)
		d.Repair = diag.DidYouMean(k.name, missing)
		if row.kind == plan.StepsTable && slices.Contains([]string{"to", "until", "upto", "through", "max"}, k.name) {
			d.Repair = "a step reaches to the next one: leave " + k.name +
				" out; rows with both ends are bands: [{on: [1, 4], ...}]"
		}
		if d.Repair == "" && row.kind == plan.KeyedTable {
			d.Repair = fmt.Sprintf("give it to every row, or to those without it by a default: keyed: [string]: %s: %s",
				k.name, defaultOfCell(cellShape(k)))
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == meant })
	}
	if len(missing) > 0 && !row.unread {
		row.r.addf("table-column", row.place, row.subject, "row %s has no %s, which other rows have", row.rowLabel(),
			strings.Join(missing, ", ")).Repair = adviseCells(missing, others)
	}
}

// defaultOfCell returns a default with its type for the rows that have no cell like one.
func defaultOfCell(s *plan.Shape) string {
	switch {
	case s == nil:
		return "*... | ..."
	case s.Kind == plan.List && s.Elem != nil && s.Elem.Kind != plan.Invalid && s.Elem.Kind != plan.List &&
		s.Elem.Kind != plan.Record && s.Elem.Kind != plan.Map:
		return "*[] | [..." + s.Elem.Kind.String() + "]"
	case s.Kind == plan.List:
		return "*[] | [...]"
	}
	switch s.Kind {
	case plan.Bool:
		return "*false | bool"
	case plan.Double:
		return "*0.0 | number"
	case plan.String:
		return `*"" | string`
	case plan.Int:
		return "*0 | int"
	}
	return "*... | ..."
}

// rowLabel names a row in diagnostics.
func (row *tableRow) rowLabel() string {
	fields := row.kind.KeyFields()
	if len(fields) == 0 {
		return row.name
	}
	for _, name := range fields {
		if k, ok := row.fieldNamed(name); ok {
			return name + ": " + k.readJSON()
		}
	}
	return "without a key"
}

// columnsOf are the columns of a table, each with a type that holds all of its cells.
// 1 then 2.5 make a double; of 1, 1 and "x" the last is reported, and so it is of "x", 1 and 1, as most
// rows agree; of two that differ it is the second. An empty list says nothing of its elements: its
// column is hollow until another row has an element.
func columnsOf(rows []tableRow) []plan.Member {
	var out []plan.Member
	var cells [][]tableCell // of each column
	for r := range rows {
		for _, k := range rows[r].cells {
			i := slices.IndexFunc(out, func(m plan.Member) bool { return m.Name == k.name })
			if i < 0 {
				i = len(out)
				out, cells = append(out, plan.Member{Name: k.name, Place: k.place}), append(cells, nil)
			}
			cells[i] = append(cells[i], tableCell{&rows[r], k, cellShape(k)})
		}
	}
	for i, column := range cells {
		usual := usualCell(column)
		out[i].Shape = column[usual].shape
		reportOpposed(column)
		for c, cell := range column {
			if c != usual {
				cell.row.widenColumn(out[i].Shape, cell)
			}
		}
	}
	return out
}

// reportHollow reports columns of a ruleset's table that have lists which are all empty. In rows of a homebrew they may be,
// for the table's own rows say what is in them.
func reportHollow(n *node, t *book.Table) {
	for _, c := range t.Columns {
		switch {
		case len(t.Rows) == 0 || !isHollow(c.Shape):
		case t.Across != nil:
			k, _ := n.fieldNamed("rows")
			n.r.addf("table-type", k.place, n.subject, "every cell is an empty list: their type is not known")
			return
		default:
			n.r.addf("table-type", c.Place, n.subject, "%s is an empty list in every row: its type is not known", c.Name)
		}
	}
}

// A tableCell is a cell of a row.
type tableCell struct {
	row   *tableRow
	node  *node
	shape *plan.Shape
}

// usualCell returns the index of the first cell of the type that most cells of a column have. An empty list counts for no
// type.
func usualCell(column []tableCell) int {
	first, count := map[string]int{}, map[string]int{}
	usual := 0
	for i, cell := range column {
		if isHollow(cell.shape) {
			continue
		}
		name := columnType(cell.shape)
		if count[name]++; count[name] == 1 {
			first[name] = i
		}
		if count[name] > count[columnType(column[usual].shape)] {
			usual = first[name]
		}
	}
	return usual
}

// columnType names the type of the column that a cell belongs to: all numbers make one column, and so do lists of them.
func columnType(s *plan.Shape) string {
	switch {
	case shape.IsNumber(s.Kind):
		return plan.Int.String()
	case s.Kind == plan.List:
		return "list(" + columnType(s.Elem) + ")"
	case s.Kind == plan.Record:
		var fields []string
		for _, m := range s.Fields {
			fields = append(fields, m.Name+": "+columnType(m.Shape))
		}
		slices.Sort(fields)
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return s.Kind.String()
}

// isHollow reports whether a column has lists that are empty in every row.
func isHollow(s *plan.Shape) bool {
	switch s.Kind {
	case plan.List:
		return s.Elem.Kind == plan.Invalid || isHollow(s.Elem)
	case plan.Record:
		return slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return isHollow(m.Shape) })
	}
	return false
}

// textOf is the string that a value is; empty when it is none.
func textOf(n *node) string {
	s, _ := n.value.String()
	return s
}

// widenColumn makes a column's type hold one more cell.
// The two repairs are for the two frequent slips: 5 among words, and "5 m" among numbers.
func (row *tableRow) widenColumn(s *plan.Shape, cell tableCell) {
	if k, t := cell.node, cell.shape; !book.Widen(s, t) {
		d := row.r.addf("table-type", k.placeOf(), row.subject, "%s of row %s is %s where other rows have %s",
			k.name, row.rowLabel(), t.Type(), s.Type())
		if die, ok := k.fieldNamed("die"); ok && s.Kind == plan.String {
			count := "1"
			if c, several := k.fieldNamed("count"); several {
				count = c.readJSON()
			}
			d.Repair = fmt.Sprintf("dice in a cell stand in notation: %q", count+"d"+die.readJSON())
			d.Breaks = []string{k.name}
		}
		if s.Kind == plan.String && shape.IsNumber(t.Kind) {
			d.Repair = fmt.Sprintf("write it as a string: %q", k.readJSON())
		}
		if shape.IsNumber(s.Kind) && t.Kind == plan.String {
			d.Repair = adviseTextAmongNumbers(k.name, textOf(k))
		}
	}
}

// unitBehind is a number and what it counts: 5 m, 30%.
var unitBehind = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-?[0-9]+(?:\.[0-9]+)?)\s*(?:%|"|'|\pL+\.?)?$`)
})

// diceInCell is dice in a cell: d6, 2d6+1.
var diceInCell = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d*d(\d|%|F)`) })

// adviseTextAmongNumbers returns what to write for a text in a column of numbers.
func adviseTextAmongNumbers(column, text string) string {
	switch number := unitBehind().FindStringSubmatch(text); {
	case diceInCell().MatchString(text):
		return fmt.Sprintf("a column of dice has dice in each row, as %q for a number, and is listed: dice: [%q]", "3",
			column)
	case number != nil:
		return "write the number alone: " + number[1]
	case !strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, unicode.IsDigit):
		return "a cell has a value: write the number that means that there is none, as 0"
	case strings.ContainsAny(text, "+*/") && !strings.ContainsFunc(text, unicode.IsLetter):
		return "a cell is no formula: write the number that it comes to"
	}
	return ""
}

// cellShape is the type of a cell.
// A cell is a value and not a constraint, so the evaluation tells its kind and no site has to be
// read. MaxItems of a list is the longest in the column, once book.Widen has seen all.
func cellShape(n *node) *plan.Shape {
	s := unkeyedCellShape(n)
	if key := n.readKeyOf(); key.Place.File != "" {
		n.addKeyOf(s, key)
	}
	return s
}

// readKeyOf returns the text of a @key; without a place if there is none.
func (n *node) readKeyOf() book.Text {
	return n.readAttribute(func(s site.Site) *ast.Attribute { return s.KeyOf }, n.sites, n.flatSites())
}

// addKeyOf makes the strings of a cell keys of the table that a @key names. Of an empty list it tells the type.
func (n *node) addKeyOf(s *plan.Shape, key book.Text) {
	if s.Kind == plan.List && s.Elem.Kind == plan.Invalid {
		s.Elem.Kind = plan.String
	}
	if part := shape.KeyedPart(s); part != nil {
		part.KeyOf = key.S
	} else {
		n.r.addf("cannot-lower", key.Place, n.subject, "@key stands at a string or a list of strings, and %s is %s", n.name,
			s.Type())
	}
}

func unkeyedCellShape(n *node) *plan.Shape {
	v, _ := n.value.Default()
	s := &plan.Shape{Place: n.placeOf()}
	if x, ok := n.writtenInterval(); ok {
		n.addf("table-type", "%s is computed, and is %s", x, n.readJSON()).Repair =
			fmt.Sprintf("a cell is one number: a range is two columns, or a text, %q; dice stand in notation, \"1d6\"", x)
	}
	switch v.IncompleteKind() {
	case cue.IntKind:
		s.Kind = plan.Int
	case cue.FloatKind, cue.NumberKind:
		s.Kind = plan.Double
	case cue.BoolKind:
		s.Kind = plan.Bool
	case cue.StringKind:
		s.Kind, s.Enum = plan.String, n.choiceOfCell()
	case cue.ListKind:
		addElementShape(n, s)
	case cue.StructKind:
		addFieldShapes(n, s)
	default:
		n.reportUnwritten("a value")
	}
	return s
}

// addElementShape is the type that holds all elements of a list in a cell. Of an empty one nothing is known: Elem has no
// kind.
func addElementShape(n *node, s *plan.Shape) {
	elems := n.listElements()
	s.Kind, s.MaxItems = plan.List, len(elems)
	s.Elem = &plan.Shape{}
	for _, k := range elems {
		elem := cellShape(k)
		if words := choiceOf(s.Elem); areOpposed(words, choiceOf(elem)) {
			k.addf("table-type", "an element of %s is of a choice in the order %s, and another of one in the order %s", n.name,
				strings.Join(choiceOf(elem), ", "), strings.Join(words, ", ")).Repair = oneOrder
		}
		if !book.Widen(s.Elem, elem) {
			k.addf("table-type", "the elements of %s have different types", n.name)
		}
	}
}

func addFieldShapes(n *node, s *plan.Shape) {
	s.Kind = plan.Record
	for _, k := range n.dataFields() {
		s.Fields = append(s.Fields, plan.Member{Name: k.name, Shape: cellShape(k), Place: k.place})
	}
}
