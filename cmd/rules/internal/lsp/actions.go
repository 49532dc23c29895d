package lsp

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/repair"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The kinds of actions, as the protocol calls them.
const (
	quickFix     = "quickfix"
	sourceAction = "source"
	fixAll       = "source.fixAll"
)

// codeActions are the repairs of the diagnostics in a range, as edits, and one that makes all that are sure in the file. A
// client that asks for source.fixAll alone, as some do when a file is saved, gets the latter.
func (s *server) codeActions(p codeActionParams) (any, error) {
	out, repairs := []codeAction{}, 0 // the repairs that are known come first
	file, ok := s.fileOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	v := s.view()
	all := codeAction{Title: "make every sure repair in this file", Kind: quickFix,
		Edit: &workspaceEdit{map[string][]textEdit{}}}
	s.index(v, file) // tables are repaired as they are written now
	for _, d := range s.published() {
		if d.Place.File != file {
			continue
		}
		shown := s.diagnosticOf(&d, d.Place, v)
		if touches(shown.Range, p.Range) {
			out = append(out, s.otherActions(v, &d, shown)...)
		}
		e, ok := repair.EditOf(&d, v.text(file).line(d.Place.Line))
		if !ok {
			continue
		}
		edit := v.edit(&e)
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
			return []codeAction{all}, nil
		}
		return []codeAction{}, nil
	}
	if len(all.Diagnostics) > 1 {
		out = append(out, all)
	}
	return append(out, s.characterActions(v, file, p.Range)...), nil
}

// otherActions are what else can be done about a diagnostic: mend the table that it is about, read what its code means.
func (s *server) otherActions(v *view, d *diag.Diagnostic, shown diagnostic) []codeAction {
	var out []codeAction
	for _, a := range s.tableActions(v, d) {
		if uri, ok := s.uriOf(a.file); ok && s.isOwnFile(a.file) {
			changes := map[string][]textEdit{uri: a.edits}
			out = append(out, codeAction{Title: a.title, Kind: quickFix, Diagnostics: []diagnostic{shown},
				Edit: &workspaceEdit{changes}})
		}
	}
	explain := command{Title: "explain " + shown.Code, Command: explainCode, Arguments: []any{shown.Code}}
	return append(out, codeAction{Title: explain.Title, Kind: quickFix, Diagnostics: []diagnostic{shown}, Command: &explain})
}

// published are the diagnostics that the client was told last.
func (s *server) published() []diag.Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found
}

// edit is an edit of the compiler for the client.
func (v *view) edit(e *repair.Edit) textEdit {
	line := v.text(e.File).line(e.Line)
	from := len([]rune(line[:e.From]))
	length := len([]rune(line[e.From:e.To]))
	return textEdit{v.span(plan.Place{File: e.File, Line: e.Line, Col: from + 1}, length), e.Text}
}

// touches reports whether two ranges have a position in common; their ends count.
func touches(a, b span) bool { return !isBefore(a.End, b.Start) && !isBefore(b.End, a.Start) }

func isBefore(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
