package notation

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Labels are the names of a notation's groups that can be asked about, as in "2d6[fire] + d8[cold]": those that one group
// alone has. Groups whose dice are kept together with those of others have no value of their own.
func Labels(n *dice.Notation) []string {
	var out, twice []string
	for _, p := range n.Pools() {
		switch {
		case n.IsMerged(p): // it has no value of its own
		case p.Label == "" || p.Label == "total":
		case slices.Contains(out, p.Label):
			twice = append(twice, p.Label)
		default:
			out = append(out, p.Label)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return slices.Contains(twice, s) })
}

// ComputeJoint is the joint distribution of a notation's total and of some of its labelled groups, as fractions or in
// floats. For every way in which these groups can come out, the rest of the notation is computed around them.
func ComputeJoint(n *dice.Notation, labels []string, exact bool) (*odds.Joint, error) {
	if n.Repeat > 1 {
		return nil, errors.New("of repeated dice nothing is asked together: leave the repetition out")
	}
	if exact {
		return listJoint(exactCalculus(mostWholeSteps), n, labels)
	}
	if out, err := listJoint(exactCalculus(fewWholeSteps), n, labels); err == nil {
		return out, nil
	}
	return listJoint(floatCalculus(), n, labels)
}

func listJoint[W pmf.Weight[W]](c *calculus[W], n *dice.Notation, labels []string) (*odds.Joint, error) {
	v := &evaluator[W]{calculus: c, fixed: map[*dice.Pool]int64{}}
	j := jointLister[W]{evaluator: v, notation: n, out: &odds.Joint{Names: append(slices.Clone(labels), "total")}}
	for _, label := range labels {
		at := slices.IndexFunc(n.Pools(), func(p *dice.Pool) bool { return p.Label == label })
		pool := n.Pools()[at]
		p, err := v.poolDistribution(pool)
		if err != nil {
			return nil, err
		}
		j.pools, j.parts = append(j.pools, pool), append(j.parts, p)
	}
	if err := j.meetGroup(0, v.unit, big.NewInt(1)); err != nil {
		return nil, err
	}
	j.finish()
	return j.out, nil
}

// A jointLister lists the values of labelled groups, and for each of them those of the total. It conditions on the groups:
// for 2d6[fire] + d8[cold] it sets fire to each of 11 values and cold to each of 8, and evaluates the tree 88 times with
// numbers in their place. A row's weight is the product of the groups' weights and the total's, as they are independent.
// The cost is the product of the supports times one evaluation, and each evaluation is charged to the same budget.
type jointLister[W pmf.Weight[W]] struct {
	*evaluator[W]
	notation *dice.Notation
	pools    []*dice.Pool
	parts    []*sparse[W]
	values   []jsonio.Value
	outcomes []odds.Outcome
	out      *odds.Joint
	den      *big.Int
	all      W
}

// meetGroup lets the k-th labelled group come out in every way.
func (j *jointLister[W]) meetGroup(k int, w W, den *big.Int) error {
	if k == len(j.pools) {
		return j.addTotals(w, den)
	}
	for i, x := range j.parts[k].values {
		j.fixed[j.pools[k]] = x
		j.values = append(j.values, jsonio.IntValue(x))
		if err := j.meetGroup(k+1, w.Times(j.parts[k].w[i]), j.multiplyDenominators(den, j.parts[k].den)); err != nil {
			return err
		}
		j.values = j.values[:k]
	}
	return nil
}

// addTotals adds the values of the total for groups that are known. All rows must share one denominator to be added up;
// it depends on the dice that are rolled and not on the values of fixed groups, unless one of them is the number of
// others.
func (j *jointLister[W]) addTotals(w W, den *big.Int) error {
	p, err := j.distributionOf(j.notation.Root)
	if err != nil {
		return err
	}
	den = j.multiplyDenominators(den, p.den)
	if j.den != nil && j.isExact && den.Cmp(j.den) != 0 {
		return fmt.Errorf("the fractions of %q have no common denominator", j.notation.Root)
	}
	j.den = den
	if err := j.spend("the groups together", 8*float64(len(p.values)), den); err != nil {
		return err
	}
	shown := &Distribution{Means: map[string]*big.Rat{}}
	j.addResult(shown, "total", p, j.notation.IsTruth())
	for i, x := range shown.Results[0].Values {
		share := w.Times(p.w[i])
		o := odds.Outcome{Values: append(slices.Clone(j.values), x)}
		o.P, o.N = j.tell(share, den)
		j.all = j.all.Plus(share)
		j.outcomes = append(j.outcomes, o)
	}
	return nil
}

// finish adds the ending of dice that explode further than was followed. Its probability is in fractions the
// denominator less all rows, in floats the bound that the evaluator has added up.
func (j *jointLister[W]) finish() {
	_, n := j.tell(j.all, j.den)
	e := odds.Ended{Ending: odds.Ending{Kind: odds.Unfollowed, Message: "dice explode further than was followed"},
		P: j.unfollowed}
	var endings []odds.Ended
	if j.isExact {
		j.out.Den = j.den
		e.N = new(big.Int).Sub(j.den, n)
		e.P = pmf.NumeratorOf(e.N).Over(j.den)
	}
	if e.P > 0 {
		endings = append(endings, e)
	}
	j.out.FillLater(func() ([]odds.Outcome, []odds.Ended) { return j.outcomes, endings })
}
