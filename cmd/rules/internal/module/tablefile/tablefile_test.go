package tablefile

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
)

// Keys of rows are read as books and spreadsheets write them.
func TestSpans(t *testing.T) {
	for text, want := range map[string]span{
		"5": {lo: 5, hi: 5}, "1-3": {lo: 1, hi: 3}, "01–05": {lo: 1, hi: 5}, "96-00": {lo: 96, hi: 100}, "00": {lo: 100, hi: 100},
		"7 to 9": {lo: 7, hi: 9}, "7 .. 9": {lo: 7, hi: 9}, "4+": {lo: 4, open: true}, "4 or more": {lo: 4, open: true},
		"from 3": {lo: 3, open: true}, ">= 2.5": {lo: 2.5, open: true}, "Above 3": {lo: 3, open: true, above: true},
		"-3 to -1": {lo: -3, hi: -1}, "\u22123–1": {lo: -3, hi: 1}, "0.5": {lo: 0.5, hi: 0.5},
	} {
		if got, ok := new(Grid).spanOf(text); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "3-1", "1-", "+", "1..2..3", "1.2.3", "head", "1,5"} {
		if got, ok := new(Grid).spanOf(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Below a head that says from or above, a number alone is a limit.
func TestKeysBelowTheirHead(t *testing.T) {
	for head, want := range map[string]span{
		"on": {lo: 5, hi: 5}, "From": {lo: 5, open: true}, "above": {lo: 5, open: true, above: true},
	} {
		g := &Grid{Rows: [][]string{{head}, {"5"}}}
		if got, ok := g.spanOfKey(1); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", head, got, ok, want)
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
	for name, data := range map[string][]byte{
		"merged.xlsx": recorded(t, "merged"), "bomb.xlsx": bomb(t), "no.xlsx": []byte("PK\x03\x04 and no more"), "long.csv": []byte("key,a\n" + strings.Repeat("x,1\n", maxRows+1)),
		"wide.csv": []byte("key" + strings.Repeat(",a", maxColumns+1) + "\nx" + strings.Repeat(",1", maxColumns+1)),
		"fat.csv":  []byte("key,a\nx," + strings.Repeat("1", maxText+1)), "one.csv": []byte("key,a\n"), "quote.csv": []byte("key,\"a\nx,1\n"),
		"many.csv": []byte(strings.Repeat(strings.Repeat("1,", 99)+"1\n", maxCells/100+1)), "broken.csv": []byte("key,a\nx,#DIV/0!\n"),
		"sheet.ods": []byte("PK"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"merged.xlsx": "merged.xlsx!Sheet1!A2: the cells up to A3 are merged", "bomb.xlsx": "is no workbook that can be read",
		"no.xlsx": "is no workbook that can be read", "long.csv": "more than 20000 rows", "wide.csv": "more than 200 columns",
		"fat.csv": "fat.csv!B2: a cell has at most 10000 bytes", "one.csv": "is no table", "quote.csv": "quote.csv: ",
		"many.csv": "more than 400000 cells", "broken.csv": "broken.csv!B2: #DIV/0! is the error of a formula",
		"sheet.ods": "save it as .xlsx",
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(name, data, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// Rows are counted as a spreadsheet program counts them: empty lines are rows, and a cell of several lines lies in one.
func TestRowsOfLines(t *testing.T) {
	g, err := Read("lines.csv", []byte("key,a\n\n\"x\",\"1\n2\"\n\ny,3\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Rows) != 5 || g.Rows[2][1] != "1\n2" || g.Rows[4][0] != "y" {
		t.Errorf("got %q", g.Rows)
	}
}

// A range with a name is read alone, and its cells are called as in its sheet; what is merged outside does not matter.
func TestNamedRange(t *testing.T) {
	data := recorded(t, "named")
	g, err := Read("a.xlsx", data, "points")
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]string{{"key", "points"}, {"hard", "x"}}; !reflect.DeepEqual(g.Rows, want) {
		t.Errorf("got %q, want %q", g.Rows, want)
	}
	if got := g.Cell(1, 1); got != "a.xlsx!It's mine!D5" {
		t.Errorf("the cell is called %s", got)
	}
	for name, want := range map[string]string{"column": "which is no range of one sheet", "pints": "the ranges points, column"} {
		if _, err := Read("a.xlsx", data, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// Numbers are read exactly, and in the notation with exponents in which workbooks keep some.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"9007199254740993": "9007199254740993", "1E3": "1000", "1E-3": "1/1000", "\u22122.50": "-5/2", "007": "7",
	} {
		if x, ok := number(text); !ok || x.RatString() != want {
			t.Errorf("%s: got %v, want %s", text, x, want)
		}
	}
	for _, text := range []string{"", "1E9999", "0x10", "1/2", "1,5", "Inf", "1.", "."} {
		if x, ok := number(text); ok {
			t.Errorf("%q is read as %s", text, x)
		}
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"9007199254740993", "9007199254740992", false}, {"1.0", "1", true}, {`[1,{"x":2.50}]`, `[1.0,{"x":2.5}]`, true},
		{`"1"`, "1", false}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {"[1,2]", "[2,1]", false},
	} {
		if got := isSameJSON(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.same {
			t.Errorf("%s and %s: got %v", c.a, c.b, got)
		}
	}
}

// Strings and names are written as CUE reads them.
func TestCUE(t *testing.T) {
	for _, text := range []string{"a\nb", "\x01", "\u00e9 \U0001f600", `\(x)`, `"`, "\x7f", "\u2028"} {
		v := cuecontext.New().CompileString("x: " + quote(text))
		if got, err := v.LookupPath(cue.ParsePath("x")).String(); err != nil || got != text {
			t.Errorf("%q is written %s: got %q, %v", text, quote(text), got, err)
		}
	}
	for _, name := range []string{"for", "if", "let", "in", "true", "null", "import", "package", "_hidden", "__x", "#Def", "a b", "9", ""} {
		v := cuecontext.New().CompileString("rows: {\n" + label(name) + ": 5\n}")
		if got, err := v.LookupPath(cue.MakePath(cue.Str("rows"), cue.Str(name))).Int64(); err != nil || got != 5 {
			t.Errorf("%q is written %s: %v, %v", name, label(name), v, err)
		}
	}
}

// Nine cells of ten decide what a column is, so that the tenth is a mistake and not a word.
func TestFormOfColumn(t *testing.T) {
	for cells, want := range map[string]string{
		"1 2 3": "int", "1 2.5 3": "double", "1 1 1 1 1 1 1 1 1 1O": "int", "1 1 1 1 1 1 1 1 1O": "string", "yes no": "bool",
		"1d6 2d8+1 4": "dice", "1d6 1d6 1d6 1d6 1d6 1d6 1d6 1d6 1d6 2x6": "dice", "": "string", "sword": "string",
	} {
		g := &Grid{Rows: [][]string{{"a"}}}
		for _, text := range strings.Fields(cells) {
			g.Rows = append(g.Rows, []string{text})
		}
		if got := formOfColumn(g, 0); got.name != want {
			t.Errorf("%s: got %s, want %s", cells, got.name, want)
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

// TestFileNames names the files of tables so that CUE reads them.
func TestFileNames(t *testing.T) {
	for table, want := range map[string]string{
		"weapon": "table_weapon.cue", "tool": "table_tool_rows.cue", "skill_test": "table_skill_test_rows.cue", "tools": "table_tools.cue",
	} {
		if got := FileName(table); got != want {
			t.Errorf("%s: got %s, want %s", table, got, want)
		}
	}
}
