package compiler_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestRulesetsAreSaid holds that every rule, procedure and event of the rulesets that ship, and of the small games, has a
// headline and a sentence of its author's, or those of a rule whose outputs it hands on, and that no text shows an
// underscore or the name of a record.
func TestRulesetsAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	modules := map[string]int{"..": 5, "../golden/games": 15}
	own, err := filepath.Glob("../golden/games/*/cue.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range own {
		modules[filepath.Dir(module)] = 1
	}
	for module, rulesets := range modules {
		plans, diags := compiler.Release(load.Source{FS: os.DirFS(module)}, compiler.Options{})
		for _, d := range diags {
			if d.Code == "words-missing" {
				t.Error(d.String())
			}
		}
		checkTexts(t, plans)
		if len(plans) != rulesets {
			t.Errorf("%s: %d rulesets are compiled, not %d", module, len(plans), rulesets)
		}
	}
}

func checkTexts(t *testing.T, plans []*plan.Plan) {
	t.Helper()
	for _, p := range plans {
		w := planfile.DecodeWords(p)
		if len(w.Names) == 0 {
			t.Errorf("%s has no glossary", p.Ruleset)
		}
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
}

// identifiers are the parts of names of a formula that no text for people has.
var identifiers = regexp.MustCompile(`_|\b(input|event|state|character)\.[a-z]`)

// checkForms holds that no text for people has the form of an identifier.
func checkForms(t *testing.T, at string, texts []string) {
	t.Helper()
	for _, text := range texts {
		if identifiers.MatchString(text) {
			t.Errorf("%s: %q shows an identifier", at, text)
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
