package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Problem is the body of an answer that is none: problem details as RFC 9457 has them, with members of our own.
type Problem struct {
	Type   string `json:"type"` // "urn:rules:problem:" and the code
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Path   string `json:"path,omitempty"` // of the value that does not fit: "character.skills.stealth"
	Line   int    `json:"line,omitempty"` // of the value in its record, as it was sent
	Column int    `json:"column,omitempty"`
	Event  *int   `json:"event,omitempty"` // the index of the event that did not happen
	Cite   string `json:"cite,omitempty"`  // where the book has the requirement
}

// A BadRequest is a question that has no meaning, with the reason.
type BadRequest string

// Error says why.
func (e BadRequest) Error() string { return string(e) }

// internalError is the code of a fault of the program.
const internalError = "internal"

// ProblemOf returns the description of an error for a client.
//
// "internal" remains for an error that none of these types covers: it is a fault of the program, and the client learns
// so instead of being blamed. Parts of the question have the names of its members. An event that was refused keeps the
// words of the refusal alone: Error names the event, and "refused:" in front of it would say the same twice.
func ProblemOf(err error) *Problem {
	if exit.Answered[*runtime.Refused](err) && !exit.Answered[*runtime.EventError](err) && !exit.Answered[*explained](err) {
		err = exit.WordRefusal(err)
	}
	p := &Problem{Status: http.StatusInternalServerError, Code: internalError, Detail: err.Error()}
	if e, ok := errors.AsType[*runtime.EventError](err); ok {
		index := e.Number - 1
		p.Event, p.Detail = &index, e.Err.Error()
		if !exit.Answered[*runtime.NotOffered](err) { // which names its event
			p.Detail = "event " + e.Event + ": " + p.Detail
		}
	}
	switch e := deepestError(err).(type) {
	case BadRequest:
		p.Status, p.Code = http.StatusBadRequest, "bad-request"
	case *http.MaxBytesError:
		p.Status, p.Code = http.StatusRequestEntityTooLarge, "too-long"
		p.Detail = fmt.Sprintf("the body has more than %d bytes", e.Limit)
	case *runtime.UnknownError:
		p.Status, p.Code = http.StatusBadRequest, "unknown-name"
		if e.What == "ruleset" || e.What == "revision" || e.What == "rule or procedure" {
			p.Status = http.StatusNotFound
		}
	case *runtime.InputError:
		p.Status, p.Code, p.Detail = http.StatusUnprocessableEntity, "input", e.Msg
		p.Path, p.Line, p.Column = e.Root+e.Path, e.Line, e.Col
	case *runtime.StateError:
		p.Status, p.Code, p.Path, p.Detail = http.StatusUnprocessableEntity, "state", "state", e.Msg
	case *dice.Error:
		p.Status, p.Code = http.StatusUnprocessableEntity, "dice"
	case *dice.ThrowError:
		p.Status, p.Code = http.StatusBadRequest, "bad-request"
	case *dice.SyntaxError:
		p.Status, p.Code = http.StatusUnprocessableEntity, "dice"
	case *runtime.Refused:
		p.Status, p.Code, p.Cite = http.StatusUnprocessableEntity, "refused", e.Require.Cite
	case *runtime.NotOffered:
		p.Status, p.Code = http.StatusConflict, "not-offered"
	case *runtime.Failure:
		p.Status, p.Code = http.StatusUnprocessableEntity, "no-value"
	case *library.LoadError:
		p.Status, p.Code = http.StatusServiceUnavailable, "not-compiled"
	case *odds.BudgetError:
		p.Status, p.Code = http.StatusUnprocessableEntity, "too-large"
	}
	p.Detail = query.NameMembers(p.Detail)
	return p.fillIn()
}

// deepestError returns, out of the errors that only name the place, the inner error of a kind that clients are told.
//
// The order matters where errors wrap each other: a refusal inside of an event that did not happen is told as the
// refusal, and ProblemOf adds the event.
func deepestError(err error) error {
	if errors.Is(err, odds.ErrNever) {
		return BadRequest(err.Error())
	}
	for _, find := range []func(error) error{
		findError[BadRequest], findError[*http.MaxBytesError], findError[*runtime.UnknownError],
		findError[*runtime.InputError], findError[*runtime.StateError], findError[*dice.Error],
		findError[*dice.ThrowError], findError[*dice.SyntaxError], findError[*runtime.Refused],
		findError[*runtime.NotOffered], findError[*runtime.Failure], findError[*odds.BudgetError],
		findError[*library.LoadError],
	} {
		if e := find(err); e != nil {
			return e
		}
	}
	return err
}

func findError[E error](err error) error {
	if e, ok := errors.AsType[E](err); ok {
		return e
	}
	return nil
}

// fillIn adds the fields that follow from the code and the status. The type is a URN and no address: RFC 9457 asks only
// that it identifies the kind, and there is no page to keep alive.
func (p *Problem) fillIn() *Problem {
	p.Type, p.Title = "urn:rules:problem:"+p.Code, http.StatusText(p.Status)
	return p
}

// WriteProblem answers with a problem.
func WriteProblem(w http.ResponseWriter, status int, code, detail string) {
	writeProblem(w, (&Problem{Status: status, Code: code, Detail: detail}).fillIn())
}

// writeProblem writes a problem with the media type that RFC 9457 gives it, by which clients tell
// it from an answer.
func writeProblem(w http.ResponseWriter, p *Problem) {
	text, err := json.Marshal(p)
	must.Succeed(err)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	w.Write(text)
}

// writeError answers with the problem of an error.
func writeError(w http.ResponseWriter, err error) { writeProblem(w, ProblemOf(err)) }

// writeValue writes a value of this program's own types, which encoding/json cannot fail on.
func writeValue(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	must.Succeed(err)
	writeBytes(w, "application/json", text)
}

// writeBytes answers. That the client does not listen any more concerns nobody.
func writeBytes(w http.ResponseWriter, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Write(text)
}
