package emit

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A region is a sequence of statements: the body of the function or of a loop, or an arm of a choice in such a body.
type region struct {
	outer *region // around an arm; nil of a body
	depth int     // of arms around it
	block int32
	nodes []plan.ID // in the order of execution
}

// A placement says where each node of a graph stands.
type placement struct {
	f       *Function
	graph   *schedule.Reduced
	names   *names
	bodies  []*region // of each block
	arms    map[plan.ID][2]*region
	at      []*region
	readers []int // of each node, how often it is read
	reader  []plan.ID
	carries [][]bool         // of each block, which of its loop's values are carried because something reads them
	effects map[int32]bool   // blocks in which effects stand
	changed map[plan.ID]bool // lists that a push changes
	looped  []bool           // of each node, whether a loop reads it that it does not stand in
	inlined []bool
}

// place places the nodes of a function's graph.
func place(f *Function) *placement {
	g := f.graph
	n := len(g.Nodes)
	p := &placement{f: f, graph: g, names: &f.names, bodies: make([]*region, len(g.Blocks)), arms: map[plan.ID][2]*region{},
		at: make([]*region, n), readers: make([]int, n), reader: make([]plan.ID, n), carries: make([][]bool, len(g.Blocks)),
		effects: map[int32]bool{}, changed: map[plan.ID]bool{}, looped: make([]bool, n),
		inlined: make([]bool, n)}
	for id := range g.Nodes {
		if g.IsComputed(plan.ID(id)) {
			p.note(plan.ID(id))
		}
	}
	p.bodies[0] = &region{}
	b := f.Body.Graph
	for _, v := range slices.Concat([]plan.Value{b.Outputs, b.When}, b.Next, b.Ends) {
		p.readValue(&v)
	}
	p.placeBlock(0)
	p.fill(0)
	p.inline(0)
	return p
}

// note notes which carried values a node reads, and which effects it has.
func (p *placement) note(id plan.ID) {
	n := &p.graph.Nodes[id]
	home := p.graph.Home[id]
	switch {
	case n.Op.Has(plan.Effect):
		p.effects[home] = true
		for loop := p.graph.Loops[home]; loop != plan.None; loop = p.graph.Loops[home] {
			home = p.graph.Home[loop]
			p.effects[home] = true
		}
	case n.Op == plan.OpPush:
		p.changed[n.Args[0]] = true
	case n.Op == plan.OpResult:
		p.noteCarried(int32(p.graph.Nodes[n.Args[0]].Imm), n.Imm)
	case n.Op == plan.OpParam && n.Imm > 0:
		p.noteCarried(home, n.Imm-1)
	}
}

func (p *placement) noteCarried(block int32, k int64) {
	if p.carries[block] == nil {
		p.carries[block] = make([]bool, len(p.graph.Blocks[block].Results))
	}
	p.carries[block][k] = true
}

// isCarried reports whether anything reads the k-th value that a loop carries.
func (p *placement) isCarried(block int32, k int) bool {
	return p.carries[block] != nil && p.carries[block][k]
}

// readValue notes that a value leaves the graph.
func (p *placement) readValue(v *plan.Value) {
	if v.Type == nil {
		return
	}
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None {
			p.read(p.graph.Replacement(id), plan.None, p.bodies[0])
		}
	}
	for i := range v.Fields {
		p.readValue(&v.Fields[i])
	}
}

// placeBlock places the nodes of a block and of the loops in it, from the last to the first: the readers of each are placed
// before it.
func (p *placement) placeBlock(block int32) {
	for _, id := range slices.Backward(p.graph.Order(block)) {
		n := &p.graph.Nodes[id]
		if p.at[id] == nil || p.isPinned(id) {
			p.at[id] = p.bodies[block]
		}
		if n.Op == plan.OpLoop {
			p.placeLoop(id)
			continue
		}
		for k, a := range n.Args {
			to := p.at[id]
			if arm := armOf(n.Op, k); arm >= 0 {
				to = p.openArm(id, arm)
			}
			p.read(a, id, to)
		}
	}
}

// placeLoop places the body of a loop, whose own place is known, and its initial values.
func (p *placement) placeLoop(id plan.ID) {
	n := &p.graph.Nodes[id]
	block := int32(n.Imm)
	body := &region{block: block}
	p.bodies[block] = body
	for k, next := range p.graph.Blocks[block].Results {
		if p.isCarried(block, k) {
			p.read(next, id, body)
		}
	}
	p.placeBlock(block)
	p.read(n.Args[0], id, p.at[id])
	for k, first := range n.Args[1:] {
		if p.isCarried(block, k) {
			p.read(first, id, p.at[id])
		}
	}
}

// isPinned reports whether a node stays in the body of its block.
func (p *placement) isPinned(id plan.ID) bool {
	n := &p.graph.Nodes[id]
	return n.Op.Has(plan.Effect) || n.Op == plan.OpParam || n.Op == plan.OpPush ||
		n.Op == plan.OpLoop && p.effects[int32(n.Imm)] || p.readsChanged(n)
}

// readsChanged reports whether a node reads a list that a push changes.
func (p *placement) readsChanged(n *plan.Node) bool {
	return slices.ContainsFunc(n.Args, func(a plan.ID) bool { return p.changed[a] })
}

// read notes that a node reads another one in a region, and moves that outwards to where all its readers see it.
func (p *placement) read(id, reader plan.ID, at *region) {
	if !p.graph.IsComputed(id) {
		return
	}
	for at.block != p.graph.Home[id] { // from within a loop: where the loop stands
		at = p.at[p.graph.Loops[at.block]]
		p.looped[id] = true
	}
	p.readers[id]++
	p.reader[id] = reader
	if p.at[id] != nil {
		at = commonRegion(p.at[id], at)
	}
	p.at[id] = at
}

// commonRegion returns the innermost region around two of the same block.
func commonRegion(a, b *region) *region {
	for a != b {
		if a.depth >= b.depth {
			a = a.outer
		} else {
			b = b.outer
		}
	}
	return a
}

// armOf returns the arm in which an operand is read: 0 or 1, or -1 of one that is always read.
func armOf(op plan.Op, operand int) int {
	switch op {
	case plan.OpSelect:
		return operand - 1
	case plan.OpAnd, plan.OpOr, plan.OpFirstFault:
		return operand - 1 // the second is read only where the first does not decide
	}
	return -1
}

// openArm returns an arm of a choice.
func (p *placement) openArm(id plan.ID, arm int) *region {
	pair := p.arms[id]
	if pair[arm] == nil {
		at := p.at[id]
		pair[arm] = &region{outer: at, depth: at.depth + 1, block: at.block}
		p.arms[id] = pair
	}
	return pair[arm]
}

// fill lists the nodes of each region.
func (p *placement) fill(block int32) {
	for _, id := range p.graph.Order(block) {
		p.at[id].nodes = append(p.at[id].nodes, id)
		if n := &p.graph.Nodes[id]; n.Op == plan.OpLoop {
			p.fill(int32(n.Imm))
		}
	}
}

// inline decides which nodes are written where they are read, operands before their readers.
func (p *placement) inline(block int32) {
	for _, id := range p.graph.Order(block) {
		n := &p.graph.Nodes[id]
		if n.Op == plan.OpLoop {
			p.inline(int32(n.Imm))
		}
		p.inlined[id] = p.canInline(id)
	}
}

func (p *placement) canInline(id plan.ID) bool {
	n := &p.graph.Nodes[id]
	switch n.Op {
	case plan.OpLoop, plan.OpPush, plan.OpNewSpan, plan.OpRoll, plan.OpRequire, plan.OpParam, plan.OpResult:
		return false
	}
	if p.f.language.IsStatement(n.Op) {
		return false
	}
	if n.Op == plan.OpLeaf && p.f.language.ReadsAgain && !p.looped[id] && p.isAlwaysThere(n) {
		return true
	}
	if p.readers[id] != 1 || p.names.isNamed(id) || p.readsChanged(n) || p.needsArms(id) {
		return false
	}
	reader := p.reader[id]
	if reader != plan.None && p.f.IsCompared(reader) && n.Op != plan.OpLeaf {
		return false // it is compared several times
	}
	return reader == plan.None || p.graph.Home[reader] == p.graph.Home[id] // else it would be computed in each iteration
}

// isAlwaysThere reports whether a node is a field, and neither it nor a record around it is optional.
func (p *placement) isAlwaysThere(n *plan.Node) bool {
	l := p.f.Body.Graph.Leaves[n.Imm]
	shape, slot := p.f.Body.Shapes[l.Root], int(l.Offset)
	for shape.Kind == plan.Record {
		for i := range shape.Fields {
			m := &shape.Fields[i]
			size := m.Shape.Slots()
			if m.Optional {
				size++ // whether it is there
			}
			if slot >= size {
				slot -= size
				continue
			}
			if m.Optional {
				return false
			}
			shape = m.Shape
			break
		}
	}
	return true
}

// needsArms reports whether a choice has an arm with statements, or is itself a statement.
func (p *placement) needsArms(id plan.ID) bool {
	if p.f.language.IsStatement(p.graph.Nodes[id].Op) {
		return true
	}
	for _, arm := range p.arms[id] {
		if arm != nil && slices.ContainsFunc(arm.nodes, func(x plan.ID) bool { return !p.inlined[x] && !p.isName(x) }) {
			return true
		}
	}
	return false
}

// isName reports whether a node is only a name for the value of another statement.
func (p *placement) isName(id plan.ID) bool {
	op := p.graph.Nodes[id].Op
	return op == plan.OpParam || op == plan.OpResult
}
