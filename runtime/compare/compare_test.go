package compare_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// ground is the ruleset that the edits of the tests change.
const ground = `package small

import "list"

id:    "small"
title: "Small"
source: book: "Small"

#Character: {
	strength!: int & >=0 & <=100
	luck:      *0 | int & >=0 & <=9
	tags: [string]: int & >=0 & <=9
	gear?: [...{name!: string, weight!: int & >=0 & <=50}] & list.MaxItems(8)
}

options: half: {
	cite:    "Rounding"
	default: "up"
	values: {up: "upwards", down: "downwards"}
}

tables: weapons: {
	cite: "Weapons"
	keyed: {
		club: {damage: 2, price: 1}
		axe: {damage: 5, price: 9}
	}
}

tables: bands: {
	cite:  "Bands"
	gives: "add"
	bands: [
		{on: [0, 9], add: 0},
		{on: [10, 19], add: 2},
		{on: [20, 200], add: 4},
	]
}

traits: might: {
	cite: "Might"
	expr: "character.strength + character.luck"
}

functions: halved: {
	cite: "Rounding"
	params: n: "int"
	expr: option: half: {up: "div_ceil(n, 2)", down: "div_floor(n, 2)"}
}

rules: strike: {
	cite: "Striking"
	doc:  "A blow."
	#Input: {
		weapon!:  "club" | "axe"
		bonus:    *0 | int & >=0 & <=20
	}
	dice: roll: "d10"
	let: total: "roll + bands(character.might) + input.bonus"
	require: "too weak": "character.strength > 0"
	output: {
		hit:    "total >= 8"
		damage: "hit ? weapons(input.weapon).damage : 0"
	}
}

rules: carry: {
	cite: "Carrying"
	#Input: {}
	output: load: "halved(has(character.gear) ? sum(character.gear.map(g, g.weight)) : 0)"
}

procedures: climb: {
	cite: "Climbing"
	#Input: {height!: int & >=1 & <=10}
	#State: {
		up: *0 | int & >=0 & <=100
		left: *["hook", "rope"] | [...string] & list.MaxItems(4)
	}
	events: pull: {
		#Event: {}
		dice: pull: "d6"
		next: up: "state.up + pull"
	}
	ends: top: "state.up >= input.height"
	output: {
		left:  "input.height - state.up"
		hooks: "state.left.exists(l, l in ['hook', 'pick'])"
	}
}

readings: again: {
	cite:     "Striking"
	question: "twice"
	ruled:    "once"
	rejected: "twice"
	why:      "shorter"
}
`

func compileSmall(t testing.TB, src string) *plan.Plan {
	t.Helper()
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/small@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"small.cue":          {Data: []byte(src)},
	}
	p, diags := compiler.Directory(load.Source{FS: files}, ".", compiler.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

// edited is the ground with texts exchanged, each of which must be there.
func edited(t testing.TB, pairs ...string) *plan.Plan {
	t.Helper()
	src := ground
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(src, pairs[i]) {
			t.Fatalf("the ground has no %q", pairs[i])
		}
		src = strings.Replace(src, pairs[i], pairs[i+1], 1)
	}
	return compileSmall(t, src)
}

func TestClassOfAnEdit(t *testing.T) {
	old := compileSmall(t, ground)
	for name, c := range map[string]struct {
		edit     []string
		class    compare.Class
		breaking bool
		want     string // a change: "rule strike: part"
	}{
		"nothing":          {nil, compare.Same, false, ""},
		"blanks in CUE":    {[]string{"\tdoc:  \"A blow.\"", "\tdoc: \"A blow.\""}, compare.Same, false, ""},
		"a comment's text": {[]string{"A blow.", "One blow."}, compare.TextClass, false, "rule strike: doc"},
		"the first word of a glossary": {[]string{"options: half:",
			"words: luck: {label: \"fortune\", unit: \"point|points\"}\n\noptions: half:"},
			compare.TextClass, false, "word luck: word"},
		"a sentence": {[]string{"options: half:",
			"words: luck: \"fortune\"\n\nrules: strike: say: \"{hit|Well|Badly} struck\"\n\noptions: half:"},
			compare.TextClass, false, "rule strike: say"},
		"a headline without a glossary": {[]string{"options: half:",
			"rules: strike: headline: \"{hit|Well|Badly} struck\"\n\noptions: half:"}, compare.TextClass, false, "rule strike: headline"},
		"the steps of a field": {[]string{"*0 | int & >=0 & <=9\n\ttags", "*0 | int & >=0 & <=9 @steps(3)\n\ttags"},
			compare.TextClass, false, "character: asking for luck"},
		"what is asked first": {[]string{"height!: int & >=1 & <=10}", "height!: int & >=1 & <=10 @primary(1)}"},
			compare.TextClass, false, "procedure climb: asking for height"},
		"a citation": {[]string{`"Carrying"`, `"Carrying, p. 2"`}, compare.TextClass, false, "rule carry: cite"},
		"a reading": {[]string{`why:      "shorter"`, `why:      "simpler"`}, compare.TextClass, false,
			"reading again: why"},
		"what a value means": {[]string{`"upwards"`, `"to the next"`}, compare.TextClass, false, "option half: value up"},
		"the refusal's text": {[]string{`"too weak"`, `"not strong enough"`}, compare.TextClass, false,
			"rule strike: require too weak"},
		"blanks in a formula": {[]string{"character.strength + character.luck", "character.strength  +  character.luck"},
			compare.TextClass, false, "trait might: expr"},
		"operands exchanged": {[]string{"character.strength + character.luck", "character.luck + character.strength"},
			compare.TextClass, false, "trait might: expr"},
		"a let's name": {
			[]string{"let: total:", "let: sum:", `"total >= 8"`, `"sum >= 8"`}, compare.TextClass, false, "rule strike: let sum"},
		"times one": {[]string{`load: "halved(`, `load: "1 * halved(`}, compare.TextClass, false,
			"rule carry: output load"},
		"plus nothing": {[]string{"+ input.bonus", "+ input.bonus + (3 - 3)"}, compare.TextClass, false,
			"rule strike: let total"},
		"a number computed": {[]string{"total >= 8", "total >= 2 * 4"}, compare.TextClass, false, "rule strike: output hit"},
		"turned around":     {[]string{"total >= 8", "8 <= total"}, compare.TextClass, false, "rule strike: output hit"},
		"denied":            {[]string{"total >= 8", "!(total < 8)"}, compare.TextClass, false, "rule strike: output hit"},
		"arms exchanged": {[]string{"hit ? weapons(input.weapon).damage : 0", "!hit ? 0 : weapons(input.weapon).damage"},
			compare.TextClass, false, "rule strike: output damage"},
		"a truth chosen": {[]string{"total >= 8", "total >= 8 ? true : false"}, compare.TextClass, false,
			"rule strike: output hit"},
		"what never happens": {
			[]string{"character.strength > 0", "character.strength > 0 || character.strength < -5"}, compare.TextClass, false,
			"rule strike: require too weak"},
		"what never matters": {[]string{"bands(character.might)", "bands(max(0, character.might))"}, compare.NumbersClass, false,
			"rule strike: output.hit"},
		"written out twice": {[]string{"total >= 8", "roll + bands(character.might) + input.bonus >= 8"}, compare.TextClass,
			false, "rule strike: output hit"},
		"a function written out": {
			[]string{"halved(has(character.gear) ? sum(character.gear.map(g, g.weight)) : 0)",
				"option.half == 'up' ? div_ceil(has(character.gear) ? sum(character.gear.map(g, g.weight)) : 0, 2) : " +
					"div_floor(has(character.gear) ? sum(character.gear.map(g, g.weight)) : 0, 2)"},
			compare.NumbersClass, false, "rule carry: output.load"},
		"nearly denied": {[]string{"total >= 8", "!(total <= 8)"}, compare.NumbersClass, false, "rule strike: output.hit"},
		"the other arm": {[]string{"hit ? weapons(input.weapon).damage : 0", "!hit ? weapons(input.weapon).damage : 0"},
			compare.NumbersClass, false, "rule strike: output.damage"},
		"only under the bounds that are new": {
			[]string{"strength!: int & >=0", "strength!: int & >=1", "character.strength > 0", "true"}, compare.ShapeClass, true,
			"rule strike: what is refused"},

		"a die's faces": {[]string{`roll: "d10"`, `roll: "d12"`}, compare.OddsClass, false, "rule strike: output.hit"},
		"a die that explodes": {[]string{`roll: "d10"`, `roll: {die: 10, explode: on: 10}`}, compare.OddsClass, false,
			"rule strike: output.damage"},
		"a die's name": {
			[]string{`roll: "d10"`, `blow: "d10"`, "\"roll +", "\"blow +"}, compare.OddsClass, false, "rule strike: dice"},
		"an event's die": {[]string{`pull: "d6"`, `pull: "d8"`}, compare.OddsClass, false, "event climb.pull: next state.up"},

		"a constant": {[]string{"total >= 8", "total >= 9"}, compare.NumbersClass, false, "rule strike: output.hit"},
		"a trait": {[]string{"strength + character.luck", "strength + 2 * character.luck"}, compare.NumbersClass, false,
			"rule strike: output.hit"},
		"an arm": {[]string{`down: "div_floor(n, 2)"`, `down: "div_trunc(n, 2)"`}, compare.NumbersClass, false,
			"rule carry: output.load"},
		"a ruling": {[]string{`default: "up"`, `default: "down"`}, compare.NumbersClass, false, "option half: played"},
		"a default": {[]string{"bonus:    *0", "bonus:    *1"}, compare.NumbersClass, false,
			"rule strike: input.bonus default"},
		"a requirement": {[]string{"character.strength > 0", "character.strength > 1"}, compare.NumbersClass, false,
			"rule strike: what is refused"},
		"a cell": {[]string{"club: {damage: 2", "club: {damage: 3"}, compare.NumbersClass, false,
			`table weapons: row "club", damage`},
		"a cell, unread": {[]string{"price: 9", "price: 8"}, compare.NumbersClass, false, `table weapons: row "axe", price`},
		"a limit": {[]string{"on: [0, 9]", "on: [0, 8]", "on: [10, 19]", "on: [9, 19]"}, compare.NumbersClass, false,
			"table bands: row"},
		"an end": {[]string{"state.up >= input.height", "state.up > input.height"}, compare.NumbersClass, false,
			"procedure climb: end 1"},
		"a die and a number": {
			[]string{`roll: "d10"`, `roll: "d12"`, "total >= 8", "total >= 9"}, compare.NumbersClass, false, "rule strike: dice"},

		"a field that may be absent": {[]string{"luck:   ", "age?: int & >=0 & <=9\n\tluck:   "}, compare.ShapeClass, false,
			"character: character.age"},
		"a field beside others": {[]string{"name!: string,", "name!: string, size: *0 | int & >=0 & <=9,"},
			compare.ShapeClass, false, "character: character.gear[].size"},
		"a required field": {[]string{"luck:   ", "age!: int & >=0 & <=9\n\tluck:   "}, compare.ShapeClass, true,
			"character: character.age"},
		"a wider bound": {[]string{"height!: int & >=1 & <=10", "height!: int & >=1 & <=20"}, compare.ShapeClass,
			false, "procedure climb: input.height at most"},
		"a narrower bound": {[]string{"strength!: int & >=0", "strength!: int & >=1"}, compare.ShapeClass, true,
			"character: character.strength at least"},
		"one more word": {[]string{`"club" | "axe"`, `"club" | "axe" | "fist"`}, compare.ShapeClass, false,
			"rule strike: input.weapon"},
		"one word less": {[]string{`"club" | "axe"`, `"club"`}, compare.ShapeClass, true,
			"rule strike: input.weapon"},
		"a new output": {[]string{"hit:    ", "missed: \"total < 8\"\n\t\thit:    "}, compare.ShapeClass, false,
			"rule strike: output.missed"},
		"an output less": {[]string{`hit:    "total >= 8"`, "", "hit ?", "total >= 8 ?"}, compare.ShapeClass, true,
			"rule strike: output.hit"},
		"another type": {[]string{": 0\"", ": 0.0\"", ".damage :", ".damage * 1.0 :"}, compare.ShapeClass, true,
			"rule strike: output.damage"},
		"another rule's name": {[]string{"rules: carry:", "rules: bear:"}, compare.ShapeClass, true, "rule carry: "},
		"an option's value": {[]string{`{up: "upwards"`, `{never: "not at all", up: "upwards"`, `option: half: {up:`,
			`option: half: {never: "n", up:`}, compare.ShapeClass, false, "option half: value"},
		"another end": {[]string{"ends: top:", "ends: summit:"}, compare.ShapeClass, true, "procedure climb: end"},
	} {
		t.Run(name, func(t *testing.T) {
			d := compare.Compare(old, edited(t, c.edit...), schedule.Normal)
			if d.Class() != c.class || d.Breaking() != c.breaking {
				t.Errorf("got %v, breaking %v; want %v, breaking %v", d.Class(), d.Breaking(), c.class, c.breaking)
			}
			if c.want != "" && !slices.Contains(said(d), c.want) {
				t.Errorf("got the changes %q, without %q", said(d), c.want)
			}
		})
	}
}

// said are the changes as "rule strike: part".
func said(d *compare.Diff) []string {
	var out []string
	for _, x := range append(slices.Clone(d.Definitions), d.Answers...) {
		for _, c := range x.Changes {
			out = append(out, x.Label()+": "+c.Part)
		}
	}
	return out
}

func TestAnswersNameTheOutputsThatChange(t *testing.T) {
	d := compare.Compare(compileSmall(t, ground), edited(t, "damage: 5", "damage: 6"), schedule.Normal)
	if len(d.Answers) != 1 || d.Answers[0].Label() != "rule strike" {
		t.Fatalf("the answers are %v, want those of rule strike alone", said(d))
	}
	if got := d.Answers[0].Changes; len(got) != 1 || got[0].Part != "output.damage" {
		t.Errorf("the changes are %v, want output.damage alone", got)
	}
}

func TestFieldBesideOthersChangesNoAnswer(t *testing.T) {
	d := compare.Compare(compileSmall(t, ground), edited(t, "name!: string,", "name!: string, size: *0 | int & >=0 & <=9,"),
		schedule.Normal)
	if len(d.Answers) != 0 {
		t.Errorf("the answers are %v, want none", said(d))
	}
}

// TestOtherNumbersOfSymbolsChangeNoAnswer adds strings before all others, so that every symbol has another number.
func TestOtherNumbersOfSymbolsChangeNoAnswer(t *testing.T) {
	d := compare.Compare(compileSmall(t, ground), edited(t, "options: half:", `options: first: {cite: "x", default: "zeta",
		values: {zeta: "1", eta: "2"}}
rules: early: {cite: "x", #Input: kind!: "p" | "q", output: {a: "input.kind + 'theta'", b: "option.first"}}
options: half:`), schedule.Normal)
	if len(d.Answers) != 0 {
		t.Errorf("the answers are %v, want none", said(d))
	}
	if len(d.Definitions) != 2 || d.Breaking() {
		t.Errorf("the changes are %v, want those of two definitions more, which do not break", said(d))
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		old      string
		class    compare.Class
		breaking bool
		want     string
	}{
		{"0.1.3", compare.Same, false, "0.1.3"},
		{"0.1.3", compare.TextClass, false, "0.1.4"},
		{"0.1.3", compare.OddsClass, false, "0.2.0"},
		{"0.1.3", compare.NumbersClass, false, "0.2.0"},
		{"0.1.3", compare.ShapeClass, true, "0.2.0"},
		{"1.2.3", compare.ShapeClass, false, "1.3.0"},
		{"1.2.3", compare.ShapeClass, true, "2.0.0"},
	} {
		old, err := compare.ParseNumber(c.old)
		if got := old.Next(c.class, c.breaking).String(); err != nil || got != c.want {
			t.Errorf("after %s, %v, breaking %v: got %s, %v; want %s", c.old, c.class, c.breaking, got, err, c.want)
		}
	}
}

func TestParseNumberRefuses(t *testing.T) {
	for _, s := range []string{"", "1", "1.2", "1.2.3.4", "1.02.3", "1.2.-3", "1.2.3-rc", "1.2.99999999999999999999"} {
		if n, err := compare.ParseNumber(s); err == nil {
			t.Errorf("%q was read as %v", s, n)
		}
	}
}
