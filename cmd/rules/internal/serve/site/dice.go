package site

import (
	"cmp"
	"fmt"
	"html/template"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// A dicePage is the odds of dice in notation, side by side. Its address holds the dice, what is shown of them, and the seed
// of a roll.
type dicePage struct {
	page
	Lines    []diceLine
	Measures []measureView
	Chosen   string // the measure, as a heading
	SVG      template.HTML
	Head     []string
	Rows     [][]string
	LeftOut  string    // which values the table and the plot do not have; "" for none
	Sums     []sumView // dice with several results, which no curve compares
}

// A diceLine is an expression with its summary and, when it was rolled, with its result.
type diceLine struct {
	Text, Error string
	Mean, Range string
	Series      int // of its curve
	Result      string
	Dice        []fallenDie
}

// A fallenDie is a die of a roll.
type fallenDie struct {
	Face   int64
	Counts bool
}

// A measureView is a way to show chances, with its address.
type measureView struct {
	Name, Label, Link string
	IsChosen          bool
}

type sumView struct {
	Title string
	Odds  *oddsView
}

// maxExpressions bounds the expressions of one page. Each is counted exactly, and an address can be
// typed by anybody.
const maxExpressions = 8

// A diceMeasure is what a page shows of each value.
type diceMeasure struct {
	name, label, heading string
	measure              oddspage.Measure
}

// diceMeasures are what a page shows of dice, by the name in its address.
var diceMeasures = []diceMeasure{
	{"exactly", "Exactly", "Chance of exactly", oddspage.Exactly},
	{"at-least", "At least", "Chance of at least", oddspage.AtLeast},
	{"at-most", "At most", "Chance of at most", oddspage.AtMost},
}

// rollDice draws a seed for the dice of a form, and leads to the address that shows them fallen.
func (s *server) rollDice(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.writeError(w, r, http.StatusBadRequest, err)
		return
	}
	to := url.Values{"e": expressionsOf(r.Form), "roll": {r.Form.Get("roll")},
		"seed": {strconv.FormatUint(argdata.DrawSeed(), 10)}}
	if show := r.Form.Get("show"); show != "" {
		to.Set("show", show)
	}
	http.Redirect(w, r, "dice?"+to.Encode(), http.StatusSeeOther)
}

// expressionsOf returns the dice that an address asks for, each in a field of its own or several with commas between.
func expressionsOf(form url.Values) []string {
	var out []string
	for _, field := range form["e"] {
		for text := range strings.SplitSeq(field, ",") {
			if text = strings.TrimSpace(text); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// showDice shows the odds of dice in notation.
func (s *server) showDice(w http.ResponseWriter, r *http.Request) {
	form := r.URL.Query()
	v := &dicePage{page: s.newPage("Dice", 0)}
	v.Section, v.IsText = "dice", false
	texts := expressionsOf(form)
	k := max(0, slices.IndexFunc(diceMeasures, func(m diceMeasure) bool { return m.name == form.Get("show") }))
	for i, m := range diceMeasures {
		to := url.Values{"e": texts, "show": {m.name}}
		v.Measures = append(v.Measures, measureView{m.name, m.label, "dice?" + to.Encode(), i == k})
	}
	v.Chosen = diceMeasures[k].heading
	var settings []setting
	for i, text := range texts {
		if r.Context().Err() != nil {
			return
		}
		line := diceLine{Text: text}
		sum, err := oddsOfDice(text)
		switch {
		case i >= maxExpressions:
			line.Error = "more than eight are not shown"
		case err != nil:
			line.Error = err.Error()
		case len(sum.Marginals) != 1:
			v.Sums = append(v.Sums, sumView{text, newOddsView([]setting{{"", sum, nil}})})
		default:
			line.Series = len(settings)
			line.summarise(sum.Marginals[0])
			settings = append(settings, setting{text, sum, nil})
		}
		if form.Get("roll") == strconv.Itoa(i) && line.Error == "" {
			if err := line.roll(form.Get("seed")); err != nil {
				line.Error = err.Error()
			}
		}
		v.Lines = append(v.Lines, line)
	}
	v.compare(settings, diceMeasures[k].measure)
	s.write(w, http.StatusOK, "dice", v)
}

// summarise says what a distribution comes to: its mean, and between which values at least nine tenths of it lie.
func (l *diceLine) summarise(m *odds.Marginal) {
	if !m.Numeric() {
		l.Mean, l.Range = layout.FormatShortPercent(m.P[len(m.P)-1]), "to succeed"
		return
	}
	l.Mean = strings.TrimSuffix(strconv.FormatFloat(m.Mean(), 'f', 1, 64), ".0")
	l.Range = "on average, at least nine in ten from " + view.Text(m.Quantile(.05)) + " to " + view.Text(m.Quantile(.95))
}

// roll lets the dice of a line fall by a seed.
func (l *diceLine) roll(seed string) error {
	n, err := dice.ParseNotation(l.Text)
	if err != nil {
		return err
	}
	drawn, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return fmt.Errorf("seed %s: a seed is a whole number from 0", seed)
	}
	throw := dice.DrawnFrom(drawn)
	from, err := throw.NewSource(0, 0)
	if err != nil {
		return err
	}
	outcomes, err := n.Roll(from)
	if err != nil {
		return err
	}
	var results []string
	for _, o := range outcomes {
		results = append(results, resultText(o.Value, n.IsTruth()))
		for _, f := range o.Falls {
			for i, face := range f.Dice {
				l.Dice = append(l.Dice, fallenDie{face, f.Kept[i]})
			}
		}
	}
	l.Result = strings.Join(results, ", ")
	return nil
}

// resultText returns the result of a roll; of a comparison, whether it holds.
func resultText(v *big.Rat, isTruth bool) string {
	switch {
	case isTruth && v.Sign() != 0:
		return "yes"
	case isTruth:
		return "no"
	case v.IsInt():
		return v.Num().String()
	}
	f, _ := v.Float64()
	return layout.FormatShort(f)
}

// compare draws a curve for each distribution, and makes a column of each.
func (v *dicePage) compare(settings []setting, measure oddspage.Measure) {
	if len(settings) == 0 {
		return
	}
	var list []*odds.Marginal
	for _, s := range settings {
		list = append(list, s.odds.Marginals[0])
	}
	bulk := oddspage.BulkOf(oddspage.MergeValues(list...), maxValues, list...)
	values := bulk.Values
	v.LeftOut = bulk.LeftOut()
	chart := plot.Curves{}
	v.Head = []string{cmp.Or(v.Chosen, "value")}
	v.Rows = make([][]string, len(values))
	for i, value := range values {
		chart.Labels = append(chart.Labels, view.Text(value))
		v.Rows[i] = []string{view.Text(value)}
	}
	for k, m := range list {
		chances := oddspage.Probabilities(m, values, measure)
		chart.Series = append(chart.Series, plot.Series{Name: settings[k].label, Y: chances})
		v.Head = append(v.Head, settings[k].label)
		for i, p := range chances {
			v.Rows[i] = append(v.Rows[i], layout.FormatPercent(p))
		}
	}
	v.SVG = template.HTML(plot.Embed(v.Chosen+":", chart))
}

// oddsOfDice gives the odds of one notation in floats, which are as exact as a page can show.
func oddsOfDice(text string) (*oddspage.Distributions, error) {
	n, err := dice.ParseNotation(text)
	if err != nil {
		return nil, err
	}
	roll, err := notation.Compute(n)
	if err != nil {
		return nil, err
	}
	return oddspage.OfRoll(text, n, roll, false), nil
}
