package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// chosenBudget is how many states may be met for odds that no case states: who computes them in another way, by trying
// all faces, must be able to.
const chosenBudget = 20_000

// longestOdds is how many bytes chosen odds may take.
const longestOdds = 16 << 10

// A maker collects the vectors of a plan.
type maker struct {
	program *runtime.Program
	out     *Document
	chosen  map[string]bool // rules whose odds are among the vectors
}

// Make returns the vectors of a plan from its cases, in their order. A case of a table or a function gives none: rules are
// made of them, and nobody asks one.
//
// The expected answers come from the plan, and the cases vouch for them: a case that fails stops everything, because a
// vector that is wrong would be copied into implementations that nobody here sees.
func Make(p *plan.Plan, cases []*golden.Case) (*Document, error) {
	m := newMaker(p)
	for _, c := range cases {
		if c.Kind == golden.TableCase || c.Kind == golden.FunctionCase {
			continue
		}
		if r := golden.Run(m.program, c); !r.Passed() {
			return nil, fmt.Errorf("%s:%v: what a failing case wants is no vector", c.File, r.Problems[0])
		}
		if err := m.addCase(c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	if len(m.out.Vectors) == 0 {
		return nil, fmt.Errorf("%s %s has no cases: there is nothing to make vectors of", p.Ruleset, p.Revision)
	}
	return m.out, nil
}

func newMaker(p *plan.Plan) *maker {
	m := &maker{program: runtime.New(p), chosen: map[string]bool{}, out: &Document{
		Format: Format, About: about[:], Ruleset: p.Ruleset, Revision: p.Revision, Digest: digestText(p),
		Options: map[string]string{},
	}}
	for _, o := range p.Options {
		m.out.Options[o.ID] = o.Values[o.Default]
	}
	return m
}

// digestText returns the semantic digest of a plan, as receipts write it.
func digestText(p *plan.Plan) string {
	sum := planfile.Digest(p)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// addCase adds the vectors of a case: as it is ruled, and as the book prints it where an option plays that.
func (m *maker) addCase(c *golden.Case) error {
	if len(c.Policy) > 0 {
		return nil // a vector is one evaluation or one play, and has no policy
	}
	if c.Kind == golden.OddsCase {
		return m.addOdds(c, golden.OddsBudget)
	}
	if err := m.addAnswer(c, c.Name); err != nil {
		return err
	}
	if c.Printed != nil {
		printed := *c
		printed.Options = maps.Clone(c.Printed)
		for name, value := range c.Options {
			if _, set := printed.Options[name]; !set {
				printed.Options[name] = value
			}
		}
		if err := m.addAnswer(&printed, c.Name+"/printed"); err != nil {
			return err
		}
	}
	return m.chooseOdds(c)
}

// addAnswer adds the answer of a rule or a procedure to a case.
func (m *maker) addAnswer(c *golden.Case, id string) error {
	v, err := newVector(c, id)
	if err != nil {
		return err
	}
	sheet, err := golden.Play(m.program, c, c.Options)
	if err != nil {
		if v.Want, err = wantEnding(err); err != nil {
			return err
		}
	} else {
		v.Want = wantMember("sheet", wantSheet(sheet))
		v.nameDice(sheet)
	}
	m.out.Vectors = append(m.out.Vectors, *v)
	return nil
}

// newVector returns the question of a case, with the faces as it gives them.
func newVector(c *golden.Case, id string) (*Vector, error) {
	v := &Vector{Cite: c.Cite, Case: path.Base(c.File)}
	var err error
	compact := func(text []byte) json.RawMessage {
		if len(text) == 0 {
			return json.RawMessage("{}")
		}
		var out bytes.Buffer
		err = errors.Join(err, json.Compact(&out, text))
		return out.Bytes()
	}
	v.Question = Question{ID: id, Kind: Kind(c.Kind), Subject: c.Subject, Options: c.Options,
		Character: compact(c.Character), Input: compact(c.Input), Dice: writeFaces(c.Dice)}
	for _, e := range c.Events {
		v.Events = append(v.Events, Event{e.Event, compact(e.Input), writeFaces(e.Dice)})
	}
	return v, err
}

// writeFaces is faces as a case gives them, nil for none.
func writeFaces(f dice.Faces) json.RawMessage {
	if len(f.ByID)+len(f.List) == 0 {
		return nil
	}
	f.ByID = slices.Clone(f.ByID)
	slices.SortFunc(f.ByID, func(a, b dice.Roll) int { return strings.Compare(a.ID, b.ID) })
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // numbers in lists
	}
	return text
}

// nameDice gives the faces by the ids of the dice that fell: in a list, their order would be one more thing to agree on.
func (v *Vector) nameDice(sheet *jsontree.Tree) {
	v.Dice = facesOf(sheet, v.Dice)
	if events := sheet.Get("events"); events != nil {
		for i := range v.Events {
			v.Events[i].Dice = facesOf(events.Items[i], v.Events[i].Dice)
		}
	}
}

// facesOf returns the faces that fell, when some were given.
func facesOf(sheet *jsontree.Tree, given json.RawMessage) json.RawMessage {
	if fell := sheet.Get("dice"); fell != nil && given != nil {
		return json.RawMessage(fell.String())
	}
	return given
}

// wantSheet returns the part of a sheet that rules decide. The rest repeats the question.
func wantSheet(sheet *jsontree.Tree) *jsontree.Tree {
	out := pick(sheet, "dice", "character", "events", "state", "status", "output")
	if i := slices.Index(out.Names, "events"); i >= 0 {
		list := &jsontree.Tree{Kind: jsontree.Array}
		for _, e := range out.Items[i].Items {
			list.Items = append(list.Items, pick(e, "event", "dice", "output"))
		}
		out.Items[i] = list
	}
	return out
}

// pick returns an object with some of its members, in the order of the names.
func pick(t *jsontree.Tree, names ...string) *jsontree.Tree {
	out := &jsontree.Tree{Kind: jsontree.Object}
	for _, name := range names {
		if x := t.Get(name); x != nil {
			out.Names = append(out.Names, name)
			out.Items = append(out.Items, x)
		}
	}
	return out
}

// wantEnding returns the end without a sheet that an error is.
//
// Messages of requirements are the author's and part of the rules. Of other endings only the kind and the place are
// expected, not this program's wording.
func wantEnding(err error) (json.RawMessage, error) {
	end := &jsontree.Tree{Kind: jsontree.Object}
	note := func(name, text string) {
		end.Names = append(end.Names, name)
		end.Items = append(end.Items, &jsontree.Tree{Kind: jsontree.Text, Text: text})
	}
	if e, ok := errors.AsType[*runtime.Refused](err); ok {
		note("message", e.Require.Message)
	} else if e, ok := errors.AsType[*runtime.NotOffered](err); ok {
		note("event", e.Event)
	} else if e, ok := errors.AsType[*runtime.InputError](err); ok {
		note("path", e.Root+e.Path)
	} else if e, ok := errors.AsType[*dice.Error](err); ok {
		if e.ID != "" {
			note("die", e.ID)
		}
	} else if _, ok := errors.AsType[*runtime.Failure](err); ok {
		return wantMember("failed", end), nil
	} else {
		return nil, err
	}
	return wantMember("refused", end), nil
}

func wantMember(name string, t *jsontree.Tree) json.RawMessage {
	return json.RawMessage((&jsontree.Tree{Kind: jsontree.Object, Names: []string{name},
		Items: []*jsontree.Tree{t}}).String())
}

// addOdds adds the odds of a case.
func (m *maker) addOdds(c *golden.Case, budget int64) error {
	t, err := golden.ExactOdds(m.program, c, budget)
	if err != nil {
		return err
	}
	return m.appendOdds(c, c.Name, t)
}

func (m *maker) appendOdds(c *golden.Case, id string, t *jsontree.Tree) error {
	v, err := newVector(c, id)
	if err != nil {
		return err
	}
	v.Kind, v.Dice, v.Want = Odds, nil, wantMember("odds", t)
	m.chosen[c.Subject] = true
	m.out.Vectors = append(m.out.Vectors, *v)
	return nil
}

// chooseOdds adds the odds of the question of a case, when they are the first of its rule that are known at little cost.
//
// One question of each rule is enough to find another engine wrong, and small ones can be checked
// by trying all faces in any language.
func (m *maker) chooseOdds(c *golden.Case) error {
	if c.Kind != golden.RuleCase || c.Refused != "" || c.Failed != "" || m.chosen[c.Subject] || c.Dice.IsZero() {
		return nil
	}
	t, err := golden.ExactOdds(m.program, c, chosenBudget)
	if _, large := errors.AsType[*odds.BudgetError](err); large {
		return nil
	}
	if err != nil || len(t.String()) > longestOdds {
		return err
	}
	return m.appendOdds(c, c.Name+"/odds", t)
}
