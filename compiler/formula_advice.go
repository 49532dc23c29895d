package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A formula that is given at run time reads outputs, or a state; what else a ruleset has a name for is out of its
// reach. Its checker knows nothing of the ruleset, so what was meant is told here, of the names that it found unknown.

// adviseOutputs says of the unknown names in a formula over outputs what is meant by them.
func adviseOutputs(e *diag.Errors, r *plan.Rule) {
	for i := range e.List {
		if d := &e.List[i]; d.Missing != "" && !isNearMiss(d) {
			if meant := meantByOutput(d.Missing, r); meant != "" {
				d.Repair = meant
			}
		}
	}
}

// isNearMiss reports whether the checker has found the name that is meant.
func isNearMiss(d *diag.Diagnostic) bool { return strings.HasPrefix(d.Repair, "did you mean") }

// meantByOutput returns what to write for a name that is no output: a part of one, a word that one may be, a die, or a
// mean.
func meantByOutput(name string, r *plan.Rule) string {
	for _, f := range r.Graph.Outputs.Type.Fields {
		if slices.Contains(f.Type.Enum, name) {
			return fmt.Sprintf("write %s == '%s'", f.Name, name)
		}
		if f.Type.Kind == plan.Record && !f.Type.Character {
			if part := nearestField(name, f.Type); part != "" {
				return fmt.Sprintf("did you mean %s.%s?", f.Name, part)
			}
		}
	}
	isDie := func(d plan.Die) bool { return d.ID == name }
	status, _ := r.Graph.Outputs.Type.Field("status")
	switch {
	case status >= 0 && slices.Contains([]string{"end", "ends", "ended", "ending", "result", "outcome"}, name):
		return "how it ends is its status: status == 'NAME'"
	case slices.ContainsFunc(r.Graph.Dice, isDie):
		return fmt.Sprintf("%s is a die: write output: natural: %q in the rule, and ask of natural", name, name)
	case name == "input":
		return "what is given is the same whatever falls: --vary asks for several values of it"
	case slices.Contains([]string{"mean", "avg", "average", "stddev", "variance", "median"}, name):
		return "write the formula alone: its mean, deviation and quantiles are told"
	}
	return ""
}

// nearestField returns the field of a record that has a name, or whose name is nearest to it; "" where none is near.
func nearestField(name string, t *plan.Type) string {
	var names []string
	for _, f := range t.Fields {
		if f.Name == name {
			return name
		}
		names = append(names, f.Name)
	}
	return diag.Nearest(name, names)
}

// adviseGuard says of the unknown names in a formula over the state of a procedure what is meant by them: a field of the
// state, or what only the ruleset's own formulas read.
func adviseGuard(e *diag.Errors, p *plan.Plan, d *plan.Procedure) {
	for i := range e.List {
		x := &e.List[i]
		isFunction := func(y plan.Entry) bool { return y.Kind == plan.FunctionEntry && y.ID == x.Missing }
		field := ""
		if x.Missing != "" && !isNearMiss(x) {
			field = nearestField(x.Missing, d.State.Type())
		}
		switch {
		case slices.ContainsFunc(p.Entries, isFunction):
			x.Message = x.Missing + " is a function of the ruleset, and may not be called here"
			x.Repair = "write what it computes, over state"
		case x.Missing == "event":
			x.Repair = "a guard is judged before the event is given: write what comes with it behind its name, EVENT " +
				"field=value: GUARD"
		case field != "":
			x.Repair = "did you mean state." + field + "?"
		case x.Missing != "" && x.Code == "unknown-name" && !isNearMiss(x):
			x.Repair = "what can be read here are state, character, input and option: " +
				"the lets and outputs of the procedure are written again, over state"
		}
	}
}
