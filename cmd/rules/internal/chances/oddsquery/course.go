package oddsquery

// # From flags to a course
//
//	--decide ─ playDecider ─┬─ late choices ─> markov.NewDecidedProcess
//	                        └─ event fields ─> inputs of moves
//	--policy ─ ParsePolicy  ─> markov.Policy (all events, when only --best is given)
//	--best   ─ newAim       ─> markov.Aim
//	--ask, --given ─ newInquiry ─> formulas over the outcomes
//	BestCourse(question, policy, aim) ─> markov.Course ─> page
//
// The order is forced. Late choices are part of the scheduled process, so they are read before it
// is made; the policy must be there before inputs can be added to its moves; the formulas need the
// process's type of outcomes, which has its status among the outputs.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A PlayQuery is what is asked of a procedure under a policy.
type PlayQuery struct {
	Records  odds.Records // JSON; with a state, the course goes on from there
	Options  map[string]string
	Policy   []string // EVENT: GUARD or EVENT INPUT: GUARD; none for all events, where something is best
	Decide   []string // EVENT.FIELD: FORMULA, or a list of what it may be
	Best     string   // a formula over the outputs and the status that moves and decisions are chosen for; "" for none
	After    int      // ask for the situation after so many events; 0 for how it ends
	Most     int      // events that are followed; 0 for all
	Outputs  []string // asked for by name, the status among them; all when there are neither names nor formulas
	Formulas []string // over the outputs and the status
	Given    string   // a condition over them; "" for none
	Vary     []string // fields of the input that are left open
	Exact    bool
	Budget   int64
	Stop     <-chan struct{} // closed when nobody waits for the answer any more; nil for never

	FormulaFlag string // that gave the formulas, for messages; "" for --ask
}

// A PlayAsker answers a query about a procedure.
type PlayAsker struct {
	PlayQuery
	openInput
	inquiry
	process *markov.Process
	policy  markov.Policy
	aim     *markov.Aim
	decided []*eventField // when their events begin
}

// NewPlayAsker compiles the policy and the formulas of a query.
func NewPlayAsker(program *runtime.Program, id string, q PlayQuery) (*PlayAsker, error) {
	p := program.Plan()
	a := &PlayAsker{PlayQuery: q, openInput: openInput{q.Vary, describe.InputOf(p, id)}}
	decider, err := newPlayDecider(program, id, &q)
	if err != nil {
		return nil, err
	}
	a.process, err = markov.NewDecidedProcess(program, id, runtime.Choice{Options: q.Options}, decider.choices,
		q.Best != "")
	if err != nil {
		return nil, err
	}
	if a.policy, err = ParsePolicy(p, id, q.Policy, q.Options); err != nil {
		return nil, err
	}
	if len(a.policy) == 0 && q.Best != "" {
		a.policy = decider.allMoves()
	}
	if err := decider.addInputs(a.policy); err != nil {
		return nil, err
	}
	names := planOfOutcomes(id, a.process.ReadableType())
	a.decided = decider.fields
	if a.aim, err = newAim(names, id, &q); err != nil {
		return nil, err
	}
	if a.inquiry, err = newInquiry(names, id, q.Given, cmp.Or(q.FormulaFlag, "--ask"), q.Formulas); err != nil {
		return nil, err
	}
	// Judged here and not by odds, whose error would come after the course was followed.
	known := a.process.OutcomeType().FieldNames()
	for _, name := range q.Outputs {
		if !slices.Contains(known, name) {
			return nil, &runtime.UnknownError{What: "output", Name: name, Known: known}
		}
	}
	return a, nil
}

// AsksForOutputs reports whether outputs are asked for, and not only how and when the procedure ends.
func (a *PlayAsker) AsksForOutputs() bool {
	return len(a.Outputs) > 0 || len(a.Formulas) > 0 || a.Given != ""
}

// Course follows the procedure without its outputs: what ends it, and when. That is cheaper than
// Odds, which must also tell apart all states that differ in an output where the procedure ends.
func (a *PlayAsker) Course() (*markov.Course, error) {
	return a.courseOf(a.Records[plan.InputRoot], nil)
}

// courseOf follows the procedure for an input. The records are an array and so a copy: the query's
// own stay as they are from row to row of a table.
func (a *PlayAsker) courseOf(input []byte, outputs []string) (*markov.Course, error) {
	q := odds.Question{Records: a.Records, Budget: a.Budget, Exact: a.Exact, Outputs: outputs, Stop: a.Stop}
	q.Records[plan.InputRoot] = input
	course, err := a.process.BestCourse(q, a.policy, a.aim, a.After, a.Most)
	if err != nil {
		return nil, nameDecision(err, a.decided)
	}
	return course, nil
}

// Odds returns the distributions of the outputs where the procedure ends, or after so many events
// as the query says.
func (a *PlayAsker) Odds() (*oddspage.Distributions, error) {
	return a.oddsOf(a.Records[plan.InputRoot])
}

func (a *PlayAsker) oddsOf(input []byte) (*oddspage.Distributions, error) {
	names := a.Outputs
	if len(names) == 0 && len(a.formulas) == 0 {
		names = a.process.OutcomeType().FieldNames()
	}
	course, err := a.courseOf(input, a.listNames(names))
	if err != nil {
		return nil, err
	}
	// Fractions that take too much are not known, and the page says so if they are asked for.
	page := &oddspage.Distributions{Exact: a.Exact && course.Outputs.Den != nil, AsksExact: a.Exact, After: a.After,
		Course: course}
	// A rule finds a joint distribution for each formula by itself, the smallest that it needs. A
	// course is followed once, so that here every formula reads the same one.
	joints, err := a.conditionJoints(slices.Repeat([]*odds.Joint{course.Outputs}, max(1, len(a.formulas))), page)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		page.Marginals = append(page.Marginals, joints[0].Marginal(name))
	}
	return page, a.addFormulas(joints, page)
}

// Table answers for every setting of the inputs that are left open: with the outputs that are asked for, else with how the
// procedure ends.
func (a *PlayAsker) Table(subject oddspage.Subject) (*oddspage.Table, error) {
	if !a.AsksForOutputs() {
		// How it ends is an output like any other, and the one that fits into a row.
		a.Outputs = []string{markov.StatusName}
	}
	return a.openInput.makeTable(subject, a.Exact, a.OddsAt)
}

// OddsAt answers for the input with the values of a setting put into it.
func (a *PlayAsker) OddsAt(s Setting) (*oddspage.Distributions, error) {
	input, err := inputAt(a.Records[plan.InputRoot], s)
	if err != nil {
		return nil, err
	}
	d, err := a.oddsOf(input)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	return d, nil
}
