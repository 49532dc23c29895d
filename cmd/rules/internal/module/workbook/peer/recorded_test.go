package peer_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

var update = flag.Bool("update", false, "write the workbooks that the tests of tablefile read")

// recorded are the workbooks that the tests of tablefile read, by their files: the rows of Sheet1, and what is done to them.
var recorded = map[string]struct {
	rows   [][]any
	change func(*excelize.File) error
}{
	"types": {
		[][]any{
			{"on", "armed", "hit", "at", "sum"}, {third, true, 0.35, third, 1}, {"4-6", false, 0.4, 3, 2}, {7, true, 1, 45000, nil},
		},
		func(f *excelize.File) error {
			return errors.Join(setFormat(f, "A2", 16, ""), setFormat(f, "D2", 0, `d/\ mmm;@`), setFormat(f, "C2", 9, ""),
				setFormat(f, "C3", 0, `0.0"days"`), setFormat(f, "D4", 0, `[Red]General\d`), f.SetCellFormula("Sheet1", "E4", "=E2+E3"))
		},
	},
	"values": {
		[][]any{{"name", "weight", "armed"}, {"axe", 1.1, true}, {"bow", "none", false}, {"awl", 0.25, true}}, nil,
	},
	"two_tables": {
		[][]any{{"Weapons"}, {}, {"name", "damage"}, {"axe", 6}, {}, {"armour", "soak"}, {"mail", 3}}, nil,
	},
	"last_row": {
		[][]any{{"name", "damage"}, {"axe", 6}},
		func(f *excelize.File) error { return f.SetCellStr("Sheet1", "A1048576", "bow") },
	},
	"merged": {
		[][]any{{"key", "points"}, {"hard", "3"}},
		func(f *excelize.File) error { return f.MergeCell("Sheet1", "A2", "A3") },
	},
	"named": {
		[][]any{{"Notes"}, {}, {}, {nil, nil, "key", "points"}, {nil, nil, "hard", "x"}, {nil, nil, "soft"}},
		func(f *excelize.File) error {
			return errors.Join(f.MergeCell("Sheet1", "A1", "F1"), f.SetSheetName("Sheet1", "It's mine"),
				f.SetDefinedName(&excelize.DefinedName{Name: "points", RefersTo: "'It''s mine'!$C$4:$D$5"}),
				f.SetDefinedName(&excelize.DefinedName{Name: "column", RefersTo: "'It''s mine'!$C:$D"}))
		},
	},
}

var third = time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)

// setFormat gives a cell a number format: one that is built in, or a text.
func setFormat(f *excelize.File, cell string, builtIn int, custom string) error {
	style := &excelize.Style{NumFmt: builtIn}
	if custom != "" {
		style.CustomNumFmt = &custom
	}
	id, err := f.NewStyle(style)
	return errors.Join(err, f.SetCellStyle("Sheet1", cell, cell, id))
}

// TestRecorded holds the workbooks that the tests of tablefile read to what the other library writes.
func TestRecorded(t *testing.T) {
	for name, x := range recorded {
		f := excelize.NewFile()
		var err error
		for i := range x.rows {
			err = errors.Join(err, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &x.rows[i]))
		}
		if x.change != nil {
			err = errors.Join(err, x.change(f))
		}
		var data bytes.Buffer
		if err := errors.Join(err, f.Write(&data), f.Close()); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "..", "tablefile", "testdata", name+".xlsx")
		if *update {
			if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !equalParts(t, kept, data.Bytes()) {
			t.Errorf("%s is not as it is written: go test -update", file)
		}
	}
}

// equalParts reports whether two workbooks have the same parts.
func equalParts(t *testing.T, a, b []byte) bool {
	t.Helper()
	var parts [2]map[string]string
	for i, data := range [][]byte{a, b} {
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = map[string]string{}
		for _, f := range archive.File {
			text, err := fs.ReadFile(archive, f.Name)
			if err != nil {
				t.Fatal(err)
			}
			parts[i][f.Name] = string(text)
		}
	}
	return maps.Equal(parts[0], parts[1])
}
