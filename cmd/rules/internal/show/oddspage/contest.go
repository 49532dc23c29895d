package oddspage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Contest compares options by the distribution of a number: in one situation by their statistics and pair by pair, in
// several by where each is best.
type Contest struct {
	Subject
	Rules   []string // that are compared, where they are several
	Formula string   // of all options; "" where these have their own
	Of      *tuning.Contest
}

// NewContest returns the page of a comparison.
func NewContest(p *plan.Plan, contenders []tuning.Contender, of *tuning.Contest) *Contest {
	c := &Contest{Subject: Subject{Ruleset: p.Ruleset, Revision: p.Revision}, Of: of}
	formulas := map[string]bool{}
	for i := range contenders {
		c.Rules = append(c.Rules, contenders[i].ID)
		for _, f := range contenders[i].Formulas {
			c.Formula = f.Text
			formulas[f.Text] = true
		}
	}
	if len(formulas) > 1 {
		c.Formula = ""
	}
	if len(c.Rules) > 1 {
		return c
	}
	if c.Subject = oddsjson.RuleSubject(p, c.Rules[0]); p.Rule(c.Rules[0]) == nil {
		c.Subject = oddsjson.ProcedureSubject(p, c.Rules[0])
	}
	c.Rules = nil
	return c
}

// title returns what is compared.
func (c *Contest) title() string {
	if c.Rules == nil {
		return titleOf(c.Subject)
	}
	return present.SubjectTitle("rules "+strings.Join(c.Rules, ", "), c.Ruleset, c.Revision)
}

func (c *Contest) isSingle() bool { return len(c.Of.Situations) == 1 }

func (c *Contest) option(i int) string { return view.TextOfJSON(c.Of.Options[i]) }

func (c *Contest) printText(p *layout.Page) {
	if c.Rules == nil {
		printTitle(p, c.Subject)
	} else {
		p.AddLine(0, "%s", p.Style(layout.Bold, c.title()))
	}
	if c.Formula != "" {
		p.AddLine(2, "%s", c.Formula)
	}
	p.AddBlank()
	if c.isSingle() {
		laws := c.laws()
		p.AddRows(2, c.statistics(layout.FormatShort), layout.Column{Style: layout.Bold})
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, "how likely the left one is more than the upper one"))
		p.AddRows(2, c.pairs(laws), layout.Column{Style: layout.Bold})
		c.printDominance(p, laws)
		if c.isPartly() {
			p.AddBlank()
			p.AddLine(0, "all of what is answered: the rest is refused, or has no value")
		}
		return
	}
	p.AddRows(2, c.places(), layout.Column{Style: layout.Bold})
	p.AddBlank()
	of := ""
	if c.isPartly() {
		of = " of what is answered"
	}
	p.AddLine(0, "by the mean%s, in %s", of, plural.Of(len(c.Of.Situations), "situation"))
}

// statistics returns a line for each option.
func (c *Contest) statistics(format func(float64) string) [][]string {
	rows := [][]string{append([]string{c.Of.Compared}, c.statisticNames()...)}
	for i := range c.Of.Options {
		row := []string{c.option(i)}
		if m := c.Of.Of[i][0]; m != nil {
			row = append(row, c.statisticsOf(m, format)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// statisticNames returns the heads of what statisticsOf returns.
func (c *Contest) statisticNames() []string {
	names := []string{"mean", "deviation", "skewness", "5 %", "half", "95 %"}
	if c.isPartly() {
		return append([]string{"answered"}, names...)
	}
	return names
}

// isPartly reports whether some falls of the dice have no answer, of one option or several.
func (c *Contest) isPartly() bool {
	return slices.ContainsFunc(slices.Concat(c.Of.Of...), func(m *odds.Marginal) bool {
		return m != nil && tuning.IsPart(answeredOf(m))
	})
}

// answeredOf returns the chance that there is a value; 0 without a distribution.
func answeredOf(m *odds.Marginal) (p float64) {
	if m == nil {
		return 0
	}
	for _, x := range m.P {
		p += x
	}
	if !tuning.IsPart(p) {
		return 1
	}
	return p
}

func (c *Contest) statisticsOf(m *odds.Marginal, format func(float64) string) []string {
	var out []string
	if c.isPartly() {
		out = append(out, format(answeredOf(m)))
	}
	if !m.Numeric() {
		return append(out, format(tuning.MeanOf(m)))
	}
	skewness := ""
	if x, ok := m.Skewness(); ok {
		skewness = format(x)
	}
	out = append(out, format(m.Mean()), format(m.Deviation()), skewness)
	for _, q := range spreadQuantiles {
		out = append(out, view.Text(m.Quantile(q)))
	}
	return out
}

// laws returns the law of each option in the first situation; nil where the rule refuses it.
func (c *Contest) laws() []*tuning.Law {
	out := make([]*tuning.Law, len(c.Of.Of))
	for i, row := range c.Of.Of {
		if row[0] != nil {
			out[i] = tuning.LawOf(row[0])
		}
	}
	return out
}

// pairs returns how likely each option exceeds each other one.
func (c *Contest) pairs(laws []*tuning.Law) [][]string {
	head := []string{""}
	for j := range c.Of.Options {
		head = append(head, c.option(j))
	}
	rows := [][]string{head}
	for i, a := range laws {
		row := []string{c.option(i)}
		for j, b := range laws {
			text := ""
			if i != j && a != nil && b != nil {
				greater, _ := a.Exceeds(b)
				text = layout.FormatPercent(decimal(greater))
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// dominances are the words for them.
var dominances = map[tuning.Dominance]string{
	tuning.FirstOrder:  "first",
	tuning.SecondOrder: "second",
}

// printDominance says which options dominate which.
func (c *Contest) printDominance(p *layout.Page, laws []*tuning.Law) {
	var rows [][]string
	for i := range laws {
		for j := range laws {
			if order := dominances[dominanceIn(laws, i, j)]; order != "" {
				rows = append(rows, []string{c.option(i), "dominates", c.option(j), "in the " + order + " order"})
			}
		}
	}
	if rows != nil {
		p.AddBlank()
		p.AddRows(2, rows)
	}
}

// dominanceIn returns how strongly one of two laws dominates the other.
func dominanceIn(laws []*tuning.Law, i, j int) tuning.Dominance {
	if i == j || laws[i] == nil || laws[j] == nil {
		return tuning.NoDominance
	}
	return laws[i].DominanceOver(laws[j])
}

// places returns for each option where it is best, first of all, and by which other it is dominated.
func (c *Contest) places() [][]string {
	var rows [][]string
	for i := range c.Of.Options {
		row := []string{c.option(i), "never best", ""}
		if best := c.Of.BestIn(i); len(best) > 0 {
			row[1] = fmt.Sprintf("best in %d", len(best))
			row[2] = "as with " + c.Of.Situations[best[0]].String()
		}
		if by := c.Of.DominatedBy(i); by >= 0 {
			row[2] = "dominated by " + c.option(by)
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *Contest) csvRows() [][]string {
	head := []string{c.Of.Compared}
	head = append(append(head, c.Of.Situations[0].Names...), c.statisticNames()...)
	rows := [][]string{head}
	for i, v := range c.Of.Options {
		for s, m := range c.Of.Of[i] {
			row := []string{unquote(v)}
			for _, x := range c.Of.Situations[s].Values {
				row = append(row, unquote(x))
			}
			if m != nil {
				row = append(row, c.statisticsOf(m, layout.FormatFull)...)
			}
			for len(row) < len(head) {
				row = append(row, "")
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// mostDrawn is how many distributions one plot tells apart.
const mostDrawn = 6

// toSVG draws the distributions of one situation beside each other, or where they are many how likely each is more than
// each other one; of several situations the means as a heat map.
func (c *Contest) toSVG() []byte {
	switch {
	case !c.isSingle():
		return plot.SVG(c.title(), c.meansMap())
	case len(c.Of.Options) > mostDrawn:
		return plot.SVG(c.title(), c.PairsMap())
	}
	var list []*odds.Marginal
	g := plot.Grouped{}
	for i := range c.Of.Options {
		if m := c.Of.Of[i][0]; m != nil {
			list = append(list, m)
			g.Series = append(g.Series, plot.Series{Name: c.option(i)})
		}
	}
	values := MergeValues(list...)
	for _, v := range values {
		g.Labels = append(g.Labels, view.Text(v))
	}
	for i, m := range list {
		g.Series[i].Y = Probabilities(m, values, Exactly)
	}
	return plot.SVG(c.title(), g)
}

// meansMap returns the mean of each option in each situation.
func (c *Contest) meansMap() plot.HeatMap {
	m := plot.HeatMap{Name: "mean of " + cmp.Or(c.Formula, "each") + " by " + c.Of.Compared}
	for _, s := range c.Of.Situations {
		m.Columns = append(m.Columns, s.String())
	}
	for i := range c.Of.Options {
		m.Rows, m.Values = append(m.Rows, c.option(i)), append(m.Values, nil)
		for _, of := range c.Of.Of[i] {
			mean := math.NaN()
			if of != nil {
				mean = tuning.MeanOf(of)
			}
			m.Values[i] = append(m.Values[i], mean)
		}
	}
	return m
}

// PairsMap returns how likely each option of the first situation is more than each other one.
func (c *Contest) PairsMap() plot.HeatMap {
	m := plot.HeatMap{Name: "how likely the left one is more than the upper one"}
	laws := c.laws()
	for i, a := range laws {
		m.Rows, m.Columns = append(m.Rows, c.option(i)), append(m.Columns, c.option(i))
		m.Values = append(m.Values, make([]float64, len(laws)))
		for j, b := range laws {
			m.Values[i][j] = math.NaN()
			if i != j && a != nil && b != nil {
				greater, _ := a.Exceeds(b)
				m.Values[i][j] = decimal(greater)
			}
		}
	}
	return m
}

// A spreadJSON is what a distribution of numbers comes to beside its mean.
type spreadJSON struct {
	Deviation float64           `json:"deviation"`
	Skewness  *float64          `json:"skewness,omitempty"` // none of a number that is always the same
	Quantiles []json.RawMessage `json:"quantiles"`          // 5 %, half and 95 %
}

// spreadOf returns the spread of a distribution; nil for a condition, and where there is none.
func spreadOf(m *odds.Marginal) *spreadJSON {
	if m == nil || !m.Numeric() {
		return nil
	}
	out := &spreadJSON{Deviation: m.Deviation()}
	if x, ok := m.Skewness(); ok {
		out.Skewness = &x
	}
	for _, q := range spreadQuantiles {
		out.Quantiles = append(out.Quantiles, m.Quantile(q).AppendJSON(nil))
	}
	return out
}

// A contenderJSON is an option in one situation, or in all.
type contenderJSON struct {
	Option      json.RawMessage            `json:"option"`
	BestIn      int                        `json:"best_in"`
	As          map[string]json.RawMessage `json:"as,omitempty"` // the first situation in which it is best
	DominatedBy json.RawMessage            `json:"dominated_by,omitempty"`
	Answered    []float64                  `json:"answered,omitempty"` // in each situation, where something is refused
	Means       []*float64                 `json:"means"`              // of each situation, of what is answered
	Spreads     []*spreadJSON              `json:"spreads"`
	Exceeds     map[string]float64         `json:"exceeds,omitempty"`
	Dominates   map[string]string          `json:"dominates,omitempty"`
}

func (c *Contest) toJSON() any {
	out := struct {
		Subject
		Rules      []string                     `json:"rules,omitempty"`
		Formula    string                       `json:"formula,omitempty"`
		Compared   string                       `json:"compared"`
		Situations []map[string]json.RawMessage `json:"situations"`
		Options    []contenderJSON              `json:"options"`
	}{Subject: c.Subject, Rules: c.Rules, Formula: c.Formula, Compared: c.Of.Compared}
	for _, s := range c.Of.Situations {
		out.Situations = append(out.Situations, s.ByName())
	}
	laws := c.laws()
	for i, v := range c.Of.Options {
		best := c.Of.BestIn(i)
		x := contenderJSON{Option: v, BestIn: len(best)}
		if len(best) > 0 {
			x.As = c.Of.Situations[best[0]].ByName()
		}
		if by := c.Of.DominatedBy(i); by >= 0 {
			x.DominatedBy = c.Of.Options[by]
		}
		for _, m := range c.Of.Of[i] {
			var mean *float64
			if m != nil {
				f := tuning.MeanOf(m)
				mean = &f
			}
			x.Means, x.Spreads = append(x.Means, mean), append(x.Spreads, spreadOf(m))
			if c.isPartly() {
				x.Answered = append(x.Answered, answeredOf(m))
			}
		}
		if c.isSingle() {
			c.addPairs(&x, i, laws)
		}
		out.Options = append(out.Options, x)
	}
	return out
}

// addPairs adds how an option compares with each other one.
func (c *Contest) addPairs(x *contenderJSON, i int, laws []*tuning.Law) {
	x.Exceeds, x.Dominates = map[string]float64{}, map[string]string{}
	for j := range laws {
		if i == j || laws[i] == nil || laws[j] == nil {
			continue
		}
		greater, _ := laws[i].Exceeds(laws[j])
		x.Exceeds[c.option(j)] = decimal(greater)
		if order := dominances[dominanceIn(laws, i, j)]; order != "" {
			x.Dominates[c.option(j)] = order
		}
	}
}

// mostDuelled bounds the values of each of two distributions that DescribeDuel compares: every one with every other.
const mostDuelled = 300

// DescribeDuel says how two distributions of numbers compare when both are rolled, as Contest does of more; "" where they
// have very many values.
func DescribeDuel(name, other string, a, b *odds.Marginal) string {
	if max(len(a.Values), len(b.Values)) > mostDuelled {
		return ""
	}
	laws := []*tuning.Law{tuning.LawOf(a), tuning.LawOf(b)}
	greater, same := laws[1].Exceeds(laws[0])
	less := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Add(greater, same))
	when := "When both are rolled"
	if tuning.IsPart(min(laws[0].Answered, laws[1].Answered)) {
		when = "When both are rolled and neither is refused"
	}
	out := fmt.Sprintf("%s, %s is more with %s, less with %s.", when, other,
		layout.FormatShortPercent(decimal(greater)), layout.FormatShortPercent(max(0, decimal(less))))
	for i, names := range [][2]string{{name, other}, {other, name}} {
		if order := dominances[dominanceIn(laws, i, 1-i)]; order != "" {
			out += fmt.Sprintf(" In the %s order %s dominates %s.", order, names[0], names[1])
		}
	}
	return out
}
