package gametable

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// traceResult returns the trace of the last result: of the sheet of a rule, or of the last event. It is carried out again
// with the faces that fell.
func (s *Session) traceResult() ([]*trace.Step, error) {
	m := &s.moment
	switch {
	case m.sheet != nil:
		rule, err := s.Program.Rule(m.subject, runtime.Choice{Options: s.Options})
		if err != nil {
			return nil, err
		}
		request := runtime.Request{Throw: dice.FallenByID(m.sheet.Dice), Trace: true}
		if request.Character, request.Input, err = rule.Fill(m.request); err != nil {
			return nil, err
		}
		sheet, err := rule.Eval(request)
		if err != nil {
			return nil, err
		}
		return sheet.Trace, nil
	case m.play != nil && len(m.play.Events) > 0 && m.event == "":
		return s.traceEvent(m.play)
	}
	return nil, errors.New("there is no result yet: why is told of the last one")
}

// traceEvent returns the trace of the last event of a play.
//
// The play before the event is found among the moments that undo keeps: a play has no history of states of its own. After
// resuming a file there is no such moment, and "rules eval --trace" is named instead.
func (s *Session) traceEvent(play *runtime.Play) ([]*trace.Step, error) {
	last := len(play.Events) - 1
	for i := len(s.history) - 1; i >= 0; i-- {
		before := s.history[i].play
		if before == nil || len(before.Events) != last {
			continue
		}
		e := &play.Events[last]
		again := *before
		happened := runtime.Step{Event: e.Name, Input: e.Input, Throw: dice.FallenByID(e.Dice)}
		if err := again.Do(happened, true); err != nil {
			return nil, err
		}
		return again.Events[last].Trace, nil
	}
	return nil, errors.New("the last event happened before this session: \"rules eval --trace\" tells of it")
}
