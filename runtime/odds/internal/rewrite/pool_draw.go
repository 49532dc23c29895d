package rewrite

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// evaluateRoll evaluates dice: a list of them becomes a pool when that pays. The roll itself is copied in any case, as the
// head of the pool or as the list.
func (x *expander) evaluateRoll(id plan.ID) {
	n := &x.from.Nodes[id]
	head := x.copyNode(n)
	x.values[id] = operand{id: head}
	x.noteLoneDie(id, n)
	switch s := x.settings[id]; {
	case s != nil && s.sequence:
		x.values[id] = operand{id: plan.None, bag: x.rollSequence(id, n)}
		return
	case s != nil && s.isRefused || !x.isCandidate(id):
		return
	}
	p := &Pool{roll: id, Die: x.from.Dice[n.Imm], Head: head, last: plan.None, stride: 1, maxDice: x.from.mostDice(n)}
	faces := x.from.mostFaces(n)
	if alike := p.Die.Alike(); alike != nil && int64(len(p.Die.Shows)) == faces {
		p.alike = alike
	}
	x.values[id] = x.addPool(p, x.diceOf(p, n), 1, faces)
}

// addPool returns a pool of dice that show values from lo to hi, in place of their list.
func (x *expander) addPool(p *Pool, size plan.ID, lo, hi int64) operand {
	s := x.settings[p.roll]
	switch {
	case s != nil && s.classes != nil:
		p.Classes = slices.Clone(s.classes)
	case p.alike != nil:
		for _, faces := range p.alike {
			p.Classes = append(p.Classes, faces)
		}
	default:
		for v := lo; v <= hi; v++ {
			p.Classes = append(p.Classes, Class{v})
		}
	}
	if s != nil && s.isFlipped {
		slices.Reverse(p.Classes)
	}
	p.size, p.least, p.beyond = size, math.MaxInt64, math.MinInt64
	x.pools = append(x.pools, p)
	b := x.drawCounts(p, size)
	if s != nil && s.isFlipped {
		slices.Reverse(b.runs)
	}
	return operand{id: plan.None, bag: b}
}

// isCandidate reports whether a roll is a list of dice that may become a pool, and is too large to be listed. Dice that
// explode into dice of the same list are none: how many there are is not known before they have fallen.
func (x *expander) isCandidate(id plan.ID) bool {
	n := &x.from.Nodes[id]
	d := &x.from.Dice[n.Imm]
	faces, dice := x.from.mostFaces(n), x.from.mostDice(n)
	told := faces
	if alike := d.Alike(); alike != nil {
		told = int64(len(alike))
	}
	if !d.List || faces < 2 || dice < 2 || dice > math.MaxUint8 || d.Explode.Among(faces) {
		return false
	}
	return CountLists(float64(faces), float64(dice), false, d.Distinct) > x.limits.Listed &&
		x.fitsLimit(told, x.limits.Faces, WideLimits().Faces)
}

// drawCounts emits the chain of draws of a pool, and gives the bag of its faces in the order in which they are met.
//
// All numbers on the way are 1 more than they mean, as a die shows no 0. Of 3d4 left is 4 at first. The draw of the class
// {1} is a roll of one die with 4 faces; it shows 2, so the count is 1 and next is 4-1 = 3. The draw of {2} rolls a die
// with 3 faces, and so on. The last class has no draw: its count is left-1, all dice that remain.
//
// The bounds of a run are known at its own draw. From the lowest face up, next-1 dice show greater faces, so upper is
// behind-next; with the values above it is 4-3 = 1, and lower 1-1 = 0. From the greatest face down those next-1 dice are
// the ones that show smaller faces, and are lower itself.
func (x *expander) drawCounts(p *Pool, size plan.ID) *bag {
	b := &bag{stride: p.stride, room: plan.None, pools: []*Pool{p}, size: size}
	one := x.constantNode(plan.Int, 1)
	left := x.emitOp(plan.OpAddInt, plan.Int, b.size, one) // 1 more than the dice that are left
	behind := x.emitOp(plan.OpAddInt, plan.Int, b.size, one)
	if p.Sizes != nil {
		left = one
	}
	for k, c := range p.Classes {
		if p.Sizes != nil {
			left = x.emitOp(plan.OpAddInt, plan.Int, left, x.constantNode(plan.Int, p.Joining(k)))
		}
		count, next := x.emitOp(plan.OpSubInt, plan.Int, left, one), one
		if k < len(p.Classes)-1 {
			p.last = x.emitDraw(p, k, left)
			count = x.emitOp(plan.OpSubInt, plan.Int, p.last, one)
			next = x.emitOp(plan.OpSubInt, plan.Int, left, count)
		}
		p.Counts = append(p.Counts, count)
		f := &face{value: x.constantNode(plan.Int, c[0])}
		p.faces = append(p.faces, f)
		r := run{slots: slices.Repeat([]plan.ID{x.constantNode(plan.Int, 0)}, p.stride), count: count, maxCount: p.maxDice,
			at: meeting{x.meetings[p.Head].round + 1, k}, face: f}
		r.slots[p.slot] = f.value
		if p.Die.Distinct {
			r.maxCount = min(r.maxCount, int64(len(c)))
		}
		if p.Sizes != nil {
			r.maxCount -= p.countWaiting(c[0])
		}
		// Both bounds are computed of this class's own count, so that they need not be kept from one class to the next.
		if s := x.settings[p.roll]; s != nil && s.isFlipped {
			r.lower = x.emitOp(plan.OpSubInt, plan.Int, next, x.constantNode(plan.Int, 1-p.countWaiting(c[0])))
			r.upper = x.emitOp(plan.OpAddInt, plan.Int, r.lower, count)
		} else {
			r.upper = x.emitOp(plan.OpSubInt, plan.Int, behind, next)
			r.lower = x.emitOp(plan.OpSubInt, plan.Int, r.upper, count)
		}
		b.runs = append(b.runs, r)
		left = next
	}
	p.End = plan.ID(len(x.out.Nodes))
	return b
}

// diceOf returns how many dice a pool has.
func (x *expander) diceOf(p *Pool, n *plan.Node) plan.ID {
	guard, sure := x.constantValue(x.nodeOf(n.Args[0]))
	count, known := x.constantValue(x.nodeOf(n.Args[2]))
	if sure && guard == 1 && known && x.from.alwaysRolls(n) {
		return x.constantNode(plan.Int, count)
	}
	return x.emitOp(plan.OpSize, plan.Int, p.Head)
}

// emitDraw emits the source of the count of a class. The die keeps its faces and explosions, from which package eliminate
// takes the weights, and loses the properties of the whole list. The head is an operand too many for a roll: it ties
// the draw to its pool, so that no draw is ordered before the dice are known to be possible.
func (x *expander) emitDraw(p *Pool, step int, left plan.ID) plan.ID {
	die := p.Die
	die.List, die.Distinct, die.Again, die.Most = false, false, plan.Band{}, 0
	x.draws = append(x.draws, Draw{p, step})
	x.out.Dice = append(x.out.Dice, die)
	args := []plan.ID{x.constantNode(plan.Bool, 1), left, x.constantNode(plan.Int, -1),
		x.constantNode(plan.Fault, 0), p.Head}
	id := x.emit(plan.Node{Op: plan.OpRoll, Kind: plan.Int, Args: args, Imm: int64(len(x.out.Dice) - 1), Site: -1})
	x.meetings[id] = meeting{x.meetings[p.Head].round + 1, step}
	return id
}

// CountLists returns how many lists there are of count elements, each one of some values: values^count in order, and
// C(values+count-1, count) sorted, as 10d6 fall in 60,466,176 and 3,003 ways. It is a float, by logarithms of factorials,
// since it serves to judge work and may exceed all integers.
func CountLists(values, count float64, sorted, distinct bool) float64 {
	choose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return math.Exp(a - b - c)
	}
	orders, _ := math.Lgamma(count + 1)
	switch {
	case count == 0:
		return 1
	case values < 1 || distinct && count > values:
		return 0
	case sorted && distinct:
		return choose(values, count)
	case distinct:
		return choose(values, count) * math.Exp(orders)
	case sorted:
		return choose(values+count-1, count)
	}
	return math.Pow(values, count)
}
