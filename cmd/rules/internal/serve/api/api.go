// Package api answers questions about rulesets over HTTP, in the JSON of the commands, for builders of virtual tabletops
// and bots.
//
// A path names a ruleset, or one revision of it (tempestas@0.1.0), then a rule or procedure, then what is asked of it. The
// body of a question is an object of what the command line takes as flags. An answer that is no (a requirement that does
// not hold, an event that is not offered, a formula without a value) and a question that cannot be asked are problem
// details (RFC 9457) with a code that stays the same, and the path of the value that does not fit.
//
// The server keeps nothing between two requests: the state of a procedure is in its sheet, which the client sends back.
//
// # One request
//
// POST /v1/tempestas/test/eval passes the guard (hosts, size of the body); its body is read, then it
// passes the gate of evaluations. readQuestion finds the edition, which may be that of the character's pin, and the rule;
// Decode refuses members that it does not know, because a misspelled "optoins" would otherwise answer by the default
// rulings. The rule is prepared for the choice, mostly by an earlier request, and evaluated. The answer is the sheet's
// own JSON; what went wrong becomes a problem.
//
// # Which status
//
// 400 says that the question has no meaning whatever the rules say; 404 that a path names nothing; 405 that it is asked by
// another method, which Allow names; 408 that a body does not end; 409 that an event is not offered in this state; 413 that
// a body is too long, 415 that it is compressed; 422 that the rules, the character or the dice say no; 429 is the gate's.
// Clients should branch on "code", which is finer and never reused.
package api

import (
	"net/http"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
)

// Handler returns the handler of every path under /v1/.
//
// Each kind of question has a gate of its own, so that one cannot starve another: odds take a thousand times as long as
// an evaluation. A stream stays open for as long as its client likes, so it passes a gate anew whenever it has lines to
// answer. Questions that only read the plan have no gate. The pattern "{$}" matches the path that ends there and
// nothing below it.
func Handler(l *library.Library, o Options) http.Handler {
	s := &server{library: l, Options: o,
		streams:   webguard.NewGate(webguard.Places{Inside: maxStreams, Each: maxStreamsOfAddress}),
		streaming: webguard.NewGate(webguard.Places{Inside: o.Counting, Waiting: maxStreams, Each: maxStreams})}
	evaluating := webguard.NewGate(webguard.Places{Inside: o.Evaluating, Waiting: o.Waiting})
	counting := webguard.NewGate(webguard.Places{Inside: o.Counting, Waiting: o.Waiting})
	m := http.NewServeMux()
	m.HandleFunc("GET /v1", s.listEditions)
	m.HandleFunc("GET /v1/{$}", s.listEditions)
	m.HandleFunc("GET /v1/openapi.json", s.describeAPI)
	m.Handle("POST /v1/odds", o.Intake.Wrap(counting, http.HandlerFunc(s.diceOdds)))
	m.HandleFunc("GET /v1/{ruleset}/{$}", s.listDefinitions)
	for _, x := range []struct {
		method, path string // below a ruleset
		handler      http.Handler
	}{
		{http.MethodGet, "", http.HandlerFunc(s.listDefinitions)},
		{http.MethodGet, "/schema", http.HandlerFunc(s.characterSchema)},
		{http.MethodGet, "/{name}", http.HandlerFunc(s.describeNeeds)},
		{http.MethodGet, "/{name}/schema", http.HandlerFunc(s.inputSchema)},
		{http.MethodPost, "/{name}/eval", o.Intake.Wrap(evaluating, http.HandlerFunc(s.answerSheet))},
		{http.MethodPost, "/{name}/ask", o.Intake.Wrap(evaluating, http.HandlerFunc(s.answerNeeds))},
		{http.MethodPost, "/{name}/stream", http.HandlerFunc(s.answerStream)},
		{http.MethodPost, "/{name}/odds", o.Intake.Wrap(counting, answerOdds[Chance](s))},
		{http.MethodPost, "/{name}/fight", o.Intake.Wrap(counting, answerOdds[Fight](s))},
		{http.MethodPost, "/{name}/compare", o.Intake.Wrap(counting, answerOdds[Contest](s))},
	} {
		m.Handle(x.method+" /v1/{ruleset}"+x.path, x.handler)
		s.operations = append(s.operations, operation{x.method, x.path})
	}
	m.HandleFunc(otherwise, func(w http.ResponseWriter, r *http.Request) {
		if methods := methodsOf(m, r); methods != nil {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			WriteProblem(w, http.StatusMethodNotAllowed, "method", "this is asked by "+strings.Join(methods, " or ")+
				adviseQuestion(m, r))
			return
		}
		WriteProblem(w, http.StatusNotFound, "unknown-path", "nothing is here; /v1/openapi.json lists what there is")
	})
	return m
}

// adviseQuestion returns where a rule or a procedure that is named alone is asked; "" of any other path.
func adviseQuestion(m *http.ServeMux, r *http.Request) string {
	below := r.Clone(r.Context())
	below.URL.Path = strings.TrimSuffix(r.URL.Path, "/") + "/eval"
	if _, pattern := m.Handler(below); pattern == otherwise {
		return ""
	}
	return "; questions go to " + below.URL.Path + ", or to another path of GET /v1/"
}

// otherwise is the pattern of paths that no other pattern has.
const otherwise = "/v1/"

// methodsOf returns the methods by which the path of a request is asked.
func methodsOf(m *http.ServeMux, r *http.Request) (out []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := m.Handler(other); pattern != otherwise {
			out = append(out, method)
		}
	}
	return out
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
	// Operations are what may be asked, of any {name} among the rules and procedures.
	Operations []operation `json:"operations"`
}

// An operation is what may be asked of a ruleset.
type operation struct {
	Method string `json:"method"`
	Path   string `json:"path"`
}

// operationsOf returns the operations of an edition, by their whole paths.
func (s *server) operationsOf(e *library.Edition) (out []operation) {
	for _, x := range s.operations {
		out = append(out, operation{x.Method, "/v1/" + e.Plan.Ruleset + "@" + e.Plan.Revision + x.Path})
	}
	return out
}

// listEditions answers GET /v1/ with the served editions, their digests and what may be asked of them. Links name what is
// of no ruleset. The shelf is asked once, since a reload may put another in its place at any time.
func (s *server) listEditions(w http.ResponseWriter, _ *http.Request) {
	out := []listed{}
	editions, err := s.library.Shelf().Editions()
	if err != nil {
		writeError(w, err)
		return
	}
	for _, e := range editions {
		out = append(out, listed{e.Plan.Ruleset, e.Plan.Revision, e.Plan.Title, e.Digest, e.Plan.Overlays,
			e.Program.RuleNames(), e.Program.ProcedureNames(), s.operationsOf(e)})
	}
	w.Header().Add("Link", `</v1/openapi.json>; rel="service-desc"; type="application/json"`)
	w.Header().Add("Link", `</v1/odds>; rel="related"; title="the odds of dice in notation (POST)"`)
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

// describeNeeds answers with the needs of a rule, from which clients build forms. They are data of the plan, and the
// same for every character.
func (s *server) describeNeeds(w http.ResponseWriter, r *http.Request) {
	e, err := s.edition(r)
	id := r.PathValue("name")
	if err == nil {
		_, err = isProcedure(e, id)
	}
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

// answerSheet answers with a sheet. Everything it needs is in the request, so the same request with a seed or with dice
// has the same answer, and may be sent again after a broken connection.
func (s *server) answerSheet(w http.ResponseWriter, r *http.Request) {
	var q Question
	e, id, procedure, err := s.readQuestion(r, &q)
	if err != nil {
		writeError(w, err)
		return
	}
	text, err := q.answer(e, id, procedure)
	if err != nil {
		writeError(w, err)
		return
	}
	writeBytes(w, "application/json", text)
}

// answer returns the sheet of a rule or of a procedure in JSON.
func (q *Question) answer(e *library.Edition, id string, procedure bool) ([]byte, error) {
	if procedure {
		play, err := q.Play(e, id)
		if err != nil {
			return nil, q.ExplainPlay(e, err, play)
		}
		return play.AppendJSON(nil), nil
	}
	x, err := q.Eval(e, id)
	if err != nil {
		return nil, x.Explain(err, view.WordsOf(e.Plan, id).Teller)
	}
	return x.Sheet.AppendJSON(nil), nil
}
