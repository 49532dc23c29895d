package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// explainCode is the command that tells the page of a diagnostic's code. It is a command, and no link, because the pages
// are in the program: a link would need a page on the web, of the same version.
const explainCode = "rules.explain"

// commandNames are the commands that a client may send, most of them from lenses and actions.
func commandNames() []string { return []string{showCases, showSurvivors, explainCode, chooseCharacter} }

// execute carries out a command of a lens or of an action.
func (s *server) execute(ctx context.Context, conn *jsonrpc2.Conn, p executeCommandParams) (any, error) {
	switch p.Command {
	case showCases:
		return s.showCasesOf(ctx, conn, p)
	case showSurvivors:
		return s.showSurvivorsOf(ctx, conn, p)
	case explainCode:
		return s.explain(ctx, conn, p)
	case chooseCharacter:
		return s.chooseNamed(ctx, conn, p)
	}
	return refuse("there is no command %s", p.Command)
}

// refuse is the answer to a request that asks for what is not there.
func refuse(format string, args ...any) (any, error) {
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// explain tells the user the page of a code.
func (s *server) explain(ctx context.Context, conn *jsonrpc2.Conn, p executeCommandParams) (any, error) {
	if len(p.Arguments) != 1 {
		return refuse("%s has one argument, a code", explainCode)
	}
	page, ok := pageOf(p.Arguments[0])
	if !ok {
		return refuse("there is no code %s", p.Arguments[0])
	}
	text := p.Arguments[0] + ": " + strings.TrimSpace(page.Text) + "\n\nwrong:\n" + page.Bad + "\nright:\n" + page.Good
	return nil, conn.Notify(ctx, "window/showMessage", showMessageParams{infoMessage, text})
}

// The protocol's numbers for messages to the user.
const (
	errorMessage = 1
	infoMessage  = 3
)

// pageOf is the page of a code.
func pageOf(code string) (diag.Page, bool) {
	for _, p := range diag.Pages() {
		if string(p.Code) == code {
			return p, true
		}
	}
	return diag.Page{}, false
}

// explainAt is what the codes of the diagnostics at a position mean, in Markdown; empty where there are none.
func (s *server) explainAt(v *view, file string, at position) string {
	var out strings.Builder
	told := map[diag.Code]bool{}
	for _, d := range s.published() {
		page, ok := pageOf(string(d.Code))
		if !ok || d.Place.File != file || told[d.Code] || !touches(s.diagnosticOf(&d, d.Place, v).Range, span{at, at}) {
			continue
		}
		told[d.Code] = true
		fmt.Fprintf(&out, "**%s**: %s\n\n", d.Code, strings.TrimSpace(page.Text))
		fmt.Fprintf(&out, "```cue\n// right:\n%s\n```\n", strings.TrimSpace(page.Good))
	}
	return out.String()
}
