package plan_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
)

func TestVerifyFindsTheDefect(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*plan.Plan)
		want   string
	}{
		"symbols":     {func(p *plan.Plan) { p.Symbols[0] = "x" }, "symbol 0"},
		"operand":     {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[2].Args[0] = 6 }, "read before"},
		"own value":   {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[2].Args[0] = 2 }, "read before"},
		"arity":       {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[2].Args = []plan.ID{0} }, "has 1 operands"},
		"kind":        {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[1].Kind = plan.Double }, "is of kind"},
		"operation":   {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[1].Op = plan.Op(plan.NumOps) }, "has operation"},
		"leaf":        {func(p *plan.Plan) { p.Rules[0].Graph.Leaves[0].Offset = 1 }, "leaf 1"},
		"root":        {func(p *plan.Plan) { p.Rules[0].Graph.Leaves[0].Root = plan.StateRoot }, "root that is not there"},
		"site":        {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[3].Site = 9 }, "site 9"},
		"requirement": {func(p *plan.Plan) { p.Rules[0].Graph.Nodes[6].Imm = 1 }, "requirement 1"},
		"output":      {func(p *plan.Plan) { p.Rules[0].Graph.Outputs.Fields[0].ID = 99 }, "node 99"},
		"output kind": {func(p *plan.Plan) { p.Rules[0].Graph.Outputs.Fields[0].ID = 4 }, "another kind"},
		"cells":       {func(p *plan.Plan) { p.Tables[0].Cells = nil }, "0 cells"},
		"order":       {func(p *plan.Plan) { p.Tables[0].Order[0] = 3 }, "row of table"},
		"option":      {func(p *plan.Plan) { p.Options[0].Default = 1 }, "default of option"},
		"node twice":  {func(p *plan.Plan) { p.Rules[0].Graph.Blocks[0].Nodes[1] = 0 }, "stands twice"},
		"loop of a die": {func(p *plan.Plan) { p.Rules[0].Graph.Dice = []plan.Die{{ID: "roll", Loops: []plan.ID{1}}} },
			"which is no loop"},
		"die's limit": {func(p *plan.Plan) { p.Rules[0].Graph.Dice[0].Times = -1 }, "die roll has a limit below 0"},
		"die's faces": {func(p *plan.Plan) { p.Rules[0].Graph.Dice[0].Shows = make([]int64, 1001) }, "lists 1001 faces"},
		"die's high face": {func(p *plan.Plan) { p.Rules[0].Graph.Dice[0].Shows = []int64{1, 1_000_000_001} },
			"die roll shows 1000000001, beyond"},
		"die's low face": {func(p *plan.Plan) { p.Rules[0].Graph.Dice[0].Shows = []int64{math.MinInt64, 1} },
			"die roll shows -9223372036854775808, beyond"},
		"die's loop": {func(p *plan.Plan) { p.Rules[0].Graph.Dice = []plan.Die{{ID: "roll", Loops: []plan.ID{99}}} },
			"loop of die roll 99"},
		"no character": {func(p *plan.Plan) { p.Character = nil }, "character"},
		"no span":      {func(p *plan.Plan) { p.Types[0] = plan.IntType; addSort(p, plan.OpSort) }, "type 0 is int, no span"},
		"no map":       {func(p *plan.Plan) { addSort(p, plan.OpKeys) }, "type 0 is list(int), no span"},
		"no numbers": {func(p *plan.Plan) {
			p.Tables[0] = plan.Table{Kind: plan.KeyedTable, Row: p.Tables[0].Row}
			addLookup(p)
		}, "has no numbers"},
	} {
		p := plantest.Sample()
		c.damage(p)
		if err := plan.Verify(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestVerifyRefusesKindsThatAreNone gives nodes kinds beyond the last one, as only a file can.
func TestVerifyRefusesKindsThatAreNone(t *testing.T) {
	everything := plantest.Everything()
	if err := plan.Verify(everything); err != nil {
		t.Fatal(err)
	}
	for i := range everything.Rules[1].Graph.Nodes {
		for _, kind := range []plan.Kind{plan.Invalid, plan.Record, plan.Fault + 1, 255} {
			p := plantest.Everything()
			p.Rules[1].Graph.Nodes[i].Kind = kind
			if plan.Verify(p) == nil {
				t.Errorf("node %d (%s) may be of kind %d", i, p.Rules[1].Graph.Nodes[i].Op, kind)
			}
		}
	}
}

// TestVerifyRefusesReadingWhatGivesNoValue lets an output, and an operand, be a loop and an effect, which have no slot.
func TestVerifyRefusesReadingWhatGivesNoValue(t *testing.T) {
	for i, n := range plantest.Everything().Rules[1].Graph.Nodes {
		if n.Op != plan.OpLoop && n.Op != plan.OpRequire && n.Op != plan.OpCover {
			continue
		}
		p := plantest.Everything()
		output := &p.Rules[1].Graph.Outputs.Fields[0]
		output.ID = plan.ID(i)
		if n.Kind == plan.Bool {
			output.Type, p.Rules[1].Graph.Outputs.Type.Fields[0].Type = plan.BoolType, plan.BoolType
		}
		if err := plan.Verify(p); err == nil || !strings.Contains(err.Error(), "gives no value") {
			t.Errorf("an output that is node %d, %s: %v", i, n.Op, err)
		}
		p = plantest.Everything()
		g := &p.Rules[1].Graph
		g.Nodes = append(g.Nodes, plan.Node{Op: plan.OpNot, Kind: plan.Bool, Args: []plan.ID{plan.ID(i)}, Site: -1})
		if n.Kind == plan.Int {
			g.Nodes[len(g.Nodes)-1] = plan.Node{Op: plan.OpNegInt, Kind: plan.Int, Args: []plan.ID{plan.ID(i)}, Site: -1}
		}
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, plan.ID(len(g.Nodes)-1))
		if err := plan.Verify(p); err == nil || !strings.Contains(err.Error(), "gives no value") {
			t.Errorf("an operand that is node %d, %s: %v", i, n.Op, err)
		}
	}
}

// TestVerifyRefusesNodesThatAreNone names a node in the body of a loop that the graph does not have.
func TestVerifyRefusesNodesThatAreNone(t *testing.T) {
	p := plantest.Everything()
	p.Rules[1].Graph.Blocks[1].Nodes = []plan.ID{plan.ID(len(p.Rules[1].Graph.Nodes))}
	if err := plan.Verify(p); err == nil || !strings.Contains(err.Error(), "is not one of") {
		t.Errorf("got %v", err)
	}
}

// addSort adds an operation on an empty span of type 0.
func addSort(p *plan.Plan, op plan.Op) {
	kind := plan.List
	if op == plan.OpKeys {
		kind = plan.Map
	}
	addNodes(p, plan.Node{Op: plan.OpConst, Kind: kind, Site: -1},
		plan.Node{Op: op, Kind: plan.List, Args: []plan.ID{7}, Site: -1})
}

// addLookup adds a look-up of a double.
func addLookup(p *plan.Plan) {
	addNodes(p, plan.Node{Op: plan.OpConst, Kind: plan.Double, Site: -1},
		plan.Node{Op: plan.OpRowDouble, Kind: plan.Int, Args: []plan.ID{7}, Site: -1})
}

// addNodes adds nodes to the end of the rule, the first as node 7.
func addNodes(p *plan.Plan, nodes ...plan.Node) {
	g := &p.Rules[0].Graph
	g.Nodes = append(g.Nodes, nodes...)
	g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, 7, 8)
}

// TestSlotsOfAShapeAreThoseOfItsType counts the slots of nested records with optional fields, in which a list is one.
func TestSlotsOfAShapeAreThoseOfItsType(t *testing.T) {
	point := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "x", Shape: &plan.Shape{Kind: plan.Int}},
		{Name: "y", Shape: &plan.Shape{Kind: plan.Int}, Optional: true}}}
	s := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "at", Shape: point, Optional: true}, {Name: "from", Shape: point},
		{Name: "path", Shape: &plan.Shape{Kind: plan.List, Elem: point}},
	}}
	const want = (1 + 3) + 3 + 1
	if s.Slots() != want || s.Type().Slots() != want {
		t.Errorf("the shape has %d slots, its type %d, not %d", s.Slots(), s.Type().Slots(), want)
	}
	for slot := range want + 1 {
		if got, want := s.SlotType(slot), s.Type().SlotType(slot); !reflect.DeepEqual(got, want) {
			t.Errorf("slot %d of the shape is %v, of its type %v", slot, got, want)
		}
	}
}
