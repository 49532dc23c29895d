package oddspage

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// Distributions are the odds of the outputs of a rule, or of the sum of an expression of dice.
//
// The probabilities of a distribution, of the endings and of what was not followed add up to 1. Under a condition they are
// those given the condition, and there are no endings, because what has no outputs meets no condition.
type Distributions struct {
	Subject
	Given     string // the condition, "" for none
	Marginals []*odds.Marginal
	All       *odds.Joint // the distribution of all outputs at once; nil of dice without a rule
	// by name of a marginal: those known in closed form, where marginals lack some probability
	Means      map[string]*big.Rat
	Exact      bool // write fractions
	ShowsJoint bool // write all outputs at once instead of each by itself
	// AsksExact says that fractions are asked for; the probabilities are floats all the same unless Exact.
	AsksExact bool
	After     int // of a procedure: it is the situation after so many events; 0 for how it ends
	// Endings are what the distributions lack to 1. Their exact forms are "" where the probabilities are no fractions.
	oddsjson.Endings
	// Course is that of a procedure: whatever is asked, the page says where it has ended, is stuck and goes on.
	Course *runtime.Course

	notes []string // where other programs read the dice otherwise
}

// OfRoll are the odds of dice in a notation.
func OfRoll(text string, n *dice.Notation, r *notation.Distribution, exact bool) *Distributions {
	d := &Distributions{Subject: Subject{Dice: text}, Exact: exact, Marginals: r.Results, Means: r.Means}
	d.Unfollowed = r.Rest
	if r.Rest > 0 && r.RestN != nil && exact {
		d.UnfollowedExact = new(big.Rat).SetFrac(r.RestN, r.Den).RatString()
	}
	for _, note := range n.Notes {
		d.notes = append(d.notes, note.Msg)
	}
	return d
}

// IsAnswered reports whether anything can come out: not when the rule refuses or fails whatever
// falls, which the command ends with status 1 for.
func (d *Distributions) IsAnswered() bool {
	return d.All == nil || d.Unfollowed > 0 || len(d.Unended) > 0 || len(d.All.Outcomes()) > 0
}

// OfAnswer returns the odds of an answer about a subject.
func OfAnswer(subject Subject, a *oddsquery.Answer) *Distributions {
	d := &Distributions{Subject: subject, Given: a.Given, Marginals: a.Outputs, All: a.Joint, Means: a.Means,
		Exact:     a.Exact,
		AsksExact: a.AsksExact, Course: a.Course}
	fractions := d.All
	if !d.Exact {
		fractions = nil
	}
	d.Endings = oddsjson.NewEndings(a.Endings, fractions)
	return d
}

// maxShown is how many values of a number are listed in text.
// 3d40 still fits; longer lists are for --format json, which has all.
const maxShown = 120

func (d *Distributions) printText(p *layout.Page) {
	printTitle(p, d.Subject)
	switch {
	case d.After > 0:
		p.AddLine(2, "after %s", plural.Of(d.After, "event"))
	case d.Procedure != "":
		p.AddLine(2, "where it ends")
	}
	if d.Course != nil {
		printEnds(p, d.Course, d.Exact, d.After > 0)
	}
	if d.Given != "" {
		p.AddLine(2, "given %s", d.Given)
	}
	if d.ShowsJoint && d.All != nil {
		d.printJoint(p)
	} else {
		for _, m := range d.Marginals {
			p.AddBlank()
			d.printMarginal(p, m)
		}
	}
	p.AddBlank()
	for _, line := range d.Lacks() {
		p.AddLine(0, "%s", line)
	}
}

// floatsBecause says why the probabilities of a procedure's outputs are floats; "" where they are not.
func (d *Distributions) floatsBecause() string {
	if d.Course == nil || d.Course.Outputs.Den != nil {
		if d.Course != nil && d.Course.Sample != nil {
			return DescribeSample(d.Course.Sample)
		}
		return ""
	}
	return whyFloats(d.Course, d.AsksExact)
}

// Lacks returns lines about the limits of the answer: that fractions are not known, and the probability that the
// distributions lack because of refusals, of formulas without a value, and of dice that explode further than was
// followed.
func (d *Distributions) Lacks() []string {
	var out []string
	if why := d.floatsBecause(); why != "" {
		out = append(out, why)
	}
	for _, e := range d.Refused {
		out = append(out, fmt.Sprintf("%s refused: %s", probabilityOf(e), e.Message))
	}
	for _, e := range d.Failed {
		out = append(out, fmt.Sprintf("%s without a value: %s", probabilityOf(e), e.Message))
	}
	for _, e := range d.Unended {
		out = append(out, probabilityOf(e)+" "+e.Message)
	}
	if d.Unfollowed > 0 {
		decimal := layout.FormatScientific(d.Unfollowed)
		out = append(out, "dice that explode further than was followed: "+
			withDecimal(cmp.Or(d.UnfollowedExact, decimal), decimal))
	}
	return out
}

func probabilityOf(e oddsjson.Ending) string {
	decimal := layout.FormatPercent(e.P)
	return withDecimal(cmp.Or(e.Exact, decimal), decimal)
}

// printMarginal shows a distribution: the values with bars and, of a number, its mean and how likely it is to be at least
// that.
func (d *Distributions) printMarginal(p *layout.Page, m *odds.Marginal) {
	p.AddLine(0, "%s", p.Style(layout.Bold, m.Name))
	if len(m.Values) == 0 {
		p.AddLine(2, "never has a value")
		return
	}
	if m.Numeric() {
		of := ""
		if d.isPartly() {
			of = "of what is answered: "
		}
		p.AddLine(2, "%smean %s, deviation %s, mode %s, quantiles 5%% %s, 25%% %s, 50%% %s, 75%% %s, 95%% %s", of,
			d.MeanText(m), layout.FormatShort(m.Deviation()), formatModes(m),
			view.Text(m.Quantile(.05)), view.Text(m.Quantile(.25)), view.Text(m.Quantile(.5)), view.Text(m.Quantile(.75)),
			view.Text(m.Quantile(.95)))
		if text := ShapeText(m); text != "" {
			p.AddLine(2, "%s", text)
		}
	}
	highest := 0.0
	for _, x := range m.P {
		highest = max(highest, x)
	}
	// Bars are scaled to the likeliest value, so that a distribution over a hundred values is still
	// a shape and not a line of dots.
	atLeast, atMost := m.AtLeast(), m.AtMost()
	bulk := BulkOf(m.Values, maxShown, m)
	var rows [][]string
	for i := bulk.From; i < bulk.From+len(bulk.Values); i++ {
		row := []string{view.Text(m.Values[i]), d.formatProbability(m, i)}
		if m.Numeric() {
			row = append(row, "≥ "+layout.FormatPercent(atLeast[i]), "≤ "+layout.FormatPercent(atMost[i]))
		}
		rows = append(rows, append(row, plot.TextBar(m.P[i]/highest)))
	}
	addLeftOut(p, bulk.Below)
	p.AddRows(2, rows, layout.Column{Right: m.Numeric()}, layout.Column{Right: true},
		layout.Column{Right: m.Numeric(), Style: tailStyle(m)}, layout.Column{Right: m.Numeric(), Style: tailStyle(m)})
	addLeftOut(p, bulk.Above)
}

// addLeftOut adds a line about values that are not listed.
func addLeftOut(p *layout.Page, text string) {
	if text != "" {
		p.AddLine(2, "... %s", text)
	}
}

// ShapeText returns the skewness and the entropy of a number, or "" of a constant. A rounding error in the skewness of
// a symmetric distribution becomes 0.
func ShapeText(m *odds.Marginal) string {
	skewness, ok := m.Skewness()
	if !ok {
		return ""
	}
	const noise = 1e-11 // what rounding may leave of a sum that is 0
	if math.Abs(skewness) < noise {
		skewness = 0
	}
	return "skewness " + layout.FormatShort(skewness) + ", entropy " + layout.FormatShort(m.Entropy()) + " bits"
}

// maxModes is how many modes are named: a die has as many as faces.
const maxModes = 3

// formatModes names the likeliest values, at most maxModes of them.
func formatModes(m *odds.Marginal) string {
	modes := m.Modes()
	var out []string
	for _, v := range modes[:min(len(modes), maxModes)] {
		out = append(out, view.Text(v))
	}
	if len(modes) > maxModes {
		out = append(out, fmt.Sprintf("and %d more", len(modes)-maxModes))
	}
	return strings.Join(out, " ")
}

// tailStyle returns the style of the column behind the probabilities. It holds the probability of at least a number, or
// else the bars.
func tailStyle(m *odds.Marginal) layout.Style {
	if m.Numeric() {
		return layout.Faint
	}
	return layout.Plain
}

// formatProbability writes the probability of the i-th value: a fraction under --exact, else
// percent with four decimals.
func (d *Distributions) formatProbability(m *odds.Marginal, i int) string {
	if d.Exact {
		return withDecimal(m.Exact(i), layout.FormatPercent(m.P[i]))
	}
	return layout.FormatPercent(m.P[i])
}

// maxPlainFraction is how long a fraction may be, in characters, that people read without a decimal beside it.
const maxPlainFraction = 24

// withDecimal writes a fraction, with the decimal behind one whose digits nobody compares by eye.
func withDecimal(fraction, decimal string) string {
	if len(fraction) <= maxPlainFraction {
		return fraction
	}
	return fraction + " = " + decimal
}

// MeanText returns the mean as a fraction where that is known: in closed form, or because all probabilities are
// fractions and none is missing.
//
// A mean over the followed values is not the mean of the dice, however exact its terms: where dice explode further only
// the closed form counts.
func (d *Distributions) MeanText(m *odds.Marginal) string {
	exact := d.Means[m.Name]
	if exact == nil && d.Exact && d.Unfollowed == 0 {
		exact = m.ExactMean()
	}
	if exact == nil {
		return layout.FormatShort(m.Mean())
	}
	f, _ := exact.Float64()
	if exact.IsInt() {
		return exact.RatString()
	}
	return exact.RatString() + " = " + layout.FormatShort(f)
}

// isPartly reports whether some falls of the dice have no answer. Percentages are of all falls; a mean and quantiles
// can only be of those with an answer.
func (d *Distributions) isPartly() bool { return len(d.Refused)+len(d.Failed)+len(d.Unended) > 0 }

// printJoint prints a row for each combination of values that can occur. It is not cut as a
// marginal is: who asks for --joint wants all of it.
func (d *Distributions) printJoint(p *layout.Page) {
	p.AddBlank()
	rows := [][]string{append(append([]string{}, d.All.Names...), "probability")}
	for _, o := range d.All.Outcomes() {
		var row []string
		for _, v := range o.Values {
			row = append(row, view.Text(v))
		}
		x := layout.FormatPercent(o.P)
		if d.Exact {
			x = withDecimal(d.All.Fraction(o.N), x)
		}
		rows = append(rows, append(row, x))
	}
	p.AddRows(2, rows)
}

// csvRows writes all distributions as one table, since a CSV file holds only one: the first column
// says of which output a row is, or why there is none.
func (d *Distributions) csvRows() [][]string {
	rows := [][]string{{"output", "value", "p", "exact", "at_least", "at_most"}}
	for _, m := range d.Marginals {
		atLeast, atMost := m.AtLeast(), m.AtMost()
		for i, v := range m.Values {
			exact := ""
			if d.Exact {
				exact = m.Exact(i)
			}
			row := []string{m.Name, view.FullText(v), layout.FormatFull(m.P[i]), exact, "", ""}
			if m.Numeric() {
				row[4], row[5] = layout.FormatFull(atLeast[i]), layout.FormatFull(atMost[i])
			}
			rows = append(rows, row)
		}
	}
	for _, e := range d.Refused {
		rows = append(rows, []string{"refused", e.Message, layout.FormatFull(e.P), e.Exact, "", ""})
	}
	for _, e := range d.Failed {
		rows = append(rows, []string{"failed", e.Message, layout.FormatFull(e.P), e.Exact, "", ""})
	}
	for _, e := range d.Unended {
		rows = append(rows, []string{"unended", e.Message, layout.FormatFull(e.P), e.Exact, "", ""})
	}
	if d.Unfollowed > 0 {
		rows = append(rows, []string{"unfollowed", "", layout.FormatFull(d.Unfollowed), d.UnfollowedExact, "", ""})
	}
	return rows
}

func (d *Distributions) toSVG() []byte {
	var charts []plot.Chart
	for _, m := range d.Marginals {
		charts = append(charts, barsOf(m))
	}
	return plot.SVG(titleOf(d.Subject), charts...)
}

// barsOf draws a distribution.
func barsOf(m *odds.Marginal) plot.Bars {
	bars := plot.Bars{Name: m.Name}
	for i, v := range m.Values {
		bars.Add(view.Text(v), m.P[i])
	}
	return bars
}

func (d *Distributions) toJSON() any {
	out := oddsjson.NewAnswer(d.Subject, &odds.Answer{Given: d.Given, Outputs: d.Marginals, Joint: d.All, Means: d.Means},
		d.Endings, d.Exact)
	out.Notes, out.After, out.FloatsBecause = d.notes, d.After, d.floatsBecause()
	if d.Course != nil {
		out.Ends, out.Open = oddsjson.NewEnds(d.Course), d.Course.Open
	}
	if d.All != nil && d.ShowsJoint {
		out.Joint = oddsjson.NewOutcomes(d.All, d.Exact)
	}
	return out
}
