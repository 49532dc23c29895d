package runtime

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// Why a requirement refused is found by a second evaluation, like a trace: code that keeps every value runs again up to the
// requirement, so what is not refused pays nothing. Each explanation needs what the refused evaluation was given, and dice
// that fall as they did.

// An Explanation is what led to a requirement that does not hold, or to a formula that has no value.
type Explanation struct {
	// Step is the requirement with the values that it read; nil of a formula, and when it cannot be told: of a plan that
	// was cut down to some rules and of a use that is repeated over a list.
	Step *trace.Step
	// Near is the key that was probably meant when a key is looked up that a map or a table does not have; else empty.
	Near string
	Dice dice.Rolls // the faces that had fallen
}

// ExplainRefusal says which values the requirement read that refuses an evaluation, or which key was meant that it did
// not find. It is nil when nothing is refused and every formula has a value.
func (r *Rule) ExplainRefusal(q Request) (*Explanation, error) {
	q.Character = orEmpty(q.Character)
	body := r.program.plan.RuleBody(r.rule)
	return r.program.explainRefusal(body, body.Graph, r.values, q.Dice, func(e *evaluation, code *schedule.Code) error {
		return r.writeRoots(e, code, r.characterFor(q.Character), q)
	})
}

// ExplainRefusal says which values the requirement read that refuses the start. It is nil when nothing is refused.
func (d *Procedure) ExplainRefusal(q Request) (*Explanation, error) {
	body := d.program.plan.Steps(d.procedure)[0]
	p := &Play{procedure: d, Character: compactJSON(q.Character), Input: compactJSON(q.Input)}
	return d.program.explainRefusal(body, body.Graph, d.values, q.Dice, func(e *evaluation, code *schedule.Code) error {
		return p.writeRoots(e, code, false)
	})
}

// ExplainRefusal says which values the requirement read that refuses an event. It is nil when nothing is refused, and for
// an event that is not offered: Offers tells the values of its condition.
func (p *Play) ExplainRefusal(event string, q Request) (*Explanation, error) {
	d := p.procedure
	i, err := d.eventIndex(event)
	if err != nil || !p.IsOpen() {
		return nil, err
	}
	body := d.program.plan.Steps(d.procedure)[1+i]
	return d.program.explainRefusal(body, body.Graph, d.values, q.Dice, func(at *evaluation, code *schedule.Code) error {
		if err := p.writeRoots(at, code, true); err != nil {
			return err
		}
		return at.decoder.DecodeTo(d.events[i].input, compactJSON(q.Input), int(code.Base[plan.EventRoot]))
	})
}

// explainRefusal runs a graph of a body, as prepareTrace has it, and says why it refuses or fails.
func (p *Program) explainRefusal(b plan.Body, g *plan.Graph, values []int, source dice.Source,
	read func(*evaluation, *schedule.Code) error) (*Explanation, error) {
	v, err := p.prepareTrace(b, g, values, read)
	if err != nil {
		return nil, err
	}
	if source == nil {
		source = dice.FromList(nil)
	}
	var refused *Refused
	var failed *Failure
	err = vm.Run(v.Frame, v.Code, source)
	if err == nil {
		_, err = readOutputs(v.Frame, v.Code, g)
	} else {
		err = vm.Explain(v.Frame, g, err)
	}
	switch {
	case errors.As(err, &failed):
		return &Explanation{Near: v.MissedKey(failed.Msg), Dice: vm.ListFaces(v.Frame, b.Graph)}, nil
	case !errors.As(err, &refused) || refused.Require.Message == "":
		return nil, nil
	}
	step, near := v.Requirement(refused.Require.Message, refused.Require.Place)
	return &Explanation{Step: step, Near: near, Dice: vm.ListFaces(v.Frame, b.Graph)}, nil
}

// ExplainAskRefusal says which values the requirement read by which Ask refuses. It is nil when nothing is refused.
func (r *Rule) ExplainAskRefusal(k ask.Answers) (*Explanation, error) {
	a, err := r.newAsking(k, newEvaluation(r.program.image, r.code))
	if err != nil {
		return nil, err
	}
	return a.explainRefusal()
}

// ExplainAskRefusal says which values the requirement read by which AskStart refuses. It is nil when nothing is refused.
func (d *Procedure) ExplainAskRefusal(k ask.Answers) (*Explanation, error) {
	a, err := d.askStart(k)
	if err != nil {
		return nil, err
	}
	return a.explainRefusal()
}

// ExplainAskRefusal says which values the requirement read by which Ask refuses an event. It is nil when nothing is
// refused, and for an event that is not offered.
func (p *Play) ExplainAskRefusal(name string, k ask.Answers) (*Explanation, error) {
	i, err := p.procedure.eventIndex(name)
	if err != nil || !p.IsOpen() {
		return nil, err
	}
	a, err := p.askEvent(i, k)
	if err != nil {
		return nil, err
	}
	return a.explainRefusal()
}

// explainRefusal says which values the requirement read by which the asking evaluation refuses. It carries the body out,
// and the parts of it that come before each decision: an asking evaluation refuses by a requirement that is known to fail
// before everything else is known. With what is not known yet left at its default an earlier requirement may fail too, so
// an explanation counts only when it is of the one that refuses; without one there are no values.
func (a *asking) explainRefusal() (out *Explanation, err error) {
	_, asked := a.run()
	var refused *Refused
	errors.As(asked, &refused)
	if a.needs, err = a.findNeeds(a.body); err != nil {
		return nil, err
	}
	opt, given := a.given(a.body)
	graphs := []*plan.Graph{a.body.Graph}
	for k := range a.body.Graph.Decisions {
		if cut := schedule.CutAt(a.program.plan, a.body, k, opt, given, a.leftOut()); !cut.HasOpenBound {
			graphs = append(graphs, cut.Graph)
		}
	}
	for _, g := range graphs {
		source, _ := a.source()
		found, err := a.program.explainRefusal(a.body, g, a.values, source, a.writeRecords)
		switch {
		case err != nil:
			return nil, err
		case found == nil:
		case refused == nil || found.Step == nil || found.Step.Name == refused.Require.Message:
			return found, nil
		case out == nil:
			out = &Explanation{Dice: found.Dice}
		}
	}
	return out, nil
}
