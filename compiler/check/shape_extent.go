package check

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// extentOfShape returns the extent of the values that a shape admits. A map may have plan.MaxKeys keys, the bound that
// reading JSON enforces; a list the number that its author declared.
func extentOfShape(s, character *plan.Shape) *builtin.Extent {
	if s == nil {
		return nil
	}
	if s.Character && character != nil {
		s = character
	}
	out := builtin.UnboundedExtent()
	if s.Min != nil {
		out.Lo = s.Min.Value
	}
	if s.Max != nil {
		out.Hi = s.Max.Value
	}
	out.Elem = extentOfShape(s.Elem, character)
	switch s.Kind {
	case plan.List:
		out.Size = float64(s.MaxItems)
	case plan.Map:
		out.Size = plan.MaxKeys
	}
	for _, m := range s.Fields {
		if out.Fields == nil {
			out.Fields = map[string]*builtin.Extent{}
		}
		out.Fields[m.Name] = extentOfShape(m.Shape, character)
	}
	return out
}

// extentOfJSON returns the extent of a cell or a default; without bounds for a cell that a row lacks.
func extentOfJSON(text string) *builtin.Extent {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return extentOfValue(v)
}

// extentOfValue returns the extent of a JSON value. Its numbers are doubles, so that an int beyond 2^53 counts as the
// double next to it.
func extentOfValue(v any) *builtin.Extent {
	switch v := v.(type) {
	case float64:
		return builtin.ExtentBetween(v, v)
	case []any:
		out := builtin.ExtentOfElements(float64(len(v)), nil)
		for i, x := range v {
			if e := extentOfValue(x); i == 0 {
				out.Elem = e
			} else {
				out.Elem = out.Elem.Unite(e)
			}
		}
		return out
	case map[string]any:
		out := &builtin.Extent{Fields: map[string]*builtin.Extent{}}
		for name, x := range v {
			out.Fields[name] = extentOfValue(x)
		}
		return out
	}
	return &builtin.Extent{}
}
