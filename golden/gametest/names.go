package gametest

import (
	_ "embed"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

//go:embed names.cue.txt
var takenNames string

// TakenNames returns the plan of a ruleset whose definitions, fields and words are called as generated code calls things of
// its own.
func TakenNames(t testing.TB) *plan.Plan {
	t.Helper()
	p, diags := Compile(t, map[string]string{"game": takenNames})
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

// aSecond matches the errors of the checker about two things of one name.
var aSecond = regexp.MustCompile(`redeclared|already declared|duplicate`)

// CheckNames checks that files of a Go package declare each name once. What they import is not looked at.
func CheckNames(t testing.TB, files map[string]string) {
	t.Helper()
	var parsed []*ast.File
	positions := token.NewFileSet()
	for name, text := range files {
		f, err := parser.ParseFile(positions, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	c := types.Config{Importer: noPackages{}, IgnoreFuncBodies: true, Error: func(err error) {
		if aSecond.MatchString(err.Error()) {
			t.Error(err)
		}
	}}
	p, _ := c.Check("generated", positions, parsed, nil) // its errors are counted above
	if p == nil || len(p.Scope().Names()) == 0 {
		t.Error("the package declares nothing")
	}
}

// noPackages has no package.
type noPackages struct{}

// Import implements types.Importer.
func (noPackages) Import(path string) (*types.Package, error) { return nil, errors.New("not imported") }
