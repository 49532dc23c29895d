package revisions

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// A Member is a character of a party, with what it is going to be asked.
type Member struct {
	Name   string
	JSON   []byte                    // without what it is pinned to
	Inputs map[string][]byte         // by rule or procedure
	Events map[string][]runtime.Step // by procedure
}

// LoadParty returns the characters in a directory, ada.json, with their questions: ada_test.json is Ada's input for the
// rule test, ada_task_events.json her events of the procedure task. Asked are the ids of the rules and procedures; errors
// name the directory as it is called.
func LoadParty(fsys fs.FS, dir, called string, asked []string) ([]Member, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	l := &partyLoader{asked: asked, at: map[string]int{}}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			err = l.loadFile(path.Join(called, path.Base(name)), data)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(l.party) == 0 {
		return nil, fmt.Errorf("%s: there are no characters: no file ends in .json", called)
	}
	return l.party, nil
}

// LoadMember returns one character of a party, with its questions in the files beside it.
func LoadMember(fsys fs.FS, name, called string, asked []string) (*Member, error) {
	names, err := fs.Glob(fsys, strings.TrimSuffix(name, ".json")+"_*.json")
	if err != nil {
		return nil, err
	}
	l := &partyLoader{asked: asked, at: map[string]int{}}
	for i, name := range append([]string{name}, names...) {
		base := strings.TrimSuffix(path.Base(name), ".json")
		if i > 0 && !slices.ContainsFunc(asked, func(id string) bool {
			return l.ownerOf(base, "_"+id) != nil || l.ownerOf(base, "_"+id+"_events") != nil
		}) {
			continue // of another character, whose name begins alike
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			err = l.loadFile(path.Join(called, path.Base(name)), data)
		}
		if err != nil {
			return nil, err
		}
	}
	return &l.party[0], nil
}

// A partyLoader takes the files of a party in the order of their names: a character's own stands before its inputs.
type partyLoader struct {
	asked []string
	party []Member
	at    map[string]int // of characters, by name
}

func (l *partyLoader) loadFile(name string, data []byte) error {
	base := strings.TrimSuffix(path.Base(name), ".json")
	for _, id := range l.asked {
		if m := l.ownerOf(base, "_"+id); m != nil {
			m.Inputs[id] = data
			return nil
		}
		if m := l.ownerOf(base, "_"+id+"_events"); m != nil {
			events, err := golden.ParseEvents(name, data)
			m.Events[id] = events
			return err
		}
	}
	t, err := jsontree.ReadTree(data)
	if err != nil {
		return &golden.Error{File: name, Line: golden.Before(err, data), Msg: err.Error()}
	}
	l.at[base] = len(l.party)
	l.party = append(l.party, Member{Name: base, JSON: removePin(t), Inputs: map[string][]byte{},
		Events: map[string][]runtime.Step{}})
	return nil
}

// ownerOf returns the character whose name stands before a suffix.
func (l *partyLoader) ownerOf(base, suffix string) *Member {
	if name, ok := strings.CutSuffix(base, suffix); ok {
		if i, known := l.at[name]; known {
			return &l.party[i]
		}
	}
	return nil
}

// removePin returns a character that any revision may play: its fate under the other one is the question.
func removePin(t *jsontree.Tree) []byte {
	out := *t
	for _, name := range jsonio.PinNames() {
		if i := slices.Index(out.Names, name); i >= 0 {
			out.Names = slices.Delete(slices.Clone(out.Names), i, i+1)
			out.Items = slices.Delete(slices.Clone(out.Items), i, i+1)
		}
	}
	return []byte(out.String())
}
