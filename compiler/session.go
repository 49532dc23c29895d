package compiler

// What is compiled again. An editor asks for diagnostics after every key stroke, and a module has several rulesets, of
// which one changes. The obvious way is a graph of dependencies between definitions, and to compile anew what depends on
// what has changed; each phase would have to say what it reads, and one that forgets a dependency shows an author errors
// that he has mended. So nothing is declared: the file system that load reads from is wrapped, and takes down every file
// and directory that is opened, with a digest of what was there, or of there being nothing. A ruleset whose reads all have
// the digests that they had is the same, whatever else has happened; any other is compiled as if it were the first time.
// This is how build systems with traced dependencies work (Mokhov, Mitchell, Peyton Jones, "Build Systems à la Carte",
// ICFP 2018: verifying traces).
//
// A directory counts by the names of the CUE files in it, so that a new one is noticed, and no other file is; a file that
// was looked for and missed counts too, so that its appearance is. Checking costs reading and hashing the module's files,
// which is little beside evaluating them. Invariant: what a session gives is what a new session would give.
//
// An author wants to know at once whether the change is an error, and can wait for what is only odd: the analysis takes as
// long as all phases before it. So Check stops behind the phases that find nearly all errors, and Release goes on from
// there. Both end early when their context does, between two phases: CUE cannot be interrupted, and no phase of the
// rulesets that ship takes a tenth of a second.

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Session compiles a release again and again, as its files change, or one ruleset of it with homebrews. A ruleset is
// compiled anew when something has changed that was read to compile it; of every other one the plan is the same one as
// before. It serves one goroutine at a time.
type Session struct {
	src       load.Source
	homebrews []load.Source // that change the only ruleset
	options   Options
	only      []string // of the rulesets that ship, those that are compiled; nil for all
	names     []string // of the rulesets that ship
	listing   reads    // what was read to know them
	rulesets  map[string]*snapshot
}

// A snapshot is a ruleset as it was compiled, and what was read for it.
type snapshot struct {
	reads  []reads // of the module, and of each homebrew
	found  diag.List
	result *result // nil when the ruleset cannot be read
}

// NewSession begins a session on the release at the root of a module, or on the named rulesets of it.
func NewSession(src load.Source, o Options, only ...string) *Session {
	return &Session{src: src, options: o, only: only, rulesets: map[string]*snapshot{}}
}

// NewHomebrewSession begins a session on a ruleset that src ships, changed by homebrews as the function Homebrew has them.
func NewHomebrewSession(src load.Source, id string, homebrews []load.Source, o Options) *Session {
	s := NewSession(src, o, id)
	s.homebrews = homebrews
	return s
}

// States compiles two states of a release, or only the named rulesets of it: those that are the same in both once. A state
// in which anything is wrong has no plans.
func States(earlier, later load.Source, o Options, only ...string) (plans [2][]*plan.Plan, found [2][]diag.Diagnostic) {
	s := NewSession(earlier, o, only...)
	for i, src := range []load.Source{earlier, later} {
		s.SetFiles(src)
		plans[i], found[i], _ = s.Release(context.Background()) // which never ends
	}
	return plans, found
}

// SetFiles lets the session read the same modules from other trees from now on, such as those with the texts of an editor.
func (s *Session) SetFiles(src load.Source, homebrews ...load.Source) {
	s.src, s.homebrews = src, homebrews
}

// Check returns the errors of the files as they are now, but for those that only plans tell, of decisions. Release says
// them too, with all else. The error is that of a context which has ended.
func (s *Session) Check(ctx context.Context) ([]diag.Diagnostic, error) {
	all, err := s.refreshRulesets(ctx)
	if err != nil {
		return nil, err
	}
	var diags diag.List
	if len(all) == 0 {
		load.Release(s.src, &diags, s.only...) // rules.cue cannot be read: it says why
	}
	for _, x := range all {
		diags.Join(&x.found)
	}
	return slices.DeleteFunc(diags.Sorted(), func(d diag.Diagnostic) bool { return d.Severity != diag.Error }), nil
}

// Release returns the results of the function of this name, or of Homebrew, for the files as they are now. If CUE cannot
// read one ruleset at all, it also has the errors of the others. The error is that of a context which has ended.
func (s *Session) Release(ctx context.Context) ([]*plan.Plan, []diag.Diagnostic, error) {
	list, err := s.refreshRulesets(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 { // rules.cue cannot be read: Release says why
		plans, diags := Release(s.src, s.options, s.only...)
		return plans, diags, ctx.Err()
	}
	var diags diag.List
	if len(s.only) == 0 && len(s.homebrews) == 0 {
		load.ReportIdlePackages(s.src, &diags)
	}
	var all []*result
	for _, x := range list {
		if x.result != nil {
			if all = append(all, x.result); x.result.typed != nil && !x.found.Failed() {
				x.result.lower(s.options, &x.found)
			}
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		diags.Join(&x.found)
	}
	for _, x := range all {
		if diags.Failed() {
			break
		}
		if x.analyse(s.options); ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	plans, found := finish(all, s.options, &diags)
	return plans, found, nil
}

// refreshRulesets checks the rulesets that are compiled, as far as something has changed that they were made from.
func (s *Session) refreshRulesets(ctx context.Context) ([]*snapshot, error) {
	names := s.only
	if len(s.homebrews) == 0 {
		s.refreshNames()
		names = slices.DeleteFunc(slices.Clone(s.names), func(name string) bool {
			return len(s.only) > 0 && !slices.Contains(s.only, name)
		})
	}
	var out []*snapshot
	for _, name := range names {
		x, err := s.refreshRuleset(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, ctx.Err()
}

// refreshNames finds the shipped rulesets, when they may have changed.
func (s *Session) refreshNames() {
	if s.listing.areCurrent(s.src.FS) {
		return
	}
	src, r := recordReads(s.src)
	s.names, s.listing = load.Names(src), r.reads
}

// refreshRuleset checks a ruleset, when something has changed that was read for it.
func (s *Session) refreshRuleset(ctx context.Context, name string) (*snapshot, error) {
	if old := s.rulesets[name]; old != nil && s.areCurrent(old.reads) {
		return old, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	src, r := recordReads(s.src)
	recorders := []*recorder{r}
	var homebrews []load.Source
	for _, h := range s.homebrews {
		h, r := recordReads(h)
		homebrews, recorders = append(homebrews, h), append(recorders, r)
	}
	x := &snapshot{}
	release, list := s.read(src, name, homebrews, &x.found)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if release != nil {
		x.result = checkRelease(release, list, &x.found)
	}
	for _, r := range recorders {
		x.reads = append(x.reads, r.reads)
	}
	s.rulesets[name] = x
	return x, nil
}

// read reads a ruleset, and the homebrews that change it.
func (s *Session) read(
	src load.Source, name string, homebrews []load.Source, diags *diag.List,
) (*book.Release, []*book.Homebrew) {
	if len(homebrews) > 0 {
		return readHomebrews(src, name, homebrews, diags)
	}
	releases := load.Release(src, diags, name)
	if len(releases) == 0 {
		return nil, nil
	}
	return releases[0], nil
}

// areCurrent reports whether all that was read of the modules of the session is as it was.
func (s *Session) areCurrent(list []reads) bool {
	if !list[0].areCurrent(s.src.FS) || len(list) != 1+len(s.homebrews) {
		return false
	}
	for i, h := range s.homebrews {
		if !list[i+1].areCurrent(h.FS) {
			return false
		}
	}
	return true
}

// recordReads returns a module, and a recorder of the files that are read of it.
func recordReads(src load.Source) (load.Source, *recorder) {
	r := &recorder{files: src.FS, reads: reads{}}
	return load.Source{FS: r, Name: src.Name}, r
}

// reads are files and directories that were opened: digests of what they held, or of there being none.
type reads map[string][sha256.Size]byte

// areCurrent reports whether something was read, and all of it is as it was.
func (r reads) areCurrent(files fs.FS) bool {
	for name, sum := range r {
		if digestOf(files, name) != sum {
			return false
		}
	}
	return r != nil
}

// digestOf returns the digest of a file, of the names of CUE files in a directory, or of there being neither.
func digestOf(files fs.FS, name string) [sha256.Size]byte {
	info, err := fs.Stat(files, name)
	if err != nil {
		return sha256.Sum256([]byte("none"))
	}
	h := sha256.New()
	if !info.IsDir() {
		text, err := fs.ReadFile(files, name)
		fmt.Fprintf(h, "file %v\n%s", err, text)
		return [sha256.Size]byte(h.Sum(nil))
	}
	list, err := fs.ReadDir(files, name)
	fmt.Fprintf(h, "directory %v\n", err)
	for _, e := range list {
		if path.Ext(e.Name()) == ".cue" { // a directory below it is opened itself, when it matters
			fmt.Fprintf(h, "%q %t\n", e.Name(), e.IsDir())
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// A recorder takes down what is read, before it is read: if that changes in between, it does not hold afterwards.
type recorder struct {
	files fs.FS
	mu    sync.Mutex
	reads reads
}

// Open opens a file or a directory.
func (r *recorder) Open(name string) (fs.File, error) {
	r.mu.Lock()
	if _, ok := r.reads[name]; !ok {
		r.reads[name] = digestOf(r.files, name)
	}
	r.mu.Unlock()
	return r.files.Open(name)
}
