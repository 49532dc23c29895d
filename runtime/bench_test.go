package runtime

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// checked is a graph of arithmetic with its faults, as formulas over characters are: a chain of so many links.
func checked(links int) *build {
	b := newBuild()
	b.p.Tables = []plan.Table{bands()}
	value, fault := b.leaf(plan.Int, 5), b.ok()
	for i := range links {
		k := b.leaf(plan.Int, int64(i%7)+1)
		sum := b.node(plan.OpAddInt, plan.Int, 0, value, k)
		fault = b.node(plan.OpFirstFault, plan.Fault, 0, fault, b.node(plan.OpAddIntFault, plan.Fault, 0, value, k))
		low := b.node(plan.OpLtInt, plan.Bool, 0, sum, b.int(10))
		row := b.node(plan.OpRow, plan.Int, 0, b.node(plan.OpMinInt, plan.Int, 0, sum, b.int(3)))
		cell := b.node(plan.OpCell, plan.Int, 0, row)
		value = b.node(plan.OpSelect, plan.Int, 0, low, sum, b.node(plan.OpSubInt, plan.Int, 0, sum, cell))
	}
	b.out("r", plan.IntType, value, fault)
	return b
}

func BenchmarkRun(b *testing.B) {
	g := checked(20)
	f, code := g.frame(b, schedule.Options{})
	source := dice.FromList(nil)
	words := len(code.Words)
	for b.Loop() {
		if err := f.run(code, source); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(words), "ns/word")
}

func BenchmarkMake(b *testing.B) {
	g := checked(20)
	opt := g.options(schedule.Options{})
	for b.Loop() {
		if _, err := schedule.Make(g.p, &g.g, opt); err != nil {
			b.Fatal(err)
		}
	}
}
