package lsp

import (
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/runtime/say"
)

// hoverAt returns the meaning of the name under the cursor, and the pages of the codes of the diagnostics there.
//
// Diagnostics come before the meaning of the name: who hovers over a red line asks about that.
func hoverAt(s *snapshot, p documentPosition) *hover {
	t, ok := s.locateTarget(p)
	if !ok {
		return nil
	}
	text := explainAt(s, t.at.File, p.Position)
	if sym, ok := symbolAt(t); ok {
		if text != "" {
			text += "\n---\n\n"
		}
		text += describeSymbol(&sym) + describeWord(t, &sym)
		if more := describePlayed(t, &sym); more != "" {
			text += "\n\n" + more
		}
	}
	if text == "" {
		return nil
	}
	return &hover{markupContent{"markdown", text}}
}

// describeSymbol returns the kind, the formula and the documentation of a symbol, in Markdown.
func describeSymbol(sym *symbols.Symbol) string {
	text := "**" + sym.Name + "** (" + sym.Kind.String() + ")"
	if sym.Detail != "" {
		text += "\n\n```\n" + sym.Detail + "\n```"
	}
	if d := documentationOf(sym); d != "" {
		text += "\n\n" + d
	}
	return text
}

// describeWord returns the players' word for a name, by the plan that was played last, or "" without one.
func describeWord(t *target, sym *symbols.Symbol) string {
	played := t.playedRulesets[t.index.Ruleset()]
	if played == nil {
		return ""
	}
	speaker := say.NewSpeaker(played.program.Plan())
	if !speaker.HasGlossary() {
		return ""
	}
	if sym.Kind == symbols.Rule || sym.Kind == symbols.Procedure {
		return "\n\nplayers read: " + speaker.Of(sym.Name).Title()
	}
	return "\n\nplayers read: " + speaker.Of("").Label(sym.Name)
}
