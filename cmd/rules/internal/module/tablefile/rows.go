package tablefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A sheetRow is a row of a sheet, read for a table.
type sheetRow struct {
	row   int // of the grid
	key   plan.RowKey
	cells []sheetCell
	// of the table's row with this key, the cells by column; nil when it is new
	known map[string]json.RawMessage
}

func (r *sheetRow) isNew() bool { return r.known == nil }

// A sheetCell is a cell of a row, in JSON.
type sheetCell struct {
	column int // of the grid
	field  *plan.Field
	value  json.RawMessage
}

// areJudged reports whether the compiler can judge a table's rows without those that were left out. Between rows of numbers
// they would be gaps.
func (r *reader) areJudged(k plan.TableKind) bool { return len(r.list) == 0 || !k.HasNumbers() }

// findColumns returns the field of the table that each column of the sheet is; nil of the first, which holds the keys, and
// of notes.
func (r *reader) findColumns(t *plan.Table) []*plan.Field {
	out := make([]*plan.Field, len(r.g.Rows[0]))
	names := t.Row.FieldNames()
	for c, name := range r.g.Rows[0] {
		if c == 0 || name == "" || isNote(name, t) {
			continue
		}
		i, _ := t.Row.Field(columnName(name))
		switch {
		case i < 0:
			repair := "it has " + strings.Join(names, ", ")
			if near := spell.Nearest(name, names); near != "" {
				repair = fmt.Sprintf("did you mean %s", near)
			}
			r.refuse(0, c, repair, "table %s has no column %q", t.ID, name)
		case slices.Contains(out, &t.Row.Fields[i]):
			r.refuse(0, c, "", "column %s stands here twice", name)
		default:
			out[c] = &t.Row.Fields[i]
		}
	}
	return out
}

// columnName returns the name of a column as rulesets write names: Cost [gp] is cost_gp. A sign # at the beginning stays.
func columnName(text string) string {
	if strings.HasPrefix(text, "#") {
		return strings.ToLower(text)
	}
	isBetween := func(r rune) bool { return r < utf8.RuneSelf && r != '_' && !isLetterOrDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), isBetween), "_")
}

func isLetterOrDigit(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

// readRows returns the rows of the sheet with the rows of a table that have their keys. The table is nil of a new one.
//
// An empty cell is the empty string in a column of strings. Elsewhere it says nothing: a row of the table would silently
// keep what it has, so it is refused there, and the compiler asks a new row for it. New rows with a refused cell are left
// out.
func (r *reader) readRows(t *plan.Table, known *describe.Table, columns []*plan.Field) (out []sheetRow) {
	rows := map[string]map[string]json.RawMessage{}
	if known != nil {
		for i, row := range known.Rows {
			cells := map[string]json.RawMessage{}
			if err := json.Unmarshal(row, &cells); err != nil {
				r.refuse(0, 0, "", "row %s of the table cannot be read: %v", known.Cells[i][0], err)
			}
			rows[known.Cells[i][0]] = cells
		}
	}
	seen, folded := map[string]int{}, foldedKeys(rows)
	for i, texts := range r.g.Rows {
		if i == 0 || isEmpty(texts) || r.isFaulty(i, 0) {
			continue
		}
		if r.isNote(t, i) && rows[plain(texts[0])] == nil {
			r.refuse(i, 0, "a footnote stands outside of the table: take the row out, or name the range, --sheet "+
				r.g.rangeName(0, 0, i-1, len(texts)-1), "the row has a key and nothing else")
			continue
		}
		key, ok := r.readKey(t, i)
		if !ok {
			continue
		}
		before, twice := seen[key.String()]
		if twice {
			r.refuse(i, 0, "", "%s stands in %s too", key, r.g.Cell(before, 0))
		}
		seen[key.String()] = i
		if other, ok := folded[foldKey(key.String())]; !ok {
			folded[foldKey(key.String())] = key.String()
		} else if other != key.String() && rows[key.String()] == nil {
			r.refuse(i, 0, "write "+other+", or another word", "%q differs from the key %q only in its writing", key, other)
			continue
		}
		row := sheetRow{row: i, key: key, known: rows[key.String()]}
		problems, faulty := len(r.list), false
		for c, text := range texts {
			f := columns[c]
			switch {
			case f == nil:
			case r.isFaulty(i, c):
				faulty = true
			case text != "" || f.Type.Kind == plan.String:
				if value := r.readCell(f.Type, i, c, plain(text)); value != nil {
					row.cells = append(row.cells, sheetCell{c, f, value})
				}
			case known == nil:
				r.refuse(i, c, "every row of a new table has all columns", "the cell is empty in a column of %s",
					f.Type.Kind)
			case !row.isNew():
				r.refuse(i, c, "leave the row out to keep it", "the cell is empty where the table has %s",
					row.known[f.Name])
			}
		}
		if !twice && (len(r.list) == problems && !faulty || !row.isNew()) {
			out = append(out, row)
		}
	}
	return out
}

// isNote reports whether a row is a footnote or a heading and no row of a new table: only its key is there, and a
// column would have no value, or nothing follows but such rows.
func (r *reader) isNote(t *plan.Table, row int) bool {
	isAlone := func(texts []string) bool { return isEmpty(texts[1:]) }
	if len(r.g.Rows[row]) < 3 || !isAlone(r.g.Rows[row]) {
		return false
	}
	return !slices.ContainsFunc(r.g.Rows[row+1:], func(texts []string) bool { return !isAlone(texts) }) ||
		slices.ContainsFunc(t.Row.Fields, func(f plan.Field) bool { return f.Type.Kind != plan.String })
}

// foldedKeys returns the keys of a table by how they are told apart.
func foldedKeys(rows map[string]map[string]json.RawMessage) map[string]string {
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		out[foldKey(key)] = key
	}
	return out
}

// foldKey returns a key without capitals and without spaces of more than one sign.
func foldKey(key string) string { return strings.ToLower(strings.Join(strings.Fields(key), " ")) }

// readKey reads the key of a row as its table has them.
func (r *reader) readKey(t *plan.Table, row int) (plan.RowKey, bool) {
	text := plain(r.g.Rows[row][0])
	if !t.Kind.HasNumbers() {
		if text == "" {
			r.refuse(row, 0, "", "the row has no key")
		}
		return plan.WordKey(text), text != ""
	}
	s, ok := r.g.spanOfKey(row)
	if !ok {
		repair := "keys of numbers are written 5, 1-3, 4+, from 3, above 3"
		if isOpenBelow(text) {
			repair = "write where it begins: 1-3"
		}
		if forReaders := r.g.repairSpan(text); forReaders != "" {
			repair = forReaders
		}
		r.refuse(row, 0, repair, "%q is no key of table %s", text, t.ID)
		return plan.RowKey{}, false
	}
	k := plan.RowKey{Kind: t.Kind, Lo: s.lo, Hi: s.hi, Above: s.above}
	switch closed := t.Kind == plan.BandsTable; {
	case closed == s.open:
		repair := "write where each row begins, and no more: 1+, 4+"
		if closed {
			repair = "write where it ends: 11-20; or of every row of the table where it begins, and no more: 1+, 4+, 11+"
		}
		r.refuse(row, 0, repair, "%q is no key of table %s, whose rows are %s", text, t.ID, t.Kind)
		return k, false
	case !closed:
		k.Hi = 0
	}
	return k, true
}
