package view

import "testing"

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
	} {
		if got := speakTruth(c.holds, c.why); got != c.want {
			t.Errorf("%v, %s: %q, want %q", c.holds, c.why, got, c.want)
		}
	}
}
