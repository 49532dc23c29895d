package symbols

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// text is a formula that begins at a column of line 1 of game.cue.
func text(s string, col int) book.Text {
	at := plan.Place{File: "game.cue", Line: 1, Col: col}
	return book.Text{S: s, Place: at, Runs: []book.Run{{Start: 0, Place: at}}}
}

func at(line, col int) plan.Place { return plan.Place{File: "game.cue", Line: line, Col: col} }

// game has a table, a function, and a rule with a die and an output.
func game() *book.Ruleset {
	level := plan.Member{Name: "level", Shape: &plan.Shape{Kind: plan.Int}, Place: at(2, 3)}
	size := plan.Member{Name: "size", Shape: &plan.Shape{Kind: plan.String, Enum: []string{"small", "large"}}, Place: at(3, 3)}
	return &book.Ruleset{
		Character: &plan.Shape{Kind: plan.Record, Character: true, Fields: []plan.Member{level}},
		Tables: []*book.Table{{
			Definition: book.Definition{ID: "bonus", Place: at(4, 9)},
			Columns:    []plan.Member{{Name: "points", Shape: &plan.Shape{Kind: plan.Int}, Place: at(4, 20)}},
			Rows:       []book.Row{{RowKey: plan.WordKey("small"), Cells: []book.Cell{{JSON: "1"}}, Place: at(5, 1)}},
		}},
		Functions: []*book.Function{{
			Definition: book.Definition{ID: "half", Place: at(6, 12)},
			Params:     []book.Param{{Name: "n", Type: book.Text{S: "int"}, Place: at(6, 20)}},
			Formula:    book.Formula{Expr: text("div_floor(n, 2)", 100)},
		}},
		Rules: []*book.Rule{{
			Definition: book.Definition{ID: "test", Place: at(7, 8)},
			Input:      &plan.Shape{Kind: plan.Record, Fields: []plan.Member{size}},
			Body: book.Body{
				Sources: []book.Source{{Die: &book.Die{Name: "roll", Faces: book.Text{S: "10"}, Place: at(8, 8)}}},
				Outputs: []book.Named{{
					Name: "total", Place: at(9, 8),
					Formula: book.Formula{Expr: text("roll + half(character.level) + bonus(input.size).points - 'input.size'.size()",
						200)},
				}},
			},
		}},
	}
}

func names(list []Symbol) (out []string) {
	for _, s := range list {
		out = append(out, s.Name)
	}
	return out
}

func TestScopeIsWhatTheDefinitionMayRead(t *testing.T) {
	x := New(game())
	rule, function := names(x.Scope("rule test")), names(x.Scope("function half"))
	for _, name := range []string{"input", "roll", "total", "character", "bonus", "half", "option"} {
		if !slices.Contains(rule, name) {
			t.Errorf("a rule does not see %s", name)
		}
	}
	for _, name := range []string{"input", "roll", "character"} {
		if slices.Contains(function, name) {
			t.Errorf("a function sees %s", name)
		}
	}
	if !slices.Contains(function, "n") {
		t.Error("a function does not see its parameter")
	}
}

func TestUsesReferToWhatIsDeclared(t *testing.T) {
	x := New(game())
	formula, _, ok := x.At(at(1, 200))
	if !ok || formula.Scope != "rule test" || formula.Name != "output total" {
		t.Fatalf("at the formula: %+v, %v", formula, ok)
	}
	got := map[string]plan.Place{}
	uses := x.Uses(formula)
	if len(uses) != 9 { // roll, half, character, level, bonus, input, size, points, size: none of them in the string
		t.Errorf("%d names, want 9: %+v", len(uses), uses)
	}
	for _, u := range uses {
		got[strings.Join(u.Chain, ".")] = u.Symbol.Place
	}
	for chain, want := range map[string]plan.Place{
		"roll": at(8, 8), "half": at(6, 12), "character.level": at(2, 3), "bonus": at(4, 9), "input.size": at(3, 3),
		"bonus.points": at(4, 20), // the column of a look-up; what stands in a string is no name
	} {
		if place, ok := got[chain]; !ok || place != want {
			t.Errorf("%s refers to %v, %v; want %v", chain, place, ok, want)
		}
	}
}

// TestLongChains holds what the names of a long formula take: it grows with its length.
func TestLongChains(t *testing.T) {
	x := New(game())
	formula, _, _ := x.At(at(1, 200))
	const names = 20_000
	formula.Text = &book.Text{S: strings.Repeat("a.", names-1) + "a"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	uses := x.Uses(formula)
	runtime.ReadMemStats(&after)
	if len(uses) != names || len(uses[2].Chain) != 3 || len(uses[names-1].Chain) != names {
		t.Errorf("%d names, the last with a chain of %d", len(uses), len(uses[len(uses)-1].Chain))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("%d names take %d MiB", names, took>>20)
	}
}

func TestReferencesOfADie(t *testing.T) {
	x := New(game())
	if got, want := x.References(at(8, 8)), []Reference{{at(1, 200), 4}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := x.References(plan.Place{}); got != nil {
		t.Errorf("what is built in is declared nowhere, and has references %v", got)
	}
}

func TestMembersFollowShapesAndTables(t *testing.T) {
	x := New(game())
	for chain, want := range map[string][]string{
		"character": {"level"}, "input": {"size"}, "input.size": {"small", "large"}, "bonus": {"points"}, "roll": nil,
	} {
		s, ok := x.Resolve("rule test", strings.Split(chain, "."))
		if !ok || !slices.Equal(names(s.Members()), want) {
			t.Errorf("%s: %v %q, want %q", chain, ok, names(s.Members()), want)
		}
	}
	if got := names(x.Keys("bonus")); !slices.Equal(got, []string{"small"}) {
		t.Errorf("the keys are %q", got)
	}
}
