package dice

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An extent bounds the values of a part.
type extent struct{ lo, hi float64 }

// maxExtent bounds what a notation may come to, so that no sum overflows.
const maxExtent = 1 << 50

// judgeExtent refuses notations that may come to too large values.
func judgeExtent(n *Notation) error {
	var worst error
	walk(n.Root, func(x Node) {
		e := extentOf(x)
		if worst == nil && (math.IsNaN(e.lo) || max(-e.lo, e.hi)*float64(max(1, n.Repeat)) > maxExtent) {
			worst = &SyntaxError{Offset: x.offset(), Msg: "this may come to a number of more than 15 digits"}
		}
	})
	return worst
}

// extentOf bounds the values of a part. A quotient is not larger than what is divided, for no divisor of whole numbers
// is smaller than 1; fractions divide so that it may be wider.
func extentOf(n Node) extent {
	switch x := n.(type) {
	case *Number:
		v, _ := x.Value.Float64()
		return extent{v, v}
	case *Pool:
		return extentOfPool(x)
	case *Set:
		return extentOfSet(x)
	case *Call:
		return extentOfCall(x)
	}
	return extent{}
}

// extentOfPool bounds what a pool comes to.
func extentOfPool(p *Pool) extent {
	count := float64(p.Count)
	if p.Counted != nil {
		count = min(MaxCount, max(0, extentOf(p.Counted).hi))
	}
	largest := max(math.Abs(float64(p.Faces.least())), math.Abs(float64(p.Faces.most())))
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
	if p.Faces.least() >= 0 && (p.Score == nil || p.Score.Failure == nil) && (p.Lower == nil || *p.Lower >= 0) &&
		(p.Explode == nil || !p.Explode.Penetrate) {
		lo = 0
	}
	return extent{lo, largest * count}
}

func extentOfSet(s *Set) (out extent) {
	if s.Score != nil {
		return extent{-float64(len(s.Items)), 2 * float64(len(s.Items))}
	}
	for _, item := range s.Items {
		e := extentOf(item)
		out.lo += min(0, e.lo)
		out.hi += max(0, e.hi)
	}
	return out
}

func extentOfCall(c *Call) extent {
	a := extentOf(c.Args[0])
	b := a
	if len(c.Args) > 1 {
		b = extentOf(c.Args[1])
	}
	switch c.Op {
	case Add:
		return extent{a.lo + b.lo, a.hi + b.hi}
	case Subtract:
		return extent{a.lo - b.hi, a.hi - b.lo}
	case Negate:
		return extent{-a.hi, -a.lo}
	case Multiply:
		return around(a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi)
	case Divide, DivideFloor:
		least := 1.0
		if n, ok := c.Args[1].(*Number); ok {
			least, _ = n.Value.Float64()
		}
		most := max(math.Abs(a.lo), math.Abs(a.hi)) / least
		return extent{-most - 1, most + 1}
	case Remainder:
		most := max(math.Abs(b.lo), math.Abs(b.hi))
		return extent{-most, most}
	case Power:
		return around(math.Pow(a.lo, b.hi), math.Pow(a.hi, b.hi), 0, 1)
	case Floor, Ceil, Round:
		return extent{a.lo - 1, a.hi + 1}
	case Abs:
		return extent{0, max(math.Abs(a.lo), math.Abs(a.hi))}
	case Min, Max:
		for _, x := range c.Args[1:] {
			e := extentOf(x)
			a = extent{min(a.lo, e.lo), max(a.hi, e.hi)}
		}
		return a
	}
	return extent{0, 1}
}

// around is the smallest extent with all of some values.
func around(values ...float64) extent {
	out := extent{values[0], values[0]}
	for _, v := range values {
		out = extent{min(out.lo, v), max(out.hi, v)}
	}
	return out
}
