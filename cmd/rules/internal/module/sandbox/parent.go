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

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A problem is why a worker has given no reply.
type problem struct {
	message string
	repair  string
	lasting bool // it is the module's and comes again, whatever else the machine has to do
}

var (
	tooLong = problem{message: fmt.Sprintf("compiling this takes more than %v of processor time", maxProcessorTime),
		repair: smaller}
	tooMuch = problem{message: fmt.Sprintf("compiling this takes more than %d MiB of memory", maxMemory>>20),
		repair: smaller}
	tooDeep  = problem{message: "this is nested too deeply to be compiled", repair: smaller}
	tooLarge = problem{message: fmt.Sprintf("what this compiles to is larger than %d MiB", maxReply>>20), repair: smaller}
)

// everyTime is the problem as one that comes again.
func (p problem) everyTime() *problem {
	p.lasting = true
	return &p
}

// isMemory reports whether the worker had too little memory for what it was asked.
func (p *problem) isMemory() bool { return p.message == tooMuch.message }

const smaller = "" +
	"look for comprehensions within comprehensions, alternatives within alternatives, and values that repeat themselves"

// diagnostic is the problem of a request, at the directory of the last of its modules that is no part of the program: which
// file it is, nobody knows.
func (p *problem) diagnostic(q *request) diag.Diagnostic {
	m := q.Module
	for _, h := range q.Homebrews {
		m = h
	}
	var list diag.List
	return *list.Add(diag.Diagnostic{
		Code: "evaluation-limit", Place: plan.Place{File: cmp.Or(path.Join(m.Name, filepath.ToSlash(q.Dir)), ".")},
		Message: p.message, Repair: p.repair,
	})
}

// decodeReply reads the reply of a worker, and verifies the plans in it.
func decodeReply(data []byte, known *unpacked) (*reply, *problem) {
	r := &reply{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(r); err != nil {
		return nil, &problem{message: "the worker that compiles this has given no reply: " + err.Error()}
	}
	if err := known.unpack(r); err != nil {
		return nil, &problem{message: "the worker that compiles this has given no plan: " + err.Error()}
	}
	return r, nil
}

// problemOf is why a worker has ended without a reply: what it has met or how it ended, whether it was killed for its
// silence, and what it has complained about.
//
// The order matters: a worker that was killed by the system for its memory may have complained
// before, and its exit status says less than the complaint. Statuses of the worker's own come
// first, for only they are certain.
func problemOf(err error, silent bool, complaint string) *problem {
	ended, isEnd := errors.AsType[*exec.ExitError](err)
	switch {
	case isEnd && ended.ExitCode() == exitTime:
		return tooLong.everyTime()
	case silent, isEnd && isTimeSignal(ended):
		return &tooLong
	case isEnd && ended.ExitCode() == exitMemory:
		return tooMuch.everyTime()
	case strings.Contains(complaint, "out of memory"), strings.Contains(complaint, "cannot allocate"),
		strings.Contains(complaint, "SIGSEGV"): // Go's runtime uses memory that the system has refused to give
		return &tooMuch
	case strings.Contains(complaint, "stack exceeds"), strings.Contains(complaint, "stack overflow"):
		return tooDeep.everyTime()
	}
	first, _, _ := strings.Cut(complaint, "\n")
	return &problem{message: fmt.Sprintf("the worker that compiles this has ended: %v %.200q", err, first)}
}

// A boundedBuffer refuses what is beyond its bound.
type boundedBuffer struct {
	bytes.Buffer
	left int
}

var errBeyond = errors.New("beyond the bound")

// Write implements io.Writer.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errBeyond
	}
	return b.Buffer.Write(p)
}
