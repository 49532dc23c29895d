package runtime

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
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

// Explain returns the values that the requirement read by which Eval or Ask refuses, or the key that was meant where a
// formula did not find one. It is nil if nothing is refused and every formula has a value.
func (r *Rule) Explain(q Request) (*Explanation, error) {
	body := r.program.plan.RuleBody(r.rule)
	whole := q
	whole.Character = orEmpty(q.Character)
	return explain(r.program, body, r.values, &q, 0, func(e *evaluation, code *schedule.Code) error {
		return r.writeRoots(e, code, r.characterFor(whole.Character), &whole)
	}, func() (*asking, error) { return r.newAsking(q, newEvaluation(r.program.image, r.code)) })
}

// Explain returns the values that the requirement read by which Start or Ask refuses. It is nil if nothing is refused.
func (d *Procedure) Explain(q Request) (*Explanation, error) {
	p := &Play{procedure: d, Character: compactJSON(q.Character), Input: compactJSON(q.Input)}
	return explain(d.program, d.program.plan.Steps(d.procedure)[0], d.values, &q, 0,
		func(e *evaluation, code *schedule.Code) error { return p.writeRoots(e, code, false) },
		func() (*asking, error) { return d.askStart(q) })
}

// Explain returns the values that the requirement read by which Do or Ask refuses an event. It is nil if nothing is
// refused, and for an event that is not offered: Offers has the values of its condition.
func (p *Play) Explain(event string, q Request) (*Explanation, error) {
	d := p.procedure
	i, err := d.eventIndex(event)
	if err != nil || !p.IsOpen() {
		return nil, err
	}
	p.drawMissing(&q)
	return explain(d.program, d.program.plan.Steps(d.procedure)[1+i], d.values, &q, p.Number(),
		func(at *evaluation, code *schedule.Code) error {
			if err := p.writeRoots(at, code, true); err != nil {
				return err
			}
			return at.decoder.DecodeTo(d.events[i].input, compactJSON(q.Input), int(code.Base[plan.EventRoot]))
		}, func() (*asking, error) { return p.askEvent(i, q) })
}

// explain carries a body out with the whole records, which read writes. Where these are not known, or another requirement
// refuses, the refusal is one that asking finds before everything is known.
func explain(p *Program, b plan.Body, values []int, q *Request, event uint64,
	read func(*evaluation, *schedule.Code) error, newAsking func() (*asking, error)) (*Explanation, error) {
	source, err := (&evaluation{}).newSource(q, event)
	if err != nil {
		return nil, err
	}
	out, failed := p.explainRefusal(b, b.Graph, values, source, read)
	a, err := newAsking()
	if err != nil || out != nil && q.Dice.List != nil { // asking leaves dice out, and a list would fall on others
		return out, failed
	}
	_, asked := a.run()
	refused, isRefused := errors.AsType[*Refused](asked)
	if out != nil && (!isRefused || out.Step != nil && out.Step.Name == refused.Require.Message) {
		return out, nil
	}
	if found, err := a.explainRefusal(refused); err == nil {
		return found, nil
	}
	return out, failed
}

// explainRefusal runs a graph of a body, as prepareTrace has it, and says why it refuses or fails.
func (p *Program) explainRefusal(b plan.Body, g *plan.Graph, values []int, source dice.Source,
	read func(*evaluation, *schedule.Code) error) (*Explanation, error) {
	v, err := p.prepareTrace(b, g, values, read)
	if err != nil {
		return nil, err
	}
	var refused *Refused
	var failed *Failure
	err = vm.Run(v.Frame, v.Code, source)
	if err == nil {
		_, err = jsonio.ReadOutputs(v.Frame, v.Code, g)
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

// explainRefusal returns the values that the requirement read by which the asking evaluation refuses, if it does. It
// carries the body out, and the parts of it that come before each decision: an asking evaluation refuses by a requirement
// that is known to fail before everything else is known. With unknown fields left at their defaults an earlier requirement
// may fail too, so an explanation counts only when it is of the one that refuses; without one there are no values.
func (a *asking) explainRefusal(refused *Refused) (out *Explanation, err error) {
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
		if _, err := a.useSource(a.frame, g); err != nil {
			return nil, err
		}
		found, err := a.program.explainRefusal(a.body, g, a.values, a.used, a.writeRecords)
		if found == nil && err == nil {
			found, err = a.explainBeforeDice(g)
		}
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

// explainBeforeDice carries a graph out with faces that are drawn where none are known. What they show does not matter to a
// requirement that is known to fail without them, and nobody is told.
func (a *asking) explainBeforeDice(g *plan.Graph) (*Explanation, error) {
	if _, err := a.useSource(a.frame, g); err != nil {
		return nil, err
	}
	out, err := a.program.explainRefusal(a.body, g, a.values, drawnWhereMissing{a.used, dice.FromSeed(0, 0, 0)},
		a.writeRecords)
	if out != nil {
		out.Dice = nil
	}
	return out, err
}

// drawnWhereMissing are the faces of a source, and those of another one where it has none.
type drawnWhereMissing struct {
	dice.Source
	drawn dice.Source
}

// Face implements dice.Source.
func (s drawnWhereMissing) Face(d *dice.Draw) (int64, error) {
	face, err := s.Source.Face(d)
	if dice.IsMissing(err) {
		return s.drawn.Face(d)
	}
	return face, err
}
