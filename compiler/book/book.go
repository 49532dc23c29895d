// Package book is what an author wrote, as data: one value for each construct of the language, every part with its
// place in the author's files. It knows neither CUE nor CEL, and checks nothing.
//
// Invariant: within a list, entries stand in the order in which the author wrote them (by place).
//
// # From a file to a book
//
//	rules: leap: {
//		cite: "Leaping"
//		#Input: over!: string @key(gap)
//		dice: roll: "d10"
//		output: success: "roll + character.agility >= gap(input.over)"
//	}
//
// Package load turns this into a *Rule: the Definition has the id "leap", the place of that word
// and the citation; Input is a plan.Shape with one member; Body.Sources has a Die whose Notation is
// "d10"; Body.Outputs has a Named "success" whose Formula.Expr is the text. Every Text knows where
// each of its code points stands in the file (Runs), so that CEL, which sees only the string, can
// complain at an offset, and an editor marks a column of the file. Package check never looks at a
// file; package lsp goes the other way, from a place to a text (package symbols).
//
// What belongs here is what an author can say, in the words of the language, nothing derived: no
// types, no order of evaluation, no defaults filled in. A homebrew is laid over a book by package
// overlay, and what comes out is a book again, which the later phases treat like any other; fields
// called Overlay or Overlays remember who wrote what.
//
// # When a construct is added
//
// Its field goes here; load reads it, Parts lists its formulas (parts.go), overlay says how it is
// extended and replaced, check types it, lower makes nodes of it. Parts is the place that is
// forgotten: without it the new formula has no completion, no rename, no mutants, and homebrews
// cannot reach it.
package book

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Text is a string of the author's and where it stands. It is the only copy of a formula's text: what later phases say
// about a part of it, they say by an offset in code points, which At turns into a place.
//
// CUE joins, escapes and indents strings, so an offset in the string says nothing about the file by
// itself. A multi-line string has a run for each line; an escape ends a run, as one code point of
// the string stands there for several of the file.
type Text struct {
	S     string
	Place plan.Place // of the string's first code point, or of its field when the string is not written out as one literal
	Runs  []Run      // where the code points of S stand, in ascending order; nil when only Place is known
}

// A Run is a stretch of a text without escapes and line ends: its code points follow each other in the file as they do in
// the string. A formula on one line is one run, so that places cost nothing where an author escapes nothing.
type Run struct {
	Start int        // offset of its first code point in the string, from 0
	Place plan.Place // where that stands
}

// NewText makes a text from the places of its code points and of its end, of which there is one more.
func NewText(s string, places []plan.Place) Text {
	t := Text{S: s, Place: places[0]}
	for i, p := range places {
		if i == 0 || p != t.At(i) {
			t.Runs = append(t.Runs, Run{Start: i, Place: p})
		}
	}
	return t
}

// At returns the place of the code point at an offset, or of the end of the text; of a text whose code points have no
// places of their own it is the text's.
func (t *Text) At(offset int) plan.Place {
	i, found := slices.BinarySearchFunc(t.Runs, offset, func(r Run, offset int) int { return cmp.Compare(r.Start, offset) })
	if !found {
		i--
	}
	if i < 0 {
		return t.Place
	}
	at := t.Runs[i].Place
	at.Col += offset - t.Runs[i].Start
	return at
}

// From returns the text from an offset in code points on; its places stay as they were.
func (t *Text) From(offset int) Text {
	runes := []rune(t.S)
	out := Text{S: string(runes[offset:]), Place: t.At(offset)}
	if t.Runs == nil {
		return out
	}
	places := make([]plan.Place, 0, len(runes)-offset+1)
	for i := offset; i <= len(runes); i++ {
		places = append(places, t.At(i))
	}
	return NewText(out.S, places)
}

// Written reports whether the author wrote it, if only an empty string.
func (t *Text) Written() bool { return t.Place != plan.Place{} }

// A Ruleset is the rules of one game.
type Ruleset struct {
	ID         string
	Title      string
	Doc        string // the comment of the package
	Book       string // the document that the rules come from
	Author     string
	Place      plan.Place
	Character  *plan.Shape
	Options    []*Option
	Tables     []*Table
	Traits     []*Trait
	Functions  []*Function
	Rules      []*Rule
	Procedures []*Procedure
	Readings   []*Reading
	Errata     []*Erratum
	Words      []*Word
	Marks      map[*plan.Shape]Marks // of fields, by their shapes; it is shared and not written to
	// Keys are what stands in a @key, by the shapes of which a check has made it the table and the words. A book that is
	// changed is checked again.
	Keys     map[*plan.Shape]string
	Allows   []Allowance
	Overlays []string    // ids of the homebrews that were applied, in their order
	Disabled []Disabling // what they took out
	Widened  []Widening  // which columns they gave another type
}

// TableNames returns the ids of the tables.
func (b *Ruleset) TableNames() []string {
	var out []string
	for _, t := range b.Tables {
		out = append(out, t.ID)
	}
	return out
}

// A Definition is what everything that an author defines has.
type Definition struct {
	ID     string
	Place  plan.Place // of its name
	Cite   Text
	Doc    string
	Covers []Text // ids of the statements of the book that it carries out
	Said   Said
	// Overlays are the homebrews that added it or changed its data, each once, in the order in which they were applied.
	Overlays []string
}

// An Allowance says why warnings of a kind are not to be reported.
type Allowance struct {
	Code  Text
	At    Text // the subject of what is allowed: "table weapon"; empty for every subject
	Why   string
	Place plan.Place
}

// An Option is a ruling that can be switched.
type Option struct {
	Definition
	Default Text
	Values  []Value // in the author's order
}

// A Value is one value of an option.
type Value struct {
	Name  string
	Doc   string
	Place plan.Place
}

// A Table is a function from a key to a row or, with columns that have keys too, from two keys to a cell.
type Table struct {
	Definition
	Kind    plan.TableKind
	Across  *Table        // finds the column by the second key: its rows are the columns, without cells; nil for one key
	Dice    []Text        // columns whose cells are dice in notation
	Gives   Text          // the column that a look-up gives; empty for the whole row
	Over    Over          // the keys that must have a row
	Columns []plan.Member // of a row, without the key; Shape says the type only
	Rising  []Text        // columns that never fall from a row to the next
	Falling []Text        // columns that never rise
	Cost    Text          // the column of what a row costs; empty for none
	Benefit []Text        // columns of which more is better, where there is a cost
	Rows    []Row         // in the author's order
	// Open has the words that cells of a column may be changed to when a plan is asked, by column.
	Open map[string]OpenWords

	// RowForm is what the author says of rows by patterns and bounds. Package load alone knows what it gives, and holds rows of
	// homebrews to it (load.CheckRows). Defaults are the cells, by column, that it gives to rows without them. Both are
	// evaluated when they are asked for, and nil behind load.CheckRows; for they hold all that CUE has evaluated.
	RowForm  func() any
	Defaults func() map[string]Cell

	IsAcross bool // it finds columns of another table
}

// OpenWords are words that a cell may be changed to and that stand in no row.
type OpenWords struct {
	Words []string
	Every bool // all words that the column's own type lets a cell be
}

// RowNoun returns the noun for a row of the table.
func (t *Table) RowNoun() string {
	if t.IsAcross {
		return "column"
	}
	return "row"
}

// Over is the declared keys of a table. The zero Over is none.
type Over struct {
	Dice     Text // a dice expression; empty when a range is given
	Range    bool
	Min, Max float64 // of a range, both inside
	Place    plan.Place
}

// A Row is one row of a table.
type Row struct {
	plan.RowKey // what finds it
	Place       plan.Place
	Cells       []Cell // one for each of the table's columns
	Overlay     string // the homebrew that added it; empty for the ruleset's own
}

// A Cell is one value of a table: JSON, to be read by its column's shape.
//
// JSON is the evaluator's value in its exact text: a number keeps its digits until its column's
// type is known, because 1 and 1.0 are different cells only in a column of doubles.
type Cell struct {
	JSON    string
	Place   plan.Place
	Overlay string // the homebrew that replaced it; empty otherwise, and for cells of rows that a homebrew added
}

// A Formula is an expression, or one expression for each value of a closed choice.
type Formula struct {
	Place   plan.Place
	Expr    Text // empty when By is given
	By      Text // what chooses; empty when Expr is given
	Is      []Arm
	Overlay string // the homebrew that wrote it; empty for the ruleset's own
}

// An Arm is the expression for one value of a choice.
type Arm struct {
	Value string
	Place plan.Place
	Expr  Text
}

// A Trait follows from a character alone.
type Trait struct {
	Definition
	Formula Formula
}

// A Function is a formula with parameters.
type Function struct {
	Definition
	Params  []Param
	Formula Formula
}

// A Param is a parameter; Type is as written: "int" or "list(int)".
type Param struct {
	Name  string
	Type  Text
	Place plan.Place
}

// A Rule is a named computation.
type Rule struct {
	Definition
	Input *plan.Shape // a record, empty when the rule asks nothing
	Body  Body
	// Otherwise is what its outputs are where a use of it has a condition that is false, unless the use says another thing.
	Otherwise []Named
}

// A Body is what rules and events compute.
type Body struct {
	Sources   []Source // dice and uses, in the order in which they are rolled
	Lets      []Named
	Decisions []Decision
	Requires  []Require
	Outputs   []Named
}

// HasPart reports whether a die, a use or a let of the body has a name.
func (b *Body) HasPart(name string) bool {
	return slices.ContainsFunc(b.Lets, func(l Named) bool { return l.Name == name }) ||
		slices.ContainsFunc(b.Sources, func(s Source) bool {
			return s.Die != nil && s.Die.Name == name || s.Use != nil && s.Use.Name == name
		})
}

// A Decision is a field of the input that is decided when dice have fallen.
type Decision struct {
	Path  string // below the input or the event: "spend.speed"
	Place plan.Place
	After []Text // dice and uses of the body
	When  Text   // empty: always
	Least Text   // an expression, or a number as text; empty for none
	Most  Text
}

// Bounds returns the formulas of the decision by their names.
func (d *Decision) Bounds() []NamedText {
	return []NamedText{{"when", &d.When}, {"least", &d.Least}, {"most", &d.Most}}
}

// A NamedText is a part of a definition that is one text.
type NamedText struct {
	Name string
	Text *Text
}

// A Source is a die or a use: exactly one of them is set.
type Source struct {
	Die *Die
	Use *Use
}

// A Named is a let, an output, or the next value of a path.
type Named struct {
	Name    string // for a next, the path: "character.points.body"
	Place   plan.Place
	Formula Formula
	// Decimals is how many digits after the point people read of the doubles of an output, as its attribute @decimals(1)
	// says it. Empty when there is none: then as many as matter.
	Decimals Text
	// When is the output or let without which an output means nothing, as its attribute @when(legal) says it; empty for
	// none.
	When Text
}

// A Require is a condition that must hold, and what to say when it does not.
type Require struct {
	Message string
	Place   plan.Place
	Expr    Text
}

// A Die is a source of faces.
//
// Numbers and formulas stand in the same fields as text: "faces: 6" and "faces: 'input.size'" are
// the same construct for an author, and only check decides which of them is constant.
type Die struct {
	Name         string
	Place        plan.Place
	Notation     Text // "2d10", "4d6kh3 + 2"; empty when the struct form is used
	Faces        Text // an expression, or a number as text; empty when one of the next three says what the dice are
	Shows        Shown
	Weights      Shown // how often each face comes
	Rows         Text  // the table whose rows are the faces
	Pool         Text  // an expression for the faces of each die
	Zero         int   // the face that is meant when 0 is given; 0 for none
	Count        Text  // empty when it is one face and not a list
	Most         int   // bound of the count; 0 when none is declared
	MostPlace    plan.Place
	Distinct     bool
	Again        Text // faces that are rolled again: a comparison, a number or a formula, or "max"; empty for none
	AgainWhen    Text // ... only when this holds; empty for always
	Once         bool // ... but only once
	Explode      Text // likewise, faces that are rolled on
	ExplodeWhen  Text
	ExplodeInto  Text   // "dice" when each is a die of its own; "die" or empty when they are added to the die
	ExplodeTimes int    // 0: without end
	Roll         *Roll  // dice as data; nil when faces are declared, or notation alone
	Overlay      string // the homebrew that wrote it; empty for the ruleset's own
}

// OwnDice is what ExplodeInto says of dice whose further faces are dice of their own.
const OwnDice = "dice"

// ExplodesIntoDice reports whether each face that is rolled on is a die of its own, and not a part of the die.
func (d *Die) ExplodesIntoDice() bool { return d.ExplodeInto.S == OwnDice }

// Shown is what each face of a die shows, one by one.
type Shown struct {
	Place  plan.Place
	Values []int64 // nil when it is not said
}

// DiceText returns the dice of the struct form, without how they are rolled: "d(6)", "d{-1, 0, 1}".
func (d *Die) DiceText() string {
	switch {
	case d.Shows.Values != nil:
		words := make([]string, len(d.Shows.Values))
		for i, v := range d.Shows.Values {
			words[i] = fmt.Sprint(v)
			if i < len(d.Weights.Values) {
				words[i] += fmt.Sprint(":", d.Weights.Values[i])
			}
		}
		return "d{" + strings.Join(words, ", ") + "}"
	case d.Rows.Written():
		return "d{rows of " + d.Rows.S + "}"
	case d.Pool.Written():
		return "a die of each of (" + d.Pool.S + ")"
	}
	if d.Weights.Values != nil {
		return fmt.Sprint("d(", d.Faces.S, ") weighted ", d.Weights.Values)
	}
	return "d(" + d.Faces.S + ")"
}

// A Roll is dice as data: which dice are rolled is the value of a formula.
type Roll struct {
	Place plan.Place
	Dice  Text  // notation, or a formula that gives it
	Times Text  // how many times as many dice, an expression or a number as text; empty for once
	Most  int   // bound of Times; 0 when none is declared
	Plus  *Roll // dice that are added; nil for none

	MostPlace plan.Place
	// Repeat is how often all of it is rolled, an expression or a number as text; empty when what it comes to is no list.
	Repeat Text
}

// String returns a roll on one line, as messages and listings show it.
func (r *Roll) String() string {
	out := strings.TrimSpace(r.Dice.S)
	if r.Times.Written() {
		out += ", times " + strings.TrimSpace(r.Times.S)
	}
	if r.Most > 0 {
		out += fmt.Sprintf(" at most %d", r.Most)
	}
	if r.Plus != nil {
		out += ", plus " + r.Plus.String()
	}
	if r.Repeat.Written() {
		out += ", repeat " + strings.TrimSpace(r.Repeat.S)
	}
	return out
}

// A Use is another rule, inlined.
type Use struct {
	Name      string
	Place     plan.Place
	Rule      Text
	Character Text    // empty: this character
	When      Text    // empty: always
	Input     Text    // the whole input as a record; empty when Inputs are given
	Inputs    []Named // the name is a path in the used rule's input
	Each      []Named // walked in step; Formula is a plain expression
	Otherwise []Named
	Overlay   string // the homebrew that wrote it; empty for the ruleset's own
}

// A Procedure is a rule with memory.
type Procedure struct {
	Definition
	Input  *plan.Shape
	State  *plan.Shape
	Lets   []Named
	Start  *Step // nil when there is none
	Events []*Event
	Ends   []Require // Message is the status, in the order in which they are judged
	Output []Named
}

// A Step is one change of the state. ID is "start" or the event's.
type Step struct {
	Definition
	Body Body
	Next []Named
}

// An Event is a step that is offered when its guard holds.
type Event struct {
	Step
	Input *plan.Shape // the #Event
	When  Text        // empty: always
}

// A Reading is a ruling without a switch.
type Reading struct {
	ID       string
	Place    plan.Place
	Cite     Text
	Question string
	Ruled    string
	Rejected string
	Why      string
}

// An Erratum is a place where the book contradicts itself.
type Erratum struct {
	ID      string
	Place   plan.Place
	Cite    Text
	Printed string
	Ruled   string
	Why     string
	Option  Text // the option that lets a table play what is printed; empty when there is none
}

// A Release is what rules.cue ships of one ruleset.
type Release struct {
	Name     string
	Place    plan.Place
	Rules    *Ruleset
	Revision Text
	Rulings  []Ruling // that differ from the options' defaults
}

// A Ruling fixes an option for a release.
type Ruling struct {
	Option string
	Place  plan.Place
	Value  Text
}
