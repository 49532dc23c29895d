package eliminate

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// When may a list be forgotten face by face? If all that reads it does so element by element: sums, least and greatest,
// and loops from its first to its last element. The list may be sorted before, and a part of it taken (ordered.go). One
// reader more, such as an output of the list itself or an element at a chosen place, needs the list, and then it is
// listed (dice.go).
//
// Case archer_shot of ranged_attack in zones takes 83 units of work, and more than a million without.
//
// All folds of a list are carried together, because they read the same faces: the sum of the dice and the number of
// sixes depend on each other. Their start values and all else that they read must be known before the dice fall; if
// they depend on the list itself, a second pass would be needed, for which nothing is left.

// foldFaceByFace lets a list go through folds, when everything that reads it allows that.
func (b *builder) foldFaceByFace(s *source) {
	f := &fold{list: s.id}
	b.foldInOrder(f)
	for _, u := range b.Users[f.list] {
		if !b.isFoldable(f, u) {
			return
		}
	}
	if b.IsResult(f.list) {
		return
	}
	f.frees = b.Externals(f.loops)
	for _, id := range f.folds {
		for _, a := range b.Nodes[id].Args[1:] {
			if _, known := b.Constant(a); !known && !slices.Contains(f.frees, a) {
				f.frees = append(f.frees, a)
			}
		}
	}
	f.frees = slices.DeleteFunc(f.frees, func(id plan.ID) bool { return id == f.list || b.isSizeOf(f.list, id) })
	ask := slices.Clone(f.frees)
	for _, l := range f.loops {
		ask = append(ask, b.Nodes[l].Args[1:]...)
	}
	if !slices.ContainsFunc(ask, b.isKnownAfter(s.id)) {
		b.makeStream(s, f)
	}
}

// isKnownAfter reports of a value whether it is there only after a list was rolled: because it depends on it, or on dice
// that must be judged after it.
func (b *builder) isKnownAfter(list plan.ID) func(plan.ID) bool {
	ends, seen := b.mayEnd(list), map[plan.ID]bool{}
	after := func(id plan.ID) bool {
		op := b.Nodes[id].Op
		rolls := op == plan.OpRoll || op == plan.OpLoop
		return id == list || ends && id > list && rolls && b.BlockOf[id] == b.block && b.mayEnd(id)
	}
	return func(id plan.ID) bool { return b.dependsOn(id, after, seen) }
}

// isFoldable reports whether a node that reads a list does so element by element.
func (b *builder) isFoldable(f *fold, u plan.ID) bool {
	n := &b.Nodes[u]
	switch {
	case n.Op == plan.OpElem:
		return b.isElement(f, n, u)
	case b.BlockOf[u] != b.block || n.Kind == plan.List:
		return false
	case n.Op.Has(plan.ReadsSize):
		return true
	case n.Op.Has(plan.Symmetric):
		f.folds = append(f.folds, u)
		return true
	}
	return false
}

// isElement reports whether a node reads the element of its loop's iteration.
func (b *builder) isElement(f *fold, n *plan.Node, u plan.ID) bool {
	at := &b.Nodes[n.Args[1]]
	loop := b.LoopOf[b.BlockOf[u]]
	if loop == plan.None || at.Op != plan.OpParam || at.Imm != 0 || b.BlockOf[n.Args[1]] != b.BlockOf[u] ||
		!b.walksWholeList(f.list, loop) {
		return false
	}
	if b.BlockOf[loop] != b.block || b.rollsDice(loop) || b.mayEnd(loop) {
		return false
	}
	if !slices.Contains(f.loops, loop) {
		f.loops = append(f.loops, loop)
	}
	return true
}

// walksWholeList reports whether a loop walks a list from end to end.
func (b *builder) walksWholeList(list, loop plan.ID) bool {
	return loop != plan.None && b.isSizeOf(list, b.Nodes[loop].Args[0])
}

// isSizeOf reports whether a node is the size of a list.
func (b *builder) isSizeOf(list, id plan.ID) bool {
	n := &b.Nodes[id]
	return n.Op == plan.OpSize && n.Args[0] == list
}

// makeStream makes the source a stream.
func (b *builder) makeStream(s *source, f *fold) {
	s.kind, s.fold = streamSource, f
	b.streams[s.id] = f
	for _, l := range f.loops {
		b.inside[l] = true
		at := len(f.first)
		for k, r := range b.Results(l) {
			f.first, f.kinds = append(f.first, b.Nodes[l].Args[k+1]), append(f.kinds, b.Nodes[r].Kind)
		}
		for _, id := range b.own {
			if n := &b.Nodes[id]; n.Op == plan.OpResult && n.Args[0] == l {
				f.gives, f.which = append(f.gives, id), append(f.which, at+int(n.Imm))
			}
		}
	}
	for _, id := range f.folds {
		f.gives, f.which = append(f.gives, id), append(f.which, len(f.first))
		f.first, f.kinds = append(f.first, plan.None), append(f.kinds, b.Nodes[id].Kind)
	}
	s.gives = append(f.replacedLists(s.id), f.gives...)
	for _, id := range s.gives {
		b.sourceAt[id] = s
	}
	clear(b.memo)
}

// scheduleFold schedules the computation for one face: its leaves are the total, the iteration, the number of faces,
// the carried values, and the free values.
func (b *builder) scheduleFold(f *fold) (err error) {
	c := newCutter(b.Network)
	elem, iteration, size := c.addLeaf(plan.Int), c.addLeaf(plan.Int), c.addLeaf(plan.Int)
	var carried []plan.ID
	for _, kind := range f.kinds {
		carried = append(carried, c.addLeaf(kind))
	}
	c.addLeaves(f.frees)
	for id := range c.Nodes {
		if b.isSizeOf(f.list, plan.ID(id)) {
			c.copies[plan.ID(id)] = size
		}
	}
	outs := []vm.FragmentOutput{}
	at := 0
	for _, l := range f.loops {
		c.copyConstants([]plan.ID{l})
		c.copyElementBody(l, f.list, elem, iteration, carried[at:])
		for k, r := range b.Results(l) {
			list := b.ListType(r)
			if list == nil { // an empty list in the end, as it may be at first
				list = b.ListType(b.Nodes[l].Args[k+1])
			}
			outs = append(outs, vm.FragmentOutput{ID: c.mapOperands([]plan.ID{r})[0], Kind: b.Nodes[r].Kind, List: list})
			at++
		}
	}
	c.copyConstants(f.folds)
	for _, id := range f.folds {
		outs = append(outs, vm.FragmentOutput{ID: c.nextOfFold(&b.Nodes[id], elem, iteration, carried[at]),
			Kind: b.Nodes[id].Kind})
		at++
	}
	f.sums = c.isAdditive(f, carried, iteration, outs)
	for k, o := range outs {
		if o.Kind == plan.Fault {
			f.faults = append(f.faults, k)
		}
	}
	var roots [plan.NumRoots]int
	roots[plan.InputRoot] = c.leaves
	f.part, err = c.schedulePart(b.image, b.choice, roots, outs)
	return err
}

// copyElementBody copies the body of a loop over a list as the computation for one element.
func (c *cutter) copyElementBody(loop, list, elem, iteration plan.ID, carried []plan.ID) {
	for _, id := range c.bodyNodes(loop) {
		switch n := &c.Nodes[id]; {
		case n.Op == plan.OpParam && n.Imm == 0:
			c.copies[id] = iteration
		case n.Op == plan.OpParam:
			c.copies[id] = carried[n.Imm-1]
		case n.Op == plan.OpElem && n.Args[0] == list:
			c.copies[id] = elem
		}
	}
	c.copyNodes(c.bodyNodes(loop))
}

// nextOfFold returns the next value of a fold: of each symmetric operation that gives a scalar.
func (c *cutter) nextOfFold(n *plan.Node, elem, iteration, carried plan.ID) plan.ID {
	compute := func(op plan.Op, kind plan.Kind, args ...plan.ID) plan.ID {
		return c.addNode(plan.Node{Op: op, Kind: kind, Args: args, Site: -1})
	}
	better := plan.OpMinInt
	switch n.Op {
	case plan.OpSumInt:
		return compute(plan.OpAddInt, plan.Int, carried, elem)
	case plan.OpHas:
		return compute(plan.OpOr, plan.Bool, carried, compute(plan.OpEqInt, plan.Bool, elem, c.mapOperands(n.Args[1:])[0]))
	case plan.OpGreatest:
		better = plan.OpMaxInt
	case plan.OpLeast:
	default:
		c.err = fmt.Errorf("odds: %s cannot be folded", n.Op)
	}
	first := compute(plan.OpEqInt, plan.Bool, iteration, c.addConstant(plan.Int, 0))
	return compute(plan.OpSelect, plan.Int, first, elem, compute(better, plan.Int, carried, elem))
}

// isAdditive reports whether every carried value grows by an amount that the face alone decides.
//
// It looks at the form alone: next = carried + x, in either order, where x depends neither on a carried value nor on
// the iteration. A value that is never changed is additive too, as is one that is 0 at first and behind each face: a fault
// that cannot happen.
func (c *cutter) isAdditive(f *fold, carried []plan.ID, iteration plan.ID, outs []vm.FragmentOutput) bool {
	from := make([]bool, len(c.graph.Nodes)) // what depends on the iteration or on what is carried
	from[iteration] = true
	for _, id := range carried {
		from[id] = true
	}
	for _, id := range c.graph.Blocks[0].Nodes {
		n := &c.graph.Nodes[id]
		from[id] = from[id] || slices.ContainsFunc(n.Args, func(a plan.ID) bool { return from[a] }) || n.Op == plan.OpLoop
	}
	for k, o := range outs {
		n := &c.graph.Nodes[o.ID]
		if n.Op == plan.OpFirstFault && n.Args[0] == carried[k] && !from[n.Args[1]] {
			continue // 0, unless some face has a fault: grown looks at that
		}
		if n.Op == plan.OpConst && n.Imm == 0 && (f.first[k] == plan.None || c.isZero(f.first[k])) {
			continue
		}
		grows := n.Op == plan.OpAddInt &&
			(n.Args[0] == carried[k] && !from[n.Args[1]] || n.Args[1] == carried[k] && !from[n.Args[0]])
		if !grows && o.ID != carried[k] {
			return false
		}
	}
	return true
}

// isZero reports whether a node is the constant 0.
func (c *cutter) isZero(id plan.ID) bool {
	bits, known := c.Constant(id)
	return known && bits == 0
}
