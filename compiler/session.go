package compiler

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Session compiles a release again and again, as its files change. A ruleset is compiled anew when something has changed
// that was read to compile it; of every other one the plan is the same one as before. It serves one goroutine at a time.
type Session struct {
	src      load.Source
	options  Options
	names    []string // of the rulesets that ship
	listing  reads    // what was read to know them
	rulesets map[string]*compiled
}

// compiled is a ruleset as it was compiled, and what was read for it.
type compiled struct {
	reads    reads
	releases []*book.Release // one, or none when it cannot be read
	plan     *plan.Plan      // nil when something is wrong
	found    diag.List
	analysed diag.List // what is odd without being wrong; counts only when nothing is wrong with any ruleset
}

// NewSession begins a session on the release at the root of a module.
func NewSession(src load.Source, o Options) *Session {
	return &Session{src: src, options: o, rulesets: map[string]*compiled{}}
}

// Release gives what the function of this name gives for the files as they are now. When CUE cannot read one ruleset at
// all, it says besides what is wrong with the others.
func (s *Session) Release() ([]*plan.Plan, []diag.Diagnostic) {
	s.list()
	if len(s.names) == 0 { // rules.cue cannot be read: Release says why
		return Release(s.src, s.options)
	}
	var all []*compiled
	for _, name := range s.names {
		all = append(all, s.ruleset(name))
	}
	return s.together(all)
}

// list finds what ships, when that may have changed.
func (s *Session) list() {
	if s.listing.hold(s.src.FS) {
		return
	}
	src, r := s.recording()
	s.names, s.listing = load.Names(src), r.reads
}

// ruleset compiles a ruleset, when something has changed that it was compiled from.
func (s *Session) ruleset(name string) *compiled {
	if old := s.rulesets[name]; old != nil && old.reads.hold(s.src.FS) {
		return old
	}
	src, r := s.recording()
	c := &compiled{}
	c.releases = load.Release(src, &c.found, name)
	if checked := typed(c.releases, &c.found); len(checked) == 1 && !c.found.Failed() {
		c.plan = lowered(checked, c.releases, s.options, &c.analysed)[0]
	}
	c.reads = r.reads
	s.rulesets[name] = c
	return c
}

// together is what a release gives that is compiled at once.
func (s *Session) together(all []*compiled) ([]*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	var releases []*book.Release
	var plans []*plan.Plan
	for _, c := range all {
		diags.Join(&c.found)
		releases, plans = append(releases, c.releases...), append(plans, c.plan)
	}
	if diags.Failed() {
		return nil, allowed(releases, s.options, &diags)
	}
	for _, c := range all {
		diags.Join(&c.analysed)
	}
	return plans, allowed(releases, s.options, &diags)
}

// recording is the module, and what takes down what is read of it.
func (s *Session) recording() (load.Source, *recorder) {
	r := &recorder{files: s.src.FS, reads: reads{}}
	return load.Source{FS: r, Name: s.src.Name}, r
}

// reads are files and directories that were opened: digests of what they held, or of there being none.
type reads map[string][sha256.Size]byte

// hold reports whether something was read, and all of it is as it was.
func (r reads) hold(files fs.FS) bool {
	for name, sum := range r {
		if digest(files, name) != sum {
			return false
		}
	}
	return r != nil
}

// digest is that of a file, of the names in a directory, or of there being neither.
func digest(files fs.FS, name string) [sha256.Size]byte {
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
		fmt.Fprintf(h, "%q %t\n", e.Name(), e.IsDir())
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
		r.reads[name] = digest(r.files, name)
	}
	r.mu.Unlock()
	return r.files.Open(name)
}
