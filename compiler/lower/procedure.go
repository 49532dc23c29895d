package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerProcedure lowers a procedure: a graph for its start, one for each event, and one that closes every step: its ends
// and outputs, of the state after it.
// Graphs share nothing at run time: between two steps the state and the character are records,
// which can be written as JSON and read again.
func (p *planner) lowerProcedure(d *check.Procedure) plan.Procedure {
	p.internEnums(d.Book.Input)
	p.internEnums(d.Book.State)
	out := plan.Procedure{
		ID: d.Book.ID, Cite: d.Book.Cite.S, Input: d.Book.Input, State: d.Book.State, Changes: d.Changes,
		Start: p.lowerStart(d), Close: p.lowerClose(d),
	}
	for _, e := range d.Events {
		out.Events = append(out.Events, p.lowerEvent(d, e))
	}
	for _, e := range d.Ends {
		out.Ends = append(out.Ends, e.Book.Message)
	}
	return out
}

// procedureScope returns the scope of a step, in which the state is that of before the step.
func (p *planner) procedureScope(d *check.Procedure, subj, cite string) *scope {
	s := newBuilder(p).newScope(subj, cite)
	s.bindRoot(d.Character, plan.CharacterRoot, p.out.Character)
	s.self = s.vars[d.Character]
	s.bindRoot(d.Input, plan.InputRoot, d.Book.Input)
	s.bindRoot(d.State, plan.StateRoot, d.Book.State)
	return s
}

// lowerStart returns the graph that sets the state from its defaults and from the formulas of start.
func (p *planner) lowerStart(d *check.Procedure) plan.Graph {
	s := p.procedureScope(d, "procedure "+d.Book.ID+", start", d.Book.Cite.S)
	fields := make([]plan.Value, len(d.Book.State.Fields))
	for i := range d.Book.State.Fields {
		fields[i] = s.defaultOf(&d.Book.State.Fields[i])
	}
	state := newRecord(d.Book.State.Type(), fields)
	if d.Start != nil {
		s.g.Outputs = s.lowerBody(d.Start.Body, outputType(d.Start.Body))
		s.lowerNext(d.Start.Next, state)
	} else {
		s.g.Outputs = newRecord(&plan.Type{Kind: plan.Record}, nil)
		s.lowerNext(nil, state)
	}
	return s.graph()
}

// outputType makes the record of a body's outputs, in the author's order, which is that of a sheet.
func outputType(b *check.Body) *plan.Type {
	t := &plan.Type{Kind: plan.Record}
	for _, o := range b.Outputs {
		t.Fields = append(t.Fields, plan.Field{Name: o.Name(), Type: o.Type()})
	}
	return t
}

// lowerEvent returns an event: whether it is offered, its outputs, and the state afterwards. Without a citation of its own
// it has the procedure's.
func (p *planner) lowerEvent(d *check.Procedure, e *check.Event) plan.Event {
	cite := e.Book.Cite.S
	if cite == "" {
		cite = d.Book.Cite.S
	}
	p.internEnums(e.Book.Input)
	s := p.procedureScope(d, "procedure "+d.Book.ID+", event "+e.Book.ID, cite)
	s.bindRoot(e.Event, plan.EventRoot, e.Book.Input)
	s.g.When = plan.Value{Type: plan.BoolType, ID: plan.None, Fault: plan.None, Present: plan.None}
	if e.When != nil {
		s.inPart("when", e.Book.When.S, func() { s.lowerGuard(e) })
	}
	s.g.Outputs = s.lowerBody(e.Body, outputType(e.Body))
	s.lowerNext(e.Next, s.vars[d.State])
	return plan.Event{ID: e.Book.ID, Cite: cite, Input: e.Book.Input, Graph: s.graph()}
}

// lowerGuard lowers the guard of an event: its first requirement, with an empty message.
// It reads no die and nothing of the event, so it is judged first.
func (s *scope) lowerGuard(e *check.Event) {
	v := s.lowerExpr(e.When)
	s.markBranch(e.When.Place, "offered", s.reachedWhen(s.guard, v.ID))
	s.markBranch(e.When.Place, "not offered", s.reachedUnless(s.guard, v.ID))
	s.g.When = v
	s.addRequire(v, plan.Require{Place: e.When.Place, Name: s.subj, Cite: s.cite, Early: true})
}

// lowerNext lowers the new state and the new character.
//
// Every formula reads the state before the step, because each is lowered to nodes of s.vars, which
// do not change: setting {a: "state.b", b: "state.a"} exchanges the two. A fault in a next value
// ends the step, so that no state has a hole.
func (s *scope) lowerNext(nexts []*check.Next, state plan.Value) {
	character := s.self
	for _, n := range nexts {
		name := n.Let.Book.Name
		s.inPart("next "+name, formulaText(n.Let.Formula.Book), func() {
			s.trace.begin()
			v := s.lowerExpr(n.Let.Formula.Expr)
			args := s.trace.end()
			s.requireNoFault(s.deepFault(v), n.Let.Formula.Book.Place)
			if n.Root == plan.CharacterRoot {
				character = s.replaceAt(character, n.Path, v)
			} else {
				state = s.replaceAt(state, n.Path, v)
			}
			s.addName(plan.NextName, name, v, n.Let.Formula)
			s.nameTerm(name, v, args, n.Let.Formula)
		})
	}
	s.g.Next = []plan.Value{state, character}
	s.countLets()
}

// lowerClose lowers the ends and the outputs.
// It is a graph of its own because it is executed after each step, with the new state as the state
// that it reads.
func (p *planner) lowerClose(d *check.Procedure) plan.Graph {
	s := p.procedureScope(d, "procedure "+d.Book.ID, d.Book.Cite.S)
	s.markOutputs(d.Outputs)
	before := s.bool(true)
	for _, e := range d.Ends {
		s.inPart("end "+e.Book.Message, e.Book.Expr.S, func() {
			s.trace.begin()
			v := s.lowerExpr(e.Expr)
			s.conditionTerm(plan.EndTerm, e.Book.Message, v, e.Book.Expr.S, e.Book.Place)
			s.markBranch(e.Book.Place, "ends", s.reachedWhen(before, v.ID))
			s.markBranch(e.Book.Place, "goes on", s.reachedUnless(before, v.ID))
			before = s.and(before, s.not(v.ID))
			s.g.Ends = append(s.g.Ends, v)
		})
	}
	t := &plan.Type{Kind: plan.Record}
	for _, o := range d.Outputs {
		t.Fields = append(t.Fields, plan.Field{Name: o.Name(), Type: o.Type()})
	}
	s.g.Outputs = s.gatherOutputs(d.Outputs, t)
	s.countLets()
	return s.graph()
}
