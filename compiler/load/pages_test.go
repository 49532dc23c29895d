package load

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/diag"
)

const modFile = `module: "github.com/tabletop-rules/rules@v0"
language: version: "v0.16.0"
`

const gameHead = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: strength!: int
`

const releaseHead = `package rules

import (
	"github.com/tabletop-rules/rules/game"
	"github.com/tabletop-rules/rules/schema"
)

rulesets: [schema.#ID]: schema.#Release
`

// tree is a module with a ruleset package of which the body is a file, or with a rules.cue of which it is the end.
func tree(t testing.TB, body string) fstest.MapFS {
	t.Helper()
	schema, err := os.ReadFile("../../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte(modFile)},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: []byte(gameHead)},
	}
	switch {
	case strings.HasPrefix(body, "rulesets"):
		fsys["rules.cue"] = &fstest.MapFile{Data: []byte(releaseHead + body)}
	case strings.Contains(body, "package game"):
		fsys["game/body.cue"] = &fstest.MapFile{Data: []byte(body)}
	default:
		fsys["game/body.cue"] = &fstest.MapFile{Data: []byte("package game\n" + body)}
	}
	return fsys
}

// read reads a tree and gives what was reported.
func read(t testing.TB, body string) []diag.Diagnostic {
	t.Helper()
	var diags diag.List
	src := Source{FS: tree(t, body)}
	if strings.HasPrefix(body, "rulesets") {
		Release(src, &diags)
	} else {
		Directory(src, "game", &diags)
	}
	return diags.Sorted()
}

func TestPages(t *testing.T) {
	for _, p := range diag.Pages() {
		if p.Homebrew || p.Bare {
			continue
		}
		t.Run(string(p.Code), func(t *testing.T) {
			for _, d := range read(t, p.Good) {
				t.Errorf("the good example is not: %s", d.String())
			}
			if got := read(t, p.Bad); ours(t, p.Code) &&
				!slices.ContainsFunc(got, func(d diag.Diagnostic) bool { return d.Code == p.Code }) {
				t.Errorf("the bad example reports %v", got)
			}
		})
	}
}

// ours reports whether load is the phase that reports a code: its sources quote it.
func ours(t *testing.T, code diag.Code) bool {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		src, err := os.ReadFile(name)
		return err == nil && !strings.HasSuffix(name, "_test.go") && strings.Contains(string(src), strconv.Quote(string(code)))
	})
}
