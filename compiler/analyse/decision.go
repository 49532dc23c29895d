package analyse

import (
	"fmt"
	"math"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// CheckDecisions reports decisions on which a die depends that falls before them, those whose bounds depend on a field that
// is decided then or later, and those whose bounds leave no number. These are errors, found here because only the graph
// tells whether a rule that is used hands a field on to its dice or its outputs, and what a bound can be.
//
// It cannot be asked of one rule's source: whether a field reaches a die may be settled by a rule that is used by a rule
// that is used. In the graph all of them are one.
func CheckDecisions(p *plan.Plan, diags *diag.List) {
	for _, b := range p.Bodies() {
		if len(b.Graph.Decisions) == 0 {
			continue
		}
		opt := schedule.Options{Roots: b.Slots(), Shapes: b.Shapes}
		bounds := interval.Analyse(p, b.Graph, b.Shapes)
		for k := range b.Graph.Decisions {
			reportDecision(diags, b, k, schedule.CutAt(p, b, k, opt, schedule.Given{}, nil))
			reportEmptyDecision(diags, b, k, bounds)
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

// reportEmptyDecision reports that no number is within the bounds of the k-th decision of a body and of its field, whatever
// falls and is given.
func reportEmptyDecision(diags *diag.List, b plan.Body, k int, bounds []interval.Interval) {
	d := &b.Graph.Decisions[k]
	field := shapeAt(b.Shapes[d.Root], d.Path)
	if field == nil || field.Kind != plan.Int && field.Kind != plan.Double {
		return
	}
	lowest, highest := math.Inf(-1), math.Inf(1)
	if field.Min != nil {
		lowest = field.Min.Value
	}
	if field.Max != nil {
		highest = field.Max.Value
	}
	least, _ := rangeOf(&d.Least, bounds)
	_, most := rangeOf(&d.Most, bounds)
	if max(least, lowest) <= min(most, highest) {
		return
	}
	subject := b.Title + ", decide " + d.Path
	what := "no number is left to decide: "
	switch {
	case least > most:
		what += fmt.Sprintf("least is %v or more, and most is %v or less", least, most)
	case least > highest:
		what += fmt.Sprintf("least is %v or more, and %s is at most %v", least, d.Path, highest)
	default:
		what += fmt.Sprintf("most is %v or less, and %s is at least %v", most, d.Path, lowest)
	}
	diags.Addf("decision", d.Place, subject, "%s", what).
		Repair = "let most be at least as great as least, within the bounds of the field"
}

// rangeOf returns between which numbers a bound lies; any number where there is none.
func rangeOf(v *plan.Value, bounds []interval.Interval) (low, high float64) {
	switch {
	case v.Type == nil || v.ID == plan.None:
		return math.Inf(-1), math.Inf(1)
	case v.Type.Kind == plan.Double:
		return bounds[v.ID].Low, bounds[v.ID].High
	}
	return float64(bounds[v.ID].Min), float64(bounds[v.ID].Max)
}

// shapeAt returns the shape at a path of a record; nil where there is none.
func shapeAt(s *plan.Shape, path string) *plan.Shape {
	for name := range strings.SplitSeq(path, ".") {
		s = s.Member(name)
	}
	return s
}
