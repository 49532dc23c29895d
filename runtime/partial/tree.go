package partial

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A tree is a JSON value: an object or a list with its parts, or the text of anything else.
type tree struct {
	kind  json.Delim // '{' or '['; 0 for what has no parts
	names []string   // of an object's members
	items []*tree    // members or elements
	text  string     // of what has no parts
}

// maxDepth bounds how deep JSON may nest; no shape of a plan comes near it.
const maxDepth = 64

// isUnknown reports whether the value stands for one that is not known yet.
func (t *tree) isUnknown() bool { return t == nil || t.kind == 0 && t.text == "null" }

// hasUnknown reports whether a part of the value is not known yet.
func (t *tree) hasUnknown() bool {
	if t.isUnknown() {
		return true
	}
	for _, x := range t.items {
		if x.hasUnknown() {
			return true
		}
	}
	return false
}

// membersNamed returns the members of a name, of which there should be one at most.
func (t *tree) membersNamed(name string) (out []*tree) {
	for i, n := range t.names {
		if n == name {
			out = append(out, t.items[i])
		}
	}
	return out
}

// partAt returns the part at a path of names; nil where there is none.
func (t *tree) partAt(names []string) *tree {
	for _, name := range names {
		if t == nil {
			return nil
		}
		found := t.membersNamed(name)
		if t = nil; len(found) > 0 {
			t = found[0]
		}
	}
	return t
}

// parseTree reads one JSON value; that of no text is an object without members.
func parseTree(text []byte) (*tree, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return &tree{kind: '{'}, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	t, err := readTree(d, text, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the value")
	}
	return t, nil
}

func readTree(d *json.Decoder, text []byte, depth int) (*tree, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nests deeper than %d", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	open, isDelim := token.(json.Delim)
	if !isDelim {
		plain, err := json.Marshal(token)
		return &tree{text: string(plain)}, err
	}
	t := &tree{kind: open}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			t.names = append(t.names, name.(string))
		}
		item, err := readTree(d, text, depth+1)
		if err != nil {
			return nil, err
		}
		t.items = append(t.items, item)
	}
	_, err = d.Token()
	return t, err
}

// appendTo appends the value as JSON without blanks.
func (t *tree) appendTo(buf []byte) []byte {
	if t.kind == 0 {
		return append(buf, t.text...)
	}
	buf = append(buf, byte(t.kind))
	for i, x := range t.items {
		if i > 0 {
			buf = append(buf, ',')
		}
		if t.kind == '{' {
			buf = append(appendQuoted(buf, t.names[i]), ':')
		}
		buf = x.appendTo(buf)
	}
	return append(buf, byte(t.kind)+2) // '{' and '}', '[' and ']' are two apart
}

func appendQuoted(buf []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("partial: a string that JSON does not have: " + err.Error())
	}
	return append(buf, quoted...)
}
