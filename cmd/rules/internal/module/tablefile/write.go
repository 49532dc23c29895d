package tablefile

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"
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
	f := excelize.NewFile()
	defer f.Close()
	for i, g := range grids {
		name := sheetName(g.Name)
		if i == 0 {
			if err := f.SetSheetName("Sheet1", name); err != nil {
				return err
			}
		} else if _, err := f.NewSheet(name); err != nil {
			return err
		}
		for r, row := range g.Rows {
			for c, text := range row {
				if err := setCell(f, name, r, c, text, r > 0 && c > 0 && g.isNumeric[c]); err != nil {
					return err
				}
			}
		}
	}
	return f.Write(w)
}

// setCell writes a text into a cell, and as a number where its column has numbers, unless a spreadsheet program would round
// it: these know no whole numbers beyond 2^53.
func setCell(f *excelize.File, sheet string, row, column int, text string, isNumeric bool) error {
	cell, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err != nil {
		return err
	}
	if x, ok := number(text); ok && isNumeric {
		if near, exact := x.Float64(); exact || !x.IsInt() {
			return f.SetCellValue(sheet, cell, near)
		}
	}
	if plain(text) != text { // import would take an apostrophe off that is the text's own
		text = "'" + text
	}
	return f.SetCellStr(sheet, cell, text)
}

// sheetName returns the name of a table as workbooks take it, of at most 31 characters.
func sheetName(table string) string {
	return table[:min(len(table), excelize.MaxSheetNameLength)]
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
