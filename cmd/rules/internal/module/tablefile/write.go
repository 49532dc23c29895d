package tablefile

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workbook"
)

// WriteSeparated writes a grid with a character between its cells.
func WriteSeparated(w io.Writer, g *Grid, separator rune) error {
	out := csv.NewWriter(w)
	out.Comma = separator
	for _, row := range g.Rows {
		safe := make([]string, len(row))
		for i, text := range row {
			safe[i] = harmless(text)
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteMarkdown writes a grid as a table of Markdown.
func WriteMarkdown(w io.Writer, g *Grid) error {
	var out strings.Builder
	for r, row := range g.Rows {
		for _, text := range row {
			out.WriteString("| " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) + " ")
		}
		out.WriteString("|\n")
		if r == 0 {
			out.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// WriteWorkbook writes each grid as a sheet of its name. Numbers are numbers there, and all else is text, which no program
// takes for a formula.
func WriteWorkbook(w io.Writer, grids []*Grid) error {
	var sheets []workbook.Sheet
	var names []string
	for _, g := range grids {
		name := sheetName(g.Name, names)
		names = append(names, name)
		sheet := workbook.Sheet{Name: name}
		for r, row := range g.Rows {
			values := make([]workbook.Value, len(row))
			for c, text := range row {
				values[c] = valueOf(text, r > 0 && c > 0 && g.isNumeric[c])
			}
			sheet.Rows = append(sheet.Rows, values)
		}
		sheets = append(sheets, sheet)
	}
	return workbook.Write(w, sheets)
}

// valueOf returns the value of a cell: a number where its column has numbers, unless a spreadsheet program would round it:
// these know no whole numbers beyond 2^53.
func valueOf(text string, isNumeric bool) workbook.Value {
	if x, ok := number(text); ok && isNumeric {
		if near, exact := x.Float64(); exact || !x.IsInt() {
			return workbook.Value{Number: near, IsNumber: true}
		}
	}
	if plain(text) != text { // import would take an apostrophe off that is the text's own
		text = "'" + text
	}
	return workbook.Value{Text: text}
}

// sheetName returns the name of a table as workbooks take it, short, and unlike those that are taken.
func sheetName(table string, taken []string) string {
	name := table[:min(len(table), workbook.MostName)]
	for n := 2; slices.Contains(taken, name); n++ {
		ending := strconv.Itoa(n)
		name = table[:min(len(table), workbook.MostName-len(ending))] + ending
	}
	return name
}

// harmless returns a text that no spreadsheet program takes for a formula: behind an apostrophe, which plain removes.
// Negative numbers are numbers.
func harmless(text string) string {
	if _, isNumber := number(text); isNumber || !beginsFormula(strings.TrimLeft(text, "'")) {
		return text
	}
	return "'" + text
}

// plain returns the text of a cell without the apostrophe that keeps it from being a formula.
func plain(text string) string {
	if rest, ok := strings.CutPrefix(text, "'"); ok && beginsFormula(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return text
}

func beginsFormula(text string) bool {
	return text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0]))
}
