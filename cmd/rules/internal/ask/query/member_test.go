package query

import "testing"

// TestNameMembers replaces flags that are members of a question, where they stand as words.
func TestNameMembers(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"--given:1:1: there is no succes here":  "given:1:1: there is no succes here",
		"--decide x: --policy roll gives x too": "decide x: policy roll gives x too",
		`write --decide "roll.x: 'hard'"`:       `write "roll.x: 'hard'"`,
		"--output a, (--option tie=win), --ask": "outputs a, (options tie=win), formulas",
		"rules vet --fix, and --givens":         "rules vet --fix, and --givens",
		"x--given, a --- b, --":                 "x--given, a --- b, --",
	} {
		if got := NameMembers(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
