// Package say tells answers in words: it makes the headline, the sentence and the labels of an answer from the texts of its
// ruleset.
//
// # What becomes of an answer
//
// The rule test of tempestas has the texts
//
//	headline: "{outcome}"
//	say:      "{roll} against {active_value}[, {offenciancy}]"
//
// and its ruleset the words success (tone win), active_value ("Active Value") and offenciancy (unit "Offenciancy"). For the
// face 40 and the outputs outcome "success", active_value 60 and offenciancy 4 a Teller gives the headline "Success" in the
// tone win, the sentence "40 against 60, 4 Offenciancy", and labels for the outputs. A sentence reads what stands in the
// answer and nothing else, so that it is a function of answer and texts: no graph is needed, and every door says the same.
//
// parse.go has the grammar, which the compiler reads sentences by; glossary.go finds the word of a name; value.go shows one
// value; number.go writes doubles for people.
//
// Invariant: nothing is computed here that an answer does not have, and a text without a word is its name with blanks.
package say

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A Speaker has the texts of a ruleset.
type Speaker struct {
	plan     *plan.Plan
	language string
	texts    []plan.Texts
	names    glossary
	hints    hints
}

// NewSpeaker decodes the texts of a plan; one without has its names.
func NewSpeaker(p *plan.Plan) *Speaker {
	w := planfile.DecodeWords(p)
	s := &Speaker{plan: p, language: w.Language, texts: w.Texts, names: glossary{}, hints: newHints(w.Fields)}
	for i := range w.Names {
		s.names[w.Names[i].Name] = &w.Names[i]
	}
	return s
}

// HasGlossary reports whether the author of the ruleset called any name.
func (s *Speaker) HasGlossary() bool { return len(s.names) > 0 }

// A Teller tells what belongs to one definition.
type Teller struct {
	speaker  *Speaker
	id       string
	within   []string
	texts    plan.Texts
	input    *plan.Shape // what is left out of an answer has the default of its shape
	event    *plan.Shape
	dice     []plan.Die
	doc      string
	decimals map[string]int // DecimalsOf the definition
}

// Of returns the teller of a rule, a procedure, or an event by "procedure.event".
func (s *Speaker) Of(id string) *Teller {
	t := &Teller{speaker: s, id: id, within: Within(id)}
	kinds := []plan.EntryKind{plan.RuleEntry, plan.ProcedureEntry, plan.EventEntry}
	isOf := func(x plan.Texts) bool { return x.ID == id && slices.Contains(kinds, x.Kind) }
	if i := slices.IndexFunc(s.texts, isOf); i >= 0 {
		t.texts = s.texts[i]
	}
	owner, event, _ := strings.Cut(id, ".")
	if r := s.plan.Rule(id); r != nil {
		t.input, t.dice = r.Input, r.Graph.Dice
	} else if d := s.plan.Procedure(owner); d != nil {
		t.input, t.dice = d.Input, d.Start.Dice
		if i := slices.IndexFunc(d.Events, func(e plan.Event) bool { return e.ID == event }); i >= 0 {
			t.event, t.dice = d.Events[i].Input, d.Events[i].Graph.Dice
		}
	}
	if e := s.plan.Entry(id, kinds...); e != nil {
		t.doc, t.decimals = e.Doc, DecimalsOf(e)
	}
	return t
}

// DecimalsOf returns with how many digits after the point the outputs of an entry are read, of those that say so.
func DecimalsOf(e *plan.Entry) map[string]int {
	var out map[string]int
	for _, l := range e.Lines {
		if digits, err := strconv.Atoi(l.Text); l.Part == "decimals" && err == nil {
			if out == nil {
				out = map[string]int{}
			}
			out[l.Name] = digits
		}
	}
	return out
}

// Title returns the name of the definition as a heading: its label, or its id in words.
func (t *Teller) Title() string {
	if len(t.texts.Label) > 0 {
		return Capitalise(t.texts.Label[0])
	}
	owner, event, isEvent := strings.Cut(t.id, ".")
	if isEvent {
		return Capitalise(t.speaker.word([]string{owner}, event))
	}
	return Capitalise(t.speaker.word(nil, owner))
}

// word returns the label of a name that stands within definitions, or its id in words.
func (s *Speaker) word(within []string, name string) string {
	if w := s.names.find(within, []string{name}); w != nil && len(w.Label) > 0 {
		return w.Label[0]
	}
	return spellName(name)
}

// Short returns one line about the definition: its own short text, or the first sentence of its doc.
func (t *Teller) Short() string {
	if t.texts.Short != "" {
		return t.texts.Short
	}
	first, _, more := strings.Cut(t.doc, ". ")
	if more {
		first += "."
	}
	return first
}

// Label returns the label of a name as a heading: "Active Value" of active_value. A path is read from the record in
// which it stands: "input.spend.ep" is ep of spend.
func (t *Teller) Label(name string) string { return Capitalise(t.Name(name)) }

// Name returns a Label as it stands within a sentence.
func (t *Teller) Name(name string) string { return t.label(PathOf(name)) }

// Heading returns the heading of a nested value, made of the labels on the way: "Opponents 2, strength" of
// opponents[1].strength.
func (t *Teller) Heading(path string) string { return Capitalise(t.Called(path)) }

// Called returns a Heading as it stands within a sentence.
func (t *Teller) Called(path string) string {
	var steps, names []string
	if root, _, rest, more := plan.CutStep(path); more && slices.Contains(roots[:], root) {
		path = rest
	}
	for more := true; more; {
		var step, indices string
		step, indices, path, more = plan.CutStep(path)
		steps = append(steps, step)
		name := t.label(steps)
		for index := range strings.SplitSeq(strings.Trim(indices, "[]"), "][") {
			if n, err := strconv.Atoi(index); err == nil {
				name += " " + strconv.Itoa(n+1)
			}
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func (t *Teller) label(path []string) string {
	if w := t.speaker.names.find(t.within, path); w != nil && len(w.Label) > 0 {
		return w.Label[0]
	}
	return spellName(path[len(path)-1])
}

// LabelOf returns the label of one value of a choice: "hard" of difficulty.
func (t *Teller) LabelOf(name, value string) string { return Capitalise(t.show(name, value)) }

// Unit returns the unit of a number, in the form for several, or "" for none. Of units that depend on the size of the
// number it is the smallest, which the number itself counts.
func (t *Teller) Unit(name string) string {
	w := t.speaker.names.find(t.within, PathOf(name))
	if w == nil || len(w.Units) == 0 {
		return ""
	}
	return formFor(w.Units[len(w.Units)-1].Forms, false)
}

// An Answer is what came of a rule, a procedure or an event, in JSON as a sheet has it.
type Answer struct {
	Output, Input, Event, State, Character json.RawMessage
	Dice                                   dice.Rolls
	Status                                 string   // of a procedure
	Impossible                             []string // outputs that mean nothing
}

// A Told is an answer in words.
type Told struct {
	Language string    `json:"language"`
	Title    string    `json:"title"`
	Headline string    `json:"headline,omitempty"`
	Tone     plan.Tone `json:"tone"`
	Say      string    `json:"say,omitempty"`
	Of       []string  `json:"of,omitempty"` // the names that the headline shows
}

// Tell tells an answer.
func (t *Teller) Tell(a Answer) Told {
	x := &telling{Teller: t, answer: a}
	out := Told{Language: t.speaker.language, Title: t.Title()}
	out.Headline = x.tell(t.texts.Headline)
	out.Tone, out.Of = x.tone, x.read
	out.Say = x.tell(t.texts.Say)
	if _, _, isEvent := strings.Cut(t.id, "."); isEvent && out.Headline == "" && out.Say == "" {
		out.Say = t.Short()
	}
	return out
}

// Offered tells why an event is not offered; "" when nothing is said of it.
func (t *Teller) Offered(a Answer) string {
	x := &telling{Teller: t, answer: a}
	return x.tell(t.texts.Offered)
}

// A telling is one answer that is told.
type telling struct {
	*Teller
	answer Answer
	tone   plan.Tone
	read   []string // names that were read, in their order
	lacks  bool     // a value was read that the answer does not have
}

// tell returns the sentence for the answer; "" when there is none, or when it needs an output that nobody asked for.
func (x *telling) tell(s *plan.Say) string {
	if text := x.sentence(s); !x.lacks {
		return Capitalise(text)
	}
	x.lacks, x.tone, x.read = false, plan.OtherTone, nil
	return ""
}

func (x *telling) sentence(s *plan.Say) string {
	switch {
	case s == nil:
		return ""
	case s.Of == "":
		text, _ := x.fill(s.Parts, "", false)
		return text
	}
	value, known := x.value(s.Of)
	x.note(s.Of, value)
	x.lacks = x.lacks || !known
	for i := range s.Cases {
		if c := &s.Cases[i]; c.If == Else || known && Holds(c.If, value) {
			return x.sentence(&c.Say)
		}
	}
	return ""
}

// fill writes the parts of a text that stand after others; isNothing when a value in them is nothing, or the form that it
// chooses is empty. A value that begins a sentence begins with a capital.
func (x *telling) fill(parts []plan.SayPart, before string, optional bool) (text string, isNothing bool) {
	var out strings.Builder
	for _, p := range parts {
		switch {
		case p.Hole != "":
			value, known := x.value(p.Hole)
			x.note(p.Hole, value)
			if len(p.Forms) > 0 {
				x.lacks = x.lacks || !known
				form := chooseForm(p.Forms, value)
				isNothing = isNothing || form == ""
				out.WriteString(form)
				continue
			}
			x.lacks = x.lacks || !known && !optional && p.Hole != "character"
			isNothing = isNothing || !known || isEmpty(value) || slices.Contains(x.answer.Impossible, p.Hole)
			shown := ""
			if _, isMap := value.(map[string]any); isMap || value == nil {
				shown = x.person(p.Hole, value)
			} else {
				shown = x.show(p.Hole, value)
			}
			if endsSentence(before + out.String()) {
				shown = Capitalise(shown)
			}
			out.WriteString(shown)
		case p.Optional != nil:
			if inner, nothing := x.fill(p.Optional, before+out.String(), true); !nothing {
				out.WriteString(inner)
			}
		default:
			out.WriteString(p.Text)
		}
	}
	return out.String(), isNothing
}

// endsSentence reports whether the next word after a text is the first of a sentence.
func endsSentence(text string) bool {
	return strings.HasSuffix(text, ". ") || strings.HasSuffix(text, "! ") || strings.HasSuffix(text, "? ")
}

// note takes down that a name was read, and the first tone among the values.
func (x *telling) note(name string, value any) {
	if !slices.Contains(x.read, name) {
		x.read = append(x.read, name)
	}
	if x.tone == plan.OtherTone {
		x.tone = x.toneOf(name, value)
	}
}

// value is the value of a name in the answer.
func (x *telling) value(name string) (value any, known bool) {
	root, _, rest, hasRest := plan.CutStep(name)
	text := json.RawMessage(nil)
	var shape *plan.Shape
	switch root {
	case "status":
		if !hasRest && x.answer.Status != "" {
			return x.answer.Status, true
		}
	case "input":
		text, shape = x.answer.Input, x.input
	case "event":
		text, shape = x.answer.Event, x.event
	case "state":
		text = x.answer.State
	case "character":
		text, shape = x.answer.Character, x.speaker.plan.Character
	}
	// What an input leaves out has its default. Of a character that the answer lacks nobody knows what it has by now.
	if text == nil && shape != nil && root != "character" {
		text = json.RawMessage("{}")
	}
	if text != nil {
		return lookUp(shape, decodeJSON(text), rest)
	}
	for _, d := range x.answer.Dice {
		if d.ID == name {
			return diceValue(d.Faces), true
		}
	}
	return lookUp(nil, decodeJSON(x.answer.Output), name)
}
