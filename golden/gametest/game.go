// Package gametest compiles rulesets for the tests of packages that execute plans, and lists all ways in which their dice
// can fall.
package gametest

import (
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// compiled has the plans of what ships that a test of the package has asked for, by their rulesets.
var compiled struct {
	sync.Mutex
	plans map[string]*plan.Plan
}

// ShippedPlan returns the plan of a shipped ruleset, which is compiled once for all tests of a package: nobody may change
// it.
func ShippedPlan(t testing.TB, ruleset string) *plan.Plan {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if p := compiled.plans[ruleset]; p != nil {
		return p
	}
	plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{}, ruleset)
	if plans == nil {
		t.Fatal(diags)
	}
	if compiled.plans == nil {
		compiled.plans = map[string]*plan.Plan{}
	}
	compiled.plans[ruleset] = plans[0]
	return plans[0]
}

// ShippedPlans returns the plans of all rulesets that ship, likewise.
func ShippedPlans(t testing.TB) (out []*plan.Plan) {
	t.Helper()
	for _, ruleset := range load.Names(load.Source{FS: rules.Files}) {
		out = append(out, ShippedPlan(t, ruleset))
	}
	return out
}

// Shipped returns a program of the plan of a shipped ruleset.
func Shipped(t testing.TB, ruleset string) *runtime.Program {
	t.Helper()
	return runtime.New(ShippedPlan(t, ruleset))
}

// Cases returns the golden cases of a shipped ruleset.
func Cases(t testing.TB, ruleset string) []*golden.Case {
	t.Helper()
	sub, err := fs.Sub(rules.Files, "golden/"+ruleset)
	if err != nil {
		t.Fatal(err)
	}
	all, err := golden.Load(sub, ".", "")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// gameHead is what the rules of a small game stand in.
const gameHead = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "Game"
source: book: "Game"
#Character: strength: *3 | (int & >=0 & <=20)
functions: twice: {cite: "x", params: n: "int", expr: "2 * n"}
tables: step: {cite: "x", gives: "worth", steps: [{from: 1, worth: 1}, {from: 3, worth: 4}, {above: 6, worth: -1}]}
tables: band: {cite: "x", bands: [{on: [-5, 2], name: "a", worth: 2}, {on: [3, 12], name: "b", worth: 0}]}
`

// Small compiles rules, given as files.
func Small(t testing.TB, texts map[string]string) *runtime.Program {
	t.Helper()
	p, diags := Compile(t, texts)
	for _, d := range diags {
		if d.Severity == diag.Error {
			t.Error(d.String())
		}
	}
	if p == nil {
		t.FailNow()
	}
	return runtime.New(p)
}

// Compile is Small, with the diagnostics of the compiler; the plan is nil if there are errors.
func Compile(t testing.TB, texts map[string]string) (*plan.Plan, []diag.Diagnostic) {
	t.Helper()
	schema, err := fs.ReadFile(rules.Files, "schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte(
			"module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue": {Data: schema},
		"game/game.cue":     {Data: []byte(gameHead)},
	}
	for name, text := range texts {
		files["game/"+name+".cue"] = &fstest.MapFile{Data: []byte("package game\n\n" + text)}
	}
	return compiler.Directory(load.Source{FS: files}, "game", compiler.Options{})
}

// Head begins a ruleset of which a test gives the rest.
const Head = `package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
_keep: list.MaxItems(1)
`

// CompileParts compiles the parts of a ruleset that a test is about: its character, tables and rules. The test ends where
// they have errors.
func CompileParts(t testing.TB, parts string) *plan.Plan {
	t.Helper()
	p := CompileSource(Head + parts)
	if p == nil {
		t.Fatal("the ruleset does not compile")
	}
	return p
}

// CompileSource compiles the text of a ruleset without the schema, as generated ones are written; nil if there are errors.
func CompileSource(source string) *plan.Plan {
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"game/game.cue":      {Data: []byte(source)},
	}
	p, _ := compiler.Directory(load.Source{FS: files}, "game", compiler.Options{})
	return p
}
