package runtime

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Touched is a homebrew of the ruleset that is played, and the outputs in which it has a part.
type Touched struct {
	Homebrew string
	Outputs  []string
}

// touched lists the homebrews of the plan, in the order in which they were applied, with the outputs of a graph.
func (p *Program) touched(g *plan.Graph) []Touched {
	var out []Touched
	for _, id := range p.plan.Overlays {
		t := Touched{Homebrew: id}
		for i := range g.Names {
			if n := &g.Names[i]; n.Kind == plan.OutputName && !strings.Contains(n.Name, ".") && slices.Contains(n.Overlays, id) {
				t.Outputs = append(t.Outputs, n.Name)
			}
		}
		out = append(out, t)
	}
	return out
}
