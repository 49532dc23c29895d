package emit

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// names are the names of values in the emitted text: those that the author gave, and numbers for others.
type names struct {
	graph *schedule.Reduced
	given map[plan.ID]string
	// fields are the names of fields of records that are read, in a language that has them; a field without other reason
	// for a name stands where it is read.
	fields map[plan.ID]string
}

// newNames returns the names of the values of a graph. A name that stands in several places has a number from the
// second on.
func newNames(r *schedule.Reduced, body plan.Body, of *Language) names {
	g := body.Graph
	out := names{r, map[plan.ID]string{}, map[plan.ID]string{}}
	taken := map[string]bool{}
	take := func(name string) string {
		name = of.Identifier(name)
		free := name
		for k := 2; taken[free] || of.IsReserved(free); k++ {
			free = fmt.Sprintf("%s_%d", name, k)
		}
		taken[free] = true
		return free
	}
	for i := range g.Names {
		n := &g.Names[i]
		id := r.Replacement(n.Value.ID)
		if id == plan.None || out.given[id] != "" || !r.IsComputed(id) || n.Kind == plan.RequireName {
			continue
		}
		switch r.Nodes[id].Op {
		case plan.OpParam, plan.OpResult, plan.OpPush: // the names of these say what they are
			continue
		}
		name := identifierOf(n.Name)
		if name == "" {
			continue
		}
		out.given[id] = take(name)
	}
	for i := range r.Nodes {
		id, n := plan.ID(i), &r.Nodes[i]
		if !of.NamesFields || n.Op != plan.OpLeaf || out.given[id] != "" || !r.IsComputed(id) {
			continue
		}
		l := g.Leaves[n.Imm]
		if name := identifierOf(fieldName(body.Shapes[l.Root], int(l.Offset))); name != "" {
			out.fields[id] = take(name)
		}
	}
	return out
}

// fieldName returns the name of the field that has a slot of a shape.
func fieldName(s *plan.Shape, slot int) string {
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional && slot == 0 {
			return "has_" + m.Name
		}
		if m.Optional {
			slot--
		}
		n := m.Shape.Slots()
		switch {
		case slot >= n:
			slot -= n
		case m.Shape.Kind == plan.Record:
			return fieldName(m.Shape, slot)
		default:
			return m.Name
		}
	}
	return ""
}

// identifierOf returns an author's name as an identifier: "ours.offenciancy" is ours_offenciancy.
func identifierOf(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name), "_")
	if name != "" && '0' <= name[0] && name[0] <= '9' {
		return ""
	}
	return name
}

// isNamed reports whether the author named a value.
func (n *names) isNamed(id plan.ID) bool { return n.given[id] != "" }

// of returns the name of a value.
func (n *names) of(id plan.ID) string {
	node := &n.graph.Nodes[id]
	switch {
	case n.given[id] != "":
		return n.given[id]
	case n.fields[id] != "":
		return n.fields[id]
	case node.Op == plan.OpParam && node.Imm == 0:
		return n.iteration(n.graph.Home[id])
	case node.Op == plan.OpParam:
		return n.carried(n.graph.Home[id], node.Imm-1)
	case node.Op == plan.OpResult:
		return n.carried(int32(n.graph.Nodes[node.Args[0]].Imm), node.Imm)
	case node.Op == plan.OpPush: // the list itself
		return n.of(node.Args[0])
	case node.Kind == plan.Fault:
		return fmt.Sprint("f", id)
	}
	return fmt.Sprint("v", id)
}

// iteration returns the name of the number of the iteration of a loop.
func (n *names) iteration(block int32) string { return fmt.Sprint("i", block) }

// carried returns the name of a value that a loop carries.
func (n *names) carried(block int32, k int64) string { return fmt.Sprintf("c%d_%d", block, k) }
