package runtime

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A comparison executes a graph for many inputs, in frames and by columns.
type comparison struct {
	*build
	rule *Rule
	rows [][]int64 // the inputs
}

func newComparison(b *build, rows [][]int64) *comparison {
	return &comparison{b, &Rule{program: New(b.p), rule: &plan.Rule{ID: "r", Graph: b.g}}, rows}
}

// frames are the answers of a frame that computes the graph as it stands.
func (c *comparison) frames(t *testing.T, opt schedule.Options) (out []string) {
	f, code := c.frame(t, opt)
	p := newPrinter(c.rule, code)
	for i, row := range c.rows {
		f.reset(code)
		copy(f.slots[code.Base[plan.InputRoot]:], row)
		if err := f.evaluate(code, &c.g, dice.FromSeed(1, uint64(i), 0)); err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, sheetOf(p.append(nil, f, f.record(), f.faces, nil)))
	}
	return out
}

func sheetOf(sheet []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(sheet)
}

// columns are the answers of columns.
func (c *comparison) columns(t *testing.T, opt schedule.Options) (out []string) {
	_, code := c.frame(t, opt)
	if !columnar(code) {
		t.Fatalf("the code does not run by columns:\n%s", code)
	}
	c.rule.program.image.PrepareTables(code)
	cols := newColumns(c.rule.program.image, code)
	p := newPrinter(c.rule, code)
	for len(c.rows) > len(out) {
		n := min(len(c.rows)-len(out), blockSize)
		cols.reset()
		for i, row := range c.rows[len(out):][:n] {
			cols.put(i, code.Base[plan.InputRoot], row)
			cols.seed(i, 1, uint64(len(out)+i))
		}
		cols.run(n)
		for i := range n {
			if err := cols.err(i); err != nil {
				out = append(out, err.Error())
				continue
			}
			out = append(out, sheetOf(p.append(nil, cols.frame, cols.record(i), cols.fallen(i), nil)))
		}
	}
	return out
}

func (c *comparison) compare(t *testing.T) {
	t.Helper()
	want := c.frames(t, schedule.Options{Without: schedule.PassNames()})
	for _, without := range [][]string{nil, {"names"}, {"names", "fuse"}, schedule.PassNames()} {
		got := c.columns(t, schedule.Options{Without: without})
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("without %v, row %d of %v: by columns %s, in a frame %s", without, i, c.rows[i], got[i], want[i])
			}
		}
	}
}

// shuffled are inputs in which the slots of each kind have changed places.
func (b *build) shuffled(n int, r *rand.Rand) [][]int64 {
	kinds := make([]plan.Kind, len(b.input))
	for _, node := range b.g.Nodes {
		if node.Op == plan.OpLeaf {
			kinds[b.g.Leaves[node.Imm].Offset] = node.Kind
		}
	}
	rows := [][]int64{b.input}
	for len(rows) < n {
		row := slices.Clone(b.input)
		for i := range row {
			if k := r.IntN(len(row)); kinds[k] == kinds[i] {
				row[i] = row[k]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Columns answer as frames do, whatever the graph and the inputs.
func FuzzColumns(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	for seed := range uint64(100) {
		bytes := make([]byte, 200)
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range bytes {
			bytes[i] = byte(r.IntN(250))
		}
		f.Add(bytes)
	}
	ops := grownOps()
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 2000 {
			return
		}
		const noLoops = 2
		g := &grower{build: newBuild(), bytes: bytes, nodes: map[plan.Kind][]plan.ID{}}
		g.seeds()
		g.grow(ops, noLoops)
		g.outputs()
		newComparison(g.build, g.shuffled(20, rand.New(rand.NewPCG(uint64(len(bytes)), 0)))).compare(t)
	})
}

// dicey is a graph of all that can end a record early, and of dice: the input is a guard, a number of faces and a limit.
func dicey() *build {
	b := newBuild()
	guard, faces, limit := b.leaf(plan.Bool, 1), b.leaf(plan.Int, 6), b.leaf(plan.Int, 4)
	b.g.Dice = []plan.Die{{ID: "first"}, {ID: "second", Explode: plan.Band{Lo: 6, Hi: 6}, Times: 2}, {ID: "second", Again: plan.Band{Lo: 1, Hi: 2}}}
	b.g.Requires = []plan.Require{{Message: "early"}, {Message: "late"}}
	small := b.node(plan.OpLtInt, plan.Bool, 0, limit, b.int(5))
	b.node(plan.OpRequire, plan.Invalid, 0, guard, small, b.ok())
	bad := b.node(plan.OpDivFault, plan.Fault, 0, b.int(1), limit)
	first := b.node(plan.OpRoll, plan.Int, 0, b.yes(), faces, b.int(-1), b.ok())
	second := b.node(plan.OpRoll, plan.Int, 1, guard, b.int(6), b.int(-1), bad)
	b.node(plan.OpRequire, plan.Invalid, 1, guard, b.node(plan.OpLeInt, plan.Bool, 0, first, limit), b.ok())
	group := b.node(plan.OpRoll, plan.Int, 2, guard, b.int(4), b.int(-1), b.ok())
	sum := b.node(plan.OpAddInt, plan.Int, 0, first, b.node(plan.OpAddInt, plan.Int, 0, second, group))
	b.out("sum", plan.IntType, sum, b.node(plan.OpModFault, plan.Fault, 0, sum, limit))
	return b
}

func TestColumnsEndAndRollAsFramesDo(t *testing.T) {
	b := dicey()
	r := rand.New(rand.NewPCG(1, 2))
	var rows [][]int64
	for range 2*blockSize + 7 {
		rows = append(rows, []int64{r.Int64N(2), r.Int64N(12) - 1, r.Int64N(8) - 1})
	}
	c := newComparison(b, rows)
	c.compare(t)
	kinds := map[string]int{}
	for _, answer := range c.columns(t, schedule.Options{}) {
		kinds[answer[:min(len(answer), 8)]]++
	}
	if len(kinds) < 5 {
		t.Errorf("the rows show little: %v", kinds)
	}
}

func TestColumnarNeedsEveryWord(t *testing.T) {
	loop := newBuild()
	times := loop.leaf(plan.Int, 3)
	sum := loop.loop(times, []plan.ID{loop.int(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		return []plan.ID{loop.node(plan.OpAddInt, plan.Int, 0, carried[0], i)}
	})
	loop.out("sum", plan.IntType, sum[0], plan.None)
	list := newBuild()
	list.g.Dice = []plan.Die{{ID: "d", List: true}}
	list.node(plan.OpRoll, plan.List, 0, list.yes(), list.int(6), list.int(2), list.ok())
	for name, b := range map[string]*build{"loop": loop, "list of dice": list} {
		if _, code := b.frame(t, schedule.Options{}); columnar(code) {
			t.Errorf("%s: the code is said to run by columns", name)
		}
	}
}
