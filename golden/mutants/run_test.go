package mutants_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/mutants"
)

// game has one rule that its cases hold well, and one that nothing plays. A part of it lacks names that its glossary has.
const game = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: strength!: int & >=0 & <=9
	words: {hours: unit: "hour|hours", success: tone: "win"}
	tables: bonus: {
		cite:  "Sizes"
		gives: "bonus"
		keyed: {small: bonus: 1, large: bonus: 2}
	}
	rules: test: {
		cite: "Tests"
		headline: success: {yes: "Succeeds", no: "Fails"}
		say: "{roll} against {value}"
		#Input: size!: string @key(bonus)
		dice: roll: "d10"
		output: {
			value:   "character.strength + bonus(input.size)"
			success: "value >= roll"
			same:    "character.strength < 10 ? value : 0"
		}
	}
	rules: rest: {
		cite: "Rest"
		#Input: kit: *"none" | string @key(bonus, none)
		output: {hours: "8", same: "input.kit == 'none'"}
	}
}
`

// A case of the largest size: 5 + 2 = 7, and a roll of 7 still succeeds.
const large = "rule: test\ncite: Tests\n\n5 + 2 = 7 >= 7\n" +
	"-- character.json --\n{\"strength\": 5}\n-- input.json --\n{\"size\": \"large\"}\n-- dice --\n7\n-- want.json --\n" +
	"{\"output\": {\"value\": 7, \"success\": true, \"same\": 7}}\n"

func source(t *testing.T) load.Source {
	files := fstest.MapFS{
		"tables/game/game.cue": {Data: []byte(game)},
		"rules.cue": {Data: []byte("package rules\n\nimport (\n\t\"github.com/tabletop-rules/rules/schema\"\n" +
			"\t\"github.com/tabletop-rules/rules/tables/game\"\n)\n\nrulesets: [schema.#ID]: schema.#Release\n" +
			"rulesets: \"game\": {rules: game, revision: \"0.1.0\"}\n")},
	}
	for _, name := range []string{"cue.mod/module.cue", "schema/schema.cue"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return load.Source{FS: files}
}

func run(t *testing.T, o mutants.Options) *mutants.Report {
	c, err := golden.Parse("large.txtar", []byte(large))
	if err != nil {
		t.Fatal(err)
	}
	r, err := mutants.Run(source(t), "game", []*golden.Case{c}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func outcomes(r *mutants.Report) map[string]mutants.Outcome {
	out := map[string]mutants.Outcome{}
	for _, v := range r.Verdicts {
		out[fmt.Sprintf("%s, %s -> %s", v.What, v.Was, v.Now)] = v.Outcome
	}
	return out
}

func TestWhatCasesDoNotTellApartSurvives(t *testing.T) {
	got := outcomes(run(t, mutants.Options{Workers: 2}))
	for mutation, want := range map[string]mutants.Outcome{
		// 7 >= 7 is what the comparison is about.
		"rule test, output success, >= -> >":      mutants.Noticed,
		"rule test, output value, + -> -":         mutants.Noticed,
		`table bonus, row "large", bonus, 2 -> 3`: mutants.Noticed,
		// No case is of the small size.
		`table bonus, row "small", bonus, 1 -> 2`:     mutants.Survived,
		`table bonus, row "small", the row -> no row`: mutants.Survived,
		// A roll of 7 is a face of an eleven-sided die too, and one roll is not two: there value >= roll has no meaning.
		`rule test, die roll, 10 -> 11`:       mutants.Survived,
		`rule test, die roll, no number -> 2`: mutants.Refused,
		// Strength is at most 9: neither limit is ever reached.
		"rule test, output same, < -> <=":  mutants.Equivalent,
		"rule test, output same, 10 -> 11": mutants.Equivalent,
		"rule test, output same, 0 -> 1":   mutants.Equivalent,
		// Nothing plays the rest.
		"rule rest, output hours, 8 -> 9": mutants.Survived,
		// 5 is within 1 to 9 as within 0 to 9.
		"character, character.strength, at least 0 -> at least 1": mutants.Survived,
	} {
		if got[mutation] != want {
			t.Errorf("%s: %q, want %q", mutation, got[mutation], want)
		}
	}
	if t.Failed() {
		for k, v := range got {
			t.Log(k, v)
		}
	}
}

func TestReportsAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	one, three := run(t, mutants.Options{Workers: 1}), run(t, mutants.Options{Workers: 3})
	if len(one.Verdicts) != len(three.Verdicts) {
		t.Fatalf("%d and %d mutants", len(one.Verdicts), len(three.Verdicts))
	}
	for i := range one.Verdicts {
		x, y := one.Verdicts[i], three.Verdicts[i]
		if x.Place != y.Place || x.Kind != y.Kind || x.Outcome != y.Outcome {
			t.Errorf("mutant %d: %v %v %v and %v %v %v", i, x.Place, x.Kind, x.Outcome, y.Place, y.Kind, y.Outcome)
		}
	}
}

func TestMutantsAreChosenByPlaceAndBySample(t *testing.T) {
	for _, v := range run(t, mutants.Options{At: "rule rest"}).Verdicts {
		if !strings.HasPrefix(v.What, "rule rest, ") {
			t.Errorf("%s is not of rule rest", v.What)
		}
	}
	a, b := run(t, mutants.Options{Sample: 4, Seed: 7}), run(t, mutants.Options{Sample: 4, Seed: 7})
	if len(a.Verdicts) != 4 || !slices.EqualFunc(a.Verdicts, b.Verdicts,
		func(x, y mutants.Verdict) bool { return x.Place == y.Place && x.Now == y.Now }) {
		t.Errorf("a sample of 4 is %d, and another of the same seed differs", len(a.Verdicts))
	}
}

func TestACaseThatDoesNotPassEndsTheRun(t *testing.T) {
	c, err := golden.Parse("wrong.txtar", []byte(large[:len(large)-4]+"6}}\n"))
	if err == nil {
		_, err = mutants.Run(source(t), "game", []*golden.Case{c}, mutants.Options{})
	}
	if want := "game: the case wrong does not pass before anything is changed"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
