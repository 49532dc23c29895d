// Package revisions plays two revisions of a ruleset for golden cases and for a party of characters, and says whose numbers
// and odds change, from what to what, and by which edit.
//
// # One edit
//
// A revision changes the points of the difficulty "hard" from 30 to 20. Compare asks package
// compare first what differs between the plans: the definition "table difficulty" has changed, and
// rule test answers otherwise, by their semantic digests. Then each golden case is played by both
// plans (shiftsOf). A case of test with a hard difficulty gives two sheets; compareWith finds
// output.active_value 30 and 40 and output.success, and these become a Shift with the lines of the
// case's file that state the old values (placeStated). causesOf names the edit, "table difficulty".
// The party comes next: each character is asked what its own files ask, or what the cases ask of
// others; for a rule that rolls, its own question is put with twenty seeds, and those seeds that
// move the same become one line. For these rules the exact odds are compared too (chance.go,
// course.go).
//
// revision.go, party.go, cause.go, chance.go, course.go and likely.go is the order to read;
// parallel.go is a helper. Tests: TestCompareNamesTheCasesThatChange,
// TestCompareNamesTheCharactersThatChange, TestOnlyEditsThatAreReadAreCauses,
// TestCompareGivesTheOddsThatChange.
//
// Invariant: nothing is reported for a question that only one of the revisions knows; that a rule
// is new or gone stands in the Diff.
package revisions

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Comparison is what differs between two revisions of a ruleset, and whom it meets.
type Comparison struct {
	*compare.Diff
	Cases []Shift  `json:"cases"` // golden cases that answer otherwise
	Party []Shift  `json:"party"` // characters whose numbers change
	Odds  []Chance `json:"odds"`  // characters whose odds change

	Strangers map[string]error `json:"-"` // characters that fit neither revision, and why not the new one
}

// A Shift is a question that two revisions answer otherwise.
type Shift struct {
	Who     string   `json:"character,omitempty"` // of a party; empty for a case
	Subject string   `json:"subject"`             // the rule or procedure
	Name    string   `json:"name"`                // of the case, or of the file with the input
	Seeds   []uint64 `json:"seeds,omitempty"`     // from which faces were drawn that move the same
	Moved   []Moved  `json:"moved"`
	Because []string `json:"edit"` // the changed definitions that it comes from
}

// Moved is a place in a sheet with what stood and what stands there, as JSON; why there is no sheet, when there is none.
type Moved struct {
	Path  string `json:"path"`
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
	Place string `json:"place,omitempty"` // "golden/haze/leap.txtar:12", where a case states the value
}

// String says what became of it.
func (m Moved) String() string {
	switch {
	case m.Place != "":
		place := m.Place
		m.Place = ""
		return place + ": " + m.String()
	case m.Old == "":
		return m.Path + ": new: " + m.New
	case m.New == "":
		return m.Path + ": gone, was " + m.Old
	}
	return m.Path + ": " + m.Old + " -> " + m.New
}

// Compare compares two revisions: as plans, by cases, and for the characters of a party. Cases are those of the new one,
// and of the old one those that the new one lacks.
func Compare(old, new *plan.Plan, cases []*golden.Case, party []Member) *Comparison {
	return CompareTelling(func(string) {}, old, new, cases, party)
}

// CompareTelling is Compare, which says what is being compared: it takes seconds for many cases and characters.
func CompareTelling(tell func(what string), old, new *plan.Plan, cases []*golden.Case, party []Member) *Comparison {
	r := &revisions{old: runtime.New(old), new: runtime.New(new), out: &Comparison{
		Cases: []Shift{}, Party: []Shift{}, Odds: []Chance{}, Strangers: map[string]error{},
	}}
	if AreSame(old, new) { // most rulesets of a module, after an edit of one
		name := compare.NameOf(new)
		r.out.Diff = &compare.Diff{Old: name, New: name}
		for i := range party {
			r.noteStranger(&party[i])
		}
		return r.out
	}
	r.out.Diff = compare.Compare(old, new, schedule.Normal)
	r.was, r.is = golden.NewDefinitions(old), golden.NewDefinitions(new)
	for i := range r.out.Answers {
		r.explainAnswer(&r.out.Answers[i])
	}
	tell(fmt.Sprintf("%d cases", len(cases)))
	for i, s := range r.shiftsOf(cases) {
		if s != nil {
			s.placeStated(cases[i])
			r.out.Cases = append(r.out.Cases, *s)
		}
	}
	for i := range party {
		tell(fmt.Sprintf("%s, %d of %d characters", party[i].Name, i+1, len(party)))
		r.compareMember(&party[i], cases)
	}
	return r.out
}

// AreSame reports whether two plans say the same, so that nothing differs for anybody.
func AreSame(old, new *plan.Plan) bool {
	return old == new || planfile.Digest(old) == planfile.Digest(new)
}

// revisions are two plans of a ruleset, ready to be asked.
type revisions struct {
	old, new *runtime.Program
	was, is  *golden.Definitions
	out      *Comparison
}

// explainAnswer names the edits that a changed answer can come from.
func (r *revisions) explainAnswer(a *compare.Changed) {
	kind := map[string]plan.EntryKind{"rule": plan.RuleEntry, "procedure": plan.ProcedureEntry,
		"event": plan.EventEntry}[a.Kind]
	a.Because = r.editsAmong(func(d *golden.Definitions) []*plan.Entry { return d.ReachedFrom(kind, a.ID) })
}

// editsAmong are the changed definitions among those that either revision reaches.
func (r *revisions) editsAmong(reached func(*golden.Definitions) []*plan.Entry) []string {
	out := []string{}
	entries := append(reached(r.was), reached(r.is)...)
	for i := range r.out.Definitions {
		c := &r.out.Definitions[i]
		among := slices.ContainsFunc(entries, func(e *plan.Entry) bool { return e.Kind.String() == c.Kind && e.ID == c.ID })
		if changesPlay(c) && (among || c.Kind == "character") {
			out = append(out, c.Label())
		}
	}
	return out
}

// changesPlay reports whether a change of a definition can make an answer another: it is more than what people read of it.
func changesPlay(c *compare.Changed) bool {
	return c.Verb != "changed" || slices.ContainsFunc(c.Changes,
		func(x compare.Change) bool { return x.Class != compare.TextClass })
}

// placeStated notes where the case states what moved.
func (s *Shift) placeStated(c *golden.Case) {
	for i := range s.Moved {
		if line := c.WantedLine(s.Moved[i].Path); line > 0 {
			s.Moved[i].Place = fmt.Sprintf("%s:%d", c.File, line)
		}
	}
}

// shiftsOf asks both revisions every case.
func (r *revisions) shiftsOf(cases []*golden.Case) []*Shift {
	return mapParallel(len(cases), func(i int) *Shift { return r.shiftOf(cases[i]) })
}

// shiftOf asks both revisions; nil when they answer the same, or when only one knows what is asked about.
func (r *revisions) shiftOf(c *golden.Case) *Shift {
	if c.Kind == golden.TableCase || !canAnswer(r.old, c) || !canAnswer(r.new, c) {
		return nil
	}
	old, new := answerCase(r.old, c), answerCase(r.new, c)
	moved := old.compareWith(new)
	if len(moved) == 0 {
		return nil
	}
	out := &Shift{Subject: string(c.Kind) + " " + c.Subject, Name: c.Name, Moved: moved, Because: r.causesOf(c)}
	if c.Seed != nil {
		out.Seeds = []uint64{*c.Seed}
	}
	return out
}

// canAnswer reports whether a program has the rule or procedure of a case, and its events and options.
func canAnswer(p *runtime.Program, c *golden.Case) bool {
	if c.Kind == golden.RuleCase {
		_, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
		return err == nil
	}
	d, err := p.Procedure(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(c.Events, func(e golden.Event) bool { return !slices.Contains(d.EventNames(), e.Name) })
}

// A reply is a sheet, or why there is none.
type reply struct {
	sheet *jsontree.Tree
	err   string
}

func answerCase(p *runtime.Program, c *golden.Case) reply {
	sheet, err := golden.Play(p, c, c.Options)
	switch {
	case err == nil:
		return reply{sheet: sheet}
	case golden.Refusal(err) != "":
		return reply{err: "refused: " + golden.Refusal(err)}
	}
	return reply{err: err.Error()}
}

// compared are the members of sheets that rules decide.
var compared = []string{"output", "status", "character", "state", "events"}

// compareWith compares two replies.
func (a reply) compareWith(b reply) []Moved {
	switch {
	case a.err != "" && a.err == b.err:
		return nil
	case a.err != "" || b.err != "":
		return []Moved{{Path: sheetPath, Old: a.describeReply(), New: b.describeReply()}}
	}
	var out []Moved
	for _, name := range compared {
		if x, y := a.sheet.Get(name), b.sheet.Get(name); x != nil && y != nil {
			out = appendMoved(out, name, x, y)
		}
	}
	return out
}

// describeReply is why there is no sheet, or what it puts out.
func (a reply) describeReply() string {
	if a.err != "" {
		return a.err
	}
	return a.sheet.Get("output").String()
}

// appendMoved compares two values both ways: members that only the new one has count too.
func appendMoved(out []Moved, path string, old, new *jsontree.Tree) []Moved {
	switch {
	case old.Kind == jsontree.Object && new.Kind == jsontree.Object:
		return appendMembers(out, path, old, new)
	case old.Kind == jsontree.Array && new.Kind == jsontree.Array && len(old.Items) == len(new.Items):
		for i := range old.Items {
			out = appendMoved(out, fmt.Sprintf("%s[%d]", path, i), old.Items[i], new.Items[i])
		}
		return out
	case old.String() == new.String():
		return out
	}
	return append(out, Moved{Path: path, Old: old.String(), New: new.String()})
}

func appendMembers(out []Moved, path string, old, new *jsontree.Tree) []Moved {
	for i, name := range old.Names {
		if x := new.Get(name); x != nil {
			out = appendMoved(out, golden.MemberPath(path, name), old.Items[i], x)
		} else {
			out = append(out, Moved{Path: golden.MemberPath(path, name), Old: old.Items[i].String()})
		}
	}
	for i, name := range new.Names {
		if old.Get(name) == nil {
			out = append(out, Moved{Path: golden.MemberPath(path, name), New: new.Items[i].String()})
		}
	}
	return out
}

// String names the question.
func (s *Shift) String() string {
	text := s.Subject + ", " + s.Name
	if s.Who != "" {
		text = s.Who + ": " + text
	}
	switch n := len(s.Seeds); n {
	case 0:
		return text
	case 1:
		return text + fmt.Sprintf(", seed %d", s.Seeds[0])
	default:
		return text + fmt.Sprintf(", seed %d and %d more", s.Seeds[0], n-1)
	}
}

// sheetPath is the path of a sheet as a whole.
const sheetPath = "the sheet"
