package golang

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// addProcedure writes the file of a procedure: a function for the start, one for each event, and one that closes a step.
func (w *packageWriter) addProcedure(p *plan.Plan, values []int, d *plan.Procedure, name string) {
	steps := p.Steps(d)
	next := nextType(d)
	input, state, after, output := w.structName(d.ID+".Input"), w.structName(d.ID+".State"), w.structName(d.ID+".Next"),
		w.structName(d.ID+".Output")
	lines := w.recordLines(d.Input, d.ID+".Input", "is the input of "+name+".", plan.InputRoot)
	lines = append(lines, w.recordLines(d.State, d.ID+".State", "is the state of "+name+".", plan.StateRoot)...)
	lines = append(lines, w.structLines(next, nil, d.ID+".Next", "is what a step of "+name+" makes.")...)
	lines = append(lines, w.structLines(d.Close.Outputs.Type, nil, d.ID+".Output", "is the output of "+name+".")...)
	start := w.newWriter(p, steps[0], values, d.ID, nil)
	lines = append(lines, fmt.Sprintf("func begin%s(c *Character, in *%s, e *kernel.Evaluation, next *%s) error {",
		name, input, after))
	lines = append(lines, start.functionLines(func() { start.writeNext(d, d.Start.Next) })...)
	lines = append(lines, "}", "")
	var events []string
	for i := range d.Events {
		text, event := w.eventLines(p, values, d, i)
		lines, events = append(lines, text...), append(events, event)
	}
	closing := w.newWriter(p, steps[len(steps)-1], values, d.ID, nil)
	lines = append(lines, fmt.Sprintf("func close%s(c *Character, in *%s, state *%s, e *kernel.Evaluation, "+
		"status *string, out *%s) error {", name, input, state, output))
	lines = append(lines, closing.functionLines(func() { closing.writeEnds(d) })...)
	lines = append(lines, "}", "",
		"// "+name+" is procedure "+d.ID+definitionText(p, d.ID, d.Cite, plan.ProcedureEntry),
		fmt.Sprintf("var %s = &kernel.Procedure{", name), "Ruleset: &ruleset,", fmt.Sprintf("ID: %q,", d.ID))
	lines = append(lines, overlayLines(p, &d.Close)...)
	lines = append(lines, "Character: &schemaOfCharacter,", "Input: &schemaOf"+input+",", "State: &schemaOf"+state+",",
		"Begin: begin"+name+",", "Events: []kernel.Event{\n"+strings.Join(events, "\n")+"\n},", "Close: close"+name+",", "}")
	w.addFile(d.ID+"_procedure.go", lines)
}

// nextType returns the type of what a step makes.
func nextType(d *plan.Procedure) *plan.Type {
	t := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "state", Type: d.Start.Next[0].Type}}}
	if d.Changes {
		t.Fields = append(t.Fields, plan.Field{Name: "character", Type: d.Start.Next[1].Type})
	}
	return t
}

// eventLines writes an event, and returns it as one of the procedure.
func (w *packageWriter) eventLines(p *plan.Plan, values []int, d *plan.Procedure, index int) (lines []string,
	event string) {
	e := &d.Events[index]
	of := d.ID + "." + e.ID
	guard, run := "", w.names.take("run"+camel(of), "guard%s")
	input, output := w.structName(of+".Input"), w.structName(of+".Output")
	lines = w.recordLines(e.Input, of+".Input", "is the input of event "+e.ID+".", plan.EventRoot)
	lines = append(lines, w.structLines(e.Graph.Outputs.Type, nil, of+".Output", "is the output of event "+e.ID+".")...)
	body := p.Steps(d)[1+index]
	if e.Graph.When.ID != plan.None {
		guard = "guard" + run
		lines = append(lines, "// "+guard+" judges the guard of event "+e.ID+".",
			fmt.Sprintf("func %s(c *Character, in *%s, state *%s, e *kernel.Evaluation) error {", guard,
				w.structName(d.ID+".Input"), w.structName(d.ID+".State")))
		cut := body
		cut.Graph = schedule.CutGuard(body.Graph)
		lines = append(append(lines, w.newWriter(p, cut, values, d.ID, nil).functionLines(func() {})...), "}", "")
	}
	f := w.newWriter(p, body, values, d.ID, nil)
	f.event = "." + e.ID
	lines = append(lines, "// "+run+" is event "+e.ID+definitionText(p, of, e.Cite, plan.EventEntry))
	lines = append(lines, fmt.Sprintf("func %s(c *Character, in *%s, state *%s, event *%s, e *kernel.Evaluation, "+
		"next *%s, out *%s) error {", run, w.structName(d.ID+".Input"), w.structName(d.ID+".State"), input,
		w.structName(d.ID+".Next"), output))
	lines = append(lines, f.functionLines(func() {
		f.writeOutputs(&e.Graph.Outputs)
		f.writeNext(d, e.Graph.Next)
	})...)
	if guard != "" {
		guard = "Guard: " + guard + ", "
	}
	return append(lines, "}", ""), fmt.Sprintf("{ID: %q, Input: &schemaOf%s, %sRun: %s},", e.ID, input, guard, run)
}

// writeNext writes the end of a step: the state and the character after it.
func (w *writer) writeNext(d *plan.Procedure, next []plan.Value) {
	for i := range next {
		w.writeRaises(&next[i], true)
	}
	t := nextType(d)
	for i := range t.Fields {
		field := t.Fields[i].Name
		w.writeLine("next.", camel(field), " = ", w.outputText(&next[i], w.owner+".Next."+field))
	}
}

// writeEnds writes which end of a procedure holds first, and the outputs.
func (w *writer) writeEnds(d *plan.Procedure) {
	w.writeLine("*status = kernel.Open")
	for i := range d.Close.Ends {
		end := &d.Close.Ends[i]
		w.writeLine("if *status == kernel.Open {")
		w.writeRaises(end, false)
		w.writeLine("if ", w.valueText(w.f.Operand(end.ID)), " {")
		w.writeLine(fmt.Sprintf("*status = %q", d.Ends[i]))
		w.writeLine("}")
		w.writeLine("}")
	}
	w.writeOutputs(&d.Close.Outputs)
}
