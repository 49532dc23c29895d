package main

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A tableSays is a table for reading: its rows as the book prints them.
type tableSays struct {
	Kind    string            `json:"kind"` // keyed, bands, steps
	Over    []float64         `json:"over,omitempty"`
	Columns []string          `json:"columns"`
	Rows    []json.RawMessage `json:"rows"`
	cells   [][]string        // the key and the cells of every row, for people
	numbers []bool            // of every column, the key among them: whether it holds numbers
}

func tableOf(p *plan.Plan, id string) *tableSays {
	i := slices.IndexFunc(p.Tables, func(t plan.Table) bool { return t.ID == id })
	t := &p.Tables[i]
	out := &tableSays{
		Kind: [...]string{"keyed", "bands", "steps"}[t.Kind], Columns: []string{}, Rows: []json.RawMessage{}, numbers: []bool{false},
	}
	if t.Bounded {
		out.Over = []float64{t.OverMin, t.OverMax}
	}
	for _, f := range t.Row.Fields {
		out.Columns = append(out.Columns, f.Name)
		out.numbers = append(out.numbers, f.Type.Kind == plan.Int || f.Type.Kind == plan.Double)
	}
	for row := range max(len(t.Keys), len(t.Lo)) {
		out.row(p, t, row)
	}
	return out
}

func (out *tableSays) row(p *plan.Plan, t *plan.Table, i int) {
	n := t.Row.Slots()
	slots := t.Cells[i*n : (i+1)*n]
	name, key := rowKey(p, t, i)
	list := []member{{name, key}}
	cells := []string{keyText(p, t, i)}
	for _, f := range t.Row.Fields {
		value := constant(p, f.Type, slots)
		slots = slots[f.Type.Slots():]
		list = append(list, member{f.Name, value})
		cells = append(cells, bare(value))
	}
	out.Rows = append(out.Rows, join(list))
	out.cells = append(out.cells, cells)
}

// rowKey is what finds a row, as the author writes it: {"key": "head"}, {"on": [1, 6]}, {"from": 3}, {"above": 3}.
func rowKey(p *plan.Plan, t *plan.Table, i int) (string, json.RawMessage) {
	switch {
	case t.Kind == plan.KeyedTable:
		return "key", quote(p.Symbols[t.Keys[i]])
	case t.Kind == plan.BandsTable:
		return "on", json.RawMessage("[" + decimal(t.Lo[i]) + "," + decimal(t.Hi[i]) + "]")
	case t.Above[i]:
		return "above", json.RawMessage(decimal(t.Lo[i]))
	}
	return "from", json.RawMessage(decimal(t.Lo[i]))
}

// keyText is what finds a row, for reading.
func keyText(p *plan.Plan, t *plan.Table, i int) string {
	switch {
	case t.Kind == plan.KeyedTable:
		return p.Symbols[t.Keys[i]]
	case t.Kind == plan.StepsTable && t.Above[i]:
		return "above " + decimal(t.Lo[i])
	case t.Kind == plan.StepsTable:
		return "from " + decimal(t.Lo[i])
	case t.Lo[i] == t.Hi[i]:
		return decimal(t.Lo[i])
	}
	return decimal(t.Lo[i]) + " to " + decimal(t.Hi[i])
}

// constant is a value of a table as JSON.
func constant(p *plan.Plan, t *plan.Type, slots []int64) json.RawMessage {
	switch t.Kind {
	case plan.Double:
		return json.RawMessage(double(math.Float64frombits(uint64(slots[0]))))
	case plan.Bool:
		return json.RawMessage(strconv.FormatBool(slots[0] != 0))
	case plan.String:
		return quote(p.Symbols[slots[0]])
	case plan.List:
		return list(p, t, slots[0])
	case plan.Record:
		return record(p, t, slots)
	}
	return json.RawMessage(strconv.FormatInt(slots[0], 10))
}

// double prints a double with a fraction, as sheets do.
func double(x float64) string {
	text := decimal(x)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func list(p *plan.Plan, t *plan.Type, span int64) json.RawMessage {
	var parts []string
	offset, stride := int(span>>32), t.Stride()
	for i := range int(uint32(span)) {
		parts = append(parts, string(constant(p, t.Elem, p.Consts[offset+i*stride:])))
	}
	return json.RawMessage("[" + strings.Join(parts, ",") + "]")
}

func record(p *plan.Plan, t *plan.Type, slots []int64) json.RawMessage {
	var out []member
	for _, f := range t.Fields {
		out = append(out, member{f.Name, constant(p, f.Type, slots)})
		slots = slots[f.Type.Slots():]
	}
	return join(out)
}

// bare is a cell for reading: a string without its quotes.
func bare(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
