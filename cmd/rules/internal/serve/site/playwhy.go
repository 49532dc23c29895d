package site

// "Why" on a page asks package why about one step of a play. The log has all that the step was
// given, faces included, so nothing is drawn and the answer is about what really fell. Package why
// asks again and again; each time it gets a play that has been replayed up to the step, which no
// asking can spoil.

import (
	"net/url"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// why says why an output is what it is after the last event, or after the start.
func (l *playLog) why(e *library.Edition, b *bookView, id, output string) (*whyView, error) {
	n := len(l.Events)
	// There is no event yet, so that the start itself is asked about.
	if n == 0 {
		return explainAnswer(b, why.Question{Program: e.Program, Options: l.Options, Character: l.Character, Input: l.Input,
			Shape: describe.InputOf(e.Plan, id), Output: output, Step: &why.Step{Procedure: id},
			Dice: func() dice.Source { return dice.ByID(l.Dice) }})
	}
	last := &l.Events[n-1]
	return l.askStep(e, b, id, last.Event, output, last.Input, l.Events[:n-1],
		func() dice.Source { return dice.ByID(last.Dice) })
}

// whyNot says what would let an event pass that was refused, with the fields that were sent and the faces that fell.
func (l *playLog) whyNot(e *library.Edition, b *bookView, id string, n *describe.Needs, event string,
	form url.Values) (*whyView,
	error) {
	_, q, _ := readEvent(n, event, form)
	// Tried once for its error; the function below cannot give one.
	if _, _, err := chooseFaces(q.dice, q.seed, 0); err != nil {
		return nil, err
	}
	play, _, err := l.replay(e, id, l.Options, l.Events, false)
	if err != nil {
		return nil, err
	}
	number := play.Number()
	faces := func() dice.Source {
		source, _, _ := chooseFaces(q.dice, q.seed, number) // read above without an error
		return source
	}
	found, err := l.askStep(e, b, id, event, outputOfStep(e.Plan, id, event), q.input, l.Events, faces)
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
func (l *playLog) askStep(e *library.Edition, b *bookView, id, event, output string, input []byte, before []loggedEvent,
	faces func() dice.Source) (*whyView, error) {
	return explainAnswer(b, why.Question{Program: e.Program, Options: l.Options, Character: l.Character, Input: input,
		Shape: describe.InputOf(e.Plan, id+"."+event), Dice: faces, Output: output,
		Step: &why.Step{Procedure: id, Event: event, Before: func(options map[string]string) (*runtime.Play, error) {
			play, _, err := l.replay(e, id, options, before, false)
			return play, err
		}}})
}
