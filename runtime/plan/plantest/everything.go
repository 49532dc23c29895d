package plantest

import "github.com/tabletop-rules/rules/runtime/plan"

// Everything returns the sample with a second rule in which every operation stands at least once, on constants, and in
// which a field is decided when its die has fallen.
func Everything() *plan.Plan {
	p := Sample()
	p.Types = []*plan.Type{plan.ListOf(plan.IntType), plan.MapOf(plan.IntType),
		plan.ListOf(&plan.Type{Kind: plan.String, Enum: []string{"low", "high"}}),
		plan.ListOf(&plan.Type{Kind: plan.String, Enum: []string{"low", "high"}, Unordered: true})}
	b := &graphBuilder{constants: map[plan.Kind]plan.ID{}}
	b.graph = plan.Graph{
		Blocks:   []plan.Block{{}},
		Leaves:   []plan.Leaf{{Root: plan.CharacterRoot}},
		Sites:    []plan.Site{{Name: "rule all"}},
		Dice:     []plan.Die{{ID: "roll", Shows: []int64{-1, 0, 1}, Zero: 10}},
		Requires: []plan.Require{{Message: "no"}},
		Branches: []plan.Branch{{Name: "rule all"}},
		When:     plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None},
	}
	for op := plan.OpConst; int(op) < plan.NumOps; op++ {
		b.operation(op)
	}
	b.graph.Outputs = plan.Value{Type: recordOf("size"), ID: plan.None, Fault: plan.None, Present: plan.None,
		Fields: []plan.Value{valueOf(plan.IntType, b.constant(plan.Int))}}
	b.graph.Decisions = []plan.Decision{{Root: plan.InputRoot, Path: "spend", After: []string{"roll"}, Dice: 1,
		When: valueOf(plan.BoolType, b.constant(plan.Bool)), Least: valueOf(plan.IntType, b.constant(plan.Int)),
		Most: valueOf(plan.IntType, b.constant(plan.Int)), Place: plan.Place{File: "a.cue", Line: 9, Col: 2}}}
	input := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "spend", Shape: &plan.Shape{Kind: plan.Int},
		Default: "0"}}}
	p.Rules = append(p.Rules, plan.Rule{ID: "all", Input: input, Graph: b.graph})
	return p
}

// valueOf returns a value that a node computes without a fault.
func valueOf(t *plan.Type, id plan.ID) plan.Value {
	return plan.Value{Type: t, ID: id, Fault: plan.None, Present: plan.None}
}

// A graphBuilder appends nodes to the outermost block.
type graphBuilder struct {
	graph     plan.Graph
	constants map[plan.Kind]plan.ID
}

func (b *graphBuilder) add(n plan.Node) plan.ID {
	b.graph.Nodes = append(b.graph.Nodes, n)
	id := plan.ID(len(b.graph.Nodes) - 1)
	b.graph.Blocks[0].Nodes = append(b.graph.Blocks[0].Nodes, id)
	return id
}

// constant returns the constant of a kind whose slot is 0.
func (b *graphBuilder) constant(kind plan.Kind) plan.ID {
	id, ok := b.constants[kind]
	if !ok {
		id = b.add(plan.Node{Op: plan.OpConst, Kind: kind, Site: -1})
		b.constants[kind] = id
	}
	return id
}

// operation appends a node of an operation, with its smallest number of operands.
func (b *graphBuilder) operation(op plan.Op) {
	row := op.Operation()
	n := plan.Node{Op: op, Kind: kindOf(row.Result), Site: -1}
	for i := range op.OperandCount() {
		n.Args = append(n.Args, b.constant(kindOf(row.Operands[i])))
	}
	switch row.Immediate {
	case plan.OpImmediate:
		n.Imm = int64(plan.OpFloor)
	case plan.StrideImmediate:
		n.Imm = 1
	case plan.ElementImmediate:
		n.Imm = 1 << 32
	case plan.TypeImmediate:
		if row.Operands[0] == 'm' {
			n.Imm = 1
		}
	case plan.BlockImmediate:
		b.loop()
		return
	case plan.ParamImmediate, plan.ResultImmediate: // which the loop has
		return
	}
	if n.Kind == plan.Fault {
		n.Site = 0
	}
	b.add(n)
}

// loop appends a loop that carries an int from iteration to iteration, and the node of the loop's result.
func (b *graphBuilder) loop() {
	times := b.constant(plan.Int)
	param := plan.ID(len(b.graph.Nodes))
	b.graph.Nodes = append(b.graph.Nodes, plan.Node{Op: plan.OpParam, Kind: plan.Int, Imm: 1, Site: -1})
	b.graph.Blocks = append(b.graph.Blocks, plan.Block{Nodes: []plan.ID{param}, Results: []plan.ID{param}})
	loop := b.add(plan.Node{Op: plan.OpLoop, Kind: plan.Int, Args: []plan.ID{times, times}, Imm: 1, Site: -1})
	b.add(plan.Node{Op: plan.OpResult, Kind: plan.Int, Args: []plan.ID{loop}, Site: -1})
}

// kindOf returns a kind that a letter of the table of operations stands for.
func kindOf(letter byte) plan.Kind {
	switch letter {
	case 'd':
		return plan.Double
	case 'b':
		return plan.Bool
	case 's':
		return plan.String
	case 'f':
		return plan.Fault
	case 'l', 'p':
		return plan.List
	case 'm':
		return plan.Map
	}
	return plan.Int
}
