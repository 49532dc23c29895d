package words

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// maxOutputsSaid bounds the outputs in a sentence that no author wrote.
const maxOutputsSaid = 3

// deriveTexts fills in the headline and the sentence of a definition where its author wrote none.
func (m *maker) deriveTexts(t *plan.Texts, s *scope, body *book.Body) {
	if t.Headline != nil && t.Say != nil {
		return
	}
	for i := range body.Sources {
		if u := body.Sources[i].Use; u != nil && m.takeFromUse(t, u, body, s) {
			break
		}
	}
	answer := m.likelyAnswer(s)
	if t.Headline == nil && answer >= 0 && (t.Kind != plan.EventEntry || t.Say == nil) {
		t.Headline = &plan.Say{Parts: m.nameAndValue(s, answer)}
	}
	if t.Say == nil {
		t.Say = m.sayOtherOutputs(t, s, answer)
	}
}

// takeFromUse takes the headline and the sentence from the rule of a use that hands on all that they read, and reports
// whether it did.
func (m *maker) takeFromUse(t *plan.Texts, u *book.Use, body *book.Body, s *scope) bool {
	i := slices.IndexFunc(m.book.Rules, func(r *book.Rule) bool { return r.ID == u.Rule.S })
	if i < 0 || len(u.Each) > 0 || u.When.S != "" {
		return false
	}
	used := m.addRule(m.book.Rules[i])
	if used == nil || used.Headline == nil {
		return false
	}
	h := useRenamer{use: u, outputs: body.Outputs, scope: s}
	headline, ok := h.renameSay(used.Headline)
	if !ok {
		return false
	}
	if t.Headline == nil {
		t.Headline, s.isDerived = headline, true
	}
	if t.Say == nil && used.Say != nil {
		t.Say, _ = h.renameSay(used.Say)
		s.isDerived = s.isDerived && t.Say != nil
	}
	return true
}

// A useRenamer translates the names in a sentence of a used rule to those of its user.
type useRenamer struct {
	use     *book.Use
	outputs []book.Named
	scope   *scope
}

// userName returns the user's name for a name of the used rule, and reports whether there is one.
func (h *useRenamer) userName(of string) (string, bool) {
	first, rest, _ := strings.Cut(of, ".")
	switch first {
	case "character":
		return of, !h.use.Character.Written()
	case "input":
		return h.userInput(rest)
	}
	for i := range h.outputs {
		if o := &h.outputs[i]; strings.TrimSpace(o.Formula.Expr.S) == h.use.Name+"."+of {
			return o.Name, true
		}
	}
	name := h.use.Name + "." + of
	return name, h.scope.lookUp(name) != nil
}

// userInput returns the user's name for a field of the used rule's input: the record or the field that it passes.
func (h *useRenamer) userInput(path string) (string, bool) {
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

// renameSay returns a sentence with the user's names; not ok when the user has nothing of a name.
func (h *useRenamer) renameSay(s *plan.Say) (*plan.Say, bool) {
	if s.Of == "" {
		parts, ok := h.renameParts(s.Parts)
		return &plan.Say{Parts: parts}, ok
	}
	name, ok := h.userName(s.Of)
	out := &plan.Say{Of: name}
	for i := range s.Cases {
		inner, known := h.renameSay(&s.Cases[i].Say)
		if ok = ok && known; !ok {
			return nil, false
		}
		out.Cases = append(out.Cases, plan.SayCase{If: s.Cases[i].If, Say: *inner})
	}
	return out, ok
}

// renameParts returns the parts of a sentence with the user's names. An optional part is left out where a name is not
// handed on.
func (h *useRenamer) renameParts(parts []plan.SayPart) ([]plan.SayPart, bool) {
	var out []plan.SayPart
	for _, p := range parts {
		switch {
		case p.Hole != "":
			name, ok := h.userName(p.Hole)
			if !ok {
				return nil, false
			}
			p.Hole = name
		case p.Optional != nil:
			inner, ok := h.renameParts(p.Optional)
			if !ok {
				continue
			}
			p.Optional = inner
		}
		out = append(out, p)
	}
	return out, true
}

// likelyAnswer returns the output that is probably the answer: the first that hangs on a die and is a choice, else a truth,
// else a number; else the first output that can be shown. It is -1 when there is none.
func (m *maker) likelyAnswer(s *scope) int {
	best, rank := -1, 0
	for i, f := range outputsOf(s.graph).typ.Fields {
		if !isShown(f.Type) {
			continue
		}
		r := 1
		if dependsOnDice(s.graph, &s.graph.Outputs.Fields[i]) {
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

// dependsOnDice reports whether a value of a graph depends on a roll.
func dependsOnDice(g *plan.Graph, v *plan.Value) bool {
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

// nameAndValue returns the text of an output: a choice and a number whose unit is its name as they are, any other value
// behind its name.
func (m *maker) nameAndValue(s *scope, output int) []plan.SayPart {
	f := &outputsOf(s.graph).typ.Fields[output]
	if w := m.wordOf(s, f.Name); f.Type.Kind == plan.String || w != nil && slices.ContainsFunc(w.Units,
		func(u plan.Unit) bool { return slices.Contains(u.Forms, m.labelOf(s, f.Name)) }) {
		return []plan.SayPart{{Hole: f.Name}}
	}
	return []plan.SayPart{{Text: m.labelOf(s, f.Name) + separatorOf(f.Type)}, {Hole: f.Name}}
}

// labelOf returns the word of a name of a scope.
func (m *maker) labelOf(s *scope, name string) string {
	if w := m.wordOf(s, name); w != nil && len(w.Label) > 0 {
		return w.Label[0]
	}
	return strings.ReplaceAll(name, "_", " ")
}

// wordOf returns the word of the glossary for a name of a scope; nil for none.
func (m *maker) wordOf(s *scope, name string) *plan.Word {
	for _, c := range say.Candidates(s.definitions, []string{name}) {
		if i := slices.IndexFunc(m.out.Names, func(w plan.Word) bool { return w.Name == c }); i >= 0 {
			return &m.out.Names[i]
		}
	}
	return nil
}

// sayOtherOutputs returns a sentence of the outputs that the headline does not name and that vary; nil for none.
func (m *maker) sayOtherOutputs(t *plan.Texts, s *scope, answer int) *plan.Say {
	var parts []plan.SayPart
	said := 0
	for i, f := range outputsOf(s.graph).typ.Fields {
		if i == answer || said == maxOutputsSaid || !f.Type.Scalar() || isConstant(s.graph, &s.graph.Outputs.Fields[i]) ||
			sayReads(t.Headline, f.Name) || slices.Contains(s.conditionalOutputs, f.Name) || f.Optional {
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

// separatorOf returns the text between the name and the value of an output.
func separatorOf(t *plan.Type) string {
	if t.Kind == plan.Int || t.Kind == plan.Double {
		return " "
	}
	return ": "
}

// sayReads reports whether a sentence reads a name.
func sayReads(s *plan.Say, name string) bool {
	return s != nil && (s.Of == name ||
		slices.ContainsFunc(s.Parts, func(p plan.SayPart) bool { return partReads(p, name) }) ||
		slices.ContainsFunc(s.Cases, func(c plan.SayCase) bool { return sayReads(&c.Say, name) }))
}

func partReads(p plan.SayPart, name string) bool {
	return p.Hole == name || slices.ContainsFunc(p.Optional, func(q plan.SayPart) bool { return partReads(q, name) })
}
