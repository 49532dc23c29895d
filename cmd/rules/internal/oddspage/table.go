package oddspage

import (
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Table is the answer for inputs that are left open: a row for each choice of their values, a column for each measure
// that some row has. A row made before a column was known is shorter than the columns; what it lacks is 0.
type Table struct {
	Subject
	Varied  []string `json:"varied"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
	Exact   bool     `json:"-"`

	answered bool // something can come out for some row
}

// IsAnswered reports whether anything can come out for any of the rows.
func (t *Table) IsAnswered() bool { return t.answered }

// A Row is a choice of values and the measures for it.
type Row struct {
	At     []json.RawMessage `json:"at"`
	Values []float64         `json:"values"`
	Exact  []string          `json:"exact,omitempty"`
}

// AddRow adds a row: of a truth how likely it is, of a number its mean, of anything else each value's probability.
func (t *Table) AddRow(at []json.RawMessage, d *Distributions) {
	t.answered = t.answered || d.IsAnswered()
	row := Row{At: at}
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
		for len(row.Exact) <= k && t.Exact {
			row.Exact = append(row.Exact, "0")
		}
		if row.Values[k] = v; t.Exact {
			row.Exact[k] = exact
		}
	}
	for _, m := range d.Marginals {
		putMeasures(m, put)
	}
	for _, e := range d.refused {
		put("refused: "+e.Message, e.P, e.Exact)
	}
	for _, e := range d.failed {
		put("failed: "+e.Message, e.P, e.Exact)
	}
	if d.unfollowed > 0 {
		put("unfollowed", d.unfollowed, d.unfollowedExact)
	}
	t.Rows = append(t.Rows, row)
}

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
		switch text := present.ReadableValue(v); text {
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

// formatRows writes all cells below the names of their columns.
func (t *Table) formatRows(formatCell func(r Row, k int) string) [][]string {
	rows := [][]string{append(append([]string{}, t.Varied...), t.Columns...)}
	for _, r := range t.Rows {
		var row []string
		for _, x := range r.At {
			row = append(row, unquote(x))
		}
		for k := range t.Columns {
			cell := "0"
			if k < len(r.Values) {
				cell = formatCell(r, k)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

func unquote(value json.RawMessage) string { return strings.Trim(string(value), `"`) }

func (t *Table) printText(p *layout.Page) {
	t.printTitle(p)
	p.AddBlank()
	p.AddRows(2, t.formatRows(func(r Row, k int) string {
		if t.Exact && k < len(r.Exact) && r.Exact[k] != "" {
			return r.Exact[k]
		}
		return layout.FormatShort(r.Values[k])
	}))
}

func (t *Table) toJSON() any { return t }

func (t *Table) csvRows() [][]string {
	return t.formatRows(func(r Row, k int) string { return layout.FormatFull(r.Values[k]) })
}

// toSVG draws every column as a line over the rows.
func (t *Table) toSVG() []byte {
	var charts []plot.Chart
	for k, name := range t.Columns {
		line := plot.Lines{Series: []plot.Series{{Name: name}}}
		for _, r := range t.Rows {
			y := 0.0
			if k < len(r.Values) {
				y = r.Values[k]
			}
			line.Labels, line.Series[0].Y = append(line.Labels, unquote(r.At[0])), append(line.Series[0].Y, y)
		}
		charts = append(charts, line)
	}
	return plot.SVG(t.title(), charts...)
}
