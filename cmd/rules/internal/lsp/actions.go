package lsp

import (
	"github.com/tabletop-rules/rules/cmd/rules/internal/repair"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// codeActions are the repairs of the diagnostics in a range, as edits, and one that makes all that are sure in the file.
func (s *server) codeActions(p codeActionParams) (any, error) {
	out := []codeAction{}
	file, ok := s.fileOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	v := s.view()
	all := codeAction{Title: "make every sure repair in this file", Kind: "quickfix",
		Edit: workspaceEdit{map[string][]textEdit{}}}
	for _, d := range s.published() {
		if d.Place.File != file {
			continue
		}
		e, ok := repair.EditOf(&d, v.text(file).line(d.Place.Line))
		if !ok {
			continue
		}
		shown := s.diagnosticOf(&d, d.Place, v)
		edit := v.edit(&e)
		if e.Sure {
			all.Diagnostics = append(all.Diagnostics, shown)
			all.Edit.Changes[p.TextDocument.URI] = append(all.Edit.Changes[p.TextDocument.URI], edit)
		}
		if touches(shown.Range, p.Range) {
			changes := map[string][]textEdit{p.TextDocument.URI: {edit}}
			out = append(out, codeAction{"write " + e.Text, "quickfix", []diagnostic{shown}, workspaceEdit{changes}})
		}
	}
	if len(all.Diagnostics) > 1 {
		out = append(out, all)
	}
	return out, nil
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
