// Package tuning answers a designer's questions about single values: on which of them an answer depends most, and which of
// them would have to be another so that a goal is met. It asks package oddsquery for every setting that it tries, so that
// each number is one that "rules odds --vary" gives too.
//
//	levers of a rule ─ Rank    ─> what a step of each changes, the largest change first
//	levers of --vary ─ Balance ─> the fewest and nearest changes with which all goals are met
package tuning

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Lever is a value that may be another one.
type Lever struct {
	Name string            // as --vary names it
	Now  json.RawMessage   // nil where nobody gave a value
	To   []json.RawMessage // the values to try, without Now
}

// A Kind is what levers are of.
type Kind string

// The kinds, in the order in which levers are listed.
const (
	OfInput     Kind = "input"
	OfCharacter Kind = "character"
	OfOptions   Kind = "option"
	OfTables    Kind = "tables"
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{OfInput, OfCharacter, OfOptions, OfTables} }

// A Subject is a rule or a procedure with what it is asked with.
type Subject struct {
	plan   *plan.Plan
	input  *plan.Shape
	graphs []*plan.Graph // that it carries out
	asked  *query.Question
}

// NewSubject returns the subject of a question.
func NewSubject(p *plan.Plan, q *query.Question) *Subject {
	if r := p.Rule(q.Subject); r != nil {
		return &Subject{p, r.Input, []*plan.Graph{&r.Graph}, q}
	}
	d := p.Procedure(q.Subject)
	s := &Subject{p, d.Input, []*plan.Graph{&d.Start, &d.Close}, q}
	for i := range d.Events {
		s.graphs = append(s.graphs, &d.Events[i].Graph)
	}
	return s
}

// Steps returns a lever for each value that is one step away from another: whole numbers and numbers are one more or less,
// a word is its neighbour in the author's order, a truth is the other one, an option any other. Dice are those of
// NearDice, as far as the plan knows them.
//
// Values of the input and the character are those that are given, or defaults. Of tables all cells count that are read,
// whichever row that is.
func (s *Subject) Steps(kinds []Kind) []Lever {
	return slices.DeleteFunc(s.list(kinds), func(l Lever) bool { return len(l.To) == 0 })
}

// list returns a lever for each value, with the steps that there are.
func (s *Subject) list(kinds []Kind) []Lever {
	var out []Lever
	for _, kind := range kinds {
		switch kind {
		case OfInput:
			out = appendMembers(out, []string{"input"}, s.input, s.asked.Request.Input)
		case OfCharacter:
			out = appendMembers(out, []string{"character"}, s.plan.Character, s.asked.Request.Character)
		case OfOptions:
			out = append(out, s.options()...)
		case OfTables:
			for _, c := range s.plan.CellsRead(s.graphs...) {
				shape := &plan.Shape{Kind: c.Type.Kind, Enum: c.Type.Enum}
				out = appendLever(out, "tables."+c.Name, shape, json.RawMessage(s.plan.CellText(&c)))
			}
		}
	}
	return out
}

// NearDice returns the dice that are one step away from those of the cells that a rule or a procedure reads.
func NearDice(p *plan.Plan, id string) []compiler.OpenColumn {
	if p.Rule(id) == nil && p.Procedure(id) == nil {
		return nil
	}
	s := NewSubject(p, &query.Question{Subject: id})
	return oddsquery.NearDiceOf(p, p.CellsRead(s.graphs...))
}

// options returns a lever for each option.
func (s *Subject) options() (out []Lever) {
	for i := range s.plan.Options {
		o := &s.plan.Options[i]
		now, isSet := s.asked.Options[o.ID]
		if !isSet {
			now = o.Values[o.Default]
		}
		l := Lever{Name: "option." + o.ID, Now: jsontext.Quote(now)}
		for _, v := range o.Values {
			if v != now {
				l.To = append(l.To, jsontext.Quote(v))
			}
		}
		out = append(out, l)
	}
	return out
}

// appendMembers appends the levers of an object: of each field, and of each key that a map has. Lists have none.
func appendMembers(out []Lever, path []string, shape *plan.Shape, object json.RawMessage) []Lever {
	if shape == nil {
		return out
	}
	members, err := jsontext.Members(jsontext.OrObject(object))
	if err != nil {
		return out
	}
	for i := range shape.Fields {
		m := &shape.Fields[i]
		has := slices.ContainsFunc(members, func(x jsontext.Member) bool { return x.Name == m.Name })
		if !has && (m.Default != "" || m.Shape.Kind == plan.Record && !m.Optional) {
			members = append(members, jsontext.Member{Name: m.Name, Value: json.RawMessage(m.Default)})
		}
	}
	for _, m := range members {
		if of := shape.Member(m.Name); of != nil {
			out = appendValue(out, append(slices.Clip(path), m.Name), of, m.Value)
		}
	}
	return out
}

// appendValue appends the levers of a value at a path.
func appendValue(out []Lever, path []string, shape *plan.Shape, value json.RawMessage) []Lever {
	if shape.Kind == plan.Record || shape.Kind == plan.Map {
		return appendMembers(out, path, shape, value)
	}
	return appendLever(out, plan.JoinPath(path...), shape, value)
}

// appendLever appends the lever of a value that has no parts; of a list it has no steps.
func appendLever(out []Lever, name string, shape *plan.Shape, value json.RawMessage) []Lever {
	l := Lever{Name: name, Now: value}
	switch shape.Kind {
	case plan.Int:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return out
		}
		l.To = []json.RawMessage{strconv.AppendInt(nil, n-1, 10), strconv.AppendInt(nil, n+1, 10)}
	case plan.Double:
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return out
		}
		l.To = []json.RawMessage{json.RawMessage(jsontext.Decimal(f - 1)), json.RawMessage(jsontext.Decimal(f + 1))}
	case plan.Bool:
		l.To = []json.RawMessage{json.RawMessage(strconv.FormatBool(string(value) != "true"))}
	case plan.String:
		var word string
		at := -1
		if json.Unmarshal(value, &word) == nil {
			at = slices.Index(shape.Enum, word)
		}
		if near := oddsquery.NearDice(word); near != nil {
			for _, text := range near {
				if slices.Contains(shape.Enum, text) {
					l.To = append(l.To, jsontext.Quote(text))
				}
			}
			break
		}
		for _, i := range []int{at - 1, at + 1} {
			if at >= 0 && i >= 0 && i < len(shape.Enum) {
				l.To = append(l.To, jsontext.Quote(shape.Enum[i]))
			}
		}
	}
	return append(out, l)
}

// Now returns the value that a name has as things are; nil where nobody gave one.
func (s *Subject) Now(name string) json.RawMessage {
	for _, l := range s.list(Kinds()) {
		if l.Name == name || l.Name == "input."+name {
			return l.Now
		}
	}
	if path, isCell := strings.CutPrefix(name, string(OfTables)+"."); isCell { // also by a number that a key holds
		if c, err := s.plan.FindCell(path); err == nil {
			return json.RawMessage(s.plan.CellText(&c))
		}
	}
	return nil
}
