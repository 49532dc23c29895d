package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What is still needed while records are given bit by bit.
//
// A record at a table is given one field after the other, and each field can make others needless: who tests a skill is
// not asked for statistics. The passes already know how to find that out for options, which are constants before anything
// is given. So FindNeeds makes constants of the fields that are known too, lets the passes cut off what these decide, and
// tells what of the records the roots still reach. A field that is not reached cannot change an answer, whatever it holds;
// a field that is reached may still turn out not to matter, when lists decide about it, because lists are not constants.
//
// Maps are told key by key where a formula looks up a key that is known: a skill of a character, and not all of them.

// Given is what is known of the records of a graph.
type Given struct {
	Slots map[plan.Leaf]int64 // numbers, truths, presences, and strings that are symbols of the plan
	// Sizes of lists and maps of which every element is known.
	Sizes map[plan.Leaf]int64
	// Entries of maps by the symbol of their key: the slots of the value. An entry of which a part is not known does not
	// stand here.
	Entries map[plan.Leaf]map[int64][]int64
	Closed  map[plan.Leaf]bool // maps that have no keys but those of Entries
	// Later are the reads of the steps that follow a start. What a start hands on to the state or the character is read as
	// they read it; without it, as a whole.
	Later   []Read
	IsStart bool
	Dice    []bool // of each die, whether it is to be rolled even if nothing reads its faces; nil: none
}

// Needs is what the roots of a graph still need.
type Needs struct {
	Reads   []Read        // of fields that are not known, in the order of their slots
	Dice    [][]Reader    // of each die, what reads its faces; empty for one that need not be rolled
	Refused *plan.Require // the requirement that is known not to hold, while all before it are known to hold
	Lookups []Lookup
	Changed []plan.Leaf // slots of the character that are not known and that the step gives another value
}

// A Read is a slot of a record that is still read.
type Read struct {
	Leaf plan.Leaf
	// Keys of a map: the symbols of those that are looked up. Later when some key is looked up that is a field which is not
	// known yet. Whole when the map is read in another way, and of what is no map.
	Keys  []int64
	Later bool
	Whole bool
	By    []Reader
}

// A Lookup is a string, or a list of strings one after the other, that is looked up in a map.
type Lookup struct{ Key, Map plan.Leaf }

// ReaderKind says what reads a field.
type ReaderKind uint8

// The kinds of readers, in the order in which an evaluation comes to them.
const (
	GuardReader     ReaderKind = iota // whether an event is offered
	CheckReader                       // a requirement of a formula that only fails with its value
	RequireReader                     // Name is the message
	DieReader                         // Name is the id
	OutputReader                      // Name is the output
	StateReader                       // Name is the field of the state after the step
	CharacterReader                   // Name is the field of the character after the step
	EndReader                         // Name is empty
	LimitReader                       // Name is the path of a number that a field bounds, or is bounded by
)

// A Reader is what reads a field or a die.
type Reader struct {
	Kind ReaderKind
	Name string
}

// String returns the reader as people read it: "output success", "requirement: the arm must be free".
func (r Reader) String() string {
	switch r.Kind {
	case GuardReader:
		return "whether the event is offered"
	case CheckReader:
		return "a formula that can fail"
	case RequireReader:
		return "requirement: " + r.Name
	case DieReader:
		return "die " + r.Name
	case OutputReader:
		return "output " + r.Name
	case StateReader:
		return "state " + r.Name
	case CharacterReader:
		return "character " + r.Name
	case LimitReader:
		return "the bound of " + r.Name
	}
	return "the end"
}

// FindNeeds returns the parts of the given records that the graph of a body still needs, under the options and for the
// outputs of opt.
func FindNeeds(p *plan.Plan, g *plan.Graph, opt Options, given Given) (*Needs, error) {
	w := newWork(p, g, opt)
	if err := w.askOutputs(opt.Outputs); err != nil {
		return nil, err
	}
	n := &needs{work: w, asked: opt.Outputs, given: given, reads: map[plan.Leaf]*Read{},
		out: &Needs{Dice: make([][]Reader, len(g.Dice))}}
	n.propagateConstants()
	n.readAll()
	for id := range w.nodes {
		if leaf, ok := n.leafOf(plan.ID(id)); ok && n.reads[leaf] != nil {
			n.out.Reads = append(n.out.Reads, *n.reads[leaf])
			delete(n.reads, leaf)
		}
	}
	slices.SortFunc(n.out.Reads, func(a, b Read) int {
		if a.Leaf.Root != b.Leaf.Root {
			return int(a.Leaf.Root) - int(b.Leaf.Root)
		}
		return int(a.Leaf.Offset) - int(b.Leaf.Offset)
	})
	return n.out, nil
}

// propagateConstants makes constants of the known values and of all that follows from them.
func (n *needs) propagateConstants() {
	n.foldLeaves()
	n.foldBounds()
	for n.changed = true; n.changed; {
		n.changed = false
		n.foldNodes()
		n.walkNodes(0, n.foldEntry)
	}
}

// needs finds what is needed.
type needs struct {
	*work
	asked   []string
	given   Given
	reads   map[plan.Leaf]*Read
	out     *Needs
	changed bool // whether the last round has made a constant
}

// leafOf returns the part of a record that a node reads.
func (n *needs) leafOf(id plan.ID) (plan.Leaf, bool) {
	if x := n.nodeOf(id); x.Op == plan.OpLeaf {
		return n.graph.Leaves[x.Imm], true
	}
	return plan.Leaf{}, false
}

// foldLeaves makes constants of the fields that are known.
func (n *needs) foldLeaves() {
	n.walkNodes(0, func(id plan.ID) {
		if leaf, ok := n.leafOf(id); ok {
			if bits, known := n.given.Slots[leaf]; known {
				n.makeConstant(id, bits)
			}
		}
	})
}

// foldEntry makes a constant of a known property of a list or a map: its size, or the value under a key.
func (n *needs) foldEntry(id plan.ID) {
	if n.same[id] != id || n.nodes[id].Op == plan.OpConst {
		return
	}
	bits, known := n.entryBits(&n.nodes[id])
	if known {
		n.makeConstant(id, bits)
		n.changed = true
	}
}

func (n *needs) entryBits(x *plan.Node) (bits int64, known bool) {
	switch x.Op {
	case plan.OpSize:
		if leaf, ok := n.leafOf(x.Args[0]); ok {
			bits, known = n.given.Sizes[leaf]
		}
	case plan.OpFind:
		if value, ok := n.knownEntry(x); ok && value == nil {
			return -1, true
		}
	case plan.OpFindFault:
		if value, ok := n.knownEntry(x); ok && value != nil {
			return 0, true
		}
	case plan.OpLeInt: // 0 <= find(m, k): whether the key is there
		if find := n.nodeOf(x.Args[1]); n.isConstant(x.Args[0], 0) && find.Op == plan.OpFind {
			if value, ok := n.knownEntry(find); ok && value != nil {
				return 1, true
			}
		}
	case plan.OpElem:
		find := n.nodeOf(x.Args[1])
		if find.Op != plan.OpFind || n.operandOf(find, 0) != n.operandOf(x, 0) {
			return 0, false
		}
		offset := int(uint32(x.Imm)) // in the entry, which begins with its key
		if value, ok := n.knownEntry(find); ok && 0 < offset && offset <= len(value) && x.Kind != plan.List &&
			x.Kind != plan.Map {
			return value[offset-1], true
		}
	}
	return bits, known
}

// knownEntry returns the value under a known key of a map of the records; nil for a key that the map does not have.
func (n *needs) knownEntry(find *plan.Node) (value []int64, known bool) {
	leaf, isLeaf := n.leafOf(find.Args[0])
	key, isKnown := n.constantOf(find.Args[1])
	if !isLeaf || !isKnown {
		return nil, false
	}
	value, known = n.given.Entries[leaf][key]
	return value, known || n.given.Closed[leaf]
}

// readAll notes the fields that each root reads.
func (n *needs) readAll() {
	g, held := n.graph, true
	n.walkNodes(0, func(id plan.ID) {
		if x := &n.nodes[id]; x.Op == plan.OpRequire && !n.isConstant(x.Args[0], 0) {
			held = n.readRequire(x, held, slices.Contains(g.Blocks[0].Nodes, id))
		}
	})
	for i := range g.Outputs.Fields {
		if name := n.outputType().Fields[i].Name; n.asked == nil || slices.Contains(n.asked, name) {
			n.readValue(&g.Outputs.Fields[i], Reader{OutputReader, name})
		}
	}
	for i := range g.Next {
		next := &nextValue{needs: n, root: plan.StateRoot}
		if i > 0 {
			next.root = plan.CharacterRoot
		}
		next.readFields(&g.Next[i], n.shapes[next.root], 0)
	}
	for i := range g.Ends {
		n.readValue(&g.Ends[i], Reader{Kind: EndReader})
	}
	n.readGivenDice()
}

// readGivenDice notes the fields that dice with given faces read, although nothing reads the dice.
func (n *needs) readGivenDice() {
	n.walkNodes(0, func(id plan.ID) {
		x := &n.nodes[id]
		if x.Op != plan.OpRoll || n.given.Dice == nil || !n.given.Dice[x.Imm] || len(n.out.Dice[x.Imm]) > 0 {
			return
		}
		n.readFrom(Reader{DieReader, n.graph.Dice[x.Imm].ID}, id)
	})
}

// readRequire notes the fields that a requirement reads, and reports whether it and all before it are known to hold. One of
// a loop may never be met: a list may have no elements.
func (n *needs) readRequire(x *plan.Node, held, isMet bool) bool {
	require := &n.graph.Requires[x.Imm]
	holds, known := n.constantOf(x.Args[1])
	fault, sound := n.constantOf(x.Args[2])
	guard, always := n.constantOf(x.Args[0])
	if known && sound && fault == 0 && holds != 0 {
		return held
	}
	if held && isMet && known && sound && fault == 0 && always && guard != 0 && n.out.Refused == nil {
		n.out.Refused = require
	}
	by := Reader{RequireReader, require.Message}
	switch {
	case require.IsGuard():
		by = Reader{Kind: GuardReader}
	case require.Message == "":
		by = Reader{Kind: CheckReader}
	}
	n.readFrom(by, x.Args...)
	return false
}

// readValue notes the fields that an outgoing value reads. A field that is handed on unchanged is not read.
func (n *needs) readValue(v *plan.Value, by Reader) {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None {
			n.readFrom(by, id)
		}
	}
	for i := range v.Fields {
		n.readValue(&v.Fields[i], by)
	}
}

// A nextValue is the state or the character after a step.
type nextValue struct {
	*needs
	root   plan.Root
	reader Reader
}

// readFields notes the reads of a record's next value, field by field; at is the record's first slot.
func (n *nextValue) readFields(v *plan.Value, s *plan.Shape, at int32) {
	isRoot := n.reader.Name == ""
	for i := range s.Fields {
		m := &s.Fields[i]
		k := slices.IndexFunc(v.Type.Fields, func(f plan.Field) bool { return f.Name == m.Name })
		if isRoot {
			n.reader = Reader{StateReader, m.Name}
			if n.root == plan.CharacterRoot {
				n.reader.Kind = CharacterReader
			}
		}
		if m.Optional {
			n.readSlot(v.Fields[k].Present, at)
			at++
		}
		n.readField(&v.Fields[k], m.Shape, at)
		at += int32(m.Shape.Slots())
	}
}

func (n *nextValue) readField(v *plan.Value, s *plan.Shape, at int32) {
	n.readSlot(v.Fault, -1)
	if s.Kind == plan.Record {
		n.readFields(v, s, at)
		return
	}
	n.readSlot(v.ID, at)
}

// readSlot notes the reads of one slot's next value; at is -1 of a fault, which has no slot. A slot that keeps its value
// reads nothing. A slot that a start copies from another record reads from there as much as later steps read of it.
func (n *nextValue) readSlot(id plan.ID, at int32) {
	if id == plan.None {
		return
	}
	leaf, isLeaf := n.leafOf(id)
	to := plan.Leaf{Root: n.root, Offset: at}
	switch {
	case isLeaf && leaf == to:
	case isLeaf && n.given.IsStart:
		for _, r := range n.given.Later {
			if r.Leaf == to {
				n.noteRead(leaf, &r)
			}
		}
	default:
		if _, isKnown := n.given.Slots[to]; !isKnown && at >= 0 && n.root == plan.CharacterRoot {
			n.out.Changed = append(n.out.Changed, to)
		}
		n.readFrom(n.reader, id)
	}
}

// noteRead notes that a field is read as another one is.
func (n *needs) noteRead(leaf plan.Leaf, as *Read) {
	for _, by := range as.By {
		if as.Whole {
			n.noteField(leaf, by, mapKey{})
		}
		if as.Later {
			n.noteField(leaf, by, mapKey{later: true})
		}
		for _, key := range as.Keys {
			n.noteField(leaf, by, mapKey{symbol: key, known: true})
		}
	}
}

// readFrom notes the fields that are reached from some nodes.
func (n *needs) readFrom(by Reader, ids ...plan.ID) {
	s := &search{work: n.work, found: make([]bool, len(n.nodes))}
	for _, id := range ids {
		if leaf, ok := n.leafOf(id); ok {
			n.noteField(leaf, by, mapKey{})
		}
		s.addNeeded(id)
	}
	for len(s.open) > 0 {
		id := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		n.noteOperands(id, by)
		s.addOperands(id)
	}
}

// noteOperands notes the fields among the operands of a node that is reached.
func (n *needs) noteOperands(id plan.ID, by Reader) {
	x := &n.nodes[id]
	if x.Op == plan.OpRoll {
		n.noteDie(int(x.Imm), by)
	}
	for k, arg := range n.operandsOf(id) {
		if leaf, ok := n.leafOf(arg); ok {
			n.noteField(leaf, by, n.keyOf(x, k))
			n.noteLookup(x, k, leaf)
		} else if e := &n.nodes[arg]; e.Op == plan.OpElem {
			if list, ok := n.leafOf(n.operandOf(e, 0)); ok {
				n.noteLookup(x, k, list)
			}
		}
	}
}

// operandsOf returns the operands of a node that is reached; of a carried value, its first and its next one.
func (n *needs) operandsOf(id plan.ID) []plan.ID {
	x := &n.nodes[id]
	carried := func(loop plan.ID, k int64) []plan.ID {
		return []plan.ID{n.initialCarried(loop, k), n.nextCarried(loop)[k]}
	}
	switch {
	case x.Op == plan.OpConst, x.Op == plan.OpParam && x.Imm == 0:
		return nil
	case x.Op == plan.OpLoop:
		return x.Args[:1]
	case x.Op == plan.OpResult:
		return carried(n.operandOf(x, 0), x.Imm)
	case x.Op == plan.OpParam:
		return carried(n.loop[n.home[id]], x.Imm-1)
	}
	return x.Args
}

// A mapKey is the key with which a map is looked up: known, known later, or neither.
type mapKey struct {
	symbol       int64
	known, later bool
}

// keyOf returns the key with which a node looks up a map, its k-th operand.
func (n *needs) keyOf(x *plan.Node, k int) mapKey {
	if k != 0 {
		return mapKey{}
	}
	key := plan.None
	switch x.Op {
	case plan.OpFind, plan.OpFindFault:
		key = x.Args[1]
	case plan.OpElem:
		if find := n.nodeOf(x.Args[1]); find.Op == plan.OpFind && n.operandOf(find, 0) == n.operandOf(x, 0) {
			key = find.Args[1]
		}
	}
	if key == plan.None {
		return mapKey{}
	}
	symbol, known := n.constantOf(key)
	_, later := n.leafOf(key)
	return mapKey{symbol, known, later}
}

// noteLookup notes a string, or a list of strings, that a node looks up in a map.
func (n *needs) noteLookup(x *plan.Node, k int, key plan.Leaf) {
	if x.Op != plan.OpFind && x.Op != plan.OpFindFault || k != 1 {
		return
	}
	if leaf, ok := n.leafOf(x.Args[0]); ok {
		if found := (Lookup{key, leaf}); !slices.Contains(n.out.Lookups, found) {
			n.out.Lookups = append(n.out.Lookups, found)
		}
	}
}

func (n *needs) noteDie(die int, by Reader) {
	if !slices.Contains(n.out.Dice[die], by) {
		n.out.Dice[die] = append(n.out.Dice[die], by)
	}
}

// noteField notes that a field is read.
func (n *needs) noteField(leaf plan.Leaf, by Reader, key mapKey) {
	r := n.reads[leaf]
	if r == nil {
		r = &Read{Leaf: leaf}
		n.reads[leaf] = r
	}
	switch {
	case key.later:
		r.Later = true
	case !key.known:
		r.Whole = true
	case !slices.Contains(r.Keys, key.symbol):
		r.Keys = append(r.Keys, key.symbol)
	}
	if !slices.Contains(r.By, by) {
		r.By = append(r.By, by)
	}
}
