package pmf

import (
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Die is the distribution of one die of a group; of whole weights over Den. Rest is the weight of what is not followed of
// its explosions.
type Die[W Weight[W]] struct {
	Line Line[W]
	Rest W
	Den  *big.Int

	// HasHighTail says that a die that is not followed shows more than any value of the line.
	HasHighTail bool
}

// NewExactDie returns the distribution of one die of a term, with its explosions, and of its successes if the term
// counts these. If the term keeps some of its dice, the distribution is that of the totals by which they are chosen.
func NewExactDie(t *dice.Term) Die[Numerator] {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	d, least := Die[Numerator]{Line: faces, Den: den}, int64(0)
	if Explodes(t) {
		d, least = explodeDie(t, faces, den)
	}
	return d.asked(t, least)
}

// NewFloatDie returns the same in floats.
func NewFloatDie(t *dice.Term) Die[Float] {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	d, least := Die[Float]{Line: toProbabilities(faces, den)}, int64(0)
	if Explodes(t) {
		d = explodeByRecurrence(t, d.Line)
		least = d.Line.Hi()
	}
	return d.asked(t, least)
}

// asked returns the distribution of one die's contribution to a term. Of a term that keeps some dice it is that of the
// total, because the totals decide which are kept.
func (d Die[W]) asked(t *dice.Term, least int64) Die[W] {
	if t.Keep < t.Count {
		return d.withTail(t, least) // by whose totals it is chosen which are kept
	}
	if t.Least > 0 {
		d.Line = d.Line.raiseToLeast(t.Least)
	}
	if t.Success != nil {
		return d.countInBand(t.Success, max(least, t.Least))
	}
	return d
}

// withTail turns the probability beyond the line into one more value above all others, if the count of such a die is
// known: 0 or 1, because it has passed the ends of the band already. The dice are then exact, however many are kept.
func (d Die[W]) withTail(t *dice.Term, least int64) Die[W] {
	if t.Success == nil || d.Rest.IsZero() || !isDecided(t.Success, max(least, t.Least)) {
		return d
	}
	tail := max(d.Line.Hi(), least, t.Least) + 1
	w := make([]W, tail-d.Line.Lo+1)
	copy(w, d.Line.Weights)
	w[len(w)-1] = d.Rest
	var none W
	return Die[W]{Line: Line[W]{d.Line.Lo, w}, Rest: none, Den: d.Den}
}

// isDecided reports whether all totals above a least one are of a kind, or none is.
func isDecided(c *plan.Band, least int64) bool {
	return least >= c.Hi || least+1 >= c.Lo && c.Hi == math.MaxInt64
}

// raiseToLeast moves the weight of all values below a least one to it.
func (l Line[W]) raiseToLeast(least int64) Line[W] {
	if l.Lo >= least {
		return l
	}
	out := Line[W]{Lo: least, Weights: make([]W, max(1, l.Hi()-least+1))}
	for i, w := range l.Weights {
		out.Add(max(least, l.Lo+int64(i)), w)
	}
	return out
}

// ChainLength is how many faces of a chain are followed, or enough of them to be too many.
func ChainLength(t *dice.Term) int {
	if !Explodes(t) {
		return 1
	}
	p := FallOf(&t.Die, int64(t.Faces)).exploding(&t.Die, int64(t.Faces))
	return int(min(MaxSupport, math.Ceil(-FollowedBits/math.Log2(p)))) + 1
}

// Explodes reports whether some face of a term's dice explodes.
func Explodes(t *dice.Term) bool { return t.Die.Explode.Among(int64(t.Faces)) }

// A Fall is how likely the faces of one roll are, after it was rolled again.
type Fall struct {
	Stays, Again int64 // weights of a face that stays, and of one that is rolled again
	Den          int64
}

// FallOf is the fall of a die that does not roll without end.
func FallOf(d *plan.Die, faces int64) Fall {
	again := int64(0)
	if d.Again.Among(faces) {
		again = min(faces, d.Again.Hi) - max(1, d.Again.Lo) + 1
	}
	if d.Once { // a face that is rolled again, n of n^2, gives each face once
		return Fall{faces + again, again, faces * faces}
	}
	return Fall{1, 0, faces - again}
}

// facesOf is the distribution of one face after it was rolled again, if it was.
func facesOf(d *plan.Die, faces int64) (Line[Numerator], *big.Int) {
	x := FallOf(d, faces)
	out := Line[Numerator]{1, make([]Numerator, faces)}
	stays, again := NewNumerator(x.Stays), NewNumerator(x.Again)
	for f := int64(1); f <= faces; f++ {
		if d.Again.Holds(f) {
			out.Add(f, again)
		} else {
			out.Add(f, stays)
		}
	}
	return out, big.NewInt(x.Den)
}

// FollowedBits bounds the remainder of one die's explosions: they are followed until less than 2^-FollowedBits is left.
const FollowedBits = 64

// UnseenBits is how small a part of everything the tails of dice that explode are, as a power of a half: they are followed
// to 2^-64, and there may be thousands of dice.
const UnseenBits = 48

// explodeDie returns a die whose faces explode, followed until it is unlikely enough, or too long, that they go on.
// least is the smallest total of those that would go on.
func explodeDie(t *dice.Term, faces Line[Numerator], den *big.Int) (d Die[Numerator], least int64) {
	d = Die[Numerator]{Line: Line[Numerator]{Weights: make([]Numerator, 1)}, Den: big.NewInt(1)}
	on := Line[Numerator]{Weights: []Numerator{NewNumerator(1)}} // chains that go on, by their totals
	for d.Rest = NewNumerator(1); followsOn(&d, len(on.Weights)+t.Faces); {
		reached := ConvolveExactly(on, faces)
		ended := Line[Numerator]{Weights: make([]Numerator, reached.Hi()+1)}
		for v, w := range d.Line.Weights {
			ended.Weights[v] = w.Times(NumeratorOf(den))
		}
		next := ConvolveExactly(on, explodingFaces(t, faces))
		d.Rest = Numerator{}
		for i, w := range reached.Weights {
			stops := new(big.Int).Sub(w.Int(), next.Weights[i].Int())
			ended.Add(reached.Lo+int64(i), NumeratorOf(stops))
			d.Rest = d.Rest.Plus(next.Weights[i])
		}
		d.Line, d.Den, on = ended, new(big.Int).Mul(d.Den, den), TrimZeros(next)
	}
	d.HasHighTail = on.Lo >= TrimZeros(d.Line).Hi()
	return d, on.Lo
}

// followsOn reports whether a chain is worth being followed on.
func followsOn(d *Die[Numerator], support int) bool {
	return !d.Rest.IsZero() && d.Rest.Int().BitLen()+FollowedBits > d.Den.BitLen() &&
		len(d.Line.Weights)+support < MaxSupport
}

// explodingFaces returns the part of the faces that explode.
func explodingFaces(t *dice.Term, faces Line[Numerator]) Line[Numerator] {
	out := Line[Numerator]{faces.Lo, make([]Numerator, len(faces.Weights))}
	for f := faces.Lo; f <= faces.Hi(); f++ {
		if t.Die.Explode.Holds(f) {
			out.Add(f, faces.Weights[f-faces.Lo])
		}
	}
	return out
}

// TrimZeros leaves out values without weight at both ends.
func TrimZeros[W Weight[W]](l Line[W]) Line[W] {
	for len(l.Weights) > 1 && l.Weights[0].IsZero() {
		l = Line[W]{l.Lo + 1, l.Weights[1:]}
	}
	for len(l.Weights) > 1 && l.Weights[len(l.Weights)-1].IsZero() {
		l.Weights = l.Weights[:len(l.Weights)-1]
	}
	return l
}

// explodeByRecurrence returns a die whose faces explode, computed value by value: a chain that reaches a value and goes
// on reaches, with each face, a higher value, where it goes on or stops. Values beyond the end of the line are not
// followed.
func explodeByRecurrence(t *dice.Term, faces Line[Float]) Die[Float] {
	size := ChainLength(t) * t.Faces
	d := Die[Float]{Line: Line[Float]{Weights: make([]Float, size)}}
	on := make([]Float, size) // chains that go on, by their totals
	on[0] = 1
	for v, w := range on {
		if w == 0 {
			continue
		}
		for i, p := range faces.Weights {
			switch next := v + i + 1; {
			case next >= size:
				d.Rest += w * p
			case t.Die.Explode.Holds(int64(i) + 1):
				on[next] += w * p
			default:
				d.Line.Weights[next] += w * p
			}
		}
	}
	return d
}

// countInBand returns the distribution of 1 for a die in the band and 0 for any other. Once every chain that goes on
// has passed the ends of the band, the rest of the probability is decided too.
func (d Die[W]) countInBand(c *plan.Band, least int64) Die[W] {
	out := Die[W]{Line: Line[W]{Weights: make([]W, 2)}, Den: d.Den, Rest: d.Rest}
	count := func(v int64, w W) {
		if c.Holds(v) {
			out.Line.Add(1, w)
		} else {
			out.Line.Add(0, w)
		}
	}
	for i, w := range d.Line.Weights {
		count(d.Line.Lo+int64(i), w)
	}
	if isDecided(c, least) {
		count(least+1, d.Rest)
		var none W
		out.Rest = none
	}
	return out
}

// Levels is how many faces of a chain are followed, the first one included: 1 of a die that does not explode.
func (x Fall) Levels(d *plan.Die, faces int64) int {
	on := x.exploding(d, faces)
	switch {
	case on == 0:
		return 1
	case d.Times > 0:
		return int(min(d.Times+1, plan.MaxChain))
	}
	return int(min(plan.MaxChain, math.Ceil(-FollowedBits/math.Log2(on))))
}

// exploding is how likely a face explodes.
func (x Fall) exploding(d *plan.Die, faces int64) float64 {
	on := 0.0
	for f := max(1, d.Explode.Lo); f <= min(faces, d.Explode.Hi); f++ {
		if d.Again.Holds(f) {
			on += float64(x.Again)
		} else {
			on += float64(x.Stays)
		}
	}
	return on / float64(x.Den)
}

// MomentsOf are E[T] and E[T²] of one die of a term that keeps all of its dice, explosions without end included.
func MomentsOf(t *dice.Term) (first, second *big.Rat) {
	if t.Ordinary {
		n := int64(t.Faces)
		return big.NewRat(n+1, 2), big.NewRat((n+1)*(2*n+1), 6)
	}
	x := partsOf(t)
	ends := new(big.Rat).Sub(new(big.Rat).SetInt64(1), x.explodes)
	first = new(big.Rat).Quo(x.first, ends)
	on := new(big.Rat).Mul(x.firstOn, first)
	second = on.Add(on, on)
	second.Add(second, x.second)
	return first, second.Quo(second, ends)
}

// MeanOfLimited is E[T] of one die that explodes at most so many times. A face is rolled when all before it have exploded,
// each with probability p: E[T] = E[f] (1 + p + p² + … + p^times). Of a d4 whose 4 explodes twice it is 2.5·(1 + 1/4 + 1/16).
func MeanOfLimited(t *dice.Term) *big.Rat {
	x := partsOf(t)
	rolled := big.NewRat(1, 1)
	for range t.Die.Times {
		rolled.Add(rolled.Mul(rolled, x.explodes), big.NewRat(1, 1))
	}
	return rolled.Mul(rolled, x.first)
}

// faceParts are means over one face of a die: of its worth, of its square, and of its worth where it explodes; and the
// chance that it explodes.
type faceParts struct{ first, second, firstOn, explodes *big.Rat }

func partsOf(t *dice.Term) faceParts {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	var sums [4]big.Int // in the order of faceParts
	for i, w := range faces.Weights {
		f := faces.Lo + int64(i)
		worth := t.Worth(f)
		n := new(big.Int).Mul(w.Int(), big.NewInt(worth))
		sums[0].Add(&sums[0], n)
		sums[1].Add(&sums[1], new(big.Int).Mul(n, big.NewInt(worth)))
		if t.Die.Explode.Holds(f) {
			sums[2].Add(&sums[2], n)
			sums[3].Add(&sums[3], w.Int())
		}
	}
	over := func(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, den) }
	return faceParts{over(&sums[0]), over(&sums[1]), over(&sums[2]), over(&sums[3])}
}
