package odds

import (
	"math/big"
	"math/bits"
)

// A weight is how likely something is: a probability, or a whole number over a denominator that is kept beside it.
type weight[W any] interface {
	plus(W) W
	times(W) W
	zero() bool
}

// floatWeight is a probability.
type floatWeight float64

func (a floatWeight) plus(b floatWeight) floatWeight  { return a + b }
func (a floatWeight) times(b floatWeight) floatWeight { return a * b }
func (a floatWeight) zero() bool                      { return a == 0 }

// intWeight is a numerator, which is not negative. Most are small: they are kept in a word, for which nothing is allocated.
// The zero intWeight is 0.
type intWeight struct {
	small uint64   // the number, unless large is there
	large *big.Int // never changed; a number of more than one word
}

// newIntWeight returns n as a weight; n must not be negative.
func newIntWeight(n int64) intWeight { return intWeight{small: uint64(n)} }

// intWeightOf returns n as a weight; n must not be changed afterwards; nil is 0.
func intWeightOf(n *big.Int) intWeight {
	switch {
	case n == nil:
		return intWeight{}
	case n.IsUint64():
		return intWeight{small: n.Uint64()}
	}
	return intWeight{large: n}
}

func (a intWeight) plus(b intWeight) intWeight {
	if a.large == nil && b.large == nil {
		sum, carry := bits.Add64(a.small, b.small, 0)
		if carry == 0 {
			return intWeight{small: sum}
		}
	}
	switch {
	case a.zero():
		return b
	case b.zero():
		return a
	}
	return intWeight{large: new(big.Int).Add(a.int(), b.int())}
}

func (a intWeight) times(b intWeight) intWeight {
	if a.large == nil && b.large == nil {
		high, low := bits.Mul64(a.small, b.small)
		if high == 0 {
			return intWeight{small: low}
		}
	}
	if a.zero() || b.zero() {
		return intWeight{}
	}
	return intWeight{large: new(big.Int).Mul(a.int(), b.int())}
}

func (a intWeight) zero() bool { return a.large == nil && a.small == 0 }

// int is the numerator, to be read only.
func (a intWeight) int() *big.Int {
	if a.large == nil {
		return new(big.Int).SetUint64(a.small)
	}
	return a.large
}

// over is a numerator divided by its denominator.
func (a intWeight) over(den *big.Int) float64 {
	n, d := new(big.Float).SetPrec(64), new(big.Float).SetPrec(64).SetInt(den)
	if a.large == nil {
		n.SetUint64(a.small)
	} else {
		n.SetInt(a.large)
	}
	f, _ := n.Quo(n, d).Float64()
	return f
}

// power is n to the k-th.
func power(n *big.Int, k int) *big.Int { return new(big.Int).Exp(n, big.NewInt(int64(k)), nil) }

// isOne reports whether a positive number is 1.
func isOne(n *big.Int) bool { return n.BitLen() == 1 }

// leastCommonMultiple returns the least common multiple of two denominators: one of them when it is that, so that neither
// may be changed in place.
func leastCommonMultiple(a, b *big.Int) *big.Int {
	switch {
	case a == b || isOne(a):
		return b
	case isOne(b) || a.Cmp(b) == 0:
		return a
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Quo(a, g), b)
}

// roundingOfSums is how far two sums of floats may be apart that ought to be equal, as a part of what was summed.
const roundingOfSums = 1e-9
