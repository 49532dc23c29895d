package eliminate

import (
	"github.com/tabletop-rules/rules/runtime/plan"
)

// foldInOrder lets a fold go through the sorted dice of a list, or through a part of them, when nothing else reads the
// list.
func (b *builder) foldInOrder(f *fold) {
	sort := b.onlyReader(f.list, plan.OpSort)
	if sort == plan.None {
		return
	}
	f.order, f.list = &order{sort: sort, slice: plan.None}, sort
	slice := b.onlyReader(sort, plan.OpSlice)
	if slice == plan.None {
		return
	}
	from, known := b.Constant(b.Nodes[slice].Args[1])
	to, sure := b.Constant(b.Nodes[slice].Args[2])
	if known && sure {
		*f.order, f.list = order{sort, slice, from, to}, slice
	}
}

// onlyReader returns the one node of an operation that reads a list, None when something else does so otherwise than for
// the size.
func (b *builder) onlyReader(list plan.ID, op plan.Op) plan.ID {
	out := plan.None
	for _, u := range b.Users[list] {
		n := &b.Nodes[u]
		switch {
		case n.Op.Has(plan.ReadsSize):
		case n.Op == op && out == plan.None && b.BlockOf[u] == b.block && n.Args[0] == list:
			out = u
		default:
			return plan.None
		}
	}
	if b.IsResult(list) {
		return plan.None
	}
	return out
}
