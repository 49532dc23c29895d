package site

import (
	"io/fs"
	"path"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/golden"
)

// characterOf is a character that ships with the ruleset; "" when it cannot be read.
func characterOf(e *library.Edition, name string) string {
	text, err := fs.ReadFile(e.Files, path.Join("golden", e.Plan.Ruleset, name+".json"))
	if err != nil {
		return ""
	}
	return indentJSON(text)
}

// exampleFor is a character and an input that answer; empty objects without the sources.
func exampleFor(e *library.Edition, n *describe.Needs) *golden.Case {
	if e.Files != nil {
		if c := example.FindAnswering(e.Files, e.Plan, n); c != nil {
			return c
		}
	}
	return &golden.Case{Character: []byte("{}"), Input: []byte("{}")}
}
