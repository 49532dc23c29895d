package example

import (
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// LeastCharacter returns all that a character of a ruleset must have, as small as it may be.
func LeastCharacter(p *plan.Plan) json.RawMessage {
	fields := *p.Character
	fields.Character = false // the character itself, not one that a field holds
	return LeastValue(&fields, nil)
}

// LeastValue returns a value that a shape admits: the required fields alone, each as small as it may be. Every
// character in it is the one given; an open string is a name from this character.
//
// Numbers are 1 rather than 0 where the bounds allow it: zero is often the one value that a rule refuses, or with which
// nothing happens.
func LeastValue(s *plan.Shape, character []byte) json.RawMessage {
	switch {
	case s.Character:
		return character
	case s.Kind == plan.Int || s.Kind == plan.Double:
		return json.RawMessage(jsontext.Decimal(leastNumber(s)))
	case s.Kind == plan.Bool:
		return json.RawMessage("false")
	case s.Kind == plan.String:
		return jsontext.Quote(firstOf(s.Enum, firstName(character)))
	case s.Kind == plan.List:
		return leastList(s, character)
	}
	var list []jsontext.Member
	for i := range s.Fields {
		if m := &s.Fields[i]; !m.Optional && m.Default == "" {
			list = append(list, jsontext.Member{Name: m.Name, Value: LeastValue(m.Shape, character)})
		}
	}
	return jsontext.Join(list)
}

func firstOf(words []string, otherwise string) string {
	if len(words) == 0 {
		return otherwise
	}
	return words[0]
}

// firstName returns the first name in the first object of a character that has any; "" when none
// has. Open strings of an input are mostly names of skills, and this is where a character has them.
func firstName(character []byte) string {
	list, err := jsontext.Members(character)
	if err != nil {
		return ""
	}
	for _, m := range list {
		if inner, err := jsontext.Members(m.Value); err == nil && len(inner) > 0 {
			return inner[0].Name
		}
	}
	return ""
}

// leastNumber returns a whole number within bounds, 1 where they allow it. Numbers that a shape
// rules out one by one are not looked at; who uses the value tries it.
func leastNumber(s *plan.Shape) float64 {
	x := 1.0
	if b := s.Min; b != nil && (x < b.Value || b.Open && x == b.Value) {
		x = b.Value
		if b.Open {
			x++
		}
	}
	if b := s.Max; b != nil && (x > b.Value || b.Open && x == b.Value) {
		x = b.Value
		if b.Open {
			x--
		}
	}
	return x
}

func leastList(s *plan.Shape, character []byte) json.RawMessage {
	var parts []string
	for range s.MinItems {
		parts = append(parts, string(LeastValue(s.Elem, character)))
	}
	return json.RawMessage("[" + strings.Join(parts, ",") + "]")
}
