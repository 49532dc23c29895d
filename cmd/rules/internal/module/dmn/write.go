package dmn

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// quoteString returns a string as a literal of CUE.
func quoteString(s string) string { return literal.String.Quote(s) }

func formatLabel(name string) string {
	if ast.StringLabelNeedsQuoting(name) {
		return quoteString(name)
	}
	return name
}

// A writer writes a ruleset line by line, each with the place in the model that it comes from.
type writer struct {
	lines []line
	depth int
	place plan.Place
}

type line struct {
	text  string
	place plan.Place
}

func (w *writer) writeLine(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") {
		w.depth--
	}
	w.lines = append(w.lines, line{strings.Repeat("\t", w.depth) + text, w.place})
	if strings.HasSuffix(text, "{") {
		w.depth++
	}
}

// writeDescription writes the fields that every definition has: cite, and doc if there is one.
func (w *writer) writeDescription(cite, doc string) {
	w.writeLine("cite: %s", quoteString(cite))
	if doc != "" {
		w.writeLine("doc: %s", quoteString(doc))
	}
}

// writeRuleset returns the ruleset of a model.
func (c *builder) writeRuleset(id, title, file string) *Ruleset {
	w := &writer{}
	w.writeLine("// Package %s is made of %s.", id, path.Base(file))
	w.writeLine("package %s", id)
	w.writeLine("")
	w.writeLine("import (")
	w.writeLine("\t\"list\"")
	w.writeLine("")
	w.writeLine("\t\"github.com/tabletop-rules/rules/schema\"")
	w.writeLine(")")
	w.writeLine("")
	w.writeLine("schema.#Ruleset")
	w.writeLine("")
	w.writeLine("id:    %s", quoteString(id))
	w.writeLine("title: %s", quoteString(title))
	w.writeLine("source: book: %s", quoteString(path.Base(file)))
	usesLists := c.writeTypes(w)
	for _, t := range c.tables {
		w.writeLine("")
		t.writeTable(w)
	}
	for _, f := range c.functions {
		w.writeLine("")
		f.writeFunction(w)
	}
	for _, d := range c.m.decisions {
		if d.rule == nil {
			continue
		}
		w.writeLine("")
		usesLists = d.writeRule(w) || usesLists
	}
	if !usesLists {
		alone := line{text: `import "github.com/tabletop-rules/rules/schema"`}
		w.lines = slices.Replace(w.lines, 3, 8, alone)
	}
	return &Ruleset{ID: id, lines: w.lines, Notes: c.notes, Rules: len(c.m.decisions), Functions: len(c.functions),
		Tables: len(c.tables)}
}

// writeTypes writes the records of the model that inputs are. It reports whether a list is among their types.
func (c *builder) writeTypes(w *writer) bool {
	written := map[string]bool{}
	usesLists := false
	var write func(t *typ)
	write = func(t *typ) {
		switch {
		case t == nil:
		case t.kind == list:
			usesLists = true
			write(t.elem)
		case t.kind == record:
			for _, m := range t.members {
				write(m.typ)
			}
			if t.cueName != "" && !written[t.cueName] {
				written[t.cueName] = true
				w.writeLine("")
				w.writeLine("%s: {", t.cueName)
				t.writeMembers(w)
				w.writeLine("}")
			}
		}
	}
	for _, d := range c.m.decisions {
		if d.rule == nil {
			continue
		}
		for _, in := range d.rule.body.inputs {
			write(in.typ)
		}
	}
	return usesLists
}

func (t *typ) writeMembers(w *writer) {
	for _, m := range t.members {
		w.writeLine("%s%s: %s%s", formatLabel(m.id), presenceSign(m.typ.optional), m.typ.cueType(), m.typ.unitComment())
	}
}

// presenceSign returns the sign behind the name of a field.
func presenceSign(isOptional bool) string {
	if isOptional {
		return "?"
	}
	return "!"
}

// cueType returns the type in the notation of a CUE field.
func (t *typ) cueType() string {
	switch t.kind {
	case text:
		if t.enum == nil {
			return "string"
		}
		parts := make([]string, len(t.enum))
		for i, s := range t.enum {
			parts[i] = quoteString(s)
		}
		return strings.Join(parts, " | ")
	case truth:
		return "bool"
	case list:
		elem := t.elem.cueType()
		if strings.ContainsAny(elem, "|&") {
			elem = "(" + elem + ")"
		}
		return fmt.Sprintf("[...%s] & list.MaxItems(%d)", elem, mostList)
	case record:
		if t.cueName != "" {
			return t.cueName
		}
		parts := make([]string, len(t.members))
		for i, m := range t.members {
			parts[i] = formatLabel(m.id) + presenceSign(m.typ.optional) + ": " + m.typ.cueType()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	out := "number"
	for _, bound := range []string{t.low, t.high} {
		if bound != "" {
			out += " & " + bound
		}
	}
	return out
}

// unitComment returns the comment with the unit of a date, time or duration, which is a number here.
func (t *typ) unitComment() string {
	switch t.kind {
	case date:
		return " // a date: days since 1970-01-01"
	case clock:
		return " // a time: seconds since midnight"
	case instant:
		return " // a date and time: seconds since 1970-01-01T00:00:00Z"
	case seconds:
		return " // a duration: seconds"
	case months:
		return " // a duration: months"
	}
	return ""
}

func (o *rowTable) writeTable(w *writer) {
	w.writeLine("tables: %s: {", formatLabel(o.id))
	w.writeDescription(o.cite, "What the rules of the decision table give, by their numbers.")
	if len(o.columns) == 1 {
		w.writeLine("gives: %s", quoteString(o.columns[0]))
	}
	w.writeLine("keyed: {")
	for _, r := range o.rows {
		w.place = r.place
		cells := make([]string, len(r.cells))
		for i, cell := range r.cells {
			cells[i] = formatLabel(o.columns[i]) + ": " + cell
		}
		comment := ""
		if r.doc != "" {
			comment = " // " + r.doc
		}
		row := "{" + strings.Join(cells, ", ") + "}"
		if len(cells) == 1 {
			row = cells[0]
		}
		w.writeLine("%s: %s%s", quoteString(r.key), row, comment)
	}
	w.place = plan.Place{}
	w.writeLine("}")
	w.writeLine("}")
}

func (f *function) writeFunction(w *writer) {
	w.place = f.place
	w.writeLine("functions: %s: {", formatLabel(f.id))
	w.writeDescription(f.cite, f.doc)
	params := make([]string, len(f.params))
	for i, p := range f.params {
		params[i] = formatLabel(p.id) + ": " + quoteString(p.typ.formulaType())
	}
	w.writeLine("params: {%s}", strings.Join(params, ", "))
	w.writeLine("expr: %s", quoteString(f.expr))
	w.writeLine("}")
	w.place = plan.Place{}
}

// writeRule writes the rule of a decision. It reports whether a list is among its inputs.
func (d *decision) writeRule(w *writer) bool {
	r := d.rule
	w.place = r.place
	w.writeLine("rules: %s: {", formatLabel(d.id))
	w.writeDescription(d.element.cite(), d.element.doc())
	usesLists := false
	if len(r.body.inputs) > 0 {
		w.writeLine("#Input: {")
	}
	for _, in := range r.body.inputs {
		usesLists = usesLists || in.typ.kind == list
		w.writeLine("%s%s: %s%s", formatLabel(in.id), presenceSign(r.body.isOptional(in)), in.typ.cueType(),
			in.typ.unitComment())
	}
	if len(r.body.inputs) > 0 {
		w.writeLine("}")
	}
	for _, u := range r.body.uses {
		names := make([]string, len(u.of.rule.body.inputs))
		for i, in := range u.of.rule.body.inputs {
			names[i] = quoteString(in.id)
		}
		input := ""
		if len(names) > 0 {
			input = ", input: input: [" + strings.Join(names, ", ") + "]"
		}
		w.writeLine("use: %s: {rule: %s%s}", formatLabel(u.id), quoteString(u.of.id), input)
	}
	for _, l := range r.body.lets {
		w.writeLine("let: %s: %s", formatLabel(l.id), quoteString(l.cel))
	}
	if r.known != "" {
		w.writeLine("require: %s: %s", quoteString(d.name+" is null: it has no value here"), quoteString(r.known))
	}
	for _, o := range r.outputs {
		w.writeLine("output: %s: %s", formatLabel(o.id), quoteString(o.v.formulaOrZero()))
	}
	w.writeLine("}")
	w.place = plan.Place{}
	return usesLists
}
