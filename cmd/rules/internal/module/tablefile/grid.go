// Package tablefile exchanges tables of rulesets with spreadsheets: CSV, TSV and XLSX.
//
// A sheet is a grid of texts. Its first row names the columns, its first column holds the keys. What is read becomes a
// homebrew of one ruleset, written with one cell a line, so that each problem that the compiler finds is told at the cell
// that it comes from. Nothing in a file is carried out: a formula is the value that its program kept beside it, and links,
// macros and styles are not looked at.
package tablefile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// Limits of a sheet. The largest table of a book that is known has some thousand cells.
const (
	maxRows     = 20_000
	maxColumns  = 200
	maxText     = 10_000   // bytes of a cell
	maxUnzipped = 64 << 20 // bytes of a workbook, and of each part of it
)

// A Grid is a sheet: rows of texts, all of one length.
type Grid struct {
	Name string // the file, and of a workbook the sheet behind it: weapons.csv, weapons.xlsx!Ranged
	Rows [][]string
}

// Cell returns the name of a cell, counted from 0: weapons.xlsx!Ranged!C7.
func (g *Grid) Cell(row, column int) string {
	name, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err != nil {
		return g.Name
	}
	return g.Name + "!" + name
}

// IsTableFile reports whether the name of a file ends as those do that Read reads.
func IsTableFile(name string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".xlsx"}, strings.ToLower(filepath.Ext(name)))
}

// Read reads a sheet of a file. A workbook with several sheets is asked for one of them; other files have none.
func Read(name, sheet string) (*Grid, error) {
	data, err := safefile.Read(name)
	if err != nil {
		return nil, err
	}
	g := &Grid{Name: filepath.ToSlash(name)}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
		g.Rows, err = readSeparated(data, ',')
	case ".tsv":
		g.Rows, err = readSeparated(data, '\t')
	case ".xlsx":
		return readWorkbook(g.Name, data, sheet)
	default:
		return nil, fmt.Errorf("%s is no sheet: its name ends in .csv, .tsv or .xlsx", name)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case sheet != "":
		return nil, fmt.Errorf("%s has no sheets: --sheet names one of a workbook, .xlsx", name)
	}
	return g, g.square()
}

// readSeparated reads rows whose cells a character separates. A mark of the byte order, which spreadsheet programs
// write, is no text.
func readSeparated(data []byte, separator rune) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.Comma, r.FieldsPerRecord = separator, -1
	return r.ReadAll()
}

// readWorkbook reads one sheet of a workbook.
func readWorkbook(name string, data []byte, sheet string) (*Grid, error) {
	f, err := excelize.OpenReader(bytes.NewReader(data),
		excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxUnzipped, RawCellValue: true})
	if err != nil {
		return nil, fmt.Errorf("%s is no workbook that can be read: %w", name, err)
	}
	defer f.Close()
	sheets := f.GetSheetList()
	switch {
	case sheet == "" && len(sheets) == 1:
		sheet = sheets[0]
	case sheet == "":
		return nil, fmt.Errorf("%s has the sheets %s: name one, --sheet NAME", name, strings.Join(sheets, ", "))
	case !slices.Contains(sheets, sheet):
		return nil, fmt.Errorf("%s has no sheet %q: it has %s", name, sheet, strings.Join(sheets, ", "))
	}
	g := &Grid{Name: name + "!" + sheet}
	merged, err := f.GetMergeCells(sheet)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	case len(merged) > 0:
		return nil, fmt.Errorf("%s!%s: the cells up to %s are merged: a table has one value in each cell", g.Name,
			merged[0].GetStartAxis(), merged[0].GetEndAxis())
	}
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	defer rows.Close()
	for rows.Next() && len(g.Rows) <= maxRows {
		cells, err := rows.Columns()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		g.Rows = append(g.Rows, cells)
	}
	return g, g.square()
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
			if len(row[c]) > maxText {
				return fmt.Errorf("%s: a cell has at most %d bytes", g.Cell(r, c), maxText)
			}
		}
	}
	for len(g.Rows) > 0 && isEmpty(g.Rows[len(g.Rows)-1]) {
		g.Rows = g.Rows[:len(g.Rows)-1]
	}
	switch {
	case len(g.Rows) > maxRows:
		return fmt.Errorf("%s has more than %d rows", g.Name, maxRows)
	case columns > maxColumns:
		return fmt.Errorf("%s has more than %d columns", g.Name, maxColumns)
	case len(g.Rows) < 2 || columns < 2:
		return fmt.Errorf("%s is no table: the first row names the columns, and the first column holds the keys", g.Name)
	}
	for r, row := range g.Rows {
		g.Rows[r] = append(row, make([]string, max(0, columns-len(row)))...)[:columns]
	}
	return nil
}

func isEmpty(row []string) bool {
	return !slices.ContainsFunc(row, func(s string) bool { return s != "" })
}
