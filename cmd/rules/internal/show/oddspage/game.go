package oddspage

import (
	"encoding/json"
	"math/big"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
)

// A Game is a game of two players with opposite aims, and its solution.
type Game struct {
	Subject
	Measure string
	Of      *tuning.Game
}

func (g *Game) printText(p *layout.Page) {
	printTitle(p, g.Subject)
	p.AddBlank()
	p.AddRows(2, g.table(func(x *big.Rat) string { return layout.FormatShort(decimal(x)) }),
		layout.Column{Style: layout.Bold})
	p.AddBlank()
	p.AddLine(0, "%s = %s", p.Style(layout.Bold, g.Measure), g.format(g.Of.Value))
	g.printMixture(p, &g.Of.Rows, g.Of.Solution.Rows)
	g.printMixture(p, &g.Of.Columns, g.Of.Solution.Columns)
	if !g.Of.IsExact {
		p.AddBlank()
		p.AddLine(0, "the game is solved exactly, but its payoffs were counted or rounded")
	}
}

// printMixture prints how often a player plays each strategy that is played at all.
func (g *Game) printMixture(p *layout.Page, of *oddsquery.Variation, shares []*big.Rat) {
	var rows [][]string
	for i, x := range shares {
		if x.Sign() > 0 {
			rows = append(rows, []string{of.Name + "=" + view.TextOfJSON(of.Values[i]), g.format(x)})
		}
	}
	p.AddRows(2, rows)
}

// format writes a number, as a fraction where that is exact and short.
func (g *Game) format(x *big.Rat) string {
	text := layout.FormatShort(decimal(x))
	if fraction := x.RatString(); g.Of.IsExact && !x.IsInt() && len(fraction) <= maxFraction {
		text += " = " + fraction
	}
	return text
}

func decimal(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// table returns the payoffs with the strategies beside and above them.
func (g *Game) table(format func(*big.Rat) string) [][]string {
	head := []string{g.Of.Rows.Name + " \\ " + g.Of.Columns.Name}
	for _, v := range g.Of.Columns.Values {
		head = append(head, view.TextOfJSON(v))
	}
	rows := [][]string{head}
	for i, v := range g.Of.Rows.Values {
		row := []string{view.TextOfJSON(v)}
		for _, x := range g.Of.Payoffs[i] {
			row = append(row, format(x))
		}
		rows = append(rows, row)
	}
	return rows
}

func (g *Game) csvRows() [][]string {
	return g.table(func(x *big.Rat) string { return layout.FormatFull(decimal(x)) })
}

// toSVG draws the payoffs as a heat map.
func (g *Game) toSVG() []byte {
	m := plot.HeatMap{Name: g.Measure + " by " + g.Of.Rows.Name + " (down) and " + g.Of.Columns.Name}
	for _, v := range g.Of.Columns.Values {
		m.Columns = append(m.Columns, view.TextOfJSON(v))
	}
	for i, v := range g.Of.Rows.Values {
		m.Rows, m.Values = append(m.Rows, view.TextOfJSON(v)), append(m.Values, nil)
		for _, x := range g.Of.Payoffs[i] {
			m.Values[i] = append(m.Values[i], decimal(x))
		}
	}
	return plot.SVG(titleOf(g.Subject), m)
}

// A strategyJSON is a strategy of a player, and how often it is played.
type strategyJSON struct {
	Value    json.RawMessage `json:"value"`
	Share    float64         `json:"share"`
	Exact    string          `json:"exact,omitempty"`
	BestFoil json.RawMessage `json:"best_foil"` // what the other does best against it
}

func (g *Game) toJSON() any {
	side := func(of, other *oddsquery.Variation, shares []*big.Rat, foils []int) (out []strategyJSON) {
		for i, x := range shares {
			s := strategyJSON{Value: of.Values[i], Share: decimal(x), BestFoil: other.Values[foils[i]]}
			if g.Of.IsExact {
				s.Exact = x.RatString()
			}
			out = append(out, s)
		}
		return out
	}
	var payoffs [][]float64
	for _, row := range g.Of.Payoffs {
		var out []float64
		for _, x := range row {
			out = append(out, decimal(x))
		}
		payoffs = append(payoffs, out)
	}
	return struct {
		Subject
		Measure string         `json:"measure"`
		Value   float64        `json:"value"`
		Exact   string         `json:"exact,omitempty"`
		First   string         `json:"first"`
		Rows    []strategyJSON `json:"rows"`
		Second  string         `json:"second"`
		Columns []strategyJSON `json:"columns"`
		Payoffs [][]float64    `json:"payoffs"`
	}{g.Subject, g.Measure, decimal(g.Of.Value), exactText(g.Of), g.Of.Rows.Name,
		side(&g.Of.Rows, &g.Of.Columns, g.Of.Solution.Rows, g.Of.BestReplies()), g.Of.Columns.Name,
		side(&g.Of.Columns, &g.Of.Rows, g.Of.Solution.Columns, g.Of.BestAnswers()), payoffs}
}

// exactText returns the value of a game as a fraction; "" where its payoffs are none.
func exactText(g *tuning.Game) string {
	if !g.IsExact {
		return ""
	}
	return g.Value.RatString()
}
