package overlay_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const game = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: strength: *1 | int
options: luck: {
	cite:    "Luck"
	default: "on"
	values: {on: "with luck", off: "without"}
}
tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {
		dagger: damage: 4
		sword: damage:  8
	}
}
tables: place: {
	cite:  "Places"
	over:  "d6"
	gives: "name"
	bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}]
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	dice: roll: "d6"
	require: "only the strong strike": "character.strength > 0"
	output: {
		harm: "weapon(input.with) + roll"
		at:   "place(roll)"
		lucky: {by: "option.luck", is: {on: "roll == 6", off: "false"}}
	}
}
rules: rest: {
	cite: "Rest"
	output: heals: "character.strength + 1"
}
`

const release = `package rules

import "example.com/game/game"
rulesets: "game": {rules: game, revision: "1.0.0"}
`

// source is a module of some files.
func source(files ...string) load.Source {
	fsys := fstest.MapFS{"cue.mod/module.cue": {Data: []byte("module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")}}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return load.Source{FS: fsys}
}

// brew is the module of a homebrew called id.
func brew(id, body string) load.Source {
	head := "package " + id + "\n\nid: \"" + id + "\"\ntitle: \"House\"\n"
	if !strings.Contains(body, "\nruleset:") && !strings.HasPrefix(body, "ruleset:") {
		head += "ruleset: \"game\"\n"
	}
	src := source("house.cue", head+body)
	src.Name = id
	return src
}

func apply(homebrews ...load.Source) (*plan.Plan, []diag.Diagnostic) {
	return compiler.Homebrew(source("rules.cue", release, "game/game.cue", game), "game", homebrews, compiler.Options{})
}

// strike is the sheet of a strike with a weapon, of which the die shows a face.
func strike(t *testing.T, p *plan.Plan, with string, face int64) string {
	t.Helper()
	r, err := runtime.New(p).Rule("strike", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := r.Eval(runtime.Request{
		Character: []byte(`{}`), Input: []byte(`{"with": "` + with + `"}`), Dice: dice.FromList([]int64{face}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(sheet.Output.AppendJSON(nil))
}

func TestApply(t *testing.T) {
	for _, c := range []struct{ name, body, with, want string }{
		{"nothing", ``, "dagger", `{"harm":10,"at":"arm","lucky":true}`},
		{"a row more", `extend: tables: weapon: keyed: club: damage: 3`, "club", `{"harm":9,"at":"arm","lucky":true}`},
		{"a cell", `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}`, "dagger", `{"harm":11,"at":"arm","lucky":true}`},
		{"a formula", `replace: rules: strike: output: harm: {
			expect: "weapon(input.with)  + roll"
			with:   "weapon(input.with) * 2"
		}`, "dagger", `{"harm":8,"at":"arm","lucky":true}`},
		{"an option", `replace: options: luck: {expect: "on", with: "off"}`, "dagger", `{"harm":10,"at":"arm","lucky":false}`},
		{"all rows", `replace: tables: place: {
			expect: bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}]
			with: bands: [{on: [1, 5], name: "leg"}, {on: 6, name: "head"}]
		}`, "dagger", `{"harm":10,"at":"head","lucky":true}`},
		{"an output more", `extend: rules: strike: output: twice: "2 * harm"`, "dagger", `{"harm":10,"at":"arm","lucky":true,"twice":20}`},
		{"a field more", `#Character: rage: *7 | int
			replace: rules: strike: output: harm: {expect: "weapon(input.with) + roll", with: "weapon(input.with) + character.rage"}`, "dagger",
			`{"harm":11,"at":"arm","lucky":true}`},
		{"a requirement", `replace: rules: strike: require: "only the strong strike": {expect: "character.strength > 0", with: "roll == 6"}`,
			"dagger", `{"harm":10,"at":"arm","lucky":true}`},
		{"a die", `replace: rules: strike: dice: roll: {expect: "d6", with: "d4 +"}
			disable: rules: rest: "nobody rests"`, "dagger", ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, said := apply(brew("house", c.body))
			if c.want == "" {
				if len(said) == 0 || said[0].Place.File != "house/house.cue" {
					t.Fatalf("reported %v, want a problem in the homebrew", said)
				}
				return
			}
			for _, d := range said {
				t.Error(d.String())
			}
			if p == nil {
				t.FailNow()
			}
			if got := strike(t, p, c.with, 6); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A trace says which homebrew has a part in a number, and in which it has none.
func TestOverlays(t *testing.T) {
	p, said := apply(
		brew("arms", `extend: tables: weapon: keyed: club: damage: 3`),
		brew("house", `extend: rules: strike: output: twice: "2 * harm"`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	want := map[string]string{"harm": "arms", "at": "", "lucky": "", "twice": "arms house"}
	for _, n := range p.Rules[0].Graph.Names {
		if w, ok := want[n.Name]; ok && strings.Join(n.Overlays, " ") != w {
			t.Errorf("%s comes from %v, want %s", n.Name, n.Overlays, w)
		}
		delete(want, n.Name)
	}
	if len(want) > 0 {
		t.Errorf("the trace lacks %v", want)
	}
}

func TestConflicts(t *testing.T) {
	five := `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}`
	for _, c := range []struct {
		name        string
		first, then string
		code        diag.Code
		says        []string
	}{
		{"two replace", five, five, "overlay-conflict", []string{"then/house.cue:7:40", "first/house.cue:7:40"}},
		{"two add", `add: options: fate: {cite: "House", default: "a", values: {a: "1", b: "2"}}
extend: rules: rest: output: fate: "option.fate == 'a'"`,
			`add: options: fate: {cite: "House", default: "a", values: {a: "1", b: "2"}}`, "overlay-silent",
			[]string{"option fate is there already", "first/house.cue:"}},
		{"one disables, the other replaces", `disable: tables: weapon: rows: dagger: "too small"`, five, "overlay-conflict",
			[]string{"first/house.cue:", "then/house.cue:"}},
		{"moved", ``, `replace: tables: weapon: rows: dagger: damage: {expect: 3, with: 5}`, "overlay-moved",
			[]string{"expected: 3", "found now: 4", "wanted: 5", "game/game.cue:19:19"}},
		{"a row moved", ``, `replace: tables: place: {
	expect: bands: [{on: [1, 2], name: "leg"}, {on: [3, 6], name: "arm"}]
	with: bands: [{on: [1, 5], name: "leg"}, {on: 6, name: "head"}]
}`, "overlay-moved", []string{`expected: 1 to 2: name: "leg"`, `found now: 1 to 3: name: "leg"`, `wanted: 1 to 5: name: "leg"`}},
		{"misspelt", ``, `replace: rules: strike: output: harn: {expect: "1", with: "2"}`, "overlay-unknown", []string{"did you mean harm?"}},
		{"overlapping rows", ``, `extend: tables: place: bands: [{on: 6, name: "head"}]`, "table-overlap",
			[]string{"then/house.cue:", "game/game.cue:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, said := apply(brew("first", strings.ReplaceAll("\n"+c.first, "\n\n", "\n")), brew("then", "\n"+c.then))
			if len(said) == 0 || said[0].Code != c.code {
				t.Fatalf("reported %v", said)
			}
			for _, s := range c.says {
				if !strings.Contains(said[0].String(), s) {
					t.Errorf("%s\n\tdoes not say %s", said[0].String(), s)
				}
			}
		})
	}
}
