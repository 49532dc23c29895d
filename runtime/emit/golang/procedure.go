package golang

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// addProcedure writes the file of a procedure: a function for the start, one for each event, and one that closes a step.
func (w *packageWriter) addProcedure(p *plan.Plan, values []int, d *plan.Procedure, name string) {
	steps := p.Steps(d)
	next := nextType(d)
	lines := w.recordLines(d.Input, name+"Input", "is the input of "+name+".", plan.InputRoot)
	lines = append(lines, w.recordLines(d.State, name+"State", "is the state of "+name+".", plan.StateRoot)...)
	lines = append(lines, w.outputLines(next, name+"Next", "is what a step of "+name+" makes.")...)
	lines = append(lines, w.outputLines(d.Close.Outputs.Type, name+"Output", "is the output of "+name+".")...)
	start := w.newWriter(p, steps[0], values, name, nil)
	lines = append(lines, fmt.Sprintf("func begin%s(c *Character, in *%sInput, e *kernel.Evaluation, next *%sNext) error {",
		name, name, name))
	lines = append(lines, start.functionLines(func() { start.writeNext(d, d.Start.Next) })...)
	lines = append(lines, "}", "")
	records := fmt.Sprintf("Character, %sInput, %sState, %sNext", name, name, name)
	var events []string
	for i := range d.Events {
		text, event := w.eventLines(p, values, d, name, i)
		lines, events = append(lines, text...), append(events, fmt.Sprintf("kernel.NewEvent[%s](%s),", records, event))
	}
	closing := w.newWriter(p, steps[len(steps)-1], values, name, nil)
	lines = append(lines, fmt.Sprintf("func close%s(c *Character, in *%sInput, state *%sState, e *kernel.Evaluation, "+
		"status *string, out *%sOutput) error {", name, name, name, name))
	lines = append(lines, closing.functionLines(func() { closing.writeEnds(d) })...)
	lines = append(lines, "}", "",
		"// "+name+" is procedure "+d.ID+definitionText(p, d.ID, d.Cite, plan.ProcedureEntry),
		fmt.Sprintf("var %s = &kernel.Procedure[%s, %sOutput]{", name, records, name),
		"Ruleset: ruleset,", fmt.Sprintf("ID: %q,", d.ID))
	lines = append(lines, overlayLines(p, &d.Close)...)
	lines = append(lines, "Character: characterRecord,", "Input: "+lowerCamel(name+"Input")+"Record,",
		"State: "+lowerCamel(name+"State")+"Record,", "Begin: begin"+name+",",
		"Events: []kernel.Event["+records+"]{\n"+strings.Join(events, "\n")+"\n},", "Close: close"+name+",")
	members := []string{"State", "Character"}[:len(next.Fields)]
	for _, of := range members {
		lines = append(lines, fmt.Sprintf("Write%s: func(e *kernel.Encoder, n *%sNext) { write%sNext%s(e, &n.%s) },", of,
			name, name, of, of))
	}
	w.addFile(d.ID+"_procedure.go", append(lines, "Write: write"+name+"Output,", "}"))
}

// nextType returns the type of what a step makes.
func nextType(d *plan.Procedure) *plan.Type {
	t := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "state", Type: d.Start.Next[0].Type}}}
	if d.Changes {
		t.Fields = append(t.Fields, plan.Field{Name: "character", Type: d.Start.Next[1].Type})
	}
	return t
}

// eventLines writes an event, and returns the arguments that make it one of the procedure.
func (w *packageWriter) eventLines(p *plan.Plan, values []int, d *plan.Procedure, name string, index int) (lines []string,
	event string) {
	e := &d.Events[index]
	of := name + camel(e.ID)
	lines = w.recordLines(e.Input, of+"Input", "is the input of event "+e.ID+".", plan.EventRoot)
	lines = append(lines, w.outputLines(e.Graph.Outputs.Type, of+"Output", "is the output of event "+e.ID+".")...)
	f := w.newWriter(p, p.Steps(d)[1+index], values, name, nil)
	f.event = camel(e.ID)
	lines = append(lines, "// run"+of+" is event "+e.ID+definitionText(p, d.ID+"."+e.ID, e.Cite, plan.EventEntry))
	lines = append(lines, fmt.Sprintf("func run%s(c *Character, in *%sInput, state *%sState, event *%sInput, "+
		"e *kernel.Evaluation, next *%sNext, out *%sOutput) error {", of, name, name, of, name, of))
	lines = append(lines, f.functionLines(func() {
		f.writeOutputs(&e.Graph.Outputs)
		f.writeNext(d, e.Graph.Next)
	})...)
	return append(lines, "}", ""), fmt.Sprintf("%q, %sRecord, run%s, write%sOutput", e.ID, lowerCamel(of+"Input"), of, of)
}

// writeNext writes the end of a step: the state and the character after it.
func (w *writer) writeNext(d *plan.Procedure, next []plan.Value) {
	for i := range next {
		w.writeRaises(&next[i], true)
	}
	t := nextType(d)
	for i := range t.Fields {
		of := camel(t.Fields[i].Name)
		w.writeLine("next.", of, " = ", w.outputText(&next[i], w.owner+"Next"+of))
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
