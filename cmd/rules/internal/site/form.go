package site

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/golden"
)

// A fieldView is a field of a form.
type fieldView struct {
	ID, Label, Value, Hint string
	Required               bool
	Choices                []choiceView // of a select
	Number                 bool
	Step, Min, Max         string
	Idle                   bool // nothing reads it, as the other fields are
	JSON                   bool // a list, a map or an object, written as JSON
}

type choiceView struct {
	Value, Label string
	Selected     bool
}

// A tryPage is a rule as a form, with its answer and its odds.
type tryPage struct {
	page
	Needs          *describe.Needs
	BookLink       string
	Input, Options []fieldView
	Dice, DiceHint string
	Seed           string
	Character      string
	CharacterOpen  bool
	CharacterReads []string // paths
	// CharacterFields are the parts that are read and can be filled in one by one.
	CharacterFields []fieldView
	ReadsCharacter  bool
	OtherRulings    []string     // that are not played by default
	Ruled           []rulingView // what was ruled about it
	Keep            string       // the name under which a browser keeps the character
	Error           string
	Refused         string // an output that was refused, when a requirement did not hold
	Sheet           *sheetView
	Decision        *decisionView // what is to be decided before there is a sheet; nil for nothing
	Decided         []fieldView   // what was decided after the faces that fell
	Why             *whyView      // why an output is what it is; nil unless it is asked for
	Fell            string        // lets the same faces fall again
	HasOdds         bool
	Odds            *oddsView
	Vary            [2]varyField // inputs that the odds can be shown over
	Beside          []choiceView // states of the ruleset whose odds can stand beside these
	Kept            *keptSetting // the setting beside whose odds those of the form stand; nil for none
}

// Prefixes of the names of form fields.
const (
	inputPrefix  = "in."
	optionPrefix = "option."
)

// showForm shows the form of a rule or a procedure and, when it was sent, the answer.
func (s *server) showForm(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	id := r.PathValue("name")
	if slices.Contains(e.Program.ProcedureNames(), id) {
		s.showPlay(w, r, e, b, id)
		return
	}
	if !slices.Contains(e.Program.RuleNames(), id) {
		s.writeError(w, r, http.StatusNotFound, describe.UnknownIn(e.Plan, "rule", id, describe.EvaluableNames(e.Plan)))
		return
	}
	if err := r.ParseForm(); err != nil {
		s.writeError(w, r, http.StatusBadRequest, err)
		return
	}
	v, q := s.newTry(e, b, id, r.Form)
	status := http.StatusOK
	if r.Form.Get("asked") != "" && !isAboutKept(r.Form) {
		if err = v.carryOut(e, q, r.Form); err != nil {
			v.Error, v.CharacterOpen = wordError(err), isAbout(err, "character")
			status = http.StatusUnprocessableEntity
		}
	}
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
	}
	s.write(w, status, "try", v)
}

// showOddsPart shows the parts of a form's page that follow its fields, for the script that puts them into the page: the
// odds, and the fields for what is read of the character.
func (s *server) showOddsPart(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err == nil {
		err = r.ParseForm()
	}
	id := r.PathValue("name")
	if err != nil || !slices.Contains(e.Program.RuleNames(), id) {
		http.Error(w, "there is no such rule", http.StatusNotFound)
		return
	}
	v, q := s.newTry(e, b, id, r.Form)
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.templates["try"].ExecuteTemplate(w, "live", v); err != nil {
		return // the reader has gone on
	}
}

// newTry makes the form of a rule, filled with what was sent or else with an example that ships.
func (s *server) newTry(e *library.Edition, b *bookView, id string, form url.Values) (*tryPage, *asked) {
	needs := describe.NeedsOf(e.Plan, id)
	v := &tryPage{page: s.newPage(id+", "+b.Title, 2), Needs: needs, BookLink: "../" + b.links[id],
		Keep: "character " + b.Ruleset, HasOdds: len(needs.Dice) > 0}
	v.Book = b
	q := &asked{options: map[string]string{}}
	mergeCharacter(e, form)
	shipped := exampleFor(e, needs)
	sent := form.Get("asked") != ""
	v.Input, q.input = inputFields(needs, form, sent, shipped.Input)
	v.Options = optionFields(needs, form, q.options)
	v.Dice, v.Seed, v.Character = form.Get("dice"), form.Get("seed"), form.Get("character")
	if name := form.Get("as"); v.Character == "" && slices.Contains(b.Characters, name) {
		v.Character = characterOf(e, name)
	}
	if v.Character == "" {
		v.Character = indented(shipped.Character)
	}
	if i := slices.IndexFunc(b.all(), func(d *definitionView) bool { return d.Link == b.links[id] }); i >= 0 {
		v.Ruled = b.all()[i].Rulings
	}
	for _, o := range slices.Sorted(maps.Keys(q.options)) {
		v.OtherRulings = append(v.OtherRulings, o+" "+q.options[o])
	}
	q.character, q.dice, q.seed = []byte(v.Character), v.Dice, v.Seed
	v.markNeeds(e, id, q)
	v.CharacterFields = characterFields(e, v.CharacterReads, q.character)
	v.Vary = [2]varyField{newVaryField("vary", "Show the odds over", v.Input, form.Get("vary")),
		newVaryField("vary2", "and over", v.Input, form.Get("vary2"))}
	v.Kept = keptSettingOf(needs, form)
	for _, x := range s.library.Shelf().Comparable(e) {
		v.Beside = append(v.Beside, choiceView{x.Called, x.Called, x.Called == form.Get("beside")})
	}
	for _, d := range needs.Dice {
		v.DiceHint = strings.TrimSpace(v.DiceHint + " " + d.ID + "=…")
	}
	return v, q
}

// markNeeds marks what the rule does not read as the form is filled now, and lists what it reads of the character.
func (v *tryPage) markNeeds(e *library.Edition, id string, q *asked) {
	v.ReadsCharacter = true
	var fields []string
	for i := range v.Input {
		if label := v.Input[i].Label; v.Needs.Kind == "rule" && !v.isDecided(label) {
			fields = append(fields, label)
		}
	}
	n := needOf(e, id, q, fields)
	for i := range v.Input {
		v.Input[i].Idle = n.idle[v.Input[i].Label]
	}
	v.CharacterReads = n.character
}

// isDecided reports whether a field is decided when dice have fallen, so that nothing asks for it before.
func (v *tryPage) isDecided(label string) bool {
	return slices.ContainsFunc(v.Needs.Input, func(f describe.Field) bool { return f.Name == label && len(f.After) > 0 })
}

// characterOf is a character that ships with the ruleset; "" when it cannot be read.
func characterOf(e *library.Edition, name string) string {
	text, err := fs.ReadFile(e.Files, path.Join("golden", e.Plan.Ruleset, name+".json"))
	if err != nil {
		return ""
	}
	return indented(text)
}

// exampleFor is a character and an input that answer; empty objects without the sources.
func exampleFor(e *library.Edition, n *describe.Needs) *golden.Case {
	if e.Files != nil {
		if c := example.FindAnswering(e.Files, e.Plan, n); c != nil {
			return c
		}
	}
	return &golden.Case{Character: []byte("{}"), Input: []byte("{}")}
}

func indented(text []byte) string {
	var b strings.Builder
	if jsontext.PrintIndented(&b, text) != nil {
		return string(text)
	}
	return strings.TrimSpace(b.String())
}

// inputFields are the fields of an input, and the input that they make. Of a nested record only its members are fields.
func inputFields(n *describe.Needs, form url.Values, sent bool, shipped []byte) ([]fieldView, []byte) {
	var fields []fieldView
	input := json.RawMessage("{}")
	for i := range n.Input {
		f := &n.Input[i]
		if strings.ContainsAny(f.Name, "[*") || f.Type == "object" || underJSON(n.Input[:i], f.Name) {
			continue
		}
		text := memberText(shipped, f.Name)
		if sent {
			text = form.Get(inputPrefix + f.Name)
		}
		asksLater := n.Kind == "rule" && len(f.After) > 0
		switch {
		case sent:
		case asksLater:
			text = ""
		case text == "" && f.Default != nil && !strings.Contains(f.Name, "."): // a record of the example is whole
			text = strings.Trim(string(f.Default), `"`)
		}
		field := newField(f, text)
		if asksLater {
			field.Hint += "; leave it empty to be asked then"
		}
		fields = append(fields, field)
		if text != "" {
			input = putInto(input, f, text)
		}
	}
	return fields, input
}

// underJSON reports whether a field lies in one that is written as JSON whole.
func underJSON(before []describe.Field, name string) bool {
	return slices.ContainsFunc(before, func(f describe.Field) bool {
		return isJSON(&f) && strings.HasPrefix(name, f.Name+".")
	})
}

func isJSON(f *describe.Field) bool {
	return strings.HasPrefix(f.Type, "list") || strings.HasPrefix(f.Type, "map") || f.Type == "character"
}

// putInto puts a value into the input at a path. A text that does not fit is left for the runtime to refuse, as a string.
func putInto(object json.RawMessage, f *describe.Field, text string) json.RawMessage {
	value := json.RawMessage(text)
	if f.Type == "string" || !json.Valid(value) {
		value = jsontext.Quote(text)
	}
	out, err := (argdata.Assignment{Path: strings.Split(f.Name, "."), Value: value}).PutInto(object)
	if err != nil {
		return object
	}
	return out
}

// memberText is a member of an example as a form shows it: a string without quotes.
func memberText(object []byte, name string) string {
	for part := range strings.SplitSeq(name, ".") {
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
	v := fieldView{ID: inputPrefix + f.Name, Label: f.Name, Value: value, Required: f.Required, Hint: hintOf(f)}
	switch values := f.Values(); {
	case isJSON(f):
		v.JSON = true
	case len(values) > 0:
		if !f.Required {
			v.Choices = append(v.Choices, choiceView{"", "(" + f.Presence() + ")", value == ""})
		}
		for _, x := range values {
			v.Choices = append(v.Choices, choiceView{x, x, x == value})
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

func hintOf(f *describe.Field) string {
	parts := []string{f.Doc, f.Describe(), f.Presence()}
	if len(f.Values()) > 0 {
		parts = []string{f.Doc, f.Presence()}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// optionFields are the rulings that a rule reads; what is chosen otherwise than played goes into chosen.
func optionFields(n *describe.Needs, form url.Values, chosen map[string]string) []fieldView {
	var fields []fieldView
	for _, o := range n.Options {
		value := form.Get(optionPrefix + o.ID)
		f := fieldView{ID: optionPrefix + o.ID, Label: o.ID, Hint: o.Doc}
		if value != "" && value != o.Played {
			chosen[o.ID] = value
		}
		for _, x := range o.Values {
			label := x.Value
			if x.Doc != "" {
				label += ": " + x.Doc
			}
			f.Choices = append(f.Choices, choiceView{x.Value, label, x.Value == value || value == "" && x.Value == o.Played})
		}
		fields = append(fields, f)
	}
	return fields
}
