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

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Session compiles a release again and again, as its files change. A ruleset is compiled anew when something has changed
// that was read to compile it; of every other one the plan is the same one as before. It serves one goroutine at a time.
type Session struct {
	src      load.Source
	options  Options
	only     []string // of the rulesets that ship, those that are compiled; nil for all
	names    []string // of the rulesets that ship
	listing  reads    // what was read to know them
	rulesets map[string]*snapshot
}

// A snapshot is a ruleset as it was compiled, and what was read for it.
type snapshot struct {
	reads  reads
	found  diag.List
	result *result // nil when the ruleset cannot be read
}

// NewSession begins a session on the release at the root of a module.
func NewSession(src load.Source, o Options) *Session {
	return &Session{src: src, options: o, rulesets: map[string]*snapshot{}}
}

// States compiles two states of a release, or only the named rulesets of it: those that are the same in both once. A state
// in which anything is wrong has no plans.
func States(earlier, later load.Source, o Options, only ...string) (plans [2][]*plan.Plan, found [2][]diag.Diagnostic) {
	s := NewSession(earlier, o)
	s.only = only
	for i, src := range []load.Source{earlier, later} {
		s.src = src
		plans[i], found[i] = s.Release()
	}
	return plans, found
}

// Release gives what the function of this name gives for the files as they are now. When CUE cannot read one ruleset at
// all, it says besides what is wrong with the others.
func (s *Session) Release() ([]*plan.Plan, []diag.Diagnostic) {
	s.refreshNames()
	if len(s.names) == 0 { // rules.cue cannot be read: Release says why
		return Release(s.src, s.options, s.only...)
	}
	var diags diag.List
	var all []*result
	for _, name := range s.names {
		if len(s.only) > 0 && !slices.Contains(s.only, name) {
			continue
		}
		x := s.refreshRuleset(name)
		diags.Join(&x.found)
		if x.result != nil {
			all = append(all, x.result)
		}
	}
	return finish(all, s.options, &diags)
}

// refreshNames finds what ships, when that may have changed.
func (s *Session) refreshNames() {
	if s.listing.areCurrent(s.src.FS) {
		return
	}
	src, r := s.recordReads()
	s.names, s.listing = load.Names(src), r.reads
}

// refreshRuleset compiles a ruleset, when something has changed that it was compiled from.
func (s *Session) refreshRuleset(name string) *snapshot {
	if old := s.rulesets[name]; old != nil && old.reads.areCurrent(s.src.FS) {
		return old
	}
	src, r := s.recordReads()
	x := &snapshot{}
	for _, release := range load.Release(src, &x.found, name) {
		x.result = compile(release, nil, s.options, &x.found)
	}
	x.reads = r.reads
	s.rulesets[name] = x
	return x
}

// recordReads is the module, and what takes down what is read of it.
func (s *Session) recordReads() (load.Source, *recorder) {
	r := &recorder{files: s.src.FS, reads: reads{}}
	return load.Source{FS: r, Name: s.src.Name}, r
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

// digestOf is the digest of a file, of the names of CUE files in a directory, or of there being neither.
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
