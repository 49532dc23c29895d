package odds

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A BudgetError is a question whose answer would take more work or memory than is allowed.
type BudgetError struct {
	Subject string // what makes it so large
	Needs   float64
	Budget  float64
	What    string // of what: "values", "states", ...
}

// Error names the cause.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%s: exact odds need about %.3g %s, but the budget is %.3g", e.Subject, e.Needs, e.What, e.Budget)
}

// Limits of the distribution of an expression.
const (
	maxSupport = 1 << 20       // values of a line
	maxBits    = 1 << 23       // of all weights of a line as whole numbers
	maxWholes  = 4_000_000     // multiplications of whole numbers
	maxReals   = 3_000_000_000 // multiplications of floats
)

// Sum is the distribution of a dice expression.
type Sum struct {
	Lo    int64
	P     []float64  // P[i] is the probability of Lo+i
	N     []*big.Int // the same as numerators of Den; nil when that would be too large
	Den   *big.Int
	Rest  float64  // the probability that some die explodes further than was followed
	RestN *big.Int // as a numerator of Den, when N is there
	Mean  *big.Rat // in closed form, explosions without end included; nil when there is none
	Var   *big.Rat // likewise, the variance
}

// OfExpression gives the exact distribution of an expression.
func OfExpression(e *dice.Expression) (*Sum, error) {
	out := &Sum{}
	out.Mean, out.Var = moments(e)
	if fitsWhole(e) {
		return out, out.wholes(e)
	}
	return out, out.reals(e)
}

// wholes computes with numerators.
func (s *Sum) wholes(e *dice.Expression) error {
	total, den := line[whole]{w: []whole{wholeOf(1)}}, big.NewInt(1)
	for i := range e.Terms {
		t := &e.Terms[i]
		l, d := line[whole]{lo: t.Number, w: []whole{wholeOf(1)}}, big.NewInt(1)
		if t.Count > 0 {
			one := oneDie(t)
			d = power(one.den, t.Count)
			l = group(t, one.line, wholeOf(1), packed, func(n *big.Int) whole { return whole{n} })
		}
		if t.Sign < 0 {
			l = l.mirrored()
		}
		total, den = packed(total, l), den.Mul(den, d)
	}
	s.Lo, s.Den, s.RestN = total.lo, den, new(big.Int).Set(den)
	for _, w := range total.w {
		s.N = append(s.N, w.int())
		s.P = append(s.P, w.over(den))
		s.RestN.Sub(s.RestN, w.int())
	}
	s.Rest = whole{s.RestN}.over(den)
	return nil
}

// reals computes with probabilities.
func (s *Sum) reals(e *dice.Expression) error {
	total := line[real]{w: []real{1}}
	followed := 1.0
	for i := range e.Terms {
		t := &e.Terms[i]
		l := line[real]{lo: t.Number, w: []real{1}}
		if t.Count > 0 {
			if err := fits(t, len(total.w)); err != nil {
				return err
			}
			one := oneDie(t)
			l = group(t, reals(one.line, one.den), 1, convolved, func(n *big.Int) real { return real(whole{n}.over(big.NewInt(1))) })
			for range t.Count {
				followed *= 1 - whole{one.rest}.over(one.den)
			}
		}
		if t.Sign < 0 {
			l = l.mirrored()
		}
		total = convolved(total, l)
	}
	s.Lo, s.Rest = total.lo, 1-followed
	for _, w := range total.w {
		s.P = append(s.P, float64(w))
	}
	return nil
}

// group is the distribution of a group of dice.
func group[W weight[W]](t *dice.Term, one line[W], unit W, join func(a, b line[W]) line[W], of func(*big.Int) W) line[W] {
	switch {
	case t.Keep == t.Count:
		return repeated(one, t.Count, unit, join)
	case t.Lowest:
		return kept(one.mirrored(), t.Count, t.Keep, func(v int64) int64 { return t.Worth(-v) }, of)
	}
	return kept(one, t.Count, t.Keep, t.Worth, of)
}

// A die is the distribution of one die of a group, over den. What it does not follow is rest.
type die struct {
	line line[whole]
	den  *big.Int
	rest *big.Int
}

// oneDie is one die, with what is rolled again and on, and whether it is counted; of dice some of which are kept the total,
// by which they are.
func oneDie(t *dice.Term) die {
	faces, den := facesOf(&t.Die, int64(t.Faces))
	d := die{line: faces, den: den, rest: new(big.Int)}
	least := int64(0)
	if t.Die.Explode.Among(int64(t.Faces)) {
		d, least = exploded(t, faces, den)
	}
	if t.Success != nil && t.Keep == t.Count {
		return d.counted(t.Success, least)
	}
	return d
}

// A fall is how likely the faces of one roll are, after it was rolled again.
type fall struct {
	stays, again int64 // weights of a face that stays, and of one that is rolled again
	den          int64
}

// fallOf is the fall of a die that does not roll without end.
func fallOf(d *plan.Die, faces int64) fall {
	again := max(0, min(faces, d.Again.Hi)-max(1, d.Again.Lo)+1)
	if d.Once { // a face that is rolled again, n of n^2, gives each face once
		return fall{faces + again, again, faces * faces}
	}
	return fall{1, 0, faces - again}
}

// facesOf is the distribution of one face after it was rolled again, if it was.
func facesOf(d *plan.Die, faces int64) (line[whole], *big.Int) {
	x := fallOf(d, faces)
	out := line[whole]{1, make([]whole, faces)}
	stays, again := wholeOf(x.stays), wholeOf(x.again)
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

// exploded is a die whose faces explode, followed until it is unlikely enough, or too long, that they go on.
// least is the smallest total of those that would go on.
func exploded(t *dice.Term, faces line[whole], den *big.Int) (d die, least int64) {
	d = die{line: line[whole]{w: make([]whole, 1)}, den: big.NewInt(1)}
	on := line[whole]{w: []whole{wholeOf(1)}} // chains that go on, by their totals
	for d.rest = big.NewInt(1); followsOn(&d, len(on.w)+t.Faces); {
		reached := packed(on, faces)
		ended := line[whole]{w: make([]whole, reached.hi()+1)}
		for v, w := range d.line.w {
			ended.w[v] = w.times(whole{den})
		}
		next := packed(on, exploding(t, faces))
		d.rest = new(big.Int)
		for i, w := range reached.w {
			stops := new(big.Int).Sub(w.int(), next.w[i].int())
			ended.add(reached.lo+int64(i), whole{stops})
			d.rest.Add(d.rest, next.w[i].int())
		}
		d.line, d.den, on = ended, new(big.Int).Mul(d.den, den), trimmed(next)
	}
	return d, on.lo
}

// followsOn reports whether a chain is worth being followed on.
func followsOn(d *die, support int) bool {
	return d.rest.Sign() != 0 && d.rest.BitLen()+followed > d.den.BitLen() && len(d.line.w)+support < maxSupport
}

// exploding is the part of the faces that explode.
func exploding(t *dice.Term, faces line[whole]) line[whole] {
	out := line[whole]{faces.lo, make([]whole, len(faces.w))}
	for f := faces.lo; f <= faces.hi(); f++ {
		if t.Die.Explode.Holds(f) {
			out.add(f, faces.w[f-faces.lo])
		}
	}
	return out
}

// trimmed leaves out values without weight at both ends.
func trimmed[W weight[W]](l line[W]) line[W] {
	for len(l.w) > 1 && l.w[0].zero() {
		l = line[W]{l.lo + 1, l.w[1:]}
	}
	for len(l.w) > 1 && l.w[len(l.w)-1].zero() {
		l.w = l.w[:len(l.w)-1]
	}
	return l
}

// counted tells of a die whether it is of a kind. When every chain that goes on has passed the band's ends already, what becomes of it is known.
func (d die) counted(c *plan.Band, least int64) die {
	out := die{line: line[whole]{w: make([]whole, 2)}, den: d.den, rest: d.rest}
	count := func(holds bool, w whole) {
		if holds {
			out.line.add(1, w)
		} else {
			out.line.add(0, w)
		}
	}
	for i, w := range d.line.w {
		count(c.Holds(d.line.lo+int64(i)), w)
	}
	if d.rest.Sign() != 0 && (least >= c.Hi || least+1 >= c.Lo && c.Hi == math.MaxInt64) {
		count(c.Holds(least+1), whole{d.rest})
		out.rest = new(big.Int)
	}
	return out
}

// support is about how many values one die has.
func support(t *dice.Term) int {
	switch {
	case t.Success != nil && t.Keep == t.Count:
		return 2
	case !t.Die.Explode.Among(int64(t.Faces)):
		return t.Faces
	}
	on := 0.0
	for f := int64(1); f <= int64(t.Faces); f++ {
		if t.Die.Explode.Holds(f) {
			on++
		}
	}
	levels := 1
	for p := on / float64(t.Faces); p > 0x1p-64 && levels*t.Faces < maxSupport; p *= on / float64(t.Faces) {
		levels++
	}
	return levels * t.Faces
}

// work is about how many multiplications a group takes, and how many bits its weights have.
func work(t *dice.Term) (multiplications, bits float64) {
	n, count := float64(support(t)), float64(t.Count)
	bits = n * count * count * max(1, n/float64(t.Faces)) * math.Log2(float64(t.Faces))
	if t.Keep == t.Count {
		return n * n * count * (count - 1), bits
	}
	return n * count * count * n * float64(t.Keep), bits
}

// fitsWhole reports whether an expression can be answered in whole numbers.
func fitsWhole(e *dice.Expression) bool {
	all, wide := 0.0, 0.0
	for i := range e.Terms {
		if t := &e.Terms[i]; t.Count > 0 {
			n, bits := work(t)
			if t.Keep < t.Count {
				all += n
			}
			wide += bits
		}
	}
	return all <= maxWholes && wide <= maxBits
}

// fits judges whether a group can be answered in floats.
func fits(t *dice.Term, others int) error {
	n, _ := work(t)
	values := float64(support(t)) * float64(t.Keep)
	subject := fmt.Sprintf("%dd%d", t.Count, t.Faces)
	switch {
	case values > maxSupport:
		return &BudgetError{subject, values, maxSupport, "values"}
	case n > maxReals:
		return &BudgetError{subject, n, maxReals, "steps"}
	case values*float64(others) > maxReals:
		return &BudgetError{subject, values * float64(others), maxReals, "steps"}
	}
	return nil
}
