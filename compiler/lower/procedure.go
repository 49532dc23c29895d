package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// procedure lowers a procedure: a graph for its start, one for each event, and one that closes every step: its ends and
// outputs, of the state after it.
func (p *planner) procedure(d *check.ProcedureDef) plan.Procedure {
	p.enums(d.Book.Input)
	p.enums(d.Book.State)
	out := plan.Procedure{
		ID: d.Book.ID, Cite: d.Book.Cite.S, Input: d.Book.Input, State: d.Book.State, Changes: d.Changes,
		Start: p.start(d), Close: p.closing(d),
	}
	for _, e := range d.Events {
		out.Events = append(out.Events, p.event(d, e))
	}
	for _, e := range d.Ends {
		out.Ends = append(out.Ends, e.Book.Message)
	}
	return out
}

// procedureScope is the scope of a step, in which the state is what it was before.
func (p *planner) procedureScope(d *check.ProcedureDef, subj, cite string) *scope {
	s := newBuilder(p).scope(subj, cite)
	s.bind(d.Character, plan.CharacterRoot, p.out.Character)
	s.self = s.vars[d.Character]
	s.bind(d.Input, plan.InputRoot, d.Book.Input)
	s.bind(d.State, plan.StateRoot, d.Book.State)
	return s
}

// start sets the state from its defaults and from what start says.
func (p *planner) start(d *check.ProcedureDef) plan.Graph {
	s := p.procedureScope(d, "procedure "+d.Book.ID+", start", d.Book.Cite.S)
	fields := make([]plan.Value, len(d.Book.State.Fields))
	for i := range d.Book.State.Fields {
		fields[i] = s.missing(&d.Book.State.Fields[i])
	}
	state := record(d.Book.State.Type(), fields)
	if d.Start != nil {
		s.g.Outputs = s.body(d.Start.Body, outputType(d.Start.Body))
		s.next(d.Start.Next, state)
	} else {
		s.g.Outputs = record(&plan.Type{Kind: plan.Record}, nil)
		s.next(nil, state)
	}
	return s.g
}

// outputType is the record of a body's outputs.
func outputType(b *check.Body) *plan.Type {
	t := &plan.Type{Kind: plan.Record}
	for _, o := range b.Outputs {
		t.Fields = append(t.Fields, plan.Field{Name: o.Var.Name, Type: o.Formula.Type})
	}
	return t
}

func (p *planner) event(d *check.ProcedureDef, e *check.Event) plan.Event {
	cite := e.Book.Cite.S
	if cite == "" {
		cite = d.Book.Cite.S
	}
	p.enums(e.Book.Input)
	s := p.procedureScope(d, "procedure "+d.Book.ID+", event "+e.Book.ID, cite)
	s.bind(e.Event, plan.EventRoot, e.Book.Input)
	s.g.When = plan.Value{Type: plan.BoolType, ID: plan.None, Fault: plan.None, Present: plan.None}
	if e.When != nil {
		s.in("when", e.Book.When.S, func() { s.offer(e) })
	}
	s.g.Outputs = s.body(e.Body, outputType(e.Body))
	s.next(e.Next, s.vars[d.State])
	return plan.Event{ID: e.Book.ID, Cite: cite, Input: e.Book.Input, Graph: s.g}
}

// offer lowers the guard of an event: its first requirement, with an empty message.
func (s *scope) offer(e *check.Event) {
	v := s.expr(e.When)
	s.branch(e.When.Place, "offered", s.reaches(s.guard, v.ID))
	s.branch(e.When.Place, "not offered", s.reachesNot(s.guard, v.ID))
	s.g.When = v
	s.refuse(v, plan.Require{Place: e.When.Place, Name: s.subj, Cite: s.cite, Early: true})
}

// next lowers the new state and the new character.
func (s *scope) next(nexts []*check.Next, state plan.Value) {
	character := s.self
	for _, n := range nexts {
		name := n.Let.Book.Name
		s.in("next "+name, text(n.Let.Formula.Text), func() {
			v := s.formulaOf(n.Let.Formula)
			s.insist(s.deepFault(v), n.Let.Formula.Text.Place)
			if n.Root == check.CharacterVar {
				character = s.replace(character, n.Path, v)
			} else {
				state = s.replace(state, n.Path, v)
			}
			s.name(plan.NextName, name, v, n.Let.Formula)
		})
	}
	s.g.Next = []plan.Value{state, character}
	s.countLets()
}

// closing lowers the ends and the outputs.
func (p *planner) closing(d *check.ProcedureDef) plan.Graph {
	s := p.procedureScope(d, "procedure "+d.Book.ID, d.Book.Cite.S)
	s.show(d.Outputs)
	before := s.bool(true)
	for _, e := range d.Ends {
		s.in("end "+e.Book.Message, e.Book.Expr.S, func() {
			v := s.expr(e.Expr)
			s.branch(e.Book.Place, "ends", s.reaches(before, v.ID))
			s.branch(e.Book.Place, "goes on", s.reachesNot(before, v.ID))
			before = s.and(before, s.not(v.ID))
			s.g.Ends = append(s.g.Ends, v)
		})
	}
	t := &plan.Type{Kind: plan.Record}
	for _, o := range d.Outputs {
		t.Fields = append(t.Fields, plan.Field{Name: o.Var.Name, Type: o.Formula.Type})
	}
	s.g.Outputs = s.outputs(d.Outputs, t)
	s.countLets()
	return s.g
}
