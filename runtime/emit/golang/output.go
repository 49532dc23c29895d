package golang

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// writeOutputs writes the outputs of a rule, each with the checks that it has a value.
func (w *writer) writeOutputs(v *plan.Value) {
	names := fieldNames(v.Type)
	name := w.owner + w.event + ".Output"
	for i := range v.Fields {
		f := &v.Type.Fields[i]
		of := name + "." + f.Name
		w.writeRaises(&v.Fields[i], true)
		w.writeLine("out.", names[i], " = ", w.fieldText(f, &v.Fields[i], of))
		w.writeJudgement(f, &v.Fields[i], of, "out."+names[i])
	}
}

// writeRaises writes the checks that a value and its parts have not failed. always says that the value is there whenever
// they are carried out.
func (w *writer) writeRaises(v *plan.Value, always bool) {
	if w.isPresent(v) {
		w.writePresentRaises(v, always)
		return
	}
	before := len(w.lines)
	w.writeLine("if ", w.valueText(w.f.Operand(v.Present)), " {")
	w.writePresentRaises(v, false)
	if len(w.lines) == before+1 {
		w.lines = w.lines[:before]
		return
	}
	w.writeLine("}")
}

func (w *writer) writePresentRaises(v *plan.Value, always bool) {
	if !w.f.IsNone(v.Fault) {
		if o := w.f.Operand(v.Fault); o.Name == "" || !w.raised[o.Name] {
			w.writeRaise(o)
			w.raised[o.Name] = always
		}
	}
	for i := range v.Fields {
		w.writeRaises(&v.Fields[i], always)
	}
	if v.Type.Elem == nil {
		return
	}
	if text := w.failureText(v.Type, w.valueTextAs(w.f.Operand(v.ID), v.Type)); text != "" {
		w.writeLine("if f := ", text, "; f != nil {")
		w.writeLine("return f")
		w.writeLine("}")
	}
}

// isPresent reports whether a value is always there.
func (w *writer) isPresent(v *plan.Value) bool {
	return v.Present == plan.None || w.f.IsConstant(v.Present, 1)
}

// writeJudgement writes the check that doubles of an output, which the text has, are numbers.
func (w *writer) writeJudgement(f *plan.Field, v *plan.Value, name, text string) {
	if !w.isDoubtful(v) {
		return
	}
	check := fmt.Sprintf("err := kernel.CheckNumber(%q, %s); err != nil", f.Name, text)
	if v.Type.Kind != plan.Double || f.Optional {
		check = fmt.Sprintf("err := kernel.CheckNumbers(%q, %s); err != nil", f.Name, text)
	}
	w.writeLine("if ", check, " {")
	w.writeLine("return err")
	w.writeLine("}")
}

// isDoubtful reports whether a double in a value may be no number.
func (w *writer) isDoubtful(v *plan.Value) bool {
	switch v.Type.Kind {
	case plan.Double:
		return !w.isFinite(w.f.Operand(v.ID).ID)
	case plan.Record:
		for i := range v.Fields {
			if w.isDoubtful(&v.Fields[i]) {
				return true
			}
		}
		return false
	}
	return hasDouble(v.Type)
}

// outputText returns the expression of a value as it is outside. name is that of its structs.
func (w *writer) outputText(v *plan.Value, name string) string {
	if v.Type.Kind != plan.Record {
		return w.leaveText(v.Type, name, w.valueTextAs(w.f.Operand(v.ID), v.Type))
	}
	names := fieldNames(v.Type)
	var out []string
	for i := range v.Fields {
		out = append(out, names[i]+": "+w.fieldText(&v.Type.Fields[i], &v.Fields[i], name+"."+v.Type.Fields[i].Name))
	}
	return w.structName(name) + "{" + strings.Join(out, ", ") + "}"
}

// fieldText returns the expression of a field of a struct.
func (w *writer) fieldText(f *plan.Field, v *plan.Value, name string) string {
	text := w.outputText(v, name)
	if !f.Optional {
		return text
	}
	there := "true"
	if !w.isPresent(v) {
		there = w.valueText(w.f.Operand(v.Present))
	}
	if v.Type.Kind == plan.Int {
		text = "int64(" + text + ")"
	}
	return "kernel.Present(" + there + ", " + text + ")"
}
