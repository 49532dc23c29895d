package pmf

import (
	"math/big"
	"math/bits"
)

// A Weight is how likely something is: a probability, or a whole number over a denominator that is kept beside it. The zero
// value of its type is the weight of what cannot be.
type Weight[W any] interface {
	comparable // equal ones have the same value; long numerators of the same value may differ
	Plus(W) W
	Times(W) W
	IsZero() bool
}

// Float is a probability.
type Float float64

// Plus is a sum, which is rounded.
func (a Float) Plus(b Float) Float { return a + b }

// Times is a product, which is rounded.
func (a Float) Times(b Float) Float { return a * b }

// IsZero reports whether it cannot be, or is too small for a float.
func (a Float) IsZero() bool { return a == 0 }

// A Numerator is a whole number over a denominator that is kept beside it. It is not negative. Most are small: they are
// kept in a word, for which nothing is allocated. The zero Numerator is 0.
type Numerator struct {
	small uint64   // the number, unless large is there
	large *big.Int // never changed; a number of more than one word
}

// NewNumerator returns n as a weight; n must not be negative.
func NewNumerator(n int64) Numerator { return Numerator{small: uint64(n)} }

// NumeratorOf returns n as a weight; n must not be changed afterwards; nil is 0.
func NumeratorOf(n *big.Int) Numerator {
	switch {
	case n == nil:
		return Numerator{}
	case n.IsUint64():
		return Numerator{small: n.Uint64()}
	}
	return Numerator{large: n}
}

// Plus is the sum of two weights over one denominator.
func (a Numerator) Plus(b Numerator) Numerator {
	if a.large == nil && b.large == nil {
		sum, carry := bits.Add64(a.small, b.small, 0)
		if carry == 0 {
			return Numerator{small: sum}
		}
	}
	switch {
	case a.IsZero():
		return b
	case b.IsZero():
		return a
	}
	return Numerator{large: new(big.Int).Add(a.Int(), b.Int())}
}

// Times is the product of two weights, over the product of their denominators.
func (a Numerator) Times(b Numerator) Numerator {
	if a.large == nil && b.large == nil {
		high, low := bits.Mul64(a.small, b.small)
		if high == 0 {
			return Numerator{small: low}
		}
	}
	if a.IsZero() || b.IsZero() {
		return Numerator{}
	}
	return Numerator{large: new(big.Int).Mul(a.Int(), b.Int())}
}

// IsZero reports whether it cannot be.
func (a Numerator) IsZero() bool { return a.large == nil && a.small == 0 }

// Int is the numerator, to be read only.
func (a Numerator) Int() *big.Int {
	if a.large == nil {
		return new(big.Int).SetUint64(a.small)
	}
	return a.large
}

// Over returns a numerator divided by its denominator, rounded once.
func (a Numerator) Over(den *big.Int) float64 {
	const exact = 1 << 53 // floats hold such numbers, and their quotient is rounded once
	if a.large == nil && a.small <= exact && den.IsUint64() && den.Uint64() <= exact {
		return float64(a.small) / float64(den.Uint64())
	}
	// Of a quotient with more bits than a float has, the lowest stands for all that follow.
	n := a.Int()
	shift := max(0, 66-n.BitLen()+den.BitLen())
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(n, uint(shift)), den, new(big.Int))
	if rest.Sign() != 0 {
		q.SetBit(q, 0, 1)
	}
	f := new(big.Float).SetInt(q)
	out, _ := f.SetMantExp(f, -shift).Float64()
	return out
}

// RaiseInt is the k-th power of n, a new number.
func RaiseInt(n *big.Int, k int) *big.Int { return new(big.Int).Exp(n, big.NewInt(int64(k)), nil) }

// isOne reports whether a positive number is 1.
func isOne(n *big.Int) bool { return n.BitLen() == 1 }

// LeastCommonMultiple returns the least common multiple of two denominators: one of them when it is that, so that neither
// may be changed in place.
func LeastCommonMultiple(a, b *big.Int) *big.Int {
	switch {
	case a == b || isOne(a):
		return b
	case isOne(b) || a.Cmp(b) == 0:
		return a
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Quo(a, g), b)
}

// RoundingOfSums is how far two sums of floats may be apart that ought to be equal, as a part of what was summed.
const RoundingOfSums = 1e-9
