package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// homebrewed compiles a ruleset of the module with the homebrews of --with: the one that is named, or else the one that
// the first homebrew changes.
func (s *settings) homebrewed(o compiler.Options, only []string) ([]*plan.Plan, error) {
	p, diags, err := s.overlaid(o, only)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, &diag.Errors{List: diags}
	}
	return []*plan.Plan{p}, nil
}

func (s *settings) overlaid(o compiler.Options, only []string) (*plan.Plan, []diag.Diagnostic, error) {
	var homebrews []load.Source
	for _, dir := range s.with {
		h, err := homebrewSource(dir)
		if err != nil {
			return nil, nil, err
		}
		h.FS = patchedFS{h.FS, filepath.Clean(dir), s.patched}
		homebrews = append(homebrews, h)
	}
	if len(only) == 0 {
		id, ok := load.HomebrewOf(homebrews[0])
		if !ok {
			return nil, nil, fmt.Errorf("%s is no homebrew: the package there does not say which ruleset it changes", s.with[0])
		}
		only = []string{id}
	}
	if len(only) > 1 {
		return nil, nil, fmt.Errorf("--with changes one ruleset: name it alone")
	}
	p, diags := compiler.Homebrew(s.source(), only[0], homebrews, o)
	return p, diags, nil
}

// source is the module, whose files are named as they are found from here.
func (s *settings) source() load.Source {
	return load.Source{FS: s.files(), Name: filepath.ToSlash(s.module())}
}

// homebrewSource is the module of a homebrew.
func homebrewSource(dir string) (load.Source, error) {
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err != nil {
		return load.Source{}, fmt.Errorf("%s is no homebrew: it has no cue.mod; \"rules init DIR --homebrew RULESET\" makes one", dir)
	}
	return load.Source{FS: within(dir), Name: path.Clean(filepath.ToSlash(dir))}, nil
}
