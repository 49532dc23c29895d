package check

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// procedure checks a procedure: what follows from the state, the steps that change it, what ends it.
func (c *pass) procedure(p *book.Procedure) *ProcedureDef {
	def := &ProcedureDef{Book: p}
	names := c.names.Scopes[p]
	def.Character = c.root(names, "character", c.names.Book.Character, nil)
	def.Input = c.root(names, "input", p.Input, nil)
	def.State = c.root(names, "state", p.State, nil)
	lets := c.lets(names)
	for i := range p.Lets {
		def.Lets = append(def.Lets, lets[&p.Lets[i]])
	}
	if p.Start != nil {
		def.Start = c.start(def)
	}
	c.started(p)
	for _, e := range p.Events {
		def.Events = append(def.Events, c.event(def, e))
	}
	end := c.names.Ends[p]
	outputs := c.lets(end)
	for i := range p.Output {
		def.Outputs = append(def.Outputs, outputs[&p.Output[i]])
	}
	for i := range p.Ends {
		def.Ends = append(def.Ends, c.require(&p.Ends[i], "an end"))
	}
	return def
}

// start checks the step before the first event: it has no state yet.
func (c *pass) start(def *ProcedureDef) *Step {
	p := def.Book
	names := c.names.Scopes[p.Start]
	c.share(names, "character", def.Character)
	c.share(names, "input", def.Input)
	out := &Step{Book: p.Start}
	c.step(def, out, names, "procedure "+p.ID+", start")
	return out
}

// share makes a variable of the procedure readable in a scope beside its own.
func (c *pass) share(names *resolve.Scope, name string, v *Var) {
	if names.Names[name] != nil {
		c.scope(names).add(c.types, v)
	}
}

// started checks that every field of the state has a value when the first event comes.
func (c *pass) started(p *book.Procedure) {
	var set []string
	if p.Start != nil {
		set = paths(p.Start.Next)
	}
	for _, path := range lacking(p.State, "", set) {
		at := p.State.Place
		if m := topMember(p.State, path); m != nil {
			at = m.Place
		}
		c.diags.Addf("state-unset", at, "procedure "+p.ID, "state.%s has no default, and start does not set it", path).
			Repair = "give it a default, or set it in start: next"
	}
}

func topMember(s *plan.Shape, path string) *plan.Member {
	name, _, _ := strings.Cut(path, ".")
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

func (c *pass) event(def *ProcedureDef, e *book.Event) *Event {
	names := c.names.Scopes[&e.Step]
	subject := "procedure " + def.Book.ID + ", event " + e.ID
	out := &Event{Book: e, Step: Step{Book: &e.Step}}
	out.Event = c.root(names, "event", e.Input, nil)
	out.When = c.exprOf(&e.When, plan.BoolType, "when")
	c.guardExpr(&e.When, out.When, nil)
	c.step(def, &out.Step, names, subject)
	return out
}

// step checks a body and the next values of paths into the state and the character.
func (c *pass) step(def *ProcedureDef, s *Step, names *resolve.Scope, subject string) {
	s.Body = c.body(&s.Book.Body, names, subject)
	for i := range s.Book.Next {
		n := &s.Book.Next[i]
		next := c.next(def, n, subject)
		def.Changes = def.Changes || next.Root == CharacterVar
		s.Next = append(s.Next, next)
	}
	c.apart(s.Book.Next, subject)
}

func (c *pass) next(def *ProcedureDef, n *book.Named, subject string) *Next {
	out := &Next{Root: StateVar, Path: strings.Split(n.Name, ".")}
	path, shape, of := *n, def.Book.State, "#State"
	if out.Path[0] == "character" {
		out.Root, out.Path = CharacterVar, out.Path[1:]
		path.Name, shape, of = strings.Join(out.Path, "."), c.names.Book.Character, "#Character"
	}
	out.Let = &Let{Book: n}
	want := c.pathType(shape, &path, subject+", next "+n.Name, of)
	out.Let.Formula = c.formula(&n.Formula, want)
	c.fitsFormula(out.Let.Formula, want, n.Name)
	c.guard(out.Let.Formula, nil)
	return out
}

// apart checks that no path lies within another: both would be set at once.
func (c *pass) apart(list []book.Named, subject string) {
	for i := range list {
		for k := range list {
			if strings.HasPrefix(list[k].Name, list[i].Name+".") {
				c.diags.Addf("next-overlap", list[k].Place, subject, "%s is set as a part of %s, which is set as a whole", list[k].Name, list[i].Name)
			}
		}
	}
}
