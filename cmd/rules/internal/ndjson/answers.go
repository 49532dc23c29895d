package ndjson

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/runtime"
)

// sheets writes the answers of a batch.
type sheets struct {
	out      *bufio.Writer
	errs     io.Writer
	Progress *Progress
	number   uint64 // of the line that was answered last
	without  uint64 // lines that have no sheet
	status   int    // the highest of all lines
	failed   error  // of writing
}

func NewSheets(out, errs io.Writer) *sheets {
	a := &sheets{out: bufio.NewWriterSize(out, 64<<10), errs: errs}
	if layout.Terminal(errs) && !layout.Terminal(out) {
		a.Progress = &Progress{W: errs}
	}
	return a
}

// Add writes the answer of the next line. Whoever adds looks at failed from time to time.
func (a *sheets) Add(sheet []byte, err error) {
	a.number++
	if err != nil {
		sheet = a.problem(err)
	}
	if _, err := a.out.Write(sheet); err != nil {
		a.failed = err
	}
	if err := a.out.WriteByte('\n'); err != nil {
		a.failed = err
	}
	a.Progress.show(a)
}

func (a *sheets) flush() {
	if err := a.out.Flush(); err != nil {
		a.failed = err
	}
}

// A lineError is what an error line says.
type lineError struct {
	Line    uint64 `json:"line"`
	Path    string `json:"path,omitempty"`
	Column  int    `json:"column,omitempty"` // in bytes
	Message string `json:"message"`
	Status  int    `json:"status"`
}

// problem is the line that answers one without a sheet.
func (a *sheets) problem(err error) []byte {
	p := lineError{Line: a.number, Message: exit.Told(err).Error(), Status: exit.Status(err)}
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		p.Path, p.Column, p.Message = e.Root+e.Path, e.Col, e.Msg
	}
	a.without++
	a.status = max(a.status, p.Status)
	text, err := json.Marshal(map[string]lineError{"error": p})
	must.Must(err)
	return text
}

// end ends the output. Its error has the status of the lines.
func (a *sheets) end(lines *lines, interrupted bool) error {
	a.flush()
	a.Progress.End()
	switch {
	case errors.Is(a.failed, syscall.EPIPE) || errors.Is(a.failed, io.ErrClosedPipe): // who reads the sheets has enough
	case a.failed != nil:
		return a.failed
	case lines.Failed != nil:
		return lines.Failed
	}
	return a.verdict(interrupted)
}

// verdict says of which lines there is no sheet.
func (a *sheets) verdict(interrupted bool) error {
	if interrupted {
		fmt.Fprintf(a.errs, "rules: interrupted after %d lines\n", a.number)
	}
	without := fmt.Errorf("%d of %d lines have no sheet", a.without, a.number)
	switch a.status {
	case exit.Done:
		return nil
	case exit.Denied:
		exit.Complain(a.errs, without)
		return exit.ErrNo
	}
	return without
}

// Progress tells a person how far a batch is, once a second.
type Progress struct {
	W     io.Writer
	shown time.Time
}

// show overwrites what was shown last. Most lines do not even look at the clock.
func (p *Progress) show(a *sheets) {
	if p == nil || a.number%1024 != 0 || time.Since(p.shown) < time.Second {
		return
	}
	p.shown = time.Now()
	fmt.Fprintf(p.W, "\r%d lines, %d without a sheet ", a.number, a.without)
}

// End leaves the line of the progress.
func (p *Progress) End() {
	if p != nil && !p.shown.IsZero() {
		fmt.Fprintln(p.W)
	}
}

// AnswerLines answers lines until they end, an interrupt comes, or nobody reads the answers any more.
func AnswerLines(b *runtime.Batch, in io.Reader, to, errs io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe shall be an error, not the end of the program
	defer signal.Reset(syscall.SIGPIPE)
	lines := ReadLines(ctx, in)
	out := NewSheets(to, errs)
	for sheet, err := range b.All(lines.All()) {
		out.Add(sheet, err)
		if out.number == lines.given.Load() {
			out.flush()
		}
		if out.failed != nil {
			break
		}
	}
	return out.end(lines, ctx.Err() != nil)
}
