package runtime

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A grower makes a graph of what bytes say, until there are no more. It keeps the nodes that may be operands, by kind.
type grower struct {
	*build
	bytes []byte
	nodes map[plan.Kind][]plan.ID
}

func (g *grower) next() int {
	if len(g.bytes) == 0 {
		return 0
	}
	b := g.bytes[0]
	g.bytes = g.bytes[1:]
	return int(b)
}

func (g *grower) pick(kind plan.Kind) plan.ID {
	of := g.nodes[kind]
	return of[g.next()%len(of)]
}

func (g *grower) keep(id plan.ID) {
	kind := g.g.Nodes[id].Kind
	g.nodes[kind] = append(g.nodes[kind], id)
}

// A grown operation takes operands of kinds and gives one.
type grown struct {
	op    plan.Op
	takes []plan.Kind
	gives plan.Kind
}

// grownOps are those whose operands may be anything.
func grownOps() (out []grown) {
	i, d, b, f := plan.Int, plan.Double, plan.Bool, plan.Fault
	add := func(gives plan.Kind, takes []plan.Kind, ops ...plan.Op) {
		for _, op := range ops {
			out = append(out, grown{op, takes, gives})
		}
	}
	add(i, []plan.Kind{i, i}, plan.OpAddInt, plan.OpSubInt, plan.OpMulInt, plan.OpMinInt, plan.OpMaxInt, plan.OpDivTrunc, plan.OpDivFloor,
		plan.OpDivCeil, plan.OpDivHalfUp, plan.OpDivAway, plan.OpModInt, plan.OpPowInt)
	add(f, []plan.Kind{i, i}, plan.OpAddIntFault, plan.OpSubIntFault, plan.OpMulIntFault, plan.OpDivFault, plan.OpModFault, plan.OpPowIntFault)
	add(b, []plan.Kind{i, i}, plan.OpEqInt, plan.OpLtInt, plan.OpLeInt)
	add(i, []plan.Kind{i}, plan.OpNegInt, plan.OpAbsInt)
	add(f, []plan.Kind{i}, plan.OpNegIntFault, plan.OpAbsIntFault)
	add(d, []plan.Kind{d, d}, plan.OpAddDouble, plan.OpSubDouble, plan.OpMulDouble, plan.OpDivDouble, plan.OpMinDouble, plan.OpMaxDouble)
	add(b, []plan.Kind{d, d}, plan.OpEqDouble, plan.OpLtDouble, plan.OpLeDouble)
	add(d, []plan.Kind{d}, plan.OpNegDouble, plan.OpAbsDouble)
	add(i, []plan.Kind{d}, plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc)
	add(d, []plan.Kind{i}, plan.OpToDouble)
	add(b, []plan.Kind{i, d}, plan.OpLtIntDouble, plan.OpLeIntDouble)
	add(b, []plan.Kind{d, i}, plan.OpLtDoubleInt, plan.OpLeDoubleInt)
	add(b, []plan.Kind{b, b}, plan.OpAnd, plan.OpOr)
	add(b, []plan.Kind{b}, plan.OpNot)
	add(f, []plan.Kind{b}, plan.OpFail)
	add(f, []plan.Kind{b, f, b, f}, plan.OpAndFault, plan.OpOrFault)
	add(f, []plan.Kind{f, f}, plan.OpFirstFault)
	add(b, []plan.Kind{f}, plan.OpNoFault)
	for _, kind := range []plan.Kind{i, d, b, f} {
		add(kind, []plan.Kind{b, kind, kind}, plan.OpSelect)
	}
	return out
}

// seeds are the first operands: constants, the first of each kind being 0, and slots of the input.
func (g *grower) seeds() {
	for _, v := range []any{0, 1, -1, 7, minInt, maxInt, 0.0, 1.0, -2.5, nan, inf, float64(two53), false, true} {
		bits, kind := g.bits(v)
		g.keep(g.constant(kind, bits))
		if g.shape == nil || kind != plan.Double || finite(bits) {
			g.keep(g.leaf(kind, bits))
		}
	}
	g.keep(g.ok())
}

// leaf is a slot of the input which, when its shape is known, holds no more than a few values around its own.
func (g *grower) leaf(kind plan.Kind, bits int64) plan.ID {
	if g.shape != nil {
		g.narrow(kind, bits)
	}
	return g.build.leaf(kind, bits)
}

func (g *grower) narrow(kind plan.Kind, bits int64) {
	s := &plan.Shape{Kind: kind}
	v := float64(bits)
	if kind == plan.Double {
		v = math.Float64frombits(uint64(bits))
	}
	if kind != plan.Bool && math.Abs(v) < float64(two53) {
		s.Min, s.Max = &plan.Bound{Value: v - float64(g.next()%4)}, &plan.Bound{Value: v + float64(g.next()%4)}
	}
	g.shape.Fields = append(g.shape.Fields, plan.Member{Shape: s})
}

func finite(bits int64) bool { return math.Abs(math.Float64frombits(uint64(bits))) <= math.MaxFloat64 }

// contained wants every value that the graph has computed to lie within its interval.
func (g *grower) contained(t *testing.T) {
	f, code := g.frame(t, schedule.Options{Full: true})
	if err := f.run(code, dice.FromList(nil)); err != nil {
		return
	}
	bounds := interval.Analyse(g.p, &g.g, [plan.NumRoots]*plan.Shape{plan.InputRoot: g.shape})
	for _, id := range g.g.Blocks[0].Nodes {
		slot, ok := code.Slot(id)
		if n := &g.g.Nodes[id]; ok && n.Op != plan.OpLoop && !holds(bounds[id], n.Kind, f.slots[slot]) {
			t.Errorf("node %d, %s: %d is not within %+v", id, n.Op, f.slots[slot], bounds[id])
		}
	}
}

func holds(i interval.Interval, kind plan.Kind, bits int64) bool {
	if kind != plan.Double {
		return i.Holds(bits)
	}
	v := math.Float64frombits(uint64(bits))
	return v != v && i.NaN || i.Low <= v && v <= i.High
}

// grow appends nodes, and loops over what there is.
func (g *grower) grow(ops []grown, depth int) {
	for len(g.bytes) > 0 {
		switch c := g.next(); {
		case c == 255 && depth < 2:
			g.growLoop(ops, depth)
		case c == 254 && depth > 0:
			return
		default:
			o := ops[c%len(ops)]
			var args []plan.ID
			for _, kind := range o.takes {
				args = append(args, g.pick(kind))
			}
			g.keep(g.node(o.op, o.gives, 0, args...))
		}
	}
}

// growLoop repeats what is grown up to three times over one value of each kind.
func (g *grower) growLoop(ops []grown, depth int) {
	kinds := []plan.Kind{plan.Int, plan.Int, plan.Double, plan.Bool, plan.Fault}
	var init []plan.ID
	for _, kind := range kinds {
		init = append(init, g.pick(kind))
	}
	times := g.int(int64(g.next()%5) - 1)
	if g.next()%2 == 0 {
		times = g.leaf(plan.Int, g.g.Nodes[times].Imm)
	}
	outside := map[plan.Kind]int{}
	for kind, of := range g.nodes {
		outside[kind] = len(of)
	}
	results := g.loop(times, init, func(i plan.ID, carried []plan.ID) (next []plan.ID) {
		for _, id := range append(carried, i) {
			g.keep(id)
		}
		g.grow(ops, depth+1)
		for k, kind := range kinds {
			of := g.nodes[kind]
			if g.next()%2 == 0 {
				of = carried[k : k+1]
			}
			next = append(next, of[len(of)-1-g.next()%min(len(of), 8)])
		}
		return next
	})
	for kind := range g.nodes {
		g.nodes[kind] = g.nodes[kind][:outside[kind]]
	}
	for _, id := range results {
		g.keep(id)
	}
}

// outputs are the last few values of each kind. A fault is told by where it happened.
func (g *grower) outputs() {
	types := map[plan.Kind]*plan.Type{plan.Int: plan.IntType, plan.Bool: plan.BoolType}
	for _, kind := range []plan.Kind{plan.Int, plan.Bool} {
		of := g.nodes[kind]
		for i, id := range of[max(0, len(of)-6):] {
			g.out(string(rune('a'+i)), types[kind], id, plan.None)
		}
	}
	for _, id := range g.nodes[plan.Double][max(0, len(g.nodes[plan.Double])-4):] {
		finite := g.node(plan.OpLtDouble, plan.Bool, 0, g.node(plan.OpAbsDouble, plan.Double, 0, id), g.double(math.Inf(1)))
		g.out("d", plan.DoubleType, g.node(plan.OpSelect, plan.Double, 0, finite, id, g.double(0)), plan.None)
		g.out("n", plan.BoolType, g.node(plan.OpLtDouble, plan.Bool, 0, id, g.double(0)), plan.None)
	}
	faults := g.nodes[plan.Fault]
	for _, id := range faults[max(0, len(faults)-4):] {
		g.out("f", plan.BoolType, g.node(plan.OpNoFault, plan.Bool, 0, id), plan.None)
	}
	if g.next()%4 == 0 {
		g.out("fails", plan.IntType, g.int(0), faults[len(faults)-1])
	}
}

func (b *build) double(v float64) plan.ID {
	return b.constant(plan.Double, int64(math.Float64bits(v)))
}

// grownOf is the graph that bytes say.
func grownOf(bytes []byte, ops []grown) *grower {
	g := &grower{build: newBuild(), bytes: bytes, nodes: map[plan.Kind][]plan.ID{}}
	if g.next()%2 == 0 {
		g.shape = &plan.Shape{Kind: plan.Record}
	}
	g.seeds()
	g.grow(ops, 0)
	g.outputs()
	return g
}

// sprout are bytes that say a graph, another one for each seed.
func sprout(seed int) []byte {
	bytes := make([]byte, 300)
	for i := range bytes {
		bytes[i] = byte((seed*7919 + i*i*31 + i*seed) >> (i % 5))
	}
	bytes[seed%100], bytes[(seed*3)%100] = 255, 255
	return bytes
}

// Whatever passes run, the answer is that of the graph as it stands.
func FuzzPasses(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Add([]byte{255, 1, 2, 3, 4, 5, 3, 0, 0, 0, 30, 31, 254, 1, 1, 2, 1, 3, 1, 4, 1, 0, 9, 9, 9})
	for seed := range 200 {
		f.Add(sprout(seed))
	}
	ops := grownOps()
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 2000 {
			return
		}
		g := grownOf(bytes, ops)
		g.contained(t)
		g.agree(t, variants())
	})
}

// agree wants the graph to have the same answer in every way, which is that of the graph as it stands.
func (g *grower) agree(t *testing.T, ways map[string]schedule.Options) {
	t.Helper()
	want := g.answer(t, schedule.Options{Full: true})
	for name, opt := range ways {
		if got := g.answer(t, opt); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// pairs are the ways to leave out two passes, and to run no more than one or two.
func pairs() map[string]schedule.Options {
	out, names := map[string]schedule.Options{}, schedule.PassNames()
	for i, a := range names {
		for _, b := range names[i:] {
			out["without "+a+" and "+b] = schedule.Options{Without: []string{a, b}}
			out["with only "+a+" and "+b] = schedule.Options{Without: slices.DeleteFunc(schedule.PassNames(), func(name string) bool {
				return name == a || name == b
			})}
		}
	}
	return out
}

// Passes depend on no other pass, and spoil none.
func TestPairsOfPasses(t *testing.T) {
	ops, ways := grownOps(), pairs()
	for seed := range 40 {
		grownOf(sprout(1000+seed), ops).agree(t, ways)
	}
}

// A number that must keep two limits, or may keep a third, is compared once; one of which each comparison is asked for is not.
func TestLimits(t *testing.T) {
	success := func(roll, chance int, apart bool) *build {
		b := newBuild()
		r, c := b.value(roll, false), b.value(chance, false)
		fits := b.node(plan.OpLeInt, plan.Bool, 0, r, c)
		usual := b.node(plan.OpAnd, plan.Bool, 0, b.node(plan.OpLtInt, plan.Bool, 0, r, b.int(97)), fits)
		b.out("success", plan.BoolType, b.node(plan.OpOr, plan.Bool, 0, usual, b.node(plan.OpLeInt, plan.Bool, 0, r, b.int(3))), plan.None)
		if apart {
			b.out("fits", plan.BoolType, fits, plan.None)
		}
		return b
	}
	for roll := range 101 {
		for _, chance := range []int{-5, 0, 2, 3, 4, 50, 95, 96, 97, 100, 150} {
			want := fmt.Sprintf(`{"success":%v}`, roll <= chance && roll < 97 || roll <= 3)
			success(roll, chance, false).check(t, "limits", want)
		}
	}
	for apart, words := range map[bool]int{false: 2, true: 3} { // a clamp and a comparison; else a comparison with its and, one with its or
		if _, code := success(1, 1, apart).frame(t, schedule.Options{}); len(code.Words) != words {
			t.Errorf("apart %v: %d words:\n%s", apart, len(code.Words), code)
		}
	}
	least := newBuild()
	n := least.leaf(plan.Int, 5)
	limit := func(op plan.Op, v int64) plan.ID { return least.node(op, plan.Bool, 0, n, least.constant(plan.Int, v)) }
	least.out("none", plan.BoolType, least.node(plan.OpAnd, plan.Bool, 0, limit(plan.OpLtInt, minInt), limit(plan.OpLeInt, 9)), plan.None)
	least.check(t, "nothing is less than the least int", `{"none":false}`)
}
