package release

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/planfile"
)

func TestShippingFile(t *testing.T) {
	sources := []planfile.File{
		{Name: "duels.cue", Data: `rulesets: "duels": {rules: duels, revision: "0.1.0"}`},
		{Name: "rules.cue", Data: "rulesets: games: {\n\trules: games\n\trevision: \"0.1.0\"\n}"},
		{Name: "tables/lone/lone.cue", Data: `lone: revision: "0.1.0"`},
	}
	for ruleset, want := range map[string]string{"games": "rules.cue", "duels": "duels.cue", "lone": "rules.cue"} {
		if got := shippingFile(sources, ruleset); got != want {
			t.Errorf("%s is shipped by %s, not %s", ruleset, got, want)
		}
	}
}
