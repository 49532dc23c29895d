package present

import (
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// PrintItem shows a definition.
func PrintItem(p *layout.Page, x *describe.Item) {
	p.AddLine(0, "%s %s %s%s", x.Ruleset, x.Kind, p.Style(layout.Bold, x.ID), fieldSignature(append(x.Params, x.Input...)))
	p.AddText(4, layout.Plain, x.Doc)
	p.AddText(4, layout.Faint, x.Cite)
	if len(x.Covers) > 0 {
		p.AddText(4, layout.Faint, "covers "+strings.Join(x.Covers, " "))
	}
}

// fieldSignature returns a list of fields without their parts: "(name: string, kind: string = "skill")". A field whose
// name has a dot, a bracket or a star is a part of another one.
func fieldSignature(fields []describe.Field) string {
	if len(fields) == 0 {
		return ""
	}
	var parts []string
	for i := range fields {
		f := &fields[i]
		if strings.ContainsAny(f.Name, ".[*") {
			continue
		}
		part := f.Name + ": " + f.Type
		switch {
		case f.Default != nil:
			part += " = " + string(f.Default)
		case !f.Required:
			part = f.Name + "?: " + f.Type
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// PrintOverview prints the contents of a ruleset on a few lines: the names of its rules and procedures, and the numbers
// of its other definitions, because of 400 definitions a newcomer wants a dozen.
func PrintOverview(p *layout.Page, ruleset, revision string, names []describe.KindNames) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, strings.TrimSpace(ruleset+" "+revision)))
	var rows [][]string
	var others []string
	for _, played := range []string{"procedure", "rule"} {
		for _, k := range names {
			if k.Kind == played {
				rows = append(rows, []string{k.Kind + "s", layout.WrapText(strings.Join(k.IDs, ", "), overviewWidth)})
			}
		}
	}
	for _, k := range names {
		if k.Kind != "procedure" && k.Kind != "rule" {
			many := k.Kind + "s"
			if k.Kind == "erratum" {
				many = "errata"
			}
			others = append(others, plural.Of(len(k.IDs), k.Kind, many))
		}
	}
	rows = append(rows, []string{"and", layout.WrapText(strings.Join(others, ", "), overviewWidth)})
	p.AddRows(2, rows, layout.Column{Style: layout.Faint})
}

// overviewWidth is how long a line of names may be, in letters.
const overviewWidth = 80
