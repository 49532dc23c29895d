// Package ask holds what goes to and fro while a rule is asked step by step: the questions, and the answers so far.
//
// Rule.Ask, Procedure.AskStart and Play.Ask of package runtime take Answers and give the sheet, or the questions that come
// next. Nothing else is remembered between two calls: a server keeps the JSON of Answers, adds what comes in, and asks
// again.
//
//	var answers ask.Answers
//	for {
//		sheet, questions, err := rule.Ask(answers)
//		if err != nil || sheet != nil {
//			return sheet, err
//		}
//		if err := answers.Add(&questions[0], reply(questions[0])); err != nil {
//			return nil, err
//		}
//	}
package ask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
)

// Answers is what is known so far of one use of a rule, of the start of a procedure or of an event. Its JSON is all that
// has to be kept between one question and the next.
//
// A field that is not known is absent from Character or Input, or null. A field that may be absent (an optional one, one
// with a default, an open key of a map) is asked for as well, unless it is Accepted.
type Answers struct {
	Character json.RawMessage `json:"character,omitempty"` // of an event: nothing
	Input     json.RawMessage `json:"input,omitempty"`
	// Accepted are paths ("input.difficulty", "character") at which, and below which, absent means absent: the default
	// holds.
	Accepted []string   `json:"accepted,omitempty"`
	Dice     dice.Rolls `json:"dice,omitempty"` // the faces that have fallen
	// Seed is that from which faces can be drawn; nil when none are. Given are then the numbers of the faces of Dice,
	// from 1 whatever they show, with 0 for each that was drawn.
	Seed  *uint64    `json:"seed,omitempty"`
	Given dice.Rolls `json:"given,omitempty"`
}

// The kinds of questions.
const (
	Field    = "field"
	Die      = "die"
	Decision = "decision" // a field of the input that is decided when dice have fallen: answered like a field
)

// A Question is one thing that is needed next.
type Question struct {
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
	// Suggest are strings that lead on: the keys of the map that the answer, or each element of it, is looked up in.
	Suggest []string `json:"suggest,omitempty"`

	// Of a die.
	Die   string `json:"die,omitempty"` // its id, with which faces are given
	Faces int64  `json:"faces,omitempty"`
	// Shows is what each face shows, by which it is given; nil when it is their numbers, from 1.
	Shows []int64 `json:"shows,omitempty"`
	Zero  int64   `json:"zero,omitempty"`  // the face that is meant when 0 is given; 0 for none
	Count int64   `json:"count,omitempty"` // how many dice are rolled together
	// Number is that of the face, from 1. It is more than Count when dice are rolled again or on.
	Number int     `json:"number,omitempty"`
	Drawn  int64   `json:"drawn,omitempty"`  // the face that the seed draws, when there is one
	Fallen []int64 `json:"fallen,omitempty"` // of dice that must differ: faces that cannot fall any more
	Rolled string  `json:"rolled,omitempty"` // how the book writes the dice: "2d10"
	Rule   string  `json:"rule,omitempty"`   // the definition that rolls them: "rule test"
	Cite   string  `json:"cite,omitempty"`

	// Of a decision, which is a field besides.
	After  []string     `json:"after,omitempty"` // the dice and uses that it follows
	Values []NamedValue `json:"known,omitempty"` // what has come of the dice so far
}

// A Key is a string that an answer may be, and what it means.
type Key struct {
	Key   string `json:"key"`
	Means string `json:"means,omitempty"`
}

// A NamedValue is a value with the name that the ruleset's author gave it.
type NamedValue struct {
	Name  string       `json:"name"`
	Value jsonio.Value `json:"value"`
}

// Add puts the answer to a question into what is known. The value of a field is JSON; none accepts its absence or its
// default. That of a die is a face. Whether the answer fits is judged when it is asked on.
func (k *Answers) Add(q *Question, value json.RawMessage) error {
	switch {
	case q.Kind == Die:
		var face int64
		if err := json.Unmarshal(value, &face); err != nil {
			return &dice.Error{ID: q.Die, Position: q.Number, Msg: fmt.Sprintf("%s is no face", value)}
		}
		k.addFace(q.Die, face, q.numberOf(face))
		return nil
	case len(value) == 0 && q.Required:
		return &jsonio.InputError{Root: q.Path, Msg: "must be given"}
	case len(value) == 0:
		k.Accepted = append(slices.Clip(k.Accepted), q.Path)
		return nil
	}
	root, to := q.Path, &k.Input
	if end := strings.IndexAny(root, ".["); end >= 0 {
		root = root[:end]
	}
	if root == "character" {
		to = &k.Character
	}
	text, err := partial.With(root, *to, q.Path, value)
	if err == nil {
		*to = text
	}
	return err
}

// numberOf is the number of a face that was given by what it shows; 0 when the die has no such face.
func (q *Question) numberOf(shown int64) int64 {
	switch {
	case q.Shows != nil:
		return int64(slices.Index(q.Shows, shown)) + 1
	case shown == 0:
		return q.Zero
	}
	return shown
}

// Roll lets a die fall: the face is the one that the seed draws.
func (k *Answers) Roll(q *Question) { k.addFace(q.Die, q.Drawn, 0) }

// addFace adds a face to those that have fallen.
func (k *Answers) addFace(die string, face, given int64) {
	k.Dice = k.Dice.With(die, face)
	if k.Seed != nil {
		k.Given = k.Given.With(die, given)
	}
}
