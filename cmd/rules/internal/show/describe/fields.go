package describe

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Field is a value that a JSON object has or may have. Its members are named as in JSON Schema.
type Field struct {
	Name     string          `json:"name"` // the path: "points.body", "parts[].name", "skills.*"
	Type     string          `json:"type"`
	Doc      string          `json:"doc,omitempty"`
	Required bool            `json:"required"`
	Default  json.RawMessage `json:"default,omitempty"`
	Enum     []string        `json:"enum,omitempty"`
	KeyOf    string          `json:"keyOf,omitempty"` // the table whose keys Enum are, or a map of the character
	// Pointers, because a bound of 0 and no bound are two things, and omitempty drops a plain 0.
	Minimum          *float64  `json:"minimum,omitempty"`
	ExclusiveMinimum *float64  `json:"exclusiveMinimum,omitempty"`
	Maximum          *float64  `json:"maximum,omitempty"`
	ExclusiveMaximum *float64  `json:"exclusiveMaximum,omitempty"`
	Not              []float64 `json:"not,omitempty"`
	MinItems         int       `json:"minItems,omitempty"`
	MaxItems         int       `json:"maxItems,omitempty"`
	Keys             []string  `json:"keys,omitempty"` // of a map: the only ones
	// After are the dice and uses that must have fallen when the field is decided; none when it is given before.
	After []string `json:"after,omitempty"`

	// Limits are the bounds that other fields of the record set: "at most class.stamina + attributes.body".
	Limits []string `json:"limits,omitempty"`

	// Label is what people call it, Unit what it is counted in, and Labels what its values are called: of a ruleset
	// that has words.
	Label  string            `json:"label,omitempty"`
	Unit   string            `json:"unit,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`

	// How people are asked for it. Primary is its place among what is asked first of its record, 0 of the others; Group the
	// id of the fields among which it stands. Of a field of a character, Rolls is the rule by which it is rolled.
	Primary    int64  `json:"primary,omitempty"`
	Group      string `json:"group,omitempty"`
	GroupLabel string `json:"groupLabel,omitempty"`
	Steps      *Steps `json:"steps,omitempty"`
	Rolls      *Rolls `json:"rolls,omitempty"`

	shape   *plan.Shape
	order   int64  // among what is asked first; 0 of the others
	choices string // of an int that may have but a few values: these
}

// FieldsOf lists the fields of an object, those of objects in it after it.
func FieldsOf(s *plan.Shape) []Field { return appendMembers([]Field{}, "", s) }

// appendMembers appends the fields of a record and, behind each, its parts. A member with a default is never required,
// whatever its mark.
func appendMembers(out []Field, path string, s *plan.Shape) []Field {
	for i := range s.Fields {
		m := &s.Fields[i]
		f := fieldOf(path+m.Name, m.Shape)
		f.Doc, f.Required = m.Doc, !m.Optional && m.Default == ""
		if m.Default != "" {
			f.Default = json.RawMessage(m.Default)
		}
		out = appendParts(append(out, f), f.Name, m.Shape)
	}
	return out
}

// appendParts appends the parts of a field: members of an object, of the elements of a list, of the values of a map.
//
// A character within an input ends the recursion: characters contain opponents, who are characters.
func appendParts(out []Field, path string, s *plan.Shape) []Field {
	switch {
	case s.Character:
		return out
	case s.Kind == plan.Record:
		return appendMembers(out, path+".", s)
	case s.Kind == plan.List && isComposite(s.Elem):
		return appendParts(out, path+"[]", s.Elem)
	case s.Kind == plan.Map && isComposite(s.Elem):
		return appendParts(appendMembers(out, path+".", s), path+".*", s.Elem)
	case s.Kind == plan.Map:
		return appendMembers(out, path+".", s)
	}
	return out
}

func isComposite(s *plan.Shape) bool { return s.Kind >= plan.List }

// fieldOf describes a value by its shape; of a list or a map of simple values, these.
func fieldOf(name string, s *plan.Shape) Field {
	f := Field{Name: name, shape: s, Type: typeName(s), MinItems: s.MinItems, MaxItems: s.MaxItems, Keys: s.Keys}
	// The bounds of skills: [string]: int & >=0 are those of the values, and stand on the map's own
	// line: there is no line for a simple element.
	of := s
	if s.Elem != nil && !isComposite(s.Elem) {
		of = s.Elem
	}
	f.Enum, f.KeyOf = of.Enum, of.KeyOf
	f.Minimum, f.ExclusiveMinimum = of.Min.Split()
	f.Maximum, f.ExclusiveMaximum = of.Max.Split()
	for _, b := range of.Not {
		f.Not = append(f.Not, b.Value)
	}
	for i := range of.Limits {
		f.Limits = append(f.Limits, of.Limits[i].Comparison()+" "+of.Limits[i].String())
	}
	f.choices = of.ListChoices()
	return f
}

// Member returns the field as a member of a record, with its shape.
func (f *Field) Member() *plan.Member {
	return &plan.Member{Name: f.Name, Shape: f.shape, Optional: !f.Required, Default: string(f.Default), Doc: f.Doc}
}

// typeName returns the name of a type, without the members of its objects.
func typeName(s *plan.Shape) string {
	switch {
	case s.Character:
		return "character"
	case s.Kind == plan.List:
		return "list of " + typeName(s.Elem)
	case s.Kind == plan.Map:
		return "map of " + typeName(s.Elem)
	case s.Kind == plan.Record:
		return "object"
	}
	return s.Kind.String()
}

// Describe returns the type of a field with its bounds, for reading: "int, at least 0".
//
// At most eight keys fit beside a name. A table of weapons is named instead of listed: the reader knows it, or looks it
// up by that name.
func (f *Field) Describe() string {
	parts := []string{f.Type}
	switch {
	case f.KeyOf != "" && (len(f.Enum) > 8 || len(f.Enum) == 0):
		parts = append(parts, "a key of "+strings.ReplaceAll(f.KeyOf, ", ", " or "))
	case len(f.Enum) > 0:
		parts = append(parts, strings.Join(f.Enum, "|"))
	}
	if len(f.Keys) > 0 {
		parts = append(parts, "by "+strings.Join(f.Keys, "|"))
	}
	parts = append(parts, f.describeBounds()...)
	if f.MaxItems > 0 {
		parts = append(parts, fmt.Sprintf("%d to %d of them", f.MinItems, f.MaxItems))
	}
	parts = append(parts, f.describeHints()...)
	return strings.Join(parts, ", ")
}

// describeBounds says the bounds of a number.
func (f *Field) describeBounds() []string {
	if f.choices != "" {
		return []string{"one of " + f.choices}
	}
	var out []string
	for _, b := range []struct {
		word  string
		value *float64
	}{
		{"at least", f.Minimum}, {"more than", f.ExclusiveMinimum}, {"at most", f.Maximum},
		{"less than", f.ExclusiveMaximum},
	} {
		if b.value != nil {
			out = append(out, b.word+" "+jsontext.Decimal(*b.value))
		}
	}
	for _, v := range f.Not {
		out = append(out, "not "+jsontext.Decimal(v))
	}
	return append(out, f.Limits...)
}

// Remark returns what the field is called, where its name does not say so, and the author's sentence about it.
func (f *Field) Remark() string {
	name := strings.NewReplacer("_", " ", ".", ", ", "[]", "").Replace(f.Name)
	switch {
	case f.Label == "" || strings.EqualFold(f.Label, name):
		return f.Doc
	case f.Doc == "":
		return f.Label
	}
	return f.Label + ": " + f.Doc
}

// Presence returns whether a field is required, has a default, or may be absent.
func (f *Field) Presence() string {
	after := ""
	if len(f.After) > 0 {
		after = ", decided after " + strings.Join(f.After, " and ")
	}
	switch {
	case f.Required:
		return "required" + after
	case f.Default != nil:
		return "default " + string(f.Default) + after
	}
	return "optional" + after
}

// Values returns the possible values of a field where they can be listed: the words of an enum, or both truths. Numbers
// have none.
func (f *Field) Values() []string {
	if f.Type == "bool" {
		return []string{"false", "true"}
	}
	return f.Enum
}
