// Package sandbox compiles rulesets of strangers in a process of its own, which is killed when it takes more than its
// bounds.
//
// CUE is evaluated without a bound: a few hundred bytes can take hours, all memory, or end the process in a way that no
// recover sees (a stack overflow, no more memory), and an evaluation cannot be cancelled. Only a process that can be
// killed contains that. So the same program is executed again as a worker, with an empty environment; it reads requests
// from its standard input, compiles, and writes a reply to each to its standard output. What ships, and modules that the
// user trusts, are compiled in this process, the latter within wider bounds (here.go).
//
// On Linux (amd64 and arm64) a worker also takes from itself what compiling never needs: it starts no program, opens no
// connection, changes no file and no other process, and gains no privileges (confineProcess). A namespace of its own
// for networks would add nothing to that. Elsewhere CUE itself is what stands between a module and the system: it has
// no function that does such a thing.
//
// The worker bounds itself, by the limits of its system where there are some (memory, processor time, no files written)
// and by a watchdog of its own everywhere; processor time and not time decides, so that a busy machine refuses nothing
// honest. A command that asks what a module is before it compiles it has one bound for both. The parent kills it when
// it is silent for longer than any worker can take, and bounds the size of its reply.
//
// # One request
//
// "rules vet" in a directory that nobody has trusted asks Compiler.Release. strangersOf finds that
// the module is a stranger's; cachedReply looks into the cache, by a digest of the request and of
// every file it may read, and mostly ends there. Else askWorker executes the program again
// (session.go), writes the request as a frame, and waits for a reply, the end of the process, or
// the end of its patience. The worker compiles as this process would have (request.carryOut), and
// writes plans in the form of their files. The parent reads them as it reads any plan file:
// verified, every offset checked.
//
// What crosses is data without behaviour: paths, texts, options, plans, diagnostics. The worker
// reads the module's files itself, so the parent need not know which. It inherits no descriptors
// beyond the three streams, and no environment, so that a CUE file cannot learn what is in that.
//
// # Who has killed whom
//
// A worker ends in one of these ways, and the user is told which, because the repair differs:
//
//   - exitTime and exitMemory: its own watchdog. Sure to come again, so the refusal is cached.
//   - a signal, or silence for maxSilence: the system or the parent. The machine may have been
//     short of something today, so it is not cached.
//   - status 2 with a complaint of Go's runtime: the stack, or one allocation beyond the limit.
//   - a reply that cannot be read: a fault of the program, told as such.
//
// # Sessions
//
// An editor asks about the same module after each pause. The worker keeps what it compiled for the
// last such caller (sessioncache.go), as this process does for trusted modules, so that only
// what changed is compiled again. Plans that did not change are not written again either; the
// parent knows them by the digest of their bytes, and gives the same pointer, by which callers see
// that nothing changed.
//
// A worker serves one stranger only. Otherwise one module could leave something behind, in a cache
// of CUE for instance, that makes another module answer otherwise.
//
// Tests: hostile_test.go has what modules of strangers have been found to do.
package sandbox

import (
	"context"
	"slices"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Compiler compiles modules, each where it is safe. It remembers which module went beyond the bounds, so that a command
// that asks again is answered at once. It must not be used by several goroutines at once.
type Compiler struct {
	Trusts func(dir string) bool // whether the module in a directory is compiled in this process; nil trusts none
	Cache  cache.Cache           // of the replies of workers; the zero value keeps none

	refusals      map[string]diag.Diagnostic // by directory of the stranger that is refused
	questionTimes map[string]time.Duration   // by directory, the processor time of questions since something was compiled
	worker        *session                   // that runs and may answer again; nil where none does
	received      receivedPlans              // of what workers have answered to Recompile
	local         sessionCache               // of what is compiled in this process
}

// A Subject is what is compiled again and again as it changes: what a module ships, or one ruleset of it with homebrews.
type Subject struct {
	Module    Module
	Ruleset   string // empty for all; with homebrews the one that the last says, where it can be read, or else this
	Homebrews []Module
	Options   compiler.Options
}

// Check is Check of a compiler.Session that is kept for the subject, whose ruleset it finds out. A worker that is at work
// when the context ends is killed, unless it is ready soon. The error is that of the context.
func (c *Compiler) Check(ctx context.Context, x *Subject) ([]diag.Diagnostic, error) {
	r := c.answerAgain(ctx, x, checkTask)
	return r.Diagnostics, ctx.Err()
}

// Recompile is Release of a compiler.Session that is kept for the subject, and goes on from the results of Check.
// Unchanged rulesets return the same plans as before. It ends with its context as Check does.
func (c *Compiler) Recompile(ctx context.Context, x *Subject) ([]*plan.Plan, []diag.Diagnostic, error) {
	r := c.answerAgain(ctx, x, recompileTask)
	return r.plans, r.Diagnostics, ctx.Err()
}

// answerAgain returns the reply to a task of a session, and notes its ruleset in the subject. The reply is not cached:
// the next one is another.
func (c *Compiler) answerAgain(ctx context.Context, x *Subject, t task) *reply {
	q := &request{Task: t, Module: x.Module, Homebrews: x.Homebrews, Options: x.Options}
	if x.Ruleset != "" || len(x.Homebrews) > 0 {
		q.Only = []string{x.Ruleset}
	}
	r := c.carryOutAgain(ctx, q)
	if len(r.Names) == 1 {
		x.Ruleset = r.Names[0]
	}
	return r
}

func (c *Compiler) carryOutAgain(ctx context.Context, q *request) *reply {
	strangers, refused := c.strangersOf(q)
	switch {
	case refused != nil:
		return refused
	case len(strangers) == 0:
		return q.carryOutHere(ctx, &c.local)
	}
	stranger := strangers[len(strangers)-1]
	delete(c.questionTimes, stranger)
	data, why := c.askWorker(ctx, q, stranger)
	var r *reply
	if why == nil {
		r, why = decodeReply(data, &c.received)
	}
	switch {
	case ctx.Err() != nil:
		return &reply{}
	case why != nil:
		return c.refuseStranger(why, q, strangers)
	}
	return r
}

// Release is compiler.Release of a module.
func (c *Compiler) Release(m Module, o compiler.Options, only ...string) ([]*plan.Plan, []diag.Diagnostic) {
	r := c.answerRequest(&request{Task: releaseTask, Module: m, Options: o, Only: only})
	return r.plans, r.Diagnostics
}

// Problems returns the diagnostics of Release. Those of what ships are kept in the cache: whoever checks a homebrew asks for
// them each time, and they change with the program alone.
func (c *Compiler) Problems(m Module, o compiler.Options, only ...string) []diag.Diagnostic {
	q := &request{Task: problemsTask, Module: m, Options: o, Only: only}
	if m.Dir != "" || m.Held != nil || len(m.Patched) > 0 {
		return c.answerRequest(q).Diagnostics
	}
	data := c.Cache.Bytes(q.cacheKey, func() ([]byte, bool) {
		r := c.answerRequest(q)
		isFault := func(d diag.Diagnostic) bool { return d.Code == faultCode }
		return r.encode(), !slices.ContainsFunc(r.Diagnostics, isFault)
	})
	r, why := decodeReply(data, &receivedPlans{})
	if why != nil { // the entry is whole, and another program's
		return c.answerRequest(q).Diagnostics
	}
	return r.Diagnostics
}

// States is compiler.States of two modules. It is not ok when one of them goes beyond the bounds, which compiling them one
// after the other says of whom, or keeps within.
func (c *Compiler) States(earlier, later Module, o compiler.Options, only ...string) (
	plans [2][]*plan.Plan, found [2][]diag.Diagnostic, ok bool) {
	r := c.answerRequest(&request{Task: statesTask, Module: later, Homebrews: []Module{earlier}, Options: o, Only: only})
	if r.isRefused {
		return plans, found, false
	}
	return [2][]*plan.Plan{r.plans[:r.Earlier], r.plans[r.Earlier:]}, [2][]diag.Diagnostic{r.EarlierOdd, r.Diagnostics},
		true
}

// Directory is compiler.Directory of a module.
func (c *Compiler) Directory(m Module, dir string, o compiler.Options) (*plan.Plan, []diag.Diagnostic) {
	r := c.answerRequest(&request{Task: directoryTask, Module: m, Dir: dir, Options: o})
	return r.onlyPlan(), r.Diagnostics
}

// Homebrew is compiler.Homebrew of modules.
func (c *Compiler) Homebrew(m Module, id string, homebrews []Module, o compiler.Options) (*plan.Plan, []diag.Diagnostic) {
	r := c.answerRequest(&request{Task: homebrewTask, Module: m, Only: []string{id}, Homebrews: homebrews, Options: o})
	return r.onlyPlan(), r.Diagnostics
}

// Names is load.Names of a module; none when it goes beyond the bounds.
func (c *Compiler) Names(m Module) []string {
	return c.answerRequest(&request{Task: namesTask, Module: m}).Names
}

// HomebrewOf is load.HomebrewOf of a module. When that goes beyond the bounds, the diagnostics say so.
func (c *Compiler) HomebrewOf(m Module) (ruleset string, ok bool, diags []diag.Diagnostic) {
	r := c.answerRequest(&request{Task: homebrewOfTask, Module: m})
	if len(r.Names) == 0 {
		return "", false, r.Diagnostics
	}
	return r.Names[0], true, nil
}

// Sources is load.Sources of a module; none when it goes beyond the bounds.
func (c *Compiler) Sources(m Module, ruleset string) []string {
	return c.answerRequest(&request{Task: sourcesTask, Module: m, Only: []string{ruleset}}).Names
}

// strangerOf returns the name of a module that must not be compiled in this process, or "" for one that may. A module
// that lies in no directory is a stranger, because nobody can have looked at it.
func (c *Compiler) strangerOf(m Module) string {
	switch {
	case m.Held != nil:
		return heldPrefix + m.Name
	case m.Dir == "" || c.Trusts != nil && c.Trusts(m.Dir):
		return ""
	}
	return m.Dir
}

// heldPrefix begins what strangerOf calls modules that lie in no directory, as the name of no directory does.
const heldPrefix = "\x00"

// Drafts is compiler.Drafts of a module; none when it goes beyond the bounds.
func (c *Compiler) Drafts(m Module, name string) []*compiler.Draft {
	return c.answerRequest(&request{Task: draftsTask, Module: m, Only: []string{name}}).Drafts
}

// HomebrewDraft is compiler.HomebrewDraft of two modules; nil also when one of them goes beyond the bounds.
func (c *Compiler) HomebrewDraft(m Module, id string, homebrew Module) *compiler.Draft {
	r := c.answerRequest(&request{Task: draftsTask, Module: m, Only: []string{id}, Homebrews: []Module{homebrew}})
	if len(r.Drafts) == 0 {
		return nil
	}
	return r.Drafts[0]
}

// Forget lets modules be compiled again that went beyond the bounds, and counts no time of before: their files have
// changed.
func (c *Compiler) Forget() {
	clear(c.refusals)
	clear(c.questionTimes)
}

// Close ends the worker that waits for another request, if there is one. The compiler may be used on.
func (c *Compiler) Close() {
	if c.worker != nil {
		c.worker.close()
		c.worker = nil
	}
}

// answerRequest carries a request out: in this process when all of its modules are trusted.
func (c *Compiler) answerRequest(q *request) *reply {
	strangers, refused := c.strangersOf(q)
	switch {
	case refused != nil:
		return refused
	case len(strangers) == 0:
		return q.carryOutHere(context.Background(), &sessionCache{})
	}
	stranger := strangers[len(strangers)-1] // homebrews come last: what is beneath them is rarely theirs
	q.Spent = c.questionTimes[stranger]
	r, problem := c.cachedReply(q, stranger)
	c.countQuestion(q, stranger, r)
	switch {
	case problem == nil:
		return r
	case q.Task == statesTask: // nobody knows which of the two it was
		return &reply{isRefused: true}
	}
	return c.refuseStranger(problem, q, strangers)
}

// countQuestion takes the time of a question off the time of the next request about the stranger. Compiling resets the
// count. A question answered by the cache counts with the time of its first answer, so that a command's answer does not
// depend on the contents of the cache.
func (c *Compiler) countQuestion(q *request, stranger string, r *reply) {
	switch {
	case !q.isQuestion():
		delete(c.questionTimes, stranger)
	case r != nil:
		if c.questionTimes == nil {
			c.questionTimes = map[string]time.Duration{}
		}
		c.questionTimes[stranger] += r.Took.Truncate(spentStep)
	}
}

// strangersOf names the modules of a request that must not be compiled in this process. There is a reply already when one
// of them was refused before.
func (c *Compiler) strangersOf(q *request) (strangers []string, refused *reply) {
	for _, m := range slices.Concat([]Module{q.Module}, q.Homebrews) {
		stranger := c.strangerOf(m)
		if stranger == "" {
			continue
		}
		if d, ok := c.refusals[stranger]; ok {
			return nil, &reply{Diagnostics: []diag.Diagnostic{d}, isRefused: true}
		}
		strangers = append(strangers, stranger)
	}
	return strangers, nil
}

// refuseStranger returns the reply to a request that has met a problem, and refuses the last of its strangers from now on.
func (c *Compiler) refuseStranger(p *problem, q *request, strangers []string) *reply {
	d := p.diagnosticFor(q)
	if c.refusals == nil {
		c.refusals = map[string]diag.Diagnostic{}
	}
	c.refusals[strangers[len(strangers)-1]] = d
	return &reply{Diagnostics: []diag.Diagnostic{d}}
}

// cachedReply returns the reply of a worker, from the cache when the same program has answered the same request about
// the same files. Of refusals those are kept that are sure to come again, and not those that may come of a machine
// which is short of something today.
func (c *Compiler) cachedReply(q *request, stranger string) (r *reply, why *problem) {
	data := c.Cache.Bytes(q.cacheKey, func() ([]byte, bool) {
		var data []byte
		data, why = c.askWorker(context.Background(), q, stranger)
		if why != nil && why.isLasting && q.Task != statesTask {
			return (&reply{Diagnostics: []diag.Diagnostic{why.diagnosticFor(q)}}).encode(), true
		}
		return data, why == nil
	})
	if why != nil {
		return nil, why
	}
	return decodeReply(data, &receivedPlans{})
}

// askWorker returns the reply of the worker that still runs for this stranger, or else of a new one. A worker that
// reaches the bound of memory may have filled it with earlier answers: then a new one has the last word.
func (c *Compiler) askWorker(ctx context.Context, q *request, stranger string) ([]byte, *problem) {
	if s := c.worker; s != nil {
		c.worker = nil
		if s.dir != stranger {
			s.close()
		} else if data, p := s.ask(ctx, q); data != nil || ctx.Err() != nil || p != nil && !p.isMemory() {
			c.keepWorker(s, data)
			return data, p
		}
	}
	s, p := startWorker(stranger)
	if p != nil {
		return nil, p
	}
	data, p := s.ask(ctx, q)
	if data == nil && p == nil {
		p = newProblem("the worker that compiles this has ended without a word")
	}
	c.keepWorker(s, data)
	return data, p
}

// keepWorker keeps a worker that has given a reply for the next request.
func (c *Compiler) keepWorker(s *session, reply []byte) {
	if reply != nil {
		c.worker = s
	}
}
