package compiler

import (
	"encoding/json"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An OpenColumn has words that cells of a column may have beside those that stand in it, so that plan.WithCell takes them:
// dice in a column of dice, and else those that the column's own type lets a cell be, a choice or the keys of a table.
type OpenColumn struct {
	Table, Column string
	Words         []string
	Every         bool // of a choice or of the keys of a table: all of them
}

// openColumns lets columns of a ruleset have words that stand in no row. A table with two keys has one type for all of its
// columns. The keys of other tables are known to the check alone, which leaves out what is none.
func openColumns(b *book.Ruleset, list []OpenColumn) {
	for _, t := range b.Tables {
		for _, o := range list {
			k := slices.IndexFunc(t.Columns, func(m plan.Member) bool { return m.Name == o.Column })
			if t.ID != o.Table || k < 0 {
				continue
			}
			if t.Open == nil {
				t.Open = map[string]book.OpenWords{}
			}
			open := t.Open[o.Column]
			open.Words = append(open.Words, slices.DeleteFunc(slices.Clone(o.Words), func(word string) bool {
				return !isOpenTo(t, k, word)
			})...)
			open.Every = open.Every || o.Every
			t.Open[o.Column] = open
		}
	}
}

// isOpenTo reports whether cells of a column may be a word, as far as is known before tables are checked.
func isOpenTo(t *book.Table, column int, word string) bool {
	switch s := t.Columns[column].Shape; {
	case len(s.Enum) > 0:
		return slices.Contains(s.Enum, word)
	case s.KeyOf != "":
		return true
	}
	_, err := dice.ParseExpression(word)
	return err == nil && isOfDice(t, column)
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
