// Package jsonschema writes the input schema of a plan as JSON Schema, draft 2020-12. It admits what the runtime admits,
// but for one thing that JSON Schema cannot say: 2.0 is no whole number for the runtime.
package jsonschema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Generate is the schema of a ruleset's characters, or of an input.
func Generate(p *plan.Plan, input string) (json.RawMessage, error) {
	shape, title := p.Character, "A character of "+p.Title
	if input != "" {
		if shape, title = describe.InputOf(p, input), "What is given to "+input; shape == nil {
			return nil, describe.UnknownIn(p, "rule, procedure or event", input, describe.AskableNames(p))
		}
	}
	top := []jsontext.Member{{Name: "$schema", Value: jsontext.Quote("https://json-schema.org/draft/2020-12/schema")},
		{Name: "title", Value: jsontext.Quote(title)}}
	if shape.Character {
		return jsontext.Join(append(top, recordSchema(shape)...)), nil
	}
	character := []jsontext.Member{{Name: "character", Value: jsontext.Join(recordSchema(p.Character))}}
	return jsontext.Join(append(append(top, recordSchema(shape)...),
		jsontext.Member{Name: "$defs", Value: jsontext.Join(character)})), nil
}

// shapeSchema is the schema of the values that a shape admits. A character is a reference.
func shapeSchema(s *plan.Shape) []jsontext.Member {
	switch {
	case s.Character:
		return []jsontext.Member{{Name: "$ref", Value: jsontext.Quote("#/$defs/character")}}
	case s.Kind == plan.Int:
		return append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("integer")}}, boundsSchema(s)...)
	case s.Kind == plan.Double:
		return append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("number")}}, boundsSchema(s)...)
	case s.Kind == plan.Bool:
		return []jsontext.Member{{Name: "type", Value: jsontext.Quote("boolean")}}
	case s.Kind == plan.String:
		return stringSchema(s)
	case s.Kind == plan.List:
		return []jsontext.Member{
			{Name: "type", Value: jsontext.Quote("array")}, {Name: "items", Value: jsontext.Join(shapeSchema(s.Elem))},
			{Name: "minItems", Value: jsontext.Number(s.MinItems)}, {Name: "maxItems", Value: jsontext.Number(s.MaxItems)},
		}
	case s.Kind == plan.Map:
		return mapSchema(s)
	}
	return recordSchema(s)
}

// boundsSchema are what a number must keep to.
func boundsSchema(s *plan.Shape) []jsontext.Member {
	var out []jsontext.Member
	end := func(b *plan.Bound, name string) {
		if b == nil {
			return
		}
		if b.Open {
			name = "exclusive" + strings.ToUpper(name[:1]) + name[1:]
		}
		out = append(out, jsontext.Member{Name: name, Value: json.RawMessage(jsontext.Decimal(b.Value))})
	}
	end(s.Min, "minimum")
	end(s.Max, "maximum")
	if len(s.Not) > 0 {
		var not []json.RawMessage
		for _, b := range s.Not {
			not = append(not, json.RawMessage(jsontext.Decimal(b.Value)))
		}
		out = append(out, jsontext.Member{Name: "not",
			Value: jsontext.Join([]jsontext.Member{{Name: "enum", Value: jsontext.Array(not)}})})
	}
	return out
}

func stringSchema(s *plan.Shape) []jsontext.Member {
	out := []jsontext.Member{{Name: "type", Value: jsontext.Quote("string")}}
	if s.Enum != nil {
		out = append(out, jsontext.Member{Name: "enum", Value: jsontext.StringArray(s.Enum)})
	}
	return out
}

// mapSchema is that of an object with the keys that it may have.
func mapSchema(s *plan.Shape) []jsontext.Member {
	out := []jsontext.Member{{Name: "type", Value: jsontext.Quote("object")}}
	if len(s.Fields) > 0 {
		out = append(out, propertiesSchema(s)...)
	}
	if s.Keys != nil {
		keys := slices.Clone(s.Keys)
		for _, m := range s.Fields {
			keys = append(keys, m.Name)
		}
		slices.Sort(keys)
		out = append(out, jsontext.Member{Name: "propertyNames",
			Value: jsontext.Join([]jsontext.Member{{Name: "enum", Value: jsontext.StringArray(slices.Compact(keys))}})})
	}
	if s.MaxItems > 0 {
		out = append(out, jsontext.Member{Name: "maxProperties", Value: jsontext.Number(s.MaxItems)})
	}
	return append(out, jsontext.Member{Name: "additionalProperties", Value: jsontext.Join(shapeSchema(s.Elem))})
}

// recordSchema is that of an object with its fields and no others; a character may name its revision too.
func recordSchema(s *plan.Shape) []jsontext.Member {
	out := append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("object")}}, propertiesSchema(s)...)
	return append(out, jsontext.Member{Name: "additionalProperties", Value: json.RawMessage("false")})
}

// propertiesSchema are the named members of an object, and those that it must have.
func propertiesSchema(s *plan.Shape) []jsontext.Member {
	var list []jsontext.Member
	must := []string{}
	for i := range s.Fields {
		m := &s.Fields[i]
		list = append(list, jsontext.Member{Name: m.Name, Value: jsontext.Join(memberSchema(m))})
		if !m.Optional && m.Default == "" {
			must = append(must, m.Name)
		}
	}
	if s.Character {
		list = append(list, jsontext.Member{Name: runtime.PinName,
			Value: jsontext.Join([]jsontext.Member{{Name: "type", Value: jsontext.Quote("string")}})})
		list = append(list, jsontext.Member{Name: runtime.HomebrewsName, Value: jsontext.Join([]jsontext.Member{
			{Name: "type", Value: jsontext.Quote("object")},
			{Name: "additionalProperties", Value: jsontext.Join([]jsontext.Member{
				{Name: "type", Value: jsontext.Quote("string")}, {Name: "pattern", Value: jsontext.Quote("^sha256:[0-9a-f]{64}$")},
			})},
		})})
	}
	return []jsontext.Member{{Name: "properties", Value: jsontext.Join(list)},
		{Name: "required", Value: jsontext.StringArray(must)}}
}

func memberSchema(m *plan.Member) []jsontext.Member {
	out := shapeSchema(m.Shape)
	if m.Doc != "" {
		out = append(out, jsontext.Member{Name: "description", Value: jsontext.Quote(m.Doc)})
	}
	if m.Default != "" {
		out = append(out, jsontext.Member{Name: "default", Value: json.RawMessage(m.Default)})
	}
	return out
}
