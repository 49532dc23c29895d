package eliminate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The order of elimination. Which sources are met first decides how many states there are on the way; the answer is the
// same. The best order is NP-hard to find (Arnborg, Corneil, Proskurowski 1987), so the structure of the rule is used:
//
// A contest compares the total of two dice with that of two others. Its nodes depend on the sets {a1}, {a2}, {d1}, {d2}
// (dice), {a1,a2} and {d1,d2} (totals), and {a1,a2,d1,d2} (who wins). The totals lie beside each other and are regions;
// the dice lie within them and are regions of the second depth. Each total has 11 classes, and takes 6 + 36 pairs of a
// state and a class. Around them the first total takes 11 pairs, and the second 11·11: some 220 in all, where there are
// 6^4 = 1,296 ways for the dice to fall. With ten dice on each side the gap is one between thousands and 6^20.
//
// What fits into no region stays in the program itself, source by source, in the order of the rule (nextSource). After
// each source all nodes are computed that depend on nothing but what was met. They are functions of what a state knows,
// so computing them splits no state, and makes it possible to drop their operands.

// buildProgram returns the program that computes outs, beginning with some columns.
//
// The prefix takes the nodes without any chance. Its readers are only known once all is linked (b.wanted), so its
// outputs are found last.
func (b *builder) buildProgram(first, outs []plan.ID) (*program, error) {
	if err := b.findSources(); err != nil {
		return nil, err
	}
	b.orderEffects()
	p := &program{first: first, outs: outs}
	start := set{}
	if len(first) > 0 {
		start = carriedSet
	}
	var nodes []plan.ID
	prefix := &fragment{}
	for _, id := range b.own {
		switch {
		case b.inside[id] || b.Nodes[id].Op == plan.OpParam: // columns and the iteration are there already
		case b.dependenceOf(id).isEmpty() && b.sourceOf(id) == nil:
			prefix.nodes = append(prefix.nodes, id)
		default:
			nodes = append(nodes, id)
		}
	}
	if err := b.addRegion(p, nodes, start); err != nil {
		return nil, err
	}
	if err := b.linkProgram(p, outs); err != nil {
		return nil, err
	}
	for id := range b.wanted {
		if b.BlockOf[id] == b.block && b.Nodes[id].Op != plan.OpConst && (b.Nodes[id].Op != plan.OpParam || b.block == 0) &&
			b.dependenceOf(id).isEmpty() { // others are put there for a region that reads them
			prefix.outs = append(prefix.outs, id)
		}
	}
	slices.Sort(prefix.outs)
	if len(prefix.nodes) > 0 {
		p.prefix = prefix
	}
	return p, nil
}

// findSources finds the sources of chance in the block.
//
// Heads of pools stand before their draws in the block, and draws find theirs in b.at. A pool is complete with the draw
// of its last class but one, because the last class has no draw (count.go).
func (b *builder) findSources() error {
	if b.joined != nil {
		b.joinCompared(b.joined)
	}
	for _, id := range b.own {
		var s *source
		if b.sourceAt[id] != nil || b.inside[id] {
			continue
		}
		switch n := &b.Nodes[id]; {
		case n.Op == plan.OpRoll:
			s = b.rollSource(id)
		case b.IsDecision(id):
			s = &source{kind: choiceSource, id: id, ins: slices.Clone(n.Args), gives: []plan.ID{id}}
		case n.Op == plan.OpLoop && b.Heads[id] != nil:
			s = &source{kind: headSource, id: id, ins: slices.Clone(n.Args[:1]), results: b.resultSource(id)}
			s.ins = append(s.ins, s.results.ins...)
		case n.Op == plan.OpLoop && b.rollsDice(id):
			s = &source{kind: loopSource, id: id}
		default:
			continue
		}
		if len(b.bit) == maxSources {
			return &odds.BudgetError{Subject: b.NameOf(id), Needs: float64(len(b.bit) + 1), Budget: maxSources,
				What: "sources of chance", Advice: fixedLimit}
		}
		b.bit[id] = singleSet(len(b.bit))
		b.sourceAt[id] = s
		if d, ok := b.Draws[id]; ok && d.Step == len(d.Pool.Classes)-2 {
			b.chains, b.bits = append(b.chains, id), append(b.bits, b.poolBits(id))
		}
	}
	for _, dice := range b.Sequences {
		all := set{}
		for _, id := range dice {
			all = all.union(b.bit[id])
		}
		b.sequences = append(b.sequences, all)
	}
	for _, id := range b.own {
		if n := &b.Nodes[id]; n.Op == plan.OpResult && b.sourceAt[n.Args[0]] != nil &&
			b.sourceAt[n.Args[0]].kind == loopSource {
			s := b.sourceAt[n.Args[0]]
			s.gives = append(s.gives, id)
			b.sourceAt[id] = s
		}
	}
	return nil
}

// resultSource returns the source of a loop's single answer. It reads its inputs from the environment, which holds
// those of the head or of the draw that asks for it.
func (b *builder) resultSource(loop plan.ID) *source {
	s := &source{kind: resultSource, id: loop, ins: b.Externals([]plan.ID{loop})}
	for _, id := range s.ins {
		s.from = append(s.from, ref{inEnv, int32(id)})
	}
	return s
}

func (b *builder) rollSource(id plan.ID) *source {
	n := &b.Nodes[id]
	d := &b.Dice[n.Imm]
	s := &source{kind: dieSource, id: id, ins: slices.Clone(n.Args), gives: []plan.ID{id}}
	if _, ok := b.Draws[id]; ok {
		s.kind, s.ins = drawSource, []plan.ID{n.Args[1]}
		if head := b.sourceAt[n.Args[4]]; head.results != nil {
			s.results = head.results
			s.ins = append(s.ins, head.results.ins...)
		} else {
			s.ins = append(s.ins, b.Nodes[n.Args[4]].Args[1])
		}
		return s
	}
	if b.Heads[id] != nil {
		s.kind = headSource
		return s
	}
	if !b.IsRead(id) {
		s.kind = unreadSource
		return s
	}
	if !d.List {
		return s
	}
	s.kind, s.sorted = listSource, b.IsSymmetric(id)
	switch {
	case !d.Distinct:
		b.foldFaceByFace(s)
	case d.Again == (plan.Band{}) && d.Explode == (plan.Band{}) && d.Shows == nil:
		s.ranks = b.readsRanks(id)
	}
	if d.Distinct && !s.sorted {
		if from := b.tailOf(id); from != plan.None {
			s.ins, s.tail = append(s.ins, from), true
		}
	}
	return s
}

// addRegion adds the steps of nodes that depend on sources met already, and on sources of their own. Of the sets of
// sources that nodes depend on, those that lie within or beside each other are regions of their own: the distribution
// of the values that are read later is computed once for a region and not for each state.
//
// Every turn takes a source, a region or ready nodes away, so it ends. When none of these can be taken and nodes are
// left, they wait for each other, which no valid plan makes them do.
func (b *builder) addRegion(p *program, nodes []plan.ID, met set) error {
	inner, rest := b.splitRegions(nodes, met)
	for len(rest) > 0 || len(inner) > 0 {
		var ready []plan.ID
		rest = slices.DeleteFunc(rest, func(id plan.ID) bool {
			is := b.sourceOf(id) == nil && b.dependenceOf(id).isSubsetOf(met)
			if is && b.sourceAt[id] == nil {
				ready = append(ready, id)
			}
			return is
		})
		if len(ready) > 0 {
			b.addFragment(p, ready)
		}
		s, took, err := b.nextSource(&inner, &rest, met)
		if err != nil {
			return err
		}
		if s == nil {
			if len(rest) > 0 {
				return fmt.Errorf("odds: %s depends on itself", b.NameOf(rest[0]))
			}
			continue
		}
		met = met.union(took)
		p.steps = append(p.steps, step{source: s})
	}
	return nil
}

// addFragment adds nodes that are computed after the last step.
func (b *builder) addFragment(p *program, nodes []plan.ID) {
	if len(p.steps) == 0 {
		p.steps = append(p.steps, step{})
	}
	p.steps[len(p.steps)-1].fragment = &fragment{nodes: nodes}
}

// A cluster is the nodes that depend on a set of sources.
type cluster struct {
	sources set
	nodes   []plan.ID
}

// splitRegions divides nodes into regions and a rest.
//
// A node belongs to the one region whose sources include all of its own. Nodes that read several regions, or sources of
// none, are the rest.
func (b *builder) splitRegions(nodes []plan.ID, met set) (inner []cluster, rest []plan.ID) {
	all, sets := set{}, map[set]bool{}
	for _, id := range nodes {
		on := b.closeOverPools(b.dependenceOf(id))
		all = all.union(on)
		if !b.readsPart(id) {
			sets[on] = true
		}
	}
	if !b.KeepsOrder {
		maps.DeleteFunc(sets, func(on set, _ bool) bool { return len(b.Pools) > 0 && !b.isApart(on, nodes) })
		for _, on := range chooseRegions(sets, all, met) {
			inner = append(inner, cluster{sources: on})
		}
	}
	for _, id := range nodes {
		k := slices.IndexFunc(inner, func(c cluster) bool { return b.dependenceOf(id).isSubsetOf(c.sources) })
		if k < 0 {
			rest = append(rest, id)
		} else {
			inner[k].nodes = append(inner[k].nodes, id)
		}
	}
	slices.SortFunc(inner, func(x, y cluster) int { return cmp.Compare(x.nodes[0], y.nodes[0]) })
	return inner, rest
}

// nextSource returns the source that is met next: the first that depends on nothing that has not been met.
func (b *builder) nextSource(inner *[]cluster, rest *[]plan.ID, met set) (s *source, took set, err error) {
	best := plan.ID(len(b.Nodes))
	at := -1
	first := int64(math.MaxInt64)
	for _, id := range *rest {
		if b.sourceOf(id) != nil && b.sourcePriority(id) < first &&
			b.dependenceOf(id).difference(b.bit[id]).isSubsetOf(met) {
			best, first = id, b.sourcePriority(id)
		}
	}
	for k, c := range *inner {
		if b.sourcePriority(c.nodes[0]) < first {
			best, at, first = c.nodes[0], k, b.sourcePriority(c.nodes[0])
		}
	}
	switch {
	case at >= 0:
		c := (*inner)[at]
		*inner = slices.Delete(*inner, at, at+1)
		s, err := b.makeRegion(c, set{})
		return s, c.sources, err
	case int(best) < len(b.Nodes):
		if c, ok := b.poolCluster(best, *rest, met); ok {
			*rest = slices.DeleteFunc(*rest, func(id plan.ID) bool { return slices.Contains(c.nodes, id) })
			s, err := b.makeRegion(c, met)
			s.ins = b.readsAround(c)
			return s, c.sources, err
		}
		*rest = slices.DeleteFunc(*rest, func(id plan.ID) bool { return id == best })
		return b.sourceOf(best), b.bit[best], nil
	}
	return nil, set{}, nil
}

// sourcePriority returns the rank by which sources are met when nothing else decides: as they stand, but the draws of pools
// behind everything else, class by class, so that pools that are compared face by face keep few values alive between
// two faces.
func (b *builder) sourcePriority(id plan.ID) int64 {
	d, ok := b.Draws[id]
	if !ok || b.byPool {
		return int64(id)
	}
	value := d.Pool.Classes[d.Step][0]
	if d.Pool.IsFlipped() {
		value = -value
	}
	return int64(len(b.Nodes)) + (value+math.MaxUint16)<<16 + int64(id)
}

// makeRegion makes a region a source. Its body begins with one state without columns, and knows of the sources around it
// only those that were met. A region that reads none of these is run once for all states, any other once for each of their
// values that it reads. It may have regions within; that ends because the set of all sources of a body is no region of it
// (chooseRegions in sets.go), nor its one pool (poolCluster).
func (b *builder) makeRegion(c cluster, met set) (*source, error) {
	s := &source{kind: regionSource, id: c.nodes[0], body: &program{}}
	return s, b.addRegion(s.body, c.nodes, met)
}

// poolCluster returns the pool of a draw with all nodes that depend on it and on the dice with which its draws are
// compared. It is a region where pools are met one by one: the pool is then summed up for the few values with which it
// is compared, and not for every state.
//
// In numbers: the five dice of a are compared with those of b, c and d, place by place, and all three comparisons must
// hold. Behind c a state is the faces of a, 252 multisets, and the set of places that still hold, 32 sets. The draws of
// d would meet all of these 8,064 states; as a region they meet 252.
func (b *builder) poolCluster(draw plan.ID, rest []plan.ID, met set) (c cluster, ok bool) {
	d, is := b.Draws[draw]
	if !is || !b.byPool {
		return c, false
	}
	k := slices.IndexFunc(b.chains, func(last plan.ID) bool { return b.Draws[last].Pool == d.Pool })
	c.sources = b.bits[k].difference(met)
	around := b.dependenceOf(b.chains[k])
	for _, id := range rest {
		if on := b.dependenceOf(id); on.isSubsetOf(met.union(c.sources)) && b.readsPartOf(id, d.Pool) {
			around = around.union(on)
		}
	}
	for _, id := range rest {
		if b.dependenceOf(id).isSubsetOf(around) {
			c.nodes = append(c.nodes, id)
		}
	}
	return c, len(c.nodes) < len(rest) && around.isSubsetOf(met.union(c.sources))
}

// readsAround returns the values met before a region that the region reads.
func (b *builder) readsAround(c cluster) []plan.ID {
	within, found := map[plan.ID]bool{}, map[plan.ID]bool{}
	for _, id := range c.nodes {
		within[id] = true
	}
	note := func(ids []plan.ID) {
		for _, id := range ids {
			if id != plan.None && !within[id] && !b.dependenceOf(id).isEmpty() {
				found[id] = true
			}
		}
	}
	for _, id := range c.nodes {
		note(b.readsOf(id))
	}
	note(b.Externals(c.nodes))
	return slices.Sorted(maps.Keys(found))
}
