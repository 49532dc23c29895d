package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// at is a text in a file of its own, so that a diagnostic's place says in which text it is.
func at(s string) book.Text {
	t := book.Text{S: s}
	for i := range len([]rune(s)) + 1 {
		t.Runes = append(t.Runes, plan.Place{File: s, Line: 1, Col: i + 1})
	}
	t.Place = t.Runes[0]
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
				Definition: defined("difficulty"), Kind: book.Keyed, Gives: at("value"),
				Columns: []plan.Member{field("value", shape(plan.Int))},
				Rows: []book.Row{
					{Key: "easy", Cells: []book.Cell{{JSON: "0"}}},
					{Key: "hard", Cells: []book.Cell{{JSON: "30"}}},
				},
			},
			{
				Definition: defined("location"), Kind: book.Bands, Over: book.Over{Dice: at("d6"), Place: plan.Place{File: "over", Line: 1, Col: 1}},
				Columns: []plan.Member{field("name", shape(plan.String)), field("shock", shape(plan.Double))},
				Rows: []book.Row{
					{Lo: 1, Hi: 2, Cells: []book.Cell{{JSON: `"head"`}, {JSON: "1.5"}}, Place: plan.Place{File: "row", Line: 1, Col: 1}},
					{Lo: 3, Hi: 6, Cells: []book.Cell{{JSON: `"body"`}, {JSON: "0"}}, Place: plan.Place{File: "row", Line: 2, Col: 1}},
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
				{Use: &book.Use{Name: "hit", Rule: at("test"), Place: plan.Place{File: "hit", Line: 1, Col: 1}, Inputs: []book.Named{named("name", "input.name")}}},
				{Use: &book.Use{
					Name: "soak", Rule: at("test"), When: at("hit.success && has(input.armour)"),
					Inputs:    []book.Named{named("name", "'armour'"), named("bonus", "input.armour")},
					Otherwise: []book.Named{named("success", "false")},
				}},
				{Die: &book.Die{Name: "place", Faces: at("6")}},
				{Die: &book.Die{Name: "damage", Faces: at("6"), Count: at("hit.success ? character.might : 0"), Most: 20}},
			},
			Requires: []book.Require{{Message: "a blow must be struck", Expr: at("size(damage) >= 0")}},
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
	out := check.Run(resolve.Run(b, &diags), &diags)
	return out, diags.Sorted()
}

func TestGame(t *testing.T) {
	out, said := run(game())
	for _, d := range said {
		t.Error(d.String())
	}
	for _, x := range out.Rules {
		t.Logf("rule %s gives %s", x.Book.ID, x.Result)
	}
	want := map[string]string{
		"attack": "{name: string, wounds: double}",
		"test":   "{value: int, success: bool, count: int}",
	}
	for _, x := range out.Rules {
		if got := x.Result.String(); got != want[x.Book.ID] {
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
	if got := attack.Body.Outputs[0].Formula.Type.Enum; !slices.Equal(got, []string{"head", "body"}) {
		t.Errorf("the names of locations are %v", got)
	}
	if p := out.Procedures[0]; !p.Changes || p.Events[0].Next[3].Root != check.CharacterVar || p.Events[0].Next[3].Path[0] != "fatigue" {
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
		{"unknown field", func(b *book.Ruleset) { b.Rules[1].Body.Requires[0].Expr = at("input.name in character.skill") },
			`input.name in character.skill:25 rule test, require "there is no such skill": #Character has no field skill [unknown-field] did you mean skills?`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := game()
			c.fault(b)
			_, said := run(b)
			var got []string
			for _, d := range said {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s:%d %s: %s [%s] %s", d.Place.File, d.Place.Col, d.Subject, d.Message, d.Code, d.Repair)))
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), c.want)
			}
		})
	}
}
