package compare

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A semantic digest depends on what a graph answers, and neither on how its nodes are numbered nor on what its parts are
// called. A leaf is hashed by the path that it reads, a constant by its text, a look-up by the limits of its table and the
// one column that it reads. The digests of two operands that may be exchanged are sorted first.

// A digest identifies what a node computes.
//
// SHA-256 and not a short hash: digests of different revisions are compared as equality of meaning,
// and a collision would hide a changed number.
type digest [sha256.Size]byte

// semanticDigests are the digests of all that a graph answers.
type semanticDigests struct {
	values   map[string]digest // outputs, what comes next, the guard and the ends, by their path
	requires []digest
	rolls    []digest // empty when dice do not count
}

// A graphDigester computes the digests of one graph.
type graphDigester struct {
	p      *plan.Plan
	g      *plan.Graph
	roots  [plan.NumRoots]*plan.Shape
	leaves [plan.NumRoots][]string
	types  []*plan.Type // of lists, by what reads them: a slot of a constant one does not say whether it is a symbol
	labels []string     // of the dice
	chance bool         // whether it counts what dice are declared to be
	nodes  []digest
}

// digestGraph computes the digests of a graph whose roots have these schemas. Without chance the declarations of its dice
// do not count, so that equal digests mean equal answers to the same faces.
func digestGraph(
	p *plan.Plan, g *plan.Graph, roots [plan.NumRoots]*plan.Shape, labels []string, chance bool,
) *semanticDigests {
	m := &graphDigester{
		p: p, g: g, roots: roots, labels: labels, chance: chance,
		nodes: make([]digest, len(g.Nodes)), types: plan.ReadListTypes(p, g),
	}
	for i, s := range roots {
		if s != nil {
			m.leaves[i] = appendSlotPaths(nil, "", s.Type())
		}
	}
	out := &semanticDigests{values: map[string]digest{}}
	out.requires, out.rolls = m.digestBlock(0, 0)
	for _, v := range partsOf(g) {
		m.digestValue(out.values, v.name, v.value)
	}
	return out
}

// A part is a value that is read of a graph from outside.
type part struct {
	name  string
	value *plan.Value
}

func partsOf(g *plan.Graph) []part {
	out := []part{{"output", &g.Outputs}}
	for i := range g.Next {
		out = append(out, part{[...]string{"next state", "next character"}[i], &g.Next[i]})
	}
	for i := range g.Ends {
		out = append(out, part{fmt.Sprintf("end %d", i+1), &g.Ends[i]})
	}
	if g.When.Type != nil && g.When.ID != plan.None {
		out = append(out, part{"when", &g.When})
	}
	return out
}

// appendSlotPaths names every slot of a type.
func appendSlotPaths(out []string, path string, t *plan.Type) []string {
	if t.Kind != plan.Record {
		return append(out, path)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		at := path + "." + f.Name
		if f.Optional {
			out = append(out, at+"?")
		}
		if f.Fallible {
			out = append(out, at+"!")
		}
		out = appendSlotPaths(out, at, f.Type)
	}
	return out
}

// digestOf returns the digest of a node's own text, and of its operands.
func digestOf(what string, parts ...digest) digest {
	h := sha256.New()
	h.Write([]byte(what))
	for i := range parts {
		h.Write(parts[i][:])
	}
	return digest(h.Sum(nil))
}

// digestBlock gives every node of a block, and of the loops in it, its digest, and the requirements and rolls in their
// order.
func (m *graphDigester) digestBlock(index int64, depth int) (requires, rolls []digest) {
	for _, id := range m.g.Blocks[index].Nodes {
		n := &m.g.Nodes[id]
		switch n.Op {
		case plan.OpLoop:
			asked, rolled := m.digestLoop(id, depth)
			requires, rolls = append(requires, asked...), append(rolls, rolled...)
		case plan.OpRequire:
			early := fmt.Sprint("require early=", m.g.Requires[n.Imm].Early)
			m.nodes[id] = digestOf(early, m.operandDigests(n.Args)...)
			requires = append(requires, m.nodes[id])
		case plan.OpRoll:
			m.nodes[id] = m.digestRoll(n)
			if m.chance {
				rolls = append(rolls, m.nodes[id])
			}
		default:
			m.nodes[id] = m.digestNode(id, depth)
		}
	}
	return requires, rolls
}

// digestLoop returns the carried values and the effects of a loop, each bound to the loop that repeats it.
//
// The body is digested first, with its parameters known by depth and number alone. The loop's digest has the body's results
// in it; a value that leaves the loop (OpResult) has the loop's digest as its operand.
func (m *graphDigester) digestLoop(id plan.ID, depth int) (requires, rolls []digest) {
	n := &m.g.Nodes[id]
	requires, rolls = m.digestBlock(n.Imm, depth+1)
	parts := append(m.operandDigests(n.Args), m.operandDigests(m.g.Blocks[n.Imm].Results)...)
	m.nodes[id] = digestOf("loop", append(parts, rolls...)...)
	for _, list := range [][]digest{requires, rolls} {
		for i := range list {
			list[i] = digestOf("in", list[i], m.nodes[id])
		}
	}
	return requires, rolls
}

func (m *graphDigester) operandDigests(ids []plan.ID) []digest {
	out := make([]digest, len(ids))
	for i, id := range ids {
		out[i] = m.nodes[id]
	}
	return out
}

// digestRoll returns a die: without chance, only which one it is and whether it falls. How many faces and how many dice is
// then left out too: for given faces it decides only which of them are refused.
func (m *graphDigester) digestRoll(n *plan.Node) digest {
	d := &m.g.Dice[n.Imm]
	if !m.chance {
		return digestOf("roll "+m.labels[n.Imm], m.nodes[n.Args[0]])
	}
	declared := fmt.Sprint("roll ", d.ID, d.List, d.Distinct, d.Again, d.Once, d.Explode, d.Times, d.Most)
	if d.Shows != nil || d.Zero > 0 {
		declared += fmt.Sprint(" shows ", d.Shows, d.Zero)
	}
	return digestOf(declared, m.operandDigests(n.Args)...)
}

func (m *graphDigester) digestNode(id plan.ID, depth int) digest {
	n := &m.g.Nodes[id]
	args := n.Args
	if n.Op == plan.OpNewSpan {
		args = nil // room says nothing about what is put there
	}
	sums := m.operandDigests(args)
	if n.Op.Has(plan.Commutes) {
		slices.SortFunc(sums, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	}
	return digestOf(fmt.Sprint(n.Op, " ", n.Kind, " ", m.describeImmediate(id, depth)), sums...)
}

// describeImmediate returns the referent of Imm, independent of its place in the plan.
func (m *graphDigester) describeImmediate(id plan.ID, depth int) string {
	n := &m.g.Nodes[id]
	switch n.Op.Operation().Immediate {
	case plan.BitsImmediate:
		return m.describeConstant(id)
	case plan.LeafImmediate:
		l := m.g.Leaves[n.Imm]
		return fmt.Sprint(l.Root, m.leaves[l.Root][l.Offset])
	case plan.OptionImmediate:
		o := &m.p.Options[n.Imm]
		return o.ID + "=" + o.Values[o.Default]
	case plan.ParamImmediate:
		return fmt.Sprint(depth, " ", n.Imm)
	case plan.ElementImmediate:
		return m.describeElement(n)
	case plan.SymbolImmediate: // the text of a failure
		return ""
	case plan.TypeImmediate:
		return m.p.Types[n.Imm].String()
	case plan.TypesImmediate:
		return m.p.Types[n.Imm>>32].String() + " " + m.p.Types[uint32(n.Imm)].String()
	case plan.TableImmediate:
		return formatLimits(m.p, &m.p.Tables[n.Imm])
	case plan.CellImmediate:
		return formatColumn(m.p, &m.p.Tables[n.Imm>>32], int(uint32(n.Imm)))
	}
	return fmt.Sprint(n.Imm)
}

func (m *graphDigester) describeConstant(id plan.ID) string {
	switch n := &m.g.Nodes[id]; n.Kind {
	case plan.String:
		return m.p.Constant(plan.StringType, []int64{n.Imm})
	case plan.List, plan.Map:
		return m.describeList(n, m.types[id])
	default:
		return fmt.Sprint(n.Imm)
	}
}

func (m *graphDigester) describeList(n *plan.Node, t *plan.Type) string {
	if t != nil {
		return m.p.Constant(t, []int64{n.Imm})
	}
	offset, size := n.Imm>>32, int64(uint32(n.Imm))
	return fmt.Sprint(size, m.p.Consts[offset:offset+size])
}

// describeElement returns the slot of an element. For a list or map of a record it returns the path of the field
// instead: one more field in the records of an input list moves the slots of the others, but not their paths. Lists
// that the graph makes itself have positions only.
func (m *graphDigester) describeElement(n *plan.Node) string {
	t := m.givenType(n.Args[0])
	at := int(uint32(n.Imm))
	switch {
	case t == nil:
		return fmt.Sprint(n.Imm)
	case t.Kind == plan.Map && at == 0:
		return "key"
	case t.Kind == plan.Map:
		at--
	}
	return "element" + appendSlotPaths(nil, "", t.Elem)[at]
}

// givenType returns the type of a span that is read from a root, or from within one; nil for every other.
func (m *graphDigester) givenType(id plan.ID) *plan.Type {
	n := &m.g.Nodes[id]
	switch n.Op {
	case plan.OpLeaf:
		l := m.g.Leaves[n.Imm]
		return m.roots[l.Root].SlotType(int(l.Offset))
	case plan.OpElem:
		t := m.givenType(n.Args[0])
		at := int(uint32(n.Imm))
		if t == nil || t.Kind == plan.Map && at == 0 {
			return nil
		}
		if t.Kind == plan.Map {
			at--
		}
		return t.Elem.SlotType(at)
	}
	return nil
}

// digestValue adds the digests of the parts of a value.
// A record has an entry of its own under its path and "{}", for faults and the presence of the
// whole.
func (m *graphDigester) digestValue(out map[string]digest, path string, v *plan.Value) {
	marks := m.operandDigests(slices.DeleteFunc([]plan.ID{v.Fault, v.Present},
		func(id plan.ID) bool { return id == plan.None }))
	marked := fmt.Sprint("value ", v.Fault != plan.None, v.Present != plan.None)
	if v.Type.Kind != plan.Record {
		out[path] = digestOf(marked, append(marks, m.nodes[v.ID])...)
		return
	}
	out[path+"{}"] = digestOf(marked, marks...)
	for i := range v.Fields {
		m.digestValue(out, path+"."+v.Type.Fields[i].Name, &v.Fields[i])
	}
}

// formatLimits returns the keys of the rows of a table, in their order, and the range over which a bounded table must
// answer.
func formatLimits(p *plan.Plan, t *plan.Table) string {
	var b strings.Builder
	for i := range t.Rows() {
		b.WriteString(p.RowKey(t, i).Quoted() + "; ")
	}
	if t.Bounded {
		b.WriteString("over " + plan.FormatDouble(t.OverMin) + " to " + plan.FormatDouble(t.OverMax))
	}
	return b.String()
}

// formatColumn lists the cells of one slot of a table's rows.
func formatColumn(p *plan.Plan, t *plan.Table, slot int) string {
	of, n := t.Row.SlotType(slot), t.Row.Slots()
	var b strings.Builder
	for i := range t.Rows() {
		b.WriteString(p.Constant(of, t.Cells[i*n+slot:]) + "; ")
	}
	return b.String()
}
