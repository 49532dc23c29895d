package argdata

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestEventOfCall holds how an event is told to be written that other languages would call.
func TestEventOfCall(t *testing.T) {
	d := &plan.Procedure{Events: []plan.Event{{ID: "rest"}, {ID: "sneak", Input: &plan.Shape{Kind: plan.Record,
		Fields: []plan.Member{{Name: "skill"}, {Name: "bonus"}}}}}}
	for text, want := range map[string]string{
		"sneak(skill=stealth)": "sneak skill=stealth", "sneak(stealth, 2)": "sneak skill=stealth bonus=2",
		"sneak: skill=stealth": "sneak skill=stealth", "sneak,skill='stealth'": "sneak skill=stealth",
		`sneak("stealth")`: "sneak skill=stealth", "sneak()": "", "wait(2)": "", "rest(2)": "", "rest, sneak skill=stealth": "",
		"sneak(stealth, 2, 3)": "", "sneak skill=stealth": "",
	} {
		if got := EventOfCall(text, d); got != want {
			t.Errorf("EventOfCall(%q) = %q, want %q", text, got, want)
		}
	}
}
