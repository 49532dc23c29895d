package ndjson

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tabletop-rules/rules/runtime"
)

// linesOf are the lines that a reader gives.
func linesOf(in io.Reader) ([]string, error) {
	l := ReadLines(context.Background(), in)
	var out []string
	for line := range l.allLines() {
		out = append(out, string(line))
	}
	return out, l.Failed
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
