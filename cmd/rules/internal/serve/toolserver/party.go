package toolserver

import (
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime"
)

// A Party is the characters of a directory, NAME.json by their names. They are read anew for each call, so that an edit
// counts at once. No name leads out of the directory, also not through a symbolic link.
type Party struct{ root *os.Root }

// OpenParty opens a directory of characters.
func OpenParty(dir string) (*Party, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Party{root}, nil
}

const (
	characterSuffix = ".json"
	maxCharacters   = 1_000 // files of a directory that are looked at
)

// listNames returns the names of the files, sorted.
func (p *Party) listNames() []string {
	if p == nil {
		return nil
	}
	list, err := fs.ReadDir(p.root.FS(), ".")
	if err != nil {
		return nil // a directory that is gone has no characters
	}
	var out []string
	for _, f := range list {
		if name, ok := strings.CutSuffix(f.Name(), characterSuffix); ok && len(out) < maxCharacters {
			out = append(out, name)
		}
	}
	return out
}

// readFile returns a character by its name.
func (p *Party) readFile(name string) (json.RawMessage, error) {
	if !slices.Contains(p.listNames(), name) {
		if len(p.listNames()) == 0 {
			return nil, api.BadRequest("no characters are served, so none has a name: give the character itself, an object")
		}
		return nil, &runtime.UnknownError{What: "character", Name: name, Known: p.listNames()}
	}
	f, err := p.root.Open(name + characterSuffix)
	if err != nil {
		return nil, &runtime.InputError{Root: "character", Msg: name + " cannot be read"}
	}
	defer f.Close()
	if s, err := f.Stat(); err != nil || !s.Mode().IsRegular() {
		return nil, &runtime.InputError{Root: "character", Msg: name + " is no file"}
	}
	text, err := io.ReadAll(io.LimitReader(f, runtime.MaxRecord+1))
	switch {
	case err != nil:
		return nil, &runtime.InputError{Root: "character", Msg: name + " cannot be read"}
	case len(text) > runtime.MaxRecord:
		return nil, &runtime.InputError{Root: "character", Msg: name + " is longer than a character may be"}
	case !json.Valid(text):
		return nil, &runtime.InputError{Root: "character", Msg: "the file of " + name + " is not one value of JSON"}
	}
	return text, nil
}

// A member is a character with the rulesets that it is of.
type member struct {
	Name     string   `json:"name"`
	Rulesets []string `json:"rulesets"`
}

// listMembers returns the characters of the directory that are of some of the rulesets. Inputs and other files may lie
// beside them.
func (p *Party) listMembers(editions []*library.Edition) []member {
	out := []member{}
	for _, name := range p.listNames() {
		text, err := p.readFile(name)
		if err != nil {
			continue
		}
		m := member{Name: name}
		for _, e := range editions {
			if e.Program.Fits(text) == nil && !slices.Contains(m.Rulesets, e.Plan.Ruleset) {
				m.Rulesets = append(m.Rulesets, e.Plan.Ruleset)
			}
		}
		if m.Rulesets != nil {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b member) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// readCharacter returns the character of a call, a name or an object; empty for none.
func (p *Party) readCharacter(given json.RawMessage) (json.RawMessage, error) {
	var name string
	if len(given) == 0 || string(given) == "null" || json.Unmarshal(given, &name) != nil {
		return given, nil
	}
	return p.readFile(name)
}

// Close closes the directory.
func (p *Party) Close() error { return p.root.Close() }
