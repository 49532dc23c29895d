package lsp

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// identifier is what a name of a ruleset looks like.
var identifier = regexp.MustCompile(`^[a-z_][A-Za-z0-9_]*$`)

// canRename reports whether all that uses a name lies in the module. Fields and outputs are also in files of players, and
// the values of options and the keys of tables in their characters.
func canRename(sym *symbols.Symbol) bool {
	switch sym.Kind {
	case symbols.Trait, symbols.Function, symbols.Table, symbols.Rule, symbols.Procedure:
		return true
	case symbols.Local:
		return strings.HasPrefix(sym.Detail, "let ")
	}
	return false
}

// namedUses finds a definition's name where it stands outside of formulas: in attributes, in uses, in headers of cases.
func (s *server) namedUses(t *target, sym *symbols.Symbol) []symbols.Reference {
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
	out := t.search(dir, ".cue", inCUE)
	return append(out, t.search(s.casesDir(path.Base(dir)), ".txtar", inCase)...)
}

// search finds the first group of a pattern in the lines of the files of a directory.
func (t *target) search(dir, extension string, pattern *regexp.Regexp) []symbols.Reference {
	entries, err := fs.ReadDir(t.files, dir)
	if err != nil || pattern == nil {
		return nil
	}
	var out []symbols.Reference
	for _, e := range entries {
		if path.Ext(e.Name()) != extension || e.IsDir() {
			continue
		}
		file := path.Join(dir, e.Name())
		for i, line := range t.text(file).lines {
			for _, m := range pattern.FindAllStringSubmatchIndex(line, -1) {
				at := plan.Place{File: file, Line: i + 1, Col: len([]rune(line[:m[2]])) + 1}
				out = append(out, symbols.Reference{Place: at, Length: len([]rune(line[m[2]:m[3]]))})
			}
		}
	}
	return slices.Clip(out)
}
