package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Values that a question gives.
//
// A rule is prepared once for all inputs, so its network knows of "counts(d, 1, input.n)" neither how many counts there
// are nor which, and of "pool: input.dice" neither the dice nor their number. Such a rule is expanded no further. For
// one question all of that is known: it is what no die decides. So the network is made again of a graph in which it is
// constant.

// A Given is the value of a node in a question: the bits of its slot or, of a list, the slots of its elements.
type Given struct {
	ID       plan.ID
	Bits     int64
	Kinds    []plan.Kind // of the slots of an element; nil of no list
	Elements []int64     // one element after the other
}

// FindGivens returns the nodes of the outermost block that no die decides, and those of them that depend on a record and
// are read by nodes that dice decide.
//
// A list that is pushed to is none of them: it has room for what is pushed, and a constant has none.
func (g *Network) FindGivens() (sure, read []plan.ID) {
	chance := make([]bool, len(g.Nodes))
	for g.markChance(chance) {
	}
	given := make([]bool, len(g.Nodes))
	for _, id := range g.Blocks[0].Nodes {
		if !g.Needed[id] {
			continue
		}
		for _, a := range g.operandsOf(id) {
			switch {
			case !chance[id]:
				given[id] = given[id] || given[a]
			case given[a] && !slices.Contains(read, a):
				read = append(read, a)
			}
		}
		if !chance[id] {
			sure = append(sure, id)
			given[id] = given[id] || g.Nodes[id].Op == plan.OpLeaf
		}
	}
	return sure, read
}

// operandsOf returns the nodes that a node reads; of a loop also those outside that its body reads.
func (g *Network) operandsOf(id plan.ID) []plan.ID {
	if n := &g.Nodes[id]; n.Op != plan.OpLoop {
		return n.Args
	}
	return append(slices.Clone(g.Nodes[id].Args), g.Externals([]plan.ID{id})...)
}

// markChance marks the nodes of the outermost block that dice decide, and the lists to which those push. It reports whether
// there are lists that were not marked before.
func (g *Network) markChance(chance []bool) (more bool) {
	for _, id := range g.Blocks[0].Nodes {
		if !g.Needed[id] {
			continue
		}
		n := &g.Nodes[id]
		switch n.Op {
		case plan.OpRoll, plan.OpRequire, plan.OpCover, plan.OpParam:
			chance[id] = true
		default:
			chance[id] = chance[id] || g.IsDecision(id) || n.Op == plan.OpLoop && g.hasEffects(id) ||
				slices.ContainsFunc(g.operandsOf(id), func(a plan.ID) bool { return chance[a] })
		}
		if !chance[id] {
			continue
		}
		for k, a := range n.Args {
			of := &g.Nodes[a]
			isList := (of.Kind == plan.List || of.Kind == plan.Map) && of.Op != plan.OpConst
			handsOn := n.Op == plan.OpPush && k == 0 || (n.Op == plan.OpLoop || n.Op == plan.OpSelect) && k > 0
			if g.BlockOf[a] == 0 && !chance[a] && (isList && handsOn || n.Op == plan.OpResult) {
				chance[a], more = true, true
			}
		}
	}
	return more
}

// ElementKinds returns the kinds of the slots of a list's elements. It reports false for elements that are made of slots
// elsewhere, as lists of lists are, and for maps.
func ElementKinds(t *plan.Type) (kinds []plan.Kind, ok bool) {
	if t == nil || t.Kind != plan.List {
		return nil, false
	}
	ok = appendKinds(&kinds, t.Elem)
	return kinds, ok && len(kinds) > 0
}

func appendKinds(kinds *[]plan.Kind, t *plan.Type) bool {
	switch t.Kind {
	case plan.List, plan.Map:
		return false
	case plan.Record:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Optional {
				*kinds = append(*kinds, plan.Bool)
			}
			if f.Fallible {
				*kinds = append(*kinds, plan.Fault)
			}
			if !appendKinds(kinds, f.Type) {
				return false
			}
		}
		return true
	}
	*kinds = append(*kinds, t.Kind)
	return true
}

// WithGivens returns a graph in which some nodes of the outermost block are constants. A list is pushed element by
// element, as an expansion knows lists. The new nodes stand first in the outermost block, where every loop may read
// them.
func WithGivens(g *plan.Graph, givens []Given) *plan.Graph {
	out := *g
	out.Nodes, out.Blocks = slices.Clone(g.Nodes), slices.Clone(g.Blocks)
	var first []plan.ID
	add := func(n plan.Node) plan.ID {
		id := plan.ID(len(out.Nodes))
		n.Site = -1
		out.Nodes, first = append(out.Nodes, n), append(first, id)
		return id
	}
	constant := func(kind plan.Kind, bits int64) plan.ID {
		return add(plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits})
	}
	for _, v := range givens {
		if v.Kinds == nil {
			out.Nodes[v.ID] = plan.Node{Op: plan.OpConst, Kind: g.Nodes[v.ID].Kind, Imm: v.Bits, Site: -1}
			continue
		}
		stride := len(v.Kinds)
		list := plan.Node{
			Op: plan.OpNewSpan, Kind: plan.List, Imm: int64(stride), Site: -1,
			Args: []plan.ID{constant(plan.Int, int64(len(v.Elements)/stride))},
		}
		for element := range slices.Chunk(v.Elements, stride) {
			args := []plan.ID{add(list), constant(plan.Bool, 1)}
			for k, bits := range element {
				args = append(args, constant(v.Kinds[k], bits))
			}
			list = plan.Node{Op: plan.OpPush, Kind: plan.List, Args: args, Site: -1}
		}
		out.Nodes[v.ID] = list
	}
	out.Blocks[0].Nodes = append(first, out.Blocks[0].Nodes...)
	return &out
}
