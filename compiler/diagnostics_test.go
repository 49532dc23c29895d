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

var update = flag.Bool("update", false, "rewrite what the pages of diagnostics and the cases of golden/diag want")

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
func diagnosed(t *testing.T, files map[string]string, o compiler.Options) []diag.Diagnostic {
	source := load.Source{FS: gameTree(t, files)}
	if _, ok := files["house/cue.mod/module.cue"]; ok {
		house, err := fs.Sub(source.FS, "house")
		if err != nil {
			t.Fatal(err)
		}
		_, diags := compiler.Homebrew(source, "game", []load.Source{{FS: house, Name: "house"}}, o)
		return diags
	}
	if _, ok := files["rules.cue"]; ok {
		_, diags := compiler.Release(source, o)
		return diags
	}
	_, diags := compiler.Directory(source, "game", o)
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
		lucky: option: luck: {on: "roll == 6", off: "false"}
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

// TestPages compiles the examples of every code: of the bad one exactly what its page wants is said, and that is of no
// other code; the good one has no problem.
func TestPages(t *testing.T) {
	for _, p := range diag.Pages() {
		if p.Bare {
			continue
		}
		t.Run(string(p.Code), func(t *testing.T) {
			t.Parallel()
			o := compiler.Options{Analyse: true, Bounds: p.Code == "unbounded-int"}
			said := diagnosed(t, page(&p, p.Bad), o)
			if len(said) == 0 || slices.ContainsFunc(said, func(d diag.Diagnostic) bool { return d.Code != p.Code }) {
				t.Errorf("the bad example has the problems:\n%s", texts(said))
			}
			holdWant(t, filepath.Join("diag", "pages", string(p.Code)+".txtar"), texts(said)+"\n")
			if said := diagnosed(t, page(&p, p.Good), o); len(said) > 0 {
				t.Errorf("the good example has problems:\n%s", texts(said))
			}
		})
	}
}

// TestDiagnostics compiles the modules in golden/diag: what the page of a code does not show. Each says what must be said
// of it.
func TestDiagnostics(t *testing.T) {
	cases, err := filepath.Glob(diagCases + "/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("there are no cases", err)
	}
	for _, path := range cases {
		code, _, ok := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".txtar"), "_")
		if !ok {
			t.Errorf("%s is not named <code>_<topic>.txtar", path)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			diagnosticCase(t, path, code)
		})
	}
}

// diagnosticCase compiles one case of golden/diag.
func diagnosticCase(t *testing.T, path, code string) {
	archive := parsedArchive(t, path)
	files := map[string]string{}
	for _, f := range archive.Files {
		if f.Name != wantName {
			files[f.Name] = string(f.Data)
		}
	}
	if len(files) == 0 || len(archive.Comment) == 0 {
		t.Fatal("it needs a sentence and files")
	}
	got := texts(diagnosed(t, files, compiler.Options{Analyse: true})) + "\n"
	if !strings.Contains(got, "["+code+"]") && !strings.Contains(got, "["+code+", ") {
		t.Errorf("%s is not among what is said:\n%s", code, got)
	}
	holdWant(t, path, got)
}

// wantName is the file of an archive that has what must be said.
const wantName = "want"

func parsedArchive(t *testing.T, path string) *txtar.Archive {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return txtar.Parse(text)
}

// holdWant compares what is said with what an archive wants; -update rewrites the archive instead.
func holdWant(t *testing.T, path, got string) {
	archive := parsedArchive(t, path)
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == wantName })
	switch {
	case i < 0:
		t.Fatalf("%s does not say what must be said", path)
	case got == string(archive.Files[i].Data):
		return
	case !*update:
		t.Errorf("%s\ngot:\n%swant:\n%s", path, got, archive.Files[i].Data)
		return
	}
	archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
