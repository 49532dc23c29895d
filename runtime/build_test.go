package runtime

import (
	"math"
	"strconv"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A build makes a graph by hand, with the plan around it. What it reads stands in the input.
type build struct {
	p     *plan.Plan
	g     plan.Graph
	open  []int
	input []int64
	shape *plan.Shape // of the input; nil: nothing is known of it
}

func newBuild() *build {
	return &build{
		p:    &plan.Plan{Symbols: []string{""}, Character: &plan.Shape{Kind: plan.Record}},
		g:    plan.Graph{Blocks: []plan.Block{{}}, Outputs: plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}},
		open: []int{0},
	}
}

// node appends a node to the block that is open.
func (b *build) node(op plan.Op, kind plan.Kind, imm int64, args ...plan.ID) plan.ID {
	id := plan.ID(len(b.g.Nodes))
	n := plan.Node{Op: op, Kind: kind, Imm: imm, Args: args, Site: -1}
	if kind == plan.Fault && mayFail(op) {
		n.Site = int32(len(b.g.Sites))
		b.g.Sites = append(b.g.Sites, plan.Site{Name: "site " + strconv.Itoa(len(b.g.Sites))})
	}
	b.g.Nodes = append(b.g.Nodes, n)
	block := &b.g.Blocks[b.open[len(b.open)-1]]
	block.Nodes = append(block.Nodes, id)
	return id
}

func mayFail(op plan.Op) bool {
	switch op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult, plan.OpSelect, plan.OpAndFault, plan.OpOrFault, plan.OpFirstFault, plan.OpElem:
		return false
	}
	return true
}

func (b *build) constant(kind plan.Kind, bits int64) plan.ID {
	return b.node(plan.OpConst, kind, bits)
}

func (b *build) int(v int64) plan.ID { return b.constant(plan.Int, v) }
func (b *build) ok() plan.ID         { return b.constant(plan.Fault, 0) }
func (b *build) yes() plan.ID        { return b.constant(plan.Bool, 1) }

// leaf is a slot of the input.
func (b *build) leaf(kind plan.Kind, bits int64) plan.ID {
	b.g.Leaves = append(b.g.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: int32(len(b.input))})
	b.input = append(b.input, bits)
	return b.node(plan.OpLeaf, kind, int64(len(b.g.Leaves)-1))
}

// loop repeats a body over carried values.
func (b *build) loop(n plan.ID, init []plan.ID, body func(i plan.ID, carried []plan.ID) []plan.ID) []plan.ID {
	index := len(b.g.Blocks)
	b.g.Blocks = append(b.g.Blocks, plan.Block{})
	b.open = append(b.open, index)
	i := b.node(plan.OpParam, plan.Int, 0)
	var carried, out []plan.ID
	for k, id := range init {
		carried = append(carried, b.node(plan.OpParam, b.g.Nodes[id].Kind, int64(k)+1))
	}
	b.g.Blocks[index].Results = body(i, carried)
	b.open = b.open[:len(b.open)-1]
	loop := b.node(plan.OpLoop, plan.Int, int64(index), append([]plan.ID{n}, init...)...)
	for k, id := range init {
		out = append(out, b.node(plan.OpResult, b.g.Nodes[id].Kind, int64(k), loop))
	}
	return out
}

// symbol is a string of the plan.
func (b *build) symbol(s string) int64 {
	for i, known := range b.p.Symbols {
		if known == s {
			return int64(i)
		}
	}
	b.p.Symbols = append(b.p.Symbols, s)
	return int64(len(b.p.Symbols) - 1)
}

// typ is a type of the plan.
func (b *build) typ(t *plan.Type) int64 {
	b.p.Types = append(b.p.Types, t)
	return int64(len(b.p.Types) - 1)
}

// A list is a list's elements; a dict keys and values by turns, sorted; a row the slots of a record.
type (
	list []any
	dict []any
	row  []any
)

// bits is a value as a slot holds it; lists and maps stand in the plan's constants.
func (b *build) bits(v any) (bits int64, kind plan.Kind) {
	switch v := v.(type) {
	case int:
		return int64(v), plan.Int
	case int64:
		return v, plan.Int
	case float64:
		return int64(math.Float64bits(v)), plan.Double
	case bool:
		if v {
			return 1, plan.Bool
		}
		return 0, plan.Bool
	case string:
		return b.symbol(v), plan.String
	case list:
		return b.span(v, len(v)), plan.List
	case dict:
		return b.span(v, len(v)/2), plan.Map
	}
	panic("no value for a slot")
}

func (b *build) span(parts []any, n int) int64 {
	var slots []int64
	for _, p := range parts {
		if r, ok := p.(row); ok {
			for _, x := range r {
				bits, _ := b.bits(x)
				slots = append(slots, bits)
			}
			continue
		}
		bits, _ := b.bits(p)
		slots = append(slots, bits)
	}
	at := len(b.p.Consts)
	b.p.Consts = append(b.p.Consts, slots...)
	return span(at, n)
}

// value is an operand: read from the input, or as a constant.
func (b *build) value(v any, constant bool) plan.ID {
	bits, kind := b.bits(v)
	if constant {
		return b.constant(kind, bits)
	}
	return b.leaf(kind, bits)
}

// out makes an output of a value and of its fault.
func (b *build) out(name string, t *plan.Type, id, fault plan.ID) {
	o := &b.g.Outputs
	o.Type.Fields = append(o.Type.Fields, plan.Field{Name: name, Type: t})
	o.Fields = append(o.Fields, plan.Value{Type: t, ID: id, Fault: fault, Present: plan.None})
}

// name makes a named value.
func (b *build) name(name string, t *plan.Type, id plan.ID) {
	v := plan.Value{Type: t, ID: id, Fault: plan.None, Present: plan.None}
	b.g.Names = append(b.g.Names, plan.Named{Name: name, Value: v, Option: -1})
}

// roll rolls a die that is declared.
func (b *build) roll(die plan.Die, faces, count plan.ID) plan.ID {
	b.g.Dice = append(b.g.Dice, die)
	kind := plan.Int
	if die.List {
		kind = plan.List
	}
	return b.node(plan.OpRoll, kind, int64(len(b.g.Dice)-1), b.yes(), faces, count, b.ok())
}

func (b *build) options(opt schedule.Options) schedule.Options {
	opt.Roots[plan.InputRoot], opt.Shapes[plan.InputRoot] = len(b.input), b.shape
	for _, o := range b.p.Options {
		opt.Values = append(opt.Values, o.Default)
	}
	return opt
}

// frame schedules the graph and writes its input into a frame.
func (b *build) frame(t testing.TB, opt schedule.Options) (*vmFrame, *schedule.Code) {
	t.Helper()
	code, err := schedule.Make(b.p, &b.g, b.options(opt))
	if err != nil {
		t.Fatal(err)
	}
	f := newFrame(b.image(code), code)
	b.fill(f)
	return f, code
}

// image is the plan, ready for code.
func (b *build) image(code *schedule.Code) *Image {
	m := NewImage(b.p)
	m.PrepareTables(code)
	return m
}

func (b *build) fill(f *vmFrame) {
	f.reset(f.code)
	copy(f.slots[f.code.Base[plan.InputRoot]:], b.input)
}

// answer runs the graph, and gives its outputs as JSON, or what went wrong.
func (b *build) answer(t testing.TB, opt schedule.Options, faces ...int64) string {
	t.Helper()
	f, code := b.frame(t, opt)
	source := dice.FromList(faces)
	if err := f.evaluate(code, &b.g, source); err != nil {
		return err.Error()
	}
	v, err := f.outputs(code, &b.g)
	if err != nil {
		return err.Error()
	}
	return v.String()
}

// variants are the ways in which a graph may be scheduled, which all have the same answer.
func variants() map[string]schedule.Options {
	out := map[string]schedule.Options{"": {}, "full": {Full: true}}
	for _, p := range schedule.Passes() {
		out["without "+p.Name] = schedule.Options{Without: []string{p.Name}}
	}
	return out
}

// check runs the graph in every way.
func (b *build) check(t *testing.T, name, want string, faces ...int64) {
	t.Helper()
	for variant, opt := range variants() {
		if got := b.answer(t, opt, faces...); got != want {
			t.Errorf("%s %s: got %s, want %s", name, variant, got, want)
		}
	}
}
