package plan

import (
	"reflect"
	"strings"
	"testing"
)

// sample is a plan with a part of every kind: 2 * character.strength, refused when it is negative.
func sample() *Plan {
	character := &Shape{Kind: Record, Fields: []Member{{Name: "strength", Shape: &Shape{Kind: Int, Min: &Bound{Value: 0}}}}}
	out := Value{Type: &Type{Kind: Record, Fields: []Field{{Name: "twice", Type: IntType}}}, ID: None, Fault: None, Present: None,
		Fields: []Value{{Type: IntType, ID: 2, Fault: 3, Present: None}}}
	g := Graph{
		Nodes: []Node{
			{Op: OpLeaf, Kind: Int, Site: -1},
			{Op: OpConst, Kind: Int, Imm: 2, Site: -1},
			{Op: OpMulInt, Kind: Int, Args: []ID{0, 1}, Site: -1},
			{Op: OpMulIntFault, Kind: Fault, Args: []ID{0, 1}, Site: 0},
			{Op: OpLeInt, Kind: Bool, Args: []ID{1, 2}, Site: -1},
			{Op: OpConst, Kind: Bool, Imm: 1, Site: -1},
			{Op: OpRequire, Kind: Bool, Args: []ID{5, 4, 3}, Site: -1},
		},
		Blocks: []Block{{Nodes: []ID{0, 1, 2, 3, 4, 5, 6}}},
		Leaves: []Leaf{{Root: CharacterRoot}},
		Sites:  []Site{{Place: Place{"a.cue", 3, 7}, Name: "rule twice", Cite: "chapter 1", Text: "2 * character.strength"}},
		Dice: []Die{{
			ID: "roll", Place: Place{"a.cue", 4, 1}, List: true, Distinct: true, Again: Band{1, 2}, Once: true, Explode: Band{5, 6}, Times: 2, Most: 9,
		}},
		Requires: []Require{{Message: "too weak", Name: "rule twice"}},
		Names:    []Named{{Name: "twice", Kind: OutputName, Value: out.Fields[0], Option: -1}},
		Outputs:  out,
		When:     Value{ID: None, Fault: None, Present: None},
	}
	return &Plan{
		Ruleset: "sample", Title: "Sample", Revision: "0.1.0", Symbols: []string{"", "up"}, Consts: []int64{1, 2},
		Types:     []*Type{ListOf(IntType)},
		Options:   []Option{{ID: "band", Values: []string{"up"}, Symbols: []int64{1}}},
		Tables:    []Table{{ID: "t", Kind: BandsTable, Row: &Type{Kind: Record, Fields: []Field{{Name: "x", Type: IntType}}}, Lo: []float64{1}, Hi: []float64{6}, Above: []bool{false}, Order: []int32{0}, Cells: []int64{5}}},
		Character: character,
		Rules:     []Rule{{ID: "twice", Cite: "chapter 1", Input: &Shape{Kind: Record}, Graph: g}},
		Entries:   []Entry{{Kind: RuleEntry, ID: "twice", Covers: []string{"sample.twice"}, Lines: []Line{{Part: "output", Name: "twice", Text: "2 * x"}}}},
		Readings:  []Reading{{ID: "r", Question: "?"}},
		Errata:    []Erratum{{ID: "e", Option: "band"}},
	}
}

func TestFileKeepsEverything(t *testing.T) {
	want := sample()
	got, err := Read(Write(want, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back another plan:\n got %+v\nwant %+v", got, want)
	}
	if Digest(got) != Digest(want) {
		t.Error("the digest of the plan that was read differs")
	}
}

func TestVerifyFindsTheDefect(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*Plan)
		want   string
	}{
		"symbols":       {func(p *Plan) { p.Symbols[0] = "x" }, "symbol 0"},
		"operand":       {func(p *Plan) { p.Rules[0].Graph.Nodes[2].Args[0] = 6 }, "read before"},
		"own value":     {func(p *Plan) { p.Rules[0].Graph.Nodes[2].Args[0] = 2 }, "read before"},
		"arity":         {func(p *Plan) { p.Rules[0].Graph.Nodes[2].Args = []ID{0} }, "has 1 operands"},
		"kind":          {func(p *Plan) { p.Rules[0].Graph.Nodes[1].Kind = Double }, "is of kind"},
		"operation":     {func(p *Plan) { p.Rules[0].Graph.Nodes[1].Op = Op(NumOps) }, "has operation"},
		"leaf":          {func(p *Plan) { p.Rules[0].Graph.Leaves[0].Offset = 1 }, "leaf 1"},
		"root":          {func(p *Plan) { p.Rules[0].Graph.Leaves[0].Root = StateRoot }, "root that is not there"},
		"site":          {func(p *Plan) { p.Rules[0].Graph.Nodes[3].Site = 9 }, "site 9"},
		"requirement":   {func(p *Plan) { p.Rules[0].Graph.Nodes[6].Imm = 1 }, "requirement 1"},
		"output":        {func(p *Plan) { p.Rules[0].Graph.Outputs.Fields[0].ID = 99 }, "node 99"},
		"output kind":   {func(p *Plan) { p.Rules[0].Graph.Outputs.Fields[0].ID = 4 }, "another kind"},
		"cells":         {func(p *Plan) { p.Tables[0].Cells = nil }, "0 cells"},
		"order":         {func(p *Plan) { p.Tables[0].Order[0] = 3 }, "row of table"},
		"option":        {func(p *Plan) { p.Options[0].Default = 1 }, "default of option"},
		"node twice":    {func(p *Plan) { p.Rules[0].Graph.Blocks[0].Nodes[1] = 0 }, "stands twice"},
		"loop of a die": {func(p *Plan) { p.Rules[0].Graph.Dice = []Die{{ID: "roll", Loops: []ID{1}}} }, "which is no loop"},
		"die's limit":   {func(p *Plan) { p.Rules[0].Graph.Dice[0].Times = -1 }, "die roll has a limit below 0"},
		"die's loop":    {func(p *Plan) { p.Rules[0].Graph.Dice = []Die{{ID: "roll", Loops: []ID{99}}} }, "loop of die roll 99"},
		"no character":  {func(p *Plan) { p.Character = nil }, "character"},
		"no span":       {func(p *Plan) { p.Types[0] = IntType; p.sorted(OpSort) }, "type 0 is int, no span"},
		"no map":        {func(p *Plan) { p.sorted(OpKeys) }, "type 0 is list(int), no span"},
		"no numbers":    {func(p *Plan) { p.Tables[0] = Table{Kind: KeyedTable, Row: p.Tables[0].Row}; p.looked() }, "has no numbers"},
	} {
		p := sample()
		c.damage(p)
		if err := Verify(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// sorted adds an operation on an empty span of type 0.
func (p *Plan) sorted(op Op) {
	kind := List
	if op == OpKeys {
		kind = Map
	}
	p.add(Node{Op: OpConst, Kind: kind, Site: -1}, Node{Op: op, Kind: List, Args: []ID{7}, Site: -1})
}

// looked adds a look-up of a double.
func (p *Plan) looked() {
	p.add(Node{Op: OpConst, Kind: Double, Site: -1}, Node{Op: OpRowDouble, Kind: Int, Args: []ID{7}, Site: -1})
}

// add adds nodes to the end of the rule, the first as node 7.
func (p *Plan) add(nodes ...Node) {
	g := &p.Rules[0].Graph
	g.Nodes = append(g.Nodes, nodes...)
	g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, 7, 8)
}

func TestEveryOperationHasASignature(t *testing.T) {
	seen := map[string]Op{}
	for op := OpConst; int(op) < NumOps; op++ {
		s := signatures[op]
		if s.name == "" || s.gives == 0 {
			t.Errorf("operation %d has no signature", op)
		}
		if other, ok := seen[s.name]; ok {
			t.Errorf("operations %d and %d have the same name %q", other, op, s.name)
		}
		seen[s.name] = op
	}
}

// TestSlotsOfAShapeAreThoseOfItsType counts the slots of nested records with optional fields, in which a list is one.
func TestSlotsOfAShapeAreThoseOfItsType(t *testing.T) {
	point := &Shape{Kind: Record, Fields: []Member{{Name: "x", Shape: &Shape{Kind: Int}}, {Name: "y", Shape: &Shape{Kind: Int}, Optional: true}}}
	s := &Shape{Kind: Record, Fields: []Member{
		{Name: "at", Shape: point, Optional: true}, {Name: "from", Shape: point}, {Name: "path", Shape: &Shape{Kind: List, Elem: point}},
	}}
	const want = (1 + 3) + 3 + 1
	if s.Slots() != want || s.Type().Slots() != want {
		t.Errorf("the shape has %d slots, its type %d, not %d", s.Slots(), s.Type().Slots(), want)
	}
}
