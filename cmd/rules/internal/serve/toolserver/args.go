package toolserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A call is one call of a tool.
type call struct {
	arguments json.RawMessage
	schema    json.RawMessage // of the arguments
	responses mcp.InputResponseMap
	session   *mcp.ServerSession
	form      *mcp.ElicitParams // what a person is asked for before the call can be answered, nil for nothing
}

// decodeArguments reads the arguments. A name that the tool does not have is an error with the nearest one that it has.
func (c *call) decodeArguments(into any) error {
	text := jsontext.OrObject(c.arguments)
	var schema struct {
		Properties map[string]json.RawMessage
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(c.schema, &schema) == nil && json.Unmarshal(text, &given) == nil {
		known := slices.Sorted(maps.Keys(schema.Properties))
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !slices.Contains(known, name) {
				return &runtime.UnknownError{What: "argument", Name: name, Known: known}
			}
		}
	}
	return api.Decode(text, into)
}

// subjectArgs name a rule or a procedure.
type subjectArgs struct {
	Ruleset string `json:"ruleset"`
	Rule    string `json:"rule"`
}

// resolveNames replaces, in a value of a shape, the names of characters by the characters.
func (p *Party) resolveNames(shape *plan.Shape, value json.RawMessage) (json.RawMessage, error) {
	var name string
	switch {
	case shape == nil || len(value) == 0:
		return value, nil
	case shape.Character && json.Unmarshal(value, &name) == nil && string(value) != "null":
		return p.readFile(name)
	case shape.Character:
		return value, nil
	case shape.Kind == plan.List:
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			return value, nil // the schema of the rule says what is wrong
		}
		for i := range list {
			var err error
			if list[i], err = p.resolveNames(shape.Elem, list[i]); err != nil {
				return nil, fmt.Errorf("element %d: %w", i+1, err)
			}
		}
		return jsontext.Array(list), nil
	}
	members, err := jsontext.Members(value)
	if err != nil || shape.Kind != plan.Record && shape.Kind != plan.Map {
		return value, nil
	}
	for i := range members {
		of := shape.Member(members[i].Name)
		if of == nil {
			of = shape.Elem
		}
		if members[i].Value, err = p.resolveNames(of, members[i].Value); err != nil {
			return nil, fmt.Errorf("%s: %w", members[i].Name, err)
		}
	}
	return jsontext.Join(members), nil
}
