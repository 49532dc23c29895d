package compare

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What a graph means is what it answers, and neither how its nodes are numbered nor what its parts are called. Every
// node gets a digest of its operation and of its operands' digests; leaves count by the path they read, constants by their
// text, a look-up by the limits and the one column that it reads. Two outputs of the same digest give the same answer to
// the same question and faces. The reverse does not hold: a formula may be written in another way that always gives the
// same, and counts as changed; much of that goes away in normal forms, which are compared too. The order of the two operands
// of adding and multiplying says nothing.

// A sum is a digest.
type sum [sha256.Size]byte

// A meaning is what a graph answers.
type meaning struct {
	values   map[string]sum // outputs, what comes next, the guard and the ends, by their path
	requires []sum
	rolls    []sum // empty when dice do not count
}

// A meaner finds the meaning of one graph.
type meaner struct {
	p      *plan.Plan
	g      *plan.Graph
	roots  [plan.NumRoots]*plan.Shape
	leaves [plan.NumRoots][]string
	types  map[plan.ID]*plan.Type // of constant spans, by what reads them
	labels []string               // of the dice
	chance bool                   // whether it counts what dice are declared to be
	nodes  []sum
}

// meaningOf finds the meaning of a graph that reads values of these shapes. Without chance, what stands in the declaration
// of a die does not count.
func meaningOf(p *plan.Plan, g *plan.Graph, roots [plan.NumRoots]*plan.Shape, labels []string, chance bool) *meaning {
	m := &meaner{p: p, g: g, roots: roots, labels: labels, chance: chance, nodes: make([]sum, len(g.Nodes)), types: spanTypes(p, g)}
	for i, s := range roots {
		if s != nil {
			m.leaves[i] = slotPaths(nil, "", s.Type())
		}
	}
	out := &meaning{values: map[string]sum{}}
	out.requires, out.rolls = m.block(0, 0)
	for _, v := range partsOf(g) {
		m.value(out.values, v.name, v.value)
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

// slotPaths names every slot of a type.
func slotPaths(out []string, path string, t *plan.Type) []string {
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
		out = slotPaths(out, at, f.Type)
	}
	return out
}

// spanTypes tells the types of spans: a slot of a constant one does not say whether it is a number or a symbol, what reads
// it does. A constant that nothing typed reads keeps its bare slots.
func spanTypes(p *plan.Plan, g *plan.Graph) map[plan.ID]*plan.Type {
	t := spanTyper{p: p, g: g, types: map[plan.ID]*plan.Type{}}
	for _, x := range partsOf(g) {
		t.value(x.value)
	}
	for i := range g.Nodes {
		t.node(&g.Nodes[i])
	}
	return t.types
}

// A spanTyper follows spans from what reads them to where they come from.
type spanTyper struct {
	p     *plan.Plan
	g     *plan.Graph
	types map[plan.ID]*plan.Type
}

func (t *spanTyper) value(v *plan.Value) {
	for i := range v.Fields {
		t.value(&v.Fields[i])
	}
	if v.Type.Kind == plan.List || v.Type.Kind == plan.Map {
		t.span(v.ID, v.Type)
	}
}

func (t *spanTyper) node(n *plan.Node) {
	switch {
	case n.Op.Operation().Immediate == plan.TypeImmediate:
		for _, a := range n.Args {
			if k := t.g.Nodes[a].Kind; k == t.p.Types[n.Imm].Kind {
				t.span(a, t.p.Types[n.Imm])
			}
		}
	case n.Op == plan.OpElem && n.Imm>>32 == 1:
		t.span(n.Args[0], plan.ListOf(&plan.Type{Kind: n.Kind}))
	}
}

// span notes the type of a span, and of what it may be.
func (t *spanTyper) span(id plan.ID, of *plan.Type) {
	if t.types[id] != nil {
		return
	}
	t.types[id] = of
	switch n := &t.g.Nodes[id]; n.Op {
	case plan.OpSelect:
		t.span(n.Args[1], of)
		t.span(n.Args[2], of)
	case plan.OpPush:
		t.span(n.Args[0], of)
	case plan.OpResult:
		loop := &t.g.Nodes[n.Args[0]]
		t.span(loop.Args[n.Imm+1], of)
		t.span(t.g.Blocks[loop.Imm].Results[n.Imm], of)
	}
}

// digest hashes what stands for a node, and its operands.
func digest(what string, parts ...sum) sum {
	h := sha256.New()
	h.Write([]byte(what))
	for i := range parts {
		h.Write(parts[i][:])
	}
	return sum(h.Sum(nil))
}

// block gives every node of a block, and of the loops in it, its digest, and the requirements and rolls in their order.
func (m *meaner) block(index int64, depth int) (requires, rolls []sum) {
	for _, id := range m.g.Blocks[index].Nodes {
		n := &m.g.Nodes[id]
		switch n.Op {
		case plan.OpLoop:
			asked, rolled := m.loop(id, depth)
			requires, rolls = append(requires, asked...), append(rolls, rolled...)
		case plan.OpRequire:
			early := fmt.Sprint("require early=", m.g.Requires[n.Imm].Early)
			m.nodes[id] = digest(early, m.args(n.Args)...)
			requires = append(requires, m.nodes[id])
		case plan.OpRoll:
			m.nodes[id] = m.roll(n)
			if m.chance {
				rolls = append(rolls, m.nodes[id])
			}
		default:
			m.nodes[id] = m.node(id, depth)
		}
	}
	return requires, rolls
}

// loop is what a loop carries out of it, and its effects, each bound to the loop that repeats it.
func (m *meaner) loop(id plan.ID, depth int) (requires, rolls []sum) {
	n := &m.g.Nodes[id]
	requires, rolls = m.block(n.Imm, depth+1)
	parts := append(m.args(n.Args), m.args(m.g.Blocks[n.Imm].Results)...)
	m.nodes[id] = digest("loop", append(parts, rolls...)...)
	for _, list := range [][]sum{requires, rolls} {
		for i := range list {
			list[i] = digest("in", list[i], m.nodes[id])
		}
	}
	return requires, rolls
}

func (m *meaner) args(ids []plan.ID) []sum {
	out := make([]sum, len(ids))
	for i, id := range ids {
		out[i] = m.nodes[id]
	}
	return out
}

// roll is a die: without chance, only which one it is and whether it falls.
func (m *meaner) roll(n *plan.Node) sum {
	d := &m.g.Dice[n.Imm]
	if !m.chance {
		return digest("roll "+m.labels[n.Imm], m.nodes[n.Args[0]])
	}
	declared := fmt.Sprint("roll ", d.ID, d.List, d.Distinct, d.Again, d.Once, d.Explode, d.Times, d.Most)
	return digest(declared, m.args(n.Args)...)
}

func (m *meaner) node(id plan.ID, depth int) sum {
	n := &m.g.Nodes[id]
	args := n.Args
	if n.Op == plan.OpNewSpan {
		args = nil // room says nothing about what is put there
	}
	sums := m.args(args)
	if n.Op.Has(plan.Commutes) {
		slices.SortFunc(sums, func(a, b sum) int { return bytes.Compare(a[:], b[:]) })
	}
	return digest(fmt.Sprint(n.Op, " ", n.Kind, " ", m.immediate(id, depth)), sums...)
}

// immediate is what Imm refers to, independent of where it stands in the plan.
func (m *meaner) immediate(id plan.ID, depth int) string {
	n := &m.g.Nodes[id]
	switch n.Op.Operation().Immediate {
	case plan.BitsImmediate:
		return m.constant(id)
	case plan.LeafImmediate:
		l := m.g.Leaves[n.Imm]
		return fmt.Sprint(l.Root, m.leaves[l.Root][l.Offset])
	case plan.OptionImmediate:
		o := &m.p.Options[n.Imm]
		return o.ID + "=" + o.Values[o.Default]
	case plan.ParamImmediate:
		return fmt.Sprint(depth, " ", n.Imm)
	case plan.ElementImmediate:
		return m.element(n)
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

func (m *meaner) constant(id plan.ID) string {
	switch n := &m.g.Nodes[id]; n.Kind {
	case plan.String:
		return m.p.Constant(plan.StringType, []int64{n.Imm})
	case plan.List, plan.Map:
		return m.span(n, m.types[id])
	default:
		return fmt.Sprint(n.Imm)
	}
}

func (m *meaner) span(n *plan.Node, t *plan.Type) string {
	if t != nil {
		return m.p.Constant(t, []int64{n.Imm})
	}
	offset, size := n.Imm>>32, int64(uint32(n.Imm))
	return fmt.Sprint(size, m.p.Consts[offset:offset+size])
}

// element is the slot of an element; of a list or map that was given, the path of the field, so that another field
// beside it does not count.
func (m *meaner) element(n *plan.Node) string {
	t := m.given(n.Args[0])
	at := int(uint32(n.Imm))
	switch {
	case t == nil:
		return fmt.Sprint(n.Imm)
	case t.Kind == plan.Map && at == 0:
		return "key"
	case t.Kind == plan.Map:
		at--
	}
	return "element" + slotPaths(nil, "", t.Elem)[at]
}

// given is the type of a span that is read from a root, or from within one; nil for every other.
func (m *meaner) given(id plan.ID) *plan.Type {
	n := &m.g.Nodes[id]
	switch n.Op {
	case plan.OpLeaf:
		l := m.g.Leaves[n.Imm]
		return slotType(m.roots[l.Root].Type(), int(l.Offset))
	case plan.OpElem:
		t := m.given(n.Args[0])
		at := int(uint32(n.Imm))
		if t == nil || t.Kind == plan.Map && at == 0 {
			return nil
		}
		if t.Kind == plan.Map {
			at--
		}
		return slotType(t.Elem, at)
	}
	return nil
}

// slotType is the type of the value whose slot it is; nil for a presence or a fault.
func slotType(t *plan.Type, at int) *plan.Type {
	if t.Kind != plan.Record {
		return t
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if n := f.Slots(); at >= n {
			at -= n
			continue
		}
		if at -= f.Slots() - f.Type.Slots(); at < 0 {
			return nil
		}
		return slotType(f.Type, at)
	}
	return nil
}

// value adds the digests of the parts of a value.
func (m *meaner) value(out map[string]sum, path string, v *plan.Value) {
	marks := m.args(slices.DeleteFunc([]plan.ID{v.Fault, v.Present}, func(id plan.ID) bool { return id == plan.None }))
	marked := fmt.Sprint("value ", v.Fault != plan.None, v.Present != plan.None)
	if v.Type.Kind != plan.Record {
		out[path] = digest(marked, append(marks, m.nodes[v.ID])...)
		return
	}
	out[path+"{}"] = digest(marked, marks...)
	for i := range v.Fields {
		m.value(out, path+"."+v.Type.Fields[i].Name, &v.Fields[i])
	}
}

// formatLimits lists what finds the rows of a table, in their order.
func formatLimits(p *plan.Plan, t *plan.Table) string {
	var b strings.Builder
	for i := range t.Rows() {
		b.WriteString(p.Key(t, i) + "; ")
	}
	if t.Bounded {
		b.WriteString("over " + plan.FormatDouble(t.OverMin) + " to " + plan.FormatDouble(t.OverMax))
	}
	return b.String()
}

// formatColumn lists the cells of one slot of a table's rows.
func formatColumn(p *plan.Plan, t *plan.Table, slot int) string {
	of, n := slotType(t.Row, slot), t.Row.Slots()
	var b strings.Builder
	for i := range t.Rows() {
		b.WriteString(p.Constant(of, t.Cells[i*n+slot:]) + "; ")
	}
	return b.String()
}
