package lsp

import (
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
)

// chooseCharacter is the command that shows the odds for a character: its argument is the path of a file in JSON from the
// root of the module, or empty for the characters of the cases.
const chooseCharacter = "rules.chooseCharacter"

// setCharacter chooses the file of a character, or with none the characters of the cases.
func (s *server) setCharacter(ctx context.Context, conn *jsonrpc2.Conn, file string) {
	s.mu.Lock()
	s.character = file
	s.mu.Unlock()
	s.refreshClient(ctx, conn)
}

// chooseNamed carries out chooseCharacter.
func (s *server) chooseNamed(ctx context.Context, conn *jsonrpc2.Conn, p executeCommandParams) (any, error) {
	if len(p.Arguments) != 1 {
		return refuse("%s has one argument, the path of a file from the root of the module", chooseCharacter)
	}
	file := p.Arguments[0]
	if file != "" {
		data, err := fs.ReadFile(s.view(), path.Clean(file))
		if err != nil || !json.Valid(data) {
			return refuse("there is no character in %s", file)
		}
	}
	s.setCharacter(ctx, conn, file)
	return nil, nil
}

// chosenCharacter is the chosen character, and its file; empty when none is chosen, when it lies with the cases of another
// ruleset, and when its file is no JSON.
func (s *server) chosenCharacter(v *view, ruleset string) (data []byte, file string) {
	s.mu.Lock()
	file = s.character
	s.mu.Unlock()
	if file == "" || strings.HasPrefix(file, "golden/") && path.Dir(file) != s.casesDir(ruleset) {
		return nil, ""
	}
	data, err := fs.ReadFile(v, path.Clean(file))
	if err != nil || !json.Valid(data) {
		return nil, ""
	}
	return data, file
}

// characterFiles are the files beside the cases of a ruleset that may hold characters: JSON that is an object, and that no
// other file's name makes the input or the events of something.
func (s *server) characterFiles(v *view, ruleset string) []string {
	dir := s.casesDir(ruleset)
	names, err := fs.Glob(v, path.Join(dir, "*.json"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		stem := strings.TrimSuffix(name, ".json")
		return slices.ContainsFunc(names, func(other string) bool {
			return strings.HasPrefix(stem, strings.TrimSuffix(other, ".json")+"_")
		})
	})
}

// characterActions offer, where a rule is declared, to show its odds for another character.
func (s *server) characterActions(v *view, file string, at span) []codeAction {
	x := s.index(v, file)
	if x == nil {
		return nil
	}
	isAtRule := func(d symbols.Symbol) bool {
		return d.Kind == symbols.Rule && d.Place.File == file && touches(v.span(d.Place, 0), at)
	}
	if !slices.ContainsFunc(x.Definitions(), isAtRule) {
		return nil
	}
	choose := func(title, file string) codeAction {
		c := command{Title: title, Command: chooseCharacter, Arguments: []any{file}}
		return codeAction{Title: title, Kind: sourceAction, Command: &c}
	}
	var out []codeAction
	for _, name := range s.characterFiles(v, x.Ruleset()) {
		out = append(out, choose("show odds for "+strings.TrimSuffix(path.Base(name), ".json"), name))
	}
	if len(out) > 0 {
		out = append(out, choose("show odds for the characters of the cases", ""))
	}
	return out
}
