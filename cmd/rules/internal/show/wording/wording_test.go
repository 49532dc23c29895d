package wording_test

import (
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/wording"
)

func textOf(words []wording.Word) string {
	text := ""
	for _, w := range words {
		text += w.Text
	}
	return text
}

// TestFormulasInWords tells formulas of each kind. What binds less than its surroundings is in brackets, as it was or not.
func TestFormulasInWords(t *testing.T) {
	for formula, want := range map[string]string{
		"reachable ? max(1, lowest) : 0":                          "the greater of 1 and lowest if reachable, else 0",
		"fools ? 'fools_failure' : heroic ? 'heroic' : 'failure'": "fools failure if fools, else heroic if heroic, else failure",
		"heroic || !spoiled && roll - off_roll <= active_value":   "heroic or not spoiled and roll − off roll ≤ active value",
		"(a || b) && c":                           "(a or b) and c",
		"a - (b - c) - d":                         "a − (b − c) − d",
		"(a + b) * 3":                             "(a + b) × 3",
		"-(a + b)":                                "−(a + b)",
		"!(a && b)":                               "not (a and b)",
		"input.kind == 'skill'":                   "kind is skill",
		"input.name in character.skills":          "name is in the character’s skills",
		"name in ['body', 'mind']":                "name is one of body, mind",
		"character.skills[input.name]":            "the character’s skills[name]",
		"div_floor(character.newoen, 2) + 1":      "(the character’s newoen / 2 rounded down) + 1",
		"int(x / 2.0) + round(y)":                 "(x / 2.0 rounded towards 0) + (y rounded, halves away from 0)",
		"div_away(n, 3)":                          "n / 3 rounded away from 0",
		"ability(input.aspect).power":             "ability(aspect)’s power",
		"aim.level > aim.difficulty":              "aim’s level > aim’s difficulty",
		"get(character.handicaps, a, 0)":          "the character’s handicaps[a], or 0 without one",
		"input.areas.all(a, a != 'arm')":          "for every a of areas, a is not arm",
		"rolls.map(r, r.rate)":                    "r’s rate for each r of rolls",
		"state.active.exists(a, a)":               "one of active holds",
		"max(penalties + [0])":                    "the greatest of penalties + [0]",
		"2.5 // a half more\n * x":                "2.5 × x",
		"with(state.acted, aspect, n + 1)":        "acted with aspect set to n + 1",
		"by input.kind\nskill: plain\nother: 3*x": "by kind:\nskill: plain\nother: 3 × x",
	} {
		if got := textOf(wording.Of(formula)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", formula, got, want)
		}
	}
}

// TestNamesStay finds the names of a formula in its wording, with what they are in the formula.
func TestNamesStay(t *testing.T) {
	var names []string
	for _, w := range wording.Of("option.heroic_band == 'up' ? heroic_bonus(above) : character.combat") {
		if w.Name != "" {
			names = append(names, w.Name)
		}
	}
	want := []string{"heroic_bonus(", "above", "option.heroic_band", "character.combat"}
	if len(names) != len(want) {
		t.Fatalf("%q, not %q", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("%q, not %q", names, want)
		}
	}
}

// TestNoFormula gives texts that are none.
func TestNoFormula(t *testing.T) {
	for _, text := range []string{"", "(input.dice)d(10), explodes on 10", "a +", "f(a", "after roll, when x", "a ? b", "#"} {
		if words := wording.Of(text); words != nil {
			t.Errorf("%s is told as %q", text, textOf(words))
		}
	}
}
