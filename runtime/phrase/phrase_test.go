package phrase_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// shape is {skill: string, pool: int, place: {height: int}}.
var shape = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
	{Name: "skill", Shape: &plan.Shape{Kind: plan.String}},
	{Name: "pool", Shape: &plan.Shape{Kind: plan.Int}},
	{Name: "place", Shape: &plan.Shape{Kind: plan.Record,
		Fields: []plan.Member{{Name: "height", Shape: &plan.Shape{Kind: plan.Int}}}}},
}}

// TestSplit reads both spellings of an event, and their mixture, as a step and as a move.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text        string
		event       string
		input       string
		sets        []string
		rest, guard string // of a step, of a move
	}{
		{"", "", "", nil, "", ""},
		{"  rest\t", "rest", "", nil, "", ""},
		{"roll skill=hard pool=3", "roll", "", []string{"skill=hard", "pool=3"}, "", ""},
		{`roll {"skill": "hard"}`, "roll", `{"skill": "hard"}`, nil, "", ""},
		{`roll{"skill": "a: {b}"} pool=3`, "roll", `{"skill": "a: {b}"}`, []string{"pool=3"}, "", ""},
		{`say text="a \" b" x=1`, "say", "", []string{`text="a \" b"`, "x=1"}, "", ""},
		{`hit at=[1, 2] of={"a": [ ]}`, "hit", "", []string{"at=[1, 2]", `of={"a": [ ]}`}, "", ""},
		{"roll hard", "roll", "", nil, "hard", "hard"},
		{"skill=hard", "", "", nil, "skill=hard", "skill=hard"},
		{`roll {"skill": "x"} {"pool": 1}`, "roll", `{"skill": "x"}`, nil, `{"pool": 1}`, `{"pool": 1}`},
	} {
		for _, split := range []struct {
			by   func(string) (phrase.Phrase, error)
			rest string
		}{{phrase.SplitStep, c.rest}, {phrase.SplitMove, c.guard}} {
			p, err := split.by(c.text)
			if err != nil || p.Event != c.event || string(p.Input) != c.input || !slices.Equal(p.Sets, c.sets) ||
				p.Rest != split.rest {
				t.Errorf("%s: %+v, %v", c.text, p, err)
			}
		}
	}
	for text, rest := range map[string]string{
		"pay: state.owes": ": state.owes", "pay:state.owes": ":state.owes", "roll skill=hard: true": ": true",
		`roll {"skill": "hard"} : {"a": 1} == {"a": 1}`: `: {"a": 1} == {"a": 1}`, `say text="a: b": true`: ": true",
	} {
		if p, err := phrase.SplitMove(text); err != nil || p.Rest != rest {
			t.Errorf("%s: the rest is %q, %v, want %q", text, p.Rest, err, rest)
		}
	}
	if p, err := phrase.SplitStep("say at=12:30"); err != nil || !slices.Equal(p.Sets, []string{"at=12:30"}) {
		t.Errorf("a colon in a value of a step: %+v, %v", p, err)
	}
	if p, err := phrase.SplitMove(`roll {"skill": hard}`); err == nil || p.Event != "roll" {
		t.Errorf("what is no JSON is read: %+v", p)
	}
}

// TestInputFor makes the same input of both spellings: the schema tells strings from numbers.
func TestInputFor(t *testing.T) {
	for text, want := range map[string]string{
		"roll": "", `roll {"skill": "7", "pool": 3}`: `{"skill": "7", "pool": 3}`,
		"roll skill=7 pool=3": `{"skill":"7","pool":3}`, "roll place.height=2": `{"place":{"height":2}}`,
		`roll {"pool": 3} skill="7"`: `{"pool":3,"skill":"7"}`, `roll {"place": {}} place.height=2`: `{"place":{"height":2}}`,
		`roll place={"width":1} place.height=2`: `{"place":{"width":1,"height":2}}`, "roll nonesuch=x": `{"nonesuch":"x"}`,
	} {
		p, err := phrase.SplitStep(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.InputFor(shape); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"roll =3", "roll pool=@file", "roll place=3 place.height=2", "roll pool=3 pool=4",
		`roll {"pool": 3} pool=4`, "roll place.height=2 place={}", `roll place={"height":1} place.height=2`,
		`roll {"place": {"height": 1}} place.height=2`} {
		p, err := phrase.SplitStep(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.InputFor(shape); err == nil {
			t.Errorf("%s is read: %s", text, got)
		}
	}
}
