package sandbox

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A problem is why a worker has given no reply.
type problem struct {
	code      diag.Code
	message   string
	repair    string
	isLasting bool // it is the module's and comes again, whatever else the machine has to do
}

// limitCode is the code of problems with the bounds of a stranger.
const limitCode = "evaluation-limit"

// faultCode is the code of a fault of the program.
const faultCode = "internal"

var (
	tooLong = problem{code: limitCode, message: fmt.Sprintf("compiling this takes more than %v of processor time",
		maxProcessorTime),
		repair: simplifyRepair}
	tooMuch = problem{code: limitCode, message: fmt.Sprintf("compiling this takes more than %d MiB of memory",
		maxMemory>>20),
		repair: simplifyRepair}
	tooDeep  = problem{code: limitCode, message: "this is nested too deeply to be compiled", repair: simplifyRepair}
	tooLarge = problem{code: limitCode, message: fmt.Sprintf("what this compiles to is larger than %d MiB", maxReply>>20),
		repair: simplifyRepair}
	tooLate = problem{code: limitCode, message: fmt.Sprintf("the worker that compiles this has not answered for %v",
		maxSilence),
		repair: "the machine has too much else to do: try again"}
	workerKilled = problem{code: limitCode, message: "the system has killed the worker that compiles this",
		repair: "the machine may have too little memory left: try again"}
)

// asLasting returns the problem as one that comes again.
func (p problem) asLasting() *problem {
	p.isLasting = true
	return &p
}

// newProblem returns a problem that is none of the files.
func newProblem(format string, args ...any) *problem {
	return &problem{code: limitCode, message: fmt.Sprintf(format, args...)}
}

// isMemory reports whether the worker ran out of memory on the request.
func (p *problem) isMemory() bool { return p.message == tooMuch.message }

const simplifyRepair = "" +
	"look for comprehensions within comprehensions, alternatives within alternatives, and values that repeat themselves"

// diagnosticFor returns the problem of a request, at the directory of its last module that is no part of the program: which
// file it is, nobody knows.
func (p *problem) diagnosticFor(q *request) diag.Diagnostic {
	m := q.Module
	for _, h := range q.Homebrews {
		m = h
	}
	var list diag.List
	return *list.Add(diag.Diagnostic{
		Code: p.code, Place: plan.Place{File: cmp.Or(path.Join(m.Name, filepath.ToSlash(q.Dir)), ".")},
		Message: p.message, Repair: p.repair,
	})
}

// decodeReply reads the reply of a worker, and verifies the plans in it.
func decodeReply(data []byte, known *receivedPlans) (*reply, *problem) {
	r := &reply{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(r); err != nil {
		return nil, newProblem("the worker that compiles this has given no reply: %v", err)
	}
	if err := known.readPlans(r); err != nil {
		return nil, newProblem("the worker that compiles this has given no plan: %v", err)
	}
	return r, nil
}

// problemOf returns the reason why a worker has ended without a reply. err is its error or its exit; silent means that
// it was killed because it did not answer; complaint is its output on standard error.
//
// The order matters. Exit statuses of the worker's own come first, for only they are certain. A fault of Go's runtime
// has many texts, and memory is not among them where the process held little: then it is a fault of the program, as
// every panic is.
func problemOf(err error, silent bool, complaint string) *problem {
	ended, isEnd := errors.AsType[*exec.ExitError](err)
	first, _, _ := strings.Cut(complaint, "\n")
	switch {
	case silent:
		return &tooLate
	case !isEnd:
		return newProblem("the worker that compiles this has ended: %v %.200q", err, first)
	case ended.ExitCode() == exitTime:
		return tooLong.asLasting()
	case ended.ExitCode() == exitMemory:
		return tooMuch.asLasting()
	case isTimeSignal(ended), isKill(ended) && processorTimeOf(ended) >= maxLifetime:
		return &tooLong
	case isKill(ended):
		return &workerKilled
	case strings.HasPrefix(first, "panic: "):
	case strings.Contains(complaint, "stack exceeds"), strings.Contains(complaint, "stack overflow"):
		return tooDeep.asLasting()
	case strings.Contains(complaint, "out of memory"), strings.Contains(complaint, "cannot allocate"),
		// Go's runtime uses memory that the system has refused to give.
		strings.Contains(complaint, "SIGSEGV") && peakMemory(ended) >= maxMemory/2:
		return &tooMuch
	}
	return &problem{code: faultCode, message: fmt.Sprintf("the worker that compiles this has failed: %v %.300q", err,
		first),
		repair: crash.Repair}
}

// A boundedBuffer refuses what is beyond its bound.
type boundedBuffer struct {
	bytes.Buffer
	remaining int
}

var errBeyond = errors.New("beyond the bound")

// Write implements io.Writer.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.remaining -= len(p); b.remaining < 0 {
		return 0, errBeyond
	}
	return b.Buffer.Write(p)
}
