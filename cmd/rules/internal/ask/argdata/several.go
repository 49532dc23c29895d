package argdata

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// JoinShapes returns a shape of inputs that has the fields of several; of those of one name the first.
func JoinShapes(shapes []*plan.Shape) *plan.Shape {
	out := &plan.Shape{Kind: plan.Record}
	for _, s := range shapes {
		if s == nil {
			continue
		}
		for _, m := range s.Fields {
			if out.Member(m.Name) == nil {
				out.Fields = append(out.Fields, m)
			}
		}
	}
	return out
}

// KeepOwn returns an input that several shapes share without the members that one of them does not have. It refuses a
// member that none of them has.
func KeepOwn(input json.RawMessage, own *plan.Shape, all []*plan.Shape) (json.RawMessage, error) {
	if len(input) == 0 {
		return input, nil
	}
	list, err := jsontext.Members(input)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	for _, m := range list {
		if !slices.ContainsFunc(all, func(s *plan.Shape) bool { return s.Member(m.Name) != nil }) {
			return nil, fmt.Errorf("input.%s: no rule that is compared has such a field%s", m.Name,
				suggest(m.Name, JoinShapes(all)))
		}
	}
	return jsontext.Join(slices.DeleteFunc(list, func(m jsontext.Member) bool { return own.Member(m.Name) == nil })), nil
}

// suggest returns the question whether a name is a misspelled one of a shape's fields, "" where none is like it.
func suggest(name string, shape *plan.Shape) string {
	var known []string
	for i := range shape.Fields {
		known = append(known, shape.Fields[i].Name)
	}
	if meant := spell.Nearest(name, known); meant != "" {
		return fmt.Sprintf("; did you mean %q", meant)
	}
	return ""
}
