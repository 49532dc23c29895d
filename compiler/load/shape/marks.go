package shape

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Marks are the attributes of fields by which people are asked for them, by the shapes of the fields.
type Marks map[*plan.Shape]book.Marks

// noteMarks notes the attributes of a field. A map is declared by its pattern, skills: [string]: int, and CUE gives the
// attribute behind it to the pattern. The first declaration that has an attribute counts.
func (w *Reader) noteMarks(m *plan.Member, fields []site.Field, sites []site.Site) {
	if w.marks == nil {
		return
	}
	if m.Shape.Kind == plan.Map {
		for _, f := range site.MembersOf(site.SplitConjuncts(sites)) {
			if f.Kind == site.Pattern {
				fields = append(fields, f)
			}
		}
	}
	var found book.Marks
	for name, to := range map[string]*book.Text{
		"primary": &found.Primary, "group": &found.Group, "steps": &found.Steps, "rolls": &found.Rolls,
	} {
		*to = w.readMark(name, fields)
	}
	if !found.Written() {
		return
	}
	if m.Shape.Character { // the shape of all characters, of which this field is but one
		shape := *m.Shape
		m.Shape = &shape
	}
	w.marks[m.Shape] = found
}

// readMark returns the text of an attribute; without a place if no declaration has it.
func (w *Reader) readMark(name string, fields []site.Field) book.Text {
	var out book.Text
	for _, f := range fields {
		if a := f.AttributeOf(name); a != nil {
			text := w.ReadAttribute(a)
			if !out.Written() {
				out = book.Text{S: text, Place: w.PlaceOf(a.Pos())}
			}
		}
	}
	return out
}
