// Package api answers questions about rulesets over HTTP, in the JSON of the commands, for builders of virtual tabletops
// and bots.
//
// A path names a ruleset, or one revision of it (tempestas@0.1.0), then a rule or procedure, then what is asked of it. The
// body of a question is an object of what the command line takes as flags. An answer that is no (a requirement that does
// not hold, an event that is not offered, a formula without a value) and a question that cannot be asked are problem
// details (RFC 9457) with a code that stays the same, and the path of the value that does not fit.
//
// The server keeps nothing between two requests: the state of a procedure is in its sheet, which the client sends back.
package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/webguard"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// Options are the bounds of a server.
type Options struct {
	Budget     int64 // of states that one question for odds may meet
	Evaluating int   // questions that are evaluated at once
	Counting   int   // questions for odds that are answered at once
	Waiting    int   // questions of each kind that may wait
}

// A server answers from a library.
type server struct {
	library *library.Library
	Options
}

// Handler answers every path under /v1/.
func Handler(l *library.Library, o Options) http.Handler {
	s := &server{l, o}
	evaluating := webguard.NewGate(o.Evaluating, o.Waiting, WriteProblem)
	streaming := webguard.NewGate(o.Evaluating, o.Waiting, WriteProblem)
	counting := webguard.NewGate(o.Counting, o.Waiting, WriteProblem)
	m := http.NewServeMux()
	m.HandleFunc("GET /v1/{$}", s.listEditions)
	m.HandleFunc("GET /v1/openapi.json", s.describeAPI)
	m.HandleFunc("GET /v1/{ruleset}/{$}", s.listDefinitions)
	m.HandleFunc("GET /v1/{ruleset}/schema", s.characterSchema)
	m.HandleFunc("GET /v1/{ruleset}/{name}", s.describeNeeds)
	m.HandleFunc("GET /v1/{ruleset}/{name}/schema", s.inputSchema)
	m.Handle("POST /v1/{ruleset}/{name}/eval", evaluating.Wrap(http.HandlerFunc(s.eval)))
	m.Handle("POST /v1/{ruleset}/{name}/ask", evaluating.Wrap(http.HandlerFunc(s.ask)))
	m.Handle("POST /v1/{ruleset}/{name}/stream", streaming.Wrap(http.HandlerFunc(s.stream)))
	m.Handle("POST /v1/{ruleset}/{name}/odds", counting.Wrap(http.HandlerFunc(s.odds)))
	m.Handle("POST /v1/odds", counting.Wrap(http.HandlerFunc(s.diceOdds)))
	m.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		WriteProblem(w, http.StatusNotFound, "unknown-path", "nothing is here; /v1/openapi.json lists what there is")
	})
	return m
}

// edition is the revision that a request is about: that of its path, or of the header Rules-Revision.
func (s *server) edition(r *http.Request) (*library.Edition, error) {
	ruleset, revision, named := strings.Cut(r.PathValue("ruleset"), "@")
	if header := r.Header.Get(revisionHeader); header != "" {
		if named && header != revision {
			return nil, badRequest("the path names revision " + revision + ", and the header " + revisionHeader + " " + header)
		}
		revision = header
	}
	return s.library.Shelf().Find(ruleset, revision)
}

// revisionHeader names a revision where the path does not.
const revisionHeader = "Rules-Revision"

// subject is what a question is about: an edition, and a rule or procedure of it.
func (s *server) subject(r *http.Request) (e *library.Edition, id string, procedure bool, err error) {
	if e, err = s.edition(r); err != nil {
		return nil, "", false, err
	}
	id = r.PathValue("name")
	for _, known := range e.Program.ProcedureNames() {
		if known == id {
			return e, id, true, nil
		}
	}
	for _, known := range e.Program.RuleNames() {
		if known == id {
			return e, id, false, nil
		}
	}
	return nil, "", false, &runtime.UnknownError{What: "rule or procedure", Name: id, Known: describe.EvaluableNames(e.Plan)}
}

// A listed edition, as GET /v1/ has it.
type listed struct {
	Ruleset    string   `json:"ruleset"`
	Revision   string   `json:"revision"`
	Title      string   `json:"title"`
	Digest     string   `json:"digest"`
	Homebrews  []string `json:"homebrews,omitempty"`
	Rules      []string `json:"rules"`
	Procedures []string `json:"procedures"`
}

func (s *server) listEditions(w http.ResponseWriter, _ *http.Request) {
	out := []listed{}
	for _, e := range s.library.Shelf().Editions {
		out = append(out, listed{e.Plan.Ruleset, e.Plan.Revision, e.Plan.Title, e.Digest, e.Plan.Overlays,
			e.Program.RuleNames(), e.Program.ProcedureNames()})
	}
	writeValue(w, out)
}

func (s *server) listDefinitions(w http.ResponseWriter, r *http.Request) {
	e, err := s.edition(r)
	if err != nil {
		writeError(w, err)
		return
	}
	writeValue(w, describe.ItemsOf(e.Plan))
}

func (s *server) describeNeeds(w http.ResponseWriter, r *http.Request) {
	e, id, _, err := s.subject(r)
	if err != nil {
		writeError(w, err)
		return
	}
	writeValue(w, describe.NeedsOf(e.Plan, id))
}

func (s *server) characterSchema(w http.ResponseWriter, r *http.Request) { s.writeSchema(w, r, "") }

func (s *server) inputSchema(w http.ResponseWriter, r *http.Request) {
	s.writeSchema(w, r, r.PathValue("name"))
}

func (s *server) writeSchema(w http.ResponseWriter, r *http.Request, input string) {
	e, err := s.edition(r)
	if err != nil {
		writeError(w, err)
		return
	}
	schema, err := jsonschema.Generate(e.Plan, input)
	if err != nil {
		writeError(w, err)
		return
	}
	writeBytes(w, "application/schema+json", schema)
}

// A question is the body of a question.
type question struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Dice      *faces            `json:"dice"`
	Seed      *uint64           `json:"seed"`
	Trace     bool              `json:"trace"`
	State     json.RawMessage   `json:"state"`
	Events    []event           `json:"events"`
	Exact     bool              `json:"exact"`
}

// An event of a procedure, with its faces when they were rolled.
type event struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input"`
	Dice  *faces          `json:"dice"`
}

// faces that fell: a list in the order in which they fell, or lists by the id of their die.
type faces struct {
	list []int64
	byID map[string][]int64
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *faces) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return json.Unmarshal(text, &f.byID)
	}
	return json.Unmarshal(text, &f.list)
}

// source gives the faces to an evaluation.
func (f *faces) source() dice.Source {
	if f.byID != nil {
		return dice.ByID(f.byID)
	}
	return dice.FromList(f.list)
}

// foreign refuses the members of a question that have no meaning where it is asked.
func (q *question) foreign(where string, given map[string]bool) error {
	for name, is := range given {
		if is {
			return badRequest(name + " has no meaning for " + where)
		}
	}
	return nil
}

// chooseFaces are the given faces, or those of a seed, which is drawn when none is given.
func (q *question) chooseFaces(event uint64) (dice.Source, *uint64, error) {
	switch {
	case q.Dice != nil && q.Seed != nil:
		return nil, nil, badRequest("dice and seed both say how the dice fall: leave one out")
	case q.Dice != nil:
		return q.Dice.source(), nil, nil
	case q.Seed == nil:
		seed := argdata.DrawSeed()
		q.Seed = &seed
	}
	return dice.FromSeed(*q.Seed, 0, event), q.Seed, nil
}

func (s *server) eval(w http.ResponseWriter, r *http.Request) {
	e, id, procedure, err := s.subject(r)
	if err != nil {
		writeError(w, err)
		return
	}
	var q question
	if err := readBody(r, &q); err != nil {
		writeError(w, err)
		return
	}
	answer := q.evalRule
	if procedure {
		answer = q.playProcedure
	}
	text, err := answer(e, id)
	if err != nil {
		writeError(w, err)
		return
	}
	writeBytes(w, "application/json", text)
}

// evalRule gives the sheet of a rule.
func (q *question) evalRule(e *library.Edition, id string) ([]byte, error) {
	if err := q.foreign("a rule", map[string]bool{"state": q.State != nil, "events": q.Events != nil,
		"exact": q.Exact}); err != nil {
		return nil, err
	}
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if err != nil {
		return nil, err
	}
	source, seed, err := q.chooseFaces(0)
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(runtime.Request{Character: orEmpty(q.Character), Input: q.Input, Dice: source, Seed: seed,
		Trace: q.Trace})
	if err != nil {
		return nil, err
	}
	if len(sheet.Dice) == 0 {
		sheet.Seed = nil
	}
	return sheet.AppendJSON(nil), nil
}

// orEmpty is a record of which nothing is said.
func orEmpty(text json.RawMessage) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// playProcedure gives the sheet of a procedure, after the events of the question. One that is refused refuses all.
func (q *question) playProcedure(e *library.Edition, id string) ([]byte, error) {
	if err := q.foreign("a procedure", map[string]bool{"outputs": q.Outputs != nil, "exact": q.Exact}); err != nil {
		return nil, err
	}
	play, err := q.beginPlay(e, id)
	if err != nil {
		return nil, err
	}
	for i, x := range q.Events {
		source, drawn := q.facesOf(&x, play)
		if err := play.Do(runtime.Event{Name: x.Event, Input: x.Input, Dice: source, Trace: q.Trace}); err != nil {
			return nil, &eventError{i, x.Event, err}
		}
		if drawn && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = q.Seed
		}
	}
	return play.AppendJSON(nil), nil
}

// facesOf are the faces of an event: its own, or those of the seed.
func (q *question) facesOf(x *event, play *runtime.Play) (source dice.Source, drawn bool) {
	if x.Dice != nil {
		return x.Dice.source(), false
	}
	if q.Seed == nil {
		seed := argdata.DrawSeed()
		q.Seed = &seed
	}
	return dice.FromSeed(*q.Seed, 0, play.Number()), true
}

// beginPlay starts a procedure, or goes on with the sheet in state.
func (q *question) beginPlay(e *library.Edition, id string) (*runtime.Play, error) {
	if q.State != nil {
		return q.resumePlay(e, id)
	}
	procedure, err := e.Procedure(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	source, seed, err := q.chooseFaces(0)
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(runtime.Request{Character: orEmpty(q.Character), Input: q.Input, Dice: source, Seed: seed,
		Trace: q.Trace})
	if err != nil {
		return nil, err
	}
	if len(play.Dice) == 0 {
		play.Seed = nil
	}
	return play, nil
}

// resumePlay goes on with a sheet. A seed that its faces were drawn from goes on being used.
func (q *question) resumePlay(e *library.Edition, id string) (*runtime.Play, error) {
	if err := q.foreign("a state, which has its own", map[string]bool{"character": q.Character != nil,
		"input": q.Input != nil, "options": q.Options != nil, "dice": q.Dice != nil}); err != nil {
		return nil, err
	}
	saved, err := runtime.ReadState(q.State)
	if err != nil {
		return nil, err
	}
	procedure, err := e.Procedure(id, runtime.Choice{Options: saved.Options})
	if err != nil {
		return nil, err
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, err
	}
	switch {
	case saved.Seed != nil && q.Seed != nil && *saved.Seed != *q.Seed:
		return nil, badRequest("the state was drawn from another seed: leave seed out")
	case saved.Seed != nil:
		q.Seed = saved.Seed
	}
	return play, nil
}

// An eventError is an event that did not happen.
type eventError struct {
	index int
	name  string
	err   error
}

// Error names the event.
func (e *eventError) Error() string { return "event " + e.name + ": " + e.err.Error() }

// Unwrap is why it did not happen.
func (e *eventError) Unwrap() error { return e.err }

// readBody reads the JSON object of a question.
func readBody(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return bodyError(err)
	}
	if d.More() {
		return badRequest("there is more text after the object")
	}
	return nil
}

// bodyError says of JSON that cannot be read whether it is too long.
func bodyError(err error) error {
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return e
	}
	return badRequest(err.Error())
}
