package words

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// mostSaid is how many outputs a sentence names that no author wrote.
const mostSaid = 3

// derive fills in the headline and the sentence of a definition where its author wrote none.
func (m *maker) derive(t *plan.Texts, s *scope, body *book.Body) {
	if t.Headline != nil && t.Say != nil {
		return
	}
	for i := range body.Sources {
		if u := body.Sources[i].Use; u != nil && m.takeFrom(t, u, body, s) {
			break
		}
	}
	answer := m.firstAnswer(s)
	if t.Headline == nil && answer >= 0 && (t.Kind != plan.EventEntry || t.Say == nil) {
		t.Headline = &plan.Say{Parts: m.nameAndValue(s, answer)}
	}
	if t.Say == nil {
		t.Say = m.sayOthers(t, s, answer)
	}
}

// takeFrom takes the headline and the sentence from the rule of a use that hands on all that they read, and reports
// whether it did.
func (m *maker) takeFrom(t *plan.Texts, u *book.Use, body *book.Body, s *scope) bool {
	i := slices.IndexFunc(m.book.Rules, func(r *book.Rule) bool { return r.ID == u.Rule.S })
	if i < 0 || len(u.Each) > 0 || u.When.S != "" {
		return false
	}
	used := m.addRule(m.book.Rules[i])
	if used == nil || used.Headline == nil {
		return false
	}
	h := handing{use: u, outputs: body.Outputs, scope: s}
	headline, ok := h.say(used.Headline)
	if !ok {
		return false
	}
	if t.Headline == nil {
		t.Headline, s.derived = headline, true
	}
	if t.Say == nil && used.Say != nil {
		t.Say, _ = h.say(used.Say)
		s.derived = s.derived && t.Say != nil
	}
	return true
}

// A handing renames what a sentence reads from the names of a used rule to those of its user.
type handing struct {
	use     *book.Use
	outputs []book.Named
	scope   *scope
}

// name returns the user's name for a name of the used rule, and reports whether there is one.
func (h *handing) name(of string) (string, bool) {
	first, rest, _ := strings.Cut(of, ".")
	switch first {
	case "character":
		return of, !h.use.Character.Written()
	case "input":
		return h.input(rest)
	}
	for i := range h.outputs {
		if o := &h.outputs[i]; strings.TrimSpace(o.Formula.Expr.S) == h.use.Name+"."+of {
			return o.Name, true
		}
	}
	name := h.use.Name + "." + of
	return name, h.scope.lookUp(name) != nil
}

// input returns the user's name for a field of the used rule's input: the record or the field that it passes.
func (h *handing) input(path string) (string, bool) {
	if whole := strings.TrimSpace(h.use.Input.S); whole != "" {
		name := whole + "." + path
		return name, h.scope.lookUp(name) != nil
	}
	for i := range h.use.Inputs {
		if given := &h.use.Inputs[i]; given.Name == path {
			name := strings.TrimSpace(given.Formula.Expr.S)
			return name, name != "" && h.scope.lookUp(name) != nil
		}
	}
	return "", false
}

// say renames a sentence; not ok when the user has nothing of a name.
func (h *handing) say(s *plan.Say) (*plan.Say, bool) {
	if s.Of == "" {
		parts, ok := h.parts(s.Parts)
		return &plan.Say{Parts: parts}, ok
	}
	name, ok := h.name(s.Of)
	out := &plan.Say{Of: name}
	for i := range s.Cases {
		inner, known := h.say(&s.Cases[i].Say)
		if ok = ok && known; !ok {
			return nil, false
		}
		out.Cases = append(out.Cases, plan.SayCase{If: s.Cases[i].If, Say: *inner})
	}
	return out, ok
}

// parts returns the parts of a sentence with the user's names. An optional part is left out where a name is not handed
// on.
func (h *handing) parts(parts []plan.SayPart) ([]plan.SayPart, bool) {
	var out []plan.SayPart
	for _, p := range parts {
		switch {
		case p.Hole != "":
			name, ok := h.name(p.Hole)
			if !ok {
				return nil, false
			}
			p.Hole = name
		case p.Optional != nil:
			inner, ok := h.parts(p.Optional)
			if !ok {
				continue
			}
			p.Optional = inner
		}
		out = append(out, p)
	}
	return out, true
}

// firstAnswer is the output that is probably the answer: the first that hangs on a die and is a choice, else a truth,
// else a number; else the first output that can be shown. It is -1 when there is none.
func (m *maker) firstAnswer(s *scope) int {
	best, rank := -1, 0
	for i, f := range outputsOf(s.graph).typ.Fields {
		if !isShown(f.Type) {
			continue
		}
		r := 1
		if hangsOnDice(s.graph, &s.graph.Outputs.Fields[i]) {
			switch {
			case f.Type.Kind == plan.String && f.Type.Enum != nil:
				r = 4
			case f.Type.Kind == plan.Bool:
				r = 3
			case f.Type.Kind == plan.Int || f.Type.Kind == plan.Double:
				r = 2
			}
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// hangsOnDice reports whether a value of a graph depends on a roll.
func hangsOnDice(g *plan.Graph, v *plan.Value) bool {
	seen := map[plan.ID]bool{}
	var reads func(id plan.ID) bool
	reads = func(id plan.ID) bool {
		if id == plan.None || seen[id] {
			return false
		}
		seen[id] = true
		n := &g.Nodes[id]
		return n.Op == plan.OpRoll || slices.ContainsFunc(n.Args, reads) ||
			n.Op == plan.OpLoop && slices.ContainsFunc(g.Blocks[n.Imm].Nodes, reads)
	}
	return v.Fields == nil && reads(v.ID)
}

// isConstant reports whether an output is the same in every answer.
func isConstant(g *plan.Graph, v *plan.Value) bool {
	return v.Fields == nil && v.ID != plan.None && g.Nodes[v.ID].Op == plan.OpConst
}

// nameAndValue says an output: a choice and a number whose unit is its name as they are, any other value behind its name.
func (m *maker) nameAndValue(s *scope, output int) []plan.SayPart {
	f := &outputsOf(s.graph).typ.Fields[output]
	if w := m.wordOf(s, f.Name); f.Type.Kind == plan.String || w != nil && slices.ContainsFunc(w.Units,
		func(u plan.Unit) bool { return slices.Contains(u.Forms, m.labelOf(s, f.Name)) }) {
		return []plan.SayPart{{Hole: f.Name}}
	}
	return []plan.SayPart{{Text: m.labelOf(s, f.Name) + separatorOf(f.Type)}, {Hole: f.Name}}
}

// labelOf is the word of a name of a scope.
func (m *maker) labelOf(s *scope, name string) string {
	if w := m.wordOf(s, name); w != nil && len(w.Label) > 0 {
		return w.Label[0]
	}
	return strings.ReplaceAll(name, "_", " ")
}

// wordOf is the word of the glossary for a name of a scope; nil for none.
func (m *maker) wordOf(s *scope, name string) *plan.Word {
	for _, c := range say.Candidates(s.within, []string{name}) {
		if i := slices.IndexFunc(m.out.Names, func(w plan.Word) bool { return w.Name == c }); i >= 0 {
			return &m.out.Names[i]
		}
	}
	return nil
}

// sayOthers says the outputs that the headline does not name and that are not always the same; nil for none.
func (m *maker) sayOthers(t *plan.Texts, s *scope, answer int) *plan.Say {
	var parts []plan.SayPart
	said := 0
	for i, f := range outputsOf(s.graph).typ.Fields {
		if i == answer || said == mostSaid || !f.Type.Scalar() || isConstant(s.graph, &s.graph.Outputs.Fields[i]) ||
			reads(t.Headline, f.Name) || slices.Contains(s.impossible, f.Name) || f.Optional {
			continue
		}
		if said > 0 {
			parts = append(parts, plan.SayPart{Text: ", "})
		}
		parts = append(parts, plan.SayPart{Text: m.labelOf(s, f.Name) + separatorOf(f.Type)}, plan.SayPart{Hole: f.Name})
		said++
	}
	if said == 0 {
		return nil
	}
	return &plan.Say{Parts: parts}
}

// separatorOf stands between the name and the value of an output.
func separatorOf(t *plan.Type) string {
	if t.Kind == plan.Int || t.Kind == plan.Double {
		return " "
	}
	return ": "
}

// reads reports whether a sentence reads a name.
func reads(s *plan.Say, name string) bool {
	return s != nil && (s.Of == name ||
		slices.ContainsFunc(s.Parts, func(p plan.SayPart) bool { return partReads(p, name) }) ||
		slices.ContainsFunc(s.Cases, func(c plan.SayCase) bool { return reads(&c.Say, name) }))
}

func partReads(p plan.SayPart, name string) bool {
	return p.Hole == name || slices.ContainsFunc(p.Optional, func(q plan.SayPart) bool { return partReads(q, name) })
}
