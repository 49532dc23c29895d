package compiler_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var wildValues = flag.Int("wild-values", 250, "how many rulesets with a wild value are compiled")

// hostileValues stand in the place of what an author has written: numbers at the ends and of the wrong kind, values that are not
// written out, and what is no scalar.
var hostileValues = []string{
	"-1", "0", "1", "2", "3", "1001", "2.5", "-0.0", "1e400", "100000000000", "9223372036854775807", "-9223372036854775808",
	"9223372036854775808", `""`, `"x"`, `"1"`, `"-1"`, `"a b"`, `"2d6"`, "true", "null", "[]", "[1]", "[-1, 0]", `["x"]`, "[[1]]", "{}",
	"{a: 1}", `{x: "1"}`, "int", "string", "_", "*1 | int", ">=0", "[...int]",
}

// hostileLabels stand in the place of names and keys.
var hostileLabels = []string{
	`""`, `"x"`, `"a b"`, `"1"`, `"-1"`, `"a.b"`, `"é"`, `"ABC"`, "_x", "#X", "x?", "x!", "[string]", `"rule"`, `"input"`, `"max"`, "_", "(x)",
	`"\\n"`, "a: b",
}

// A wildModule is a module whose one file is changed.
type wildModule struct {
	name  string
	files map[string]string
	file  string
	parts []wildPart
}

// A wildPart is a part of a file, from where to where it stands, and what may stand there instead.
type wildPart struct {
	from, to int
	instead  []string
}

// listWildModules returns the modules of the good examples of the catalogue.
func listWildModules(t *testing.T) (out []*wildModule) {
	add := func(name string, files map[string]string, file string) {
		if text, ok := files[file]; ok {
			if parts := partsOf(text); len(parts) > 0 {
				out = append(out, &wildModule{name, files, file, parts})
			}
		}
	}
	for _, p := range diag.Pages() {
		if files := page(&p, p.Good); p.Homebrew {
			add("good "+string(p.Code), files, "house/house.cue")
		} else {
			add("good "+string(p.Code), files, "game/body.cue")
			add("good "+string(p.Code), files, "rules.cue")
		}
	}
	return out
}

// partsOf returns the values, labels and fields of a file.
func partsOf(text string) (parts []wildPart) {
	file, err := parser.ParseFile("game.cue", text)
	if err != nil {
		return nil
	}
	add := func(n ast.Node, instead ...string) {
		parts = append(parts, wildPart{n.Pos().Offset(), n.End().Offset(), instead})
	}
	ast.Walk(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportDecl, *ast.Package:
			return false
		case *ast.Field:
			add(n, "")
			add(n.Label, hostileLabels...)
			ast.Walk(n.Value, func(v ast.Node) bool {
				switch v.(type) {
				case *ast.BasicLit, *ast.ListLit, *ast.StructLit, *ast.UnaryExpr:
					add(v, hostileValues...)
				case *ast.Field:
					return false // which the walk around meets
				}
				return true
			}, nil)
		}
		return true
	}, nil)
	return parts
}

// TestWildValues puts a value in the place of another one in a ruleset or a homebrew. Whatever it is, compiling ends without a
// panic, what has no error is a plan, and what plain cue vet refuses has an error. .ci/long compiles many more.
func TestWildValues(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	modules := listWildModules(t)
	random := rand.New(rand.NewPCG(*wildSeed, 0))
	plans, refused := 0, 0
	for range *wildValues {
		m := modules[random.IntN(len(modules))]
		part := m.parts[random.IntN(len(m.parts))]
		text := m.files[m.file]
		wild := part.instead[random.IntN(len(part.instead))]
		line := 1 + strings.Count(text[:part.from], "\n")
		about := fmt.Sprintf("%s: %s:%d: %s in place of %s", m.name, m.file, line, wild, text[part.from:part.to])
		files := maps.Clone(m.files)
		files[m.file] = text[:part.from] + wild + text[part.to:]
		if holdWildModule(t, about, files, gameTree(t, files)) {
			plans++
		} else {
			refused++
		}
	}
	t.Logf("%d of %d with a wild value have a plan", plans, plans+refused)
	if plans == 0 || refused == 0 {
		t.Error("nothing is wild")
	}
}

// holdWildModule compiles a module, and reports whether it has no error.
func holdWildModule(t *testing.T, about string, files map[string]string, fsys fs.FS) bool {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: %v\n%s", about, r, debug.Stack())
		}
	}()
	said := diagnosed(t, files, compiler.Options{Analyse: true})
	if slices.ContainsFunc(said, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return false
	}
	var houses []load.Source
	if _, isHomebrew := files["house/cue.mod/module.cue"]; isHomebrew {
		house, err := fs.Sub(fsys, "house")
		if err != nil {
			t.Fatal(err)
		}
		houses = append(houses, load.Source{FS: house, Name: "house"})
	}
	p := compiled(load.Source{FS: fsys}, "game", houses)
	if p == nil {
		if _, isRelease := files["rules.cue"]; !isRelease { // which may be of another ruleset
			t.Errorf("%s: nothing is wrong with it, and there is no plan", about)
		}
		return true
	}
	if err := plan.Verify(p); err != nil {
		t.Errorf("%s: %v", about, err)
	}
	if err := refusedByCUE(fsys); err != nil && houses == nil {
		t.Errorf("%s: nothing is wrong with it here, and for CUE: %v", about, err)
	}
	return true
}
