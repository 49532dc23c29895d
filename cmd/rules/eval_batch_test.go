package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
)

// crew reads the same characters for ever.
type crew struct{ rest string }

func (c *crew) Read(p []byte) (int, error) {
	if c.rest == "" {
		c.rest = strings.Repeat(`{"skills":{"navigation":90}}`+"\n", 100)
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// A batchRun is a batch that runs beside the test.
type batchRun struct {
	sheets *bufio.Scanner
	out    *io.PipeReader
	errs   strings.Builder
	status chan int
}

// batchArguments are those of a batch over standard input.
func batchArguments(more ...string) []string {
	return append([]string{"eval", "tempestas", "test", "--no-cache", "--ndjson", "-", "--set", "name=navigation"}, more...)
}

func start(in io.Reader) *batchRun {
	r, w := io.Pipe()
	s := &batchRun{sheets: bufio.NewScanner(r), out: r, status: make(chan int, 1)}
	go func() {
		s.status <- Main(batchArguments("--workers", "2"), in, w, &s.errs)
		w.Close()
	}()
	return s
}

// ended is the exit status.
func (s *batchRun) ended(t *testing.T) int {
	t.Helper()
	select {
	case status := <-s.status:
		return status
	case <-time.After(time.Minute):
		t.Fatal("the batch does not end")
		return 0
	}
}

func TestBatchEndsWhenNobodyReads(t *testing.T) {
	s := start(&crew{})
	for range 5_000 {
		if !s.sheets.Scan() {
			t.Fatal("the sheets end")
		}
	}
	s.out.Close()
	if status := s.ended(t); status != exit.Done || s.errs.Len() > 0 {
		t.Errorf("status %d, %s", status, s.errs.String())
	}
}

// A line is answered before the next one comes, and an interrupt ends the batch while it waits for one.
func TestBatchIsInterrupted(t *testing.T) {
	in, lines := io.Pipe()
	s := start(in)
	for range 3 {
		fmt.Fprintln(lines, `{"skills":{"navigation":90}}`)
		if !s.sheets.Scan() || !strings.Contains(s.sheets.Text(), `"active_value":90`) {
			t.Fatalf("%q", s.sheets.Text())
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Skip("no interrupt can be sent here: ", err)
	}
	if status := s.ended(t); status != exit.Done || s.errs.String() != "rules: interrupted after 3 lines\n" {
		t.Errorf("status %d, %s", status, s.errs.String())
	}
}

// A pipe that nobody reads any more ends the batch as it ends other programs, but without killing it: nothing is said,
// and the exit status is that of the lines that were answered.
func TestBatchIntoAPipeThatIsClosed(t *testing.T) {
	if testing.Short() {
		t.Skip("the command runs as a process of its own")
	}
	var errs strings.Builder
	c := exec.Command("rules", batchArguments()...)
	c.Stdin, c.Stderr = &crew{}, &errs // more than any pipe holds
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"ruleset":"tempestas"`) {
		t.Errorf("%q, %v", line, err)
	}
	out.Close()
	c.Wait() // its error may be that of writing to standard input
	if status := c.ProcessState.ExitCode(); status != exit.Done || errs.Len() > 0 {
		t.Errorf("status %d, %s", status, errs.String())
	}
}

// Of endless lines no more are read than fit into what the batch holds, however slowly the sheets are read.
func TestBatchHoldsFewLines(t *testing.T) {
	const (
		workers = 2
		chunks  = (2*workers + 1) * runtime.BlockSize
		pieces  = 3 * 64 << 10 / len(`{"skills":{"navigation":90}}`+"\n") // two are read in turns, one is split
		sheets  = 2 * 64 << 10 / 100                                      // on their way out, none having less than 100 bytes
	)
	in := &counting{r: &crew{}}
	s := start(in)
	for i := range 20_000 {
		if !s.sheets.Scan() {
			t.Fatal("the sheets end")
		}
		if held := int(in.lines.Load()) - i; held > chunks+pieces+sheets {
			t.Fatalf("%d lines are held, more than %d", held, chunks+pieces+sheets)
		}
	}
	s.out.Close()
	if status := s.ended(t); status != exit.Done {
		t.Errorf("status %d, %s", status, s.errs.String())
	}
}

// A counting reader counts the lines that it gives.
type counting struct {
	r     io.Reader
	lines atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.lines.Add(int64(bytes.Count(p[:n], []byte{'\n'})))
	return n, err
}

// The output is the same down to its bytes, however many workers there are: faces, lines without a sheet and all.
func TestBatchDoesNotDependOnWorkers(t *testing.T) {
	var in strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&in, `{"skills":{"navigation":%d},"fatigue":%d}`+"\n", i%120-1, i%7)
	}
	fmt.Fprintf(&in, `{"skills":{"%s":1}}`+"\n"+`{}`, strings.Repeat("x", 2<<20)) // too long a line, and one that nothing ends
	var want, saw string
	for _, workers := range []string{"1", "2", "5"} {
		var out, errs strings.Builder
		if status := Main(batchArguments("--seed", "3", "--workers", workers), strings.NewReader(in.String()), &out,
			&errs); status != exit.Unasked {
			t.Errorf("%s workers: status %d", workers, status)
		}
		if want == "" {
			want, saw = out.String(), errs.String()
		}
		if out.String() != want || errs.String() != saw {
			t.Errorf("%s workers: other bytes than one worker gives", workers)
		}
	}
	lines := strings.Split(strings.TrimSuffix(want, "\n"), "\n")
	if long := lines[len(lines)-2]; len(lines) != 3_002 ||
		!strings.Contains(long, `{"line":3001,"path":"character","column":1,"message":"has 1048577 bytes or more`) {
		t.Errorf("%d lines, the one too long is answered by %s", len(lines), long)
	}
}
