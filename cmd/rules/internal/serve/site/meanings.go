package site

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
)

// explainChoices adds to each choice that is a key of a table the sentence of its row: "Hard −30". A table that is looked
// up by two keys has no such row.
//
// A key means nothing to readers who do not know the book: they choose "hard" with confidence when "−30" stands beside it.
func (b *bookView) explainChoices(known []describe.Field, fields []fieldView) {
	for i := range fields {
		k := slices.IndexFunc(known, func(f describe.Field) bool { return f.Name == fields[i].Path && f.KeyOf != "" })
		if k < 0 {
			continue
		}
		table := b.find("table", known[k].KeyOf)
		if table == nil || table.Definition.Table.Across != "" {
			continue
		}
		for j := range fields[i].Choices {
			choice := &fields[i].Choices[j]
			choice.Note = b.words.Row(known[k].KeyOf, choice.Value)
		}
	}
}
