package js

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// procedureModule returns the module of a procedure: a function for the start, one for each event, and one that closes
// a step.
func procedureModule(p *plan.Plan, values []int, d *plan.Procedure) string {
	m := newModule(p, values, "defineProcedure")
	steps := p.Steps(d)
	start := m.newWriter(steps[0], nil)
	closing := m.newWriter(steps[len(steps)-1], nil)
	out := []string{ruleComment(p, d.ID, d.Cite, plan.ProcedureEntry),
		"export const " + ExportName(d.ID) + " = defineProcedure(ruleset, {", "  id: " + quoteLiteral(d.ID) + ","}
	out = append(out, overlaysMember(p, &d.Close)...)
	rolls := slices.ContainsFunc(steps, func(b plan.Body) bool { return len(b.Graph.Dice) > 0 })
	out = append(out, m.takeMember(rolls), "  input: "+innerSchema(m.imports, d.Input)+",",
		"  state: "+innerSchema(m.imports, d.State)+",",
		"  next: ["+start.typeText(d.Start.Next[0].Type)+", "+start.nextType(d)+"],",
		"  output: "+closing.typeText(d.Close.Outputs.Type)+",")
	out = append(out, start.functionLines("begin(c, i, s, e, r)", 1, func() { start.writeNext(d, nil, d.Start.Next) })...)
	out = append(out, "  events: {")
	for i := range d.Events {
		e := &d.Events[i]
		w := m.newWriter(steps[1+i], nil)
		out = append(out, "    "+memberName(e.ID)+": {", "      input: "+innerSchema(m.imports, e.Input)+",",
			"      output: "+w.typeText(e.Graph.Outputs.Type)+",")
		if e.Graph.When.ID != plan.None {
			cut := steps[1+i]
			cut.Graph = schedule.CutGuard(cut.Graph)
			out = append(out, m.newWriter(cut, nil).functionLines("guard(c, i, s, e, r)", 3, func() {})...)
		}
		out = append(out, w.functionLines("run(c, i, s, e, r)", 3,
			func() { w.writeNext(d, &e.Graph.Outputs, e.Graph.Next) })...)
		out = append(out, "    },")
	}
	out = append(out, "  },")
	out = append(out, closing.functionLines("close(c, i, s, e, r)", 1, func() { closing.writeEnds(d) })...)
	return m.text(append(out, "});"))
}

// nextType returns the type of the character after a step; undefined if no step changes it.
func (w *writer) nextType(d *plan.Procedure) string {
	if !d.Changes {
		return "undefined"
	}
	return w.typeText(d.Start.Next[1].Type)
}

// writeNext writes the end of a step: the state and the character after it, and the outputs of an event.
func (w *writer) writeNext(d *plan.Procedure, outputs *plan.Value, next []plan.Value) {
	members := []string{}
	if outputs != nil && outputs.Type != nil {
		w.writeOutputChecks(outputs)
	}
	for i := range next {
		w.writeRaises(&next[i], true)
	}
	members = append(members, "state: "+w.outputText(&next[0]))
	if d.Changes {
		members = append(members, "character: "+w.outputText(&next[1]))
	}
	if outputs != nil && outputs.Type != nil {
		members = append(members, "output: "+w.outputText(outputs))
	}
	w.writeLine("return { ", strings.Join(members, ", "), " };")
}

// writeEnds writes which end of a procedure holds first, and the outputs.
func (w *writer) writeEnds(d *plan.Procedure) {
	w.writeLine("let status = ", quoteLiteral(plan.Open), ";")
	for i := range d.Close.Ends {
		end := &d.Close.Ends[i]
		w.writeLine("if (status === ", quoteLiteral(plan.Open), ") {")
		w.writeBlock(func() {
			w.writeRaises(end, false)
			w.writeLine("if (", w.valueText(w.f.Operand(end.ID)), ") status = ", quoteLiteral(d.Ends[i]), ";")
		})
		w.writeLine("}")
	}
	w.writeOutputChecks(&d.Close.Outputs)
	w.writeLine("return { status, output: ", w.outputText(&d.Close.Outputs), " };")
}
