package site

// "Why" on a page asks package why about one step of a play. The log has all that the step was
// given, faces included, so nothing is drawn and the answer is about what really fell.

import (
	"net/url"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// why says why an output is what it is after the last event, or after the start.
func (l *playLog) why(e *library.Edition, b *bookView, id, output string) (*whyView, error) {
	if n := len(l.Events); n > 0 {
		return l.askStep(e, b, id, output, &l.Events[n-1], l.Events[:n-1])
	}
	// There is no event yet, so that the start itself is asked about.
	return explainAnswer(b, why.Question{Program: e.Program, Options: l.Options, Request: l.start(),
		Shape: describe.InputOf(e.Plan, id), Output: output, Step: &why.Step{Procedure: id}})
}

// whyNot says what would let an event pass that was refused, with the fields that were sent and the faces that fell.
func (l *playLog) whyNot(e *library.Edition, b *bookView, id string, n *describe.Needs, event string,
	form url.Values) (*whyView,
	error) {
	_, q, _ := readEvent(n, event, form)
	throw, err := q.throw()
	if err != nil {
		return nil, err
	}
	step := &runtime.Step{Event: event, Input: q.input, Throw: throw}
	found, err := l.askStep(e, b, id, outputOfStep(e.Plan, id, event), step, l.Events)
	if found != nil {
		found.Output, found.IsRefused = event, true
	}
	return found, err
}

// outputOfStep returns an output that exists once an event of a procedure has happened; "" when it
// has none. A refusal is asked about by way of any output: all of them lack a value for the same
// reason.
func outputOfStep(p *plan.Plan, id, event string) string {
	d := p.Procedure(id)
	graphs := []*plan.Graph{&d.Close}
	if e := d.Event(event); e != nil {
		graphs = append(graphs, &e.Graph)
	}
	for _, g := range graphs {
		if g.Outputs.Type != nil && len(g.Outputs.Type.Fields) > 0 {
			return g.Outputs.Type.Fields[0].Name
		}
	}
	return ""
}

// askStep asks about an event that follows others. Under other options the play is begun again.
func (l *playLog) askStep(e *library.Edition, b *bookView, id, output string, s *runtime.Step, before []runtime.Step) (
	*whyView, error) {
	return explainAnswer(b, why.Question{Program: e.Program, Options: l.Options, Output: output,
		Request: runtime.Request{Input: s.Input, Throw: s.Throw}, Shape: describe.InputOf(e.Plan, id+"."+s.Event),
		Step: &why.Step{Procedure: id, Event: s.Event, Start: l.start(), Before: before}})
}
