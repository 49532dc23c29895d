package analyse

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A condition is a truth that must be so for a fault to count.
type condition struct {
	node plan.ID
	is   bool
}

// A path is the conditions, all of which must be so, under which a fault reaches an answer.
type path []condition

// Limits of what is followed: a fault that many formulas share is taken for one that nothing is known of.
const (
	mostPaths      = 16
	mostConditions = 6 // of all paths of a fault together
)

// A tracer follows a fault from where it arises to the answers.
//
// "lost" and "free" both end the search for reasons, in opposite ways: lost means that the fault
// goes where it is not followed, so nothing may be concluded; free means that one way out has no
// conditions of its own, so the gap counts whenever the graph answers at all.
type tracer struct {
	graph    *plan.Graph
	users    [][]plan.ID
	sinks    map[plan.ID]bool // faults of what is answered
	required path             // for which there are answers at all
	paths    []path
	free     bool // one of them has no conditions but the required ones
	lost     bool // it goes where it is not followed
}

// traceFault finds the ways in which a fault reaches an answer.
func traceFault(g *plan.Graph, users [][]plan.ID, fault plan.ID) *tracer {
	t := &tracer{graph: g, users: users, sinks: sinksOf(g), required: requiredConditions(g)}
	t.followFault(fault, nil)
	return t
}

// requiredConditions returns the conditions without which a graph refuses: those that are always judged.
func requiredConditions(g *plan.Graph) (out path) {
	for _, id := range g.Blocks[0].Nodes {
		n := &g.Nodes[id]
		if n.Op != plan.OpRequire {
			continue
		}
		guard := n.Args[0]
		if guard == plan.None || g.Nodes[guard].Op == plan.OpConst && g.Nodes[guard].Imm != 0 {
			out = append(out, condition{n.Args[1], true})
		}
	}
	return out
}

// sinksOf finds the faults at which somebody notices: those of outputs, guards, next states and ends. A fault
// that reaches none of them is absorbed on the way.
func sinksOf(g *plan.Graph) map[plan.ID]bool {
	out := map[plan.ID]bool{}
	var add func(v *plan.Value)
	add = func(v *plan.Value) {
		if v.Type == nil {
			return
		}
		out[v.Fault] = true
		for i := range v.Fields {
			add(&v.Fields[i])
		}
	}
	add(&g.Outputs)
	add(&g.When)
	for _, list := range [][]plan.Value{g.Next, g.Ends} {
		for i := range list {
			add(&list[i])
		}
	}
	delete(out, plan.None)
	return out
}

// followFault follows a fault to everything that passes it on, under the conditions that have been collected on the way;
// a fault that reaches a sink under none is free, and is always seen.
func (t *tracer) followFault(fault plan.ID, so path) {
	if t.sinks[fault] {
		t.free = t.free || len(so) == 0
		t.addPath(slices.Concat(so, t.required))
	}
	for _, user := range t.users[fault] {
		if !t.lost {
			t.passThrough(fault, user, so)
		}
	}
}

// passThrough follows a fault through a node that reads it.
//
// A fault has its own node beside the value, and each operation says which of its operands' faults
// it passes on. && and || absorb the fault of one operand when the other decides (CEL's rule), so
// the condition is that the other operand did not decide. A requirement or a die that reads a fault
// ends the evaluation, which is an answer of its own. Lists and loops are where it is given up:
// their faults are per element.
func (t *tracer) passThrough(fault, user plan.ID, so path) {
	n := &t.graph.Nodes[user]
	under := func(k int, is bool) path { return append(slices.Clip(so), condition{n.Args[k], is}) }
	switch n.Op {
	case plan.OpSelect:
		if n.Args[1] == fault {
			t.followFault(user, under(0, true))
		}
		if n.Args[2] == fault {
			t.followFault(user, under(0, false))
		}
	case plan.OpAndFault, plan.OpOrFault:
		other := 2
		if n.Args[3] == fault {
			other = 0
		}
		t.followFault(user, under(other, n.Op == plan.OpAndFault))
	case plan.OpRequire, plan.OpRoll:
		t.addPath(under(0, true))
	case plan.OpNoFault, plan.OpPush, plan.OpLoop:
		t.lost = true
	default:
		t.followFault(user, so)
	}
}

func (t *tracer) addPath(so path) {
	t.paths = append(t.paths, so)
	t.lost = t.lost || len(t.paths) > mostPaths
}

// conditionsOf lists the nodes on which some paths depend, each once, in the order in which they are met.
func conditionsOf(paths []path) []plan.ID {
	var out []plan.ID
	for _, p := range paths {
		for _, c := range p {
			if !slices.Contains(out, c.node) {
				out = append(out, c.node)
			}
		}
	}
	return out
}
