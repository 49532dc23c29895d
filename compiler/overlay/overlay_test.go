package overlay_test

import (
	"slices"
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
tables: reach: {
	cite: "Reach"
	columns: [[1, 3], [4, 6]]
	rows: {dagger: [0, 1], sword: [1, 2], club: [1, 1]}
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
		lucky: option: luck: {on: "roll == 6", off: "false"}
	}
}
rules: poke: {
	cite: "Strikes"
	#Input: with!: string @key(reach)
	dice: roll: "d6"
	output: reach: "reach(input.with, roll)"
}
rules: rest: {
	cite: "Rest"
	output: heals: "character.strength + 1"
}
rules: ambush: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	use: strike: {rule: "strike", input: with: "input.with"}
	output: harm: "2 * strike.harm"
}
procedures: climb: {
	cite: "Climbing"
	#State: height: *0 | int & >=0 & <=99
	events: pull: {
		when: "state.height < 60"
		dice: roll: "d6"
		require: "a 1 is no hold": "roll > 1"
		next: height: "state.height + roll"
	}
	ends: top: "state.height >= 10"
	output: height: "state.height"
}
`

const release = `package rules

import "example.com/game/game"
rulesets: "game": {rules: game, revision: "1.0.0"}
`

// entryOfSource is a module of some files.
func entryOfSource(files ...string) load.Source {
	fsys := fstest.MapFS{"cue.mod/module.cue": {Data: []byte(
		"module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")}}
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
	src := entryOfSource("house.cue", head+body)
	src.Name = id
	return src
}

func apply(homebrews ...load.Source) (*plan.Plan, []diag.Diagnostic) {
	return compiler.Homebrew(entryOfSource("rules.cue", release, "game/game.cue", game), "game", homebrews, compiler.Options{})
}

// strike is the sheet of a strike with a weapon, of which the die shows a face.
func strike(t *testing.T, p *plan.Plan, with string, face int64) string {
	t.Helper()
	r, err := runtime.New(p).Rule("strike", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := r.Eval(runtime.Request{
		Character: []byte(`{}`), Input: []byte(`{"with": "` + with + `"}`), Throw: dice.Fallen(face),
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
		{"a cell", `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}`, "dagger",
			`{"harm":11,"at":"arm","lucky":true}`},
		{"a formula", `replace: rules: strike: output: harm: {
			expect: "weapon(input.with)  + roll"
			with:   "weapon(input.with) * 2"
		}`, "dagger", `{"harm":8,"at":"arm","lucky":true}`},
		{"an option", `replace: options: luck: {expect: "on", with: "off"}`, "dagger", `{"harm":10,"at":"arm","lucky":false}`},
		{"all rows", `replace: tables: place: {
			expect: bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}]
			with: bands: [{on: [1, 5], name: "leg"}, {on: 6, name: "head"}]
		}`, "dagger", `{"harm":10,"at":"head","lucky":true}`},
		{"an output more", `extend: rules: strike: output: twice: "2 * harm"`, "dagger",
			`{"harm":10,"at":"arm","lucky":true,"twice":20}`},
		{"a field more", `#Character: rage: *7 | int
			replace: rules: strike: output: harm: {expect: "weapon(input.with) + roll",
				with: "weapon(input.with) + character.rage"}`, "dagger",
			`{"harm":11,"at":"arm","lucky":true}`},
		{"a requirement", `replace: rules: strike: require: "only the strong strike": {expect: "character.strength > 0",
			with: "roll == 6"}`,
			"dagger", `{"harm":10,"at":"arm","lucky":true}`},
		{"lets that are called as the parts of a replacement are", `extend: rules: strike: let: {expect: "1",
			with: "expect + 1", dice: "with"}
			extend: rules: strike: output: more: "dice"`, "dagger", `{"harm":10,"at":"arm","lucky":true,"more":2}`},
		{"a field of the input more", `extend: rules: strike: {
				#Input: aimed: *3 | int & >=0 & <=9
				output: aimed: "harm + input.aimed"
			}`, "dagger", `{"harm":10,"at":"arm","lucky":true,"aimed":13}`},
		// 4 + 6 - 2
		{"dice and a number", `replace: rules: strike: dice: roll: {expect: "d6", with: "d8 - 2"}`, "dagger",
			`{"harm":8,"at":"arm","lucky":false}`},
		{"a die that is rolled again", `replace: rules: strike: dice: roll: {expect: "d6", with: {die: 6, again: on: "<=2"}}`,
			"dagger", `{"harm":10,"at":"arm","lucky":true}`},
		{"a die that is none", `replace: rules: strike: dice: roll: {expect: "d6", with: "d4 +"}
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

// ambushed is the sheet of an ambush with a sword, of which the die shows faces.
func ambushed(t *testing.T, p *plan.Plan, faces []int64) string {
	t.Helper()
	r, err := runtime.New(p).Rule("ambush", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := r.Eval(runtime.Request{Character: []byte(`{}`), Input: []byte(`{"with": "sword"}`),
		Throw: dice.Fallen(faces...)})
	if err != nil {
		t.Fatal(err)
	}
	return string(sheet.Output.AppendJSON(nil))
}

func TestReplaceUse(t *testing.T) {
	for _, c := range []struct {
		name, with string
		faces      []int64
		want       string
	}{
		// 2 * (4 + 4)
		{"another input", `{rule: "strike", input: with: "input.with == 'sword' ? 'dagger' : 'sword'"}`, []int64{4},
			`{"harm":16}`},
		{"not when weak", `{rule: "strike", when: "character.strength > 1", input: with: "input.with", otherwise: harm: "1"}`,
			nil, `{"harm":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, said := apply(brew("house", `replace: rules: ambush: use: strike: {
	expect: {rule: "strike", input: with: " input.with "}
	with: `+c.with+`
}`))
			if len(said) > 0 {
				t.Fatal(said)
			}
			if got := ambushed(t, p, c.faces); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := overlaysOf(p, "ambush", "harm"); got != "house" {
				t.Errorf("harm comes from %q, want house", got)
			}
		})
	}
}

// A homebrew replaces one cell of a table with two keys, adds a row, or replaces all.
func TestTwoKeys(t *testing.T) {
	for _, c := range []struct{ name, body, with, want string }{
		{"nothing", ``, "dagger", `{"reach":1}`},
		{"a cell", `replace: tables: reach: rows: dagger: "4 to 6": {expect: 1, with: 3}`, "dagger", `{"reach":3}`},
		{"a wider cell", `replace: tables: reach: rows: dagger: "4 to 6": {expect: 1, with: 1.5}`, "sword", `{"reach":2.0}`},
		{"a row more", `extend: tables: reach: {columns: [[1, 3], [4, 6]], rows: pike: [2, 4]}`, "pike", `{"reach":4}`},
		{"the rows", `replace: tables: reach: {
			expect: {columns: [[1, 3], [4, 6]], rows: {dagger: [0, 1], sword: [1, 2], club: [1, 1]}}
			with: {columns: [[1, 3], [4, 6]], rows: {dagger: [0, 7], pike: [1, 2]}}
		}`, "dagger", `{"reach":7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, said := apply(brew("house", c.body))
			if p == nil {
				t.Fatal(said)
			}
			r, err := runtime.New(p).Rule("poke", runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := r.Eval(runtime.Request{
				Character: []byte(`{}`), Input: []byte(`{"with": "` + c.with + `"}`), Throw: dice.Fallen(5),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(sheet.Output.AppendJSON(nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	_, said := apply(brew("house", `replace: tables: reach: rows: dagger: "4 to 5": {expect: 1, with: 3}`))
	if len(said) != 1 || said[0].Code != "overlay-unknown" || said[0].Repair != "did you mean 4 to 6?" {
		t.Errorf("a column that there is not: %v", said)
	}
}

// A trace says which homebrew has a part in a number, and in which it has none.
func TestOverlays(t *testing.T) {
	p, said := apply(
		brew("arms", `extend: tables: weapon: keyed: club: damage: 3`),
		brew("house", `extend: rules: strike: output: twice: "2 * harm"
extend: rules: strike: {
	dice: {drawn: faces: "weapon", thrown: pool: "[weapon(input.with) + 1]"}
	output: {found: "drawn", worst: "max(thrown)"}
}`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	want := map[string]string{
		"harm": "arms", "at": "", "lucky": "", "twice": "arms house", "found": "arms house", "worst": "arms house",
	}
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

// TestOverlaysOfOneTable lets two homebrews change one table in every way that there is, in both orders: both have a part in
// what comes of it, in the order in which they are applied, and in the definition.
func TestOverlaysOfOneTable(t *testing.T) {
	changes := map[string]string{
		"a cell":           `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}`,
		"a row":            `extend: tables: weapon: keyed: club: damage: 3`,
		"a row taken out":  `disable: tables: weapon: rows: sword: "too long"`,
		"the citation":     `replace: tables: weapon: cite: {expect: "Weapons", with: "House rules"}`,
		"two cells and so": `replace: tables: weapon: rows: {dagger: damage: {expect: 4, with: 6}, sword: damage: {expect: 8, with: 9}}`,
	}
	const spear = `extend: tables: weapon: keyed: spear: damage: 7`
	for name, change := range changes {
		for _, ids := range [][]string{{"one", "two"}, {"two", "one"}} {
			brews := map[string]load.Source{"one": brew("one", change), "two": brew("two", spear)}
			p, said := apply(brews[ids[0]], brews[ids[1]])
			if len(said) > 0 {
				t.Fatalf("%s: %v", name, said)
			}
			want := strings.Join(ids, " ")
			if got := overlaysOf(p, "strike", "harm"); got != want {
				t.Errorf("%s: harm comes from %q, want %q", name, got, want)
			}
			if got := strings.Join(p.Entry("weapon", plan.TableEntry).Overlays, " "); got != want {
				t.Errorf("%s: the table is of %q, want %q", name, got, want)
			}
		}
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
		{"what is called with is replaced", `extend: rules: strike: let: {with: "1", dice: "with"}
extend: rules: strike: output: more: "dice"`, `replace: rules: strike: let: {with: {expect: "2", with: "3"},
	dice: {expect: "with", with: "with + 1"}}`,
			"overlay-moved", []string{"rules.strike.let.with is not what is expected", "expected: 2", "found now: 1"}},
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
}`, "overlay-moved", []string{`expected: 1 to 2: name: "leg"`, `found now: 1 to 3: name: "leg"`,
			`wanted: 1 to 5: name: "leg"`}},
		{"misspelt", ``, `replace: rules: strike: output: harn: {expect: "1", with: "2"}`, "overlay-unknown",
			[]string{"did you mean harm?"}},
		{"a use moved", ``, `replace: rules: ambush: use: strike: {
	expect: {rule: "strike", input: with: "'sword'"}
	with: {rule: "rest"}
}`, "overlay-moved", []string{"expected: rule strike; input with: 'sword'",
			"found now: rule strike; input with: input.with", "wanted: rule rest", "game/game.cue:"}},
		{"a citation of what is disabled", `disable: rules: rest: "nobody rests"`,
			`replace: rules: rest: cite: {expect: "Rest", with: "House"}`,
			"overlay-conflict", []string{"rules.rest is changed twice", "first/house.cue:"}},
		{"a rule that another extends", `extend: rules: rest: output: more: "1"`, `disable: rules: rest: "nobody rests"`,
			"overlay-conflict", []string{"then/house.cue:", "rules.rest is changed twice", "first/house.cue:"}},
		{"a procedure that another extends", `extend: procedures: climb: ends: ground: "state.height == 5"`,
			`disable: procedures: climb: "nobody climbs"`,
			"overlay-conflict", []string{"procedures.climb is changed twice", "first/house.cue:"}},
		{"an event that another extends", `extend: procedures: climb: events: pull: require: "not by a 3": "roll != 3"`,
			`disable: procedures: climb: events: pull: "nobody pulls"`,
			"overlay-conflict", []string{"procedures.climb.events.pull is changed twice", "first/house.cue:"}},
		{"a table that another extends", `extend: tables: place: bands: [{on: 7, name: "head"}]`,
			`disable: tables: place: "it hurts everywhere"`,
			"overlay-conflict", []string{"tables.place is changed twice", "first/house.cue:"}},
		{"an event that another disables", `disable: procedures: climb: events: pull: "nobody pulls"`,
			`extend: procedures: climb: events: pull: output: more: "1"`,
			"overlay-conflict", []string{"procedures.climb.events.pull is changed twice", "first/house.cue:"}},
		{"a row that another disables", `disable: tables: weapon: rows: dagger: "too small"`,
			`extend: tables: weapon: keyed: dagger: damage: 2`,
			"overlay-conflict", []string{"tables.weapon.rows.dagger is changed twice", "first/house.cue:"}},
		{"two end alike", `extend: procedures: climb: ends: ground: "state.height == 50"`,
			`extend: procedures: climb: ends: ground: "state.height == 60"`,
			"overlay-silent", []string{"ground of procedure climb is there already", "first/house.cue:"}},
		{"two require alike", ``, `extend: rules: strike: require: "only the strong strike": "character.strength > 5"`,
			"overlay-silent", []string{"only the strong strike of rule strike is there already", "game/game.cue:"}},
		{"the same next", ``, `extend: procedures: climb: events: pull: next: height: "0"`,
			"overlay-silent", []string{"height of procedure climb, event pull is there already"}},
		{"a condition for an event that is there", ``, `extend: procedures: climb: events: pull: when: "false"`,
			"overlay-silent", []string{"when of procedure climb, event pull is there already"}},
		{"an input that is there", ``, `extend: rules: strike: #Input: with: *"dagger" | string`,
			"overlay-silent", []string{"with of rule strike is there already"}},
		{"no such procedure", ``, `extend: procedures: clim: output: up: "1"`, "overlay-unknown",
			[]string{"did you mean climb?"}},
		{"no such use", ``, `replace: rules: ambush: use: strik: {expect: {rule: "strike"}, with: {rule: "rest"}}`,
			"overlay-unknown", []string{"did you mean strike?"}},
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

// TestDisabledOnce disables a procedure that has been extended in two places: that is one conflict.
func TestDisabledOnce(t *testing.T) {
	_, said := apply(brew("first", `extend: procedures: climb: {output: more: "1", events: pull: output: most: "2"}`),
		brew("then", `disable: procedures: climb: "nobody climbs"`))
	if len(said) != 1 || said[0].Code != "overlay-conflict" {
		t.Errorf("reported %v", said)
	}
}

// overlaysOf are the homebrews that a trace names for an output of a rule.
func overlaysOf(p *plan.Plan, rule, output string) string {
	for i := range p.Rules {
		for _, n := range p.Rules[i].Graph.Names {
			if p.Rules[i].ID == rule && n.Name == output {
				return strings.Join(n.Overlays, " ")
			}
		}
	}
	return ""
}

// climb plays a climb with the faces of one pull after the other, then an event that a homebrew adds, and gives the sheet.
func climb(t *testing.T, p *plan.Plan, events ...runtime.Step) (string, error) {
	t.Helper()
	d, err := runtime.New(p).Procedure("climb", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	play, err := d.Play(runtime.Request{Character: []byte(`{}`)}, events...)
	if err != nil {
		return "", err
	}
	return play.Status + " " + string(play.Output.AppendJSON(nil)), nil
}

func pull(face int64) runtime.Step {
	return runtime.Step{Event: "pull", Throw: dice.Fallen(face)}
}

func TestExtendProcedure(t *testing.T) {
	p, said := apply(brew("house", `extend: procedures: climb: {
	#State: slips: *0 | int & >=0 & <=9
	let: tired: "state.slips > 0"
	events: {
		pull: {
			require: "tired arms do not pull": "!tired"
			next: slips: "roll == 2 ? state.slips + 1 : state.slips"
		}
		slide: {
			#Event: feet!: int & >=0 & <=9
			when: "state.height > 0"
			next: height: "max(0, state.height - event.feet)"
		}
	}
	ends: ground: "tired && state.height == 0"
	output: slipped: "tired"
}`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	slide := runtime.Step{Event: "slide", Input: []byte(`{"feet": 3}`)}
	for _, c := range []struct {
		events []runtime.Step
		want   string
	}{
		{[]runtime.Step{pull(6), pull(5)}, `top {"height":11,"slipped":false}`},
		{[]runtime.Step{pull(5), slide}, `open {"height":2,"slipped":false}`},
		{[]runtime.Step{pull(2), slide}, `ground {"height":0,"slipped":true}`},
		{[]runtime.Step{pull(2), pull(5)}, `refused: event 2, pull: tired arms do not pull`},
	} {
		got, err := climb(t, p, c.events...)
		if err != nil {
			got = "refused: " + err.Error()
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestReplaceGuard replaces the condition of an event: the event is offered as the homebrew says.
func TestReplaceGuard(t *testing.T) {
	p, said := apply(brew("house", `replace: procedures: climb: events: pull: when: {
	expect: "state.height < 60"
	with:   "state.height < 6"
}`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	if got, err := climb(t, p, pull(5), pull(6)); err != nil || got != `top {"height":11}` {
		t.Errorf("got %s, %v below the limit", got, err)
	}
	if got, err := climb(t, p, pull(6), pull(5)); err == nil {
		t.Errorf("got %s, and nobody pulls from 6 on", got)
	}
}

// TestSaysAndCites holds what a homebrew puts in the place of texts: they have no formula to be found by.
func TestSaysAndCites(t *testing.T) {
	p, said := apply(brew("house", `replace: {
	procedures: climb: events: pull: require: "a 1 is no hold": {expect: "roll > 1", with: "roll > 2",
		says: "1 and 2 are no hold"}
	rules: rest: cite: {expect: "Rest", with: "House rules, rest"}
	tables: weapon: {
		cite: {expect: "Weapons", with: "House rules, weapons"}
		rows: dagger: damage: {expect: 4, with: 5}
	}
	options: luck: {expect: "on", with: "off", cite: {expect: "Luck", with: "House rules, luck"}}
}`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	if _, err := climb(t, p, pull(2)); err == nil || err.Error() != "event 1, pull: 1 and 2 are no hold" {
		t.Errorf("got %v, want the message of the homebrew", err)
	}
	for _, want := range []string{"rest: House rules, rest", "weapon: House rules, weapons", "luck: House rules, luck"} {
		if !slices.ContainsFunc(p.Entries, func(e plan.Entry) bool {
			return e.ID+": "+e.Cite == want && slices.Equal(e.Overlays, []string{"house"})
		}) {
			t.Errorf("nothing is cited as %s", want)
		}
	}
}
