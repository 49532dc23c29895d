package workspace

import (
	"os"
	"path/filepath"
	"slices"

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
	return p, nil
}
