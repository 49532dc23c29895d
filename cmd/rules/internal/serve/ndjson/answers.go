package ndjson

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// answers writes the answers of a batch.
type answers struct {
	out      *bufio.Writer
	errs     io.Writer
	progress progress
	number   uint64 // of the line that was answered last
	without  uint64 // lines that have no sheet
	status   int    // the highest of all lines
	failed   error  // of writing
}

func NewSheets(out, errs io.Writer) *answers {
	a := &answers{out: bufio.NewWriterSize(out, 64<<10), errs: errs}
	if !layout.IsTerminal(out) {
		a.progress.line = layout.NewLiveLine(errs)
	}
	return a
}

// AddLine writes the answer of the next line. Whoever adds looks at failed from time to time.
func (a *answers) AddLine(sheet []byte, err error) {
	a.number++
	if err != nil {
		sheet = a.errorLine(err)
	}
	if _, err := a.out.Write(sheet); err != nil {
		a.failed = err
	}
	if err := a.out.WriteByte('\n'); err != nil {
		a.failed = err
	}
	a.progress.showLines(a)
}

func (a *answers) flushOut() {
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

// errorLine is the line that answers one without a sheet.
func (a *answers) errorLine(err error) []byte {
	p := lineError{Line: a.number, Message: exit.WordRefusal(err).Error(), Status: exit.Status(err)}
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		p.Path, p.Column, p.Message = e.Root+e.Path, e.Col, e.Msg
	}
	a.without++
	a.status = max(a.status, p.Status)
	text, err := json.Marshal(map[string]lineError{"error": p})
	must.Succeed(err)
	return text
}

// endOutput ends the output. Its error has the status of the lines.
//
// A closed pipe is success: "rules eval --ndjson ... | head" has read as much as it wanted.
func (a *answers) endOutput(lines *lines, interrupted bool) error {
	a.flushOut()
	a.progress.line.Clear()
	switch {
	case errors.Is(a.failed, syscall.EPIPE) || errors.Is(a.failed, io.ErrClosedPipe): // who reads the sheets has enough
	case a.failed != nil:
		return a.failed
	case lines.Failed != nil:
		return lines.Failed
	}
	return a.reportFailures(interrupted)
}

// reportFailures says of which lines there is no sheet.
func (a *answers) reportFailures(interrupted bool) error {
	if interrupted {
		fmt.Fprintf(a.errs, "rules: interrupted after %s\n", plural.Of(int(a.number), "line"))
	}
	without := fmt.Errorf("%d of %s have no sheet", a.without, plural.Of(int(a.number), "line"))
	switch a.status {
	case exit.Done:
		return nil
	case exit.Denied:
		exit.PrintError(a.errs, without)
		return exit.ErrNo
	}
	return without
}

// A progress tells a person how far a batch is, once a second.
type progress struct {
	line *layout.LiveLine // nil when nobody looks
	last time.Time        // when it was told
}

// showLines overwrites the line on the terminal, at most once a second. Most lines do not even look at the clock.
func (p *progress) showLines(a *answers) {
	if p.line == nil || a.number%1024 != 0 || time.Since(p.last) < time.Second {
		return
	}
	p.last = time.Now()
	p.line.Show("%s, %d without a sheet", plural.Of(int(a.number), "line"), a.without)
}

// An Answerer gives for each line a sheet, or why there is none. A sheet is good until the next one is asked for.
type Answerer func(iter.Seq[[]byte]) iter.Seq2[[]byte, error]

// AnswerEach returns an Answerer that answers one line after the other. A line is given with its number, from 0: lines with
// errors count too, so that mending one does not move the faces of those behind it.
//
// The length is judged here and not by the decoder of the record, for its revision may be looked up in it first.
func AnswerEach(answer func(line []byte, number uint64) (sheet []byte, err error)) Answerer {
	return func(lines iter.Seq[[]byte]) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			number := uint64(0)
			for line := range lines {
				if len(line) == 0 { // a request without a character has an empty one, and a line without one has none
					line = []byte{' '}
				}
				var sheet []byte
				err := fmt.Errorf("the line has more than %d bytes", runtime.MaxRecord)
				if len(line) <= runtime.MaxRecord {
					sheet, err = answer(line, number)
				}
				if !yield(sheet, err) {
					return
				}
				number++
			}
		}
	}
}

// AnswerLines answers lines until they end, an interrupt comes, or nobody reads the answers any more.
func AnswerLines(answer Answerer, in io.Reader, to, errs io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe shall be an error, not the end of the program
	defer signal.Reset(syscall.SIGPIPE)
	out := NewSheets(to, errs)
	lines := out.answerAll(ctx, answer, in)
	return out.endOutput(lines, ctx.Err() != nil)
}

// AnswerStream answers lines as they come, until they end, the context does, or the answers cannot be written any more.
// It calls begin before each line is evaluated and finish when it is answered, from two goroutines.
func AnswerStream(ctx context.Context, answer Answerer, begin, finish func(), in io.Reader, to io.Writer) {
	out := NewSheets(to, io.Discard)
	paced := func(lines iter.Seq[[]byte]) iter.Seq2[[]byte, error] {
		answers := answer(func(yield func([]byte) bool) {
			for line := range lines {
				if begin(); !yield(line) {
					return
				}
			}
		})
		return func(yield func([]byte, error) bool) {
			for sheet, err := range answers {
				finish()
				if !yield(sheet, err) {
					return
				}
			}
		}
	}
	out.answerAll(ctx, paced, in)
	out.flushOut()
}

// answerAll answers lines. Answers are written out as soon as no line waits.
func (a *answers) answerAll(ctx context.Context, answer Answerer, in io.Reader) *lines {
	lines := ReadLines(ctx, in)
	for sheet, err := range answer(lines.allLines()) {
		a.AddLine(sheet, err)
		if a.number == lines.given.Load() {
			a.flushOut()
		}
		if a.failed != nil {
			break
		}
	}
	return lines
}
