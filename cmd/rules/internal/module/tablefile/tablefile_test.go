package tablefile

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// Keys of rows are read as books and spreadsheets write them.
func TestSpans(t *testing.T) {
	for text, want := range map[string]span{
		"5": {lo: 5, hi: 5}, "1-3": {lo: 1, hi: 3}, "01–05": {lo: 1, hi: 5}, "96-00": {lo: 96, hi: 100}, "00": {lo: 100, hi: 100},
		"7 to 9": {lo: 7, hi: 9}, "7 .. 9": {lo: 7, hi: 9}, "4+": {lo: 4, open: true}, "4 or more": {lo: 4, open: true},
		"from 3": {lo: 3, open: true}, ">= 2.5": {lo: 2.5, open: true}, "Above 3": {lo: 3, open: true, above: true},
		"-3 to -1": {lo: -3, hi: -1}, "\u22123–1": {lo: -3, hi: 1}, "0.5": {lo: 0.5, hi: 0.5},
	} {
		if got, ok := spanOf(text); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "3-1", "1-", "+", "1..2..3", "1.2.3", "head", "1,5"} {
		if got, ok := spanOf(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Texts that a program would take for a formula stand behind an apostrophe, and come back as they were.
func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "'=1": "''=1",
		"-30": "-30", "+2": "+2", "2d6": "2d6", "": "", "it's": "it's", "'tis": "'tis",
	} {
		if got := harmless(text); got != want || plain(got) != text {
			t.Errorf("%q: got %q, back %q", text, got, plain(got))
		}
	}
}

// Sheets that are none, or larger than any table, are refused before much of them is read.
func TestHostileSheets(t *testing.T) {
	dir := t.TempDir()
	merged := excelize.NewFile()
	for cell, text := range map[string]string{"A1": "key", "B1": "points", "A2": "hard", "B2": "3"} {
		if err := merged.SetCellStr("Sheet1", cell, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := merged.MergeCell("Sheet1", "A2", "A3"); err != nil {
		t.Fatal(err)
	}
	if err := merged.SaveAs(filepath.Join(dir, "merged.xlsx")); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"bomb.xlsx": bomb(t), "no.xlsx": []byte("PK\x03\x04 and no more"), "long.csv": []byte("key,a\n" + strings.Repeat("x,1\n", maxRows+1)),
		"wide.csv": []byte("key" + strings.Repeat(",a", maxColumns+1) + "\nx" + strings.Repeat(",1", maxColumns+1)),
		"fat.csv":  []byte("key,a\nx," + strings.Repeat("1", maxText+1)), "one.csv": []byte("key,a\n"), "quote.csv": []byte("key,\"a\nx,1\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"merged.xlsx": "merged.xlsx!Sheet1!A2: the cells up to A3 are merged", "bomb.xlsx": "is no workbook that can be read",
		"no.xlsx": "is no workbook that can be read", "long.csv": "more than 20000 rows", "wide.csv": "more than 200 columns",
		"fat.csv": "fat.csv!B2: a cell has at most 10000 bytes", "one.csv": "is no table", "quote.csv": "quote.csv: ",
		"missing.csv": "missing.csv", "sheet.ods": "no such file",
	} {
		_, err := Read(filepath.Join(dir, name), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// bomb is a workbook of a few kilobytes, parts of which are a hundred megabytes.
func bomb(t *testing.T) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range []string{"[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		part := bytes.Repeat([]byte(" "), 1<<20)
		for range 100 {
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
