package analyse_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
)

const head = `package game

id:    "game"
title: "A game"
source: book: "A book"
#Character: strength!: int & >=1 & <=10
tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [2, 7], name: "leg"}, {on: [8, 12], name: "arm"}]
}
tables: speed: {
	cite:  "Speed"
	gives: "feet"
	steps: [{from: 0, feet: 1}, {above: 1.5, feet: 2}, {from: 5, feet: 3}]
}
tables: stance: {
	cite:  "Stances"
	gives: "bonus"
	keyed: {open: bonus: 1, closed: bonus: 2}
}
rules: strike: {
	cite: "Strikes"
`

func TestRun(t *testing.T) {
	const uses = "\tdice: both: \"2d6\"\n\tdice: one: \"d6\"\n\tlet: sum: \"sum(both)\"\n"
	const rest = `speed(double(character.strength)) + stance(character.strength > 5 ? 'open' : 'closed') + one`
	for _, c := range []struct{ name, at, other, want string }{
		{"all is reached", "place(sum)", rest, ""},
		{"below and above", "place(sum + one - 3)", rest, "reaches the keys 0 to 15, the rows of place cover 2 to 12: there is none for 0 to 1, 13 to 15 [table-hole, warning]"},
		{"guarded", "sum + one > 12 ? 'none' : place(sum + one)", rest, ""},
		{"kept within", "place(min(12, sum + one))", rest, ""},
		{"only high", "place(max(8, sum))", rest, "reaches the row 2 to 7: the keys are 8 to 12 [table-unreached, warning]"},
		{"a word is never said", "place(sum)", "speed(double(character.strength)) + stance('open') + one",
			"reaches the row closed: the keys are open [table-unreached, warning]"},
		{"no fast ones", "place(sum)", "speed(min(double(character.strength), 1.5)) + stance(character.strength > 5 ? 'open' : 'closed') + one",
			"reaches the row from 5: the keys are 1 to 1.5 [table-unreached, warning]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + uses + "\toutput: {\n\t\tat: \"" + c.at + "\"\n\t\tother: \"" + c.other + "\"\n\t}\n}\n"
			fsys := fstest.MapFS{
				"cue.mod/module.cue": {Data: []byte("module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")},
				"game.cue":           {Data: []byte(text)},
			}
			_, said := compiler.Directory(load.Source{FS: fsys}, ".", compiler.Options{Analyse: true})
			got := ""
			for _, d := range said {
				got += strings.Split(d.String(), "\n")[0] + "\n"
			}
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got:\n%swant: %s", got, c.want)
			}
		})
	}
}
