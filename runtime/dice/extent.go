package dice

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An extent bounds the values of a part.
type extent struct{ lo, hi float64 }

// maxExtent bounds what a notation may come to, so that no sum overflows.
// It is the power of two next to 10^15, which the message names; whole numbers up to 2^53 are exact
// in a double.
const maxExtent = 1 << 50

// judgeExtent refuses notations that may come to too large values, at the first part that may.
func judgeExtent(n *Notation) error {
	j := extentJudge{times: float64(max(1, n.Repeat))}
	j.extentOf(n.Root)
	if j.worst == nil {
		return nil
	}
	return &SyntaxError{Offset: j.worst.offset(), Msg: "this may come to a number of more than 15 digits"}
}

// An extentJudge bounds each part of a notation once, from those within outwards.
type extentJudge struct {
	times float64 // how often the notation is rolled
	worst Node    // the first part that may come to too much; nil when there is none
}

// extentOf bounds the values of a part, after the parts within it.
func (j *extentJudge) extentOf(n Node) (out extent) {
	switch x := n.(type) {
	case *Number:
		v, _ := x.Value.Float64()
		out = extent{v, v}
	case *Pool:
		out = j.extentOfPool(x)
	case *Set:
		out = j.extentOfSet(x)
	case *Call:
		args := make([]extent, len(x.Args))
		for i, a := range x.Args {
			args[i] = j.extentOf(a)
		}
		out = extentOfCall(x, args)
	}
	if j.worst == nil && (math.IsNaN(out.lo) || math.IsNaN(out.hi) || max(-out.lo, out.hi)*j.times > maxExtent) {
		j.worst = n
	}
	return out
}

// BoundsOf bounds the values of a part, generously. Of dice that explode without end the upper bound is one that a roll
// cannot pass and a distribution can (EndsChains says whether there are such).
func BoundsOf(n Node) (lo, hi float64) {
	e := (&extentJudge{times: 1}).extentOf(n)
	return e.lo, e.hi
}

// EndsChains reports whether no die of a part explodes without end.
func EndsChains(n Node) bool {
	ends := true
	walkNodes(n, func(x Node) {
		p, ok := x.(*Pool)
		ends = ends && !(ok && p.Explode != nil && p.Explode.Limit == 0)
	})
	return ends
}

// extentOfPool returns bounds of the value of a pool. They are generous: MaxChain further faces for each die that explodes,
// the larger sign on both sides. They decide only whether a text is refused.
func (j *extentJudge) extentOfPool(p *Pool) extent {
	for _, k := range p.Faces.Kinds {
		j.extentOf(k.Node)
	}
	if p.Faces.Sized != nil {
		j.extentOf(p.Faces.Sized)
	}
	count := float64(p.Count)
	if p.Counted != nil {
		count = min(MaxCount, max(0, j.extentOf(p.Counted).hi))
	}
	largest := max(math.Abs(float64(p.Faces.leastValue())), math.Abs(float64(p.Faces.greatestValue())))
	if p.Score != nil {
		largest = 2
	}
	if p.Explode != nil {
		largest *= plan.MaxChain
	}
	for _, limit := range []*int64{p.Raise, p.Lower} {
		if limit != nil && p.Score == nil {
			largest += math.Abs(float64(*limit)) * plan.MaxChain
		}
	}
	lo := -largest * count
	if p.Faces.leastValue() >= 0 && (p.Score == nil || p.Score.Failure == nil) && (p.Lower == nil || *p.Lower >= 0) &&
		(p.Explode == nil || !p.Explode.Penetrate || p.Faces.leastValue() >= 1) {
		lo = 0
	}
	return extent{lo, largest * count}
}

func (j *extentJudge) extentOfSet(s *Set) (out extent) {
	for _, item := range s.Items {
		e := j.extentOf(item)
		out.lo += min(0, e.lo)
		out.hi += max(0, e.hi)
	}
	if s.Score != nil {
		return extent{-float64(len(s.Items)), 2 * float64(len(s.Items))}
	}
	return out
}

// extentOfCall returns bounds of the value of an operation, from the extents of its arguments. A quotient is not larger
// than its dividend, for no divisor of whole numbers is smaller than 1; a divisor that may be a smaller fraction gives
// more, and exact fractions do not overflow.
func extentOfCall(c *Call, args []extent) extent {
	a := args[0]
	b := args[len(args)-1]
	switch c.Op {
	case Add:
		return extent{a.lo + b.lo, a.hi + b.hi}
	case Subtract:
		return extent{a.lo - b.hi, a.hi - b.lo}
	case Negate:
		return extent{-a.hi, -a.lo}
	case Multiply:
		return spanValues(a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi)
	case Divide, DivideFloor:
		least := 1.0
		if n, ok := c.Args[1].(*Number); ok && n.Value.Sign() != 0 { // carried out, a divisor of 0 is refused
			least, _ = n.Value.Float64()
		}
		most := max(math.Abs(a.lo), math.Abs(a.hi)) / least
		return extent{-most - 1, most + 1}
	case Remainder:
		most := max(math.Abs(b.lo), math.Abs(b.hi))
		return extent{-most, most}
	case Power:
		return spanValues(math.Pow(a.lo, b.hi), math.Pow(a.hi, b.hi), 0, 1)
	case Floor, Ceil, Round:
		return extent{a.lo - 1, a.hi + 1}
	case Abs:
		return extent{0, max(math.Abs(a.lo), math.Abs(a.hi))}
	case Min, Max:
		for _, e := range args[1:] {
			a = extent{min(a.lo, e.lo), max(a.hi, e.hi)}
		}
		return a
	}
	return extent{0, 1}
}

// spanValues returns the smallest extent with all of some values.
func spanValues(values ...float64) extent {
	out := extent{values[0], values[0]}
	for _, v := range values {
		out = extent{min(out.lo, v), max(out.hi, v)}
	}
	return out
}
