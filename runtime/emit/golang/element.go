package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Inside functions an element of a list is a scalar, a list or, where it has several slots, a row: a struct of slots.
// Outside it is a value or a struct with structs in it, as people know them. This file converts the one into the other.

// A slot is a field of a row.
type slot struct {
	name string
	of   string // its type
}

// slotsOf returns the slots of an element of a type, in their order.
func (w *packageWriter) slotsOf(t *plan.Type) []slot {
	if t.Kind != plan.Record {
		return []slot{{"value", w.innerType(t)}}
	}
	var out []slot
	w.addSlots(&out, t, "")
	taken := namespace{}
	for i := range out {
		out[i].name = taken.take(out[i].name)
	}
	return out
}

func (w *packageWriter) addSlots(out *[]slot, t *plan.Type, prefix string) {
	for i := range t.Fields {
		f := &t.Fields[i]
		name := f.Name
		if name == "" { // nothing says it
			name = fmt.Sprint("slot_", i)
		}
		name = prefix + camel(name)
		if f.Optional {
			*out = append(*out, slot{"has" + name, "bool"})
		}
		if f.Fallible {
			*out = append(*out, slot{"failed" + name, scalarTypes[plan.Fault]})
		}
		if f.Type.Kind == plan.Record {
			w.addSlots(out, f.Type, name)
			continue
		}
		*out = append(*out, slot{lowerCamel(name), w.innerType(f.Type)})
	}
}

// innerType returns the type of a slot of a list, a map or a scalar within functions.
func (w *packageWriter) innerType(t *plan.Type) string {
	switch {
	case t == nil: // nothing says its elements
		return "[]int64"
	case t.Kind == plan.List:
		return "[]" + w.elementType(t.Elem)
	case t.Kind == plan.Map:
		return "[]" + w.entryType(t)
	}
	return scalarTypes[t.Kind]
}

// entryType returns the type of the entries of a map.
func (w *packageWriter) entryType(t *plan.Type) string {
	return "kernel.Entry[" + scalarTypes[t.Key] + ", " + w.elementType(t.Elem) + "]"
}

// elementType returns the type of the elements of a list: that of their only slot, or a row.
func (w *packageWriter) elementType(t *plan.Type) string {
	slots := w.slotsOf(t)
	if len(slots) == 1 {
		return slots[0].of
	}
	lines := make([]string, len(slots))
	for i, s := range slots {
		lines[i] = s.name + " " + s.of
	}
	text := "struct {\n" + strings.Join(lines, "\n") + "\n}"
	if name, ok := w.byText[text]; ok {
		return name
	}
	name := w.names.take(fmt.Sprint("row", len(w.names)))
	w.byText[text] = name
	w.shared[rowsFile] = append(w.shared[rowsFile], "type "+name+" "+text, "")
	return name
}

// slotTexts returns the slots of an element that is x.
func (w *packageWriter) slotTexts(t *plan.Type, x string) (out []string) {
	slots := w.slotsOf(t)
	if len(slots) == 1 {
		return []string{x}
	}
	for _, s := range slots {
		out = append(out, x+"."+s.name)
	}
	return out
}

// rowText returns an element with some slots.
func (w *packageWriter) rowText(t *plan.Type, slots []string) string {
	if len(slots) == 1 {
		return slots[0]
	}
	return w.elementType(t) + "{" + strings.Join(slots, ", ") + "}"
}

// isSame reports whether a value is the same within functions and outside, where it stands under a name.
func (w *packageWriter) isSame(t *plan.Type, name string) bool {
	return t.Scalar() && w.enumOf(name) == nil || t.Kind == plan.List && w.isSame(t.Elem, name+".Item")
}

// declareFunction returns the name of a function that is declared once.
func (w *packageWriter) declareFunction(name, parameters, result string, lines []string) string {
	key := "func " + name + parameters + result
	if known, ok := w.byText[key]; ok {
		return known
	}
	name = w.names.take(name)
	w.byText[key] = name
	head := "func " + name + "(" + parameters + ") " + result + " {"
	w.shared[rowsFile] = append(append(append(w.shared[rowsFile], head), lines...), "}", "")
	return name
}

// enterText returns a value from outside as functions have it. name is that of its structs.
func (w *packageWriter) enterText(t *plan.Type, name, text string) string {
	switch {
	case w.isSame(t, name):
		return text
	case t.Scalar():
		return text + ".String()"
	case t.Kind == plan.List:
		return "kernel.Convert(" + text + ", " + w.entering(t.Elem, name+".Item") + ")"
	}
	return "kernel.Entries(" + text + ", " + w.entering(t.Elem, name+".Value") + ")"
}

// entering returns the function that makes an element from outside one of functions.
func (w *packageWriter) entering(t *plan.Type, name string) string {
	public := w.publicType(t, name)
	switch {
	case w.isSame(t, name):
		return "kernel.Same[" + public + "]"
	case t.Scalar():
		return public + ".String"
	case t.Kind == plan.Record:
		return w.declareFunction("convert"+public, "x "+public, w.elementType(t),
			[]string{"return " + w.rowText(t, w.enterSlots(t, name, "x"))})
	}
	return "func(x " + public + ") " + w.innerType(t) + " { return " + w.enterText(t, name, "x") + " }"
}

// enterSlots returns the slots of a record from outside.
func (w *packageWriter) enterSlots(t *plan.Type, name, text string) (out []string) {
	names := fieldNames(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		field, of := text+"."+names[i], name+"."+f.Name
		if f.Optional {
			out = append(out, field+" != nil")
			field = "kernel.ValueOf(" + field + ")"
		}
		if f.Type.Kind == plan.Record {
			out = append(out, w.enterSlots(f.Type, of, field)...)
		} else {
			out = append(out, w.enterText(f.Type, of, field))
		}
	}
	return out
}

// leaveText returns a value of functions as it is outside.
func (w *packageWriter) leaveText(t *plan.Type, name, text string) string {
	switch {
	case w.isSame(t, name):
		return text
	case t.Kind == plan.List:
		return "kernel.Convert(" + text + ", " + w.leaving(t.Elem, name+".Item") + ")"
	}
	return "kernel.MapOf(" + text + ", " + w.leaving(t.Elem, name+".Value") + ")"
}

// leaving returns the function that makes an element of functions one for outside.
func (w *packageWriter) leaving(t *plan.Type, name string) string {
	public := w.publicType(t, name)
	switch {
	case w.isSame(t, name):
		return "kernel.Same[" + public + "]"
	case t.Kind == plan.Record:
		slots := w.slotTexts(t, "x")
		return w.declareFunction("new"+public, "x "+w.elementType(t), public,
			[]string{"return " + w.leaveRecord(t, name, &slots)})
	}
	return "func(x " + w.innerType(t) + ") " + public + " { return " + w.leaveText(t, name, "x") + " }"
}

// leaveRecord returns the struct of a record that consists of the next slots.
func (w *packageWriter) leaveRecord(t *plan.Type, name string, slots *[]string) string {
	next := func() string {
		text := (*slots)[0]
		*slots = (*slots)[1:]
		return text
	}
	var out []string
	names := fieldNames(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		of, there := name+"."+f.Name, ""
		if f.Optional {
			there = next()
		}
		if f.Fallible {
			next()
		}
		text := ""
		if f.Type.Kind == plan.Record {
			text = w.leaveRecord(f.Type, of, slots)
		} else {
			text = w.leaveText(f.Type, of, next())
		}
		if f.Optional {
			text = "kernel.Present(" + there + ", " + text + ")"
		}
		out = append(out, names[i]+": "+text)
	}
	return w.publicType(t, name) + "{" + strings.Join(out, ", ") + "}"
}

// failureText returns the first failure in a list or a map; empty if no part of it may have failed.
func (w *packageWriter) failureText(t *plan.Type, text string) string {
	if t.Elem == nil {
		return ""
	}
	x := "x"
	of := w.elementType(t.Elem)
	if t.Kind == plan.Map {
		x, of = "x.Value", w.entryType(t)
	}
	slots := w.slotTexts(t.Elem, x)
	lines := w.failureLines(t.Elem, "", &slots)
	if lines == nil {
		return ""
	}
	return "kernel.FirstFailure(" + text + ", func(x " + of + ") *kernel.Failure {\n" + strings.Join(lines, "\n") +
		"\nreturn nil\n})"
}

// failureLines returns the statements that return the first failure of a value that consists of the next slots. there is
// the condition that it is there.
func (w *packageWriter) failureLines(t *plan.Type, there string, slots *[]string) (lines []string) {
	next := func() string {
		text := (*slots)[0]
		*slots = (*slots)[1:]
		return text
	}
	if t.Kind != plan.Record {
		if text := w.failureText(t, next()); text != "" {
			lines = append(lines, "if f := "+text+"; "+there+"f != nil {", "return f", "}")
		}
		return lines
	}
	for i := range t.Fields {
		f, there := &t.Fields[i], there
		if f.Optional {
			there += next() + " && "
		}
		if f.Fallible {
			failed := next()
			lines = append(lines, "if "+there+failed+" != nil {", "return "+failed, "}")
		}
		lines = append(lines, w.failureLines(f.Type, there, slots)...)
	}
	return lines
}

// equalText returns the condition that two values are equal.
func (w *packageWriter) equalText(t *plan.Type, a, b string) string {
	switch t.Kind {
	case plan.List:
		return "slices.EqualFunc(" + a + ", " + b + ", " + w.equality(t.Elem) + ")"
	case plan.Map:
		return "kernel.AreEqual(" + a + ", " + b + ", " + w.equality(t.Elem) + ")"
	}
	return a + " == " + b
}

// equality returns the function that reports whether two elements are equal.
func (w *packageWriter) equality(t *plan.Type) string {
	x, y := w.slotTexts(t, "x"), w.slotTexts(t, "y")
	terms := w.equalTerms(t, &x, &y)
	if len(terms) == 0 {
		terms = []string{"true"}
	}
	of := w.elementType(t)
	return "func(x, y " + of + ") bool { return " + strings.Join(terms, " && ") + " }"
}

// equalTerms returns the conditions that two values are equal that consist of the next slots.
func (w *packageWriter) equalTerms(t *plan.Type, x, y *[]string) []string {
	next := func() (a, b string) {
		a, b = (*x)[0], (*y)[0]
		*x, *y = (*x)[1:], (*y)[1:]
		return a, b
	}
	if t.Kind != plan.Record {
		a, b := next()
		return []string{w.equalText(t, a, b)}
	}
	var out []string
	for i := range t.Fields {
		f, there := &t.Fields[i], ""
		if f.Optional {
			a, b := next()
			out, there = append(out, a+" == "+b), "!"+a+" || "
		}
		if f.Fallible {
			next()
		}
		terms := w.equalTerms(f.Type, x, y)
		if there != "" && len(terms) > 0 {
			terms = []string{"(" + there + strings.Join(terms, " && ") + ")"}
		}
		out = append(out, terms...)
	}
	return out
}

// hasDouble reports whether a value has a double in it.
func hasDouble(t *plan.Type) bool {
	return t.Kind == plan.Double || t.Elem != nil && hasDouble(t.Elem) ||
		slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return hasDouble(f.Type) })
}
