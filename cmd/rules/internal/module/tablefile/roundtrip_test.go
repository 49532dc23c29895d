package tablefile_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every table of what ships is the same after it was written as CSV, as TSV and as a sheet of a workbook, and read again.
func TestTablesComeBack(t *testing.T) {
	tables := 0
	for _, p := range gametest.ShippedPlans(t) {
		var grids []*tablefile.Grid
		for i := range p.Tables {
			if table := &p.Tables[i]; !table.IsDerived() && p.Across(table) == nil {
				grids = append(grids, tablefile.Of(p, table.ID))
			}
		}
		tables += len(grids)
		for _, g := range grids {
			compareWritten(t, p, g)
		}
	}
	if tables < 90 { // 91 stand in the five books
		t.Errorf("only %d tables were written", tables)
	}
}

// Texts come back whose blanks and ends of lines a sheet does not keep, or that are formulas, numbers and truths there.
func TestTextsComeBack(t *testing.T) {
	var rows strings.Builder
	for i, text := range []string{"plain", " before", "behind ", "  ", "", "two\nlines", "carriage\rreturn", "both\r\nsigns", "ends\n",
		"\nbegins", "\ttab", "a\ttab", "no break\u00a0", "\u2028separated", "\ufeffmarked", "'", "'=1+1", "=1+1", "\"quoted\"", "a,b;c",
		"12", "true", "null", "1e400"} {
		fmt.Fprintf(&rows, "\t%q: {text: %s, n: 1}\n", fmt.Sprint("row ", i), strconv.QuoteToASCII(text))
	}
	p := gametest.CompileParts(t, "tables: notes: {cite: \"Notes\", keyed: {\n"+rows.String()+"}}")
	compareWritten(t, p, tablefile.Of(p, "notes"))
}

// compareWritten wants a table to be the same after it was written in each format and read again.
func compareWritten(t *testing.T, p *plan.Plan, g *tablefile.Grid) {
	t.Helper()
	for ending, separator := range map[string]rune{".csv": ',', ".tsv": '\t'} {
		var text bytes.Buffer
		if err := tablefile.WriteSeparated(&text, g, separator); err != nil {
			t.Fatal(err)
		}
		compareTable(t, p, g.Name, g.Name+ending, text.Bytes(), "")
	}
	var book bytes.Buffer
	if err := tablefile.WriteWorkbook(&book, []*tablefile.Grid{g}); err != nil {
		t.Fatal(err)
	}
	compareTable(t, p, g.Name, "book.xlsx", book.Bytes(), "")
}

// One changed cell of a table is one changed line of the ruleset's files, wherever the author wrote the cell out. Those of
// the charts are computed from one list of numbers, and are refused.
func TestOneCellIsOneLine(t *testing.T) {
	written, refused := 0, map[string]bool{}
	for _, p := range gametest.ShippedPlans(t) {
		for _, table := range compiler.Drafts(load.Source{FS: rules.Files}, p.Ruleset)[0].Rules.Tables {
			if table.Across != nil {
				continue
			}
			g := tablefile.Of(p, table.ID)
			last := g.Rows[len(g.Rows)-1]
			last[1] = otherValue(last[1])
			e, problems, err := tablefile.WriteBack(p, table, g, func(name string) ([]byte, error) { return fs.ReadFile(rules.Files, name) },
				func(*book.Row, *book.Cell) bool { return true })
			switch {
			case err != nil:
				t.Errorf("%s.%s: %v", p.Ruleset, table.ID, err)
			case len(problems) > 0:
				refused[p.Ruleset+"."+table.ID] = true
			default:
				written++
				checkOneLine(t, p.Ruleset+"."+table.ID, e)
			}
		}
	}
	t.Logf("%d tables written, %d refused: %v", written, len(refused), slices.Sorted(maps.Keys(refused)))
	if written < 80 {
		t.Errorf("a cell of only %d tables is written back", written)
	}
}

// otherValue returns another value of the same type.
func otherValue(text string) string {
	switch n, err := strconv.Atoi(text); {
	case err == nil:
		return strconv.Itoa(n + 1)
	case text == "true":
		return "false"
	case text == "false":
		return "true"
	case strings.Contains(text, ".") && strings.Trim(text, "-0123456789.") == "":
		return text + "5"
	}
	return text + "x"
}

func checkOneLine(t *testing.T, table string, e *tablefile.SourceEdit) {
	if len(e.Files) != 1 || e.Changed != 1 {
		t.Errorf("%s: %d files for %d cells", table, len(e.Files), e.Changed)
	}
	for name, text := range e.Files {
		before, err := fs.ReadFile(rules.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		old, now := strings.Split(string(before), "\n"), strings.Split(string(text), "\n")
		differ := 0
		for i := range min(len(old), len(now)) {
			if old[i] != now[i] {
				differ++
			}
		}
		if len(old) != len(now) || differ != 1 {
			t.Errorf("%s: %s has %d lines of %d, of which %d differ", table, name, len(now), len(old), differ)
		}
	}
}

// compareTable reads a file as a table, which must say what the plan says.
func compareTable(t *testing.T, p *plan.Plan, table, file string, data []byte, sheet string) {
	g, err := tablefile.Read(file, data, sheet)
	if err != nil {
		t.Fatalf("%s.%s: %v", p.Ruleset, table, err)
	}
	h, problems := tablefile.Change(p, table, "house", g)
	if len(problems) > 0 {
		t.Fatalf("%s.%s: %v", p.Ruleset, table, problems)
	}
	if h.Changed+h.Added+h.Untold > 0 {
		t.Errorf("%s.%s from %s: %d changed, %d added, %d untold:\n%s", p.Ruleset, table, file, h.Changed, h.Added, h.Untold,
			strings.TrimSpace(h.Text()))
	}
}
