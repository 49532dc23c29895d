package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// NewNetwork returns the network of the roots in a graph that reads records of some shapes, under the number of the
// chosen option of each group. A plain one is not expanded, and keeps the order of its effects. In any other one lists of
// dice become counts when that pays, within some limits. Its Values replace the roots.
//
// The order matters. Unread slots go first: the nodes that compute them are then not needed, and no later step looks at
// them. Lists of which only the size or the sum is read go before the expansion, which need not look at them either, and
// again behind it, which may leave new ones: a list that could not be turned into counts is still better as a running sum.
func NewNetwork(
	p *plan.Plan, g *plan.Graph, options []int, shapes [plan.NumRoots]*plan.Shape, roots []*plan.Value,
	plain bool, limits Limits,
) *Network {
	g = withoutUnreadSlots(p, g, options, roots)
	out := AsNetwork(p, g, options, roots, plain)
	out.countOnly()
	out.markNeeded(roots)
	if out.mayExpand() {
		if !plain {
			out.sumOnly(shapes)
			out.markNeeded(roots)
		}
		bounds := interval.Analyse(p, out.Graph, shapes)
		out.dropFaults(bounds)
		out.markNeeded(roots)
		if !plain {
			out = out.expandLists(bounds, options, limits)
		}
	}
	out.sumOnly(shapes)
	out.markNeeded(out.Values)
	out.shapes = shapes
	return out
}

// expandLists returns the network in which lists of dice are counts; the network itself when nothing is gained.
func (g *Network) expandLists(bounds []interval.Interval, options []int, limits Limits) *Network {
	x, isNarrow := expandToFixedPoint(g, bounds, limits)
	if x == nil {
		g.IsNarrow = isNarrow
		return g
	}
	out := AsNetwork(g.Plan, x.out, options, x.roots, false)
	out.adoptPools(x)
	out.IsNarrow = isNarrow
	out.markNeeded(x.roots)
	out.countOnly()
	out.markNeeded(x.roots)
	return out
}

// mayExpand reports whether a rule has lists that an expansion could replace: of dice, sorted, or made of random
// values, as [a, b, c] of three dice is.
func (g *Network) mayExpand() bool {
	chance := make([]bool, len(g.Nodes))
	decides := func(ids []plan.ID) bool {
		return slices.ContainsFunc(ids, func(a plan.ID) bool { return a != plan.None && chance[a] })
	}
	for id := range g.Nodes {
		n := &g.Nodes[id]
		if !g.Needed[id] {
			continue
		}
		chance[id] = n.Op == plan.OpRoll || n.Op == plan.OpLoop && g.hasEffects(plan.ID(id)) || decides(n.Args)
		switch {
		case n.Op == plan.OpRoll && g.Dice[n.Imm].List, n.Op == plan.OpSort, n.Op == plan.OpPush && decides(n.Args[1:]):
			return true
		}
	}
	return false
}

// dropFaults replaces the faults of dice lists that cannot happen by constants, so that no list is kept for them: those
// that intervals exclude, and the overflow of a sum of dice. Dice of as many faces as an overflow takes are refused for
// their number.
func (g *Network) dropFaults(bounds []interval.Interval) {
	for id := range g.Nodes {
		n := &g.Nodes[id]
		if !g.Needed[id] || n.Kind != plan.Fault || n.Op == plan.OpConst {
			continue
		}
		if bounds[id].Max == 0 || n.Op == plan.OpSumIntFault && g.isPlainRoll(n.Args[0]) {
			n.Op, n.Imm, n.Args, n.Site = plan.OpConst, 0, nil, -1
		}
	}
}

// isPlainRoll reports whether a list is dice that show their numbers.
func (g *Network) isPlainRoll(list plan.ID) bool {
	n := &g.Nodes[list]
	return n.Op == plan.OpRoll && !g.Dice[n.Imm].AddsShown()
}

// adoptPools tells a graph which of its rolls an expansion has made draws and heads.
func (g *Network) adoptPools(x *expander) {
	g.Draws, g.Heads = map[plan.ID]Draw{}, map[plan.ID]*Pool{}
	first := len(x.out.Dice) - len(x.draws)
	for id := range g.Nodes {
		if n := &g.Nodes[id]; n.Op == plan.OpRoll && int(n.Imm) >= first && x.draws[int(n.Imm)-first].Pool != nil {
			g.Draws[plan.ID(id)] = x.draws[int(n.Imm)-first]
		}
	}
	g.Pools, g.LinksDraws, g.Counted, g.Sequences = x.pools, map[plan.ID]bool{}, x.counted, x.sequences
	for _, p := range x.pools {
		g.Heads[p.Head] = p
		for id := p.Head; id < p.End; id++ {
			g.LinksDraws[id] = g.Nodes[id].Op != plan.OpConst && !slices.Contains(p.Counts, id)
		}
	}
}

// maxRounds bounds how often an expansion begins again with what it has found out. Settings only ever move forward: a pool
// is refused once, grouped once, flipped once, so rounds end by themselves after at most three for each pool. Most pools
// take these steps together, and a rule that needs more than twelve rounds is evaluated with its lists.
const maxRounds = 12

// expandToFixedPoint rewrites a graph whose lists of dice would have to be listed. It returns nil when nothing is gained,
// and whether something stayed as it was that wide limits take.
//
// It is a search for a fixed point. "Is there a 6 among 10d6" takes two rounds. The first has six classes of one face each,
// five draws, and finds that the only reader sees false of five faces and true of one. The second has the classes
// {1,2,3,4,5} and {6}, thus one draw, and finds nothing new: its graph is the answer.
func expandToFixedPoint(from *Network, bounds []interval.Interval, limits Limits) (made *expander, isNarrow bool) {
	settings := map[plan.ID]*poolSettings{}
	for range maxRounds {
		x := newExpander(&boundedGraph{from, bounds}, settings, limits)
		x.evaluateBlock(0)
		x.finishRoots()
		isNarrow = isNarrow || x.narrow
		if x.hasFailed {
			if len(x.out.Nodes) > maxExpanded || !x.hasRefusedPool() {
				return nil, isNarrow
			}
			continue
		}
		if !x.improveSettings() {
			if len(x.pools)+len(x.sequences)+x.openedReaders == 0 {
				return nil, isNarrow
			}
			for _, p := range x.pools {
				x.noteUnread(p)
			}
			return x, isNarrow
		}
	}
	return nil, isNarrow
}

// hasRefusedPool reports whether a round that failed has given up a pool. A pool of this round was not refused when the
// round began, so each failure that goes on has taken one roll out of the candidates.
func (x *expander) hasRefusedPool() bool {
	return x.gaveUp || slices.ContainsFunc(x.pools, func(p *Pool) bool { return x.settingsOf(p.roll).isRefused })
}

// improveSettings changes the settings by the findings of a round, and reports whether they have changed. Classes are
// decided before directions: with other classes the readers vote anew.
//
// A pool is also refused when all its readers could be served by a stream, which rolls one die after the other into
// sums (eliminate/stream.go) and needs no counts, and when its multisets are fewer than the values that several readers
// carry from class to class. Hands of cards and results of loops have no stream. Tests that force counts set Listed to
// at most 1.
func (x *expander) improveSettings() (changed bool) {
	if x.groupCards() {
		return true
	}
	for _, p := range x.pools {
		s := x.settingsOf(p.roll)
		if s.classes == nil {
			if s.classes = p.groupFaces(); s.isFlipped {
				slices.Reverse(s.classes)
			}
			s.isRefused = x.limits.Listed > 1 && (p.suitsStream() || x.isCheaperListed(p, len(s.classes)))
			changed = changed || s.isRefused || len(s.classes) < len(p.Classes)
		}
	}
	if changed {
		return true
	}
	if len(x.pools) > 0 && x.refuseLargest() {
		return true
	}
	for _, p := range x.pools {
		s := x.settingsOf(p.roll)
		if !s.isFlipped && (p.flip > p.keep || p.flip == p.keep && x.readsBackwards(p)) {
			s.isFlipped, changed = true, true
		}
	}
	for _, pair := range x.pairs.partners {
		p, q := x.settingsOf(pair[0].roll), x.settingsOf(pair[1].roll)
		if p.isFlipped != q.isFlipped {
			p.isFlipped, q.isFlipped, changed = true, true, true
		}
	}
	return changed
}

// Pools of at most fewClasses are never listed, and no pool that has more than manyMultisets.
const (
	fewClasses    = 24
	manyMultisets = 1_000_000
)

// isCheaperListed reports whether few dice of many faces are better listed: as many values as there are readers, carried
// over a hundred faces, may have more states than three dice have multisets.
func (x *expander) isCheaperListed(p *Pool, classes int) bool {
	isPlain := !p.Die.Distinct && !p.results && p.Sizes == nil
	return isPlain && classes > fewClasses && x.from.IsSymmetric(p.roll) &&
		CountLists(float64(classes), float64(p.maxDice), true, false) <=
			min(manyMultisets, math.Pow(float64(classes), float64(p.readers)))
}

// refuseLargest gives up the pool of the most classes when there are more draws than an evaluation may have. It reports
// whether it has.
func (x *expander) refuseLargest() bool {
	rolls := 0
	for i := range x.out.Nodes {
		if x.out.Nodes[i].Op == plan.OpRoll {
			rolls++
		}
	}
	if rolls <= x.limits.Rolls {
		return false
	}
	largest := slices.MaxFunc(x.pools, func(p, q *Pool) int { return cmp.Compare(len(p.Classes), len(q.Classes)) })
	x.settingsOf(largest.roll).isRefused = true
	return true
}

// readsBackwards reports whether the counts of a pool are first read from the last class to the first. Counts are best
// met in the order in which they are combined with each other.
func (x *expander) readsBackwards(p *Pool) bool {
	first := make([]plan.ID, len(p.Counts))
	for id := p.End; int(id) < len(x.out.Nodes); id++ {
		for _, a := range x.out.Nodes[id].Args {
			if k := slices.Index(p.Counts, a); k >= 0 && first[k] == 0 {
				first[k] = id
			}
		}
	}
	rises := 0
	for k := range first[1:] {
		rises += cmp.Compare(first[k+1], first[k])
	}
	return rises < 0
}

// finishRoots finds the values that replace the roots, and makes them the only outputs of the new graph. Names,
// coverage and the next state of a procedure belong to the old graph, whose numbers of nodes mean nothing here.
func (x *expander) finishRoots() {
	for _, v := range x.from.Values {
		if x.hasFailed {
			return
		}
		root, isCounted := x.countedRoot(v)
		if !isCounted {
			root = x.rootOf(v)
		}
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
		out.ID = x.nodeOf(v.ID)
	}
	out.Fault, out.Present = x.faultOf(v), x.nodeOf(v.Present)
	out.Fields = nil
	for i := range v.Fields {
		out.Fields = append(out.Fields, x.rootOf(&v.Fields[i]))
	}
	return out
}

// faultOf returns the fault of a value that is asked for; None when it is known that there is none.
func (x *expander) faultOf(v *plan.Value) plan.ID {
	fault := x.nodeOf(v.Fault)
	if fault != plan.None && x.isConstant(fault, 0) {
		return plan.None
	}
	return fault
}

// countedRoot gives a value that is asked for counts instead of a list. It reports false when the value is no such list.
func (x *expander) countedRoot(v *plan.Value) (root plan.Value, ok bool) {
	if v.Type == nil || v.Type.Kind != plan.List {
		return root, false
	}
	b := x.values[v.ID].bag
	if b == nil || !b.isOrdered || b.stride != 1 || len(b.pools) == 0 || x.values[v.ID].id != plan.None {
		return root, false
	}
	list, ok := x.countElements(b)
	if !ok || !isWhole(v.Type.Elem.Kind) {
		return root, false
	}
	x.seeAll(b)
	root = *v
	root.ID = x.emit(plan.Node{
		Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{x.constantNode(plan.Int, 0)}, Imm: int64(b.stride), Site: -1,
	})
	root.Fault, root.Present = x.faultOf(v), x.nodeOf(v.Present)
	x.counted[root.ID] = list
	return root, true
}

// countElements joins the runs of a bag. It reports false when some element is no constant, or stands at two places: in
// [K₁×1, K₂×2, K₃×1] the counts of the outer runs could differ where their lists are equal, and one answer would be told
// as two.
func (x *expander) countElements(b *bag) (*CountedList, bool) {
	out, seen := &CountedList{}, map[int64]bool{}
	for from := 0; from < len(b.runs); {
		element, known := x.constantValue(b.runs[from].slots[0])
		if !known || seen[element] {
			return nil, false
		}
		seen[element] = true
		to := from + 1
		for to < len(b.runs) && x.isConstant(b.runs[to].slots[0], element) {
			to++
		}
		out.Runs = append(out.Runs, CountedRun{x.sizeOf(&bag{runs: b.runs[from:to], size: plan.None}), element})
		from = to
	}
	return out, true
}
