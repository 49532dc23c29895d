package main

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

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/runtime"
)

const ndjsonHelp = `

With --ndjson every line of a file is a character, and every line of the output the sheet of the character in the same
line; --input and --set are common to all. A line without a sheet is answered by
    {"error":{"line":3,"path":"character.skills.stealth","column":52,"message":"must be at least 0, not -1","status":2}}
and the highest status of all lines is the exit status. A line has at most 1 MiB. The faces of each line are drawn from a
stream of its own, keyed by --seed and the number of the line, from 0: the answers depend neither on other lines nor on
--workers. An interrupt, or nobody reading on, ends the reading; what has been read is answered.`

// ndjsonFlags makes the flags of a batch.
func (q *question) ndjsonFlags(c *cobra.Command) {
	c.Flags().StringVar(&q.ndjson, "ndjson", "", "evaluate every line of `FILE` as a character, - for standard input")
	c.Flags().IntVar(&q.workers, "workers", 0, "evaluate `N` lines at once instead of one for each core")
	for _, other := range []string{"character", "state", "events", "dice", "trace", "format"} {
		c.MarkFlagsMutuallyExclusive("ndjson", other)
	}
}

// batch answers every line of a file.
func (q *question) batch(program *runtime.Program, id string) error {
	rule, err := program.Rule(id, runtime.Choice{Options: q.options, Outputs: q.outputs})
	if err != nil {
		return err
	}
	in, err := q.files.open("ndjson", q.ndjson)
	if err != nil {
		return err
	}
	defer in.Close()
	input, err := q.inputText(inputOf(program.Plan(), id))
	if err != nil {
		return err
	}
	if !q.seeded {
		q.seed = drawSeed()
	}
	b, err := rule.Batch(runtime.BatchOptions{Input: input, Seed: q.seed, Workers: q.workers})
	if err != nil {
		return q.placed(err)
	}
	return q.answerLines(b, in)
}

// answerLines answers lines until they end, an interrupt comes, or nobody reads the answers any more.
func (q *question) answerLines(b *runtime.Batch, in io.Reader) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe shall be an error, not the end of the program
	defer signal.Reset(syscall.SIGPIPE)
	lines := readLines(ctx, in)
	out := newSheets(q.c.OutOrStdout(), q.c.ErrOrStderr())
	for sheet, err := range b.All(lines.all()) {
		out.add(sheet, err)
		if out.number == lines.given.Load() {
			out.flush()
		}
		if out.failed != nil {
			break
		}
	}
	return out.end(lines, ctx.Err() != nil)
}

// sheets writes the answers of a batch.
type sheets struct {
	out      *bufio.Writer
	errs     io.Writer
	progress *progress
	number   uint64 // of the line that was answered last
	without  uint64 // lines that have no sheet
	status   int    // the highest of all lines
	failed   error  // of writing
}

func newSheets(out, errs io.Writer) *sheets {
	a := &sheets{out: bufio.NewWriterSize(out, 64<<10), errs: errs}
	if terminal(errs) && !terminal(out) {
		a.progress = &progress{w: errs}
	}
	return a
}

// add writes the answer of the next line. Whoever adds looks at failed from time to time.
func (a *sheets) add(sheet []byte, err error) {
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
	a.progress.show(a)
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
	p := lineError{Line: a.number, Message: told(err).Error(), Status: status(err)}
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		p.Path, p.Column, p.Message = e.Root+e.Path, e.Col, e.Msg
	}
	a.without++
	a.status = max(a.status, p.Status)
	text, err := json.Marshal(map[string]lineError{"error": p})
	must(err)
	return text
}

// end ends the output. Its error has the status of the lines.
func (a *sheets) end(lines *lines, interrupted bool) error {
	a.flush()
	a.progress.end()
	switch {
	case errors.Is(a.failed, syscall.EPIPE) || errors.Is(a.failed, io.ErrClosedPipe): // who reads the sheets has enough
	case a.failed != nil:
		return a.failed
	case lines.failed != nil:
		return lines.failed
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
	case done:
		return nil
	case denied:
		complain(a.errs, without)
		return errNo
	}
	return without
}

// progress tells a person how far a batch is, once a second.
type progress struct {
	w     io.Writer
	shown time.Time
}

// show overwrites what was shown last. Most lines do not even look at the clock.
func (p *progress) show(a *sheets) {
	if p == nil || a.number%1024 != 0 || time.Since(p.shown) < time.Second {
		return
	}
	p.shown = time.Now()
	fmt.Fprintf(p.w, "\r%d lines, %d without a sheet ", a.number, a.without)
}

// end leaves the line of the progress.
func (p *progress) end() {
	if p != nil && !p.shown.IsZero() {
		fmt.Fprintln(p.w)
	}
}
