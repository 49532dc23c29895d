package site

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/oddsquery"
)

// A gridView is the odds for each value of one input: a row for a value, a shaded column for a measure, and the values at
// which a chance is reached.
type gridView struct {
	Name    string
	Error   string
	Columns []string
	Rows    []gridRow
	Reached []string
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

// The bounds of a grid.
const (
	maxGridRows = 41
	gridReach   = 10 // steps to either side of a number that has no upper bound
)

// chances are the probabilities of which a grid says where they are reached.
var chances = []float64{.5, .75, .95}

// variable lists the fields of a form that a grid can run through.
func variable(fields []fieldView) []string {
	var out []string
	for i := range fields {
		if f := &fields[i]; len(f.Choices) > 0 || f.Number && f.Step == "1" {
			out = append(out, f.Label)
		}
	}
	return out
}

// gridOf answers for each value of an input.
func (s *server) gridOf(e *library.Edition, n *describe.Needs, q *asked, name string, fields []fieldView) *gridView {
	v := &gridView{Name: name}
	values := gridValues(fields, name)
	if values == nil {
		v.Error = "there is no input " + name + " with values to run through"
		return v
	}
	t := &oddspage.Table{Varied: []string{name}}
	query := oddsquery.Query{Options: q.options, FormulaFlag: "formulas", Budget: s.Budget / maxGridRows}
	err := e.Ask(n.ID, query, func(a *oddsquery.Asker) error {
		a.Character, a.Input = q.character, q.input
		for _, value := range values {
			d, err := a.OddsAt(oddsquery.Setting{Names: []string{name}, Values: []json.RawMessage{value}})
			if err != nil {
				return err
			}
			t.AddRow([]json.RawMessage{value}, d)
		}
		return nil
	})
	if err != nil {
		v.Error = wordError(err)
		return v
	}
	v.fill(t)
	return v
}

// gridValues are the values of a field: its choices, or whole numbers within its bounds around what it is.
func gridValues(fields []fieldView, name string) []json.RawMessage {
	var out []json.RawMessage
	for i := range fields {
		f := &fields[i]
		if f.Label != name {
			continue
		}
		for _, c := range f.Choices {
			if c.Value != "" {
				out = append(out, jsontext.Quote(c.Value))
			}
		}
		if f.Number && f.Step == "1" {
			lo, hi := f.reach()
			for x := lo; x <= hi; x++ {
				out = append(out, json.RawMessage(strconv.FormatInt(x, 10)))
			}
		}
	}
	return out
}

// reach is the first and the last of at most maxGridRows whole numbers within the bounds of a field: all that there are, or
// those around its value.
func (f *fieldView) reach() (lo, hi int64) {
	value, err := strconv.ParseInt(f.Value, 10, 64)
	lo, hi = value-gridReach, value+gridReach
	least, noMin := strconv.ParseInt(f.Min, 10, 64)
	most, noMax := strconv.ParseInt(f.Max, 10, 64)
	if noMin == nil && (err != nil || lo < least) {
		lo, hi = least, least+2*gridReach
	}
	if noMin == nil && noMax == nil && most-least < maxGridRows {
		return least, most
	}
	if noMax == nil {
		hi = min(hi, most)
	}
	return lo, hi
}

func (v *gridView) fill(t *oddspage.Table) {
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, c.Name)
	}
	for _, r := range t.Rows {
		row := gridRow{Value: strings.Trim(string(r.At[0]), `"`)}
		for _, c := range t.Columns {
			x, ok := r.Cell(c)
			switch {
			case !ok:
				row.Cells = append(row.Cells, gridCell{"no value", -1})
			case isChance(c.Name):
				row.Cells = append(row.Cells, gridCell{layout.FormatPercent(x), int(x * 10)})
			default:
				row.Cells = append(row.Cells, gridCell{layout.FormatShort(x), -1})
			}
		}
		v.Rows = append(v.Rows, row)
	}
	for _, c := range t.Columns {
		if strings.HasPrefix(c.Name, "P(") && !strings.Contains(c.Name, " = ") {
			v.addReached(t, c)
		}
	}
}

// isChance reports whether a column holds probabilities: all but means do.
func isChance(column string) bool { return !strings.HasPrefix(column, "mean ") }

// addReached says for which values a probability is at least each of the chances.
func (v *gridView) addReached(t *oddspage.Table, column oddspage.Column) {
	for _, least := range chances {
		var at []string
		for i, r := range t.Rows {
			if x, ok := r.Cell(column); ok && x >= least {
				at = append(at, v.Rows[i].Value)
			}
		}
		text := "for none of these"
		switch {
		case len(at) == len(t.Rows):
			text = "for all of these"
		case len(at) > 4:
			text = "for " + at[0] + " to " + at[len(at)-1]
		case len(at) > 0:
			text = "for " + strings.Join(at, ", ")
		}
		v.Reached = append(v.Reached, fmt.Sprintf("%s is at least %.0f%% %s", column.Name, 100*least, text))
	}
}
