package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// compareLetters compares dead letters with the error lines of rules. path is false where the order of fields, and so the
// first that does not fit, may be another.
func compareLetters(t *testing.T, text []byte, want map[uint64]lineError) {
	t.Helper()
	got := map[uint64]evaluate.Letter{}
	last := -1
	for line := range bytes.Lines(text) {
		var l evaluate.Letter
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if int(l.Record) <= last {
			t.Errorf("record %d stands after %d", l.Record, last)
		}
		got[l.Record], last = l, int(l.Record)
	}
	if len(got) != len(want) {
		t.Errorf("%d dead letters, want %d", len(got), len(want))
	}
	for number, w := range want {
		l, ok := got[number]
		if !ok || l.Path != w.Error.Path || l.Status != w.Error.Status {
			t.Errorf("record %d: %+v, want %+v", number, l, w.Error)
		}
	}
}

// Sheets are those of "rules eval --ndjson", byte for byte, whatever the format, the road and the number of workers.
func TestSheetsAreThoseOfRules(t *testing.T) {
	b := need(t)
	flat := []string{"strength", "renown", "speed", "brave", "trade", "nick", "luck", "home.floor"}
	for _, rule := range []string{"strike", "flurry"} {
		for _, lists := range []bool{false, true} {
			dir := t.TempDir()
			list := muster(5000, lists)
			file := func(ext string) string { return filepath.Join(dir, "crowd."+ext) }
			writeText(t, file("ndjson"), lines(list))
			s := schemaFor(t, b.plan("arena"), rule, lists)
			for _, ext := range []string{"parquet", "arrow", "arrows"} {
				writeColumns(t, file(ext), s, list, 1700)
			}
			header := flat
			if lists {
				header = append(header[:len(header):len(header)], "scars", "foes")
			}
			writeCSV(t, file("csv"), header, list)
			common := []string{"--seed", "7"}
			if rule == "strike" {
				common = append(common, "--set", "foe=14")
			}
			want, errs := expected(t, b, file("ndjson"), append([]string{"--plan", b.plan("arena"), rule}, common...)...)
			if len(errs) < 100 || len(want) < 100_000 {
				t.Fatalf("%d lines without a sheet, %d bytes of sheets: too few to compare", len(errs), len(want))
			}
			for _, format := range source.Formats {
				for _, workers := range []string{"1", "3"} {
					t.Run(fmt.Sprint(rule, lists, format, workers), func(t *testing.T) {
						out := file("out.ndjson")
						status, _, said := population(t, nil, append([]string{"eval", b.plan("arena"), rule, file(string(format)),
							"-o", out, "--workers", workers}, common...)...)
						if status != unasked || !strings.Contains(said, fmt.Sprintf("%d of 5000 records", len(errs))) {
							t.Fatalf("status %d: %s", status, said)
						}
						if got := readText(t, out); !bytes.Equal(got, want) {
							t.Fatalf("sheets differ:\n%s", firstDifference(got, want))
						}
						compareLetters(t, readText(t, out+".dead.ndjson"), errs)
					})
				}
			}
		}
	}
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte{'\n'}), bytes.Split(want, []byte{'\n'})
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// outputsOf are the outputs in sheets, as JSON values.
func outputsOf(t *testing.T, sheets []byte) (out []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(sheets) {
		var sheet struct {
			Output map[string]any `json:"output"`
		}
		if err := json.Unmarshal(line, &sheet); err != nil {
			t.Fatal(err)
		}
		out = append(out, sheet.Output)
	}
	return out
}

// rowsOf are the rows of a file of columns, as JSON values.
func rowsOf(t *testing.T, name string) (out []map[string]any) {
	t.Helper()
	format, err := source.FormatOf(name, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := source.Open(name, format, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		p, err := r.Next()
		if err != nil {
			return out
		}
		err = p.Each(func(records *source.Records) error {
			text, err := records.Batch.MarshalJSON()
			if err != nil {
				return err
			}
			var rows []map[string]any
			if err := json.Unmarshal(text, &rows); err != nil {
				return err
			}
			out = append(out, rows...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Columns hold what the sheets hold, in the order of the records, and the same bytes for any number of workers.
func TestColumnsHoldTheSheets(t *testing.T) {
	b := need(t)
	for _, rule := range []string{"strike", "flurry"} {
		for _, lists := range []bool{false, true} {
			dir := t.TempDir()
			list := muster(5000, lists)
			file := func(name string) string { return filepath.Join(dir, name) }
			writeText(t, file("in.ndjson"), lines(list))
			writeColumns(t, file("in.parquet"), schemaFor(t, b.plan("arena"), rule, lists), list, 900)
			sheets, errs := expected(t, b, file("in.ndjson"), "--plan", b.plan("arena"), rule, "--seed", "9")
			want := outputsOf(t, sheets)
			for _, ext := range []string{"parquet", "arrow", "arrows", "csv"} {
				var first []byte
				for _, workers := range []string{"1", "2", "5"} {
					out := file("out." + ext)
					args := []string{"eval", b.plan("arena"), rule, file("in.parquet"), "-o", out, "--seed", "9",
						"--workers", workers}
					if status, _, said := population(t, nil, args...); status != unasked {
						t.Fatalf("status %d: %s", status, said)
					}
					text := readText(t, out)
					if first == nil {
						first = text
					}
					if !bytes.Equal(text, first) {
						t.Errorf("%s %s: %s workers write other bytes than one", rule, ext, workers)
					}
				}
				if ext == "csv" {
					continue
				}
				compareRows(t, rowsOf(t, file("out."+ext)), want, errs)
			}
		}
	}
}

// compareRows compares rows with the outputs of the sheets, and their numbers with those of the lines that have one.
func compareRows(t *testing.T, rows, want []map[string]any, errs map[uint64]lineError) {
	t.Helper()
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	number := uint64(0)
	for i, row := range rows {
		for ; errs[number].Error.Line != 0; number++ {
		}
		if row["record"] != float64(number) {
			t.Fatalf("row %d is of record %v, want %d", i, row["record"], number)
		}
		number++
		delete(row, "record")
		got, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		expect, err := json.Marshal(want[i])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, expect) {
			t.Fatalf("row %d: %s, want %s", i, got, expect)
		}
	}
}

// A file that is divided gives the answers of the whole when each part is told the number of its first record.
func TestFirst(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	list := muster(3000, false)
	s := schemaFor(t, b.plan("arena"), "strike", false)
	var parts []byte
	for i, r := range [][2]int{{0, 3000}, {0, 1100}, {1100, 3000}} {
		in, out := filepath.Join(dir, fmt.Sprint(i, ".parquet")), filepath.Join(dir, fmt.Sprint(i, ".ndjson"))
		writeColumns(t, in, s, list[r[0]:r[1]], 500)
		population(t, nil, "eval", b.plan("arena"), "strike", in, "-o", out, "--seed", "3", "--first", fmt.Sprint(r[0]))
		if i > 0 {
			parts = append(parts, readText(t, out)...)
		}
	}
	if whole := readText(t, filepath.Join(dir, "0.ndjson")); !bytes.Equal(whole, parts) || len(whole) == 0 {
		t.Errorf("the parts differ from the whole:\n%s", firstDifference(parts, whole))
	}
}

// Columns that the rule does not know are refused, unless they are kept; then each answer has those of its record.
func TestKeep(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	list := muster(2000, false)
	s := schemaFor(t, b.plan("arena"), "strike", false)
	for i, line := range list {
		list[i] = fmt.Appendf(line[:len(line)-1:len(line)-1], `,"player":"player %d"}`, i)
	}
	s = arrow.NewSchema(append(s.Fields(), arrow.Field{Name: "player", Type: arrow.BinaryTypes.String, Nullable: true}), nil)
	in, out := filepath.Join(dir, "in.parquet"), filepath.Join(dir, "out.parquet")
	writeColumns(t, in, s, list, 700)
	args := []string{"eval", b.plan("arena"), "strike", in, "-o", out, "--seed", "1"}
	if status, _, said := population(t, nil, args...); status != unasked || !strings.Contains(said, "column player") {
		t.Fatalf("status %d: %s", status, said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file of answers is there although nothing could be asked")
	}
	if status, _, said := population(t, nil, append(args, "--keep", "player")...); status != unasked {
		t.Fatalf("status %d: %s", status, said)
	}
	rows := rowsOf(t, out)
	for _, row := range rows {
		if row["player"] != fmt.Sprintf("player %v", row["record"]) {
			t.Fatalf("record %v has %v", row["record"], row["player"])
		}
	}
	if len(rows) < 1500 {
		t.Errorf("only %d rows", len(rows))
	}
}

// Arrow can be piped in and out.
func TestPipe(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	list := muster(50, false)[:11]
	in := filepath.Join(dir, "in.arrows")
	writeColumns(t, in, schemaFor(t, b.plan("arena"), "strike", false), list, 4)
	status, out, said := population(t, bytes.NewReader(readText(t, in)),
		"eval", b.plan("arena"), "strike", "-", "-o", "-", "--seed", "1")
	if status == unasked {
		t.Fatalf("status %d: %s", status, said)
	}
	piped := filepath.Join(dir, "out.arrows")
	writeText(t, piped, []byte(out))
	rows := rowsOf(t, piped)
	if len(rows)+strings.Count(said, "\"record\"") != len(list) {
		t.Errorf("%d rows, want one for each of %d records but those of %s", len(rows), len(list), said)
	}
}

// What cannot be asked says why and what to do.
func TestEvalErrors(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	s := schemaFor(t, b.plan("arena"), "strike", false)
	in := filepath.Join(dir, "in.parquet")
	writeColumns(t, in, s, muster(3, false), 3)
	csv := func(header string) string {
		name := filepath.Join(dir, header+".csv")
		writeText(t, name, []byte(header+"\n"))
		return name
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{in}, "name the file of the answers: -o FILE"},
		{[]string{in, "-o", "x.txt"}, "x.txt: the extension tells no format"},
		{[]string{filepath.Join(dir, "no.parquet"), "-o", "-"}, "no such file"},
		{[]string{in, "-o", "-", "--set", "foe=31"}, "input.foe: must be at most 30, not 31"},
		{[]string{in, "-o", "-", "--set", "fo=3"}, `did you mean "foe"`},
		{[]string{in, "-o", "-", "--set", "foe=3", "--set", "foe=4"}, "--set foe=4: foe is given twice"},
		{[]string{in, "-o", "-", "--option", "a=b", "--option", "a=c"}, "--option a=c: it is set to b already"},
		{[]string{in, "-o", "-", "--output", "hit"}, `did you mean "hits"`},
		{[]string{in, "-o", "-", "--to", "xls"}, `there is no format "xls"`},
		{[]string{in, "-o", "-", "--keep", "player"}, "has no such column"},
		{[]string{csv("strength,renwon"), "-o", "-"}, `column renwon: the rule asks for no such field; did you mean "renown"`},
		{[]string{csv("strength,strength"), "-o", "-"}, "column strength stands in the file twice"},
	} {
		status, _, said := population(t, nil, append([]string{"eval", b.plan("arena"), "strike"}, c.args...)...)
		if status != unasked || !strings.Contains(said, c.want) {
			t.Errorf("%v: status %d, %q, want %q", c.args, status, said, c.want)
		}
	}
	short := arrow.NewSchema(s.Fields()[1:], nil)
	writeColumns(t, in, short, [][]byte{[]byte(`{}`)}, 1)
	if _, _, said := population(t, nil, "eval", b.plan("arena"), "strike", in, "-o", "-"); !strings.Contains(said,
		"a column strength is missing: it must be int64") {
		t.Error(said)
	}
	wrong := arrow.NewSchema([]arrow.Field{{Name: "strength", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
	writeColumns(t, in, wrong, [][]byte{[]byte(`{}`)}, 1)
	if _, _, said := population(t, nil, "eval", b.plan("arena"), "strike", in, "-o", "-"); !strings.Contains(said,
		"column strength is float64, and must be int64") {
		t.Error(said)
	}
}
