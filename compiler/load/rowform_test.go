package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// TestRowForms holds rows of homebrews to patterns that authors write, with what stands outside of the table written out.
func TestRowForms(t *testing.T) {
	const before = `
import ("strings", "list")
_uses: [strings.MinRunes(1), list.MinItems(1)]
_most: 20
_kinds: {blunt: 1, sharp: 2}
_poisons: or([for k, _ in tables.poison.keyed {k}])
tables: poison: {cite: "Poisons", keyed: {mild: harm: 1, strong: harm: 2}}
#weapon: {damage: int & >=1 & <=_most, kind: *"blunt" | "sharp"}
tables: weapon: {
	cite: "Weapons"
	%s
}
`
	for _, c := range []struct {
		name, rows string
		cells      string // of a homebrew's row
		defaults   string // what the pattern gives, by column
		want       string // the message; "" where the row may stand
	}{
		{"no pattern", `keyed: knife: {damage: 4}`, `99`, "", ""},
		{"within", `keyed: [string]: #weapon
			keyed: knife: {damage: 4}`, `20,"sharp"`, `kind="blunt"`, ""},
		{"above", `keyed: [string]: #weapon
			keyed: knife: {damage: 4}`, `21,"sharp"`, `kind="blunt"`,
			"damage of row new is 21, and every row of table weapon has uint & >=1 & <=20"},
		{"no word of it", `keyed: [string]: #weapon
			keyed: knife: {damage: 4}`, `20,"salty"`, `kind="blunt"`,
			`kind of row new is "salty", and every row of table weapon has *"blunt" | "sharp"`},
		{"in the table", `keyed: [string]: {damage: <10, ...}
			keyed: knife: {damage: 4}`, `10`, "", "damage of row new is 10, and every row of table weapon has <10"},
		{"a package of CUE", `keyed: [string]: kind: strings.MinRunes(3)
			keyed: knife: {kind: "long"}`, `"ab"`, "",
			`kind of row new is "ab", and every row of table weapon has strings.MinRunes(3)`},
		{"a computed choice", `keyed: [string]: kind: or([for k, _ in _kinds {k}])
			keyed: knife: {kind: "sharp"}`, `"keen"`, "",
			`kind of row new is "keen", and every row of table weapon has "blunt" | "sharp"`},
		{"every column", `keyed: [string]: [string]: int & >0
			keyed: knife: {damage: 4, reach: 1}`, `1,0`, "",
			"reach of row new is 0, and every row of table weapon has int & >0"},
		{"two columns", `keyed: [string]: {least: int, most: int & >=least}
			keyed: knife: {least: 4, most: 5}`, `6,5`, "",
			"row new is not what every row of table weapon is: most: invalid value 5"},
		{"bands", `bands: [...{on: _, loss: int & <=0}]
			bands: [{on: [1, 3], loss: -1}]`, `1`, "", "loss of row 9 is 1, and every row of table weapon has int & <=0"},
		{"steps", `steps: [...{from: int, loss: *0 | int & <=0, gain: *1 | int}]
			steps: [{from: 1}]`, `-1,5`, "loss=0 gain=1", ""},
		{"a limit", `steps: [...{from!: int & <=8, loss: int}]
			steps: [{from: 1, loss: 2}]`, `1`, "", "from of row from 9 is 9, and every row of table weapon has int & <=8"},
		{"a limit of doubles", `steps: [...{from!: float, loss: int}]
			steps: [{from: 1.0, loss: 2}]`, `1`, "", ""},
		{"a band as a number", `bands: [...{on!: int | [int, int & <=9], loss: int}]
			bands: [{on: 1, loss: 2}]`, `1`, "", ""},
		{"a band as a pair", `bands: [...{on!: [int, int & <=9], loss: int}]
			bands: [{on: [1, 3], loss: 2}]`, `1`, "", ""},
		{"a band outside", `bands: [...{on!: [int, int & <=8], loss: int}]
			bands: [{on: [1, 3], loss: 2}]`, `1`, "",
			"on of row 9 is 9, and every row of table weapon has [int, int & <=8]"},
		{"a condition", `keyed: [string]: {v: int, magic: *false | true, if magic {v: >=5}}
			keyed: knife: {v: 3}`, `3,true`, "magic=false",
			"row new is not what every row of table weapon is: v: invalid value 3 (out of bound >=5)"},
		{"computed from another", `keyed: [string]: {v: int, w: v*2}
			keyed: knife: {v: 3}`, `3,7`, "", "row new is not what every row of table weapon is: w: conflicting values"},
		{"words of another table", `keyed: [string]: {v: int & >=1, kind: or([for k, _ in tables.poison.keyed {k}])}
			keyed: knife: {v: 3, kind: "mild"}`, `3,"curare"`, "", ""},
		{"beside words of another table", `keyed: [string]: {v: int & >=1, kind: or([for k, _ in tables.poison.keyed {k}])}
			keyed: knife: {v: 3, kind: "mild"}`, `0,"curare"`, "",
			"v of row new is 0, and every row of table weapon has int & >=1"},
		{"words of another table, through a field", `keyed: [string]: {v: int, kind: _poisons}
			keyed: knife: {v: 3, kind: "mild"}`, `3,"curare"`, "", ""},
		{"a list", `keyed: [string]: marks: list.MaxItems(2)
			keyed: knife: {marks: [1, 2]}`, `[1,2,3]`, "",
			"marks of row new is [1,2,3], and every row of table weapon has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := game(t, "package game\n"+fmt.Sprintf(before, c.rows)).Tables
			table := tables[slices.IndexFunc(tables, func(t *book.Table) bool { return t.ID == "weapon" })]
			var defaults []string
			given := table.Defaults()
			for _, m := range table.Columns {
				if d := given[m.Name]; d.JSON != "" {
					defaults = append(defaults, m.Name+"="+d.JSON)
				}
			}
			if got := strings.Join(defaults, " "); got != c.defaults {
				t.Errorf("defaults %s, want %s", got, c.defaults)
			}
			row := table.Rows[0]
			row.Key, row.Lo, row.Hi, row.Overlay, row.Cells = "new", 9, 9, "house", nil
			for _, cell := range splitCells(c.cells) {
				row.Cells = append(row.Cells, book.Cell{JSON: cell})
			}
			table.Rows, table.Overlays = append(table.Rows, row), []string{"house"}
			var diags diag.List
			CheckRows(&book.Ruleset{Tables: []*book.Table{table}, Overlays: []string{"house"}}, &diags)
			var got string
			for _, d := range diags.Sorted() {
				got += d.Message
			}
			if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// splitCells are cells in JSON between commas; a list is one cell.
func splitCells(s string) []string {
	if strings.HasPrefix(s, "[") {
		return []string{s}
	}
	return strings.Split(s, ",")
}
