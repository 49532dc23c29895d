package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice that are rolled one by one and only ever read together, in a list, are a pool too, whether they have names of their
// own, [a, b, c], or are rolled for the elements of a list, {pool: [12, 10, 8, 8]}. They may have different numbers of
// faces:
//
// A d12 that shows no more than 8 is a d8. So the faces are met from the greatest down, and a die joins when its own
// greatest face comes. From then on it is like every other die that is left: each shows the next face or a smaller one, all
// with the same weight 1. One count of what is left serves them all (the truncation of Liu, Icepool, AIIDE 2022).
//
// In numbers: d4 and d6. The faces 6 and 5 meet one die: it shows the 6 in 1 way, the 5 in 1 way, else it is left. At the 4
// the d4 joins. In the state "none has fallen" two dice are left, and of the 4·6 = 24 ways for both C(2,2) = 1 shows two
// 4s, C(2,1)·3 = 6 show one, and 3·3 = 9 show none: 16, which with 4 ways for each of 6 and 5 are 24.
//
// The problem unlike_two_12_12 of the benchmark takes 3,410 units of work, and 15,780 without; unlike_two_40 takes 4,264,
// and more than a million without. A few dice may take more than by themselves: cortex takes 6,973, and 2,087 without.
//
// Faces may be one class when readers tell them apart by nothing, but only between the sizes of two dice: of the faces 3
// and 5 a d4 shows one and a d6 both.

// poolOfDice replaces a list whose elements are dice by a pool. id is the node of from that the list is.
func (x *expander) poolOfDice(id plan.ID, b *bag) operand {
	v := operand{id: plan.None, bag: b}
	s := x.settings[id]
	if s != nil && s.isRefused || b.stride != 1 || len(b.runs) < 2 || !x.isSingle(b) {
		return v
	}
	ways := 1.0
	var sizes []int64
	for _, r := range b.runs {
		faces, ok := x.loneDice[r.slots[0]]
		if !ok {
			return v
		}
		sizes = append(sizes, faces)
		ways *= float64(faces)
	}
	slices.Sort(sizes)
	most := sizes[len(sizes)-1]
	if ways <= x.limits.Listed || !x.fitsLimit(most, x.limits.Faces, WideLimits().Faces) || x.hasDuplicates(b) {
		return v
	}
	x.settingsOf(id).isFlipped = true
	first := x.out.Nodes[b.runs[0].slots[0]]
	count := x.constantNode(plan.Int, int64(len(sizes)))
	head := x.emit(plan.Node{
		Op: plan.OpRoll, Kind: plan.List, Imm: first.Imm, Site: -1,
		Args: []plan.ID{x.constantNode(plan.Bool, 1), x.constantNode(plan.Int, most), count, x.constantNode(plan.Fault, 0)},
	})
	p := &Pool{
		roll: id, Die: x.out.Dice[first.Imm], Sizes: sizes, Head: head, last: plan.None, stride: 1,
		maxDice: int64(len(sizes)),
	}
	return x.addPool(p, count, 1, most)
}

// hasDuplicates reports whether a die stands in a list twice.
func (x *expander) hasDuplicates(b *bag) bool {
	seen := map[plan.ID]bool{}
	for _, r := range b.runs {
		if seen[r.slots[0]] {
			return true
		}
		seen[r.slots[0]] = true
	}
	return false
}

// noteLoneDie remembers a die that nothing reads but the list that it is put into: a plain one, of which a face is rolled
// whatever happens.
func (x *expander) noteLoneDie(id plan.ID, n *plan.Node) {
	d := &x.from.Dice[n.Imm]
	faces, known := x.constantValue(x.nodeOf(n.Args[1]))
	guard, sure := x.constantValue(x.nodeOf(n.Args[0]))
	users := x.from.Users[id]
	if d.List || !known || faces < 1 || !sure || guard != 1 || !x.isConstant(x.nodeOf(n.Args[3]), 0) || len(users) != 1 ||
		x.from.IsResult(id) || d.Again.Among(faces) || d.Explode.Among(faces) || d.Shows != nil {
		return
	}
	push := &x.from.Nodes[users[0]]
	if push.Op == plan.OpPush && len(push.Args) == 3 && push.Args[2] == id {
		x.loneDice[x.values[id].id] = faces
	}
}

// countWaiting returns the number of dice with fewer faces than a face, which join the draws only after it.
func (p *Pool) countWaiting(face int64) (n int64) {
	for _, size := range p.Sizes {
		if size < face {
			n++
		}
	}
	return n
}

// Joining returns how many dice of a pool come with a class: those that have its greatest face and not that of the
// class before.
func (p *Pool) Joining(k int) int64 {
	if k == 0 {
		return int64(len(p.Sizes)) - p.countWaiting(p.Classes[0][0])
	}
	return p.countWaiting(p.Classes[k-1][0]) - p.countWaiting(p.Classes[k][0])
}
