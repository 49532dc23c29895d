// Package jsontree reads JSON as it is written: members keep their order, numbers their text, and every value knows where
// it stands.
//
// encoding/json decides what is JSON; this package only adds what it throws away: the order of
// members, the text of numbers, and offsets. A case shows an author the very byte that is not as
// wanted, a number keeps the digits that the book prints, and two members of one name, of which
// encoding/json takes the last in silence, are an error.
package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// nextHeader is a line that heads a case and stands behind a value.
var nextHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]+: *\S`) })

// A Tree is a JSON value as it is written: members in their order, numbers as their text.
type Tree struct {
	Kind     kind
	Text     string   // of a number or a word as written, of a string what it says
	Names    []string // of an object's members
	Items    []*Tree  // members or elements
	From, To int      // where it stands in the text, in bytes
}

type kind byte

const (
	Object kind = iota
	Array
	Text
	Number
	Word // true, false, null
)

// A Error is a text that is not one JSON value. Offset counts bytes.
type Error struct {
	Offset int
	Msg    string
}

func (e *Error) Error() string { return e.Msg }

// maxDepth bounds how deep JSON may nest.
const maxDepth = 64

// A treeReader makes trees of tokens.
type treeReader struct {
	data []byte
	d    *json.Decoder
}

// ReadTree reads one JSON value. A member that stands twice is an error.
func ReadTree(data []byte) (*Tree, error) {
	r := &treeReader{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	t, err := r.readValue(0)
	if err != nil {
		return nil, r.placeError(err)
	}
	if _, err := r.d.Token(); !errors.Is(err, io.EOF) {
		advice := jsonio.AdviseSyntax(data, r.nextStart())
		if rest := data[r.nextStart():]; bytes.HasPrefix(rest, []byte("--")) || nextHeader().Match(rest) {
			advice = ": another case begins with -- case --, and headers stand at the head of theirs"
		}
		return nil, &Error{r.nextStart(), "there is more text after the value" + advice}
	}
	return t, nil
}

// placeError tells where in the text an error of the decoder is.
func (r *treeReader) placeError(err error) error {
	if at, ok := errors.AsType[*Error](err); ok {
		return at
	}
	if at, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset := int(at.Offset)
		// The decoder counts the character that it refuses within a value, and not where a token should begin.
		for _, refused := range []int{offset - 1, r.nextStart()} {
			if fractionAt(r.data, refused) {
				return &Error{refused, at.Error() + `: a fraction stands in quotes, "1/6"`}
			}
			if advice := jsonio.AdviseSyntax(r.data, refused); advice != "" {
				return &Error{refused, at.Error() + advice}
			}
		}
		if head := bytes.TrimSpace(r.data); len(head) > 0 && bytes.IndexByte([]byte(`{["-0123456789tfn`), head[0]) < 0 {
			return &Error{offset, at.Error() + `: JSON is wanted, {"name": value, ...}`}
		}
		return &Error{offset, at.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{len(r.data), "unexpected end of JSON input"}
	}
	return &Error{int(r.d.InputOffset()), err.Error()}
}

// nextStart returns where the next token begins.
//
// The decoder tells where its last token ended. Between tokens there are only blanks, commas and
// colons, all of which it has judged itself.
func (r *treeReader) nextStart() int {
	at := int(r.d.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return at
}

// fractionAt reports whether the bar of a fraction stands at an offset.
func fractionAt(data []byte, at int) bool {
	isDigit := func(at int) bool { return 0 <= at && at < len(data) && '0' <= data[at] && data[at] <= '9' }
	return isDigit(at-1) && isDigit(at+1) && data[at] == '/'
}

func (r *treeReader) readValue(depth int) (*Tree, error) {
	t := &Tree{From: r.nextStart()}
	if depth > maxDepth {
		return nil, &Error{t.From, "the value is nested too deeply"}
	}
	token, err := r.d.Token()
	if err != nil {
		return nil, err
	}
	switch x := token.(type) {
	case json.Delim:
		err = r.readComposite(t, x, depth)
	case string:
		t.Kind, t.Text = Text, x
	case json.Number:
		t.Kind, t.Text = Number, x.String()
	default:
		t.Kind, t.Text = Word, strings.Replace(fmt.Sprint(x), "<nil>", "null", 1)
	}
	t.To = int(r.d.InputOffset())
	return t, err
}

// readComposite reads the items between brackets, and the closing one.
func (r *treeReader) readComposite(t *Tree, open json.Delim, depth int) error {
	if open == '[' {
		t.Kind = Array
	}
	for r.d.More() {
		if err := r.readItem(t, depth); err != nil {
			return err
		}
	}
	_, err := r.d.Token()
	return err
}

func (r *treeReader) readItem(t *Tree, depth int) error {
	if t.Kind == Object {
		at := r.nextStart()
		name, err := r.d.Token()
		if err != nil {
			return err
		}
		if slices.Contains(t.Names, name.(string)) {
			return &Error{at, fmt.Sprintf("member %q stands twice", name)}
		}
		t.Names = append(t.Names, name.(string))
	}
	x, err := r.readValue(depth + 1)
	t.Items = append(t.Items, x)
	return err
}

// Get returns a member of an object, nil when there is none.
func (t *Tree) Get(name string) *Tree {
	if i := slices.Index(t.Names, name); i >= 0 {
		return t.Items[i]
	}
	return nil
}

// NamesValue reports whether a tree names any value: objects within objects alone do not.
//
// An expectation {"output": {}} expects nothing and would always pass.
func (t *Tree) NamesValue() bool {
	return t.Kind != Object || slices.ContainsFunc(t.Items, (*Tree).NamesValue)
}

// String returns the value as JSON on one line.
func (t *Tree) String() string { return string(t.appendTo(nil)) }

func (t *Tree) appendTo(buf []byte) []byte {
	switch t.Kind {
	case Text:
		return appendQuoted(buf, t.Text)
	case Number, Word:
		return append(buf, t.Text...)
	}
	brackets := "{}"
	if t.Kind == Array {
		brackets = "[]"
	}
	buf = append(buf, brackets[0])
	for i, x := range t.Items {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		if t.Kind == Object {
			buf = append(appendQuoted(buf, t.Names[i]), ": "...)
		}
		buf = x.appendTo(buf)
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
