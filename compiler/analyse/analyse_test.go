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
#Character: {
	strength!: int & >=1 & <=10
	aim?:      int & >=2 & <=12
	luck!:     int
	height!:   number & >=2 & <=13
}
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
	const uses = "\tdice: both: \"2d6\"\n\tdice: one: \"d6\"\n\tdice: again: {die: 4, explode: on: 4}\n" +
		"\tlet: sum: \"sum(both)\"\n\toutput: further: \"again + sum + (has(character.aim) ? character.aim : 0)\"\n"
	const rest = `speed(double(character.strength)) + stance(character.strength > 5 ? 'open' : 'closed') + one`
	for _, c := range []struct{ name, at, other, want string }{
		{"all is reached", "place(sum)", rest, ""},
		{"below and above", "place(sum + one - 3)", rest,
			"reaches the keys 0 to 15, the rows of place cover 2 to 12: there is none for 0 to 1, 13 to 15 [table-hole, warning]"},
		{"guarded", "sum + one > 12 ? 'none' : place(sum + one)", rest, ""},
		{"kept within", "place(min(12, sum + one))", rest, ""},
		{"only high", "place(max(8, sum))", rest, "reaches the row 2 to 7: the keys are 8 to 12 [table-unreached, warning]"},
		{"a word is never said", "place(sum)", "speed(double(character.strength)) + stance('open') + one",
			"reaches the row closed: the keys are open [table-unreached, warning]"},
		{"no fast ones", "place(sum)",
			"speed(min(double(character.strength), 1.5)) + stance(character.strength > 5 ? 'open' : 'closed') + one",
			"reaches the row from 5: the keys are 1, 1.5 [table-unreached, warning]"},
		{"a limit is not passed", "place(sum)",
			"speed(min(double(character.strength), 1.5)) + stance(character.strength > 5 ? 'open' : 'closed') + one",
			"reaches the row above 1.5: the keys are 1, 1.5 [table-unreached, warning]"},
		{"the guard lets one too many through", "sum + one > 13 ? 'none' : place(sum + one)", rest,
			"reaches the keys 3 to 13, the rows of place cover 2 to 12: there is none for 13 [table-hole, warning]"},
		{"the other arm", "sum + one < 13 ? 'none' : place(sum + one)", rest,
			"reaches the keys 13 to 18, the rows of place cover 2 to 12: there is none for 13 to 18 [table-hole, warning]"},
		{"within &&", "sum + one <= 13 && place(sum + one) == 'leg' ? 'leg' : place(sum)", rest,
			"reaches the keys 3 to 13, the rows of place cover 2 to 12: there is none for 13 [table-hole, warning]"},
		{"what is given stands beside the dice", "place(one + character.strength)", rest,
			"reaches the keys 2 to 16, the rows of place cover 2 to 12: there is none for 13 to 16 [table-hole, warning]"},
		{"the dice decide together", "place(sum - sum + 3 * one)", rest,
			"reaches the keys 3, 6, 9, 12 and others, the rows of place cover 2 to 12: there is none for 15, 18 [table-hole, " +
				"warning]"},
		{"far keys", "place(one * 1000000)", rest,
			"reaches the keys 1000000, 2000000, 3000000, 4000000 and others, the rows of place cover 2 to 12: there is none for " +
				"1000000, 2000000, 3000000, 4000000 and others [table-hole, warning]"},
		{"fractions", "place(double(sum) + 0.5)", rest,
			"there is none for 7.5, 12.5 [table-hole, warning]"},
		{"what is required is so", "place(character.strength)\"\n\t}\n\trequire: \"too weak\": \"character.strength > 1\"\n" +
			"\toutput: {\n\t\tmore: \"1", rest, ""},
		{"what is not required", "place(character.strength)", rest,
			"reaches the keys 1 to 10, the rows of place cover 2 to 12: there is none for 1 [table-hole, warning]"},
		{"what need not be given", "has(character.aim) ? place(character.aim) : place(sum)", rest, ""},
		{"what need not be given and is too much", "has(character.aim) ? place(character.aim + 1) : place(sum)", rest,
			"reaches the keys 3 to 13, the rows of place cover 2 to 12: there is none for 13 [table-hole, warning]"},
		{"given without bounds", "place(character.luck)", rest, "reaches the keys any number, the rows of place cover 2 to 12: " +
			"there is none for 1 and less, 13 and more [table-hole, warning]"},
		{"computed without bounds", "place(character.luck + 1)", rest, "this has no value in a trial of rule strike: no such " +
			"key: 1 [trial-failure, warning]"},
		{"a fraction between whole numbers", "place(character.height)", rest, "reaches the keys 2 to 13, the rows of place " +
			"cover 2 to 12: there is none for what lies between 7 and 8 [table-hole, warning]"},
		{"a rounded fraction", "place(min(12, floor(character.height)))", rest, ""},
		{"a fraction among limits", "place(sum) + (speed(character.height) > 1 ? 'far' : 'near')", rest, ""},
		{"without end", "place(min(12, again + 1))", rest, ""},
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
