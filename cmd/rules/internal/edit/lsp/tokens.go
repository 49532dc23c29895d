package lsp

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

// tokenTypes returns the kinds of semantic tokens, in the order of their numbers.
func tokenTypes() []string { return []string{"variable", "property", "function", "enumMember"} }

// tokenTypeOf returns the number of a symbol's type; -1 for one that is not coloured.
func tokenTypeOf(sym *symbols.Symbol) int {
	switch {
	case sym.Name == "":
		return -1
	case sym.Kind == symbols.Table, sym.Kind == symbols.Function, sym.Kind == symbols.Builtin:
		return 2
	case sym.Kind == symbols.Value:
		return 3
	case sym.Kind == symbols.Variable, sym.Kind == symbols.Local:
		return 0
	}
	return 1
}

// colourTokens colours the names in the formulas of a file.
//
// The protocol wants tokens in order, each relative to the one before. Two definitions may share a
// formula through a definition of CUE; its names are then found twice, and told once.
func colourTokens(s *snapshot, p documentParams) semanticTokens {
	out := semanticTokens{Data: []int{}}
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	type token struct{ line, from, length, kind int }
	var list []token
	for _, t := range x.Texts() {
		if t.Place.File != file || len(t.Runs) == 0 {
			continue
		}
		for _, u := range x.Uses(t) {
			if kind := tokenTypeOf(&u.Symbol); kind >= 0 {
				r := s.spanAt(t.At(u.Start), len([]rune(u.Chain[len(u.Chain)-1])))
				list = append(list, token{r.Start.Line, r.Start.Character, r.End.Character - r.Start.Character, kind})
			}
		}
	}
	slices.SortFunc(list, func(a, b token) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.from - b.from
	})
	line, from := 0, 0
	for _, t := range slices.Compact(list) {
		if t.line != line {
			from = 0
		}
		out.Data = append(out.Data, t.line-line, t.from-from, t.length, t.kind, 0)
		line, from = t.line, t.from
	}
	return out
}
