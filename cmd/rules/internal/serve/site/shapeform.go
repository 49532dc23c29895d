package site

// # Records, lists and maps as fields
//
// A value of any shape is a tree of fields (formNode), and the fields that come back are the value again (readShape). A
// row of a list or a map is named by its number, "skills[0]", and the key of a row of a map by ":key" behind it, so
// that any text may be a key. One empty row more than there are values lets a reader add to a list without a script; a
// button sends the form for a further one, or to leave one out.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A formNode is a value as fields. Either it is one field, or a record with members, or a list or a map with rows.
type formNode struct {
	fieldView
	Members  []*formNode // of a record
	Rows     []formRow   // of a list or a map
	HasRows  bool
	HasKeys  bool     // the rows are those of a map
	Known    []string // keys that it may have by name
	IsOpen   bool     // it may have any other key
	IsRecord bool
	Error    string // what is wrong with it, or missing in it
	Roll     string // link to the form of the rule by which it is rolled; "" for none
}

// A formRow is an element of a list or an entry of a map.
type formRow struct {
	ID, Key string
	Label   string // of a key that every such map may have, and which is not typed
	Node    *formNode
}

// fixedSuffix stands for keySuffix at a key that is not typed: its row may stay empty.
const fixedSuffix = ":fixed"

// keySuffix follows the name of a row's field in the name of that of its key.
const keySuffix = ":key"

// A shaper makes fields of values, in the words of a ruleset.
type shaper struct {
	teller *say.Teller
	// rollLink returns the link to the form of the rule by which a field of a character is rolled, key being that of a map;
	// "" for none. It is nil where nothing is rolled.
	rollLink func(path, key string) string
}

// node returns the fields of a value; of none where the value is nil.
func (x *shaper) node(id, path string, m *plan.Member, value json.RawMessage) *formNode {
	s := m.Shape
	out := &formNode{fieldView: fieldView{ID: id, Path: path, Label: x.teller.Heading(path), Hint: m.Doc,
		Required: !m.Optional && m.Default == ""}}
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		out.Label = x.teller.Label(path)
	}
	if x.rollLink != nil && s.Kind < plan.List {
		out.Roll = x.rollLink(path, "")
	}
	switch {
	case s.Character:
		out.JSON, out.Value = true, string(value)
	case s.Kind == plan.Record:
		out.IsRecord = true
		for i := range s.Fields {
			f := &s.Fields[i]
			out.Members = append(out.Members, x.node(id+"."+f.Name, path+"."+f.Name, f, memberOf(value, f.Name)))
		}
	case s.Kind == plan.List:
		out.HasRows, out.IsOpen = true, true
		var values []json.RawMessage
		if json.Unmarshal(value, &values) != nil {
			values = nil
		}
		for i, v := range append(values, nil) {
			row := fmt.Sprintf("%s[%d]", id, i)
			out.Rows = append(out.Rows, formRow{ID: row,
				Node: x.node(row, path, &plan.Member{Name: m.Name, Shape: s.Elem}, v)})
		}
	case s.Kind == plan.Map:
		out.HasRows, out.HasKeys, out.Known = true, true, keysOf(s)
		members, err := jsontext.Members(value)
		if err != nil {
			members = nil
		}
		add := func(v jsontext.Member, label string) {
			row := fmt.Sprintf("%s[%d]", id, len(out.Rows))
			n := x.node(row, path, &plan.Member{Name: m.Name, Shape: valueShape(s, v.Name)}, v.Value)
			n.Label = cmp.Or(label, v.Name, n.Label)
			if x.rollLink != nil && v.Name != "" {
				n.Roll = x.rollLink(path, v.Name)
			}
			out.Rows = append(out.Rows, formRow{ID: row, Key: v.Name, Label: label, Node: n})
		}
		for _, key := range out.Known {
			add(jsontext.Member{Name: key, Value: memberOf(value, key)}, x.teller.Label(key))
		}
		for _, v := range members {
			if !slices.Contains(out.Known, v.Name) {
				add(v, "")
			}
		}
		if out.IsOpen = s.Keys == nil; out.IsOpen {
			add(jsontext.Member{}, "")
		}
	default:
		x.fillField(out, m, value)
	}
	return out
}

// valueShape returns the shape of an entry of a map. Before there is a key it is that of any, or of the first one.
func valueShape(s *plan.Shape, key string) *plan.Shape {
	if of := s.Member(key); of != nil {
		return of
	}
	return s.Fields[0].Shape
}

// keysOf returns the keys that a map may have, where they are known.
func keysOf(s *plan.Shape) []string {
	out := slices.Clone(s.Keys)
	for i := range s.Fields {
		if !slices.Contains(out, s.Fields[i].Name) {
			out = append(out, s.Fields[i].Name)
		}
	}
	return out
}

// fillField makes one field of a plain value.
func (x *shaper) fillField(out *formNode, m *plan.Member, value json.RawMessage) {
	s := m.Shape
	if string(value) != "null" {
		out.Value = textOf(value)
	}
	if m.Default != "" && value == nil {
		out.Preset = x.teller.Show(out.Path, json.RawMessage(m.Default))
	}
	switch {
	case s.Kind == plan.Bool:
		out.addChoices(x.teller, []string{"true", "false"})
	case len(s.Enum) > 0:
		out.addChoices(x.teller, s.Enum)
	case s.Kind == plan.Int || s.Kind == plan.Double:
		out.Number, out.Step = true, "1"
		if s.Kind == plan.Double {
			out.Step = "any"
		}
		out.Min, out.Max = boundText(s.Min), boundText(s.Max)
	}
}

func boundText(b *plan.Bound) string {
	if b == nil {
		return ""
	}
	return jsontext.Decimal(b.Value)
}

// addChoices makes the field one of values, in the words of the ruleset.
func (f *formNode) addChoices(t *say.Teller, values []string) {
	if !f.Required || f.Value == "" {
		f.Choices = append(f.Choices, choiceView{Label: cmp.Or(f.Preset, "–"), Selected: f.Value == ""})
	}
	for _, v := range values {
		f.Choices = append(f.Choices, choiceView{Value: v, Label: labelOf(t, f.Path, v), Selected: v == f.Value})
	}
}

// labelOf returns the word for a value of a choice; a truth is yes or no.
func labelOf(t *say.Teller, path, value string) string {
	if value == "true" || value == "false" {
		return say.Capitalise(t.Show(path, json.RawMessage(value)))
	}
	return t.LabelOf(path, value)
}

func memberOf(object json.RawMessage, name string) json.RawMessage {
	members, err := jsontext.Members(object)
	if err != nil {
		return nil
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// maxRows bounds the rows of a form: a stranger names them.
const maxRows = 1000

// readShape returns the value that fields make up, or nil where all of them are empty.
//
// A row with a key and no value yet is null, so that a half-typed row is kept; it does not fit, and is told as missing.
func readShape(form url.Values, id string, m *plan.Member) json.RawMessage {
	s := m.Shape
	needed := !m.Optional && m.Default == ""
	if s.Character {
		if text := strings.TrimSpace(form.Get(id)); text != "" {
			return json.RawMessage(text)
		}
		return nil
	}
	switch s.Kind {
	case plan.Record:
		var members []jsontext.Member
		for i := range s.Fields {
			f := &s.Fields[i]
			if v := readShape(form, id+"."+f.Name, f); v != nil {
				members = append(members, jsontext.Member{Name: f.Name, Value: v})
			}
		}
		if members == nil && !needed {
			return nil
		}
		return jsontext.Join(members)
	case plan.List:
		var values []string
		for _, row := range rowsOf(form, id) {
			if v := readShape(form, row, &plan.Member{Shape: s.Elem, Optional: true}); v != nil {
				values = append(values, string(v))
			}
		}
		if values == nil && !needed {
			return nil
		}
		return json.RawMessage("[" + strings.Join(values, ",") + "]")
	case plan.Map:
		var members []jsontext.Member
		for _, row := range rowsOf(form, id) {
			fixed := form.Get(row + fixedSuffix)
			key := cmp.Or(fixed, strings.TrimSpace(form.Get(row+keySuffix)))
			if key == "" || slices.ContainsFunc(members, func(x jsontext.Member) bool { return x.Name == key }) {
				continue
			}
			v := readShape(form, row, &plan.Member{Shape: valueShape(s, key), Optional: true})
			if v == nil && fixed != "" {
				continue
			}
			if v == nil {
				v = json.RawMessage("null")
			}
			members = append(members, jsontext.Member{Name: key, Value: v})
		}
		if members == nil && !needed {
			return nil
		}
		return jsontext.Join(members)
	}
	text := strings.TrimSpace(form.Get(id))
	switch value := json.RawMessage(text); {
	case text == "":
		return nil
	case s.Kind == plan.String || !json.Valid(value):
		return jsontext.Quote(text)
	default:
		return value
	}
}

// rowsOf returns the names of the rows of a list or a map in a form, without the one that a button leaves out.
func rowsOf(form url.Values, id string) []string {
	var out []string
	for i := range maxRows {
		row := fmt.Sprintf("%s[%d]", id, i)
		if !slices.ContainsFunc(formNames(form), func(name string) bool { return strings.HasPrefix(name, row) }) {
			break
		}
		if form.Get("drop") != row {
			out = append(out, row)
		}
	}
	return out
}

func formNames(form url.Values) []string {
	out := make([]string, 0, len(form))
	for name := range form {
		out = append(out, name)
	}
	return out
}
