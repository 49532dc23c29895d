package mutants

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	rules "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Options say which mutants are played, and how.
type Options struct {
	Sample int    // how many, drawn at random; 0 for all
	Seed   uint64 // of the sample
	// only those whose place or subject begins so: a file, "file:line", "rule test"; empty for all
	At       string
	Tables   bool                  // play table cases too
	Workers  int                   // 0 for one on each core
	Progress func(done, total int) // called by one worker at a time; nil for none
	Excuses  []Excuse              // of survivors
}

// Outcome says what became of a mutant.
type Outcome string

// What can become of a mutant.
const (
	Noticed    Outcome = "noticed"    // a case fails
	Refused    Outcome = "refused"    // it does not compile
	Equivalent Outcome = "equivalent" // every rule and procedure answers as before
	Survived   Outcome = "survived"   // no case notices it
	Excused    Outcome = "excused"    // no case notices it, and a person has said why none does
)

// A Verdict is a mutation and what became of its mutant.
type Verdict struct {
	*Mutation
	Outcome Outcome
	By      string // the case that noticed it, or the code of the diagnostic that refused it
	Reason  string // why it is excused
}

// Run plays the mutants of one ruleset of a release that compiles. Mutants that do not compile print no statements. The
// cases must pass on the ruleset as it is: the first that does not is the error.
//
// Each worker loads the ruleset anew, because it changes the book; all list the same mutations in the same order, so that
// an index names one of them in every worker. Verdicts are written to their own places, and their order does not depend on
// who was faster.
func Run(src load.Source, ruleset string, cases []*golden.Case, o Options) (*Report, error) {
	first, err := newWorker(src, ruleset, cases, o)
	if err != nil {
		return nil, err
	}
	wanted := chooseMutations(first.mutations, o)
	verdicts := make([]Verdict, len(wanted))
	n := o.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	var next, done atomic.Int64
	var progress sync.Mutex
	work := func(w *worker) {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(wanted) {
				return
			}
			verdicts[i] = w.judgeMutant(w.mutations[wanted[i]])
			if o.Progress != nil {
				progress.Lock()
				o.Progress(int(done.Add(1)), len(wanted))
				progress.Unlock()
			}
		}
	}
	var wait sync.WaitGroup
	errs := make([]error, n)
	for k := range n {
		wait.Go(func() {
			w := first
			if k > 0 {
				w, errs[k] = newWorker(src, ruleset, cases, o)
			}
			if w != nil {
				work(w)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	r := &Report{Ruleset: ruleset, Verdicts: verdicts, Whole: o.isWhole()}
	if stale := applyExcuses(verdicts, o.Excuses); r.Whole {
		r.Stale = stale
	}
	return r, nil
}

// isWhole reports whether every mutant is played on every case.
func (o *Options) isWhole() bool { return o.Sample == 0 && o.At == "" && o.Tables }

// chooseMutations returns the indices of the mutations that the options select, in order.
func chooseMutations(list []*Mutation, o Options) []int {
	var out []int
	for i, m := range list {
		if o.At == "" || m.isAt(o.At) {
			out = append(out, i)
		}
	}
	if o.Sample > 0 && o.Sample < len(out) {
		r := rand.New(rand.NewPCG(o.Seed, 0))
		r.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
		out = out[:o.Sample]
		slices.Sort(out)
	}
	return out
}

// isAt reports whether a mutation is in a file, on a line, at a place, or of a definition.
func (m *Mutation) isAt(at string) bool {
	place := fmt.Sprintf("%s:%d:%d", m.Place.File, m.Place.Line, m.Place.Col)
	if place == at || strings.HasPrefix(place, at+":") {
		return true
	}
	return slices.ContainsFunc(m.owner, func(name string) bool {
		_, id := kindOf(name)
		return name == at || id == at
	})
}

// A worker has a book of its own, which it changes and mends.
type worker struct {
	release   *book.Release
	whole     book.Ruleset // as it was loaded
	mutations []*Mutation
	reach     *reach
	cases     []*golden.Case // those that noticed something last stand first
	original  map[string]*plan.Plan
}

func newWorker(src load.Source, ruleset string, cases []*golden.Case, o Options) (*worker, error) {
	var diags diag.List
	releases := load.Release(src, &diags, ruleset)
	if len(releases) != 1 || diags.Failed() {
		return nil, compileError(ruleset, diags.Sorted())
	}
	withdrawWords(releases[0].Rules)
	w := &worker{release: releases[0], whole: *releases[0].Rules, original: map[string]*plan.Plan{}}
	for _, c := range cases {
		if c.Kind != golden.TableCase || o.Tables {
			w.cases = append(w.cases, c)
		}
	}
	// Cases of odds take longest, so they are asked last.
	slices.SortStableFunc(w.cases, func(x, y *golden.Case) int { return rankOf(x) - rankOf(y) })
	w.mutations, w.reach = List(w.release.Rules), newReach(w.release.Rules)
	p, list := compiler.Book(w.release, compiler.Options{Functions: true})
	if p == nil {
		return nil, compileError(ruleset, list)
	}
	if failed := findFailing(p, w.cases); failed != nil {
		return nil, fmt.Errorf("%s: the case %s does not pass before anything is changed", ruleset, failed.Name)
	}
	return w, nil
}

// withdrawWords removes from a book the words for its readers. No answer depends on them. The glossary names parameters
// that a part of the book does not have, so with it no mutant of a part would compile.
func withdrawWords(b *book.Ruleset) {
	b.Words = nil
	for _, t := range b.Tables {
		t.Said = book.Said{}
	}
	for _, r := range b.Rules {
		r.Said = book.Said{}
	}
	for _, p := range b.Procedures {
		p.Said = book.Said{}
		for _, e := range p.Events {
			e.Said = book.Said{}
		}
	}
}

func compileError(ruleset string, list []diag.Diagnostic) error {
	if len(list) == 0 {
		return fmt.Errorf("%s: there is no such ruleset", ruleset)
	}
	return fmt.Errorf("%s: the ruleset does not compile: %s", ruleset, list[0].String())
}

// rankOf returns the rank by which cases are played: those of odds last, because they take longest.
func rankOf(c *golden.Case) int {
	if c.Kind == golden.OddsCase {
		return 1
	}
	return 0
}

// findFailing returns the first case that does not pass; nil when all do.
func findFailing(p *plan.Plan, cases []*golden.Case) *golden.Case {
	program := rules.New(p)
	for _, c := range cases {
		if !golden.Run(program, c).Passed() {
			return c
		}
	}
	return nil
}

// judgeMutant makes a mutant and plays the cases that can notice it.
//
// original keeps the unchanged plan of each part, to compare survivors with: a part is compiled
// once for all mutants of its owners. The book is restored by the deferred calls in reverse order,
// first the change and then the whole.
func (w *worker) judgeMutant(m *Mutation) Verdict {
	part := w.reach.partFor(m.owner)
	defer w.restrictBook(part)()
	key := strings.Join(m.owner, "\n")
	if w.original[key] == nil {
		w.original[key], _ = compiler.Book(w.release, compiler.Options{Functions: true})
	}
	defer m.apply()() // plans share the book's shapes: it is mended when the cases have been played
	p, diags := compiler.Book(w.release, compiler.Options{Functions: true})
	if p == nil {
		return Verdict{Mutation: m, Outcome: Refused, By: string(diags[0].Code)}
	}
	var cases []*golden.Case
	for _, c := range w.cases {
		kind := string(c.Kind)
		switch {
		case len(c.Policy) > 0:
			kind = string(golden.ProcedureCase)
		case c.Kind == golden.OddsCase:
			kind = string(golden.RuleCase)
		}
		if part.asks[kind+" "+c.Subject] {
			cases = append(cases, c)
		}
	}
	if failed := findFailing(p, cases); failed != nil {
		w.moveToFront(failed)
		return Verdict{Mutation: m, Outcome: Noticed, By: failed.Name}
	}
	if m.inFormula() && answersAlike(w.original[key], p) {
		return Verdict{Mutation: m, Outcome: Equivalent}
	}
	return Verdict{Mutation: m, Outcome: Survived}
}

// inFormula reports whether a mutation changes a computed value, and not a row or a bound, which count though nothing reads
// them.
func (m *Mutation) inFormula() bool {
	switch m.Kind {
	case Cell, Limit, Row, Range:
		return false
	}
	return true
}

// answersAlike reports whether no rule or procedure of a plan answers otherwise in another, by the normal forms of graphs.
// A change of class ODDS or above in a definition, such as another die, is no equivalence even
// where digests of answers agree.
func answersAlike(was, is *plan.Plan) bool {
	d := compare.Compare(was, is, schedule.Normal)
	return len(d.Answers) == 0 && d.Class() <= compare.TextClass
}

// moveToFront puts a case before the others of its rank: a case that notices one mutant of a definition mostly notices
// the next.
func (w *worker) moveToFront(c *golden.Case) {
	i := slices.Index(w.cases, c)
	first := slices.IndexFunc(w.cases, func(x *golden.Case) bool { return rankOf(x) == rankOf(c) })
	copy(w.cases[first+1:i+1], w.cases[first:i])
	w.cases[first] = c
}

// restrictBook leaves only a part in the book, and returns the function that makes it whole again.
func (w *worker) restrictBook(part *part) (undo func()) {
	b := w.release.Rules
	b.Tables = filter(b.Tables, func(t *book.Table) bool { return part.needs["table "+t.ID] })
	b.Traits = filter(b.Traits, func(t *book.Trait) bool { return part.needs["trait "+t.ID] })
	b.Functions = filter(b.Functions, func(f *book.Function) bool { return part.needs["function "+f.ID] })
	b.Rules = filter(b.Rules, func(r *book.Rule) bool { return part.needs["rule "+r.ID] })
	b.Procedures = filter(b.Procedures, func(p *book.Procedure) bool { return part.needs["procedure "+p.ID] })
	return func() {
		b.Tables, b.Traits, b.Functions = w.whole.Tables, w.whole.Traits, w.whole.Functions
		b.Rules, b.Procedures = w.whole.Rules, w.whole.Procedures
	}
}

func filter[T any](list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
