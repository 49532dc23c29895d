package lsp

import (
	"path"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

// findDefinition returns where the name under the cursor is declared.
func findDefinition(s *snapshot, p documentPosition) []location {
	out := []location{}
	if t, ok := s.locateTarget(p); ok {
		if sym, ok := declaredAt(t); ok {
			if l, ok := t.locationOf(sym.Place, 0); ok {
				out = append(out, l)
			}
		}
	}
	return out
}

// findReferences returns the declaration of the name under the cursor, and where it stands in formulas, in CUE and in
// cases.
//
// A row of numbers has no name that could be looked up, so its users are found by the key that it
// stands for. A row with a name is both, a symbol and a row.
func findReferences(s *snapshot, p documentPosition) []location {
	out := []location{}
	t, ok := s.locateTarget(p)
	if !ok {
		return out
	}
	list := rowUsersAt(t) // of a row of numbers, which has no name
	if sym, ok := declaredAt(t); ok {
		list = append(occurrencesOf(t, &sym), caseOccurrencesOf(t, &sym)...)
		if row, isRow := t.index.RowAt(sym.Place); isRow && row.Place == sym.Place {
			list = append(list, rowUsersAt(t)...)
		}
	}
	seen := map[location]bool{}
	for _, o := range list {
		if l, ok := t.locationOf(o.at, o.length); ok && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

// caseOccurrencesOf returns where the name of a symbol stands in cases.
func caseOccurrencesOf(t *target, sym *symbols.Symbol) []occurrence {
	var out []occurrence
	for _, o := range namesInCases(t.view, t.index, path.Base(sym.Name)) {
		if o.declaration == sym.Place {
			out = append(out, o)
		}
	}
	return out
}

// rowUsersAt returns the row of a table at the place of a request, and the look-ups that find it.
func rowUsersAt(t *target) []occurrence {
	if _, _, inFormula := t.index.At(t.at); inFormula {
		return nil
	}
	row, ok := t.index.RowAt(t.at)
	if !ok {
		return nil
	}
	var out []occurrence
	for _, r := range append([]symbols.Reference{{Place: row.Place}}, t.index.RowUsers(row)...) {
		out = append(out, occurrence{r.Place, r.Length, row.Place})
	}
	return out
}
