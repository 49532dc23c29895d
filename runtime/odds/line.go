package odds

import (
	"math/big"
	"math/bits"
)

// maxSupport bounds the values of a line.
const maxSupport = 1 << 20

// A line is a distribution over successive integers: w[i] is the weight of lo+i. What is missing from the whole weight is
// a remainder that was not followed.
type line[W weight[W]] struct {
	lo int64
	w  []W
}

// hi is the greatest value.
func (l line[W]) hi() int64 { return l.lo + int64(len(l.w)) - 1 }

// negate returns the distribution of the negated value.
func (l line[W]) negate() line[W] {
	out := line[W]{lo: -l.hi(), w: make([]W, len(l.w))}
	for i, w := range l.w {
		out.w[len(l.w)-1-i] = w
	}
	return out
}

// add adds weight to a value that lies on the line.
func (l line[W]) add(v int64, w W) { l.w[v-l.lo] = l.w[v-l.lo].plus(w) }

// convolveLines returns the distribution of the sum of two independent values.
func convolveLines(a, b line[floatWeight]) line[floatWeight] {
	out := line[floatWeight]{lo: a.lo + b.lo, w: make([]floatWeight, len(a.w)+len(b.w)-1)}
	for i, x := range a.w {
		if x == 0 {
			continue
		}
		row := out.w[i : i+len(b.w)]
		for k, y := range b.w {
			row[k] += x * y
		}
	}
	return out
}

// multiplyPacked multiplies the two generating polynomials as two integers (Kronecker's substitution), for which package
// big has a fast algorithm.
func multiplyPacked(a, b line[intWeight]) line[intWeight] {
	width := bitsOfWidest(a) + bitsOfWidest(b) + bits.Len(uint(min(len(a.w), len(b.w))))
	words := (width + bits.UintSize - 1) / bits.UintSize
	product := new(big.Int).Mul(pack(a, words), pack(b, words)).Bits()
	out := line[intWeight]{lo: a.lo + b.lo, w: make([]intWeight, len(a.w)+len(b.w)-1)}
	for i := range out.w {
		from, to := min(i*words, len(product)), min((i+1)*words, len(product))
		if n := new(big.Int).SetBits(append([]big.Word(nil), product[from:to]...)); n.Sign() != 0 {
			out.w[i] = intWeightOf(n)
		}
	}
	return out
}

// bitsOfWidest returns how many bits the greatest weight has.
func bitsOfWidest(l line[intWeight]) (n int) {
	for _, w := range l.w {
		n = max(n, w.int().BitLen())
	}
	return n
}

func pack(l line[intWeight], words int) *big.Int {
	all := make([]big.Word, words*len(l.w))
	for i, w := range l.w {
		copy(all[i*words:], w.int().Bits())
	}
	return new(big.Int).SetBits(all)
}

// repeated is the distribution of the sum of k independent values that are distributed alike; one is that of the empty sum.
func repeated[W weight[W]](l line[W], k int, one W, join func(a, b line[W]) line[W]) line[W] {
	out := line[W]{w: []W{one}}
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

// powerOfFloats returns the distribution of the sum of n independent values that are distributed alike.
func powerOfFloats(l line[floatWeight], n int) line[floatWeight] {
	return repeated(l, n, 1, convolveLines)
}

// A binomials is in how many ways of so many dice some are chosen, as weights.
type binomials[W weight[W]] struct {
	of   func(*big.Int) W
	rows [][]W // by the number of dice; made when they are needed
}

// row is in how many ways none of so many dice is chosen, one, two, and so on.
func (b *binomials[W]) row(dice int) []W {
	if b.rows[dice] == nil {
		b.rows[dice] = binomialRow(dice, b.of)
	}
	return b.rows[dice]
}

// binomialRow are the binomial coefficients of n as weights, each made of the one before it.
func binomialRow[W weight[W]](n int, of func(*big.Int) W) []W {
	out, c, factor := make([]W, n+1), big.NewInt(1), new(big.Int)
	for k := range out {
		out[k] = of(new(big.Int).Set(c))
		c.Mul(c, factor.SetInt64(int64(n-k)))
		c.Quo(c, factor.SetInt64(int64(k+1)))
	}
	return out
}

// toProbabilities divides a line by its denominator.
func toProbabilities(l line[intWeight], den *big.Int) line[floatWeight] {
	out := line[floatWeight]{l.lo, make([]floatWeight, len(l.w))}
	for i, w := range l.w {
		out.w[i] = floatWeight(w.over(den))
	}
	return out
}

// spreadFloats adds so much of every weight to another one.
func spreadFloats(to, from []floatWeight, w floatWeight) {
	to = to[:len(from)]
	for i, x := range from {
		to[i] += x * w
	}
}
