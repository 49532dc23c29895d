package sandbox

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"io/fs"
	"slices"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A task says what a request asks.
type task uint8

const (
	releaseTask task = iota
	directoryTask
	homebrewTask
	namesTask
	homebrewOfTask
	statesTask
	sourcesTask
	draftsTask
	checkTask
	recompileTask
	problemsTask
)

// A request is one task for a worker. It is written in encoding/gob.
type request struct {
	Task      task
	Module    Module
	Homebrews []Module // or of two states the earlier one
	Dir       string   // of the package in the module
	Only      []string
	Options   compiler.Options
	// Spent is the processor time of the questions about the same stranger before this request, which count as if they were
	// part of it. Each is counted in whole steps: those about an honest module take less than one and count nothing.
	Spent time.Duration
}

// spentStep is the unit of Spent.
const spentStep = maxProcessorTime / 6

// isQuestion reports whether a request asks about files that another request compiles.
func (q *request) isQuestion() bool {
	return q.Task == namesTask || q.Task == homebrewOfTask || q.Task == sourcesTask
}

// cacheKey returns the digest of the request and of the files of its modules, or "" if a file cannot be read.
//
// Directories are left out: the same files give the same plan in every place. A checkout elsewhere, or a copy in a
// temporary directory, therefore finds the earlier result.
func (q *request) cacheKey() string {
	same := *q // wherever the modules lie: their files count, and the names that diagnostics use
	same.Module.Dir, same.Module.Held, same.Homebrews = "", nil, slices.Clone(q.Homebrews)
	for i := range same.Homebrews {
		same.Homebrews[i].Dir = ""
	}
	asked, err := json.Marshal(same)
	if err != nil {
		return ""
	}
	trees := []fs.FS{q.Module.Files()}
	for i := range q.Homebrews {
		trees = append(trees, q.Homebrews[i].Files())
	}
	return cache.CacheKey(string(asked), trees...)
}

// A reply is the answer. Plans cross in the form of their file, which is verified when it is read: the worker has met a
// stranger and its word is not taken for it.
type reply struct {
	Plans       [][]byte
	Diagnostics []diag.Diagnostic
	Names       []string
	Earlier     int               // how many of the plans are of the earlier one of two states
	EarlierOdd  []diag.Diagnostic // that this state has
	Drafts      []*compiler.Draft
	Took        time.Duration // of the processor, that a worker needed

	plans     []*plan.Plan
	isRefused bool // instead of a reply: a module goes beyond the bounds
}

// onlyPlan returns the only plan, nil when there is none.
func (r *reply) onlyPlan() *plan.Plan {
	if len(r.plans) == 0 {
		return nil
	}
	return r.plans[0]
}

// carryOut returns the reply to a request, compiled in this process by a cached session. Only repeated tasks of a
// session end with their context.
//
// A panic of the compiler costs this request, and the cached session, which may be half done. It becomes a
// diagnostic, and the next request begins anew.
func (q *request) carryOut(ctx context.Context, sessions *sessionCache) (r *reply) {
	defer func() {
		if fault := recover(); fault != nil {
			*sessions = sessionCache{}
			p := problem{code: faultCode, message: crash.Describe(fault), repair: crash.Repair}
			r = &reply{Diagnostics: []diag.Diagnostic{p.diagnosticFor(q)}}
		}
	}()
	return q.runTask(ctx, sessions)
}

// runTask returns the reply to a request; a fault of the compiler panics.
func (q *request) runTask(ctx context.Context, sessions *sessionCache) *reply {
	r := &reply{}
	add := func(p *plan.Plan, diags []diag.Diagnostic) {
		if p != nil {
			r.plans = append(r.plans, p)
		}
		r.Diagnostics = diags
	}
	switch q.Task {
	case releaseTask:
		r.plans, r.Diagnostics = compiler.Release(q.Module.source(), q.Options, q.Only...)
	case problemsTask:
		_, r.Diagnostics = compiler.Release(q.Module.source(), q.Options, q.Only...)
	case directoryTask:
		add(compiler.Directory(q.Module.source(), q.Dir, q.Options))
	case homebrewTask:
		add(compiler.Homebrew(q.Module.source(), q.Only[0], q.homebrewSources(), q.Options))
	case statesTask:
		plans, found := compiler.States(q.Homebrews[0].source(), q.Module.source(), q.Options, q.Only...)
		r.plans, r.Earlier = slices.Concat(plans[0], plans[1]), len(plans[0])
		r.EarlierOdd, r.Diagnostics = found[0], found[1]
	case namesTask:
		r.Names = load.Names(q.Module.source())
	case sourcesTask:
		r.Names = load.Sources(q.Module.source(), q.Only[0])
	case draftsTask:
		r.Drafts = q.readDrafts()
	case checkTask:
		r.Names = q.findRuleset()
		r.Diagnostics, _ = sessions.sessionOf(q).Check(ctx) // the caller asks the context, too
	case recompileTask:
		r.Names = q.findRuleset()
		r.plans, r.Diagnostics, _ = sessions.sessionOf(q).Release(ctx)
	case homebrewOfTask:
		if id, ok := load.HomebrewOf(q.Module.source()); ok {
			r.Names = []string{id}
		}
	}
	return r
}

// readDrafts reads rulesets as they are written: with a homebrew the one that it changes.
func (q *request) readDrafts() []*compiler.Draft {
	if len(q.Homebrews) == 0 {
		return compiler.Drafts(q.Module.source(), q.Only[0])
	}
	if d := compiler.HomebrewDraft(q.Module.source(), q.Only[0], q.Homebrews[0].source()); d != nil {
		return []*compiler.Draft{d}
	}
	return nil
}

// findRuleset finds out which ruleset the last homebrew changes. While it does not say so, it is the one that is asked for.
func (q *request) findRuleset() []string {
	if n := len(q.Homebrews); n > 0 {
		if id, ok := load.HomebrewOf(q.Homebrews[n-1].source()); ok {
			q.Only = []string{id}
		}
	}
	return q.Only
}

// homebrewSources returns the modules of homebrews as the compiler reads them.
func (q *request) homebrewSources() []load.Source {
	var out []load.Source
	for i := range q.Homebrews {
		out = append(out, q.Homebrews[i].source())
	}
	return out
}

// encode returns the reply in the form in which it crosses and is cached.
func (r *reply) encode() []byte {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(r); err != nil {
		panic(err) // there is nothing in it that gob cannot write
	}
	return data.Bytes()
}
