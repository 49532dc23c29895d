package matrixgame

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func gameOf(rows ...[]int64) (out [][]*big.Rat) {
	for _, row := range rows {
		var x []*big.Rat
		for _, n := range row {
			x = append(x, big.NewRat(n, 1))
		}
		out = append(out, x)
	}
	return out
}

func textOf(list []*big.Rat) (out []string) {
	for _, x := range list {
		out = append(out, x.RatString())
	}
	return out
}

func TestKnownGames(t *testing.T) {
	for _, c := range []struct {
		name          string
		game          [][]*big.Rat
		value         string
		rows, columns []string
	}{
		{"matching pennies", gameOf([]int64{1, -1}, []int64{-1, 1}), "0", []string{"1/2", "1/2"}, []string{"1/2", "1/2"}},
		{"rock, paper, scissors", gameOf([]int64{0, -1, 1}, []int64{1, 0, -1}, []int64{-1, 1, 0}), "0",
			[]string{"1/3", "1/3", "1/3"}, []string{"1/3", "1/3", "1/3"}},
		// a + d - b - c = 3 + 4 - 1 - 2 = 4, value (12 - 2) / 4; rows (4 - 2) / 4, columns (4 - 1) / 4
		{"without a saddle", gameOf([]int64{3, 1}, []int64{2, 4}), "5/2", []string{"1/2", "1/2"}, []string{"3/4", "1/4"}},
		{"a saddle", gameOf([]int64{4, 2}, []int64{3, 1}), "2", []string{"1", "0"}, []string{"0", "1"}},
		{"one strategy each", gameOf([]int64{-7}), "-7", []string{"1"}, []string{"1"}},
	} {
		s, err := Solve(t.Context(), c.game)
		if err != nil {
			t.Fatal(err)
		}
		if s.Value.RatString() != c.value || !slices.Equal(textOf(s.Rows), c.rows) || !slices.Equal(textOf(s.Columns), c.columns) {
			t.Errorf("%s: %s by %v and %v, want %s by %v and %v", c.name, s.Value.RatString(), textOf(s.Rows), textOf(s.Columns),
				c.value, c.rows, c.columns)
		}
	}
}

// A solution proves itself: the rows' mixture gives at least the value against each column, the columns' at most the value
// against each row, and both are distributions.
func TestSolutionsProveThemselves(t *testing.T) {
	random := rand.New(rand.NewPCG(1928, 0))
	for range 300 {
		rows, columns := 1+random.IntN(5), 1+random.IntN(5)
		game := make([][]*big.Rat, rows)
		for i := range game {
			for range columns {
				game[i] = append(game[i], big.NewRat(random.Int64N(13)-6, 1+random.Int64N(3)))
			}
		}
		s, err := Solve(t.Context(), game)
		if err != nil {
			t.Fatal(err)
		}
		for j := range columns {
			sum := new(big.Rat)
			for i := range game {
				sum.Add(sum, new(big.Rat).Mul(s.Rows[i], game[i][j]))
			}
			if sum.Cmp(s.Value) < 0 {
				t.Fatalf("%v: column %d holds the rows to %s, and the value is %s", game, j, sum, s.Value)
			}
		}
		for i := range game {
			sum := new(big.Rat)
			for j := range columns {
				sum.Add(sum, new(big.Rat).Mul(s.Columns[j], game[i][j]))
			}
			if sum.Cmp(s.Value) > 0 {
				t.Fatalf("%v: row %d gives %s, and the value is %s", game, i, sum, s.Value)
			}
		}
		for _, mixture := range [][]*big.Rat{s.Rows, s.Columns} {
			sum := new(big.Rat)
			for _, p := range mixture {
				if p.Sign() < 0 {
					t.Fatalf("%v: a share of %s", game, p)
				}
				sum.Add(sum, p)
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Fatalf("%v: the shares add up to %s", game, sum)
			}
		}
	}
}

// TestSolveEndsWithItsContext solves a game that nobody waits for.
func TestSolveEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, gameOf([]int64{1, -1}, []int64{-1, 1})); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was canceled", err)
	}
}
