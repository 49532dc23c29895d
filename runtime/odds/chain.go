package odds

import (
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A die is the distribution of one die of a group; of whole weights over den. What it does not follow is rest.
type die[W weight[W]] struct {
	line line[W]
	rest W
	den  *big.Int

	// hasHighTail says that a die that is not followed shows more than any value of the line.
	hasHighTail bool
}

// exactDie returns one die, with what is rolled again and on, and whether it is counted; of dice some of which are kept the
// total, by which they are.
func exactDie(t *dice.Term) die[intWeight] {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	d, least := die[intWeight]{line: faces, den: den}, int64(0)
	if explodes(t) {
		d, least = explodeDie(t, faces, den)
	}
	return d.asked(t, least)
}

// floatDie returns the same in floats.
func floatDie(t *dice.Term) die[floatWeight] {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	d, least := die[floatWeight]{line: toProbabilities(faces, den)}, int64(0)
	if explodes(t) {
		d = explodeByRecurrence(t, d.line)
		least = d.line.hi()
	}
	return d.asked(t, least)
}

// asked is what a term asks of one of its dice.
func (d die[W]) asked(t *dice.Term, least int64) die[W] {
	if t.Keep < t.Count {
		return d.withTail(t, least) // by whose totals it is chosen which are kept
	}
	if t.Least > 0 {
		d.line = d.line.raiseToLeast(t.Least)
	}
	if t.Success != nil {
		return d.countInBand(t.Success, max(least, t.Least))
	}
	return d
}

// withTail makes of what is not followed one more value above all others, where it is known what such a die counts:
// nothing or 1, because it has passed the ends of the band already. The dice are then exact, however many are kept.
func (d die[W]) withTail(t *dice.Term, least int64) die[W] {
	if t.Success == nil || d.rest.zero() || !isDecided(t.Success, max(least, t.Least)) {
		return d
	}
	tail := max(d.line.hi(), least, t.Least) + 1
	w := make([]W, tail-d.line.lo+1)
	copy(w, d.line.w)
	w[len(w)-1] = d.rest
	var none W
	return die[W]{line: line[W]{d.line.lo, w}, rest: none, den: d.den}
}

// isDecided reports whether all totals above a least one are of a kind, or none is.
func isDecided(c *plan.Band, least int64) bool {
	return least >= c.Hi || least+1 >= c.Lo && c.Hi == math.MaxInt64
}

// raiseToLeast moves the weight of all values below a least one to it.
func (l line[W]) raiseToLeast(least int64) line[W] {
	if l.lo >= least {
		return l
	}
	out := line[W]{lo: least, w: make([]W, max(1, l.hi()-least+1))}
	for i, w := range l.w {
		out.add(max(least, l.lo+int64(i)), w)
	}
	return out
}

// chainLength is how many faces of a chain are followed, or enough of them to be too many.
func chainLength(t *dice.Term) int {
	if !explodes(t) {
		return 1
	}
	p := fallOf(&t.Die, int64(t.Faces)).exploding(&t.Die, int64(t.Faces))
	return int(min(maxSupport, math.Ceil(-followed/math.Log2(p)))) + 1
}

// explodes reports whether some face explodes.
func explodes(t *dice.Term) bool { return t.Die.Explode.Among(int64(t.Faces)) }

// A fall is how likely the faces of one roll are, after it was rolled again.
type fall struct {
	stays, again int64 // weights of a face that stays, and of one that is rolled again
	den          int64
}

// fallOf is the fall of a die that does not roll without end.
func fallOf(d *plan.Die, faces int64) fall {
	again := int64(0)
	if d.Again.Among(faces) {
		again = min(faces, d.Again.Hi) - max(1, d.Again.Lo) + 1
	}
	if d.Once { // a face that is rolled again, n of n^2, gives each face once
		return fall{faces + again, again, faces * faces}
	}
	return fall{1, 0, faces - again}
}

// facesOf is the distribution of one face after it was rolled again, if it was.
func facesOf(d *plan.Die, faces int64) (line[intWeight], *big.Int) {
	x := fallOf(d, faces)
	out := line[intWeight]{1, make([]intWeight, faces)}
	stays, again := newIntWeight(x.stays), newIntWeight(x.again)
	for f := int64(1); f <= faces; f++ {
		if d.Again.Holds(f) {
			out.add(f, again)
		} else {
			out.add(f, stays)
		}
	}
	return out, big.NewInt(x.den)
}

// followed bounds the remainder of one die's explosions.
const followed = 64 // bits

// unseenBits is how small a part of everything the tails of dice that explode are, as a power of a half: they are followed
// to 2^-64, and there may be thousands of dice.
const unseenBits = 48

// explodeDie returns a die whose faces explode, followed until it is unlikely enough, or too long, that they go on.
// least is the smallest total of those that would go on.
func explodeDie(t *dice.Term, faces line[intWeight], den *big.Int) (d die[intWeight], least int64) {
	d = die[intWeight]{line: line[intWeight]{w: make([]intWeight, 1)}, den: big.NewInt(1)}
	on := line[intWeight]{w: []intWeight{newIntWeight(1)}} // chains that go on, by their totals
	for d.rest = newIntWeight(1); followsOn(&d, len(on.w)+t.Faces); {
		reached := multiplyPacked(on, faces)
		ended := line[intWeight]{w: make([]intWeight, reached.hi()+1)}
		for v, w := range d.line.w {
			ended.w[v] = w.times(intWeightOf(den))
		}
		next := multiplyPacked(on, explodingFaces(t, faces))
		d.rest = intWeight{}
		for i, w := range reached.w {
			stops := new(big.Int).Sub(w.int(), next.w[i].int())
			ended.add(reached.lo+int64(i), intWeightOf(stops))
			d.rest = d.rest.plus(next.w[i])
		}
		d.line, d.den, on = ended, new(big.Int).Mul(d.den, den), trimZeros(next)
	}
	d.hasHighTail = on.lo >= trimZeros(d.line).hi()
	return d, on.lo
}

// followsOn reports whether a chain is worth being followed on.
func followsOn(d *die[intWeight], support int) bool {
	return !d.rest.zero() && d.rest.int().BitLen()+followed > d.den.BitLen() && len(d.line.w)+support < maxSupport
}

// explodingFaces returns the part of the faces that explode.
func explodingFaces(t *dice.Term, faces line[intWeight]) line[intWeight] {
	out := line[intWeight]{faces.lo, make([]intWeight, len(faces.w))}
	for f := faces.lo; f <= faces.hi(); f++ {
		if t.Die.Explode.Holds(f) {
			out.add(f, faces.w[f-faces.lo])
		}
	}
	return out
}

// trimZeros leaves out values without weight at both ends.
func trimZeros[W weight[W]](l line[W]) line[W] {
	for len(l.w) > 1 && l.w[0].zero() {
		l = line[W]{l.lo + 1, l.w[1:]}
	}
	for len(l.w) > 1 && l.w[len(l.w)-1].zero() {
		l.w = l.w[:len(l.w)-1]
	}
	return l
}

// explodeByRecurrence returns a die whose faces explode, value by value: a chain that goes on with a value goes on, or
// stops, with each face more. What passes the end of the line is not followed.
func explodeByRecurrence(t *dice.Term, faces line[floatWeight]) die[floatWeight] {
	size := chainLength(t) * t.Faces
	d := die[floatWeight]{line: line[floatWeight]{w: make([]floatWeight, size)}}
	on := make([]floatWeight, size) // chains that go on, by their totals
	on[0] = 1
	for v, w := range on {
		if w == 0 {
			continue
		}
		for i, p := range faces.w {
			switch next := v + i + 1; {
			case next >= size:
				d.rest += w * p
			case t.Die.Explode.Holds(int64(i) + 1):
				on[next] += w * p
			default:
				d.line.w[next] += w * p
			}
		}
	}
	return d
}

// countInBand tells of a die whether it is of a kind. When every chain that goes on has passed the band's ends already,
// what becomes of it is known.
func (d die[W]) countInBand(c *plan.Band, least int64) die[W] {
	out := die[W]{line: line[W]{w: make([]W, 2)}, den: d.den, rest: d.rest}
	count := func(v int64, w W) {
		if c.Holds(v) {
			out.line.add(1, w)
		} else {
			out.line.add(0, w)
		}
	}
	for i, w := range d.line.w {
		count(d.line.lo+int64(i), w)
	}
	if isDecided(c, least) {
		count(least+1, d.rest)
		var none W
		out.rest = none
	}
	return out
}

// levels is how many faces of a chain are followed.
func (x fall) levels(d *plan.Die, faces int64) int {
	on := x.exploding(d, faces)
	switch {
	case on == 0:
		return 1
	case d.Times > 0:
		return int(min(d.Times+1, plan.MaxChain))
	}
	return int(min(plan.MaxChain, math.Ceil(-followed/math.Log2(on))))
}

// exploding is how likely a face explodes.
func (x fall) exploding(d *plan.Die, faces int64) float64 {
	on := 0.0
	for f := max(1, d.Explode.Lo); f <= min(faces, d.Explode.Hi); f++ {
		if d.Again.Holds(f) {
			on += float64(x.again)
		} else {
			on += float64(x.stays)
		}
	}
	return on / float64(x.den)
}

// momentsOf are E[T] and E[T²] of one die.
func momentsOf(t *dice.Term) (first, second *big.Rat) {
	if t.Ordinary {
		n := int64(t.Faces)
		return big.NewRat(n+1, 2), big.NewRat((n+1)*(2*n+1), 6)
	}
	faces, den := facesOf(&t.Die, int64(t.Faces))
	var sums [4]big.Int // f, f², weight that explodes, f that explodes
	for i, w := range faces.w {
		f := faces.lo + int64(i)
		worth := t.Worth(f)
		n := new(big.Int).Mul(w.int(), big.NewInt(worth))
		sums[0].Add(&sums[0], n)
		sums[1].Add(&sums[1], new(big.Int).Mul(n, big.NewInt(worth)))
		if t.Die.Explode.Holds(f) {
			sums[2].Add(&sums[2], w.int())
			sums[3].Add(&sums[3], n)
		}
	}
	over := func(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, den) }
	ends := new(big.Rat).Sub(new(big.Rat).SetInt64(1), over(&sums[2]))
	first = new(big.Rat).Quo(over(&sums[0]), ends)
	on := new(big.Rat).Mul(over(&sums[3]), first)
	second = on.Add(on, on)
	second.Add(second, over(&sums[1]))
	return first, second.Quo(second, ends)
}
