package load

import (
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// characterShapes reads the shapes of one ruleset; #Character is one shape wherever it is referred to.
//
// Every place gets the same *plan.Shape, marked by its field Character. The mark, and not the
// pointer, is what overlay looks for (add.go) when a homebrew adds a field to characters: a
// homebrew's own files have another #Character.
type characterShapes struct {
	shape *plan.Shape
}

// readCharacters reads the ruleset's #Character. A game without one has characters of which nothing is known.
func readCharacters(n *node) *characterShapes {
	k, ok := n.fieldNamed("#Character")
	if !ok {
		return &characterShapes{&plan.Shape{Kind: plan.Record, Character: true, Place: n.place}}
	}
	return &characterShapes{k.readCharacter()}
}

// readCharacter is the shape that a #Character has.
func (n *node) readCharacter() *plan.Shape {
	s := n.r.newShapeReader("#Character", nil, n.r.marks).ReadRecord(n.sites, n.name, n.place)
	s.Character = true
	return s
}

// readInput reads the #Input, #State or #Event of a definition; a record without fields when there is none.
func (c *characterShapes) readInput(n *node, name string) *plan.Shape {
	k, ok := n.fieldNamed(name)
	if !ok {
		return &plan.Shape{Kind: plan.Record, Place: n.place}
	}
	marks := n.r.marks
	if name == "#State" { // nobody is asked for it
		marks = nil
	}
	return n.r.newShapeReader(n.subject+", "+name, c.shape, marks).ReadRecord(k.sites, k.name, k.place)
}

// newShapeReader is a reader of the specification of one input, which reports where this reader does.
func (r *reader) newShapeReader(subject string, character *plan.Shape, marks shape.Marks) *shape.Reader {
	return shape.NewReader(r.Module, r.diags, r.Contradictions, subject, character, marks)
}
