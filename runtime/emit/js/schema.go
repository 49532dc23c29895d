package js

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// schemaLiteral returns a shape as the kernel reads it, with further members.
func schemaLiteral(s *plan.Shape, more ...string) string {
	members := []string{"kind: " + strconv.Itoa(int(s.Kind))}
	add := func(name, text string) { members = append(members, name+": "+text) }
	bound := func(name string, b *plan.Bound) {
		if b != nil {
			add(name, "["+doubleLiteral(b.Value)+", "+strconv.FormatBool(b.Open)+"]")
		}
	}
	bound("min", s.Min)
	bound("max", s.Max)
	if s.Not != nil {
		var not []float64
		for _, b := range s.Not {
			not = append(not, b.Value)
		}
		add("not", numberList(not))
		if choices := s.ListChoices(); choices != "" {
			add("choices", quoteLiteral(choices))
		}
	}
	if s.Limits != nil {
		add("limits", limitsLiteral(s.Limits))
	}
	if s.Enum != nil {
		add("enum", quoteList(s.Enum))
	}
	if s.Elem != nil {
		add("of", schemaLiteral(s.Elem))
	}
	if s.MinItems > 0 {
		add("least", strconv.Itoa(s.MinItems))
	}
	if s.Kind == plan.List || s.MaxItems > 0 {
		add("most", strconv.Itoa(s.MaxItems))
	}
	if s.Keys != nil {
		add("keys", quoteList(s.Keys))
	}
	if s.Kind == plan.Record || s.Fields != nil {
		add("fields", fieldsLiteral(s.Fields))
	}
	if isDeep(s) {
		add("deep", "true")
	}
	return "{ " + strings.Join(append(members, more...), ", ") + " }"
}

// isDeep reports whether a value of a shape has lists or maps of records, whose fields become slots.
func isDeep(s *plan.Shape) bool {
	inList := func(of *plan.Shape) bool { return of.Kind == plan.Record || isDeep(of) }
	if s.Elem != nil && inList(s.Elem) {
		return true
	}
	for i := range s.Fields {
		if m := s.Fields[i].Shape; isDeep(m) || s.Kind == plan.Map && inList(m) {
			return true
		}
	}
	return false
}

func fieldsLiteral(list []plan.Member) string {
	var out []string
	for i := range list {
		m := &list[i]
		text := "[" + quoteLiteral(m.Name) + ", " + schemaLiteral(m.Shape)
		switch {
		case m.Default != "":
			text += ", false, " + quoteLiteral(m.Default)
		case m.Optional:
			text += ", true"
		}
		out = append(out, text+"]")
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// limitsLiteral returns the bounds that other fields set: upper, open, paths, plus, and the words for them.
func limitsLiteral(list []plan.Limit) string {
	var out []string
	for i := range list {
		l := &list[i]
		var paths []string
		for _, path := range l.Sum {
			paths = append(paths, quoteList(path))
		}
		words := quoteLiteral(l.Comparison() + " " + l.String())
		out = append(out, fmt.Sprintf("[%t, %t, [%s], %s, %s]", l.Upper, l.Open, strings.Join(paths, ", "),
			doubleLiteral(l.Plus), words))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func quoteList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quoteLiteral(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
