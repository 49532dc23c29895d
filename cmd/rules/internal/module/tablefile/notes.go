package tablefile

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # Notes
//
// A sheet may say more than its table has: where it stands in the book, what it means, which homebrew set a cell, what an
// erratum says. Such a column has one of four names that begin with #, which no column of a table can. Reading takes the
// cite and the doc of a new table, also from columns without the sign, and passes the other two over, so that a sheet with
// notes is read as the same table. Any other name that begins with # is no name of a column, and is refused.

// Names of the columns of notes.
const (
	citeNote    = "# cite"
	docNote     = "# doc"
	errataNote  = "# errata"
	changedNote = "# changed by"
)

// noteNames returns the names of the columns of notes, in their order.
func noteNames() []string { return []string{citeNote, docNote, errataNote, changedNote} }

// isNote reports whether a column holds notes, as cite and doc do where the table has no such columns.
func isNote(name string, t *plan.Table) bool {
	i, _ := t.Row.Field(name)
	return i < 0 && (name == "cite" || name == "doc" || slices.Contains(noteNames(), name))
}

// AddNotes adds columns of notes to the table of a plan. What is said of the whole table stands in the first row. Stages
// are the ruleset without homebrews, then with one more of them each, and last the plan.
func (g *Grid) AddNotes(p *plan.Plan, stages []*plan.Plan) {
	cite, doc := "", ""
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Kind == plan.TableEntry && e.ID == g.Name {
			cite, doc = e.Cite, e.Doc
		}
	}
	var errata []string
	for i := range p.Errata {
		if e := &p.Errata[i]; e.Cite == cite && cite != "" {
			errata = append(errata, e.ID+": printed "+e.Printed+"; ruled "+e.Ruled)
		}
	}
	table := []string{cite, doc, strings.Join(errata, "; ")}
	changes := g.findChanges(stages)
	for r := range g.Rows {
		notes := []string{"", "", "", ""}
		switch r {
		case 0:
			notes = noteNames()
		case 1:
			copy(notes, table)
		}
		if r > 0 {
			notes[3] = changes[r]
		}
		g.Rows[r] = append(slices.Clip(g.Rows[r]), notes...)
	}
	g.isNumeric = append(slices.Clip(g.isNumeric), make([]bool, 4)...)
}

// findChanges returns of each changed row the homebrews that set its cells, the last that did so for each.
func (g *Grid) findChanges(stages []*plan.Plan) map[int]string {
	out := map[int]string{}
	done := map[[2]int]bool{} // cells of which it is known who set them
	for i := len(stages) - 1; i > 0; i-- {
		before, after := rowsOf(stages[i-1], g.Name), rowsOf(stages[i], g.Name)
		by := stages[i].Overlays[len(stages[i].Overlays)-1]
		for r := 1; r < len(g.Rows); r++ {
			key := g.Rows[r][0]
			var said []string
			switch old, now := before[key], after[key]; {
			case now == nil || done[[2]int{r, 0}]:
				continue
			case old == nil:
				said = append(said, "row added")
				done[[2]int{r, 0}] = true
			default:
				for c := 1; c < len(old) && c < len(now); c++ {
					if old[c] != now[c] && !done[[2]int{r, c}] {
						said = append(said, g.Rows[0][c]+" was "+old[c])
						done[[2]int{r, c}] = true
					}
				}
			}
			if len(said) > 0 {
				out[r] = strings.TrimPrefix(out[r]+"; "+by+": "+strings.Join(said, ", "), "; ")
			}
		}
	}
	return out
}

// rowsOf returns the rows of a table by their keys; none of a table that the plan does not have.
func rowsOf(p *plan.Plan, table string) map[string][]string {
	out := map[string][]string{}
	if p.Table(table) == nil {
		return out
	}
	for _, cells := range describe.TableOf(p, table).Cells {
		out[cells[0]] = cells
	}
	return out
}

// readNotes returns what the columns of notes called cite or doc, with # or without, say of the whole table: the one text
// that stands there, in the first row or in all. Otherwise each belongs to its row, of which it becomes a comment.
func (g *Grid) readNotes(name string) (table string, rows map[int]string) {
	rows = map[int]string{}
	for c, head := range g.Rows[0] {
		if head != name && head != strings.TrimPrefix(name, "# ") {
			continue
		}
		for r, row := range g.Rows {
			if text := plain(row[c]); r > 0 && strings.TrimSpace(text) != "" {
				rows[r] = text
			}
		}
	}
	said := slices.Compact(slices.Sorted(maps.Values(rows)))
	if len(said) == 1 && rows[1] != "" {
		return said[0], nil
	}
	return "", rows
}
