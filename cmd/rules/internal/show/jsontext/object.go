package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Member of an object, as it is written.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members reads an object one level deep, its members in their order.
//
// encoding/json has no type that keeps the order of members. The order matters here: a character is
// written back as its owner wrote it, and a sheet reads as the author arranged it. Values stay the
// bytes that they were.
func Members(object json.RawMessage) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("a value can be set in an object only, not in %s", bytes.TrimSpace(object))
	}
	var out []Member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := Member{Name: name.(string)}
		if err := d.Decode(&m.Value); err != nil {
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

// Join returns the object of members. It is the reverse of Members but for blanks between members.
func Join(list []Member) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(append(append(Quote(m.Name), ':'), m.Value...))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// WithoutMembers returns a value without the members of some names, of any object in it. The rest is as it is written, but
// for blanks between members; text that is no JSON stays.
func WithoutMembers(value json.RawMessage, names ...string) json.RawMessage {
	if list, err := Members(value); err == nil {
		list = slices.DeleteFunc(list, func(m Member) bool { return slices.Contains(names, m.Name) })
		for i := range list {
			list[i].Value = WithoutMembers(list[i].Value, names...)
		}
		return Join(list)
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil || list == nil {
		return value
	}
	for i := range list {
		list[i] = WithoutMembers(list[i], names...)
	}
	return Array(list)
}

// Number returns a whole number as JSON.
func Number(n int) json.RawMessage { return fmt.Appendf(nil, "%d", n) }

// StringArray returns a list of strings as JSON, [] and not null for none.
func StringArray(list []string) json.RawMessage {
	var out []json.RawMessage
	for _, s := range list {
		out = append(out, Quote(s))
	}
	return Array(out)
}

// Array returns a list of values that are JSON already.
func Array(list []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, x := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, x...)
	}
	return append(out, ']')
}
