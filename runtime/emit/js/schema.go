package js

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// schemaLiteral returns a shape as the kernel reads it, with further members, and adds to imports the functions of the kernel
// that it names: no other module carries them.
func schemaLiteral(imports map[string]bool, s *plan.Shape, more ...string) string {
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
		imports["notAmong"] = true
		add("not", "notAmong("+numberList(not)+", "+quoteLiteral(s.ListChoices())+")")
	}
	if s.Enum != nil {
		add("enum", quoteList(s.Enum))
	}
	if s.Elem != nil {
		add("of", innerSchema(imports, s.Elem))
	}
	if s.MinItems > 0 {
		add("least", strconv.Itoa(s.MinItems))
	}
	switch s.Kind {
	case plan.List:
		add("most", strconv.Itoa(s.MaxItems))
	case plan.Map:
		add("most", strconv.Itoa(s.MostKeys()))
	}
	if s.Keys != nil {
		add("keys", quoteList(s.Keys))
	}
	if s.Kind == plan.Record || s.Kind == plan.Map {
		add("fields", fieldsLiteral(imports, s))
	}
	if isDeep(s) {
		imports["flatten"] = true
		members = append(members, "flatten")
	}
	return "{ " + strings.Join(append(members, more...), ", ") + " }"
}

// innerSchema returns a shape within another one, as schemaLiteral does. All characters are read by the schema of the ruleset.
func innerSchema(imports map[string]bool, s *plan.Shape, more ...string) string {
	if s.Character {
		return "ruleset.character"
	}
	return schemaLiteral(imports, s, more...)
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

func fieldsLiteral(imports map[string]bool, record *plan.Shape) string {
	var out []string
	for i := range record.Fields {
		m := &record.Fields[i]
		var more []string
		if m.Shape.Limits != nil && record.Kind == plan.Record {
			imports["limitField"] = true
			more = append(more, "limits: "+limitsLiteral(record, m.Shape.Limits))
		}
		text := "[" + quoteLiteral(m.Name) + ", " + innerSchema(imports, m.Shape, more...)
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

// limitsLiteral returns the bounds that fields of a record set for another: a function of the kernel is given their sum as a
// function of the record, which has no value where one of them is absent, upper, open, and the words for them.
func limitsLiteral(record *plan.Shape, list []plan.Limit) string {
	var out []string
	for i := range list {
		l := &list[i]
		var terms []string
		if l.Plus != 0 || len(l.Sum) == 0 {
			terms = append(terms, doubleLiteral(l.Plus))
		}
		for _, path := range l.Sum {
			terms = append(terms, pathText(record, path))
		}
		out = append(out, fmt.Sprintf("limitField(r => %s, %t, %t, %s)", strings.Join(terms, " + "), l.Upper, l.Open,
			quoteLiteral(l.Comparison()+" "+l.String())))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// pathText returns the value at a path of names from a record r, as it has been read: undefined where a part is absent.
func pathText(of *plan.Shape, path []string) string {
	text, optional := "r", false
	for _, name := range path {
		if of.Kind == plan.Map {
			text += memberAccess("find", optional) + "(e => e[0] === " + quoteLiteral(name) + ")?.[1]"
			optional = true
		} else {
			text += memberAccess(name, optional)
			optional = optional || slices.ContainsFunc(of.Fields, func(m plan.Member) bool { return m.Name == name && m.Optional })
		}
		of = of.Member(name)
	}
	return text
}

func quoteList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quoteLiteral(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
