// Package jsonschema writes the input schema of a plan as JSON Schema, draft 2020-12. It admits what the runtime admits,
// but for one thing that JSON Schema cannot say: 2.0 is no whole number for the runtime.
//
// # One definition of what fits
//
// The runtime decodes a character by the plan's shape, and this package prints the same shape, so
// an editor refuses what the runtime refuses, with one exception that is told above.
// TestSchemasOfInputs changes valid documents in many ways and wants both to agree on each. A
// character within an input is a reference to one definition, because characters may contain
// characters. Decisions that wait for dice are ordinary members with a keyword of our own, so that
// a form can ask for them later.
package jsonschema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// AfterKeyword is a keyword of our own, which validators pass over: the dice and uses that must be known before a field is
// decided.
const AfterKeyword = "x-after"

// Generate returns the schema of a ruleset's characters, or of an input, named as by
// describe.InputOf. Members are in the order of the author, which forms keep.
func Generate(p *plan.Plan, input string) (json.RawMessage, error) {
	shape, title := p.Character, "A character of "+p.Title
	if input != "" {
		if shape, title = describe.InputOf(p, input), "What is given to "+input; shape == nil {
			return nil, describe.UnknownIn(p, "rule, procedure or event", input, describe.AskableNames(p))
		}
	}
	top := []jsontext.Member{{Name: "$schema", Value: jsontext.Quote("https://json-schema.org/draft/2020-12/schema")},
		{Name: "title", Value: jsontext.Quote(title)}}
	w := newWriter(p, input, shape)
	if shape.Character {
		return jsontext.Join(append(top, w.recordSchema(shape)...)), nil
	}
	top = append(top, w.recordSchema(shape)...)
	w.root, w.of = plan.CharacterRoot, ""
	character := []jsontext.Member{{Name: "character", Value: jsontext.Join(w.recordSchema(p.Character))}}
	return jsontext.Join(append(top, jsontext.Member{Name: "$defs", Value: jsontext.Join(character)})), nil
}

// Component returns the schema of Generate as a part of a larger document, in which character is the reference to that of
// a character. Defaults are told as x-default: of a default programs that make types of schemas conclude that the member is
// always there.
func Component(p *plan.Plan, input, character string) (json.RawMessage, error) {
	shape := p.Character
	if input != "" {
		if shape = describe.InputOf(p, input); shape == nil {
			return nil, describe.UnknownIn(p, "rule, procedure or event", input, describe.AskableNames(p))
		}
	}
	w := newWriter(p, input, shape)
	w.character, w.defaultKeyword = character, "x-default"
	if input != "" && shape.Character {
		return jsontext.Join(w.shapeSchema(shape)), nil
	}
	return jsontext.Join(w.recordSchema(shape)), nil
}

// OfType returns the schema of the values of a type, as sheets have them: all members of a record are there but those that
// may be absent.
func OfType(t *plan.Type, character string) json.RawMessage {
	member := func(name string, value json.RawMessage) jsontext.Member {
		return jsontext.Member{Name: name, Value: value}
	}
	kind := func(name string, more ...jsontext.Member) json.RawMessage {
		return jsontext.Join(append([]jsontext.Member{member("type", jsontext.Quote(name))}, more...))
	}
	switch {
	case t.Character:
		return jsontext.Join([]jsontext.Member{member("$ref", jsontext.Quote(character))})
	case t.Kind == plan.Int:
		return kind("integer")
	case t.Kind == plan.Double:
		return kind("number")
	case t.Kind == plan.Bool:
		return kind("boolean")
	case t.Kind == plan.String && t.Enum != nil:
		return kind("string", member("enum", jsontext.StringArray(t.Enum)))
	case t.Kind == plan.String:
		return kind("string")
	case t.Kind == plan.List:
		return kind("array", member("items", OfType(t.Elem, character)))
	case t.Kind == plan.Map:
		return kind("object", member("additionalProperties", OfType(t.Elem, character)))
	}
	var members []jsontext.Member
	must := []string{}
	for _, f := range t.Fields {
		members = append(members, member(f.Name, OfType(f.Type, character)))
		if !f.Optional {
			must = append(must, f.Name)
		}
	}
	return kind("object", member("properties", jsontext.Join(members)), member("required", jsontext.StringArray(must)),
		member("additionalProperties", json.RawMessage("false")))
}

// A writer writes one schema.
type writer struct {
	character      string // the reference to the schema of a character
	defaultKeyword string
	after          map[*plan.Member][]string // of fields that are decided late: the dice and uses that they follow
	teller         *say.Teller               // of the definition that is given the input; nil where nobody has words
	path           []string                  // to the member that is written
	speaker        *say.Speaker
	root           plan.Root // of the record that is written
	of             string    // the definition that is given it; "" of characters
}

func newWriter(p *plan.Plan, input string, shape *plan.Shape) *writer {
	w := &writer{character: "#/$defs/character", defaultKeyword: "default", after: decidedFields(p, input, shape),
		speaker: say.NewSpeaker(p), root: plan.InputRoot, of: input}
	switch {
	case input == "":
		w.root = plan.CharacterRoot
	case strings.Contains(input, "."):
		w.root = plan.EventRoot
	}
	if w.speaker.HasGlossary() {
		w.teller = w.speaker.Of(input)
	}
	return w
}

// decidedFields finds the fields of an input that are decided when dice have fallen.
func decidedFields(p *plan.Plan, input string, shape *plan.Shape) map[*plan.Member][]string {
	out := map[*plan.Member][]string{}
	for _, d := range describe.DecisionsOf(p, input) {
		s := shape
		var m *plan.Member
		for name := range strings.SplitSeq(d.Path, ".") {
			at := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
			m = &s.Fields[at]
			s = m.Shape
		}
		out[m] = d.After
	}
	return out
}

// shapeSchema is the schema of the values that a shape admits. A character is a reference.
func (w *writer) shapeSchema(s *plan.Shape) []jsontext.Member {
	switch {
	case s.Character:
		return []jsontext.Member{{Name: "$ref", Value: jsontext.Quote(w.character)}}
	case s.Kind == plan.Int:
		return append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("integer")}}, boundsSchema(s)...)
	case s.Kind == plan.Double:
		return append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("number")}}, boundsSchema(s)...)
	case s.Kind == plan.Bool:
		return []jsontext.Member{{Name: "type", Value: jsontext.Quote("boolean")}}
	case s.Kind == plan.String:
		return stringSchema(s)
	case s.Kind == plan.List:
		return []jsontext.Member{
			{Name: "type", Value: jsontext.Quote("array")}, {Name: "items", Value: jsontext.Join(w.shapeSchema(s.Elem))},
			{Name: "minItems", Value: jsontext.Number(s.MinItems)}, {Name: "maxItems", Value: jsontext.Number(s.MaxItems)},
		}
	case s.Kind == plan.Map:
		return w.mapSchema(s)
	}
	return w.recordSchema(s)
}

// wordsSchema returns the players' words for the current member: its title, its unit, and the titles of its choices.
func (w *writer) wordsSchema(s *plan.Shape) []jsontext.Member {
	if w.teller == nil {
		return nil
	}
	path := strings.Join(w.path, ".")
	out := []jsontext.Member{{Name: "title", Value: jsontext.Quote(w.teller.Label(path))}}
	if unit := w.teller.Unit(path); unit != "" {
		out = append(out, jsontext.Member{Name: "x-unit", Value: jsontext.Quote(unit)})
	}
	if len(s.Enum) > 0 {
		var titles []string
		for _, v := range s.Enum {
			titles = append(titles, w.teller.LabelOf(path, v))
		}
		out = append(out, jsontext.Member{Name: "x-titles", Value: jsontext.StringArray(titles)})
	}
	return out
}

// hintsSchema returns how people are asked for the current member, in keywords of our own.
func (w *writer) hintsSchema() []jsontext.Member {
	var out []jsontext.Member
	add := func(name string, value json.RawMessage) { out = append(out, jsontext.Member{Name: name, Value: value}) }
	h := w.speaker.HintOf(w.root, w.of, strings.Join(w.path, "."))
	if h.Primary > 0 {
		add("x-primary", jsontext.Number(int(h.Primary)))
	}
	if h.Group != "" {
		add("x-group", jsontext.Quote(h.Group))
	}
	if s := h.Steps; s != nil {
		steps := []jsontext.Member{{Name: "by", Value: json.RawMessage(jsontext.Decimal(s.By))}}
		if s.Min != nil && s.Max != nil {
			steps = append(steps, jsontext.Member{Name: "minimum", Value: json.RawMessage(jsontext.Decimal(s.Min.Value))},
				jsontext.Member{Name: "maximum", Value: json.RawMessage(jsontext.Decimal(s.Max.Value))})
		}
		add("x-steps", jsontext.Join(steps))
	}
	if r := h.Rolls; r != nil {
		rolls := []jsontext.Member{{Name: "rule", Value: jsontext.Quote(r.Rule)}}
		var input []jsontext.Member
		for _, i := range r.Input {
			if i.Value == "" {
				rolls = append(rolls, jsontext.Member{Name: "key", Value: jsontext.Quote(i.Name)})
				continue
			}
			input = append(input, jsontext.Member{Name: i.Name, Value: jsontext.Quote(i.Value)})
		}
		add("x-rolls", jsontext.Join(append(rolls, jsontext.Member{Name: "input", Value: jsontext.Join(input)})))
	}
	return out
}

// boundsSchema returns the bounds of a number. An open bound has a keyword of its own since draft 6: exclusiveMinimum
// is a number. JSON Schema has no bound that another member sets: x-limits has these in words.
func boundsSchema(s *plan.Shape) []jsontext.Member {
	var out []jsontext.Member
	end := func(b *plan.Bound, name string) {
		if b == nil {
			return
		}
		if b.Open {
			name = "exclusive" + strings.ToUpper(name[:1]) + name[1:]
		}
		out = append(out, jsontext.Member{Name: name, Value: json.RawMessage(jsontext.Decimal(b.Value))})
	}
	end(s.Min, "minimum")
	end(s.Max, "maximum")
	if len(s.Not) > 0 {
		var not []json.RawMessage
		for _, b := range s.Not {
			not = append(not, json.RawMessage(jsontext.Decimal(b.Value)))
		}
		out = append(out, jsontext.Member{Name: "not",
			Value: jsontext.Join([]jsontext.Member{{Name: "enum", Value: jsontext.Array(not)}})})
	}
	var limits []string
	for i := range s.Limits {
		limits = append(limits, s.Limits[i].Comparison()+" "+s.Limits[i].String())
	}
	if limits != nil {
		out = append(out, jsontext.Member{Name: "x-limits", Value: jsontext.StringArray(limits)})
	}
	return out
}

// stringSchema has the keys of a table as an enum: a key that is misspelled is then seen in an
// editor.
func stringSchema(s *plan.Shape) []jsontext.Member {
	out := []jsontext.Member{{Name: "type", Value: jsontext.Quote("string")}}
	if s.Enum != nil {
		out = append(out, jsontext.Member{Name: "enum", Value: jsontext.StringArray(s.Enum)})
	}
	return out
}

// mapSchema is that of an object with the keys that it may have.
//
// A map with named members has both: properties for these, and propertyNames for all keys. JSON
// Schema applies propertyNames to the named members too, so their names are added to the keys.
func (w *writer) mapSchema(s *plan.Shape) []jsontext.Member {
	out := []jsontext.Member{{Name: "type", Value: jsontext.Quote("object")}}
	if len(s.Fields) > 0 {
		out = append(out, w.propertiesSchema(s)...)
	}
	if s.Keys != nil {
		keys := slices.Clone(s.Keys)
		for _, m := range s.Fields {
			keys = append(keys, m.Name)
		}
		slices.Sort(keys)
		out = append(out, jsontext.Member{Name: "propertyNames",
			Value: jsontext.Join([]jsontext.Member{{Name: "enum", Value: jsontext.StringArray(slices.Compact(keys))}})})
	}
	if s.MaxItems > 0 {
		out = append(out, jsontext.Member{Name: "maxProperties", Value: jsontext.Number(s.MaxItems)})
	}
	return append(out, jsontext.Member{Name: "additionalProperties", Value: jsontext.Join(w.shapeSchema(s.Elem))})
}

// recordSchema returns the schema of an object with its fields and no others; a character may name
// its revision and its homebrews too.
func (w *writer) recordSchema(s *plan.Shape) []jsontext.Member {
	out := append([]jsontext.Member{{Name: "type", Value: jsontext.Quote("object")}}, w.propertiesSchema(s)...)
	return append(out, jsontext.Member{Name: "additionalProperties", Value: json.RawMessage("false")})
}

// propertiesSchema are the named members of an object, and those that it must have.
func (w *writer) propertiesSchema(s *plan.Shape) []jsontext.Member {
	var list []jsontext.Member
	must := []string{}
	for i := range s.Fields {
		m := &s.Fields[i]
		list = append(list, jsontext.Member{Name: m.Name, Value: jsontext.Join(w.memberSchema(m))})
		if !m.Optional && m.Default == "" {
			must = append(must, m.Name)
		}
	}
	if s.Character {
		list = append(list, jsontext.Member{Name: jsonio.PinName,
			Value: jsontext.Join([]jsontext.Member{{Name: "type", Value: jsontext.Quote("string")}})})
		list = append(list, jsontext.Member{Name: jsonio.HomebrewsName, Value: jsontext.Join([]jsontext.Member{
			{Name: "type", Value: jsontext.Quote("object")},
			{Name: "additionalProperties", Value: jsontext.Join([]jsontext.Member{
				{Name: "type", Value: jsontext.Quote("string")},
				{Name: "pattern", Value: jsontext.Quote("^sha256:[0-9a-f]{64}$")},
			})},
		})})
	}
	return []jsontext.Member{{Name: "properties", Value: jsontext.Join(list)},
		{Name: "required", Value: jsontext.StringArray(must)}}
}

// memberSchema returns the schema of a value with the field's own keywords. In draft 2020-12 keywords may stand beside
// $ref, so that a character in a field can have a description.
func (w *writer) memberSchema(m *plan.Member) []jsontext.Member {
	w.path = append(w.path, m.Name)
	out := append(append(w.shapeSchema(m.Shape), w.wordsSchema(m.Shape)...), w.hintsSchema()...)
	w.path = w.path[:len(w.path)-1]
	if m.Doc != "" {
		out = append(out, jsontext.Member{Name: "description", Value: jsontext.Quote(m.Doc)})
	}
	if m.Default != "" {
		out = append(out, jsontext.Member{Name: w.defaultKeyword, Value: json.RawMessage(m.Default)})
	}
	if after := w.after[m]; after != nil {
		out = append(out, jsontext.Member{Name: AfterKeyword, Value: jsontext.StringArray(after)})
	}
	return out
}
