package why

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A result is what an evaluation says of the output that is asked about.
type result struct {
	output json.RawMessage
	dice   dice.Rolls
	steps  []*trace.Step // the tree of the output, when it was asked for
	madeUp bool          // dice fell of which there are no faces
}

// An asker evaluates what a question is about: a rule, or a step of a procedure. Options are nil for those of the question.
//
// Rules and steps of procedures are asked in the same way from here on; only what has to happen
// before the answer differs.
type asker interface {
	ask(options map[string]string, r runtime.Request) (*result, error)
}

func newAsker(q *subject) (asker, error) {
	if q.isRule() {
		a := &ruleAsker{subject: q}
		var err error
		a.rule, err = a.prepareRule(q.asked.Options)
		return a, err
	}
	a := &stepAsker{subject: q}
	var known []string
	if a.ofEvent, known = a.findOutput(); !a.ofEvent && !slices.Contains(known, q.asked.Why) {
		return nil, &runtime.UnknownError{What: "output", Name: q.asked.Why, Known: known}
	}
	return a, nil
}

// refusalOf returns the message of the refusal of the question. It is "" if the error is none, no refusal, or that of
// an earlier step.
func refusalOf(err error) string {
	if _, isEarlier := errors.AsType[*earlierError](err); isEarlier {
		return ""
	}
	if refusal, ok := errors.AsType[*runtime.Refused](err); ok {
		return refusal.Require.Message
	}
	if off, ok := errors.AsType[*runtime.NotOffered](err); ok {
		return off.Error()
	}
	return ""
}

// A ruleAsker asks a rule for the one output.
type ruleAsker struct {
	*subject
	rule *runtime.Rule
}

func (a *ruleAsker) prepareRule(options map[string]string) (*runtime.Rule, error) {
	return a.program.Rule(a.asked.Subject, runtime.Choice{Options: options, Outputs: []string{a.asked.Why}})
}

func (a *ruleAsker) ask(options map[string]string, r runtime.Request) (*result, error) {
	rule := a.rule
	if options != nil {
		var err error
		if rule, err = a.prepareRule(options); err != nil {
			return nil, err
		}
	}
	sheet, err := rule.Eval(r)
	if err != nil {
		return nil, err
	}
	value, _ := sheet.Output.Get(a.asked.Why)
	return &result{output: value.AppendJSON(nil), dice: sheet.Dice, steps: sheet.Trace}, nil
}

// A stepAsker asks the start of a procedure, or an event after what happened before it.
type stepAsker struct {
	*subject
	ofEvent bool          // the output is the event's own; else it is the procedure's, after the step
	played  *runtime.Play // before the event under the options of the question, once it was asked for
}

// findOutput reports whether the event has the output, and lists the outputs that can be asked about.
func (a *stepAsker) findOutput() (ofEvent bool, known []string) {
	d := a.program.Plan().Procedure(a.asked.Subject)
	if e := d.Event(a.event); e != nil {
		known = e.Graph.Outputs.Type.FieldNames()
	}
	return slices.Contains(known, a.asked.Why), append(known, d.Close.Outputs.Type.FieldNames()...)
}

func (a *stepAsker) ask(options map[string]string, r runtime.Request) (*result, error) {
	if a.event == "" {
		if options == nil {
			options = a.asked.Options
		}
		return a.askStart(options, r)
	}
	play, err := a.playBefore(options)
	if err != nil {
		return nil, err
	}
	if err := play.Do(runtime.Step{Event: a.event, Input: r.Input, Throw: r.Throw, Source: r.Source}, r.Trace); err != nil {
		return nil, err
	}
	happened := &play.Events[len(play.Events)-1]
	if !a.ofEvent {
		return a.resultOf(play, happened.Dice), nil
	}
	var outputs map[string]json.RawMessage
	if err := json.Unmarshal(happened.Output, &outputs); err != nil {
		return nil, err
	}
	return &result{output: outputs[a.asked.Why], dice: happened.Dice, steps: a.treeOf(happened.Trace)}, nil
}

// playBefore returns a play of its own before the event.
//
// Under the options of the question the play before the event is made once and copied for each try.
// Under other options it is played from its start, for the events before may have gone otherwise.
func (a *stepAsker) playBefore(options map[string]string) (*runtime.Play, error) {
	if options != nil {
		return a.playFromStart(options)
	}
	if a.played == nil {
		a.played = a.asked.From
	}
	if a.played == nil {
		play, err := a.playFromStart(a.asked.Options)
		if err != nil {
			return nil, err
		}
		a.played = play
	}
	play := *a.played // an event replaces what it changes
	return &play, nil
}

func (a *stepAsker) playFromStart(options map[string]string) (*runtime.Play, error) {
	d, err := a.program.Procedure(a.asked.Subject, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	play, err := d.Play(a.asked.Request, a.before...)
	if err != nil {
		return nil, &earlierError{err}
	}
	return play, nil
}

// An earlierError is that of a step before the event that is asked about.
type earlierError struct{ error }

// Unwrap returns the error of the step.
func (e *earlierError) Unwrap() error { return e.error }

func (a *stepAsker) askStart(options map[string]string, r runtime.Request) (*result, error) {
	d, err := a.program.Procedure(a.asked.Subject, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	play, err := d.Start(r)
	if err != nil {
		return nil, err
	}
	return a.resultOf(play, play.Dice), nil
}

// resultOf returns the result of a procedure after a step in which faces fell.
func (a *stepAsker) resultOf(play *runtime.Play, faces dice.Rolls) *result {
	value, _ := play.Output.Get(a.asked.Why)
	return &result{output: value.AppendJSON(nil), dice: faces, steps: a.treeOf(play.Trace)}
}

// treeOf is the tree of the output among those of a step.
func (a *stepAsker) treeOf(steps []*trace.Step) []*trace.Step {
	i := slices.IndexFunc(steps, func(s *trace.Step) bool { return s.Kind == trace.Named && s.Name == a.asked.Why })
	if i < 0 {
		return nil
	}
	return steps[i : i+1]
}
