package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// about says what odds are of, as every sheet does; of an expression there is nothing but dice.
type about struct {
	Ruleset   string `json:"ruleset,omitempty"`
	Revision  string `json:"revision,omitempty"`
	Rule      string `json:"rule,omitempty"`
	Procedure string `json:"procedure,omitempty"`
	Dice      string `json:"dice,omitempty"`
}

func subjectOf(p *plan.Plan, kind, id string) about {
	out := about{Ruleset: p.Ruleset, Revision: p.Revision}
	if kind == "rule" {
		out.Rule = id
	} else {
		out.Procedure = id
	}
	return out
}

func (a about) pageTitle() string {
	switch {
	case a.Dice != "":
		return a.Dice
	case a.Rule != "":
		return present.SubjectTitle("rule "+a.Rule, a.Ruleset, a.Revision)
	}
	return present.SubjectTitle("procedure "+a.Procedure, a.Ruleset, a.Revision)
}

// distributions are an answer of odds.
type distributions struct {
	about
	Given           string
	Refused         []shownEnding
	Failed          []shownEnding
	Unfollowed      float64 // the probability that dice explode further than was followed
	UnfollowedExact string
	exact           bool
	list            []*odds.Marginal
	all             *odds.Joint         // nil of dice without a rule
	means           map[string]*big.Rat // in closed form, by distribution
}

// A shownEnding is why there is no outcome.
type shownEnding struct {
	Message string  `json:"message"`
	P       float64 `json:"p"`
	Exact   string  `json:"exact,omitempty"`
}

func (d *distributions) addEndings(j *odds.Joint) {
	unfollowed := new(big.Int)
	for _, e := range j.Endings() {
		x := shownEnding{e.Message, e.P, ""}
		if d.exact {
			x.Exact = j.Fraction(e.N)
		}
		switch e.Kind {
		case odds.Refused, odds.NotOffered:
			d.Refused = append(d.Refused, x)
		case odds.Failed:
			d.Failed = append(d.Failed, x)
		default:
			d.Unfollowed += e.P
			unfollowed.Add(unfollowed, cmp.Or(e.N, new(big.Int)))
		}
	}
	if d.exact && d.Unfollowed > 0 {
		d.UnfollowedExact = j.Fraction(unfollowed)
	}
}

// printDistributions writes an answer.
func (q *chance) printDistributions(d *distributions) error {
	switch q.form {
	case "json":
		return q.writeJSON(d.toJSON(q.joint))
	case "csv":
		return q.writeAnswer(d.toCSV())
	case "svg":
		return q.writeAnswer(d.toSVG())
	}
	p := q.s.newPage(q.c.OutOrStdout())
	if q.file != "" {
		p.Color = false
	}
	d.printText(p, q.joint)
	return q.writeAnswer([]byte(p.B.String()))
}

func (q *chance) writeJSON(v any) error {
	var b bytes.Buffer
	if err := jsontext.PrintJSON(&b, v); err != nil {
		return err
	}
	return q.writeAnswer(b.Bytes())
}

// barWidth is how long the bar of the greatest probability is.
const barWidth = 40

// maxShown is how many values of a number are listed in text.
const maxShown = 120

func (d *distributions) printText(p *layout.Page, joint bool) {
	p.AddLine(0, "%s", p.Style(layout.Bold, d.pageTitle()))
	if d.Given != "" {
		p.AddLine(2, "given %s", d.Given)
	}
	if joint && d.all != nil {
		d.printJoint(p)
	} else {
		for _, m := range d.list {
			p.AddBlank()
			d.printMarginal(p, m)
		}
	}
	p.AddBlank()
	for _, e := range d.Refused {
		p.AddLine(0, "%s refused: %s", d.endingPercent(e), e.Message)
	}
	for _, e := range d.Failed {
		p.AddLine(0, "%s without a value: %s", d.endingPercent(e), e.Message)
	}
	if d.Unfollowed > 0 {
		p.AddLine(0, "dice that explode further than was followed: %s", cmp.Or(d.UnfollowedExact, formatScientific(d.Unfollowed)))
	}
}

func (d *distributions) endingPercent(e shownEnding) string {
	if e.Exact != "" {
		return e.Exact
	}
	return formatPercent(e.P)
}

func formatPercent(p float64) string { return strconv.FormatFloat(100*p, 'f', 4, 64) + "%" }

func formatScientific(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

// printMarginal shows a distribution: the values with bars and, of a number, its mean and how likely it is to be at least
// that.
func (d *distributions) printMarginal(p *layout.Page, m *odds.Marginal) {
	p.AddLine(0, "%s", p.Style(layout.Bold, m.Name))
	if len(m.Values) == 0 {
		p.AddLine(2, "never has a value")
		return
	}
	if m.Numeric() {
		p.AddLine(2, "mean %s, deviation %s, quantiles 5%% %s, 25%% %s, 50%% %s, 75%% %s, 95%% %s", d.meanOf(m),
			formatShort(m.Deviation()),
			m.Quantile(.05), m.Quantile(.25), m.Quantile(.5), m.Quantile(.75), m.Quantile(.95))
	}
	top := 0.0
	for _, x := range m.P {
		top = max(top, x)
	}
	most := m.AtLeast()
	var rows [][]string
	for i, v := range m.Values {
		if i == maxShown {
			break
		}
		row := []string{present.ReadableValue(v), d.formatProbability(m, i)}
		if m.Numeric() {
			row = append(row, "≥ "+formatPercent(most[i]))
		}
		rows = append(rows, append(row, drawBar(m.P[i]/top)))
	}
	p.AddRows(2, rows, layout.Column{Right: m.Numeric()}, layout.Column{Right: true},
		layout.Column{Right: m.Numeric(), Style: tailStyle(m)})
	if more := len(m.Values) - maxShown; more > 0 {
		p.AddLine(2, "... and %d more", more)
	}
}

// tailStyle is the style of the column behind the probabilities: what a number is at least, else the bars.
func tailStyle(m *odds.Marginal) layout.Style {
	if m.Numeric() {
		return layout.Faint
	}
	return layout.Plain
}

func (d *distributions) formatProbability(m *odds.Marginal, i int) string {
	if d.exact {
		return m.Exact(i)
	}
	return formatPercent(m.P[i])
}

func (d *distributions) meanOf(m *odds.Marginal) string {
	exact := d.means[m.Name]
	if exact == nil && d.exact && d.Unfollowed == 0 {
		exact = m.ExactMean()
	}
	if exact == nil {
		return formatShort(m.Mean())
	}
	f, _ := exact.Float64()
	if exact.IsInt() {
		return exact.RatString()
	}
	return exact.RatString() + " = " + formatShort(f)
}

func formatShort(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// drawBar is a bar of eighths of a character.
func drawBar(share float64) string {
	n := int(math.Round(share * barWidth * 8))
	out := strings.Repeat("█", n/8)
	if n%8 > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[n%8-1])
	}
	return out
}

// printJoint shows the joint distribution.
func (d *distributions) printJoint(p *layout.Page) {
	p.AddBlank()
	rows := [][]string{append(append([]string{}, d.all.Names...), "probability")}
	for _, o := range d.all.Outcomes() {
		var row []string
		for _, v := range o.Values {
			row = append(row, present.ReadableValue(v))
		}
		x := formatPercent(o.P)
		if d.exact {
			x = d.all.Fraction(o.N)
		}
		rows = append(rows, append(row, x))
	}
	p.AddRows(2, rows)
}

// A jsonValue is a value of a distribution as JSON.
type jsonValue struct {
	Value   runtime.Value `json:"value"`
	P       float64       `json:"p"`
	Exact   string        `json:"exact,omitempty"`
	AtLeast *float64      `json:"at_least,omitempty"`
}

type jsonMarginal struct {
	Mean         *float64                 `json:"mean,omitempty"`
	ExactMean    string                   `json:"exact_mean,omitempty"`
	Deviation    *float64                 `json:"deviation,omitempty"`
	Quantiles    map[string]runtime.Value `json:"quantiles,omitempty"`
	Distribution []jsonValue              `json:"distribution"`
}

type jsonOutcome struct {
	Output map[string]runtime.Value `json:"output"`
	P      float64                  `json:"p"`
	Exact  string                   `json:"exact,omitempty"`
}

type jsonOdds struct {
	about
	Given           string                  `json:"given,omitempty"`
	Odds            map[string]jsonMarginal `json:"odds"`
	Joint           []jsonOutcome           `json:"joint,omitempty"`
	Refused         []shownEnding           `json:"refused,omitempty"`
	Failed          []shownEnding           `json:"failed,omitempty"`
	Unfollowed      float64                 `json:"unfollowed,omitempty"`
	UnfollowedExact string                  `json:"unfollowed_exact,omitempty"`
	Work            int64                   `json:"work,omitempty"`
}

func (d *distributions) toJSON(joint bool) jsonOdds {
	out := jsonOdds{
		about: d.about, Given: d.Given, Refused: d.Refused, Failed: d.Failed, Unfollowed: d.Unfollowed,
		UnfollowedExact: d.UnfollowedExact,
		Odds:            map[string]jsonMarginal{},
	}
	for _, m := range d.list {
		out.Odds[m.Name] = d.jsonOf(m)
	}
	if d.all == nil {
		return out
	}
	out.Work = d.all.Spent
	for i := range d.all.Outcomes() {
		if o := &d.all.Outcomes()[i]; joint {
			x := jsonOutcome{Output: map[string]runtime.Value{}, P: o.P}
			for k, name := range d.all.Names {
				x.Output[name] = o.Values[k]
			}
			if d.exact {
				x.Exact = d.all.Fraction(o.N)
			}
			out.Joint = append(out.Joint, x)
		}
	}
	return out
}

func (d *distributions) jsonOf(m *odds.Marginal) jsonMarginal {
	out := jsonMarginal{Distribution: []jsonValue{}}
	if m.Numeric() {
		mean, deviation := m.Mean(), m.Deviation()
		if closed := d.means[m.Name]; closed != nil {
			mean, _ = closed.Float64()
		}
		out.Mean, out.Deviation, out.Quantiles = &mean, &deviation, map[string]runtime.Value{}
		for _, q := range []string{"0.05", "0.25", "0.5", "0.75", "0.95"} {
			f, err := strconv.ParseFloat(q, 64)
			must.Succeed(err)
			out.Quantiles[q] = m.Quantile(f)
		}
		if exact, closed := m.ExactMean(), d.means[m.Name]; closed != nil {
			out.ExactMean = closed.RatString()
		} else if d.exact && exact != nil && d.Unfollowed == 0 {
			out.ExactMean = exact.RatString()
		}
	}
	most := m.AtLeast()
	for i, v := range m.Values {
		x := jsonValue{Value: v, P: m.P[i]}
		if d.exact {
			x.Exact = m.Exact(i)
		}
		if m.Numeric() {
			x.AtLeast = &most[i]
		}
		out.Distribution = append(out.Distribution, x)
	}
	return out
}

func (d *distributions) toCSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"output", "value", "p", "exact"}}
	for _, m := range d.list {
		for i, v := range m.Values {
			exact := ""
			if d.exact {
				exact = m.Exact(i)
			}
			rows = append(rows, []string{m.Name, present.ReadableValue(v), formatFull(m.P[i]), exact})
		}
	}
	for _, e := range d.Refused {
		rows = append(rows, []string{"refused", e.Message, formatFull(e.P), e.Exact})
	}
	for _, e := range d.Failed {
		rows = append(rows, []string{"failed", e.Message, formatFull(e.P), e.Exact})
	}
	if d.Unfollowed > 0 {
		rows = append(rows, []string{"unfollowed", "", formatFull(d.Unfollowed), d.UnfollowedExact})
	}
	must.Succeed(w.WriteAll(rows))
	return b.Bytes()
}

func formatFull(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// An oddsTable is the answer for inputs that are left open.
type oddsTable struct {
	about
	Varied  []string  `json:"varied"`
	Columns []string  `json:"columns"`
	Rows    []oddsRow `json:"rows"`
	exact   bool
}

type oddsRow struct {
	At     []json.RawMessage `json:"at"`
	Values []float64         `json:"values"`
	Exact  []string          `json:"exact,omitempty"`
}

// addRow adds a row: of a truth how likely it is, of a number its mean, of anything else each value's probability.
func (t *oddsTable) addRow(at []json.RawMessage, d *distributions) {
	row := oddsRow{At: at}
	cells := map[string]int{}
	for i, name := range t.Columns {
		cells[name] = i
	}
	row.Values = make([]float64, len(t.Columns))
	put := func(name string, v float64, exact string) {
		k, ok := cells[name]
		if !ok {
			k = len(t.Columns)
			cells[name] = k
			t.Columns = append(t.Columns, name)
			row.Values = append(row.Values, 0)
		}
		for len(row.Exact) <= k && t.exact {
			row.Exact = append(row.Exact, "0")
		}
		if row.Values[k] = v; t.exact {
			row.Exact[k] = exact
		}
	}
	for _, m := range d.list {
		d.eachCell(m, put)
	}
	for _, e := range d.Refused {
		put("refused: "+e.Message, e.P, e.Exact)
	}
	for _, e := range d.Failed {
		put("failed: "+e.Message, e.P, e.Exact)
	}
	if d.Unfollowed > 0 {
		put("unfollowed", d.Unfollowed, d.UnfollowedExact)
	}
	t.Rows = append(t.Rows, row)
}

func (d *distributions) eachCell(m *odds.Marginal, put func(string, float64, string)) {
	if m.Numeric() {
		exact := ""
		if r := m.ExactMean(); r != nil {
			exact = r.RatString()
		}
		put("mean "+m.Name, m.Mean(), exact)
		return
	}
	for i, v := range m.Values {
		switch text := present.ReadableValue(v); text {
		case "true":
			put("P("+m.Name+")", m.P[i], m.Exact(i))
		case "false":
			if len(m.Values) == 1 {
				put("P("+m.Name+")", 0, "0")
			}
		default:
			put("P("+m.Name+" = "+text+")", m.P[i], m.Exact(i))
		}
	}
}

func (q *chance) printTable(t *oddsTable) error {
	rows := [][]string{append(append([]string{}, t.Varied...), t.Columns...)}
	for _, r := range t.Rows {
		var row []string
		for _, x := range r.At {
			row = append(row, strings.Trim(string(x), `"`))
		}
		for k := range t.Columns {
			switch {
			case k >= len(r.Values):
				row = append(row, "0")
			case q.form == "csv":
				row = append(row, formatFull(r.Values[k]))
			case t.exact && k < len(r.Exact) && r.Exact[k] != "":
				row = append(row, r.Exact[k])
			default:
				row = append(row, formatShort(r.Values[k]))
			}
		}
		rows = append(rows, row)
	}
	switch q.form {
	case "json":
		return q.writeJSON(t)
	case "csv":
		var b bytes.Buffer
		must.Succeed(csv.NewWriter(&b).WriteAll(rows))
		return q.writeAnswer(b.Bytes())
	case "svg":
		return q.writeAnswer(t.toSVG())
	}
	p := q.s.newPage(q.c.OutOrStdout())
	p.AddLine(0, "%s", p.Style(layout.Bold, t.pageTitle()))
	p.AddBlank()
	p.AddRows(2, rows)
	return q.writeAnswer([]byte(p.B.String()))
}
