package graphtest

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Builder makes a graph by hand, with the plan around it. What it reads stands in the input.
type Builder struct {
	Plan  *plan.Plan
	Graph plan.Graph
	open  []int
	Input []int64
	Shape *plan.Shape // of the input; nil: nothing is known of it
}

func NewBuilder() *Builder {
	return &Builder{
		Plan: &plan.Plan{Symbols: []string{""}, Character: &plan.Shape{Kind: plan.Record}},
		Graph: plan.Graph{Blocks: []plan.Block{{}},
			Outputs: plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}},
		open: []int{0},
	}
}

// Node appends a node to the block that is open.
func (b *Builder) Node(op plan.Op, kind plan.Kind, imm int64, args ...plan.ID) plan.ID {
	id := plan.ID(len(b.Graph.Nodes))
	n := plan.Node{Op: op, Kind: kind, Imm: imm, Args: args, Site: -1}
	if kind == plan.Fault && mayFail(op) {
		n.Site = int32(len(b.Graph.Sites))
		b.Graph.Sites = append(b.Graph.Sites, plan.Site{Name: "site " + strconv.Itoa(len(b.Graph.Sites))})
	}
	b.Graph.Nodes = append(b.Graph.Nodes, n)
	block := &b.Graph.Blocks[b.open[len(b.open)-1]]
	block.Nodes = append(block.Nodes, id)
	return id
}

func mayFail(op plan.Op) bool {
	switch op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult, plan.OpSelect, plan.OpAndFault, plan.OpOrFault,
		plan.OpFirstFault, plan.OpElem:
		return false
	}
	return true
}

func (b *Builder) Const(kind plan.Kind, bits int64) plan.ID {
	return b.Node(plan.OpConst, kind, bits)
}

func (b *Builder) IntConst(v int64) plan.ID { return b.Const(plan.Int, v) }
func (b *Builder) NoFault() plan.ID         { return b.Const(plan.Fault, 0) }
func (b *Builder) True() plan.ID            { return b.Const(plan.Bool, 1) }

// Leaf returns a slot of the input.
func (b *Builder) Leaf(kind plan.Kind, bits int64) plan.ID {
	b.Graph.Leaves = append(b.Graph.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: int32(len(b.Input))})
	b.Input = append(b.Input, bits)
	return b.Node(plan.OpLeaf, kind, int64(len(b.Graph.Leaves)-1))
}

// Loop repeats a body over carried values.
func (b *Builder) Loop(n plan.ID, init []plan.ID, body func(i plan.ID, carried []plan.ID) []plan.ID) []plan.ID {
	index := len(b.Graph.Blocks)
	b.Graph.Blocks = append(b.Graph.Blocks, plan.Block{})
	b.open = append(b.open, index)
	i := b.Node(plan.OpParam, plan.Int, 0)
	var carried, out []plan.ID
	for k, id := range init {
		carried = append(carried, b.Node(plan.OpParam, b.Graph.Nodes[id].Kind, int64(k)+1))
	}
	b.Graph.Blocks[index].Results = body(i, carried)
	b.open = b.open[:len(b.open)-1]
	loop := b.Node(plan.OpLoop, plan.Int, int64(index), append([]plan.ID{n}, init...)...)
	for k, id := range init {
		out = append(out, b.Node(plan.OpResult, b.Graph.Nodes[id].Kind, int64(k), loop))
	}
	return out
}

// Symbol returns a string of the plan.
func (b *Builder) Symbol(s string) int64 {
	for i, known := range b.Plan.Symbols {
		if known == s {
			return int64(i)
		}
	}
	b.Plan.Symbols = append(b.Plan.Symbols, s)
	return int64(len(b.Plan.Symbols) - 1)
}

// TypeIndex returns a type of the plan.
func (b *Builder) TypeIndex(t *plan.Type) int64 {
	b.Plan.Types = append(b.Plan.Types, t)
	return int64(len(b.Plan.Types) - 1)
}

// A List is a list's elements; a dict keys and values by turns, sorted; a row the slots of a record.
type (
	List []any
	dict []any
	row  []any
)

// Bits returns a value as a slot holds it; lists and maps stand in the plan's constants.
func (b *Builder) Bits(v any) (bits int64, kind plan.Kind) {
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
		return b.Symbol(v), plan.String
	case List:
		return b.span(v, len(v)), plan.List
	case dict:
		return b.span(v, len(v)/2), plan.Map
	}
	panic("no value for a slot")
}

func (b *Builder) span(parts []any, n int) int64 {
	var slots []int64
	for _, p := range parts {
		if r, ok := p.(row); ok {
			for _, x := range r {
				bits, _ := b.Bits(x)
				slots = append(slots, bits)
			}
			continue
		}
		bits, _ := b.Bits(p)
		slots = append(slots, bits)
	}
	at := len(b.Plan.Consts)
	b.Plan.Consts = append(b.Plan.Consts, slots...)
	return int64(at)<<32 | int64(n)
}

// Value returns an operand: read from the input, or as a constant.
func (b *Builder) Value(v any, constant bool) plan.ID {
	bits, kind := b.Bits(v)
	if constant {
		return b.Const(kind, bits)
	}
	return b.Leaf(kind, bits)
}

// Output makes an output of a value and of its fault.
func (b *Builder) Output(name string, t *plan.Type, id, fault plan.ID) {
	o := &b.Graph.Outputs
	o.Type.Fields = append(o.Type.Fields, plan.Field{Name: name, Type: t})
	o.Fields = append(o.Fields, plan.Value{Type: t, ID: id, Fault: fault, Present: plan.None})
}

// NamedValue makes a named value.
func (b *Builder) NamedValue(name string, t *plan.Type, id plan.ID) {
	v := plan.Value{Type: t, ID: id, Fault: plan.None, Present: plan.None}
	b.Graph.Names = append(b.Graph.Names, plan.Named{Name: name, Value: v, Option: -1})
}

// Roll rolls a die that is declared.
func (b *Builder) Roll(die plan.Die, faces, count plan.ID) plan.ID {
	b.Graph.Dice = append(b.Graph.Dice, die)
	kind := plan.Int
	if die.List {
		kind = plan.List
	}
	return b.Node(plan.OpRoll, kind, int64(len(b.Graph.Dice)-1), b.True(), faces, count, b.NoFault())
}

func (b *Builder) Options(opt schedule.Options) schedule.Options {
	opt.Roots[plan.InputRoot], opt.Shapes[plan.InputRoot] = len(b.Input), b.Shape
	for _, o := range b.Plan.Options {
		opt.Values = append(opt.Values, o.Default)
	}
	return opt
}

// Variants returns the ways in which a graph may be scheduled, which all have the same answer.
func Variants() map[string]schedule.Options {
	out := map[string]schedule.Options{"": {}, "full": {Full: true}}
	for _, p := range schedule.Passes() {
		out["without "+p.Name] = schedule.Options{Without: []string{p.Name}}
	}
	return out
}

// Fault returns a fault that happens unless it holds.
func (b *Builder) Fault(holds bool, message string) plan.ID {
	bits, _ := b.Bits(holds)
	return b.Node(plan.OpFail, plan.Fault, b.Symbol(message), b.Leaf(plan.Bool, bits))
}

func (b *Builder) require(guard, holds, fault plan.ID, message string) {
	b.Graph.Requires = append(b.Graph.Requires, plan.Require{Message: message})
	b.Node(plan.OpRequire, plan.Bool, int64(len(b.Graph.Requires)-1), guard, holds, fault)
}

// FallibleBool returns a truth and its fault. The value of one that fails must not matter: it is the one that would decide.
func (b *Builder) FallibleBool(what byte, message string, known bool) (value, fault plan.ID) {
	holds, _ := b.Bits(what == 't')
	value = b.Leaf(plan.Bool, holds)
	if known {
		value = b.Const(plan.Bool, holds)
	}
	switch {
	case what == 'e':
		return value, b.Fault(false, message)
	case known:
		return value, b.NoFault()
	}
	return value, b.Fault(true, message)
}

// A Damage is a byte of what is to be changed in a graph: a node, what of it, and to what.
type Damage struct{ Node, Field, To byte }

// Alter damages a graph.
func (b *Builder) Alter(d Damage) {
	n := &b.Graph.Nodes[int(d.Node)%len(b.Graph.Nodes)]
	switch {
	case d.Field%4 == 0:
		n.Op = plan.Op(d.To)
	case d.Field%4 == 1:
		n.Imm = int64(int8(d.To)) << (d.Field / 4 % 40)
	case d.Field%4 == 2 && len(n.Args) > 0:
		n.Args[int(d.Field/4)%len(n.Args)] = plan.ID(d.To)
	case d.Field%4 == 3:
		n.Kind = plan.Kind(d.To % 9)
	}
}

// IntShape returns the shape of an input of ints.
func (b *Builder) IntShape() *plan.Shape {
	s := &plan.Shape{Kind: plan.Record}
	for i := range b.Input {
		s.Fields = append(s.Fields, plan.Member{Name: fmt.Sprint("x", i), Shape: &plan.Shape{Kind: plan.Int}})
	}
	return s
}

func (b *Builder) DoubleConst(v float64) plan.ID {
	return b.Const(plan.Double, int64(math.Float64bits(v)))
}
