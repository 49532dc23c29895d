package golden_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// failingGame has a rule whose default overflows although its key is there, and a procedure whose guard divides by its state
// and whose state outgrows its bounds.
const failingGame = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
#Character: {
	might!: int & >=1 & <=20
	skills: [string]: int & >=0 & <=6
}
rules: strict: {
	cite: "x"
	output: out: "get({'a': 1}, 'a', 0 - 4611686018427387904 * character.might)"
}
procedures: push: {
	cite: "x"
	#State: left: *2 | int & >=0
	events: turn: {
		when: "div_floor(6, state.left) > 0"
		#Event: by!: int & >=0 & <=9
		next: left: "state.left - event.by"
	}
	ends: gone: "state.left > 2"
	output: left: "state.left"
}
`

// TestErrorsInJavaScript wants the error that comes first: of a guard before that of the input that comes with its event, and
// without a place in JSON that nobody has written.
func TestErrorsInJavaScript(t *testing.T) {
	jstest.Node(t)
	p := gametest.CompileSource(failingGame)
	if p == nil {
		t.Fatal("the ruleset does not compile")
	}
	c := newCorpus(javaScript{t.TempDir()}, p)
	turn := func(by string) runtime.Step { return runtime.Step{Event: "turn", Input: []byte(`{"by":` + by + `}`)} }
	asked := runtime.Request{Character: []byte(`{"might":2}`), Throw: dice.DrawnFrom(1)}
	for _, steps := range [][]runtime.Step{{turn("1")}, {turn("2"), turn("10")}, {turn("2"), turn("1")}, {turn("10")}, {turn("3")}} {
		c.addPlay(t, "push", "push", runtime.Choice{}, asked, steps)
	}
	asked.Character = []byte(`{"might":2,"skills":{"\u000b":9}}`)
	c.addPlay(t, "push", "push", runtime.Choice{}, asked, nil)
	for _, character := range []string{
		`{"might":2,"\u0061bc":1}`, `{"might":2,"m\u0069ght":3}`, `{"$homebrews":{"a" 1},"might":2}`,
		`{"$homebrews":{"a":"x"},"might":2}`,
	} {
		asked.Character = []byte(character)
		c.addPlay(t, "push", "push", runtime.Choice{}, asked, nil)
	}
	for i, want := range []string{
		`"output":{"left":1}`,
		"Failure: event 2, turn: game/game.cue:21:10: procedure push, event turn, when: division by zero (x)",
		"Failure: event 2, turn: game/game.cue:21:10: procedure push, event turn, when: division by zero (x)",
		"InputError: event 1, turn: event.by: must be at most 9, not 10 (line 1, column 7)",
		"InputError: event 1, turn: state.left: must be at least 0, not -1",
		`InputError: character.skills["\u000b"]: must be at most 6, not 9 (line 1, column 31)`,
		`InputError: character.abc: there is no such field; it must be one of "might", "skills" (line 1, column 12)`,
		"InputError: character.might: stands here twice (line 1, column 12)",
		`InputError: character["$homebrews"].a: a colon must follow the name "a", not '1' (line 1, column 20)`,
		`InputError: character["$homebrews"].a: the character is played with the homebrew a, which is not used here: ` +
			"use it, or pin the character anew (line 1, column 20)",
	} {
		if !strings.HasSuffix(c.want[i], want+"}") && c.want[i] != want {
			t.Errorf("the interpreter answers %s, want %s", c.want[i], want)
		}
	}
	c.compare(t)
	module, export := c.moduleOf(t, runtime.Choice{}, "strict")
	got := c.target.answers(t, []jstest.Request{{Module: module, Export: export, Character: `{"might":3}`}})
	if !strings.HasPrefix(got[0], "Beyond: ") { // 3 * 2^62 is no int, so that the default of get has no value
		t.Errorf("a default that overflows: got %s", got[0])
	}
}
