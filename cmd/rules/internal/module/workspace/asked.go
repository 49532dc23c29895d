package workspace

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/asked"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// CompileAsking returns the plan of a ruleset with a rule that asks for a definition. The plan mentions no homebrew but
// those of --with.
//
// The homebrew is written to a directory because a worker compiles directories. Its name and its digest are taken out of
// the plan again: a sheet should not mention a homebrew that the player has not written.
func (w *Workspace) CompileAsking(ruleset string, q asked.Question) (*plan.Plan, error) {
	dir, err := os.MkdirTemp("", "rules-asked-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"cue.mod/module.cue": asked.ModuleFile, "asked.cue": q.Text} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	with := w.With
	defer func() { w.With = with }()
	w.With = append(slices.Clone(with), dir)
	p, err := w.CompileRuleset(ruleset)
	if err != nil {
		return nil, err
	}
	p.Overlays, p.OverlayDigests = p.Overlays[:len(with)], p.OverlayDigests[:len(with)]
	hideQuestion(reflect.ValueOf(p.Rule(q.Rule)), dir)
	return p, nil
}

// hideQuestion takes places in the files of a question, and its name among homebrews, out of a rule: nobody has written
// these, and the files are gone when the rule is played.
func hideQuestion(v reflect.Value, dir string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			hideQuestion(v.Elem(), dir)
		}
	case reflect.Slice:
		for i := range v.Len() {
			hideQuestion(v.Index(i), dir)
		}
	case reflect.Struct:
		if place, is := v.Addr().Interface().(*plan.Place); is {
			if strings.HasPrefix(place.File, filepath.ToSlash(dir)+"/") {
				*place = plan.Place{}
			}
			return
		}
		if n, is := v.Addr().Interface().(*plan.Named); is {
			n.Overlays = slices.DeleteFunc(n.Overlays, func(id string) bool { return id == asked.ID })
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				hideQuestion(v.Field(i), dir)
			}
		}
	}
}
