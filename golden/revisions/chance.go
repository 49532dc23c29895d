package revisions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// addChances notes the outputs whose odds change for a character: of a rule or a procedure that answers otherwise and rolls
// dice. The edits are those by which answers to the same question moved, when some did.
//
// Odds are computed once for each question without its faces, although the character was asked it with many: seen has the
// first of those that differ in faces alone. Three loops and not one, because the middle part costs time and runs in
// parallel; the outer ones keep the order of cases.
func (r *revisions) addChances(m *Member, asked []*golden.Case, moved []*Shift) {
	var seen []*golden.Case
	for _, c := range asked {
		same := func(x *golden.Case) bool { return haveSameOdds(x, c) }
		if c.Kind == golden.ProcedureCase && len(c.Events) == 0 || !r.answersOtherwise(c) || !r.hasDice(c) ||
			slices.ContainsFunc(seen, same) || !canAnswer(r.old, c) || !canAnswer(r.new, c) {
			continue
		}
		seen = append(seen, c)
	}
	because := make([][]string, len(seen))
	for i, c := range seen {
		for k, s := range moved {
			if s != nil && haveSameOdds(asked[k], c) {
				because[i] = append(because[i], s.Because...)
			}
		}
		if slices.Sort(because[i]); len(because[i]) == 0 {
			because[i] = r.causesOf(c)
		}
		because[i] = slices.Compact(because[i])
	}
	found := mapParallel(len(seen), func(i int) []Chance { return r.compareOddsOf(seen[i]) })
	for i, c := range seen {
		for _, x := range found[i] {
			x.Who, x.Subject, x.Name, x.Because = m.Name, string(c.Kind)+" "+c.Subject, c.Name, because[i]
			r.out.Odds = append(r.out.Odds, x)
		}
	}
}

// haveSameOdds reports whether two cases of one rule or procedure, for one character, differ in nothing but their faces and
// events.
func haveSameOdds(a, b *golden.Case) bool {
	return bytes.Equal(a.Input, b.Input) && maps.Equal(a.Options, b.Options) &&
		slices.EqualFunc(policyOf(a), policyOf(b), sameMove)
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

// compareAnswers returns the differences of the answers of two revisions to a question.
func compareAnswers[T any](r *revisions, c *golden.Case, of func(*runtime.Program, *golden.Case) (T, error),
	compare func(c *golden.Case, old, new T) []Chance) []Chance {
	type reply struct {
		answer T
		err    error
	}
	replies := mapParallel(2, func(i int) reply {
		answer, err := of([]*runtime.Program{r.old, r.new}[i], c)
		return reply{answer, err}
	})
	err := cmp.Or(replies[0].err, replies[1].err)
	if e, ok := errors.AsType[*odds.BudgetError](err); ok {
		return []Chance{{Values: []Likely{}, Why: e.Error()}}
	}
	if err != nil {
		return nil // that it cannot be asked is among the shifts
	}
	return compare(c, replies[0].answer, replies[1].answer)
}

func oddsOf(p *runtime.Program, c *golden.Case) (*odds.Joint, error) {
	rule, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	answer, err := rule.Odds(context.Background(), runtime.Request{Character: c.CharacterJSON(), Input: c.Input},
		&odds.Options{Joint: true, Quick: true, Budget: golden.OddsBudget})
	if err != nil {
		return nil, err
	}
	return answer.Joint, nil
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
