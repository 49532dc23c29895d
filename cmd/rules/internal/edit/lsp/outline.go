package lsp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

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
			at := s.spanAt(d.Place, 0)
			out = append(out, documentSymbol{d.Name, d.Kind.String(), symbolKinds[d.Kind], at, at})
		}
	}
	return out
}

// findSymbols lists the definitions of all rulesets of the project that have the letters of a query in their order, "wt"
// for wound_table. Those that begin with it come first.
func findSymbols(s *snapshot, p symbolParams) []symbolInformation {
	out := []symbolInformation{}
	query := strings.ToLower(p.Query)
	for _, x := range s.library.allIndexes(s.view, s.exceedsBounds()) {
		for _, d := range x.Definitions() {
			at, ok := s.locationOf(d.Place, 0)
			if ok && hasLetters(strings.ToLower(d.Name), query) {
				out = append(out, symbolInformation{d.Name, symbolKinds[d.Kind], at, x.Ruleset()})
			}
		}
	}
	rank := func(x symbolInformation) int {
		switch name := strings.ToLower(x.Name); {
		case strings.HasPrefix(name, query):
			return 0
		case strings.Contains(name, query):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b symbolInformation) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ContainerName, b.ContainerName))
	})
	return out
}

// hasLetters reports whether the letters of a query stand in a name in their order.
func hasLetters(name, query string) bool {
	for _, c := range query {
		_, rest, ok := strings.Cut(name, string(c))
		if !ok {
			return false
		}
		name = rest
	}
	return true
}
