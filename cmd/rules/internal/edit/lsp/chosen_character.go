package lsp

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

// chooseCharacter is the command that shows the odds for a character: its argument is the path of a file in JSON from the
// root of the module, or empty for the characters of the cases.
const chooseCharacter = "rules.chooseCharacter"

// findCharacter returns the file that the argument of chooseCharacter names.
func findCharacter(s *snapshot, p executeCommandParams) (file string, err error) {
	if len(p.Arguments) != 1 {
		return "", newRefusal("%s has one argument, the path of a file from the root of the module", chooseCharacter)
	}
	if file = p.Arguments[0]; file != "" {
		data, err := fs.ReadFile(s, path.Clean(file))
		if err != nil || !json.Valid(data) {
			return "", newRefusal("there is no character in %s", file)
		}
	}
	return file, nil
}

// chosenCharacter returns the chosen character, and its file; empty when none is chosen, when it lies with the cases of
// another ruleset, and when its file is no JSON.
func chosenCharacter(s *snapshot, ruleset string) (data []byte, file string) {
	file = s.character
	if file == "" || strings.HasPrefix(file, "golden/") && path.Dir(file) != s.casesDir(ruleset) {
		return nil, ""
	}
	data, err := fs.ReadFile(s, path.Clean(file))
	if err != nil || !json.Valid(data) {
		return nil, ""
	}
	return data, file
}

// characterFiles returns the files beside the cases of a ruleset that may hold characters: JSON that is an object, and that
// no other file's name makes the input or the events of something.
//
// The rule is that of parties: ada.json is a character, ada_test.json is her input, because a file
// ada.json stands beside it. A file with an underscore and no such owner is a character.
func characterFiles(s *snapshot, ruleset string) []string {
	dir := s.casesDir(ruleset)
	names, err := fs.Glob(s, path.Join(dir, "*.json"))
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
func characterActions(s *snapshot, file string, at span) []codeAction {
	x := s.indexOfFile(file)
	if x == nil {
		return nil
	}
	isAtRule := func(d symbols.Symbol) bool {
		return d.Kind == symbols.Rule && d.Place.File == file && touches(s.spanAt(d.Place, 0), at)
	}
	if !slices.ContainsFunc(x.Definitions(), isAtRule) {
		return nil
	}
	choose := func(title, file string) codeAction {
		c := command{Title: title, Command: chooseCharacter, Arguments: []any{file}}
		return codeAction{Title: title, Kind: sourceAction, Command: &c}
	}
	var out []codeAction
	for _, name := range characterFiles(s, x.Ruleset()) {
		out = append(out, choose("show odds for "+strings.TrimSuffix(path.Base(name), ".json"), name))
	}
	if len(out) > 0 {
		out = append(out, choose("show odds for the characters of the cases", ""))
	}
	return out
}
