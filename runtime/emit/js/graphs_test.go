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
	"github.com/tabletop-rules/rules/runtime/emit/emittest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// graphCases returns the cases whose ints are within 2^53, as the reader lets no others through.
func graphCases() []emittest.Case {
	return slices.DeleteFunc(emittest.Cases(), func(c emittest.Case) bool { return leavesSafe(&c) })
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
	driver := []string{`import { Evaluation, FaceList } from "./kernel.js";`, `const answer = async (name, rule, input, faces) => {`,
		`  const { [rule]: graph } = await import(name);`,
		`  try { return graph.textOf(graph.run({}, input, new Evaluation(new FaceList(faces)))); }`,
		`  catch (e) { return e.name === "Beyond" ? "Beyond" : e.message; }`, `};`, "const answers = [];"}
	executed := map[plan.Op]bool{}
	for k := range cases {
		c := &cases[k]
		c.Executes(executed)
		module := ruleModule(c.Builder.Plan, c.Values(), &c.Builder.Plan.Rules[0])
		name := fmt.Sprintf("./case%d.js", k)
		write(name, module)
		faces, _ := json.Marshal(append([]int64{}, c.Faces...))
		driver = append(driver, fmt.Sprintf("answers.push(await answer(%q, %q, %s, %s));", name, c.Builder.Plan.Rules[0].ID,
			inputOf(c), faces))
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
		if got == "Beyond" && resultLeavesSafe(c) ||
			got == c.Want || strings.HasSuffix(got, ": "+c.Want) || got == `{"r":`+c.Want+`}` {
			continue
		}
		t.Errorf("%s: got %s, want %s", c.Name, got, c.Want)
	}
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		if !executed[op] && op != plan.OpCover && op != plan.OpToIntFault && emit.SpellingOf(op).JS != "null" {
			t.Errorf("no case executes %v", op)
		}
	}
}

// resultLeavesSafe reports whether a product or a power of two ints is beyond 2^53, of which only faults have cases.
func resultLeavesSafe(c *emittest.Case) bool {
	b := c.Builder
	return slices.ContainsFunc(b.Graph.Nodes, func(n plan.Node) bool {
		switch n.Op {
		case plan.OpMulIntFault:
			return math.Abs(float64(b.Input[0])*float64(b.Input[1])) > maxSafe
		case plan.OpPowIntFault:
			return math.Abs(math.Pow(float64(b.Input[0]), float64(b.Input[1]))) > maxSafe
		}
		return false
	})
}

// leavesSafe reports whether an operand is an int that no number of JavaScript holds.
func leavesSafe(c *emittest.Case) bool {
	b := c.Builder
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
		if (bits > maxSafe || bits < -maxSafe) && (v != v || v == 0 || math.Abs(v) > 1e9 || math.Abs(v) < 1e-9) {
			return true
		}
	}
	return false
}

// inputOf returns the input of a case as a literal.
func inputOf(c *emittest.Case) string {
	w := &writer{f: &emit.Function{Plan: c.Builder.Plan}, statics: &statics{names: map[string]string{}}}
	var members []string
	for i, t := range c.Input {
		members = append(members, fmt.Sprintf("x%d: %s", i, w.slotLiteral(t, t.Kind, c.Builder.Input[i])))
	}
	return "{ " + strings.Join(members, ", ") + " }"
}
