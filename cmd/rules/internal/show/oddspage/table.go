package oddspage

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Table is the answer for inputs that are left open: a row for each choice of their values, a column for each measure
// that some row has. All rows have all columns: what a row lacks is 0, or has no value where the rule refuses.
type Table struct {
	Subject
	Varied  []string
	Columns []Column
	Rows    []Row
	Exact   bool

	answered bool // something can come out for some row
}

// IsAnswered reports whether anything can come out for any of the rows.
func (t *Table) IsAnswered() bool { return t.answered }

// A Column is a measure of an output, or of what ends without one.
type Column struct{ Name, Output string }

// A Row is a choice of values and the measures for it, by the column's name.
// Values, Exact and NoValue are asked by Cell and formatRows alone: a missing member of Values is 0
// and not unknown, unless the output has NoValue here.
type Row struct {
	At      []json.RawMessage
	Values  map[string]float64
	Exact   map[string]string
	NoValue map[string]bool // outputs that never have a value here
	// FloatsBecause says why the numbers are floats though fractions are asked for; empty where they are fractions.
	FloatsBecause string
}

// Cell is the number of a column; not ok when its output never has a value here.
func (r Row) Cell(c Column) (v float64, ok bool) { return r.Values[c.Name], !r.NoValue[c.Output] }

// OfRows returns the table of answers for settings of a subject's input.
func OfRows(subject Subject, exact bool, rows []oddsquery.Row) *Table {
	t := &Table{Subject: subject, Varied: rows[0].Names, Exact: exact}
	for _, r := range rows {
		t.AddRow(r.Values, OfAnswer(subject, r.Answer))
	}
	return t
}

// AddRow adds a row: of a truth how likely it is, of a number its mean, of anything else each value's probability.
//
// Columns are gathered as rows come, because only the answers say which there are: a refusal may
// begin at the third row, and outcome may have "fumble" as a value in one row alone. A row without
// the column has 0 there.
func (t *Table) AddRow(at []json.RawMessage, d *Distributions) {
	t.answered = t.answered || d.IsAnswered()
	row := Row{At: at, Values: map[string]float64{}, Exact: map[string]string{}, NoValue: map[string]bool{}}
	if t.Exact {
		row.FloatsBecause = d.floatsBecause()
	}
	output := ""
	put := func(name string, v float64, exact string) {
		if c := (Column{name, output}); !slices.Contains(t.Columns, c) {
			t.Columns = append(t.Columns, c)
		}
		row.Values[name], row.Exact[name] = v, exact
	}
	for _, m := range d.Marginals {
		output = m.Name
		row.NoValue[m.Name] = len(m.Values) == 0
		putMeasures(m, put)
	}
	output = ""
	for _, e := range d.Refused {
		put("refused: "+e.Message, e.P, e.Exact)
	}
	for _, e := range d.Failed {
		put("failed: "+e.Message, e.P, e.Exact)
	}
	if d.Course != nil {
		for _, e := range d.Course.Ends {
			if exact := ""; e.Status == runtime.StatusStuck {
				if d.Exact && e.N != nil {
					exact = e.N.RatString()
				}
				put("stuck: "+e.Why(), e.P, exact)
			}
		}
	}
	for _, e := range d.Unended {
		put(runtime.StatusOpen, e.P, e.Exact)
	}
	if d.Unfollowed > 0 {
		put("unfollowed", d.Unfollowed, d.UnfollowedExact)
	}
	t.Rows = append(t.Rows, row)
}

// putMeasures puts the measures of an output into a row. A number has a mean. A truth has one probability, P(success),
// since that of false is the rest. A word has a column for each value, P(outcome = heroic).
func putMeasures(m *odds.Marginal, put func(name string, v float64, exact string)) {
	if m.Numeric() {
		exact := ""
		if r := m.ExactMean(); r != nil {
			exact = r.RatString()
		}
		put("mean "+m.Name, m.Mean(), exact)
		return
	}
	for i, v := range m.Values {
		switch text := view.FullText(v); text {
		case "true":
			put("P("+m.Name+")", m.P[i], m.Exact(i))
		case "false":
			if len(m.Values) == 1 { // never true: the column is still there
				put("P("+m.Name+")", 0, "0")
			}
		default:
			put("P("+m.Name+" = "+text+")", m.P[i], m.Exact(i))
		}
	}
}

// noValue stands in a cell whose output never has a value.
const noValue = "no value"

// formatRows writes all cells below the names of their columns.
// It serves text and CSV, which differ only in how they write a number.
func (t *Table) formatRows(formatCell func(v float64, exact string) string) [][]string {
	head := slices.Clone(t.Varied)
	for _, c := range t.Columns {
		head = append(head, c.Name)
	}
	rows := [][]string{head}
	for _, r := range t.Rows {
		var row []string
		for _, x := range r.At {
			row = append(row, unquote(x))
		}
		for _, c := range t.Columns {
			cell := noValue
			if !r.NoValue[c.Output] {
				cell = formatCell(r.Values[c.Name], r.Exact[c.Name])
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// unquote writes a varied value as --vary had it. Values of a table are numbers, truths and words
// of an input, none of which has an escape.
func unquote(value json.RawMessage) string { return strings.Trim(string(value), `"`) }

func (t *Table) printText(p *layout.Page) {
	printTitle(p, t.Subject)
	p.AddBlank()
	p.AddRows(2, t.formatRows(func(v float64, exact string) string {
		if t.Exact && exact != "" {
			return exact
		}
		return layout.FormatShort(v)
	}))
	t.printFloats(p)
}

// printFloats says which rows are floats though fractions are asked for.
func (t *Table) printFloats(p *layout.Page) {
	var reasons []string
	settings := map[string][]string{} // of each reason
	for _, r := range t.Rows {
		why := r.FloatsBecause
		if why == "" {
			continue
		}
		if settings[why] == nil {
			reasons = append(reasons, why)
		}
		var at []string
		for k, x := range r.At {
			at = append(at, t.Varied[k]+"="+unquote(x))
		}
		settings[why] = append(settings[why], strings.Join(at, " "))
	}
	for _, why := range reasons {
		p.AddBlank()
		p.AddLine(0, "%s: %s", strings.Join(settings[why], ", "), why)
	}
}

type jsonTable struct {
	Subject
	Varied  []string  `json:"varied"`
	Columns []string  `json:"columns"`
	Rows    []jsonRow `json:"rows"`
}

// A jsonRow has a number for each column; null where there is no value.
type jsonRow struct {
	At     []json.RawMessage `json:"at"`
	Values []*float64        `json:"values"`
	Exact  []*string         `json:"exact,omitempty"`
	Floats string            `json:"floats_because,omitempty"`
}

// toJSON writes numbers by the position of their column. A fraction that a row lacks is "0" like
// its number; null is kept for "no value", which is something else than a chance of 0, and for the fraction of a float.
func (t *Table) toJSON() any {
	out := jsonTable{Subject: t.Subject, Varied: t.Varied, Columns: []string{}}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, c.Name)
	}
	for _, r := range t.Rows {
		row := jsonRow{At: r.At, Floats: r.FloatsBecause}
		for _, c := range t.Columns {
			v := r.Values[c.Name]
			exact, isThere := r.Exact[c.Name]
			if !isThere {
				exact = "0"
			}
			cell, fraction := &v, &exact
			if exact == "" {
				fraction = nil
			}
			if r.NoValue[c.Output] {
				cell, fraction = nil, nil
			}
			if row.Values = append(row.Values, cell); t.Exact {
				row.Exact = append(row.Exact, fraction)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func (t *Table) csvRows() [][]string {
	return t.formatRows(func(v float64, _ string) string { return layout.FormatFull(v) })
}

// toSVG draws every column as a line over the rows, with gaps where there is no value; where two names are open, as a heat
// map of the first over the second.
func (t *Table) toSVG() []byte {
	var charts []plot.Chart
	if len(t.Varied) == 2 {
		for _, c := range t.Columns {
			charts = append(charts, t.heatMapOf(c))
		}
		return plot.SVG(titleOf(t.Subject), charts...)
	}
	for _, c := range t.Columns {
		line := plot.Lines{Series: []plot.Series{{Name: c.Name}}}
		for _, r := range t.Rows {
			y := r.Values[c.Name]
			if r.NoValue[c.Output] {
				y = math.NaN()
			}
			line.Labels, line.Series[0].Y = append(line.Labels, unquote(r.At[0])), append(line.Series[0].Y, y)
		}
		charts = append(charts, line)
	}
	return plot.SVG(titleOf(t.Subject), charts...)
}

// heatMapOf returns a column of a table over two names as a heat map.
func (t *Table) heatMapOf(c Column) plot.HeatMap {
	m := plot.HeatMap{Name: c.Name + " by " + t.Varied[0] + " (down) and " + t.Varied[1]}
	at := func(list *[]string, label string) int {
		i := slices.Index(*list, label)
		if i < 0 {
			i = len(*list)
			*list = append(*list, label)
		}
		return i
	}
	for _, r := range t.Rows {
		i, j := at(&m.Rows, unquote(r.At[0])), at(&m.Columns, unquote(r.At[1]))
		if i == len(m.Values) {
			m.Values = append(m.Values, nil)
		}
		for len(m.Values[i]) <= j {
			m.Values[i] = append(m.Values[i], math.NaN())
		}
		if v, ok := r.Cell(c); ok {
			m.Values[i][j] = v
		}
	}
	return m
}
