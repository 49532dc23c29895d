package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// # Trusted modules
//
// A trusted module is compiled in this process, which cannot end an evaluation of CUE but by ending itself. Whoever trusts
// a module means that it does no harm, and not that it may take the machine: at ten times the bounds of a worker the
// process says which module it was and ends. What is compiled is lost with it, and a server or an editor starts again.

// A bound is what compiling in this process may take.
type bound struct {
	memory uint64
	// Of the processor. As long must have passed, since the process may have other work for its processors.
	time  time.Duration
	pause time.Duration // between two looks
}

// widerBound is ten times that of a worker.
var widerBound = bound{memory: 10 * maxMemory, time: 10 * maxProcessorTime, pause: 20 * time.Millisecond}

// carryOutHere returns the reply to a request, carried out in this process. Shipped rulesets have no bounds.
func (q *request) carryOutHere(ctx context.Context, sessions *sessionCache) *reply {
	if dir := q.trustedDir(); dir != "" {
		defer widerBound.watchProcess(dir, func(found diag.Diagnostic) { endProcess(os.Stderr, found) })()
	}
	return q.carryOut(ctx, sessions)
}

// trustedDir returns the directory of the last module of a request that is not part of the program; "" for none.
func (q *request) trustedDir() string {
	dir := q.Module.Dir
	for _, h := range q.Homebrews {
		dir = cmp.Or(h.Dir, dir)
	}
	return dir
}

// watchProcess calls exceeded once when the process comes to the bound before stop is called. What it held before, as a
// server does, is not counted.
func (b bound) watchProcess(dir string, exceeded func(diag.Diagnostic)) (stop func()) {
	done, held := make(chan struct{}), heldMemory()
	go func() {
		used, since := processorTime(), time.Now()
		look := time.NewTicker(b.pause)
		defer look.Stop()
		for {
			select {
			case <-done:
				return
			case <-look.C:
			}
			what := ""
			switch {
			case heldMemory() > held+b.memory:
				what = fmt.Sprintf("%d MiB of memory", b.memory>>20)
			case processorTime()-used > b.time && time.Since(since) > b.time:
				what = fmt.Sprintf("%v of processor time", b.time)
			default:
				continue
			}
			exceeded(diag.Diagnostic{Code: "evaluation-limit", Message: "compiling " + dir + " takes more than " + what +
				", although it is trusted", Repair: simplifyRepair})
			return
		}
	}()
	return func() { close(done) }
}

// endProcess ends the process with the answer no.
func endProcess(errs io.Writer, d diag.Diagnostic) {
	fmt.Fprintf(errs, "rules: %s [%s]; %s\n", d.Message, d.Code, d.Repair)
	os.Exit(1)
}
