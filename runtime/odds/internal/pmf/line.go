package pmf

import (
	"math/big"
	"math/bits"
)

// MaxSupport bounds how many values a line is made for: whoever makes one judges that before.
const MaxSupport = 1 << 20

// A Line is a distribution over successive integers: Weights[i] is the weight of Lo+i. What they lack to 1, or to the
// denominator, is a remainder that was not followed.
type Line[W Weight[W]] struct {
	Lo      int64
	Weights []W
}

// Hi is the greatest value.
func (l Line[W]) Hi() int64 { return l.Lo + int64(len(l.Weights)) - 1 }

// Negate returns the distribution of the negated value.
func (l Line[W]) Negate() Line[W] {
	out := Line[W]{Lo: -l.Hi(), Weights: make([]W, len(l.Weights))}
	for i, w := range l.Weights {
		out.Weights[len(l.Weights)-1-i] = w
	}
	return out
}

// Add adds weight to a value that lies on the line.
func (l Line[W]) Add(v int64, w W) { l.Weights[v-l.Lo] = l.Weights[v-l.Lo].Plus(w) }

// ConvolveFloats returns the distribution of the sum of two independent values.
func ConvolveFloats(a, b Line[Float]) Line[Float] {
	out := Line[Float]{Lo: a.Lo + b.Lo, Weights: make([]Float, len(a.Weights)+len(b.Weights)-1)}
	for i, x := range a.Weights {
		if x == 0 {
			continue
		}
		row := out.Weights[i : i+len(b.Weights)]
		for k, y := range b.Weights {
			row[k] += x * y
		}
	}
	return out
}

// ConvolveExactly multiplies the two generating polynomials as two integers (Kronecker's substitution), for which package
// big has a fast algorithm.
func ConvolveExactly(a, b Line[Numerator]) Line[Numerator] {
	width := bitsOfWidest(a) + bitsOfWidest(b) + bits.Len(uint(min(len(a.Weights), len(b.Weights))))
	words := (width + bits.UintSize - 1) / bits.UintSize
	product := new(big.Int).Mul(pack(a, words), pack(b, words)).Bits()
	out := Line[Numerator]{Lo: a.Lo + b.Lo, Weights: make([]Numerator, len(a.Weights)+len(b.Weights)-1)}
	for i := range out.Weights {
		from, to := min(i*words, len(product)), min((i+1)*words, len(product))
		if n := new(big.Int).SetBits(append([]big.Word(nil), product[from:to]...)); n.Sign() != 0 {
			out.Weights[i] = NumeratorOf(n)
		}
	}
	return out
}

// bitsOfWidest returns how many bits the greatest weight has.
func bitsOfWidest(l Line[Numerator]) (n int) {
	for _, w := range l.Weights {
		n = max(n, w.Int().BitLen())
	}
	return n
}

func pack(l Line[Numerator], words int) *big.Int {
	all := make([]big.Word, words*len(l.Weights))
	for i, w := range l.Weights {
		copy(all[i*words:], w.Int().Bits())
	}
	return new(big.Int).SetBits(all)
}

// repeated is the distribution of the sum of k independent values that are distributed alike; one is that of the empty sum.
func repeated[W Weight[W]](l Line[W], k int, one W, join func(a, b Line[W]) Line[W]) Line[W] {
	out := Line[W]{Weights: []W{one}}
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			out = join(out, l)
		}
		if k > 1 {
			l = join(l, l)
		}
	}
	return out
}

// RaiseFloats returns the n-th power under convolution: the distribution of the sum of n independent values that are
// distributed alike. That of none is 0.
func RaiseFloats(l Line[Float], n int) Line[Float] {
	return repeated(l, n, 1, ConvolveFloats)
}

// Binomials are rows of Pascal's triangle as weights, each made when it is first asked for.
type Binomials[W Weight[W]] struct {
	of   func(*big.Int) W
	rows [][]W // by the number of dice; made when they are needed
}

// NewBinomials has the rows of 0 to most dice; of makes weights of whole numbers.
func NewBinomials[W Weight[W]](of func(*big.Int) W, most int) *Binomials[W] {
	return &Binomials[W]{of: of, rows: make([][]W, most+1)}
}

// Row is in how many ways none of so many dice is chosen, one, two, and so on up to all. It is to be read only.
func (b *Binomials[W]) Row(dice int) []W {
	if b.rows[dice] == nil {
		b.rows[dice] = ListBinomials(dice, b.of)
	}
	return b.rows[dice]
}

// ListBinomials are the binomial coefficients of n as weights, each made of the one before it.
func ListBinomials[W Weight[W]](n int, of func(*big.Int) W) []W {
	out, c, factor := make([]W, n+1), big.NewInt(1), new(big.Int)
	for k := range out {
		out[k] = of(new(big.Int).Set(c))
		c.Mul(c, factor.SetInt64(int64(n-k)))
		c.Quo(c, factor.SetInt64(int64(k+1)))
	}
	return out
}

// toProbabilities divides a line by its denominator.
func toProbabilities(l Line[Numerator], den *big.Int) Line[Float] {
	out := Line[Float]{l.Lo, make([]Float, len(l.Weights))}
	for i, w := range l.Weights {
		out.Weights[i] = Float(w.Over(den))
	}
	return out
}

// AddScaledFloats adds w·from[i] to to[i]. There must be as many in to as in from.
func AddScaledFloats(to, from []Float, w Float) {
	to = to[:len(from)]
	for i, x := range from {
		to[i] += x * w
	}
}
