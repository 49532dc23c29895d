package absorb

import "math/big"

// Equations are the rows of a chain in whole numbers, by the place of their state; the mean's row is the last.
type equations struct {
	first    []int32 // of each row, where the steps begin that lead to its state
	from     []int32 // of each step, the place of the state that it comes from
	n        []*big.Int
	diagonal []*big.Int
	right    []*big.Int
}

// newEquations writes the equations, the chances to begin multiplied by scale.
func (s *Solver) newEquations(scale *big.Int) *equations {
	c, count := s.chain, s.chain.countStates()
	q := &equations{first: make([]int32, count+2)}
	for i := range int32(count) {
		if s.isEnd(i) {
			continue
		}
		q.first[count+1]++
		for from, e := c.stepsOf(int(i)); from < e; from++ {
			if c.to[from] != i {
				q.first[s.at[c.to[from]]+1]++
			}
		}
	}
	for k := range count + 1 {
		q.first[k+1] += q.first[k]
	}
	q.from, q.n = make([]int32, q.first[count+1]), make([]*big.Int, q.first[count+1])
	next := append([]int32(nil), q.first[:count+1]...)
	put := func(row, from int32, n *big.Int) {
		q.from[next[row]], q.n[next[row]] = from, n
		next[row]++
	}
	zero, one := new(big.Int), big.NewInt(1)
	for at, i := range s.order {
		diagonal, right := one, zero
		if !s.isEnd(i) {
			diagonal = c.den[i]
			put(int32(count), int32(at), diagonal)
			for e, end := c.stepsOf(int(i)); e < end; e++ {
				if j := c.to[e]; j != i {
					put(s.at[j], int32(at), c.n[e])
				} else {
					diagonal = new(big.Int).Sub(diagonal, c.n[e])
				}
			}
		}
		if b := c.beginN[i]; b != nil {
			right = new(big.Int).Mul(b.Num(), new(big.Int).Quo(scale, b.Denom()))
		}
		q.diagonal, q.right = append(q.diagonal, diagonal), append(q.right, right)
	}
	q.diagonal, q.right = append(q.diagonal, one), append(q.right, zero)
	return q
}

// fitWords reports whether the numbers of every row add up to less than 2^61.
func (q *equations) fitWords() bool {
	const most = 1 << 61
	for at := range q.diagonal {
		sum := uint64(0)
		add := func(n *big.Int) {
			if n.IsUint64() && n.Uint64() < most && sum < most {
				sum += n.Uint64()
			} else {
				sum = most
			}
		}
		add(q.diagonal[at])
		add(q.right[at])
		for _, n := range q.n[q.first[at]:q.first[at+1]] {
			add(n)
		}
		if sum >= most {
			return false
		}
	}
	return true
}

// bigPrime is the prime as a long number.
var bigPrime = big.NewInt(prime)

// residueOf returns a number modulo the prime.
func residueOf(n *big.Int) uint64 { return new(big.Int).Mod(n, bigPrime).Uint64() }

// takeDigit makes of the right side of a row that of the digits behind those that were found. It returns its residue.
func (q *equations) takeDigit(at int32, digits []uint64) uint64 {
	rest, digit, product := new(big.Int).Set(q.right[at]), new(big.Int), new(big.Int)
	for e := q.first[at]; e < q.first[at+1]; e++ {
		rest.Add(rest, product.Mul(q.n[e], digit.SetUint64(digits[q.from[e]])))
	}
	rest.Sub(rest, product.Mul(q.diagonal[at], digit.SetUint64(digits[at])))
	q.right[at] = rest.Quo(rest, bigPrime)
	return residueOf(rest)
}
