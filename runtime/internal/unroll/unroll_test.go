package unroll

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A grower makes a graph at random, of a state of lists and numbers, and of lists and numbers that are fixed.
type grower struct {
	*graphtest.Builder
	random *rand.Rand
	state  *plan.Shape
	fixed  *plan.Shape
	given  []int64 // the slots of what is fixed, whose lists are constants of the plan
	nodes  map[plan.Kind][]plan.ID
	ints   int64   // the number of the type of lists of ints
	armed  plan.ID // the list of records
	large  plan.ID // an int without bounds
}

const longest = 5 // of a list of the state

func newGrower(seed uint64) *grower {
	g := &grower{Builder: graphtest.NewBuilder(), random: rand.New(rand.NewPCG(seed, 1)), nodes: map[plan.Kind][]plan.ID{},
		state: &plan.Shape{Kind: plan.Record}, fixed: &plan.Shape{Kind: plan.Record}}
	g.ints = g.TypeIndex(graphtest.IntList)
	number := &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: -3}, Max: &plan.Bound{Value: 8}}
	for _, s := range []*plan.Shape{
		{Kind: plan.List, Elem: number, MaxItems: longest}, {Kind: plan.List, Elem: number, MaxItems: longest},
		number, number, {Kind: plan.Bool}, {Kind: plan.Int},
	} {
		g.add(g.state, plan.StateRoot, s)
	}
	g.large = plan.ID(len(g.Graph.Nodes) - 1)
	numbers := &plan.Shape{Kind: plan.List, Elem: number, MaxItems: longest}
	for range 2 {
		g.given = append(g.given, g.numbers())
		g.add(g.fixed, plan.InputRoot, numbers)
	}
	g.given = append(g.given, int64(g.random.IntN(9)-3), g.fighters())
	g.add(g.fixed, plan.InputRoot, number)
	g.armed = g.add(g.fixed, plan.InputRoot, &plan.Shape{Kind: plan.List, MaxItems: longest, Elem: &plan.Shape{
		Kind: plan.Record, Fields: []plan.Member{{Name: "n", Shape: number}, {Name: "xs", Shape: numbers}}}})
	g.nodes[plan.List] = slices.DeleteFunc(g.nodes[plan.List], func(id plan.ID) bool { return id == g.armed })
	g.keep(g.IntConst(0), g.IntConst(int64(g.random.IntN(6)-1)), g.True(), g.NoFault())
	return g
}

// numbers returns a list of a few numbers, among the constants of the plan.
func (g *grower) numbers() int64 {
	list := make(graphtest.List, g.random.IntN(4))
	for i := range list {
		list[i] = g.random.IntN(9) - 3
	}
	bits, _ := g.Bits(list)
	return bits
}

// fighters returns a list of records, each with a number and a list of numbers.
func (g *grower) fighters() int64 {
	n := 1 + g.random.IntN(3)
	slots := graphtest.List{}
	for range n {
		slots = append(slots, g.random.IntN(9)-3, g.numbers())
	}
	bits, _ := g.Bits(slots)
	return bits&^(1<<32-1) | int64(n)
}

// add adds a field to a record, and its leaf to the graph.
func (g *grower) add(record *plan.Shape, root plan.Root, s *plan.Shape) plan.ID {
	g.Graph.Leaves = append(g.Graph.Leaves, plan.Leaf{Root: root, Offset: int32(len(record.Fields))})
	record.Fields = append(record.Fields, plan.Member{Name: fmt.Sprint("f", len(record.Fields)), Shape: s})
	return g.keep(g.Node(plan.OpLeaf, s.Kind, int64(len(g.Graph.Leaves)-1)))
}

func (g *grower) keep(ids ...plan.ID) plan.ID {
	for _, id := range ids {
		kind := g.Graph.Nodes[id].Kind
		g.nodes[kind] = append(g.nodes[kind], id)
	}
	return ids[0]
}

func (g *grower) pick(kind plan.Kind) plan.ID {
	of := g.nodes[kind]
	if g.random.IntN(2) == 0 && len(of) > 4 { // mostly what is new
		of = of[len(of)-4:]
	}
	return of[g.random.IntN(len(of))]
}

// grow appends an operation to the block that is open.
func (g *grower) grow(depth int) {
	b, i, l, f := plan.Bool, plan.Int, plan.List, plan.Fault
	node := func(op plan.Op, kind plan.Kind, imm int64, args ...plan.Kind) plan.ID {
		var ids []plan.ID
		for _, k := range args {
			ids = append(ids, g.pick(k))
		}
		return g.keep(g.Node(op, kind, imm, ids...))
	}
	switch g.random.IntN(33) {
	case 0:
		node(plan.OpAddInt, i, 0, i, i)
	case 1:
		node(plan.OpSubInt, i, 0, i, i)
	case 2:
		node(plan.OpMinInt, i, 0, i, i)
	case 3:
		node(plan.OpLtInt, b, 0, i, i)
	case 4:
		node(plan.OpEqInt, b, 0, i, i)
	case 5:
		node(plan.OpNot, b, 0, b)
	case 6:
		node(plan.OpAnd, b, 0, b, b)
	case 7:
		node(plan.OpSelect, i, 0, b, i, i)
	case 8:
		node(plan.OpSelect, l, 0, b, l, l)
	case 9:
		node(plan.OpFirstFault, f, 0, f, f)
	case 10:
		node(plan.OpAndFault, f, 0, b, f, b, f)
	case 11:
		node(plan.OpSize, i, 0, l)
	case 12, 13:
		list, at := g.pick(l), g.pick(i)
		if g.random.IntN(2) == 0 {
			at = g.IntConst(int64(g.random.IntN(3)))
		}
		fault := g.Node(plan.OpElemFault, f, 0, list, at)
		g.keep(g.Node(plan.OpSelect, i, 0, g.Node(plan.OpNoFault, b, 0, fault), g.Node(plan.OpElem, i, 1<<32, list, at),
			g.IntConst(0)), fault) // nothing reads an element that is not there
	case 14:
		node(plan.OpSumInt, i, 0, l)
	case 15:
		node(plan.OpSumIntFault, f, 0, l)
	case 16:
		node(plan.OpLeast, i, g.ints, l)
	case 17:
		node(plan.OpGreatest, i, g.ints, l)
	case 18:
		node(plan.OpHas, b, g.ints, l, i)
	case 19:
		node(plan.OpEmptyFault, f, 0, l)
	case 20:
		node(plan.OpConcat, l, g.ints, l, l)
	case 21:
		list, from, to := g.pick(l), g.pick(i), g.pick(i)
		g.keep(g.Node(plan.OpSlice, l, g.ints, list, from, to), g.Node(plan.OpSliceFault, f, 0, list, from, to))
	case 22:
		node(plan.OpSort, l, g.ints, l)
	case 23:
		lo, hi := g.IntConst(-1), g.IntConst(int64(g.random.IntN(4)))
		g.keep(g.Node(plan.OpCounts, l, 0, g.pick(l), lo, hi))
	case 24:
		list, amount := g.pick(l), g.pick(i)
		g.keep(g.Node(plan.OpPour, l, 0, amount, list), g.Node(plan.OpPourFault, f, 0, amount, list))
	case 25:
		most := g.Node(plan.OpMinInt, i, 0, g.pick(i), g.IntConst(4))
		g.keep(g.Node(plan.OpRange, l, 0, g.IntConst(0), most))
	case 28:
		at := g.pick(i)
		fault := g.Node(plan.OpElemFault, f, 0, g.armed, at)
		isThere := g.Node(plan.OpNoFault, b, 0, fault)
		numbers := g.Node(plan.OpElem, l, 2<<32|1, g.armed, at)
		g.keep(g.Node(plan.OpSelect, i, 0, isThere, g.Node(plan.OpElem, i, 2<<32, g.armed, at), g.IntConst(0)),
			g.Node(plan.OpSelect, i, 0, isThere, g.Node(plan.OpSize, i, 0, numbers), g.IntConst(0)),
			g.Node(plan.OpSelect, l, 0, isThere, numbers, g.nodes[l][0]), fault)
	case 26:
		g.growRoll()
	case 27:
		g.Graph.Requires = append(g.Graph.Requires, plan.Require{Message: "it holds"})
		holds := g.Node(plan.OpOr, b, 0, g.pick(b), g.pick(b))
		g.Node(plan.OpRequire, b, int64(len(g.Graph.Requires)-1), g.pick(b), holds, g.NoFault())
	default:
		if depth < 2 {
			g.growLoop(depth)
		}
	}
}

// growRoll appends a roll under a guard, of one die or of a few.
func (g *grower) growRoll() {
	die := plan.Die{ID: fmt.Sprint("d", len(g.Graph.Dice)), List: g.random.IntN(2) == 0}
	if g.random.IntN(3) == 0 {
		die.Explode = plan.Band{Lo: 6, Hi: 6}
	}
	g.Graph.Dice = append(g.Graph.Dice, die)
	kind, count := plan.Int, g.IntConst(-1)
	if die.List {
		kind = plan.List
		few := g.Node(plan.OpMinInt, plan.Int, 0, g.pick(plan.Int), g.IntConst(3))
		count = g.Node(plan.OpMaxInt, plan.Int, 0, few, g.IntConst(0))
	}
	g.keep(g.Node(plan.OpRoll, kind, int64(len(g.Graph.Dice)-1), g.pick(plan.Bool), g.IntConst(6), count, g.NoFault()))
}

// growLoop appends a loop over a list, or of some iterations, which carries a number, a truth, a fault, and a list that it
// pushes to.
func (g *grower) growLoop(depth int) {
	list := g.pick(plan.List)
	times := g.Node(plan.OpSize, plan.Int, 0, list)
	room := times
	if g.random.IntN(4) == 0 {
		times = g.Node(plan.OpMinInt, plan.Int, 0, g.pick(plan.Int), g.IntConst(3))
		room = g.IntConst(3)
	}
	init := []plan.ID{g.pick(plan.Int), g.pick(plan.Bool), g.pick(plan.Fault),
		g.Node(plan.OpNewSpan, plan.List, 1, room)}
	outside := map[plan.Kind]int{}
	for kind, of := range g.nodes {
		outside[kind] = len(of)
	}
	sorts := g.random.IntN(3) == 0 && g.Graph.Nodes[times].Op == plan.OpSize
	results := g.Loop(times, init, func(at plan.ID, carried []plan.ID) []plan.ID {
		g.keep(at, carried[0], carried[1], carried[2])
		if g.Graph.Nodes[times].Op == plan.OpSize {
			g.keep(g.Node(plan.OpElem, plan.Int, 1<<32, list, at), g.Node(plan.OpElemFault, plan.Fault, 0, list, at))
		}
		for range g.random.IntN(6) {
			g.grow(depth + 1)
		}
		there, what := g.pick(plan.Bool), g.pick(plan.Int)
		if g.random.IntN(5) == 0 {
			what = g.large
		}
		if sorts {
			there = g.True()
		}
		return []plan.ID{g.pick(plan.Int), g.pick(plan.Bool), g.pick(plan.Fault),
			g.Node(plan.OpPush, plan.List, 0, carried[3], there, what)}
	})
	for kind := range g.nodes {
		g.nodes[kind] = g.nodes[kind][:outside[kind]]
	}
	g.keep(results...)
	if sorts {
		g.keep(g.Node(plan.OpSortBy, plan.List, g.ints<<32|g.ints, list, results[3]))
	}
}

// wanted are the last few numbers and truths, with the last faults.
func (g *grower) wanted() (out []*plan.Value) {
	faults := g.nodes[plan.Fault]
	for _, kind := range []plan.Kind{plan.Int, plan.Bool} {
		of := g.nodes[kind]
		for i, id := range of[max(0, len(of)-6):] {
			g.Output(fmt.Sprint(kind, i), &plan.Type{Kind: kind}, id, plan.None)
		}
	}
	g.Output("fails", plan.IntType, g.IntConst(0), faults[len(faults)-1])
	for i := range g.Graph.Outputs.Fields {
		out = append(out, &g.Graph.Outputs.Fields[i])
	}
	return out
}

// row returns a state at random whose lists are of some lengths, and its slots in a frame.
func (g *grower) row(lengths [2]int, f *vm.Frame) []int64 {
	number := func() int64 { return int64(g.random.IntN(12) - 3) }
	var out []int64
	for _, n := range lengths {
		elements := make([]int64, n)
		for i := range elements {
			elements[i] = number()
		}
		out = append(out, f.Store(elements, n))
	}
	large := []int64{graphtest.MaxInt, graphtest.MinInt, graphtest.MaxInt - 3, 5}
	return append(out, number(), number(), int64(g.random.IntN(2)), large[g.random.IntN(len(large))])
}

// What is unrolled computes what the graph does with its lists and loops, and says where that fails. Most graphs can be
// unrolled.
func TestUnrolledGraphsComputeTheSame(t *testing.T) {
	const graphs, rows = 1_500, 24
	made, sound := 0, 0
	for seed := range uint64(graphs) {
		isMade, n := checkUnrolled(t, seed, rows)
		if sound += n; isMade {
			made++
		}
		if t.Failed() {
			return
		}
	}
	if made < graphs*3/4 || sound < graphs*rows/3 {
		t.Errorf("only %d of %d graphs are unrolled, and %d of their rows do not fail", made, graphs, sound)
	}
	t.Logf("%d of %d graphs, %d rows do not fail", made, graphs, sound)
}

// checkUnrolled reports whether the graph of a seed is unrolled, and how many rows of it do not fail.
func checkUnrolled(t *testing.T, seed uint64, rows int) (isMade bool, sound int) {
	t.Helper()
	g := newGrower(seed)
	for range 6 + g.random.IntN(40) {
		g.grow(0)
	}
	want := g.wanted()
	image := vm.NewImage(g.Plan)
	body := plan.Body{Graph: &g.Graph}
	body.Shapes[plan.StateRoot], body.Shapes[plan.InputRoot] = g.state, g.fixed
	code, err := schedule.Make(g.Plan, &g.Graph, schedule.Options{Roots: body.Slots(), Shapes: body.Shapes})
	if err != nil {
		t.Fatal(err)
	}
	image.PrepareTables(code)
	lengths := [2]int{g.random.IntN(longest + 1), g.random.IntN(longest + 1)}
	states := vm.NewStore(image)
	layout := NewLayout(jsonio.NewRootSchema(image, plan.StateRoot, g.state), states, g.row(lengths, states))
	given := Given{Image: image, Store: vm.NewStore(image), State: layout}
	given.Fixed[plan.InputRoot] = g.given
	straight, err := Make(given, body, Wanted{Values: want})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if straight == nil {
		return false, 0
	}
	frame, columns := vm.NewFrame(image, code), straight.Columns()
	failed, numbers := make([]bool, rows), make([]int64, layout.Size())
	var results [][]int64 // nil where something fails
	for row := range rows {
		frame.Reset(code)
		state := g.row(lengths, frame)
		copy(frame.Slots()[code.Base[plan.StateRoot]:], state)
		copy(frame.Slots()[code.Base[plan.InputRoot]:], g.given)
		if !layout.Read(frame, state, numbers) {
			t.Fatalf("seed %d: a state of the lengths %d is not laid out", seed, lengths)
		}
		for k, v := range numbers {
			columns.Input(int(straight.Code.Base[plan.StateRoot]) + k)[row] = v
		}
		columns.SetSeed(row, seed, uint64(row), 3)
		results = append(results, resultsIn(t, frame, code, want, dice.FromSeed(seed, uint64(row), 3)))
	}
	straight.Run(columns, rows, failed)
	for row, want := range results {
		if failed[row] != (want == nil) {
			t.Errorf("seed %d, row %d: it fails: %t, and as it was: %t\n%s", seed, row, failed[row], want == nil, straight.Code)
			return true, sound
		}
		if want != nil {
			sound++
		}
		for k, slot := range straight.Results {
			if got := columns.Column(uint16(slot))[row]; want != nil && got != want[k] {
				t.Errorf("seed %d, row %d: value %d is %d, and as it was %d\n%s", seed, row, k, got, want[k], straight.Code)
				return true, sound
			}
		}
	}
	return true, sound
}

// resultsIn evaluates a graph in a frame that has its records, and returns what is wanted; nil where that fails.
func resultsIn(t *testing.T, f *vm.Frame, code *schedule.Code, want []*plan.Value, source dice.Source) (out []int64) {
	t.Helper()
	if err := vm.Run(f, code, source); err != nil {
		if _, isEnding := err.(*vm.Ending); !isEnding {
			t.Fatal(err)
		}
		return nil
	}
	for _, v := range want {
		at := vm.LocateIn(code, v)
		if at.Fault >= 0 && f.View().Slot(at.Fault) != 0 {
			return nil
		}
		out = append(out, f.View().Slot(at.Slot))
	}
	return out
}
