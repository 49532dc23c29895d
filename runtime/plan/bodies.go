package plan

// A Body is one graph of a plan, with what it belongs to and what its leaves read.
type Body struct {
	Of     string // the id of the rule or the procedure
	Title  string // "rule test"; "procedure task, event roll"
	Graph  *Graph
	Shapes [NumRoots]*Shape // of the records that are given; nil for one that is not
}

// Slots returns how many slots the records have that are given.
func (b Body) Slots() (out [NumRoots]int) {
	for root, s := range b.Shapes {
		if s != nil {
			out[root] = s.Slots()
		}
	}
	return out
}

// Bodies lists the graphs of a plan: the rules, then the procedures step by step.
func (p *Plan) Bodies() []Body {
	var out []Body
	for i := range p.Rules {
		out = append(out, p.RuleBody(&p.Rules[i]))
	}
	for i := range p.Procedures {
		out = append(out, p.Steps(&p.Procedures[i])...)
	}
	return out
}

// RuleBody returns the graph of a rule.
func (p *Plan) RuleBody(r *Rule) Body {
	shapes := [NumRoots]*Shape{CharacterRoot: p.Character, InputRoot: r.Input}
	return Body{r.ID, "rule " + r.ID, &r.Graph, shapes}
}

// Steps returns the graphs of a procedure: its start, its events, its end.
func (p *Plan) Steps(d *Procedure) []Body {
	shapes := [NumRoots]*Shape{CharacterRoot: p.Character, InputRoot: d.Input, StateRoot: d.State}
	out := []Body{{d.ID, "procedure " + d.ID + ", start", &d.Start, shapes}}
	for i := range d.Events {
		e := &d.Events[i]
		with := shapes
		with[EventRoot] = e.Input
		out = append(out, Body{d.ID, "procedure " + d.ID + ", event " + e.ID, &e.Graph, with})
	}
	return append(out, Body{d.ID, "procedure " + d.ID + ", ends", &d.Close, shapes})
}
