package lsp

import "github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"

// hoverAt says what the name under the cursor means, and the codes of the diagnostics there.
//
// What is wrong at the cursor comes before what the name means: who hovers over a red line asks
// about that.
func hoverAt(s *snapshot, p documentPosition) *hover {
	t, ok := s.locate(p)
	if !ok {
		return nil
	}
	text := explainAt(s, t.at.File, p.Position)
	if sym, ok := symbolAt(t); ok {
		if text != "" {
			text += "\n---\n\n"
		}
		text += describe(&sym)
		if more := describePlayed(t, &sym); more != "" {
			text += "\n\n" + more
		}
	}
	if text == "" {
		return nil
	}
	return &hover{markupContent{"markdown", text}}
}

// describe is what a name means, in Markdown.
func describe(sym *symbols.Symbol) string {
	text := "**" + sym.Name + "** (" + sym.Kind.String() + ")"
	if sym.Detail != "" {
		text += "\n\n```\n" + sym.Detail + "\n```"
	}
	if d := document(sym); d != "" {
		text += "\n\n" + d
	}
	return text
}
