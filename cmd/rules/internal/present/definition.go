package present

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
)

// PrintRuleset shows a ruleset, or some of its definitions, for reading.
func PrintRuleset(p *layout.Page, s *describe.Shown, whole bool) {
	if whole {
		p.AddLine(0, "%s", p.Style(layout.Bold, strings.TrimSpace(s.Ruleset+" "+s.Revision+": "+s.Title)))
		p.AddText(2, layout.Plain, s.Doc)
		p.AddText(2, layout.Faint, s.Source())
		printFields(p, "character", s.Character)
	}
	for i := range s.Definitions {
		p.AddBlank()
		printDefinition(p, &s.Definitions[i])
	}
}

func printDefinition(p *layout.Page, d *describe.Definition) {
	p.AddLine(0, "%s %s", d.Kind, p.Style(layout.Bold, d.ID))
	p.AddText(2, layout.Faint, d.Cite)
	if d.Overlay != "" {
		p.AddText(2, layout.Plain, "by homebrew "+d.Overlay)
	}
	p.AddText(2, layout.Plain, d.Doc)
	printOptionValues(p, d)
	if d.Table != nil {
		printTable(p, d.Table)
	}
	rows := slices.Concat(partRows("input", d.Input), partRows("state", d.State), lineRows(d), rulingRows(d))
	p.AddRows(2, rows, layout.Column{Style: layout.Faint})
	if len(d.Covers) > 0 {
		p.AddText(2, layout.Faint, "covers "+strings.Join(d.Covers, " "))
	}
	p.AddText(2, layout.Faint, d.Place)
}

// printOptionValues shows those of an option, and which of them is played and which recommended.
func printOptionValues(p *layout.Page, d *describe.Definition) {
	var rows [][]string
	for _, v := range d.Values {
		rows = append(rows, []string{v.Value, valueStanding(d, v.Value), v.Doc})
	}
	p.AddRows(2, rows)
}

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
		part = ""
	}
	return rows
}

// lineRows shows formulas in columns: the part, once, the name unless it is the definition's own, and the text. Below the
// condition of a requirement stands its message.
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

// rulingRows shows what a reading or an erratum rules.
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
