package schedule

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestFindNeedsRefuses wants the first requirement that is known not to hold to be told while other fields are open, and
// none that may be preceded by another refusal, that may not be met, or that may have no value. What can still decide about
// a requirement, or be the output, is read.
func TestFindNeedsRefuses(t *testing.T) {
	const ( // nodes, of which the fields of the input are the first
		guard, first, guardOfSecond, second, output, divisor, one, divFault, none = 0, 1, 2, 3, 4, 5, 6, 7, 8
	)
	const fields = 6
	leaf := func(at int64, kind plan.Kind) plan.Node {
		return plan.Node{Op: plan.OpLeaf, Kind: kind, Imm: at, Site: -1}
	}
	require := func(imm int64, args ...plan.ID) plan.Node {
		return plan.Node{Op: plan.OpRequire, Kind: plan.Bool, Imm: imm, Args: args, Site: -1}
	}
	g := &plan.Graph{
		Nodes: []plan.Node{
			guard: leaf(guard, plan.Bool), first: leaf(first, plan.Bool), guardOfSecond: leaf(guardOfSecond, plan.Bool),
			second: leaf(second, plan.Bool), output: leaf(output, plan.Bool), divisor: leaf(divisor, plan.Int),
			one:      {Op: plan.OpConst, Kind: plan.Int, Imm: 1, Site: -1},
			divFault: {Op: plan.OpDivFault, Kind: plan.Fault, Args: []plan.ID{one, divisor}},
			none:     {Op: plan.OpConst, Kind: plan.Fault, Site: -1},
			9:        require(0, guard, first, divFault),
			10:       require(1, guardOfSecond, second, none),
		},
		Requires: []plan.Require{{Message: "first"}, {Message: "second"}},
		Sites:    []plan.Site{{}},
		Blocks:   []plan.Block{{Nodes: []plan.ID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
		Outputs: plan.Value{Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "o", Type: plan.BoolType}}},
			ID: plan.None, Fault: plan.None, Present: plan.None,
			Fields: []plan.Value{{Type: plan.BoolType, ID: output, Fault: plan.None, Present: plan.None}}},
	}
	for at := range int32(fields) { // the nodes of later fields stand before those of earlier ones
		g.Leaves = append(g.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: fields - 1 - at})
	}
	for _, c := range []struct{ known, refused, reads string }{ // ? is a field that is open
		{"1011?1", "first", "4"}, {"1010?1", "first", "4"}, {"1110?1", "second", "4"}, {"1111?1", "", "4"},
		{"0010?1", "second", "4"}, {"0000?1", "", "4"}, {"0010?0", "second", "4"}, // without its guard none is met
		{"1?10?1", "", "14"}, {"?010?1", "", "04"}, {"11?0?1", "", "24"}, {"111??1", "", "34"}, // what is open may decide
		{"1010?0", "", "4"}, {"1110?0", "", "4"}, {"1010??", "", "45"}, // the first has no value, or may have none
		{"?110?1", "second", "4"}, {"?110??", "", "045"}, // the first holds, if it has a value
	} {
		given := Given{Slots: map[plan.Leaf]int64{}}
		for at, digit := range c.known {
			if digit != '?' {
				given.Slots[g.Leaves[at]] = int64(digit - '0')
			}
		}
		n, err := FindNeeds(&plan.Plan{}, g, Options{}, given)
		if err != nil {
			t.Fatal(err)
		}
		refused, reads := "", ""
		if n.Refused != nil {
			refused = n.Refused.Message
		}
		for _, r := range n.Reads {
			reads = fmt.Sprint(slices.Index(g.Leaves, r.Leaf)) + reads // they are told in the order of their slots
		}
		if refused != c.refused || reads != c.reads {
			t.Errorf("of %s it refuses with %q and reads %s; it should with %q, and read %s", c.known, refused, reads, c.refused,
				c.reads)
		}
	}
}

// TestFindNeedsOfKeys wants a key that is known to stand in a map, or not to, to decide what else is read. A map without
// further keys lacks every other one.
func TestFindNeedsOfKeys(t *testing.T) {
	const table, key, least, found, isThere, ifThere, ifNot, output = 0, 1, 2, 3, 4, 5, 6, 7
	const symbol = 40
	g := &plan.Graph{
		Nodes: []plan.Node{
			table: {Op: plan.OpLeaf, Kind: plan.Map, Imm: 0, Site: -1},
			key:   {Op: plan.OpConst, Kind: plan.String, Imm: symbol, Site: -1}, least: {Op: plan.OpConst, Kind: plan.Int, Site: -1},
			found:   {Op: plan.OpFind, Kind: plan.Int, Args: []plan.ID{table, key}, Imm: 2, Site: -1},
			isThere: {Op: plan.OpLeInt, Kind: plan.Bool, Args: []plan.ID{least, found}, Site: -1},
			ifThere: {Op: plan.OpLeaf, Kind: plan.Int, Imm: 1, Site: -1}, ifNot: {Op: plan.OpLeaf, Kind: plan.Int, Imm: 2, Site: -1},
			output: {Op: plan.OpSelect, Kind: plan.Int, Args: []plan.ID{isThere, ifThere, ifNot}, Site: -1},
		},
		Blocks: []plan.Block{{Nodes: []plan.ID{0, 1, 2, 3, 4, 5, 6, 7}}},
		Leaves: []plan.Leaf{{Root: plan.InputRoot}, {Root: plan.InputRoot, Offset: 1}, {Root: plan.InputRoot, Offset: 2}},
		Outputs: plan.Value{Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "o", Type: plan.IntType}}},
			ID: plan.None, Fault: plan.None, Present: plan.None,
			Fields: []plan.Value{{Type: plan.IntType, ID: output, Fault: plan.None, Present: plan.None}}},
	}
	for _, c := range []struct {
		about    string
		entries  map[int64][]int64
		isClosed bool
		reads    string
	}{
		{"nothing is known of the map", nil, false, "[0 1 2]"},
		{"it has another key", map[int64][]int64{symbol + 1: {5}}, false, "[0 1 2]"},
		{"it has the key", map[int64][]int64{symbol: {5}}, false, "[1]"},
		{"it has the key alone", map[int64][]int64{symbol: {5}}, true, "[1]"},
		{"it is accepted without the key", map[int64][]int64{symbol: nil}, false, "[2]"},
		{"it has another key alone", map[int64][]int64{symbol + 1: {5}}, true, "[2]"},
		{"it is empty", nil, true, "[2]"},
	} {
		n, err := FindNeeds(&plan.Plan{}, g, Options{}, Given{Entries: map[plan.Leaf]map[int64][]int64{g.Leaves[0]: c.entries},
			Closed: map[plan.Leaf]bool{g.Leaves[0]: c.isClosed}})
		if err != nil {
			t.Fatal(err)
		}
		var reads []int32
		for _, r := range n.Reads {
			reads = append(reads, r.Leaf.Offset)
		}
		if fmt.Sprint(reads) != c.reads {
			t.Errorf("%s: the fields %v are read, and should be %s", c.about, reads, c.reads)
		}
	}
}

// TestFindNeedsOfNext wants each field to be read by the part of the state or the character that it decides, and not where it
// stays what it is.
func TestFindNeedsOfNext(t *testing.T) {
	slot := func(root plan.Root, at int32) plan.Leaf { return plan.Leaf{Root: root, Offset: at} }
	value := func(id plan.ID) plan.Value {
		return plan.Value{Type: plan.IntType, ID: id, Fault: plan.None, Present: plan.None}
	}
	record := func(names string, ids ...plan.ID) (plan.Value, *plan.Shape) {
		v := plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}
		s := &plan.Shape{Kind: plan.Record}
		for i, name := range strings.Split(names, " ") {
			v.Type.Fields = append(v.Type.Fields, plan.Field{Name: name, Type: plan.IntType})
			v.Fields = append(v.Fields, value(ids[i]))
			s.Fields = append(s.Fields, plan.Member{Name: name, Shape: &plan.Shape{Kind: plan.Int}})
		}
		return v, s
	}
	g := &plan.Graph{
		Leaves: []plan.Leaf{slot(plan.EventRoot, 0), slot(plan.EventRoot, 1), slot(plan.StateRoot, 0), slot(plan.StateRoot, 1),
			slot(plan.CharacterRoot, 0)},
		Blocks: []plan.Block{{}},
	}
	for at := range g.Leaves {
		g.Nodes = append(g.Nodes, plan.Node{Op: plan.OpLeaf, Kind: plan.Int, Imm: int64(at), Site: -1})
		g.Blocks[0].Nodes = append(g.Blocks[0].Nodes, plan.ID(at))
	}
	state, shapeOfState := record("kept shown", 2, 0)
	character, shapeOfCharacter := record("strength", 1)
	g.Next = []plan.Value{state, character}
	n, err := FindNeeds(&plan.Plan{}, g, Options{Shapes: [plan.NumRoots]*plan.Shape{plan.StateRoot: shapeOfState,
		plan.CharacterRoot: shapeOfCharacter}}, Given{})
	if err != nil {
		t.Fatal(err)
	}
	var reads []string
	for _, r := range n.Reads {
		reads = append(reads, fmt.Sprint(r.Leaf.Root == plan.EventRoot, r.Leaf.Offset, r.By))
	}
	want := "true 0 [state shown]; true 1 [character strength]"
	if got := strings.Join(reads, "; "); got != want {
		t.Errorf("read are %s, want %s", got, want)
	}
	if !slices.Equal(n.Changed, []plan.Leaf{slot(plan.CharacterRoot, 0)}) {
		t.Errorf("the step changes %v of the character", n.Changed)
	}
}
