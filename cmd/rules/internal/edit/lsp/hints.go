package lsp

import (
	"path"
	"slices"
)

// findHints returns the facts that a reader would have to look up or work out: the odds of outputs, and the values that a
// homebrew finds.
func findHints(s *snapshot, f *forecasts, n *numberings, p inlayHintParams) []inlayHint {
	out := []inlayHint{}
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	switch {
	case path.Ext(file) == caseExtension:
		out = append(out, differenceHints(s, file)...)
	case ok:
		out = append(out, expectHints(s, file)...)
		out = append(out, f.outputHints(s, file, x)...)
	}
	out = append(out, n.revisionHints(s, file)...)
	return slices.DeleteFunc(out, func(h inlayHint) bool {
		return h.Position.Line < p.Range.Start.Line || h.Position.Line > p.Range.End.Line
	})
}

// expectHints returns for each value that a homebrew expects the value that the ruleset has there now.
func expectHints(s *snapshot, file string) []inlayHint {
	d := s.draftOfFile(file)
	if d == nil {
		return nil
	}
	var out []inlayHint
	for _, x := range d.Finds {
		if x.Place.File != file {
			continue
		}
		h := inlayHint{Label: "found", Tooltip: "the ruleset has it, as is expected here", PaddingLeft: true}
		if !x.Expected {
			h.Label, h.Tooltip = "found now: "+x.Text, "the ruleset has something else: nothing is replaced"
		}
		line := s.text(file).line(x.Place.Line)
		h.Position = s.text(file).positionOf(x.Place.Line, valueEnd([]rune(line), x.Place.Col), s.encoding)
		out = append(out, h)
	}
	return out
}
