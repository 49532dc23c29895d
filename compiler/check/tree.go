package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Op says what an expression of the typed tree is.
type Op uint8

// The operations. Unless said otherwise Args are the operands from left to right.
const (
	Const    Op = iota // Value
	Ref                // Var
	Get                // Name of Args[0]: a field of a record, or a key of a map (m.key is Get on a map)
	Has                // presence of Name in Args[0]: an optional field of a record, or a key of a map
	Trait              // Decl is a *TraitDef, asked of the character Args[0]
	Call               // the builtin or CEL function whose overload id is Name
	Look               // Decl is a *TableDef, the key is Args[0]
	Apply              // Decl is a *FunctionDef, Args are its arguments
	And                // Args[0] && Args[1], with CEL's absorption of errors
	Or                 // Args[0] || Args[1]
	Cond               // Args[0] ? Args[1] : Args[2]
	MakeList           // a list of Args; Type.Elem is their type
	MakeMap            // a map of Args, keys and values by turns; in conformance cases only
	All                // macros over the list or map Args[0] with the variable Bind and the body Args[1];
	Exists             // over a map the variable walks its keys in their sorted order
	ExistsOne
	Map    // Args[1] is the element; Args[2], when there, filters before
	Filter // Args[1] is the condition
	SortBy // Args[1] is the key: Args[0]'s elements stably by ascending key
)

// An Expr is a node of the typed tree. Every mixed operand has been promoted by an explicit call of "int64_to_double".
type Expr struct {
	Op    Op
	Type  *plan.Type
	Place plan.Place
	Args  []*Expr
	Name  string // Get, Has: the name; Call: the overload id
	Var   *Var   // Ref
	Bind  *Var   // All ... SortBy
	Decl  any    // Trait, Look, Apply
	Value Value  // Const
}

// A Value is a constant; the member that counts is the one of the expression's type.
type Value struct {
	Int    int64
	Double float64
	Bool   bool
	String string
}

// VarKind says what a name stands for.
type VarKind uint8

// The kinds of names.
const (
	CharacterVar VarKind = iota // of the body, or of a trait
	InputVar
	EventVar
	StateVar
	OptionVar // one option: Decl is its *OptionDef
	DieVar    // Decl is its *Die
	LetVar    // a let or an output, also a procedure's: Decl is its *Let
	UseVar    // Decl is its *Use
	EachVar   // Decl is its *Each
	ParamVar  // of a function
	MacroVar  // of a macro
)

// A Var is one name. References to the same name share it, so pointers may be compared.
type Var struct {
	Kind VarKind
	Name string
	Type *plan.Type
	Decl any
}

// A Formula is an expression, or one for each value of a choice. Type is that of the expression and of every arm.
type Formula struct {
	Text *book.Formula
	Type *plan.Type
	Expr *Expr // nil when By is set
	By   *Expr // a string with an enum
	Arms []Arm // one for each value of By's enum, in the enum's order
}

// An Arm is the expression for one value of a choice.
type Arm struct {
	Value string
	Expr  *Expr
}

// A Ruleset is a checked ruleset. Lists stand in the author's order; everything they refer to is checked too.
type Ruleset struct {
	Book       *book.Ruleset
	Character  *plan.Type // marked as Character
	Options    []*OptionDef
	Tables     []*TableDef
	Traits     []*TraitDef
	Functions  []*FunctionDef
	Rules      []*RuleDef
	Procedures []*ProcedureDef
	Formulas   []*Checked // every expression, in the order in which they were checked
}

// An OptionDef is a checked option. Var's type is a string with the option's values as its enum.
type OptionDef struct {
	Book *book.Option
	Var  *Var
}

// A TableDef is a checked table.
type TableDef struct {
	Book  *book.Table
	Row   *plan.Type // a record of the columns
	Gives int        // index of the column that a look-up gives; -1 for the row
	// Over holds the integer keys that Book.Over declares when it is a dice expression: what the dice can show, in full.
	OverMin, OverMax int64
}

// A TraitDef is a checked trait. Self is the character it is asked of.
type TraitDef struct {
	Book    *book.Trait
	Self    *Var
	Formula *Formula
}

// A FunctionDef is a checked function.
type FunctionDef struct {
	Book    *book.Function
	Params  []*Var
	Formula *Formula
}

// A RuleDef is a checked rule. Result is the record of its outputs, in the author's order.
type RuleDef struct {
	Book      *book.Rule
	Character *Var
	Input     *Var
	Body      *Body
	Result    *plan.Type
}

// A Body is a checked body.
type Body struct {
	Sources  []Source   // in rolling order; each depends only on those before it
	Lets     []*Let     // in the author's order; dependencies among them are free of cycles
	Requires []*Require // in the author's order
	Outputs  []*Let     // in the author's order
}

// A Source is a die or a use: exactly one is set.
type Source struct {
	Die *Die
	Use *Use
}

// A Let is a named formula: a let, an output, a procedure's let, or the next value of a path.
type Let struct {
	Book    *book.Named
	Var     *Var // nil for a next
	Formula *Formula
}

// A Die is a checked source of faces. Type of Var is int, or list(int) when Count is given.
type Die struct {
	Book  *book.Die
	Var   *Var
	Sum   *dice.Expression // in notation, when it is more than a group of dice: its value is what it comes to
	Faces *Expr            // int; nil of a sum
	Count *Expr            // int; nil when it is one face
	Rolls plan.Die         // how each die is rolled; lowering says which die it is
	// Most bounds the number of faces that count may ask for; it is Book.Most, or found from the interval of a constant count, else 0.
	Most int
}

// A Require is a checked requirement. Early says that it reads no die and no use, through lets either.
type Require struct {
	Book  *book.Require
	Expr  *Expr
	Early bool
}

// A Use is a checked use. Type of Var is Rule.Result, or a list of it when Each is not empty.
type Use struct {
	Book      *book.Use
	Var       *Var
	Rule      *RuleDef
	Each      []*Each
	Character *Expr // nil: this character
	When      *Expr // nil: always
	Input     *Expr // the whole input; nil when Inputs are given
	Inputs    []*Let
	Otherwise []*Let // by output of Rule; outputs without one may not be read
}

// An Each is a list that a use walks. Var is the element.
type Each struct {
	Book *book.Named
	Var  *Var
	List *Expr
}

// A ProcedureDef is a checked procedure.
type ProcedureDef struct {
	Book      *book.Procedure
	Character *Var
	Input     *Var
	State     *Var
	Lets      []*Let
	Start     *Step // nil when there is none
	Events    []*Event
	Ends      []*Require
	Outputs   []*Let
	// Changes says that some next names the character.
	Changes bool
}

// A Step is a checked step.
type Step struct {
	Book *book.Step
	Body *Body
	Next []*Next
}

// A Next is the new value of a path. Root is the State or the Character; Path the names below it.
type Next struct {
	Let  *Let
	Root VarKind
	Path []string
}

// An Event is a checked event.
type Event struct {
	Step
	Book  *book.Event
	Event *Var
	When  *Expr // nil: always
}
