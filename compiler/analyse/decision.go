package analyse

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// CheckDecisions reports decisions on which a die depends that falls before them. It is an error, found here because only
// the graph tells whether a rule that is used hands a field on to its dice.
func CheckDecisions(p *plan.Plan, diags *diag.List) {
	for _, b := range p.Bodies() {
		for i := range b.Graph.Decisions {
			d := &b.Graph.Decisions[i]
			for _, die := range schedule.CutAt(p, b, d, schedule.Options{Roots: b.Slots(), Shapes: b.Shapes}, schedule.Given{},
				nil).Early {
				rolled := &b.Graph.Dice[die]
				out := diags.Addf("decision-order", d.Place, b.Title+", decide "+d.Path,
					"%s is rolled before %s is decided, and depends on it", rolled.ID, d.Path)
				out.Repair = "let the decision follow fewer dice, or the dice not read it"
				out.Related = []diag.Related{{Place: rolled.Place, Message: rolled.ID + " is rolled here"}}
			}
		}
	}
}
