package check_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lint"
	"github.com/tabletop-rules/rules/compiler/load"
)

const head = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: strength!: int
`

// compiled returns the diagnostics of a body; under bounds those of ints without bounds are among them.
func compiled(t *testing.T, body string, bounds bool) []diag.Diagnostic {
	schema, err := os.ReadFile("../../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	module := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: []byte(head)},
		"game/body.cue":      {Data: []byte("package game\n\n" + body + "\n")},
	}
	var diags diag.List
	if b := load.Directory(load.Source{FS: module}, "game", &diags); b != nil {
		typed := check.Check(b, &diags)
		lint.Check(typed, &diags)
		if bounds {
			lint.CheckBounds(typed, &diags)
		}
	}
	return diags.Sorted()
}

// TestPages compiles the examples of every code that resolve and check report: the bad one has that problem and no
// other, the good one has none.
func TestPages(t *testing.T) {
	ours := sources(t)
	for _, p := range diag.Pages() {
		if p.Homebrew || !strings.Contains(ours, strconv.Quote(string(p.Code))) {
			continue // another phase reports it, or it takes a homebrew, which compiler's test applies
		}
		t.Run(string(p.Code), func(t *testing.T) {
			t.Parallel()
			other := func(d diag.Diagnostic) bool { return d.Code != p.Code }
			bounds := p.Code == "unbounded-int"
			said := compiled(t, p.Bad, bounds)
			if len(said) == 0 {
				t.Error("the bad example compiles")
			}
			if slices.ContainsFunc(said, other) {
				t.Errorf("the bad example has other problems:\n%s", listed(said))
			}
			if said := compiled(t, p.Good, bounds); len(said) > 0 {
				t.Errorf("the good example has problems:\n%s", listed(said))
			}
		})
	}
}

// sources is the text of resolve and check, which quotes the codes that they report.
func sources(t *testing.T) string {
	var all strings.Builder
	for _, pattern := range []string{"*.go", "../lint/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}

func listed(list []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.String() + "\n")
	}
	return b.String()
}
