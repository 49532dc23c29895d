package say_test

import (
	"encoding/json"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/say"
)

// speakerOf returns the speaker of a plan with the rule duel, which has a sentence, and a glossary.
func speakerOf(t *testing.T, sentence string, names ...plan.Word) *say.Speaker {
	t.Helper()
	parts, _, err := say.Parse(sentence)
	if err != nil {
		t.Fatal(err)
	}
	texts := plan.Texts{Kind: plan.RuleEntry, ID: "duel", Say: &plan.Say{Parts: parts}}
	words := planfile.EncodeWords(&plan.Words{Language: "en", Names: names, Texts: []plan.Texts{texts}})
	return say.NewSpeaker(&plan.Plan{Words: words})
}

// TestTellBeginsSentencesWithCapitals holds that a value begins with a capital where it begins a sentence, also one that
// may be left out, and nowhere else.
func TestTellBeginsSentencesWithCapitals(t *testing.T) {
	for _, c := range []struct{ sentence, want string }{
		{"{character} pays {cost}. {character} stays.", "The character pays nothing. The character stays."},
		{"It is over.[ {cost} is due.] So {character} says", "It is over. Nothing is due. So the character says"},
		{"It costs {amount}, {cost}", "It costs 3, nothing"},
	} {
		answer := say.Answer{Output: json.RawMessage(`{"cost": "nothing", "amount": 3}`)}
		if got := speakerOf(t, c.sentence).Of("duel").Tell(answer).Say; got != c.want {
			t.Errorf("%s is told as %q, want %q", c.sentence, got, c.want)
		}
	}
}

// TestUnknownCharacterIsNotTold holds that a sentence which reads a field of a character is not told where the answer has
// none, as of an event that others have followed, and that the default of the field is not taken for its value.
func TestUnknownCharacterIsNotTold(t *testing.T) {
	parts, _, err := say.Parse("{character} has {character.fatigue} left")
	if err != nil {
		t.Fatal(err)
	}
	words := planfile.EncodeWords(&plan.Words{
		Texts: []plan.Texts{{Kind: plan.RuleEntry, ID: "duel", Say: &plan.Say{Parts: parts}}}})
	fatigue := plan.Member{Name: "fatigue", Shape: &plan.Shape{Kind: plan.Int}, Default: "0"}
	teller := say.NewSpeaker(&plan.Plan{Words: words,
		Character: &plan.Shape{Kind: plan.Record, Character: true, Fields: []plan.Member{fatigue}}}).Of("duel")
	if got := teller.Tell(say.Answer{}).Say; got != "" {
		t.Errorf("of no character it is told %q", got)
	}
	for character, want := range map[string]string{
		"{}": "The character has 0 left", `{"fatigue": 15}`: "The character has 15 left",
	} {
		if got := teller.Tell(say.Answer{Character: json.RawMessage(character)}).Say; got != want {
			t.Errorf("of %s it is told %q", character, got)
		}
	}
}

// TestShowLeavesOutUnitsOfTheLabel holds that a number beside its label repeats no word of it, that lists keep all their
// numbers, and that one is one also as a double.
func TestShowLeavesOutUnitsOfTheLabel(t *testing.T) {
	count := plan.Unit{Size: 1, Forms: []string{"day", "days"}}
	speaker := speakerOf(t, "Over",
		plan.Word{Name: "days_left", Label: []string{"days left"}, Units: []plan.Unit{count}},
		plan.Word{Name: "pool", Label: []string{"effect dice"},
			Units: []plan.Unit{{Size: 1, Forms: []string{"effect die", "effect dice"}}}},
		plan.Word{Name: "rest", Units: []plan.Unit{count}},
		plan.Word{Name: "paid", Label: []string{"EP paid by them"}, Units: []plan.Unit{{Size: 1, Forms: []string{"EP"}}}},
		plan.Word{Name: "epoch", Units: []plan.Unit{{Size: 1, Forms: []string{"ep"}}}})
	for _, c := range []struct{ name, value, want string }{
		{"days_left", "4", "4"}, {"days_left", "1", "1"}, {"pool", "4", "4"}, {"pool", "1", "1"}, {"days_left", "[3, 4]", "3 and 4"},
		{"rest", "4", "4 days"}, {"rest", "1.0", "1 day"}, {"rest", "1.5", "1.5 days"}, {"rest", "[1, 2]", "1 day and 2 days"},
		{"paid", "5", "5"}, {"epoch", "5", "5 ep"}, {"what", `""`, "none"},
	} {
		if got := speaker.Of("duel").Show(c.name, json.RawMessage(c.value)); got != c.want {
			t.Errorf("%s of %s is shown as %q, want %q", c.value, c.name, got, c.want)
		}
	}
}

// TestHeadingsCountElementsFromOne holds that an element of a list has the word of its list, and its number.
func TestHeadingsCountElementsFromOne(t *testing.T) {
	teller := speakerOf(t, "Over", plan.Word{Name: "foes", Label: []string{"enemies"}}).Of("duel")
	for path, want := range map[string]string{
		"event.foes[0].max_hits": "Enemies 1, max hits", "state.foes[1]": "Enemies 2", "cells[0][2]": "Cells 1 3",
	} {
		if got := teller.Heading(path); got != want {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
}

// TestDiceHaveShortNames holds that a die is called by as few words as tell it from the others, and by its number where a
// use rolls several.
func TestDiceHaveShortNames(t *testing.T) {
	graph := plan.Graph{}
	for _, id := range []string{"attempt.roll", "attempt.filter.roll", "ours.roll.faces", "theirs.roll.faces", "strikes[*].aim"} {
		graph.Dice = append(graph.Dice, plan.Die{ID: id})
	}
	words := planfile.EncodeWords(&plan.Words{Names: []plan.Word{{Name: "faces", Label: []string{"dice"}}}})
	teller := say.NewSpeaker(&plan.Plan{Words: words, Rules: []plan.Rule{{ID: "duel", Graph: graph}}}).Of("duel")
	for id, want := range map[string]string{
		"attempt.roll": "roll", "attempt.filter.roll": "filter, roll", "ours.roll.faces": "ours, dice",
		"theirs.roll.faces": "theirs, dice", "strikes[0].aim": "aim 1", "strikes[2].aim": "aim 3",
	} {
		if got := teller.Die(id); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
}
