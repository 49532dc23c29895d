package golden_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// testRepeats wants no case to ask what another one asks: two answers to one question belong into one case, and a second
// case that tells nothing new only makes a ruleset look better held than it is.
func (c *corpus) testRepeats(t *testing.T) {
	first := map[string]string{}
	for _, x := range c.cases {
		key := questionOf(x)
		if before, ok := first[key]; ok {
			t.Errorf("%s asks what %s asks", x.File, before)
			continue
		}
		first[key] = x.File
	}
}

// questionOf is what a case asks of its ruleset, the same for all ways of writing it. The answer, the erratum and the
// citation are no part of it.
func questionOf(c *golden.Case) string {
	type event struct {
		Name  string
		Input any
		Dice  dice.Faces
	}
	events := make([]event, len(c.Events))
	for i, e := range c.Events {
		events[i] = event{e.Event, decodeJSON(e.Input), e.Dice}
	}
	return fmt.Sprint(c.Kind, c.Subject, c.Options, decodeJSON(c.Character), decodeJSON(c.Input), c.Dice, events)
}

// decodeJSON forgets the order of members and the white space; fmt prints maps in the order of their keys.
func decodeJSON(data []byte) (v any) {
	if len(data) > 0 && json.Unmarshal(data, &v) != nil {
		return string(data)
	}
	return v
}

func TestQuestionsAreTheSameHoweverTheyAreWritten(t *testing.T) {
	const format = "rule: test\noption: a=b\ncite: Tests\n\n%s\n" +
		"-- character.json --\n%s\n-- input.json --\n{\"n\": 1}\n-- dice --\n%s\n" +
		"-- want.json --\n{\"output\": {\"n\": 1}}\n"
	parse := func(text, character, dice string) string {
		c, err := golden.Parse("x.txtar", []byte(fmt.Sprintf(format, text, character, dice)))
		if err != nil {
			t.Fatal(err)
		}
		return questionOf(c)
	}
	one := parse("One.", `{"a": 1, "b": 2}`, "7")
	if two := parse("Two.", `{"b":2,"a":1}`, "7"); two != one {
		t.Errorf("%s is another question than %s", two, one)
	}
	if other := parse("One.", `{"a": 1, "b": 2}`, "8"); other == one {
		t.Error("other faces are no other question")
	}
}
