package gametable

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// What is asked for besides what runtime asks.
const (
	AskSubject = "subject"
	AskEvent   = "event"
	AskMore    = "more" // there is a result: another subject may be chosen
)

// A Prompt is what is asked for now.
//
// It is written to programs as it is, so its JSON is a contract: members may be added, and none may
// change its meaning.
type Prompt struct {
	ask.Need
	// of a field: the path of the character that it belongs to, or is
	Character  string          `json:"character,omitempty"`
	Choices    []Choice        `json:"choices,omitempty"` // of a subject
	Offers     []runtime.Offer `json:"offers,omitempty"`  // of an event
	offerTexts []view.Offer    // the offers in words
	voice      voice
	later      []ask.Need // asked for after this one, unless its answer makes them needless
}

// A Choice is a rule or a procedure.
type Choice struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Doc  string `json:"doc,omitempty"`

	title string // as players read it; "" for its id
}

// A Command is what a player says.
//
// At most one member is set, apart from But. A line that sets several carries out the first in the
// order of Do.
type Command struct {
	Answer    json.RawMessage `json:"answer,omitempty"`     // a value, a face or a list of them, a subject, or an event
	Accept    bool            `json:"accept,omitempty"`     // the default
	AcceptAll bool            `json:"accept_all,omitempty"` // all defaults of the record that is asked for
	// But are fields of which the default is not taken by AcceptAll, and which are asked for: the last steps of their
	// paths, or whole paths.
	But     []string `json:"but,omitempty"`
	Roll    bool     `json:"roll,omitempty"`     // one face
	RollAll bool     `json:"roll_all,omitempty"` // all faces
	Example bool     `json:"example,omitempty"`  // for the character that a field belongs to: one that ships
	File    string   `json:"file,omitempty"`     // for the same: the character in a file
	Undo    bool     `json:"undo,omitempty"`
	Odds    bool     `json:"odds,omitempty"`
	Why     bool     `json:"why,omitempty"` // what the last result rests on
	Quit    bool     `json:"quit,omitempty"`

	atEnd            bool   // of the input: nobody can be asked any more
	saveTo, saveWhat string // a file, and "state", "character" or "" for what there is; programs give flags instead
}

// A Notice is what a session has to say besides its prompts. Only one of its members is there, but for a note.
type Notice struct {
	Error    string         `json:"error,omitempty"`   // the command was not taken: the same is asked again
	Refused  string         `json:"refused,omitempty"` // the rule refuses the answer, or what fell
	Fell     string         `json:"fell,omitempty"`    // a face, with its die: "roll=43"
	Sheet    *runtime.Sheet `json:"sheet,omitempty"`
	Happened *StepChanges   `json:"happened,omitempty"`
	Odds     []Chance       `json:"odds,omitempty"`
	// Why is what the last result rests on, as a tree from its outputs down.
	Why []*trace.Step `json:"why,omitempty"`
	// Note says of odds what they leave out, and of an answer what is odd about it.
	Note   string `json:"note,omitempty"`
	Undone bool   `json:"undone,omitempty"`

	notes view.Notes // on the outputs of the sheet
	fell  string     // Fell as players read it
}

// StepChanges are the changes of an event, or of the start.
type StepChanges struct {
	Event   string           `json:"event,omitempty"`
	Output  json.RawMessage  `json:"output,omitempty"`
	Changed []changes.Change `json:"changed,omitempty"`
	Status  string           `json:"status"`
	Now     json.RawMessage  `json:"now,omitempty"` // the outputs of the procedure

	notes, nowNotes view.Notes // on Output and on Now
}

// A Chance is how likely an output is to be true: as it stands, or if a question is answered so.
type Chance struct {
	Output string          `json:"output"`
	If     json.RawMessage `json:"if,omitempty"` // absent: as it stands, with the defaults of what is not answered yet
	P      float64         `json:"p"`

	label, answer string // Output and If as players read them
}

// quoteJSON returns a text as JSON.
func quoteJSON(text string) json.RawMessage {
	out, err := json.Marshal(text)
	if err != nil {
		panic("gametable: a string that JSON does not have: " + err.Error())
	}
	return out
}

// endOfInput returns the error of a session at the end of its input.
func endOfInput(p *Prompt, err error) error {
	switch {
	case err != nil:
		return err
	case p.Kind == AskSubject, p.Kind == AskEvent, p.Kind == AskMore:
		return nil
	}
	return &exit.Denial{Why: "the input ended before " + p.Path + p.Die + " was answered"}
}
