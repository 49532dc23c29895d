package tablefile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// recorded returns a workbook that another library wrote: see workbook/peer.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".xlsx")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What a workbook says of a cell besides its text decides what it is: days that were ranges, truths, formulas.
func TestTypesOfWorkbooks(t *testing.T) {
	g, err := Read("a.xlsx", recorded(t, "types"), "")
	if err != nil {
		t.Fatal(err)
	}
	var armed []string
	for _, row := range g.Rows[1:] {
		armed = append(armed, row[1])
	}
	if want := []string{"true", "false", "true"}; !reflect.DeepEqual(armed, want) {
		t.Errorf("truths are %q, want %q", armed, want)
	}
	got := map[string]string{}
	for at, f := range g.faults {
		got[g.Cell(at.row, at.column)] = f.message
	}
	const day = "the cell is a date or a time, kept as 46025 (3 January 2026)"
	if want := map[string]string{
		"a.xlsx!Sheet1!A2": day, "a.xlsx!Sheet1!D2": day, "a.xlsx!Sheet1!E4": "the formula =E2+E3 has no value yet",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Numbers and truths are read as a workbook means them, however its program writes them.
func TestValuesOfWorkbooks(t *testing.T) {
	data := recorded(t, "values")
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.NewReplacer("<v>1.1<", "<v>1.1000000000000001<", "<v>0.25<", "<v>2.5E-1<", `t="b"><v>1<`, `t="b"><v>true<`,
		`t="b"><v>0<`, `t="b"><v>false<`)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range archive.File {
		part, err := fs.ReadFile(archive, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = other.WriteString(to, string(part))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"name", "weight", "armed"}, {"axe", "1.1", "true"}, {"bow", "none", "false"}, {"awl", "0.25", "true"}}
	g, err := Read("a.xlsx", out.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g.Rows, want) {
		t.Errorf("got %q, want %q", g.Rows, want)
	}
}

// The ends of a range are numbers of its sheet. One that only readers understand makes no table of words, and is refused.
func TestEndsOfRanges(t *testing.T) {
	for text, want := range map[string]string{
		"on;x\n0,5-1,4;1\n1,5-2;2": "bands 0.5 1.4", "from;x\n0,5;1\n1,5;2": "steps 0.5 0",
		"on;x\n1.000-2.000;1,5\n2.001+;2":    "bands 1000 2000",
		"on;x\n1.000-2.000;1\n2.001-3.000;2": "bands refused", "on,x\n\"1-1,000\",1\n\"1,001-2,000\",2": "bands refused",
		"on,x\n.5-1.5,1\n2,2": "bands 0.5 1.5",
	} {
		g, err := Read("a.csv", []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		row := 1
		if strings.Contains(text, "1,001") {
			row = 2
		}
		got := fmt.Sprint(kindOfKeys(g), " refused")
		if s, ok := g.spanOfKey(row); ok {
			got = fmt.Sprint(kindOfKeys(g), s.lo, s.hi)
		} else if g.repairSpan(g.Rows[row][0]) == "" {
			t.Errorf("%q: no repair", text)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What a program writes in place of a value is no text.
func TestNoValues(t *testing.T) {
	for _, text := range []string{"#SPILL!", "#CALC!", "Err:502", "#N/A", "########"} {
		_, err := Read("a.csv", []byte("name,effect\naxe,"+text+"\n"), "")
		if err == nil || !strings.HasPrefix(err.Error(), "a.csv!B2: "+text) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	g, err := Read("a.csv", []byte("name,mod\naxe,(3)\nbow,2\n"), "")
	if err != nil || formOfColumn(g, 1).kind != plan.Int || g.repairNumber("(3)") == "" {
		t.Errorf("a minus of accounts: got %v, %v", formOfColumn(g, 1), err)
	}
}

// A range of a sheet is read by its cells, in a workbook and in a file of rows; cells keep their names.
func TestRangesByCells(t *testing.T) {
	const text = "Weapons\n\nname damage\naxe 6\n\narmour soak\nmail 3\n"
	for _, c := range []struct {
		name, sheet, cell string
		data              []byte
	}{
		{"a.xlsx", "A6:B7", "a.xlsx!Sheet1!B7", recorded(t, "two_tables")},
		{"a.xlsx", "Sheet1!$A$6:$B$7", "a.xlsx!Sheet1!B7", recorded(t, "two_tables")},
		{"a.tsv", "A6:B7", "a.tsv!B7", []byte(strings.ReplaceAll(text, " ", "\t"))},
	} {
		g, err := Read(c.name, c.data, c.sheet)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := [][]string{{"armour", "soak"}, {"mail", "3"}}; !reflect.DeepEqual(g.Rows, want) || g.Cell(1, 1) != c.cell {
			t.Errorf("%s: got %q at %s, want %q at %s", c.name, g.Rows, g.Cell(1, 1), want, c.cell)
		}
	}
	_, err := Read("a.xlsx", recorded(t, "two_tables"), "")
	if err == nil || !strings.HasSuffix(err.Error(), "the table without its title is --sheet Sheet1!A3:B7") {
		t.Errorf("a title: got %v", err)
	}
}

// What lies behind the last row that is read is told, and not left out.
func TestLastRow(t *testing.T) {
	for name, data := range map[string][]byte{
		"far.xlsx": recorded(t, "last_row"), "far.csv": []byte("name,damage\naxe,6\n" + strings.Repeat("\n", maxRows) + "bow,7\n"),
	} {
		if _, err := Read(name, data, ""); err == nil || !strings.Contains(err.Error(), "more than 20000 rows") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Read("end.csv", []byte("name,damage\naxe,6\n"+strings.Repeat(",\n", maxRows)), ""); err != nil {
		t.Errorf("empty rows at the end: %v", err)
	}
}

// Files of rows are read as spreadsheet programs of all countries write them; another encoding is refused, and not guessed.
func TestSeparatedForms(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeffname;damage\naxe;1,5\n": "name|damage|axe|1,5", "sep=;\nname;damage\naxe;6\n": "name|damage|axe|6",
		"name\tdamage\naxe\t6\n": "name|damage|axe|6", "name,damage\raxe,6\r": "name|damage|axe|6",
		"\"a;b;c\",damage\r\naxe,6\r\n": "a;b;c|damage|axe|6", "name,damage\n\u00a0axe ,\u00a06\n": "name|damage|axe|6",
	} {
		g, err := Read("a.csv", []byte(text), "")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.Join(append(g.Rows[0], g.Rows[1]...), "|"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if g, err := Read("a.csv", []byte("Arms\n\nname;damage\naxe;6\n"), "A3:B4"); err != nil || g.Rows[1][1] != "6" {
		t.Errorf("below a title: got %v, %v", g, err)
	}
	for text, want := range map[string]string{
		"name,damage\n\xc4xt,6\n": "line 2 is no text in UTF-8", "\xff\xfen\x00,\x00": "the text is in UTF-16",
	} {
		if _, err := Read("a.csv", []byte(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// In a file with semicolons a comma begins the decimals; a point is then between thousands. Where no number has a comma, a
// point may be either.
func TestDecimalComma(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\n1,5;1.200": "1200", "a;b\n1,5;1.234,5": "2469/2", "a;b\n1,5;-0,25": "-1/4", "a;b\n2;1.200": "", "a;b\n2;0.125": "1/8",
		"a;b\n2;1.2": "6/5", "a,b\n2,1.200": "6/5", "a,b\n2,\"1,200\"": "",
	} {
		g, err := Read("a.csv", []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if x, ok := g.readNumber(g.Rows[1][1]); ok {
			got = x.RatString()
		} else if g.repairNumber(g.Rows[1][1]) == "" {
			t.Errorf("%q: no repair", text)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Headings of readers become names; what is left out of them would change the word in other alphabets.
func TestColumnNames(t *testing.T) {
	for text, want := range map[string]string{
		"Cost [gp]": "cost_gp", "Damage (dice)": "damage_dice", "AC/DR": "ac_dr", "two_handed": "two_handed", "# Appearing": "# appearing",
		"Rüstung": "rüstung",
	} {
		if got := columnName(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
