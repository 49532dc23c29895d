package pmf

import (
	"math/big"
	"slices"
)

// Keeping the highest k of n dice. The obvious walk, value by value from the highest down, has a line of sums for each
// number of dice that have fallen: n lines of which the n-k lowest dice change nothing. Here f[a] is the line of the
// sums of a dice that lie above the value, in all their orders, and only for a < k. At each value w with weight p:
//
//   - the k-th highest die shows it: the rest of the dice, b of them equal to the value, at least k-a, and all others
//     below it, are in one factor, C(n,a)·Σ_b C(n-a,b)·p^b·below^(n-a-b), by which f[a], moved by (k-a)·w, is added to
//     the result;
//   - or more dice show it and still less than k: f[a] gains Σ_j C(a,j)·p^j·f[a-j], moved by j·w.
//
// That is values·k²/2 additions of a line, whatever n. When all weights are equal and a die is worth what it shows,
// f[a] is the (a-1)-fold sum of a window of f[a-1], which slides without any multiplication (keepUniform).

// A keeper is dice of which the highest are kept, what they are worth, and how many.
type keeper[W Weight[W]] struct {
	one     Line[W]
	n, keep int
	worth   func(int64) int64
	of      func(*big.Int) W
	unit    W
	above   [][]W // of each number of dice that are above a value, the binomial coefficients of all others
	// last is the weight of the latest value, and shown its waysShown: faces in a row have the same weight.
	last  W
	shown [][]W
}

// binomialRows are the binomial coefficients of all numbers from least to most.
func (e *keeper[W]) binomialRows(least, most int) [][]W {
	out := make([][]W, most+1)
	for n := least; n <= most; n++ {
		out[n] = ListBinomials(n, e.of)
	}
	return out
}

// keepDice returns the distribution of the kept dice's total worth, over the denominator of one die to the power of n.
func (e *keeper[W]) keepDice(total func(size int) accumulator[W]) Line[W] {
	lo, hi := e.worthRange()
	size := e.keep*int(hi-lo) + 1
	out := total(size)
	above := make([]accumulator[W], e.keep)
	for a := range above {
		above[a] = total(size)
	}
	if e.keep == 0 {
		out.set(0, RaiseWeight(SumWeights(e.one.Weights), e.n, e.unit))
		return Line[W]{0, out.weights()}
	}
	above[0].set(0, e.unit)
	top := make([]int, e.keep) // of above, the highest sum so far, -1 without any
	for a := 1; a < e.keep; a++ {
		top[a] = -1
	}
	below, among := e.sumsBelow(), e.binomialRows(0, e.keep-1)
	for i := len(e.one.Weights) - 1; i >= 0; i-- {
		p := e.one.Weights[i]
		if p.IsZero() {
			continue
		}
		v := int(e.worth(e.one.Lo+int64(i)) - lo)
		for a, factor := range e.closing(p, below[i]) {
			if top[a] >= 0 {
				out.addScaled((e.keep-a)*v, above[a], top[a]+1, factor)
			}
		}
		e.extend(above, top, p, v, among)
	}
	return Line[W]{int64(e.keep) * lo, out.weights()}
}

// extend lets some of the dice above a value show this value as well; a binomial coefficient counts the ways to choose
// them. f[a] is changed from the highest a down, so that it reads the earlier counts of the others.
func (e *keeper[W]) extend(above []accumulator[W], top []int, p W, v int, among [][]W) {
	powers := ListPowers(p, e.keep, e.unit)
	for a := e.keep - 1; a > 0; a-- {
		for j := 1; j <= a; j++ {
			if from := a - j; top[from] >= 0 {
				above[a].addScaled(j*v, above[from], top[from]+1, among[a][j].Times(powers[j]))
				top[a] = max(top[a], top[from]+j*v)
			}
		}
	}
}

// closing are for each number of dice above a value the weights of all others, when the last one that is kept shows
// the value.
func (e *keeper[W]) closing(p, below W) []W {
	if e.above == nil {
		e.above = e.binomialRows(e.n-e.keep+1, e.n)
	}
	if e.shown == nil || p != e.last {
		e.last, e.shown = p, e.waysShown(p)
	}
	lower := ListPowers(below, e.n, e.unit)
	out := make([]W, e.keep)
	for a := range out {
		others := e.n - a
		ways := e.shown[others]
		for b := e.keep - a; b <= others; b++ {
			if rest := lower[others-b]; !rest.IsZero() {
				out[a] = out[a].Plus(ways[b].Times(rest))
			}
		}
		out[a] = out[a].Times(e.above[e.n][a])
	}
	return out
}

// waysShown are for each number of dice the weights with which so many of them show a value of weight p, whatever the
// others show.
func (e *keeper[W]) waysShown(p W) [][]W {
	powers, out := ListPowers(p, e.n, e.unit), make([][]W, e.n+1)
	for others := e.n - e.keep + 1; others <= e.n; others++ {
		out[others] = make([]W, others+1)
		for b := e.keep - (e.n - others); b <= others; b++ {
			out[others][b] = e.above[others][b].Times(powers[b])
		}
	}
	return out
}

// sumsBelow are the weights of all values below each one.
func (e *keeper[W]) sumsBelow() []W {
	out := make([]W, len(e.one.Weights))
	var sum W
	for i, w := range e.one.Weights {
		out[i] = sum
		sum = sum.Plus(w)
	}
	return out
}

// worthRange is the least and the greatest worth of one die.
func (e *keeper[W]) worthRange() (lo, hi int64) {
	lo, hi = e.worth(e.one.Hi()), e.worth(e.one.Hi())
	for i, w := range e.one.Weights {
		if !w.IsZero() {
			v := e.worth(e.one.Lo + int64(i))
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// uniformStep returns 1 when all values have the same weight and each is worth 1 more than the one below it, -1 when it is
// worth 1 less, and 0 otherwise.
func (e *keeper[W]) uniformStep(same func(a, b W) bool) int64 {
	first := e.one.Weights[0]
	if first.IsZero() || e.keep == 0 || len(e.one.Weights) < 2 {
		return 0
	}
	step := e.worth(e.one.Lo+1) - e.worth(e.one.Lo)
	for i, w := range e.one.Weights {
		if !same(w, first) || e.worth(e.one.Lo+int64(i))-e.worth(e.one.Lo) != step*int64(i) {
			return 0
		}
	}
	if step != 1 && step != -1 {
		return 0
	}
	return step
}

// keepUniformly returns the distribution of the kept dice's total worth in whole numbers. uniformStep has found the
// step.
func (e *keeper[W]) keepUniformly(step int64) Line[Numerator] {
	w := keepUniform(e.n, e.keep, len(e.one.Weights))
	if step < 0 {
		slices.Reverse(w)
	}
	lo, _ := e.worthRange()
	return Line[Numerator]{int64(e.keep) * lo, w}
}

// keepUniform is the same for n dice of m equally likely values that are worth 1 to m: in whole numbers over m^n.
func keepUniform(n, keep, m int) []Numerator {
	r := wordsFor(RaiseInt(big.NewInt(int64(m)), n))
	size := keep*m + 1
	out, f, g := make(wordLine, size*r), make(wordLine, size*r), make(wordLine, size*r)
	used := make([]int, max(1, keep)) // words of the ways in which so many dice fall, of which sums never need more
	for a := range used {
		used[a] = wordsFor(RaiseInt(big.NewInt(int64(m)), a))
	}
	k := &keeper[Numerator]{n: n, keep: keep, of: NumeratorOf, unit: NewNumerator(1)}
	for v := m; v >= 1; v-- {
		clear(f)
		f[0] = 1
		low, top := 0, 0
		for a, factor := range k.closing(NewNumerator(1), NewNumerator(int64(v-1))) {
			if a > 0 { // one die more that shows v+1 to m
				if v == m {
					break
				}
				clear(g)
				sum := make([]big.Word, used[a])
				for s := low + v + 1; s <= top+m; s++ {
					if at := s - v - 1; at <= top {
						addNumber(sum, f[at*r:at*r+used[a]])
					}
					if at := s - m - 1; at >= low {
						subtractNumber(sum, f[at*r:at*r+used[a]])
					}
					copy(g[s*r:], sum)
				}
				f, g, low, top = g, f, low+v+1, top+m
			}
			at := (keep - a) * v
			out[(low+at)*r:(top+at+1)*r].addScaled(f[low*r:(top+1)*r], r, used[a], factor.Int().Bits())
		}
	}
	return out[keep*r:].intWeights(r)
}

// An accumulator is a line that others are added to: of floats, or of words of fixed length.
type accumulator[W any] interface {
	set(i int, w W)
	// addScaled adds the first n cells of another accumulator, moved and times a weight.
	addScaled(at int, from accumulator[W], n int, w W)
	weights() []W
}

// floatCells are an accumulator of floats.
type floatCells []Float

func (c floatCells) set(i int, w Float) { c[i] = w }

func (c floatCells) addScaled(at int, from accumulator[Float], n int, w Float) {
	AddScaledFloats(c[at:], from.(floatCells)[:n], w)
}

func (c floatCells) weights() []Float { return c }

// wordCells are an accumulator of whole numbers.
type wordCells struct {
	line wordLine
	r    int
	used int // words of the longest cell
}

func (c *wordCells) set(i int, w Numerator) {
	words := w.Int().Bits()
	copy(c.line[i*c.r:], words)
	c.used = max(c.used, len(words))
}

func (c *wordCells) addScaled(at int, from accumulator[Numerator], n int, w Numerator) {
	f := from.(*wordCells)
	c.used = max(c.used, c.line[at*c.r:].addScaled(f.line[:n*c.r], c.r, f.used, w.Int().Bits()))
}

func (c *wordCells) weights() []Numerator { return c.line.intWeights(c.r) }

// KeepFloats returns the distribution of the total worth of the highest keep of n identical dice. worth maps a value to
// its contribution, and need not be monotone. Plain dice are kept in whole numbers, which is faster and rounded only
// once.
func KeepFloats(die Line[Float], n, keep int, worth func(int64) int64) Line[Float] {
	unit := big.NewInt(1)
	of := func(n *big.Int) Float { return Float(NumeratorOf(n).Over(unit)) }
	k := &keeper[Float]{one: die, n: n, keep: keep, worth: worth, of: of, unit: 1}
	if step := k.uniformStep(func(a, b Float) bool { return a == b }); step != 0 {
		return toProbabilities(k.keepUniformly(step), RaiseInt(big.NewInt(int64(len(die.Weights))), n))
	}
	return k.keepDice(func(size int) accumulator[Float] { return make(floatCells, size) })
}

// KeepOverOne is KeepFloats for an engine: probabilities have no denominator.
func KeepOverOne(one Line[Float], n, keep int, worth func(int64) int64, _ *big.Int) Line[Float] {
	return KeepFloats(one, n, keep, worth)
}

// KeepExactly is KeepFloats for weights over den; those of the result are over the n-th power of den.
func KeepExactly(one Line[Numerator], n, keep int, worth func(int64) int64, den *big.Int) Line[Numerator] {
	k := &keeper[Numerator]{one: one, n: n, keep: keep, worth: worth, of: NumeratorOf, unit: NewNumerator(1)}
	ones := func(a, b Numerator) bool { return a == NewNumerator(1) && b == NewNumerator(1) }
	if step := k.uniformStep(ones); step != 0 {
		return k.keepUniformly(step)
	}
	r := wordsFor(RaiseInt(den, n))
	return k.keepDice(func(size int) accumulator[Numerator] { return &wordCells{line: make(wordLine, size*r), r: r} })
}

// KeepBelowTail returns the distribution of the lowest dice when a weight of each die, the tail, lies beyond the values
// of the line. The line is mirrored, so that the lowest dice are its highest. As long as at most n-keep dice lie in the
// tail, their values do not matter: the other dice decide.
func KeepBelowTail(one Line[Numerator], tail Numerator, n, keep int, worth func(int64) int64,
	den *big.Int) Line[Numerator] {
	var out Line[Numerator]
	for far := 0; far <= n-keep; far++ {
		factor := RaiseWeight(tail, far, NewNumerator(1)).Times(NumeratorOf(new(big.Int).Binomial(int64(n), int64(far))))
		if factor.IsZero() {
			break
		}
		l := KeepExactly(one, n-far, keep, worth, den)
		if far == 0 {
			out = Line[Numerator]{l.Lo, make([]Numerator, len(l.Weights))}
		}
		for i, w := range l.Weights {
			out.Add(l.Lo+int64(i), w.Times(factor))
		}
	}
	return out
}

// EstimateKeepWork is about how many multiplications of words keeping takes: of dice of so many values, with weights of so
// many words.
func EstimateKeepWork(values, dice, keep, words float64, uniform bool) float64 {
	closing := values * keep * (dice - keep/2) // the factors of all other dice at each value
	if uniform {
		return values*keep*values*keep*words + closing*max(1, words*words/8)
	}
	return (values*keep*keep/2*values*keep + closing) * max(1, words*words/4)
}

// ListPowers are the powers of a weight from the 0th, which is the unit, to the n-th.
func ListPowers[W Weight[W]](w W, n int, unit W) []W {
	out := []W{unit}
	for range n {
		out = append(out, out[len(out)-1].Times(w))
	}
	return out
}

// RaiseWeight is the n-th power of a weight.
func RaiseWeight[W Weight[W]](w W, n int, unit W) W {
	return ListPowers(w, n, unit)[n]
}

// SumWeights adds weights up in their order; of floats another order has another last digit.
func SumWeights[W Weight[W]](list []W) (sum W) {
	for _, w := range list {
		sum = sum.Plus(w)
	}
	return sum
}
