package eliminate

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A cutter copies nodes of a graph into a graph of their own, which is then scheduled like any other.
//
// fresh guards an assumption of the runtime: a push writes behind the end of a span in place, which is right only if
// the span was begun in the same part, with room. A span that came from a state, or from an earlier part, is shared by
// other states. Writing behind it would change them, so it is copied first (copyWithRoom).
type cutter struct {
	*rewrite.Network
	graph  *plan.Graph
	copies map[plan.ID]plan.ID // of the nodes copied, what stands for them
	block  int                 // of out, that is written to
	leaves int
	fresh  map[plan.ID]bool // of out: spans that were begun here, so that there is room behind them
	err    error
}

func newCutter(g *rewrite.Network) *cutter {
	return &cutter{
		Network: g, copies: map[plan.ID]plan.ID{}, fresh: map[plan.ID]bool{},
		graph: &plan.Graph{Blocks: []plan.Block{{}}, Sites: g.Sites, Requires: g.Requires},
	}
}

// addNode appends a node to the block that is written.
func (c *cutter) addNode(n plan.Node) plan.ID {
	id := plan.ID(len(c.graph.Nodes))
	c.graph.Nodes = append(c.graph.Nodes, n)
	b := &c.graph.Blocks[c.block]
	b.Nodes = append(b.Nodes, id)
	return id
}

// addLeaf returns a value that is given: the next slot of the input.
func (c *cutter) addLeaf(kind plan.Kind) plan.ID {
	c.graph.Leaves = append(c.graph.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: int32(c.leaves)})
	c.leaves++
	return c.addNode(plan.Node{Op: plan.OpLeaf, Kind: kind, Imm: int64(len(c.graph.Leaves) - 1), Site: -1})
}

func (c *cutter) addConstant(kind plan.Kind, bits int64) plan.ID {
	return c.addNode(plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1})
}

// addLeaves makes leaves of values.
func (c *cutter) addLeaves(ids []plan.ID) {
	for _, id := range ids {
		c.copies[id] = c.addLeaf(c.Nodes[id].Kind)
	}
}

// copyConstants copies the constants that nodes read from blocks around them.
func (c *cutter) copyConstants(nodes []plan.ID) {
	for _, id := range nodes {
		n := &c.Nodes[id]
		read := n.Args
		if n.Op == plan.OpLoop {
			read = append(slices.Clone(read), c.Results(id)...)
		}
		for _, a := range read {
			if _, done := c.copies[a]; !done && c.Nodes[a].Op == plan.OpConst {
				c.copies[a] = c.addConstant(c.Nodes[a].Kind, c.Nodes[a].Imm)
			}
		}
		if n.Op == plan.OpLoop {
			c.copyConstants(c.bodyNodes(id))
		}
	}
}

// bodyNodes returns the needed nodes of a loop's body, its constants left out: those are copied beforehand.
func (c *cutter) bodyNodes(loop plan.ID) []plan.ID {
	return slices.DeleteFunc(slices.Clone(c.Blocks[c.Nodes[loop].Imm].Nodes), func(id plan.ID) bool {
		return !c.Needed[id] || c.Nodes[id].Op == plan.OpConst || c.Nodes[id].Op == plan.OpCover
	})
}

// copyNodes copies nodes, in their order.
func (c *cutter) copyNodes(nodes []plan.ID) {
	for _, id := range nodes {
		if _, done := c.copies[id]; done {
			continue
		}
		n := c.Nodes[id]
		switch n.Op {
		case plan.OpLoop:
			c.copyLoop(id)
			continue
		case plan.OpPush:
			if c.copyPush(id) {
				continue
			}
		case plan.OpLeaf:
			n.Imm = c.rootLeaf(c.Leaves[n.Imm])
		}
		n.Args = c.mapOperands(n.Args)
		c.copies[id] = c.addNode(n)
		c.fresh[c.copies[id]] = c.isBegun(&n)
	}
}

// rootLeaf returns the leaf of a record.
func (c *cutter) rootLeaf(l plan.Leaf) int64 {
	c.graph.Leaves = append(c.graph.Leaves, l)
	return int64(len(c.graph.Leaves) - 1)
}

// isBegun reports whether a span may be pushed to in place.
func (c *cutter) isBegun(n *plan.Node) bool {
	switch n.Op {
	case plan.OpNewSpan:
		return true
	case plan.OpPush, plan.OpResult:
		return c.fresh[n.Args[0]]
	}
	return false
}

func (c *cutter) mapOperands(args []plan.ID) []plan.ID {
	out := make([]plan.ID, len(args))
	for i, a := range args {
		to, ok := c.copies[a]
		if !ok && c.err == nil {
			c.err = fmt.Errorf("odds: node %d is read before it is there", a)
		}
		out[i] = to
	}
	return out
}

// copyPush copies a push to a span that was not begun here: behind it there may be no room, so it is copied to
// where there is, for this one element.
func (c *cutter) copyPush(id plan.ID) bool {
	n := c.Nodes[id]
	n.Args = c.mapOperands(n.Args)
	if c.fresh[n.Args[0]] {
		return false
	}
	n.Args[0] = c.copyWithRoom(n.Args[0], len(n.Args)-2)
	c.copies[id] = c.addNode(n)
	return true
}

// copyWithRoom returns a copy of a span with room for one more element: a loop that pushes every slot of every element.
func (c *cutter) copyWithRoom(span plan.ID, stride int) plan.ID {
	size := c.addNode(plan.Node{Op: plan.OpSize, Kind: plan.Int, Args: []plan.ID{span}, Site: -1})
	most := c.addNode(plan.Node{Op: plan.OpAddInt, Kind: plan.Int, Args: []plan.ID{size,
		c.addConstant(plan.Int, 1)}, Site: -1})
	always := c.addConstant(plan.Bool, 1)
	begun := c.addNode(plan.Node{Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{most}, Imm: int64(stride), Site: -1})
	around := c.block
	c.graph.Blocks = append(c.graph.Blocks, plan.Block{})
	c.block = len(c.graph.Blocks) - 1
	at := c.addNode(plan.Node{Op: plan.OpParam, Kind: plan.Int, Site: -1})
	args := []plan.ID{c.addNode(plan.Node{Op: plan.OpParam, Kind: plan.List, Imm: 1, Site: -1}), always}
	for slot := range stride {
		elem := plan.Node{Op: plan.OpElem, Kind: plan.Int, Args: []plan.ID{span, at}, Site: -1}
		elem.Imm = int64(stride)<<32 | int64(slot)
		args = append(args, c.addNode(elem))
	}
	pushed := c.addNode(plan.Node{Op: plan.OpPush, Kind: plan.List, Args: args, Site: -1})
	body := c.block
	c.graph.Blocks[body].Results, c.block = []plan.ID{pushed}, around
	loop := c.addNode(plan.Node{Op: plan.OpLoop, Kind: plan.Int, Args: []plan.ID{size, begun}, Imm: int64(body), Site: -1})
	return c.addNode(plan.Node{Op: plan.OpResult, Kind: plan.List, Args: []plan.ID{loop}, Site: -1})
}

// copyLoop copies a loop with its body.
func (c *cutter) copyLoop(id plan.ID) {
	n := c.Nodes[id]
	n.Args = c.mapOperands(n.Args)
	around, body := c.block, len(c.graph.Blocks)
	c.graph.Blocks = append(c.graph.Blocks, plan.Block{})
	c.block = body
	for _, p := range c.bodyNodes(id) {
		if x := c.Nodes[p]; x.Op == plan.OpParam {
			c.copies[p] = c.addNode(x)
			c.fresh[c.copies[p]] = x.Imm > 0 && c.fresh[n.Args[x.Imm]]
		}
	}
	c.copyNodes(c.bodyNodes(id))
	c.graph.Blocks[body].Results = c.mapOperands(c.Results(id))
	c.block = around
	n.Imm = int64(body)
	c.copies[id] = c.addNode(n)
	c.fresh[c.copies[id]] = true
	for k, r := range c.graph.Blocks[body].Results {
		if span := c.Nodes[c.Results(id)[k]].Kind; span == plan.List || span == plan.Map {
			c.fresh[c.copies[id]] = c.fresh[c.copies[id]] && c.fresh[r]
		}
	}
}

// schedulePart returns the fragment of the copied nodes.
func (c *cutter) schedulePart(
	p *vm.Image, choice plan.Choice, roots [plan.NumRoots]int, outs []vm.FragmentOutput,
) (*vm.Fragment, error) {
	if c.err != nil {
		return nil, c.err
	}
	record := &plan.Type{Kind: plan.Record}
	values := []plan.Value{}
	for _, o := range outs {
		t := &plan.Type{Kind: o.Kind, Elem: plan.IntType, Key: plan.String}
		record.Fields = append(record.Fields, plan.Field{Type: t})
		values = append(values, plan.Value{Type: t, ID: o.ID, Fault: plan.None, Present: plan.None})
	}
	c.graph.Outputs = plan.Value{Type: record, ID: plan.None, Fault: plan.None, Present: plan.None, Fields: values}
	c.graph.When = plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None}
	options, err := p.Plan().OptionValues(choice)
	if err != nil {
		return nil, err
	}
	return vm.NewFragment(p, c.graph, options, roots, outs)
}

// outsOf says of nodes of the graph how their copies outlive the part.
func (c *cutter) outsOf(ids []plan.ID) []vm.FragmentOutput {
	out := make([]vm.FragmentOutput, len(ids))
	for i, id := range ids {
		out[i] = vm.FragmentOutput{ID: c.mapOperands([]plan.ID{id})[0], Kind: c.Nodes[id].Kind, List: c.ListType(id)}
	}
	return out
}
