package workspace

import (
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A homebrew changes a ruleset as its author wrote it: it replaces a formula that it expects to find, and a plan has no
// formulas any more. So a release holds the sources of its ruleset, and a homebrew is laid over these. They are a
// stranger's, whoever has signed the release: they are compiled within bounds, and they count only when they say the rules
// of the plan beside them.

// overlayRelease returns the plan of a release with the homebrews in directories over it, compiled as the options say;
// without homebrews it is the plan itself.
func (w *Workspace) overlayRelease(r *planfile.Release, called string, dirs []string, o compiler.Options) (*plan.Plan,
	error) {
	if len(dirs) == 0 {
		return r.Plan, nil
	}
	homebrews, err := w.homebrewModules(dirs)
	if err != nil {
		return nil, err
	}
	m, err := w.openSources(r, called)
	if err != nil {
		return nil, err
	}
	p, _ := w.compileOver(m, r.Plan.Ruleset, homebrews, o)
	if p == nil { // once more, for diagnostics that say in which release a file lies: the plan is to be the same everywhere
		m.Name = filepath.ToSlash(called)
		_, diags := w.compileOver(m, r.Plan.Ruleset, homebrews, o)
		return nil, &diag.Errors{List: diags}
	}
	return p, nil
}

// openSources returns the module that a release holds, once it is sure that the module says the rules of the release.
//
// A release may be signed and still hold other sources than it says, as a signature is over the maker's own text: with
// homebrews the sources are played, so they are compiled and compared with the plan first. The cost is one compilation
// more.
func (w *Workspace) openSources(r *planfile.Release, called string) (sandbox.Module, error) {
	m := sandbox.Module{Held: &txtar.Archive{}}
	if len(r.Sources) == 0 {
		return m, fmt.Errorf("%s holds no sources, and --with changes sources: release the ruleset again, as plans of "+
			"\"rules "+
			"build\" and releases of earlier programs have none, or leave --plan out and name its module with --dir",
			called)
	}
	for _, f := range r.Sources {
		m.Held.Files = append(m.Held.Files, txtar.File{Name: f.Name, Data: []byte(f.Data)})
	}
	if _, err := txtar.FS(m.Held); err != nil {
		return m, fmt.Errorf("%s: its sources are not the files of a module: %w", called, err)
	}
	plans, found := w.Compiler().Release(m, compiler.Options{}, r.Plan.Ruleset)
	if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return m, fmt.Errorf("%s: its sources cannot be compiled:\n%w", called,
			&diag.Errors{List: PlacesUnder(called, found)})
	}
	if len(plans) != 1 || !SaySame(r.Plan, plans[0]) {
		return m, fmt.Errorf("%s: its sources say other rules than its plan: it was altered, or made by a program that "+
			"compiles otherwise", called)
	}
	return m, nil
}

// SaySame reports whether two plans say the same rules. Equal digests are the usual case; otherwise they are compared by
// meaning, because a later version of the compiler may make other graphs of the same sources.
func SaySame(a, b *plan.Plan) bool {
	return planfile.Digest(a) == planfile.Digest(b) || compare.Compare(a, b, schedule.Normal).Class() == compare.Same
}
