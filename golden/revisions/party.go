package revisions

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Member is a character of a party, with what it is going to be asked.
type Member struct {
	Name   string
	JSON   []byte                    // without what it is pinned to
	Inputs map[string][]byte         // by rule or procedure
	Events map[string][]golden.Event // by procedure
}

// LoadParty reads the characters in a directory, ada.json, and what they are asked: ada_test.json is Ada's input for the
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

// LoadMember reads one character of a party, and of the files beside it what it is asked.
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
		Events: map[string][]golden.Event{}})
	return nil
}

// ownerOf is the character whose name stands before a suffix.
func (l *partyLoader) ownerOf(base, suffix string) *Member {
	if name, ok := strings.CutSuffix(base, suffix); ok {
		if i, known := l.at[name]; known {
			return &l.party[i]
		}
	}
	return nil
}

// removePin is a character that any revision may play: what it becomes by the other one is the question.
func removePin(t *jsontree.Tree) []byte {
	out := *t
	for _, name := range []string{runtime.PinName, runtime.HomebrewsName} {
		if i := slices.Index(out.Names, name); i >= 0 {
			out.Names = slices.Delete(slices.Clone(out.Names), i, i+1)
			out.Items = slices.Delete(slices.Clone(out.Items), i, i+1)
		}
	}
	return []byte(out.String())
}

// seeds is from how many seeds faces are drawn for a character whose input is given.
// Enough that an effect on one answer in five is missed once in a hundred questions (0.8^20 is
// about 1 %); what is rarer, the comparison of exact odds shows.
const seeds = 20

// noteStranger reports whether a character fits neither revision, and notes why not the new one.
func (r *revisions) noteStranger(m *Member) bool {
	is := r.new.Fits(m.JSON)
	if is == nil || r.old.Fits(m.JSON) == nil {
		return false
	}
	r.out.Strangers[m.Name] = is
	return true
}

// compareMember notes what changes for a character: whether it fits, and what it is answered to its own inputs, or where
// it has none to those of the cases.
func (r *revisions) compareMember(m *Member, cases []*golden.Case) {
	if r.noteStranger(m) {
		return
	}
	if was, is := r.old.Fits(m.JSON), r.new.Fits(m.JSON); was != nil || is != nil {
		r.out.Party = append(r.out.Party, Shift{
			Who: m.Name, Subject: "character", Name: m.Name,
			Moved:   []Moved{{Path: "the character", Old: describeFit(was), New: describeFit(is)}},
			Because: r.editsAmong(func(*golden.Definitions) []*plan.Entry { return nil }),
		})
		return
	}
	for _, of := range r.askableCases() {
		r.compareRule(m, of, cases)
	}
}

func describeFit(err error) string {
	if err == nil {
		return "fits"
	}
	return err.Error()
}

// compareRule notes what changes for a character in a rule or a procedure.
func (r *revisions) compareRule(m *Member, of *golden.Case, cases []*golden.Case) {
	asked := m.ownCases(of, r.hasDice(of))
	if asked == nil {
		asked = m.casesOfOthers(cases, of)
	}
	var shifts []Shift
	moved := r.shiftsOf(asked)
	for _, s := range moved {
		if s != nil && s.hasSheet() {
			s.Who = m.Name
			shifts = mergeShift(shifts, *s)
		}
	}
	r.out.Party = append(r.out.Party, shifts...)
	r.addChances(m, asked, moved)
}

// mergeShift adds a shift, as another seed of one that moves the same by the same question.
func mergeShift(list []Shift, s Shift) []Shift {
	for i := range list {
		if x := &list[i]; x.Name == s.Name && slices.Equal(x.Moved, s.Moved) && slices.Equal(x.Because, s.Because) {
			x.Seeds = append(x.Seeds, s.Seeds...)
			return list
		}
	}
	return append(list, s)
}

// hasDice reports whether dice can fall.
func (r *revisions) hasDice(of *golden.Case) bool {
	return planHasDice(r.old.Plan(), of) || planHasDice(r.new.Plan(), of)
}

func planHasDice(p *plan.Plan, of *golden.Case) bool {
	for _, x := range p.Rules {
		if of.Kind == golden.RuleCase && x.ID == of.Subject {
			return len(x.Graph.Dice) > 0
		}
	}
	for _, x := range p.Procedures {
		if of.Kind == golden.ProcedureCase && x.ID == of.Subject {
			return len(x.Start.Dice) > 0 ||
				slices.ContainsFunc(x.Events, func(e plan.Event) bool { return len(e.Graph.Dice) > 0 })
		}
	}
	return false
}

// hasSheet reports whether one of the two revisions answers with a sheet.
func (s *Shift) hasSheet() bool {
	m := s.Moved[0]
	return m.Path != sheetPath || strings.HasPrefix(m.Old, "{") || strings.HasPrefix(m.New, "{")
}

// askableCases are the rules and procedures, as cases without a question.
func (r *revisions) askableCases() []*golden.Case {
	var out []*golden.Case
	for _, id := range r.new.RuleNames() {
		out = append(out, &golden.Case{Kind: golden.RuleCase, Subject: id})
	}
	for _, id := range r.new.ProcedureNames() {
		out = append(out, &golden.Case{Kind: golden.ProcedureCase, Subject: id})
	}
	return out
}

// ownCases are the questions of a character's own files: for one seed, or when dice can fall for many.
func (m *Member) ownCases(of *golden.Case, chancy bool) []*golden.Case {
	input, ok := m.Inputs[of.Subject]
	if !ok {
		return nil
	}
	n := uint64(1)
	if chancy {
		n = seeds
	}
	var out []*golden.Case
	for seed := range n {
		c := *of
		c.Name, c.Character, c.Input, c.Events = m.Name+"_"+of.Subject, m.JSON, input, m.Events[of.Subject]
		c.Seed = &seed
		out = append(out, &c)
	}
	return out
}

// casesOfOthers are the questions of the cases, asked of another character: each once, for many cases differ in nothing
// but their character.
func (m *Member) casesOfOthers(cases []*golden.Case, of *golden.Case) []*golden.Case {
	var out []*golden.Case
	for _, c := range cases {
		if c.Kind == of.Kind && c.Subject == of.Subject {
			q := *c
			q.Character = m.JSON
			if !slices.ContainsFunc(out, func(x *golden.Case) bool { return asksSame(x, &q) }) {
				out = append(out, &q)
			}
		}
	}
	return out
}

// asksSame reports whether two cases of one rule or procedure, for one character, ask the same.
func asksSame(a, b *golden.Case) bool {
	return bytes.Equal(a.Input, b.Input) && maps.Equal(a.Options, b.Options) && reflect.DeepEqual(a.Dice, b.Dice) &&
		reflect.DeepEqual(a.Events, b.Events)
}
