package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	cueformat "cuelang.org/go/cue/format"
	"cuelang.org/go/cue/load"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// TestSeedlingIsFormatted holds the CUE that init writes to cue fmt.
func TestSeedlingIsFormatted(t *testing.T) {
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(string(scaffold.Seedling), "NAME", "game"))).Files {
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
		if got := scaffold.RulesetName(dir); got != want {
			t.Errorf("%s gives %s, want %s", dir, got, want)
		}
	}
}

// TestPlainCUE holds what editors see: the modules that init makes, the homebrews that ship, and the modules of other
// games are what "cue vet -c ./..." accepts on the disk alone. The homebrews with mistakes too: what is wrong with them,
// only this program knows. They stand in the repository without the schema; a copy of each gets it from init, as a
// stranger's would.
func TestPlainCUE(t *testing.T) {
	brews, err := filepath.Glob("../../golden/homebrew/*")
	if err != nil || len(brews) == 0 {
		t.Fatalf("there are no homebrews: %v", err)
	}
	games, err := filepath.Glob("../../golden/games/*/cue.mod")
	if err != nil || len(games) == 0 {
		t.Fatalf("there are no open games: %v", err)
	}
	for _, module := range games {
		brews = append(brews, filepath.Dir(module))
	}
	var dirs []string
	for _, brew := range append(brews, "../../golden/games", "../../golden/published") {
		dir := filepath.Join(t.TempDir(), filepath.Base(brew))
		if err := os.CopyFS(dir, os.DirFS(brew)); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := Main([]string{"init", "--schema", dir}, strings.NewReader(""), &out, &errs); status != exit.Done {
			t.Fatalf("init --schema %s ends with %d: %s", dir, status, errs.String())
		}
		dirs = append(dirs, dir)
	}
	for name, seed := range map[string][]byte{"game": scaffold.Seedling, "house": scaffold.HomebrewSeedling} {
		dir := filepath.Join(t.TempDir(), name)
		if err := scaffold.WriteModule(dir, seed, "NAME", name, "RULESET", "haze", "CHARACTER", "{}"); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			ctx := cuecontext.New()
			for _, inst := range load.Instances([]string{"./..."}, &load.Config{Dir: dir, Env: []string{"CUE_REGISTRY=none"}}) {
				if inst.Err != nil {
					t.Fatal(inst.Err)
				}
				if err := ctx.BuildInstance(inst).Validate(cue.Concrete(true)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
