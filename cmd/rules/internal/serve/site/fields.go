package site

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A fieldView is a field of a form.
//
// Exactly one of Choices, Number and JSON says how it is edited; none of them means a line of text.
// The label is the word of the ruleset or, where it has none, the path.
type fieldView struct {
	ID, Label, Value, Hint string
	Path                   string // of an input or of a field of a character
	Required               bool
	Choices                []choiceView // of a select
	Number                 bool
	Step, Min, Max         string
	Preset                 string // stands for an empty field; "" for nothing
	Idle                   bool   // nothing reads it, as the other fields are
	JSON                   bool   // a list, a map or an object, written as JSON
	Unit                   string
	Error                  string    // what is wrong with its value; "" for nothing
	Tree                   *formNode // a list or a map as rows; nil for any other field
	Later                  bool      // it is asked for when dice have fallen
	Primary                int64     // its place among what the ruleset has asked first; 0 of the others
	Group                  string    // heading of the fields among which it stands; "" for none
	Offered                []string  // values of a number that stand in a list beside it
}

type choiceView struct {
	Value, Label string
	Selected     bool
	Note         string // stands beside it: the row of a table that it chooses
}

// Prefixes of the names of form fields.
const (
	inputPrefix  = "in."
	optionPrefix = "option."
)

func indentJSON(text []byte) string {
	var b strings.Builder
	if jsontext.PrintIndented(&b, text) != nil {
		return string(text)
	}
	return strings.TrimSpace(b.String())
}

// inputFields returns the fields of an input, and the input that they make. Of a nested record only its members are
// fields.
//
// "sent" decides between two meanings of an absent field. In a form that was sent, an empty field is empty; in an
// address, an absent one is as in the example.
func inputFields(n *describe.Needs, form url.Values, sent bool, shipped []byte) ([]fieldView, []byte) {
	var fields []fieldView
	input := json.RawMessage("{}")
	for i := range n.Input {
		f := &n.Input[i]
		if strings.ContainsAny(f.Name, "[*") || f.Type == "object" || underJSON(n.Input[:i], f.Name) {
			continue
		}
		text := memberText(shipped, f.Name)
		told := sent || form.Has(inputPrefix+f.Name) // an address may tell some fields, and the example the others
		if told {
			mergeRows(f, form)
			text = form.Get(inputPrefix + f.Name)
		}
		asksLater := n.Kind == "rule" && len(f.After) > 0
		switch {
		case told:
		case asksLater:
			text = ""
		case text == "" && f.Default != nil && !strings.Contains(f.Name, "."): // a record of the example is whole
			text = strings.Trim(string(f.Default), `"`)
		}
		field := newField(f, text)
		if asksLater {
			field.Later = true
		}
		fields = append(fields, field)
		if text != "" {
			input = putInto(input, f, text)
		}
	}
	return fields, input
}

// underJSON reports whether a field lies in one that is written as JSON whole.
//
// A list or a map is one text area. Its members have no fields of their own, or two inputs would
// say the same.
func underJSON(before []describe.Field, name string) bool {
	return slices.ContainsFunc(before, func(f describe.Field) bool {
		return isJSON(&f) && strings.HasPrefix(name, f.Name+".")
	})
}

func isJSON(f *describe.Field) bool {
	return strings.HasPrefix(f.Type, "list") || strings.HasPrefix(f.Type, "map") || f.Type == "character"
}

// putInto puts a value into the input at a path. A text that is no JSON goes in as a string, and the
// runtime refuses it with the field's name and type: the page needs no second check of types, and no second wording.
func putInto(object json.RawMessage, f *describe.Field, text string) json.RawMessage {
	value := json.RawMessage(text)
	if f.Type == "string" || !json.Valid(value) {
		value = jsontext.Quote(text)
	}
	out, err := argdata.PutInto(object, plan.SplitPath(f.Name), value)
	if err != nil {
		return object
	}
	return out
}

// memberText is a member of an example as a form shows it: a string without quotes.
func memberText(object []byte, name string) string {
	for _, part := range plan.SplitPath(name) {
		var members map[string]json.RawMessage
		if json.Unmarshal(object, &members) != nil {
			return ""
		}
		object = members[part]
	}
	var text string
	if json.Unmarshal(object, &text) == nil {
		return text
	}
	return jsontext.Compact(object)
}

func newField(f *describe.Field, value string) fieldView {
	v := fieldView{ID: inputPrefix + f.Name, Path: f.Name, Label: cmp.Or(f.Label, f.Name), Value: value,
		Required: f.Required, Hint: f.Doc, Unit: f.Unit, Primary: f.Primary,
		Group: cmp.Or(f.GroupLabel, spacedName(f.Group)), Offered: offeredValues(f)}
	if strings.EqualFold(v.Unit, v.Label) {
		v.Unit = "" // it would say the same twice
	}
	switch values := f.Values(); {
	case isJSON(f):
		v.JSON = true
	case len(values) > 0:
		if !f.Required && f.Default == nil || len(f.After) > 0 || value == "" {
			v.Choices = append(v.Choices, choiceView{Label: "–", Selected: value == ""})
		}
		for _, x := range values {
			label := cmp.Or(f.Labels[x], x)
			if strings.EqualFold(label, x) {
				label = cmp.Or(truthWord(x), label)
			}
			v.Choices = append(v.Choices, choiceView{Value: x, Label: label, Selected: x == value})
		}
	case f.Type == "int" || f.Type == "double":
		v.Number, v.Step = true, "1"
		if f.Type == "double" {
			v.Step = "any"
		}
		if f.Minimum != nil {
			v.Min = jsontext.Decimal(*f.Minimum)
		}
		if f.Maximum != nil {
			v.Max = jsontext.Decimal(*f.Maximum)
		}
	}
	return v
}

// maxOffered bounds the values that are offered for a number.
const maxOffered = 41

// offeredValues returns the values of a number that its ruleset has forms offer: from the first to the last by its steps.
// Others between its bounds can be typed.
func offeredValues(f *describe.Field) []string {
	if f.Steps == nil {
		return nil
	}
	low, high := cmp.Or(f.Steps.Minimum, f.Minimum), cmp.Or(f.Steps.Maximum, f.Maximum)
	if low == nil || high == nil || *high-*low > f.Steps.By*maxOffered {
		return nil
	}
	var out []string
	for i := 0; *low+float64(i)*f.Steps.By <= *high; i++ {
		out = append(out, jsontext.Decimal(*low+float64(i)*f.Steps.By))
	}
	return out
}

// truthWord returns yes and no for truths, and "" for any other value.
func truthWord(value string) string {
	switch value {
	case "true":
		return "Yes"
	case "false":
		return "No"
	}
	return ""
}

// IsPills reports whether the choices of a field are so few that all of them are in sight.
func (f *fieldView) IsPills() bool { return len(f.Choices) > 1 && len(f.Choices) <= 6 }

// HasNotes reports whether something stands beside the choices.
func (f *fieldView) HasNotes() bool {
	return slices.ContainsFunc(f.Choices, func(c choiceView) bool { return c.Note != "" })
}

// Brief returns the value of a field in words, as the line of what is folded has it; "" where it says nothing.
func (f *fieldView) Brief() string {
	for _, c := range f.Choices {
		if c.Selected && c.Value != "" {
			return c.Label
		}
	}
	if f.Tree != nil || f.JSON || len(f.Choices) > 0 {
		return ""
	}
	return f.Value
}

// addTrees makes rows of the lists and maps among fields, in the words of a definition.
func addTrees(t *say.Teller, known []describe.Field, fields []fieldView) {
	x := shaper{teller: t}
	for i := range fields {
		f := &fields[i]
		k := slices.IndexFunc(known, func(d describe.Field) bool { return d.Name == f.Path })
		if k < 0 || !f.JSON || known[k].Type == "character" {
			continue
		}
		f.Tree = x.node(f.ID, f.Path, known[k].Member(), json.RawMessage(f.Value))
		f.Tree.Label = f.Label
	}
}

// mergeRows puts the rows of a list or a map in a form into one field, as JSON.
func mergeRows(f *describe.Field, form url.Values) {
	id := inputPrefix + f.Name
	isRow := func(name string) bool { return strings.HasPrefix(name, id+"[") }
	if !isJSON(f) || !slices.ContainsFunc(formNames(form), isRow) {
		return
	}
	value := readShape(form, id, f.Member())
	for _, name := range formNames(form) {
		if isRow(name) {
			form.Del(name)
		}
	}
	form.Set(id, string(value))
}

// optionFields returns fields for the rulings that a rule reads, and adds those chosen otherwise than in the release to
// chosen.
//
// The question holds only these, so that the answer names the rulings that were changed and no others.
func optionFields(n *describe.Needs, form url.Values, chosen map[string]string) []fieldView {
	var fields []fieldView
	for _, o := range n.Options {
		value := form.Get(optionPrefix + o.ID)
		f := fieldView{ID: optionPrefix + o.ID}
		f.Label, f.Hint = headingOf(o.ID, o.Doc)
		if value != "" && value != o.Played {
			chosen[o.ID] = value
		}
		for _, x := range o.Values {
			f.Choices = append(f.Choices,
				choiceView{Value: x.Value, Label: choiceLabel(x.Value, x.Doc),
					Selected: x.Value == value || value == "" && x.Value == o.Played})
		}
		fields = append(fields, f)
	}
	return fields
}

// textOf is a value in JSON as a form shows it: a string without quotes.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// withoutMember is a record that lacks the member at a path.
func withoutMember(record json.RawMessage, path string) json.RawMessage {
	name, _, rest, deeper := plan.CutStep(path)
	var members map[string]json.RawMessage
	if json.Unmarshal(record, &members) != nil {
		return record
	}
	switch inner, is := members[name]; {
	case !is:
		return record
	case deeper:
		members[name] = withoutMember(inner, rest)
	default:
		delete(members, name)
	}
	out, err := json.Marshal(members)
	if err != nil {
		return record
	}
	return out
}
