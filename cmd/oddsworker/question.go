package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A question has the members of a body of /odds that need no compiler. Formulas and conditions do: a program takes the
// joint distribution, and counts in it what it asks about.
type question struct {
	Subject   string            `json:"subject"` // the rule or the procedure
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Exact     bool              `json:"exact"`
	Joint     bool              `json:"joint"`
	Budget    int64             `json:"budget"`

	// Of a procedure.
	Policy []string `json:"policy"` // events without guards, in the order in which they are tried
	After  *int     `json:"after"`
	Most   *int     `json:"most"`

	// What is asked of a server, and refused here.
	Given    json.RawMessage `json:"given"`
	Formulas json.RawMessage `json:"formulas"`
}

// A problem is why there is no answer, in the words and codes of the server.
type problem struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Path   string `json:"path,omitempty"`
	Cite   string `json:"cite,omitempty"`
}

// A badQuestion is one that has no meaning here.
type badQuestion string

func (e badQuestion) Error() string { return string(e) }

// A solver answers questions about the rules of a plan. It keeps those it has prepared: that takes longer than most
// answers.
type solver struct {
	program *runtime.Program
	rules   map[string]*runtime.Rule // by subject and options
}

func newSolver(program *runtime.Program) *solver {
	return &solver{program: program, rules: map[string]*runtime.Rule{}}
}

// ruleOf returns the rule that a question is about.
func (s *solver) ruleOf(q *question) (*runtime.Rule, error) {
	key := q.Subject + string(encode(q.Options))
	if rule := s.rules[key]; rule != nil {
		return rule, nil
	}
	rule, err := s.program.Rule(q.Subject, runtime.Choice{Options: q.Options})
	if err == nil {
		s.rules[key] = rule
	}
	return rule, err
}

// answer returns the JSON of an answer, or of {"problem": ...}.
func (s *solver) answer(text []byte) []byte {
	var q question
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return problemOf(badQuestion(err.Error()))
	}
	if _, err := d.Token(); err != io.EOF {
		return problemOf(badQuestion("something stands behind the question"))
	}
	if isGiven(q.Given) || isGiven(q.Formulas) {
		return problemOf(badQuestion("given and formulas are text that a server compiles; here ask for the joint " +
			"distribution, and count in it"))
	}
	ask := q.askRule
	if s.program.Plan().Procedure(q.Subject) != nil {
		ask = q.askProcedure
	}
	answer, err := ask(s)
	if err != nil {
		return problemOf(err)
	}
	return encode(answer)
}

// isGiven reports whether a member is there, and not null.
func isGiven(member json.RawMessage) bool { return member != nil && string(member) != "null" }

// encode returns a value as JSON, with < > & as they are: formulas are full of them.
func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return problemOf(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

func (q *question) request() runtime.Request {
	return runtime.Request{Character: q.Character, Input: q.Input}
}

// askRule returns the distributions of a rule.
func (q *question) askRule(s *solver) (any, error) {
	if q.Policy != nil || q.After != nil || q.Most != nil {
		return nil, badQuestion("policy, after and most are of procedures, and " + q.Subject + " is none")
	}
	rule, err := s.ruleOf(q)
	if err != nil {
		return nil, err
	}
	a, err := rule.Odds(context.Background(), q.request(),
		&odds.Options{Outputs: q.Outputs, Exact: q.Exact, Joint: q.Joint, Budget: q.Budget})
	if err != nil {
		return nil, err
	}
	return q.describe(oddsjson.RuleSubject(s.program.Plan(), q.Subject), a), nil
}

// describe returns an answer as the server does.
func (q *question) describe(s oddsjson.Subject, a *odds.Answer) *oddsjson.Answer {
	fractions := a.Joint
	if !q.Exact {
		fractions = nil
	}
	out := oddsjson.NewAnswer(s, a, oddsjson.NewEndings(a.Endings, fractions), q.Exact)
	if q.Joint {
		out.Joint = oddsjson.NewOutcomes(a.Joint, q.Exact)
	}
	return out
}

// askProcedure returns how a procedure ends under a policy.
func (q *question) askProcedure(s *solver) (any, error) {
	switch {
	case len(q.Policy) == 0:
		return nil, badQuestion("a procedure needs a policy, the events that are tried in order, such as [\"roll\"]")
	case q.Joint || q.Outputs != nil:
		return nil, badQuestion("the outputs of a procedure are answered by a server; here its ends are")
	case q.After != nil && *q.After < 1, q.Most != nil && *q.Most < 1:
		return nil, badQuestion("after and most: follow at least one event, or leave them out")
	case q.Most != nil && countOf(q.After) > *q.Most:
		return nil, badQuestion(fmt.Sprintf("after %d, most %d: follow at least as many events as after", *q.After, *q.Most))
	}
	procedure, err := s.program.Procedure(q.Subject, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	policy, err := readPolicy(s.program.Plan().Procedure(q.Subject), q.Policy)
	if err != nil {
		return nil, err
	}
	course, err := procedure.Odds(context.Background(), q.request(), policy,
		&runtime.CourseOptions{After: countOf(q.After), Most: countOf(q.Most), Exact: q.Exact, Budget: q.Budget})
	if err != nil {
		return nil, err
	}
	return oddsjson.NewCourse(oddsjson.ProcedureSubject(s.program.Plan(), q.Subject), course), nil
}

// countOf returns a number of events as the runtime has it: 0 for one that is not given.
func countOf(events *int) int {
	if events == nil {
		return 0
	}
	return *events
}

// readPolicy reads moves without guards: roll {"difficulty": "hard"}.
func readPolicy(d *plan.Procedure, moves []string) (runtime.Policy, error) {
	var out runtime.Policy
	for _, text := range moves {
		p, err := phrase.SplitMove(text)
		if err != nil {
			return nil, badQuestion("policy " + text + ": the input of the event is no JSON: " + err.Error())
		}
		if p.Rest != "" {
			return nil, badQuestion("policy " + text + ": a guard is a formula, which a server compiles")
		}
		m := runtime.Move{Event: p.Event}
		var shape *plan.Shape
		if e := d.Event(p.Event); e != nil {
			shape = e.Input
		}
		if m.Input, err = p.InputFor(shape); err != nil {
			return nil, badQuestion("policy " + text + ": " + err.Error())
		}
		out = append(out, m)
	}
	return out, nil
}

// problemOf returns the JSON of an error.
func problemOf(err error) []byte {
	p := problem{Code: "internal", Status: 500, Detail: err.Error()}
	if e, ok := errors.AsType[badQuestion](err); ok {
		p = problem{Code: "bad-request", Status: 400, Detail: e.Error()}
	} else if e, ok := errors.AsType[*runtime.UnknownError](err); ok {
		p = problem{Code: "unknown-name", Status: 400, Detail: e.Error()}
	} else if e, ok := errors.AsType[*runtime.InputError](err); ok {
		p = problem{Code: "input", Status: 422, Detail: e.Msg, Path: e.Root + e.Path}
	} else if e, ok := errors.AsType[*dice.Error](err); ok {
		p = problem{Code: "dice", Status: 422, Detail: e.Error()}
	} else if e, ok := errors.AsType[*runtime.Refused](err); ok {
		p = problem{Code: "refused", Status: 422, Detail: e.Error(), Cite: e.Require.Cite}
	} else if _, ok := errors.AsType[*runtime.Failure](err); ok {
		p.Code, p.Status = "no-value", 422
	} else if _, ok := errors.AsType[*odds.BudgetError](err); ok {
		p.Code, p.Status = "too-large", 422
	}
	return encode(map[string]problem{"problem": p})
}
