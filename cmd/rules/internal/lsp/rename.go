package lsp

import (
	"regexp"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
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

// rename gives the edits that give a name another text: where it is declared, and wherever it is used.
func rename(s *snapshot, p renameParams) (*workspaceEdit, error) {
	t, ok := s.locate(p.documentPosition)
	if !ok {
		return nil, refusal("this file belongs to no ruleset of the module")
	}
	sym, ok := t.declared()
	switch {
	case !ok:
		return nil, refusal("there is no name of the ruleset here")
	case !identifier.MatchString(p.NewName):
		return nil, refusal("a name is a small letter, then letters, digits and underscores")
	case !s.isOwnFile(sym.Place.File):
		return nil, refusal("this is a name of the ruleset that the homebrew changes, and is renamed there")
	case !canRename(&sym):
		return nil, refusal("a %s is not renamed: characters, inputs and saved sheets use its name too", sym.Kind)
	}
	out := &workspaceEdit{map[string][]textEdit{}}
	for _, l := range occurrencesOf(t, &sym) {
		out.Changes[l.URI] = append(out.Changes[l.URI], textEdit{l.Range, p.NewName})
	}
	return out, nil
}
