package present

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
)

// PrintBook shows a ruleset chapter by chapter; formulas in CEL only when they are wanted.
func PrintBook(p *layout.Page, b *rulebook.Book, formulas bool) {
	p.AddLine(0, "%s", p.Style(layout.Bold, strings.TrimSpace(b.Ruleset+" "+b.Revision+": "+b.Title)))
	p.AddText(2, layout.Plain, b.Doc)
	p.AddText(2, layout.Faint, b.Source())
	PrintFields(p, "character", b.Character)
	for _, c := range b.Chapters {
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, "chapter "+c.Title))
		PrintDefinitions(p, c.Definitions, formulas)
	}
}

// PrintDefinitions prints definitions with the texts that belong beside them.
func PrintDefinitions(p *layout.Page, list []*rulebook.Definition, formulas bool) {
	for _, d := range list {
		p.AddBlank()
		printDefinition(p, d, formulas)
	}
}

// printDefinition prints a definition from its name to its place: sentence, values, table, inputs and outputs, rulings,
// example. Formulas are for authors; players get the same in names (wordRows).
func printDefinition(p *layout.Page, d *rulebook.Definition, formulas bool) {
	p.AddLine(0, "%s %s", d.Kind, p.Style(layout.Bold, d.ID))
	p.AddText(2, layout.Faint, d.Cite)
	printOwners(p, 2, d.Overlays)
	p.AddText(2, layout.Plain, layout.WrapText(d.Doc, layout.PageWidth-2))
	printOptionValues(p, &d.Definition)
	if d.Table != nil {
		printTable(p, d.Table)
	}
	rows := slices.Concat(partRows("input", d.Input), partRows("state", d.State))
	if formulas {
		rows = append(rows, lineRows(&d.Definition)...)
	} else {
		rows = append(rows, wordRows(&d.Definition)...)
	}
	p.AddRows(2, append(rows, rulingRows(&d.Definition)...), layout.Column{Style: layout.Faint})
	printBeside(p, d)
	if len(d.Covers) > 0 {
		p.AddText(2, layout.Faint, "covers "+strings.Join(d.Covers, " "))
	}
	p.AddText(2, layout.Faint, d.Place)
}

// printBeside shows the rulings about a definition, and its example.
func printBeside(p *layout.Page, d *rulebook.Definition) {
	var rows [][]string
	for _, r := range d.Rulings {
		rows = append(rows, []string{r.Kind, r.ID, wrapCell(rulingWords(r))})
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Faint})
	if d.Example != nil {
		p.AddLine(2, "%s", p.Style(layout.Faint, "example "+d.Example.Name))
		p.AddText(4, layout.Plain, strings.TrimSpace(d.Example.Text))
	}
}

// rulingWords returns a ruling with its question, or with the printed text of the book. A ruling without its question
// reads as a rule of its own.
func rulingWords(r rulebook.Ruling) string {
	switch r.Kind {
	case "reading":
		return r.Asks + " " + r.Says
	case "erratum":
		return "printed: " + r.Asks + "; ruled: " + r.Says
	}
	return r.Says
}

// wrapCell breaks a text that stands beside other columns.
func wrapCell(text string) string {
	const width = 70
	return layout.WrapText(text, width)
}

// wordRows returns the names in the formulas of a definition without the formulas: its dice and rules, its refusals,
// and its outputs.
//
// Members of an output that is a record ("test.outcome") are left out: the record's own name says enough in a list of
// outputs.
func wordRows(d *describe.Definition) [][]string {
	names := map[string][]string{}
	var rows [][]string
	for _, l := range d.Lines {
		switch {
		case l.Part == "require":
			rows = append(rows, []string{"refuses", "", l.Name})
		case l.Part == "dice" || l.Part == "use" || l.Part == "output" || l.Part == "ends":
			if !strings.Contains(l.Name, ".") && !slices.Contains(names[l.Part], l.Name) {
				names[l.Part] = append(names[l.Part], l.Name)
			}
		}
	}
	for _, x := range [...]struct{ part, word string }{
		{"dice", "dice"}, {"use", "uses"}, {"output", "gives"}, {"ends", "ends as"},
	} {
		if list := names[x.part]; len(list) > 0 {
			rows = append(rows, []string{x.word, "", wrapCell(strings.Join(list, ", "))})
		}
	}
	return rows
}

// printOptionValues shows those of an option, and which of them is played and which recommended.
func printOptionValues(p *layout.Page, d *describe.Definition) {
	var rows [][]string
	for _, v := range d.Values {
		rows = append(rows, []string{v.Value, valueStanding(d, v.Value), v.Doc})
	}
	p.AddRows(2, rows)
}

// valueStanding returns the standing of an option's value: that the book recommends it, that this release plays it, or
// both. Readers want to see when a release has departed from its book.
func valueStanding(d *describe.Definition, value string) string {
	switch {
	case value == d.Played && d.Played == d.Advised:
		return "default"
	case value == d.Played:
		return "played by the release"
	case value == d.Advised:
		return "recommended"
	}
	return ""
}

// printTable shows rows as the book prints them; columns of numbers stand flush right.
func printTable(p *layout.Page, t *describe.Table) {
	columns := make([]layout.Column, len(t.Numbers))
	for i, number := range t.Numbers {
		columns[i].Right = number
	}
	p.AddRows(2, append([][]string{append([]string{""}, t.Columns...)}, t.Cells...), columns...)
	if t.Over != nil {
		p.AddLine(2, "over %s to %s", jsontext.Decimal(t.Over[0]), jsontext.Decimal(t.Over[1]))
	}
}

// partRows shows fields as lineRows shows formulas.
func partRows(part string, fields []describe.Field) [][]string {
	var rows [][]string
	for i := range fields {
		f := &fields[i]
		text := f.Describe() + "; " + f.Presence()
		if f.Doc != "" {
			text += "; " + f.Doc
		}
		rows = append(rows, []string{part, f.Name, text})
		// The word of the part stands once, in the first row; below it the eye runs down the names.
		part = ""
	}
	return rows
}

// lineRows shows formulas in columns: the part, once, the name unless it is the definition's own, and the text. Below the
// condition of a requirement stands its message.
//
// For rule test the rows begin so:
//
//	dice   roll          d(100)
//	let    plain         by input.kind ...
//	       base          by input.kind ...
func lineRows(d *describe.Definition) [][]string {
	var rows [][]string
	before := ""
	for _, l := range d.Lines {
		row := []string{l.Part, l.Name, l.Text}
		if l.Part == before {
			row[0] = ""
		}
		switch {
		case l.Part == "require":
			row[1], row[2] = "", l.Text+"\nor refused: "+l.Name
		case l.Name == d.ID:
			row[1] = ""
		}
		before = l.Part
		rows = append(rows, row)
	}
	return rows
}

// rulingRows returns the parts of a reading or an erratum.
func rulingRows(d *describe.Definition) [][]string {
	switch {
	case d.Reading != nil:
		return [][]string{
			{"question", d.Reading.Question}, {"ruled", d.Reading.Ruled},
			{"rejected", d.Reading.Rejected}, {"why", d.Reading.Why},
		}
	case d.Erratum != nil:
		rows := [][]string{{"printed", d.Erratum.Printed}, {"ruled", d.Erratum.Ruled}, {"why", d.Erratum.Why}}
		if d.Erratum.Option != "" {
			rows = append(rows, []string{"option", d.Erratum.Option})
		}
		return rows
	}
	return nil
}
