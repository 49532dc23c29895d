package tablefile

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workbook"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # Texts that are not what was typed
//
// A spreadsheet program takes 1-3 for the third of January, 1/2 for the first of February, and keeps the number of a day; a
// file of CSV then says 3-Jan. A number that is written for readers, 1,200 or 35% or 6*, is a text. Each would become a key
// or a word in silence, so each is refused at its cell.

const dateRepair = "spreadsheet programs make a date of 1-3 or 1/2: format the column as text, and type the cell again"

// readCell returns the text of a cell of a workbook. What the workbook says of it besides decides what it is: a day is a
// number there, and a formula that was never computed has no text.
func (g *Grid) readCell(w *workbook.Workbook, at position, c *workbook.Cell) string {
	switch {
	case c.Formula != "":
		g.addFault(at.row, at.column, "open the workbook in a spreadsheet program, and save it",
			strings.TrimSuffix("the formula "+c.Formula, " =")+" has no value yet")
	case c.Kind == workbook.Day:
		kept := "the cell is the date " + c.Text
		if x, ok := number(c.Text); ok {
			days, _ := x.Float64()
			kept = "the cell is a date or a time, kept as " + c.Text
			if day, ok := w.DayOf(days); ok {
				kept += day.Format(" (2 January 2006)")
			}
		}
		g.addFault(at.row, at.column, dateRepair, kept)
	case c.Kind == workbook.Number:
		return shortest(c.Text)
	}
	return c.Text
}

// shortest returns a number of a workbook with the digits that tell it from its neighbours: spreadsheet programs keep
// 1.1 as 1.1000000000000001. Any other text, and an int, stays.
func shortest(text string) string {
	if !decimal().MatchString(text) || !strings.ContainsAny(text, ".eE") {
		return text
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (g *Grid) addFault(row, column int, repair, message string) {
	if g.faults == nil {
		g.faults = map[position]fault{}
	}
	g.faults[position{row, column}] = fault{message, repair}
}

const months = `(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zéû]*\.?`

var (
	// A day as files of CSV say it that was typed as 1-3: 3-Jan, 03. Jan, Jan-26.
	shortDay = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:[0-9]{1,2}(?:-|\. ?|/| )` + months + `|` + months + `(?:-| )[0-9]{2})$`)
	})
	// Any other day: 2026-01-03, 1/3/2026, 03.01.2026, 3-Jan-26.
	longDay = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|` +
			`[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2,4})?|[0-9]{1,2}[-. /]+` + months + `[-. /]+[0-9]{2,4})$`)
	})
)

// findDays refuses the days of a column in which all else is numbers, ranges or dice, and those of keys that are all short
// days. Beside words a day may be meant.
func (g *Grid) findDays(column int) {
	var days []int
	short, others := 0, 0
	for r, row := range g.Rows {
		text := plain(row[column])
		switch {
		case r == 0 || text == "" || g.faults[position{r, column}] != fault{}:
		case shortDay().MatchString(text):
			days, short = append(days, r), short+1
		case longDay().MatchString(text):
			days = append(days, r)
		default:
			others++
			_, isSpan := g.spanOf(text)
			if _, isNumber := g.readNumber(text); !isSpan && !isNumber && !isDice(text) {
				return
			}
		}
	}
	if others == 0 && (column > 0 || short < len(days)) {
		return
	}
	for _, r := range days {
		g.addFault(r, column, dateRepair, fmt.Sprintf("%q is a date", g.Rows[r][column]))
	}
}

// A commaUse is how a sheet writes numbers.
type commaUse byte

const (
	pointDecimal  commaUse = iota
	commaPossible          // cells are separated by semicolons, and no number has a comma
	commaDecimal           // and one has
)

// commaUseOf returns how numbers are written in a file whose cells semicolons separate.
func commaUseOf(rows [][]string) commaUse {
	for _, row := range rows {
		for _, text := range row {
			_, ends := endsOf(strings.TrimSpace(text))
			if slices.ContainsFunc(append(ends, strings.TrimSpace(text)), withComma().MatchString) {
				return commaDecimal
			}
		}
	}
	return commaPossible
}

var (
	withComma = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?[0-9]{1,3}(?:[0-9]*|(?:\.[0-9]{3})*),[0-9]+$`)
	})
	pointGroups = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+$`)
	})
	commaGroups = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(?:[,’' \x{a0}\x{202f}][0-9]{3})+(?:\.[0-9]+)?$`)
	})
	percent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?[0-9]+(?:[.,][0-9]+)?[ \x{a0}\x{202f}]?%$`)
	})
	inParentheses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\(([0-9]+(?:\.[0-9]+)?)\)$`) })
	footmark      = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([+-]?[0-9]+(?:\.[0-9]+)?) ?[*†‡§¹²³]+$`)
	})
)

// readNumber returns the number that a cell says in the form of its sheet.
func (g *Grid) readNumber(text string) (*big.Rat, bool) {
	switch {
	case g.comma == commaDecimal && withComma().MatchString(text):
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case g.comma == commaDecimal && pointGroups().MatchString(text):
		text = strings.ReplaceAll(text, ".", "")
	case g.comma == commaPossible && pointGroups().MatchString(text):
		return nil, false
	}
	return number(text)
}

// repairNumber returns what to write in place of a text that is a number for readers; "" for any other text.
func (g *Grid) repairNumber(text string) string {
	if m := footmark().FindStringSubmatch(text); m != nil {
		return "write " + m[1] + ", and the footnote in a column # doc"
	}
	if m := inParentheses().FindStringSubmatch(text); m != nil {
		return "where parentheses are a minus, write -" + m[1] + "; else " + m[1]
	}
	switch {
	case percent().MatchString(text):
		return "write the number without %, as the formulas read it"
	case g.comma == pointDecimal && withComma().MatchString(text) && !commaGroups().MatchString(text):
		return "write a decimal point: " + strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case commaGroups().MatchString(text) || pointGroups().MatchString(text):
		return "it is one number in some countries and another elsewhere: write it without a sign between the thousands"
	}
	return ""
}

// isForReaders reports whether a text is a number that only readers understand.
func (g *Grid) isForReaders(text string) bool { return g.repairNumber(text) != "" }

// refuseFaults refuses the cells that are not what was typed, and columns and rows that belong to no one table.
func (r *reader) refuseFaults(t *plan.Table) {
	for c, name := range r.g.Rows[0] {
		if c > 0 && isNote(name, t) {
			continue
		}
		if r.g.places == nil {
			r.g.findDays(c)
		}
		if name == "" && c > 0 {
			r.refuseNameless(c)
		}
	}
	for row := range r.g.Rows {
		for c, name := range r.g.Rows[0] {
			if f, ok := r.g.faults[position{row, c}]; ok && (c == 0 || !isNote(name, t)) {
				r.refuse(row, c, f.repair, "%s", f.message)
			}
		}
	}
}

// refuseNameless refuses a column without a name. An empty one stands between two tables.
func (r *reader) refuseNameless(column int) {
	last := len(r.g.Rows) - 1
	for _, row := range r.g.Rows {
		if row[column] != "" {
			r.refuse(0, column, "name it, or take it out of the range, --sheet "+r.g.rangeName(0, 0, last, column-1),
				"the column has no name")
			return
		}
	}
	r.refuse(0, column, "if a second table stands beside the first, name the range of one: --sheet "+
		r.g.rangeName(0, 0, last, max(1, column-1)), "the column is empty")
}

// isFaulty reports whether a cell was refused before it was read.
func (r *reader) isFaulty(row, column int) bool {
	_, ok := r.g.faults[position{row, column}]
	return ok
}

// refuseSecondTable refuses the row with which another table begins: behind an empty row, one whose cells are all names,
// where a column had none before.
func (r *reader) refuseSecondTable(forms []columnForm) {
	for i := 2; i < len(r.g.Rows); i++ {
		if !isEmpty(r.g.Rows[i-1]) || isEmpty(r.g.Rows[i]) {
			continue
		}
		names, differing := 0, false
		for c := 1; c < len(forms); c++ {
			text := r.g.Rows[i][c]
			if text == "" || !identifier().MatchString(columnName(text)) {
				continue
			}
			names++
			above := formOfRows(r.g, c, r.g.Rows[1:i])
			differing = differing || above.kind != plan.String || above.isDice
		}
		if names > 0 && differing {
			r.refuse(i, 0, "name the range of one table: --sheet "+r.g.rangeName(0, 0, i-2, len(r.g.Rows[0])-1),
				"another table seems to begin here")
		}
	}
}
