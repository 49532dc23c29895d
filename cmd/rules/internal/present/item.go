package present

import (
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
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

// fieldSignature lists fields, without what is in them: "(name: string, kind: string = "skill")".
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
