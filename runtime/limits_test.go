package runtime

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// wounded is a rule of a character whose body is at most 20, of which so much is left, and that gives what is left.
func wounded(t *testing.T) *Rule {
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "left", Shape: &plan.Shape{Kind: plan.Int, Limits: []plan.Limit{{Upper: true, Sum: [][]string{{"full"}}}}}},
		{Name: "full", Shape: &plan.Shape{Kind: plan.Int}},
	}}
	b.Graph.Leaves = []plan.Leaf{{Root: plan.CharacterRoot}}
	b.Output("left", plan.IntType, b.Node(plan.OpLeaf, plan.Int, 0), plan.None)
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	if err := plan.Verify(b.Plan); err != nil {
		t.Fatal(err)
	}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const beyondFull = "character.left: must be at most full, which is 20, not 21"

// A bound that another field sets holds for records without JSON too.
func TestLimitsOfFramesAndBlocks(t *testing.T) {
	r := wounded(t)
	left, err := r.Field("character.left")
	if err != nil {
		t.Fatal(err)
	}
	full, err := r.Field("character.full")
	if err != nil {
		t.Fatal(err)
	}
	f := r.Frame()
	f.SetInt(left, 21)
	f.SetInt(full, 20)
	if f.Run(nil) || f.Err() == nil || f.Err().Error() != beyondFull {
		t.Errorf("21 of 20 are left in a frame: %v", f.Err())
	}
	f.SetInt(left, 20)
	if !f.Run(nil) {
		t.Error(f.Err())
	}
	b, err := r.Block(0)
	if err != nil {
		t.Fatal(err)
	}
	b.FillInts(left, []int64{20, 21, 0})
	b.FillInts(full, []int64{20, 20, 20})
	b.Run()
	if b.Err(0) != nil || b.Err(1) == nil || b.Err(1).Error() != beyondFull || b.Err(2) != nil {
		t.Errorf("20, 21 and 0 of 20 are left in a block: %v, %v, %v", b.Err(0), b.Err(1), b.Err(2))
	}
}

// The field that bounds one that is read is asked for, and both are judged once they are known.
func TestAskLimits(t *testing.T) {
	r := wounded(t)
	reply, err := r.Ask(Request{Character: []byte(`{"left": 21}`)})
	if err != nil || len(reply.Needs) != 1 || reply.Needs[0].Path != "character.full" {
		t.Fatalf("beside 21 are asked for: %+v, %v", reply, err)
	}
	var bad *jsonio.InputError
	_, err = r.Ask(Request{Character: []byte(`{"left": 21, "full": 20}`)})
	if !errors.As(err, &bad) || bad.Error() != beyondFull {
		t.Errorf("21 of 20 are left: %v", err)
	}
}
