package odds

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A pool is a list of equal dice, or a hand of cards, that an expansion has replaced by the counts of its faces.
//
// Its head is the roll itself: the source that judges whether the dice can be rolled, and tells how many there are.
// Behind it stands a draw for each class of faces but the last, in the order in which the classes are met. A draw is
// written as the roll of one die of left+1 faces that shows 1 more than the count, so that the rewritten graph is a
// graph like any other, whose intervals can be computed. What the draw's weights are is said in count.go.
type pool struct {
	roll    plan.ID  // of from: the roll, or the loop whose results are equal dice
	die     plan.Die // as the roll has it
	results bool     // it is a loop
	stride  int      // of the elements of its list, and which slot tells them apart
	slot    int
	most    int64   // dice, at most
	head    plan.ID // of the new graph
	end     plan.ID // the first node behind the draws
	last    plan.ID // the last draw; None when there is but one class
	classes []class // in the order in which they are met
	faces   []*face // one for each class
	keep    int     // readers that meet the classes in this order
	flip    int     // and in the reverse order
	counts  []plan.ID
	shallow int  // readers that a stream could serve
	keeps   bool // one of them adds up the highest or the lowest dice
	deep    bool // some reader cannot be served by a stream
}

// A class is faces that no reader tells apart.
type class []int64

// A face is what the readers have seen of a class, as nodes of the new graph.
type face struct {
	value plan.ID
	seen  []plan.ID
}

// poolSettings are what earlier rounds of an expansion have found out about a list.
type poolSettings struct {
	refused bool
	classes []class // nil before faces are grouped
	flipped bool    // classes are met from the last to the first
}

// A draw is the source of the count of one class.
type draw struct {
	pool *pool
	step int
}

func (x *expander) settingsOf(roll plan.ID) *poolSettings {
	s := x.settings[roll]
	if s == nil {
		s = &poolSettings{}
		x.settings[roll] = s
	}
	return s
}

// maxRounds bounds how often an expansion begins again with what it has found out.
const maxRounds = 12

// expand rewrites a graph whose lists of dice would have to be listed. It gives nil when nothing is gained.
func expand(from *graph, bounds []interval.Interval, listed float64) *expander {
	settings := map[plan.ID]*poolSettings{}
	for range maxRounds {
		x := newExpander(from, bounds, settings, listed)
		x.evaluateBlock(0)
		x.finishRoots()
		if x.failed {
			if len(x.out.Nodes) > maxExpanded || !x.learned() {
				return nil
			}
			continue
		}
		if !x.improve() {
			if len(x.pools) == 0 && x.sorted == 0 {
				return nil
			}
			return x
		}
	}
	return nil
}

// learned reports whether a round that failed has given up a pool.
func (x *expander) learned() bool {
	return slices.ContainsFunc(x.pools, func(p *pool) bool { return x.settingsOf(p.roll).refused })
}

// improve changes the settings by what a round has found out; it reports whether they have changed.
func (x *expander) improve() (changed bool) {
	for _, p := range x.pools {
		s := x.settingsOf(p.roll)
		if s.classes == nil {
			s.classes = p.grouped()
			if len(s.classes) > maxClasses || !p.deep && x.listed > 1 && !p.die.Distinct && !p.results {
				s.refused = true
			}
			changed = changed || s.refused || len(s.classes) < len(p.classes)
		}
	}
	if changed {
		return true
	}
	for _, p := range x.pools {
		s := x.settingsOf(p.roll)
		if !s.flipped && (p.flip > p.keep || p.flip == p.keep && x.readsBackwards(p)) {
			s.flipped, changed = true, true
		}
	}
	for _, pair := range x.partners {
		p, q := x.settingsOf(pair[0].roll), x.settingsOf(pair[1].roll)
		if p.flipped != q.flipped {
			p.flipped, q.flipped, changed = true, true, true
		}
	}
	return changed
}

// readsBackwards reports whether the counts of a pool are first read from the last class to the first. Counts are best
// met in the order in which they are combined with each other.
func (x *expander) readsBackwards(p *pool) bool {
	first := make([]plan.ID, len(p.counts))
	for id := p.end; int(id) < len(x.out.Nodes); id++ {
		for _, a := range x.out.Nodes[id].Args {
			if k := slices.Index(p.counts, a); k >= 0 && first[k] == 0 {
				first[k] = id
			}
		}
	}
	rises := 0
	for k := range first[1:] {
		rises += compare(first[k+1], first[k])
	}
	return rises < 0
}

// grouped are the classes of faces of which every reader has seen the same.
func (p *pool) grouped() (out []class) {
	var of []*face
	for i, c := range p.classes {
		k := slices.IndexFunc(of, func(f *face) bool { return slices.Equal(f.seen, p.faces[i].seen) })
		if k < 0 {
			out, of = append(out, slices.Clone(c)), append(of, p.faces[i])
			continue
		}
		out[k] = append(out[k], c...)
	}
	return out
}

// isFlipped reports whether the classes are met from the greatest faces down.
func (p *pool) isFlipped() bool { return p.classes[0][0] > p.classes[len(p.classes)-1][0] }

// evaluateRoll evaluates dice: a list of them becomes a pool when that pays.
func (x *expander) evaluateRoll(id plan.ID) {
	n := &x.from.nodes[id]
	head := x.copyNode(n)
	x.values[id] = operand{id: head}
	s := x.settings[id]
	if s != nil && s.refused || !x.isCandidate(id) {
		return
	}
	p := &pool{roll: id, die: x.from.Dice[n.Imm], head: head, last: plan.None, stride: 1, most: x.mostDice(n)}
	x.addPool(p, x.diceOf(p, n), 1, x.mostFaces(n))
}

// addPool replaces a list by a pool of dice that show values from lo to hi.
func (x *expander) addPool(p *pool, size plan.ID, lo, hi int64) {
	s := x.settings[p.roll]
	if s != nil && s.classes != nil {
		p.classes = slices.Clone(s.classes)
	} else {
		for v := lo; v <= hi; v++ {
			p.classes = append(p.classes, class{v})
		}
	}
	if s != nil && s.flipped {
		slices.Reverse(p.classes)
	}
	x.pools = append(x.pools, p)
	b := x.drawCounts(p, size)
	if s != nil && s.flipped {
		slices.Reverse(b.runs)
	}
	v := operand{id: plan.None, bag: b}
	if p.results {
		v = operand{id: plan.None, carried: []operand{v}}
	}
	x.values[p.roll] = v
}

// mostFaces is how many faces a roll's dice have at most.
func (x *expander) mostFaces(n *plan.Node) int64 { return x.bounds[n.Args[1]].Max }

// mostDice is how many dice a roll has at most.
func (x *expander) mostDice(n *plan.Node) int64 {
	most := x.bounds[n.Args[2]].Max
	if d := &x.from.Dice[n.Imm]; d.Most > 0 {
		most = min(most, d.Most)
	}
	return most
}

// Lists of at most so many ways are listed: that is as fast.
const maxListed = 256

// isCandidate reports whether a roll is a list of dice that may become a pool, and is too large to be listed.
func (x *expander) isCandidate(id plan.ID) bool {
	n := &x.from.nodes[id]
	d := &x.from.Dice[n.Imm]
	faces, dice := x.mostFaces(n), x.mostDice(n)
	if !d.List || faces < 2 || faces > maxGrouped || dice < 2 || dice > math.MaxUint8 || d.Explode.Among(faces) {
		return false
	}
	return ways(float64(faces), float64(dice), false, d.Distinct) > x.listed
}

// drawCounts emits the chain of draws of a pool, and gives the bag of its faces in the order in which they are met.
func (x *expander) drawCounts(p *pool, size plan.ID) *bag {
	b := &bag{stride: p.stride, room: plan.None, pools: []*pool{p}, size: size}
	one := x.constant(plan.Int, 1)
	left := x.compute(plan.OpAddInt, plan.Int, b.size, one) // 1 more than the dice that are left
	behind := x.compute(plan.OpAddInt, plan.Int, b.size, one)
	for k, c := range p.classes {
		count, next := x.compute(plan.OpSubInt, plan.Int, left, one), one
		if k < len(p.classes)-1 {
			p.last = x.draw(p, k, left)
			count = x.compute(plan.OpSubInt, plan.Int, p.last, one)
			next = x.compute(plan.OpSubInt, plan.Int, left, count)
		}
		p.counts = append(p.counts, count)
		f := &face{value: x.constant(plan.Int, c[0])}
		p.faces = append(p.faces, f)
		r := run{slots: slices.Repeat([]plan.ID{x.constant(plan.Int, 0)}, p.stride), count: count, most: p.most, rank: k, face: f}
		r.slots[p.slot] = f.value
		if p.die.Distinct {
			r.most = min(r.most, int64(len(c)))
		}
		// Both bounds are computed of this class's own count, so that they need not be kept from one class to the next.
		if s := x.settings[p.roll]; s != nil && s.flipped {
			r.lower = x.compute(plan.OpSubInt, plan.Int, next, one)
			r.upper = x.compute(plan.OpAddInt, plan.Int, r.lower, count)
		} else {
			r.upper = x.compute(plan.OpSubInt, plan.Int, behind, next)
			r.lower = x.compute(plan.OpSubInt, plan.Int, r.upper, count)
		}
		b.runs = append(b.runs, r)
		left = next
	}
	p.end = plan.ID(len(x.out.Nodes))
	return b
}

// diceOf is how many dice a pool has.
func (x *expander) diceOf(p *pool, n *plan.Node) plan.ID {
	guard, sure := x.known(x.node(n.Args[0]))
	count, known := x.known(x.node(n.Args[2]))
	if sure && guard == 1 && known && x.from.alwaysRolls(n) {
		return x.constant(plan.Int, count)
	}
	return x.compute(plan.OpSize, plan.Int, p.head)
}

// draw emits the source of the count of a class.
func (x *expander) draw(p *pool, step int, left plan.ID) plan.ID {
	die := p.die
	die.List, die.Distinct, die.Again, die.Most = false, false, plan.Band{}, 0
	x.draws = append(x.draws, draw{p, step})
	x.out.Dice = append(x.out.Dice, die)
	args := []plan.ID{x.constant(plan.Bool, 1), left, x.constant(plan.Int, -1), x.constant(plan.Fault, 0), p.head}
	return x.emit(plan.Node{Op: plan.OpRoll, Kind: plan.Int, Args: args, Imm: int64(len(x.out.Dice) - 1), Site: -1})
}

// maxShallow is how many readers that only add up, each its own sum, are left to a stream (stream.go).
const maxShallow = 3

// read judges a reader of a bag: whether a stream could serve it as well as counts do. Sums, extremes and loops over
// the dice themselves, where they are rolled, can be served; whatever reads parts of them, or their order, cannot.
func (x *expander) read(b *bag, shallow bool) {
	for _, p := range b.pools {
		here := x.from.home[x.at] == x.from.home[p.roll]
		p.shallow++
		p.keeps = p.keeps || b.kept
		p.deep = p.deep || !shallow || !here || !b.kept && !x.isWholePool(b) || p.shallow > maxShallow || p.keeps && p.shallow > 1
	}
}

// isWholePool reports whether a bag is all dice of a pool.
func (x *expander) isWholePool(b *bag) bool {
	return len(b.pools) == 1 && len(b.runs) == len(b.pools[0].counts) &&
		!slices.ContainsFunc(b.runs, func(r run) bool { return !slices.Contains(b.pools[0].counts, r.count) })
}

// finishRoots finds what stands for the values that are asked for.
func (x *expander) finishRoots() {
	for _, v := range x.from.values {
		if x.failed {
			return
		}
		root := x.rootOf(v)
		x.roots = append(x.roots, &root)
	}
	record := &plan.Type{Kind: plan.Record}
	all := plan.Value{Type: record, ID: plan.None, Fault: plan.None, Present: plan.None}
	for _, v := range x.roots {
		record.Fields = append(record.Fields, plan.Field{Type: v.Type})
		all.Fields = append(all.Fields, *v)
	}
	x.out.Outputs, x.out.Next, x.out.Names, x.out.Ends = all, nil, nil, nil
	x.out.When = plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None}
	for i := range x.out.Dice {
		d := &x.out.Dice[i]
		d.Loops = slices.Clone(d.Loops)
		for k, loop := range d.Loops {
			d.Loops[k] = plan.None
			if id, copied := x.loops[loop]; copied {
				d.Loops[k] = id
			}
		}
	}
}

func (x *expander) rootOf(v *plan.Value) plan.Value {
	out := *v
	if v.Type == nil {
		return out
	}
	if v.Type.Kind != plan.Record {
		out.ID = x.node(v.ID)
	}
	out.Fault, out.Present = x.node(v.Fault), x.node(v.Present)
	out.Fields = nil
	for i := range v.Fields {
		out.Fields = append(out.Fields, x.rootOf(&v.Fields[i]))
	}
	return out
}

// vote tells the pool of a sorted bag from which end its order is read.
func (x *expander) vote(b *bag, from, to int64, known, deep bool) {
	for _, p := range b.pools {
		p.deep = p.deep || deep
	}
	size, sure := x.known(x.sizeOf(b))
	if known && sure && len(b.pools) == 1 && len(b.runs) > 1 {
		x.prefer(b, from > size-to)
	}
}

// demandOrder tells the pools of a bag that its elements are met in their order.
func (x *expander) demandOrder(b *bag) {
	for _, p := range b.pools {
		p.deep = true
	}
	if len(b.pools) == 1 && len(b.runs) > 1 {
		x.prefer(b, false)
		x.prefer(b, false)
	}
}

// prefer tells the pool of a bag whether it is better met from the end of the list.
func (x *expander) prefer(b *bag, fromEnd bool) {
	if fromEnd == (b.runs[len(b.runs)-1].rank < b.runs[0].rank) {
		b.pools[0].keep++
	} else {
		b.pools[0].flip++
	}
}
