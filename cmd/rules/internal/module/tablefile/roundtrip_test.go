package tablefile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
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
	}
	if tables < 90 { // 91 stand in the five books
		t.Errorf("only %d tables were written", tables)
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
