package vectors

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/golden/jsontree"
)

// Format is the name of the format, with the number of its version.
const Format = "rules-vectors/1"

// Schema is a JSON Schema (draft 2020-12) of a document and of a corpus.
//
//go:embed vectors.schema.json
var Schema []byte

// A Document is the vectors of one revision of a ruleset.
type Document struct {
	Format   string            `json:"format"`
	About    []string          `json:"about"` // how a vector is read, for a reader who has only the document
	Ruleset  string            `json:"ruleset"`
	Revision string            `json:"revision"`
	Digest   string            `json:"digest"`  // of the rules, as a sheet's receipt names it
	Options  map[string]string `json:"options"` // the ruling of each option that holds unless a vector says otherwise
	Vectors  []Vector          `json:"vectors"`
}

// A Vector is one question with the answer that is wanted.
type Vector struct {
	Question
	Cite string          `json:"cite"`
	Case string          `json:"case"` // the file of the golden case
	Want json.RawMessage `json:"want"`
}

// A Question is all that an implementation is given.
type Question struct {
	ID        string            `json:"id"`
	Kind      Kind              `json:"kind"`
	Subject   string            `json:"subject"` // the id of the rule or of the procedure
	Options   map[string]string `json:"options,omitempty"`
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Dice      json.RawMessage   `json:"dice,omitempty"`   // of a procedure, those of its start
	Events    []Event           `json:"events,omitempty"` // of a procedure
}

// An Event is what happens in a procedure.
type Event struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input"`
	Dice  json.RawMessage `json:"dice,omitempty"`
}

// Kind says what is asked.
type Kind string

// The kinds of questions.
const (
	Rule      Kind = "rule"
	Procedure Kind = "procedure"
	Odds      Kind = "odds"
)

// about are the sentences of Document.About.
var about = [...]string{
	"A vector asks a rule (kind rule), a procedure with its events (procedure), or the exact odds of a rule (odds).",
	"Options are rulings: those of the vector, else those at the top of the document.",
	"Dice are the faces that fall: an object of lists by the id of the die, or one list in the order in which they fall.",
	"Want has one member. sheet: the members that the answer's sheet must have; odds: by output the probability of each " +
		"value, of numbers the mean, and the probabilities of a refusal and of a failure; refused: a requirement " +
		"(message), a value of the character or the input (path), an event that is not offered (event) or a die (die) " +
		"ends it; failed: a formula has no value.",
	"An object of an answer may have further members. Lists are as long as wanted. Numbers are equal as 64-bit floating " +
		"point numbers, whole ones exactly; probabilities and means within 1e-9.",
}

// Write returns a document as text, with one vector a line, so that two revisions can be compared line by line.
func (d *Document) Write() ([]byte, error) {
	head := *d
	head.Vectors = []Vector{}
	return writeList(&head, d.Vectors)
}

// writeList returns a document, whose last member is an empty list, with the elements of that, one a line.
func writeList[T any](head any, list []T) ([]byte, error) {
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(bytes.TrimSuffix(text, []byte("]\n}")))
	for i := range list {
		line, err := writeLine(&list[i])
		if err != nil {
			return nil, err
		}
		separator := ","
		if i == 0 {
			separator = ""
		}
		fmt.Fprintf(out, "%s\n    %s", separator, bytes.TrimSuffix(line, []byte("\n")))
	}
	out.WriteString("\n  ]\n}\n")
	return out.Bytes(), nil
}

// writeLine returns a value as JSON on one line, with < > & as they are.
func writeLine(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return out.Bytes(), err
}

// Read returns a document. It refuses members that it does not know, as a newer version of the format has.
func Read(text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("this is no document of vectors: %w", err)
	}
	switch {
	case d.Format != Format:
		return nil, fmt.Errorf("this is no document of vectors: its format is %q, not %q", d.Format, Format)
	case len(d.Vectors) == 0:
		return nil, errors.New("the document has no vectors")
	}
	for _, v := range d.Vectors {
		if _, err := v.wanted(); err != nil {
			return nil, fmt.Errorf("vector %s: %w", v.ID, err)
		}
	}
	return &d, nil
}

// wanted returns the answer that a vector wants: an object with one member.
func (v *Vector) wanted() (*jsontree.Tree, error) {
	t, err := jsontree.ReadTree(v.Want)
	if err != nil {
		return nil, fmt.Errorf("want: %w", err)
	}
	if t.Kind != jsontree.Object || len(t.Names) != 1 {
		return nil, errors.New("want: it has one member: sheet, odds, refused or failed")
	}
	return t, nil
}
