package analyse

import "github.com/tabletop-rules/rules/runtime/plan"

// walkGraphs goes through every graph of the plan.
func (r *report) walkGraphs() {
	r.uses = make([]use, len(r.plan.Tables))
	for i := range r.uses {
		r.uses[i].columns = map[int64]bool{}
	}
	p := r.plan
	var open []question
	for i := range p.Rules {
		x := &p.Rules[i]
		open = append(open, r.walkGraph(&x.Graph,
			[plan.NumRoots]*plan.Shape{plan.CharacterRoot: p.Character, plan.InputRoot: x.Input}, nil)...)
	}
	for i := range p.Procedures {
		x := &p.Procedures[i]
		roots := [plan.NumRoots]*plan.Shape{plan.CharacterRoot: p.Character, plan.InputRoot: x.Input}
		open = append(open, r.walkGraph(&x.Start, roots, nil)...)
		open = append(open, r.walkGraph(&x.Close, roots, nil)...)
		for k := range x.Events {
			roots[plan.EventRoot] = x.Events[k].Input
			open = append(open, r.walkGraph(&x.Events[k].Graph, roots, x.State)...)
		}
	}
	r.answerExactly(open)
}

// walkGraph notes how a graph uses tables, and returns the questions about that. Of the keys that come of a state nothing is
// known, for its shape is often wider than what steps make of it; conditions on it hold of what the shape has. The shape is
// that of an event's state, which was judged before it: a close reads one that steps may have taken beyond.
func (r *report) walkGraph(g *plan.Graph, roots [plan.NumRoots]*plan.Shape, state *plan.Shape) (open []question) {
	d := domainOf(r.plan, g, roots)
	if state != nil {
		roots[plan.StateRoot] = state
		d.judged = domainOf(r.plan, g, roots)
	}
	users := usersOf(g)
	needed := neededBy(g)
	for id := range g.Nodes {
		n := &g.Nodes[id]
		switch n.Op {
		case plan.OpRow, plan.OpRowDouble:
			l := &look{keys: d.bounds[n.Args[0]], double: n.Op == plan.OpRowDouble,
				given: isGiven(g, n.Args[0])}
			l.traceFaults(g, plan.ID(id), users)
			r.uses[n.Imm].looks = append(r.uses[n.Imm].looks, l)
			open = append(open, d.questionsAbout(l, n.Args[0])...)
		case plan.OpCell:
			if needed[id] {
				r.uses[n.Imm>>32].columns[n.Imm&0xffffffff] = true
			}
		}
	}
	return open
}

// traceFaults finds where a look-up fails, and under which conditions that counts.
func (l *look) traceFaults(g *plan.Graph, row plan.ID, users [][]plan.ID) {
	for _, id := range users[row] {
		n := &g.Nodes[id]
		if n.Op != plan.OpRowFault || n.Site < 0 {
			continue
		}
		if t := traceFault(g, users, id); !t.lost {
			l.site, l.paths, l.free = &g.Sites[n.Site], append(l.paths, t.paths...), l.free || t.free
		}
	}
}

// usersOf lists the nodes that have a node as operand.
func usersOf(g *plan.Graph) [][]plan.ID {
	out := make([][]plan.ID, len(g.Nodes))
	for id := range g.Nodes {
		for _, a := range g.Nodes[id].Args {
			if a >= 0 {
				out[a] = append(out[a], plan.ID(id))
			}
		}
	}
	return out
}

// isGiven reports whether a node is a field of a character or an input, which whoever asks may choose; a state is computed.
func isGiven(g *plan.Graph, id plan.ID) bool {
	n := &g.Nodes[id]
	return n.Op == plan.OpLeaf && g.Leaves[n.Imm].Root != plan.StateRoot
}
