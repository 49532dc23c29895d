package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/tabletop-rules/rules/runtime"
)

// linesOf are the lines that a reader gives.
func linesOf(in io.Reader) ([]string, error) {
	l := readLines(context.Background(), in)
	var out []string
	for line := range l.all() {
		out = append(out, string(line))
	}
	return out, l.failed
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, text := range []string{"", "\n", "a", "a\n", "a\nb", "\n\na\n", long + "\n" + long, "a\n" + long + "\n\nb\n"} {
		want := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if text == "" {
			want = nil
		}
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)),
			"with its end": iotest.DataErrReader(strings.NewReader(text)),
		} {
			if got, err := linesOf(in); err != nil || !slices.Equal(got, want) {
				t.Errorf("%.20q, %s: %.50q, %v, want %.50q", text, name, got, err, want)
			}
		}
	}
}

func TestLinesAreCutWhereTheyAreTooLong(t *testing.T) {
	got, _ := linesOf(io.MultiReader(io.LimitReader(endless('x'), 5<<20), strings.NewReader("\nb\n")))
	if len(got) != 2 || len(got[0]) != runtime.MaxRecord+1 || got[1] != "b" {
		t.Errorf("%d lines, the first of %d bytes", len(got), len(got[0]))
	}
}

func TestLinesTellOfAFailure(t *testing.T) {
	got, err := linesOf(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(os.ErrClosed)))
	if !slices.Equal(got, []string{"a", "b"}) || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%q, %v", got, err)
	}
}

// endless reads the same byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

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

// A session is a batch that runs beside the test.
type session struct {
	sheets *bufio.Scanner
	out    *io.PipeReader
	errs   strings.Builder
	status chan int
}

func start(in io.Reader) *session {
	r, w := io.Pipe()
	s := &session{sheets: bufio.NewScanner(r), out: r, status: make(chan int, 1)}
	go func() {
		s.status <- Main([]string{"eval", "tempestas", "test", "--no-cache", "--ndjson", "-", "--set", "name=navigation"}, in, w, &s.errs)
		w.Close()
	}()
	return s
}

// ended is the exit status.
func (s *session) ended(t *testing.T) int {
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
	if status := s.ended(t); status != done || s.errs.Len() > 0 {
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
	if status := s.ended(t); status != done || s.errs.String() != "rules: interrupted after 3 lines\n" {
		t.Errorf("status %d, %s", status, s.errs.String())
	}
}
