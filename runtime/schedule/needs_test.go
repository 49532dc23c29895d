package schedule

import (
	"fmt"
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
	for at := range int32(fields) {
		g.Leaves = append(g.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: at})
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
			reads += fmt.Sprint(r.Leaf.Offset)
		}
		if refused != c.refused || reads != c.reads {
			t.Errorf("of %s it refuses with %q and reads %s; it should with %q, and read %s", c.known, refused, reads, c.refused,
				c.reads)
		}
	}
}
