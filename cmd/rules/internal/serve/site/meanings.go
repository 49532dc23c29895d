package site

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
)

// explainChoices adds the text of the row to each choice that is a key of a table: "hard: points 30". A table that is
// looked up by two keys has no such row.
//
// A key means nothing to readers who do not know the book: they choose "hard" with confidence when "points 30" stands
// beside it.
func (b *bookView) explainChoices(known []describe.Field, fields []fieldView) {
	for i := range fields {
		k := slices.IndexFunc(known, func(f describe.Field) bool { return f.Name == fields[i].Path && f.KeyOf != "" })
		if k < 0 {
			continue
		}
		table := b.find("table", known[k].KeyOf)
		if table == nil || table.Table == nil || table.Definition.Table.Across != "" {
			continue
		}
		for j := range fields[i].Choices {
			choice := &fields[i].Choices[j]
			if meaning := table.Table.rowText(choice.Value); meaning != "" {
				choice.Note = meaning
			}
		}
	}
}

// maxMeaning is how many columns of a row are told beside its key: more would be wider than a phone.
const maxMeaning = 3

// rowText returns the text of a key's row, or "" when there is none.
func (t *tableView) rowText(key string) string {
	i := slices.IndexFunc(t.Rows, func(r rowView) bool { return r.Cells[0] == key })
	if i < 0 {
		return ""
	}
	var parts []string
	for k, cell := range t.Rows[i].Cells[1:] {
		if k < maxMeaning && cell != "" {
			parts = append(parts, spacedName(t.Head[k+1])+" "+cell)
		}
	}
	return strings.Join(parts, ", ")
}
