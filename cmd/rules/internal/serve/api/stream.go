package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/ndjson"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A stream takes a character in each line and gives a sheet in each line, as "rules eval --ndjson" does, for as long as the
// client goes on. What all lines have in common stands in the query. Where a ruleset is served in several revisions and the
// request names none, each line is answered by itself, by the revision that its character is pinned to. A line has the bound
// of a record; the whole has none, so that a client can keep a stream open and ask through it. A client that neither sends nor
// reads is left after a while.
//
// An open stream costs memory, a line that waits for its answer costs time. So there are two limits: of streams that are
// open, and of those that have lines to answer.

// NDJSON is the media type of streams.
const NDJSON = "application/x-ndjson"

// seedHeader says from which seed the faces of a stream are drawn.
const seedHeader = "Rules-Seed"

// streamPatience is how long a stream waits for a client to send or to read.
const streamPatience = 30 * time.Second

// The bounds of streams that are open: each may hold some megabytes of lines and answers.
const (
	maxStreams          = 128
	maxStreamsOfAddress = 64
)

// IsStream reports whether the body of a request is bounded line by line and not as a whole.
func IsStream(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/") && strings.HasSuffix(r.URL.Path, "/stream")
}

// answerStream answers every line of a body.
func (s *server) answerStream(w http.ResponseWriter, r *http.Request) {
	// Everything that can be wrong with the question is found before the first byte of the answer:
	// after it the status is sent, and a problem could only be a line.
	q, answer, err := s.prepareStream(r)
	if err != nil {
		writeError(w, err)
		return
	}
	from := webguard.AddressOf(r)
	leave, err := s.streams.Enter(r.Context(), from)
	if err != nil {
		w.Header().Set("Retry-After", "1")
		WriteProblem(w, http.StatusTooManyRequests, "busy", "too many streams are open: end one, or ask again later")
		return
	}
	defer leave()
	// HTTP/1.1 allows to answer while the request is still being read, and Go's server does so only
	// when told: otherwise it would read the whole body before the first write.
	control := http.NewResponseController(w)
	if err := control.EnableFullDuplex(); err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", NDJSON)
	w.Header().Set(seedHeader, strconv.FormatUint(q.seed, 10))
	t := &turn{gate: s.streaming, from: from, ctx: r.Context()}
	t.all.L = &t.mu
	defer t.end()
	ndjson.AnswerStream(r.Context(), answer, t.begin, t.finish, &patientReader{r.Body, control},
		&patientWriter{w, control, t})
}

// prepareStream reads what the lines of a stream have in common, and returns how they are answered: by the revision that
// the request names, or each by the one that its character is pinned to. A question that no revision can answer is refused
// with the error of the newest.
func (s *server) prepareStream(r *http.Request) (*common, ndjson.Answerer, error) {
	shelf := s.library.Shelf()
	ruleset, revision, err := namedRevision(r)
	if err != nil {
		return nil, nil, err
	}
	e, err := shelf.Find(ruleset, revision)
	if err != nil {
		return nil, nil, err
	}
	q, err := readCommon(r.URL.Query())
	if err != nil {
		return nil, nil, err
	}
	id := r.PathValue("name")
	rule, batch, err := q.prepare(e, id)
	editions := shelf.Ready(ruleset)
	if revision != "" || len(editions) == 1 {
		if err != nil {
			return nil, nil, err
		}
		return q, batch.All, nil
	}
	p := &pinnedLines{common: q, shelf: shelf, ruleset: ruleset, rules: map[*library.Edition]preparedRule{e: {rule, err}}}
	isAnswered := err == nil
	for _, earlier := range editions[1:] {
		rule, _, err := q.prepare(earlier, id)
		p.rules[earlier] = preparedRule{rule, err}
		isAnswered = isAnswered || err == nil
	}
	if !isAnswered {
		return nil, nil, err
	}
	return q, ndjson.AnswerEach(p.answerLine), nil
}

// prepare returns a rule of an edition, and the batch that carries it out with the input of all lines.
func (q *common) prepare(e *library.Edition, id string) (*runtime.Rule, *runtime.Batch, error) {
	procedure, err := isProcedure(e, id)
	if err == nil && procedure {
		err = &runtime.UnknownError{What: "rule", Name: id, Known: e.Program.RuleNames()}
	}
	if err != nil {
		return nil, nil, err
	}
	rule, err := e.Rule(id, q.choice)
	if err != nil {
		return nil, nil, err
	}
	batch, err := rule.Batch(runtime.BatchOptions{Input: q.input, Seed: q.seed, Workers: 1})
	if wrong, ok := errors.AsType[*runtime.InputError](err); ok && len(q.input) == 0 {
		noInput := *wrong
		noInput.Msg += ": the input of all lines stands in the query, ?input={...}, and a line is a character alone"
		err = &noInput
	}
	return rule, batch, err
}

// pinnedLines answers lines that may be of several revisions.
type pinnedLines struct {
	*common
	shelf   *library.Shelf
	ruleset string
	rules   map[*library.Edition]preparedRule // of every edition of the ruleset
}

// A preparedRule is the rule of one edition, or why that has no answer for any line.
type preparedRule struct {
	rule *runtime.Rule
	err  error
}

// answerLine returns the sheet of the character in a line, by the revision that it is pinned to. Its faces are those that a
// batch draws for the line of this number.
func (p *pinnedLines) answerLine(line []byte, number uint64) ([]byte, error) {
	e, err := p.shelf.FindFor(p.ruleset, line, nil)
	if err != nil {
		return nil, err
	}
	x := p.rules[e]
	if x.err != nil {
		return nil, x.err
	}
	sheet, err := x.rule.Eval(runtime.Request{Character: line, Input: p.input, Throw: dice.DrawnFrom(p.seed), Record: number})
	if err != nil {
		return nil, err
	}
	return sheet.AppendJSON(nil), nil
}

// A turn is the place of a stream among those that are worked on. It is held from a line that is read until all lines that
// were are answered, or an answer waits for its client. Meanwhile no more lines than a portion are begun, and none without
// the turn: evaluation runs ahead of the answers.
type turn struct {
	gate  *webguard.Gate
	from  netip.Prefix
	ctx   context.Context
	mu    sync.Mutex
	all   sync.Cond // every line that was begun is answered
	leave func()    // nil while the turn is not held
	begun int       // lines since it was taken
	open  int       // lines without an answer
	ended bool
}

// portion is how many lines are answered in one turn.
const portion = 256

// begin waits until a line may be evaluated. When the client goes it does not wait: the stream ends by other means.
func (t *turn) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.open > 0 && !t.ended && (t.leave == nil || t.begun == portion) {
		t.all.Wait()
	}
	if t.leave == nil && !t.ended {
		t.begun = 0
		t.leave, _ = t.gate.Enter(t.ctx, t.from)
	}
	t.begun++
	t.open++
}

// finish notes the answer of a line.
func (t *turn) finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open--; t.open == 0 {
		t.giveLocked()
		t.all.Signal()
	}
}

// give gives the turn to another stream.
func (t *turn) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.giveLocked()
}

func (t *turn) giveLocked() {
	if t.leave != nil {
		t.leave()
		t.leave = nil
	}
}

// end gives the turn for good: the goroutine that reads lines may still be about to take it.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.giveLocked()
	t.ended = true
	t.all.Signal()
}

// A common is what all lines of a stream have in common.
type common struct {
	choice runtime.Choice
	input  []byte
	seed   uint64
}

// readCommon reads a query: input=JSON, seed=N, and any number of option=ID=VALUE and output=NAME.
func readCommon(query url.Values) (*common, error) {
	q := &common{choice: runtime.Choice{Options: map[string]string{}}, input: []byte(query.Get("input")),
		seed: argdata.DrawSeed()}
	for name, values := range query {
		switch name {
		case "input":
		case "output":
			q.choice.Outputs = values
		case "option":
			for _, text := range values {
				id, value, ok := strings.Cut(text, "=")
				if !ok {
					return nil, BadRequest("option " + strconv.Quote(text) + " is not ID=VALUE")
				}
				q.choice.Options[id] = value
			}
		case "seed":
			seed, err := strconv.ParseUint(values[0], 10, 64)
			if err != nil {
				return nil, BadRequest("seed " + strconv.Quote(values[0]) + " is no whole number from 0")
			}
			q.seed = seed
		default:
			return nil, BadRequest("a stream takes input, seed, option and output, and not " + name)
		}
	}
	return q, nil
}

// A patientReader waits for the client anew with each read.
type patientReader struct {
	body    io.Reader
	control *http.ResponseController
}

// Read implements io.Reader.
//
// The deadline is of one read and set anew each time, so that a stream may live for days, and a
// client that has vanished is given up after streamPatience.
func (p *patientReader) Read(into []byte) (int, error) {
	if err := p.control.SetReadDeadline(time.Now().Add(streamPatience)); err != nil {
		return 0, err
	}
	return p.body.Read(into)
}

// A patientWriter sends what is written at once, and waits for the client anew with each write.
type patientWriter struct {
	answer  io.Writer
	control *http.ResponseController
	turn    *turn
}

// Write implements io.Writer.
//
// Without the flush an answer would wait in a buffer for the next line, which a client that waits
// for it never sends.
func (p *patientWriter) Write(text []byte) (int, error) {
	p.turn.give()
	if err := p.control.SetWriteDeadline(time.Now().Add(streamPatience)); err != nil {
		return 0, err
	}
	n, err := p.answer.Write(text)
	if err == nil {
		err = p.control.Flush()
	}
	return n, err
}
