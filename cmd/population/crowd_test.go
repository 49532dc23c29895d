package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
)

// A workbench is what the tests compare with: the program rules, and plans that it built.
type workbench struct {
	dir   string
	rules string
	err   error
}

// bench builds the program and the plans, once.
var bench = sync.OnceValue(func() (b workbench) {
	if b.dir, b.err = os.MkdirTemp("", "population"); b.err != nil {
		return b
	}
	b.rules = filepath.Join(b.dir, "rules")
	build := exec.Command("go", "build", "-o", b.rules, "./cmd/rules")
	build.Dir = filepath.Join("..", "..")
	if text, err := build.CombinedOutput(); err != nil {
		b.err = fmt.Errorf("%w: %s", err, text)
		return b
	}
	module := filepath.Join(b.dir, "module")
	b.err = os.CopyFS(module, os.DirFS(filepath.Join("testdata", "module")))
	if b.err != nil {
		return b
	}
	reference := filepath.Join("..", "..", "runtime", "bench", "record", "ruleset", "reference.cue")
	text, err := os.ReadFile(reference)
	if b.err = err; err != nil {
		return b
	}
	b.err = os.MkdirAll(filepath.Join(module, "tables", "reference"), 0o755)
	if b.err != nil {
		return b
	}
	b.err = os.WriteFile(filepath.Join(module, "tables", "reference", "reference.cue"), text, 0o644)
	for _, id := range []string{"arena", "reference"} {
		if b.err != nil {
			return b
		}
		var text []byte
		text, b.err = exec.Command(b.rules, "build", id, "--dir", module, "-o", b.plan(id)).CombinedOutput()
		if b.err != nil {
			b.err = fmt.Errorf("%w: %s", b.err, text)
		}
	}
	return b
})

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(bench().dir)
	os.Exit(status)
}

func (b *workbench) plan(id string) string { return filepath.Join(b.dir, id+".plan") }

// need gives the workbench.
func need(t testing.TB) *workbench {
	t.Helper()
	b := bench()
	if b.err != nil {
		t.Fatal(b.err)
	}
	return &b
}

// schemaFor is the schema of the records of a rule, all of whose columns may be null, with or without the columns of
// lists and maps.
func schemaFor(t testing.TB, planFile, rule string, lists bool) *arrow.Schema {
	t.Helper()
	program, err := loadPlan(planFile, rule)
	if err != nil {
		t.Fatal(err)
	}
	var fields []arrow.Field
	for _, f := range columns.InputSchema(program.Plan(), &program.Plan().Rules[0]).Fields() {
		f.Nullable = true
		if id := f.Type.ID(); f.Name != columns.InputColumn && (lists || id != arrow.LIST && id != arrow.MAP) {
			fields = append(fields, f)
		}
	}
	return arrow.NewSchema(fields, nil)
}

// A fighter is a character of the arena, as JSON has it.
type fighter struct {
	Strength int64            `json:"strength"`
	Renown   int64            `json:"renown"`
	Speed    float64          `json:"speed"`
	Brave    *bool            `json:"brave,omitempty"`
	Trade    *string          `json:"trade,omitempty"`
	Nick     *string          `json:"nick,omitempty"`
	Luck     *int64           `json:"luck,omitempty"`
	Home     map[string]int64 `json:"home"`
	Scars    map[string]int64 `json:"scars,omitempty"`
	Foes     []int64          `json:"foes,omitempty"`
}

// muster makes lines of fighters: with lists and maps or without, and some of whom do not fit, are refused, or fail.
func muster(n int, lists bool) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(share int) bool { return r.IntN(100) < share }
	var out [][]byte
	for i := range n {
		trade := []string{"smith", "bard", "thief"}[r.IntN(3)]
		f := fighter{Strength: 1 + r.Int64N(20), Renown: r.Int64N(1000), Speed: float64(1+r.IntN(400)) / 8,
			Trade: &trade, Home: map[string]int64{"floor": r.Int64N(13) - 3}}
		brave, nick, luck := pick(70), fmt.Sprintf("nick %d \"q\" é", r.IntN(50)), r.Int64N(10)
		if pick(60) {
			f.Brave = &brave
		}
		if pick(50) {
			f.Nick = &nick
		}
		if pick(50) {
			f.Luck = &luck
		}
		if lists {
			f.Scars = map[string]int64{"arm": r.Int64N(3), "leg": 1}
			f.Foes = []int64{r.Int64N(9), 2}[:r.IntN(3)]
		}
		switch baker := "baker"; i % 97 {
		case 11:
			f.Strength = 21
		case 22:
			f.Speed = 0
		case 33:
			f.Trade = &baker
		case 44:
			f.Home["floor"] = -4
		case 55:
			f.Trade = nil
		}
		line, err := json.Marshal(f)
		if err != nil {
			panic(err)
		}
		out = append(out, line)
	}
	return out
}

// lines are the texts one below the other.
func lines(list [][]byte) []byte { return append(bytes.Join(list, []byte{'\n'}), '\n') }

// batchOf makes columns of lines.
func batchOf(t testing.TB, s *arrow.Schema, list [][]byte) arrow.RecordBatch {
	t.Helper()
	entries := make([][]byte, len(list))
	for i, line := range list {
		entries[i] = withEntries(t, line)
	}
	text := slices.Concat([]byte{'['}, bytes.Join(entries, []byte{','}), []byte{']'})
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, s, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// withEntries is a line whose map is written as Arrow's JSON has maps: a list of keys and values.
func withEntries(t testing.TB, line []byte) []byte {
	t.Helper()
	var of map[string]json.RawMessage
	if err := json.Unmarshal(line, &of); err != nil {
		t.Fatal(err)
	}
	if of["scars"] == nil {
		return line
	}
	var scars map[string]int64
	if err := json.Unmarshal(of["scars"], &scars); err != nil {
		t.Fatal(err)
	}
	type entry struct {
		Key   string `json:"key"`
		Value int64  `json:"value"`
	}
	entries := []entry{}
	for key, value := range scars {
		entries = append(entries, entry{key, value})
	}
	var err error
	if of["scars"], err = json.Marshal(entries); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// writeColumns writes lines into a file of a format, in pieces of so many rows.
func writeColumns(t testing.TB, name string, s *arrow.Schema, list [][]byte, rows int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	switch filepath.Ext(name) {
	case ".parquet":
		w, err = pqarrow.NewFileWriter(s, f, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties())
	case ".arrow":
		w, err = ipc.NewFileWriter(f, ipc.WithSchema(s))
	default:
		w = ipc.NewWriter(f, ipc.WithSchema(s))
	}
	if err != nil {
		t.Fatal(err)
	}
	for piece := range slices.Chunk(list, rows) {
		if err := w.Write(batchOf(t, s, piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeCSV writes lines as rows, with the members of records as columns.
func writeCSV(t testing.TB, name string, header []string, list [][]byte) {
	t.Helper()
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := w.Write(header); err != nil {
		t.Fatal(err)
	}
	for _, line := range list {
		var of map[string]json.RawMessage
		if err := json.Unmarshal(line, &of); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(header))
		for i, column := range header {
			outer, inner, nested := strings.Cut(column, ".")
			cell := of[outer]
			if nested {
				var record map[string]json.RawMessage
				if err := json.Unmarshal(cell, &record); err != nil {
					t.Fatal(err)
				}
				cell = record[inner]
			}
			if len(cell) > 0 && cell[0] == '"' {
				var s string
				if err := json.Unmarshal(cell, &s); err != nil {
					t.Fatal(err)
				}
				cell = []byte(s)
			}
			row[i] = string(cell)
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	writeText(t, name, text.Bytes())
}

func writeText(t testing.TB, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func readText(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A lineError is what rules answers to a line that has no sheet.
type lineError struct {
	Error struct {
		Line    uint64 `json:"line"`
		Path    string `json:"path"`
		Message string `json:"message"`
		Status  int    `json:"status"`
	} `json:"error"`
}

// expected is what "rules eval --ndjson" answers: the sheets, and by number what was said of lines without one.
func expected(t testing.TB, b *workbench, ndjson string, args ...string) (sheets []byte, errs map[uint64]lineError) {
	t.Helper()
	var diagnostics bytes.Buffer
	c := exec.Command(b.rules, append([]string{"eval", "--ndjson", ndjson}, args...)...)
	c.Stderr = &diagnostics
	text, err := c.Output()
	if len(text) == 0 {
		t.Fatalf("rules %v: %v: %s", args, err, &diagnostics)
	}
	errs = map[uint64]lineError{}
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte(`{"error"`)) {
			sheets = append(sheets, line...)
			continue
		}
		var e lineError
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		errs[e.Error.Line-1] = e
	}
	return sheets, errs
}

// population carries out a command line and gives its status and what it said.
func population(t testing.TB, in io.Reader, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(args, in, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}
