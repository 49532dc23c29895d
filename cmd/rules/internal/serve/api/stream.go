package api

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/ndjson"
	"github.com/tabletop-rules/rules/runtime"
)

// A stream takes a character in each line and gives a sheet in each line, as "rules eval --ndjson" does, for as long as the
// client goes on. What all lines have in common stands in the query. A line has the bound of a record; the whole has none,
// so that a client can keep a stream open and ask through it. A client that neither sends nor reads is left after a while.

// NDJSON is the media type of streams.
const NDJSON = "application/x-ndjson"

// seedHeader says from which seed the faces of a stream are drawn.
const seedHeader = "Rules-Seed"

// streamPatience is how long a stream waits for a client to send or to read.
const streamPatience = 30 * time.Second

// IsStream reports whether the body of a request is bounded line by line and not as a whole.
func IsStream(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/") && strings.HasSuffix(r.URL.Path, "/stream")
}

// stream answers every line of a body.
func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	e, id, procedure, err := s.subject(r)
	if err == nil && procedure {
		err = &runtime.UnknownError{What: "rule", Name: id, Known: e.Program.RuleNames()}
	}
	// Everything that can be wrong with the question is found before the first byte of the answer:
	// after it the status is sent, and a problem could only be a line.
	var q *common
	if err == nil {
		q, err = readCommon(r.URL.Query())
	}
	var rule *runtime.Rule
	if err == nil {
		rule, err = e.Rule(id, q.choice)
	}
	var batch *runtime.Batch
	if err == nil {
		batch, err = rule.Batch(runtime.BatchOptions{Input: q.input, Seed: q.seed, Workers: 1})
	}
	if err != nil {
		writeError(w, err)
		return
	}
	// HTTP/1.1 allows to answer while the request is still being read, and Go's server does so only
	// when told: otherwise it would read the whole body before the first write.
	control := http.NewResponseController(w)
	if err := control.EnableFullDuplex(); err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", NDJSON)
	w.Header().Set(seedHeader, strconv.FormatUint(q.seed, 10))
	ndjson.AnswerStream(r.Context(), batch.All, &patientReader{r.Body, control}, &patientWriter{w, control})
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
					return nil, badRequest("option " + strconv.Quote(text) + " is not ID=VALUE")
				}
				q.choice.Options[id] = value
			}
		case "seed":
			seed, err := strconv.ParseUint(values[0], 10, 64)
			if err != nil {
				return nil, badRequest("seed " + strconv.Quote(values[0]) + " is no whole number from 0")
			}
			q.seed = seed
		default:
			return nil, badRequest("a stream takes input, seed, option and output, and not " + name)
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
}

// Write implements io.Writer.
//
// Without the flush an answer would wait in a buffer for the next line, which a client that waits
// for it never sends.
func (p *patientWriter) Write(text []byte) (int, error) {
	if err := p.control.SetWriteDeadline(time.Now().Add(streamPatience)); err != nil {
		return 0, err
	}
	n, err := p.answer.Write(text)
	if err == nil {
		err = p.control.Flush()
	}
	return n, err
}
