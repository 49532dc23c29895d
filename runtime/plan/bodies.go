package plan

// A Body is one graph of a plan, with what it belongs to and what its leaves read.
type Body struct {
	Of     string // the id of the rule or the procedure
	Title  string // "rule test"; "procedure task, event roll"
	Graph  *Graph
	Shapes [NumRoots]*Shape // of the records that are given; nil for one that is not
}

// Bodies lists the graphs of a plan: the rules, then the procedures step by step.
func (p *Plan) Bodies() []Body {
	var out []Body
	for i := range p.Rules {
		r := &p.Rules[i]
		shapes := [NumRoots]*Shape{CharacterRoot: p.Character, InputRoot: r.Input}
		out = append(out, Body{r.ID, "rule " + r.ID, &r.Graph, shapes})
	}
	for i := range p.Procedures {
		out = append(out, p.steps(&p.Procedures[i])...)
	}
	return out
}

func (p *Plan) steps(d *Procedure) []Body {
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
