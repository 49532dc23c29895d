// Package oddsquery asks a rule for its odds: which outputs, under which condition, with which inputs left open, and by
// which policy a procedure is played. It reads what flags say, compiles the formulas in it, and answers as oddspage writes.
//
// Formulas are over the outputs of the rule and the character, not over its inputs: they are compiled as rules of their
// own, whose input are the outputs they read, and evaluated once for each outcome of the joint distribution.
package oddsquery

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Query is what is asked of a rule.
type Query struct {
	Character, Input []byte // JSON
	Options          map[string]string
	Outputs          []string        // asked for by name; all when there are neither names nor formulas
	Formulas         []string        // asked for: each has a distribution of its own
	Given            string          // a condition over the outputs; "" for none
	Vary             []string        // inputs that are left open: NAME=1..20 or NAME=0,10,30
	Exact            bool            // answer in fractions
	Joint            bool            // the joint distribution of all outputs is wanted, and not only that of each
	Budget           int64           // states that may be met
	Stop             <-chan struct{} // closed when nobody waits for the answer any more; nil for never
	// Decide says how fields are decided that a player decides when dice have fallen: FIELD, FIELD: FORMULA, or FIELD: LIST
	// of what it may be. Best is what they are decided for, "" where each has one choice.
	Decide []string
	Best   string

	Sets []string // what --set gave of the input, for messages
	// FormulaFlag is the flag that gave the formulas, for messages.
	FormulaFlag string
	// Locate adds the file and the line to the error of a value of the character or the input.
	Locate func(error) error
}

// An Asker answers a query about one rule of a program.
type Asker struct {
	Query
	openInput
	inquiry
	rule     *eliminate.Rule
	strategy odds.Strategy
	best     *formula
}

// NewAsker compiles the formulas of a query and schedules the rule for the outputs that it needs.
//
// The order: formulas first, since what they read decides for which outputs the rule is scheduled;
// then the strategy, which may add names that --best reads; then the rule.
func NewAsker(program *runtime.Program, id string, q Query) (*Asker, error) {
	a := &Asker{Query: q, openInput: openInput{q.Vary, describe.InputOf(program.Plan(), id)}}
	var err error
	if a.inquiry, err = newInquiry(program.Plan(), id, q.Given, q.FormulaFlag, q.Formulas); err != nil {
		return nil, err
	}
	a.setCharacter(q.Character)
	if err := a.addStrategy(program, id); err != nil {
		return nil, err
	}
	choice := runtime.Choice{Options: q.Options, Outputs: a.neededOutputs()}
	a.rule, err = eliminate.NewDecidedRule(program, id, choice, a.strategy)
	return a, err
}

// neededOutputs returns the outputs that the query names or reads; nil for all. Fewer outputs have
// a smaller joint distribution, and dice that none of them reads are not followed.
func (a *Asker) neededOutputs() []string {
	if len(a.Outputs) == 0 && len(a.formulas) == 0 {
		return nil
	}
	names := a.Outputs
	if a.best != nil {
		names = slices.Concat(names, a.best.reads)
	}
	return a.listNames(names)
}

// Odds answers for the input of the query.
func (a *Asker) Odds() (*oddspage.Distributions, error) { return a.oddsOf(a.Input) }

// Estimate tells what the answer takes at most, without answering.
func (a *Asker) Estimate() (*eliminate.Estimate, error) {
	e, err := a.rule.Estimate(odds.Records{plan.CharacterRoot: a.Character, plan.InputRoot: a.Input})
	if err != nil {
		return nil, a.Locate(err)
	}
	return e, nil
}

// oddsOf answers for an input. It holds nothing from one call to the next, so that a table asks it
// row by row.
func (a *Asker) oddsOf(input []byte) (*oddspage.Distributions, error) {
	var records odds.Records
	records[plan.CharacterRoot], records[plan.InputRoot] = a.Character, input
	names := a.Outputs
	if len(names) == 0 && len(a.formulas) == 0 {
		names = a.rule.Names()
	}
	out := &oddspage.Distributions{Exact: a.Exact}
	joints, err := a.jointsOf(odds.Question{Records: records, Exact: a.Exact, Budget: a.Budget, Stop: a.Stop},
		a.setsOf(names))
	if err != nil {
		return nil, a.Locate(err)
	}
	if joints, err = a.conditionJoints(joints, out); err != nil {
		return nil, err
	}
	for i, name := range names {
		out.Marginals = append(out.Marginals, joints[i].Marginal(name))
	}
	// A mean over what was followed is too small for dice that explode without end; the closed form
	// has no such rest.
	if out.LacksOnlyUnfollowed() {
		if out.Means, err = a.closedMeans(out.Marginals, records); err != nil {
			return nil, err
		}
	}
	return out, a.addFormulas(joints[len(names):], out)
}

// maxRepeated is how many states may be met a second time with fractions, so that no probability
// shows the rounding of sums. At this size the second answer takes some ten milliseconds; a large
// question is not made to take twice as long for digits that nobody sees.
const maxRepeated = 20_000

// jointsOf answers in floats first. What took little work is answered again in fractions, which are rounded once; the
// fractions themselves are shown only when they are asked for.
func (a *Asker) jointsOf(q odds.Question, sets [][]string) ([]*odds.Joint, error) {
	// Apart answers each set of names by itself; the joint distribution of all outputs, which may
	// be much larger, is made only when it will be shown.
	answer := a.rule.Apart
	if a.Joint {
		answer = func(q odds.Question, sets [][]string) ([]*odds.Joint, error) {
			j, err := a.rule.Odds(q)
			return slices.Repeat([]*odds.Joint{j}, len(sets)), err
		}
	}
	joints, err := answer(q, sets)
	if err != nil || q.Exact || slices.ContainsFunc(joints, func(j *odds.Joint) bool { return j.Spent > maxRepeated }) {
		return joints, err
	}
	q.Exact = true
	return answer(q, sets)
}

// closedMeans returns the means that have a closed form: of a die that explodes without end, the
// mean of all that it may show and not only of what was followed. One that has none is nil in the
// map.
func (a *Asker) closedMeans(marginals []*odds.Marginal, records odds.Records) (map[string]*big.Rat, error) {
	out := map[string]*big.Rat{}
	for _, m := range marginals {
		mean, err := a.rule.Mean(records, m.Name)
		if err != nil {
			return nil, err
		}
		out[m.Name] = mean
	}
	return out, nil
}

// OddsAt answers for the input with the values of a setting put into it. Errors name the setting:
// the input with the value in it is a text that nobody wrote.
func (a *Asker) OddsAt(s Setting) (*oddspage.Distributions, error) {
	input, err := inputAt(a.Input, s)
	if err != nil {
		return nil, err
	}
	d, err := a.oddsOf(input)
	if err != nil {
		return nil, s.describeError(err)
	}
	return d, nil
}

// Table answers for every setting.
func (a *Asker) Table(subject oddspage.Subject) (*oddspage.Table, error) {
	return a.openInput.makeTable(subject, a.Exact, a.OddsAt)
}
