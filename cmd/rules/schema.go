package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const schemaHelp = `Schema prints a JSON Schema (draft 2020-12) of the characters of a ruleset, so that editors complete and check their files.
With --input it is the schema of what a rule or a procedure is given, or, for PROCEDURE.EVENT, of what comes with an
event.`

func newSchema(s *settings) *cobra.Command {
	var input string
	c := &cobra.Command{
		Use:               "schema RULESET",
		Short:             "Print a JSON Schema of characters and inputs",
		Long:              schemaHelp,
		Example:           "  rules schema tempestas > character.schema.json\n  rules schema tempestas --input test",
		Args:              between(1, 1),
		ValidArgsFunction: s.completeNames(nil),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := s.ruleset(args[0])
			if err != nil {
				return err
			}
			text, err := schemaOf(p, input)
			if err != nil {
				return err
			}
			return printIndented(c.OutOrStdout(), text)
		},
	}
	c.Flags().StringVar(&input, "input", "", "the input of `RULE`, of a procedure, or of PROCEDURE.EVENT")
	must(c.RegisterFlagCompletionFunc("input", s.completeInput))
	return c
}

// schemaOf is the schema of a ruleset's characters, or of an input.
func schemaOf(p *plan.Plan, input string) (json.RawMessage, error) {
	shape, title := p.Character, "A character of "+p.Title
	if input != "" {
		if shape, title = inputOf(p, input), "What is given to "+input; shape == nil {
			return nil, unknownIn(p, "rule, procedure or event", input, askable(p))
		}
	}
	top := []member{{"$schema", quote("https://json-schema.org/draft/2020-12/schema")}, {"title", quote(title)}}
	if shape.Character {
		return join(append(top, recordSchema(shape)...)), nil
	}
	character := []member{{"character", join(recordSchema(p.Character))}}
	return join(append(append(top, recordSchema(shape)...), member{"$defs", join(character)})), nil
}

// askable are the names of inputs.
func askable(p *plan.Plan) []string {
	out := evaluable(p)
	for i := range p.Procedures {
		for k := range p.Procedures[i].Events {
			out = append(out, p.Procedures[i].ID+"."+p.Procedures[i].Events[k].ID)
		}
	}
	return out
}

// shapeSchema is the schema of the values that a shape admits. A character is a reference.
func shapeSchema(s *plan.Shape) []member {
	switch {
	case s.Character:
		return []member{{"$ref", quote("#/$defs/character")}}
	case s.Kind == plan.Int:
		return append([]member{{"type", quote("integer")}}, bounds(s)...)
	case s.Kind == plan.Double:
		return append([]member{{"type", quote("number")}}, bounds(s)...)
	case s.Kind == plan.Bool:
		return []member{{"type", quote("boolean")}}
	case s.Kind == plan.String:
		return stringSchema(s)
	case s.Kind == plan.List:
		return []member{
			{"type", quote("array")}, {"items", join(shapeSchema(s.Elem))},
			{"minItems", number(s.MinItems)}, {"maxItems", number(s.MaxItems)},
		}
	case s.Kind == plan.Map:
		return mapSchema(s)
	}
	return recordSchema(s)
}

func number(n int) json.RawMessage { return fmt.Appendf(nil, "%d", n) }

// bounds are what a number must keep to.
func bounds(s *plan.Shape) []member {
	var out []member
	end := func(b *plan.Bound, name string) {
		if b == nil {
			return
		}
		if b.Open {
			name = "exclusive" + strings.ToUpper(name[:1]) + name[1:]
		}
		out = append(out, member{name, json.RawMessage(decimal(b.Value))})
	}
	end(s.Min, "minimum")
	end(s.Max, "maximum")
	if len(s.Not) > 0 {
		var not []json.RawMessage
		for _, b := range s.Not {
			not = append(not, json.RawMessage(decimal(b.Value)))
		}
		out = append(out, member{"not", join([]member{{"enum", array(not)}})})
	}
	return out
}

func stringSchema(s *plan.Shape) []member {
	out := []member{{"type", quote("string")}}
	if s.Enum != nil {
		out = append(out, member{"enum", strs(s.Enum)})
	}
	return out
}

// mapSchema is that of an object with the keys that it may have.
func mapSchema(s *plan.Shape) []member {
	out := []member{{"type", quote("object")}}
	if len(s.Fields) > 0 {
		out = append(out, properties(s)...)
	}
	if s.Keys != nil {
		keys := slices.Clone(s.Keys)
		for _, m := range s.Fields {
			keys = append(keys, m.Name)
		}
		slices.Sort(keys)
		out = append(out, member{"propertyNames", join([]member{{"enum", strs(slices.Compact(keys))}})})
	}
	if s.MaxItems > 0 {
		out = append(out, member{"maxProperties", number(s.MaxItems)})
	}
	return append(out, member{"additionalProperties", join(shapeSchema(s.Elem))})
}

// recordSchema is that of an object with its fields and no others; a character may name its revision too.
func recordSchema(s *plan.Shape) []member {
	out := append([]member{{"type", quote("object")}}, properties(s)...)
	return append(out, member{"additionalProperties", json.RawMessage("false")})
}

// properties are the named members of an object, and those that it must have.
func properties(s *plan.Shape) []member {
	var list []member
	must := []string{}
	for i := range s.Fields {
		m := &s.Fields[i]
		list = append(list, member{m.Name, join(memberSchema(m))})
		if !m.Optional && m.Default == "" {
			must = append(must, m.Name)
		}
	}
	if s.Character {
		list = append(list, member{runtime.PinName, join([]member{{"type", quote("string")}})})
	}
	return []member{{"properties", join(list)}, {"required", strs(must)}}
}

func memberSchema(m *plan.Member) []member {
	out := shapeSchema(m.Shape)
	if m.Doc != "" {
		out = append(out, member{"description", quote(m.Doc)})
	}
	if m.Default != "" {
		out = append(out, member{"default", json.RawMessage(m.Default)})
	}
	return out
}

func strs(list []string) json.RawMessage {
	var out []json.RawMessage
	for _, s := range list {
		out = append(out, quote(s))
	}
	return array(out)
}

func array(list []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, x := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, x...)
	}
	return append(out, ']')
}
