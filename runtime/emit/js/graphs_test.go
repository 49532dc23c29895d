package js

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A graphCase is a graph with its wanted answer: outputs as JSON, or a message.
type graphCase struct {
	name, want string
	builder    *graphtest.Builder
	faces      []int64
}

// graphCases returns the cases of each operation whose ints are within 2^53: the reader lets no others through.
func graphCases() (out []graphCase) {
	for _, group := range graphtest.OpCases {
		for i := range group.Cases {
			c := &group.Cases[i]
			if c.Want == "integer overflow" {
				continue // beyond 2^53 no int is left that could overflow
			}
			want := `{"r":` + c.Want + `}`
			switch {
			case group.Gives != nil:
			case c.Want == "":
				want = `{"r":0}`
			default:
				want = "site 0: " + c.Want
			}
			out = append(out, graphCase{fmt.Sprint(c.Op, " ", i), want, c.Build(group.Gives, false), nil})
		}
	}
	for _, c := range append(graphtest.TableCases(), graphtest.GraphCases...) {
		b := graphtest.NewBuilder()
		c.Build(b)
		out = append(out, graphCase{c.Name, c.Want, b, c.Faces})
	}
	for _, sides := range []struct{ sides, and, or string }{ // f false, t true, e failing
		{"ff", "false", "false"}, {"ft", "false", "true"}, {"fe", "false", "right"},
		{"tf", "false", "true"}, {"tt", "true", "true"}, {"te", "right", "true"},
		{"ef", "false", "left"}, {"et", "left", "true"}, {"ee", "left", "left"},
	} {
		for op, want := range map[plan.Op]string{plan.OpAnd: sides.and, plan.OpOr: sides.or} {
			b := graphtest.NewBuilder()
			left, leftFault := b.FallibleBool(sides.sides[0], "left", false)
			right, rightFault := b.FallibleBool(sides.sides[1], "right", false)
			fault := b.Node(op+plan.OpAndFault-plan.OpAnd, plan.Fault, 0, left, leftFault, right, rightFault)
			b.Output("r", plan.BoolType, b.Node(op, plan.Bool, 0, left, right), fault)
			out = append(out, graphCase{fmt.Sprint(op, " of ", sides.sides), want, b, nil})
		}
	}
	return slices.DeleteFunc(out, func(c graphCase) bool { return c.leavesSafe() })
}

// TestGraphsInJavaScript plays the cases of each operation in Node.
func TestGraphsInJavaScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("RULES_DEMAND_NODE") == "" {
		t.Skip("node is not installed; .ci/run installs it and demands this test")
	}
	if err != nil {
		t.Fatal(err)
	}
	cases := graphCases()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "kernel"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range kernelModules() {
		write(f.Name, f.Text)
	}
	write("ruleset.js", "export const ruleset = {};\n")
	driver := []string{`import { Evaluation, FaceList } from "./kernel.js";`, `const answer = async (name, input, faces) => {`,
		`  const { graph } = await import(name);`,
		`  try { return graph.textOf(graph.run({}, input, new Evaluation(new FaceList(faces)))); }`,
		`  catch (e) { return e.name === "Beyond" ? "Beyond" : e.message; }`, `};`, "const answers = [];"}
	executed := map[plan.Op]bool{}
	for k := range cases {
		c := &cases[k]
		input := c.input()
		for _, n := range c.builder.Graph.Nodes {
			executed[n.Op] = true
		}
		module := ruleModule(c.builder.Plan, c.values(), &c.builder.Plan.Rules[0])
		name := fmt.Sprintf("./case%d.js", k)
		write(name, module)
		faces, _ := json.Marshal(append([]int64{}, c.faces...))
		driver = append(driver, fmt.Sprintf("answers.push(await answer(%q, %s, %s));", name, input, faces))
	}
	write("driver.mjs", strings.Join(append(driver, "console.log(JSON.stringify(answers));"), "\n"))
	command := exec.CommandContext(t.Context(), node, filepath.Join(dir, "driver.mjs"))
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	var answers []string
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	for k, got := range answers {
		c := &cases[k]
		if got == c.want || strings.HasSuffix(got, ": "+c.want) || got == `{"r":`+c.want+`}` {
			continue
		}
		t.Errorf("%s: got %s, want %s", c.name, got, c.want)
	}
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		if !executed[op] && op != plan.OpCover && op != plan.OpToIntFault && emit.SpellingOf(op).JS != "null" {
			t.Errorf("no case executes %v", op)
		}
	}
}

// values are the options by default.
func (c *graphCase) values() (out []int) {
	for _, o := range c.builder.Plan.Options {
		out = append(out, o.Default)
	}
	return out
}

// leavesSafe reports whether an operand is an int that no number of JavaScript holds.
func (c *graphCase) leavesSafe() bool {
	b := c.builder
	for _, n := range b.Graph.Nodes {
		bits := n.Imm
		if n.Op == plan.OpLeaf {
			bits = b.Input[b.Graph.Leaves[n.Imm].Offset]
		}
		if (n.Op == plan.OpLeaf || n.Op == plan.OpConst) && n.Kind == plan.Int && (bits > maxSafe || bits < -maxSafe) {
			return true
		}
	}
	for _, bits := range b.Plan.Consts {
		v := math.Float64frombits(uint64(bits))
		if (bits > maxSafe || bits < -maxSafe) && (v == 0 || math.Abs(v) > 1e9 || math.Abs(v) < 1e-9) {
			return true
		}
	}
	return false
}

// input makes the plan of the case one of a rule, and returns its input as a literal.
func (c *graphCase) input() string {
	b := c.builder
	for i := range b.Graph.Sites {
		b.Graph.Sites[i].Name = fmt.Sprint("site ", i)
	}
	shape := &plan.Shape{Kind: plan.Record}
	kinds := make([]plan.Kind, len(b.Input))
	types := emit.ListTypes(b.Plan, plan.Body{Graph: &b.Graph})
	of := make([]*plan.Type, len(b.Input))
	for id, n := range b.Graph.Nodes {
		if n.Op == plan.OpLeaf {
			at := b.Graph.Leaves[n.Imm].Offset
			kinds[at], of[at] = n.Kind, types[id]
		}
	}
	var members []string
	w := &writer{f: &emit.Function{Plan: b.Plan}, statics: &statics{names: map[string]string{}}}
	for i, kind := range kinds {
		switch {
		case kind != plan.List && kind != plan.Map:
			of[i] = &plan.Type{Kind: kind}
		case of[i] == nil:
			of[i] = plan.ListOf(plan.IntType)
		}
		shape.Fields = append(shape.Fields, plan.Member{Name: fmt.Sprint("x", i), Shape: shapeOf(of[i])})
		members = append(members, fmt.Sprintf("x%d: %s", i, w.slotLiteral(of[i], kind, b.Input[i])))
	}
	b.Plan.Rules = []plan.Rule{{ID: "graph", Input: shape, Graph: b.Graph}}
	return "{ " + strings.Join(members, ", ") + " }"
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
