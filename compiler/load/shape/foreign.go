package shape

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// foreignTypes are the types of JSON Schema, YAML and programming languages, and CUE's for them.
var foreignTypes = map[string]string{
	"int": "int", "integer": "int", "number": "number", "float": "number", "double": "number", "string": "string",
	"str": "string", "text": "string", "bool": "bool", "boolean": "bool",
}

// choiceOfSchema returns how a field is written whose type, default and bounds stand in a struct, as in JSON Schema:
// *3 | int & >=1 for {type: "int", default: 3, min: 1}; "" for every other record.
func choiceOfSchema(s *plan.Shape) string {
	if s.Kind != plan.Record {
		return ""
	}
	var fallback, bounds, kind string
	for i := range s.Fields {
		value := s.Fields[i].Default
		switch s.Fields[i].Name {
		case "type":
			kind = foreignTypes[strings.ToLower(strings.Trim(value, `"`))]
		case "default":
			fallback = value
		case "min", "minimum":
			bounds += " & >=" + value
		case "max", "maximum":
			bounds += " & <=" + value
		default:
			return ""
		}
		if value == "" {
			return ""
		}
	}
	if kind == "" {
		return ""
	}
	if fallback != "" {
		fallback = "*" + fallback + " | "
	}
	return fallback + kind + bounds
}
