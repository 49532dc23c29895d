package eliminate

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// NewEvent prepares one event of a procedure as a rule: its outputs, and not the state that it leads to, are asked for. The
// records of a question are then the character, the input and the state of the play, and the input of the event.
func NewEvent(p *vm.Image, procedure, event string, c plan.Choice) (*Rule, error) {
	r, err := findEvent(p, procedure, event, c)
	if err != nil {
		return nil, err
	}
	if err := r.takeOutputs(c.Outputs); err != nil {
		return nil, err
	}
	r.normal, err = r.prepareGraph(false)
	return r, err
}

// findEvent returns an event of which nothing is asked yet.
func findEvent(p *vm.Image, procedure, event string, c plan.Choice) (*Rule, error) {
	d := p.Plan().Procedure(procedure)
	if d == nil {
		return nil, &plan.UnknownError{What: "procedure", Name: procedure, Known: p.Plan().ProcedureNames()}
	}
	e := d.Event(event)
	if e == nil {
		return nil, &plan.UnknownError{What: "event", Name: event, Known: d.EventNames()}
	}
	return newGraphRule(p, &e.Graph, c, shapesOfEvent(p, d, e))
}

// shapesOfEvent returns the records that an event reads.
func shapesOfEvent(p *vm.Image, d *plan.Procedure, e *plan.Event) (out [plan.NumRoots]*plan.Shape) {
	out[plan.CharacterRoot], out[plan.InputRoot] = p.Plan().Character, d.Input
	out[plan.StateRoot], out[plan.EventRoot] = d.State, e.Input
	return out
}

// NewStep prepares an event of a procedure or, when that is nil, the start, as a step of a chain of states. Its outputs
// are the new state and, where the procedure changes it, the new character.
//
// Fields of the event are decided after dice have fallen, as the choices say. When these are compared, a StepReader
// shows the choices behind every state that is reached; else each field must have one choice.
func NewStep(
	p *vm.Image, d *plan.Procedure, e *plan.Event, c plan.Choice, choices []odds.Choice, compares bool,
) (*Rule, error) {
	g := &d.Start
	var shapes [plan.NumRoots]*plan.Shape
	shapes[plan.CharacterRoot], shapes[plan.InputRoot] = p.Plan().Character, d.Input
	if e != nil {
		g, shapes = &e.Graph, shapesOfEvent(p, d, e)
	}
	c.Outputs = nil
	r, err := newGraphRule(p, g, c, shapes)
	if err != nil {
		return nil, err
	}
	r.values, r.names = []*plan.Value{&g.Next[0]}, []string{"state"}
	if d.Changes {
		r.values, r.names = append(r.values, &g.Next[1]), append(r.names, "character")
	}
	if err := r.decideFields(&odds.Strategy{Choices: choices}, compares, []string{}); err != nil {
		return nil, err
	}
	r.normal, err = r.prepareGraph(false)
	return r, err
}

// KnownWhenEventDecides returns the record of the named values that are known when a field of an event is decided.
func KnownWhenEventDecides(p *vm.Image, procedure, event string, c plan.Choice, path string) (*plan.Type, error) {
	r, err := findEvent(p, procedure, event, c)
	if err != nil {
		return nil, err
	}
	return r.knownWhenDecided(path)
}
