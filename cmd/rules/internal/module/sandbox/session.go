package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// A session is a worker that runs, as its parent sees it. Requests and replies cross as frames. A worker stays for the next
// request, which saves the start of a process, and what it has compiled already: a command asks which ruleset a homebrew
// changes, and then compiles it; an editor asks after each pause.
type session struct {
	dir       string // of the stranger for whom it was started: no other is compiled in it
	command   *exec.Cmd
	stdin     io.WriteCloser
	stdout    io.Reader
	complaint *boundedBuffer
}

// A killReason says why the parent has killed a worker.
type killReason uint8

const (
	notKilled killReason = iota
	silent               // it has said nothing for too long
	cancelled            // nobody waits for what it makes
)

// A deadline kills a worker that does not answer a request in time. A worker that has answered is never killed.
type deadline struct {
	process *os.Process
	mu      sync.Mutex
	isOver  bool // there is an answer, or the process was killed
	reason  killReason
}

// kill ends the process for a reason, if it has not answered.
//
// The lock decides a race that does occur: the reply arrives while the timer fires. Whoever comes
// first wins, and a process that has answered is never killed, for it may be asked again.
func (d *deadline) kill(why killReason) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isOver {
		d.isOver, d.reason = true, why
		d.process.Kill()
	}
}

// markAnswered ends the deadline, and returns the reason for which the process was killed before.
func (d *deadline) markAnswered() killReason {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.isOver = true
	return d.reason
}

// startWorker executes this program again, as a worker.
//
// os.Executable and not os.Args[0]: a program that was found on the path, or whose directory has
// changed since, must execute itself and nothing else.
func startWorker(dir string) (*session, *problem) {
	self, err := os.Executable()
	if err != nil {
		return nil, newProblem("the program cannot be executed again to compile this: %v", err)
	}
	s := &session{dir: dir, command: exec.Command(self), complaint: &boundedBuffer{remaining: 64 << 10}}
	s.command.Args = []string{self, workerArgument}
	s.command.Env = []string{"GOTRACEBACK=none", "GOMAXPROCS=2"} // an empty one would be this process's own
	s.command.Stderr = s.complaint
	in, cannotWrite := s.command.StdinPipe()
	out, cannotRead := s.command.StdoutPipe()
	s.stdin, s.stdout = in, out
	closeInherited()
	if err := cmp.Or(cannotWrite, cannotRead, s.command.Start()); err != nil {
		return nil, newProblem("the program cannot be executed again to compile this: %v", err)
	}
	return s, nil
}

// ask returns the reply to a request as it was written. It is nil without a problem when the worker had ended before it
// took the request. Without a reply the worker has ended. A request whose context ends is answered or killed soon.
func (s *session) ask(ctx context.Context, q *request) ([]byte, *problem) {
	if s.command.ProcessState != nil { // asked through another copy of the compiler, it has ended already
		return nil, nil
	}
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(q); err != nil {
		s.close()
		return nil, newProblem("this cannot be handed to the worker that compiles it: %v", err)
	}
	d := &deadline{process: s.command.Process}
	patience := time.AfterFunc(maxSilence, func() { d.kill(silent) })
	defer patience.Stop()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxAfterCancel, func() { d.kill(cancelled) }) })
	defer stop()
	writeErr := writeFrame(s.stdin, asked.Bytes())
	data, readErr := readFrame(s.stdout, maxReply)
	killed := d.markAnswered()
	switch {
	case killed == notKilled && readErr == nil:
		return data, nil
	case errors.Is(readErr, errTooLarge):
		s.command.Process.Kill()
		s.close()
		return nil, tooLarge.asLasting()
	}
	ended := s.close()
	switch {
	case killed == cancelled:
		return nil, newProblem("nobody waits for this any more")
	case ended == nil && readErr == io.EOF:
		return nil, nil
	}
	return nil, problemOf(cmp.Or(ended, readErr, writeErr), killed == silent, s.complaint.String())
}

// close lets the worker end, and returns its exit: an *exec.ExitError when that was not in order.
func (s *session) close() error {
	s.stdin.Close()
	return s.command.Wait()
}
