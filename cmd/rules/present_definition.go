package main

import (
	"slices"
	"strings"
)

// show shows a ruleset, or some of its definitions, for reading.
func (p *page) show(s *shown, whole bool) {
	if whole {
		p.line(0, "%s", p.in(bold, strings.TrimSpace(s.Ruleset+" "+s.Revision+": "+s.Title)))
		p.text(2, plain, s.Doc)
		p.text(2, faint, s.source())
		p.fields("character", s.Character)
	}
	for i := range s.Definitions {
		p.blank()
		p.definition(&s.Definitions[i])
	}
}

// source is the document that the rules come from.
func (s *shown) source() string {
	if s.Author == "" {
		return s.Book
	}
	return s.Book + ", " + s.Author
}

func (p *page) definition(d *definition) {
	p.line(0, "%s %s", d.Kind, p.in(bold, d.ID))
	p.text(2, faint, d.Cite)
	if d.Overlay != "" {
		p.text(2, plain, "by homebrew "+d.Overlay)
	}
	p.text(2, plain, d.Doc)
	p.values(d)
	if d.Table != nil {
		p.table(d.Table)
	}
	rows := slices.Concat(partRows("input", d.Input), partRows("state", d.State), lineRows(d), rulingRows(d))
	p.rows(2, rows, column{style: faint})
	if len(d.Covers) > 0 {
		p.text(2, faint, "covers "+strings.Join(d.Covers, " "))
	}
	p.text(2, faint, d.Place)
}

// values shows those of an option, and which of them is played and which recommended.
func (p *page) values(d *definition) {
	var rows [][]string
	for _, v := range d.Values {
		rows = append(rows, []string{v.Value, standing(d, v.Value), v.Doc})
	}
	p.rows(2, rows)
}

func standing(d *definition, value string) string {
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

// table shows rows as the book prints them; columns of numbers stand flush right.
func (p *page) table(t *tableSays) {
	columns := make([]column, len(t.numbers))
	for i, number := range t.numbers {
		columns[i].right = number
	}
	p.rows(2, append([][]string{append([]string{""}, t.Columns...)}, t.cells...), columns...)
	if t.Over != nil {
		p.line(2, "over %s to %s", decimal(t.Over[0]), decimal(t.Over[1]))
	}
}

// partRows shows fields as lineRows shows formulas.
func partRows(part string, fields []field) [][]string {
	var rows [][]string
	for i := range fields {
		f := &fields[i]
		text := f.says() + "; " + f.presence()
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
func lineRows(d *definition) [][]string {
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
func rulingRows(d *definition) [][]string {
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
