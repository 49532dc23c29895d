package webguard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// The bounds of what clients occupy by being slow.
const (
	// smallText is how many bytes of a body or an answer count for nothing: buffers of a connection have as many.
	smallText   = 64 << 10
	largeTexts  = 8                // larger bodies that are held at once, and as many answers
	bodyTime    = 10 * time.Second // in which a large body comes, once it has a place
	writingTime = 30 * time.Second // in which a client reads its answer
)

// An Intake reads bodies before their questions enter a gate, and writes answers after they have left it.
type Intake struct {
	bodies, answers *Gate // large ones that are held
	heavy           *Gate // questions with large bodies that are worked on, so that small ones wait for one of them at most
	refuse          func(w http.ResponseWriter, status int, code, detail string)
}

// NewIntake returns an intake, which all gates of a server share.
func NewIntake(refuse func(w http.ResponseWriter, status int, code, detail string)) *Intake {
	return &Intake{
		bodies:  NewGate(Places{Inside: largeTexts, Waiting: 16 * largeTexts}),
		heavy:   NewGate(Places{Inside: 1, Waiting: largeTexts, Each: largeTexts + 1}),
		answers: NewGate(Places{Inside: largeTexts, Each: largeTexts}),
		refuse:  refuse,
	}
}

// Wrap puts a gate before a handler, which finds the whole body read, and whose answer is kept until it has returned. The
// context of the request ends when the client goes, also while the question waits.
func (n *Intake) Wrap(g *Gate, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, release, err := n.readBody(w, r)
		defer release()
		if err != nil {
			n.refuseBody(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		a := &answer{header: w.Header(), status: http.StatusOK}
		gates := []*Gate{g}
		if len(body) > smallText {
			gates = []*Gate{n.heavy, g}
		}
		if err := n.work(gates, next, a, r); err != nil {
			n.refuseBusy(w, err)
			return
		}
		n.write(w, r, a)
	})
}

// work carries a handler out inside gates. It leaves them also when the handler panics.
func (n *Intake) work(gates []*Gate, next http.Handler, a *answer, r *http.Request) error {
	defer markBusy(r)()
	for _, g := range gates {
		leave, err := g.Enter(r.Context(), AddressOf(r))
		if err != nil {
			return err
		}
		defer leave()
	}
	next.ServeHTTP(a, r)
	return nil
}

// readBody reads a body to its end, from which on the server notices when the client goes. A large one needs a place, which
// release gives back.
func (n *Intake) readBody(w http.ResponseWriter, r *http.Request) (text []byte, release func(), err error) {
	release = func() {}
	if text, err = io.ReadAll(io.LimitReader(r.Body, smallText+1)); err != nil || len(text) <= smallText {
		return text, release, err
	}
	leave, err := n.bodies.Enter(r.Context(), AddressOf(r))
	if err != nil {
		return nil, release, err
	}
	if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)); ignoreUnsupported(err) != nil {
		return nil, leave, err
	}
	rest, err := io.ReadAll(r.Body)
	return append(text, rest...), leave, err
}

// refuseBody answers a request whose body did not come. Nobody reads the answer to one whose client has gone.
func (n *Intake) refuseBody(w http.ResponseWriter, err error) {
	w.Header().Set("Connection", "close")
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		n.refuse(w, http.StatusRequestEntityTooLarge, "too-long", tooLong.Error())
		return
	}
	if errors.Is(err, ErrBusy) {
		n.refuseBusy(w, err)
		return
	}
	n.refuse(w, http.StatusRequestTimeout, "incomplete", "the body did not come to its end")
}

// refuseBusy answers a request that may not wait.
func (n *Intake) refuseBusy(w http.ResponseWriter, err error) {
	if errors.Is(err, ErrBusy) {
		w.Header().Set("Retry-After", "1")
		n.refuse(w, http.StatusTooManyRequests, "busy", err.Error())
	}
}

// write sends an answer to a client that may read slowly, or not at all.
func (n *Intake) write(w http.ResponseWriter, r *http.Request, a *answer) {
	if a.text.Len() > smallText {
		leave, err := n.answers.Enter(r.Context(), AddressOf(r))
		if err != nil {
			clear(a.header)
			n.refuseBusy(w, err)
			return
		}
		defer leave()
	}
	if ignoreUnsupported(http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writingTime))) != nil {
		return
	}
	a.header.Set("Content-Length", strconv.Itoa(a.text.Len()))
	w.WriteHeader(a.status)
	w.Write(a.text.Bytes())
}

// ignoreUnsupported returns nil for an operation that a recorder of answers lacks, unlike a connection, and any other
// error unchanged.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// An answer is kept in memory until the question has left its gate.
type answer struct {
	header http.Header
	status int
	text   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(text []byte) (int, error) { return a.text.Write(text) }
