package compiler_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tabletop-rules/rules"

// mayImport says which packages of ours a package may import, by the longest prefix of its directory. The phases of the
// compiler stand in their order: each sees what earlier ones made.
var mayImport = map[string][]string{
	"":                 {},
	"cmd":              {"", "cmd/rules/internal", "golden", "compiler", "runtime"},
	"golden":           {"", "golden/jsontree", "compiler", "runtime"},
	"golden/gametest":  {"", "golden", "compiler", "runtime"},
	"golden/jsontree":  {},
	"golden/revisions": {"golden", "runtime"},
	"golden/vectors":   {"golden", "golden/jsontree", "runtime"},
	"golden/mutants": {
		"golden", "compiler", "compiler/load", "compiler/book", "compiler/diag", "compiler/syntax", "runtime",
	},
	"runtime":                 {"runtime"},
	"runtime/plan":            {},
	"runtime/planfile":        {"runtime/plan"},
	"runtime/interval":        {"runtime/plan", "runtime/builtin"},
	"runtime/compare":         {"runtime/plan"},
	"runtime/builtin":         {"runtime/plan"},
	"runtime/dice":            {"runtime/plan", "runtime/interval", "runtime/spell"},
	"runtime/spell":           {},
	"runtime/internal/lookup": {"runtime/plan", "runtime/builtin"},
	"runtime/schedule":        {"runtime/plan", "runtime/interval", "runtime/builtin"},
	"compiler":                {"compiler", "runtime/plan", "runtime/dice"},
	"compiler/book":           {"runtime/plan"},
	"compiler/diag":           {"runtime/plan", "runtime/dice", "runtime/spell"},
	"compiler/syntax":         {"compiler/book", "runtime/plan"},
	"compiler/load": {"compiler/book", "compiler/diag", "compiler/load/explain", "compiler/load/fieldset",
		"compiler/load/shape", "compiler/load/site", "runtime/plan"},
	"compiler/load/explain":  {"compiler/diag", "compiler/load/shape", "compiler/load/site", "runtime/plan"},
	"compiler/load/fieldset": {"compiler/load/site", "schema"},
	"compiler/load/shape":    {"compiler/diag", "compiler/load/site", "runtime/plan"},
	"compiler/load/site":     {"runtime/plan"},
	"schema":                 {},
	"compiler/overlay":       {"compiler/book", "compiler/diag", "runtime/plan"},
	"compiler/check": {"compiler/syntax", "compiler/book", "compiler/diag",
		"runtime/plan", "runtime/interval", "runtime/builtin", "runtime/dice"},
	"compiler/lint": {"compiler/check", "compiler/book", "compiler/diag", "runtime/plan"},
	"compiler/lower": {"compiler/book", "compiler/check", "runtime/plan", "runtime/planfile", "runtime/builtin",
		"runtime/dice"},
	"compiler/analyse": {"compiler/diag", "compiler/book", "runtime"},

	"runtime/internal/vm": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/internal/lookup", "runtime/schedule"},
	"runtime/jsonio": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/schedule", "runtime/spell",
		"runtime/internal/vm"},
	"runtime/internal/vector": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/internal/lookup",
		"runtime/schedule", "runtime/internal/vm"},
	"runtime/partial":           {"runtime/plan", "runtime/jsonio"},
	"runtime/ask":               {"runtime/dice", "runtime/jsonio", "runtime/partial"},
	"runtime/odds":              {"runtime", "runtime/jsonio", "runtime/odds/internal/pmf", "runtime/plan"},
	"runtime/odds/internal/pmf": {"runtime/dice", "runtime/plan"},
	"runtime/odds/notation": {"runtime/dice", "runtime/jsonio", "runtime/odds", "runtime/odds/internal/pmf",
		"runtime/plan"},
	"runtime/odds/internal/rewrite": {"runtime/interval", "runtime/plan", "runtime/schedule"},
	"runtime/odds/eliminate": {"runtime", "runtime/dice", "runtime/internal/vm", "runtime/interval", "runtime/jsonio",
		"runtime/odds", "runtime/odds/internal/pmf", "runtime/odds/internal/rewrite", "runtime/plan"},
	"runtime/odds/markov": {"runtime", "runtime/internal/vm", "runtime/jsonio", "runtime/odds", "runtime/odds/eliminate",
		"runtime/odds/internal/pmf", "runtime/plan"},
	"runtime/trace": {"runtime/builtin", "runtime/jsonio", "runtime/plan", "runtime/planfile", "runtime/schedule",
		"runtime/spell", "runtime/internal/vm"},
	"runtime/internal/graphtest": {"runtime/plan", "runtime/schedule"},
	"runtime/plan/plantest":      {"runtime/plan"},

	// What the commands share.
	"cmd/rules/internal/archive": {"cmd/rules/internal/safefile"},
	"cmd/rules/internal/artifact": {
		"cmd/rules/internal/archive", "cmd/rules/internal/atomicfile", "cmd/rules/internal/exit",
		"cmd/rules/internal/lockfile", "cmd/rules/internal/safefile", "cmd/rules/internal/signature",
		"cmd/rules/internal/workspace", "runtime/planfile",
	},
	"cmd/rules/internal/registry": {"cmd/rules/internal/exit"},
	"cmd/rules/internal/lockfile": {"cmd/rules/internal/archive"},
	"cmd/rules/internal/argdata":  {"cmd/rules/internal/jsontext", "cmd/rules/internal/safefile", "golden", "runtime/plan"},
	"cmd/rules/internal/api": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/describe", "cmd/rules/internal/exit",
		"cmd/rules/internal/jsonschema", "cmd/rules/internal/jsontext", "cmd/rules/internal/library",
		"cmd/rules/internal/must", "cmd/rules/internal/ndjson", "cmd/rules/internal/oddspage",
		"cmd/rules/internal/oddsquery", "cmd/rules/internal/webguard", "runtime", "runtime/dice", "runtime/odds",
		"runtime/plan",
	},
	"cmd/rules/internal/library": {
		"cmd/rules/internal/oddsquery", "compiler/diag", "runtime", "runtime/compare", "runtime/plan", "runtime/planfile",
	},
	"cmd/rules/internal/site": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/describe", "cmd/rules/internal/example",
		"cmd/rules/internal/exit", "cmd/rules/internal/jsontext", "cmd/rules/internal/layout",
		"cmd/rules/internal/library", "cmd/rules/internal/must", "cmd/rules/internal/oddspage",
		"cmd/rules/internal/oddsquery", "cmd/rules/internal/plot", "cmd/rules/internal/present",
		"cmd/rules/internal/receipt", "cmd/rules/internal/rulebook", "cmd/rules/internal/scorecard",
		"cmd/rules/internal/why", "cmd/rules/internal/wording", "compiler/diag", "golden",
		"runtime", "runtime/compare", "runtime/dice", "runtime/odds", "runtime/plan", "runtime/schedule", "runtime/trace",
	},
	"cmd/rules/internal/wording":    {"runtime/builtin"},
	"cmd/rules/internal/webguard":   {},
	"cmd/rules/internal/asked":      {"runtime/plan"},
	"cmd/rules/internal/atomicfile": {"cmd/rules/internal/exit", "cmd/rules/internal/safefile"},
	"cmd/rules/internal/cache": {
		"", "cmd/rules/internal/atomicfile", "cmd/rules/internal/safefile", "runtime/plan", "runtime/planfile",
		"runtime/schedule",
	},
	"cmd/rules/internal/changes": {"cmd/rules/internal/jsontext"},
	"cmd/rules/internal/completion": {
		"cmd/rules/internal/describe", "cmd/rules/internal/must", "cmd/rules/internal/usage",
		"cmd/rules/internal/workspace", "runtime/plan", "runtime/schedule",
	},
	"cmd/rules/internal/describe": {
		"cmd/rules/internal/jsontext", "runtime", "runtime/plan", "runtime/schedule", "runtime/spell",
	},
	"cmd/rules/internal/example": {
		"cmd/rules/internal/describe", "cmd/rules/internal/jsontext", "cmd/rules/internal/must", "cmd/rules/internal/shell",
		"golden", "runtime", "runtime/dice", "runtime/plan",
	},
	"cmd/rules/internal/exit": {"cmd/rules/internal/visible", "compiler/diag", "runtime"},
	"cmd/rules/internal/gametable": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/atomicfile", "cmd/rules/internal/changes",
		"cmd/rules/internal/describe",
		"cmd/rules/internal/exit", "cmd/rules/internal/jsontext", "cmd/rules/internal/layout", "cmd/rules/internal/present",
		"cmd/rules/internal/receipt", "cmd/rules/internal/refusal", "cmd/rules/internal/safefile",
		"cmd/rules/internal/wording", "runtime",
		"runtime/dice", "runtime/odds",
		"runtime/plan", "runtime/spell",
	},
	"cmd/rules/internal/jsonschema": {
		"cmd/rules/internal/describe", "cmd/rules/internal/jsontext", "runtime", "runtime/plan",
	},
	"cmd/rules/internal/jsontext": {"cmd/rules/internal/must"},
	"cmd/rules/internal/layout":   {"cmd/rules/internal/visible"},
	"cmd/rules/internal/manual":   {"cmd/rules/internal/release", "runtime/builtin", "runtime/dice"},
	"cmd/rules/internal/must":     {},
	"cmd/rules/internal/ndjson": {
		"cmd/rules/internal/exit", "cmd/rules/internal/layout", "cmd/rules/internal/must", "runtime",
	},
	"cmd/rules/internal/oddspage": {
		"cmd/rules/internal/jsontext", "cmd/rules/internal/layout", "cmd/rules/internal/must", "cmd/rules/internal/plot",
		"cmd/rules/internal/present", "runtime", "runtime/odds", "runtime/plan",
	},
	"cmd/rules/internal/oddsquery": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/describe", "cmd/rules/internal/exit",
		"cmd/rules/internal/jsontext", "cmd/rules/internal/must", "cmd/rules/internal/oddspage", "compiler", "golden",
		"runtime", "runtime/odds", "runtime/plan",
	},
	"cmd/rules/internal/playthrough": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/describe", "cmd/rules/internal/exit",
		"cmd/rules/internal/receipt", "cmd/rules/internal/refusal", "cmd/rules/internal/why", "golden", "runtime",
		"runtime/dice",
	},
	"cmd/rules/internal/plot": {"cmd/rules/internal/layout"},
	"cmd/rules/internal/present": {
		"cmd/rules/internal/changes", "cmd/rules/internal/describe", "cmd/rules/internal/jsontext", "cmd/rules/internal/layout",
		"cmd/rules/internal/rulebook", "cmd/rules/internal/safefile", "cmd/rules/internal/why", "compiler/diag", "golden",
		"golden/revisions", "runtime", "runtime/compare", "runtime/dice", "runtime/plan", "runtime/trace",
	},
	"cmd/rules/internal/rulebook": {"cmd/rules/internal/describe", "golden", "runtime/plan"},
	"cmd/rules/internal/why": {
		"cmd/rules/internal/argdata", "cmd/rules/internal/jsontext", "runtime", "runtime/dice", "runtime/plan",
		"runtime/trace",
	},
	"cmd/rules/internal/receipt": {
		"cmd/rules/internal/exit", "cmd/rules/internal/jsontext", "cmd/rules/internal/must", "runtime", "runtime/dice",
		"runtime/plan", "runtime/planfile",
	},
	"cmd/rules/internal/recorded": {"cmd/rules/internal/atomicfile", "golden", "runtime", "runtime/plan"},
	"cmd/rules/internal/refusal": {
		"cmd/rules/internal/exit", "cmd/rules/internal/present", "runtime", "runtime/dice",
		"runtime/plan",
	},
	"cmd/rules/internal/release": {
		"cmd/rules/internal/exit", "cmd/rules/internal/layout", "cmd/rules/internal/must", "cmd/rules/internal/present",
		"cmd/rules/internal/sandbox", "cmd/rules/internal/workspace", "compiler", "compiler/diag", "golden",
		"golden/revisions", "runtime", "runtime/compare", "runtime/planfile",
	},
	"cmd/rules/internal/repair": {
		"cmd/rules/internal/atomicfile", "cmd/rules/internal/layout", "cmd/rules/internal/present",
		"cmd/rules/internal/safefile", "compiler/diag", "runtime/spell",
	},
	"cmd/rules/internal/safefile": {},
	"cmd/rules/internal/sandbox": {
		"", "cmd/rules/internal/cache", "cmd/rules/internal/must", "cmd/rules/internal/safefile", "compiler",
		"compiler/diag", "compiler/load", "runtime/plan", "runtime/planfile",
	},
	"cmd/rules/internal/sarif":     {"cmd/rules/internal/present", "compiler/diag", "runtime/plan"},
	"cmd/rules/internal/scorecard": {"cmd/rules/internal/cache"},
	"cmd/rules/internal/shell":     {},
	"cmd/rules/internal/scaffold":  {"", "cmd/rules/internal/atomicfile", "cmd/rules/internal/must"},
	"cmd/rules/internal/signature": {
		"cmd/rules/internal/atomicfile", "cmd/rules/internal/exit", "cmd/rules/internal/userlist",
	},
	"cmd/rules/internal/terminal": {
		"cmd/rules/internal/gametable", "cmd/rules/internal/layout", "cmd/rules/internal/visible",
	},
	"cmd/rules/internal/trust":    {"cmd/rules/internal/userlist"},
	"cmd/rules/internal/usage":    {"cmd/rules/internal/must", "cmd/rules/internal/shell", "runtime/spell"},
	"cmd/rules/internal/userlist": {"cmd/rules/internal/atomicfile", "cmd/rules/internal/safefile"},
	"cmd/rules/internal/visible":  {},
	"cmd/rules/internal/workspace": {
		"", "cmd/rules/internal/archive", "cmd/rules/internal/argdata", "cmd/rules/internal/asked", "cmd/rules/internal/cache",
		"cmd/rules/internal/jsontext",
		"cmd/rules/internal/lockfile", "cmd/rules/internal/safefile", "cmd/rules/internal/sandbox",
		"cmd/rules/internal/trust", "compiler", "compiler/diag", "runtime", "runtime/compare", "runtime/plan",
		"runtime/planfile", "runtime/schedule", "runtime/spell",
	},
}

// onlyIn says which packages may import a library. Tests may import everything.
var onlyIn = map[string][]string{
	"cuelang.org/go":           {"compiler/load"},
	"github.com/google/cel-go": {"compiler/syntax", "compiler/check"},
	"github.com/spf13/cobra":   {"cmd"},
}

func TestArrowsGoOneWay(t *testing.T) {
	root := filepath.Join("..")
	seen := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() && file != root && hasModule(file):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		seen++
		dir, _ := filepath.Rel(root, filepath.Dir(file))
		if dir = filepath.ToSlash(dir); dir == "." {
			dir = ""
		}
		judge(t, file, dir)
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("read %d files: %v", seen, err)
	}
}

func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// judge checks the imports of one file.
func judge(t *testing.T, file, dir string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if ours, ok := strings.CutPrefix(imported, module); ok && !allowed(dir, strings.TrimPrefix(ours, "/")) {
			t.Errorf("%s imports %s: the arrows of the structure go another way", file, imported)
		}
		for library, dirs := range onlyIn {
			if within(imported, library) && !anyWithin(dir, dirs) {
				t.Errorf("%s imports %s: only %s may", file, imported, strings.Join(dirs, ", "))
			}
		}
	}
}

// allowed reports whether a directory's package may import another's.
func allowed(dir, imported string) bool {
	for d := dir; ; d = path.Dir(d) {
		if d == "." {
			d = ""
		}
		if list, ok := mayImport[d]; ok {
			return anyWithin(imported, list)
		}
		if d == "" {
			return false
		}
	}
}

func within(name, prefix string) bool {
	return name == prefix || prefix != "" && strings.HasPrefix(name, prefix+"/")
}

func anyWithin(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if within(name, p) {
			return true
		}
	}
	return false
}
