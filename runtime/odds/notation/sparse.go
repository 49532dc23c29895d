package notation

import (
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// A sparse is a distribution over numbers that may lie far apart and may be fractions: w[i] is the weight of
// values[i]/scale. Values rise and differ. What is missing from den was not followed.
//
// d6/4 has the scale 4 and the values 1 to 6. One scale for all values, and not a fraction for each, keeps sums,
// comparisons and the search for equal values those of whole numbers. The scale need not be reduced; addResult does so for
// what is told. Weights of floats are probabilities themselves, and den then means nothing. A sparse is never changed once
// it is made, so parts may share slices.
type sparse[W pmf.Weight[W]] struct {
	scale  int64
	values []int64
	w      []W
	den    *big.Int // of whole weights
}

// A calculus is how distributions are computed: in floats, or in whole numbers over denominators. It has a budget of
// multiplications of words, which is judged before the work is done.
//
// unit is the weight 1 and of the weight of a whole number; join convolves, raise is the n-fold convolution, keep the
// highest of n; tell is the probability of a weight over den, with its numerator where there is one. all is the budget and
// spent what has been charged; both last for one answer, and spent is never given back.
type calculus[W pmf.Weight[W]] struct {
	unit    W
	of      func(*big.Int) W
	join    func(a, b pmf.Line[W]) pmf.Line[W]
	raise   func(pmf.Line[W], int) pmf.Line[W]
	keep    func(one pmf.Line[W], n, keep int, worth func(int64) int64, den *big.Int) pmf.Line[W]
	tell    func(w W, den *big.Int) (p float64, n *big.Int)
	isExact bool
	all     float64
	spent   float64
}

func floatCalculus() *calculus[pmf.Float] {
	of := func(n *big.Int) pmf.Float { return pmf.Float(pmf.NumeratorOf(n).Over(big.NewInt(1))) }
	tell := func(w pmf.Float, _ *big.Int) (float64, *big.Int) { return float64(w), nil }
	return &calculus[pmf.Float]{unit: 1, of: of, join: pmf.ConvolveFloats, raise: pmf.RaiseFloats, keep: pmf.KeepOverOne,
		tell: tell,
		all:  maxReals}
}

func exactCalculus(all float64) *calculus[pmf.Numerator] {
	of := pmf.NumeratorOf
	tell := func(w pmf.Numerator, den *big.Int) (float64, *big.Int) { return w.Over(den), w.Int() }
	return &calculus[pmf.Numerator]{
		unit: pmf.NewNumerator(1), of: of, join: pmf.ConvolveExactly, raise: pmf.RaiseExactly, keep: pmf.KeepExactly,
		tell:    tell,
		isExact: true, all: all,
	}
}

// spend judges work before it is done: so many multiplications, of whole numbers over a denominator.
func (c *calculus[W]) spend(subject string, n float64, den *big.Int) error {
	if den != nil {
		n *= c.costOfBits(float64(den.BitLen()))
	}
	if c.spent += n; c.spent > c.all || math.IsNaN(c.spent) {
		return &odds.BudgetError{Subject: subject, Needs: c.spent, Budget: c.all, What: "steps"}
	}
	return nil
}

// wordsOfBits is how many words a weight over a denominator of so many bits has.
func (c *calculus[W]) wordsOfBits(bits float64) float64 {
	if !c.isExact {
		return 1
	}
	return bits/64 + 1
}

// costOfBits returns the cost of a product of two weights of so many bits: 1 of floats. Whole numbers are multiplied
// word by word, which grows with the square of their length; 4 is the fixed cost of every product.
func (c *calculus[W]) costOfBits(bits float64) float64 {
	if !c.isExact {
		return 1
	}
	words := c.wordsOfBits(bits)
	return 4 + words*words/4
}

// constantOf returns the distribution of one value.
func (c *calculus[W]) constantOf(scale, v int64) *sparse[W] {
	return &sparse[W]{scale, []int64{v}, []W{c.unit}, big.NewInt(1)}
}

// multiplyDenominators returns the denominator of two parts that do not depend on each other.
func (c *calculus[W]) multiplyDenominators(a, b *big.Int) *big.Int {
	if !c.isExact {
		return a
	}
	return new(big.Int).Mul(a, b)
}

// fromLine leaves out the values without weight.
func (c *calculus[W]) fromLine(l pmf.Line[W], den *big.Int) *sparse[W] {
	out := &sparse[W]{scale: 1, den: den}
	for i, w := range l.Weights {
		if !w.IsZero() {
			out.values, out.w = append(out.values, l.Lo+int64(i)), append(out.w, w)
		}
	}
	return out
}

// toLine returns a distribution with all values between the least and the greatest.
func (p *sparse[W]) toLine() pmf.Line[W] {
	if len(p.values) == 0 {
		return pmf.Line[W]{}
	}
	out := pmf.Line[W]{Lo: p.values[0], Weights: make([]W, p.span())}
	for i, v := range p.values {
		out.Weights[v-out.Lo] = p.w[i]
	}
	return out
}

// span returns the number of whole numbers from the least to the greatest value, both included.
func (p *sparse[W]) span() int64 {
	if len(p.values) == 0 {
		return 0
	}
	return p.values[len(p.values)-1] - p.values[0] + 1
}

// gatherValues returns the distribution of values in any order, equal ones among them. It restores the invariant of a
// sparse: values that rise and differ, none without weight. Every operation that makes values in its own order ends
// here.
func gatherValues[W pmf.Weight[W]](scale int64, values []int64, w []W, den *big.Int) *sparse[W] {
	if isAscending(values) { // most do, and a die may have a million faces
		out := &sparse[W]{scale: scale, values: make([]int64, 0, len(values)), w: make([]W, 0, len(w)), den: den}
		for i, v := range values {
			if !w[i].IsZero() {
				out.values, out.w = append(out.values, v), append(out.w, w[i])
			}
		}
		return out
	}
	at := make(map[int64]int, len(values))
	out := &sparse[W]{scale: scale, den: den}
	for i, v := range values {
		k, ok := at[v]
		if !ok {
			k = len(out.values)
			at[v] = k
			var none W
			out.values, out.w = append(out.values, v), append(out.w, none)
		}
		out.w[k] = out.w[k].Plus(w[i])
	}
	order := make([]int, len(out.values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if out.values[a] < out.values[b] {
			return -1
		}
		return 1
	})
	sorted := &sparse[W]{scale: scale, den: den}
	for _, i := range order {
		if !out.w[i].IsZero() {
			sorted.values, sorted.w = append(sorted.values, out.values[i]), append(sorted.w, out.w[i])
		}
	}
	return sorted
}

// isAscending reports whether each value is greater than the one before it.
func isAscending(values []int64) bool {
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	return true
}

// mapValues returns the distribution of a function of the value.
func (p *sparse[W]) mapValues(scale int64, f func(int64) int64) *sparse[W] {
	values := make([]int64, len(p.values))
	for i, v := range p.values {
		values[i] = f(v)
	}
	return gatherValues(scale, values, p.w, p.den)
}

// rescale returns the same values over a multiple of the scale. Values stay below a quarter of the range of 64 bits, so
// that two of them can be added, subtracted and compared without a check.
func (p *sparse[W]) rescale(scale int64) (*sparse[W], error) {
	factor := scale / p.scale
	if factor == 1 {
		return p, nil
	}
	out := &sparse[W]{scale: scale, values: make([]int64, len(p.values)), w: p.w, den: p.den}
	for i, v := range p.values {
		if v > math.MaxInt64/4/factor || v < -(math.MaxInt64/4/factor) {
			return nil, &odds.BudgetError{Subject: "the fractions", Needs: float64(v) * float64(factor),
				Budget: math.MaxInt64 / 4,
				What:   "as a common denominator", Advice: "round earlier, with floor()"}
		}
		out.values[i] = v * factor
	}
	return out, nil
}

// maxScale bounds the common denominator of values. At 2^40 values up to 2^21 still fit beside it (rescale).
const maxScale = 1 << 40

// alignScales gives two distributions one scale.
func alignScales[W pmf.Weight[W]](a, b *sparse[W]) (*sparse[W], *sparse[W], error) {
	if a.scale == b.scale {
		return a, b, nil
	}
	common := a.scale / greatestDivisor(a.scale, b.scale)
	if common > maxScale/b.scale {
		return nil, nil, &odds.BudgetError{Subject: "the fractions", Needs: float64(common) * float64(b.scale),
			Budget: maxScale,
			What:   "as a common denominator", Advice: "round earlier, with floor()"}
	}
	common *= b.scale
	x, err := a.rescale(common)
	if err != nil {
		return nil, nil, err
	}
	y, err := b.rescale(common)
	return x, y, err
}

func greatestDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// sumIndependent returns the distribution of the sum of two independent values. Where values lie close, it is a convolution
// of lines, whose cells need no search; where they lie far apart, as those of d6*1000, a line would be mostly zeros and the
// pairs are met one by one. A line may have up to 16 cells for each value before pairs are better.
func (c *calculus[W]) sumIndependent(a, b *sparse[W]) (*sparse[W], error) {
	a, b, err := alignScales(a, b)
	if err != nil {
		return nil, err
	}
	den := c.multiplyDenominators(a.den, b.den)
	pairs := float64(len(a.values)) * float64(len(b.values))
	if wide := float64(a.span()) + float64(b.span()); wide <= pmf.MaxSupport &&
		wide < 16*float64(len(a.values)+len(b.values)) {
		if c.isExact {
			pairs = 64 * wide
		}
		if err := c.spend("the sum", pairs, den); err != nil {
			return nil, err
		}
		out := c.fromLine(c.join(a.toLine(), b.toLine()), den)
		out.scale = a.scale
		return out, nil
	}
	return c.combinePairs(a, b, a.scale, "the sum", func(x, y int64) (int64, error) { return x + y, nil })
}

// combinePairs returns the distribution of f over all pairs of two independent values. Its work is charged to the subject.
// f is called for each value of a in turn with all values of b, an order on which pairedByRatio relies. All pairs are held
// at once before equal results are gathered, so there is a limit on them beside that on work.
func (c *calculus[W]) combinePairs(
	a, b *sparse[W], scale int64, subject string, f func(x, y int64) (int64, error),
) (*sparse[W], error) {
	den := c.multiplyDenominators(a.den, b.den)
	n := float64(len(a.values)) * float64(len(b.values))
	if err := c.spend(subject, 16*n, den); err != nil {
		return nil, err
	}
	if n > maxParts/2 {
		return nil, &odds.BudgetError{Subject: subject, Needs: n, Budget: maxParts / 2, What: "values"}
	}
	values, w := make([]int64, 0, int(n)), make([]W, 0, int(n))
	for i, x := range a.values {
		for k, y := range b.values {
			v, err := f(x, y)
			if err != nil {
				return nil, err
			}
			values, w = append(values, v), append(w, a.w[i].Times(b.w[k]))
		}
	}
	return gatherValues(scale, values, w, den), nil
}

// compareValues returns the distribution of the sign of the difference of two independent values: -1, 0 or 1. It needs one
// walk over both: of d4 against d6 the value 3 is greater than 2 values, equal to one and less than 3. In all 24 pairs the
// d4 is greater in 0+1+2+3 = 6, equal in 4 and less in 14.
func (c *calculus[W]) compareValues(a, b *sparse[W]) (*sparse[W], error) {
	a, b, err := alignScales(a, b)
	if err != nil {
		return nil, err
	}
	den := c.multiplyDenominators(a.den, b.den)
	if err := c.spend("the comparison", 4*float64(len(a.values)+len(b.values)), den); err != nil {
		return nil, err
	}
	var below, less, equal, greater W
	above := tailSums(b.w)
	k := 0
	for i, x := range a.values {
		for ; k < len(b.values) && b.values[k] < x; k++ {
			below = below.Plus(b.w[k])
		}
		over := k
		if k < len(b.values) && b.values[k] == x {
			equal = equal.Plus(a.w[i].Times(b.w[k]))
			over = k + 1
		}
		greater = greater.Plus(a.w[i].Times(below))
		less = less.Plus(a.w[i].Times(above[over]))
	}
	return gatherValues(1, []int64{-1, 0, 1}, []W{less, equal, greater}, den), nil
}

// tailSums returns the sums of the weights from each one on; the last one is that of none.
func tailSums[W pmf.Weight[W]](w []W) []W {
	out := make([]W, len(w)+1)
	for i := len(w) - 1; i >= 0; i-- {
		out[i] = out[i+1].Plus(w[i])
	}
	return out
}

// mixValues returns the distribution of a value that comes from one of several distributions, each chosen with a weight
// over den. The weights of a part are multiplied to the least common denominator of all parts: for 1d6 to 4d6 it is 1296,
// and those of 1d6 are multiplied by 216.
func (c *calculus[W]) mixValues(den *big.Int, shares []W, parts []*sparse[W]) (*sparse[W], error) {
	var err error
	common := big.NewInt(1)
	for i := range parts {
		if parts[0], parts[i], err = alignScales(parts[0], parts[i]); err != nil {
			return nil, err
		}
		if c.isExact {
			g := new(big.Int).GCD(nil, nil, common, parts[i].den)
			common.Mul(common, new(big.Int).Quo(parts[i].den, g))
		}
	}
	var values []int64
	var w []W
	for i, p := range parts {
		if p, _, err = alignScales(p, parts[0]); err != nil {
			return nil, err
		}
		share := shares[i]
		if c.isExact {
			share = share.Times(c.of(new(big.Int).Quo(common, p.den)))
		}
		if err := c.spend("the number of dice", float64(len(p.values)), common); err != nil {
			return nil, err
		}
		for k, v := range p.values {
			values, w = append(values, v), append(w, share.Times(p.w[k]))
		}
	}
	return gatherValues(parts[0].scale, values, w, c.multiplyDenominators(den, common)), nil
}
