package compiler

import (
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestAnalysesWhatIsInOrder holds that the analysis, which takes as long as all else, waits until nothing is wrong with any
// ruleset of a release.
func TestAnalysesWhatIsInOrder(t *testing.T) {
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/games@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"game.cue": {Data: []byte("package game\n\nid: \"game\"\ntitle: \"Game\"\nsource: book: \"none\"\n" +
			"#Character: {}\nrules: test: {cite: \"Tests\", dice: roll: \"d10\", output: twice: \"roll * 2\"}\n")},
	}
	for _, fails := range []bool{false, true} {
		var diags diag.List
		b := load.Directory(load.Source{FS: files, Name: "games"}, ".", &diags)
		if b == nil {
			t.Fatal(diags.Err())
		}
		o := Options{Analyse: true}
		x := compile(&book.Release{Name: b.ID, Rules: b}, nil, o, &diags)
		if fails {
			diags.Addf("type", plan.Place{File: "other.cue", Line: 1, Col: 1}, "rule other", "another ruleset is wrong")
		}
		if finish([]*result{x}, o, &diags); x.plan == nil || x.analysed == fails {
			t.Errorf("another ruleset fails: %v, and this is analysed: %v", fails, x.analysed)
		}
	}
}
