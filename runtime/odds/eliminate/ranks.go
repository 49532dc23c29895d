package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Of a hand of cards that is only put in order, and whose cards are only compared with each other, it does not matter which
// cards they are, but how they rank among themselves. All orders of n different cards are equally likely, however many the
// deck has; so the deck may be taken to have n cards. Eight of ten cards fall in 1,814,400 ways, and rank in 40,320.
// Case 05 of turn_track in zones takes 3,368 units of work, and 151,210 without.
//
// Whether that is so is found by following the cards through the graph. A value is a card, or a list of cards, as it falls
// or with its sign changed; or nothing of the kind. Cards may be taken out of lists, put into lists, sorted, sorted by, and
// compared with cards of the same sign. All else that reads one, or an output that is one, tells them apart.

// A standing is what a value has to do with the cards.
type standing uint8

const (
	unread   standing = iota // nothing has been put into the list yet
	apart                    // how the cards rank decides it, or nothing of them
	rising                   // a card, or a list of cards
	falling                  // likewise, with the sign changed
	revealed                 // it tells which cards there are
)

// join returns the standing of a value that is one or the other.
func (s standing) join(t standing) standing {
	switch {
	case s == t || t == unread:
		return s
	case s == unread:
		return t
	}
	return revealed
}

// A ranking follows the cards of one roll, or several dice.
type ranking struct {
	*builder
	values    []plan.ID  // the roll, or the dice
	standings []standing // of each node
}

// readsRanks reports whether of a hand of cards, or of several dice together, only the ranks among themselves are read.
func (b *builder) readsRanks(values ...plan.ID) bool {
	x := ranking{b, values, make([]standing, len(b.Nodes))}
	for i := range x.standings {
		x.standings[i] = apart
	}
	for _, id := range b.Blocks[b.block].Nodes {
		if b.Needed[id] && !x.findStanding(id) {
			return false
		}
	}
	for _, id := range b.Blocks[b.block].Results {
		if x.standings[id] != apart {
			return false
		}
	}
	for _, v := range b.roots {
		if !x.isApart(v) {
			return false
		}
	}
	return true
}

// isApart reports whether a value that is asked for tells no cards.
func (x *ranking) isApart(v *plan.Value) bool {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if v.Type != nil && id != plan.None && (id != v.ID || v.Type.Kind != plan.Record) && x.standings[id] > apart {
			return false
		}
	}
	for i := range v.Fields {
		if !x.isApart(&v.Fields[i]) {
			return false
		}
	}
	return true
}

// findStanding finds the standing of a node. It reports false when dice or an effect read the cards.
func (x *ranking) findStanding(id plan.ID) bool {
	n := &x.Nodes[id]
	switch {
	case slices.Contains(x.values, id):
		x.standings[id] = rising
		return x.allApart(n.Args)
	case n.Op == plan.OpRoll || n.Op == plan.OpRequire || x.IsDecision(id):
		return x.allApart(n.Args)
	case n.Op == plan.OpLoop:
		return x.followLoop(id)
	}
	x.standings[id] = x.standingOf(n)
	return true
}

// allApart reports whether no node tells cards.
func (x *ranking) allApart(ids []plan.ID) bool {
	for _, id := range ids {
		if id != plan.None && x.standings[id] > apart {
			return false
		}
	}
	return true
}

// standingOf returns the standing of a node by those of its operands.
func (x *ranking) standingOf(n *plan.Node) standing {
	arg := func(i int) standing { return x.standings[n.Args[i]] }
	switch n.Op {
	case plan.OpParam:
		return apart // followLoop knows those that are carried
	case plan.OpNewSpan:
		if x.allApart(n.Args) {
			return unread
		}
	case plan.OpSize, plan.OpNegIntFault, plan.OpEmptyFault:
		if arg(0) != revealed { // what changes its sign has cards or is apart: a card is never so small that it has none
			return apart
		}
	case plan.OpElem, plan.OpSlice:
		if x.allApart(n.Args[1:]) {
			return max(apart, arg(0))
		}
	case plan.OpElemFault, plan.OpSliceFault:
		if arg(0) != revealed && x.allApart(n.Args[1:]) {
			return apart
		}
	case plan.OpSort, plan.OpLeast, plan.OpGreatest:
		return arg(0)
	case plan.OpSortBy:
		if arg(1) != revealed {
			return arg(0)
		}
	case plan.OpNegInt:
		return [...]standing{unread: apart, apart: apart, rising: falling, falling: rising, revealed: revealed}[arg(0)]
	case plan.OpLtInt, plan.OpLeInt, plan.OpEqInt:
		if arg(0) == arg(1) && arg(0) != revealed {
			return apart
		}
	case plan.OpMinInt, plan.OpMaxInt, plan.OpConcat:
		out := arg(0)
		for _, id := range n.Args[1:] {
			out = out.join(x.standings[id])
		}
		return out
	case plan.OpPush:
		return x.standingOfPush(n)
	case plan.OpResult:
		loop := n.Args[0]
		return x.standings[x.Nodes[loop].Args[n.Imm+1]].join(x.standings[x.Results(loop)[n.Imm]])
	case plan.OpSelect:
		return x.standingOfChoice(n)
	}
	if x.allApart(n.Args) {
		return apart
	}
	return revealed
}

// standingOfPush returns the standing of a list with one element more.
func (x *ranking) standingOfPush(n *plan.Node) standing {
	list, element := x.standings[n.Args[0]], n.Args[2:]
	switch {
	case !x.allApart(n.Args[1:2]):
		return revealed
	case len(element) == 1:
		return list.join(max(apart, x.standings[element[0]]))
	case x.allApart(element):
		return list.join(apart)
	}
	return revealed
}

// standingOfChoice returns the standing of a choice: that of its known arm, if an option decides it.
func (x *ranking) standingOfChoice(n *plan.Node) standing {
	yes, no := x.standings[n.Args[1]], x.standings[n.Args[2]]
	truth, known := x.knownTruth(n.Args[0])
	switch {
	case known && truth:
		return yes
	case known:
		return no
	case x.standings[n.Args[0]] > apart:
		return revealed
	}
	return yes.join(no)
}

// knownTruth returns a truth that no record decides.
func (x *ranking) knownTruth(id plan.ID) (is, known bool) {
	if bits, ok := x.Constant(id); ok {
		return bits != 0, true
	}
	if n := &x.Nodes[id]; n.Op == plan.OpEqInt {
		a, ok := x.Constant(n.Args[0])
		b, too := x.Constant(n.Args[1])
		return a == b, ok && too
	}
	return false, false
}

// followLoop follows the cards through the body of a loop, until the standings of the carried values no longer change.
//
// It ends because a carried standing only rises, from unread to one of three, and from these to revealed: a loop that
// carries n values is walked at most 2n+1 times.
func (x *ranking) followLoop(loop plan.ID) bool {
	n := &x.Nodes[loop]
	if !x.allApart(n.Args[:1]) {
		return false
	}
	carried := make([]standing, len(n.Args)-1)
	for k, id := range n.Args[1:] {
		carried[k] = x.standings[id]
	}
	for settled := false; !settled; {
		for _, id := range x.Blocks[n.Imm].Nodes {
			m := &x.Nodes[id]
			if !x.Needed[id] {
				continue
			}
			if !x.findStanding(id) {
				return false
			}
			if m.Op == plan.OpParam && m.Imm > 0 {
				x.standings[id] = carried[m.Imm-1]
			}
		}
		settled = true
		for k, id := range x.Results(loop) {
			if next := carried[k].join(x.standings[id]); next != carried[k] {
				carried[k], settled = next, false
			}
		}
	}
	return true
}
