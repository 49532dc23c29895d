package lsp

import "github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"

// symbolKinds are the protocol's numbers.
var symbolKinds = map[symbols.Kind]int{
	symbols.Option: 10, symbols.Table: 23, symbols.Trait: 7, symbols.Function: 12, symbols.Rule: 6, symbols.Procedure: 5,
	symbols.Event: 24,
}

// documentSymbols lists the definitions of a file.
func documentSymbols(s *snapshot, p documentParams) []documentSymbol {
	out := []documentSymbol{}
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	for _, d := range x.Definitions() {
		if d.Place.File == file {
			at := s.span(d.Place, 0)
			out = append(out, documentSymbol{d.Name, d.Kind.String(), symbolKinds[d.Kind], at, at})
		}
	}
	return out
}
