package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// typeAtTerminal is a command of the scripts: "type FILE PROGRAM ARGS" runs a program on a pseudo-terminal of 80 columns,
// and does what the lines of a file say: "see TEXT" waits until the text has been written since the last line, and "key
// TEXT" types it; \t, \r and other escapes are those of Go. What was written is left in the file screen, without escape
// sequences.
func typeAtTerminal(ts *testscript.TestScript, neg bool, args []string) {
	master, slave, err := openPseudoTerminal()
	ts.Check(err)
	defer master.Close()
	path, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[1]))
	ts.Check(err)
	c := exec.Command(path, args[2:]...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = ts.MkAbs("."), slave, slave, slave
	for _, name := range []string{"PATH", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		c.Env = append(c.Env, name+"="+ts.Getenv(name))
	}
	c.Env = append(c.Env, "TERM=xterm", "NO_COLOR=1")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(c.Start())
	slave.Close()
	s := &screen{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.copyFrom(master)
	}()
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		verb, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text, err := strconv.Unquote(`"` + text + `"`)
		ts.Check(err)
		if verb == "key" {
			_, err = master.WriteString(text)
		} else if !s.waitFor(text) {
			c.Process.Kill()
			<-ended
			ts.Fatalf("%q was not seen:\n%s", text, s.text())
		}
		ts.Check(err)
	}
	err = c.Wait()
	<-ended
	ts.Check(os.WriteFile(ts.MkAbs("screen"), []byte(s.text()), 0o666))
	ts.Logf("%s", s.text())
	if neg != (err != nil) {
		ts.Fatalf("it ended with %v", err)
	}
}

// openPseudoTerminal opens both ends of a pseudo-terminal of 80 columns.
func openPseudoTerminal() (master, slave *os.File, err error) {
	if master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 80}); err != nil {
		return nil, nil, err
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	return master, slave, err
}

// A screen collects what a program writes to a terminal.
type screen struct {
	mu      sync.Mutex
	written strings.Builder
	seen    int // bytes of written that have been waited for
}

// copyFrom reads until the program has closed its end, which the kernel tells by an error.
func (s *screen) copyFrom(f *os.File) {
	buf := make([]byte, 4096)
	for {
		n, err := f.Read(buf)
		s.mu.Lock()
		s.written.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// waitFor waits until a text has been written; false when it has not for long.
func (s *screen) waitFor(text string) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		at := strings.Index(s.written.String()[s.seen:], text)
		if at >= 0 {
			s.seen += at + len(text)
		}
		s.mu.Unlock()
		if at >= 0 {
			return true
		}
	}
	return false
}

// text is what has been written, without the sequences that move the cursor.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	rest := strings.ReplaceAll(s.written.String(), "\r", "")
	for {
		before, after, found := strings.Cut(rest, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		rest = after[1+strings.IndexFunc(after, func(r rune) bool { return r >= '@' && r <= '~' }):]
	}
}
