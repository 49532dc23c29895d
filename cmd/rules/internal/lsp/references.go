package lsp

import (
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// findDefinition is where the name under the cursor is declared.
func findDefinition(s *snapshot, p documentPosition) []location {
	out := []location{}
	if t, ok := s.locate(p); ok {
		if sym, ok := t.declared(); ok {
			if l, ok := t.locationOf(sym.Place, 0); ok {
				out = append(out, l)
			}
		}
	}
	return out
}

// findReferences are the declaration of the name under the cursor, and where it is read.
func findReferences(s *snapshot, p documentPosition) []location {
	out := []location{}
	if t, ok := s.locate(p); ok {
		if sym, ok := t.declared(); ok {
			out = append(out, occurrencesOf(t, &sym)...)
		} else if _, _, inFormula := t.index.At(t.at); !inFormula {
			out = append(out, rowUsersAt(t)...)
		}
	}
	return out
}

// rowUsersAt are the row of a table at the place of a request, and the look-ups that find it.
func rowUsersAt(t *target) []location {
	row, ok := t.index.RowAt(t.at)
	if !ok {
		return nil
	}
	var out []location
	for _, r := range append([]symbols.Reference{{Place: row.Place}}, t.index.RowUsers(row)...) {
		if l, ok := t.locationOf(r.Place, r.Length); ok {
			out = append(out, l)
		}
	}
	return out
}

// occurrencesOf are the declaration of a symbol and its uses: in formulas, and by name in attributes, uses and cases.
func occurrencesOf(t *target, sym *symbols.Symbol) []location {
	var out []location
	add := func(at plan.Place, length int) {
		if l, ok := t.locationOf(at, length); ok && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	add(sym.Place, 0)
	for _, r := range append(t.index.References(sym.Place), namedUsesOf(t, sym)...) {
		add(r.Place, r.Length)
	}
	return out
}

// namedUsesOf finds a definition's name where it stands outside of formulas: in attributes, in uses, in headers of cases.
func namedUsesOf(t *target, sym *symbols.Symbol) []symbols.Reference {
	var inCUE, inCase *regexp.Regexp
	name := regexp.QuoteMeta(sym.Name)
	switch sym.Kind {
	case symbols.Table:
		inCUE, inCase = regexp.MustCompile(`@key\((`+name+`)\)`), regexp.MustCompile(`^table:\s*(`+name+`)\s*$`)
	case symbols.Rule:
		inCUE, inCase = regexp.MustCompile(`\brule:\s*"(`+name+`)"`), regexp.MustCompile(`^(?:rule|odds):\s*(`+name+`)\s*$`)
	case symbols.Procedure:
		inCase = regexp.MustCompile(`^procedure:\s*(` + name + `)\s*$`)
	default:
		return nil
	}
	dir := path.Dir(sym.Place.File)
	out := searchLines(t.view, dir, ".cue", inCUE)
	return append(out, searchLines(t.view, t.casesDir(path.Base(dir)), ".txtar", inCase)...)
}

// searchLines finds the first group of a pattern in the lines of the files of a directory.
func searchLines(v *view, dir, extension string, pattern *regexp.Regexp) []symbols.Reference {
	entries, err := fs.ReadDir(v.buffers.files, dir)
	if err != nil || pattern == nil {
		return nil
	}
	var out []symbols.Reference
	for _, e := range entries {
		if path.Ext(e.Name()) != extension || e.IsDir() {
			continue
		}
		file := path.Join(dir, e.Name())
		for i, line := range v.text(file).lines {
			for _, m := range pattern.FindAllStringSubmatchIndex(line, -1) {
				at := plan.Place{File: file, Line: i + 1, Col: len([]rune(line[:m[2]])) + 1}
				out = append(out, symbols.Reference{Place: at, Length: len([]rune(line[m[2]:m[3]]))})
			}
		}
	}
	return slices.Clip(out)
}
