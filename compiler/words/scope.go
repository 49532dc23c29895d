package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// statusName is what a sentence calls the status of a procedure.
const statusName = "status"

// A scope holds the names that the sentences of a definition may read.
type scope struct {
	subject            string
	place              plan.Place
	definitions        []string // the definitions in which its names stand
	roots              []root   // the first has the outputs
	graph              *plan.Graph
	conditionalOutputs []string // the outputs that have a condition, without which they mean nothing
	isOverlaid         bool     // a homebrew added or changed it
	isDerived          bool     // whether its texts are those of a rule that it uses
	body               *book.Body
}

// A root is a record whose fields may be read, "" for those without a prefix.
type root struct {
	name string
	typ  *plan.Type
	noun string
}

// A field is the meaning of a name in a sentence.
type field struct {
	typ      *plan.Type
	optional bool // it may be missing
}

func (m *maker) ruleScope(r *book.Rule) *scope {
	p := m.plan.Rule(r.ID)
	if p == nil {
		return nil
	}
	return &scope{
		subject: "rule " + r.ID, place: r.Place, definitions: say.Within(r.ID), graph: &p.Graph,
		conditionalOutputs: conditionalOutputsOf(r.Body.Outputs), isOverlaid: len(r.Overlays) > 0, body: &r.Body,
		roots: []root{outputsOf(&p.Graph), diceOf(&p.Graph), {"input", p.Input.Type(), "input"},
			{"character", m.plan.Character.Type(), "field of the character"}},
	}
}

func (m *maker) procedureScope(d *book.Procedure, p *plan.Procedure) *scope {
	status := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: statusName,
		Type: &plan.Type{Kind: plan.String, Enum: append([]string{plan.Open}, p.Ends...)}}}}
	return &scope{
		subject: "procedure " + d.ID, place: d.Place, definitions: say.Within(d.ID), graph: &p.Close,
		conditionalOutputs: conditionalOutputsOf(d.Output), isOverlaid: len(d.Overlays) > 0,
		roots: []root{outputsOf(&p.Close), {"", status, ""}, {"state", p.State.Type(), "state"},
			{"input", p.Input.Type(), "input"}, {"character", m.plan.Character.Type(), "field of the character"}},
	}
}

func (m *maker) eventScope(of *scope, d *book.Procedure, e *book.Event, p *plan.Event) *scope {
	out := *of
	out.subject, out.place, out.definitions = of.subject+", event "+e.ID, e.Place, say.Within(d.ID+"."+e.ID)
	out.graph, out.conditionalOutputs = &p.Graph, conditionalOutputsOf(e.Body.Outputs)
	out.isOverlaid, out.body = len(e.Overlays) > 0, &e.Body
	out.roots = append([]root{outputsOf(&p.Graph), diceOf(&p.Graph), {"event", p.Input.Type(), "part of the event"}},
		of.roots[1:]...)
	return &out
}

// outputsOf returns the outputs of a graph.
func outputsOf(g *plan.Graph) root {
	t := g.Outputs.Type
	if t == nil {
		t = &plan.Type{Kind: plan.Record}
	}
	return root{"", t, "output"}
}

// diceOf returns the dice of a graph by their ids, which may have dots.
func diceOf(g *plan.Graph) root {
	t := &plan.Type{Kind: plan.Record}
	for i := range g.Dice {
		face := plan.IntType
		if d := &g.Dice[i]; d.List {
			face = plan.ListOf(face)
		}
		t.Fields = append(t.Fields, plan.Field{Name: g.Dice[i].ID, Type: face})
	}
	return root{"", t, "die"}
}

func conditionalOutputsOf(outputs []book.Named) []string {
	var out []string
	for i := range outputs {
		if outputs[i].When.S != "" {
			out = append(out, outputs[i].Name)
		}
	}
	return out
}

// lookUp returns the field of a name, or nil for none.
func (s *scope) lookUp(name string) *field {
	for _, r := range s.roots {
		rest := name
		if r.name != "" {
			if name == r.name && r.typ.Character {
				return &field{typ: r.typ}
			}
			var ok bool
			if rest, ok = strings.CutPrefix(name, r.name+"."); !ok {
				continue
			}
		}
		if f := fieldOf(r.typ, rest); f != nil {
			f.optional = f.optional || r.noun == "output" && slices.Contains(s.conditionalOutputs, name)
			return f
		}
	}
	return nil
}

// fieldOf finds a field of a record by its path, or by a name that has dots, as that of a die in a use.
func fieldOf(t *plan.Type, path string) *field {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name == path {
			return &field{typ: f.Type, optional: f.Optional}
		}
		rest, ok := strings.CutPrefix(path, f.Name+".")
		if !ok || f.Type.Kind != plan.Record {
			continue
		}
		if inner := fieldOf(f.Type, rest); inner != nil {
			inner.optional = inner.optional || f.Optional
			return inner
		}
	}
	return nil
}

// readableNames returns the names that sentences may read, for a repair.
func (s *scope) readableNames() []string {
	var out []string
	for _, r := range s.roots {
		if r.name != "" && r.typ.Character {
			out = append(out, r.name)
		}
		out = appendNames(out, r.name, r.typ)
	}
	return out
}

func appendNames(out []string, prefix string, t *plan.Type) []string {
	for i := range t.Fields {
		f := &t.Fields[i]
		name := strings.TrimPrefix(prefix+"."+f.Name, ".")
		if isShown(f.Type) {
			out = append(out, name)
		}
		if f.Type.Kind == plan.Record {
			out = appendNames(out, name, f.Type)
		}
	}
	return out
}

// isShown reports whether a value of a type can stand in a sentence: scalars, a character by its name, and lists of
// these; no other record or map.
func isShown(t *plan.Type) bool {
	return t.Scalar() || t.Character || t.Kind == plan.List && (t.Elem.Scalar() || t.Elem.Character)
}

// findField returns the field of a name in a sentence, and reports an unknown name as a diagnostic.
func (m *maker) findField(name string, at plan.Place, s *scope, part string) *field {
	f := s.lookUp(name)
	if f != nil {
		return f
	}
	var kinds []string
	for _, r := range s.roots {
		if r.noun != "" && !slices.Contains(kinds, r.noun) {
			kinds = append(kinds, r.noun)
		}
	}
	known := s.readableNames()
	d := m.diags.Addf("say-name", at, s.subject, "%s reads {%s}, which is no %s", part, name,
		strings.Join(kinds[:len(kinds)-1], ", ")+lastAlternative(kinds))
	isNamed := func(l book.Named) bool { return l.Name == name }
	if s.body != nil && slices.ContainsFunc(s.body.Lets, isNamed) {
		d.Repair = fmt.Sprintf("it is a let: show it as an output, output: %s: %[1]q", name)
	} else if near := diag.Nearest(name, known); near != "" {
		d.Repair = "did you mean {" + near + "}?"
	} else if i := slices.IndexFunc(known, func(k string) bool { return strings.HasSuffix(k, "."+name) }); i >= 0 {
		d.Repair = "did you mean {" + known[i] + "}?"
	}
	return nil
}

func lastAlternative(kinds []string) string {
	last := kinds[len(kinds)-1]
	if len(kinds) == 1 {
		return last
	}
	return " or " + last
}

// checkHole checks that a hole can be filled, and always is unless it stands in brackets.
func (m *maker) checkHole(h say.Hole, from *book.Say, s *scope, part string) {
	at := from.Text.At(h.Offset)
	f := m.findField(h.Name, at, s, part)
	switch {
	case f == nil:
	case h.Forms > 0 && f.typ.Kind != plan.Bool && f.typ.Kind != plan.Int && f.typ.Kind != plan.Double:
		m.diags.Addf("say-syntax", at, s.subject, "{%s|…}: forms are chosen by a number or a truth, and it is %s",
			h.Name, f.typ)
	case h.Forms > 2:
		m.diags.Addf("say-syntax", at, s.subject, "{%s|…} has %d forms, and there are two: one|more, or yes|no", h.Name,
			h.Forms)
	case h.Forms == 0 && !isShown(f.typ):
		d := m.diags.Addf("say-name", at, s.subject, "%s reads {%s}, which is %s and no single value", part, h.Name, f.typ)
		if len(f.typ.Fields) > 0 {
			d.Repair = "name a part of it: {" + h.Name + "." + f.typ.Fields[0].Name + "}"
		}
	case f.optional && !h.Optional && h.Forms == 0:
		m.diags.Addf("say-missing", at, s.subject, "{%s} may be missing in %s", h.Name, part).Repair =
			"put it in brackets, with what stands around it: [, {" + h.Name + "}]"
	}
}

// checkCases checks that there is a sentence for every value, and none for anything else.
func (m *maker) checkCases(from *book.Say, f *field, s *scope, part string) {
	var values []string
	switch {
	case f.typ.Kind == plan.Bool:
		values = []string{"yes", "no"}
	case f.typ.Kind == plan.String:
		values = f.typ.Enum
	case f.typ.Kind != plan.Int && f.typ.Kind != plan.Double:
		m.diags.Addf("say-case", from.Of.Place, s.subject, "%s chooses by %s, which is %s and no single value", part,
			from.Of.S, f.typ)
		return
	}
	rest := slices.Clone(values)
	hasElse := false
	for _, c := range from.Cases {
		if c.If.S == say.Else {
			hasElse = true
			continue
		}
		_, _, isNumber := say.ParseComparison(c.If.S)
		switch {
		case values != nil && !slices.Contains(values, c.If.S):
			m.diags.Addf("say-case", c.If.Place, s.subject, "%s is never %q", from.Of.S, c.If.S).Repair =
				diag.DidYouMeanOneOf(c.If.S, values)
		case f.typ.Kind != plan.String && values == nil && !isNumber:
			m.diags.Addf("say-case", c.If.Place, s.subject, "%s is never %q: it is a number", from.Of.S, c.If.S).Repair =
				`write a number, or a comparison with one: ">= 5"`
		}
		rest = slices.DeleteFunc(rest, func(v string) bool { return v == c.If.S })
	}
	switch {
	case values != nil && hasElse && len(rest) == 0:
		m.diags.Addf("say-case", from.Of.Place, s.subject,
			"else is never said in %s: every value of %s has a sentence of its own", part, from.Of.S)
	case values != nil && !hasElse && len(rest) > 0:
		m.diags.Addf("say-case", from.Of.Place, s.subject, "%s says nothing for %s %q", part, from.Of.S, rest[0]).Repair =
			"add it, or else"
	case values == nil && !hasElse:
		m.diags.Addf("say-case", from.Of.Place, s.subject, "%s says nothing where no number or text of %s fits", part,
			from.Of.S).
			Repair = "add else"
	}
}

// collectNames returns the names of everything that a glossary may rename.
func (m *maker) collectNames() map[string]bool {
	c := collector{}
	p := m.plan
	for i := range p.Rules {
		r := &p.Rules[i]
		c.addPath(nil, r.ID)
		c.addType(say.Within(r.ID), nil, r.Input.Type())
		c.addGraph(say.Within(r.ID), &r.Graph)
	}
	for i := range p.Procedures {
		d := &p.Procedures[i]
		within := say.Within(d.ID)
		c.addPath(nil, d.ID)
		c.addType(within, nil, d.Input.Type())
		c.addType(within, nil, d.State.Type())
		c.addGraph(within, &d.Close)
		for _, end := range append([]string{plan.Open}, d.Ends...) {
			c.addPath(within, statusName, end)
		}
		for k := range d.Events {
			e := &d.Events[k]
			c.addPath(within, e.ID)
			c.addType(say.Within(d.ID+"."+e.ID), nil, e.Input.Type())
			c.addGraph(say.Within(d.ID+"."+e.ID), &e.Graph)
		}
	}
	c.addType(nil, nil, p.Character.Type())
	for _, t := range m.book.Tables {
		c.addPath(nil, t.ID)
		for _, column := range t.Columns {
			c.addType([]string{t.ID}, []string{column.Name}, column.Shape.Type())
		}
		for i := range t.Rows {
			if key := t.Rows[i].Key; key != "" {
				c.addPath([]string{t.ID}, key)
			}
		}
	}
	for _, o := range m.book.Options {
		for _, v := range o.Values {
			c.addPath(nil, o.ID, v.Name)
		}
	}
	for _, t := range m.book.Traits {
		c.addPath(nil, t.ID)
	}
	for i := range m.out.Fields {
		if f := &m.out.Fields[i]; f.Group != "" {
			c.addPath(say.Within(f.Of), f.Group)
		}
	}
	return c
}

// A collector collects the names by which values may be called.
type collector map[string]bool

func (c collector) addPath(within []string, path ...string) {
	for i := range path {
		for _, name := range say.Candidates(within, path[:i+1]) {
			c[name] = true
		}
	}
}

func (c collector) addGraph(within []string, g *plan.Graph) {
	c.addType(within, nil, outputsOf(g).typ)
	for i := range g.Dice {
		c.addPath(within, say.PathOf(g.Dice[i].ID)...)
	}
}

// addType adds the fields of a record, their contents, and the values of choices.
func (c collector) addType(within, path []string, t *plan.Type) {
	if len(path) > 0 {
		c.addPath(within, path...)
	}
	for _, v := range t.Enum {
		c.addPath(within, append(slices.Clip(path), v)...)
	}
	if t.Elem != nil {
		c.addType(within, path, t.Elem)
	}
	if t.Character && len(path) > 0 {
		return
	}
	for i := range t.Fields {
		c.addType(within, append(slices.Clip(path), t.Fields[i].Name), t.Fields[i].Type)
	}
}
