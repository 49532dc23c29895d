package compiler_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	cueload "cuelang.org/go/cue/load"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/portion"
)

// refusedByCUE is the error that plain "cue vet -c" has with the package game; nil when it accepts it.
func refusedByCUE(fsys fs.FS) error {
	inst := cueload.Instances([]string{"."}, &cueload.Config{FS: fsys, Dir: "/game", Env: []string{"CUE_REGISTRY=none"}})[0]
	if inst.Err != nil {
		return inst.Err
	}
	return cuecontext.New().BuildInstance(inst).Validate(cue.Concrete(true))
}

// TestWhatCUERefuses holds that what plain cue vet refuses of a ruleset, by the schema or by itself, has an error here too:
// every example of the catalogue, and every case of golden/diag.
func TestWhatCUERefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	modules := map[string]map[string]string{}
	for _, p := range diag.Pages() {
		if !p.Homebrew && !strings.HasPrefix(p.Bad, "rulesets") {
			modules[string(p.Code)] = page(&p, p.Bad)
		}
	}
	cases, err := filepath.Glob(diagCases + "/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("there are no cases", err)
	}
	for i, name := range cases {
		if !portion.Takes(i, 2) {
			continue
		}
		files := map[string]string{}
		for _, f := range parsedArchive(t, name).Files {
			files[f.Name] = string(f.Data)
		}
		if _, isHomebrew := files["house/cue.mod/module.cue"]; !isHomebrew {
			modules[filepath.Base(name)] = files
		}
	}
	refused := 0
	for name, files := range modules {
		fsys := gameTree(t, files)
		cause := refusedByCUE(fsys)
		if cause == nil {
			continue
		}
		refused++
		_, said := compiler.Directory(load.Source{FS: fsys}, "game", compiler.Options{})
		if !slices.ContainsFunc(said, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
			t.Errorf("%s: nothing is wrong with it here, and for CUE: %v", name, cause)
		}
	}
	if refused < 10 {
		t.Errorf("CUE refuses only %d of %d modules: it does not see the schema", refused, len(modules))
	}
}
