package jsonadvice

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestAdd holds what is told of characters that people write by hand, or other programs write.
func TestAdd(t *testing.T) {
	one, many := &plan.Bound{Value: 1}, &plan.Bound{Value: 30}
	number := &plan.Shape{Kind: plan.Int, Min: one, Max: many}
	word := &plan.Shape{Kind: plan.String}
	hero := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "might", Shape: number, Optional: true},
		{Name: "wits", Shape: number, Optional: true},
		{Name: "armed", Shape: &plan.Shape{Kind: plan.Bool}, Optional: true},
		{Name: "motto", Shape: word, Optional: true},
		{Name: "gear", Shape: &plan.Shape{Kind: plan.List, Elem: word, MaxItems: 9}, Optional: true},
		{Name: "marks", Shape: &plan.Shape{Kind: plan.List, Elem: number, MaxItems: 9}, Optional: true},
		{Name: "skills", Shape: &plan.Shape{Kind: plan.Map, Elem: number, MaxItems: 9}, Optional: true},
		{Name: "home", Optional: true, Shape: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
			{Name: "town", Shape: word, Optional: true}, {Name: "size", Shape: number, Optional: true}}}},
	}}
	program := runtime.New(&plan.Plan{Ruleset: "game", Character: hero})
	for _, x := range []struct{ text, want string }{
		{`{"skills": ["climbing", "lore"]}`, `: write {"climbing": 1, "lore": 1}`},
		{`{"skills": ["lore", "lore", "climbing"]}`, `: write {"lore": 2, "climbing": 1}`},
		{`{"skills": 3}`, `: write {"name": 1}`},
		{`{"skills": [{"name": "lore", "value": 3}, {"name": "climbing", "value": 2}]}`, `: write {"lore": 3, "climbing": 2}`},
		{`{"skills": [{"name": "lore", "value": 3, "of": "mind"}]}`, `: write {"name": 1}`},
		{`{"gear": "sword, dagger"}`, `: write ["sword", "dagger"]`},
		{`{"gear": {"sword": 1, "axe": true}}`, `: write ["axe", "sword"]`},
		{`{"marks": "2; 5"}`, `: write [2, 5]`},
		{`{"marks": 7}`, `: write [7]`},
		{`{"home": "Ulm"}`, `: write {"town": "...", "size": 1}`},
		{`{"might": "16 (+2)"}`, `: write 16`},
		{`{"skills": {"lore": "+3"}}`, `: write 3`},
		{`{"might": "high"}`, `not a string`},
		{`{"armed": "yes"}`, `: write true, without quotes`},
		{`{"armed": 0}`, `: write false`},
		{`{"motto": 7}`, `: write "7"`},
		{`{"motto": ["on"]}`, `: write "on", without brackets`},
		{`[{"might": 3}]`, `: one character stands alone, without [ ] around it`},
		{`{"attributes": {"might": 3, "wits": 4}}`, `: write "might" and "wits" without "attributes" around it`},
		{`{"skills.lore": 3}`, `: write "skills": {"lore": 3}`},
		{`{"ruleset": "game", "revision": "1.0.0"}`, `: this is an answer of the program, and no character`},
		{`{"luck": 2}`, `: leave it out, or name the homebrew that has it`},
		{`{"type": "npc", "system": {"str": 3}, "might": 3}`,
			`: most of this is of another program: write its numbers into the fields of this ruleset`},
		{`{"mihgt": 2}`, `did you mean "might"`},
		{`{"might": 30/30}`, `30/30 is no number: write 30`},
		{`{"might": 1,000}`, `1,000 is no number: write 1000`},
		{`{"might": 30ft}`, `30ft is no number: write 30`},
		{`{"might": 2d6}`, `2d6 is no number: write "2d6" if dice stand there, or else what fell`},
		{`{"might": }`, `must be a whole number, not '}'`},
	} {
		e, ok := errors.AsType[*runtime.InputError](Fits(program, []byte(x.text)))
		if !ok {
			t.Errorf("%s: it fits", x.text)
		} else if !strings.HasSuffix(e.Msg, x.want) {
			t.Errorf("%s: got %q, want ...%q", x.text, e.Msg, x.want)
		}
	}
}

// TestAdvisedFits holds that what is advised for a field that is missing is what the field may be.
func TestAdvisedFits(t *testing.T) {
	at := func(value float64) *plan.Bound { return &plan.Bound{Value: value} }
	beyond := func(value float64) *plan.Bound { return &plan.Bound{Value: value, Open: true} }
	number := &plan.Shape{Kind: plan.Int}
	record := func(fields ...plan.Member) *plan.Shape { return &plan.Shape{Kind: plan.Record, Fields: fields} }
	for name, s := range map[string]*plan.Shape{
		"an int":                            number,
		"one beyond a bound":                {Kind: plan.Int, Min: beyond(1)},
		"one below a bound":                 {Kind: plan.Int, Max: beyond(1)},
		"one that is large":                 {Kind: plan.Int, Min: at(30), Max: at(40)},
		"one that is no certain number":     {Kind: plan.Int, Min: at(1), Not: []plan.Bound{{Value: 1}, {Value: 2}}},
		"a double between two bounds":       {Kind: plan.Double, Min: beyond(0), Max: beyond(1)},
		"a word":                            {Kind: plan.String, Enum: []string{"wild", "tame"}},
		"a list":                            {Kind: plan.List, Elem: number, MaxItems: 2},
		"a list that is not short":          {Kind: plan.List, Elem: number, MinItems: 2, MaxItems: 3},
		"a map":                             {Kind: plan.Map, Elem: number},
		"a map with a key that must be":     {Kind: plan.Map, Elem: number, Fields: []plan.Member{{Name: "head", Shape: number}}},
		"a record":                          record(plan.Member{Name: "of", Shape: number}),
		"a record of which one is demanded": record(plan.Member{Name: "of", Shape: number, Optional: true}, plan.Member{Name: "by", Shape: number}),
		"a record in another one":           record(plan.Member{Name: "of", Shape: record(plan.Member{Name: "by", Shape: number})}),
	} {
		t.Run(name, func(t *testing.T) {
			program := runtime.New(&plan.Plan{Ruleset: "game", Character: record(plan.Member{Name: "x", Shape: s})})
			e, ok := errors.AsType[*runtime.InputError](Fits(program, []byte(`{}`)))
			if !ok || !e.IsMissing() && !strings.Contains(e.Msg, "is missing") {
				t.Fatalf("nothing is missing: %v", e)
			}
			_, advised, isAdvised := strings.Cut(e.Msg, ": write ")
			if err := Fits(program, []byte("{"+advised+"}")); !isAdvised || err != nil {
				t.Errorf("%s: %v", e.Msg, err)
			}
		})
	}
}
