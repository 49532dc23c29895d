// Package peer_test has another library, Excelize, write what workbook reads and read what it writes. It is a module of its
// own, so that the tests of the program need not build that library.
package peer_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workbook"
)

var seeds = flag.Uint64("seeds", 40, "write so many workbooks of random values")

const limit = 1 << 20

// setRandom gives a cell a random value, and returns how it is to be read.
func setRandom(f *excelize.File, sheet, name string, r *rand.Rand) (workbook.Cell, error) {
	words := []string{"axe", " two\nlines ", "<&>\"'", "ünï çödé 龍", "=1+1", "0012", "tab\there", "a_xb"}
	switch r.IntN(7) {
	case 0:
		x := float64(r.IntN(100_000)-50_000) / float64([]int{1, 1, 4, 10, 8}[r.IntN(5)])
		return workbook.Cell{Kind: workbook.Number, Text: fmt.Sprint(x)}, f.SetCellFloat(sheet, name, x, -1, 64)
	case 1:
		truth := r.IntN(2) == 0
		return workbook.Cell{Kind: workbook.Truth, Text: fmt.Sprint(truth)}, f.SetCellBool(sheet, name, truth)
	case 2:
		days := 61 + r.IntN(60_000)
		day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days)
		return workbook.Cell{Kind: workbook.Day, Text: fmt.Sprint(days)}, f.SetCellValue(sheet, name, day)
	case 3:
		return workbook.Cell{Formula: "=A1+1"}, f.SetCellFormula(sheet, name, "A1+1")
	case 4:
		runs := []excelize.RichTextRun{{Text: "long"}, {Text: " sword ", Font: &excelize.Font{Bold: true}}}
		return workbook.Cell{Text: "long sword "}, f.SetCellRichText(sheet, name, runs)
	}
	word := words[r.IntN(len(words))]
	return workbook.Cell{Text: word}, f.SetCellStr(sheet, name, word)
}

// readAll returns the cells of a sheet that have a value or a formula, by their names.
func readAll(w *workbook.Workbook, sheet string) (cells map[string]workbook.Cell, merged []string, err error) {
	cells = map[string]workbook.Cell{}
	merged, err = w.ReadSheet(sheet, func(row int, of []workbook.Cell) error {
		for _, c := range of {
			if c.Text != "" || c.Formula != "" {
				cells[workbook.CellName(c.Column, row)] = workbook.Cell{Kind: c.Kind, Text: c.Text, Formula: c.Formula}
			}
		}
		return nil
	})
	return cells, merged, err
}

// TestReadsWhatOthersWrite reads workbooks of random values that the other library has written.
func TestReadsWhatOthersWrite(t *testing.T) {
	for seed := range *seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		f := excelize.NewFile()
		var failed error
		want := map[string]map[string]workbook.Cell{}
		for _, sheet := range []string{"Sheet1", "It's & mine"} {
			if _, err := f.NewSheet(sheet); err != nil {
				t.Fatal(err)
			}
			want[sheet] = map[string]workbook.Cell{}
			for range 30 {
				name := workbook.CellName(r.IntN(40), r.IntN(60))
				if _, twice := want[sheet][name]; twice {
					continue
				}
				cell, err := setRandom(f, sheet, name, r)
				want[sheet][name] = cell
				failed = errors.Join(failed, err)
			}
		}
		failed = errors.Join(failed, f.MergeCell("Sheet1", "AX90", "AY91"),
			f.SetDefinedName(&excelize.DefinedName{Name: "part", RefersTo: "Sheet1!$A$1:$B$2"}))
		var data bytes.Buffer
		if err := errors.Join(failed, f.Write(&data), f.Close()); err != nil {
			t.Fatal(err)
		}
		w, err := workbook.Open(data.Bytes(), limit)
		if err != nil {
			t.Fatal(err)
		}
		names := []workbook.Name{{Name: "part", RefersTo: "Sheet1!$A$1:$B$2"}}
		if !reflect.DeepEqual(w.Names, names) || len(w.Sheets) != 2 {
			t.Errorf("seed %d: got the names %v and the sheets %q", seed, w.Names, w.Sheets)
		}
		for sheet, cells := range want {
			got, merged, err := readAll(w, sheet)
			if err != nil {
				t.Fatal(err)
			}
			for name, cell := range cells {
				if got[name] != cell {
					t.Errorf("seed %d, %s!%s: got %+v, want %+v", seed, sheet, name, got[name], cell)
				}
			}
			if len(got) != len(cells) || sheet == "Sheet1" && !slices.Equal(merged, []string{"AX90:AY91"}) {
				t.Errorf("seed %d, %s: got %d cells and %q merged, want %d", seed, sheet, len(got), merged, len(cells))
			}
		}
	}
}

// TestOthersReadWhatIsWritten has the other library read what is written.
func TestOthersReadWhatIsWritten(t *testing.T) {
	rows := [][]workbook.Value{
		{{Text: "name"}, {Text: "x"}}, {{Text: " _x000D_ \r\n\t\x01<&>"}, {Number: -0.1, IsNumber: true}},
		{{Text: "=1+1"}, {Number: 1e21, IsNumber: true}}, {}, {{Text: ""}, {Text: "龍"}},
	}
	var data bytes.Buffer
	err := workbook.Write(&data, []workbook.Sheet{{Name: "first", Rows: rows},
		{Name: "second", Rows: [][]workbook.Value{{{Number: 7, IsNumber: true}}}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(data.Bytes()), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, want := range map[string]string{"A1": "name", "B2": "-0.1", "A3": "=1+1", "B3": "1e+21", "B5": "龍", "A5": ""} {
		if got, err := f.GetCellValue("first", name); err != nil || got != want {
			t.Errorf("%s: another library reads %q, %v, want %q", name, got, err, want)
		}
	}
	if got := f.GetSheetList(); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("another library reads the sheets %q", got)
	}
}
