package compiler_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// saidRulesets are the rulesets that ship with words for everything.
var saidRulesets = []string{"haze", "hybrid", "supermen", "tempestas", "zones"}

// TestShippedRulesetsAreSaid holds that every rule, procedure and event of a ruleset that ships has a headline or a sentence of
// its author's, or that of a rule whose outputs it hands on, and that no text shows an underscore.
func TestShippedRulesetsAreSaid(t *testing.T) {
	plans, said := compiler.Release(load.Source{FS: os.DirFS("..")}, compiler.Options{}, saidRulesets...)
	for _, d := range said {
		if d.Code == "words-missing" {
			t.Error(d.String())
		}
	}
	for _, p := range plans {
		w := planfile.DecodeWords(p)
		for i := range w.Names {
			checkWord(t, p.Ruleset, &w.Names[i])
		}
		for i := range w.Texts {
			x := &w.Texts[i]
			at := p.Ruleset + ", " + x.Kind.String() + " " + x.ID
			if x.Headline == nil && (x.Kind == plan.RuleEntry || x.Kind == plan.ProcedureEntry) {
				t.Errorf("%s has no headline", at)
			}
			checkForms(t, at, append(slices.Clone(x.Label), x.Short))
			for _, s := range []*plan.Say{x.Headline, x.Say, x.Offered} {
				checkSay(t, at, s)
			}
		}
	}
	if len(plans) != len(saidRulesets) {
		t.Errorf("%d rulesets are compiled, not %d", len(plans), len(saidRulesets))
	}
}

// checkForms holds that no text for people has an underscore.
func checkForms(t *testing.T, at string, texts []string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(text, "_") {
			t.Errorf("%s: %q shows an underscore", at, text)
		}
	}
}

func checkWord(t *testing.T, ruleset string, w *plan.Word) {
	t.Helper()
	at := ruleset + ", word " + w.Name
	checkForms(t, at, append(slices.Clone(w.Label), w.Short))
	for _, u := range w.Units {
		checkForms(t, at, u.Forms)
	}
	for _, answer := range []*plan.Word{w.Yes, w.No} {
		if answer != nil {
			checkWord(t, ruleset, answer)
		}
	}
}

func checkSay(t *testing.T, at string, s *plan.Say) {
	t.Helper()
	if s == nil {
		return
	}
	checkParts(t, at, s.Parts)
	for i := range s.Cases {
		checkSay(t, at, &s.Cases[i].Say)
	}
}

func checkParts(t *testing.T, at string, parts []plan.SayPart) {
	t.Helper()
	for _, p := range parts {
		checkForms(t, at, append(slices.Clone(p.Forms), p.Text))
		checkParts(t, at, p.Optional)
	}
}
