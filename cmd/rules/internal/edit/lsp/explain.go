package lsp

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// explainCode is the command that tells the page of a diagnostic's code. It is a command, and no link, because the pages
// are in the program: a link would need a page on the web, of the same version.
const explainCode = "rules.explain"

// showCodePage returns a message with the page of a code.
func showCodePage(_ *snapshot, p executeCommandParams) (*showMessageParams, error) {
	if len(p.Arguments) != 1 {
		return nil, newRefusal("%s has one argument, a code", explainCode)
	}
	page, ok := pageOf(p.Arguments[0])
	if !ok {
		return nil, newRefusal("there is no code %s", p.Arguments[0])
	}
	return &showMessageParams{infoMessage, p.Arguments[0] + ": " + page.TextWithExamples()}, nil
}

// pageOf returns the page of a code.
func pageOf(code string) (diag.Page, bool) {
	for _, p := range diag.Pages() {
		if string(p.Code) == code {
			return p, true
		}
	}
	return diag.Page{}, false
}

// explainAt returns the pages of the codes of the diagnostics at a position, in Markdown; empty where there are none.
//
// A code is told once, however many diagnostics of it stand at the cursor; the right example is shown and the wrong one is
// not, for that one is on the screen.
func explainAt(s *snapshot, file string, at position) string {
	var out strings.Builder
	told := map[diag.Code]bool{}
	for _, d := range s.diagnostics {
		page, ok := pageOf(string(d.Code))
		if !ok || d.Place.File != file || told[d.Code] || !touches(diagnosticOf(s.view, &d, d.Place).Range, span{at, at}) {
			continue
		}
		told[d.Code] = true
		fmt.Fprintf(&out, "**%s**: %s\n\n", d.Code, strings.TrimSpace(page.Text))
		if !page.Bare {
			fmt.Fprintf(&out, "```cue\n// right:\n%s\n```\n", strings.TrimSpace(page.Good))
		}
	}
	return out.String()
}
