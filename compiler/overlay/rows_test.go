package overlay_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
)

// patterned has a table that says what all of its rows are.
const patterned = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: {}
tables: weapon: {
	cite:  "Weapons"
	keyed: [string]: {damage: int & >=1 & <=20, hands: *1 | 2, kind!: "blunt" | "sharp"}
	keyed: {
		club: {damage: 4, kind: "blunt"}
		pike: {damage: 8, kind: "sharp", hands: 2}
	}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with).damage * weapon(input.with).hands + (weapon(input.with).kind == 'sharp' ? 100 : 0)"
}
`

// TestRowsOfPatterns holds rows and cells of homebrews to what the table says of all of its rows, and gives them what it
// gives. Harm is damage times hands, and 100 for what is sharp.
func TestRowsOfPatterns(t *testing.T) {
	for _, c := range []struct{ name, body, with, want string }{
		{"a default", `extend: tables: weapon: keyed: axe: {damage: 7, kind: "sharp"}`, "axe", `{"harm":107}`},
		{"a default of one row of two", `extend: tables: weapon: keyed: {
			axe: {damage: 7, kind: "sharp"}, maul: {damage: 9, kind: "blunt", hands: 2}}`, "axe", `{"harm":107}`},
		{"the rows", `replace: tables: weapon: {
			expect: keyed: {club: {damage: 4, kind: "blunt"}, pike: {damage: 8, kind: "sharp", hands: 2}}
			with: keyed: {club: {damage: 5, kind: "blunt"}, pike: {damage: 8, kind: "sharp"}}
		}`, "club", `{"harm":5}`},
		{"a cell", `replace: tables: weapon: rows: club: damage: {expect: 4, with: 20}`, "club", `{"harm":20}`},
		{"a cell out of bounds", `replace: tables: weapon: rows: club: damage: {expect: 4, with: 21}`, "",
			"damage of row club is 21, and every row of table weapon has uint & >=1 & <=20"},
		{"a row out of bounds", `extend: tables: weapon: keyed: axe: {damage: 0, kind: "sharp"}`, "",
			"damage of row axe is 0, and every row of table weapon has uint & >=1 & <=20"},
		{"rows out of bounds", `replace: tables: weapon: {
			expect: keyed: {club: {damage: 4, kind: "blunt"}, pike: {damage: 8, kind: "sharp", hands: 2}}
			with: keyed: {club: {damage: 5, kind: "soft"}, pike: {damage: 8, kind: "sharp"}}
		}`, "", `kind of row club is "soft", and every row of table weapon has "blunt" | "sharp"`},
		{"no default", `extend: tables: weapon: keyed: axe: {damage: 7}`, "",
			"the row has no kind, which the table has"},
		{"no default of one row of two", `extend: tables: weapon: keyed: {
			axe: {damage: 7}, maul: {damage: 9, kind: "blunt"}}`, "", "the row has no kind, which the table has"},
		{"a word that is misspelt", `extend: tables: weapon: keyed: axe: {damgae: 7, kind: "sharp"}`, "",
			"the table has no column damgae"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, said := compiler.Homebrew(entryOfSource("rules.cue", release, "game/game.cue", patterned), "game",
				[]load.Source{brew("house", c.body)}, compiler.Options{})
			if c.with == "" {
				if len(said) != 1 || said[0].Code != "overlay-rows" || said[0].Message != c.want ||
					!strings.HasSuffix(said[0].Place.File, "house.cue") {
					t.Errorf("%v, want %s", said, c.want)
				}
				return
			}
			if p == nil {
				t.Fatal(said)
			}
			r, err := runtime.New(p).Rule("strike", runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := r.Eval(runtime.Request{Character: []byte(`{}`), Input: []byte(`{"with": "` + c.with + `"}`)})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(sheet.Output.AppendJSON(nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestSomeCellsOfARowThatIsThere says how they are replaced, and not which cells the row lacks.
func TestSomeCellsOfARowThatIsThere(t *testing.T) {
	_, said := compiler.Homebrew(entryOfSource("rules.cue", release, "game/game.cue", patterned), "game",
		[]load.Source{brew("house", `extend: tables: weapon: keyed: club: {damage: 7}`)}, compiler.Options{})
	const repair = `to change it, write replace: tables: weapon: rows: "club": {damage: {expect: 4, with: 7}}; else give it another name`
	if len(said) != 1 || said[0].Code != "overlay-silent" || said[0].Repair != repair {
		t.Errorf("%v, want %s", said, repair)
	}
}
