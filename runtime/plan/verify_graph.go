package plan

import "strings"

// admitsKind reports whether a letter of an operation's row stands for a kind, which may be any number that a file holds.
func admitsKind(letter byte, k Kind) bool {
	switch letter {
	case '*', 'r':
		return k != Invalid && k != Record && k <= Fault
	case 'k':
		return k >= Int && k <= String
	case 'p', 'm': // a map that a loop builds is pushed entry by entry, as a list is
		return k == List || k == Map
	}
	return k <= Fault && letter == kindLetters[k]
}

var kindLetters = [...]byte{Int: 'i', Double: 'd', Bool: 'b', String: 's', List: 'l', Map: 'm', Record: 'R', Fault: 'f'}

// verifyGraph checks one graph.
func (v *verifier) verifyGraph(name string, g *Graph, roots [NumRoots]*Shape) {
	if v.err != nil {
		return
	}
	v.at, v.g = name+": ", g
	defer func() { v.at = "" }()
	if len(g.Blocks) == 0 {
		v.failf("there is no block")
		return
	}
	v.verifyLeaves(g, roots)
	v.seen = make([]bool, len(g.Nodes))
	v.verifyBlock(0, nil, map[int64]bool{})
	v.verifyDice(g)
	if v.err == nil {
		v.verifyRoots(g)
	}
	if v.err == nil {
		v.verifyElements(newListTyper(v.p, g, roots).deriveAll())
	}
}

// verifyElements checks that the makers and readers of list elements agree with the types of the lists: how many slots an
// element has, and of which kind each is.
func (v *verifier) verifyElements(t *listTyper) {
	for i, isReached := range t.isReached {
		id, n := ID(i), &v.g.Nodes[i]
		switch {
		case !isReached:
		case n.Op == OpElem:
			v.verifyElement(id, t.types[n.Args[0]], int(n.Imm>>32), int(uint32(n.Imm)), n.Kind)
		case n.Op == OpPush:
			for slot, a := range n.Args[2:] {
				v.verifyElement(id, t.types[n.Args[0]], len(n.Args)-2, slot, v.g.Nodes[a].Kind)
			}
		}
	}
}

// verifyElement checks one slot of the elements that a node makes or reads.
func (v *verifier) verifyElement(id ID, list *Type, stride, slot int, kind Kind) {
	if list == nil {
		return
	}
	if list.Stride() != stride {
		v.failf("node %d (%s) takes elements of %d slots from %v", id, v.g.Nodes[id].Op, stride, list)
		return
	}
	if want := list.SlotKind(slot); kind != want && !(kind == List && want == Map) {
		v.failf("node %d (%s) takes slot %d of %v for kind %d", id, v.g.Nodes[id].Op, slot, list, kind)
	}
}

// verifyDice checks the limits of dice and of the numbers on their faces, and that the loops whose iterations are in their
// ids are loops.
func (v *verifier) verifyDice(g *Graph) {
	for i := range g.Dice {
		d := &g.Dice[i]
		if d.Times < 0 || d.Most < 0 {
			v.failf("die %s has a limit below 0", d.ID)
		}
		if len(d.Shows) > maxShown {
			v.failf("die %s lists %d faces, more than %d", d.ID, len(d.Shows), maxShown)
		}
		for _, shown := range d.Shows {
			if shown < -maxFaceSize || shown > maxFaceSize {
				v.failf("a face of die %s shows %d, beyond %d", d.ID, shown, maxFaceSize)
			}
		}
		for _, loop := range d.Loops {
			if v.checkIndex("loop of die "+d.ID, int64(loop), int64(len(g.Nodes))); v.err == nil &&
				g.Nodes[loop].Op != OpLoop {
				v.failf("die %s counts node %d, which is no loop", d.ID, loop)
			}
		}
	}
}

func (v *verifier) verifyLeaves(g *Graph, roots [NumRoots]*Shape) {
	slots := Body{Shapes: roots}.Slots()
	for _, l := range g.Leaves {
		if l.Root >= NumRoots || roots[l.Root] == nil {
			v.failf("a leaf is of a root that is not there")
			return
		}
		v.checkIndex("leaf", int64(l.Offset), int64(slots[l.Root]))
	}
}

// verifyBlock checks the nodes of a block in their order. around holds the kinds of the parameters of the loop's body.
func (v *verifier) verifyBlock(index int64, params []Kind, open map[int64]bool) {
	if open[index] {
		v.failf("block %d stands twice", index)
		return
	}
	open[index] = true
	b := &v.g.Blocks[index]
	for _, id := range b.Nodes {
		if v.err != nil {
			return
		}
		if v.checkIndex("node", int64(id), int64(len(v.g.Nodes))); v.err != nil {
			return
		}
		v.verifyNode(id, params, open)
	}
	for _, id := range b.Results {
		v.checkComputed(id)
	}
	if index == 0 {
		return
	}
	for _, id := range b.Nodes { // what is within a loop may not be read outside of it
		v.seen[id] = false
	}
}

// checkComputed checks that a value stands before its reader.
func (v *verifier) checkComputed(id ID) {
	if v.checkSeen(id); v.err != nil {
		return
	}
	switch op := v.g.Nodes[id].Op; op {
	case OpLoop, OpRequire, OpCover: // which have no slot in a frame
		v.failf("node %d is read, and %s gives no value", id, op)
	}
}

// checkSeen checks that a node stands before its first mention.
func (v *verifier) checkSeen(id ID) {
	if v.err == nil && (id < 0 || int(id) >= len(v.g.Nodes) || !v.seen[id]) {
		v.failf("node %d is read before it is computed", id)
	}
}

func (v *verifier) verifyNode(id ID, params []Kind, open map[int64]bool) {
	n := &v.g.Nodes[id]
	if v.seen[id] {
		v.failf("node %d stands twice", id)
		return
	}
	if n.Op == OpInvalid || int(n.Op) >= NumOps {
		v.failf("node %d has operation %d", id, n.Op)
		return
	}
	for _, a := range n.Args {
		if n.Op == OpResult { // names a loop, as verifyResult checks
			v.checkSeen(a)
		} else {
			v.checkComputed(a)
		}
	}
	if v.err == nil {
		v.verifyOperands(id, n)
	}
	if v.err == nil {
		v.verifyImmediate(id, n, params, open)
	}
	if n.Kind == Fault && n.Site >= 0 {
		v.checkIndex("site", int64(n.Site), int64(len(v.g.Sites)))
	}
	v.seen[id] = true
}

// verifyOperands checks the kinds of a node's operands and of its result.
func (v *verifier) verifyOperands(id ID, n *Node) {
	s := &operations[n.Op]
	want, more := strings.CutSuffix(s.Operands, "+")
	if len(n.Args) != len(want) && !(more && len(n.Args) >= len(want)-1) {
		v.failf("node %d (%s) has %d operands", id, n.Op, len(n.Args))
		return
	}
	for i, a := range n.Args {
		if !admitsKind(want[min(i, len(want)-1)], v.g.Nodes[a].Kind) {
			v.failf("operand %d of node %d (%s) is of kind %d", i, id, n.Op, v.g.Nodes[a].Kind)
		}
	}
	if !admitsKind(s.Result, n.Kind) && !(s.Result == 'l' && n.Kind == Map) {
		v.failf("node %d (%s) gives kind %d", id, n.Op, n.Kind)
	}
	if n.Op == OpSelect && v.g.Nodes[n.Args[1]].Kind != v.g.Nodes[n.Args[2]].Kind {
		v.failf("node %d chooses between values of two kinds", id)
	}
}

func (v *verifier) verifyImmediate(id ID, n *Node, params []Kind, open map[int64]bool) {
	p, g := v.p, v.g
	switch operations[n.Op].Immediate {
	case BitsImmediate:
		v.verifyBits(n)
	case LeafImmediate:
		v.checkIndex("leaf", n.Imm, int64(len(g.Leaves)))
	case OptionImmediate:
		v.checkIndex("option", n.Imm, int64(len(p.Options)))
	case ParamImmediate:
		v.checkIndex("parameter", n.Imm, int64(len(params)))
		if v.err == nil && params[n.Imm] != n.Kind {
			v.failf("parameter %d is of another kind", n.Imm)
		}
	case ResultImmediate:
		v.verifyResult(id, n)
	case OpImmediate:
		if op := Op(n.Imm); op != OpFloor && op != OpCeil && op != OpRound && op != OpTrunc {
			v.failf("node %d rounds by operation %d", id, n.Imm)
		}
	case SymbolImmediate:
		v.checkIndex("symbol", n.Imm, int64(len(p.Symbols)))
	case StrideImmediate:
		v.checkIndex("stride", n.Imm, maxStride)
	case ElementImmediate:
		v.checkIndex("stride", n.Imm>>32, maxStride)
		v.checkIndex("offset", int64(uint32(n.Imm)), n.Imm>>32)
	case TypeImmediate:
		v.verifyListType(n.Imm, strings.HasPrefix(operations[n.Op].Operands, "m"))
	case TypesImmediate:
		v.verifyListType(n.Imm>>32, false)
		v.verifyListType(int64(uint32(n.Imm)), false)
	case TableImmediate:
		v.verifyLookup(n)
	case CellImmediate:
		if v.checkIndex("table", n.Imm>>32, int64(len(p.Tables))); v.err == nil {
			v.checkIndex("cell", int64(uint32(n.Imm)), int64(p.Tables[n.Imm>>32].Row.Slots()))
		}
	case BlockImmediate:
		v.verifyLoop(id, n, open)
	case DieImmediate:
		v.checkIndex("die", n.Imm, int64(len(g.Dice)))
	case RequireImmediate:
		v.checkIndex("requirement", n.Imm, int64(len(g.Requires)))
	case BranchImmediate:
		v.checkIndex("branch", n.Imm, int64(len(g.Branches)))
	}
}

// verifyListType checks the number of a type of spans; of maps alone when it is of a map's operation.
func (v *verifier) verifyListType(i int64, mapping bool) {
	v.checkIndex("type", i, int64(len(v.p.Types)))
	if v.err == nil && !v.p.Spans(i, mapping) {
		v.failf("type %d is %v, no span of the operation's", i, v.p.Types[i])
	}
}

// Spans reports whether there is a type of a number, and it is one of spans; of maps alone, when these are wanted.
func (p *Plan) Spans(i int64, mapping bool) bool {
	if uint64(i) >= uint64(len(p.Types)) {
		return false
	}
	kind := p.Types[i].Kind
	return kind == Map || kind == List && !mapping
}

// verifyLookup checks the table of a look-up; a look-up of doubles needs one of numbers.
func (v *verifier) verifyLookup(n *Node) {
	v.checkIndex("table", n.Imm, int64(len(v.p.Tables)))
	if v.err == nil && n.Op == OpRowDouble && !v.p.Tables[n.Imm].Kind.HasNumbers() {
		v.failf("table %s has no numbers", v.p.Tables[n.Imm].ID)
	}
}

// maxStride bounds the slots of an element.
const maxStride = 1 << 12

func (v *verifier) verifyBits(n *Node) {
	switch n.Kind {
	case String:
		v.checkIndex("symbol", n.Imm, int64(len(v.p.Symbols)))
	case Bool:
		v.checkIndex("truth", n.Imm, 2)
	case Fault:
		v.checkIndex("fault", n.Imm, 1)
	case List, Map:
		offset, size := n.Imm>>32, int64(uint32(n.Imm))
		if offset < 0 || offset+size > int64(len(v.p.Consts)) {
			v.failf("a constant span is outside the constants")
		}
	}
}

func (v *verifier) verifyResult(id ID, n *Node) {
	loop := &v.g.Nodes[n.Args[0]]
	if loop.Op != OpLoop {
		v.failf("node %d is a result of no loop", id)
		return
	}
	v.checkIndex("result", n.Imm, int64(len(loop.Args)-1))
	if v.err == nil && v.g.Nodes[loop.Args[n.Imm+1]].Kind != n.Kind {
		v.failf("result %d is of another kind", n.Imm)
	}
}

func (v *verifier) verifyLoop(id ID, n *Node, open map[int64]bool) {
	if v.checkIndex("block", n.Imm, int64(len(v.g.Blocks))); v.err != nil {
		return
	}
	params := []Kind{Int}
	for _, a := range n.Args[1:] {
		params = append(params, v.g.Nodes[a].Kind)
	}
	results := v.g.Blocks[n.Imm].Results
	if len(results) != len(params)-1 {
		v.failf("the body of loop %d gives %d values for %d", id, len(results), len(params)-1)
		return
	}
	v.verifyBlock(n.Imm, params, open)
	for i, r := range results {
		if v.err == nil && v.g.Nodes[r].Kind != params[i+1] && !(params[i+1] == List && v.g.Nodes[r].Kind == Map) {
			v.failf("the body of loop %d gives value %d in another kind", id, i)
		}
	}
}

// verifyRoots checks the values that are read of a graph from outside.
func (v *verifier) verifyRoots(g *Graph) {
	for i := range g.Names {
		v.verifyValue(&g.Names[i].Value, 0)
		if o := g.Names[i].Option; o != -1 {
			v.checkIndex("option", int64(o), int64(len(v.p.Options)))
		}
	}
	for i := range g.Decisions {
		v.verifyDecision(g, &g.Decisions[i])
	}
	v.verifyValue(&g.Outputs, 0)
	if v.err == nil && g.Outputs.Type.Kind != Record {
		v.failf("the outputs are no record")
	}
	for i := range g.Next {
		v.verifyValue(&g.Next[i], 0)
	}
	for i := range g.Ends {
		v.verifyValue(&g.Ends[i], 0)
	}
	if g.When.Type != nil && g.When.ID != None {
		v.verifyValue(&g.When, 0)
	}
}

// verifyDecision checks a decision.
func (v *verifier) verifyDecision(g *Graph, d *Decision) {
	v.checkIndex("die", int64(d.Dice), int64(len(g.Dice)+1))
	if d.Root != InputRoot && d.Root != EventRoot {
		v.failf("%s is decided, and is no field of an input or an event", d.Path)
	}
	for _, b := range []*Value{&d.When, &d.Least, &d.Most} {
		if b.ID != None {
			v.verifyValue(b, 0)
		}
	}
}

// verifyValue checks a typed value of a graph.
func (v *verifier) verifyValue(x *Value, depth int) {
	if v.verifyType(x.Type, "a value", depth); v.err != nil {
		return
	}
	v.verifyOptional(x.Fault, Fault)
	v.verifyOptional(x.Present, Bool)
	if x.Type.Kind != Record {
		v.checkComputed(x.ID)
		if v.err == nil && !admitsKind(kindLetters[x.Type.Kind], v.g.Nodes[x.ID].Kind) && x.Type.Kind != Map {
			v.failf("a value is of another kind than its node %d", x.ID)
		}
		return
	}
	if len(x.Fields) != len(x.Type.Fields) {
		v.failf("a record has %d values for %d fields", len(x.Fields), len(x.Type.Fields))
		return
	}
	for i := range x.Fields {
		v.verifyValue(&x.Fields[i], depth+1)
	}
}

func (v *verifier) verifyOptional(id ID, kind Kind) {
	if id == None {
		return
	}
	v.checkComputed(id)
	if v.err == nil && v.g.Nodes[id].Kind != kind {
		v.failf("node %d is of kind %d", id, v.g.Nodes[id].Kind)
	}
}
