package lower_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A drawing prints the nodes of a graph as expressions: leaves by the names of the fields that they read, "name?" for the
// presence of an optional one.
type drawing struct {
	plan   *plan.Plan
	graph  *plan.Graph
	leaves []string             // by slot, of a graph with one root
	names  map[plan.Leaf]string // of one with several
}

func newDrawing(p *plan.Plan, r *plan.Rule) *drawing {
	d := &drawing{plan: p, graph: &r.Graph}
	d.addFields("", r.Input)
	return d
}

func (d *drawing) addFields(prefix string, s *plan.Shape) {
	for _, m := range s.Fields {
		if m.Optional {
			d.leaves = append(d.leaves, prefix+m.Name+"?")
		}
		if m.Shape.Kind == plan.Record {
			d.addFields(prefix+m.Name+".", m.Shape)
		} else {
			d.leaves = append(d.leaves, prefix+m.Name)
		}
	}
}

func (d *drawing) expr(id plan.ID) string {
	if id == plan.None {
		return "-"
	}
	n := &d.graph.Nodes[id]
	switch n.Op {
	case plan.OpLeaf:
		if d.names != nil {
			return d.names[d.graph.Leaves[n.Imm]]
		}
		return d.leaves[d.graph.Leaves[n.Imm].Offset]
	case plan.OpConst:
		return d.constant(n)
	}
	switch n.Op {
	case plan.OpRoll:
		return "roll " + d.graph.Dice[n.Imm].ID
	case plan.OpOption:
		return "option." + d.plan.Options[n.Imm].ID
	}
	return fmt.Sprintf("%s(%s)", n.Op, d.args(n))
}

func (d *drawing) args(n *plan.Node) string {
	var args []string
	for _, a := range n.Args {
		args = append(args, d.expr(a))
	}
	return strings.Join(args, ", ")
}

func (d *drawing) constant(n *plan.Node) string {
	switch n.Kind {
	case plan.Double:
		return fmt.Sprintf("%.1f", math.Float64frombits(uint64(n.Imm)))
	case plan.Bool:
		return fmt.Sprint(n.Imm == 1)
	case plan.String:
		return fmt.Sprintf("%q", d.plan.Symbols[n.Imm])
	case plan.Fault:
		return "ok"
	}
	return fmt.Sprint(n.Imm)
}

func text(s string) *book.Text {
	return &book.Text{S: s, Runs: []book.Run{{Place: plan.Place{File: "f", Line: 1, Col: 1}}}}
}

var (
	aspects = &plan.Type{Kind: plan.String, Enum: []string{"body", "mind", "luck"}}
	person  = &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "name", Type: plan.StringType}, {Name: "skill", Type: plan.IntType, Optional: true},
	}}
)

// typed checks an expression over i and j (ints), x (a double), b (a bool), is (a list), aspect (an enum) and p (a record).
func typed(t *testing.T, s string) *check.Tree {
	var diags diag.List
	tree := check.CheckExpression(text(s), []*check.Param{
		check.NewParam("i", plan.IntType), check.NewParam("j", plan.IntType), check.NewParam("x", plan.DoubleType),
		check.NewParam("b", plan.BoolType), check.NewParam("is", plan.ListOf(plan.IntType)),
		check.NewParam("aspect", aspects), check.NewParam("p", person), check.NewParam("m", plan.MapOf(plan.IntType)),
	}, check.Profile{}, &diags)
	if tree == nil {
		t.Fatalf("%s: %v", s, diags.Err())
	}
	return tree
}

// TestExpressions draws what expressions are lowered to: the node of the value, and the node of its fault.
func TestExpressions(t *testing.T) {
	for _, c := range []struct{ text, value, fault string }{
		// An operation that can fail has a fault on the same operands.
		{"i + j", "add.int(i, j)", "add.int.fault(i, j)"},
		{"x + 1", "add.double(x, to.double(1))", "-"},
		{"min(i, 3)", "min.int(i, 3)", "-"},
		// The first fault in the order of evaluation counts: that of the operand before that of the operation.
		{"i + j * 2", "add.int(i, mul.int(j, 2))", "first.fault(mul.int.fault(j, 2), add.int.fault(i, mul.int(j, 2)))"},
		// Each place has a fault of its own, so that a message can say where.
		{"-i < -i", "lt.int(neg.int(i), neg.int(i))", "first.fault(neg.int.fault(i), neg.int.fault(i))"},
		// a > b is b < a: the operands change places, their faults do not.
		{"-i > -j", "lt.int(neg.int(j), neg.int(i))", "first.fault(neg.int.fault(i), neg.int.fault(j))"},
		// && absorbs the fault of one side when the other decides.
		{"b && -i == 1", "and(b, eq.int(neg.int(i), 1))", "and.fault(b, ok, eq.int(neg.int(i), 1), neg.int.fault(i))"},
		{"b || -i == 1", "or(b, eq.int(neg.int(i), 1))", "or.fault(b, ok, eq.int(neg.int(i), 1), neg.int.fault(i))"},
		{"b && i == 1", "and(b, eq.int(i, 1))", "-"},
		// Both arms are computed; the fault of the one that is not taken is dropped.
		{"b ? i : -j", "select(b, i, neg.int(j))", "select(b, ok, neg.int.fault(j))"},
		{"-i == 1 ? i : j", "select(eq.int(neg.int(i), 1), i, j)", "neg.int.fault(i)"},
		{"b ? i : i", "i", "-"},
		// A record is its fields; an optional one has a presence beside it.
		{"p.name", "p.name", "-"},
		{"has(p.skill) ? p.skill : 0", "select(p.skill?, p.skill, 0)", "-"},
		{"p == p", "and(eq.int(p.name, p.name), " +
			"and(eq.int(p.skill?, p.skill?), or(not(p.skill?), eq.int(p.skill, p.skill))))", "-"},
		{"aspect == 'mind'", "eq.int(aspect, \"mind\")", "-"},
		{"is[i]", "elem(is, i)", "elem.fault(is, i)"},
		{"m.a", "elem(m, find(m, \"a\"))", "find.fault(m, \"a\")"},
		{"get(m, 'a', j)", "select(le.int(0, find(m, \"a\")), elem(m, find(m, \"a\")), j)", "-"},
		{"sum(is)", "sum.int(is)", "sum.int.fault(is)"},
	} {
		tree := typed(t, c.text)
		p := lower.Expression(tree.Root, tree.Reads)
		if err := plan.Verify(p); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		d, out := newDrawing(p, &p.Rules[0]), &p.Rules[0].Graph.Outputs.Fields[0]
		value, fault := d.expr(out.ID), d.expr(out.Fault)
		if value != c.value || fault != c.fault {
			t.Errorf("%s:\n got %s\n     %s\nwant %s\n     %s", c.text, value, fault, c.value, c.fault)
		}
	}
}

// TestChoose holds that a choice is a chain of selections in the order of the enum, of which the last needs no question.
func TestChoose(t *testing.T) {
	by, first, second, third := typed(t, "aspect"), typed(t, "i"), typed(t, "-j"), typed(t, "3")
	e := &check.Expr{Op: check.OpChoose, Type: plan.IntType, Args: []*check.Expr{by.Root, first.Root, second.Root, third.Root}}
	p := lower.Expression(e, []check.Object{by.Reads[0], first.Reads[0], second.Reads[0]})
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	d, out := newDrawing(p, &p.Rules[0]), &p.Rules[0].Graph.Outputs.Fields[0]
	want := `select(eq.int(aspect, "body"), i, select(eq.int(aspect, "mind"), neg.int(j), 3))`
	if got := d.expr(out.ID); got != want {
		t.Errorf("the value is %s, want %s", got, want)
	}
	want = `select(eq.int(aspect, "body"), ok, select(eq.int(aspect, "mind"), neg.int.fault(j), ok))`
	if got := d.expr(out.Fault); got != want {
		t.Errorf("the fault is %s, want %s", got, want)
	}
}

// TestBodyOrder holds the order in which a body is carried out: requirements that read no dice, the dice as written, the
// other requirements. A let is no step: that nobody reads costs nothing, and one that two read is there once.
func TestBodyOrder(t *testing.T) {
	named := func(name, s string) book.Named { return book.Named{Name: name, Formula: book.Formula{Expr: *text(s)}} }
	die := func(name, notation string) book.Source {
		return book.Source{Die: &book.Die{Name: name,
			Notation: book.Text{S: notation, Place: plan.Place{File: "f", Line: 2, Col: 1}}}}
	}
	rule := &book.Rule{
		Definition: book.Definition{ID: "r"},
		Input:      &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "n", Shape: &plan.Shape{Kind: plan.Int}}}},
		Body: book.Body{
			Requires: []book.Require{{Message: "late", Expr: *text("low < 6")}, {Message: "early", Expr: *text("input.n > 0")}},
			Sources:  []book.Source{die("high", "d20"), die("low", "d6")},
			Lets:     []book.Named{named("both", "high + low"), named("idle", "high * 7")},
			Outputs:  []book.Named{named("more", "both + input.n"), named("less", "both - input.n")},
		},
	}
	var diags diag.List
	checked := check.Check(&book.Ruleset{ID: "game", Rules: []*book.Rule{rule},
		Character: &plan.Shape{Kind: plan.Record, Character: true}}, &diags)
	if diags.Failed() {
		t.Fatal(diags.Err())
	}
	p := lower.Ruleset(checked, lower.Options{})
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	g := &p.Rules[0].Graph
	var effects []string
	sums := 0
	for _, id := range g.Blocks[0].Nodes {
		switch n := &g.Nodes[id]; n.Op {
		case plan.OpRequire:
			effects = append(effects, "require "+g.Requires[n.Imm].Message)
		case plan.OpRoll:
			effects = append(effects, "roll "+g.Dice[n.Imm].ID)
		case plan.OpAddInt:
			sums++
		case plan.OpMulInt:
			t.Error("a let that nobody reads is lowered")
		}
	}
	if got, want := strings.Join(effects, ", "), "require early, roll high, roll low, require late"; got != want {
		t.Errorf("carried out are %s, want %s", got, want)
	}
	if sums != 2 { // both, and more
		t.Errorf("there are %d sums, want 2", sums)
	}
}
