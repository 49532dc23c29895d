package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// askOutputs makes roots of the outputs that are asked for, of everything else that leaves the graph, and of the effects.
func (w *work) askOutputs(outputs []string) error {
	for _, name := range outputs {
		if i, _ := w.outputType().Field(name); i < 0 {
			return &UnknownError{"output", name}
		}
	}
	for i := range w.graph.Outputs.Fields {
		if outputs == nil || slices.Contains(outputs, w.outputType().Fields[i].Name) {
			w.addRoot(&w.graph.Outputs.Fields[i])
		}
	}
	for i := range w.graph.Next {
		w.addRoot(&w.graph.Next[i])
	}
	for i := range w.graph.Ends {
		w.addRoot(&w.graph.Ends[i])
	}
	w.addRoot(&w.graph.When)
	w.walkNodes(0, func(id plan.ID) {
		if w.nodes[id].Op.Has(plan.Effect) {
			w.roots = append(w.roots, id)
		}
	})
	return nil
}

// outputType returns the type of the graph's outputs; a record without fields if it has none.
func (w *work) outputType() *plan.Type {
	if w.graph.Outputs.Type == nil {
		return &plan.Type{Kind: plan.Record}
	}
	return w.graph.Outputs.Type
}

// addRoot makes roots of a value and of all that belongs to it.
func (w *work) addRoot(v *plan.Value) {
	if v.Type == nil {
		return
	}
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None {
			w.roots = append(w.roots, id)
		}
	}
	for i := range v.Fields {
		w.addRoot(&v.Fields[i])
	}
}

// addNames makes roots of the named values that the roots need. A name is needed also if a constant was computed from it,
// but not if an option has cut off the arm or side that reads it.
func (w *work) addNames() {
	needed := w.reachFrom(w.roots, true)
	for more := true; more; {
		more = false
		for i := range w.graph.Names {
			if w.addName(&w.graph.Names[i].Value, needed) {
				more = true
			}
		}
		if more {
			needed = w.reachFrom(w.roots, true)
		}
	}
}

// addName makes roots of the parts of a named value that are needed, and reports whether there was a new one among them.
func (w *work) addName(v *plan.Value, needed []bool) (more bool) {
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
		more = w.addName(&v.Fields[i], needed) || more
	}
	return more
}

// dropDead leaves out the nodes that no root needs.
func (w *work) dropDead() { w.live = w.reachFrom(w.roots, false) }

// A search finds the nodes that some nodes need.
type search struct {
	*work
	through bool // the operands of constants too
	found   []bool
	open    []plan.ID
}

// reachFrom returns the nodes that some nodes need, themselves included, and with through also the operands of
// constants. plan.None stands for no node.
func (w *work) reachFrom(ids []plan.ID, through bool) []bool {
	s := &search{work: w, through: through, found: make([]bool, len(w.nodes))}
	for _, id := range ids {
		if id != plan.None {
			s.addNeeded(id)
		}
	}
	for len(s.open) > 0 {
		id := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.addOperands(id)
	}
	return s.found
}

func (s *search) addNeeded(id plan.ID) {
	if id = s.same[id]; !s.found[id] {
		s.found[id] = true
		s.open = append(s.open, id)
	}
}

// addOperands adds the operands of a node, the loop around it and, of a loop, only the carried values that are read.
func (s *search) addOperands(id plan.ID) {
	n := &s.nodes[id]
	loop := plan.None
	if home := s.home[id]; home >= 0 { // a roll that a cut has taken out has none, and a constant may have been made of it
		loop = s.loop[home]
	}
	if loop != plan.None {
		s.addNeeded(loop)
	}
	switch n.Op {
	case plan.OpConst:
		if s.through {
			s.addAll(n.Args)
		}
	case plan.OpLoop:
		s.addNeeded(n.Args[0])
	case plan.OpResult:
		s.addCarried(s.operandOf(n, 0), n.Imm)
	case plan.OpParam:
		if n.Imm > 0 {
			s.addCarried(loop, n.Imm-1)
		}
	default:
		s.addAll(n.Args)
	}
}

func (s *search) addAll(ids []plan.ID) {
	for _, id := range ids {
		s.addNeeded(id)
	}
}

// addCarried adds the k-th carried value of a loop.
func (s *search) addCarried(loop plan.ID, k int64) {
	s.addNeeded(loop)
	s.addNeeded(s.initialCarried(loop, k))
	s.addNeeded(s.nextCarried(loop)[k])
}
