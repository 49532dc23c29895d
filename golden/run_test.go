package golden_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// game is a ruleset of a rule, a procedure and a table.
const game = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: strength!: int & >=0
	options: tie: {
		cite:    "Ties"
		covers: ["game.tie"]
		default: "lose"
		values: {lose: "a tie is lost", win: "a tie is won"}
	}
	tables: bonus: {
		cite: "Sizes"
		covers: ["game.bonus"]
		keyed: {small: bonus: -1, large: bonus: 2}
	}
	functions: {
		wins: {
			cite: "Ties"
			covers: ["game.win"]
			params: {value: "int", face: "int"}
			expr: option: tie: {lose: "value > face", win: "value >= face"}
		}
		worth: {cite: "Sizes", params: of: "bonus", expr: "of.bonus"}
		sway: {cite: "Sizes", params: {who: "character", by: "int"}, expr: "who.strength + by"}
	}
	rules: test: {
		cite: "Tests"
		covers: ["game.test"]
		#Input: size!: string @key(bonus)
		dice: roll: "d10"
		let: bonus: "worth(bonus(input.size))"
		require: "the weak do not roll": "character.strength > 0"
		output: {value: "sway(character, bonus)", success: "wins(value, roll)"}
	}
	procedures: climb: {
		cite: "Climbing"
		covers: ["game.climb"]
		#State: height: int | *0
		events: rise: {
			cite: "Climbing"
			covers: ["game.rise"]
			#Event: steps!: int
			when: "state.height < 3"
			dice: roll: "d6"
			require: "nobody climbs down": "event.steps > 0"
			output: twice: "2 * roll"
			next: height: "state.height + event.steps"
		}
		ends: top: "state.height >= 5"
		output: height: "state.height"
	}
}
`

// compileGame compiles the game for coverage, in a module with the schema of this one.
func compileGame(t *testing.T) *plan.Plan {
	t.Helper()
	files := fstest.MapFS{"tables/game/game.cue": {Data: []byte(game)}}
	for _, name := range []string{"cue.mod/module.cue", "schema/schema.cue"} {
		data, err := fs.ReadFile(os.DirFS(".."), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	p, diags := compiler.Directory(load.Source{FS: files}, "tables/game", compiler.Options{Cover: true, Functions: true})
	for _, d := range diags {
		t.Error(d.String())
	}
	if p == nil {
		t.FailNow()
	}
	return p
}

// parse reads a case of headers and files, with a cite and a sentence.
func parse(t *testing.T, headers, files string) *golden.Case {
	t.Helper()
	c, err := golden.Parse("c.txtar", []byte(headers+"\ncite: c\n\nSo it is.\n"+files))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const five = "-- character.json --\n{\"strength\": 5}\n-- input.json --\n{\"size\": \"large\"}\n"

// strong is the greatest integer: what is large adds 2 to it.
const strong = "-- character.json --\n{\"strength\": 9223372036854775807}\n-- input.json --\n{\"size\": \"large\"}\n" +
	"-- dice --\n1\n"

// tied are the arguments of a tie.
const tied = "-- input.json --\n{\"value\": 3, \"face\": 3}\n"

const climbers = "-- character.json --\n{\"strength\": 5}\n"

func TestRun(t *testing.T) {
	program := runtime.New(compileGame(t))
	for _, x := range []struct{ name, headers, files, want string }{
		{"answered", "rule: test",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"value\": 7, \"success\": false}, \"dice\": {\"roll\": [7]}}\n",
			""},
		{"wrong", "rule: test",
			five + "-- dice --\nroll=6\n-- want.json --\n{\"output\": {\"value\": 6, \"success\": false}}\n",
			"12: output.value: want 6, got 7\n12: output.success: want false, got true"},
		{"option", "rule: test\noption: tie=win",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"success\": true}, \"options\": {\"tie\": \"win\"}}\n", ""},
		{"unknown option", "rule: test\noption: ties=win", five + "-- want.json --\n{\"a\": 1}\n",
			`1: there is no option "ties"; did you mean "tie"`},
		{"unknown rule", "rule: tests", five + "-- want.json --\n{\"a\": 1}\n",
			`1: there is no rule "tests"; did you mean "test"`},
		{"too few dice", "rule: test", five + "-- want.json --\n{\"output\": {\"value\": 7}}\n",
			"1: roll: too few faces: 0 given, and another is needed"},
		{"too many dice", "rule: test", five + "-- dice --\n1,2\n-- want.json --\n{\"output\": {\"value\": 7}}\n",
			"10: too many faces: 2 given, but 1 fell"},
		{"no character", "rule: test", "-- want.json --\n{\"a\": 1}\n", "1: character.strength: is missing"},

		{"refused", "rule: test\nrefused: the weak do not roll", strings.Replace(five, "5", "0", 1), ""},
		{"refused otherwise", "rule: test\nrefused: the weak must rest", strings.Replace(five, "5", "0", 1),
			"2: want a refusal: the weak must rest, got: the weak do not roll"},
		{"refused with one word of the message", "rule: test\nrefused: weak", strings.Replace(five, "5", "0", 1),
			"2: weak alone may stand in the message of another refusal too: refused: the weak do not roll"},
		{"not refused", "rule: test\nrefused: the weak do not roll", five + "-- dice --\n7\n",
			"2: want a refusal: the weak do not roll, but there is an answer"},
		{"refused for no reason", "rule: test", strings.Replace(five, "5", "0", 1) + "-- want.json --\n{\"output\": {\"value\": 7}}\n",
			"1: an answer is wanted, and it is refused: the weak do not roll; a case of that has the header refused: the weak do " +
				"not roll, and no want.json"},
		{"no refusal but an error", "rule: test\nrefused: the weak do not roll", five,
			"2: want a refusal: the weak do not roll, got: roll: too few faces: 0 given, and another is needed"},
		{"a face too high", "rule: test\nrefused: roll: face 1 given is 11, but the die shows 1 to 10", five + "-- dice --\n11\n",
			""},
		{"an input out of bounds", "rule: test\nrefused: character.strength: is missing", "", ""},

		{"failed", "rule: test\nfailed: integer overflow", strong, ""},
		{"failed otherwise", "rule: test\nfailed: division by zero", strong,
			"2: want a failure: division by zero, got: integer overflow"},
		{"not failed", "rule: test\nfailed: integer overflow", five + "-- dice --\n7\n",
			"2: want a failure: integer overflow, but there is an answer"},
		{"no failure but a refusal", "rule: test\nfailed: integer overflow", strings.Replace(five, "5", "0", 1),
			"2: that is no failure but a refusal: write refused: the weak do not roll"},

		{"printed", "rule: test\nerratum: e\nprinted: tie=win",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"success\": false}}\n-- printed.json --\n" +
				"{\"output\": {\"success\": true}}\n", ""},
		{"printed otherwise", "rule: test\nerratum: e\nprinted: tie=win",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"success\": false}}\n-- printed.json --\n" +
				"{\"output\": {\"value\": 8}}\n",
			"16: as printed: output.value: want 8, got 7"},
		{"printed for no reason", "rule: test\nerratum: e",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"success\": false}}\n-- printed.json --\n" +
				"{\"output\": {\"value\": 7}}\n",
			"15: printed.json comes out as well: the book does not contradict itself"},
		{"never printed", "rule: test\nerratum: e",
			five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"value\": 7}}\n-- printed.json --\n" +
				"{\"output\": {\"value\": 9}}\n", ""},

		{"procedure", "procedure: climb", climbers + `-- events.json --
[{"event": "rise", "input": {"steps": 2}, "dice": [3]}, {"event": "rise", "input": {"steps": 3}, "dice": {"roll": [4]}}]
-- want.json --
{"state": {"height": 5}, "status": "top", "output": {"height": 5}, "events": [{"output": {"twice": 6}},
	{"output": {"twice": 8}}]}
`, ""},
		{"procedure goes on", "procedure: climb", climbers + "-- want.json --\n{\"status\": \"top\"}\n",
			`8: status: want "top", got "open"`},
		{"guard", "procedure: climb\nrefused: event rise is not offered", climbers + `-- events.json --
[{"event": "rise", "input": {"steps": 3}, "dice": [3]}, {"event": "rise", "input": {"steps": 3}, "dice": [4]}]
`, ""},
		{"after the end", "procedure: climb\nrefused: event rise is not offered", climbers + `-- events.json --
[{"event": "rise", "input": {"steps": 6}, "dice": [3]}, {"event": "rise", "input": {"steps": 3}, "dice": [4]}]
`, ""},
		{"require of an event", "procedure: climb\nrefused: nobody climbs down", climbers + `-- events.json --
[{"event": "rise", "input": {"steps": 1}, "dice": [3]}, {"event": "rise", "input": {"steps": -1}, "dice": [4]}]
`, ""},
		{"refused too early", "procedure: climb\nrefused: nobody climbs down", climbers + `-- events.json --
[{"event": "rise", "input": {"steps": -1}, "dice": [3]}, {"event": "rise", "input": {"steps": 1}, "dice": [4]}]
`, "2: want a refusal: nobody climbs down, got: event 1, rise: nobody climbs down"},
		{"unknown event", "procedure: climb", climbers +
			"-- events.json --\n[{\"event\": \"fall\"}]\n-- want.json --\n{\"a\": 1}\n",
			`8: event 1, fall: there is no event "fall"; there is rise`},

		{"function", "function: wins", tied + "-- want.json --\n{\"value\": false}\n", ""},
		{"function under an option", "function: wins\noption: tie=win", tied + "-- want.json --\n{\"value\": true}\n", ""},
		{"function otherwise", "function: wins", tied + "-- want.json --\n{\"value\": true}\n",
			"8: value: want true, got false"},
		{"function of a row", "function: worth", "-- input.json --\n{\"of\": \"large\"}\n-- want.json --\n{\"value\": 2}\n", ""},
		{"function of a misspelt row", "function: worth",
			"-- input.json --\n{\"of\": \"larg\"}\n-- want.json --\n{\"value\": 2}\n",
			`6: input.of: must be one of "small", "large", not "larg"; did you mean "large"`},
		{"function of a character", "function: sway", "-- input.json --\n{\"who\": {\"strength\": 3}, \"by\": 2}\n" +
			"-- want.json --\n{\"value\": 5}\n", ""},
		{"function that fails", "function: sway\nfailed: integer overflow",
			"-- input.json --\n{\"who\": {\"strength\": 9223372036854775807}, \"by\": 1}\n", ""},
		{"function without an argument", "function: wins",
			"-- input.json --\n{\"value\": 3}\n-- want.json --\n{\"value\": true}\n",
			"6: input.face: is missing"},
		{"unknown function", "function: win", "-- want.json --\n{\"value\": true}\n",
			`1: there is no function "win"; did you mean "wins"`},

		{"table", "table: bonus", "-- table.json --\n{\"small\": -1, \"large\": 2}\n", ""},
		{"table otherwise in its second row", "table: bonus", "-- table.json --\n{\n\"small\": -1,\n\"large\": 3\n}\n",
			`8: key "large": bonus: want 3, got 2`},
		{"table otherwise", "table: bonus", "-- table.json --\n{\"small\": -2, \"large\": 2}\n",
			`6: key "small": bonus: want -2, got -1`},
	} {
		t.Run(x.name, func(t *testing.T) {
			result := golden.Run(program, parse(t, x.headers, x.files))
			if got := golden.Said(result.Problems); got != x.want {
				t.Errorf("got %s\nwant %s", got, x.want)
			}
		})
	}
}

// TestReport wants what no case shows: a statement needs a definition, and a passing case that names it and gets there.
func TestReport(t *testing.T) {
	p := compileGame(t)
	statements, err := golden.ParseStatements("s.txt", `
game.tie | Ties
game.win | Ties
game.test | Tests
game.rise | Climbing
game.climb | Climbing
game.bonus | Sizes
game.weather | Sizes | gap: no number
# examples
game.ex.one | Tests
`)
	if err != nil {
		t.Fatal(err)
	}
	answered := five + "-- dice --\n7\n-- want.json --\n{\"output\": {\"value\": 7}}\n"
	cases := []*golden.Case{
		parse(t, "rule: test\ncovers: game.tie game.win game.climb", answered),
		parse(t, "rule: test\ncovers: game.test", strings.Replace(answered, ": 7}", ": 8}", 1)),
		parse(t, "procedure: climb\ncovers: game.rise game.ris", climbers+"-- want.json --\n{\"status\": \"open\"}\n"),
	}
	report := golden.Test(p, cases, statements)
	if want := []string{"game.test", "game.rise", "game.climb", "game.bonus"}; !slices.Equal(report.Statements, want) {
		t.Errorf("open statements %v, want %v", report.Statements, want)
	}
	if want := []string{"game.ex.one"}; !slices.Equal(report.Examples, want) {
		t.Errorf("open examples %v, want %v", report.Examples, want)
	}
	if want := []string{`c.txtar:2: covers game.ris; did you mean "game.rise"`}; !slices.Equal(report.Unlisted, want) {
		t.Errorf("not listed %v, want %v", report.Unlisted, want)
	}
	if want := []string{"bonus"}; !slices.Equal(report.Tables, want) {
		t.Errorf("open tables %v, want %v", report.Tables, want)
	}
	if failed := report.Failed(); len(failed) != 1 || failed[0].Case != cases[1] {
		t.Errorf("failed: %v", failed)
	}
	taken := map[string]int64{}
	for _, b := range report.Branches {
		taken[b.Name+": "+b.What] += b.Times
	}
	want := map[string]int64{
		"function wins: arm lose":                            2,
		"function wins: arm win":                             0,
		`rule test, require "the weak do not roll": holds`:   2,
		`rule test, require "the weak do not roll": refuses`: 0,
	}
	for name, times := range want {
		if got, ok := taken[name]; got != times || !ok {
			t.Errorf("%s: %d times, want %d; there is %v", name, got, times, taken)
		}
	}
}

// TestReportWithoutAList wants the statements that definitions cover.
func TestReportWithoutAList(t *testing.T) {
	report := golden.Test(compileGame(t), nil, nil)
	want := []string{"game.bonus", "game.climb", "game.rise", "game.test", "game.tie", "game.win"}
	if !slices.Equal(report.Statements, want) {
		t.Errorf("open statements %v, want %v", report.Statements, want)
	}
}
