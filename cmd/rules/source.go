package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// compile compiles rulesets of the module: all that it ships, or only those named.
func (s *settings) compile(only ...string) ([]*plan.Plan, error) {
	return s.release(compiler.Options{}, only...)
}

func (s *settings) release(o compiler.Options, only ...string) ([]*plan.Plan, error) {
	if err := s.judgeDir(); err != nil {
		return nil, err
	}
	if len(s.with) > 0 {
		return s.homebrewed(o, only)
	}
	plans, diags := compiler.Release(load.Source{FS: s.files()}, o, only...)
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil, &diag.Errors{List: under(s.module(), diags)}
	}
	return plans, nil
}

// judgeDir reports a --dir that no rulesets ship from.
func (s *settings) judgeDir() error {
	if s.dir == "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(s.dir, "rules.cue"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--dir %s: this is no module: it has no rules.cue; \"rules init DIR\" makes one", s.dir)
	}
	return err
}

// ruleset compiles one ruleset of the module, and no other.
func (s *settings) ruleset(id string) (*plan.Plan, error) {
	plans, err := s.compile(id)
	if err != nil {
		return nil, err
	}
	if len(plans) > 0 {
		return plans[0], nil
	}
	return nil, s.unknown(id)
}

// unknown is the error of a ruleset that the module does not ship.
func (s *settings) unknown(id string) error {
	err := &runtime.UnknownError{What: "ruleset", Name: id, Known: s.rulesets()}
	if dir := s.module(); dir != "" && spell.Nearest(id, err.Known) == "" {
		return fmt.Errorf("%w, in the module in %s", err, filepath.ToSlash(dir))
	}
	return err
}

// rulesets are the ids of the rulesets that the module ships.
func (s *settings) rulesets() []string { return load.Names(load.Source{FS: s.files()}) }

// unknownIn is the error of a name that nothing in a ruleset has. It lists what there is only when that is short.
func unknownIn(p *plan.Plan, what, name string, known []string) error {
	const most = 12
	err := &runtime.UnknownError{What: what, Name: name, Known: known}
	if len(known) <= most || spell.Nearest(name, known) != "" {
		return err
	}
	err.Known = nil
	return fmt.Errorf("%w in %s; \"rules list %s\" lists what there is", err, p.Ruleset, p.Ruleset)
}

// planFile reads a built plan, which stands for the module.
func (s *settings) planFile(name string, files *files) (*plan.Plan, error) {
	switch {
	case s.dir != "":
		return nil, errors.New("--plan and --dir both say whose rules are used: leave one out")
	case len(s.with) > 0:
		return nil, errors.New("--with changes the rules that are compiled, not those of --plan: build a plan with it")
	}
	data, err := files.read("plan", name)
	if err != nil {
		return nil, err
	}
	p, err := planfile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(name), err)
	}
	return p, nil
}

// under names the files of diagnostics as they are found from here, when those of the module are named from dir. Plans keep
// the names from the root of their module, so that the same files make the same plan wherever they lie.
func under(dir string, diags []diag.Diagnostic) []diag.Diagnostic {
	out := slices.Clone(diags)
	for i := range out {
		out[i].Place = placeUnder(dir, out[i].Place)
		out[i].Related = slices.Clone(out[i].Related)
		for k := range out[i].Related {
			out[i].Related[k].Place = placeUnder(dir, out[i].Related[k].Place)
		}
	}
	return out
}

func placeUnder(dir string, at plan.Place) plan.Place {
	if at.File != "" {
		at.File = path.Join(filepath.ToSlash(dir), at.File)
	}
	return at
}

// evaluable are the ids that eval takes: the rules and the procedures.
func evaluable(p *plan.Plan) []string {
	var out []string
	for i := range p.Rules {
		out = append(out, p.Rules[i].ID)
	}
	for i := range p.Procedures {
		out = append(out, p.Procedures[i].ID)
	}
	return out
}
