package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A tree is a JSON value as it is written: members in their order, numbers as their text.
type tree struct {
	kind     kind
	text     string   // of a number or a word as written, of a string what it says
	names    []string // of an object's members
	items    []*tree  // members or elements
	from, to int      // where it stands in the text, in bytes
}

type kind byte

const (
	object kind = iota
	array
	text
	number
	word // true, false, null
)

// A jsonError is a text that is not one JSON value. Offset counts bytes.
type jsonError struct {
	Offset int
	Msg    string
}

func (e *jsonError) Error() string { return e.Msg }

// maxDepth bounds how deep JSON may nest.
const maxDepth = 64

// A treeReader makes trees of tokens.
type treeReader struct {
	data []byte
	d    *json.Decoder
}

// readTree reads one JSON value. A member that stands twice is an error.
func readTree(data []byte) (*tree, error) {
	r := &treeReader{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	t, err := r.value(0)
	if err != nil {
		return nil, r.place(err)
	}
	if _, err := r.d.Token(); !errors.Is(err, io.EOF) {
		return nil, &jsonError{r.start(), "there is more text after the value"}
	}
	return t, nil
}

// place tells where in the text an error of the decoder is.
func (r *treeReader) place(err error) error {
	if at, ok := errors.AsType[*jsonError](err); ok {
		return at
	}
	if at, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &jsonError{int(at.Offset), at.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &jsonError{len(r.data), "unexpected end of JSON input"}
	}
	return &jsonError{int(r.d.InputOffset()), err.Error()}
}

// start is where the next token begins.
func (r *treeReader) start() int {
	at := int(r.d.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return at
}

func (r *treeReader) value(depth int) (*tree, error) {
	t := &tree{from: r.start()}
	if depth > maxDepth {
		return nil, &jsonError{t.from, "the value is nested too deeply"}
	}
	token, err := r.d.Token()
	if err != nil {
		return nil, err
	}
	switch x := token.(type) {
	case json.Delim:
		err = r.composite(t, x, depth)
	case string:
		t.kind, t.text = text, x
	case json.Number:
		t.kind, t.text = number, x.String()
	default:
		t.kind, t.text = word, strings.Replace(fmt.Sprint(x), "<nil>", "null", 1)
	}
	t.to = int(r.d.InputOffset())
	return t, err
}

// composite reads what stands between brackets, and the closing one.
func (r *treeReader) composite(t *tree, open json.Delim, depth int) error {
	if open == '[' {
		t.kind = array
	}
	for r.d.More() {
		if err := r.item(t, depth); err != nil {
			return err
		}
	}
	_, err := r.d.Token()
	return err
}

func (r *treeReader) item(t *tree, depth int) error {
	if t.kind == object {
		at := r.start()
		name, err := r.d.Token()
		if err != nil {
			return err
		}
		if slices.Contains(t.names, name.(string)) {
			return &jsonError{at, fmt.Sprintf("member %q stands twice", name)}
		}
		t.names = append(t.names, name.(string))
	}
	x, err := r.value(depth + 1)
	t.items = append(t.items, x)
	return err
}

// get is a member of an object, nil when there is none.
func (t *tree) get(name string) *tree {
	if i := slices.Index(t.names, name); i >= 0 {
		return t.items[i]
	}
	return nil
}

// says reports whether a tree names any value: objects within objects alone do not.
func (t *tree) says() bool {
	return t.kind != object || slices.ContainsFunc(t.items, (*tree).says)
}

// String is the value as JSON on one line.
func (t *tree) String() string { return string(t.append(nil)) }

func (t *tree) append(buf []byte) []byte {
	switch t.kind {
	case text:
		return appendQuoted(buf, t.text)
	case number, word:
		return append(buf, t.text...)
	}
	brackets := "{}"
	if t.kind == array {
		brackets = "[]"
	}
	buf = append(buf, brackets[0])
	for i, x := range t.items {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		if t.kind == object {
			buf = append(appendQuoted(buf, t.names[i]), ": "...)
		}
		buf = x.append(buf)
	}
	return append(buf, brackets[1])
}

// appendQuoted appends a string as JSON, with < > & as they are.
func appendQuoted(buf []byte, s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("golden: a string is no JSON: " + err.Error())
	}
	return append(buf, bytes.TrimSpace(out.Bytes())...)
}
