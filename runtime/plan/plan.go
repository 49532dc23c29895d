package plan

// A Plan is one revision of one ruleset.
type Plan struct {
	Ruleset    string
	Title      string
	Doc        string
	Book       string // the document the rules come from
	Author     string
	Revision   string
	Overlays   []string // ids of the homebrews that changed it, in the order in which they were applied
	Symbols    []string // symbol 0 is the empty string
	Consts     []int64  // the first slots of every arena: the spans that tables and graphs hold as constants
	Types      []*Type
	Options    []Option
	Tables     []Table
	Character  *Shape
	Rules      []Rule
	Procedures []Procedure
	Entries    []Entry // every definition in the author's order, for reading
	Readings   []Reading
	Errata     []Erratum

	// Functions are the graphs of functions, each as a rule whose input has the parameters and whose output is "value".
	// Only a plan that was compiled to play cases of functions has them; rules and procedures have functions written
	// out.
	Functions []Rule

	// Words are the texts by which people read it, encoded as planfile.EncodeWords does, for only what is shown reads them.
	// It is nil when there are none, and of a plan that was cut down to some rules. Two plans that differ in it alone say
	// the same rules.
	Words []byte

	// OverlayDigests has of each of Overlays "sha256:..." of its files, "" where nobody knows it; it is nil when nobody has
	// said so of any. Two plans that differ in it alone say the same rules.
	OverlayDigests []string
}

// An Option is a ruling that can be switched.
type Option struct {
	ID      string
	Values  []string
	Symbols []int64 // of the values
	Default int     // the value that is played when nothing is said: the release's ruling
	Book    int     // the value that the ruleset recommends
}

// A Rule is a named computation.
type Rule struct {
	ID    string
	Cite  string
	Input *Shape // a record
	Graph Graph
}

// A Procedure is a rule with memory.
type Procedure struct {
	ID      string
	Cite    string
	Input   *Shape
	State   *Shape
	Start   Graph // from the state of defaults: Next
	Events  []Event
	Ends    []string // the statuses, in order
	Close   Graph    // of the state after a step: Ends, and Outputs
	Changes bool     // some step changes the character
}

// An Event is a step of a procedure.
type Event struct {
	ID    string
	Cite  string
	Input *Shape
	Graph Graph // When, Requires, Outputs, Next
}

// EntryKind says what an entry defines.
type EntryKind uint8

// The kinds of entries.
const (
	OptionEntry EntryKind = iota
	TableEntry
	TraitEntry
	FunctionEntry
	RuleEntry
	ProcedureEntry
	EventEntry // ID is "procedure.event"
)

var entryKinds = [...]string{"option", "table", "trait", "function", "rule", "procedure", "event"}

// String returns the word for the kind.
func (k EntryKind) String() string { return entryKinds[k] }

// An Entry describes a definition for people: what list and show print.
type Entry struct {
	Kind   EntryKind
	ID     string
	Place  Place
	Cite   string
	Doc    string
	Covers []string
	Lines  []Line  // its formulas, in the author's order
	Values []Line  // of an option: its values and what they mean
	Rows   []Place // of a table: where each row stands
	// Overlays are the homebrews that added it or changed it, in the order in which they were applied.
	Overlays []string
}

// A Line is a formula of a definition: its part ("output", "let", "require", "dice", "use", "next", "ends", "when"), name
// and text. Two parts say how people read an output of that name: "decimals" with how many digits after the point, and
// "possible" without which let or output it means nothing.
type Line struct {
	Part, Name, Text string
	Place            Place
}

// A Reading is a ruling without a switch.
type Reading struct {
	ID, Cite, Question, Ruled, Rejected, Why string
	Place                                    Place
}

// An Erratum is a contradiction of the book.
type Erratum struct {
	ID, Cite, Printed, Ruled, Why, Option string
	Place                                 Place
}
