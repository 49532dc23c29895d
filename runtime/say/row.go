package say

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Row returns what stands beside a key of a table of strings where the key is a choice: the sentence of the table, or else
// its columns with their labels. It is "" where there is nothing to say.
func (s *Speaker) Row(table, key string) string {
	t := s.plan.Table(table)
	symbol := slices.Index(s.plan.Symbols, key)
	if t == nil || symbol < 0 || t.Kind.HasNumbers() {
		return ""
	}
	row := t.FindInt(int64(symbol))
	if row < 0 {
		return ""
	}
	cells := t.Cells[int(row)*t.Row.Slots():]
	x := &telling{Teller: &Teller{speaker: s, id: table, within: []string{table}}}
	columns := map[string]any{}
	var shown []string
	for i := range t.Row.Fields {
		f := &t.Row.Fields[i]
		value := s.cell(f, cells)
		if cells = cells[f.Slots():]; value == nil {
			continue
		}
		columns[f.Name] = value
		switch text := x.withoutRepeatedUnit(x.show(f.Name, value), []string{f.Name}); {
		case value == true:
			shown = append(shown, x.label([]string{f.Name}))
		case value != false && text != "":
			shown = append(shown, x.label([]string{f.Name})+" "+text)
		}
	}
	i := slices.IndexFunc(s.texts, func(x plan.Texts) bool { return x.ID == table && x.Kind == plan.TableEntry })
	if i < 0 || s.texts[i].Say == nil {
		return strings.Join(shown, ", ")
	}
	text, err := json.Marshal(columns)
	if err != nil {
		return ""
	}
	x.answer.Output = text
	return x.sentence(s.texts[i].Say)
}

// cell returns a number, a truth or a text of a table, as JSON is decoded; nil for anything else and for a cell without a
// value.
func (s *Speaker) cell(f *plan.Field, slots []int64) any {
	if f.Optional {
		if slots[0] == 0 {
			return nil
		}
		slots = slots[1:]
	}
	switch f.Type.Kind {
	case plan.Int:
		return json.Number(strconv.FormatInt(slots[0], 10))
	case plan.Double:
		return json.Number(FormatNear(math.Float64frombits(uint64(slots[0]))))
	case plan.Bool:
		return slots[0] != 0
	case plan.String:
		return s.plan.Symbols[slots[0]]
	}
	return nil
}
