// Package changes compares two values in JSON part by part. It knows no schema: a part is what JSON has a path for.
package changes

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// A Change is a part of the state or of the character that a step has made another one. Before is absent of a part that is
// new, After of one that is gone.
type Change struct {
	Path   string          `json:"path"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// Compare returns the differences between two values, in the order of the second; path is the beginning of their paths.
// If there is no first value, all parts are new.
func Compare(path string, before, after json.RawMessage) (out []Change) {
	// Equal bytes end it at any depth. A number that is written in two ways, 1 and 1.0, counts as
	// changed: sheets write each in one way.
	if bytes.Equal(before, after) {
		return nil
	}
	if was, is, ok := objects(before, after); ok {
		return compareMembers(path, was, is)
	}
	var was, is []json.RawMessage
	if json.Unmarshal(before, &was) == nil && json.Unmarshal(after, &is) == nil && was != nil && is != nil {
		// Lists are compared place by place: JSON says nothing of which element has moved, and
		// lists of a state are short.
		for i := range max(len(was), len(is)) {
			out = append(out, Compare(path+"["+strconv.Itoa(i)+"]", at(was, i), at(is, i))...)
		}
		return out
	}
	return []Change{{path, before, after}}
}

// objects returns the members of two objects; nothing counts as an object without members beside
// one that has some, so that a new record is told field by field.
func objects(before, after json.RawMessage) (was, is []jsontext.Member, ok bool) {
	is, err := jsontext.Members(jsontext.OrObject(after))
	if err != nil {
		return nil, nil, false
	}
	was, err = jsontext.Members(jsontext.OrObject(before))
	return was, is, err == nil
}

// compareMembers returns the changes in the order of the newer object's members, and then the removed members.
func compareMembers(path string, was, is []jsontext.Member) (out []Change) {
	for _, m := range is {
		out = append(out, Compare(path+"."+m.Name, valueOf(was, m.Name), m.Value)...)
	}
	for _, m := range was {
		if valueOf(is, m.Name) == nil {
			out = append(out, Change{Path: path + "." + m.Name, Before: m.Value})
		}
	}
	return out
}

// valueOf returns the value of a member, nil when there is none: JSON's null has bytes.
func valueOf(list []jsontext.Member, name string) json.RawMessage {
	for _, m := range list {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// at returns an element, nil beyond the end: an element that only the longer list has.
func at(list []json.RawMessage, i int) json.RawMessage {
	if i < len(list) {
		return list[i]
	}
	return nil
}
