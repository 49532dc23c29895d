package interval

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// sized is a graph whose leaves are the slots of a record of one field.
func sized(s *plan.Shape, op plan.Op, kind plan.Kind, imm int64, more ...plan.Node) (*plan.Plan, *plan.Graph,
	[plan.NumRoots]*plan.Shape) {
	record := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "x", Shape: s}}}
	g := &plan.Graph{Leaves: []plan.Leaf{{Root: plan.InputRoot}},
		Nodes: append([]plan.Node{{Op: plan.OpLeaf, Kind: s.Kind}}, more...)}
	args := []plan.ID{0}
	for i := range more {
		args = append(args, plan.ID(i+1))
	}
	g.Nodes = append(g.Nodes, plan.Node{Op: op, Kind: kind, Imm: imm, Args: args})
	g.Blocks = []plan.Block{{}}
	for id := range g.Nodes {
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, plan.ID(id))
	}
	return &plan.Plan{Symbols: []string{"", "mace", "axe", "bow"}}, g, [plan.NumRoots]*plan.Shape{plan.InputRoot: record}
}

func from(kind plan.Kind, least, most float64) *plan.Shape {
	return &plan.Shape{Kind: kind, Min: &plan.Bound{Value: least}, Max: &plan.Bound{Value: most}}
}

func literal(kind plan.Kind, bits int64) plan.Node {
	return plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits}
}

func bitsOf(v float64) int64 { return int64(math.Float64bits(v)) }

// What operations can give, worked out by hand. That no operation ever gives anything else is what the runtime tries on
// graphs that grow at random.
func TestIntervals(t *testing.T) {
	open := &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: 2, Open: true}, Max: &plan.Bound{Value: 7.5}}
	for _, c := range []struct {
		name  string
		shape *plan.Shape
		op    plan.Op
		kind  plan.Kind
		with  []plan.Node
		want  Interval
	}{
		{"open bound", open, plan.OpAddInt, plan.Int, []plan.Node{literal(plan.Int, 1)}, Interval{Min: 4, Max: 8}},
		{"difference", from(plan.Int, -3, 4), plan.OpSubInt, plan.Int, []plan.Node{literal(plan.Int, 10)},
			Interval{Min: -13, Max: -6}},
		{"product", from(plan.Int, -3, 4), plan.OpMulInt, plan.Int, []plan.Node{literal(plan.Int, -5)},
			Interval{Min: -20, Max: 15}},
		{"negative", from(plan.Int, -3, 4), plan.OpNegInt, plan.Int, nil, Interval{Min: -4, Max: 3}},
		{"magnitude", from(plan.Int, -3, 2), plan.OpAbsInt, plan.Int, nil, Interval{Min: 0, Max: 3}},
		{"floor", from(plan.Int, -7, 7), plan.OpDivFloor, plan.Int, []plan.Node{literal(plan.Int, 2)}, Interval{Min: -4, Max: 3}},
		{"ceiling", from(plan.Int, -7, 7), plan.OpDivCeil, plan.Int, []plan.Node{literal(plan.Int, 2)},
			Interval{Min: -3, Max: 4}},
		{"half up", from(plan.Int, -7, 7), plan.OpDivHalfUp, plan.Int, []plan.Node{literal(plan.Int, 2)},
			Interval{Min: -3, Max: 4}},
		{"rest", from(plan.Int, -7, 20), plan.OpModInt, plan.Int, []plan.Node{literal(plan.Int, 5)}, Interval{Min: -4, Max: 4}},
		{"power", from(plan.Int, 0, 3), plan.OpPowInt, plan.Int, []plan.Node{literal(plan.Int, 4)}, Interval{Min: 0, Max: 81}},
		{"no overflow", from(plan.Int, 0, 9), plan.OpMulIntFault, plan.Fault, []plan.Node{literal(plan.Int, 1<<40)}, Interval{}},
		{"overflow", &plan.Shape{Kind: plan.Int, Min: &plan.Bound{}}, plan.OpAddIntFault, plan.Fault,
			[]plan.Node{literal(plan.Int, 1)}, Interval{Max: math.MaxInt64}},
		{"never by 0", from(plan.Int, 0, 9), plan.OpDivFault, plan.Fault, []plan.Node{literal(plan.Int, 3)}, Interval{}},
		{"less", from(plan.Int, 0, 9), plan.OpLtInt, plan.Bool, []plan.Node{literal(plan.Int, 10)}, Interval{Min: 1, Max: 1}},
		{"not less", from(plan.Int, 0, 9), plan.OpLtInt, plan.Bool, []plan.Node{literal(plan.Int, 0)}, Interval{}},
		{"perhaps equal", from(plan.Int, 0, 9), plan.OpEqInt, plan.Bool, []plan.Node{literal(plan.Int, 9)}, Interval{Max: 1}},
		{"away from zero", from(plan.Int, -7, 9), plan.OpDivAway, plan.Int, []plan.Node{literal(plan.Int, 2)},
			Interval{Min: -4, Max: 5}},
		{"never equal", from(plan.Int, 0, 9), plan.OpEqInt, plan.Bool, []plan.Node{literal(plan.Int, 11)}, Interval{}},
		{"words", &plan.Shape{Kind: plan.String, Enum: []string{"mace", "bow"}}, plan.OpEqInt, plan.Bool,
			[]plan.Node{literal(plan.String, 2)}, Interval{}},
		{"quotient", from(plan.Double, 1, 3), plan.OpDivDouble, plan.Double, []plan.Node{literal(plan.Double, bitsOf(2))},
			Interval{Low: 0.5, High: 1.5}},
		{"by what may be 0", from(plan.Double, 1, 3), plan.OpDivDouble, plan.Double, []plan.Node{literal(plan.Double, bitsOf(0))},
			Interval{Low: math.Inf(-1), High: math.Inf(1), NaN: true}},
		{"rounded", from(plan.Double, -1.5, 2.5), plan.OpCeil, plan.Int, nil, Interval{Min: -1, Max: 3}},
		{"too large to round", &plan.Shape{Kind: plan.Double}, plan.OpFloor, plan.Int, nil,
			Interval{Min: math.MinInt64, Max: math.MaxInt64}},
		{"size", &plan.Shape{Kind: plan.List, MinItems: 1, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpSize, plan.Int, nil,
			Interval{Min: 1, Max: 8}},
		{"sum", &plan.Shape{Kind: plan.List, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpSumInt, plan.Int, nil,
			Interval{Min: 0, Max: 48}},
		{"greatest", &plan.Shape{Kind: plan.List, MinItems: 1, MaxItems: 8, Elem: from(plan.Int, 2, 6)}, plan.OpGreatest,
			plan.Int, nil, Interval{Min: 2, Max: 6}},
		{"slice", &plan.Shape{Kind: plan.List, MinItems: 4, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpSlice, plan.List,
			[]plan.Node{literal(plan.Int, 1), literal(plan.Int, 4)},
			Interval{Min: 3, Max: 3, Elem: []Interval{{Min: 1, Max: 6}}}},
		{"slice that may not be there", &plan.Shape{Kind: plan.List, MinItems: 4, MaxItems: 8, Elem: from(plan.Int, 1, 6)},
			plan.OpSlice, plan.List,
			[]plan.Node{literal(plan.Int, 2), literal(plan.Int, 5)}, Interval{Min: 0, Max: 3, Elem: []Interval{{Min: 1, Max: 6}}}},
		{"counts", &plan.Shape{Kind: plan.List, MinItems: 4, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpCounts, plan.List,
			[]plan.Node{literal(plan.Int, 1), literal(plan.Int, 6)}, Interval{Min: 6, Max: 6, Elem: []Interval{{Min: 0, Max: 8}}}},
		{"counts of any range", &plan.Shape{Kind: plan.List, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpCounts, plan.List,
			[]plan.Node{literal(plan.Int, 0), literal(plan.Int, math.MaxInt64)},
			Interval{Max: plan.MaxRange, Elem: []Interval{{Min: 0, Max: 8}}}},
		{"no slice", &plan.Shape{Kind: plan.List, MinItems: 4, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpSlice, plan.List,
			[]plan.Node{literal(plan.Int, -1), literal(plan.Int, -5)}, Interval{Elem: []Interval{{Min: 1, Max: 6}}}},
		{"not empty", &plan.Shape{Kind: plan.List, MinItems: 1, MaxItems: 8, Elem: from(plan.Int, 1, 6)}, plan.OpEmptyFault,
			plan.Fault, nil, Interval{}},
	} {
		p, g, shapes := sized(c.shape, c.op, c.kind, 0, c.with...)
		if got := Analyse(p, g, shapes)[len(g.Nodes)-1]; !got.equal(c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What a loop only adds to is bounded however often it is repeated; of what it does otherwise nothing is known after a
// while.
func TestIntervalsOfLoops(t *testing.T) {
	param := func(k int64) plan.Node { return plan.Node{Op: plan.OpParam, Kind: plan.Int, Imm: k} }
	g := &plan.Graph{
		Leaves: []plan.Leaf{{Root: plan.InputRoot}},
		Nodes: []plan.Node{
			{Op: plan.OpLeaf, Kind: plan.Int}, literal(plan.Int, 100), literal(plan.Int, 7), // x is 2 to 5
			param(0), param(1), param(2),
			{Op: plan.OpAddInt, Kind: plan.Int, Args: []plan.ID{0, 4}}, // adds x
			{Op: plan.OpAddInt, Kind: plan.Int, Args: []plan.ID{5, 5}}, // doubles
			{Op: plan.OpLoop, Kind: plan.Int, Args: []plan.ID{1, 2, 2}, Imm: 1},
			{Op: plan.OpResult, Kind: plan.Int, Args: []plan.ID{8}},
			{Op: plan.OpResult, Kind: plan.Int, Args: []plan.ID{8}, Imm: 1},
		},
		Blocks: []plan.Block{{Nodes: []plan.ID{0, 1, 2, 8, 9, 10}}, {Nodes: []plan.ID{3, 4, 5, 6, 7}, Results: []plan.ID{6, 7}}},
	}
	x := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "x", Shape: from(plan.Int, 2, 5)}}}
	got := Analyse(&plan.Plan{}, g, [plan.NumRoots]*plan.Shape{plan.InputRoot: x})
	if want := (Interval{Min: 7 + 200, Max: 7 + 500}); !got[9].equal(want) {
		t.Errorf("a sum: got %+v, want %+v", got[9], want)
	}
	if want := anyOfKind(plan.Int); !got[10].equal(want) {
		t.Errorf("what is doubled: got %+v, want %+v", got[10], want)
	}
}

// An int beyond those that there are is 0 beside its fault, also one in a loop that goes on from there.
func TestIntervalsOfFewerInts(t *testing.T) {
	ints := Interval{Min: -99, Max: 99}
	for _, c := range []struct {
		name        string
		least, most float64
		op          plan.Op
		with        int64
		want        Interval
		mayFail     bool
	}{
		{"a product within", 0, 9, plan.OpMulInt, 11, Interval{Max: 99}, false},
		{"a product of which some are beyond", 2, 9, plan.OpMulInt, 12, Interval{Max: 99}, true},
		{"a product beyond", 20, 30, plan.OpMulInt, -10, Interval{Min: -99}, true},
		{"a sum", -90, 90, plan.OpAddInt, 10, Interval{Min: -80, Max: 99}, true},
		{"a power", 2, 4, plan.OpPowInt, 3, Interval{Min: 8, Max: 64}, false},
		{"a power beyond", 2, 5, plan.OpPowInt, 3, Interval{Max: 99}, true},
		{"a field beyond", 50, 200, plan.OpSubInt, 1, Interval{Min: -1, Max: 98}, false},
	} {
		p, g, shapes := sized(from(plan.Int, c.least, c.most), c.op, plan.Int, 0, literal(plan.Int, c.with))
		g.Nodes = append(g.Nodes, plan.Node{Op: c.op.Operation().Fails, Kind: plan.Fault, Args: g.Nodes[2].Args})
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, 3)
		got := AnalyseWithin(p, g, shapes, ints)
		if !got[2].equal(c.want) || (got[3].Max > 0) != c.mayFail {
			t.Errorf("%s: got %+v and fault %+v, want %+v and %t", c.name, got[2], got[3], c.want, c.mayFail)
		}
	}
	// 60, 90, and 120, which is none, so that the last of 30 is 0 or 30 more than that.
	g := &plan.Graph{
		Nodes: []plan.Node{
			literal(plan.Int, 30), {Op: plan.OpParam, Kind: plan.Int, Imm: 1},
			{Op: plan.OpAddInt, Kind: plan.Int, Args: []plan.ID{1, 0}},
			{Op: plan.OpLoop, Kind: plan.Int, Args: []plan.ID{0, 0}, Imm: 1},
			{Op: plan.OpResult, Kind: plan.Int, Args: []plan.ID{3}},
		},
		Blocks: []plan.Block{{Nodes: []plan.ID{0, 3, 4}}, {Nodes: []plan.ID{1, 2}, Results: []plan.ID{2}}},
	}
	got := AnalyseWithin(&plan.Plan{}, g, [plan.NumRoots]*plan.Shape{}, ints)[4]
	if !got.Holds(0) || !got.Holds(90) {
		t.Errorf("a sum in a loop: got %+v, which has no 0 or no 90", got)
	}
}

// Rows are found among all that the key can be.
func TestIntervalsOfTables(t *testing.T) {
	row := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "n", Type: plan.IntType}}}
	bands := plan.Table{ID: "b", Kind: plan.BandsTable, Row: row, Lo: []float64{1, 6}, Hi: []float64{5, 9},
		Above: make([]bool, 2), Order: []int32{0, 1}, Cells: []int64{7, -7}}
	for _, c := range []struct {
		shape     *plan.Shape
		op        plan.Op
		row, cell Interval
	}{
		{from(plan.Int, 1, 9), plan.OpRow, Interval{Min: 0, Max: 1}, Interval{Min: -7, Max: 7}},
		{from(plan.Int, 2, 4), plan.OpRow, Interval{}, Interval{Min: 7, Max: 7}},
		{from(plan.Int, 0, 4), plan.OpRow, Interval{Min: -1}, Interval{Max: 7}},
		// no greater key follows
		{from(plan.Int, math.MaxInt64-1, math.MaxInt64), plan.OpRow, Interval{Min: -1, Max: -1}, anyOfKind(plan.Int)},
		{from(plan.Double, 1, 9), plan.OpRowDouble, Interval{Min: -1, Max: 1}, Interval{Min: -7, Max: 7}},
		{from(plan.Double, 6, 9), plan.OpRowDouble, Interval{Min: 1, Max: 1}, Interval{Min: -7, Max: -7}},
	} {
		p, g, shapes := sized(c.shape, c.op, plan.Int, 0)
		p.Tables = []plan.Table{bands}
		g.Nodes = append(g.Nodes, plan.Node{Op: plan.OpCell, Kind: plan.Int, Args: []plan.ID{1}})
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, 2)
		got := Analyse(p, g, shapes)
		if !got[1].equal(c.row) || !got[2].equal(c.cell) {
			t.Errorf("%+v: got rows %+v and cells %+v, want %+v and %+v", c.shape, got[1], got[2], c.row, c.cell)
		}
	}
}

// A die shows one of its faces, or nothing when it is not rolled; what explodes adds up.
func TestIntervalsOfDice(t *testing.T) {
	for _, c := range []struct {
		die  plan.Die
		want Interval
	}{
		{plan.Die{}, Interval{Min: 1, Max: 6}},
		{plan.Die{Explode: plan.Band{Lo: 6, Hi: 6}, Times: 2}, Interval{Min: 1, Max: 18}},
		{plan.Die{Explode: plan.Band{Lo: 1, Hi: 1}, Times: 2}, Interval{Min: 1, Max: 8}}, // 1 and 1 and 6
		{plan.Die{Explode: plan.Band{Lo: 6, Hi: 6}}, Interval{Min: 1, Max: 999*6 + 5}},   // the last face of a thousand is no 6
		{plan.Die{Explode: plan.Band{Lo: 1, Hi: 2}}, Interval{Min: 3, Max: 999*2 + 6}},   // what does not explode is at least 3
		{plan.Die{Again: plan.Band{Lo: 1, Hi: 2}}, Interval{Min: 3, Max: 6}},
		// the second roll stays
		{plan.Die{Again: plan.Band{Lo: 1, Hi: 2}, Once: true}, Interval{Min: 1, Max: 6}},
		// 4 explodes, 5 and 6 never stay
		{plan.Die{Again: plan.Band{Lo: 5, Hi: 9}, Explode: plan.Band{Lo: 4, Hi: 9}}, Interval{Min: 1, Max: 999*4 + 3}},
		{plan.Die{Again: plan.Band{Lo: 1, Hi: 1}, Explode: plan.Band{Lo: 6, Hi: 6}, Times: 1}, Interval{Min: 2, Max: 12}},
		{plan.Die{Explode: plan.Band{Lo: 7, Hi: 9}}, Interval{Min: 1, Max: 6}}, // no face is so high
		{plan.Die{List: true}, Interval{Min: 2, Max: 2, Elem: []Interval{{Min: 1, Max: 6}}}},
	} {
		g := &plan.Graph{
			Nodes: []plan.Node{literal(plan.Bool, 1), literal(plan.Int, 6), literal(plan.Int, 2), literal(plan.Fault, 0),
				{Op: plan.OpRoll, Kind: plan.Int, Args: []plan.ID{0, 1, 2, 3}}},
			Blocks: []plan.Block{{Nodes: []plan.ID{0, 1, 2, 3, 4}}}, Dice: []plan.Die{c.die},
		}
		if got := Analyse(&plan.Plan{}, g, [plan.NumRoots]*plan.Shape{})[4]; !got.equal(c.want) {
			t.Errorf("%+v: got %+v, want %+v", c.die, got, c.want)
		}
	}
}
