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
	"golden/jsontree":  {"runtime/jsonio"},
	"golden/judge":     {"schema"}, // a second judge that knew the first would be none
	"golden/revisions": {"golden", "runtime"},
	"golden/generated": {},
	"golden/vectors":   {"golden", "golden/generated", "golden/jsontree", "runtime"},
	"golden/mutants": {
		"golden", "compiler", "compiler/load", "compiler/book", "compiler/diag", "compiler/syntax", "runtime",
	},
	"runtime":                 {"runtime"},
	"runtime/plan":            {"runtime/plural", "runtime/spell"},
	"runtime/planfile":        {"runtime/plan", "runtime/internal/sha256"},
	"runtime/internal/sha256": {},
	"runtime/interval":        {"runtime/plan", "runtime/builtin"},
	"runtime/compare":         {"runtime/plan", "runtime/planfile"},
	"runtime/builtin":         {"runtime/plan"},
	"runtime/dice":            {"runtime/plan", "runtime/interval", "runtime/spell"},
	"runtime/plural":          {},
	"runtime/spell":           {},
	"runtime/internal/lookup": {"runtime/plan", "runtime/builtin"},
	"runtime/schedule":        {"runtime/plan", "runtime/interval", "runtime/builtin"},
	"compiler":                {"compiler", "runtime/plan", "runtime/dice"},
	"compiler/book":           {"runtime/plan"},
	"compiler/diag":           {"runtime/plan", "runtime/dice", "runtime/spell"},
	"compiler/syntax":         {"compiler/book", "runtime/plan"},
	"compiler/load": {"compiler/book", "compiler/diag", "compiler/load/explain", "compiler/load/fieldset",
		"compiler/load/shape", "compiler/load/site", "runtime/plan", "runtime/plural"},
	"compiler/load/explain":  {"compiler/diag", "compiler/load/shape", "compiler/load/site", "runtime/plan"},
	"compiler/load/fieldset": {"compiler/load/site", "schema"},
	"compiler/load/shape":    {"compiler/book", "compiler/diag", "compiler/load/site", "runtime/plan"},
	"compiler/load/site":     {"runtime/plan"},
	"schema":                 {},
	"compiler/overlay":       {"compiler/book", "compiler/diag", "runtime/plan"},
	"compiler/check": {"compiler/syntax", "compiler/book", "compiler/diag",
		"runtime/plan", "runtime/plural", "runtime/interval", "runtime/builtin", "runtime/dice"},
	"compiler/lint": {"compiler/check", "compiler/book", "compiler/diag", "runtime/plan"},
	"compiler/lower": {"compiler/book", "compiler/check", "runtime/plan", "runtime/planfile", "runtime/builtin",
		"runtime/dice", "runtime/plural"},
	"compiler/analyse": {"compiler/diag", "compiler/book", "runtime"},
	"compiler/words":   {"compiler/diag", "compiler/book", "runtime/plan", "runtime/planfile", "runtime/say"},

	"runtime/internal/vm": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/internal/lookup", "runtime/plural",
		"runtime/schedule"},
	"runtime/jsonio": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/plural", "runtime/schedule", "runtime/spell",
		"runtime/internal/vm"},
	"runtime/internal/vector": {"runtime/plan", "runtime/builtin", "runtime/dice", "runtime/internal/lookup",
		"runtime/schedule", "runtime/internal/vm"},
	"runtime/internal/unroll": {"runtime/plan", "runtime/builtin", "runtime/interval", "runtime/jsonio", "runtime/schedule",
		"runtime/internal/vector", "runtime/internal/vm"},
	"runtime/partial":           {"runtime/plan", "runtime/jsonio"},
	"runtime/ask":               {"runtime/dice", "runtime/jsonio", "runtime/partial"},
	"runtime/odds":              {"runtime/jsonio", "runtime/odds/internal/pmf", "runtime/plan"},
	"runtime/odds/internal/pmf": {"runtime/dice", "runtime/plan"},
	"runtime/odds/notation": {"runtime/dice", "runtime/jsonio", "runtime/odds", "runtime/odds/internal/pmf",
		"runtime/plan"},
	"runtime/odds/internal/rewrite": {"runtime/interval", "runtime/plan", "runtime/schedule"},
	"runtime/odds/eliminate": {"runtime/dice", "runtime/internal/vm", "runtime/interval", "runtime/jsonio",
		"runtime/odds", "runtime/odds/internal/pmf", "runtime/odds/internal/rewrite", "runtime/plan"},
	"runtime/odds/markov": {"runtime/internal/closing", "runtime/internal/vm", "runtime/jsonio", "runtime/odds",
		"runtime/interval", "runtime/odds/eliminate", "runtime/odds/internal/pmf", "runtime/plan", "runtime/plural"},
	"runtime/odds/montecarlo": {"runtime/dice", "runtime/internal/closing", "runtime/internal/unroll",
		"runtime/internal/vector", "runtime/internal/vm", "runtime/jsonio", "runtime/odds", "runtime/odds/markov",
		"runtime/plan", "runtime/schedule"},
	"runtime/odds/oddsjson": {"runtime/jsonio", "runtime/odds", "runtime/odds/markov", "runtime/odds/montecarlo",
		"runtime/plan"},
	"runtime/internal/closing": {"runtime/dice", "runtime/internal/vm", "runtime/jsonio", "runtime/plan", "runtime/schedule"},
	"runtime/trace": {"runtime/builtin", "runtime/jsonio", "runtime/plan", "runtime/planfile", "runtime/schedule",
		"runtime/spell", "runtime/internal/vm"},
	"runtime/phrase":             {"runtime/partial", "runtime/plan"},
	"runtime/say":                {"runtime/dice", "runtime/plan", "runtime/planfile"},
	"runtime/internal/graphtest": {"runtime/plan", "runtime/schedule"},
	"runtime/emit":               {"runtime/interval", "runtime/plan", "runtime/schedule"},
	"runtime/emit/js": {"runtime/emit", "runtime/jsonio", "runtime/plan", "runtime/planfile",
		"runtime/schedule"},
	"runtime/emit/emittest":  {"runtime/emit", "runtime/internal/graphtest", "runtime/plan"},
	"runtime/emit/js/jstest": {"runtime/emit/js"},
	"runtime/emit/golang": {"runtime/emit", "runtime/emit/golang/standalone", "runtime/emit/kernel", "runtime/jsonio",
		"runtime/plan", "runtime/planfile", "runtime/schedule"},
	"runtime/emit/golang/standalone": {},
	"runtime/emit/golang/gotest":     {"runtime/emit/golang", "runtime/plan"},
	"runtime/emit/kernel": {"runtime/builtin", "runtime/dice", "runtime/internal/vm", "runtime/jsonio", "runtime/plan",
		"runtime/plural"},
	"runtime/plan/plantest": {"runtime/plan"},
}

// commandsMayImport says the same of the packages that the commands share, in groups. A name is relative to
// cmd/rules/internal, and so is an import that begins with "./".
var commandsMayImport = map[string][]string{
	"term/atomicfile": {"./term/exit", "./term/safefile"},
	"term/completion": {
		"./term/must", "./term/usage", "./show/describe", "./module/workspace", "runtime/plan", "runtime/schedule",
	},
	"term/crash":     {},
	"term/exit":      {"./term/visible", "compiler/diag", "runtime"},
	"term/manual":    {"./publish/release", "runtime/builtin", "runtime/dice"},
	"term/must":      {},
	"term/ownership": {},
	"term/safefile":  {},
	"term/shell":     {},
	"term/usage":     {"./term/must", "./term/shell", "runtime/spell"},
	"term/visible":   {},

	"ask/argdata": {
		"./term/safefile", "./show/jsontext", "runtime", "runtime/dice", "runtime/jsonio", "runtime/phrase", "runtime/plan",
	},
	"ask/asked": {"runtime/plan"},
	"ask/example": {
		"./term/must", "./term/shell", "./show/describe", "./show/jsontext", "golden", "runtime", "runtime/dice",
		"runtime/plan",
	},
	"ask/jsonadvice": {"runtime", "runtime/plan"},
	"ask/playthrough": {
		"./term/exit", "./ask/argdata", "./ask/query", "./ask/receipt", "./ask/refusal", "./show/view", "golden",
		"runtime", "runtime/dice", "runtime/plan", "runtime/say",
	},
	"ask/receipt": {
		"./term/exit", "./term/must", "./show/jsontext", "runtime", "runtime/dice", "runtime/jsonio", "runtime/plan",
		"runtime/planfile",
	},
	"ask/recorded": {"./term/atomicfile", "golden", "runtime", "runtime/plan"},
	"ask/refusal":  {"./term/exit", "./show/view", "runtime", "runtime/dice", "runtime/plan"},
	"ask/query":    {"runtime"},
	"ask/why": {
		"./ask/argdata", "./ask/query", "./show/describe", "./show/jsontext", "runtime", "runtime/dice", "runtime/plan",
		"runtime/trace",
	},

	"chances/oddsquery": {
		"./term/exit", "./term/must", "./ask/argdata", "./ask/query", "./show/describe", "./show/jsontext",
		"compiler", "golden", "runtime", "runtime/odds", "runtime/plan",
	},

	"show/changes":    {"./show/jsontext"},
	"show/describe":   {"./show/jsontext", "runtime", "runtime/plan", "runtime/schedule", "runtime/spell"},
	"show/jsonschema": {"./show/describe", "./show/jsontext", "runtime", "runtime/plan"},
	"show/jsontext":   {"./term/must"},
	"show/layout":     {"./term/visible"},
	"show/oddspage": {
		"./term/must", "./chances/oddsquery", "./chances/tuning", "./show/jsontext", "./show/layout", "./show/plot",
		"./show/present", "./show/view", "runtime", "runtime/odds", "runtime/plan",
	},
	"show/plot": {"./show/layout", "runtime/plural"},
	"show/present": {
		"./term/safefile", "./ask/why", "./show/changes", "./show/describe", "./show/jsontext", "./show/layout",
		"./show/rulebook", "./show/view", "compiler/diag", "golden", "golden/revisions", "runtime", "runtime/compare",
		"runtime/dice", "runtime/plan", "runtime/trace",
	},
	"show/rulebook": {"./show/describe", "golden", "runtime/plan"},
	"show/sarif":    {"./show/present", "compiler/diag", "runtime/plan"},
	"show/view": {
		"./show/changes", "./show/jsontext", "./show/layout", "runtime", "runtime/dice", "runtime/plan", "runtime/trace",
	},
	"show/wording": {"runtime/builtin"},

	"module/cache": {
		"./term/atomicfile", "./term/ownership", "./term/safefile", "", "compiler/load", "runtime/plan", "runtime/planfile",
		"runtime/schedule",
	},
	"module/sandbox": {
		"./term/crash", "./term/must", "./term/safefile", "./module/cache", "", "compiler", "compiler/diag", "compiler/load",
		"runtime/plan", "runtime/planfile",
	},
	"module/scorecard": {"./module/cache"},
	"module/opendata":  {"compiler/diag", "runtime/plan"},
	"module/tablefile": {"./module/workbook", "./term/shell", "./show/describe", "./show/jsontext", "compiler/book",
		"compiler/diag", "runtime/dice", "runtime/plan", "runtime/spell"},
	"module/trust":    {"./term/ownership", "./module/userlist"},
	"module/userlist": {"./term/atomicfile", "./term/ownership", "./term/safefile"},
	"module/workspace": {
		"./term/safefile", "./ask/argdata", "./ask/asked", "./show/jsontext", "./module/cache", "./module/sandbox",
		"./module/trust", "./publish/archive", "./publish/lockfile", "", "compiler", "compiler/diag", "runtime",
		"runtime/compare", "runtime/plan", "runtime/planfile", "runtime/schedule", "runtime/spell",
	},

	"publish/archive": {"./term/safefile"},
	"publish/outdir":  {"./term/atomicfile"},
	"publish/artifact": {
		"./term/atomicfile", "./term/exit", "./term/safefile", "./module/workspace", "./publish/archive",
		"./publish/lockfile", "./publish/signature", "runtime/compare", "runtime/planfile",
	},
	"publish/lockfile": {"./publish/archive"},
	"publish/registry": {"./term/atomicfile", "./term/exit", "./term/safefile"},
	"publish/release": {
		"./term/exit", "./term/must", "./show/layout", "./show/present", "./module/sandbox", "./module/workspace",
		"compiler", "compiler/diag", "golden", "golden/revisions", "runtime", "runtime/compare", "runtime/planfile",
	},
	"publish/signature": {"./term/atomicfile", "./term/exit", "./module/userlist"},

	"edit/repair": {
		"./term/atomicfile", "./term/safefile", "./show/layout", "./show/present", "compiler/diag", "runtime/spell",
	},
	"edit/scaffold": {"./term/atomicfile", "./term/must", ""},

	"table/gametable": {
		"./term/atomicfile", "./term/exit", "./term/safefile", "./ask/argdata", "./ask/jsonadvice", "./ask/receipt",
		"./ask/refusal", "./show/changes", "./show/describe", "./show/jsontext", "./show/layout", "./show/present", "./show/view",
		"./show/wording", "runtime", "runtime/dice", "runtime/odds", "runtime/plan", "runtime/spell",
	},
	"table/terminal": {"./term/visible", "./show/layout", "./table/gametable"},

	"serve/api": {
		"./term/exit", "./term/must", "./ask/argdata", "./ask/playthrough", "./ask/query", "./ask/refusal",
		"./chances/oddsquery", "./chances/tuning", "./show/describe", "./show/jsonschema", "./show/jsontext",
		"./show/oddspage", "./show/view", "./serve/library", "./serve/ndjson", "./serve/webguard", "runtime", "runtime/dice",
		"runtime/odds", "runtime/plan",
	},
	"serve/library": {
		"./ask/query", "./chances/oddsquery", "./term/crash", "compiler/diag", "runtime", "runtime/compare", "runtime/plan",
		"runtime/planfile",
	},
	"serve/ndjson":      {"./term/exit", "./term/must", "./show/layout", "runtime"},
	"serve/eventstream": {},
	"serve/session": {
		"./serve/eventstream", "./term/must", "./term/safefile", "./ask/argdata", "./ask/receipt", "./show/jsontext",
		"runtime/dice", "runtime/plural",
	},
	"serve/site": {
		"./serve/eventstream", "./serve/session", "./term/exit", "./term/must", "./ask/argdata",
		"./ask/example", "./ask/jsonadvice", "./ask/query", "./ask/receipt", "./ask/refusal",
		"./ask/why", "./chances/oddsquery", "./show/describe", "./show/jsontext", "./show/layout", "./show/oddspage",
		"./show/plot", "./show/present", "./show/rulebook", "./show/view", "./show/wording", "./module/scorecard",
		"./serve/library", "compiler/diag", "golden", "runtime", "runtime/compare", "runtime/dice", "runtime/odds",
		"runtime/plan", "runtime/schedule", "runtime/trace",
	},
	"serve/webguard": {"./term/crash"},
}

// onlyIn says which packages may import a library. Tests may import everything.
var onlyIn = map[string][]string{
	"cuelang.org/go": {"compiler/load", "golden/judge", "cmd/rules/internal/module/tablefile",
		"cmd/rules/internal/module/dmn"}, // the last two write CUE
	"github.com/google/cel-go": {"compiler/syntax", "compiler/check", "golden/judge"},
	"github.com/spf13/cobra":   {"cmd"},
	// What a solver is called by lies in package runtime.
	module + "/runtime/odds/eliminate":  {"runtime"},
	module + "/runtime/odds/markov":     {"runtime"},
	module + "/runtime/odds/montecarlo": {"runtime"},
	// It judges the product, in tests.
	module + "/golden/judge": {"golden/judge"},
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
	const commands = "cmd/rules/internal/"
	if name, ok := strings.CutPrefix(dir, commands); ok {
		list, ok := commandsMayImport[name]
		for _, p := range list {
			if rest, shared := strings.CutPrefix(p, "./"); shared {
				p = commands + rest
			}
			if within(imported, p) {
				return true
			}
		}
		if ok {
			return false
		}
	}
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
