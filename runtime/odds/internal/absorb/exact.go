package absorb

import (
	"math"
	"math/big"
	"math/bits"
)

// The equations in whole numbers. With den(i) the denominator of the steps of i and n(i→j) their numerators, let v(i) be
// den(i)·w(i). Then every row is whole:
//
//	den(j)·w(j) - Σ n(i→j)·w(i) = b(j)
//
// b is multiplied by its common denominator, and the solution divided by it at last. The mean is one row more, of a state
// to which every state that is no end leads den(i) times: v(i) is what comes from there.
//
// Digits. Let x be the solution modulo the prime p. Then b - A·x is a multiple of p, and the quotient is the right side of
// the equations for the rest: w = x + p·w'. So each digit is found with the same factors of A modulo p, and the right
// side stays small: it is at most the sum of a row, so it fits into a word if that does. The quotient is read off the last
// 64 bits of b - A·x, since p is odd: they are multiplied by 1/p modulo 2^64. Where the sum of some row does not fit, the
// right sides are whole numbers of several words (equations.go).

// An exactSolver finds the digits of the solution.
type exactSolver struct {
	*Solver
	// Steps by the place of the state that they lead to, the mean's row last.
	first    []int32
	from     []int32 // the place of the state that they come from
	n        []uint64
	diagonal []uint64   // den(j) - n(j→j), of each place
	inverse  []uint64   // of the diagonal; of a component's states, of the pivots
	up, down [][]uint64 // of each component, the factors
	right    []int64    // the right side
	digits   []uint64
	// The equations where they do not fit into words; nil where they do. All numbers above are residues then.
	whole *equations
}

// Fractions of a chain are its ends and its mean.
type Fractions struct {
	Visits []*big.Rat // of each state that was asked for
	Mean   *big.Rat   // nil if the chain may never end
}

// Exact returns the chances of the states, each of which is an end, and the mean number of steps as fractions. It returns
// nil if that would take more than so many multiplications of words.
//
// The visits are those that Visits returned: they tell how large the mean is.
func (s *Solver) Exact(ends []int, visits []float64, maxCost float64) *Fractions {
	mean := s.Mean(visits)
	size := s.boundDenominator()
	// What is asked for is at most 2^more times its denominator. The floats are right to some last digits, so twice the
	// mean is more than the mean; where it is too large for a float, every visit is a quotient of determinants, of which
	// one with a column replaced is at most 2^(1/2) larger for every state.
	more := 1 + math.Log2(max(mean, 1))
	if math.IsInf(more, 1) {
		more = 0
		if len(s.endlessReached(visits)) == 0 {
			more = float64(s.chain.countStates()) + primeBits
		}
	}
	scale := big.NewInt(1)
	for _, b := range s.chain.beginN {
		if b != nil {
			scale = leastCommonMultiple(scale, b.Denom())
		}
	}
	size += float64(scale.BitLen())
	count := int((2*size+more+4)/(primeBits-0.001)) + 1
	steps := float64(len(s.chain.to)+s.chain.countStates()) * s.wordsOfStep()
	wanted := float64(len(ends) + 1)
	if perDigit := 2*steps + 2*s.countEntries(); (perDigit+wanted)*float64(count)+s.cost+
		20*float64(count)*float64(count)+wanted*math.Pow(float64(count), 1.6) > maxCost {
		return nil
	}
	x := s.newExactSolver(scale)
	if !x.factorComponents() {
		return nil
	}
	places := make([]int32, 0, len(ends)+1)
	for _, i := range ends {
		places = append(places, s.at[i])
	}
	places = append(places, int32(s.chain.countStates()))
	found := make([][]uint64, len(places))
	for range count {
		x.findDigit()
		for k, at := range places {
			found[k] = append(found[k], x.digits[at])
		}
	}
	return x.readFractions(found, size, more, scale, !math.IsInf(mean, 1) || len(s.endlessReached(visits)) == 0)
}

// wordsOfStep estimates how many multiplications of words a step takes for a digit.
func (s *Solver) wordsOfStep() float64 {
	const mayFit, ofWhole = 50, 16 // bits of a denominator; the work of a number without a fixed length
	most := 0
	for i, den := range s.chain.den {
		if !s.isEnd(int32(i)) {
			most = max(most, den.BitLen())
		}
	}
	if most <= mayFit {
		return 1
	}
	return ofWhole * float64(1+most/64)
}

// endlessReached returns the endless states that may be reached.
func (s *Solver) endlessReached(visits []float64) (out []int) {
	for i, v := range visits {
		if s.isEndless[i] && v > 0 {
			out = append(out, i)
		}
	}
	return out
}

// countEntries returns the number of entries in the factors of all components.
func (s *Solver) countEntries() (sum float64) {
	for k := range s.components {
		if f := s.components[k].fill; f != nil {
			sum += float64(len(f.later))
		}
	}
	return sum
}

func leastCommonMultiple(a, b *big.Int) *big.Int {
	common := new(big.Int).GCD(nil, nil, a, b)
	return common.Mul(a, new(big.Int).Quo(b, common))
}

// boundDenominator returns a logarithm to the base of 2 that no denominator of the solution exceeds.
//
// The denominator of a component's solution divides its determinant times the least common multiple of those that lead to
// it. A determinant is at most the product of the diagonal, by Hadamard's and Fischer's inequality, which holds for such
// matrices too (Horn and Johnson 1991, theorem 2.5.4). Components are put on levels by the longest path to them, and the
// bounds of all levels multiplied. Single states on one level, most of which have the same denominator, count once.
func (s *Solver) boundDenominator() float64 {
	level := make([]int, len(s.components))
	var common []*big.Int // of each level, of its single states
	sum := 0.0
	for k := range s.components {
		x := &s.components[k]
		for _, i := range s.order[x.from:x.to] {
			if s.isEnd(i) {
				continue
			}
			from, to := s.chain.stepsOf(int(i))
			diagonal := new(big.Int).Set(s.chain.den[i])
			for e := from; e < to; e++ {
				j := s.chain.to[e]
				if of := s.of[j]; of != int32(k) {
					level[of] = max(level[of], level[k]+1)
				} else if j == i {
					diagonal.Sub(diagonal, s.chain.n[e])
				}
			}
			if x.fill != nil {
				sum += float64(diagonal.BitLen())
				continue
			}
			for len(common) <= level[k] {
				common = append(common, big.NewInt(1))
			}
			common[level[k]] = leastCommonMultiple(common[level[k]], diagonal)
		}
	}
	for _, x := range common {
		sum += float64(x.BitLen())
	}
	return sum
}

// newExactSolver writes the equations in words or, where their numbers are too large for that, in residues beside the whole
// numbers.
func (s *Solver) newExactSolver(scale *big.Int) *exactSolver {
	rows := s.newEquations(scale)
	x := &exactSolver{Solver: s, first: rows.first, from: rows.from, n: make([]uint64, len(rows.n)),
		diagonal: make([]uint64, len(rows.diagonal)), inverse: make([]uint64, len(rows.diagonal)),
		right: make([]int64, len(rows.diagonal)), digits: make([]uint64, len(rows.diagonal))}
	wordOf := func(n *big.Int) uint64 { return n.Uint64() }
	if !rows.fitWords() {
		x.whole, wordOf = rows, residueOf
	}
	for k, n := range rows.n {
		x.n[k] = wordOf(n)
	}
	for at := range rows.diagonal {
		x.diagonal[at], x.right[at] = wordOf(rows.diagonal[at]), int64(wordOf(rows.right[at]))
	}
	return x
}

// factorComponents eliminates the states of every component modulo the prime. It reports false if a pivot is a multiple
// of the prime, which then is no help.
func (x *exactSolver) factorComponents() bool {
	x.up, x.down = make([][]uint64, len(x.components)), make([][]uint64, len(x.components))
	for at := range x.diagonal {
		x.inverse[at] = reduce(x.diagonal[at])
	}
	for k := range x.components {
		if !x.factorComponent(k) {
			return false
		}
	}
	x.inverse[len(x.inverse)-1] = 1
	return true
}

// factorComponent leaves in up the row of a pivot and in down its column divided by the pivot.
func (x *exactSolver) factorComponent(k int) bool {
	c := &x.components[k]
	if c.fill == nil {
		for at := c.from; at < c.to; at++ {
			if x.inverse[at] == 0 {
				return false
			}
			x.inverse[at] = invert(x.inverse[at])
		}
		return true
	}
	f := c.fill
	// up[a] is the coefficient of the later neighbour in the row of a state, down[a] that of the state in the neighbour's.
	up, down := make([]uint64, len(f.later)), make([]uint64, len(f.later))
	place := make([]int32, c.to-c.from)
	for row := range c.to - c.from {
		for e := x.first[c.from+row]; e < x.first[c.from+row+1]; e++ {
			switch from := x.from[e] - c.from; {
			case from < 0:
			case from > row:
				a := f.indexOf(int(row), from)
				up[a] = subtract(up[a], reduce(x.n[e]))
			case from < row:
				a := f.indexOf(int(from), row)
				down[a] = subtract(down[a], reduce(x.n[e]))
			}
		}
	}
	pivots := x.inverse[c.from:c.to]
	for k := range pivots {
		if pivots[k] == 0 {
			return false
		}
		pivots[k] = invert(pivots[k])
		begin, end := f.first[k], f.first[k+1]
		for a := begin; a < end; a++ {
			down[a] = multiply(down[a], pivots[k])
		}
		for a := begin; a < end; a++ {
			if up[a] == 0 && down[a] == 0 {
				continue
			}
			j := f.later[a]
			pivots[j] = subtract(pivots[j], multiply(down[a], up[a]))
			f.placeNeighbours(int(j), place)
			for b := a + 1; b < end; b++ {
				at := place[f.later[b]]
				up[at] = subtract(up[at], multiply(down[a], up[b]))
				down[at] = subtract(down[at], multiply(down[b], up[a]))
			}
		}
	}
	x.up[k], x.down[k] = up, down
	return true
}

// sumRow returns the sum of the steps into a place from places before a limit: modulo the prime, and modulo 2^64.
//
// In words the sum is less than 2^122, as the numbers of a row add up to less than 2^61. Residues may be more, and have no
// sum modulo 2^64 that means anything.
func (x *exactSolver) sumRow(at, from, to int32) (residue, low uint64) {
	if x.whole != nil {
		for e := x.first[at]; e < x.first[at+1]; e++ {
			if i := x.from[e]; i >= from && i < to {
				residue = add(residue, multiply(x.n[e], x.digits[i]))
			}
		}
		return residue, 0
	}
	hi := uint64(0)
	for e := x.first[at]; e < x.first[at+1]; e++ {
		if i := x.from[e]; i >= from && i < to {
			h, l := bits.Mul64(x.n[e], x.digits[i])
			var carry uint64
			low, carry = bits.Add64(low, l, 0)
			hi += h + carry
		}
	}
	return reduceWide(hi, low), low
}

// findDigit computes the next digit of the solution, and updates the right side to the remainder.
func (x *exactSolver) findDigit() {
	for k := range x.components {
		c := &x.components[k]
		if c.fill == nil {
			for at := c.from; at < c.to; at++ {
				x.findSingle(at)
			}
			continue
		}
		lows := make([]uint64, c.to-c.from)
		for at := c.from; at < c.to; at++ {
			residue, low := x.sumRow(at, 0, c.from)
			x.digits[at], lows[at-c.from] = add(residue, reduceSigned(x.right[at])), low
		}
		x.substituteComponent(k)
		for at := c.from; at < c.to; at++ {
			_, low := x.sumRow(at, c.from, c.to)
			x.takeDigit(at, low+lows[at-c.from])
		}
	}
	x.findSingle(int32(len(x.digits) - 1))
}

// findSingle computes the digit of one state alone: a component of its own, or a state that is never left.
func (x *exactSolver) findSingle(at int32) {
	residue, low := x.sumRow(at, 0, at)
	x.digits[at] = multiply(add(residue, reduceSigned(x.right[at])), x.inverse[at])
	x.takeDigit(at, low)
}

// takeDigit replaces the right side of a row by that of its next digit. low is the sum of the steps into the row.
func (x *exactSolver) takeDigit(at int32, low uint64) {
	if x.whole != nil {
		x.right[at] = int64(x.whole.takeDigit(at, x.digits))
		return
	}
	x.right[at] = int64((uint64(x.right[at]) + low - x.diagonal[at]*x.digits[at]) * inverseOfPrime)
}

// substituteComponent replaces the right side of a component, in digits, by its solution modulo the prime.
func (x *exactSolver) substituteComponent(k int) {
	c := &x.components[k]
	f, up, down := c.fill, x.up[k], x.down[k]
	digits, pivots := x.digits[c.from:c.to], x.inverse[c.from:c.to]
	for k := range digits {
		for a := f.first[k]; a < f.first[k+1]; a++ {
			j := f.later[a]
			digits[j] = subtract(digits[j], multiply(down[a], digits[k]))
		}
	}
	for k := len(digits) - 1; k >= 0; k-- {
		sum := digits[k]
		for a := f.first[k]; a < f.first[k+1]; a++ {
			sum = subtract(sum, multiply(up[a], digits[f.later[a]]))
		}
		digits[k] = multiply(sum, pivots[k])
	}
}

// readFractions makes fractions of digits, those of the mean last. Most have the same denominator: each is tried with
// that of those before it.
func (x *exactSolver) readFractions(found [][]uint64, size, more float64, scale *big.Int, hasMean bool) *Fractions {
	powers := powersOfPrime(len(found[0]))
	modulus := powers[len(powers)-1]
	maxD := new(big.Int).Lsh(big.NewInt(1), uint(size)+1)
	maxN := new(big.Int).Lsh(maxD, uint(more)+1)
	out, common, isFound := &Fractions{}, big.NewInt(1), true
	read := func(digits []uint64) *big.Rat {
		value := numberOf(digits, powers)
		n := new(big.Int).Mul(value, common)
		if n.Mod(n, modulus); n.Cmp(maxN) <= 0 && common.Cmp(maxD) <= 0 {
			return new(big.Rat).SetFrac(n, common)
		}
		r := findFraction(value, modulus, maxN, maxD)
		if r == nil { // the bounds exclude it
			isFound = false
			return new(big.Rat)
		}
		common = leastCommonMultiple(common, r.Denom())
		return r
	}
	// The mean first: its denominator has most factors.
	last := len(found) - 1
	if hasMean {
		out.Mean = read(found[last])
		out.Mean.Quo(out.Mean, new(big.Rat).SetInt(scale))
	}
	for _, digits := range found[:last] {
		r := read(digits)
		out.Visits = append(out.Visits, r.Quo(r, new(big.Rat).SetInt(scale)))
	}
	if !isFound {
		return nil
	}
	return out
}

// powersOfPrime returns the powers of the prime that numberOf multiplies by: 2^k digits each, and at last all digits.
func powersOfPrime(digits int) (out []*big.Int) {
	power := big.NewInt(prime)
	for n := 1; n < digits; n *= 2 {
		out = append(out, power)
		power = new(big.Int).Mul(power, power)
	}
	return append(out, new(big.Int).Exp(big.NewInt(prime), big.NewInt(int64(digits)), nil))
}

// numberOf returns the number with digits to the base of the prime, the lowest first: halves are joined, so that long
// numbers are multiplied by long ones.
func numberOf(digits []uint64, powers []*big.Int) *big.Int {
	if len(digits) == 1 {
		return new(big.Int).SetUint64(digits[0])
	}
	k := bits.Len(uint(len(digits)-1)) - 1
	high := numberOf(digits[1<<k:], powers)
	high.Mul(high, powers[k])
	return high.Add(high, numberOf(digits[:1<<k], powers))
}
