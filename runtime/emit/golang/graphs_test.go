package golang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/emittest"
	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestGraphsInGo plays the cases of each operation.
func TestGraphsInGo(t *testing.T) {
	cases := slices.DeleteFunc(emittest.Cases(), func(c emittest.Case) bool {
		return slices.ContainsFunc(c.Input, func(t *plan.Type) bool { // keys of maps that are given are strings
			return t.Kind == plan.Map && t.Key != plan.String
		})
	})
	executed := map[plan.Op]bool{plan.OpCover: true} // branches are counted by the interpreter
	for i := range cases {
		cases[i].Executes(executed)
	}
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		if !executed[op] && op != plan.OpToIntFault {
			t.Errorf("no case executes %v", op)
		}
	}
	p := gotest.NewProgram(t)
	files, err := golang.GenerateCases("graphs", cases)
	if err != nil {
		t.Fatal(err)
	}
	p.Add(t, "graphs", files)
	p.BuildMain(t, "package main\n\nimport (\n\"encoding/json\"\n\"os\"\n)\n\n"+
		"func main() {\nif err := json.NewEncoder(os.Stdout).Encode(graphs.Answers()); err != nil {\npanic(err)\n}\n}\n")
	for k, got := range gotest.Lines(t, p) {
		c := &cases[k]
		if got == c.Want || strings.HasSuffix(got, ": "+c.Want) || got == `{"r":`+c.Want+`}` {
			continue
		}
		t.Errorf("%s: got %s, want %s", c.Name, got, c.Want)
	}
}
