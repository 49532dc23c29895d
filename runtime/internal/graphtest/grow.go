package graphtest

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Grower makes a graph of what bytes say, until there are no more. It keeps the nodes that may be operands, by kind.
type Grower struct {
	*Builder
	Bytes []byte
	Nodes map[plan.Kind][]plan.ID
}

func (g *Grower) nextByte() int {
	if len(g.Bytes) == 0 {
		return 0
	}
	b := g.Bytes[0]
	g.Bytes = g.Bytes[1:]
	return int(b)
}

func (g *Grower) pickNode(kind plan.Kind) plan.ID {
	of := g.Nodes[kind]
	return of[g.nextByte()%len(of)]
}

func (g *Grower) keepNode(id plan.ID) {
	kind := g.Graph.Nodes[id].Kind
	g.Nodes[kind] = append(g.Nodes[kind], id)
}

// A GrownOp operation takes operands of kinds and gives one.
type GrownOp struct {
	op    plan.Op
	takes []plan.Kind
	gives plan.Kind
}

// GrownOps returns the operations that accept any grown node of the right kind as an operand.
//
// They are read off the rows of plan, so that a new operation of scalars is grown as soon as it has one: those without
// immediate and effect, whose operands and result are each an int, a double, a bool or a fault. An operation of several
// kinds is added once for each of them. The fault of a range belongs to a list; lists are not grown and do not run by
// columns.
func GrownOps() (out []GrownOp) {
	i, b, f := plan.Int, plan.Bool, plan.Fault
	for op := range plan.Op(plan.NumOps) {
		row := op.Operation()
		gives, ok := grownKinds[row.Result]
		takes := make([]plan.Kind, len(row.Operands))
		for k := range takes {
			kind, has := grownKinds[row.Operands[k]]
			takes[k], ok = kind, ok && has
		}
		if ok && op != plan.OpRangeFault && len(takes) > 0 && row.Immediate == plan.NoImmediate && !op.Has(plan.Effect) {
			out = append(out, GrownOp{op, takes, gives})
		}
	}
	for _, op := range []plan.Op{plan.OpEqInt, plan.OpLtInt, plan.OpLeInt} { // which compare symbols and rows, too
		out = append(out, GrownOp{op, []plan.Kind{i, i}, b})
	}
	for _, kind := range grownKinds {
		out = append(out, GrownOp{plan.OpSelect, []plan.Kind{b, kind, kind}, kind})
	}
	slices.SortStableFunc(out, func(x, y GrownOp) int { // the same order in each run, so that bytes say the same graph
		return cmp.Or(cmp.Compare(x.op, y.op), cmp.Compare(x.gives, y.gives))
	})
	return append(out, GrownOp{plan.OpFail, []plan.Kind{b}, f}) // with the first symbol as its message
}

// grownKinds are the letters by which rows of plan name the kinds that are grown.
var grownKinds = map[byte]plan.Kind{'i': plan.Int, 'd': plan.Double, 'b': plan.Bool, 'f': plan.Fault}

// PlantSeeds are the first operands: constants, the first of each kind being 0, and slots of the input.
func (g *Grower) PlantSeeds() {
	for _, v := range []any{0, 1, -1, 7, MinInt, MaxInt, 0.0, 1.0, -2.5, Nan, Inf, float64(Two53), false, true} {
		bits, kind := g.Bits(v)
		g.keepNode(g.Const(kind, bits))
		if g.Shape == nil || kind != plan.Double || finite(bits) {
			g.keepNode(g.leaf(kind, bits))
		}
	}
	g.keepNode(g.NoFault())
}

// leaf returns a slot of the input which, when its shape is known, holds no more than a few values around its own.
func (g *Grower) leaf(kind plan.Kind, bits int64) plan.ID {
	if g.Shape != nil {
		g.limitLeaf(kind, bits)
	}
	return g.Builder.Leaf(kind, bits)
}

func (g *Grower) limitLeaf(kind plan.Kind, bits int64) {
	s := &plan.Shape{Kind: kind}
	v := float64(bits)
	if kind == plan.Double {
		v = math.Float64frombits(uint64(bits))
	}
	if kind != plan.Bool && math.Abs(v) < float64(Two53) {
		s.Min, s.Max = &plan.Bound{Value: v - float64(g.nextByte()%4)}, &plan.Bound{Value: v + float64(g.nextByte()%4)}
	}
	g.Shape.Fields = append(g.Shape.Fields, plan.Member{Shape: s})
}

func finite(bits int64) bool { return math.Abs(math.Float64frombits(uint64(bits))) <= math.MaxFloat64 }

// Grow appends nodes, and loops over them, until the bytes are used up. Depth counts the loops around.
func (g *Grower) Grow(ops []GrownOp, depth int) {
	for len(g.Bytes) > 0 {
		switch c := g.nextByte(); {
		case c == 255 && depth < 2:
			g.growLoop(ops, depth)
		case c == 254 && depth > 0:
			return
		default:
			o := ops[c%len(ops)]
			var args []plan.ID
			for _, kind := range o.takes {
				args = append(args, g.pickNode(kind))
			}
			g.keepNode(g.Node(o.op, o.gives, 0, args...))
		}
	}
}

// growLoop appends a loop of at most three iterations, whose body is grown and which carries one value of each kind.
func (g *Grower) growLoop(ops []GrownOp, depth int) {
	kinds := []plan.Kind{plan.Int, plan.Int, plan.Double, plan.Bool, plan.Fault}
	var init []plan.ID
	for _, kind := range kinds {
		init = append(init, g.pickNode(kind))
	}
	times := g.IntConst(int64(g.nextByte()%5) - 1)
	if g.nextByte()%2 == 0 {
		times = g.leaf(plan.Int, g.Graph.Nodes[times].Imm)
	}
	outside := map[plan.Kind]int{}
	for kind, of := range g.Nodes {
		outside[kind] = len(of)
	}
	results := g.Loop(times, init, func(i plan.ID, carried []plan.ID) (next []plan.ID) {
		for _, id := range append(carried, i) {
			g.keepNode(id)
		}
		g.Grow(ops, depth+1)
		for k, kind := range kinds {
			of := g.Nodes[kind]
			if g.nextByte()%2 == 0 {
				of = carried[k : k+1]
			}
			next = append(next, of[len(of)-1-g.nextByte()%min(len(of), 8)])
		}
		return next
	})
	for kind := range g.Nodes {
		g.Nodes[kind] = g.Nodes[kind][:outside[kind]]
	}
	for _, id := range results {
		g.keepNode(id)
	}
}

// AddOutputs are the last few values of each kind. A fault is told by where it happened.
func (g *Grower) AddOutputs() {
	types := map[plan.Kind]*plan.Type{plan.Int: plan.IntType, plan.Bool: plan.BoolType}
	for _, kind := range []plan.Kind{plan.Int, plan.Bool} {
		of := g.Nodes[kind]
		for i, id := range of[max(0, len(of)-6):] {
			g.Output(string(rune('a'+i)), types[kind], id, plan.None)
		}
	}
	for _, id := range g.Nodes[plan.Double][max(0, len(g.Nodes[plan.Double])-4):] {
		finite := g.Node(plan.OpLtDouble, plan.Bool, 0, g.Node(plan.OpAbsDouble, plan.Double, 0, id),
			g.DoubleConst(math.Inf(1)))
		g.Output("d", plan.DoubleType, g.Node(plan.OpSelect, plan.Double, 0, finite, id, g.DoubleConst(0)), plan.None)
		g.Output("n", plan.BoolType, g.Node(plan.OpLtDouble, plan.Bool, 0, id, g.DoubleConst(0)), plan.None)
	}
	faults := g.Nodes[plan.Fault]
	for _, id := range faults[max(0, len(faults)-4):] {
		g.Output("f", plan.BoolType, g.Node(plan.OpNoFault, plan.Bool, 0, id), plan.None)
	}
	if g.nextByte()%4 == 0 {
		g.Output("fails", plan.IntType, g.IntConst(0), faults[len(faults)-1])
	}
}

// NewGrower returns the graph that bytes say.
func NewGrower(bytes []byte, ops []GrownOp) *Grower {
	g := &Grower{Builder: NewBuilder(), Bytes: bytes, Nodes: map[plan.Kind][]plan.ID{}}
	if g.nextByte()%2 == 0 {
		g.Shape = &plan.Shape{Kind: plan.Record}
	}
	g.PlantSeeds()
	g.Grow(ops, 0)
	g.AddOutputs()
	return g
}

// GrowingBytes are bytes that say a graph, another one for each seed.
func GrowingBytes(seed int) []byte {
	bytes := make([]byte, 300)
	for i := range bytes {
		bytes[i] = byte((seed*7919 + i*i*31 + i*seed) >> (i % 5))
	}
	bytes[seed%100], bytes[(seed*3)%100] = 255, 255
	return bytes
}
