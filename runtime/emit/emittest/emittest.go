// Package emittest has the cases that every back end of package emit must carry out.
package emittest

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Case is a graph with its wanted answer: outputs as JSON, or a message.
type Case struct {
	Name, Want string
	Builder    *graphtest.Builder
	Faces      []int64
	Input      []*plan.Type // of each slot of the input
}

// Cases returns the cases of each operation, each as the rule of its plan.
func Cases() (out []Case) {
	for _, group := range graphtest.OpCases {
		for i := range group.Cases {
			c := &group.Cases[i]
			want := `{"r":` + c.Want + `}`
			switch {
			case group.Gives != nil:
			case c.Want == "":
				want = `{"r":0}`
			default:
				want = "site 0: " + c.Want
			}
			out = append(out, Case{Name: fmt.Sprint(c.Op, " ", i), Want: want, Builder: c.Build(group.Gives, false)})
		}
	}
	for _, c := range append(graphtest.TableCases(), graphtest.GraphCases...) {
		b := graphtest.NewBuilder()
		c.Build(b)
		out = append(out, Case{Name: c.Name, Want: c.Want, Builder: b, Faces: c.Faces})
	}
	out = append(out, sideCases()...)
	for i := range out {
		out[i].makeRule(fmt.Sprint("graph", i))
	}
	return out
}

// sideCases returns the cases of && and || for every pair of sides.
func sideCases() (out []Case) {
	for _, sides := range []struct{ sides, and, or string }{ // f false, t true, e failing
		{"ff", "false", "false"}, {"ft", "false", "true"}, {"fe", "false", "right"},
		{"tf", "false", "true"}, {"tt", "true", "true"}, {"te", "right", "true"},
		{"ef", "false", "left"}, {"et", "left", "true"}, {"ee", "left", "left"},
	} {
		for _, of := range []struct {
			op   plan.Op
			want string
		}{{plan.OpAnd, sides.and}, {plan.OpOr, sides.or}} {
			b := graphtest.NewBuilder()
			left, leftFault := b.FallibleBool(sides.sides[0], "left", false)
			right, rightFault := b.FallibleBool(sides.sides[1], "right", false)
			fault := b.Node(of.op+plan.OpAndFault-plan.OpAnd, plan.Fault, 0, left, leftFault, right, rightFault)
			b.Output("r", plan.BoolType, b.Node(of.op, plan.Bool, 0, left, right), fault)
			out = append(out, Case{Name: fmt.Sprint(of.op, " of ", sides.sides), Want: of.want, Builder: b})
		}
	}
	return out
}

// makeRule makes the plan of the case one of a rule.
func (c *Case) makeRule(id string) {
	b := c.Builder
	for i := range b.Graph.Sites {
		b.Graph.Sites[i].Name = fmt.Sprint("site ", i)
	}
	shape := &plan.Shape{Kind: plan.Record}
	kinds := make([]plan.Kind, len(b.Input))
	types := emit.ListTypes(b.Plan, plan.Body{Graph: &b.Graph})
	c.Input = make([]*plan.Type, len(b.Input))
	for id, n := range b.Graph.Nodes {
		if n.Op == plan.OpLeaf {
			at := b.Graph.Leaves[n.Imm].Offset
			kinds[at], c.Input[at] = n.Kind, types[id]
		}
	}
	for i, kind := range kinds {
		switch {
		case kind != plan.List && kind != plan.Map:
			c.Input[i] = &plan.Type{Kind: kind}
		case c.Input[i] == nil:
			c.Input[i] = plan.ListOf(plan.IntType)
		}
		shape.Fields = append(shape.Fields, plan.Member{Name: fmt.Sprint("x", i), Shape: shapeOf(c.Input[i])})
	}
	b.Plan.Rules = []plan.Rule{{ID: id, Input: shape, Graph: b.Graph}}
}

// Values are the options by default.
func (c *Case) Values() (out []int) {
	for _, o := range c.Builder.Plan.Options {
		out = append(out, o.Default)
	}
	return out
}

// Executes notes the operations of the case.
func (c *Case) Executes(ops map[plan.Op]bool) {
	for _, n := range c.Builder.Graph.Nodes {
		ops[n.Op] = true
	}
}

// shapeOf returns the shape of all values of a type.
func shapeOf(t *plan.Type) *plan.Shape {
	out := &plan.Shape{Kind: t.Kind}
	if t.Elem != nil {
		out.Elem, out.MaxItems = shapeOf(t.Elem), plan.MaxRange
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		out.Fields = append(out.Fields, plan.Member{Name: f.Name, Shape: shapeOf(f.Type), Optional: f.Optional})
	}
	return out
}
