package site

import (
	"cmp"
	"html/template"
	"net/http"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An oddsView is the odds of the outputs of a rule, or why there are none.
type oddsView struct {
	Error   string
	Plain   [][2]string    // outputs that one line tells: those that are always the same, and truths
	Outputs []marginalView // all others
	Endings []string
	Grid    *gridView // nil unless it is asked for
}

// oddsFor is all that a form shows of odds: those of what it asks, and over the values of the input that it varies.
func (s *server) oddsFor(e *library.Edition, v *tryPage, q *asked, vary string) *oddsView {
	out := s.oddsOf(e, v.Needs.ID, q)
	if vary != "" {
		out.Grid = s.gridOf(e, v.Needs, q, vary, v.Input)
	}
	return out
}

// A marginalView is a distribution as a plot and as a table.
type marginalView struct {
	Name            string
	Mean, Deviation string
	Quartiles       string
	SVG             template.HTML // made by package plot, which escapes what it is given
	Numeric         bool
	Rows            [][]string
}

// maxValues is how many values of a distribution a page has: it is read by people.
const maxValues = 200

// oddsOf asks the rule of an edition for the odds of all its outputs, for what a form gives.
func (s *server) oddsOf(e *library.Edition, id string, q *asked) *oddsView {
	query := oddsquery.Query{Options: q.options, FormulaFlag: "formulas", Budget: s.Budget}
	var d *oddspage.Distributions
	err := e.Ask(id, query, func(a *oddsquery.Asker) (err error) {
		a.Character, a.Input = q.character, q.input
		d, err = a.Odds()
		return err
	})
	if err != nil {
		return &oddsView{Error: wordError(err)}
	}
	return newOddsView(d)
}

func newOddsView(d *oddspage.Distributions) *oddsView {
	v := &oddsView{Endings: d.Lacks()}
	for _, m := range d.Marginals {
		if text, is := plainOdds(m); is {
			v.Plain = append(v.Plain, [2]string{m.Name, text})
		} else {
			v.Outputs = append(v.Outputs, newMarginalView(d, m))
		}
	}
	return v
}

// plainOdds tells a distribution that needs no plot in a few words.
func plainOdds(m *odds.Marginal) (text string, is bool) {
	switch {
	case len(m.Values) == 0:
		return "never has a value", true
	case len(m.Values) == 1 && m.P[0] > 1-1e-12:
		return "always " + present.ReadableValue(m.Values[0]), true
	case m.Values[0].Kind() != plan.Bool:
		return "", false
	}
	last := len(m.Values) - 1 // false stands before true
	return present.ReadableValue(m.Values[last]) + " in " + layout.FormatPercent(m.P[last]), true
}

func newMarginalView(d *oddspage.Distributions, m *odds.Marginal) marginalView {
	v := marginalView{Name: m.Name, Numeric: m.Numeric()}
	if v.Numeric && len(m.Values) > 0 {
		v.Mean, v.Deviation = d.MeanText(m), layout.FormatShort(m.Deviation())
		v.Quartiles = present.ReadableValue(m.Quantile(.25)) + " and " + present.ReadableValue(m.Quantile(.75))
	}
	bars := plot.Bars{Name: m.Name}
	atLeast := m.AtLeast()
	below := 0.0
	for i, value := range m.Values {
		if i == maxValues {
			break
		}
		text := present.ReadableValue(value)
		bars.Add(text, m.P[i])
		row := []string{text, layout.FormatPercent(m.P[i])}
		if below += m.P[i]; v.Numeric {
			row = append(row, layout.FormatPercent(atLeast[i]), layout.FormatPercent(min(below, 1)))
		}
		v.Rows = append(v.Rows, row)
	}
	v.SVG = template.HTML(plot.SVG("", bars))
	return v
}

type dicePage struct {
	page
	Error string
	Sums  []sumView
}

type sumView struct {
	Title string
	Odds  *oddsView
}

// maxExpressions bounds the expressions of one page.
const maxExpressions = 8

// showDice shows the odds of dice in notation.
func (s *server) showDice(w http.ResponseWriter, r *http.Request) {
	v := dicePage{page: s.newPage("Odds of dice", 0)}
	v.Query = r.URL.Query().Get("e")
	for text := range strings.SplitSeq(v.Query, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if len(v.Sums) == maxExpressions {
			v.Error = "more than eight expressions are not shown"
			break
		}
		sum, err := oddsOfDice(text)
		if err != nil {
			v.Error = cmp.Or(v.Error, text+": "+err.Error())
			continue
		}
		v.Sums = append(v.Sums, sumView{text, newOddsView(sum)})
	}
	s.write(w, http.StatusOK, "dice", v)
}

func oddsOfDice(text string) (*oddspage.Distributions, error) {
	n, err := dice.ParseNotation(text)
	if err != nil {
		return nil, err
	}
	roll, err := odds.OfNotation(n)
	if err != nil {
		return nil, err
	}
	return oddspage.OfRoll(text, n, roll, false), nil
}
