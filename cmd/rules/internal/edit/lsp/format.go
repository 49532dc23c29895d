package lsp

import (
	"path"
	"strings"

	"github.com/tabletop-rules/rules/compiler/load"
)

// formatFile returns the edit that formats a file as cue fmt does; none for a file that is so, or that cannot be parsed.
// Formulas are strings to CUE and stay as they are.
func formatFile(s *snapshot, p documentParams) []textEdit {
	file, ok := s.fileOf(p.TextDocument.URI)
	if !ok || path.Ext(file) != ".cue" {
		return nil
	}
	text := s.text(file)
	before := strings.Join(text.lines, "\n")
	after, err := load.Format([]byte(before))
	if err != nil || string(after) == before {
		return nil
	}
	end := text.positionOf(len(text.lines), len([]rune(text.line(len(text.lines))))+1, s.encoding)
	return []textEdit{{span{End: end}, string(after)}}
}
