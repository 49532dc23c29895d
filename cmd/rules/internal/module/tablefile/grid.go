// Package tablefile exchanges tables of rulesets with spreadsheets: CSV, TSV and XLSX.
//
// A sheet is a grid of texts. Its first row names the columns, its first column holds the keys. What is read becomes a
// homebrew of one ruleset, written with one cell a line, so that each problem that the compiler finds is told at the cell
// that it comes from. Nothing in a file is carried out: a formula is the value that its program kept beside it, and links,
// macros and styles are not looked at.
package tablefile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workbook"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
)

// Limits of a sheet. The largest table of a book that is known has some thousand cells.
const (
	maxRows     = 20_000
	maxColumns  = 200
	maxCells    = 400_000
	maxText     = 10_000   // bytes of a cell
	maxUnzipped = 64 << 20 // bytes of a workbook, and of each part of it
)

// A Grid is a sheet, or a range of one: rows of texts, all of one length.
type Grid struct {
	Name      string // the file, and of a workbook the sheet behind it: weapons.csv, weapons.xlsx!Ranged
	Rows      [][]string
	top, left int        // of the first cell, in its sheet
	places    [][]string // of each cell, where it comes from; nil of a sheet, whose cells have names
	isNumeric []bool     // of each column of a table, whether its type is a number's; nil of a sheet
	faults    map[position]fault
	comma     commaUse
}

// A position is a cell of a grid, counted from 0.
type position struct{ row, column int }

// A fault is why the text of a cell cannot be what was typed there, and what to do.
type fault struct{ message, repair string }

// Cell returns the name of a cell, counted from 0: weapons.xlsx!Ranged!C7.
func (g *Grid) Cell(row, column int) string {
	if g.places != nil {
		return g.places[row][column]
	}
	return g.Name + "!" + workbook.CellName(g.left+column, g.top+row)
}

// NewGrid returns a table of data that come from no sheet, with the place of each cell. All rows are of one length.
func NewGrid(name string, rows, places [][]string) *Grid {
	return &Grid{Name: name, Rows: rows, places: places}
}

// Read returns a sheet of a file, whose name says its format; the format of standard input follows from its first bytes.
// A workbook with several sheets is asked for one of them, or for a range that has a name; other files have none.
func Read(name string, data []byte, sheet string) (*Grid, error) {
	form := strings.ToLower(filepath.Ext(name))
	if name == Stdin {
		name, form = "stdin", formOf(data)
	}
	g := &Grid{Name: filepath.ToSlash(name)}
	switch form {
	case ".csv", ".tsv":
	case ".xlsx":
		return readWorkbook(g.Name, data, sheet)
	case ".xlsm", ".xls", ".ods":
		return nil, fmt.Errorf("%s is a workbook of another format: save it as .xlsx in the spreadsheet program", name)
	default:
		return nil, fmt.Errorf("%s is no sheet: its name ends in .csv, .tsv or .xlsx", name)
	}
	text, separator, err := decodeSeparated(data, form)
	if err == nil {
		g.Rows, err = readSeparated(text, separator)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sheet != "" {
		a, ok := parseArea("!" + sheet)
		if !ok {
			return nil, fmt.Errorf("%s has no sheets: --sheet names a range of it, A3:C9, or a sheet of a "+
				"workbook, .xlsx", name)
		}
		g.crop(a)
	}
	if separator == ';' {
		g.comma = commaUseOf(g.Rows)
	}
	return g, g.square()
}

// crop keeps the cells of an area.
func (g *Grid) crop(a area) {
	g.top, g.left = a.top, a.left
	g.Rows = g.Rows[min(a.top, len(g.Rows)):min(a.bottom+1, len(g.Rows))]
	for i, row := range g.Rows {
		g.Rows[i] = row[min(a.left, len(row)):min(a.right+1, len(row))]
	}
}

// Stdin is the name of standard input on a command line.
const Stdin = "-"

// formOf returns the ending that a file of these bytes would have.
func formOf(data []byte) string {
	head, _, _ := bytes.Cut(data, []byte("\n"))
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return ".xlsx"
	case bytes.ContainsRune(head, '\t'):
		return ".tsv"
	}
	return ".csv"
}

// readWorkbook reads one sheet of a workbook, or a range that has a name.
func readWorkbook(name string, data []byte, sheet string) (*Grid, error) {
	w, err := workbook.Open(data, maxUnzipped)
	if err != nil {
		return nil, notReadable(name, err)
	}
	area, err := findArea(w, name, sheet)
	if err != nil {
		return nil, err
	}
	g := &Grid{Name: name + "!" + area.sheet, top: area.top, left: area.left}
	refused := false
	merged, err := w.ReadSheet(area.sheet, func(row int, cells []workbook.Cell) error {
		err := g.readRow(w, area, row, cells)
		refused = err != nil
		return err
	})
	switch {
	case refused:
		return nil, err
	case err != nil:
		return nil, notReadable(g.Name, err)
	}
	if err := g.square(); err != nil {
		return nil, err
	}
	return g, refuseMerged(g, area, merged)
}

// notReadable refuses a workbook, or a sheet of it.
func notReadable(name string, err error) error {
	if errors.Is(err, workbook.ErrTooLarge) {
		return fmt.Errorf("%s is no workbook that can be read: it is larger than %d MB when unpacked", name,
			maxUnzipped>>20)
	}
	return fmt.Errorf("%s is no workbook that can be read: %w", name, err)
}

// readRow takes the cells of a row that lie in an area. Rows before it without cells are empty.
func (g *Grid) readRow(w *workbook.Workbook, a area, row int, cells []workbook.Cell) error {
	if row < a.top || row > a.bottom {
		return nil
	}
	row -= a.top
	var texts []string
	for i := range cells {
		c := &cells[i]
		if c.Column < a.left || c.Column > a.right || c.Text == "" && c.Formula == "" {
			continue
		}
		column := c.Column - a.left
		switch {
		case row >= maxRows:
			return errTooLong(g, row)
		case column >= maxColumns:
			return errTooWide(g)
		}
		texts = append(texts, make([]string, column+1-len(texts))...)
		texts[column] = g.readCell(w, position{row, column}, c)
	}
	if texts != nil {
		g.Rows = append(append(g.Rows, make([][]string, row-len(g.Rows))...), texts)
	}
	return nil
}

// errTooLong refuses the first row that lies behind the last that is read.
func errTooLong(g *Grid, row int) error {
	return fmt.Errorf("%s: the sheet has more than %d rows; name a range of it, --sheet", g.Cell(row, 0), maxRows)
}

// errTooWide refuses a sheet with more columns than any table has.
func errTooWide(g *Grid) error { return fmt.Errorf("%s has more than %d columns", g.Name, maxColumns) }

// An area is a part of a sheet; its limits are counted from 0, and belong to it.
type area struct {
	sheet                    string
	top, left, bottom, right int
}

// findArea returns the part of a workbook that a name says: a sheet, or a range that is called so.
func findArea(w *workbook.Workbook, file, name string) (area, error) {
	sheets := w.Sheets
	whole := area{sheet: name, bottom: math.MaxInt - 1, right: math.MaxInt - 1}
	if name == "" && len(sheets) == 1 {
		whole.sheet = sheets[0]
	}
	if slices.Contains(sheets, whole.sheet) {
		return whole, nil
	}
	text := name
	if !strings.Contains(name, "!") && len(sheets) == 1 {
		text = sheets[0] + "!" + name
	}
	if found, ok := parseArea(text); ok && slices.Contains(sheets, found.sheet) {
		return found, nil
	}
	var ranges []string
	for _, n := range w.Names {
		if n.Name != name {
			ranges = append(ranges, n.Name)
			continue
		}
		found, ok := parseArea(n.RefersTo)
		if !ok || !slices.Contains(sheets, found.sheet) {
			return area{}, fmt.Errorf("%s: the name %s stands for %s, which is no range of one sheet", file, name,
				n.RefersTo)
		}
		return found, nil
	}
	has := "the sheets " + strings.Join(sheets, ", ")
	if len(ranges) > 0 {
		has += " and the ranges " + strings.Join(ranges, ", ")
	}
	if name == "" {
		return area{}, fmt.Errorf("%s has %s: name one, --sheet NAME", file, has)
	}
	return area{}, fmt.Errorf("%s has no sheet and no range %q: it has %s", file, name, has)
}

// parseArea reads a range as workbooks write it: Ranged!$A$1:$C$7, 'My sheet'!$A$1:$C$7.
func parseArea(text string) (area, bool) {
	at := strings.LastIndex(text, "!")
	if at < 0 {
		return area{}, false
	}
	sheet, ends := text[:at], strings.ReplaceAll(text[at+1:], "$", "")
	if quoted, ok := strings.CutPrefix(sheet, "'"); ok {
		sheet = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), "''", "'")
	}
	first, last, _ := strings.Cut(ends, ":")
	return cellArea(sheet, first, last)
}

// cellArea returns the area from one cell to another.
func cellArea(sheet, first, last string) (area, bool) {
	left, top, isFirst := workbook.ParseCell(first)
	right, bottom, isLast := workbook.ParseCell(last)
	return area{sheet, top, left, bottom, right}, isFirst && isLast && left <= right && top <= bottom
}

// refuseMerged refuses merged cells in an area.
func refuseMerged(g *Grid, a area, merged []string) error {
	for _, cells := range merged {
		first, last, _ := strings.Cut(cells, ":")
		m, ok := cellArea(a.sheet, first, last)
		if !ok {
			return fmt.Errorf("%s has merged cells in %q, which is no range", g.Name, cells)
		}
		if m.left <= a.right && m.right >= a.left && m.top <= a.bottom && m.bottom >= a.top {
			return fmt.Errorf("%s!%s: the cells up to %s are merged: a table has one value in each cell; unmerge them, or "+
				"name the range without them, --sheet", g.Name, first, last)
		}
	}
	return nil
}

// square trims the cells, leaves out empty rows at the end, and gives all rows the same length. It refuses a sheet that is
// larger than any table.
func (g *Grid) square() error {
	columns := 0
	for r, row := range g.Rows {
		for c := range row {
			if row[c] = strings.TrimSpace(row[c]); row[c] != "" {
				columns = max(columns, c+1)
			}
			switch {
			case len(row[c]) > maxText:
				return fmt.Errorf("%s: a cell has at most %d bytes", g.Cell(r, c), maxText)
			case isFormulaError(row[c]):
				return fmt.Errorf("%s: %s is the error of a formula: mend it in the spreadsheet program", g.Cell(r, c),
					row[c])
			case isTooNarrow(row[c]):
				return fmt.Errorf("%s: %s stands for a number in a column that is too narrow: widen it in the spreadsheet "+
					"program, and save again", g.Cell(r, c), row[c])
			}
		}
	}
	for len(g.Rows) > 0 && isEmpty(g.Rows[len(g.Rows)-1]) {
		g.Rows = g.Rows[:len(g.Rows)-1]
	}
	switch {
	case columns > maxColumns:
		return errTooWide(g)
	case len(g.Rows)*columns > maxCells:
		return fmt.Errorf("%s has more than %d cells", g.Name, maxCells)
	case len(g.Rows) < 2 || columns < 2:
		return fmt.Errorf("%s is no table: the first row names the columns, and the first column holds the keys", g.Name)
	case !hasTwoCells(g.Rows[0]):
		return g.errNoHead(columns)
	}
	for r, row := range g.Rows {
		g.Rows[r] = append(row, make([]string, max(0, columns-len(row)))...)[:columns]
	}
	return nil
}

func hasTwoCells(row []string) bool {
	filled := 0
	for _, text := range row {
		if text != "" {
			filled++
		}
	}
	return filled > 1
}

// errNoHead refuses a sheet whose first row names no two columns, and proposes the range below a title.
func (g *Grid) errNoHead(columns int) error {
	repair := "the first row names the columns"
	if r := slices.IndexFunc(g.Rows, hasTwoCells); r >= 0 && r+1 < len(g.Rows) {
		repair += "; the table without its title is --sheet " + g.rangeName(r, 0, len(g.Rows)-1, columns-1)
	}
	return fmt.Errorf("%s: %q is alone in its row: %s", g.Cell(0, 0), g.Rows[0][0], repair)
}

// rangeName returns a range as --sheet takes it, without the file.
func (g *Grid) rangeName(top, left, bottom, right int) string {
	first, last := g.Cell(top, left), g.Cell(bottom, right)
	last = last[strings.LastIndex(last, "!")+1:]
	if _, inFile, ok := strings.Cut(first, "!"); ok {
		first = inFile
	}
	if strings.ContainsAny(first, " '()&;$") {
		return shell.Quote(first + ":" + last)
	}
	return first + ":" + last
}

// formulaErrors are the values of formulas that failed.
var formulaErrors = []string{"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!",
	"#FIELD!", "#BLOCKED!", "#CONNECT!", "#UNKNOWN!", "#BUSY!", "#GETTING_DATA"}

// isFormulaError reports whether a text is the value of a formula that failed, of which LibreOffice says Err:502.
func isFormulaError(text string) bool {
	code, isOffice := strings.CutPrefix(text, "Err:")
	return slices.Contains(formulaErrors, text) || isOffice && strings.Trim(code, "0123456789") == ""
}

// isTooNarrow reports whether a text is what spreadsheet programs show, and write to CSV, of a number in a column that is
// too narrow for it.
func isTooNarrow(text string) bool { return len(text) > 1 && strings.Trim(text, "#") == "" }

func isEmpty(row []string) bool {
	return !slices.ContainsFunc(row, func(s string) bool { return s != "" })
}
