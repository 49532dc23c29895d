package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every pass stands after those that it must follow, and what it names exists.
func TestPassOrder(t *testing.T) {
	var seen []string
	for _, p := range Passes() {
		if p.Name == "" || p.Doc == "" || slices.Contains(seen, p.Name) {
			t.Errorf("pass %q has no name or doc, or stands twice", p.Name)
		}
		if (len(p.After) > 0) != (p.Why != "") {
			t.Errorf("pass %s does not say why it stands where it does", p.Name)
		}
		for _, before := range p.After {
			if !slices.Contains(seen, before) {
				t.Errorf("pass %s stands before %s", p.Name, before)
			}
		}
		seen = append(seen, p.Name)
	}
}

// A sum of the input's first slot and constants, one of which is computed twice.
func sample() *plan.Graph {
	node := func(op plan.Op, imm int64, args ...plan.ID) plan.Node {
		return plan.Node{Op: op, Kind: plan.Int, Imm: imm, Args: args, Site: -1}
	}
	value := func(id plan.ID) plan.Value {
		return plan.Value{Type: plan.IntType, ID: id, Fault: plan.None, Present: plan.None}
	}
	out := plan.Value{
		Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "r", Type: plan.IntType},
			{Name: "s", Type: plan.IntType}}},
		ID: plan.None, Fault: plan.None, Present: plan.None,
		Fields: []plan.Value{value(6), value(7)},
	}
	return &plan.Graph{
		Nodes: []plan.Node{
			0: node(plan.OpLeaf, 0), 1: node(plan.OpLeaf, 1), 2: node(plan.OpConst, 2), 3: node(plan.OpConst, 3),
			4: node(plan.OpAddInt, 0, 2, 3), 5: node(plan.OpAddInt, 0, 0, 4),
			6: node(plan.OpMulInt, 0, 5, 8), 7: node(plan.OpSubInt, 0, 0, 2), 8: node(plan.OpAddInt, 0, 1, 4),
		},
		Blocks:  []plan.Block{{Nodes: []plan.ID{0, 1, 2, 3, 4, 5, 8, 6, 7}}},
		Leaves:  []plan.Leaf{{Root: plan.InputRoot, Offset: 1}, {Root: plan.InputRoot, Offset: 1}},
		Outputs: out,
	}
}

func ops(c *Code) (out []string) {
	for _, w := range c.Instructions {
		out = append(out, operationName(w.Op))
	}
	return out
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Full: true}, "add.int add.int add.int mul.int sub.int"},
		{Options{}, "add.int mul.int sub.int"},
		{Options{Outputs: []string{"r"}}, "add.int mul.int"},
		{Options{Outputs: []string{"s"}}, "sub.int"},
		{Options{Without: []string{"share"}}, "add.int add.int mul.int sub.int"},
		{Options{Without: []string{"fold", "bounds"}}, "add.add mul.int sub.int"},
		{Options{Without: []string{"fold", "bounds", "fuse"}}, "add.int add.int mul.int sub.int"},
		{Options{Without: []string{"fold", "bounds", "fuse", "dead"}, Outputs: []string{"s"}}, "add.int add.int mul.int sub.int"},
	} {
		g := sample()
		code, err := Make(&plan.Plan{}, g, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ops(code), " "); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.opt, got, c.want)
		}
		if !slices.EqualFunc(g.Nodes, sample().Nodes,
			func(a, b plan.Node) bool { return a.Op == b.Op && a.Imm == b.Imm && slices.Equal(a.Args, b.Args) }) {
			t.Errorf("%+v: the graph has changed", c.opt)
		}
	}
}

// The records that are given stand first, then the constants, then what is computed.
func TestLayout(t *testing.T) {
	code, err := Make(&plan.Plan{}, sample(), Options{Roots: [plan.NumRoots]int{3, 2, 4, 1}, Without: []string{"reuse"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := [plan.NumRoots]int32{0, 3, 5, 9}; code.Base != want || code.FirstConst != 10 {
		t.Errorf("got records at %d and constants at %d, want %d and 10", code.Base, code.FirstConst, want)
	}
	slots := map[plan.ID]int32{6: 13, 7: 14}
	for id, want := range slots {
		if got, ok := code.Slot(id); !ok || got != want {
			t.Errorf("slot of node %d: got %d, %v, want %d", id, got, ok, want)
		}
	}
	if !slices.Equal(code.Consts, []int64{2, 5}) || code.Slots != 15 {
		t.Errorf("got constants %d, %d slots", code.Consts, code.Slots)
	}
	for _, id := range []plan.ID{3, 5, plan.None, 99} {
		if slot, ok := code.Slot(id); ok {
			t.Errorf("node %d has slot %d", id, slot)
		}
	}
}

func TestMakeFails(t *testing.T) {
	var unknown *UnknownError
	if _, err := Make(&plan.Plan{}, sample(), Options{Outputs: []string{"q"}}); !errors.As(err, &unknown) ||
		unknown.What != "output" {
		t.Errorf("an output that there is not: got %v", err)
	}
	if _, err := Make(&plan.Plan{}, sample(), Options{Without: []string{"q"}}); !errors.As(err, &unknown) ||
		unknown.What != "pass" {
		t.Errorf("a pass that there is not: got %v", err)
	}
	var size *SizeError
	if _, err := Make(&plan.Plan{}, sample(),
		Options{Roots: [plan.NumRoots]int{0, maxSlots - 4}, Without: []string{"reuse"}}); !errors.As(err, &size) ||
		size.Has != maxSlots+1 {
		t.Errorf("too many slots: got %v", err)
	}
	if _, err := Make(&plan.Plan{}, sample(),
		Options{Roots: [plan.NumRoots]int{0, maxSlots - 5}, Without: []string{"reuse"}}); err != nil {
		t.Errorf("as many slots as there may be: got %v", err)
	}
}

func TestString(t *testing.T) {
	code, err := Make(&plan.Plan{}, sample(), Options{Outputs: []string{"r"}, Roots: [plan.NumRoots]int{0, 2, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	want := `5 slots, records at [0 0 2 2], constants at 2
  s2 = 5
   0  s3 = add.int s1, s2
   1  s4 = mul.int s3, s3
`
	if got := code.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
