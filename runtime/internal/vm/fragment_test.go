package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestProceedForgetsTooManyFaults lets an executor keep faults without end, as fields that have no value make them.
func TestProceedForgetsTooManyFaults(t *testing.T) {
	s := NewExecutor(NewImage(&plan.Plan{}))
	s.Proceed()
	s.faults = make([]fault, 1)
	if !s.Proceed() || len(s.faults) != 1 {
		t.Errorf("one fault is too many: %d stay", len(s.faults))
	}
	s.faults = make([]fault, 1<<18+1)
	if s.Proceed() || len(s.faults) != 0 {
		t.Errorf("%d faults stay", len(s.faults))
	}
}

// TestSpanOfNothingButASizeStays counts the elements of a list that is read for its size alone, as odds do it: such a span
// begins where the arena does, where nothing of its elements may be looked for, also in a plan without constants.
func TestSpanOfNothingButASizeStays(t *testing.T) {
	elem := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "harm", Type: plan.IntType, Fallible: true}}}
	g := &plan.Graph{
		Nodes: []plan.Node{
			{Op: plan.OpLeaf, Kind: plan.List, Site: -1},
			{Op: plan.OpConst, Kind: plan.Int, Imm: 1, Site: -1},
			{Op: plan.OpAddInt, Kind: plan.List, Args: []plan.ID{0, 1}, Site: -1},
		},
		Blocks:  []plan.Block{{Nodes: []plan.ID{0, 1, 2}}},
		Leaves:  []plan.Leaf{{Root: plan.InputRoot}},
		Outputs: plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None, Type: &plan.Type{Kind: plan.Record}},
	}
	g.Outputs.Type.Fields = []plan.Field{{Name: "all", Type: plan.IntType}}
	g.Outputs.Fields = []plan.Value{{Type: plan.IntType, ID: 2, Fault: plan.None, Present: plan.None}}
	m := NewImage(&plan.Plan{})
	x, err := NewFragment(m, g, nil, [plan.NumRoots]int{plan.InputRoot: 1},
		[]FragmentOutput{{ID: 2, Kind: plan.List, List: &plan.Type{Kind: plan.List, Elem: elem}}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewExecutor(m)
	s.Proceed()
	s.arena = append(s.arena, 7, 7) // of another list, that stays
	out := make([]int64, 1)
	for n := range int64(3) {
		if err := s.Run(x, []int64{n}, out); err != nil || out[0] != n+1 {
			t.Errorf("%d and one more are %d, %v", n, out[0], err)
		}
	}
}
