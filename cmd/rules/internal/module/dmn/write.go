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

// quote returns a string as a literal of CUE.
func quote(s string) string { return literal.String.Quote(s) }

func label(name string) string {
	if ast.StringLabelNeedsQuoting(name) {
		return quote(name)
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

func (w *writer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") {
		w.depth--
	}
	w.lines = append(w.lines, line{strings.Repeat("\t", w.depth) + text, w.place})
	if strings.HasSuffix(text, "{") {
		w.depth++
	}
}

// described writes what every definition carries.
func (w *writer) described(cite, doc string) {
	w.line("cite: %s", quote(cite))
	if doc != "" {
		w.line("doc: %s", quote(doc))
	}
}

// write returns the ruleset of a model.
func (c *builder) write(id, title, file string) *Ruleset {
	w := &writer{}
	w.line("// Package %s is made of %s.", id, path.Base(file))
	w.line("package %s", id)
	w.line("")
	w.line("import (")
	w.line("\t\"list\"")
	w.line("")
	w.line("\t\"github.com/tabletop-rules/rules/schema\"")
	w.line(")")
	w.line("")
	w.line("schema.#Ruleset")
	w.line("")
	w.line("id:    %s", quote(id))
	w.line("title: %s", quote(title))
	w.line("source: book: %s", quote(path.Base(file)))
	usesLists := c.writeTypes(w)
	for _, t := range c.tables {
		w.line("")
		t.write(w)
	}
	for _, f := range c.functions {
		w.line("")
		f.write(w)
	}
	for _, d := range c.m.decisions {
		if d.rule == nil {
			continue
		}
		w.line("")
		usesLists = d.write(w) || usesLists
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
			if t.called != "" && !written[t.called] {
				written[t.called] = true
				w.line("")
				w.line("%s: {", t.called)
				t.writeMembers(w)
				w.line("}")
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
		w.line("%s%s: %s%s", label(m.id), presence(m.typ.optional), m.typ.inCUE(), m.typ.comment())
	}
}

// presence returns the sign behind the name of a field.
func presence(isOptional bool) string {
	if isOptional {
		return "?"
	}
	return "!"
}

// inCUE returns a type as a field has it.
func (t *typ) inCUE() string {
	switch t.kind {
	case text:
		if t.enum == nil {
			return "string"
		}
		parts := make([]string, len(t.enum))
		for i, s := range t.enum {
			parts[i] = quote(s)
		}
		return strings.Join(parts, " | ")
	case truth:
		return "bool"
	case list:
		elem := t.elem.inCUE()
		if strings.ContainsAny(elem, "|&") {
			elem = "(" + elem + ")"
		}
		return fmt.Sprintf("[...%s] & list.MaxItems(%d)", elem, mostList)
	case record:
		if t.called != "" {
			return t.called
		}
		parts := make([]string, len(t.members))
		for i, m := range t.members {
			parts[i] = label(m.id) + presence(m.typ.optional) + ": " + m.typ.inCUE()
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

// comment says what a number stands for that is none in the model.
func (t *typ) comment() string {
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

func (o *rowTable) write(w *writer) {
	w.line("tables: %s: {", label(o.id))
	w.described(o.cite, "What the rules of the decision table give, by their numbers.")
	if len(o.columns) == 1 {
		w.line("gives: %s", quote(o.columns[0]))
	}
	w.line("keyed: {")
	for _, r := range o.rows {
		w.place = r.place
		cells := make([]string, len(r.cells))
		for i, cell := range r.cells {
			cells[i] = label(o.columns[i]) + ": " + cell
		}
		comment := ""
		if r.doc != "" {
			comment = " // " + r.doc
		}
		row := "{" + strings.Join(cells, ", ") + "}"
		if len(cells) == 1 {
			row = cells[0]
		}
		w.line("%s: %s%s", quote(r.key), row, comment)
	}
	w.place = plan.Place{}
	w.line("}")
	w.line("}")
}

func (f *function) write(w *writer) {
	w.place = f.place
	w.line("functions: %s: {", label(f.id))
	w.described(f.cite, f.doc)
	params := make([]string, len(f.params))
	for i, p := range f.params {
		params[i] = label(p.id) + ": " + quote(p.typ.formula())
	}
	w.line("params: {%s}", strings.Join(params, ", "))
	w.line("expr: %s", quote(f.expr))
	w.line("}")
	w.place = plan.Place{}
}

// write writes the rule of a decision. It reports whether a list is among its inputs.
func (d *decision) write(w *writer) bool {
	r := d.rule
	w.place = r.place
	w.line("rules: %s: {", label(d.id))
	w.described(d.element.cite(), d.element.doc())
	usesLists := false
	if len(r.body.inputs) > 0 {
		w.line("#Input: {")
	}
	for _, in := range r.body.inputs {
		usesLists = usesLists || in.typ.kind == list
		w.line("%s%s: %s%s", label(in.id), presence(r.body.isOptional(in)), in.typ.inCUE(), in.typ.comment())
	}
	if len(r.body.inputs) > 0 {
		w.line("}")
	}
	for _, u := range r.body.uses {
		names := make([]string, len(u.of.rule.body.inputs))
		for i, in := range u.of.rule.body.inputs {
			names[i] = quote(in.id)
		}
		input := ""
		if len(names) > 0 {
			input = ", input: input: [" + strings.Join(names, ", ") + "]"
		}
		w.line("use: %s: {rule: %s%s}", label(u.id), quote(u.of.id), input)
	}
	for _, l := range r.body.lets {
		w.line("let: %s: %s", label(l.id), quote(l.cel))
	}
	if r.known != "" {
		w.line("require: %s: %s", quote(d.name+" is null: it has no value here"), quote(r.known))
	}
	for _, o := range r.outputs {
		w.line("output: %s: %s", label(o.id), quote(o.v.orElse()))
	}
	w.line("}")
	w.place = plan.Place{}
	return usesLists
}
