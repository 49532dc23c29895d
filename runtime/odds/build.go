package odds

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A program computes the distribution of some values of a block. Values that every state shares stand in the
// environment, by node; those that differ are the columns of its states.
type program struct {
	prefix *piece    // what depends on no chance: computed once, into the environment
	first  []plan.ID // the columns it begins with: what a loop carries
	steps  []step
	outs   []plan.ID // the columns it gives in the end; one may stand twice
	last   []ref     // of outs, after the last step
	reset  []*source // whose memories do not outlive a run
}

// A step meets every state with every class of a source of chance, computes what follows, and keeps what is read later.
type step struct {
	source *source // nil: only what follows
	piece  *piece  // nil: nothing follows
	keep   []plan.ID
	from   []ref // of keep
	rows   int   // that came out the last time: so many may come again
}

// rolls is the node of the step's source, None when it has none.
func (s *step) rolls() plan.ID {
	if s.source == nil {
		return plan.None
	}
	return s.source.id
}

// A source of chance gives classes: values, and how likely they are.
type source struct {
	kind    sourceKind
	id      plan.ID   // the roll or the loop
	ins     []plan.ID // what the classes depend on
	from    []ref     // of ins
	gives   []plan.ID // the values of a class
	body    *program  // of a region, a loop
	fold    *fold     // of a stream
	results *source   // of a pool whose dice are the results of a loop: what one of them is
	// Of a loop: the node of its iteration, None when nothing reads it; the nodes with which the columns of its body
	// begin; of gives, which column.
	iteration plan.ID
	begin     []plan.ID
	which     []int
	sorted    bool // of a list: the order of its faces does not matter
	chain     bool // its dice stand among the effects: that they cannot be rolled ends the evaluation here
}

type sourceKind uint8

const (
	dieSource    sourceKind = iota // one die: its total
	listSource                     // the faces, as a list
	streamSource                   // the faces, each of which goes through folds and is forgotten
	loopSource                     // a loop that rolls
	regionSource                   // dice that depend on nothing around them, up to what is read of them
	headSource                     // dice of which only counts are read: how many there are
	drawSource                     // how many of them show a class of faces
	resultSource                   // what a loop whose results are dice of a pool answers once
)

// A piece is nodes that are computed one after the other.
type piece struct {
	nodes []plan.ID
	ins   []plan.ID
	from  []ref // of ins
	outs  []plan.ID
	part  *vm.Fragment
}

// A ref says where a value stands: in the environment, in the state, in the class, or among what the piece has given.
type ref struct {
	where place
	at    int32
}

type place uint8

const (
	inEnv place = iota
	inRow
	inClass
	inPiece
)

// A builder makes the program of a block.
type builder struct {
	*graph
	program *runtime.Program
	choice  runtime.Choice
	block   int32
	own     []plan.ID            // the needed nodes of the block
	at      map[plan.ID]*source  // the source that gives a value
	streams map[plan.ID]*fold    // by the list that they stream
	inside  map[plan.ID]bool     // nodes that streams carry out
	bit     map[plan.ID]set      // of each source
	after   map[plan.ID]plan.ID  // of each effect that may end, the one before it
	memo    map[plan.ID]set      // of nodes: uses
	wanted  map[plan.ID]bool     // what is read from the environment
	chains  []plan.ID            // the last draw of each pool
	decided bool                 // in which order effects happen
	masks   map[plan.ID][]uint32 // of nodes: countsRead
	roots   []*plan.Value
}

func (g *graph) builder(p *runtime.Program, c runtime.Choice, block int32) *builder {
	b := &builder{
		graph: g, program: p, choice: c, block: block,
		at: map[plan.ID]*source{}, streams: map[plan.ID]*fold{}, inside: map[plan.ID]bool{},
		bit: map[plan.ID]set{}, after: map[plan.ID]plan.ID{}, memo: map[plan.ID]set{},
		masks: map[plan.ID][]uint32{}, wanted: map[plan.ID]bool{},
	}
	for _, id := range g.Blocks[block].Nodes {
		if g.needed[id] && g.nodes[id].Op != plan.OpCover {
			b.own = append(b.own, id)
		}
	}
	return b
}

// build makes the program that gives outs, beginning with some columns.
func (b *builder) build(first, outs []plan.ID) (*program, error) {
	if err := b.sources(); err != nil {
		return nil, err
	}
	b.order()
	p := &program{first: first, outs: outs}
	start := set{}
	if len(first) > 0 {
		start = carriedSet
	}
	var nodes []plan.ID
	prefix := &piece{}
	for _, id := range b.own {
		switch {
		case b.inside[id] || b.nodes[id].Op == plan.OpParam: // columns and the iteration are there already
		case b.dependence(id).empty() && b.source(id) == nil:
			prefix.nodes = append(prefix.nodes, id)
		default:
			nodes = append(nodes, id)
		}
	}
	if err := b.region(p, nodes, start); err != nil {
		return nil, err
	}
	if err := b.link(p, outs); err != nil {
		return nil, err
	}
	for id := range b.wanted {
		if b.home[id] == b.block && b.nodes[id].Op != plan.OpConst && (b.nodes[id].Op != plan.OpParam || b.block == 0) {
			prefix.outs = append(prefix.outs, id)
		}
	}
	slices.Sort(prefix.outs)
	if len(prefix.nodes) > 0 {
		p.prefix = prefix
	}
	return p, nil
}

// sources finds what rolls in the block.
func (b *builder) sources() error {
	for _, id := range b.own {
		var s *source
		switch n := &b.nodes[id]; {
		case n.Op == plan.OpRoll:
			s = b.rollSource(id)
		case n.Op == plan.OpLoop && b.heads[id] != nil:
			s = &source{kind: headSource, id: id, ins: slices.Clone(n.Args[:1]), results: b.resultSource(id)}
			s.ins = append(s.ins, s.results.ins...)
		case n.Op == plan.OpLoop && b.rolls(id):
			s = &source{kind: loopSource, id: id}
		default:
			continue
		}
		if len(b.bit) == maxSources {
			return &BudgetError{Subject: b.named(id), Needs: float64(len(b.bit) + 1), Budget: maxSources, What: "sources of chance"}
		}
		b.bit[id] = single(len(b.bit))
		b.at[id] = s
		if d, ok := b.draws[id]; ok && d.step == len(d.pool.classes)-2 {
			b.chains = append(b.chains, id)
		}
	}
	for _, id := range b.own {
		if n := &b.nodes[id]; n.Op == plan.OpResult && b.at[n.Args[0]] != nil && b.at[n.Args[0]].kind == loopSource {
			s := b.at[n.Args[0]]
			s.gives = append(s.gives, id)
			b.at[id] = s
		}
	}
	return nil
}

// source is the source that a node is, not merely one that it is given by.
func (b *builder) source(id plan.ID) *source {
	if s := b.at[id]; s != nil && s.id == id {
		return s
	}
	return nil
}

// resultSource is the source of what a loop answers once. It reads its inputs from the environment, where those of the
// head or of the draw that asks for it stand.
func (b *builder) resultSource(loop plan.ID) *source {
	s := &source{kind: resultSource, id: loop, ins: b.externals([]plan.ID{loop})}
	for _, id := range s.ins {
		s.from = append(s.from, ref{inEnv, int32(id)})
	}
	return s
}

func (b *builder) rollSource(id plan.ID) *source {
	n := &b.nodes[id]
	d := &b.Dice[n.Imm]
	s := &source{kind: dieSource, id: id, ins: slices.Clone(n.Args), gives: []plan.ID{id}}
	if _, ok := b.draws[id]; ok {
		s.kind, s.ins = drawSource, []plan.ID{n.Args[1]}
		if head := b.at[n.Args[4]]; head.results != nil {
			s.results = head.results
			s.ins = append(s.ins, head.results.ins...)
		} else {
			s.ins = append(s.ins, b.nodes[n.Args[4]].Args[1])
		}
		return s
	}
	if b.heads[id] != nil {
		s.kind = headSource
		return s
	}
	if !d.List {
		return s
	}
	s.kind, s.sorted = listSource, b.symmetric(id)
	if !d.Distinct {
		b.stream(s)
	}
	return s
}

// symmetric reports whether the order of a list's elements does not matter.
func (b *builder) symmetric(list plan.ID) bool {
	for _, u := range b.users[list] {
		switch b.nodes[u].Op {
		case plan.OpSize, plan.OpSumInt, plan.OpSumIntFault, plan.OpLeast, plan.OpGreatest, plan.OpEmptyFault:
		case plan.OpSort, plan.OpHas:
		default:
			return false
		}
	}
	return !b.read(list)
}

// read reports whether the roots read a node.
func (b *builder) read(id plan.ID) bool {
	found := false
	var in func(v *plan.Value)
	in = func(v *plan.Value) {
		found = found || v.Type != nil && v.Type.Kind != plan.Record && v.ID == id
		for i := range v.Fields {
			in(&v.Fields[i])
		}
	}
	for _, v := range b.roots {
		in(v)
	}
	return found || slices.Contains(b.Blocks[b.block].Results, id)
}

// rolls reports whether a loop rolls dice.
func (b *builder) rolls(loop plan.ID) bool {
	for _, id := range b.Blocks[b.nodes[loop].Imm].Nodes {
		if n := &b.nodes[id]; b.needed[id] && (n.Op == plan.OpRoll || n.Op == plan.OpLoop && b.rolls(id)) {
			return true
		}
	}
	return false
}

// mayEnd reports whether a node of the block, or the loop that it is, may end the evaluation.
func (b *builder) mayEnd(id plan.ID) bool {
	n := &b.nodes[id]
	if n.Op != plan.OpLoop {
		return b.ends(id) || b.plain && n.Op == plan.OpRoll
	}
	return slices.ContainsFunc(b.Blocks[n.Imm].Nodes, func(x plan.ID) bool { return b.needed[x] && b.mayEnd(x) })
}

// order lets what may end the evaluation happen in its order. Dice that depend on no chance are judged before all others.
func (b *builder) order() {
	last := plan.None
	for _, id := range b.own {
		if !b.mayEnd(id) {
			continue
		}
		if s := b.source(id); s != nil && b.nodes[id].Op == plan.OpRoll {
			if !b.plain && b.block == 0 && b.dependence(id).without(b.bit[id]).empty() {
				continue
			}
			s.chain = true
			clear(b.memo)
		}
		if last != plan.None {
			b.after[id] = last
			clear(b.memo)
		}
		last = id
	}
	if len(b.chains) > 0 {
		b.decided = true
		clear(b.memo)
	}
}

// reads are the nodes that a node depends on, those of outer blocks among them.
func (b *builder) reads(id plan.ID) []plan.ID {
	if s := b.at[id]; s != nil && s.id != id {
		return []plan.ID{s.id}
	}
	n := &b.nodes[id]
	out := n.Args
	if s := b.at[id]; s != nil && s.kind == drawSource {
		out = append(slices.Clone(out), s.ins...)
	}
	if n.Op == plan.OpLoop {
		out = append(slices.Clone(out), b.externals([]plan.ID{id})...)
	}
	if f := b.streams[id]; f != nil {
		out = append(slices.Clone(out), f.frees...)
	}
	if before, ok := b.after[id]; ok {
		out = append(slices.Clone(out), before)
	}
	return out
}

// dependence is what sources a node of the block depends on.
func (b *builder) dependence(id plan.ID) set {
	if b.home[id] != b.block {
		return set{}
	}
	if s, ok := b.memo[id]; ok {
		return s
	}
	if n := &b.nodes[id]; n.Op == plan.OpParam && b.block != 0 {
		if n.Imm == 0 {
			return set{}
		}
		return carriedSet
	}
	out := b.bit[id]
	for _, r := range b.reads(id) {
		out = out.or(b.dependence(r))
	}
	if b.decided && b.endsInOrder(id) {
		for _, last := range b.chains {
			if !b.reaches(last, func(r plan.ID) bool { return r == id }, map[plan.ID]bool{}) {
				out = out.or(b.dependence(last))
			}
		}
	}
	b.memo[id] = out
	return out
}

// endsInOrder reports whether a node may end the evaluation where it stands. The weights of a pool's states are right only
// behind its last draw: such a node therefore waits for all pools that do not wait for it.
func (b *builder) endsInOrder(id plan.ID) bool {
	s := b.source(id)
	return b.mayEnd(id) && (s == nil || s.chain || s.kind == loopSource)
}

// closed adds to a set with some draws of a pool all of them: a region holds all draws or none.
func (b *builder) closed(s set) set {
	for again := true; again; {
		again = false
		for _, last := range b.chains {
			if s.apart(b.poolBits(last)) {
				continue
			}
			if all := b.dependence(last); !all.in(s) {
				s, again = s.or(all), true
			}
		}
	}
	return s
}

// readsPart reports whether a node reads the counts of some classes of a pool and not those of others, or how many dice
// some classes leave. Such a node does not sum a pool up, so it is no reason to meet the pool for itself, beside one that
// it is compared with class by class.
func (b *builder) readsPart(id plan.ID) bool {
	for k, mask := range b.countsRead(id) {
		if all := b.pools[k]; mask != 0 && mask&^readsLeft != 1<<len(all.counts)-1 {
			return true
		}
	}
	return false
}

// readsLeft marks, beside the classes, that a node reads how many dice are left behind some of them.
const readsLeft = 1 << maxClasses

// countsRead are the classes of each pool whose counts a node reads.
func (b *builder) countsRead(id plan.ID) []uint32 {
	if len(b.pools) == 0 || b.home[id] != b.block {
		return nil
	}
	if masks, ok := b.masks[id]; ok {
		return masks
	}
	var out []uint32
	join := func(masks []uint32) {
		out = append(out, make([]uint32, max(0, len(masks)-len(out)))...)
		for k, m := range masks {
			out[k] |= m
		}
	}
	for k, p := range b.pools {
		switch c := slices.Index(p.counts, id); {
		case c >= 0:
			join(append(make([]uint32, k), 1<<c))
		case b.isChain[id] && p.head <= id && id < p.end:
			join(append(make([]uint32, k), readsLeft))
		}
	}
	if out == nil {
		for _, r := range b.reads(id) {
			join(b.countsRead(r))
		}
	}
	b.masks[id] = out
	return out
}

// poolBits are the bits of a pool's head and draws.
func (b *builder) poolBits(last plan.ID) set {
	head := b.nodes[last].Args[4]
	out := b.bit[head]
	for id, d := range b.draws {
		if d.pool == b.heads[head] {
			out = out.or(b.bit[id])
		}
	}
	return out
}

// reaches reports whether a node is, or depends on, one that is sought.
func (b *builder) reaches(from plan.ID, sought func(plan.ID) bool, seen map[plan.ID]bool) bool {
	if sought(from) {
		return true
	}
	if seen[from] || b.home[from] != b.block {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(b.reads(from), func(r plan.ID) bool { return b.reaches(r, sought, seen) })
}

// externals are the nodes outside of some nodes, and of the loops that they are, that these read; constants are not
// among them.
func (g *graph) externals(nodes []plan.ID) []plan.ID {
	within := map[plan.ID]bool{}
	var enter func(list []plan.ID)
	enter = func(list []plan.ID) {
		for _, id := range list {
			if !g.needed[id] {
				continue
			}
			within[id] = true
			if n := &g.nodes[id]; n.Op == plan.OpLoop {
				enter(g.Blocks[n.Imm].Nodes)
			}
		}
	}
	enter(nodes)
	found := map[plan.ID]bool{}
	note := func(id plan.ID) {
		if !within[id] && g.nodes[id].Op != plan.OpConst {
			found[id] = true
		}
	}
	for id := range within {
		n := &g.nodes[id]
		for _, a := range n.Args {
			note(a)
		}
		if n.Op == plan.OpLoop {
			for _, r := range g.results(id) {
				note(r)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// region adds the steps of nodes that depend on what has been met already, and on sources of their own. Of the sets of
// sources that nodes depend on, those that lie within or beside each other are regions of their own: the distribution
// of what is read of them later is computed once and not for each state.
func (b *builder) region(p *program, nodes []plan.ID, met set) error {
	inner, rest := b.split(nodes, met)
	for len(rest) > 0 || len(inner) > 0 {
		var ready []plan.ID
		rest = slices.DeleteFunc(rest, func(id plan.ID) bool {
			is := b.source(id) == nil && b.dependence(id).in(met)
			if is && b.at[id] == nil {
				ready = append(ready, id)
			}
			return is
		})
		if len(ready) > 0 {
			b.follow(p, ready)
		}
		s, took, err := b.next(&inner, &rest, met)
		if err != nil {
			return err
		}
		if s == nil {
			if len(rest) > 0 {
				return fmt.Errorf("odds: %s depends on itself", b.named(rest[0]))
			}
			continue
		}
		met = met.or(took)
		p.steps = append(p.steps, step{source: s})
	}
	return nil
}

// follow adds nodes that are computed after the last step.
func (b *builder) follow(p *program, nodes []plan.ID) {
	if len(p.steps) == 0 {
		p.steps = append(p.steps, step{})
	}
	p.steps[len(p.steps)-1].piece = &piece{nodes: nodes}
}

// A cluster is the nodes that depend on a set of sources.
type cluster struct {
	on    set
	nodes []plan.ID
}

// split divides nodes into regions and what is left.
func (b *builder) split(nodes []plan.ID, met set) (inner []cluster, rest []plan.ID) {
	all, sets := set{}, map[set]bool{}
	for _, id := range nodes {
		on := b.closed(b.dependence(id))
		all = all.or(on)
		if !b.readsPart(id) {
			sets[on] = true
		}
	}
	if !b.plain {
		for _, on := range largest(sets, all, met) {
			inner = append(inner, cluster{on: on})
		}
	}
	for _, id := range nodes {
		k := slices.IndexFunc(inner, func(c cluster) bool { return b.dependence(id).in(c.on) })
		if k < 0 {
			rest = append(rest, id)
		} else {
			inner[k].nodes = append(inner[k].nodes, id)
		}
	}
	slices.SortFunc(inner, func(x, y cluster) int { return cmp.Compare(x.nodes[0], y.nodes[0]) })
	return inner, rest
}

// largest chooses among sets that lie apart from what was met: small ones before large ones, each within or beside
// those chosen before, and of these the outermost that are not all.
func largest(sets map[set]bool, all, met set) []set {
	var chosen []set
	for _, s := range slices.SortedFunc(maps.Keys(sets), smaller) {
		fits := func(c set) bool { return c.in(s) || c.apart(s) }
		if s != all && s.apart(met) && s.apart(carriedSet) && !slices.ContainsFunc(chosen, func(c set) bool { return !fits(c) }) {
			chosen = append(chosen, s)
		}
	}
	return slices.DeleteFunc(chosen, func(s set) bool {
		return slices.ContainsFunc(chosen, func(c set) bool { return c != s && s.in(c) })
	})
}

func smaller(a, b set) int {
	if c := cmp.Compare(a.size(), b.size()); c != 0 {
		return c
	}
	return slices.Compare(a[:], b[:])
}

// next is the source that is met next: the first that depends on nothing that has not been met.
func (b *builder) next(inner *[]cluster, rest *[]plan.ID, met set) (s *source, took set, err error) {
	best := plan.ID(len(b.nodes))
	at := -1
	first := int64(math.MaxInt64)
	for _, id := range *rest {
		if b.source(id) != nil && b.priority(id) < first && b.dependence(id).without(b.bit[id]).in(met) {
			best, first = id, b.priority(id)
		}
	}
	for k, c := range *inner {
		if b.priority(c.nodes[0]) < first {
			best, at, first = c.nodes[0], k, b.priority(c.nodes[0])
		}
	}
	switch {
	case at >= 0:
		c := (*inner)[at]
		*inner = slices.Delete(*inner, at, at+1)
		s, err := b.inner(c)
		return s, c.on, err
	case int(best) < len(b.nodes):
		*rest = slices.DeleteFunc(*rest, func(id plan.ID) bool { return id == best })
		return b.source(best), b.bit[best], nil
	}
	return nil, set{}, nil
}

// priority is the order in which sources are met when nothing else decides: as they stand, but the draws of pools behind
// everything else, class by class, so that pools that are compared face by face keep few values alive between two faces.
func (b *builder) priority(id plan.ID) int64 {
	d, ok := b.draws[id]
	if !ok {
		return int64(id)
	}
	value := d.pool.classes[d.step][0]
	if d.pool.isFlipped() {
		value = -value
	}
	return int64(len(b.nodes)) + (value+math.MaxUint16)<<16 + int64(id)
}

// inner makes a region a source. One that is a single source and nothing else is that source.
func (b *builder) inner(c cluster) (*source, error) {
	s := &source{kind: regionSource, id: c.nodes[0], body: &program{}}
	return s, b.region(s.body, c.nodes, set{})
}
