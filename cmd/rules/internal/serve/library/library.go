// Package library keeps the revisions that a server answers from: ready to be asked, and replaced as a whole when their
// sources change.
//
// A Shelf never changes once it is made; a late one only comes to have what it was made to have. Whoever answers a request
// takes the shelf of that moment and stays with it, so that one answer never mixes two states of the rules. A reload makes
// a new shelf beside the old one and swaps them; sources that no longer compile leave the last good shelf where it is, and
// tell why.
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
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/jsonio"
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
	reads      cached[*ask.Reads]
}

// An Earlier is another state of the same ruleset: without its homebrews, or as it was.
type Earlier struct {
	Called string // "without house", "git:HEAD"
	*Edition
}

// NewEdition prepares a plan.
func NewEdition(p *plan.Plan, files fs.FS) *Edition {
	program := runtime.New(p)
	digest := program.PlanDigest()
	return &Edition{Plan: p, Program: program, Digest: "sha256:" + hex.EncodeToString(digest[:]), Files: files}
}

// A Shelf is the rulesets of one moment, by name, each with its editions, the newest first. Those of a late one are loaded
// when they are first asked for.
type Shelf struct {
	Loaded   time.Time
	holdings []*holding
	problem  atomic.Pointer[error] // of the last ruleset that could not be loaded
}

// A holding is one ruleset on a shelf.
type holding struct {
	ruleset string
	load    func() ([]*Edition, error) // once; whoever comes meanwhile waits
	isReady atomic.Bool
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
	s := &Shelf{Loaded: loaded}
	for i := 0; i < len(list); {
		same := list[i:]
		if k := slices.IndexFunc(same, func(e *Edition) bool { return e.Plan.Ruleset != list[i].Plan.Ruleset }); k > 0 {
			same = same[:k]
		}
		h := &holding{ruleset: list[i].Plan.Ruleset, load: func() ([]*Edition, error) { return same, nil }}
		h.isReady.Store(true)
		s.holdings = append(s.holdings, h)
		i += len(same)
	}
	return s, nil
}

// A LoadError says why a ruleset of a late shelf is not there.
type LoadError struct {
	Ruleset string
	Err     error
}

func (e *LoadError) Error() string { return e.Err.Error() }

// Unwrap returns the error of loading.
func (e *LoadError) Unwrap() error { return e.Err }

// NewLateShelf returns a shelf whose rulesets are loaded one by one, each when it is first asked for.
func NewLateShelf(rulesets []string, load func(ruleset string) (*Edition, error), loaded time.Time) *Shelf {
	s := &Shelf{Loaded: loaded}
	for _, id := range slices.Sorted(slices.Values(rulesets)) {
		h := &holding{ruleset: id}
		h.load = sync.OnceValues(func() ([]*Edition, error) {
			e, err := withoutFault(func() (*Edition, error) { return load(id) })
			if err != nil {
				err = &LoadError{id, err}
				s.problem.Store(&err)
				return nil, err
			}
			h.isReady.Store(true)
			return []*Edition{e}, nil
		})
		s.holdings = append(s.holdings, h)
	}
	return s
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

// Find returns a revision of a ruleset, its newest for "". The error is a *runtime.UnknownError or a *LoadError.
//
// The error tells which names are known, so that it can say "did you mean" wherever it is printed.
func (s *Shelf) Find(ruleset, revision string) (*Edition, error) {
	i := slices.IndexFunc(s.holdings, func(h *holding) bool { return h.ruleset == ruleset })
	if i < 0 {
		return nil, &runtime.UnknownError{What: "ruleset", Name: ruleset, Known: s.Rulesets()}
	}
	list, err := s.holdings[i].load()
	if err != nil {
		return nil, err
	}
	var revisions []string
	for _, e := range list {
		if revision == "" || e.Plan.Revision == revision {
			return e, nil
		}
		revisions = append(revisions, e.Plan.Revision)
	}
	return nil, &runtime.UnknownError{What: "revision", Name: revision, Known: revisions}
}

// FindFor returns the revision of a ruleset by which records in JSON are played: that which played the sheet in a state, or
// else that which the character is pinned to, or else the newest. Either may be nil. The error is one of Find, or a
// *runtime.InputError about a pin to what is not served.
//
// Errors in the JSON are for what reads all of it to report, and a sheet of a revision that is not served for the procedure
// that refuses it.
func (s *Shelf) FindFor(ruleset string, character, state json.RawMessage) (*Edition, error) {
	var played struct {
		Revision string `json:"revision"`
	}
	_ = json.Unmarshal(state, &played)
	if played.Revision != "" {
		if e, err := s.Find(ruleset, played.Revision); err == nil {
			return e, nil
		}
	}
	return s.findPinned(ruleset, jsonio.PinnedRevision(character))
}

// findPinned returns the revision that a pin names, "tempestas 0.1.0" or the number alone; for "" the newest.
func (s *Shelf) findPinned(ruleset, pin string) (*Edition, error) {
	newest, err := s.Find(ruleset, "")
	if err != nil || pin == "" {
		return newest, err
	}
	var served []string
	for _, e := range s.Ready(ruleset) {
		name := jsonio.PinOf(e.Plan)
		if pin == name || pin == e.Plan.Revision {
			return e, nil
		}
		served = append(served, name)
	}
	return nil, &runtime.InputError{Root: "character", Path: jsonio.PathStep(jsonio.PinName),
		Msg: fmt.Sprintf("the character is pinned to %q, which is not served; there is %s", pin, strings.Join(served, ", "))}
}

// Editions returns the editions of all rulesets, and loads them where that has not been done.
func (s *Shelf) Editions() ([]*Edition, error) {
	var out []*Edition
	for _, h := range s.holdings {
		list, err := h.load()
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// Ready returns the editions of a ruleset that are loaded, and none of one that is not.
func (s *Shelf) Ready(ruleset string) []*Edition {
	for _, h := range s.holdings {
		if h.ruleset == ruleset && h.isReady.Load() {
			list, _ := h.load()
			return list
		}
	}
	return nil
}

// Prepare loads all rulesets of a late shelf. It goes on after one that cannot be loaded: Library.Problem tells of it.
func (s *Shelf) Prepare() {
	for _, h := range s.holdings {
		_, _ = h.load()
	}
}

// Comparable are the states that an edition can be compared with: its own, then the other revisions of its ruleset, which
// are called by their numbers.
func (s *Shelf) Comparable(e *Edition) []*Earlier {
	out := slices.Clone(e.Earlier)
	for _, x := range s.Ready(e.Plan.Ruleset) {
		if x != e {
			out = append(out, &Earlier{x.Plan.Revision, x})
		}
	}
	return out
}

// Rulesets are the ids of the rulesets, in order.
func (s *Shelf) Rulesets() []string {
	var out []string
	for _, h := range s.holdings {
		out = append(out, h.ruleset)
	}
	return out
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

// Problem is why the sources of now are not on the shelf; nil when they are, or nobody has asked for them.
func (l *Library) Problem() error {
	if err := *l.problem.Load(); err != nil {
		return err
	}
	if err := l.Shelf().problem.Load(); err != nil {
		return *err
	}
	return nil
}

// Diagnostics are the problems of Problem that have a place in the sources.
func (l *Library) Diagnostics() []diag.Diagnostic {
	if e, ok := errors.AsType[*diag.Errors](l.Problem()); ok {
		return e.List
	}
	return nil
}

// loadAll loads a shelf with all of its rulesets.
func (l *Library) loadAll() (*Shelf, error) {
	return withoutFault(func() (*Shelf, error) {
		shelf, err := l.load()
		if err == nil {
			_, err = shelf.Editions()
		}
		return shelf, err
	})
}

// withoutFault calls a function. A fault of the program becomes an error, so that the last good shelf stays.
func withoutFault[T any](call func() (T, error)) (_ T, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New(crash.Report(fault))
		}
	}()
	return call()
}

// Generation counts the reloads, so that a page can ask whether it is of today.
func (l *Library) Generation() uint64 { return l.reloads.Load() }

// Reload loads the sources anew, all of them: what cannot be loaded must not take the place of what could. It must not be
// called by several goroutines at once.
func (l *Library) Reload() error {
	shelf, err := l.loadAll()
	if err == nil {
		l.shelf.Store(shelf)
	}
	l.problem.Store(&err)
	l.reloads.Add(1)
	return err
}
