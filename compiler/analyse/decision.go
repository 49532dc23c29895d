package analyse

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// CheckDecisions reports decisions on which a die depends that falls before them, and those whose bounds depend on a field
// that is decided then or later. It is an error, found here because only the graph tells whether a rule that is used hands
// a field on to its dice or its outputs.
//
// It cannot be asked of one rule's source: whether a field reaches a die may be settled by a rule that is used by a rule
// that is used. In the graph all of them are one.
func CheckDecisions(p *plan.Plan, diags *diag.List) {
	for _, b := range p.Bodies() {
		opt := schedule.Options{Roots: b.Slots(), Shapes: b.Shapes}
		for k := range b.Graph.Decisions {
			reportDecision(diags, b, k, schedule.CutAt(p, b, k, opt, schedule.Given{}, nil))
		}
	}
}

// reportDecision reports the errors of the k-th decision of a body.
func reportDecision(diags *diag.List, b plan.Body, k int, cut *schedule.Cut) {
	d := &b.Graph.Decisions[k]
	subject := b.Title + ", decide " + d.Path
	for _, die := range cut.Early {
		rolled := &b.Graph.Dice[die]
		out := diags.Addf("decision-order", d.Place, subject, "%s is rolled before %s is decided, and depends on it",
			rolled.ID, d.Path)
		out.Repair = "let the decision follow fewer dice, or the dice not read it"
		out.Related = []diag.Related{{Place: rolled.Place, Message: rolled.ID + " is rolled here"}}
	}
	if cut.HasOpenBound {
		diags.Addf("decision-order", d.Place, subject,
			"its bounds depend on %s itself, or on a field that is decided after it",
			d.Path).Repair = "write the bounds with what is known by then, or decide the other field first"
	}
}
