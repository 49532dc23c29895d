package js

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// writeOutputChecks writes the checks that outputs have values, in the order of evaluation.
func (w *writer) writeOutputChecks(v *plan.Value) {
	for i := range v.Fields {
		w.writeRaises(&v.Fields[i], true)
		w.writeJudgements(v.Type.Fields[i].Name, &v.Fields[i])
	}
}

// writeRaises writes the checks that a value and its parts have not failed. always says that the value is there whenever
// they are carried out.
func (w *writer) writeRaises(v *plan.Value, always bool) {
	if !w.isPresent(v) {
		w.writeLine("if (", w.valueText(w.f.Operand(v.Present)), ") {")
		w.writeBlock(func() { w.writePresentRaises(v, false) })
		w.writeLine("}")
		return
	}
	w.writePresentRaises(v, always)
}

func (w *writer) writePresentRaises(v *plan.Value, always bool) {
	if !w.f.IsNone(v.Fault) {
		if o := w.f.Operand(v.Fault); o.Name == "" || !w.raised[o.Name] {
			w.writeLine(w.useKernel("raise("), w.valueText(o), ");")
			w.raised[o.Name] = always
		}
	}
	if v.Type.Kind == plan.Record {
		for i := range v.Fields {
			w.writeRaises(&v.Fields[i], always)
		}
	} else if hasFallible(v.Type) {
		w.writeLine(w.useKernel("raiseParts("), w.typeText(v.Type), ", ", w.valueText(w.f.Operand(v.ID)), ");")
	}
}

// isPresent reports whether a value is always there.
func (w *writer) isPresent(v *plan.Value) bool {
	return v.Present == plan.None || w.f.IsConstant(v.Present, 1)
}

// writeJudgements writes the checks that doubles of an output are numbers.
func (w *writer) writeJudgements(output string, v *plan.Value) {
	if v.Type.Kind == plan.Record {
		for i := range v.Fields {
			w.writeJudgements(output, &v.Fields[i])
		}
		return
	}
	o := w.f.Operand(v.ID)
	if !hasDouble(v.Type) || v.Type.Kind == plan.Double && w.isFinite(o.ID) {
		return
	}
	text := w.useKernel("judgeNumbers(") + quoteLiteral(output) + ", " + w.typeText(v.Type) + ", " + w.valueText(o) + ");"
	if !w.isPresent(v) {
		text = "if (" + w.valueText(w.f.Operand(v.Present)) + ") " + text
	}
	w.writeLine(text)
}

// isFinite reports whether a double is known to be a number.
func (w *writer) isFinite(id plan.ID) bool {
	if w.f.Node(id).Op == plan.OpConst {
		text := w.constantText(id)
		return text != "NaN" && !strings.HasSuffix(text, "Infinity")
	}
	b := w.f.Bounds(id)
	return !b.NaN && b.Low-b.Low == 0 && b.High-b.High == 0
}

func hasDouble(t *plan.Type) bool {
	return anyPart(t, func(t *plan.Type) bool { return t.Kind == plan.Double })
}

func hasFallible(t *plan.Type) bool {
	return anyPart(t, func(t *plan.Type) bool {
		for i := range t.Fields {
			if t.Fields[i].Fallible {
				return true
			}
		}
		return false
	})
}

// anyPart reports whether a predicate holds for a type or a part of it.
func anyPart(t *plan.Type, is func(*plan.Type) bool) bool {
	if is(t) || t.Elem != nil && anyPart(t.Elem, is) {
		return true
	}
	for i := range t.Fields {
		if anyPart(t.Fields[i].Type, is) {
			return true
		}
	}
	return false
}

// outputText returns the expression of an output.
func (w *writer) outputText(v *plan.Value) string {
	switch v.Type.Kind {
	case plan.Record:
		var members []string
		for i := range v.Fields {
			f := &v.Fields[i]
			text := w.outputText(f)
			if !w.isPresent(f) {
				text = w.operandText(w.f.Operand(f.Present)) + " ? " + text + " : undefined"
			}
			if name := memberName(v.Type.Fields[i].Name); name == text {
				members = append(members, text)
			} else {
				members = append(members, name+": "+text)
			}
		}
		if members == nil {
			return "{}"
		}
		return "{ " + strings.Join(members, ", ") + " }"
	case plan.List, plan.Map:
		return w.useKernel("toValue(") + w.typeText(v.Type) + ", " + w.valueText(w.f.Operand(v.ID)) + ")"
	}
	return w.valueText(w.f.Operand(v.ID))
}

func memberName(name string) string {
	if identifier().MatchString(name) {
		return name
	}
	return quoteLiteral(name)
}

// typeText returns a type as the kernel reads it, as a constant of the module.
func (w *writer) typeText(t *plan.Type) string {
	if t.Scalar() {
		return typeLiteral(t, false)
	}
	return w.addConstant("type", typeLiteral(t, false))
}

// typeLiteral returns a type. Within a list a record's fields are slots, and some have further slots before them.
func typeLiteral(t *plan.Type, inList bool) string {
	kind := strconv.Itoa(int(t.Kind))
	switch t.Kind {
	case plan.List, plan.Map:
		return "[" + kind + ", " + typeLiteral(t.Elem, true) + "]"
	case plan.Record:
		var fields []string
		for i := range t.Fields {
			f := &t.Fields[i]
			text := "[" + quoteLiteral(f.Name) + ", " + typeLiteral(f.Type, inList)
			switch {
			case !inList:
			case f.Fallible:
				text += ", " + strconv.FormatBool(f.Optional) + ", true"
			case f.Optional:
				text += ", true"
			}
			fields = append(fields, text+"]")
		}
		return "[" + kind + ", [" + strings.Join(fields, ", ") + "]]"
	}
	return kind
}
