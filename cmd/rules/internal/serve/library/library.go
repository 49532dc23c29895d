// Package library keeps the revisions that a server answers from: ready to be asked, and replaced as a whole when their
// sources change.
//
// A Shelf never changes once it is made. Whoever answers a request takes the shelf of that moment and stays with it, so
// that one answer never mixes two states of the rules. A reload makes a new shelf beside the old one and swaps them;
// sources that no longer compile leave the last good shelf where it is, and tell why.
//
// # What is prepared
//
// Answering a question about a rule has two parts: preparing it for a choice of options and
// outputs, which schedules instructions and takes milliseconds, and evaluating, which takes
// microseconds. An edition keeps what was prepared, by the choice (prepared.go). Strangers choose,
// so the number of choices is bounded and the oldest goes. Askers of odds keep memory between two
// questions and serve one goroutine at a time, so each choice has a pool of them.
package library

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// An Edition is one revision of one ruleset, ready to be asked by many at once.
type Edition struct {
	Plan    *plan.Plan
	Program *runtime.Program
	Digest  string          // of its plan: equal digests answer alike
	Files   fs.FS           // the module that it was compiled from, nil for a release without its sources
	Cases   []planfile.File // golden cases that a release holds; those of a module lie in Files
	Earlier []*Earlier      // states that it can be compared with, besides other revisions
	Base    *plan.Plan      // what its homebrews changed; nil when it has none, or where that is not known

	rules      cached[*runtime.Rule]
	procedures cached[*runtime.Procedure]
	askers     cached[*oddsquery.Asker]
}

// An Earlier is another state of the same ruleset: without its homebrews, or as it was.
type Earlier struct {
	Called string // "without house", "git:HEAD"
	*Edition
}

// NewEdition prepares a plan.
func NewEdition(p *plan.Plan, files fs.FS) *Edition {
	digest := planfile.Digest(p)
	return &Edition{Plan: p, Program: runtime.New(p), Digest: "sha256:" + hex.EncodeToString(digest[:]), Files: files}
}

// A Shelf is the editions of one moment, by ruleset, the newest of each first.
type Shelf struct {
	Editions []*Edition
	Loaded   time.Time
}

// NewShelf puts editions in order. There must be one, and no revision twice.
func NewShelf(editions []*Edition, loaded time.Time) (*Shelf, error) {
	if len(editions) == 0 {
		return nil, errors.New("there is no ruleset to serve")
	}
	list := slices.Clone(editions)
	slices.SortStableFunc(list, func(a, b *Edition) int {
		return cmp.Or(cmp.Compare(a.Plan.Ruleset, b.Plan.Ruleset), compareNumbers(b.Plan.Revision, a.Plan.Revision))
	})
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1].Plan, list[i].Plan; a.Ruleset == b.Ruleset && a.Revision == b.Revision {
			return nil, fmt.Errorf("%s %s is there twice", a.Ruleset, a.Revision)
		}
	}
	return &Shelf{Editions: list, Loaded: loaded}, nil
}

// compareNumbers orders revisions. A text that is no number comes before all numbers.
func compareNumbers(a, b string) int {
	x, _ := compare.ParseNumber(a)
	y, _ := compare.ParseNumber(b)
	switch {
	case x.Less(y):
		return -1
	case y.Less(x):
		return 1
	}
	return 0
}

// Find is a revision of a ruleset, its newest for "". The error is a *runtime.UnknownError.
//
// The error tells which names are known, so that it can say "did you mean" wherever it is printed.
func (s *Shelf) Find(ruleset, revision string) (*Edition, error) {
	var revisions []string
	for _, e := range s.Editions {
		switch {
		case e.Plan.Ruleset != ruleset:
			continue
		case revision == "" || e.Plan.Revision == revision:
			return e, nil
		}
		revisions = append(revisions, e.Plan.Revision)
	}
	if revisions == nil {
		return nil, &runtime.UnknownError{What: "ruleset", Name: ruleset, Known: s.Rulesets()}
	}
	return nil, &runtime.UnknownError{What: "revision", Name: revision, Known: revisions}
}

// Comparable are the states that an edition can be compared with: its own, then the other revisions of its ruleset, which
// are called by their numbers.
func (s *Shelf) Comparable(e *Edition) []*Earlier {
	out := slices.Clone(e.Earlier)
	for _, x := range s.Editions {
		if x != e && x.Plan.Ruleset == e.Plan.Ruleset {
			out = append(out, &Earlier{x.Plan.Revision, x})
		}
	}
	return out
}

// Rulesets are the ids of the rulesets, in order.
func (s *Shelf) Rulesets() []string {
	var out []string
	for _, e := range s.Editions {
		out = append(out, e.Plan.Ruleset)
	}
	return slices.Compact(out)
}

// A Library is the shelf of now, and what stands in the way of a newer one.
//
// Readers never wait: shelf and problem are pointers that are swapped. They are swapped one after
// the other, so a page may show the new rules with the problem of the old ones for a moment; the
// next page is right.
type Library struct {
	load    func() (*Shelf, error)
	shelf   atomic.Pointer[Shelf]
	problem atomic.Pointer[error]
	reloads atomic.Uint64
}

// Open loads the first shelf.
func Open(load func() (*Shelf, error)) (*Library, error) {
	l := &Library{load: load}
	shelf, err := load()
	if err != nil {
		return nil, err
	}
	l.shelf.Store(shelf)
	l.problem.Store(new(error))
	return l, nil
}

// Shelf is the last good shelf.
func (l *Library) Shelf() *Shelf { return l.shelf.Load() }

// Problem is why the sources of now are not on the shelf; nil when they are.
func (l *Library) Problem() error { return *l.problem.Load() }

// Diagnostics are the problems of Problem that have a place in the sources.
func (l *Library) Diagnostics() []diag.Diagnostic {
	if e, ok := errors.AsType[*diag.Errors](l.Problem()); ok {
		return e.List
	}
	return nil
}

// loadSafely loads a shelf. A fault of the program is an error, so that the last good shelf stays.
func (l *Library) loadSafely() (_ *Shelf, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New(crash.Report(fault))
		}
	}()
	return l.load()
}

// Generation counts the reloads, so that a page can ask whether it is of today.
func (l *Library) Generation() uint64 { return l.reloads.Load() }

// Reload loads the sources anew. It must not be called by several goroutines at once.
func (l *Library) Reload() error {
	shelf, err := l.loadSafely()
	if err == nil {
		l.shelf.Store(shelf)
	}
	l.problem.Store(&err)
	l.reloads.Add(1)
	return err
}
