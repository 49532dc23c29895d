package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lint"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// at is a text in a file of its own, so that a diagnostic's place says in which text it is.
func at(s string) book.Text {
	t := book.Text{S: s, Place: plan.Place{File: s, Line: 1, Col: 1}}
	t.Runs = []book.Run{{Place: t.Place}}
	return t
}

func formula(s string) book.Formula { return book.Formula{Expr: at(s)} }

func named(name, s string) book.Named {
	return book.Named{Name: name, Place: plan.Place{File: name, Line: 1, Col: 1}, Formula: formula(s)}
}

func defined(id string) book.Definition {
	return book.Definition{ID: id, Place: plan.Place{File: id, Line: 1, Col: 1}}
}

func choice(by string, arms ...string) book.Formula {
	f := book.Formula{By: at(by)}
	for i := 0; i < len(arms); i += 2 {
		f.Is = append(f.Is, book.Arm{Value: arms[i], Place: plan.Place{File: by, Line: 2, Col: 1}, Expr: at(arms[i+1])})
	}
	return f
}

func shape(kind plan.Kind) *plan.Shape { return &plan.Shape{Kind: kind} }

func object(fields ...plan.Member) *plan.Shape {
	return &plan.Shape{Kind: plan.Record, Fields: fields, Place: plan.Place{File: "shape", Line: 1, Col: 1}}
}

func field(name string, s *plan.Shape) plan.Member {
	return plan.Member{Name: name, Shape: s, Place: plan.Place{File: "shape." + name, Line: 1, Col: 1}}
}

func optional(name string, s *plan.Shape) plan.Member {
	m := field(name, s)
	m.Optional = true
	return m
}

func preset(name string, s *plan.Shape, value string) plan.Member {
	m := field(name, s)
	m.Default = value
	return m
}

// game is a small ruleset without a fault, that has one of each construct.
func game() *book.Ruleset {
	person := object(
		field("skills", &plan.Shape{Kind: plan.Map, Elem: shape(plan.Int)}),
		field("strength", shape(plan.Int)),
		preset("fatigue", shape(plan.Int), "0"))
	person.Character = true
	return &book.Ruleset{
		ID: "game", Character: person,
		Options: []*book.Option{{
			Definition: defined("band"), Default: at("up"),
			Values: []book.Value{{Name: "up"}, {Name: "down"}},
		}},
		Tables: []*book.Table{
			{
				Definition: defined("difficulty"), Kind: plan.KeyedTable, Gives: at("value"),
				Columns: []plan.Member{field("value", shape(plan.Int))},
				Rows: []book.Row{
					{RowKey: plan.WordKey("easy"), Cells: []book.Cell{{JSON: "0"}}},
					{RowKey: plan.WordKey("hard"), Cells: []book.Cell{{JSON: "30"}}},
				},
			},
			{
				Definition: defined("location"), Kind: plan.BandsTable,
				Over:    book.Over{Dice: at("d6"), Place: plan.Place{File: "over", Line: 1, Col: 1}},
				Columns: []plan.Member{field("name", shape(plan.String)), field("shock", shape(plan.Double))},
				Rows: []book.Row{
					{RowKey: plan.RowKey{Kind: plan.BandsTable, Lo: 1, Hi: 2}, Cells: []book.Cell{{JSON: `"head"`}, {JSON: "1.5"}},
						Place: plan.Place{File: "row", Line: 1, Col: 1}},
					{RowKey: plan.RowKey{Kind: plan.BandsTable, Lo: 3, Hi: 6}, Cells: []book.Cell{{JSON: `"body"`}, {JSON: "0"}},
						Place: plan.Place{File: "row", Line: 2, Col: 1}},
				},
			},
		},
		Traits: []*book.Trait{
			{Definition: defined("might"), Formula: formula("character.strength + character.frame")},
			{Definition: defined("frame"), Formula: formula("div_floor(character.strength, 2)")},
		},
		Functions: []*book.Function{
			{
				Definition: defined("tens"), Params: []book.Param{{Name: "roll", Type: at("int")}},
				Formula: choice("option.band", "up", "div_ceil(roll, 10)", "down", "units(roll)"),
			},
			{
				Definition: defined("units"), Params: []book.Param{{Name: "roll", Type: at("int")}},
				Formula: formula("roll % 10"),
			},
		},
		Rules:      []*book.Rule{attack(), test()},
		Procedures: []*book.Procedure{contest()},
	}
}

func test() *book.Rule {
	return &book.Rule{
		Definition: defined("test"),
		Input: object(
			field("name", shape(plan.String)),
			preset("difficulty", &plan.Shape{Kind: plan.String, KeyOf: "difficulty"}, `"easy"`),
			preset("handicaps", &plan.Shape{Kind: plan.List, Elem: shape(plan.Int), MaxItems: 8}, "[]"),
			optional("bonus", shape(plan.Int))),
		Body: book.Body{
			Sources:  []book.Source{{Die: &book.Die{Name: "roll", Notation: at("d100")}}},
			Requires: []book.Require{{Message: "there is no such skill", Expr: at("input.name in character.skills")}},
			Lets: []book.Named{
				named("beyond", "roll - value"),
				named("extra", "has(input.bonus) ? input.bonus : 0"),
			},
			Outputs: []book.Named{
				named("value", "character.skills[input.name] - sum(input.handicaps) - difficulty(input.difficulty) + extra"),
				named("success", "beyond <= 0"),
				named("count", "success ? tens(roll) : 0"),
			},
		},
	}
}

func attack() *book.Rule {
	return &book.Rule{
		Definition: defined("attack"),
		Input:      object(field("name", shape(plan.String)), optional("armour", shape(plan.Int))),
		Body: book.Body{
			Sources: []book.Source{
				{Use: &book.Use{Name: "hit", Rule: at("test"), Place: plan.Place{File: "hit", Line: 1, Col: 1},
					Inputs: []book.Named{named("name", "input.name")}}},
				{Use: &book.Use{
					Name: "soak", Rule: at("test"), When: at("hit.success && has(input.armour)"),
					Inputs:    []book.Named{named("name", "'armour'"), named("bonus", "input.armour")},
					Otherwise: []book.Named{named("success", "false")},
				}},
				{Die: &book.Die{Name: "place", Faces: at("6")}},
				{Die: &book.Die{Name: "damage", Faces: at("6"), Count: at("hit.success ? character.might : 0"), Most: 20}},
			},
			Requires: []book.Require{{Message: "a blow must be struck", Expr: at("size(damage) > 0")}},
			Lets:     []book.Named{named("where", "location(place)")},
			Outputs: []book.Named{
				named("name", "where.name"),
				named("wounds", "soak.success ? 0.0 : sum(damage) + where.shock"),
			},
		},
	}
}

func contest() *book.Procedure {
	status := &plan.Shape{Kind: plan.String, Enum: []string{"open", "won"}}
	return &book.Procedure{
		Definition: defined("contest"),
		Input:      object(field("target", shape(plan.Int)), field("them", &plan.Shape{Kind: plan.Record, Character: true})),
		State: object(
			preset("pool", shape(plan.Int), "0"), preset("status", status, `"open"`),
			field("them", &plan.Shape{Kind: plan.Record, Character: true}),
			preset("log", &plan.Shape{Kind: plan.List, Elem: shape(plan.Int), MaxItems: 4}, "[]")),
		Lets:  []book.Named{named("left", "input.target - state.pool")},
		Start: &book.Step{Next: []book.Named{named("them", "input.them")}},
		Events: []*book.Event{{
			Input: object(field("names", &plan.Shape{Kind: plan.List, Elem: shape(plan.String), MaxItems: 3})),
			When:  at("state.status == 'open' && left > 0"),
			Step: book.Step{
				Definition: defined("roll"),
				Body: book.Body{
					Sources: []book.Source{{Use: &book.Use{
						Name: "tries", Rule: at("test"), Character: at("state.them"),
						Each:   []book.Named{named("who", "event.names")},
						Inputs: []book.Named{named("name", "who")},
					}}},
					Outputs: []book.Named{named("gain", "tries.sum(t, t.count)")},
				},
				Next: []book.Named{
					named("pool", "state.pool + gain"),
					named("status", "left <= gain ? 'won' : 'open'"),
					named("log", "gain == 0 ? [] : state.log + [gain]"),
					named("character.fatigue", "character.fatigue + 1"),
					named("them.fatigue", "state.them.fatigue + 1"),
				},
			},
		}},
		Ends:   []book.Require{{Message: "won", Expr: at("state.status == 'won'")}},
		Output: []book.Named{named("missing", "left")},
	}
}

func run(b *book.Ruleset) (*check.Ruleset, []diag.Diagnostic) {
	var diags diag.List
	out := check.Check(b, &diags)
	lint.Check(out, &diags)
	return out, diags.Sorted()
}

func TestGame(t *testing.T) {
	out, said := run(game())
	for _, d := range said {
		t.Error(d.String())
	}
	for _, x := range out.Rules {
		t.Logf("rule %s gives %s", x.Book.ID, x.Type())
	}
	want := map[string]string{
		"attack": "{name: string, wounds: double}",
		"test":   "{value: int, success: bool, count: int}",
	}
	for _, x := range out.Rules {
		if got := x.Type().String(); got != want[x.Book.ID] {
			t.Errorf("rule %s gives %s, want %s", x.Book.ID, got, want[x.Book.ID])
		}
	}
	attack := out.Rules[0]
	if early := out.Rules[1].Body.Requires[0].Early; !early {
		t.Error("a requirement on the input is early")
	}
	if attack.Body.Requires[0].Early {
		t.Error("a requirement on dice is not early")
	}
	if got := attack.Body.Outputs[0].Formula.Type().Enum; !slices.Equal(got, []string{"head", "body"}) {
		t.Errorf("the names of locations are %v", got)
	}
	if p := out.Procedures[0]; !p.Changes || p.Events[0].Next[3].Root != plan.CharacterRoot ||
		p.Events[0].Next[3].Path[0] != "fatigue" {
		t.Error("the event changes the fatigue of the character")
	}
}

// TestFaults breaks the game in one place each time, and expects to hear of that and of nothing else.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(*book.Ruleset)
		want  string
	}{
		{"unknown name", func(b *book.Ruleset) { b.Rules[1].Body.Lets[0] = named("beyond", "rol - value") },
			"rol - value:1 rule test, let beyond: there is no rol here [unknown-name] did you mean roll?"},
		{"what is wrong is sorted", func(b *book.Ruleset) {
			b.Rules[1].Body.Lets[0] = named("beyond", "rol - value")
			b.Rules[1].Body.Outputs[2] = named("count", "size(sort(beyond.slice(0, extra + roll)))")
		},
			"rol - value:1 rule test, let beyond: there is no rol here [unknown-name] did you mean roll?"},
		{"unknown field", func(b *book.Ruleset) { b.Rules[1].Body.Requires[0].Expr = at("input.name in character.skill") },
			`input.name in character.skill:25 rule test, require "there is no such skill": ` +
				`#Character has no field skill [unknown-member] did you mean skills?`},
		{"no formula", func(b *book.Ruleset) { b.Rules[0].Body.Outputs[0] = named("name", "") },
			":1 rule attack, output name: the formula is empty: write what it comes to, as \"0\" or \"true\", or leave out " +
				"what it stands for [syntax]"},
		{"table as a name", func(b *book.Ruleset) { b.Rules[0].Body.Lets[0] = named("where", "location") },
			"location:1 rule attack, let where: location is a table [unknown-name] a key in parentheses finds a row: location(key).name"},
		{"unknown function", func(b *book.Ruleset) { b.Rules[1].Body.Outputs[2] = named("count", "tenz(roll)") },
			"tenz(roll):1 rule test, output count: there is no function tenz [unknown-function] did you mean tens?"},
		{"rule called", func(b *book.Ruleset) { b.Rules[0].Body.Lets[0] = named("where", "test(place)") },
			`test(place):1 rule attack, let where: test is a rule, which no formula calls [unknown-function] ` +
				`hit is a use of test here: read hit.<output>`},
		{"state in start", func(b *book.Ruleset) { b.Procedures[0].Start.Next = []book.Named{named("them", "state.them")} },
			"state.them:1 procedure contest, start, next them: state may not be read here [unknown-name]"},
		{"unknown option", func(b *book.Ruleset) { b.Functions[0].Formula.By = at("option.bnad") },
			"option.bnad:8 function tens: there is no option bnad [unknown-option] did you mean band?"},
		{"option default", func(b *book.Ruleset) { b.Options[0].Default = at("upp") },
			`upp:1 option band: "upp" is no value of option band: it has up, down [option-value] did you mean up?`},
		{"erratum option", func(b *book.Ruleset) { b.Errata = []*book.Erratum{{ID: "e", Option: at("bond")}} },
			"bond:1 erratum e: there is no option bond [unknown-option] did you mean band?"},
		{"unknown rule", func(b *book.Ruleset) { b.Procedures[0].Events[0].Body.Sources[0].Use.Rule = at("tests") },
			"tests:1 procedure contest, event roll, use tries: there is no rule tests [unknown-rule] did you mean test?"},
		{"unknown table of a key", func(b *book.Ruleset) {
			b.Rules[1].Input.Fields[1].Shape = &plan.Shape{Kind: plan.String, KeyOf: "dificulty",
				Place: plan.Place{File: "key", Line: 1, Col: 1}}
		}, "key:1 rule test: @key(dificulty) names no keyed table [unknown-table] did you mean difficulty?"},
		{"let named as a die", func(b *book.Ruleset) { b.Rules[0].Body.Lets = append(b.Rules[0].Body.Lets, named("place", "1")) },
			"place:1 rule attack, let place: place is already the name of a die [name-taken]"},
		{"macro hides", func(b *book.Ruleset) {
			b.Procedures[0].Events[0].Body.Outputs[0] = named("gain", "tries.sum(left, left.count)")
		},
			"tries.sum(left, left.count):11 procedure contest, event roll, output gain: left hides a let or an output of that " +
				"name [name-hidden] give the variable another name"},
		{"trait named as a field", func(b *book.Ruleset) {
			b.Traits = append(b.Traits, &book.Trait{Definition: defined("strength"), Formula: formula("character.strength")})
		},
			"strength:1 trait strength: strength is also a field of #Character [name-taken]"},
		{"table named as a builtin", func(b *book.Ruleset) {
			t := *b.Tables[1]
			t.Definition = defined("size")
			b.Tables = append(b.Tables, &t)
		},
			"size:1 table size: size is a function of the language [name-taken] give it another name"},
		{"cycle of lets", func(b *book.Ruleset) { b.Rules[1].Body.Lets[0] = named("beyond", "success ? 1 : 2") },
			"beyond <= 0:1 rule test, success: it depends on itself: beyond -> success -> beyond [cycle]" +
				" a let is a name for a formula and keeps no value: one of these formulas must do without the others"},
		{"cycle of functions", func(b *book.Ruleset) { b.Functions[1].Formula = formula("tens(roll)") },
			"tens(roll):1 function units: it depends on itself: function tens -> function units -> function tens [cycle]" +
				" a function does not call itself: a list is walked by xs.fold(x, state, start, next), and what goes on and on at the table is a procedure"},
		{"cycle of traits", func(b *book.Ruleset) { b.Traits[1].Formula = formula("character.might") },
			"character.might:1 trait frame: it depends on itself: trait might -> trait frame -> trait might [cycle]"},
		{"cycle of rules", func(b *book.Ruleset) {
			b.Rules[1].Body.Sources = append(b.Rules[1].Body.Sources,
				book.Source{Use: &book.Use{Name: "again", Rule: at("attack"), Inputs: []book.Named{named("name", "'x'")}}})
		},
			"attack:1 rule test: it depends on itself: rule attack -> rule test -> rule attack [cycle]" +
				" a rule does not use itself: what goes on and on at the table is a procedure"},
		{"die below", func(b *book.Ruleset) { s := b.Rules[0].Body.Sources; s[0], s[1] = s[1], s[0] },
			"hit.success && has(input.armour):1 rule attack, soak: soak is rolled before hit, on which it depends [source-order] " +
				"move soak below hit"},
		{"unused let", func(b *book.Ruleset) { b.Rules[1].Body.Lets = append(b.Rules[1].Body.Lets, named("idle", "1")) },
			"idle:1 rule test: the let idle is never read [unused] read idle in a formula, or leave it out"},
		{"unused input", func(b *book.Ruleset) {
			b.Rules[1].Input.Fields = append(b.Rules[1].Input.Fields, preset("idle", shape(plan.Int), "0"))
		},
			"shape.idle:1 rule test: no formula reads input.idle [unused-input] " +
				"write input.idle into the formula that depends on it, or leave the field out"},
		{"missing arm", func(b *book.Ruleset) { b.Functions[0].Formula = choice("option.band", "up", "units(roll)") },
			"option.band:1 function tens: there is no formula for option band = down [choice-incomplete] " +
				"write down: \"...\" beside the others"},
		{"extra arm", func(b *book.Ruleset) {
			b.Functions[0].Formula = choice("option.band", "up", "units(roll)", "down", "1", "dwon", "2")
		},
			"option.band:1 function tens: option band is never dwon: it is one of up, down [choice-value] did you mean down?"},
		{"open choice", func(b *book.Ruleset) {
			b.Functions[0].Formula = choice("roll", "up", "units(roll)", "down", "option.band == 'up' ? 1 : 2")
		},
			"roll:1 function tens: a formula is chosen by an option or by a string with an enum, not by int [choice-open] " +
				"write one formula, x > 0 ? a : b"},
		{"arms of two types", func(b *book.Ruleset) {
			b.Functions[0].Formula = choice("option.band", "up", "units(roll)", "down", "1.5")
		},
			"1.5:1 function tens, down: the arms of a choice have one type: double stands beside int [no-promotion] write 1.0 or " +
				"double(x)"},
		{"option compared", func(b *book.Ruleset) { b.Functions[0].Formula = formula("option.band == 'dwon' ? units(roll) : 1") },
			"option.band == 'dwon' ? units(roll) : 1:16 function tens: option band is never 'dwon': it is one of up, down " +
				"[enum-value] did you mean down?"},
		{"key of a table", func(b *book.Ruleset) {
			b.Rules[1].Body.Lets[1] = named("extra", "has(input.bonus) ? input.bonus : difficulty('hrad')")
		},
			"has(input.bonus) ? input.bonus : difficulty('hrad'):45 rule test, let extra: the key of table difficulty is never " +
				"'hrad': it is one of easy, hard [enum-value] did you mean hard?"},
		{"key of another type", func(b *book.Ruleset) { b.Rules[0].Body.Lets[0] = named("where", "location(string(place))") },
			"location(string(place)):1 rule attack, let where: location takes (int or double), not (string) [type] " +
				"a number finds a row of location: location(5)"},
		{"argument of a function", func(b *book.Ruleset) { b.Rules[1].Body.Outputs[2] = named("count", "tens(1.0 * roll)") },
			"tens(1.0 * roll):1 rule test, output count: tens takes (int), not (double) [type] " +
				"floor(x), ceil(x) and round(x) make an int of a double"},
		{"when is a bool", func(b *book.Ruleset) { b.Procedures[0].Events[0].When = at("left") },
			"left:1 procedure contest, event roll, when: when must be bool, not int [type] a condition compares: x >= 1"},
		{"requirement is a bool", func(b *book.Ruleset) { b.Rules[0].Body.Requires[0].Expr = at("size(damage)") },
			`size(damage):1 rule attack, require "a blow must be struck": a requirement must be bool, not int [type] a condition compares: x >= 1`},
		{"input of a use", func(b *book.Ruleset) { b.Rules[0].Body.Sources[0].Use.Inputs[0] = named("name", "1") },
			"1:1 rule attack, use hit, input name: name must be string, not int [type] string(x) makes a text of a number"},
		{"missing input", func(b *book.Ruleset) { b.Rules[0].Body.Sources[0].Use.Inputs = nil },
			"hit:1 rule attack, use hit: rule test also needs input.name [missing-input]"},
		{"unknown input", func(b *book.Ruleset) { b.Rules[0].Body.Sources[0].Use.Inputs[0].Name = "nam" },
			"name:1 rule attack, use hit: rule test has no field nam [unknown-member] did you mean name?"},
		{"character of a use", func(b *book.Ruleset) {
			b.Procedures[0].Events[0].Body.Sources[0].Use.Character = at(
				"state.pool")
		},
			"state.pool:7 procedure contest, event roll, use tries, character: the character of a use must be #Character, not " +
				"int [type]"},
		{"each walks a list", func(b *book.Ruleset) {
			b.Procedures[0].Events[0].Body.Sources[0].Use.Each[0] = named("who", "state.pool")
		},
			"state.pool:1 procedure contest, event roll, use tries, each who: a use walks lists, not int [type]"},
		{"output without otherwise", func(b *book.Ruleset) { b.Rules[0].Body.Sources[1].Use.Otherwise = nil },
			"soak.success ? 0.0 : sum(damage) + where.shock:6 rule attack, output wounds: soak.success has no value when rule " +
				"test is not used [otherwise-missing] give use soak otherwise: success"},
		{"otherwise of no output", func(b *book.Ruleset) {
			u := b.Rules[0].Body.Sources[1].Use
			u.Otherwise = append(u.Otherwise, named("sucess", "true"))
		},
			"sucess:1 rule attack, use soak: rule test has no output sucess [unknown-output] did you mean success?"},
		{"otherwise of another type", func(b *book.Ruleset) {
			b.Rules[0].Body.Sources[1].Use.Otherwise[0] = named("success",
				"0")
		},
			"0:1 rule attack, use soak, otherwise success: success must be bool, not int [type] a condition compares: x >= 1"},
		{"otherwise without when", func(b *book.Ruleset) { b.Rules[0].Body.Sources[1].Use.When = book.Text{} },
			"input.armour:7 rule attack, use soak, input bonus: input.armour may be missing [unguarded] read it behind " +
				"has(input.armour)\n" +
				"success:1 rule attack, use soak: `otherwise` needs a `when`: it is the result when the condition is false " +
				"[otherwise-unused]"},
		{"unguarded in a use", func(b *book.Ruleset) { b.Rules[0].Body.Sources[1].Use.When = at("hit.success") },
			"input.armour:7 rule attack, use soak, input bonus: input.armour may be missing [unguarded] read it behind " +
				"has(input.armour)"},
		{"unguarded let", func(b *book.Ruleset) { b.Rules[1].Body.Lets[1] = named("extra", "input.bonus") },
			"input.bonus:7 rule test, let extra: input.bonus may be missing [unguarded] read it behind has(input.bonus)"},
		{"next of no field", func(b *book.Ruleset) { b.Procedures[0].Events[0].Next[0].Name = "pol" },
			"pool:1 procedure contest, event roll, next pol: #State has no field pol [unknown-member] did you mean pool?"},
		{"next of another type", func(b *book.Ruleset) { b.Procedures[0].Events[0].Next[0] = named("pool", "gain * 0.5") },
			"gain * 0.5:6 procedure contest, event roll, next pool: pool must be int, not double [no-promotion] say how to " +
				"round: floor(x), ceil(x) or round(x)"},
		{"next of no value", func(b *book.Ruleset) {
			b.Procedures[0].Events[0].Next[1] = named("status", "left <= gain ? 'one' : 'open'")
		},
			"left <= gain ? 'one' : 'open':16 procedure contest, event roll, next status: status is never 'one': it is one of " +
				"open, won [enum-value]"},
		{"next twice", func(b *book.Ruleset) {
			s := &b.Procedures[0].Events[0].Step
			s.Next = append(s.Next, named("them", "input.them"))
		},
			"them.fatigue:1 procedure contest, event roll: them.fatigue is set as a part of them, which is set as a whole " +
				"[next-overlap] leave them out, or set each part by itself"},
		{"state unset", func(b *book.Ruleset) { b.Procedures[0].Start = nil },
			"shape.them:1 procedure contest: state.them has no default, and start does not set it [state-unset] give it a " +
				"default, or set it in start: next"},
		{"notation", func(b *book.Ruleset) { b.Rules[1].Body.Sources[0].Die.Notation = at("d1OO") },
			"d1OO:2 rule test, dice roll: d1 always shows 1: write the number of dice in its place [dice-notation]"},
		{"faces", func(b *book.Ruleset) { b.Rules[0].Body.Sources[2].Die.Faces = at("1") },
			"1:1 rule attack, dice place: a die has at least two faces, not 1 [die-faces]"},
		{"distinct", func(b *book.Ruleset) {
			d := b.Rules[0].Body.Sources[3].Die
			d.Count, d.Distinct = at("7"), true
		},
			"7:1 rule attack, dice damage: 7 faces cannot all differ when there are 6 [die-count] " +
				"write a count of at most 6, or leave distinct out"},
		{"gives no column", func(b *book.Ruleset) { b.Tables[0].Gives = at("valu") },
			"valu:1 table difficulty: no row has a column valu [unknown-column] did you mean value?"},
		{"empty table", func(b *book.Ruleset) { b.Tables[0].Rows = nil },
			"difficulty:1 table difficulty: it has no rows [table-empty] write a row into it, or leave the table out"},
		{"gap", func(b *book.Ruleset) { b.Tables[1].Rows[1].Lo = 5 },
			"row:1 table location: no row has the keys 3 to 4 [table-gap]" +
				" let this row begin there: on: [3, 6], or the one before end there: on: [1, 4]"},
		{"gap at the end", func(b *book.Ruleset) { b.Tables[1].Rows[1].Hi = 5 },
			"row:1 table location: no row has the key 6 [table-gap]" +
				" let this row end there: on: [3, 6]"},
		{"gap at the start", func(b *book.Ruleset) { b.Tables[1].Rows[0].Lo = 2 },
			"row:1 table location: no row has the key 1 [table-gap]" +
				" let this row begin there: on: [1, 2]"},
		{"overlap", func(b *book.Ruleset) { b.Tables[1].Rows[0].Hi = 3 },
			"row:1 table location: 3 lies in two rows [table-overlap]" +
				" let the other row end before it: on: [1, 2], or let this one begin behind the other: on: [4, 6]"},
		{"band backwards", func(b *book.Ruleset) { b.Tables[1].Rows[1].Lo = 7 },
			"row:1 table location: the band ends at 6, before it begins at 7 [table-band] write on: [6, 7]"},
		{"key twice", func(b *book.Ruleset) {
			b.Tables[0].Rows[1].Key, b.Tables[0].Rows[1].Place = "easy", plan.Place{File: "row", Line: 2, Col: 1}
		},
			"row:1 table difficulty: the key easy stands in two rows [table-duplicate]" +
				" give one of the rows a name of its own, or leave it out, with its cells"},
		{"over", func(b *book.Ruleset) { b.Tables[1].Over.Dice = at("6d") },
			"6d:3 table location: the number of faces is expected after d, found nothing: write d6 where the book leaves six faces out [dice-notation]"},
		{"key of a closed map", func(b *book.Ruleset) {
			b.Character.Fields[0].Shape.Keys = []string{"sword", "armour"}
			b.Traits[1].Formula = formula("character.skills.sord + get(character.skills, 'bow', 0)")
		},
			"character.skills.sord + get(character.skills, 'bow', 0):18 trait frame: character.skills never has the key sord " +
				"[unknown-member] did you mean sword?\n" +
				"character.skills.sord + get(character.skills, 'bow', 0):47 trait frame: character.skills never has the key bow " +
				"[unknown-member] there are sword, armour"},
		{"count below 0", func(b *book.Ruleset) {
			b.Rules[1].Input.Fields = append(b.Rules[1].Input.Fields,
				preset("slot", &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: 3}, Max: &plan.Bound{Value: 9}}, "9"))
			b.Rules[1].Body.Requires = nil
			b.Rules[1].Body.Sources[0].Die = &book.Die{Name: "roll", Faces: at("100"), Count: at("input.slot - 8"), Most: 5}
			b.Rules[1].Body.Lets[0] = named("beyond", "sum(roll) - value")
			b.Rules[1].Body.Outputs[2] = named("count", "success ? tens(sum(roll)) : 0")
		},
			"input.slot - 8:12 rule test, dice roll: the count can be -5, and a count of dice is at least 0 [die-count] bound " +
				"what is given, or write max(0, ...)"},
		{"index beyond a list", func(b *book.Ruleset) {
			b.Rules[1].Input.Fields[2].Shape.MaxItems = 2
			b.Rules[1].Body.Lets[1] = named("extra", "has(input.bonus) ? input.bonus : input.handicaps[2]")
		},
			"has(input.bonus) ? input.bonus : input.handicaps[2]:49 rule test, let extra: input.handicaps has at most 2 " +
				"elements, and the index is at least 2 [index-outside] the first element is [0]"},
		{"a face that no die has", func(b *book.Ruleset) {
			b.Rules[1].Body.Outputs[2] = named("count", "success && roll == 101 ? tens(roll) : 0")
		},
			"success && roll == 101 ? tens(roll) : 0:17 rule test, output count: roll is never 101: it lies in 1 to 100 " +
				"[never-equal] write a number that it can be, or leave the comparison out"},
		{"a key that may be anything", func(b *book.Ruleset) {
			b.Rules[1].Input.Fields[1].Shape = &plan.Shape{Kind: plan.String, Place: plan.Place{File: "key", Line: 1, Col: 1}}
		},
			"character.skills[input.name] - sum(input.handicaps) - difficulty(input.difficulty) + extra:72 rule test, output " +
				"value: input.difficulty may be any string, and the table difficulty has only the keys of its rows [open-key] write " +
				"@key(difficulty) behind the field's type"},
		{"count without bound", func(b *book.Ruleset) { b.Rules[0].Body.Sources[3].Die.Most = 0 },
			"hit.success ? character.might : 0:13 rule attack, dice damage: nothing bounds how many dice are rolled " +
				"[unbounded-dice] give the die most: a number that the count never exceeds"},
		{"range without bound", func(b *book.Ruleset) {
			b.Functions[1].Formula = formula("range(roll).sum(i, i)")
			b.Rules[1].Body.Outputs[2] = named("count", "success ? tens(character.strength) : 0")
		},
			"range(roll).sum(i, i):1 function units: nothing bounds how far this range goes [unbounded-range] bound it: " +
				"range(min(n, 100))"},
		{"range with a bound", func(b *book.Ruleset) { b.Functions[1].Formula = formula("range(roll).sum(i, i)") }, ""},
		{"echo", func(b *book.Ruleset) {
			b.Rules = append(b.Rules, &book.Rule{Definition: defined("echo"), Input: object(field("x", shape(plan.Int))),
				Body: book.Body{Outputs: []book.Named{named("y", "input.x")}}})
		},
			"echo:1 rule echo: its outputs only repeat its input [echo] " +
				"compute something of it, or leave the rule out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := game()
			c.fault(b)
			_, said := run(b)
			var got []string
			for _, d := range said {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s:%d %s: %s [%s] %s", d.Place.File, d.Place.Col, d.Subject, d.Message,
					d.Code, d.Repair)))
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), c.want)
			}
		})
	}
}
