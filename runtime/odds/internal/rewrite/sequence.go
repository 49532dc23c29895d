package rewrite

import (
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A sequence is a list of dice of which some reader sees the order: "no two neighbours are equal", "three heads in a row".
// Counts cannot tell that, and 100 coins fall in 2^100 orders. But each die may be rolled by itself, in the order of the
// list, and what the readers make of it is then a scan: they keep the die before, or how long the run is, and forget the
// rest. So the list becomes as many runs of one element as there are dice. Loops over it are unrolled, elements at a known
// place are dice, and elimination meets the dice in their order.
//
// The problem coins_changes of the benchmark takes 19,804 units of work, and is refused without.
//
// When something reads the list itself, its dice were only a slower way to list it, and it is rolled as a list.

// Lists that fall in at most fewOrders ways are listed.
const fewOrders = 1 << 12

// mayBeSequence reports whether a list that is no pool may be rolled die by die: how many dice of how many faces it has is
// known, and they are too many for a list.
func (x *expander) mayBeSequence(p *Pool) bool {
	if p.results || p.Sizes != nil || x.settingsOf(p.roll).isRefused {
		return false
	}
	n := &x.from.Nodes[p.roll]
	faces, known := x.from.Constant(n.Args[1])
	guard, sure := x.from.Constant(n.Args[0])
	count, counted := x.from.Constant(n.Args[2])
	return known && sure && guard == 1 && counted && x.from.alwaysRolls(n) &&
		(x.limits.Listed <= 1 || CountLists(float64(faces), float64(count), false, p.Die.Distinct) > fewOrders) &&
		x.fitsLimit(count, x.limits.Sequence, WideLimits().Sequence)
}

// rollSequence rolls dice one by one. The list of the new graph, which nothing reads, is not rolled.
func (x *expander) rollSequence(id plan.ID, n *plan.Node) *bag {
	die := x.from.Dice[n.Imm]
	die.List, die.Distinct, die.Most, die.Shows = false, false, 0, nil
	x.out.Dice = append(x.out.Dice, die)
	x.draws = append(x.draws, Draw{}) // as many as there are new dice
	count, _ := x.from.Constant(n.Args[2])
	b := &bag{stride: 1, isOrdered: true, size: plan.None, room: plan.None, sequence: x.settingsOf(id)}
	faces, dice := x.nodeOf(n.Args[1]), []plan.ID(nil)
	var left *deck
	if x.from.Dice[n.Imm].Distinct {
		size, _ := x.constantValue(faces)
		left = x.newDeck(size, b.sequence)
	}
	for range count {
		shown := faces
		if left != nil && left.kinds != nil {
			shown = x.constantNode(plan.Int, left.size)
		}
		args := []plan.ID{x.constantNode(plan.Bool, 1), shown, x.constantNode(plan.Int, -1), x.constantNode(plan.Fault, 0)}
		roll := x.emit(plan.Node{Op: plan.OpRoll, Kind: plan.Int, Args: args, Imm: int64(len(x.out.Dice) - 1), Site: -1})
		dice = append(dice, roll)
		if left != nil {
			roll = left.drawCard(roll)
		}
		x.appendElement(b, []plan.ID{roll})
	}
	x.sequences = append(x.sequences, dice)
	return b
}
