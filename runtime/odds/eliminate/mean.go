package eliminate

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Mean returns the mean of an output in closed form, dice that explode without end included, or nil when there is none.
// There is one when the output is a sum of totals of dice whose number and faces no other die decides, times factors
// that no die decides. It holds where nothing is refused and no formula is without a value.
func (r *Rule) Mean(records odds.Records, output string) (*big.Rat, error) {
	k := slices.Index(r.names, output)
	if len(r.decidedFields) > 0 {
		return nil, nil
	}
	if k < 0 {
		return nil, &plan.UnknownError{What: "output", Name: output, Known: r.names}
	}
	w, err := r.prepareUnexpanded()
	if err != nil {
		return nil, err
	}
	e := floatEngine(w, r.image)
	e.budget = &budget{all: odds.DefaultBudget}
	if err := e.computePrefix(r, w, records, nil); err != nil {
		return nil, err
	}
	v := w.Values[k]
	if v.Type.Kind != plan.Int || v.Present != plan.None {
		return nil, nil
	}
	return (&expectation{w, e.env, map[plan.ID]*big.Rat{}}).meanOf(v.ID), nil
}

// prepareUnexpanded returns the graph of the rule with its dice as they were written: a pool of counts no longer shows
// that its dice are summed.
func (r *Rule) prepareUnexpanded() (*preparedGraph, error) {
	if len(r.normal.Heads) == 0 {
		return r.normal, nil
	}
	return r.inOrder()
}

// An expectation follows how the mean of a value comes of the means of dice.
//
// It uses that expectation is linear: E(a + b) = E(a) + E(b) even for dependent values, and E(c·a) = c·E(a) for a
// constant. A product of two dice is left out because it needs independence, and E(a²) is not E(a)². Example: 2·(3d6) +
// 1 has 2·10.5 + 1 = 22; no state is met.
type expectation struct {
	*preparedGraph
	env   []int64              // what no die decides
	means map[plan.ID]*big.Rat // of nodes that were met: one that many read is followed once
}

// knownValue returns the value of a node that no die decides, and reports whether it is one.
func (x *expectation) knownValue(id plan.ID) (int64, bool) {
	return x.env[id], x.Nodes[id].Op == plan.OpConst || slices.Contains(x.program.prefix.outs, id)
}

// meanOf returns the mean of a node, or nil when it is none of the forms that have one.
func (x *expectation) meanOf(id plan.ID) *big.Rat {
	if v, known := x.knownValue(id); known {
		return new(big.Rat).SetInt64(v)
	}
	mean, isMet := x.means[id]
	if !isMet {
		mean = x.findMean(id)
		x.means[id] = mean
	}
	return mean
}

// findMean returns the mean of a node that some die decides.
func (x *expectation) findMean(id plan.ID) *big.Rat {
	n := &x.Nodes[id]
	switch n.Op {
	case plan.OpAddInt, plan.OpSubInt:
		return x.meanOfSum(n)
	case plan.OpMulInt:
		return x.meanOfProduct(n)
	case plan.OpNegInt:
		if a := x.meanOf(n.Args[0]); a != nil {
			return new(big.Rat).Neg(a)
		}
	case plan.OpSumInt:
		if d := &x.Nodes[n.Args[0]]; d.Op == plan.OpRoll {
			return x.meanOfRoll(d)
		}
	case plan.OpRoll:
		if !x.Dice[n.Imm].List {
			return x.meanOfRoll(n)
		}
	}
	return nil
}

func (x *expectation) meanOfSum(n *plan.Node) *big.Rat {
	a, b := x.meanOf(n.Args[0]), x.meanOf(n.Args[1])
	switch {
	case a == nil || b == nil:
		return nil
	case n.Op == plan.OpSubInt:
		return new(big.Rat).Sub(a, b)
	}
	return new(big.Rat).Add(a, b)
}

// meanOfProduct returns the mean of a product of which no die decides one side.
func (x *expectation) meanOfProduct(n *plan.Node) *big.Rat {
	_, first := x.knownValue(n.Args[0])
	_, second := x.knownValue(n.Args[1])
	if !first && !second {
		return nil
	}
	a, b := x.meanOf(n.Args[0]), x.meanOf(n.Args[1])
	if a == nil || b == nil {
		return nil
	}
	return new(big.Rat).Mul(a, b)
}

// maxTimes is how often a die may explode at most whose mean is a fraction here: its denominator is that of a face to this
// power, and of many dice they multiply. No budget counts that.
const maxTimes = 64

// meanOfRoll returns the mean of the sum of dice.
func (x *expectation) meanOfRoll(n *plan.Node) *big.Rat {
	d := &x.Dice[n.Imm]
	guard, sure := x.knownValue(n.Args[0])
	faces, told := x.knownValue(n.Args[1])
	count, counted := int64(1), true
	if d.List {
		count, counted = x.knownValue(n.Args[2])
	}
	switch {
	case !sure || !told || !counted || faces > maxFaces:
		return nil
	case guard == 0 || count == 0:
		return new(big.Rat)
	case dice.Endless(d, faces) != "" || d.Times > maxTimes && d.Explode.Among(faces) || d.AddsShown():
		return nil
	}
	term := &dice.Term{Faces: int(faces), Die: *d}
	var mean *big.Rat
	if d.Times > 0 {
		mean = pmf.MeanOfLimited(term)
	} else {
		mean, _ = pmf.MomentsOf(term)
	}
	return mean.Mul(mean, new(big.Rat).SetInt64(count))
}
