package runtime

import (
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// NeedsCharacter reports whether the rule can be carried out only for a character: whether an output that is asked for, a
// requirement or a die reads any of it, under the options that are played. A rule that needs none is carried out for {}
// too, whatever fields a character must have otherwise.
func (r *Rule) NeedsCharacter() bool { return r.reads().Character }

// findReads returns the reads of a rule. It takes as long as scheduling the rule.
func (r *Rule) findReads() schedule.BodyReads {
	b := r.program.plan.RuleBody(r.rule)
	opt := schedule.Options{Values: r.values, Outputs: r.choice.Outputs, Roots: b.Slots(), Shapes: b.Shapes}
	return schedule.FindBodyReads(r.program.plan, b, opt)
}

// characterFor is the schema by which a character is read. Of one without fields that nothing reads it asks for none.
func (r *Rule) characterFor(text []byte) *jsonio.Schema {
	if !jsonio.IsEmpty(text) {
		return r.program.character
	}
	if shape := r.characterShape(); shape != r.program.plan.Character {
		return jsonio.NewRootSchema(r.program.image, plan.CharacterRoot, shape)
	}
	return r.program.character
}

// withCharacter returns a request with a character that fits the plan's schema in place of one without fields, where
// nothing reads it.
func (r *Rule) withCharacter(q Request) (Request, error) {
	if !jsonio.IsEmpty(q.Character) || r.characterShape() == r.program.plan.Character {
		return q, nil
	}
	character, err := fillRoot(&Request{}, r.program.character, nil)
	q.Character = character
	return q, err
}

// characterShape returns the shape that a character must have for the rule.
func (r *Rule) characterShape() *plan.Shape {
	if hasRequired(r.program.plan.Character) && !r.NeedsCharacter() {
		return r.program.anyCharacter()
	}
	return r.program.plan.Character
}

func hasRequired(s *plan.Shape) bool {
	for i := range s.Fields {
		if m := &s.Fields[i]; !m.Optional && m.Default == "" {
			return true
		}
	}
	return false
}

// anyCharacter is the shape of characters in which no field is required. Where one is absent stands a value that fits it,
// for readers that read nothing of it.
func (p *Program) anyCharacter() *plan.Shape {
	shape := *p.plan.Character
	shape.Fields = append([]plan.Member(nil), shape.Fields...)
	for i := range shape.Fields {
		if m := &shape.Fields[i]; !m.Optional && m.Default == "" {
			m.Default = string(partial.AppendPlaceholder(nil, m.Shape))
		}
	}
	return &shape
}
