package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// On which sources a node depends. The set of a node is the union of those of its operands, with the bit of the source
// that it is. Two further kinds of dependence are no operands:
//
//   - Effects. What may end the evaluation depends on the effect before it (b.after). If a rule requires first that
//     a is at least 2, then that b is, and both are 1, the message is that of the first requirement, as in a play.
//   - Pools. What may end the evaluation between two draws of a pool would take a weight along that is too small
//     (count.go). It depends on the last draw of every pool that does not wait for it.
//
// Sets are memoised. The memo is cleared whenever such a dependence is added, because sets that were found before lack
// it.

// orderEffects makes each node that may end the evaluation depend on those before it. Dice that depend on no chance are
// judged before all others.
func (b *builder) orderEffects() {
	last := plan.None
	for _, id := range b.own {
		if !b.mayEnd(id) {
			continue
		}
		if s := b.sourceOf(id); s != nil && b.Nodes[id].Op == plan.OpRoll {
			if !b.KeepsOrder && b.block == 0 && b.dependenceOf(id).difference(b.bit[id]).isEmpty() {
				continue
			}
			s.chain = true // no set depends on that before hasEffectOrder
		}
		if last != plan.None {
			b.effectBefore[id] = last
			clear(b.memo)
		}
		last = id
	}
	if len(b.chains) > 0 {
		b.hasEffectOrder = true
		clear(b.memo)
	}
}

// dependenceOf returns the sources that a node of the block depends on.
func (b *builder) dependenceOf(id plan.ID) set {
	if b.BlockOf[id] != b.block {
		return set{}
	}
	if s, ok := b.memo[id]; ok {
		return s
	}
	if n := &b.Nodes[id]; n.Op == plan.OpParam && b.block != 0 {
		if n.Imm == 0 {
			return set{}
		}
		return carriedSet
	}
	out := b.bit[id]
	for _, r := range b.readsOf(id) {
		out = out.union(b.dependenceOf(r))
	}
	if b.hasEffectOrder && b.endsInOrder(id) {
		for _, last := range b.chains {
			if !b.dependsOn(last, func(r plan.ID) bool { return r == id }, map[plan.ID]bool{}) {
				out = out.union(b.dependenceOf(last))
			}
		}
	}
	b.memo[id] = out
	return out
}

// endsInOrder reports whether a node may end the evaluation where it stands. The weights of a pool's states are right only
// behind its last draw: such a node therefore waits for all pools that do not wait for it.
func (b *builder) endsInOrder(id plan.ID) bool {
	s := b.sourceOf(id)
	return b.mayEnd(id) && (s == nil || s.chain || s.kind == loopSource)
}

// closeOverPools adds to a set with some draws of a pool all of them: a region holds all draws or none. It does so with
// the dice of a sequence too: regions within would keep all values that both ends of a part decide, where a scan keeps
// one.
//
// It ends because the set only grows, and it has at most maxSources elements.
func (b *builder) closeOverPools(s set) set {
	for again := true; again; {
		again = false
		for k, last := range b.chains {
			if s.isDisjointFrom(b.bits[k]) {
				continue
			}
			if all := b.dependenceOf(last); !all.isSubsetOf(s) {
				s, again = s.union(all), true
			}
		}
		for _, dice := range b.sequences {
			if !s.isDisjointFrom(dice) && !dice.isSubsetOf(s) {
				s, again = s.union(dice), true
			}
		}
	}
	return s
}

// readsPart reports whether a node depends on some draws of a pool and not on others. Such a node does not sum a pool
// up.
func (b *builder) readsPart(id plan.ID) bool {
	return slices.ContainsFunc(b.Pools, func(p *rewrite.Pool) bool { return b.readsPartOf(id, p) })
}

// readsPartOf reports whether a node depends on some draws of one pool and not on others.
func (b *builder) readsPartOf(id plan.ID, p *rewrite.Pool) bool {
	k := slices.Index(b.Pools, p)
	masks := b.drawsRead(id)
	return k < len(masks) && !masks[k].isEmpty() && masks[k].size() < len(p.Classes)-1
}

// drawsRead returns the draws of each pool on which a node depends, as bits. It may depend on the count of a draw, or
// on the number of dice left behind some draw, which that draw and those before it decide together.
func (b *builder) drawsRead(id plan.ID) []set {
	if len(b.Pools) == 0 || b.BlockOf[id] != b.block {
		return nil
	}
	if masks, ok := b.masks[id]; ok {
		return masks
	}
	var out []set
	join := func(masks []set) {
		out = append(out, make([]set, max(0, len(masks)-len(out)))...)
		for k, m := range masks {
			out[k] = out[k].union(m)
		}
	}
	for k, p := range b.Pools {
		switch c := slices.Index(p.Counts, id); {
		case len(p.Classes) == 1: // nothing is drawn
		case c >= 0:
			join(append(make([]set, k), singleSet(min(c, len(p.Counts)-2))))
		case b.LinksDraws[id] && p.Head <= id && id < p.End:
			drawn := len(p.Counts) - 2
			for drawn > 0 && p.Counts[drawn] > id {
				drawn--
			}
			join(append(make([]set, k), singleSet(drawn)))
		}
	}
	if out == nil {
		for _, r := range b.readsOf(id) {
			join(b.drawsRead(r))
		}
	}
	b.masks[id] = out
	return out
}

// isApart reports whether the nodes outside of a set of sources read of its pools only sums over all draws, or one
// part. Pools that others are compared with class by class are met together with these: by themselves they would have
// to keep all their counts.
func (b *builder) isApart(on set, nodes []plan.ID) bool {
	part := plan.None
	for _, id := range nodes {
		if b.dependenceOf(id).isSubsetOf(on) {
			continue
		}
		for _, r := range b.readsOf(id) {
			if r == plan.None || r == part || !b.dependenceOf(r).isSubsetOf(on) || !b.readsPart(r) {
				continue
			}
			if part != plan.None {
				return false
			}
			part = r
		}
	}
	return true
}

// poolBits returns the bits of a pool's head and draws, of which the last one has got its own.
func (b *builder) poolBits(last plan.ID) set {
	head := b.Nodes[last].Args[4]
	out := b.bit[head]
	for id, d := range b.Draws {
		if d.Pool == b.Heads[head] {
			out = out.union(b.bit[id])
		}
	}
	return out
}
