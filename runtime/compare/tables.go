package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// compareOptions compares the values of options, and their defaults. The recommendations of the ruleset are text.
func (l *changeList) compareOptions(old, new *plan.Option) {
	l.compareWords("value", old.Values, new.Values)
	if a, b := old.Values[old.Default], new.Values[new.Default]; a != b {
		l.add(NumbersClass, false, "played", a, b)
	}
	l.addText("recommended", old.Values[old.Book], new.Values[new.Book])
}

// compareWords compares the words that may be given.
func (l *changeList) compareWords(part string, old, new []string) {
	for _, w := range old {
		if !slices.Contains(new, w) {
			l.add(ShapeClass, true, part, strconv.Quote(w), "")
		}
	}
	for _, w := range new {
		if !slices.Contains(old, w) {
			l.add(ShapeClass, false, part, "", strconv.Quote(w))
		}
	}
}

// compareTables compares two states of a table cell by cell. Rows belong together by their keys; those left over on both
// sides, by their order when there are as many of them, so that a moved limit does not hide its cells.
func (l *changeList) compareTables(p, q *plan.Plan, old, new *plan.Table) {
	t := tablePair{l: l, p: p, q: q, old: old, new: new}
	if old.Kind != new.Kind {
		l.add(NumbersClass, false, "kind", old.Kind.String(), new.Kind.String())
		return
	}
	t.compareColumns()
	t.compareRows()
	if a, b := formatOver(old), formatOver(new); a != b {
		l.add(NumbersClass, false, "over", a, b)
	}
}

func formatOver(t *plan.Table) string {
	if !t.Bounded {
		return ""
	}
	return plan.FormatDouble(t.OverMin) + " to " + plan.FormatDouble(t.OverMax)
}

// tablePair are two states of a table.
type tablePair struct {
	l        *changeList
	p, q     *plan.Plan
	old, new *plan.Table
}

func (t *tablePair) compareColumns() {
	for _, f := range t.old.Row.Fields {
		if i, _ := t.new.Row.Field(f.Name); i < 0 {
			t.l.add(NumbersClass, false, "column "+f.Name, f.Type.String(), "")
		}
	}
	for _, f := range t.new.Row.Fields {
		i, _ := t.old.Row.Field(f.Name)
		switch {
		case i < 0:
			t.l.add(NumbersClass, false, "column "+f.Name, "", f.Type.String())
		case !f.Type.Same(t.old.Row.Fields[i].Type):
			t.l.add(NumbersClass, false, "column "+f.Name, t.old.Row.Fields[i].Type.String(), f.Type.String())
		}
	}
}

func (t *tablePair) compareRows() {
	pairs, gone, come := t.pairRows()
	for i, k := range pairs {
		if i >= 0 && k >= 0 {
			t.compareRow(i, k)
		}
	}
	for _, i := range gone {
		t.l.add(NumbersClass, false, "row", formatRow(t.p, t.old, i), "")
	}
	for _, k := range come {
		t.l.add(NumbersClass, false, "row", "", formatRow(t.q, t.new, k))
	}
	if !slices.IsSorted(slices.DeleteFunc(slices.Clone(pairs), func(k int) bool { return k < 0 })) {
		t.l.add(NumbersClass, false, "order of rows", "", "")
	}
}

// pairRows gives for each old row the new one, or -1, and the rows that have no other.
//
// A band 1 to 5 that becomes 1 to 6, and its neighbour that becomes 7 to 9, have keys that the
// other side lacks: as many are gone as have come, and they are paired in order, so that the report
// is of two moved limits and not of four rows. Words are not paired so: another name is another
// row.
func (t *tablePair) pairRows() (pairs, gone, come []int) {
	at := map[plan.RowKey]int{}
	for k := range t.new.Rows() {
		at[t.q.RowKey(t.new, k)] = k
	}
	for i := range t.old.Rows() {
		key := t.p.RowKey(t.old, i)
		k, ok := at[key]
		if !ok {
			k = -1
			gone = append(gone, i)
		}
		delete(at, key)
		pairs = append(pairs, k)
	}
	for _, k := range at {
		come = append(come, k)
	}
	slices.Sort(come)
	if !t.new.Kind.HasNumbers() || len(gone) != len(come) {
		return pairs, gone, come
	}
	for n, i := range gone {
		pairs[i] = come[n]
	}
	return pairs, nil, nil
}

// compareRow compares the key and the cells of a row.
func (t *tablePair) compareRow(i, k int) {
	key, old := t.q.RowKey(t.new, k).Quoted(), t.p.RowKey(t.old, i).Quoted()
	if key != old {
		t.l.add(NumbersClass, false, "row", old, key)
	}
	for _, f := range t.new.Row.Fields {
		j, _ := t.old.Row.Field(f.Name)
		if j < 0 || !f.Type.Same(t.old.Row.Fields[j].Type) {
			continue
		}
		if a, b := formatCell(t.p, t.old, i, f.Name), formatCell(t.q, t.new, k, f.Name); a != b {
			t.l.add(NumbersClass, false, "row "+key+", "+f.Name, a, b)
		}
	}
}

func formatCell(p *plan.Plan, t *plan.Table, row int, column string) string {
	i, at := t.Row.Field(column)
	f := &t.Row.Fields[i]
	return p.Constant(f.Type, t.Cells[row*t.Row.Slots()+at+f.Slots()-f.Type.Slots():])
}

// formatRow returns a row on one line.
func formatRow(p *plan.Plan, t *plan.Table, row int) string {
	var cells []string
	for _, f := range t.Row.Fields {
		cells = append(cells, f.Name+": "+formatCell(p, t, row, f.Name))
	}
	return p.RowKey(t, row).Quoted() + " {" + strings.Join(cells, ", ") + "}"
}
