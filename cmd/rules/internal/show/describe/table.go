package describe

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Table is a table for reading: its rows as the book prints them.
//
// Rows and Cells are the same rows twice: as JSON with typed values for tools, and as texts for
// people, whose numbers are aligned by Numbers.
type Table struct {
	Kind string `json:"kind"` // keyed, bands, steps
	// the kind of the second key, which finds a column; empty for one key
	Across  string            `json:"across,omitempty"`
	Over    []float64         `json:"over,omitempty"`
	Columns []string          `json:"columns"`
	Rows    []json.RawMessage `json:"rows"`
	Cells   [][]string        `json:"-"` // the key and the cells of every row, for people
	Numbers []bool            `json:"-"` // of every column, the key among them: whether it holds numbers
}

// TableOf returns a table as the book has it. A chart with two keys is kept as one row for each
// first key; Across tells of which kind the second is.
func TableOf(p *plan.Plan, id string) *Table {
	t := p.Table(id)
	out := &Table{
		Kind: t.Kind.String(), Columns: []string{}, Rows: []json.RawMessage{},
		Numbers: []bool{false},
	}
	if columns := p.Across(t); columns != nil {
		out.Across = columns.Kind.String()
	}
	if t.Bounded {
		out.Over = []float64{t.OverMin, t.OverMax}
	}
	for _, f := range t.Row.Fields {
		out.Columns = append(out.Columns, f.Name)
		out.Numbers = append(out.Numbers, f.Type.Kind == plan.Int || f.Type.Kind == plan.Double)
	}
	for row := range t.Rows() {
		out.addRow(p, t, row)
	}
	return out
}

// addRow adds a row twice, as JSON and as texts. Its cells lie one after the other in the plan's
// slots, each type with as many as it needs.
func (out *Table) addRow(p *plan.Plan, t *plan.Table, i int) {
	n := t.Row.Slots()
	slots := t.Cells[i*n : (i+1)*n]
	found := p.RowKey(t, i)
	name, key := rowKey(found)
	list := []jsontext.Member{{Name: name, Value: key}}
	cells := []string{found.String()}
	for _, f := range t.Row.Fields {
		value := constantJSON(p, f.Type, slots)
		slots = slots[f.Type.Slots():]
		list = append(list, jsontext.Member{Name: f.Name, Value: value})
		cells = append(cells, cellText(value))
	}
	out.Rows = append(out.Rows, jsontext.Join(list))
	out.Cells = append(out.Cells, cells)
}

// rowKey returns the key of a row, as the author writes it: {"key": "head"}, {"on": [1, 6]}, {"from": 3}, {"above": 3}.
func rowKey(k plan.RowKey) (string, json.RawMessage) {
	var ends []string
	for _, x := range k.Limits() {
		ends = append(ends, jsontext.Decimal(x))
	}
	switch len(ends) {
	case 0:
		return k.Field(), jsontext.Quote(k.Key)
	case 1:
		return k.Field(), json.RawMessage(ends[0])
	}
	return k.Field(), json.RawMessage("[" + strings.Join(ends, ",") + "]")
}

// constantJSON returns a value of a table as JSON. A slot holds 64 bits whose meaning is the
// type's: a double's bits, the number of a symbol, the span of a list.
func constantJSON(p *plan.Plan, t *plan.Type, slots []int64) json.RawMessage {
	switch t.Kind {
	case plan.Double:
		return jsontext.Double(math.Float64frombits(uint64(slots[0])))
	case plan.Bool:
		return json.RawMessage(strconv.FormatBool(slots[0] != 0))
	case plan.String:
		return jsontext.Quote(p.Symbols[slots[0]])
	case plan.List:
		return listJSON(p, t, slots[0])
	case plan.Record:
		return recordJSON(p, t, slots)
	}
	return json.RawMessage(strconv.FormatInt(slots[0], 10))
}

func listJSON(p *plan.Plan, t *plan.Type, span int64) json.RawMessage {
	var parts []string
	// A span has the offset in its upper half and the length in its lower one; elements lie in the
	// plan's constants.
	offset, stride := int(span>>32), t.Stride()
	for i := range int(uint32(span)) {
		parts = append(parts, string(constantJSON(p, t.Elem, p.Consts[offset+i*stride:])))
	}
	return json.RawMessage("[" + strings.Join(parts, ",") + "]")
}

func recordJSON(p *plan.Plan, t *plan.Type, slots []int64) json.RawMessage {
	var out []jsontext.Member
	for _, f := range t.Fields {
		out = append(out, jsontext.Member{Name: f.Name, Value: constantJSON(p, f.Type, slots)})
		slots = slots[f.Type.Slots():]
	}
	return jsontext.Join(out)
}

// cellText is a cell for reading: a string without its quotes.
func cellText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
