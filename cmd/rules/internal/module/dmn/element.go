package dmn

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Limits of a file. A model of a thousand decisions stays far below them.
const (
	mostBytes    = 8 << 20
	mostElements = 200_000
	mostDepth    = 64
)

// An element is one of XML with its place. Text is the character data that stands directly in it.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
	place    plan.Place
}

// An openElement is one whose end has not been read. Comments cut its text into any number of tokens.
type openElement struct {
	element *element
	text    []byte
}

// parseElements returns the root of a file. Drawings and extensions of modelling programs are left out.
func parseElements(file string, data []byte) (*element, error) {
	if len(data) > mostBytes {
		return nil, newProblem(plan.Place{File: file}, "the file has %d bytes, and at most %d are read", len(data),
			mostBytes)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	var open []openElement
	var root *element
	count := 0
	for {
		line, column := d.InputPos()
		place := plan.Place{File: file, Line: line, Col: column}
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root != nil {
			return root, nil
		}
		if err != nil {
			return nil, newProblem(place, "%s", err)
		}
		switch token := token.(type) {
		case xml.Directive:
			return nil, newProblem(place, "<!%.20s…: document types and entities are not read", token)
		case xml.StartElement:
			if count++; count > mostElements || len(open) >= mostDepth {
				return nil, newProblem(place, "more than %d elements, or %d inside one another", mostElements, mostDepth)
			}
			if isDrawing(token.Name.Local) {
				if err := d.Skip(); err != nil {
					return nil, newProblem(place, "%s", err)
				}
				continue
			}
			e := &element{name: token.Name.Local, attrs: map[string]string{}, place: place}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			if len(open) == 0 {
				if root = e; e.name != "definitions" || !isModelSpace(token.Name.Space) {
					return nil, newProblem(place, "<%s> begins no decision model: <definitions> of DMN does", e.name)
				}
			} else {
				in := open[len(open)-1].element
				in.children = append(in.children, e)
			}
			open = append(open, openElement{element: e})
		case xml.EndElement:
			last := open[len(open)-1]
			last.element.text = string(last.text)
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				last := &open[len(open)-1]
				last.text = append(last.text, token...)
			}
		}
	}
}

func newProblem(at plan.Place, format string, args ...any) error {
	return &problem{place: at, message: fmt.Sprintf(format, args...)}
}

// isDrawing reports whether an element says nothing of the decisions. Its depth and its elements are not counted: the size
// of the file bounds them.
func isDrawing(name string) bool { return name == "DMNDI" || name == "extensionElements" }

// isModelSpace reports whether a name space is that of a version of DMN.
func isModelSpace(space string) bool {
	_, after, ok := strings.Cut(space, "://www.omg.org/spec/DMN/")
	return ok && after != ""
}

// childNamed returns the first child with one of some names; nil when there is none.
func (e *element) childNamed(names ...string) *element {
	for _, c := range e.children {
		for _, name := range names {
			if c.name == name {
				return c
			}
		}
	}
	return nil
}

// childText returns the text of the first child with a name, without blanks around it; "" when there is none.
func (e *element) childText(name string) string {
	if c := e.childNamed(name); c != nil {
		return strings.TrimSpace(c.text)
	}
	return ""
}

// childrenNamed returns the children with a name.
func (e *element) childrenNamed(name string) []*element {
	var out []*element
	for _, c := range e.children {
		if c.name == name {
			out = append(out, c)
		}
	}
	return out
}
