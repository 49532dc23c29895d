package vector

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A comparison executes a graph for many inputs, in frames and by columns.
type comparison struct {
	*graphtest.Builder
	image *vm.Image
	rows  [][]int64 // the inputs
}

func newComparison(b *graphtest.Builder, rows [][]int64) *comparison {
	return &comparison{b, vm.NewImage(b.Plan), rows}
}

// sheets are the sheets of code without what stands before the faces.
func (c *comparison) sheets(code *schedule.Code) *jsonio.Template {
	return jsonio.NewTemplate([]byte(`{"rule":"r"`), code, jsonio.QuoteAll(c.Plan.Symbols))
}

// newTestFrame schedules a graph for a frame.
func newTestFrame(t *testing.T, b *graphtest.Builder, opt schedule.Options) (*vm.Frame, *schedule.Code) {
	t.Helper()
	code, err := schedule.Make(b.Plan, &b.Graph, b.Options(opt))
	if err != nil {
		t.Fatal(err)
	}
	m := vm.NewImage(b.Plan)
	m.PrepareTables(code)
	return vm.NewFrame(m, code), code
}

// frames are the answers of a frame that computes the graph as it stands.
func (c *comparison) frames(t *testing.T, opt schedule.Options) (out []string) {
	f, code := newTestFrame(t, c.Builder, opt)
	p := c.sheets(code)
	for i, row := range c.rows {
		f.Reset(code)
		copy(f.Slots()[code.Base[plan.InputRoot]:], row)
		if err := vm.Evaluate(f, code, &c.Graph, dice.FromSeed(1, uint64(i), 0)); err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, sheetOf(p.Append(nil, new(jsonio.Encoder), f, f.View(), f.Faces(), nil)))
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
	_, code := newTestFrame(t, c.Builder, opt)
	if !CanRun(code) {
		t.Fatalf("the code does not run by columns:\n%s", code)
	}
	c.image.PrepareTables(code)
	cols := NewColumns(c.image, code)
	p := c.sheets(code)
	for len(c.rows) > len(out) {
		n := min(len(c.rows)-len(out), Size)
		cols.Reset()
		for i, row := range c.rows[len(out):][:n] {
			cols.Put(i, code.Base[plan.InputRoot], row)
			cols.SetSeed(i, 1, uint64(len(out)+i), 0)
		}
		cols.Run(n)
		for i := range n {
			if err := cols.Err(i); err != nil {
				out = append(out, err.Error())
				continue
			}
			out = append(out, sheetOf(p.Append(nil, new(jsonio.Encoder), cols.Frame, cols.View(i), cols.Faces(i), nil)))
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

// shuffleInputs are inputs in which the slots of each kind have changed places.
func shuffleInputs(b *graphtest.Builder, n int, r *rand.Rand) [][]int64 {
	kinds := make([]plan.Kind, len(b.Input))
	for _, node := range b.Graph.Nodes {
		if node.Op == plan.OpLeaf {
			kinds[b.Graph.Leaves[node.Imm].Offset] = node.Kind
		}
	}
	rows := [][]int64{b.Input}
	for len(rows) < n {
		row := slices.Clone(b.Input)
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
	ops := graphtest.GrownOps()
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 2000 {
			return
		}
		const noLoops = 2
		g := &graphtest.Grower{Builder: graphtest.NewBuilder(), Bytes: bytes, Nodes: map[plan.Kind][]plan.ID{}}
		g.PlantSeeds()
		g.Grow(ops, noLoops)
		g.AddOutputs()
		newComparison(g.Builder, shuffleInputs(g.Builder, 20, rand.New(rand.NewPCG(uint64(len(bytes)), 0)))).compare(t)
	})
}

// dicey is a graph of all that can end a record early, and of dice: the input is a guard, a number of faces and a limit.
func dicey() *graphtest.Builder {
	b := graphtest.NewBuilder()
	guard, faces, limit := b.Leaf(plan.Bool, 1), b.Leaf(plan.Int, 6), b.Leaf(plan.Int, 4)
	b.Graph.Dice = []plan.Die{{ID: "first"}, {ID: "second", Explode: plan.Band{Lo: 6, Hi: 6}, Times: 2},
		{ID: "second", Again: plan.Band{Lo: 1, Hi: 2}}}
	b.Graph.Requires = []plan.Require{{Message: "early"}, {Message: "late"}}
	small := b.Node(plan.OpLtInt, plan.Bool, 0, limit, b.IntConst(5))
	b.Node(plan.OpRequire, plan.Invalid, 0, guard, small, b.NoFault())
	bad := b.Node(plan.OpDivFault, plan.Fault, 0, b.IntConst(1), limit)
	first := b.Node(plan.OpRoll, plan.Int, 0, b.True(), faces, b.IntConst(-1), b.NoFault())
	second := b.Node(plan.OpRoll, plan.Int, 1, guard, b.IntConst(6), b.IntConst(-1), bad)
	b.Node(plan.OpRequire, plan.Invalid, 1, guard, b.Node(plan.OpLeInt, plan.Bool, 0, first, limit), b.NoFault())
	group := b.Node(plan.OpRoll, plan.Int, 2, guard, b.IntConst(4), b.IntConst(-1), b.NoFault())
	sum := b.Node(plan.OpAddInt, plan.Int, 0, first, b.Node(plan.OpAddInt, plan.Int, 0, second, group))
	b.Output("sum", plan.IntType, sum, b.Node(plan.OpModFault, plan.Fault, 0, sum, limit))
	return b
}

func TestColumnsEndAndRollAsFramesDo(t *testing.T) {
	b := dicey()
	r := rand.New(rand.NewPCG(1, 2))
	var rows [][]int64
	for range 2*Size + 7 {
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

func TestColumnarNeedsEveryInstruction(t *testing.T) {
	loop := graphtest.NewBuilder()
	times := loop.Leaf(plan.Int, 3)
	sum := loop.Loop(times, []plan.ID{loop.IntConst(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		return []plan.ID{loop.Node(plan.OpAddInt, plan.Int, 0, carried[0], i)}
	})
	loop.Output("sum", plan.IntType, sum[0], plan.None)
	list := graphtest.NewBuilder()
	list.Graph.Dice = []plan.Die{{ID: "d", List: true}}
	list.Node(plan.OpRoll, plan.List, 0, list.True(), list.IntConst(6), list.IntConst(2), list.NoFault())
	for name, b := range map[string]*graphtest.Builder{"loop": loop, "list of dice": list} {
		if _, code := newTestFrame(t, b, schedule.Options{}); CanRun(code) {
			t.Errorf("%s: the code is said to run by columns", name)
		}
	}
}
