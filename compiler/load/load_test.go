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
