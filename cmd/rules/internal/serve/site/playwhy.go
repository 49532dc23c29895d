package site

// "Why" on a page asks package why about one step of a play. The log has all that the step was
// given, faces included, so nothing is drawn and the answer is about what really fell.

import (
	"net/url"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// why explains an output after the last event, or after the start.
func (l *playLog) why(e *library.Edition, b *bookView, id, output string) (*whyView, error) {
	return explainAnswer(e, b, l.question(id, output))
}

// question asks about an output after the last event.
func (l *playLog) question(id, output string) *query.Question {
	return &query.Question{Subject: id, Options: l.Options, Request: l.start(), Steps: l.Events, Why: output}
}

// whyNot returns the changes that would let a refused event pass, with the fields that were sent and the faces that
// fell.
func (l *playLog) whyNot(e *library.Edition, b *bookView, id string, n *describe.Needs, event string,
	form url.Values) (*whyView,
	error) {
	_, q, _ := readEvent(n, event, form)
	throw, err := q.throw()
	if err != nil {
		return nil, err
	}
	asked := l.question(id, outputOfStep(e.Plan, id, event))
	asked.Steps = append(slices.Clip(asked.Steps), runtime.Step{Event: event, Input: q.Request.Input, Throw: throw})
	found, err := explainAnswer(e, b, asked)
	if found != nil {
		found.Output, found.Title, found.IsRefused = event, labelOfEvent(n, event), true
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
