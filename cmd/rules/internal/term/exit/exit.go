// Package exit decides how a command ends: which errors are an answer that is no, which mean that the question could not be
// asked, and how the last error is worded.
package exit

import (
	"errors"
	"fmt"
	"io"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
)

// The exit statuses.
const (
	Done    = 0 // the question was answered
	Denied  = 1 // the answer is no
	Unasked = 2 // the question could not be asked
)

// ErrNo is an answer that is no and already stands on stdout: exit status 1, and nothing more is said.
var ErrNo = errors.New("no")

// PrintError prints an error. Diagnostics begin with their place, everything else with the name of the program.
func PrintError(w io.Writer, err error) {
	if err == nil || errors.Is(err, ErrNo) {
		return
	}
	if d, ok := errors.AsType[*diag.Errors](err); ok {
		fmt.Fprintln(w, visible.Text(d.Error()))
		return
	}
	fmt.Fprintf(w, "rules: %s\n", visible.Text(err.Error()))
}

// Status is 1 for an answer that is no, 2 for every other error.
func Status(err error) int {
	if err == nil {
		return Done
	}
	if errors.Is(err, ErrNo) || Answered[*Denial](err) || Answered[*diag.Errors](err) || isRefusal(err) {
		return Denied
	}
	return Unasked
}

// isRefusal reports whether a rule was carried out as far as a requirement, a guard, or a formula without a value.
func isRefusal(err error) bool {
	return Answered[*runtime.Refused](err) || Answered[*runtime.NotOffered](err) || Answered[*runtime.Failure](err)
}

func Answered[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// A Denial is an answer that is no, with the reason.
type Denial struct{ Why string }

// Error returns the reason.
func (e *Denial) Error() string { return e.Why }

// WordRefusal says of a refusal that it is one, and where the book has it; of one of an event behind the event's name.
func WordRefusal(err error) error {
	if e, ok := err.(*runtime.EventError); ok {
		return &runtime.EventError{Number: e.Number, Event: e.Event, Err: WordRefusal(e.Err)}
	}
	r, ok := errors.AsType[*runtime.Refused](err)
	if !ok {
		return err
	}
	if r.Require.Cite == "" {
		return fmt.Errorf("refused: %w", err)
	}
	return fmt.Errorf("refused: %w (%s)", err, r.Require.Cite)
}

// PlaceIn returns an error with the place of its value in a file of JSON; file is its name in messages.
func PlaceIn(file string, err error) error {
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return fmt.Errorf("%s:%d:%d: %s%s: %s", file, e.Line, e.Col, e.Root, e.Path, e.Msg)
	}
	return err
}

// PathOnly leaves out of an error where in its JSON a value stands: a procedure keeps JSON without the blanks of its file.
func PathOnly(err error) error {
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return fmt.Errorf("%s%s: %s", e.Root, e.Path, e.Msg)
	}
	return err
}

// AsUsageError makes of the diagnostics of a formula on the command line a question that cannot be asked.
func AsUsageError(err error) error {
	if d, ok := errors.AsType[*diag.Errors](err); ok {
		return errors.New(d.Error())
	}
	return err
}
