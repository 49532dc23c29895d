package site

// # The screen of a game master
//
// A table of characters by rules, whose cells are the chance that each has, or the number that is expected. All of it is
// one form: the characters, as text, what is pinned, the inputs that hold for all, and the order of turns. The form is sent
// whole and comes back whole, so that nothing is kept here. Its buttons roll for one or for all.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// The bounds of a screen.
const (
	mostOnScreen = 16 // characters
	mostPins     = 10
	firstPins    = 4
	mostShared   = 4      // inputs that hold for all
	cellBudget   = 40_000 // states of the odds of one cell
)

// Names of the fields of a screen.
const (
	partyField = "party"
	pinField   = "pin"
	rollField  = "roll" // "rule.test 2 Ada": what is pinned, and a character by place and name; "rule.test all": everybody
	rulePin    = "rule."
	traitPin   = "trait."
)

// A screenPage is the screen.
type screenPage struct {
	page
	At       *seatView // where it is rolled; nil for no table
	Party    string    // as JSON
	party    []member
	Error    string
	Columns  []pinView
	Rows     []screenRow
	Shared   []fieldView
	Pins     []choiceView // that can stand in a column
	Rolled   []rolledView
	Order    string // of turns: a line each, "Name: value"
	Turns    []session.Turn
	Now      int
	Examples bool // the characters are those that ship
	// Procedures are those of the book, some of which say in which order all act.
	Procedures []linkView
	inputs     url.Values
	rulings    map[string]string // of the table
}

// A pinView is a column: a rule or a trait.
type pinView struct {
	Value, Title, Link string
	needs              *describe.Needs // of a rule
	trait              string
	measure            string // the number by which those who roll it are put in order; "" for none
}

// IsRolled reports whether dice fall in a column.
func (p *pinView) IsRolled() bool { return p.needs != nil && len(p.needs.Dice) > 0 }

// A screenRow is a character with its cells.
type screenRow struct {
	Name  string
	Cells []screenCell
}

// A screenCell is what one character has of one column.
type screenCell struct {
	Text, About string
	Shade       string // of a chance: h0 to h9
	Wrong       string // why there is nothing
}

// A rolledView is a roll from the screen.
type rolledView struct {
	Name, Title, Headline, Say, Tone, Link, Error string
	value                                         float64
}

// A member is one of a party.
type member struct {
	Name      string          `json:"name"`
	Character json.RawMessage `json:"character"`
}

// showScreen shows the screen, and carries out what its buttons ask for.
func (s *server) showScreen(w http.ResponseWriter, r *http.Request) {
	unread := r.ParseForm()
	isPart := r.Form.Has("part") // for the script of the page
	e, b, err := s.book(r)
	refuse := func(status int, err error) {
		if isPart {
			http.Error(w, say.Capitalise(err.Error())+".", status)
			return
		}
		s.writeError(w, r, status, err)
	}
	if err = cmp.Or(err, unread); err != nil {
		refuse(http.StatusNotFound, err)
		return
	}
	place := s.placeOf(r, e.Plan.Ruleset)
	if place != nil && place.Who != session.Master {
		place = nil
	}
	if place == nil && r.PostForm.Get(atField) != "" { // a roll that all were to see must not fall elsewhere
		refuse(http.StatusForbidden, session.ErrNotHere)
		return
	}
	v := s.newScreen(r.Context(), e, b, r.Form, place)
	if roll := r.PostForm.Get(rollField); roll != "" {
		s.rollScreen(e, b, v, roll, place)
	}
	v.takeTurns(r.PostForm)
	if isPart {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		must.Succeed(s.templates["screen"].ExecuteTemplate(w, "screen-form", v))
		return
	}
	s.write(w, http.StatusOK, "screen", v)
}

func (s *server) newScreen(ctx context.Context, e *library.Edition, b *bookView, form url.Values,
	place *session.Place) *screenPage {
	v := &screenPage{page: s.newPage("The master's screen, "+b.Title, 1), inputs: form}
	v.Book, v.Section, v.IsText = b, "screen", false
	var party []member
	if place != nil {
		state := place.State()
		v.At = &seatView{ID: place.ID, Title: state.Begin.Title, Link: "../session/" + place.ID + "/", IsMaster: true,
			How: form.Get(howField)}
		v.rulings = state.Rulings
		for i := range state.Seats {
			if seat := &state.Seats[i]; !seat.Removed && seat.Character != nil {
				party = append(party, member{seat.Called, seat.Character})
			}
		}
	}
	switch text := form.Get(partyField); {
	case text != "":
		v.Party, party = text, nil
		if err := json.Unmarshal([]byte(text), &party); err != nil {
			party = nil
			v.Error = "The characters are no list of objects with a name and a character: " + err.Error()
		}
	case len(party) == 0:
		v.Examples = true
		for _, name := range b.Characters {
			party = append(party, member{say.Capitalise(name), json.RawMessage(characterOf(e, name))})
		}
	}
	if text, err := json.Marshal(party); err == nil && party != nil && v.Party == "" {
		v.Party = string(text)
	}
	if len(party) > mostOnScreen {
		v.Error = fmt.Sprintf("Up to %d characters have room: the first of them stand here, and the text keeps all %d.",
			mostOnScreen, len(party))
		party = party[:mostOnScreen]
	}
	v.party = party
	for _, id := range e.Program.ProcedureNames() {
		v.Procedures = append(v.Procedures, linkView{describe.NeedsOf(e.Plan, id).Title(), "try/" + id})
	}
	pins := form[pinField]
	if rolled, _, is := strings.Cut(form.Get(rollField), " "); is && form.Has(partyField) {
		pins = append(slices.Clip(pins), rolled) // also where its box was emptied after it was shown
	}
	v.choosePins(e, b, pins, form.Has(partyField))
	v.shareInputs(b)
	for _, m := range party {
		row := screenRow{Name: m.Name}
		for i := range v.Columns {
			row.Cells = append(row.Cells, s.newCell(ctx, e, b, v, &v.Columns[i], m.Character))
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// choosePins finds the columns: those that are asked for or, where nobody has chosen, the first rules with dice.
func (v *screenPage) choosePins(e *library.Edition, b *bookView, chosen []string, isSent bool) {
	isFirst := len(chosen) == 0 && !isSent
	offer := func(value string, pin pinView) {
		isChosen := slices.Contains(chosen, value) || isFirst && pin.IsRolled() && len(v.Columns) < firstPins
		if isChosen && len(v.Columns) < mostPins {
			pin.Value = value
			v.Columns = append(v.Columns, pin)
		} else {
			isChosen = false
		}
		v.Pins = append(v.Pins, choiceView{Value: value, Label: pin.Title, Selected: isChosen})
	}
	for _, id := range e.Program.RuleNames() {
		if needs := describe.NeedsOf(e.Plan, id); len(needs.Character) > 0 {
			offer(rulePin+id, pinView{Title: needs.Title(), Link: "try/" + id, needs: needs})
		}
	}
	words := b.words.Of("character")
	for _, f := range describe.FieldsOf(e.Plan.Character) {
		if isPlain(f.Type) && !strings.ContainsAny(f.Name, "[*") {
			offer(traitPin+f.Name, pinView{Title: cmp.Or(f.Label, words.Heading(f.Name)), trait: f.Name})
		}
	}
}

// shareInputs finds the inputs that hold for all: choices, numbers and names that the columns ask first.
func (v *screenPage) shareInputs(b *bookView) {
	for i := range v.Columns {
		n := v.Columns[i].needs
		if n == nil {
			continue
		}
		for k := range n.Input {
			f := &n.Input[k]
			id := inputPrefix + f.Name
			isAsked := f.Primary > 0 || f.Required || len(f.Values()) > 0
			if !isAsked || !isPlain(f.Type) || strings.ContainsAny(f.Name, "[*.") || len(f.After) > 0 ||
				len(v.Shared) == mostShared || slices.ContainsFunc(v.Shared, func(x fieldView) bool { return x.ID == id }) {
				continue
			}
			text := v.inputs.Get(id)
			field := newField(f, text)
			if field.Required = false; len(field.Choices) > 0 && field.Choices[0].Value != "" {
				field.Choices = slices.Insert(field.Choices, 0, choiceView{Label: "–", Selected: text == ""})
			}
			field.Hint = ""
			v.Shared = append(v.Shared, field)
			b.explainChoices(n.Input, v.Shared[len(v.Shared)-1:])
		}
	}
}

// inputFor returns the input of a rule for a character: that of its example, with names that the character has and the
// inputs that hold for all.
func (s *server) inputFor(e *library.Edition, v *screenPage, n *describe.Needs, character json.RawMessage) []byte {
	input := inputOf(e, "", n, character, s.exampleFor(e, n).Input)
	for i := range n.Input {
		f := &n.Input[i]
		text := v.inputs.Get(inputPrefix + f.Name)
		if text == "" && f.Default != nil && len(f.Values()) > 0 {
			// The example may be hard; here all are as they are unless one says so.
			text = strings.Trim(string(f.Default), `"`)
		}
		if text != "" && isPlain(f.Type) {
			input = putInto(input, f, text)
		}
	}
	return input
}

// questionOf returns the question of a rule for a character and an input.
func (v *screenPage) questionOf(id string, character, input []byte) *formQuestion {
	return &formQuestion{Question: query.Question{Subject: id, Options: v.rulings,
		Request: runtime.Request{Character: character, Input: input}}}
}

// newCell returns the cell of a character in a column. A number that dice decide becomes the measure of the column.
func (s *server) newCell(ctx context.Context, e *library.Edition, b *bookView, v *screenPage, pin *pinView,
	character json.RawMessage) screenCell {
	if pin.needs == nil {
		text := memberText(character, pin.trait)
		return screenCell{Text: cmp.Or(text, "–")}
	}
	q := v.questionOf(pin.needs.ID, character, s.inputFor(e, v, pin.needs, character))
	about := v.aboutCell(b, pin.needs, q.Request.Input)
	if !pin.IsRolled() {
		sheet, err := evaluateForm(e, b, pin.needs.ID, q)
		if err != nil {
			return screenCell{Text: "–", About: about, Wrong: wordError(err)}
		}
		return screenCell{Text: headlineOf(sheet), About: about}
	}
	d, err := s.oddsOf(ctx, e, q, min(cellBudget, s.Budget))
	if err != nil {
		return screenCell{Text: "?", About: about, Wrong: wordError(err)}
	}
	words := b.words.Of(pin.needs.ID)
	if h := newHeadlineOdds(words, d); h != nil && h.Chance != "" {
		return screenCell{Text: h.Chance, About: strings.TrimSuffix(h.What+", "+about, ", "), Shade: shadeOf(h.p)}
	}
	if name, mean := numberIn(d); name != "" {
		pin.measure = name
		return screenCell{Text: mean, About: strings.TrimSuffix("on average, "+about, ", ")}
	}
	return screenCell{Text: "roll", About: about}
}

// shadeOf returns the class of a chance: a tenth, so that a pattern is seen at a glance. The number stands beside it.
func shadeOf(p float64) string { return "h" + strconv.Itoa(min(9, int(p*10))) }

// aboutCell returns the names in an input, such as that of a skill.
func (v *screenPage) aboutCell(b *bookView, n *describe.Needs, input []byte) string {
	var out []string
	for i := range n.Input {
		if f := &n.Input[i]; f.Type == "string" && len(f.Values()) == 0 && !strings.ContainsAny(f.Name, "[*.") {
			if text := memberText(input, f.Name); text != "" {
				out = append(out, labelOf(b.words.Of(n.ID), f.Name, text))
			}
		}
	}
	return strings.Join(out, ", ")
}

// headlineOf returns the answer of a rule in a few words.
func headlineOf(sheet *sheetView) string {
	if sheet.Told.Headline == "" && len(sheet.Outputs) > 0 {
		return sheet.Outputs[0].Text
	}
	return cmp.Or(sheet.Told.Headline, "–")
}

// numberIn returns the first number that dice decide, and its mean; "" for none.
func numberIn(d *oddspage.Distributions) (name, mean string) {
	for _, m := range d.Marginals {
		if len(m.Values) > 1 && (m.Values[0].Kind() == plan.Int || m.Values[0].Kind() == plan.Double) {
			text := strconv.FormatFloat(m.Mean(), 'f', 1, 64)
			return m.Name, strings.Replace(text, "-", "−", 1)
		}
	}
	return "", ""
}

// rollScreen rolls a column for one character or for all, at the table where there is one. Of all, whoever has the greatest
// number stands first, and they may take turns so.
func (s *server) rollScreen(e *library.Edition, b *bookView, v *screenPage, asked string, place *session.Place) {
	column, who, _ := strings.Cut(asked, " ")
	k := slices.IndexFunc(v.Columns, func(p pinView) bool { return p.Value == column && p.IsRolled() })
	if k < 0 {
		v.Error = "What was to be rolled does not stand here any more: choose it below."
		return
	}
	pin, found := &v.Columns[k], false
	for i, m := range v.party {
		if who == everybody || who == strconv.Itoa(i)+" "+m.Name {
			v.Rolled, found = append(v.Rolled, s.rollMember(e, b, v, pin, m, place)), true
		}
	}
	if !found {
		v.Error = "Who was to roll is not here any more."
	}
	if who != everybody || pin.measure == "" {
		return
	}
	slices.SortStableFunc(v.Rolled, func(a, b rolledView) int { return cmp.Compare(b.value, a.value) })
	v.Order, v.Now = "", 0
	for _, x := range v.Rolled {
		if x.Error == "" {
			v.Order += x.Name + ": " + jsontext.Decimal(x.value) + "\n"
		}
	}
}

// everybody stands for all characters in the field of a roll.
const everybody = "all"

// rollMember rolls for one character.
func (s *server) rollMember(e *library.Edition, b *bookView, v *screenPage, pin *pinView, m member,
	place *session.Place) rolledView {
	n := pin.needs
	out := rolledView{Name: m.Name, Title: pin.Title}
	input := s.inputFor(e, v, n, m.Character)
	var proof []byte
	if place != nil {
		asked := &session.Question{Rule: n.ID, Character: m.Character, Input: input}
		for i := range n.Input { // a screen does not ask: what is decided after dice stays as the rules have it
			if f := &n.Input[i]; len(f.After) > 0 {
				asked.Decided = append(asked.Decided, f.Name)
			}
		}
		a, err := place.Roll(place.Who, asked, session.Throw{}, m.Name, v.At.How == howHidden)
		if err == nil {
			err = a.Refused
		}
		if err != nil {
			out.Error = wordError(err)
			return out
		}
		out.Headline, out.Say, out.Tone, proof = a.Headline, a.Say, a.Tone, a.Receipt
	} else {
		q := v.questionOf(n.ID, m.Character, input)
		q.drawSeed()
		sheet, err := evaluateForm(e, b, n.ID, q)
		if err != nil {
			out.Error = wordError(err)
			return out
		}
		form := url.Values{"character": {string(m.Character)}, fellField: {q.fell()}}
		fields, _ := inputFields(n, url.Values{}, false, input)
		for _, f := range fields {
			form.Set(f.ID, f.Value)
		}
		if query := addressOf(e, n, form); query != "" {
			out.Link = "try/" + n.ID + "?" + query + "#answer"
		}
		out.Headline, out.Say, out.Tone = headlineOf(sheet), sheet.Told.Say, sheet.Told.Tone.String()
		proof = []byte(sheet.Receipt)
	}
	var told struct {
		Output json.RawMessage `json:"output"`
	}
	if json.Unmarshal(proof, &told) == nil && pin.measure != "" {
		out.value, _ = strconv.ParseFloat(memberText(told.Output, pin.measure), 64) // none counts as 0
	}
	return out
}

// takeTurns reads the order of turns, and goes on to the next one.
func (v *screenPage) takeTurns(form url.Values) {
	if v.Order == "" {
		v.Order = form.Get("order")
		v.Now, _ = strconv.Atoi(form.Get("now"))
		if form.Get("do") == "next" {
			v.Now++
		}
	}
	v.Turns = session.ReadOrder(v.Order)
	if v.Now < 0 || v.Now >= len(v.Turns) {
		v.Now = 0
	}
}
