package emit

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Function is a graph as statements. It is never changed once made.
type Function struct {
	Plan       *plan.Plan
	Body       plan.Body
	Statements []Statement
	graph      *schedule.Reduced
	types      []*plan.Type
	names      names
	at         *placement
	language   *Language
}

// A StatementKind says how a statement is written.
type StatementKind uint8

// The kinds of statements.
const (
	Define  StatementKind = iota // gives the value of an operation a name
	Choose                       // defines a name in one of two arms; the first operand decides
	Repeat                       // repeats a body
	Push                         // puts an element behind a list that has a name
	Roll                         // rolls a die
	Require                      // ends the evaluation unless a condition holds
)

// A Statement carries out one node.
type Statement struct {
	Kind     StatementKind
	ID       plan.ID
	Name     string // that it defines; empty where nothing reads its value
	Operands []Operand
	Arms     [2]Arm // of Choose
	Loop     *Loop  // of Repeat
}

// An Arm is one side of a choice. The first operand of && and || and of the first of two faults is the value of the arm
// without statements.
type Arm struct {
	Statements []Statement
	Value      Operand
}

// A Loop is the body of a Repeat, whose only operand is how often it is carried out.
type Loop struct {
	Iteration string // the name of the number of the iteration, from 0
	Carried   []Carried
	Body      []Statement
}

// A Carried value goes from one iteration to the next.
type Carried struct {
	Name        string
	First, Next Operand
}

// An Operand is a value where it is read: a constant, the name of a value that a statement has defined, or an operation
// that is written in place.
type Operand struct {
	ID       plan.ID
	Name     string
	Operands []Operand // of an operation in place
}

// A Language is what a back end demands of its functions.
type Language struct {
	MostInt     int64                    // the greatest int, by amount; 0 where ints have 64 bits
	Identifier  func(name string) string // a name of the author, made of letters, digits and _, in its style
	IsReserved  func(name string) bool   // words that are no names of values
	NamesFields bool                     // values that are fields have their names
	// ReadsAgain says that a field which is always there is read anew wherever it stands, and not kept under a name. In a
	// loop it is kept.
	ReadsAgain  bool
	IsStatement func(plan.Op) bool // operations that no expression has, so that they are never written in place
}

// New returns the function of a body for the values of the options. idle are the dice that nothing reads; nil: none.
func New(p *plan.Plan, body plan.Body, values []int, idle []bool, of *Language) *Function {
	f := &Function{Plan: p, Body: body, graph: schedule.Reduce(p, body, values, of.MostInt, idle),
		types: ListTypes(p, body), language: of}
	f.types = append(f.types, make([]*plan.Type, len(f.graph.Nodes)-len(f.types))...) // of constants that are new
	f.names = newNames(f.graph, body, of)
	f.at = place(f)
	f.Statements = f.statementsOf(f.at.bodies[0])
	return f
}

// ListTypes returns the type of each node of a body that is a list or a map, as plan.ListTypes does, and those that only
// operations say whose lists hold numbers or scalars to sort by.
func ListTypes(p *plan.Plan, body plan.Body) []*plan.Type {
	out := plan.ListTypes(p, body.Graph, body.Shapes)
	for i := range body.Graph.Nodes {
		n := &body.Graph.Nodes[i]
		for k, a := range n.Args {
			if t := listTypeOfOperand(p, n, k); t != nil && out[a] == nil {
				out[a] = t
			}
		}
	}
	for isOpen := true; isOpen; {
		isOpen = false
		for id := range body.Graph.Nodes {
			for _, group := range sameLists(body.Graph, plan.ID(id)) {
				isOpen = shareType(out, body.Graph, group) || isOpen
			}
			isOpen = shareSlotTypes(out, body.Graph, plan.ID(id)) || isOpen
		}
	}
	return out
}

// sameLists returns groups of nodes that are lists of one type because a node hands lists on.
func sameLists(g *plan.Graph, id plan.ID) (out [][]plan.ID) {
	switch n := &g.Nodes[id]; n.Op {
	case plan.OpPush, plan.OpSlice, plan.OpSort, plan.OpSortBy, plan.OpWith:
		out = append(out, []plan.ID{id, n.Args[0]})
	case plan.OpConcat, plan.OpEqual:
		out = append(out, n.Args)
	case plan.OpSelect:
		out = append(out, []plan.ID{id, n.Args[1], n.Args[2]})
	case plan.OpResult:
		loop := &g.Nodes[n.Args[0]]
		out = append(out, []plan.ID{id, loop.Args[n.Imm+1]})
	case plan.OpLoop:
		block := &g.Blocks[n.Imm]
		for k, next := range block.Results {
			out = append(out, []plan.ID{next, n.Args[k+1]})
		}
		for _, in := range block.Nodes {
			if p := &g.Nodes[in]; p.Op == plan.OpParam && p.Imm > 0 {
				out = append(out, []plan.ID{in, n.Args[p.Imm]})
			}
		}
	}
	return out
}

// shareType gives the lists of a group that have no type, or one of fields without names, the best type among them. It
// reports whether any changed. Constants keep theirs: one empty list stands for those of all types.
func shareType(types []*plan.Type, g *plan.Graph, group []plan.ID) (isNew bool) {
	var of *plan.Type
	for _, id := range group {
		if t := types[id]; g.Nodes[id].Op != plan.OpConst && t != nil && (of == nil || isNameless(of) && !isNameless(t)) {
			of = t
		}
	}
	for _, id := range group {
		if t := types[id]; g.Nodes[id].Op != plan.OpConst && of != nil && (t == nil || isNameless(t) && !isNameless(of)) {
			types[id], isNew = of, true
		}
	}
	return isNew
}

// shareSlotTypes gives the lists within an element that a node reads, pushes or puts into a map the types that they have in
// the list or the map. It reports whether any changed.
func shareSlotTypes(types []*plan.Type, g *plan.Graph, id plan.ID) (isNew bool) {
	n := &g.Nodes[id]
	share := func(inner plan.ID, slot int) {
		of, kind := types[n.Args[0]], g.Nodes[inner].Kind
		if of != nil && of.Kind == plan.Map {
			slot-- // behind the key
		}
		if of == nil || slot < 0 || kind != plan.List && kind != plan.Map || g.Nodes[inner].Op == plan.OpConst {
			return
		}
		if t := of.Elem.SlotType(slot); t != nil && (types[inner] == nil || isNameless(types[inner]) && !isNameless(t)) {
			types[inner], isNew = t, true
		}
	}
	switch n.Op {
	case plan.OpElem:
		share(id, int(uint32(n.Imm)))
	case plan.OpPush:
		for k, a := range n.Args[2:] {
			share(a, k)
		}
	case plan.OpWith:
		for k, a := range n.Args[1:] {
			share(a, k)
		}
	}
	return isNew
}

// isNameless reports whether a part of a type is a record that only pushes tell of.
func isNameless(t *plan.Type) bool {
	if t.Elem != nil && isNameless(t.Elem) {
		return true
	}
	return slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return f.Name == "" || isNameless(f.Type) })
}

// listTypeOfOperand returns the type of an operand that is a list, where the operation says it without naming one type;
// else nil.
func listTypeOfOperand(p *plan.Plan, n *plan.Node, k int) *plan.Type {
	switch n.Op {
	case plan.OpSumDouble:
		return plan.ListOf(plan.DoubleType)
	case plan.OpSumInt, plan.OpSumIntFault:
		return plan.ListOf(plan.IntType)
	case plan.OpPour, plan.OpPourFault:
		if k == 1 {
			return plan.ListOf(plan.IntType)
		}
	case plan.OpCounts, plan.OpCountsFault:
		if k == 0 {
			return plan.ListOf(plan.IntType)
		}
	case plan.OpSortBy:
		return p.Types[n.Imm>>(32*(1-k))&(1<<32-1)]
	}
	return nil
}

// MaxCompared is the most rows of a table of numbers whose limits are compared one by one.
const MaxCompared = 16

// IsCompared reports whether a node finds its row by comparing its operand, which then has a name, with the limits of a
// table: every key that comes has a row, and rows stand in the order of their limits.
func (f *Function) IsCompared(id plan.ID) bool {
	n := f.Node(id)
	if n.Op != plan.OpRow && n.Op != plan.OpRowDouble || f.Bounds(id).Min < 0 {
		return false
	}
	t := &f.Plan.Tables[n.Imm]
	return t.Kind.HasNumbers() && t.Rows() <= MaxCompared && slices.IsSorted(t.Order)
}

// Node returns the node of an id.
func (f *Function) Node(id plan.ID) *plan.Node { return &f.graph.Nodes[id] }

// Bounds returns the bounds of a node.
func (f *Function) Bounds(id plan.ID) *interval.Interval { return &f.graph.Bounds[id] }

// ListType returns the type of a node that is a list or a map; nil where nothing says it.
func (f *Function) ListType(id plan.ID) *plan.Type { return f.types[id] }

// IsWithin reports whether an int is known to lie between -most and most.
func (f *Function) IsWithin(id plan.ID, most int64) bool {
	if n := f.Node(id); n.Op == plan.OpConst {
		return -most <= n.Imm && n.Imm <= most
	}
	b := f.Bounds(id)
	return -most <= b.Min && b.Max <= most
}

// IsFrom reports whether an int is known to be at least a number.
func (f *Function) IsFrom(id plan.ID, least int64) bool {
	if n := f.Node(id); n.Op == plan.OpConst {
		return n.Imm >= least
	}
	return f.Bounds(id).Min >= least
}

// Operand returns a node of the plan's graph as it is read at the end of the function.
func (f *Function) Operand(id plan.ID) Operand { return f.operandOf(f.graph.Replacement(id)) }

// IsConstant reports whether a node of the plan's graph is a certain constant; None is the constant 0, no fault.
func (f *Function) IsConstant(id plan.ID, bits int64) bool {
	if id == plan.None {
		return bits == 0
	}
	return f.graph.IsConstant(id, bits)
}

// IsNone reports whether a node of the plan's graph is no fault, or one that has ended the evaluation before its outputs are
// read.
func (f *Function) IsNone(id plan.ID) bool { return id == plan.None || f.graph.IsNone(id) }

// operandOf returns a node where it is read.
func (f *Function) operandOf(id plan.ID) Operand {
	out := Operand{ID: id}
	switch n := f.Node(id); {
	case n.Op == plan.OpConst:
	case f.at.inlined[id]:
		out.Operands = f.operandsOf(id)
	default:
		out.Name = f.names.of(id)
	}
	return out
}

func (f *Function) operandsOf(id plan.ID) []Operand {
	n := f.Node(id)
	out := make([]Operand, len(n.Args))
	for k, a := range n.Args {
		out[k] = f.operandOf(a)
	}
	return out
}

// statementsOf returns the statements of a region.
func (f *Function) statementsOf(r *region) (out []Statement) {
	if r == nil {
		return nil
	}
	for _, id := range r.nodes {
		if !f.at.inlined[id] && !f.at.isName(id) {
			out = append(out, f.statementOf(id))
		}
	}
	return out
}

func (f *Function) statementOf(id plan.ID) Statement {
	n := f.Node(id)
	s := Statement{ID: id, Name: f.names.of(id)}
	switch {
	case n.Op == plan.OpLoop:
		s.Kind, s.Name, s.Operands, s.Loop = Repeat, "", []Operand{f.operandOf(n.Args[0])}, f.loopOf(id)
		return s
	case n.Op == plan.OpPush:
		s.Kind = Push
	case n.Op == plan.OpRoll:
		s.Kind = Roll
	case n.Op == plan.OpRequire:
		s.Kind = Require
	case f.at.needsArms(id):
		s.Kind, s.Operands = Choose, []Operand{f.operandOf(n.Args[0])}
		s.Arms = f.armsOf(id)
		return s
	}
	if f.at.readers[id] == 0 {
		s.Name = ""
	}
	s.Operands = f.operandsOf(id)
	return s
}

// armsOf returns the arms of a choice: of the first operand that holds, then of one that does not.
func (f *Function) armsOf(id plan.ID) [2]Arm {
	n, arms := f.Node(id), f.at.arms[id]
	arm := func(k, operand int) Arm {
		return Arm{f.statementsOf(arms[k]), f.operandOf(n.Args[operand])}
	}
	switch n.Op {
	case plan.OpSelect:
		return [2]Arm{arm(0, 1), arm(1, 2)}
	case plan.OpAnd:
		return [2]Arm{arm(0, 1), {Value: f.operandOf(n.Args[0])}}
	}
	return [2]Arm{{Value: f.operandOf(n.Args[0])}, arm(0, 1)}
}

func (f *Function) loopOf(id plan.ID) *Loop {
	n := f.Node(id)
	block := int32(n.Imm)
	out := &Loop{Iteration: f.names.iteration(block), Body: f.statementsOf(f.at.bodies[block])}
	for k, next := range f.graph.Blocks[block].Results {
		if f.at.isCarried(block, k) {
			out.Carried = append(out.Carried,
				Carried{f.names.carried(block, int64(k)), f.operandOf(n.Args[k+1]), f.operandOf(next)})
		}
	}
	return out
}

// LoopsOf returns the names of the iterations of the loops around a die, outermost first.
func (f *Function) LoopsOf(d *plan.Die) (out []string) {
	for _, loop := range d.Loops {
		out = append(out, f.names.iteration(int32(f.Node(loop).Imm)))
	}
	return out
}

// IsSequential reports whether the next carried values may be assigned one after the other: none is read after a value
// before it has been assigned.
func (l *Loop) IsSequential() bool {
	for k := range l.Carried {
		for _, later := range l.Carried[k+1:] {
			if later.Next.reads(l.Carried[k].Name) && l.Carried[k].Next.Name != l.Carried[k].Name {
				return false
			}
		}
	}
	return true
}

// reads reports whether an operand reads a name.
func (o *Operand) reads(name string) bool {
	if o.Name == name {
		return true
	}
	for i := range o.Operands {
		if o.Operands[i].reads(name) {
			return true
		}
	}
	return false
}
