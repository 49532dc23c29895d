package judge_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
)

// An edit is a change of a generated ruleset, said twice: as a person would make it in the text, which the judge reads, and
// as a homebrew, which the program applies.
type edit struct {
	from, to int    // in the text of the ruleset
	text     string // what stands there then
	brew     string // a declaration of the homebrew
}

// editNext offers to replace what is written next, which the homebrew names by a path.
func (g *generator) editNext(path, old, new string) {
	g.edits = append(g.edits, edit{g.b.Len(), g.b.Len() + len(old), new,
		fmt.Sprintf("replace: %s: {expect: %s, with: %s}", path, old, new)})
}

// addHere offers to add a line to what is being written.
func (g *generator) addHere(path, line string) {
	g.edits = append(g.edits, edit{g.b.Len(), g.b.Len(), line + "\n", "extend: " + path + ": " + line})
}

// printFormula writes a formula that a homebrew may replace by one of the same kind.
func (g *generator) printFormula(path, kind string, depth int) {
	old := g.formula(kind, depth)
	if g.maybe(3) {
		g.editNext(path, old, g.formula(kind, depth))
	}
	g.printf("%s", old)
}

// brew chooses some edits, and returns the changed text and the homebrew.
func (g *generator) brew(text string) (changed, homebrew string) {
	chosen := slices.Clone(g.edits)
	g.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = chosen[:min(len(chosen), 1+g.IntN(4))]
	var b strings.Builder
	b.WriteString("package house\n\nimport \"github.com/tabletop-rules/rules/schema\"\n\nschema.#Homebrew\n")
	b.WriteString("id: \"house\"\ntitle: \"House rules\"\nruleset: \"game\"\n")
	slices.SortFunc(chosen, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	for _, e := range chosen {
		text = text[:e.from] + e.text + text[e.to:]
		b.WriteString(e.brew + "\n")
	}
	return text, b.String()
}

// compileBrewed compiles a ruleset that a homebrew changes.
func compileBrewed(text, homebrew string) (*runtime.Program, []diag.Diagnostic) {
	module := moduleOf(text)
	module["rules.cue"] = &fstest.MapFile{Data: []byte("package rules\n\nimport \"example.com/games/tables/game\"\n\n" +
		"rulesets: \"game\": {rules: game, revision: \"0.1.0\"}\n")}
	house := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"house.cue":          {Data: []byte(homebrew)},
	}
	p, diags := compiler.Homebrew(compilerload.Source{FS: module}, "game",
		[]compilerload.Source{{FS: house, Name: "house"}}, compiler.Options{})
	if p == nil {
		return nil, diags
	}
	return runtime.New(p), diags
}

func moduleOf(text string) fstest.MapFS {
	return fstest.MapFS{
		"cue.mod/module.cue":   {Data: []byte("module: \"example.com/games@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"tables/game/game.cue": {Data: []byte(text)},
	}
}
