// Package matrixgame solves games of two players with opposite aims, each of whom chooses among a few strategies without
// knowing the other's choice: which mixture of the strategies is best, and what it is worth. All numbers are fractions.
//
// By the minimax theorem (von Neumann 1928) both players' best mixtures are worth the same. They are the solutions of a
// linear program and of its dual, which the simplex method finds together: with all payoffs above 0, maximise the sum of y
// under A y <= 1, y >= 0. The value of the game is the inverse of that sum, y times the value is the mixture of the player
// of the columns, and the reduced costs of the slack variables times the value are that of the player of the rows. Bland's
// rule (1977) keeps the method from going in circles.
package matrixgame

import (
	"context"
	"math/big"
)

// A Solution is what a game is worth to the player of the rows, and how often each player plays which strategy.
type Solution struct {
	Value         *big.Rat
	Rows, Columns []*big.Rat
}

// Solve returns a solution of a game by the payoffs to the player of the rows, one row for each strategy. There is at least
// one strategy on each side. The fractions grow with the pivots, so the context may end it between two of them.
func Solve(ctx context.Context, payoffs [][]*big.Rat) (Solution, error) {
	shift := new(big.Rat)
	for _, row := range payoffs {
		for _, x := range row {
			if x.Cmp(shift) < 0 {
				shift.Set(x)
			}
		}
	}
	shift.Sub(big.NewRat(1, 1), shift) // which makes the least payoff 1, or more
	t := newTableau(payoffs, shift)
	for t.pivot() {
		if err := ctx.Err(); err != nil {
			return Solution{}, err
		}
	}
	value := new(big.Rat).Inv(t.sum())
	out := Solution{Value: new(big.Rat).Sub(value, shift)}
	for i := range payoffs {
		out.Rows = append(out.Rows, new(big.Rat).Mul(t.cost[t.columns+i], value))
	}
	for j := range t.columns {
		y := new(big.Rat)
		for i, basic := range t.basis {
			if basic == j {
				y.Mul(t.rows[i][len(t.cost)], value)
			}
		}
		out.Columns = append(out.Columns, y)
	}
	return out, nil
}

// A tableau is that of the simplex method: the columns of the game, then a slack variable for each row, then the right
// side.
type tableau struct {
	columns int
	rows    [][]*big.Rat
	cost    []*big.Rat // reduced, of each variable; below 0 where it is worth to enter
	basis   []int      // the variable of each row
}

func newTableau(payoffs [][]*big.Rat, shift *big.Rat) *tableau {
	t := &tableau{columns: len(payoffs[0])}
	for i, payoff := range payoffs {
		var row []*big.Rat
		for _, x := range payoff {
			row = append(row, new(big.Rat).Add(x, shift))
		}
		for k := range payoffs {
			slack := new(big.Rat)
			if k == i {
				slack.SetInt64(1)
			}
			row = append(row, slack)
		}
		t.rows = append(t.rows, append(row, big.NewRat(1, 1)))
		t.basis = append(t.basis, t.columns+i)
	}
	for j := range t.columns + len(payoffs) {
		cost := new(big.Rat)
		if j < t.columns {
			cost.SetInt64(-1)
		}
		t.cost = append(t.cost, cost)
	}
	return t
}

// pivot brings the first variable that is worth it into the basis; it is false when there is none.
func (t *tableau) pivot() bool {
	enter := 0
	for enter < len(t.cost) && t.cost[enter].Sign() >= 0 {
		enter++
	}
	if enter == len(t.cost) {
		return false
	}
	leave, least := -1, new(big.Rat)
	for i, row := range t.rows {
		if row[enter].Sign() <= 0 {
			continue
		}
		ratio := new(big.Rat).Quo(row[len(t.cost)], row[enter])
		c := ratio.Cmp(least)
		if leave < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[leave] {
			leave, least = i, ratio
		}
	}
	t.enter(leave, enter)
	return true
}

// enter makes a variable the basic one of a row.
func (t *tableau) enter(at, variable int) {
	inverse := new(big.Rat).Inv(t.rows[at][variable])
	for j := range t.rows[at] {
		t.rows[at][j] = new(big.Rat).Mul(t.rows[at][j], inverse)
	}
	subtract := func(row []*big.Rat) {
		factor := new(big.Rat).Set(row[variable])
		for j := range row {
			row[j] = new(big.Rat).Sub(row[j], new(big.Rat).Mul(factor, t.rows[at][j]))
		}
	}
	for i := range t.rows {
		if i != at {
			subtract(t.rows[i])
		}
	}
	subtract(t.cost)
	t.basis[at] = variable
}

// sum returns the sum of the variables of the game.
func (t *tableau) sum() *big.Rat {
	out := new(big.Rat)
	for i, basic := range t.basis {
		if basic < t.columns {
			out.Add(out, t.rows[i][len(t.cost)])
		}
	}
	return out
}
