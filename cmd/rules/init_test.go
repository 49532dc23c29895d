package main

import (
	"bytes"
	"strings"
	"testing"

	cueformat "cuelang.org/go/cue/format"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestSeedlingIsFormatted holds the CUE that init writes to cue fmt.
func TestSeedlingIsFormatted(t *testing.T) {
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(string(seedling), "NAME", "game"))).Files {
		if !strings.HasSuffix(f.Name, ".cue") {
			continue
		}
		want, err := cueformat.Source(f.Data)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if !bytes.Equal(f.Data, want) {
			t.Errorf("%s is not formatted:\n%s", f.Name, want)
		}
	}
}

func TestRulesetName(t *testing.T) {
	for dir, want := range map[string]string{
		"my-game": "my_game", "a/b/Game 2": "game_2", "7th": "example", "réunion": "example", "in": "example", "/": "example",
	} {
		if got := rulesetName(dir); got != want {
			t.Errorf("%s gives %s, want %s", dir, got, want)
		}
	}
}
