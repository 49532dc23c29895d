package notation

import (
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Dice that explode without end have no greatest sum, and a distribution of all sums cannot be listed. But who only asks
// whether 3d6!! is at least 10 cannot tell 10 from 11, so that a die counts as 10 at most; then its distribution is finite,
// and its probabilities are rational. A cap is such a number. It comes from above: from a comparison with what is bounded,
// from min with a number, from what a group counts or clamps. It is handed down to the groups by what each operation does
// to large values, as long as it keeps their order: a sum is at least K when one term is at least K less the least of the
// others.
//
// The distribution of a chain below its cap follows from the numbers of visits. Let every later face add w with the
// probability p_w if it explodes, let x be the chance that it explodes and adds nothing, and let a chain that goes on come
// to s after its first face with probability m_s. The expected number of visits to the sum s, while the chain goes on, is
//
//	g_s = m_s + x·g_s + Σ_{w>0} p_w·g_{s-w},   so that   g_s = (m_s + Σ_{w>0} p_w·g_{s-w}) / (1-x)
//
// and a chain ends at s with the first face, or from s-w with one that stops and adds w. What is left of 1 is at the cap.
// Of d6! with the cap 8: it ends at 1 to 5 with 1/6 each, goes on at 6 with 1/6, ends at 7 with 1/36, and 5/36 are left for
// 8 and more. With all faces over D and E = D·(1-x), the visits of s are whole numbers over E^(s+1), and all probabilities
// below the cap K over D·E^K. No chain is followed level by level, and nothing is cut off.

// capsOf are the caps of the groups of a notation that have one.
func capsOf(root dice.Node) map[*dice.Pool]int64 {
	if dice.EndsChains(root) {
		return nil
	}
	c := capper{}
	c.capNode(root, math.Inf(1))
	return c
}

// A capper hands caps down a tree.
type capper map[*dice.Pool]int64

// capNode sets the cap of a part: no reader tells its values from a number on apart. Infinity sets none.
func (c capper) capNode(n dice.Node, from float64) {
	if lo := leastOfPart(n); from < lo { // else capped terms of a sum might fall below their least values
		from = lo
	}
	switch x := n.(type) {
	case *dice.Pool:
		if from = math.Ceil(from); from <= pmf.MaxSupport {
			c[x] = max(1, int64(from))
		}
		c.capKinds(x, from)
	case *dice.Set:
		c.capSet(x, from)
	case *dice.Call:
		c.capCall(x, from)
	}
}

// capKinds hands a cap on to the alternatives of a die that is chosen by chance.
func (c capper) capKinds(p *dice.Pool, from float64) {
	for _, k := range p.Faces.Kinds {
		if leastOfPart(k.Node) < 0 || !p.AddsTotals() {
			from = math.Inf(1)
		}
	}
	for _, k := range p.Faces.Kinds {
		c.capNode(k.Node, from)
	}
}

// capSet hands a cap to the results of a set. A sum of some of them grows with each, and none may make up for another.
func (c capper) capSet(s *dice.Set, from float64) {
	if s.Score != nil {
		from = math.Inf(-1)
		for _, list := range []dice.Tests{s.Score.Success, s.Score.Twice, s.Score.Failure} {
			for _, t := range list {
				from = max(from, float64(t.N)+1)
			}
		}
	}
	for _, item := range s.Items {
		if lo, _ := dice.BoundsOf(item); lo < 0 && s.Score == nil {
			from = math.Inf(1)
		}
	}
	for _, item := range s.Items {
		c.capNode(item, from)
	}
}

// capCall hands a cap to the arguments of an operation.
func (c capper) capCall(x *dice.Call, from float64) {
	a, b := x.Args[0], x.Args[len(x.Args)-1]
	if _, constant := dice.Constant(a); constant && x.Op == dice.Multiply {
		a, b = b, a
	}
	switch factor, constant := dice.Constant(b); {
	case x.Op == dice.Add:
		c.capNode(a, from-leastOfPart(b))
		c.capNode(b, from-leastOfPart(a))
	case x.Op == dice.Subtract:
		c.capNode(a, from+greatestOfPart(b))
		c.capNode(b, math.Inf(1))
	case x.Op == dice.Min:
		for i, arg := range x.Args {
			most := from
			for k, other := range x.Args {
				if k != i {
					most = min(most, greatestOfPart(other))
				}
			}
			c.capNode(arg, most)
		}
	case x.Op == dice.Max:
		for _, arg := range x.Args {
			c.capNode(arg, from)
		}
	case x.Op.IsComparison():
		c.capNode(a, greatestOfPart(b)+1)
		c.capNode(b, greatestOfPart(a)+1)
	case x.Op == dice.Floor, x.Op == dice.Ceil, x.Op == dice.Round:
		c.capNode(a, math.Ceil(from))
	case constant && factor.Sign() > 0 && (x.Op == dice.Multiply || x.Op == dice.Divide || x.Op == dice.DivideFloor):
		by, _ := factor.Float64()
		switch x.Op {
		case dice.Multiply:
			from /= by
		case dice.Divide:
			from *= by
		default:
			from = math.Ceil(from) * by
		}
		c.capNode(a, from+roundingOfCaps)
	default:
		for _, arg := range x.Args {
			c.capNode(arg, math.Inf(1))
		}
	}
}

// roundingOfCaps raises caps that are quotients: one that is rounded down would be too low, and a higher one is as right.
const roundingOfCaps = 1e-6

// leastOfPart bounds the values of a part from below. Dice that explode without end may add less than nothing each time.
func leastOfPart(n dice.Node) float64 {
	lo, _ := dice.BoundsOf(n)
	if lo < 0 && !dice.EndsChains(n) {
		return math.Inf(-1)
	}
	return lo
}

// greatestOfPart bounds the values of a part from above: infinity where dice explode without end.
func greatestOfPart(n dice.Node) float64 {
	if _, hi := dice.BoundsOf(n); dice.EndsChains(n) {
		return hi
	}
	if x, ok := n.(*dice.Call); ok && x.Op == dice.Min {
		least := math.Inf(1)
		for _, arg := range x.Args {
			least = min(least, greatestOfPart(arg))
		}
		return least
	}
	return math.Inf(1)
}

// chainOrCapped returns the distribution of the total worth of the faces of one die that explodes: with a cap where the
// die has one and explodes without end.
func (v *evaluator[W]) chainOrCapped(
	p *dice.Pool, faces *sparse[W], worth func(int64) int64, most int64, capped bool,
) (*sparse[W], error) {
	firstOn, firstStops := v.splitFaces(p, faces, worth, false, false)
	on, stops := v.splitFaces(p, faces, worth, p.Explode.Penetrate, false)
	if addsNothing(firstOn) && addsNothing(on) { // it comes to what its last face is worth
		most, capped = greatestOf(firstStops, stops)+1, true
	}
	if most = max(most, 1); !capped || p.Explode.Limit > 0 || most > pmf.MaxSupport {
		return v.chainDistribution(p, faces, worth)
	}
	for _, part := range []*sparse[W]{firstOn, firstStops, on, stops} {
		if len(part.values) > 0 && part.values[0] < 0 {
			return v.chainDistribution(p, faces, worth) // a chain may fall below its cap again
		}
	}
	bits := float64(most+1) * float64(faces.den.BitLen())
	if err := v.spend(p.Text, float64(most)*float64(len(faces.values))*v.costOfBits(bits), nil); err != nil {
		return nil, err
	}
	k := chainBelow[W]{calculus: v.calculus, size: int(most)}
	k.prepareVisits(on, faces.den)
	k.countVisits(firstOn, on)
	return k.endsAndCap(firstStops, stops, faces.den), nil
}

// addsNothing reports whether all values are 0.
func addsNothing[W pmf.Weight[W]](p *sparse[W]) bool {
	return len(p.values) == 0 || p.values[0] == 0 && len(p.values) == 1
}

// greatestOf is the greatest value of some distributions.
func greatestOf[W pmf.Weight[W]](parts ...*sparse[W]) (most int64) {
	for _, p := range parts {
		if n := len(p.values); n > 0 {
			most = max(most, p.values[n-1])
		}
	}
	return most
}

// A chainBelow is a chain of explosions below its cap. In fractions rest is E, scale has its powers 0 to size, and the
// visits of the sum s are numerators over E^(s+1). In floats visits are probabilities, rest is 1/(1-x), and all scales are
// 1.
type chainBelow[W pmf.Weight[W]] struct {
	*calculus[W]
	size   int // the cap
	rest   W
	scale  []W
	visits []W
	den    *big.Int // E
}

// prepareVisits computes the probability that a later face neither stops nor stays where it is.
func (k *chainBelow[W]) prepareVisits(on *sparse[W], den *big.Int) {
	var stays W
	if len(on.values) > 0 && on.values[0] == 0 {
		stays = on.w[0]
	}
	if !k.isExact {
		x, _ := k.tell(stays, den)
		k.rest, k.scale = any(pmf.Float(1/(1-x))).(W), make([]W, k.size+1)
		for i := range k.scale {
			k.scale[i] = k.unit
		}
		return
	}
	_, n := k.tell(stays, den)
	k.den = new(big.Int).Sub(den, n)
	k.rest = k.of(k.den)
	k.scale = pmf.ListPowers(k.rest, k.size, k.unit)
}

// countVisits counts the visits of every sum below the cap.
func (k *chainBelow[W]) countVisits(first, on *sparse[W]) {
	k.visits = make([]W, k.size)
	for i, s := range first.values {
		if s < int64(k.size) {
			k.visits[s] = k.visits[s].Plus(first.w[i].Times(k.scale[s]))
		}
	}
	for s := range k.visits {
		for i, w := range on.values {
			if w > 0 && w <= int64(s) {
				k.visits[s] = k.visits[s].Plus(k.visits[s-int(w)].Times(on.w[i]).Times(k.scale[w-1]))
			}
		}
		if !k.isExact {
			k.visits[s] = k.visits[s].Times(k.rest)
		}
	}
}

// endsAndCap returns the distribution of the sums at which chains stop, with all other chains at the cap.
func (k *chainBelow[W]) endsAndCap(first, stops *sparse[W], den *big.Int) *sparse[W] {
	ends := make([]W, k.size+1)
	for i, s := range first.values {
		if s < int64(k.size) {
			ends[s] = ends[s].Plus(first.w[i].Times(k.scale[k.size]))
		}
	}
	for s := range k.visits {
		for i, w := range stops.values {
			if to := s + int(min(w, int64(k.size))); to < k.size {
				ends[to] = ends[to].Plus(k.visits[s].Times(stops.w[i]).Times(k.scale[k.size-s-1]))
			}
		}
	}
	all := den
	if k.isExact {
		all = new(big.Int).Mul(den, pmf.RaiseInt(k.den, k.size))
	}
	ends[k.size] = k.missingWeight(ends, all)
	return k.fromLine(pmf.Line[W]{Weights: ends}, all)
}
