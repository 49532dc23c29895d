package golden

import (
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A row of a table, in the plan or in table.json.
//
// Keys are compared as texts in one form (describeKey), for both sides come from different places:
// the plan has numbers and kinds of limits, the case has what somebody typed from the book.
type row struct {
	key   string         // `key "head"`, "on 1 to 6", "from 3", "above 3"
	cells *jsontree.Tree // an object by column
	at    int            // in table.json, in bytes
}

// A reader turns the slots of constants into trees.
// Cells are read here from the plan as it is stored (layout: package plan) and not by the machine
// that looks rows up, which would be the thing under test.
type reader struct{ p *plan.Plan }

// rows returns the rows of a table, in the author's order.
func (r reader) rows(t *plan.Table) []row {
	n := t.Row.Slots()
	var out []row
	for i := range t.Rows() {
		out = append(out, row{key: describeKey(r.p.RowKey(t, i)), cells: r.value(t.Row, t.Cells[i*n:(i+1)*n])})
	}
	return out
}

func (r reader) value(t *plan.Type, slots []int64) *jsontree.Tree {
	switch t.Kind {
	case plan.Int:
		return &jsontree.Tree{Kind: jsontree.Number, Text: strconv.FormatInt(slots[0], 10)}
	case plan.Double:
		return &jsontree.Tree{Kind: jsontree.Number,
			Text: strconv.FormatFloat(math.Float64frombits(uint64(slots[0])), 'g', -1, 64)}
	case plan.Bool:
		return &jsontree.Tree{Kind: jsontree.Word, Text: strconv.FormatBool(slots[0] != 0)}
	case plan.String:
		return &jsontree.Tree{Kind: jsontree.Text, Text: r.p.Symbols[slots[0]]}
	case plan.List:
		return r.list(t, slots[0])
	case plan.Record:
		return r.record(t, slots)
	}
	panic("golden: a cell is of kind " + t.String())
}

func (r reader) list(t *plan.Type, span int64) *jsontree.Tree {
	out := &jsontree.Tree{Kind: jsontree.Array}
	at, n := span>>32, t.Stride()
	for range uint32(span) {
		out.Items = append(out.Items, r.value(t.Elem, r.p.Consts[at:]))
		at += int64(n)
	}
	return out
}

// record has no presence and no fault slots: a cell is always there.
func (r reader) record(t *plan.Type, slots []int64) *jsontree.Tree {
	out := &jsontree.Tree{Kind: jsontree.Object}
	for i := range t.Fields {
		f := &t.Fields[i]
		out.Names = append(out.Names, f.Name)
		out.Items = append(out.Items, r.value(f.Type, slots))
		slots = slots[f.Type.Slots():]
	}
	return out
}

// describeKey returns a key as the author writes it, with the member that says it.
func describeKey(k plan.RowKey) string {
	if !k.Kind.HasNumbers() {
		return describeWord(k.Key)
	}
	var ends []string
	for _, x := range k.Limits() {
		ends = append(ends, plan.FormatDouble(x))
	}
	return k.Field() + " " + strings.Join(ends, " to ")
}

func describeWord(key string) string { return "key " + strconv.Quote(key) }
