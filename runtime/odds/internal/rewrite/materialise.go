package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// copyNode copies a node that reads its operands as they are.
func (x *expander) copyNode(n *plan.Node) plan.ID {
	c := plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Site: n.Site}
	for _, a := range n.Args {
		c.Args = append(c.Args, x.nodeOf(a))
	}
	return x.emit(c)
}

// nodeOf returns the node that stands for one of from's; a bag is made into a list.
func (x *expander) nodeOf(id plan.ID) plan.ID {
	if id == plan.None {
		return id
	}
	v, ok := x.values[id]
	switch {
	case !ok || v.id == plan.None && v.bag == nil:
		x.fail()
		return 0
	case v.id == plan.None:
		return x.materialise(v.bag)
	}
	return v.id
}

// materialise makes the list that a bag stands for: of a run, as many conditional pushes as it may have elements. K×5 of at
// most 3 dice becomes push(5) if K > 0, push(5) if K > 1, push(5) if K > 2. That is as long as the list with all dice at
// each face, and the list is a state again, so it is the last resort: for a bag whose elements have an order, and that an
// operation reads which no rule covers.
func (x *expander) materialise(b *bag) plan.ID {
	if !b.isOrdered {
		x.refusePools(b.pools)
		return 0
	}
	if b.sequence != nil {
		b.sequence.sequence, x.gaveUp = false, true
		x.fail()
		return 0
	}
	most := int64(0)
	for _, r := range b.runs {
		most += r.maxCount
	}
	room := b.room
	if room == plan.None {
		room = x.constantNode(plan.Int, most)
	}
	list := x.emit(plan.Node{Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{room}, Imm: int64(b.stride), Site: -1})
	for _, r := range b.runs {
		slots := slices.Clone(r.slots)
		for k, slot := range slots {
			if within := x.nested[slot]; within != nil {
				slots[k] = x.materialise(within)
			}
		}
		for i := range r.maxCount {
			c := x.emitOp(plan.OpLtInt, plan.Bool, x.constantNode(plan.Int, i), r.count)
			if i == 0 {
				c = x.isThere(r.count)
			}
			list = x.emit(plan.Node{Op: plan.OpPush, Kind: plan.List, Args: append([]plan.ID{list, c}, slots...),
				Site: -1})
		}
	}
	x.seeAll(b)
	return list
}

// seeAll tells the pools of a bag that a reader sees every face by itself, so that no two become one class. -1 is no mark
// of beginReader, whose marks begin at -2.
func (x *expander) seeAll(b *bag) {
	for _, p := range b.pools {
		for _, f := range p.faces {
			f.views = append(f.views, -1, f.value)
		}
	}
}
