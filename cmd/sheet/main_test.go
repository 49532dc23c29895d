package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// doubling is a plan whose rule gives twice the strength of a character, which must not be negative.
func doubling() *plan.Plan {
	none := plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None}
	twice := plan.Value{Type: plan.IntType, ID: 1, Fault: 2, Present: plan.None}
	outputs := none
	outputs.Type = &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "twice", Type: plan.IntType}}}
	outputs.Fields = []plan.Value{twice}
	character := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "strength", Shape: &plan.Shape{Kind: plan.Int}}}}
	return &plan.Plan{
		Ruleset: "small", Revision: "1", Symbols: []string{""}, Character: character,
		Rules: []plan.Rule{{ID: "double", Input: &plan.Shape{Kind: plan.Record}, Graph: plan.Graph{
			Nodes: []plan.Node{
				{Op: plan.OpLeaf, Kind: plan.Int, Site: -1},
				{Op: plan.OpAddInt, Kind: plan.Int, Args: []plan.ID{0, 0}, Site: -1},
				{Op: plan.OpAddIntFault, Kind: plan.Fault, Args: []plan.ID{0, 0}},
			},
			Blocks: []plan.Block{{Nodes: []plan.ID{0, 1, 2}}},
			Leaves: []plan.Leaf{{Root: plan.CharacterRoot}},
			Sites:  []plan.Site{{Name: "rule double, output twice"}},
			When:   none, Outputs: outputs,
		}}},
	}
}

func TestSheet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.plan")
	if err := os.WriteFile(file, planfile.Write(doubling(), nil), 0o666); err != nil {
		t.Fatal(err)
	}
	program, err := runtime.Load(planfile.Write(doubling(), nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, in  string
		status    int
		out, errs string
	}{
		{file + " double", `{"strength": 21}`, 0, `"output":{"twice":42}`, ""},
		{"-seed 3 -input {} " + file + " double", `{"strength": 1}`, 0, `"output":{"twice":2}`, ""},
		{file + " double", `{"strength": 5000000000000000000}`, 1, "", "sheet: rule double, output twice: integer overflow"},
		{file + " double", `{"strength": "x"}`, 2, "", "character.strength: must be a whole number"},
		{"-digest " + program.Digest() + " " + file + " double", `{"strength": 1}`, 0, `"output":{"twice":2}`, ""},
		{"-digest sha256:00 " + file + " double", `{"strength": 1}`, 2, "", "its digest is " + program.Digest() +
			", not sha256:00"},
		{file + " dubble", `{}`, 2, "", `did you mean "double"`},
		{file, `{}`, 2, "", "usage: sheet"},
		{"-x " + file + " double", `{}`, 2, "", "flag provided but not defined"},
		{"none.plan double", `{}`, 2, "", "none.plan"},
		{"main.go double", `{}`, 2, "", "main.go: this is no plan file"},
	} {
		var out, errs bytes.Buffer
		got := run(strings.Fields(c.args), strings.NewReader(c.in), &out, &errs)
		if got != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.errs) || c.out == "" &&
			out.Len() > 0 {
			t.Errorf("%s: status %d, %s%s", c.args, got, out.String(), errs.String())
		}
	}
}

// TestLinksTheRuntimeAlone holds what makes the program small.
func TestLinksTheRuntimeAlone(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(list)) {
		first, _, _ := strings.Cut(name, "/")
		if strings.Contains(first, ".") && !strings.HasPrefix(name, "github.com/tabletop-rules/rules/") ||
			strings.Contains(name, "/rules/compiler") {
			t.Errorf("the program links %s", name)
		}
	}
}
