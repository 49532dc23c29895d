package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
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
}

var (
	tooLong  = &problem{fmt.Sprintf("compiling this takes more than %v of processor time", maxProcessorTime), smaller}
	tooMuch  = &problem{fmt.Sprintf("compiling this takes more than %d MiB of memory", maxMemory>>20), smaller}
	tooDeep  = &problem{"this is nested too deeply to be compiled", smaller}
	tooLarge = &problem{fmt.Sprintf("what this compiles to is larger than %d MiB", maxReply>>20), smaller}
)

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

// runWorker executes this program again, as a worker that answers one request, and gives its reply as it was written. The
// state says what the worker has used; it is nil when none could be started.
func runWorker(q *request) ([]byte, *problem, *os.ProcessState) {
	self, err := os.Executable()
	if err != nil {
		return nil, &problem{message: "the program cannot be executed again to compile this: " + err.Error()}, nil
	}
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(q); err != nil {
		return nil, &problem{message: "this cannot be handed to the worker that compiles it: " + err.Error()}, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxSilence)
	defer cancel()
	answer, complaint := &boundedBuffer{left: maxReply}, &boundedBuffer{left: 64 << 10}
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = []string{self, workerArgument}
	cmd.Env = []string{"GOTRACEBACK=none", "GOMAXPROCS=2"} // an empty one would be this process's own
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &asked, answer, complaint
	err = cmd.Run()
	if p := problemOf(err, ctx.Err() != nil, answer, complaint); p != nil {
		return nil, p, cmd.ProcessState
	}
	return answer.Bytes(), nil, cmd.ProcessState
}

// decodeReply reads the reply of a worker, and verifies the plans in it.
func decodeReply(data []byte) (*reply, *problem) {
	r := &reply{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(r); err != nil {
		return nil, &problem{message: "the worker that compiles this has given no reply: " + err.Error()}
	}
	if err := r.unpack(); err != nil {
		return nil, &problem{message: "the worker that compiles this has given no plan: " + err.Error()}
	}
	return r, nil
}

// problemOf is why a worker ended as it did, nil when it is done.
func problemOf(err error, silent bool, answer, complaint *boundedBuffer) *problem {
	if err == nil {
		return nil
	}
	ended, isEnd := errors.AsType[*exec.ExitError](err)
	text := complaint.String()
	switch {
	case answer.left < 0:
		return tooLarge
	case silent, isEnd && ended.ExitCode() == exitTime, isEnd && isTimeSignal(ended):
		return tooLong
	case isEnd && ended.ExitCode() == exitMemory, strings.Contains(text, "out of memory"),
		strings.Contains(text, "cannot allocate"),
		strings.Contains(text, "SIGSEGV"): // Go's runtime uses memory that the system has refused to give
		return tooMuch
	case strings.Contains(text, "stack exceeds"), strings.Contains(text, "stack overflow"):
		return tooDeep
	}
	first, _, _ := strings.Cut(text, "\n")
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
