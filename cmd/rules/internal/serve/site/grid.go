package site

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A gridView is the odds for each value of one or two inputs, shaded by how likely they are. Over one input a column is a
// measure, and it says at which values a chance is reached; over two there is a table for each measure.
type gridView struct {
	Title   string
	Error   string
	Tables  []gridTable
	Reached []reachedRow
	words   *say.Teller
	fields  []fieldView // that are varied
}

// A gridTable has a row for each value of an input.
type gridTable struct {
	Caption string // the measure; "" when each column is one
	Corner  string // the input of the rows
	Columns []string
	Rows    []gridRow
}

type gridRow struct {
	Value string
	Cells []gridCell
}

// A gridCell is a number; Shade is its tenth of certainty, -1 for what is no probability.
type gridCell struct {
	Text  string
	Shade int
}

// A reachedRow says at which values of the input something is at least as likely as each of the chances.
type reachedRow struct {
	Name string
	At   []string
}

// Chances are the heads of the columns of Reached.
func (v *gridView) Chances() []string {
	var out []string
	for _, c := range chances {
		out = append(out, layout.FormatShortPercent(c))
	}
	return out
}

// newGrid answers for each value of the input that is varied, or each two values of two.
//
// The budget of states is that of the question and shared by all cells: 256 cells of a dear rule
// end in one refusal and not in 256 times the work.
func newGrid(ctx context.Context, a *oddsquery.Asker, words *say.Teller, fields []fieldView, names []string) *gridView {
	var labels []string
	v := &gridView{words: words}
	for _, name := range names {
		field := fields[slices.IndexFunc(fields, func(f fieldView) bool { return f.Path == name })]
		labels, v.fields = append(labels, field.Label), append(v.fields, field)
	}
	v.Title = "Over " + strings.Join(labels, " and ")
	settings, across := gridSettings(fields, names)
	t := &oddspage.Table{Varied: labels}
	var err error
	left := a.Budget
	for _, setting := range settings {
		var d *oddsquery.Answer
		if d, err = a.For(a.Request, max(1, left)).OddsAt(ctx, setting); err != nil { // 0 would mean the default
			break
		}
		left -= d.Spent
		t.AddRow(setting.Values, oddspage.OfAnswer(t.Subject, d))
	}
	switch {
	case err != nil:
		v.Error = exit.PathOnly(err).Error()
	case across == 0:
		v.fillRows(t)
	default:
		v.fillTables(t, across)
	}
	return v
}

// gridSettings returns the values of one input, or the pairs of values of two; across is the number of values of the
// second one.
//
// The second input gets the cells that the first one leaves, so that two wide inputs become a smaller table instead of
// none.
func gridSettings(fields []fieldView, names []string) (settings []oddsquery.Setting, across int) {
	down := gridValues(fields, names[0], maxGridRows)
	if len(names) == 1 {
		for _, x := range down {
			settings = append(settings, oddsquery.Setting{Names: names, Values: []json.RawMessage{x}})
		}
		return settings, 0
	}
	second := gridValues(fields, names[1], max(1, maxGridCells/max(1, len(down))))
	for _, x := range down {
		for _, y := range second {
			settings = append(settings, oddsquery.Setting{Names: names, Values: []json.RawMessage{x, y}})
		}
	}
	return settings, len(second)
}

// fillRows shows one input: a row for each value, a column for each measure.
func (v *gridView) fillRows(t *oddspage.Table) {
	table := gridTable{Corner: t.Varied[0]}
	for _, c := range t.Columns {
		table.Columns = append(table.Columns, v.measureText(c.Name))
	}
	for _, r := range t.Rows {
		row := gridRow{Value: v.valueText(0, r.At[0])}
		for _, c := range t.Columns {
			row.Cells = append(row.Cells, newGridCell(r, c))
		}
		table.Rows = append(table.Rows, row)
	}
	v.Tables = []gridTable{table}
	for _, c := range t.Columns {
		if strings.HasPrefix(c.Name, "P(") && !strings.Contains(c.Name, " = ") {
			v.addReached(t, c)
		}
	}
}

// fillTables shows two inputs: a table for each measure of truths and numbers.
func (v *gridView) fillTables(t *oddspage.Table, across int) {
	for _, c := range t.Columns {
		if strings.Contains(c.Name, " = ") {
			continue
		}
		table := gridTable{Caption: v.measureText(c.Name), Corner: t.Varied[0] + " \\ " + t.Varied[1]}
		for _, r := range t.Rows[:across] {
			table.Columns = append(table.Columns, v.valueText(1, r.At[1]))
		}
		for rows := range slices.Chunk(t.Rows, across) {
			row := gridRow{Value: v.valueText(0, rows[0].At[0])}
			for _, r := range rows {
				row.Cells = append(row.Cells, newGridCell(r, c))
			}
			table.Rows = append(table.Rows, row)
		}
		v.Tables = append(v.Tables, table)
	}
}

// valueText returns a value of the input that is varied, in the words of its choices.
func (v *gridView) valueText(of int, value json.RawMessage) string {
	text := view.TextOfJSON(value)
	for _, c := range v.fields[of].Choices {
		if c.Value == text && c.Label != "" {
			return c.Label
		}
	}
	return text
}

// measureText returns a measure, such as "mean NAME", "P(NAME)" or "P(NAME = VALUE)", in the words of the ruleset.
func (v *gridView) measureText(name string) string {
	if rest, is := strings.CutPrefix(name, "mean "); is {
		return v.words.Heading(rest) + ", on average"
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(name, "P("), ")")
	if output, value, is := strings.Cut(inner, " = "); is {
		return v.words.Heading(output) + ": " + v.words.LabelOf(output, value)
	}
	return v.words.Heading(inner)
}

// A shade is a tenth of the chance: coarse enough to see a pattern across a table at a glance.
func newGridCell(r oddspage.Row, c oddspage.Column) gridCell {
	switch x, ok := r.Cell(c); {
	case !ok:
		return gridCell{"no value", -1}
	case isChance(c.Name):
		return gridCell{layout.FormatShortPercent(x), int(x * 10)}
	default:
		return gridCell{layout.FormatShort(x), -1}
	}
}

// isChance reports whether a column holds probabilities: all but means do.
func isChance(column string) bool { return !strings.HasPrefix(column, "mean ") }

// addReached adds the values at which a probability is at least each of the chances. A row that reaches none is left
// out.
func (v *gridView) addReached(t *oddspage.Table, column oddspage.Column) {
	row, isReached := reachedRow{Name: v.measureText(column.Name)}, false
	for _, least := range chances {
		var at []int
		for i, r := range t.Rows {
			if x, ok := r.Cell(column); ok && x >= least {
				at = append(at, i)
			}
		}
		isReached = isReached || len(at) > 0
		row.At = append(row.At, v.reachedAt(t, at))
	}
	if isReached {
		v.Reached = append(v.Reached, row)
	}
}

// reachedAt names the rows of a table at which something is reached; many that follow each other by the first and the last.
func (v *gridView) reachedAt(t *oddspage.Table, at []int) string {
	switch n := len(at); {
	case n == 0:
		return "none of these"
	case n == len(t.Rows):
		return "all of these"
	case n > 3 && at[n-1]-at[0] == n-1:
		return v.valueText(0, t.Rows[at[0]].At[0]) + " to " + v.valueText(0, t.Rows[at[n-1]].At[0])
	}
	var names []string
	for _, i := range at {
		names = append(names, v.valueText(0, t.Rows[i].At[0]))
	}
	return strings.Join(names, ", ")
}
