package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// longestQuestion bounds a line, in bytes.
const longestQuestion = 16 << 20

// A question is a line as "rules vectors --run" writes it.
type question struct {
	Ruleset   string            `json:"ruleset"`
	Revision  string            `json:"revision"`
	Kind      string            `json:"kind"` // rule, procedure or odds
	Subject   string            `json:"subject"`
	Options   map[string]string `json:"options"`
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Dice      dice.Faces        `json:"dice"`
	Events    []runtime.Step    `json:"events"`
}

// answerLines answers every line of a file with a line, at once: whoever asks waits for it.
func answerLines(file string, in io.Reader, out io.Writer) error {
	program, err := loadProgram(file)
	if err != nil {
		return err
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, longestQuestion)
	for s.Scan() {
		answer, err := json.Marshal(answerLine(program, s.Bytes()))
		if err != nil {
			return err
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
	return s.Err()
}

// An answer has one member: "sheet", "odds", "refused", "failed", or "error".
type answer map[string]any

// answerLine answers one question.
func answerLine(program *runtime.Program, line []byte) answer {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return answer{"error": err.Error()}
	}
	p := program.Plan()
	if q.Ruleset != p.Ruleset || q.Revision != p.Revision {
		return answer{"error": fmt.Sprintf("the plan is of %s %s, and not of %s %s", p.Ruleset, p.Revision, q.Ruleset,
			q.Revision)}
	}
	switch q.Kind {
	case "rule":
		return answerWith("sheet", q.evalRule, program)
	case "procedure":
		return answerWith("sheet", q.playProcedure, program)
	case "odds":
		return answerWith("odds", q.computeOdds, program)
	}
	return answer{"unsupported": "kind " + q.Kind}
}

// answerWith is an answer of a kind, or the end that there is instead.
func answerWith[T any](kind string, ask func(*runtime.Program) (T, error), program *runtime.Program) answer {
	result, err := ask(program)
	if err == nil {
		return answer{kind: result}
	}
	if e, ok := errors.AsType[*runtime.Refused](err); ok {
		return answer{"refused": answer{"message": e.Require.Message}}
	}
	if e, ok := errors.AsType[*runtime.NotOffered](err); ok {
		return answer{"refused": answer{"event": e.Event}}
	}
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return answer{"refused": answer{"path": e.Root + e.Path}}
	}
	if e, ok := errors.AsType[*dice.Error](err); ok {
		return answer{"refused": answer{"die": e.ID}}
	}
	if e, ok := errors.AsType[*runtime.Failure](err); ok {
		return answer{"failed": answer{"message": e.Msg}}
	}
	return answer{"error": err.Error()}
}

func (q *question) choice() runtime.Choice { return runtime.Choice{Options: q.Options} }

func (q *question) request() runtime.Request {
	return runtime.Request{Character: q.Character, Input: q.Input, Throw: dice.Throw{Dice: q.Dice}}
}

func (q *question) evalRule(program *runtime.Program) (*runtime.Sheet, error) {
	rule, err := program.Rule(q.Subject, q.choice())
	if err != nil {
		return nil, err
	}
	return rule.Eval(q.request())
}

func (q *question) playProcedure(program *runtime.Program) (*runtime.Play, error) {
	procedure, err := program.Procedure(q.Subject, q.choice())
	if err != nil {
		return nil, err
	}
	return procedure.Play(q.request(), q.Events...)
}

func (q *question) computeOdds(program *runtime.Program) (*odds.Probabilities, error) {
	rule, err := program.Rule(q.Subject, q.choice())
	if err != nil {
		return nil, err
	}
	answer, err := rule.Odds(context.Background(), q.request(), &odds.Options{Exact: true, Joint: true})
	if err != nil {
		return nil, err
	}
	return answer.Joint.Probabilities(), nil
}
