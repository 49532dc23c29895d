package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A builder makes the program of a block.
//
// There is one for each block: for the outermost, and for the body of each loop that rolls. findSources fills sourceAt,
// which has an entry for each value that a source gives, and bit, which has one for the source itself. orderEffects fills
// effectBefore, and memo and masks are caches of dependenceOf and drawsRead. wanted is filled while the program is linked,
// and tells build which values the prefix has to give. chains[k] and bits[k] belong to the same pool. hasEffectOrder turns
// on the dependence of effects on pools: before the effects are in order it would be found wrongly.
type builder struct {
	*rewrite.Network
	image          *vm.Image
	choice         plan.Choice
	block          int32
	own            []plan.ID           // the needed nodes of the block
	sourceAt       map[plan.ID]*source // the source that gives a value
	streams        map[plan.ID]*fold   // by the list that they stream
	inside         map[plan.ID]bool    // nodes that streams carry out
	bit            map[plan.ID]set     // of each source
	effectBefore   map[plan.ID]plan.ID // of each effect that may end, the one before it
	memo           map[plan.ID]set     // of nodes: uses
	wanted         map[plan.ID]bool    // what is read from the environment
	chains         []plan.ID           // the last draw of each pool
	bits           []set               // of each pool, in the same order: of its head and its draws
	sequences      []set               // of each sequence of dice, their bits
	hasEffectOrder bool                // the order of effects is known
	masks          map[plan.ID][]set   // of nodes: drawsRead
	roots          []*plan.Value
	form
}

// newBuilder returns a builder of the program of a block, for which nothing is prepared yet.
func newBuilder(g *rewrite.Network, p *vm.Image, c plan.Choice, block int32) *builder {
	b := &builder{
		Network: g, image: p, choice: c, block: block,
		sourceAt: map[plan.ID]*source{}, streams: map[plan.ID]*fold{}, inside: map[plan.ID]bool{},
		bit: map[plan.ID]set{}, effectBefore: map[plan.ID]plan.ID{}, memo: map[plan.ID]set{},
		masks: map[plan.ID][]set{}, wanted: map[plan.ID]bool{},
	}
	for _, id := range g.Blocks[block].Nodes {
		if g.Needed[id] && g.Nodes[id].Op != plan.OpCover {
			b.own = append(b.own, id)
		}
	}
	return b
}

// sourceOf returns the source that a node is, not merely one that it is given by.
func (b *builder) sourceOf(id plan.ID) *source {
	if s := b.sourceAt[id]; s != nil && s.id == id {
		return s
	}
	return nil
}

// rollsDice reports whether a loop rolls dice.
func (b *builder) rollsDice(loop plan.ID) bool {
	for _, id := range b.Blocks[b.Nodes[loop].Imm].Nodes {
		if n := &b.Nodes[id]; b.Needed[id] && (n.Op == plan.OpRoll || n.Op == plan.OpLoop && b.rollsDice(id)) {
			return true
		}
	}
	return false
}

// mayEnd reports whether a node of the block, or the loop that it is, may end the evaluation.
func (b *builder) mayEnd(id plan.ID) bool {
	n := &b.Nodes[id]
	if n.Op != plan.OpLoop {
		return b.EndsEvaluation(id) || b.KeepsOrder && n.Op == plan.OpRoll
	}
	return slices.ContainsFunc(b.Blocks[n.Imm].Nodes, func(x plan.ID) bool { return b.Needed[x] && b.mayEnd(x) })
}

// readsOf returns the nodes that a node depends on, those of outer blocks among them.
//
// These are the operands and, beyond them, all that the program will make the node wait for: the loop's body, the free
// values of a stream, and the effect before it.
func (b *builder) readsOf(id plan.ID) []plan.ID {
	if s := b.sourceAt[id]; s != nil && s.id != id {
		return []plan.ID{s.id}
	}
	n := &b.Nodes[id]
	out := n.Args
	if s := b.sourceAt[id]; s != nil && s.kind == drawSource {
		out = append(slices.Clone(out), s.ins...)
	}
	if n.Op == plan.OpLoop {
		out = append(slices.Clone(out), b.Externals([]plan.ID{id})...)
	}
	if f := b.streams[id]; f != nil {
		out = append(slices.Clone(out), f.frees...)
	}
	if before, ok := b.effectBefore[id]; ok {
		out = append(slices.Clone(out), before)
	}
	return out
}

// dependsOn reports whether a node is, or depends on, one that is sought.
func (b *builder) dependsOn(from plan.ID, sought func(plan.ID) bool, seen map[plan.ID]bool) bool {
	if sought(from) {
		return true
	}
	if seen[from] || b.BlockOf[from] != b.block {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(b.readsOf(from), func(r plan.ID) bool { return b.dependsOn(r, sought, seen) })
}
