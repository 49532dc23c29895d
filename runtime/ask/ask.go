// Package ask holds the needs of a rule that is asked step by step.
//
// Ask of package runtime takes a request of which only parts may be known, and returns the sheet or the needs that come
// next. Nothing else is remembered between two calls: a server keeps the JSON of the request, adds each answer, and asks
// again.
//
//	for {
//		reply, err := rule.Ask(request)
//		if err != nil || reply.Sheet != nil {
//			return reply, err
//		}
//		need := &reply.Needs[0]
//		if err := request.Answer(need, answerOf(need)); err != nil {
//			return nil, err
//		}
//	}
package ask

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// The kinds of needs.
const (
	Field    = "field"
	Die      = "die"
	Decision = "decision" // a field of the input that is decided when dice have fallen: answered like a field
)

// A Need is a field, a face or a decision that is needed next.
type Need struct {
	Kind string `json:"ask"`
	// For tells what needs the answer, as people read it: "output success", "requirement: the arm must be free".
	For []string `json:"for,omitempty"`

	// Of a field or a decision.
	Path     string          `json:"path,omitempty"` // "input.difficulty", "character.skills.navigation"
	Type     string          `json:"type,omitempty"` // "int", "double", "bool", "string", "list", "map" or "object"
	Doc      string          `json:"doc,omitempty"`
	Required bool            `json:"required,omitempty"` // there is no answer without a value
	Default  json.RawMessage `json:"default,omitempty"`  // what holds when the field is accepted as it is
	Min      *float64        `json:"min,omitempty"`
	Max      *float64        `json:"max,omitempty"`
	Above    *float64        `json:"above,omitempty"` // instead of Min: the bound itself is outside
	Below    *float64        `json:"below,omitempty"` // instead of Max
	Not      []float64       `json:"not,omitempty"`
	MinItems int             `json:"min_items,omitempty"`
	MaxItems int             `json:"max_items,omitempty"`
	Elem     string          `json:"elem,omitempty"` // the type of the elements of a list or the values of a map
	Keys     []Key           `json:"keys,omitempty"` // the strings that a string, an element or a key of a map may be
	// Suggest are strings that lead on: the keys of the map that the answer, or each element of it, is looked up in, and
	// after them the words for none.
	Suggest []string `json:"suggest,omitempty"`

	// Of a die.
	Die   string `json:"die,omitempty"` // its id, with which faces are given
	Faces int64  `json:"faces,omitempty"`
	// Shows is what each face shows, by which it is given; nil when it is their numbers, from 1.
	Shows []int64 `json:"shows,omitempty"`
	Zero  int64   `json:"zero,omitempty"`  // the face that is meant when 0 is given; 0 for none
	Count int64   `json:"count,omitempty"` // how many dice are rolled together
	// Number is that of the face, from 1. It is more than Count when dice are rolled again or on.
	Number int `json:"number,omitempty"`
	// Position is that of the die among several that are rolled together, from 1: dice that are rolled again or on keep
	// theirs. It is 0 for a single die.
	Position int     `json:"position,omitempty"`
	Again    bool    `json:"again,omitempty"`  // the die has fallen already, and is rolled again or on
	Drawn    int64   `json:"drawn,omitempty"`  // the face that the seed draws, when there is one
	Fallen   []int64 `json:"fallen,omitempty"` // of dice that must differ: faces that cannot fall any more
	Rolled   string  `json:"rolled,omitempty"` // how the book writes the dice: "2d10"
	Rule     string  `json:"rule,omitempty"`   // the definition that rolls them: "rule test"
	Cite     string  `json:"cite,omitempty"`

	// Of a decision, which is a field besides.
	After []string `json:"after,omitempty"` // the dice and uses that it follows

	// Values are, of a decision, what has come of the dice so far; of a die, the outputs that hold before it falls.
	Values []NamedValue `json:"known,omitempty"`
}

// Reads says which fields have a part in an answer, as a request is filled.
type Reads struct {
	// Character are the fields of the character that are read with this input, whatever the character has.
	Character []Need
	// Idle are the paths of the fields of the input whose value nothing reads, with this character and the other fields.
	Idle []string
}

// A Key is a string that an answer may be, and what it means.
type Key struct {
	Key   string `json:"key"`
	Means string `json:"means,omitempty"`
	Table string `json:"-"` // the table of which it is a key; "" for none
}

// A NamedValue is a value with the name that the ruleset's author gave it.
type NamedValue struct {
	Name  string       `json:"name"`
	Value jsonio.Value `json:"value"`
}
