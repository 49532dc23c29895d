package odds

import "math/big"

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

// whole is a numerator. Its integer is never changed; the zero whole is 0.
type whole struct{ n *big.Int }

func wholeOf(n int64) whole { return whole{big.NewInt(n)} }

func (a whole) plus(b whole) whole {
	switch {
	case a.n == nil:
		return b
	case b.n == nil:
		return a
	}
	return whole{new(big.Int).Add(a.n, b.n)}
}

func (a whole) times(b whole) whole {
	if a.n == nil || b.n == nil {
		return whole{}
	}
	return whole{new(big.Int).Mul(a.n, b.n)}
}

func (a whole) zero() bool { return a.n == nil || a.n.Sign() == 0 }

// int is the numerator, to be read only.
func (a whole) int() *big.Int {
	if a.n == nil {
		return new(big.Int)
	}
	return a.n
}

// over is a whole divided by its denominator.
func (a whole) over(den *big.Int) float64 {
	n, d := new(big.Float).SetPrec(64).SetInt(a.int()), new(big.Float).SetPrec(64).SetInt(den)
	f, _ := n.Quo(n, d).Float64()
	return f
}

// power is n to the k-th.
func power(n *big.Int, k int) *big.Int { return new(big.Int).Exp(n, big.NewInt(int64(k)), nil) }
