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
// The order to read: revision.go (the comparison as a whole), shift.go and reply.go (one question,
// asked of both), cause.go over edits.go (which edit it comes from), party.go, member.go and
// questions.go (characters, and what they are asked), chance.go, course.go and likely.go (their
// odds); comparison.go is what comes out. Tests: TestCompareNamesTheCasesThatChange,
// TestCompareNamesTheCharactersThatChange, TestOnlyEditsThatAreReadAreCauses,
// TestCompareGivesTheOddsThatChange.
//
// Invariant: nothing is reported for a question that only one of the revisions knows; that a rule
// is new or gone stands in the Diff.
package revisions

import (
	"bytes"
	"fmt"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Compare compares two revisions: as plans, by cases, and for the characters of a party. Cases are those of the new one,
// and of the old one those that the new one lacks.
func Compare(old, new *plan.Plan, cases []*golden.Case, party []Member) *Comparison {
	return CompareTelling(func(string) {}, old, new, cases, party)
}

// CompareTelling is Compare, and reports its progress to tell: it takes seconds for many cases and characters.
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
	tell(plural.Of(len(cases), "case"))
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
	return old == new || planfile.Digest(old) == planfile.Digest(new) && bytes.Equal(old.Words, new.Words)
}
