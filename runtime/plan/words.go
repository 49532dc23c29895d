package plan

// Words are the texts by which people read a ruleset. No answer hangs on them, and no text is a key: names stay the keys.
type Words struct {
	Language string
	Names    []Word  // the glossary, by the names that it is about
	Texts    []Texts // of definitions
	Fields   []FieldHint
}

// A Word is how people call a name, wherever it stands.
type Word struct {
	Name  string   // of anything that has one, or a path where the name alone means several things: "outcome.failure"
	Label []string // one form or, where it is counted, one for each plural of the language; nil for the name itself
	Short string   // one line about it
	Units []Unit   // of a number, the largest first; of a value that is no multiple of one the next counts
	Tone  Tone     // of a value
	Yes   *Word    // of a truth: the value in its place; nil for yes
	No    *Word
}

// A FieldHint says how people are asked for a field. A field without one has that of the record in which it stands.
type FieldHint struct {
	Root    Root     // of characters, inputs or events
	Of      string   // the rule, the procedure or, as "procedure.event", the event; "" of characters
	Path    string   // as "spend.ep", or "blows[].weapon" of the elements of a list and "ranks.*.level" of those of a map
	Primary int64    // its place among the fields that are asked first, from 1; 0 of the others
	Group   string   // the id of the fields among which it stands; "" for none
	Steps   *Steps   // of a number; nil for those of its type
	Rolls   *Rolling // of a field of a character; nil where nothing is rolled by it
}

// Steps are the values of a number that a form offers; its bounds are those of its shape.
type Steps struct {
	By       float64
	Min, Max *Bound // nil for that of the shape
}

// A Rolling is a rule by which a field of a character is rolled.
type Rolling struct {
	Rule  string // or a procedure
	Input []RollInput
}

// A RollInput is a field of the rule's input that is filled in.
type RollInput struct {
	Name  string
	Value string // a string, or another value in JSON; "" for the key of the map
}

// A Unit is what a number is counted in.
type Unit struct {
	Size  int64    // how many of the number's own units it has: 60 for the minute of a number of seconds
	Forms []string // as of a Word's Label
}

// Tone says what a value means to whoever hopes for it.
type Tone uint8

// The tones. Failing is ordinary; disaster is doom.
const (
	OtherTone Tone = iota
	WinTone
	RareTone // a success that seldom happens
	FailTone
	DoomTone
	NumTones
)

var toneNames = [NumTones]string{"other", "win", "rare", "fail", "doom"}

// String returns the tone as authors write it.
func (t Tone) String() string { return toneNames[t] }

// MarshalText implements encoding.TextMarshaler: the tone as authors write it.
func (t Tone) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// ToneNames lists the tones by their numbers.
func ToneNames() []string { return toneNames[:] }

// Texts are the sentences of one definition.
type Texts struct {
	Kind     EntryKind
	ID       string   // "procedure.event" of an event, as in Entry
	Label    []string // nil for the word of its id
	Short    string   // "" for the first sentence of its doc
	Headline *Say     // the answer, or how a procedure stands; nil when nothing can be said
	Say      *Say     // below the headline; of a table what stands beside a choice
	Offered  *Say     // why an event is not offered; nil for its condition
}

// A Say is a sentence, or one for each value of a name.
type Say struct {
	Parts []SayPart // of a sentence
	Of    string    // the name whose value chooses; "" for a sentence
	Cases []SayCase
}

// A SayCase is the sentence for one value of a choice, for "yes" or "no", for a number or a comparison with one (">= 5"),
// or for everything "else".
type SayCase struct {
	If  string
	Say Say
}

// A SayPart is one of three: text; a hole, which shows the value of a name or, with forms, is the form that the value
// chooses; or parts that are left out when a value in them is nothing.
type SayPart struct {
	Text     string
	Hole     string
	Forms    []string
	Optional []SayPart
}
