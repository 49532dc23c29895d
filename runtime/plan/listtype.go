package plan

// A node says of what kind its slot is, and no more: that it is a list, and not of what. Whoever takes a list out of its
// frame, prints a constant one or hashes it must know what the slots of its elements are, because some of them are lists
// in their turn, or faults, or symbols, which mean nothing outside.
//
// This is not written into every node: it would be said again by each operation that hands a list on, and each pass that
// makes nodes would have to keep it right. It is derived here, once for a graph, from where it is said:
//
//   - by what reads a list. An output, the next state, a guard and an operation that names a type say what they read, and
//     what they read may be a choice, a loop's result or a list that is being built, which have the same type;
//   - by where a list comes from: a record that is given, a cell of a table, an element of another list, or an operation
//     whose row has an ElementRule;
//   - by what is pushed: the kinds of the slots are those of the nodes.
//
// A constant has only its readers. One that no reader with a type sees has no type, and its slots are numbers.

// ListTypes returns the type of each node of a graph that is a list or a map. roots are the shapes of the given records.
// The type is nil for every other node, and for a list without elements whose type nothing says. A record that only its
// pushes tell of has fields without names.
func ListTypes(p *Plan, g *Graph, roots [NumRoots]*Shape) []*Type {
	return newListTyper(p, g, roots).deriveAll().types
}

// ReadListTypes is ListTypes as far as the readers of a list say it. It depends neither on how a list is made nor on the
// names of values, so that a semantic digest may rest on it.
func ReadListTypes(p *Plan, g *Graph) []*Type {
	return newListTyper(p, g, [NumRoots]*Shape{}).types
}

// A listTyper derives the types of lists.
type listTyper struct {
	p     *Plan
	g     *Graph
	roots [NumRoots]*Shape
	types []*Type
	// Of each node, whether it is in the graph or in the body of one of its loops, and the innermost such loop. A node that
	// is in neither is not verified, and may be anything.
	isReached []bool
	innerLoop []ID
	isOpen    map[ID]bool // the nodes whose type is being derived: a loop carries what it makes of what it carries
}

// newListTyper returns a typer that knows the types that readers say.
func newListTyper(p *Plan, g *Graph, roots [NumRoots]*Shape) *listTyper {
	t := &listTyper{
		p: p, g: g, roots: roots, types: make([]*Type, len(g.Nodes)), isOpen: map[ID]bool{},
		isReached: make([]bool, len(g.Nodes)), innerLoop: make([]ID, len(g.Nodes)),
	}
	t.enterBlock(0, None)
	t.readValue(&g.Outputs)
	for i := range g.Next {
		t.readValue(&g.Next[i])
	}
	for i := range g.Ends {
		t.readValue(&g.Ends[i])
	}
	for id, isReached := range t.isReached {
		if isReached {
			t.readOperands(&g.Nodes[id])
		}
	}
	return t
}

// deriveAll derives the types that no reader says. The source of a list goes before its readers, so that Verify finds
// readers that are wrong.
func (t *listTyper) deriveAll() *listTyper {
	for id, isReached := range t.isReached {
		if n := &t.g.Nodes[id]; isReached && (n.Kind == List || n.Kind == Map) {
			if of := t.statedType(n); of.isList() {
				t.types[id] = of
			}
		}
	}
	for id, isReached := range t.isReached {
		if isReached {
			clear(t.isOpen)
			if of := t.typeOf(ID(id)); of.isList() { // of a plan that was altered it may be anything
				t.types[id] = of
			}
		}
	}
	return t
}

// enterBlock notes where the nodes of a block and of the loops in it stand.
func (t *listTyper) enterBlock(block int64, loop ID) {
	for _, id := range t.g.Blocks[block].Nodes {
		t.isReached[id], t.innerLoop[id] = true, loop
		if n := &t.g.Nodes[id]; n.Op == OpLoop {
			t.enterBlock(n.Imm, id)
		}
	}
}

// readValue notes the types of values that are read from outside.
func (t *listTyper) readValue(v *Value) {
	for i := range v.Fields {
		t.readValue(&v.Fields[i])
	}
	if v.Type.isList() {
		t.readAs(v.ID, v.Type)
	}
}

// readOperands notes the types of the lists that an operation reads.
func (t *listTyper) readOperands(n *Node) {
	switch {
	case operations[n.Op].Immediate == TypeImmediate:
		for _, a := range n.Args {
			if t.g.Nodes[a].Kind == t.p.Types[n.Imm].Kind {
				t.readAs(a, t.p.Types[n.Imm])
			}
		}
	case n.Op == OpElem && n.Imm>>32 == 1 && n.Kind >= Int && n.Kind <= String:
		t.readAs(n.Args[0], ListOf(&Type{Kind: n.Kind}))
	}
}

// readAs notes the type of a list, and of the lists that it may be. The first reader counts.
func (t *listTyper) readAs(id ID, of *Type) {
	if t.types[id] != nil {
		return
	}
	t.types[id] = of
	switch n := &t.g.Nodes[id]; n.Op {
	case OpSelect:
		t.readAs(n.Args[1], of)
		t.readAs(n.Args[2], of)
	case OpPush:
		t.readAs(n.Args[0], of)
	case OpElem:
		if n.Imm>>32 == 1 {
			t.readAs(n.Args[0], ListOf(of))
		}
	case OpResult:
		loop := &t.g.Nodes[n.Args[0]]
		t.readAs(loop.Args[n.Imm+1], of)
		t.readAs(t.g.Blocks[loop.Imm].Results[n.Imm], of)
	}
}

// typeOf returns the type of a list; nil if nothing says it, and for nodes that are no list.
func (t *listTyper) typeOf(id ID) *Type {
	n := &t.g.Nodes[id]
	if t.types[id] != nil || n.Kind != List && n.Kind != Map || t.isOpen[id] {
		return t.types[id]
	}
	t.isOpen[id] = true
	switch n.Op {
	case OpElem:
		return t.elementSlot(n)
	case OpSelect:
		return t.typeOfEither(n.Args[1], n.Args[2])
	case OpPush:
		return t.typeOfPush(n)
	case OpResult:
		return t.typeOfCarried(n.Args[0], n.Imm)
	case OpParam:
		return t.typeOfCarried(t.innerLoop[id], n.Imm-1)
	}
	return nil
}

// statedType returns the type of a list whose operation says it, whatever its operands are; nil of every other.
func (t *listTyper) statedType(n *Node) *Type {
	switch operations[n.Op].Elements {
	case IntElements:
		return ListOf(IntType)
	case TypeElements:
		return t.p.Types[t.typeIndex(n)]
	case KeyElements:
		return ListOf(&Type{Kind: t.p.Types[t.typeIndex(n)].Key})
	}
	switch n.Op {
	case OpLeaf:
		if l := t.g.Leaves[n.Imm]; t.roots[l.Root] != nil {
			return t.roots[l.Root].SlotType(int(l.Offset))
		}
	case OpCell:
		return t.p.Tables[n.Imm>>32].Row.SlotType(int(uint32(n.Imm)))
	}
	return nil
}

// typeIndex returns the index of the type of a node whose row says that its elements have a type.
func (t *listTyper) typeIndex(n *Node) int64 {
	if operations[n.Op].Immediate == TypesImmediate {
		return n.Imm >> 32
	}
	return n.Imm
}

// typeOfEither returns the type of a list that is one of two. A constant counts last: passes let one empty list stand for
// every other, of any type.
func (t *listTyper) typeOfEither(a, b ID) *Type {
	if t.g.Nodes[a].Op == OpConst {
		a, b = b, a
	}
	if of := t.typeOf(a); of != nil {
		return of
	}
	return t.typeOf(b)
}

// typeOfCarried returns the type of the value k that a loop carries from iteration to iteration.
func (t *listTyper) typeOfCarried(loop ID, k int64) *Type {
	n := &t.g.Nodes[loop]
	return t.typeOfEither(t.g.Blocks[n.Imm].Results[k], n.Args[k+1])
}

// typeOfPush returns the type of a list to which something is pushed, or that of a list of just this.
func (t *listTyper) typeOfPush(n *Node) *Type {
	if of := t.typeOf(n.Args[0]); of != nil {
		return of
	}
	pushed := &Type{Kind: Record}
	for _, a := range n.Args[2:] {
		pushed.Fields = append(pushed.Fields, t.fieldOf(a))
	}
	if len(pushed.Fields) == 1 && !pushed.Fields[0].Fallible {
		return ListOf(pushed.Fields[0].Type)
	}
	return ListOf(pushed)
}

// These stand for the type of a list and of a map within an element, of which nothing says what they hold: nothing fills them.
var unfilledList, unfilledMap = ListOf(&Type{Kind: Record}), MapOf(&Type{Kind: Record})

// fieldOf returns a field that takes the slot of a node.
func (t *listTyper) fieldOf(id ID) Field {
	switch kind := t.g.Nodes[id].Kind; kind {
	case List, Map:
		switch of := t.typeOf(id); {
		case of != nil:
			return Field{Type: of}
		case kind == Map:
			return Field{Type: unfilledMap}
		}
		return Field{Type: unfilledList}
	case Fault: // a type has no faults but those of its fields
		return Field{Type: &Type{Kind: Record}, Fallible: true}
	default:
		return Field{Type: &Type{Kind: kind}}
	}
}

// elementSlot returns the type of the slot of an element that a node reads.
func (t *listTyper) elementSlot(n *Node) *Type {
	of, at := t.typeOf(n.Args[0]), int(uint32(n.Imm))
	if !of.isList() || at >= of.Stride() {
		return nil
	}
	if of.Kind == Map {
		if at == 0 {
			return nil
		}
		at--
	}
	slot := of.Elem.SlotType(at)
	if slot == unfilledList || slot == unfilledMap {
		return nil
	}
	return slot
}

// isList reports whether a value of the type is a list or a map. There is no value of no type.
func (t *Type) isList() bool { return t != nil && (t.Kind == List || t.Kind == Map) }

// SlotType returns the type of the value that has a slot of the type; nil for a slot of a presence or of a fault.
func (t *Type) SlotType(slot int) *Type {
	if t.Kind != Record {
		return t
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if n := f.Slots(); slot >= n {
			slot -= n
			continue
		}
		if slot -= f.Slots() - f.Type.Slots(); slot < 0 {
			return nil
		}
		return f.Type.SlotType(slot)
	}
	return nil
}

// SlotKind returns the kind of a slot of the elements of a list, or of the entries of a map.
func (t *Type) SlotKind(slot int) Kind {
	if t.Kind == Map {
		if slot == 0 {
			return t.Key
		}
		slot--
	}
	of, rest := t.Elem, slot
	for of.Kind == Record {
		i := 0
		for rest >= of.Fields[i].Slots() {
			rest -= of.Fields[i].Slots()
			i++
		}
		f := &of.Fields[i]
		switch mark := f.Slots() - f.Type.Slots(); {
		case rest >= mark:
			of, rest = f.Type, rest-mark
		case f.Optional && rest == 0:
			return Bool
		default:
			return Fault
		}
	}
	return of.Kind
}
