package load

import (
	"os"
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
