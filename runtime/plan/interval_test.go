package plan

import (
	"math"
	"testing"
)

// sized is a graph whose leaves are the slots of a record of one field.
func sized(s *Shape, op Op, kind Kind, imm int64, more ...Node) (*Plan, *Graph, [NumRoots]*Shape) {
	record := &Shape{Kind: Record, Fields: []Member{{Name: "x", Shape: s}}}
	g := &Graph{Leaves: []Leaf{{Root: InputRoot}}, Nodes: append([]Node{{Op: OpLeaf, Kind: s.Kind}}, more...)}
	args := []ID{0}
	for i := range more {
		args = append(args, ID(i+1))
	}
	g.Nodes = append(g.Nodes, Node{Op: op, Kind: kind, Imm: imm, Args: args})
	g.Blocks = []Block{{}}
	for id := range g.Nodes {
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, ID(id))
	}
	return &Plan{Symbols: []string{"", "mace", "axe", "bow"}}, g, [NumRoots]*Shape{InputRoot: record}
}

func from(kind Kind, least, most float64) *Shape {
	return &Shape{Kind: kind, Min: &Bound{Value: least}, Max: &Bound{Value: most}}
}

func literal(kind Kind, bits int64) Node { return Node{Op: OpConst, Kind: kind, Imm: bits} }

func bitsOf(v float64) int64 { return int64(math.Float64bits(v)) }

// What operations can give, worked out by hand. That no operation ever gives anything else is what the runtime tries on
// graphs that grow at random.
func TestIntervals(t *testing.T) {
	open := &Shape{Kind: Int, Min: &Bound{Value: 2, Open: true}, Max: &Bound{Value: 7.5}}
	for _, c := range []struct {
		name  string
		shape *Shape
		op    Op
		kind  Kind
		with  []Node
		want  Interval
	}{
		{"open bound", open, OpAddInt, Int, []Node{literal(Int, 1)}, Interval{Min: 4, Max: 8}},
		{"difference", from(Int, -3, 4), OpSubInt, Int, []Node{literal(Int, 10)}, Interval{Min: -13, Max: -6}},
		{"product", from(Int, -3, 4), OpMulInt, Int, []Node{literal(Int, -5)}, Interval{Min: -20, Max: 15}},
		{"negative", from(Int, -3, 4), OpNegInt, Int, nil, Interval{Min: -4, Max: 3}},
		{"magnitude", from(Int, -3, 2), OpAbsInt, Int, nil, Interval{Min: 0, Max: 3}},
		{"floor", from(Int, -7, 7), OpDivFloor, Int, []Node{literal(Int, 2)}, Interval{Min: -4, Max: 3}},
		{"ceiling", from(Int, -7, 7), OpDivCeil, Int, []Node{literal(Int, 2)}, Interval{Min: -3, Max: 4}},
		{"half up", from(Int, -7, 7), OpDivHalfUp, Int, []Node{literal(Int, 2)}, Interval{Min: -3, Max: 4}},
		{"rest", from(Int, -7, 20), OpModInt, Int, []Node{literal(Int, 5)}, Interval{Min: -4, Max: 4}},
		{"power", from(Int, 0, 3), OpPowInt, Int, []Node{literal(Int, 4)}, Interval{Min: 0, Max: 81}},
		{"no overflow", from(Int, 0, 9), OpMulIntFault, Fault, []Node{literal(Int, 1<<40)}, Interval{}},
		{"overflow", &Shape{Kind: Int, Min: &Bound{}}, OpAddIntFault, Fault, []Node{literal(Int, 1)}, Interval{Max: math.MaxInt64}},
		{"never by 0", from(Int, 0, 9), OpDivFault, Fault, []Node{literal(Int, 3)}, Interval{}},
		{"less", from(Int, 0, 9), OpLtInt, Bool, []Node{literal(Int, 10)}, Interval{Min: 1, Max: 1}},
		{"not less", from(Int, 0, 9), OpLtInt, Bool, []Node{literal(Int, 0)}, Interval{}},
		{"perhaps equal", from(Int, 0, 9), OpEqInt, Bool, []Node{literal(Int, 9)}, Interval{Max: 1}},
		{"never equal", from(Int, 0, 9), OpEqInt, Bool, []Node{literal(Int, 11)}, Interval{}},
		{"words", &Shape{Kind: String, Enum: []string{"mace", "bow"}}, OpEqInt, Bool, []Node{literal(String, 2)}, Interval{}},
		{"quotient", from(Double, 1, 3), OpDivDouble, Double, []Node{literal(Double, bitsOf(2))}, Interval{Low: 0.5, High: 1.5}},
		{"by what may be 0", from(Double, 1, 3), OpDivDouble, Double, []Node{literal(Double, bitsOf(0))},
			Interval{Low: math.Inf(-1), High: math.Inf(1), NaN: true}},
		{"rounded", from(Double, -1.5, 2.5), OpCeil, Int, nil, Interval{Min: -1, Max: 3}},
		{"too large to round", &Shape{Kind: Double}, OpFloor, Int, nil, Interval{Min: math.MinInt64, Max: math.MaxInt64}},
		{"size", &Shape{Kind: List, MinItems: 1, MaxItems: 8, Elem: from(Int, 1, 6)}, OpSize, Int, nil, Interval{Min: 1, Max: 8}},
		{"sum", &Shape{Kind: List, MaxItems: 8, Elem: from(Int, 1, 6)}, OpSumInt, Int, nil, Interval{Min: 0, Max: 48}},
		{"greatest", &Shape{Kind: List, MinItems: 1, MaxItems: 8, Elem: from(Int, 2, 6)}, OpGreatest, Int, nil, Interval{Min: 2, Max: 6}},
		{"slice", &Shape{Kind: List, MinItems: 4, MaxItems: 8, Elem: from(Int, 1, 6)}, OpSlice, List, []Node{literal(Int, 1), literal(Int, 4)},
			Interval{Min: 3, Max: 3, Elem: []Interval{{Min: 1, Max: 6}}}},
		{"slice that may not be there", &Shape{Kind: List, MinItems: 4, MaxItems: 8, Elem: from(Int, 1, 6)}, OpSlice, List,
			[]Node{literal(Int, 2), literal(Int, 5)}, Interval{Min: 0, Max: 3, Elem: []Interval{{Min: 1, Max: 6}}}},
		{"no slice", &Shape{Kind: List, MinItems: 4, MaxItems: 8, Elem: from(Int, 1, 6)}, OpSlice, List,
			[]Node{literal(Int, -1), literal(Int, -5)}, Interval{Elem: []Interval{{Min: 1, Max: 6}}}},
		{"not empty", &Shape{Kind: List, MinItems: 1, MaxItems: 8, Elem: from(Int, 1, 6)}, OpEmptyFault, Fault, nil, Interval{}},
	} {
		p, g, shapes := sized(c.shape, c.op, c.kind, 0, c.with...)
		if got := Intervals(p, g, shapes)[len(g.Nodes)-1]; !got.equal(c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What a loop only adds to is bounded however often it is repeated; of what it does otherwise nothing is known after a while.
func TestIntervalsOfLoops(t *testing.T) {
	param := func(k int64) Node { return Node{Op: OpParam, Kind: Int, Imm: k} }
	g := &Graph{
		Leaves: []Leaf{{Root: InputRoot}},
		Nodes: []Node{
			{Op: OpLeaf, Kind: Int}, literal(Int, 100), literal(Int, 7), // x is 2 to 5
			param(0), param(1), param(2),
			{Op: OpAddInt, Kind: Int, Args: []ID{0, 4}}, // adds x
			{Op: OpAddInt, Kind: Int, Args: []ID{5, 5}}, // doubles
			{Op: OpLoop, Kind: Int, Args: []ID{1, 2, 2}, Imm: 1},
			{Op: OpResult, Kind: Int, Args: []ID{8}},
			{Op: OpResult, Kind: Int, Args: []ID{8}, Imm: 1},
		},
		Blocks: []Block{{Nodes: []ID{0, 1, 2, 8, 9, 10}}, {Nodes: []ID{3, 4, 5, 6, 7}, Results: []ID{6, 7}}},
	}
	x := &Shape{Kind: Record, Fields: []Member{{Name: "x", Shape: from(Int, 2, 5)}}}
	got := Intervals(&Plan{}, g, [NumRoots]*Shape{InputRoot: x})
	if want := (Interval{Min: 7 + 2, Max: 7 + 500}); !got[9].equal(want) {
		t.Errorf("a sum: got %+v, want %+v", got[9], want)
	}
	if want := anything(Int); !got[10].equal(want) {
		t.Errorf("what is doubled: got %+v, want %+v", got[10], want)
	}
}

// Rows are found among all that the key can be.
func TestIntervalsOfTables(t *testing.T) {
	row := &Type{Kind: Record, Fields: []Field{{Name: "n", Type: IntType}}}
	bands := Table{ID: "b", Kind: BandsTable, Row: row, Lo: []float64{1, 6}, Hi: []float64{5, 9}, Above: make([]bool, 2), Order: []int32{0, 1}, Cells: []int64{7, -7}}
	for _, c := range []struct {
		shape     *Shape
		op        Op
		row, cell Interval
	}{
		{from(Int, 1, 9), OpRow, Interval{Min: 0, Max: 1}, Interval{Min: -7, Max: 7}},
		{from(Int, 2, 4), OpRow, Interval{}, Interval{Min: 7, Max: 7}},
		{from(Int, 0, 4), OpRow, Interval{Min: -1}, Interval{Max: 7}},
		{from(Int, math.MaxInt64-1, math.MaxInt64), OpRow, Interval{Min: -1, Max: -1}, anything(Int)}, // no greater key follows
		{from(Double, 1, 9), OpRowDouble, Interval{Min: -1, Max: 1}, Interval{Min: -7, Max: 7}},
		{from(Double, 6, 9), OpRowDouble, Interval{Min: 1, Max: 1}, Interval{Min: -7, Max: -7}},
	} {
		p, g, shapes := sized(c.shape, c.op, Int, 0)
		p.Tables = []Table{bands}
		g.Nodes = append(g.Nodes, Node{Op: OpCell, Kind: Int, Args: []ID{1}})
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, 2)
		got := Intervals(p, g, shapes)
		if !got[1].equal(c.row) || !got[2].equal(c.cell) {
			t.Errorf("%+v: got rows %+v and cells %+v, want %+v and %+v", c.shape, got[1], got[2], c.row, c.cell)
		}
	}
}

// A die shows one of its faces, or nothing when it is not rolled; what explodes adds up.
func TestIntervalsOfDice(t *testing.T) {
	for _, c := range []struct {
		die  Die
		want Interval
	}{
		{Die{}, Interval{Min: 1, Max: 6}},
		{Die{Explode: Band{Lo: 6, Hi: 6}, Times: 2}, Interval{Min: 1, Max: 18}},
		{Die{Explode: Band{1, 1}, Times: 2}, Interval{Min: 1, Max: 8}}, // 1 and 1 and 6
		{Die{Explode: Band{6, 6}}, Interval{Min: 1, Max: 999*6 + 5}},   // the last face of a thousand is no 6
		{Die{Explode: Band{1, 2}}, Interval{Min: 3, Max: 999*2 + 6}},   // what does not explode is at least 3
		{Die{Again: Band{1, 2}}, Interval{Min: 3, Max: 6}},
		{Die{Again: Band{1, 2}, Once: true}, Interval{Min: 1, Max: 6}},                  // the second roll stays
		{Die{Again: Band{5, 9}, Explode: Band{4, 9}}, Interval{Min: 1, Max: 999*4 + 3}}, // 4 explodes, 5 and 6 never stay
		{Die{Again: Band{1, 1}, Explode: Band{6, 6}, Times: 1}, Interval{Min: 2, Max: 12}},
		{Die{Explode: Band{7, 9}}, Interval{Min: 1, Max: 6}}, // no face is so high
		{Die{List: true}, Interval{Min: 2, Max: 2, Elem: []Interval{{Min: 1, Max: 6}}}},
	} {
		g := &Graph{
			Nodes:  []Node{literal(Bool, 1), literal(Int, 6), literal(Int, 2), literal(Fault, 0), {Op: OpRoll, Kind: Int, Args: []ID{0, 1, 2, 3}}},
			Blocks: []Block{{Nodes: []ID{0, 1, 2, 3, 4}}}, Dice: []Die{c.die},
		}
		if got := Intervals(&Plan{}, g, [NumRoots]*Shape{})[4]; !got.equal(c.want) {
			t.Errorf("%+v: got %+v, want %+v", c.die, got, c.want)
		}
	}
}
