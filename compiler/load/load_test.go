package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
)

var rulesets = []string{"haze", "hybrid", "supermen", "tempestas", "zones"}

func TestShippedRulesets(t *testing.T) {
	for _, id := range rulesets {
		t.Run(id, func(t *testing.T) {
			var diags diag.List
			rs := Directory(Source{FS: os.DirFS("../..")}, "tables/"+id, &diags)
			for _, d := range diags.Sorted() {
				t.Error(d.String())
			}
			if rs == nil || rs.ID != id || rs.Doc == "" || len(rs.Rules) == 0 || len(rs.Tables) == 0 {
				t.Fatalf("ruleset %s is not there", id)
			}
		})
	}
}

// TestOneRulesetOfANamedModule reads one ruleset of several, of a module that is called by a path from here or a whole one.
func TestOneRulesetOfANamedModule(t *testing.T) {
	for _, name := range []string{"", "up", "../..", "/whole/path"} {
		var diags diag.List
		list := Release(Source{FS: os.DirFS("../.."), Name: name}, &diags, "haze")
		if len(list) != 1 || list[0].Rules.ID != "haze" || !diags.Empty() {
			t.Errorf("%q: %v, %v", name, list, diags.Sorted())
		}
	}
}

// TestLockFileOfAnEditor reads a module while Emacs has a file of it open: the lock beside it is a link to nothing.
func TestLockFileOfAnEditor(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cue.mod/module.cue":     "module: \"example.com/m@v0\"\nlanguage: version: \"v0.16.0\"\n",
		"rules.cue":              "package rules\n\nimport \"example.com/m/tables/one\"\n\nrulesets: \"one\": {rules: one, revision: \"0.1.0\"}\n",
		"tables/one/ruleset.cue": "package one\n\nid: \"one\"\ntitle: \"One\"\nsource: book: \"none\"\n#Character: {}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("ann@host.12:34", filepath.Join(dir, "tables", "one", ".#ruleset.cue")); err != nil {
		t.Skip("no links here:", err)
	}
	var diags diag.List
	list := Release(Source{FS: os.DirFS(dir)}, &diags)
	if len(list) != 1 || list[0].Rules.ID != "one" || diags.Failed() {
		t.Errorf("%d rulesets, %v", len(list), diags.Sorted())
	}
}
