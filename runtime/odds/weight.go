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

// real is a probability.
type real float64

func (a real) plus(b real) real  { return a + b }
func (a real) times(b real) real { return a * b }
func (a real) zero() bool        { return a == 0 }

// whole is a numerator, which is not negative. Most are small: they are kept in a word, for which nothing is allocated.
// The zero whole is 0.
type whole struct {
	small uint64   // the number, unless large is there
	large *big.Int // never changed; a number of more than one word
}

// wholeOf is a number that is not negative.
func wholeOf(n int64) whole { return whole{small: uint64(n)} }

// wholeFrom is an integer that is not changed any more as a whole; nil is 0.
func wholeFrom(n *big.Int) whole {
	switch {
	case n == nil:
		return whole{}
	case n.IsUint64():
		return whole{small: n.Uint64()}
	}
	return whole{large: n}
}

func (a whole) plus(b whole) whole {
	if a.large == nil && b.large == nil {
		sum, carry := bits.Add64(a.small, b.small, 0)
		if carry == 0 {
			return whole{small: sum}
		}
	}
	switch {
	case a.zero():
		return b
	case b.zero():
		return a
	}
	return whole{large: new(big.Int).Add(a.int(), b.int())}
}

func (a whole) times(b whole) whole {
	if a.large == nil && b.large == nil {
		high, low := bits.Mul64(a.small, b.small)
		if high == 0 {
			return whole{small: low}
		}
	}
	if a.zero() || b.zero() {
		return whole{}
	}
	return whole{large: new(big.Int).Mul(a.int(), b.int())}
}

func (a whole) zero() bool { return a.large == nil && a.small == 0 }

// int is the numerator, to be read only.
func (a whole) int() *big.Int {
	if a.large == nil {
		return new(big.Int).SetUint64(a.small)
	}
	return a.large
}

// over is a whole divided by its denominator.
func (a whole) over(den *big.Int) float64 {
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
