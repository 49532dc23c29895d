package load_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler/load"
)

// TestSourcesAreWhatARulesetNeeds wants the package of a ruleset and those that it imports, and nothing of its neighbours.
func TestSourcesAreWhatARulesetNeeds(t *testing.T) {
	files, err := txtar.FS(txtar.Parse([]byte(`
-- cue.mod/module.cue --
module: "example.com/m@v0"
language: version: "v0.16.0"
-- rules.cue --
package rules

import (
	"example.com/m/tables/one"
	"example.com/m/tables/two"
)

rulesets: {
	"one": {rules: one, revision: "0.1.0"}
	"two": {rules: two, revision: "0.1.0"}
}
-- tables/one/a.cue --
package one

import "example.com/m/common"

title: common.title
-- tables/one/b.cue --
package one
-- tables/one/notes.txt --
-- tables/two/a.cue --
package two
-- common/c.cue --
package common

title: "t"
-- unread/u.cue --
package unread
`)))
	if err != nil {
		t.Fatal(err)
	}
	got := load.Sources(load.Source{FS: files}, "one")
	want := []string{"common/c.cue", "cue.mod/module.cue", "rules.cue", "tables/one/a.cue", "tables/one/b.cue"}
	if !slices.Equal(got, want) {
		t.Errorf("the sources of one are %q, not %q", got, want)
	}
	if got := load.Sources(load.Source{FS: files, Name: "elsewhere"}, "one"); !slices.Equal(got, want) {
		t.Errorf("in a module that is named, the sources of one are %q, not %q", got, want)
	}
	for _, name := range load.Sources(load.Source{FS: rules.Files}, "haze") {
		if strings.HasPrefix(name, "tables/") && !strings.HasPrefix(name, "tables/haze/") {
			t.Errorf("%s is among the sources of haze", name)
		}
	}
}
