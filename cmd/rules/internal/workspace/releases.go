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
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// ReleaseSuffix ends the names of release files.
const ReleaseSuffix = ".rules"

// A Releases is several revisions side by side: the release files of a directory or of a lock file.
type Releases struct {
	dir   string
	plans []*plan.Plan
	cases map[*plan.Plan][]planfile.File
}

// HoldsReleases reports whether --plan names several revisions: a directory, or a lock file.
func HoldsReleases(name string) bool {
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || lockfile.IsLock(name))
}

// ReadReleases reads the release files of a directory, or those that a lock file names, which stand for the module. A
// revision may stand there once.
func (w *Workspace) ReadReleases(name string) (*Releases, error) {
	if err := w.checkAlone(); err != nil {
		return nil, err
	}
	files, err := findReleases(name)
	if err != nil {
		return nil, err
	}
	out := &Releases{dir: name, cases: map[*plan.Plan][]planfile.File{}}
	for _, f := range files {
		r, err := readReleaseOrPlan(f.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		p := r.Plan
		if other := out.find(p.Ruleset, p.Revision); other != nil {
			return nil, fmt.Errorf("%s has two releases of %s", name, RevisionName(p))
		}
		out.plans = append(out.plans, p)
		out.cases[p] = r.Cases
	}
	return out, nil
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
	return &planfile.Release{Plan: p, Cases: r.cases[p]}
}

// checkAlone refuses flags that --plan leaves nothing to say.
func (w *Workspace) checkAlone() error {
	switch {
	case w.Dir != "":
		return errors.New("--plan and --dir both say whose rules are used: leave one out")
	case len(w.With) > 0:
		return errors.New("--with changes the rules that are compiled, not those of --plan: build a plan with it")
	}
	return nil
}

// All are the plans of the releases.
func (r *Releases) All() []*plan.Plan { return r.plans }

func (r *Releases) find(ruleset, revision string) *plan.Plan {
	i := slices.IndexFunc(r.plans, func(p *plan.Plan) bool { return p.Ruleset == ruleset && p.Revision == revision })
	if i < 0 {
		return nil
	}
	return r.plans[i]
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
			return nil, fmt.Errorf("%s has releases of several rulesets: name the ruleset; there is %s", r.dir, r.list(""))
		}
	}
	if number == "" {
		return r.newest(pinned)
	}
	if p := r.find(pinned, number); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("the character is pinned to %q, and %s has no such release; there is %s", pin, r.dir,
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
	if p := r.find(named, number); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s has no release %s %s; there is %s", r.dir, named, number, r.list(named))
}

// Newest are the newest releases, one of each ruleset, by the names of the rulesets.
func (r *Releases) Newest() ([]*planfile.Release, error) {
	var rulesets []string
	for _, p := range r.plans {
		rulesets = append(rulesets, p.Ruleset)
	}
	slices.Sort(rulesets)
	var out []*planfile.Release
	for _, ruleset := range slices.Compact(rulesets) {
		p, err := r.newest(ruleset)
		if err != nil {
			return nil, err
		}
		out = append(out, r.ReleaseOf(p))
	}
	return out, nil
}

// onlyRuleset is the ruleset of all releases, "" when they are of several.
func (r *Releases) onlyRuleset() string {
	first := r.plans[0].Ruleset
	if slices.ContainsFunc(r.plans, func(p *plan.Plan) bool { return p.Ruleset != first }) {
		return ""
	}
	return first
}

// newest is the release of a ruleset that has the greatest number. A number that cannot be read is smaller than all others.
func (r *Releases) newest(ruleset string) (*plan.Plan, error) {
	var best *plan.Plan
	var greatest compare.Number
	for _, p := range r.plans {
		number, _ := compare.ParseNumber(p.Revision)
		if p.Ruleset == ruleset && (best == nil || greatest.Less(number)) {
			best, greatest = p, number
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s has no release of %s; there is %s", r.dir, ruleset, r.list(""))
	}
	return best, nil
}

// list names the releases of a ruleset, or all when it has none.
func (r *Releases) list(ruleset string) string {
	of := func(ruleset string) (out []string) {
		for _, p := range r.plans {
			if ruleset == "" || p.Ruleset == ruleset {
				out = append(out, RevisionName(p))
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
	if p := r.find(of.Ruleset, of.Revision); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("the sheet is of %s %s, and %s has no such release; there is %s", of.Ruleset, of.Revision, r.dir,
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
