package tuning

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/matrixgame"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
)

// A Game is what two players with opposite aims choose between: the values of two open names. Who chooses the first wants
// the measure to be great, the other wants it to be small, and neither knows the other's choice.
type Game struct {
	Rows, Columns oddsquery.Variation
	Payoffs       [][]*big.Rat // of the measure, for each value of Rows and of Columns
	IsExact       bool         // all payoffs are those of exact odds; else they were rounded, or counted
	matrixgame.Solution
}

// mostStrategies bounds the values of each player.
const mostStrategies = 40

// NewGame asks for the measure with each pair of values, and solves the game.
func NewGame(ctx context.Context, o oddsquery.Opening, m oddsquery.Measure) (*Game, error) {
	open, err := o.Variations()
	if err != nil {
		return nil, err
	}
	if len(open) != 2 || len(open[0].Values) > mostStrategies || len(open[1].Values) > mostStrategies {
		return nil, fmt.Errorf("--game takes two --vary, the strategies of either player, of at most %d values",
			mostStrategies)
	}
	g := &Game{Rows: open[0], Columns: open[1], IsExact: true}
	for _, a := range g.Rows.Values {
		var row []*big.Rat
		for _, b := range g.Columns.Values {
			setting := oddsquery.Setting{Names: []string{g.Rows.Name, g.Columns.Name}, Values: []json.RawMessage{a, b}}
			payoff, isExact, err := oddsquery.FractionAt(ctx, o, m, setting)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", setting, err)
			}
			g.IsExact = g.IsExact && isExact
			row = append(row, payoff)
		}
		g.Payoffs = append(g.Payoffs, row)
	}
	g.Solution, err = matrixgame.Solve(ctx, g.Payoffs)
	return g, err
}

// BestAnswers returns the row that is best against each column.
func (g *Game) BestAnswers() (out []int) {
	for j := range g.Columns.Values {
		best := 0
		for i := range g.Payoffs {
			if g.Payoffs[i][j].Cmp(g.Payoffs[best][j]) > 0 {
				best = i
			}
		}
		out = append(out, best)
	}
	return out
}

// BestReplies returns the column that is best against each row, which gives the row's player least.
func (g *Game) BestReplies() (out []int) {
	for _, row := range g.Payoffs {
		least := slices.MinFunc(row, func(a, b *big.Rat) int { return a.Cmp(b) })
		out = append(out, slices.Index(row, least))
	}
	return out
}
