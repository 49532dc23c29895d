package columns

// # From columns to fields
//
// A file is bound once, before any record is read. The result is a tree of the JSON that a record
// would be, whose leaves know their columns. Two things are read off it: the list of columns that
// fill fields of a block directly (Scalars), when all of them do, and else how a row is written as
// JSON.
//
//	skills: struct<navigation: int64>, home.floor: int64, input: struct<name: string>
//	character {skills {navigation <- 0/0}, home {floor <- 1}}   input {name <- 2/0}
//
// Errors name columns, since this is what the writer of the file sees.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// Kinds tells what stands in the column of a name: a field's path, of the input when it begins with "input.".
type Kinds func(name string) (plan.Kind, error)

// KindsOf are the kinds of the columns of a rule.
func KindsOf(p *plan.Plan, rule *plan.Rule) Kinds {
	return func(name string) (plan.Kind, error) {
		of, path := p.Character, name
		if rest, ok := strings.CutPrefix(name, InputColumn+"."); ok {
			of, path = rule.Input, rest
		}
		s, err := shapeAt(of, strings.Split(path, "."), name)
		if err != nil {
			return plan.Invalid, err
		}
		return s.Kind, nil
	}
}

// shapeAt goes down a path of members and keys.
func shapeAt(s *plan.Shape, path []string, column string) (*plan.Shape, error) {
	for _, step := range path {
		i := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == step })
		switch {
		case i >= 0:
			s = s.Fields[i].Shape
		case s.Kind == plan.Map && s.Elem != nil:
			s = s.Elem
		default:
			return nil, unknownColumn(column, step, s)
		}
	}
	return s, nil
}

// unknownColumn says that nothing asks for a column, and what was probably meant.
func unknownColumn(column, name string, of *plan.Shape) error {
	var known []string
	for _, m := range of.Fields {
		known = append(known, m.Name)
	}
	msg := fmt.Sprintf("column %s: the rule asks for no such field", column)
	switch near := spell.Nearest(name, known); {
	case near != "":
		msg += fmt.Sprintf("; did you mean %q", near)
	case len(known) > 0:
		msg += "; there is " + strings.Join(known, ", ")
	}
	return errors.New(msg)
}

// A Binding says which column of a schema holds which field.
type Binding struct {
	Scalars []Scalar // what columns hold, when every one is a field that a block can be filled with
	Whole   bool     // some column holds more than a scalar, so that records go through JSON
	Inputs  bool     // some column is of the input
	roots   [2]node  // of the character and of the input
}

// A Scalar is a column that fills a field.
type Scalar struct {
	Name  string // the column's, for messages
	Path  []int  // the column, and the fields of the structs in it
	Field *runtime.Field
}

// A node is a member of the JSON of a record, which has a column or members of its own.
type node struct {
	name    string
	path    []int // of the column and the struct fields in it; nil when it only has members
	kind    plan.Kind
	members []*node
}

// Bind finds the columns of a schema among the fields of a rule. Every column must be one, but those that are kept for the
// answers; and a field that must be there must have a column. common tells that all records have the same input.
func Bind(
	s *arrow.Schema, p *plan.Plan, shape *plan.Rule, rule *runtime.Rule, kept []string, common bool,
) (*Binding, error) {
	b := &Binding{}
	b.roots[0].kind, b.roots[1].kind = plan.Record, plan.Record
	for i, f := range s.Fields() {
		if slices.Contains(kept, f.Name) {
			continue
		}
		if err := b.bindTop(i, f, p.Character, shape.Input); err != nil {
			return nil, err
		}
	}
	if err := b.roots[0].findMissing(p.Character, ""); err != nil {
		return nil, err
	}
	if !common {
		if err := b.roots[1].findMissing(shape.Input, InputColumn+"."); err != nil {
			return nil, err
		}
	}
	b.addScalars(&b.roots[0], "character", p.Character, rule)
	b.addScalars(&b.roots[1], "input", shape.Input, rule)
	if b.Whole {
		b.Scalars = nil
	}
	return b, nil
}

// bindTop binds a column of the file.
func (b *Binding) bindTop(i int, f arrow.Field, character, input *plan.Shape) error {
	steps := strings.Split(f.Name, ".")
	root, of := &b.roots[0], character
	// A ruleset whose characters have a field called input keeps it; the input of the rule can then
	// only be common to all records.
	hasInput := slices.ContainsFunc(character.Fields, func(m plan.Member) bool { return m.Name == InputColumn })
	if steps[0] == InputColumn && !hasInput {
		b.Inputs = true
		root, of, steps = &b.roots[1], input, steps[1:]
		if len(steps) == 0 {
			inner, ok := f.Type.(*arrow.StructType)
			if !ok {
				return fmt.Errorf("column %s must be a struct of what one use of the rule adds, not %s", f.Name,
					TypeName(f.Type))
			}
			return root.bindStruct(inner, []int{i}, of, f.Name)
		}
	}
	s, err := shapeAt(of, steps, f.Name)
	if err != nil {
		return err
	}
	at := root
	for _, step := range steps[:len(steps)-1] {
		at = at.member(step)
		at.kind = plan.Record
	}
	return at.bindColumn(steps[len(steps)-1], f.Type, []int{i}, s, f.Name)
}

// member is the member of a name, made when there is none.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m
		}
	}
	m := &node{name: name}
	n.members = append(n.members, m)
	return m
}

// bindStruct binds the fields of a struct to the members of a shape.
func (n *node) bindStruct(t *arrow.StructType, path []int, s *plan.Shape, column string) error {
	for i, f := range t.Fields() {
		name := column + "." + f.Name
		inner, err := shapeAt(s, []string{f.Name}, name)
		if err != nil {
			return err
		}
		if err := n.bindColumn(f.Name, f.Type, append(slices.Clip(path), i), inner, name); err != nil {
			return err
		}
	}
	return nil
}

// bindColumn binds a column, or a field of a struct, to the member of a name.
func (n *node) bindColumn(name string, t arrow.DataType, path []int, s *plan.Shape, column string) error {
	m := n.member(name)
	// A struct and a column by the path into it, home and home.floor, would give the same field
	// twice.
	if m.path != nil || m.members != nil {
		return fmt.Errorf("column %s stands in the file twice", column)
	}
	m.path, m.kind = path, s.Kind
	if !holds(t, s) {
		return fmt.Errorf("column %s is %s, and must be %s", column, TypeName(t), TypeName(typeOfShape(s)))
	}
	if inner, ok := t.(*arrow.StructType); ok {
		return m.bindStruct(inner, path, s, column)
	}
	return nil
}

// holds reports whether values of an Arrow type can be those of a shape.
//
// Judged by the type and not by the values: a column of doubles that happen to be whole does not
// fit an int, today or tomorrow.
func holds(t arrow.DataType, s *plan.Shape) bool {
	id := t.ID()
	switch s.Kind {
	case plan.Int:
		return arrow.IsInteger(id)
	case plan.Double:
		return arrow.IsInteger(id) || id == arrow.FLOAT32 || id == arrow.FLOAT64
	case plan.Bool:
		return id == arrow.BOOL
	case plan.String:
		return isText(t)
	case plan.List:
		l, ok := t.(arrow.ListLikeType)
		return ok && id != arrow.MAP && holds(l.Elem(), s.Elem)
	case plan.Map:
		if m, ok := t.(*arrow.MapType); ok {
			return isText(m.KeyType()) && (s.Elem == nil || holds(m.ItemType(), s.Elem))
		}
	}
	_, ok := t.(*arrow.StructType)
	return ok
}

// isText reports whether a type holds strings in one of Arrow's layouts, or as a dictionary. Bytes
// that are not declared to be UTF-8 are no text.
func isText(t arrow.DataType) bool {
	if d, ok := t.(*arrow.DictionaryType); ok {
		t = d.ValueType
	}
	id := t.ID()
	return id == arrow.STRING || id == arrow.LARGE_STRING || id == arrow.STRING_VIEW
}

// findMissing tells the first field that must be there and has no column.
func (n *node) findMissing(s *plan.Shape, prefix string) error {
	for i := range s.Fields {
		m := &s.Fields[i]
		at := slices.IndexFunc(n.members, func(x *node) bool { return x.name == m.Name })
		switch {
		case at >= 0 && m.Shape.Kind == plan.Record:
			if err := n.members[at].findMissing(m.Shape, prefix+m.Name+"."); err != nil {
				return err
			}
		case at < 0 && !m.Optional && m.Default == "":
			if m.Shape.Kind == plan.Record && (&node{}).findMissing(m.Shape, "") == nil {
				return fmt.Errorf("a column %s%s is missing: a struct, whose fields may all be left out", prefix, m.Name)
			}
			return fmt.Errorf("a column %s%s is missing: it must be %s", prefix, m.Name, TypeName(typeOfShape(m.Shape)))
		}
	}
	return nil
}

// addScalars lists the columns that fill a field as they are. A record that may be absent, or has a default as a whole,
// is none: whether its members must be there depends on whether it is.
func (b *Binding) addScalars(n *node, path string, s *plan.Shape, rule *runtime.Rule) {
	for _, m := range n.members {
		at := path + "." + m.name
		i := slices.IndexFunc(s.Fields, func(f plan.Member) bool { return f.Name == m.name })
		if i >= 0 && m.kind == plan.Record && !s.Fields[i].Optional && s.Fields[i].Default == "" {
			b.addScalars(m, at, s.Fields[i].Shape, rule)
			continue
		}
		// The runtime has fields for scalars only; for a list or a map it says so by an error, and
		// then all records go through JSON.
		field, err := rule.Field(at)
		if err != nil {
			b.Whole = true
			continue
		}
		_, column, _ := strings.Cut(at, ".")
		b.Scalars = append(b.Scalars, Scalar{column, m.path, field})
	}
}
