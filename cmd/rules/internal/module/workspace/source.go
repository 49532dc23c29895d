package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// CompileAll compiles rulesets of the module: all that it ships, or only those named.
func (w *Workspace) CompileAll(only ...string) ([]*plan.Plan, error) {
	return w.CompileWith(compiler.Options{}, only...)
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

// CheckDir reports a --dir that no rulesets ship from.
func (w *Workspace) CheckDir() error {
	if w.Dir == "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(w.Dir, "rules.cue"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--dir %s: this is no module: it has no rules.cue; \"rules init DIR\" makes one", w.Dir)
	}
	return err
}

// CompileRuleset compiles one ruleset of the module, and no other.
func (w *Workspace) CompileRuleset(id string) (*plan.Plan, error) {
	plans, err := w.CompileAll(id)
	if err != nil {
		return nil, err
	}
	if len(plans) > 0 {
		return plans[0], nil
	}
	return nil, w.UnknownRuleset(id)
}

// UnknownRuleset is the error of a ruleset that the module does not ship.
func (w *Workspace) UnknownRuleset(id string) error {
	err := &runtime.UnknownError{What: "ruleset", Name: id, Known: w.RulesetIDs()}
	if dir := w.ModuleDir(); dir != "" && spell.Nearest(id, err.Known) == "" {
		return fmt.Errorf("%w, in the module in %s", err, filepath.ToSlash(dir))
	}
	return err
}

// RulesetIDs are the ids of the rulesets that the module ships.
func (w *Workspace) RulesetIDs() []string {
	return w.Compiler().Names(sandbox.Module{Dir: w.ModuleDir()})
}

// PlanFile reads a built plan or a release, which stands for the module, with the homebrews of --with over it.
func (w *Workspace) PlanFile(name string, files *argdata.Files) (*plan.Plan, error) {
	r, err := w.ReleaseFile(name, files, compiler.Options{})
	if err != nil {
		return nil, err
	}
	return r.Plan, nil
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
