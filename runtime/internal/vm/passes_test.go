package vm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// checkBounds wants every value that the graph has computed to lie within its interval.
func checkBounds(g *graphtest.Grower, t *testing.T) {
	f, code := newTestFrame(g.Builder, t, schedule.Options{Full: true})
	if err := Run(f, code, dice.FromList(nil)); err != nil {
		return
	}
	bounds := interval.Analyse(g.Plan, &g.Graph, [plan.NumRoots]*plan.Shape{plan.InputRoot: g.Shape})
	for _, id := range g.Graph.Blocks[0].Nodes {
		slot, ok := code.Slot(id)
		if n := &g.Graph.Nodes[id]; ok && n.Op != plan.OpLoop && !holds(bounds[id], n.Kind, f.slots[slot]) {
			t.Errorf("node %d, %s: %d is not within %+v", id, n.Op, f.slots[slot], bounds[id])
		}
	}
}

func holds(i interval.Interval, kind plan.Kind, bits int64) bool {
	if kind != plan.Double {
		return i.Holds(bits)
	}
	v := math.Float64frombits(uint64(bits))
	return v != v && i.NaN || i.Low <= v && v <= i.High
}

// Whatever passes run, the answer is that of the graph as it stands.
func FuzzPasses(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Add([]byte{255, 1, 2, 3, 4, 5, 3, 0, 0, 0, 30, 31, 254, 1, 1, 2, 1, 3, 1, 4, 1, 0, 9, 9, 9})
	for seed := range 200 {
		f.Add(graphtest.GrowingBytes(seed))
	}
	ops := graphtest.GrownOps()
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 2000 {
			return
		}
		g := graphtest.NewGrower(bytes, ops)
		checkBounds(g, t)
		checkAgreement(g, t, graphtest.Variants())
	})
}

// checkAgreement wants the graph to have the same answer in every way, which is that of the graph as it stands.
func checkAgreement(g *graphtest.Grower, t *testing.T, ways map[string]schedule.Options) {
	t.Helper()
	want := answerOf(g.Builder, t, schedule.Options{Full: true})
	for name, opt := range ways {
		if got := answerOf(g.Builder, t, opt); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// pairs are the ways to leave out two passes, and to run no more than one or two.
func pairs() map[string]schedule.Options {
	out, names := map[string]schedule.Options{}, schedule.PassNames()
	for i, a := range names {
		for _, b := range names[i:] {
			out["without "+a+" and "+b] = schedule.Options{Without: []string{a, b}}
			out["with only "+a+" and "+b] = schedule.Options{Without: slices.DeleteFunc(schedule.PassNames(),
				func(name string) bool {
					return name == a || name == b
				})}
		}
	}
	return out
}

// Passes depend on no other pass, and spoil none.
func TestPairsOfPasses(t *testing.T) {
	ops, ways := graphtest.GrownOps(), pairs()
	for seed := range 40 {
		checkAgreement(graphtest.NewGrower(graphtest.GrowingBytes(1000+seed), ops), t, ways)
	}
}

// A number that must keep two limits, or may keep a third, is compared once; one of which each comparison is asked for is
// not.
func TestLimits(t *testing.T) {
	success := func(roll, chance int, apart bool) *graphtest.Builder {
		b := graphtest.NewBuilder()
		r, c := b.Value(roll, false), b.Value(chance, false)
		fits := b.Node(plan.OpLeInt, plan.Bool, 0, r, c)
		usual := b.Node(plan.OpAnd, plan.Bool, 0, b.Node(plan.OpLtInt, plan.Bool, 0, r, b.IntConst(97)), fits)
		b.Output("success", plan.BoolType, b.Node(plan.OpOr, plan.Bool, 0, usual,
			b.Node(plan.OpLeInt, plan.Bool, 0, r, b.IntConst(3))), plan.None)
		if apart {
			b.Output("fits", plan.BoolType, fits, plan.None)
		}
		return b
	}
	for roll := range 101 {
		for _, chance := range []int{-5, 0, 2, 3, 4, 50, 95, 96, 97, 100, 150} {
			want := fmt.Sprintf(`{"success":%v}`, roll <= chance && roll < 97 || roll <= 3)
			checkAnswers(success(roll, chance, false), t, "limits", want)
		}
	}
	// a clamp and a comparison; else a comparison with its and, one with its or
	for apart, instructions := range map[bool]int{false: 2, true: 3} {
		if _, code := newTestFrame(success(1, 1, apart), t, schedule.Options{}); len(code.Instructions) != instructions {
			t.Errorf("apart %v: %d instructions:\n%s", apart, len(code.Instructions), code)
		}
	}
	least := graphtest.NewBuilder()
	n := least.Leaf(plan.Int, 5)
	limit := func(op plan.Op, v int64) plan.ID { return least.Node(op, plan.Bool, 0, n, least.Const(plan.Int, v)) }
	least.Output("none", plan.BoolType, least.Node(plan.OpAnd, plan.Bool, 0, limit(plan.OpLtInt, graphtest.MinInt),
		limit(plan.OpLeInt, 9)), plan.None)
	checkAnswers(least, t, "nothing is less than the least int", `{"none":false}`)
}
