package eliminate

import (
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Odds of outputs apart.
//
// Who asks how each of several outputs is distributed needs no joint distribution of them, which may have a million rows
// where each output has a dozen values. What is asked together is therefore met together only while that takes little.
//
// One thing ties outputs together: an evaluation in which one of them has no value has no outputs at all. Sets of outputs
// that are met apart are taken only if all of them end alike; where they do not, the joint distribution answers. An ending
// that no float near one can tell ties nothing: dice that explode further than was followed end the sets that read them,
// and each set follows them as far as it needs.
//
// Sets may be as dear as all outputs together, each of them. So they are tried first where each is cheap, and else only
// when the joint distribution is refused.

// cheapWork is how many states a joint distribution may meet before its parts are tried, and then each of these.
const cheapWork = 50_000

// Apart returns for each of some sets of outputs a joint distribution that has it, be it its own or that of all outputs.
func (r *Rule) Apart(q odds.Question, sets [][]string) ([]*odds.Joint, error) {
	if q.Budget == 0 {
		q.Budget = odds.DefaultBudget
	}
	cheap := q
	cheap.Budget = min(q.Budget, cheapWork)
	together, err := r.Odds(cheap)
	// Where fields are decided, the choices could differ from set to set.
	mayBeApart := len(r.decidedFields) == 0 &&
		!slices.ContainsFunc(sets, func(names []string) bool { return len(names) == len(r.names) })
	if IsTooMuch(err) && mayBeApart {
		if apart, err := r.eachApart(cheap, sets); apart != nil || err != nil && !IsTooMuch(err) {
			return apart, err
		}
	}
	if IsTooMuch(err) && cheap.Budget < q.Budget {
		together, err = r.Odds(q)
		if IsTooMuch(err) && mayBeApart {
			if apart, _ := r.eachApart(q, sets); apart != nil {
				return apart, nil
			}
		}
	}
	return slices.Repeat([]*odds.Joint{together}, len(sets)), err
}

// IsTooMuch reports whether an error says that a question is too large: for its budget, or for the memory that it may take.
func IsTooMuch(err error) bool {
	_, over := errors.AsType[*odds.BudgetError](err)
	return over || errors.Is(err, vm.ErrMemory)
}

// eachApart meets each set by itself; nil when they do not end alike.
func (r *Rule) eachApart(q odds.Question, sets [][]string) ([]*odds.Joint, error) {
	var out []*odds.Joint
	for _, names := range sets {
		rule, err := r.partFor(names)
		if err != nil {
			return nil, err
		}
		j, err := rule.Odds(q)
		if err != nil {
			return nil, err
		}
		if len(out) > 0 && !endAlike(j, out[0], q.Exact) {
			return nil, nil
		}
		out = append(out, j)
	}
	return out, nil
}

// partFor returns the rule prepared for some of its outputs.
func (r *Rule) partFor(names []string) (*Rule, error) {
	key := strings.Join(names, "\n")
	if part := r.parts[key]; part != nil {
		return part, nil
	}
	choice := plan.Choice{Options: r.choice.Options, Outputs: names}
	part, err := newRule(r.image, r.id, choice, nil, r.limits)
	if err != nil {
		return nil, err
	}
	if r.parts == nil {
		r.parts = map[string]*Rule{}
	}
	r.parts[key] = part
	return part, nil
}

// endAlike reports whether two distributions have the same endings, as likely up to rounding.
func endAlike(j, other *odds.Joint, isExact bool) bool {
	const rounding, negligible = 1e-9, 0x1p-53
	tying := func(j *odds.Joint) []odds.Ended {
		return slices.DeleteFunc(slices.Clone(j.Endings()), func(e odds.Ended) bool { return e.P < negligible && !isExact })
	}
	return slices.EqualFunc(tying(j), tying(other), func(a, b odds.Ended) bool {
		return a.Ending == b.Ending && a.P-b.P < rounding*a.P && b.P-a.P < rounding*b.P
	})
}
