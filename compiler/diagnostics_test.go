package compiler_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
)

var update = flag.Bool("update", false, "rewrite what the cases of golden/diag want")

const diagCases = "../golden/diag"

// moduleFile is the module of every example.
const moduleFile = `module: "github.com/tabletop-rules/rules@v0"
language: version: "v0.16.0"
`

// gameHead stands before every example of a page, in a file of its own.
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

// gameTree is a module with the schema and some files.
func gameTree(t testing.TB, files map[string]string) fstest.MapFS {
	schema, err := os.ReadFile("../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{"cue.mod/module.cue": {Data: []byte(moduleFile)}, "schema/schema.cue": {Data: schema}}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// diagnosed is what is said of a module: of what its rules.cue ships when it has one, else of the package game.
func diagnosed(t *testing.T, files map[string]string) []diag.Diagnostic {
	source := load.Source{FS: gameTree(t, files)}
	if _, ok := files["house/cue.mod/module.cue"]; ok {
		house, err := fs.Sub(source.FS, "house")
		if err != nil {
			t.Fatal(err)
		}
		_, diags := compiler.Homebrew(source, "game", []load.Source{{FS: house, Name: "house"}}, compiler.Options{Analyse: true})
		return diags
	}
	if _, ok := files["rules.cue"]; ok {
		_, diags := compiler.Release(source, compiler.Options{Analyse: true})
		return diags
	}
	_, diags := compiler.Directory(source, "game", compiler.Options{Analyse: true})
	return diags
}

// overlaidGame is the ruleset that the examples of homebrews change.
const overlaidGame = `options: luck: {
	cite:    "Luck"
	default: "on"
	values: {on: "with luck", off: "without"}
}
tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {
		dagger: damage: 4
		sword: damage:  8
	}
}
tables: place: {
	cite:  "Places"
	over:  "d6"
	gives: "name"
	bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}]
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	dice: roll: "d6"
	output: {
		harm: "weapon(input.with) + roll"
		at:   "place(roll)"
		lucky: {by: "option.luck", is: {on: "roll == 6", off: "false"}}
	}
}
`

// page is the example of a page as files.
func page(p *diag.Page, body string) map[string]string {
	switch {
	case p.Homebrew:
		house := "package house\n\nid: \"house\"\ntitle: \"A house\"\n"
		if !strings.Contains(body, "ruleset:") {
			house += "ruleset: \"game\"\n"
		}
		return map[string]string{
			"game/game.cue": gameHead, "game/body.cue": "package game\n\n" + overlaidGame,
			"rules.cue":                releaseHead + "rulesets: \"game\": {rules: game, revision: \"1.0.0\"}\n",
			"house/cue.mod/module.cue": strings.Replace(moduleFile, "tabletop-rules/rules", "tabletop-rules/house", 1),
			"house/house.cue":          house + body,
		}
	case strings.HasPrefix(body, "rulesets"):
		return map[string]string{"game/game.cue": gameHead, "rules.cue": releaseHead + body}
	case strings.Contains(body, "package game"):
		return map[string]string{"game/game.cue": gameHead, "game/body.cue": body}
	}
	return map[string]string{"game/game.cue": gameHead, "game/body.cue": "package game\n\n" + body}
}

// TestPages compiles the examples of every code: the bad one has that problem and no other, the good one has none.
func TestPages(t *testing.T) {
	for _, p := range diag.Pages() {
		t.Run(string(p.Code), func(t *testing.T) {
			t.Parallel()
			said := diagnosed(t, page(&p, p.Bad))
			if len(said) == 0 || slices.ContainsFunc(said, func(d diag.Diagnostic) bool { return d.Code != p.Code }) {
				t.Errorf("the bad example has the problems:\n%s", texts(said))
			}
			if said := diagnosed(t, page(&p, p.Good)); len(said) > 0 {
				t.Errorf("the good example has problems:\n%s", texts(said))
			}
		})
	}
}

// TestDiagnostics compiles the modules in golden/diag, of which each says what must be said of it.
func TestDiagnostics(t *testing.T) {
	cases, err := filepath.Glob(diagCases + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	held := map[diag.Code]bool{}
	for _, path := range cases {
		code, _, ok := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".txtar"), "_")
		if !ok {
			t.Errorf("%s is not named <code>_<topic>.txtar", path)
		}
		held[diag.Code(code)] = true
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			diagnosticCase(t, path, code)
		})
	}
	for _, p := range diag.Pages() {
		if !held[p.Code] {
			t.Errorf("no case in golden/diag is about %s", p.Code)
		}
	}
}

func diagnosticCase(t *testing.T, path, code string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(text)
	files, want := map[string]string{}, -1
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = i
			continue
		}
		files[f.Name] = string(f.Data)
	}
	if want < 0 || len(files) == 0 || len(archive.Comment) == 0 {
		t.Fatal("it needs a sentence, files and what they want")
	}
	got := texts(diagnosed(t, files)) + "\n"
	if !strings.Contains(got, "["+code+"]") && !strings.Contains(got, "["+code+", ") {
		t.Errorf("%s is not among what is said:\n%s", code, got)
	}
	if got == string(archive.Files[want].Data) {
		return
	}
	if !*update {
		t.Errorf("got:\n%swant:\n%s", got, archive.Files[want].Data)
		return
	}
	archive.Files[want].Data = []byte(got)
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
