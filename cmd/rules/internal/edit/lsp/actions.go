package lsp

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/repair"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The kinds of actions, as the protocol calls them.
const (
	quickFix     = "quickfix"
	sourceAction = "source"
	fixAll       = "source.fixAll"
)

// findActions returns the repairs of the diagnostics in a range, as edits, and one that makes all that are sure in the
// file. A client that asks for source.fixAll alone, as some do when a file is saved, gets the latter.
//
// Repairs that are sure and those that are guesses are both offered one by one; only sure ones are
// put together into one action, because nobody reads forty guesses before taking them.
func findActions(s *snapshot, p codeActionParams) []codeAction {
	out, repairs := []codeAction{}, 0 // the repairs that are known come first
	file, ok := s.fileOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	all := codeAction{Title: "make every sure repair in this file", Kind: quickFix,
		Edit: &workspaceEdit{map[string][]textEdit{}}}
	for _, d := range s.diagnostics {
		if d.Place.File != file {
			continue
		}
		shown := diagnosticOf(s.view, &d, d.Place)
		if touches(shown.Range, p.Range) {
			out = append(out, otherActions(s, &d, shown)...)
		}
		e, ok := repair.EditOf(&d, s.text(file).line(d.Place.Line))
		if !ok {
			continue
		}
		edit := editOf(s.view, &e)
		if e.Sure {
			all.Diagnostics = append(all.Diagnostics, shown)
			all.Edit.Changes[p.TextDocument.URI] = append(all.Edit.Changes[p.TextDocument.URI], edit)
		}
		if touches(shown.Range, p.Range) {
			changes := map[string][]textEdit{p.TextDocument.URI: {edit}}
			out = slices.Insert(out, repairs, codeAction{Title: "write " + e.Text, Kind: quickFix,
				Diagnostics: []diagnostic{shown}, Edit: &workspaceEdit{changes}})
			repairs++
		}
	}
	if slices.Contains(p.Context.Only, fixAll) {
		if all.Kind = fixAll; len(all.Diagnostics) > 0 {
			return []codeAction{all}
		}
		return []codeAction{}
	}
	if len(all.Diagnostics) > 1 {
		out = append(out, all)
	}
	return append(out, characterActions(s, file, p.Range)...)
}

// otherActions returns the other actions on a diagnostic: mend the table that it is about, read the page of its code.
func otherActions(s *snapshot, d *diag.Diagnostic, shown diagnostic) []codeAction {
	var out []codeAction
	for _, a := range tableActions(s, d) {
		if uri, ok := s.uriOf(a.file); ok && s.isOwnFile(a.file) {
			changes := map[string][]textEdit{uri: a.edits}
			out = append(out, codeAction{Title: a.title, Kind: quickFix, Diagnostics: []diagnostic{shown},
				Edit: &workspaceEdit{changes}})
		}
	}
	explain := command{Title: "explain " + shown.Code, Command: explainCode, Arguments: []any{shown.Code}}
	return append(out, codeAction{Title: explain.Title, Kind: quickFix, Diagnostics: []diagnostic{shown},
		Command: &explain})
}

// editOf returns an edit of the compiler for the client.
func editOf(v *view, e *repair.Edit) textEdit {
	line := v.text(e.File).line(e.Line)
	from := len([]rune(line[:e.From]))
	length := len([]rune(line[e.From:e.To]))
	return textEdit{v.spanAt(plan.Place{File: e.File, Line: e.Line, Col: from + 1}, length), e.Text}
}
