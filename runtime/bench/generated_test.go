package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/bench/blow"
	"github.com/tabletop-rules/rules/runtime/emit/kernel"
)

// A struct that does not fit is refused with the path and the message that JSON has, but for its line.
func TestGeneratedGoChecksFields(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*blow.Character, *blow.BlowInput)
		faces  kernel.Source
		want   string
	}{
		"fits": {func(*blow.Character, *blow.BlowInput) {}, nil, ""},
		"high": {func(c *blow.Character, _ *blow.BlowInput) { c.Strength = 500 }, nil,
			"character.strength: must be at most 200, not 500"},
		"low": {func(_ *blow.Character, in *blow.BlowInput) { in.Roll = 0 }, nil, "input.roll: must be at least 1, not 0"},
		"word": {func(c *blow.Character, _ *blow.BlowInput) { c.Armor = 99 }, nil,
			`character.armor: must be one of "none", "cloth", `},
		"NaN":   {func(c *blow.Character, _ *blow.BlowInput) { c.Load = math.NaN() }, nil, "character.load: must be a number"},
		"faces": {func(*blow.Character, *blow.BlowInput) {}, kernel.Faces(3), "too many faces: 1 given, but 0 fell"},
	} {
		character := blow.Character{Strength: 100, Agility: 100, Endurance: 100, Armor: blow.ArmorCloth}
		input := blow.BlowInput{Roll: 50, LocRoll: 50}
		c.change(&character, &input)
		_, err := blow.Blow(&character, &input, c.faces)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A record that is missing is refused.
func TestGeneratedGoRefusesNil(t *testing.T) {
	character, input := blow.Character{Strength: 100, Agility: 100, Endurance: 100}, blow.BlowInput{Roll: 50, LocRoll: 50}
	for want, evaluate := range map[string]func() (blow.BlowOutput, error){
		"character: is missing": func() (blow.BlowOutput, error) { return blow.Blow(nil, &input, nil) },
		"input: is missing":     func() (blow.BlowOutput, error) { return blow.Blow(&character, nil, nil) },
	} {
		if _, err := evaluate(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A struct is JSON with the names and words of the ruleset.
func TestGeneratedGoIsJSON(t *testing.T) {
	var c blow.Character
	if err := json.Unmarshal([]byte(`{"strength": 7, "armor": "soft leather"}`), &c); err != nil || c.Strength != 7 ||
		c.Armor != blow.ArmorSoftLeather {
		t.Errorf("%+v, %v", c, err)
	}
	if err := json.Unmarshal([]byte(`{"armor": "paper"}`), &c); err == nil || err.Error() != `armor has no word "paper"` {
		t.Errorf("a word that there is not: %v", err)
	}
}
