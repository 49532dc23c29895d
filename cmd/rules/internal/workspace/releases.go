package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/lockfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/safefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// ReleaseSuffix ends the names of release files.
const ReleaseSuffix = ".rules"

// A Releases is several revisions side by side: the release files of a directory or of a lock file, with the homebrews of
// --with over them.
type Releases struct {
	w    *Workspace
	name string // of the directory or of the lock file
	held []*heldRelease
}

// A heldRelease is one of several revisions. Homebrews are laid over it when it is asked for: they may be written for
// another of them.
type heldRelease struct {
	*planfile.Release
	file   string
	played *plan.Plan // with the homebrews; nil until it is asked for
	err    error      // why there is none
}

// HoldsReleases reports whether --plan names several revisions: a directory, or a lock file.
func HoldsReleases(name string) bool {
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || lockfile.IsLock(name))
}

// ReadReleases reads the release files of a directory, or those that a lock file names, which stand for the module. A
// revision may stand there once. Of a homebrew only the releases of its ruleset count.
func (w *Workspace) ReadReleases(name string) (*Releases, error) {
	if err := w.checkAlone(); err != nil {
		return nil, err
	}
	files, err := findReleases(name)
	if err != nil {
		return nil, err
	}
	out := &Releases{w: w, name: name}
	for _, f := range files {
		r, err := readReleaseOrPlan(f.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if other := out.find(r.Plan.Ruleset, r.Plan.Revision); other != nil {
			return nil, fmt.Errorf("%s has two releases of %s", name, RevisionName(r.Plan))
		}
		out.held = append(out.held, &heldRelease{Release: r, file: f.name})
	}
	return out, out.keepChanged()
}

// keepChanged keeps the releases of the ruleset that the homebrews change, where there are homebrews.
func (r *Releases) keepChanged() error {
	homebrews, err := r.w.homebrewModules()
	if err != nil || len(homebrews) == 0 {
		return err
	}
	id, diags, err := r.w.rulesetOf(homebrews[0])
	switch {
	case err != nil:
		return err
	case len(diags) > 0:
		return &diag.Errors{List: diags}
	}
	others := r.list("")
	r.held = slices.DeleteFunc(r.held, func(x *heldRelease) bool { return x.Plan.Ruleset != id })
	if len(r.held) == 0 {
		return fmt.Errorf("%s changes the ruleset %s, of which %s has no release; there is %s", r.w.With[0], id, r.name, others)
	}
	return nil
}

// play gives the plan of a release with the homebrews over it.
func (r *Releases) play(x *heldRelease) (*plan.Plan, error) {
	if x.played == nil && x.err == nil {
		x.played, x.err = r.w.overlayRelease(x.Release, x.file, compiler.Options{})
	}
	return x.played, x.err
}

// A releaseFile is a file that is to hold a release.
type releaseFile struct {
	name string
	data []byte
}

// findReleases reads the release files of a directory or of a lock file; there is at least one.
func findReleases(name string) ([]releaseFile, error) {
	if lockfile.IsLock(name) {
		return readLocked(name)
	}
	tree := OpenDir(name)
	names, err := fs.Glob(tree, "*"+ReleaseSuffix)
	if err != nil {
		return nil, err
	}
	var out []releaseFile
	for _, file := range names {
		data, err := fs.ReadFile(tree, file)
		if err != nil {
			return nil, err
		}
		out = append(out, releaseFile{filepath.Join(name, file), data})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no release: no file ends in %s", name, ReleaseSuffix)
	}
	return out, nil
}

// readLocked reads the releases that a lock file names, each with the digest that stands there.
func readLocked(name string) ([]releaseFile, error) {
	text, err := safefile.Read(name)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	dir := filepath.Dir(name)
	tree := OpenDir(dir)
	var out []releaseFile
	for _, e := range lock.Entries {
		if e.Kind != lockfile.Release {
			continue
		}
		data, err := fs.ReadFile(tree, e.Name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s names %s, which is not there: \"rules pull -o %s\" fetches it", name, e.Name, dir)
		}
		if err != nil {
			return nil, err
		}
		if digest := lockfile.DigestOf(data); digest != e.Content {
			return nil, fmt.Errorf("%s is not the file that %s names: its digest is %s, not %s", filepath.Join(dir, e.Name),
				name, digest, e.Content)
		}
		out = append(out, releaseFile{filepath.Join(dir, e.Name), data})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s names no release", name)
	}
	return out, nil
}

// readReleaseOrPlan reads a release file, or a plan file as a release without cases.
func readReleaseOrPlan(data []byte) (*planfile.Release, error) {
	if planfile.IsRelease(data) {
		return planfile.ReadRelease(data)
	}
	p, err := planfile.Read(data)
	return &planfile.Release{Plan: p}, err
}

// ReleaseOf is the release of a plan that Choose has given.
func (r *Releases) ReleaseOf(p *plan.Plan) *planfile.Release {
	for _, x := range r.held {
		if x.played == p {
			return &planfile.Release{Plan: p, Cases: x.Cases}
		}
	}
	return nil
}

// checkAlone refuses a flag that --plan leaves nothing to say.
func (w *Workspace) checkAlone() error {
	if w.Dir != "" {
		return errors.New("--plan and --dir both say whose rules are used: leave one out")
	}
	return nil
}

// All are the plans of the releases.
func (r *Releases) All() ([]*plan.Plan, error) {
	var out []*plan.Plan
	for _, x := range r.held {
		p, err := r.play(x)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (r *Releases) find(ruleset, revision string) *heldRelease {
	i := slices.IndexFunc(r.held, func(x *heldRelease) bool {
		return x.Plan.Ruleset == ruleset && x.Plan.Revision == revision
	})
	if i < 0 {
		return nil
	}
	return r.held[i]
}

// RevisionName names the revision of a plan as a character does.
func RevisionName(p *plan.Plan) string { return p.Ruleset + " " + p.Revision }

// Choose is the revision that a pin names: "tempestas 0.1.0", or the number alone where the ruleset is known. Without a
// pin it is the newest of the ruleset, which may be left out when there is no other.
func (r *Releases) Choose(ruleset, pin string) (*plan.Plan, error) {
	pinned, number, full := strings.Cut(pin, " ")
	if !full {
		number, pinned = pin, ruleset
	}
	if full && ruleset != "" && pinned != ruleset {
		return nil, fmt.Errorf("the character is pinned to %q, which is not of the ruleset %s", pin, ruleset)
	}
	if pinned == "" {
		if pinned = r.onlyRuleset(); pinned == "" {
			return nil, fmt.Errorf("%s has releases of several rulesets: name the ruleset; there is %s", r.name, r.list(""))
		}
	}
	if number == "" {
		x, err := r.newest(pinned)
		if err != nil {
			return nil, err
		}
		return r.play(x)
	}
	if x := r.find(pinned, number); x != nil {
		return r.play(x)
	}
	return nil, fmt.Errorf("the character is pinned to %q, and %s has no such release; there is %s", pin, r.name,
		r.list(pinned))
}

// Find is the revision of a name, "tempestas 0.2.0", or of a ruleset when it is a number alone.
func (r *Releases) Find(ruleset, name string) (*plan.Plan, error) {
	named, number, full := strings.Cut(name, " ")
	if !full {
		named, number = ruleset, name
	}
	if named != ruleset {
		return nil, fmt.Errorf("the character is of the ruleset %s, and %q is not", ruleset, name)
	}
	if x := r.find(named, number); x != nil {
		return r.play(x)
	}
	return nil, fmt.Errorf("%s has no release %s %s; there is %s", r.name, named, number, r.list(named))
}

// Newest are the newest releases, one of each ruleset, by the names of the rulesets. With homebrews their plans are
// compiled as the options say.
func (r *Releases) Newest(o compiler.Options) ([]*planfile.Release, error) {
	var rulesets []string
	for _, x := range r.held {
		rulesets = append(rulesets, x.Plan.Ruleset)
	}
	slices.Sort(rulesets)
	var out []*planfile.Release
	for _, ruleset := range slices.Compact(rulesets) {
		x, err := r.newest(ruleset)
		if err != nil {
			return nil, err
		}
		p, err := r.w.overlayRelease(x.Release, x.file, o)
		if err != nil {
			return nil, err
		}
		out = append(out, &planfile.Release{Plan: p, Cases: x.Cases})
	}
	return out, nil
}

// onlyRuleset is the ruleset of all releases, "" when they are of several.
func (r *Releases) onlyRuleset() string {
	first := r.held[0].Plan.Ruleset
	if slices.ContainsFunc(r.held, func(x *heldRelease) bool { return x.Plan.Ruleset != first }) {
		return ""
	}
	return first
}

// newest is the release of a ruleset that has the greatest number. A number that cannot be read is smaller than all others.
func (r *Releases) newest(ruleset string) (*heldRelease, error) {
	var best *heldRelease
	var greatest compare.Number
	for _, x := range r.held {
		number, _ := compare.ParseNumber(x.Plan.Revision)
		if x.Plan.Ruleset == ruleset && (best == nil || greatest.Less(number)) {
			best, greatest = x, number
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s has no release of %s; there is %s", r.name, ruleset, r.list(""))
	}
	return best, nil
}

// list names the releases of a ruleset, or all when it has none.
func (r *Releases) list(ruleset string) string {
	of := func(ruleset string) (out []string) {
		for _, x := range r.held {
			if ruleset == "" || x.Plan.Ruleset == ruleset {
				out = append(out, RevisionName(x.Plan))
			}
		}
		return out
	}
	names := of(ruleset)
	if names == nil {
		names = of("")
	}
	return strings.Join(names, ", ")
}

// ChooseForSheet is the revision by which a sheet in JSON was played.
func (r *Releases) ChooseForSheet(sheet []byte) (*plan.Plan, error) {
	var of struct{ Ruleset, Revision string }
	if err := json.Unmarshal(sheet, &of); err != nil || of.Ruleset == "" {
		return nil, errors.New("this is no sheet: it names no ruleset")
	}
	if x := r.find(of.Ruleset, of.Revision); x != nil {
		return r.play(x)
	}
	return nil, fmt.Errorf("the sheet is of %s %s, and %s has no such release; there is %s", of.Ruleset, of.Revision, r.name,
		r.list(of.Ruleset))
}

// PinOf is the revision that a character in JSON names, "" when it names none. What is wrong with the JSON otherwise is
// for the evaluation to say.
func PinOf(character []byte) string {
	var members map[string]json.RawMessage
	var pin string
	if json.Unmarshal(character, &members) != nil || json.Unmarshal(members[runtime.PinName], &pin) != nil {
		return ""
	}
	return pin
}
