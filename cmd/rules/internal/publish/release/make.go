package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Made is a release that is going to be written.
//
// Its JSON is what build pipelines read: digests and parts, so that two machines can show that they
// made the same bytes.
type Made struct {
	Ruleset  string            `json:"ruleset"`
	Revision string            `json:"revision"`
	Follows  string            `json:"follows,omitempty"` // the revision that it was compared with
	Class    compare.Class     `json:"class"`
	Breaking bool              `json:"breaking"`
	Cases    int               `json:"cases"` // played
	File     string            `json:"file"`
	Digest   string            `json:"digest"` // of the file, with its instructions
	Parts    []PartJSON        `json:"parts"`
	Release  *planfile.Release `json:"-"`
	Data     []byte            `json:"-"` // the file
}

type PartJSON struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	Digest string `json:"digest"` // "sha256:..."
}

func (m *Made) Name() string { return m.Ruleset + "-" + m.Revision + workspace.ReleaseSuffix }

// MakeReleases judges the rulesets of the module, all or those named. One that is refused refuses all. Cases that fail
// are given to failed.
//
// Refusals are gathered, so that an author sees all of them; an error of reading or of writing ends
// it at once. Nothing is written here: a command that gets no error has all files in memory and
// writes them together.
func MakeReleases(w *workspace.Workspace, against string, only []string, failed func(*golden.Result)) ([]Made, error) {
	new, err := ModuleSide(w.Compiler(), w.ModuleDir(), filepath.ToSlash(w.ModuleDir()), only)
	if err != nil {
		return nil, err
	}
	for _, name := range only {
		if new.Of(name) == nil {
			return nil, &runtime.UnknownError{What: "ruleset", Name: name, Known: w.RulesetIDs()}
		}
	}
	old := &State{}
	if against != "" {
		if old, err = ReadState(w, against, only); err != nil {
			return nil, err
		}
	}
	var out []Made
	var refused []error
	for _, r := range new.Releases {
		if only == nil && old.File && old.Of(r.Plan.Ruleset) == nil {
			continue // the earlier one is a file of another ruleset
		}
		if r.Sources, err = readSources(w, r.Plan.Ruleset); err != nil {
			return nil, err
		}
		shipped := func() string { return shippingFile(w, r.Plan.Ruleset) }
		m, err := makeRelease(old.Of(r.Plan.Ruleset), r, shipped, failed)
		switch {
		case err == nil:
			out = append(out, *m)
		case exit.Answered[*exit.Denial](err):
			refused = append(refused, err)
		default:
			return nil, err
		}
	}
	return out, errors.Join(refused...)
}

// readSources reads the files of the module that a ruleset is compiled of.
func readSources(w *workspace.Workspace, ruleset string) ([]planfile.File, error) {
	m := sandbox.Module{Dir: w.ModuleDir()}
	files := m.Files()
	var out []planfile.File
	for _, name := range w.Compiler().Sources(m, ruleset) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, planfile.File{Name: name, Data: string(text)})
	}
	return out, nil
}

// makeRelease plays the cases of a ruleset and judges its number; old is nil for the first release. shipped finds the
// file in which the number stands, which only a refusal names.
func makeRelease(old, new *planfile.Release, shipped func() string, failed func(*golden.Result)) (*Made, error) {
	m := &Made{Ruleset: new.Plan.Ruleset, Revision: new.Plan.Revision, Class: compare.Same, Release: new}
	var err error
	if m.Cases, err = playAllCases(new, failed); err != nil {
		return nil, err
	}
	if err := m.compareWith(old, shipped); err != nil {
		return nil, err
	}
	m.Data = planfile.WriteRelease(new, schedule.Stored(new.Plan))
	a, err := planfile.Open(bytes.NewReader(m.Data), int64(len(m.Data)))
	must.Succeed(err)
	m.Digest, m.Parts = DigestText(a.Digest()), PartsJSON(a)
	return m, nil
}

// PartsJSON returns the directory of a file as JSON, its instructions included.
func PartsJSON(a *planfile.Archive) []PartJSON {
	var out []PartJSON
	for _, p := range a.Parts() {
		out = append(out, PartJSON{p.Name, p.Size, DigestText(p.Digest)})
	}
	return out
}

// DigestText is how digests are written.
func DigestText(sum [sha256.Size]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

// playAllCases plays the cases of a release, of which a file may hold several, and prints those that fail.
func playAllCases(r *planfile.Release, failed func(*golden.Result)) (played int, err error) {
	cases, err := ParseCases(r)
	if err != nil {
		return 0, err
	}
	program := runtime.New(r.Plan)
	bad := 0
	for _, x := range cases {
		if result := golden.Run(program, x); !result.Passed() {
			failed(result)
			bad++
		}
	}
	if bad == 0 {
		return len(cases), nil
	}
	return 0, &exit.Denial{Why: fmt.Sprintf("%s: %d of %d cases fail: it is not released", r.Plan.Ruleset, bad, len(cases))}
}

// compareWith compares with the earlier release, judges the number and writes the changelog.
// With the same number as before the changelog stays as it is: it was made again and not anew.
func (m *Made) compareWith(old *planfile.Release, shipped func() string) error {
	if old == nil {
		m.Release.Changelog = "## " + m.Ruleset + " " + m.Revision + "\n\nThe first release.\n"
		return nil
	}
	cases, err := ParseCases(m.Release, old)
	if err != nil {
		return err
	}
	diff := revisions.Compare(old.Plan, m.Release.Plan, cases, nil)
	m.Follows, m.Class, m.Breaking = old.Plan.Revision, diff.Class(), diff.Breaking()
	if err := m.judgeNumber(shipped); err != nil {
		return err
	}
	m.Release.Changelog = old.Changelog
	if m.Revision != m.Follows {
		page := &layout.Page{}
		present.PrintMarkdown(page, diff)
		m.Release.Changelog = strings.TrimSuffix(page.B.String()+"\n"+old.Changelog, "\n\n") + "\n"
	}
	return nil
}

// judgeNumber refuses a number that is too small for the class of the change.
//
// The class is found and not declared, so the number is a promise that is kept: whoever reads 0.1.1
// after 0.1.0 knows that no answer has changed.
func (m *Made) judgeNumber(shipped func() string) error {
	new, err := compare.ParseNumber(m.Revision)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Ruleset, err)
	}
	old, err := compare.ParseNumber(m.Follows)
	if err != nil {
		return fmt.Errorf("%s, the earlier release: %w", m.Ruleset, err)
	}
	least := old.Next(m.Class, m.Breaking)
	if new.Less(least) {
		return &exit.Denial{Why: fmt.Sprintf(
			"%s %v follows %v with a change that is %s: its number is at least %v; write revision: \"%v\" in %s",
			m.Ruleset, new, old, m.ClassText(), least, least, shipped())}
	}
	return nil
}

// shippingFile returns the file of the module that says at which revision it ships a ruleset, from the root of the
// module: rules.cue, or one beside it, as "rules init --add" writes it.
//
// The place of the number is the one that CUE's evaluator gives, because text alone deceives: a comment may name the
// ruleset and a revision, and the fields of one ruleset may stand in several files.
func shippingFile(w *workspace.Workspace, ruleset string) string {
	for _, d := range w.Compiler().Drafts(sandbox.Module{Dir: w.ModuleDir()}, ruleset) {
		if d.Rules.ID == ruleset && d.Released.File != "" {
			return d.Released.File
		}
	}
	return "rules.cue"
}

// ClassText returns the class of the change.
func (m *Made) ClassText() string {
	switch {
	case m.Breaking:
		return m.Class.String() + " and breaks"
	case m.Class == compare.Same:
		return "nothing"
	}
	return m.Class.String()
}
