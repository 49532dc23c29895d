package absorb

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var (
	chains = flag.Int("chains", 2_000, "how many random chains are solved beside the dense solver")
	seed   = flag.Uint64("chains-seed", 1, "of the random chains")
)

// A testStep is a step with its numerator.
type testStep struct {
	to int
	n  int64
}

// makeChain makes a chain that begins in a state, of the steps of each state, whose numerators add up to its denominator.
func makeChain(begin int, steps [][]testStep) *Chain {
	c := &Chain{}
	for _, list := range steps {
		den := denominatorOf(list)
		c.AddState(den)
		for _, x := range list {
			p, _ := new(big.Rat).SetFrac(big.NewInt(x.n), den).Float64()
			c.AddStep(x.to, p, big.NewInt(x.n))
		}
	}
	c.BeginAt(begin, big.NewRat(1, 1))
	return c
}

// denominatorOf returns the sum of the numerators of steps, 1 of none.
func denominatorOf(list []testStep) *big.Int {
	if len(list) == 0 {
		return big.NewInt(1)
	}
	den := new(big.Int)
	for _, x := range list {
		den.Add(den, big.NewInt(x.n))
	}
	return den
}

// solveDense finds the visits of the states that are no end by Gauss and Jordan's elimination over fractions, and from
// them the chances of the ends and the mean; nil where there is no single solution.
func solveDense(begin int, steps [][]testStep) (visits []*big.Rat, mean *big.Rat) {
	n := len(steps)
	rows := make([][]*big.Rat, n)
	for j := range rows {
		rows[j] = make([]*big.Rat, n+1)
		for k := range rows[j] {
			rows[j][k] = new(big.Rat)
		}
		rows[j][j].SetInt64(1)
	}
	rows[begin][n].SetInt64(1)
	for i, list := range steps {
		den := denominatorOf(list)
		for _, x := range list {
			rows[x.to][i].Sub(rows[x.to][i], new(big.Rat).SetFrac(big.NewInt(x.n), den))
		}
	}
	for k := range rows {
		pivot := k
		for pivot < n && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return nil, nil
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		for i := range rows {
			if i == k || rows[i][k].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Quo(rows[i][k], rows[k][k])
			for j := k; j <= n; j++ {
				rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(factor, rows[k][j]))
			}
		}
	}
	mean = new(big.Rat)
	for k := range rows {
		visits = append(visits, new(big.Rat).Quo(rows[k][n], rows[k][k]))
		if len(steps[k]) > 0 {
			mean.Add(mean, visits[k])
		}
	}
	return visits, mean
}

// Random chains, with states that lead to themselves, near and far, many ends and none, and with numbers beyond a word,
// against the dense solver.
func TestRandomChains(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 2))
	endless := 0
	for n := range *chains {
		size, most := 2+r.IntN(24), int64(20)
		if n%5 == 0 {
			most = math.MaxInt64
		}
		steps := make([][]testStep, size)
		for i := range steps {
			if r.IntN(6) == 0 {
				continue
			}
			for range 1 + r.IntN(4) {
				to := r.IntN(size)
				if n%2 == 0 {
					to = min(max(0, i+r.IntN(7)-3), size-1)
				}
				steps[i] = append(steps[i], testStep{to, 1 + r.Int64N(most)})
			}
		}
		c := makeChain(0, steps)
		s := NewSolver(c, 1e9)
		visits := s.Visits()
		var ends []int
		sum, chance := new(big.Rat), 0.0
		for i := range steps {
			if s.isEnd(int32(i)) {
				ends = append(ends, i)
				chance += visits[i]
				if s.isEndless[i] {
					steps[i] = nil // as an end of its own
				}
			}
		}
		if math.Abs(chance-1) > 1e-12 {
			t.Fatalf("chain %d: all ends have the chance %v", n, chance)
		}
		want, mean := solveDense(0, steps)
		got := s.Exact(ends, visits, 1e9)
		if got == nil {
			t.Fatalf("chain %d has no fractions", n)
		}
		for k, i := range ends {
			if sum.Add(sum, got.Visits[k]); got.Visits[k].Cmp(want[i]) != 0 {
				t.Errorf("chain %d: the end %d has the chance %v, want %v", n, i, got.Visits[k], want[i])
			}
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("chain %d: all ends have the chance %v", n, sum)
		}
		for i := range steps {
			if x, _ := want[i].Float64(); math.Abs(visits[i]-x) > 1e-13*x {
				t.Errorf("chain %d: state %d is visited %v times, want %v", n, i, visits[i], x)
			}
		}
		if math.IsInf(s.Mean(visits), 1) {
			if endless++; got.Mean != nil {
				t.Errorf("chain %d may never end and has the mean %v", n, got.Mean)
			}
		} else if got.Mean.Cmp(mean) != 0 {
			t.Errorf("chain %d: mean %v, want %v", n, got.Mean, mean)
		}
	}
	if endless < *chains/30 {
		t.Errorf("only %d of %d chains may never end", endless, *chains)
	}
}

// ruin are the steps of a gambler who has from 0 to n, and wins a toss with up of up+down.
func ruin(n int, up, down int64) [][]testStep {
	steps := make([][]testStep, n+1)
	for i := 1; i < n; i++ {
		steps[i] = []testStep{{i + 1, up}, {i - 1, down}}
	}
	return steps
}

// The gambler's ruin (Feller, An Introduction to Probability Theory, chapter XIV): with a fair coin who has k of n is
// ruined with 1-k/n, after k(n-k) tosses. Else, with r = q/p, with (r^k-r^n)/(1-r^n), after k/(q-p) -
// n/(q-p)·(1-r^k)/(1-r^n).
func TestRuin(t *testing.T) {
	for _, x := range []struct {
		n, k     int
		up, down int64
	}{{100, 50, 1, 1}, {2_000, 1_999, 1, 1}, {300, 7, 1, 1}, {100, 90, 18, 20}, {500, 250, 244, 251}, {60, 30, 5, 1}} {
		s := NewSolver(makeChain(x.k, ruin(x.n, x.up, x.down)), 1e9)
		visits := s.Visits()
		got := s.Exact([]int{0, x.n}, visits, 1e10)
		one := big.NewRat(1, 1)
		ruined, mean := big.NewRat(int64(x.n-x.k), int64(x.n)), big.NewRat(int64(x.k*(x.n-x.k)), 1)
		if x.up != x.down {
			power := func(e int) *big.Rat {
				return new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(x.down), big.NewInt(int64(e)), nil),
					new(big.Int).Exp(big.NewInt(x.up), big.NewInt(int64(e)), nil))
			}
			toK, toN := power(x.k), power(x.n)
			ruined = new(big.Rat).Quo(new(big.Rat).Sub(toK, toN), new(big.Rat).Sub(one, toN))
			rich := new(big.Rat).Quo(new(big.Rat).Sub(one, toK), new(big.Rat).Sub(one, toN))
			drift := big.NewRat(x.down-x.up, x.down+x.up)
			mean.Sub(big.NewRat(int64(x.k), 1), rich.Mul(rich, big.NewRat(int64(x.n), 1)))
			mean.Quo(mean, drift)
		}
		if got.Visits[0].Cmp(ruined) != 0 || got.Mean.Cmp(mean) != 0 {
			t.Errorf("%v: ruined %v after %v, want %v after %v", x, got.Visits[0], got.Mean, ruined, mean)
		}
		wantRuined, _ := ruined.Float64()
		wantMean, _ := mean.Float64()
		if math.Abs(visits[0]-wantRuined) > 1e-12*wantRuined || math.Abs(s.Mean(visits)-wantMean) > 1e-12*wantMean {
			t.Errorf("%v in floats: ruined %v after %v, want %v after %v", x, visits[0], s.Mean(visits), wantRuined, wantMean)
		}
	}
}

// Who collects n coupons opens n·(1 + 1/2 + … + 1/n) packets on the average (de Moivre 1711; Feller, chapter IX).
func TestCoupons(t *testing.T) {
	for _, n := range []int64{1, 2, 6, 80, 1_000} {
		steps := make([][]testStep, n+1)
		want := new(big.Rat)
		for have := range n {
			steps[have] = []testStep{{int(have), have}, {int(have) + 1, n - have}}
			want.Add(want, big.NewRat(n, n-have))
		}
		s := NewSolver(makeChain(0, steps), 1e9)
		if got := s.Exact([]int{int(n)}, s.Visits(), 1e10); got.Mean.Cmp(want) != 0 || !got.Visits[0].IsInt() {
			t.Errorf("%d coupons: %v, want %v", n, got.Mean, want)
		}
	}
}

func BenchmarkExact(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	near := make([][]testStep, 10_001)
	for i := range near[:10_000] {
		for range 4 {
			near[i] = append(near[i], testStep{min(max(0, i+r.IntN(9)-4), 10_000), 5})
		}
	}
	for i, steps := range [][][]testStep{ruin(10_000, 1, 1), ruin(10_000, 18, 20), near} {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			for b.Loop() {
				s := NewSolver(makeChain(5_000, steps), 1e9)
				if s.Exact([]int{0, 10_000}, s.Visits(), 1e12) == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}

// BenchmarkVisits solves 200,000 states along a line and on a grid.
func BenchmarkVisits(b *testing.B) {
	const side = 450
	grid := make([][]testStep, side*side)
	for i := range grid {
		x, y := i%side, i/side
		if x == 0 || y == 0 {
			continue
		}
		grid[i] = []testStep{{i - 1, 1}, {i - side, 1}}
		if x < side-1 {
			grid[i] = append(grid[i], testStep{i + 1, 1})
		}
		if y < side-1 {
			grid[i] = append(grid[i], testStep{i + side, 1})
		}
	}
	for i, steps := range [][][]testStep{ruin(200_000, 1, 1), grid} {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			for b.Loop() {
				s := NewSolver(makeChain(100_000, steps), 1e12)
				if s == nil {
					b.Fatal("too large")
				}
				s.Visits()
				b.ReportMetric(s.cost, "cost")
			}
		})
	}
}
