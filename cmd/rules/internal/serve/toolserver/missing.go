package toolserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// formID names the only form that a call asks a person to fill in.
const formID = "missing"

// completeInput returns the input of a rule with the answers of a person in it. When required fields are missing it
// returns an error that names them all, and sets the form by which a client asks for them where it can.
func (c *call) completeInput(p *plan.Plan, id string, input json.RawMessage) (json.RawMessage, error) {
	if filled, ok := c.responses[formID].(*mcp.ElicitResult); ok && filled.Action == "accept" {
		for name, value := range filled.Content {
			text, err := json.Marshal(value)
			if err == nil {
				input, err = argdata.PutInto(jsontext.OrObject(input), plan.SplitPath(name), text)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	missing := missingFields(p, id, input)
	if len(missing) == 0 {
		return input, nil
	}
	if c.responses == nil && canFillIn(c.session) {
		c.form = formOf(p, id, missing)
	}
	var said []string
	for i := range missing {
		said = append(said, fieldText(&missing[i]))
	}
	return nil, &runtime.InputError{Root: "input", Path: "." + missing[0].Name, Msg: "is missing; give " +
		strings.Join(said, ", ")}
}

// missingFields returns the fields that an input must have and has not, of those that one value fills.
func missingFields(p *plan.Plan, id string, input json.RawMessage) []describe.Field {
	n := describe.NeedsOf(p, id)
	return slices.DeleteFunc(n.Input, func(f describe.Field) bool {
		return !f.Required || len(f.After) > 0 || formTypes[f.Type] == "" || strings.ContainsAny(f.Name, ".[*") ||
			hasMember(input, f.Name)
	})
}

// formTypes are the types of JSON Schema of values that a form can ask for.
var formTypes = map[string]string{"int": "integer", "double": "number", "bool": "boolean", "string": "string"}

func hasMember(object json.RawMessage, name string) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(jsontext.OrObject(object), &members) != nil || members[name] != nil
}

// canFillIn reports whether a client shows forms.
func canFillIn(s *mcp.ServerSession) bool {
	if s == nil || s.InitializeParams() == nil || s.InitializeParams().Capabilities == nil {
		return false
	}
	e := s.InitializeParams().Capabilities.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// formOf returns the form for fields of the input of a rule.
func formOf(p *plan.Plan, id string, fields []describe.Field) *mcp.ElicitParams {
	properties, required := map[string]any{}, []string{}
	for i := range fields {
		f := &fields[i]
		property := map[string]any{"type": formTypes[f.Type]}
		for name, text := range map[string]string{"title": f.Label, "description": f.Doc} {
			if text != "" {
				property[name] = text
			}
		}
		for name, bound := range map[string]*float64{"minimum": f.Minimum, "maximum": f.Maximum} {
			if bound != nil {
				property[name] = *bound
			}
		}
		if len(f.Enum) > 0 {
			property["enum"] = f.Enum
		}
		properties[f.Name] = property
		required = append(required, f.Name)
	}
	return &mcp.ElicitParams{Message: fmt.Sprintf("%s of %s needs these values.", id, p.Ruleset),
		RequestedSchema: map[string]any{"type": "object", "properties": properties, "required": required}}
}

// maxNamed is how many words of a field an error lists.
const maxNamed = 12

// fieldText tells a field, its type and the words that it may be.
func fieldText(f *describe.Field) string {
	words := f.Values()
	switch {
	case len(words) == 0:
		return fmt.Sprintf("%s (%s)", f.Name, f.Type)
	case len(words) > maxNamed:
		return fmt.Sprintf("%s (%s, ... %d words)", f.Name, strings.Join(words[:maxNamed], ", "), len(words))
	}
	return fmt.Sprintf("%s (%s)", f.Name, strings.Join(words, ", "))
}
