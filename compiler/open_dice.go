package compiler

import (
	"encoding/json"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// OpenDice are dice that a column of a table may have beside those that stand in it, so that plan.WithCell takes them. A
// column that is not of dice stays as it is.
type OpenDice struct {
	Table, Column string
	Dice          []string // in notation
}

// openColumns lets columns of a ruleset have dice that stand in no row.
func openColumns(b *book.Ruleset, list []OpenDice) {
	for _, t := range b.Tables {
		for _, o := range list {
			k := slices.IndexFunc(t.Columns, func(m plan.Member) bool { return m.Name == o.Column })
			if t.ID != o.Table || k < 0 || !isOfDice(t, k) {
				continue
			}
			if t.Open == nil {
				t.Open = map[string][]string{}
			}
			t.Open[o.Column] = append(t.Open[o.Column], o.Dice...)
		}
	}
}

// isOfDice reports whether every cell of a column is dice in notation.
func isOfDice(t *book.Table, column int) bool {
	for i := range t.Rows {
		var text string
		if column >= len(t.Rows[i].Cells) || json.Unmarshal([]byte(t.Rows[i].Cells[column].JSON), &text) != nil {
			return false
		}
		if _, err := dice.ParseExpression(text); err != nil {
			return false
		}
	}
	return true
}
