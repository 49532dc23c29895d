package revisions

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Chance is an output of which two revisions give a character other odds.
type Chance struct {
	Who     string   `json:"character"`
	Subject string   `json:"subject"`      // the rule or the procedure
	Name    string   `json:"name"`         // of the case, or of the file with the input
	By      []string `json:"by,omitempty"` // of a procedure: which events happen, again and again, the first that is offered
	// of a procedure "status" or "events", how many until it ends; empty for the ways in which evaluations end without one
	Output  string   `json:"output"`
	Mean    *Means   `json:"mean,omitempty"`
	Values  []Likely `json:"values"`        // those whose probability changes, in their order
	Why     string   `json:"why,omitempty"` // why they are not known
	Because []string `json:"edit"`
}

// Means are those of a number.
type Means struct {
	Old float64 `json:"old"`
	New float64 `json:"new"`
}

// Likely is how likely a value is by the two revisions.
type Likely struct {
	Value string  `json:"value"` // JSON, or why there is no value
	Old   float64 `json:"old"`
	New   float64 `json:"new"`
}

// String says the mean of a number when it changes, else the probabilities.
func (c *Chance) String() string {
	switch {
	case c.Why != "":
		return "odds: " + c.Why
	case c.Mean != nil && math.Abs(c.Mean.Old-c.Mean.New) >= apart:
		return fmt.Sprintf("%s: mean %.4g -> %.4g", c.Output, c.Mean.Old, c.Mean.New)
	}
	text := cmp.Or(c.Output, "no answer")
	for i, x := range c.Values {
		text += [...]string{": ", ", "}[min(i, 1)] + x.String()
	}
	return text
}

// String is a value with its probabilities in percent.
func (l Likely) String() string {
	return fmt.Sprintf("%s %.4g %% -> %.4g %%", l.Value, 100*l.Old, 100*l.New)
}

// apart is how far probabilities differ that differ by more than rounding.
const apart = 1e-9

// addChances notes the outputs whose odds change for a character: of a rule or a procedure that answers otherwise and
// rolls dice.
func (r *revisions) addChances(m *Member, asked []*golden.Case) {
	var seen []*golden.Case
	for _, c := range asked {
		same := func(x *golden.Case) bool {
			return bytes.Equal(x.Input, c.Input) && maps.Equal(x.Options, c.Options) &&
				slices.EqualFunc(policyOf(x), policyOf(c), sameMove)
		}
		if c.Kind == golden.ProcedureCase && len(c.Events) == 0 || !r.answersOtherwise(c) || !r.hasDice(c) ||
			slices.ContainsFunc(seen, same) || !canAnswer(r.old, c) || !canAnswer(r.new, c) {
			continue
		}
		seen = append(seen, c)
		for _, x := range r.compareOddsOf(c) {
			x.Who, x.Subject, x.Name, x.Because = m.Name, string(c.Kind)+" "+c.Subject, c.Name, r.causesOf(c)
			r.out.Odds = append(r.out.Odds, x)
		}
	}
}

// answersOtherwise reports whether the rule or the procedure of a case answers otherwise.
func (r *revisions) answersOtherwise(c *golden.Case) bool {
	return slices.ContainsFunc(r.out.Answers, func(a compare.Changed) bool {
		return a.Kind == string(c.Kind) && a.ID == c.Subject ||
			a.Kind == "event" && c.Kind == golden.ProcedureCase && strings.HasPrefix(a.ID, c.Subject+".")
	})
}

// compareOddsOf compares the odds of a question that both revisions can be asked.
func (r *revisions) compareOddsOf(c *golden.Case) []Chance {
	if c.Kind == golden.ProcedureCase {
		return compareAnswers(r, c, courseOf, compareCourses)
	}
	return compareAnswers(r, c, oddsOf, compareOdds)
}

// compareAnswers compares what two revisions say of a question.
func compareAnswers[T any](r *revisions, c *golden.Case, of func(*runtime.Program, *golden.Case) (T, error),
	compare func(c *golden.Case, old, new T) []Chance) []Chance {
	old, err1 := of(r.old, c)
	new, err2 := of(r.new, c)
	err := cmp.Or(err1, err2)
	if e, ok := errors.AsType[*odds.BudgetError](err); ok {
		return []Chance{{Values: []Likely{}, Why: e.Error()}}
	}
	if err != nil {
		return nil // that it cannot be asked is among the shifts
	}
	return compare(c, old, new)
}

func oddsOf(p *runtime.Program, c *golden.Case) (*odds.Joint, error) {
	rule, err := odds.NewRule(p, c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	return rule.Odds(odds.Question{Records: odds.Records{plan.CharacterRoot: c.CharacterJSON(), plan.InputRoot: c.Input},
		Budget: golden.OddsBudget})
}

// compareOdds compares the outputs that both have.
func compareOdds(_ *golden.Case, old, new *odds.Joint) []Chance {
	var out []Chance
	for _, name := range new.Names {
		a, b := old.Marginal(name), new.Marginal(name)
		if a == nil {
			continue
		}
		c := Chance{Output: name, Values: changedProbabilities(marginalOf(a), marginalOf(b))}
		if len(c.Values) > 0 {
			if a.Numeric() && b.Numeric() {
				c.Mean = &Means{a.Mean(), b.Mean()}
			}
			out = append(out, c)
		}
	}
	if ended := changedProbabilities(endingsOf(old), endingsOf(new)); len(ended) > 0 {
		out = append(out, Chance{Values: ended})
	}
	return out
}

// A probability is that of a value.
type probability struct {
	value string
	p     float64
}

func marginalOf(m *odds.Marginal) []probability {
	var out []probability
	for i, v := range m.Values {
		out = append(out, probability{v.String(), m.P[i]})
	}
	return out
}

// endingsOf are the evaluations that end without a value.
func endingsOf(j *odds.Joint) []probability {
	var out []probability
	for _, e := range j.Endings() {
		out = append(out, probability{e.Message, e.P})
	}
	return out
}

// changedProbabilities are the values whose probability changes: those of the new one, then those that only the old one
// has.
func changedProbabilities(old, new []probability) []Likely {
	out := []Likely{}
	for _, x := range new {
		out = appendLikely(out, x.value, probabilityOf(old, x.value), x.p)
	}
	for _, x := range old {
		if probabilityOf(new, x.value) == 0 {
			out = appendLikely(out, x.value, x.p, 0)
		}
	}
	return out
}

func probabilityOf(list []probability, value string) float64 {
	for _, x := range list {
		if x.value == value {
			return x.p
		}
	}
	return 0
}

func appendLikely(out []Likely, value string, old, new float64) []Likely {
	if math.Abs(old-new) < apart {
		return out
	}
	return append(out, Likely{value, old, new})
}
