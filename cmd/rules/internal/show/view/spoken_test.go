package view

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/say"
)

// TestTruthsAreSpoken says results with the reasons that the sheets of the shipped rulesets have.
func TestTruthsAreSpoken(t *testing.T) {
	for _, c := range []struct {
		holds     bool
		why, want string
	}{
		{true, "", "yes"},
		{false, "", "no"},
		{false, "-5 (input.quality) >= 0 (input.need)", "no: it needs -5 (quality) to be at least 0 (need)"},
		{false, "not true (standing.success)", "no: it needs no success"},
		{false, "false (heroic) or not true (is_spoiled)", "no: it needs heroic or no is spoiled"},
		{false, "false (input.rolled)", "no: it needs rolled"},
		{false, "not true (melee_weapon, row war_fork, column two_handed)", "no: it needs no two handed of the war fork"},
		{false, "20.0 (df) <= 4 (typical_df, row task, column most)",
			"no: it needs 20.0 (df) to be at most 4 (typical df, row task, column most)"},
		{false, "3 (size of input.parts) <= 2 (most_parts)", "no: it needs 3 (how many parts) to be at most 2 (most parts)"},
		{false, "human (species) != human or false", "no: it needs human (species) not to be human"},
	} {
		if got := speakTruth(c.holds, c.why, nil); got != c.want {
			t.Errorf("%v, %s: %q, want %q", c.holds, c.why, got, c.want)
		}
	}
}

// TestReasonsHaveTheWordsOfTheRuleset says a reason with the labels of a glossary, and names without one with blanks.
func TestReasonsHaveTheWordsOfTheRuleset(t *testing.T) {
	words := plan.Words{Names: []plan.Word{{Name: "need", Label: []string{"Quality for the load"}}}}
	teller := say.NewSpeaker(&plan.Plan{Words: planfile.EncodeWords(&words)}).Of("lift")
	for equation, want := range map[string]string{
		"-5 (roll.raw_quality) >= 0 (input.need)":                      "−5 (raw quality) to be at least 0 (Quality for the load)",
		"36.0 (chance) <= 0.0":                                         "36 (chance) to be at most 0",
		"3 (a) <= 4 (b) - 2":                                           "3 (a) to be at most 4 (b) − 2",
		"swrod (input.skill) in bow, sword (keys of character.skills)": "swrod (skill) to be among the skills: bow, sword",
		"swrod (input.skill) in bow (keys of character.skills) or swrod (input.skill) = none": "swrod (skill) to be among the " +
			"skills: bow",
	} {
		if got := SpeakEquation(equation, teller); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	const message = "refused: input.theirs.areas[*] must be a key of character.skills, or unhurt"
	if got := SpeakPaths(message, teller); got != "refused: theirs, areas must be among skills, or unhurt" {
		t.Error(got)
	}
}
