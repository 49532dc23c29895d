package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Object is what a name stands for. Its kinds are those of this file; references to the same name share the object, so
// objects may be compared and be keys of maps.
type Object interface {
	Name() string
	Place() plan.Place // of the name; zero for what the language gives
	// Type is the type of the value that the name has where it is read: of a table that of a look-up, of a function its
	// result, of a rule the record of its outputs.
	Type() *plan.Type
	self() *header
}

// A header is what all objects have.
//
// The typ of a let or a definition is `broken` until progress is typed, and stays so when it has a
// problem; dice and uses have theirs when they are declared. name and
// place never change. A new object of a kind that needs no formula has progress 0, which is typed:
// a parameter, an option, the variable of a macro.
type header struct {
	name     string
	place    plan.Place
	typ      *plan.Type
	progress progress
	cyclic   bool   // it depends on itself, which has been reported
	within   string // the definition to which a local name belongs, as messages begin with it: "rule test, "
}

// Name returns the name that formulas read.
func (h *header) Name() string { return h.name }

// Place returns where the author declared it.
func (h *header) Place() plan.Place { return h.place }

// Type returns the type of its value.
func (h *header) Type() *plan.Type { return h.typ }

func (h *header) self() *header { return h }

// progress says how far the check of an object has come.
type progress uint8

const (
	typed    progress = iota // or never to be typed by a formula
	pending                  // its formulas have not been looked at
	underway                 // what its formulas read is being typed
)

// A Given is a record that comes with a request: the character, the input, the event or the state.
type Given struct {
	header
	Root  plan.Root
	Shape *plan.Shape // nil when nothing is known of its fields
}

// An Option is a ruling that can be switched. Its type is a string with the option's values as its enum.
type Option struct {
	header
	Book *book.Option
}

// An OptionSet is the name `option`, the fields of which are the options. No expression has its value.
type OptionSet struct{ header }

// A Param is a parameter of a function, or a name that an expression outside of a ruleset may read.
type Param struct{ header }

// NewParam declares a name for an expression outside of a ruleset.
func NewParam(name string, t *plan.Type) *Param { return &Param{header{name: name, typ: t}} }

// An Item is the variable of a macro.
type Item struct {
	header
	over *Expr // the list of which it is each element; nil for a key of a map, a state, or a die
}

// A Let is a named formula: a let, an output, what a use is given, or the next value of a path.
type Let struct {
	header
	Book    *book.Named
	Formula *Formula
}

// A Die is a source of faces. Its type is that of a face, or a list of it when Count or Pool is given; a sum and dice as
// data come to an int, and to a list of ints when Series is given.
type Die struct {
	header
	Book  *book.Die
	Sum   *dice.Expression // in notation, when it is more than a group of dice: its value is what it comes to
	Faces *Expr            // int; nil of a sum, and of a pool the name Size
	Rows  *Table           // the faces are its rows; nil when they are numbers, those of Rolls.Shows if it has any
	Pool  *Expr            // list(int): the faces of each die; nil for dice that are alike
	Size  *Item            // of a pool: the faces of one of its dice
	Count *Expr            // int; nil when it is one face
	Rolls plan.Die         // how each die is rolled; lowering says which die it is
	// Most bounds the number of faces that Count may ask for: Book.Most, or what the bounds of Count say.
	Most           int
	Again, Explode *Repeat // nil for none
	// Variants are the ways in which each die may be rolled, found when nothing else is wrong with the ruleset: the
	// formulas of repeats must have bounds.
	Variants []Variant
	Data     []*Roll // dice as data and those that are added to them; then Sum, Faces and Count are nil
	Series   *Expr   // int: how often a sum or dice as data are rolled; nil for once, and no list
}

// AddsShown reports whether the value of the die is the sum of the numbers on its faces, because it may explode.
func (d *Die) AddsShown() bool { return d.Rolls.Shows != nil && d.Explode != nil && !d.HasThrows() }

// DefaultThrows is how often dice that explode into dice of their own are thrown on where no limit is declared. Dice that
// would be thrown once more have no value: of dice of which three faces in ten explode, one in 10^16 does.
const DefaultThrows = 30

// maxThrows bounds the limit that may be declared: each throw is a roll of its own in the plan.
const maxThrows = 50

// HasThrows reports whether the dice explode into dice of their own. They are rolled in throws: all dice first, then a
// die for each of these that has exploded, and so on. Explode then is no part of how a single die is rolled.
func (d *Die) HasThrows() bool { return d.Explode != nil && d.Book.ExplodesIntoDice() }

// Throws returns how often such dice are thrown on at most, and whether an author has declared that it ends there.
func (d *Die) Throws() (most int, declared bool) {
	if d.Book.ExplodeTimes > 0 {
		return min(d.Book.ExplodeTimes, maxThrows), true
	}
	return DefaultThrows, false
}

// A Repeat says which faces are rolled again, or on. Where a formula or a condition says so, Rolls of the die has no band
// for it, and its Variants have one for each number that the formula may give.
type Repeat struct {
	operator string    // "=" or a comparison; "max" for the most that the die shows
	text     book.Text // of the formula behind the operator; empty when a number or nothing stands there
	when     *book.Text
	On       *Expr // int; nil of a number
	When     *Expr // bool; nil for always
	fixed    plan.Band
	shows    []int64 // of a die whose faces are listed, in ascending order: numbers are then what a face shows
}

// A Variant is a way in which a die may be rolled, and what must hold for it.
type Variant struct {
	Rolls      plan.Die
	Conditions []Condition
}

// A Condition holds where an int has a value, or where a bool is true (1) or false (0).
type Condition struct {
	Expr  *Expr
	Value int64
}

// A Roll is dice as data: those of one of Forms, and the value of Notation says of which.
type Roll struct {
	Book     *book.Roll
	Forms    []Form // at least one; each once
	Notation *Expr  // a string that is the text of a form; nil when the author wrote the only form
	Times    *Expr  // int; nil for once
	Most     int    // bound of Times
}

// A Form is dice in notation, as their author wrote them.
type Form struct {
	Text string
	Dice *dice.Expression
}

// A Use is another rule, used. Its type is the record of the rule's outputs, or a list of it when Each is not empty.
type Use struct {
	header
	Book      *book.Use
	Rule      *Rule // nil when there is a problem
	Each      []*Each
	Character *Expr // nil: this character
	When      *Expr // nil: always
	Input     *Expr // the whole input; nil when Inputs are given
	Inputs    []*Let
	Otherwise []*Let // by output of Rule; outputs without one may not be read
	scope     *Scope // with the elements that it walks
}

// An Each is a list that a use walks. As a name it is an element of the list.
type Each struct {
	header
	Book *book.Named
	List *Expr
}

// A Table is a function from a key to a row or, where it has columns to find, from two keys to a cell.
type Table struct {
	header
	Book   *book.Table
	Across *Table     // finds the column by the second key; nil for one key
	Row    *plan.Type // a record of the columns
	Gives  int        // index of the column that a look-up gives; -1 for the row
	// OverMin and OverMax are the least and the greatest key that Book.Over declares by a dice expression.
	OverMin, OverMax int64
}

// Keys returns the tables that find the row and, where there is a second key, the column: one for each argument of a
// look-up.
func (t *Table) Keys() []*Table {
	if t.Across != nil {
		return []*Table{t, t.Across}
	}
	return []*Table{t}
}

// A Trait follows from a character alone. Self is the character of which it is asked.
type Trait struct {
	header
	Book    *book.Trait
	Self    *Given
	Formula *Formula
}

// A Function is a formula with parameters.
type Function struct {
	header
	Book    *book.Function
	Params  []*Param
	Formula *Formula
	General *Function // of an instance for the words of a call: the function itself; else nil
}

// A Rule is a named computation. Its type is the record of its outputs, in the author's order.
type Rule struct {
	header
	Book      *book.Rule
	Character *Given
	Input     *Given
	Body      *Body
	Otherwise []*Let // what outputs are where a use has a condition that is false, unless the use says another thing
}

// A Scope is the names that may be read at a place of a ruleset: its own and those around it. It has no types of its own:
// what a name is of is asked of its object when a formula that reads it is typed.
type Scope struct {
	around     *Scope
	names      map[string]Object
	ofFunction bool // its texts are formulas of a function: what they come to is different at each call
}

func newScope(around *Scope, objects ...Object) *Scope {
	s := &Scope{around: around, names: map[string]Object{}}
	for _, o := range objects {
		s.names[o.Name()] = o
	}
	return s
}

// findObject looks a name up from the inside out; nil when it may not be read here.
func (s *Scope) findObject(name string) Object {
	for ; s != nil; s = s.around {
		if o := s.names[name]; o != nil {
			return o
		}
	}
	return nil
}
