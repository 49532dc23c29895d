package schedule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// The faults a and b are those of two divisions, c is that of a at another place; p and q are truths of the input. The
// output fails as want says, beside what is left of the effects.
func TestChecksMakeCertain(t *testing.T) {
	const ( // nodes that every graph begins with
		x, y, yes, none, p, q, a, b, c = 0, 1, 2, 3, 4, 5, 6, 7, 8
	)
	const first = 9 // of those of a case
	int2, truths := []plan.ID{x, y}, plan.Bool
	node := func(op plan.Op, kind plan.Kind, args ...plan.ID) plan.Node {
		return plan.Node{Op: op, Kind: kind, Args: args, Site: -1}
	}
	require := func(args ...plan.ID) plan.Node { return node(plan.OpRequire, truths, args...) }
	fault := func(op plan.Op, args ...plan.ID) plan.Node { return node(op, plan.Fault, args...) }
	for _, test := range []struct {
		does   string
		nodes  []plan.Node
		output plan.ID
		idle   bool
		want   string
	}{
		{"a fault that was asked for is none",
			[]plan.Node{require(yes, yes, a), fault(plan.OpFirstFault, a, b), fault(plan.OpFirstFault, 10, none)}, 11, false,
			"div.fault mod.fault require; 7"},
		{"what asks the same elsewhere is none, too",
			[]plan.Node{require(yes, yes, a), fault(plan.OpFirstFault, c, b)}, 10, false, "div.fault mod.fault require; 7"},
		{"a fault that is named twice is asked for once",
			[]plan.Node{fault(plan.OpFirstFault, a, b), fault(plan.OpFirstFault, 9, a)}, 10, false,
			"div.fault mod.fault first.fault; 9"},
		{"a requirement under the guard of an equal one is no more",
			[]plan.Node{require(p, yes, a), require(p, yes, c), require(q, yes, c)}, none, false,
			"leaf leaf div.fault div.fault require require; 3"},
		{"what was checked under a guard is certain in its arm",
			[]plan.Node{require(p, q, a), fault(plan.OpSelect, p, a, b), node(plan.OpAnd, truths, p, q),
				fault(plan.OpAndFault, p, none, 11, 10)}, 12, false, "leaf leaf div.fault require; 3"},
		{"a requirement holds behind itself",
			[]plan.Node{require(yes, p, none), fault(plan.OpSelect, p, a, b)}, 10, false, "leaf div.fault require; 6"},
		{"a die that is rolled has no fault",
			[]plan.Node{{Op: plan.OpRoll, Kind: plan.Int, Args: []plan.ID{yes, x, x, a}, Site: -1},
				fault(plan.OpFirstFault, a, b)}, 10, false, "div.fault mod.fault roll; 7"},
		{"a die that may be left out says nothing",
			[]plan.Node{{Op: plan.OpRoll, Kind: plan.Int, Args: []plan.ID{yes, x, x, a}, Site: -1},
				fault(plan.OpFirstFault, a, b)}, 10, true, "div.fault mod.fault roll first.fault; 10"},
		{"what is read before a check stays",
			[]plan.Node{fault(plan.OpFirstFault, a, b), require(yes, yes, 9), require(q, yes, 9)}, none, false,
			"div.fault mod.fault first.fault require; 3"},
	} {
		g := &plan.Graph{
			Nodes: append([]plan.Node{
				x: node(plan.OpLeaf, plan.Int), y: {Op: plan.OpLeaf, Kind: plan.Int, Imm: 1, Site: -1},
				yes: {Op: plan.OpConst, Kind: truths, Imm: 1, Site: -1}, none: node(plan.OpConst, plan.Fault),
				p: {Op: plan.OpLeaf, Kind: truths, Imm: 2, Site: -1}, q: {Op: plan.OpLeaf, Kind: truths, Imm: 3, Site: -1},
				a: fault(plan.OpDivFault, int2...), b: fault(plan.OpModFault, int2...),
				c: {Op: plan.OpDivFault, Kind: plan.Fault, Args: int2, Site: 1},
			}, test.nodes...),
			Leaves:   []plan.Leaf{{Offset: 0}, {Offset: 1}, {Offset: 2}, {Offset: 3}},
			Dice:     []plan.Die{{ID: "d"}},
			Requires: []plan.Require{{}},
		}
		var all []plan.ID
		for id := range g.Nodes {
			all = append(all, plan.ID(id))
		}
		g.Blocks = []plan.Block{{Nodes: all}}
		g.Outputs = plan.Value{Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "o", Type: plan.IntType}}},
			ID: plan.None, Fault: plan.None, Present: plan.None,
			Fields: []plan.Value{{Type: plan.IntType, ID: yes, Fault: test.output, Present: plan.None}}}
		r := Reduce(&plan.Plan{}, plan.Body{Graph: g}, nil, 0, []bool{test.idle})
		var left []string
		for _, id := range r.Order(0) {
			if id >= p {
				left = append(left, operationName(r.Nodes[id].Op))
			}
		}
		end := r.Replacement(test.output)
		if r.IsNone(end) {
			end = none
		}
		if got := fmt.Sprint(strings.Join(left, " "), "; ", end); got != test.want {
			t.Errorf("%s: %s, want %s", test.does, got, test.want)
		}
		if first != len(g.Nodes)-len(test.nodes) {
			t.Fatal("the cases begin elsewhere")
		}
	}
}
