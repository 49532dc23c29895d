package oddspage

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Measure is what is shown of a value: how likely it is, or that and all above or below it.
type Measure string

const (
	Exactly Measure = "exactly"
	AtLeast Measure = "at-least"
	AtMost  Measure = "at-most"
)

// Measures are all measures.
func Measures() []Measure { return []Measure{Exactly, AtLeast, AtMost} }

// A Comparison shows the odds of several dice side by side: a row for each value, a column for each of the dice.
type Comparison struct {
	Items   []*Distributions
	Measure Measure
}

// A series is one column of a comparison.
type series struct {
	name string
	of   *Distributions
	m    *odds.Marginal
}

// series are the columns: of dice with several results, as of repeated ones, one for each result.
// "6x 4d6kh3" has six marginals, from the lowest result to the highest, and so six columns.
func (c *Comparison) series() (out []series) {
	for _, d := range c.Items {
		for _, m := range d.Marginals {
			name := d.Dice
			if len(d.Marginals) > 1 {
				name += ", " + m.Name
			}
			out = append(out, series{name, d, m})
		}
	}
	return out
}

// values returns all values of all series, in order: the rows of the comparison.
func (c *Comparison) values() []runtime.Value { return MergeValues(c.marginals()...) }

// marginals returns the distributions of all series.
func (c *Comparison) marginals() (list []*odds.Marginal) {
	for _, s := range c.series() {
		list = append(list, s.m)
	}
	return list
}

// MergeValues are the values that some of the distributions have, each once: numbers in their order, words in the order in
// which the distributions have them.
// For d4 | d6 these are 1 to 6; d4 then has probability 0 for 5 and 6, and 1 for "at most 5".
func MergeValues(list ...*odds.Marginal) (out []runtime.Value) {
	seen, numeric := map[string]bool{}, true
	for _, m := range list {
		numeric = numeric && (len(m.Values) == 0 || m.Numeric())
		for _, v := range m.Values {
			if !seen[v.String()] {
				seen[v.String()] = true
				out = append(out, v)
			}
		}
	}
	// Stable, so that values that compare equal keep the order of the dice in which they came.
	if numeric {
		slices.SortStableFunc(out, odds.Compare)
	}
	return out
}

// Probabilities returns the measure of each of the values, which need not be values of the distribution.
//
// The sum of doubles may come to a little more than 1 and is cut there. Fractions are summed exactly
// (series.fractions).
func Probabilities(m *odds.Marginal, values []runtime.Value, measure Measure) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		for k, x := range m.Values {
			order := odds.Compare(x, v)
			if order == 0 || measure == AtLeast && order > 0 || measure == AtMost && order < 0 {
				out[i] += m.P[k]
			}
		}
		out[i] = min(1, out[i])
	}
	return out
}

// fractions returns the same as Probabilities as fractions; only for a series whose Den is known.
// Numerators over one denominator are added as integers, and only the sum is reduced.
func (s series) fractions(values []runtime.Value, measure Measure) []string {
	out := make([]string, len(values))
	for i, v := range values {
		sum := new(big.Int)
		for k, x := range s.m.Values {
			order := odds.Compare(x, v)
			if order == 0 || measure == AtLeast && order > 0 || measure == AtMost && order < 0 {
				sum.Add(sum, s.m.N[k])
			}
		}
		out[i] = new(big.Rat).SetFrac(sum, s.m.Den).RatString()
	}
	return out
}

// title returns the compared notations as they were typed, and the measure unless it is the usual one.
func (c *Comparison) title() string {
	var names []string
	for _, d := range c.Items {
		names = append(names, d.Dice)
	}
	out := strings.Join(names, " | ")
	if c.Measure != Exactly {
		out += ", " + strings.ReplaceAll(string(c.Measure), "-", " ")
	}
	return out
}

func (c *Comparison) printText(p *layout.Page) {
	p.AddLine(0, "%s", p.Style(layout.Bold, c.title()))
	p.AddBlank()
	list, values := c.series(), c.values()
	head, columns := []string{""}, []layout.Column{{Right: true}}
	// Row 0 is the head, rows 1 to 7 are these, unless no column is of numbers. A word and a
	// truth have no mean: a dash stands in their cells beside a number.
	rows := [][]string{nil, {"mean"}, {"deviation"}, {"mode"}, {"5%"}, {"50%"}, {"95%"}, {""}}
	for _, s := range list {
		head, columns = append(head, s.name), append(columns, layout.Column{Right: true})
		cells := []string{"–", "–", "–", "–", "–", "–", ""}
		if s.m.Numeric() {
			cells = []string{s.of.MeanText(s.m), layout.FormatShort(s.m.Deviation()), formatModes(s.m),
				view.Text(s.m.Quantile(.05)), view.Text(s.m.Quantile(.5)), view.Text(s.m.Quantile(.95)), ""}
		}
		for i, cell := range cells {
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	rows[0] = head
	if !slices.ContainsFunc(list, func(s series) bool { return s.m.Numeric() }) {
		rows = [][]string{head, rows[len(rows)-1]}
	}
	first := len(rows)
	bulk := BulkOf(values, maxShown, c.marginals()...)
	for _, v := range bulk.Values {
		rows = append(rows, []string{view.Text(v)})
	}
	for _, s := range list {
		for i, cell := range s.fractionsOrPercents(bulk.Values, c.Measure) {
			rows[first+i] = append(rows[first+i], cell)
		}
	}
	p.AddRows(2, rows, columns...)
	addLeftOut(p, bulk.Below)
	addLeftOut(p, bulk.Above)
	// What is lacking to 1 is told below and not in a row, for it is of no value.
	for _, d := range c.Items {
		if d.Unfollowed > 0 {
			p.AddLine(0, "dice of %s that explode further than was followed: %s", d.Dice,
				layout.FormatScientific(d.Unfollowed))
		}
	}
}

func (s series) fractionsOrPercents(values []runtime.Value, measure Measure) []string {
	if s.of.Exact && s.m.Den != nil {
		return s.fractions(values, measure)
	}
	var out []string
	for _, p := range Probabilities(s.m, values, measure) {
		out = append(out, layout.FormatPercent(p))
	}
	return out
}

// toJSON nests the answer of each of the dice as it is alone, so that a program that reads one
// reads several.
func (c *Comparison) toJSON() any {
	var out []any
	for _, d := range c.Items {
		out = append(out, d.toJSON())
	}
	return struct {
		Dice []any `json:"compared"`
	}{out}
}

func (c *Comparison) csvRows() [][]string {
	values, list := c.values(), c.series()
	// Numbers are written in full here: a spreadsheet rounds by itself.
	head := []string{"value"}
	rows := [][]string{nil}
	for _, v := range values {
		rows = append(rows, []string{view.FullText(v)})
	}
	for _, s := range list {
		head = append(head, s.name)
		for i, p := range Probabilities(s.m, values, c.Measure) {
			rows[i+1] = append(rows[i+1], layout.FormatFull(p))
		}
	}
	rows[0] = head
	return rows
}

func (c *Comparison) toSVG() []byte {
	values := c.values()
	chart := plot.Lines{Name: strings.ReplaceAll(string(c.Measure), "-", " ")}
	for _, v := range values {
		chart.Labels = append(chart.Labels, view.Text(v))
	}
	for _, s := range c.series() {
		chart.Series = append(chart.Series, plot.Series{Name: s.name, Y: Probabilities(s.m, values, c.Measure)})
	}
	return plot.SVG(c.title(), chart)
}
