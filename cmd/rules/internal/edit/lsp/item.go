package lsp

import (
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

// completionKinds are the protocol's numbers.
var completionKinds = map[symbols.Kind]int{
	symbols.Variable: 6, symbols.Field: 5, symbols.Trait: 10, symbols.Option: 10, symbols.Value: 20, symbols.Table: 3,
	symbols.Column: 5, symbols.Function: 3, symbols.Builtin: 3, symbols.Local: 6,
}

func itemOf(sym *symbols.Symbol) completionItem {
	out := completionItem{Label: sym.Name, Kind: completionKinds[sym.Kind], Detail: sym.Detail}
	if text := documentationOf(sym); text != "" {
		out.Documentation = &markupContent{"markdown", text}
	}
	return out
}

// documentationOf returns the documentation of a symbol: its doc, then its place in the book.
func documentationOf(sym *symbols.Symbol) string {
	text := sym.Doc
	if sym.Cite != "" {
		text = strings.TrimSpace(text + "\n\n*" + sym.Cite + "*")
	}
	return text
}
