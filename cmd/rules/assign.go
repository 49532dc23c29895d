package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An assignment is a --set: a value at a path of the input.
type assignment struct {
	path  []string
	value json.RawMessage
}

// assign puts the values of --set into an object of a shape, each in a place of its own.
func assign(object json.RawMessage, sets []string, shape *plan.Shape) (json.RawMessage, error) {
	seen := map[string]bool{}
	for _, set := range sets {
		a, err := parseAssignment(set, shape)
		if err != nil {
			return nil, err
		}
		name := strings.Join(a.path, ".")
		if seen[name] {
			return nil, fmt.Errorf("--set %s: %s is set already", set, name)
		}
		seen[name] = true
		if object, err = a.into(object); err != nil {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
	}
	return object, nil
}

// parseAssignment reads "name=value" or "a.b=value" for an object of a shape. The value is JSON where the shape asks for anything
// but a string; a string need not be quoted. Whether the path exists and the value fits is for the decoder of the input to say.
func parseAssignment(text string, shape *plan.Shape) (assignment, error) {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok || name == "":
		return assignment{}, fmt.Errorf("--set %s: it is NAME=VALUE", text)
	case !utf8.ValidString(text):
		return assignment{}, fmt.Errorf("--set %q: it is not UTF-8", text)
	}
	path := strings.Split(name, ".")
	for _, step := range path {
		shape = below(shape, step)
	}
	return assignment{path, jsonFor(shape, value)}, nil
}

// below is the shape of a member; nil when there is none.
func below(s *plan.Shape, name string) *plan.Shape {
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	if s.Kind == plan.Map {
		return s.Elem
	}
	return nil
}

// jsonFor is a value as JSON for a shape.
func jsonFor(s *plan.Shape, value string) json.RawMessage {
	isString := s != nil && s.Kind == plan.String
	if json.Valid([]byte(value)) && (!isString || strings.HasPrefix(strings.TrimSpace(value), `"`)) {
		return json.RawMessage(value)
	}
	return quote(value)
}

// into puts the value into an object, making the objects on its path that are not there.
func (a assignment) into(object json.RawMessage) (json.RawMessage, error) {
	if len(a.path) == 0 {
		return a.value, nil
	}
	list, err := members(object)
	if err != nil {
		return nil, err
	}
	at := -1
	for i, m := range list {
		if m.name == a.path[0] {
			at = i
		}
	}
	if at < 0 {
		at = len(list)
		list = append(list, member{a.path[0], json.RawMessage("{}")})
	}
	if list[at].value, err = (assignment{a.path[1:], a.value}).into(list[at].value); err != nil {
		return nil, err
	}
	return join(list), nil
}

// A member of an object, as it is written.
type member struct {
	name  string
	value json.RawMessage
}

// members reads an object one level deep, its members in their order.
func members(object json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("a value can be set in an object only, not in %s", bytes.TrimSpace(object))
	}
	var out []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the object")
	}
	return out, nil
}

// join is the object of members.
func join(list []member) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(append(append(quote(m.name), ':'), m.value...))
	}
	out.WriteByte('}')
	return out.Bytes()
}
