package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// CompileAll returns the plans of rulesets of the module: of all that it ships, or only of those named. They come from the
// user's cache where it has them.
//
// The keys of the cache cover every file that can have a part in a plan, so a plan that is kept is never of other rules.
// With homebrews the cache is left aside: their files lie outside of the module, and change often.
func (w *Workspace) CompileAll(only ...string) ([]*plan.Plan, error) {
	compile := func(names ...string) ([]*plan.Plan, error) { return w.CompileWith(compiler.Options{}, names...) }
	if !w.mayKeep() {
		return compile(only...)
	}
	names := only
	if len(names) == 0 {
		if names = w.RulesetIDs(); len(names) == 0 {
			return compile()
		}
	}
	return cache.UserCache().Plans(names, func() cache.Keys { return cache.PlanKeys(w.Files()) }, compile)
}

func (w *Workspace) CompileWith(o compiler.Options, only ...string) ([]*plan.Plan, error) {
	if err := w.CheckDir(); err != nil {
		return nil, err
	}
	if len(w.With) > 0 {
		return w.compileHomebrew(o, only)
	}
	plans, diags := w.Compiler().Release(sandbox.Module{Dir: w.ModuleDir()}, o, only...)
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil, &diag.Errors{List: PlacesUnder(w.ModuleDir(), diags)}
	}
	return plans, nil
}

// Derive returns data that is computed from the plans of all rulesets of the module, under a name of its own. It comes from
// the user's cache where that has it, and then no plan is read.
func (w *Workspace) Derive(name string, compute func([]*plan.Plan) ([]byte, error)) (data []byte, err error) {
	computeAnew := func() ([]byte, bool) {
		var plans []*plan.Plan
		if plans, err = w.CompileAll(); err == nil {
			data, err = compute(plans)
		}
		return data, err == nil
	}
	if !w.mayKeep() {
		data, _ = computeAnew()
		return data, err
	}
	key := func() string { return cache.PlanKeys(w.Files()).Of("derived " + name) }
	data = cache.UserCache().Bytes(key, computeAnew)
	return data, err
}

// mayKeep reports whether the plans of the module may come from the cache.
func (w *Workspace) mayKeep() bool { return !w.NoCache && len(w.With) == 0 && w.CheckDir() == nil }

// CheckDir reports a --dir that no rulesets ship from.
func (w *Workspace) CheckDir() error {
	if w.Dir == "" {
		return nil
	}
	if _, err := os.Stat(w.Dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--dir %s: there is no such directory", w.Dir)
	}
	_, err := os.Stat(filepath.Join(w.Dir, "rules.cue"))
	if errors.Is(err, fs.ErrNotExist) && hasHomebrew(w.Dir) {
		return fmt.Errorf("--dir %s: this is a homebrew, which changes a ruleset of a module: write --with %[1]s", w.Dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--dir %s: this is no module: it has no rules.cue; \"rules init DIR\" makes one", w.Dir)
	}
	return err
}

// hasHomebrew reports whether some file of a directory makes a homebrew of its package.
func hasHomebrew(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.cue"))
	return err == nil && slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		return err == nil && bytes.Contains(data, []byte("schema.#Homebrew"))
	})
}

// CompileRuleset compiles one ruleset of the module, and no other.
func (w *Workspace) CompileRuleset(id string) (*plan.Plan, error) {
	return w.onlyOne(id, w.CompileAll)
}

// CompileRulesetOpen returns the plan of a ruleset in which columns may have other dice.
func (w *Workspace) CompileRulesetOpen(id string, open []compiler.OpenColumn) (*plan.Plan, error) {
	return w.onlyOne(id, func(only ...string) ([]*plan.Plan, error) {
		return w.CompileWith(compiler.Options{Open: open}, only...)
	})
}

// onlyOne returns the plan of a ruleset that is compiled.
func (w *Workspace) onlyOne(id string, compile func(only ...string) ([]*plan.Plan, error)) (*plan.Plan, error) {
	plans, err := compile(id)
	if err != nil {
		return nil, err
	}
	if len(plans) > 0 {
		return plans[0], nil
	}
	return nil, w.UnknownRuleset(id)
}

// UnknownRuleset returns the error of a ruleset that the module does not ship.
func (w *Workspace) UnknownRuleset(id string) error {
	err := &runtime.UnknownError{What: "ruleset", Name: id, Known: w.RulesetIDs()}
	if ruleset, rule, isPath := strings.Cut(strings.ReplaceAll(id, "/", "."), "."); isPath &&
		slices.Contains(err.Known, ruleset) {
		err.Known = nil
		return fmt.Errorf("%w; a blank stands between a ruleset and what is in it: %s %s", err, ruleset, rule)
	}
	if info, statErr := os.Stat(id); statErr == nil && info.IsDir() {
		err.Known = nil
		return fmt.Errorf("%w: that is a directory; here is %s, and another module is given with --dir", err,
			strings.Join(w.RulesetIDs(), ", "))
	}
	if ruleset := w.RulesetWith(id); ruleset != "" {
		err.Known = nil
		return fmt.Errorf("%w, but %s has it: %[2]s %s", err, ruleset, id)
	}
	if dir := w.ModuleDir(); dir != "" && spell.Nearest(id, err.Known) == "" {
		return fmt.Errorf("%w, in the module in %s", err, filepath.ToSlash(dir))
	}
	return err
}

// RulesetWith returns the ruleset that has a rule, a procedure or a table of a name; "" when none has, or none compiles.
func (w *Workspace) RulesetWith(name string) string {
	plans, err := w.CompileAll()
	if err != nil {
		return ""
	}
	for _, p := range plans {
		if p.Rule(name) != nil || p.Procedure(name) != nil || p.Table(name) != nil {
			return p.Ruleset
		}
	}
	return ""
}

// RulesetIDs returns the ids of the rulesets that the module ships.
func (w *Workspace) RulesetIDs() []string {
	ask := func() []string { return w.Compiler().Names(sandbox.Module{Dir: w.ModuleDir()}) }
	if w.NoCache || w.CheckDir() != nil {
		return ask()
	}
	// An empty list is not kept: Names says no more of a module that cannot be read.
	key := func() string { return cache.PlanKeys(w.Files()).Of("names") }
	return strings.Fields(string(cache.UserCache().Bytes(key, func() ([]byte, bool) {
		names := ask()
		return []byte(strings.Join(names, " ")), len(names) > 0
	})))
}

// PlanFile reads a built plan or a release, which stands for the module, with the homebrews of --with over it.
func (w *Workspace) PlanFile(name string, files *argdata.Files) (*plan.Plan, error) {
	r, err := w.ReleaseFile(name, files, compiler.Options{})
	if err != nil {
		return nil, err
	}
	return r.Plan, nil
}

// PlanFileOf is PlanFile for a question about one rule or procedure: of a file that has it no other is read, so that
// the cost does not grow with the file. Parts that are not read are not judged either. Where the file has none of that
// id, comes through a pipe, or homebrews are laid over it, it is read whole.
func (w *Workspace) PlanFileOf(id, name string, files *argdata.Files) (*plan.Plan, error) {
	if err := w.checkAlone(); err != nil {
		return nil, err
	}
	if len(w.With) == 0 && name != argdata.Stdin {
		p, err := readRuleOf(id, name)
		if err != nil {
			return nil, err
		}
		if p != nil {
			return p, nil
		}
	}
	return w.PlanFile(name, files)
}

// readRuleOf reads from a plan file one rule or procedure with all that it needs. It returns nil if there is none of that
// id, or if the file cannot be read at any offset, as a pipe cannot.
func readRuleOf(id, name string) (*plan.Plan, error) {
	file, err := safefile.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	a, err := planfile.Open(file, info.Size())
	if err == nil && !slices.Contains(a.Names(), id) {
		return nil, nil
	}
	var p *plan.Plan
	if err == nil {
		p, err = a.CutCited(id)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(name), err)
	}
	return p, nil
}

// ReleaseFile reads a release file, which stands for the module, or a built plan as a release without cases. With homebrews
// its plan is compiled anew, as the options say.
func (w *Workspace) ReleaseFile(name string, files *argdata.Files, o compiler.Options) (*planfile.Release, error) {
	if err := w.checkAlone(); err != nil {
		return nil, err
	}
	data, err := files.Read("plan", name)
	if err != nil {
		return nil, err
	}
	r, err := readReleaseOrPlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(name), err)
	}
	r.Plan, err = w.overlayRelease(r, argdata.FileName(name), w.With, o)
	return r, err
}
