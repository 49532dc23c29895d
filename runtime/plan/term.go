package plan

// A Term is a part of a formula as its author wrote it, with the value that the graph computes for it: what a derivation
// is told from. Nothing is computed from terms, so plain evaluation never looks at them. A list of terms stands in the
// order in which they were lowered: what a term rests on stands before it, so derivations are trees that end.
//
// What is computed in a loop has another value in each iteration. Its terms stand below the ElementTerm of the loop, and
// their values are those of one iteration, which vm.Iterations keeps.
type Term struct {
	Kind  TermKind
	Name  string // see the kinds
	Value Value  // without a type where nothing is shown: of records that are passed whole
	Args  []int32
	// Named is an index into Graph.Names, which has the formula, the place and the ruling; -1 for none.
	Named   int32
	Row     ID       // of a look-up: the number of the row; of an element: that of the iteration; None of others
	Params  []string // of a function: the names of its arguments
	Of      string   // the definition in which it stands, "rule test"
	Formula string
	Cite    string
	Place   Place
}

// TermKind says what a term is, and so what its Name and Args are.
type TermKind uint8

// The kinds of terms.
const (
	ConstTerm TermKind = iota // a literal
	NamedTerm                 // a let, an output or a next value; Args: its formula
	// a value of the character, input, state or event, by its path; Args: what a use gave for it
	GivenTerm
	OptionTerm   // the value of an option that is played
	DieTerm      // a face, faces, or what notation makes of them; Args: what its faces and count rest on
	UseTerm      // an output of a used rule, "ours.rank"; Args: the output, or when, output and otherwise
	TraitTerm    // a trait of a character; Args: its formula
	FunctionTerm // a function; Args: its arguments, then its formula
	ParamTerm    // a parameter within a function
	TableTerm    // the row of a table, or the column that it gives; Args: the key
	FieldTerm    // the member Name of Args[0]
	HasTerm      // whether Args[0] has the member Name
	CallTerm     // the overload Name on Args
	AndTerm      // Args[0] && Args[1]
	OrTerm       // Args[0] || Args[1]
	CondTerm     // Args[0] ? Args[1] : Args[2]
	ChooseTerm   // Args[0] is a choice, each other a value for it; Params: the choices
	ListTerm     // a list or a map of Args
	WalkTerm     // what the macro Name makes of a list; Args: the list, then the ElementTerm
	RequireTerm  // a requirement with the message Name; Args: its condition
	EndTerm      // the end Name of a procedure; Args: its condition
	// ElementTerm is what one iteration of a loop makes. Name is the macro, with the variable, what the body gives and the
	// condition, if there is one, as Args; or "each" of a use that walks lists, with the elements and the outputs as Args.
	ElementTerm
	NumTermKinds
)
