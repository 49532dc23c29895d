package sandbox

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// A session is a worker that runs, as its parent sees it. Requests and replies cross as frames. A worker that has done
// little stays for the next request, which saves the start of a process: a command asks which ruleset a homebrew changes,
// and then compiles it.
type session struct {
	dir       string // of the stranger for whom it was started: no other is compiled in it
	command   *exec.Cmd
	in        io.WriteCloser
	out       io.Reader
	complaint *boundedBuffer
	silent    atomic.Bool // it has said nothing for so long that it was killed
}

// startWorker executes this program again, as a worker.
func startWorker(dir string) (*session, *problem) {
	self, err := os.Executable()
	if err != nil {
		return nil, &problem{message: "the program cannot be executed again to compile this: " + err.Error()}
	}
	s := &session{dir: dir, command: exec.Command(self), complaint: &boundedBuffer{left: 64 << 10}}
	s.command.Args = []string{self, workerArgument}
	s.command.Env = []string{"GOTRACEBACK=none", "GOMAXPROCS=2"} // an empty one would be this process's own
	s.command.Stderr = s.complaint
	in, cannotWrite := s.command.StdinPipe()
	out, cannotRead := s.command.StdoutPipe()
	s.in, s.out = in, out
	if err := cmp.Or(cannotWrite, cannotRead, s.command.Start()); err != nil {
		return nil, &problem{message: "the program cannot be executed again to compile this: " + err.Error()}
	}
	return s, nil
}

// ask is the reply to a request as it was written. It is nil without a problem when the worker had ended before it took the
// request. Without a reply the worker has ended.
func (s *session) ask(q *request) ([]byte, *problem) {
	if s.command.ProcessState != nil { // asked through another copy of the compiler, it has ended already
		return nil, nil
	}
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(q); err != nil {
		s.end()
		return nil, &problem{message: "this cannot be handed to the worker that compiles it: " + err.Error()}
	}
	patience := time.AfterFunc(maxSilence, func() {
		s.silent.Store(true)
		s.command.Process.Kill()
	})
	defer patience.Stop()
	writeErr := writeFrame(s.in, asked.Bytes())
	data, readErr := readFrame(s.out, maxReply)
	switch {
	case readErr == nil:
		return data, nil
	case errors.Is(readErr, errTooLarge):
		s.command.Process.Kill()
		s.end()
		return nil, tooLarge.everyTime()
	}
	ended := s.end()
	if ended == nil && readErr == io.EOF {
		return nil, nil
	}
	return nil, problemOf(cmp.Or(ended, readErr, writeErr), s.silent.Load(), s.complaint.String())
}

// end lets the worker end, and is how it ended: an *exec.ExitError when that was not in order.
func (s *session) end() error {
	s.in.Close()
	return s.command.Wait()
}
