package compare

import (
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A signature is what may be asked of a rule, a procedure or an event, and what it answers.
type signature struct {
	input, state *plan.Shape
	output       *plan.Type
	ends         []string
}

// signatureOf returns that of a definition; nil when it has none.
func signatureOf(p *plan.Plan, e *plan.Entry) *signature {
	for i := range p.Rules {
		if r := &p.Rules[i]; e.Kind == plan.RuleEntry && r.ID == e.ID {
			return &signature{input: r.Input, output: r.Graph.Outputs.Type}
		}
	}
	for i := range p.Procedures {
		d := &p.Procedures[i]
		if e.Kind == plan.ProcedureEntry && d.ID == e.ID {
			return &signature{input: d.Input, state: d.State, output: d.Close.Outputs.Type, ends: d.Ends}
		}
		for k := range d.Events {
			if x := &d.Events[k]; e.Kind == plan.EventEntry && d.ID+"."+x.ID == e.ID {
				return &signature{input: x.Input, output: x.Graph.Outputs.Type}
			}
		}
	}
	return nil
}

// compareCalls compares the inputs and the outputs.
func (l *changeList) compareCalls(old, new *signature) {
	if old == nil || new == nil {
		return
	}
	l.compareSchemas("input", old.input, new.input)
	if old.state != nil && new.state != nil {
		l.compareSchemas("state", old.state, new.state)
	}
	l.compareOutputs("output", old.output, new.output)
	l.compareWords("end", old.ends, new.ends)
}

// compareSchemas compares the shapes of an input. A value that was accepted and is not any more breaks. Inputs are
// contravariant and outputs covariant: a wider input and a richer output do no harm, so the same difference may break here
// and not in compareOutputs.
func (l *changeList) compareSchemas(path string, old, new *plan.Shape) {
	if old.Kind != new.Kind || old.Character != new.Character {
		l.add(ShapeClass, true, path, old.Type().String(), new.Type().String())
		return
	}
	if old.Character && path != "character" {
		return
	}
	l.compareBounds(path+" at least", old.Min, new.Min, 1)
	l.compareBounds(path+" at most", old.Max, new.Max, -1)
	l.compareExcluded(path, old.Not, new.Not)
	l.compareLimits(path, old.Limits, new.Limits)
	l.compareChoices(path, old.Enum, new.Enum)
	l.compareChoices(path+" key", old.Keys, new.Keys)
	l.compareCounts(path+" elements, at least", old.MinItems, new.MinItems, new.MinItems > old.MinItems)
	l.compareCounts(path+" elements, at most", old.MaxItems, new.MaxItems, new.MaxItems > 0 &&
		(old.MaxItems == 0 || new.MaxItems < old.MaxItems))
	if old.Elem != nil && new.Elem != nil {
		l.compareSchemas(path+"[]", old.Elem, new.Elem)
	}
	l.compareMembers(path, old.Fields, new.Fields)
}

// compareBounds compares a limit; sign is 1 for the lower and -1 for the upper one.
func (l *changeList) compareBounds(part string, old, new *plan.Bound, sign float64) {
	a, b := formatBound(old), formatBound(new)
	if a == b {
		return
	}
	narrower := old == nil || new != nil &&
		(sign*new.Value > sign*old.Value || new.Value == old.Value && new.Open)
	l.add(ShapeClass, narrower, part, a, b)
}

func formatBound(b *plan.Bound) string {
	switch {
	case b == nil:
		return ""
	case b.Open:
		return plan.FormatDouble(b.Value) + ", exclusive"
	}
	return plan.FormatDouble(b.Value)
}

func (l *changeList) compareExcluded(path string, old, new []plan.Bound) {
	for _, b := range new {
		if !slices.Contains(old, b) {
			l.add(ShapeClass, true, path+" not", "", plan.FormatDouble(b.Value))
		}
	}
	for _, b := range old {
		if !slices.Contains(new, b) {
			l.add(ShapeClass, false, path+" not", plan.FormatDouble(b.Value), "")
		}
	}
}

// compareLimits compares the bounds that other fields set.
func (l *changeList) compareLimits(path string, old, new []plan.Limit) {
	describe := func(list []plan.Limit) (out []string) {
		for i := range list {
			out = append(out, list[i].Comparison()+" "+list[i].String())
		}
		return out
	}
	before, now := describe(old), describe(new)
	for _, text := range now {
		if !slices.Contains(before, text) {
			l.add(ShapeClass, true, path, "", text)
		}
	}
	for _, text := range before {
		if !slices.Contains(now, text) {
			l.add(ShapeClass, false, path, text, "")
		}
	}
}

// compareChoices compares words of which one must be given, if there are any.
func (l *changeList) compareChoices(path string, old, new []string) {
	switch {
	case old == nil && new != nil:
		l.add(ShapeClass, true, path, "any", "one of "+strconv.Itoa(len(new)))
	case old != nil && new == nil:
		l.add(ShapeClass, false, path, "one of "+strconv.Itoa(len(old)), "any")
	default:
		l.compareWords(path, old, new)
	}
}

func (l *changeList) compareCounts(part string, old, new int, narrower bool) {
	if old != new {
		l.add(ShapeClass, narrower, part, strconv.Itoa(old), strconv.Itoa(new))
	}
}

func (l *changeList) compareMembers(path string, old, new []plan.Member) {
	for i := range new {
		m := &new[i]
		k := slices.IndexFunc(old, func(x plan.Member) bool { return x.Name == m.Name })
		if k < 0 {
			l.add(ShapeClass, isRequired(m), path+"."+m.Name, "", formatMember(m))
			continue
		}
		l.compareMember(path+"."+m.Name, &old[k], m)
	}
	for i := range old {
		m := &old[i]
		if !slices.ContainsFunc(new, func(x plan.Member) bool { return x.Name == m.Name }) {
			l.add(ShapeClass, true, path+"."+m.Name, formatMember(m), "")
		}
	}
}

func (l *changeList) compareMember(path string, old, new *plan.Member) {
	switch {
	case isRequired(old) != isRequired(new) || old.Optional != new.Optional:
		l.add(ShapeClass, isRequired(new), path, formatMember(old), formatMember(new))
	case old.Default != new.Default:
		l.add(NumbersClass, false, path+" default", old.Default, new.Default)
	}
	l.compareSchemas(path, old.Shape, new.Shape)
	l.addText(path+" doc", old.Doc, new.Doc)
}

func isRequired(m *plan.Member) bool { return !m.Optional && m.Default == "" }

func formatMember(m *plan.Member) string {
	t := m.Shape.Type().String()
	switch {
	case m.Default != "":
		return t + ", default " + m.Default
	case m.Optional:
		return t + ", optional"
	}
	return t + ", required"
}

// compareOutputs compares outputs. A member that is not there any more, or not always, or of another type, breaks.
func (l *changeList) compareOutputs(path string, old, new *plan.Type) {
	switch {
	case old.Kind != new.Kind || old.Character != new.Character || old.Kind == plan.Map && old.Key != new.Key:
		l.add(ShapeClass, true, path, old.String(), new.String())
	case old.Character:
	case old.Kind == plan.Record:
		l.compareFields(path, old, new)
	case old.Elem != nil:
		l.compareOutputs(path+"[]", old.Elem, new.Elem)
	}
}

func (l *changeList) compareFields(path string, old, new *plan.Type) {
	for i := range old.Fields {
		f := &old.Fields[i]
		k, _ := new.Field(f.Name)
		if k < 0 {
			l.add(ShapeClass, true, path+"."+f.Name, f.Type.String(), "")
			continue
		}
		g := &new.Fields[k]
		if f.Optional != g.Optional {
			l.add(ShapeClass, g.Optional, path+"."+f.Name, presence(f), presence(g))
		}
		l.compareOutputs(path+"."+f.Name, f.Type, g.Type)
	}
	for i := range new.Fields {
		if k, _ := old.Field(new.Fields[i].Name); k < 0 {
			l.add(ShapeClass, false, path+"."+new.Fields[i].Name, "", new.Fields[i].Type.String())
		}
	}
}

func presence(f *plan.Field) string {
	if f.Optional {
		return "sometimes"
	}
	return "always"
}
