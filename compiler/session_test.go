package compiler_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A step of a session changes one file, and says of which rulesets the plans are then made anew.
type step struct {
	what, file, old, new string
	anew                 string
}

var steps = []step{
	{what: "nothing"},
	{"a formula", "tables/dare/dare.cue", "character.strength > roll", "character.strength > roll + 1", "dare"},
	{"a comment", "tables/calm/calm.cue", "id: ", "// A comment.\nid: ", "calm"},
	{"a new file", "tables/calm/more.cue", "", "package calm\n\nrules: more: {cite: \"More\", output: one: \"1\"}\n", "calm"},
	{"a file of no package", "tables/calm/notes.txt", "", "notes", ""}, // no package reads it
	{"a ruling", "rules.cue", `tie: "win"`, `tie: "lose"`, "dare calm"},
	{"a mistake", "tables/calm/more.cue", `"1"`, `"1 +"`, ""},
	{"a change beside a mistake", "tables/dare/dare.cue", "roll + 1", "roll + 2", ""},
	{"a second mistake", "tables/dare/dare.cue", "roll + 2", "rolls + 2", ""},
	{"a repair", "tables/calm/more.cue", `"1 +"`, `"2"`, ""},
	{"the second repair", "tables/dare/dare.cue", "rolls + 2", "roll + 2", "dare calm"},
	{"a name that CUE does not know", "rules.cue", "{rules: calm,", "{rules: clam,", ""},
	{"its repair", "rules.cue", "{rules: clam,", "{rules: calm,", "dare calm"},
	{"a ruleset less", "rules.cue", "\t\"calm\": {rules: calm, revision: \"0.1.0\"}\n", "", "dare"},
	{"an unused import less", "rules.cue", "\t\"example.com/games/tables/calm\"\n", "", "dare"},
}

// TestSession changes one file after the other, and wants what a release gives that is compiled at once: the same bytes,
// the same diagnostics. What is not made anew is the plan of before.
func TestSession(t *testing.T) {
	files := release()
	src := load.Source{FS: files}
	o := compiler.Options{Analyse: true}
	session := compiler.NewSession(src, o)
	before := currentPlans(t, session)
	if len(before) != 2 {
		t.Fatalf("there are %d plans", len(before))
	}
	for _, x := range steps {
		x.apply(t, files)
		errors, err := session.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, said, err := session.Release(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, wanted := compiler.Release(src, o)
		if texts(said) != texts(wanted) {
			t.Errorf("%s: it says\n%s\nnot\n%s", x.what, texts(said), texts(wanted))
		}
		if texts(errors) != texts(errorsOf(wanted)) {
			t.Errorf("%s: the check says\n%s\nof\n%s", x.what, texts(errors), texts(wanted))
		}
		same(t, x.what, got, want)
		if anew := fresh(before, got); got != nil && anew != x.anew {
			t.Errorf("%s: the plans of %q are made anew, not of %q", x.what, anew, x.anew)
		}
		if got != nil {
			before = got
		}
	}
}

// TestHomebrewSession changes a homebrew, and then the ruleset under it, and wants what compiling both at once gives.
func TestHomebrewSession(t *testing.T) {
	base, brew := release(), fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/brew@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"brew.cue": {Data: []byte("package brew\n\nid: \"brew\"\ntitle: \"Brew\"\nruleset: \"calm\"\nrevision: \"0.1.0\"\n" +
			"add: rules: more: {cite: \"More\", output: one: \"1\"}\n")},
	}
	src, list := load.Source{FS: base}, []load.Source{{FS: brew, Name: "brew"}}
	o := compiler.Options{Analyse: true}
	session := compiler.NewHomebrewSession(src, "calm", list, o)
	var last *plan.Plan
	for _, x := range []struct {
		files fstest.MapFS
		step
	}{
		{brew, step{what: "nothing"}},
		{base, step{"another ruleset", "tables/dare/dare.cue", "character.strength > roll", "character.strength > roll + 1", ""}},
		{brew, step{"a formula", "brew.cue", `"1"`, `"1 + 1"`, "calm"}},
		{brew, step{"a mistake", "brew.cue", `"1 + 1"`, `"1 +"`, "calm"}},
		{brew, step{"its repair", "brew.cue", `"1 +"`, `"1"`, "calm"}},
		{base, step{"the ruleset", "tables/calm/calm.cue", "id: ", "// A comment.\nid: ", "calm"}},
	} {
		x.apply(t, x.files)
		got, said, err := session.Release(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, wanted := compiler.Homebrew(src, "calm", list, o)
		if texts(said) != texts(wanted) {
			t.Errorf("%s: it says\n%s\nnot\n%s", x.what, texts(said), texts(wanted))
		}
		if want == nil {
			if last = nil; got != nil {
				t.Errorf("%s: there is a plan", x.what)
			}
			continue
		}
		same(t, x.what, got, []*plan.Plan{want})
		if anew := last != got[0]; last != nil && anew != (x.anew != "") {
			t.Errorf("%s: the plan is made anew: %t", x.what, anew)
		}
		last = got[0]
	}
}

// TestCancelledSession ends the context of a compilation, which says nothing then, and once more without.
func TestCancelledSession(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	session := compiler.NewSession(load.Source{FS: release()}, compiler.Options{Analyse: true})
	cancel()
	if list, err := session.Check(ctx); err == nil || list != nil {
		t.Errorf("it says %v, %v", list, err)
	}
	if plans, list, err := session.Release(ctx); err == nil || plans != nil || list != nil {
		t.Errorf("it gives %v, %v, %v", plans, list, err)
	}
	if plans := currentPlans(t, session); len(plans) != 2 {
		t.Errorf("there are %d plans afterwards", len(plans))
	}
}

// currentPlans compiles what a session is on.
func currentPlans(t *testing.T, s *compiler.Session) []*plan.Plan {
	t.Helper()
	plans, _, err := s.Release(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return plans
}

// errorsOf are the diagnostics of a list that are errors.
func errorsOf(list []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// apply changes a file, or makes it.
func (x step) apply(t *testing.T, files fstest.MapFS) {
	t.Helper()
	if x.file == "" {
		return
	}
	text := ""
	if f := files[x.file]; f != nil {
		text = string(f.Data)
	}
	if !strings.Contains(text, x.old) {
		t.Fatalf("%s: %q is not in %s", x.what, x.old, x.file)
	}
	files[x.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, x.old, x.new, 1))}
}

// same wants two lists of plans to be of the same bytes.
func same(t *testing.T, what string, got, want []*plan.Plan) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: there are %d plans, not %d", what, len(got), len(want))
	}
	for i := range got {
		if !bytes.Equal(planfile.Write(got[i], nil), planfile.Write(want[i], nil)) {
			t.Errorf("%s: the plan of %s is another", what, want[i].Ruleset)
		}
	}
}

// fresh are the rulesets whose plans are others than before.
func fresh(before, now []*plan.Plan) string {
	var out []string
	for _, p := range now {
		known := false
		for _, old := range before {
			known = known || old == p
		}
		if !known {
			out = append(out, p.Ruleset)
		}
	}
	return strings.Join(out, " ")
}
