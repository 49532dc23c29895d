package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// checked is a graph of arithmetic with its faults, as formulas over characters are: a chain of so many links.
func checked(links int) *graphtest.Builder {
	b := graphtest.NewBuilder()
	b.Plan.Tables = []plan.Table{graphtest.Bands()}
	value, fault := b.Leaf(plan.Int, 5), b.NoFault()
	for i := range links {
		k := b.Leaf(plan.Int, int64(i%7)+1)
		sum := b.Node(plan.OpAddInt, plan.Int, 0, value, k)
		fault = b.Node(plan.OpFirstFault, plan.Fault, 0, fault, b.Node(plan.OpAddIntFault, plan.Fault, 0, value, k))
		low := b.Node(plan.OpLtInt, plan.Bool, 0, sum, b.IntConst(10))
		row := b.Node(plan.OpRow, plan.Int, 0, b.Node(plan.OpMinInt, plan.Int, 0, sum, b.IntConst(3)))
		cell := b.Node(plan.OpCell, plan.Int, 0, row)
		value = b.Node(plan.OpSelect, plan.Int, 0, low, sum, b.Node(plan.OpSubInt, plan.Int, 0, sum, cell))
	}
	b.Output("r", plan.IntType, value, fault)
	return b
}

func BenchmarkRun(b *testing.B) {
	g := checked(20)
	f, code := newTestFrame(g, b, schedule.Options{})
	source := dice.FromList(nil)
	instructions := len(code.Instructions)
	for b.Loop() {
		if err := Run(f, code, source); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(instructions), "ns/instruction")
}

func BenchmarkMake(b *testing.B) {
	g := checked(20)
	opt := g.Options(schedule.Options{})
	for b.Loop() {
		if _, err := schedule.Make(g.Plan, &g.Graph, opt); err != nil {
			b.Fatal(err)
		}
	}
}
