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

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/lockfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// ReleaseSuffix ends the names of release files.
const ReleaseSuffix = ".rules"

// A Releases is several revisions side by side: the release files of a directory or of a lock file, with the homebrews of
// --with over them.
//
// held are all releases that were read, each with its plans by the homebrews over it (played),
// which are compiled when a character first asks for them: a batch of a thousand characters with
// the same homebrews compiles once. homebrews has what was found for each that a character names,
// also that there is none.
type Releases struct {
	w    *Workspace
	name string // of the directory or of the lock file
	held []*heldRelease
	lock *lockfile.Lock // nil for a directory

	homebrews map[PinnedHomebrew]foundHomebrew
}

// A heldRelease is one of several revisions. Homebrews are laid over it when it is asked for: they may be written for
// another of them.
type heldRelease struct {
	*planfile.Release
	file   string
	played map[string]*playedPlan // by the directories of the homebrews over it
}

// A playedPlan is the plan of a release with homebrews over it, or why there is none.
type playedPlan struct {
	plan *plan.Plan
	err  error
}

// HoldsReleases reports whether --plan names several revisions: a directory, or a lock file.
func HoldsReleases(name string) bool {
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || lockfile.IsLock(name))
}

// ReadReleases reads the release files of a directory, or those that a lock file names, which stand for the module. A
// revision may stand there once. Of a homebrew only the releases of its ruleset count.
//
// The order: files, with the digests of the lock file; homebrews that --with calls by their names
// in the lock file; and then, when there are homebrews, only the releases that these can be laid
// over.
func (w *Workspace) ReadReleases(name string) (*Releases, error) {
	if err := w.checkAlone(); err != nil {
		return nil, err
	}
	out := &Releases{w: w, name: name, homebrews: map[PinnedHomebrew]foundHomebrew{}}
	files, err := out.findFiles()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		r, err := readReleaseOrPlan(f.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if other := out.find(r.Plan.Ruleset, r.Plan.Revision); other != nil {
			return nil, fmt.Errorf("%s has two releases of %s", name, RevisionName(r.Plan))
		}
		out.held = append(out.held, &heldRelease{Release: r, file: f.name, played: map[string]*playedPlan{}})
	}
	if err := out.resolveHomebrews(); err != nil {
		return nil, err
	}
	return out, out.keepChanged()
}

// keepChanged keeps the releases of the ruleset that the homebrews change, where there are homebrews.
func (r *Releases) keepChanged() error {
	homebrews, err := r.w.homebrewModules(r.w.With)
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
		return fmt.Errorf("%s changes the ruleset %s, of which %s has no release; there is %s", r.w.With[0], id, r.name,
			others)
	}
	return nil
}

// play returns the plan of a release with the homebrews over it that a character names, or else those of --with.
//
// The directories are the key, in their order: homebrews over each other do not commute.
func (r *Releases) play(x *heldRelease, pin Pin) (*plan.Plan, error) {
	dirs := r.w.With
	if pin.Homebrews != nil {
		dirs = nil
		for _, h := range *pin.Homebrews {
			found, known := r.homebrews[h]
			if !known {
				found.dir, found.err = r.findHomebrew(h)
				r.homebrews[h] = found
			}
			if found.err != nil {
				return nil, found.err
			}
			dirs = append(dirs, found.dir)
		}
	}
	key := strings.Join(dirs, "\x00")
	p := x.played[key]
	if p == nil {
		p = &playedPlan{}
		p.plan, p.err = r.w.overlayRelease(x.Release, x.file, dirs, compiler.Options{})
		x.played[key] = p
	}
	return p.plan, p.err
}

// A releaseFile is a file that is to hold a release.
type releaseFile struct {
	name string
	data []byte
}

// findFiles reads the release files of the directory or of the lock file; there is at least one.
func (r *Releases) findFiles() ([]releaseFile, error) {
	name := r.name
	if lockfile.IsLock(name) {
		return r.readLocked()
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

// readLocked reads the lock file, and the releases that it names, each with the digest that stands there.
func (r *Releases) readLocked() ([]releaseFile, error) {
	name := r.name
	text, err := safefile.Read(name)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.lock = lock
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

// ReleaseOf returns the release of a plan that Choose has given.
func (r *Releases) ReleaseOf(p *plan.Plan) *planfile.Release {
	for _, x := range r.held {
		for _, played := range x.played {
			if played.plan == p {
				return &planfile.Release{Plan: p, Cases: x.Cases}
			}
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

// All returns the plans of the releases.
func (r *Releases) All() ([]*plan.Plan, error) {
	var out []*plan.Plan
	for _, x := range r.held {
		p, err := r.play(x, Pin{})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Holds reports whether there is a release of a ruleset.
func (r *Releases) Holds(ruleset string) bool {
	return slices.ContainsFunc(r.held, func(x *heldRelease) bool { return x.Plan.Ruleset == ruleset })
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

// Choose returns the revision that a pin names: "tempestas 0.1.0", or the number alone where the ruleset is known. Without
// one it is the newest of the ruleset, which may be left out when there is no other. Over it are the homebrews that the pin
// names, or else those of --with.
//
// In a directory with tempestas 0.1.0 and 0.2.0, a character with "$revision": "tempestas 0.1.0" is
// played by the first, one without a pin by the second. A pin of another ruleset than the command names is an error.
func (r *Releases) Choose(ruleset string, pin Pin) (*plan.Plan, error) {
	pinned, number, full := strings.Cut(pin.Revision, " ")
	if !full {
		number, pinned = pin.Revision, ruleset
	}
	if full && ruleset != "" && pinned != ruleset {
		return nil, fmt.Errorf("the character is pinned to %q, which is not of the ruleset %s", pin.Revision, ruleset)
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
		return r.play(x, pin)
	}
	if x := r.find(pinned, number); x != nil {
		return r.play(x, pin)
	}
	return nil, fmt.Errorf("the character is pinned to %q, and %s has no such release; there is %s", pin.Revision, r.name,
		r.list(pinned))
}

// Find returns the revision that a pin must name, "tempestas 0.2.0", or of a ruleset when it is a number alone.
func (r *Releases) Find(ruleset string, pin Pin) (*plan.Plan, error) {
	name := pin.Revision
	named, number, full := strings.Cut(name, " ")
	if !full {
		named, number = ruleset, name
	}
	if named != ruleset {
		return nil, fmt.Errorf("the character is of the ruleset %s, and %q is not", ruleset, name)
	}
	if x := r.find(named, number); x != nil {
		return r.play(x, pin)
	}
	return nil, fmt.Errorf("%s has no release %s %s; there is %s", r.name, named, number, r.list(named))
}

// Newest returns the newest releases, one of each ruleset, by the names of the rulesets. With homebrews their plans are
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
		p, err := r.w.overlayRelease(x.Release, x.file, r.w.With, o)
		if err != nil {
			return nil, err
		}
		out = append(out, &planfile.Release{Plan: p, Cases: x.Cases})
	}
	return out, nil
}

// onlyRuleset returns the ruleset of all releases, "" when they are of several.
func (r *Releases) onlyRuleset() string {
	first := r.held[0].Plan.Ruleset
	if slices.ContainsFunc(r.held, func(x *heldRelease) bool { return x.Plan.Ruleset != first }) {
		return ""
	}
	return first
}

// newest returns the release of a ruleset that has the greatest number. A number that cannot be read is smaller than all
// others.
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

// ChooseForSheet returns the revision by which a sheet in JSON was played.
func (r *Releases) ChooseForSheet(sheet []byte) (*plan.Plan, error) {
	var of struct {
		Ruleset, Revision string
		Character         json.RawMessage
	}
	if err := json.Unmarshal(sheet, &of); err != nil || of.Ruleset == "" {
		return nil, errors.New("this is no sheet: it names no ruleset")
	}
	if x := r.find(of.Ruleset, of.Revision); x != nil {
		return r.play(x, PinOf(of.Character))
	}
	return nil, fmt.Errorf("the sheet is of %s %s, and %s has no such release; there is %s", of.Ruleset, of.Revision,
		r.name,
		r.list(of.Ruleset))
}
