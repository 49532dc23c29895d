package odds

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// NewEvent prepares one event of a procedure as a rule: its outputs, and not the state that it leads to, are asked for. The
// records of a question are then the character, the input and the state of the play, and the input of the event.
func NewEvent(p *runtime.Program, procedure, event string, c runtime.Choice) (*Rule, error) {
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

// findEvent is an event of which nothing is asked yet.
func findEvent(p *runtime.Program, procedure, event string, c runtime.Choice) (*Rule, error) {
	i := slices.IndexFunc(p.Plan().Procedures, func(d plan.Procedure) bool { return d.ID == procedure })
	if i < 0 {
		return nil, &runtime.UnknownError{What: "procedure", Name: procedure, Known: p.ProcedureNames()}
	}
	d := &p.Plan().Procedures[i]
	k := slices.IndexFunc(d.Events, func(e plan.Event) bool { return e.ID == event })
	if k < 0 {
		return nil, &runtime.UnknownError{What: "event", Name: event, Known: d.EventNames()}
	}
	e := &d.Events[k]
	r := &Rule{program: p, graph: &e.Graph, choice: c, listed: maxListed}
	r.shapes[plan.CharacterRoot], r.shapes[plan.InputRoot] = p.Plan().Character, d.Input
	r.shapes[plan.StateRoot], r.shapes[plan.EventRoot] = d.State, e.Input
	var err error
	r.options, err = p.Options(c)
	return r, err
}

// KnownWhenEventDecides is the record of the named values that are known when a field of an event is decided.
func KnownWhenEventDecides(p *runtime.Program, procedure, event string, c runtime.Choice, path string) (*plan.Type, error) {
	r, err := findEvent(p, procedure, event, c)
	if err != nil {
		return nil, err
	}
	return r.knownWhenDecided(path)
}
