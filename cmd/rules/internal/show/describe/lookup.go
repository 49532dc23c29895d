// Package describe tells what a plan contains, as data that JSON and pages show: fields with their bounds, definitions with
// their formulas, tables row by row, and what a rule needs before it can be carried out. It evaluates nothing.
//
// # What a rule needs
//
// "rules eval tempestas test" without a character prints the fields of test's input with their
// bounds, what is read of a character, the dice, the options, and a line to copy. NeedsOf makes
// this from the plan:
//
//   - The input's fields are those of its shape, flattened to paths (fields.go): points.body,
//     parts[].name, skills.* for the values of an open map.
//   - What is read of a character is not declared anywhere. readFinder asks schedule.FindNeeds,
//     with nothing known, which slots the body can still depend on (reads.go). So a field that only
//     an option reads counts, and one that no formula of this rule reaches does not.
//   - Options are those that a node of the graph reads, in the order of the plan.
//
// Everything here is data with JSON names that tools have come to rely on: a member may be added,
// and none renamed. Pages and terminals print the same values (packages present and site).
package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// InputOf returns the shape of the input of a rule, of a procedure, or, for PROCEDURE.EVENT, of an
// event; nil when there is none of that name. Rules come first: their names have no dot, and are
// unique beside those of procedures.
func InputOf(p *plan.Plan, id string) *plan.Shape {
	if r := p.Rule(id); r != nil {
		return r.Input
	}
	id, event, ofEvent := strings.Cut(id, ".")
	d := p.Procedure(id)
	switch {
	case d == nil:
		return nil
	case !ofEvent:
		return d.Input
	}
	if e := d.Event(event); e != nil {
		return e.Input
	}
	return nil
}

// DecisionsOf returns the fields of an input, named as by InputOf, that are decided when dice have
// fallen. A graph of an event may have decisions of another root as well; only those of its own
// input count.
func DecisionsOf(p *plan.Plan, id string) (out []plan.Decision) {
	if r := p.Rule(id); r != nil {
		return decisionsIn(&r.Graph, plan.InputRoot)
	}
	id, event, ofEvent := strings.Cut(id, ".")
	d := p.Procedure(id)
	if d == nil {
		return nil
	}
	if !ofEvent {
		return decisionsIn(&d.Start, plan.InputRoot)
	}
	if e := d.Event(event); e != nil {
		return decisionsIn(&e.Graph, plan.EventRoot)
	}
	return nil
}

func decisionsIn(g *plan.Graph, root plan.Root) (out []plan.Decision) {
	for _, d := range g.Decisions {
		if d.Root == root {
			out = append(out, d)
		}
	}
	return out
}

// AskableNames returns all names that InputOf knows.
func AskableNames(p *plan.Plan) []string {
	out := EvaluableNames(p)
	for i := range p.Procedures {
		for k := range p.Procedures[i].Events {
			out = append(out, p.Procedures[i].ID+"."+p.Procedures[i].Events[k].ID)
		}
	}
	return out
}

// ownerOf returns the first rule or procedure that has an output of a name; "" where none has.
func ownerOf(p *plan.Plan, name string) string {
	has := func(t *plan.Type) bool {
		return slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return f.Name == name })
	}
	for i := range p.Rules {
		if has(p.Rules[i].Graph.Outputs.Type) {
			return p.Rules[i].ID
		}
	}
	for i := range p.Procedures {
		if has(p.Procedures[i].Close.Outputs.Type) {
			return p.Procedures[i].ID
		}
	}
	return ""
}

// tableWith returns the first table of the book that has a row of a name; "" for none.
func tableWith(p *plan.Plan, row string) string {
	for i := range p.Tables {
		t := &p.Tables[i]
		if !t.IsDerived() && slices.ContainsFunc(t.Keys, func(k int64) bool { return p.Symbols[k] == row }) {
			return t.ID
		}
	}
	return ""
}

// UnknownIn returns the error of a name that is unknown in a ruleset. It lists the known names only when they are few.
//
// A near name is always worth more than a list. Only when there is none, and the list would fill the screen, the
// command that prints it is named instead.
func UnknownIn(p *plan.Plan, what, name string, known []string) error {
	const most = 12
	if !slices.Contains(known, name) {
		if owner := ownerOf(p, name); owner != "" && strings.HasPrefix(what, "definition") {
			return fmt.Errorf("there is no %s %q: it is an output of %s", what, name, owner)
		}
		if table := tableWith(p, name); table != "" {
			return fmt.Errorf("there is no %s %q: it is a row of the table %s: rules show %s %[3]s", what, name, table,
				p.Ruleset)
		}
	}
	err := &runtime.UnknownError{What: what, Name: name, Known: known}
	if whole, _, isPart := strings.Cut(name, "."); isPart && slices.Contains(known, whole) {
		err.Known = nil
		return fmt.Errorf("%w; it is shown with %s: write %[2]s", err, whole)
	}
	if len(known) <= most || spell.Nearest(name, known) != "" {
		return err
	}
	// The error is still an UnknownError, by which api chooses its status, but lists nothing.
	err.Known = nil
	return fmt.Errorf("%w in %s; \"rules list %s\" lists what there is", err, p.Ruleset, p.Ruleset)
}

// EvaluableNames returns the ids that eval takes: the rules and then the procedures, each in the
// author's order.
func EvaluableNames(p *plan.Plan) []string {
	return append(p.RuleNames(), p.ProcedureNames()...)
}
