package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// ask makes roots of the outputs that are asked for, of everything else that leaves the graph, and of the effects.
func (w *work) ask(outputs []string) error {
	for _, name := range outputs {
		if i, _ := w.outputs().Field(name); i < 0 {
			return &UnknownError{"output", name}
		}
	}
	for i := range w.graph.Outputs.Fields {
		if outputs == nil || slices.Contains(outputs, w.outputs().Fields[i].Name) {
			w.root(&w.graph.Outputs.Fields[i])
		}
	}
	for i := range w.graph.Next {
		w.root(&w.graph.Next[i])
	}
	for i := range w.graph.Ends {
		w.root(&w.graph.Ends[i])
	}
	w.root(&w.graph.When)
	w.walk(0, func(id plan.ID) {
		if w.nodes[id].Op.Has(plan.Effect) {
			w.roots = append(w.roots, id)
		}
	})
	return nil
}

// outputs is the type of the graph's outputs; a record without fields when it has none.
func (w *work) outputs() *plan.Type {
	if w.graph.Outputs.Type == nil {
		return &plan.Type{Kind: plan.Record}
	}
	return w.graph.Outputs.Type
}

// root makes roots of a value and of all that belongs to it.
func (w *work) root(v *plan.Value) {
	if v.Type == nil {
		return
	}
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None {
			w.roots = append(w.roots, id)
		}
	}
	for i := range v.Fields {
		w.root(&v.Fields[i])
	}
}

// names makes roots of the named values that the roots need. What is needed is told by the operands from which constants
// were computed too, but not by the arms and sides that options have cut off.
func (w *work) names() {
	needed := w.reachFrom(w.roots, true)
	for more := true; more; {
		more = false
		for i := range w.graph.Names {
			if w.name(&w.graph.Names[i].Value, needed) {
				more = true
			}
		}
		if more {
			needed = w.reachFrom(w.roots, true)
		}
	}
}

// name makes roots of the parts of a named value that are needed, and reports whether there was a new one among them.
func (w *work) name(v *plan.Value, needed []bool) (more bool) {
	ids := [...]plan.ID{v.ID, v.Fault, v.Present}
	is := func(id plan.ID) bool { return id != plan.None && needed[w.same[id]] }
	if slices.ContainsFunc(ids[:], is) {
		for _, id := range ids {
			if id != plan.None {
				more = more || !needed[w.same[id]]
				w.roots = append(w.roots, id)
			}
		}
	}
	for i := range v.Fields {
		more = w.name(&v.Fields[i], needed) || more
	}
	return more
}

// dead leaves out what no root needs.
func (w *work) dead() { w.live = w.reachFrom(w.roots, false) }

// A search finds the nodes that some nodes need.
type search struct {
	*work
	through bool // the operands of constants too
	found   []bool
	open    []plan.ID
}

// reachFrom tells which nodes some nodes need, themselves included; plan.None is none.
func (w *work) reachFrom(ids []plan.ID, through bool) []bool {
	s := &search{work: w, through: through, found: make([]bool, len(w.nodes))}
	for _, id := range ids {
		if id != plan.None {
			s.need(id)
		}
	}
	for len(s.open) > 0 {
		id := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.operands(id)
	}
	return s.found
}

func (s *search) need(id plan.ID) {
	if id = s.same[id]; !s.found[id] {
		s.found[id] = true
		s.open = append(s.open, id)
	}
}

// operands adds what a node needs: also the loop around it, and of a loop only the carried values that are read.
func (s *search) operands(id plan.ID) {
	n := &s.nodes[id]
	loop := plan.None
	if home := s.home[id]; home >= 0 { // a roll that a cut has taken out has none, and a constant may have been made of it
		loop = s.loop[home]
	}
	if loop != plan.None {
		s.need(loop)
	}
	switch n.Op {
	case plan.OpConst:
		if s.through {
			s.all(n.Args)
		}
	case plan.OpLoop:
		s.need(n.Args[0])
	case plan.OpResult:
		s.carried(s.arg(n, 0), n.Imm)
	case plan.OpParam:
		if n.Imm > 0 {
			s.carried(loop, n.Imm-1)
		}
	default:
		s.all(n.Args)
	}
}

func (s *search) all(ids []plan.ID) {
	for _, id := range ids {
		s.need(id)
	}
}

// carried adds what a loop carries as its k-th.
func (s *search) carried(loop plan.ID, k int64) {
	s.need(loop)
	s.need(s.initial(loop, k))
	s.need(s.results(loop)[k])
}
