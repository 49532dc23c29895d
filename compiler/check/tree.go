package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Op says what a node of the typed tree is.
type Op uint8

// The operations. Unless said otherwise Args are the operands from left to right.
const (
	OpConst    Op = iota // Value
	OpRef                // the value of Object: a Given, an Option, a Die, a Let, a Use, an Each, a Param or an Item
	OpField              // Name of Args[0]: a field of a record, or a key of a map (m.key is the same as m['key'])
	OpHas                // presence of Name in Args[0]: an optional field of a record, or a key of a map
	OpTrait              // the *Trait Object of the character Args[0]
	OpCall               // the builtin or CEL function with the overload id Name
	OpLookUp             // the row of the *Table Object for the key Args[0], or the column that it gives or Args[1] finds
	OpApply              // the *Function Object on the arguments Args
	OpAnd                // Args[0] && Args[1], with CEL's absorption of errors
	OpOr                 // Args[0] || Args[1]
	OpCond               // Args[0] ? Args[1] : Args[2]
	OpChoose             // Args[0] is a string with an enum; where it is the enum's value i, the value is Args[i+1]
	OpMakeList           // a list of Args; Type.Elem is their type
	OpMakeMap            // a map of Args, keys and values by turns
	OpAll                // macros over the list or map Args[0] with the variable Item and the body Args[1];
	OpExists             // over a map the variable walks its keys in their sorted order
	OpExistsOne
	OpMap    // Args[1] is the element; Args[2], when there, filters before
	OpFilter // Args[1] is the condition
	OpFold   // Args[1] makes of the state and an element of Args[0] the next state, from Args[2]
	OpSortBy // Args[1] is the key: Args[0]'s elements stably by ascending key
)

// An Expr is a node of the typed tree. An int meets a double only behind a call of "int64_to_double".
//
// For example "input.force >= 2 ? 'hit' : 'miss'" with force an int is
//
//	OpCond string{hit miss}
//	    OpCall greater_equals_int64 bool
//	        OpField force int
//	            OpRef input
//	        OpConst 2
//	    OpConst string{hit}
//	    OpConst string{miss}
//
// Invariant after Check without errors: Type is never nil or broken, len(Args) is that of the
// operation, and a constant's member of Value is that of its type. Nodes are not shared between
// trees, except those of a Let, which are reached by OpRef and never copied.
type Expr struct {
	Op     Op
	Type   *plan.Type
	Place  plan.Place
	Args   []*Expr
	Name   string // OpField, OpHas: the name; OpCall: the overload id
	Object Object // OpRef, OpTrait, OpLookUp, OpApply
	Item   *Item  // OpAll ... OpSortBy
	State  *Item  // OpFold
	Value  Value  // OpConst
	// Order is of a comparison, of sort and of sort_by: the words of a closed choice from the least to the greatest, by
	// which they go instead of by letters; nil for anything else.
	Order []string
}

// A Value is a constant; the member that counts is the one of the expression's type.
type Value struct {
	Int    int64
	Double float64
	Bool   bool
	String string
}

// A Tree is the expression of one text: typed, and as the standard CEL that it was made from, for a reference
// implementation to run. A formula that chooses among several texts has a tree for each, of which OpChoose makes one
// expression.
type Tree struct {
	Text    *book.Text
	Subject string   // the definition and its part: "rule test, output success"
	Root    *Expr    // never nil
	Reads   []Object // names that it reads, each once, in the order of the text; options are not among them
	// Under is a condition that holds wherever the tree is evaluated: the `when` of the use to which it belongs. It is nil
	// for none, and of type Invalid when that condition has a problem.
	Under *Expr
	AST   *ast.AST // checked
	site  *site
	scope *Scope
}

// A Formula is what an author wrote as a formula, whether as one expression or as one for each value of a choice.
type Formula struct {
	Book *book.Formula
	Expr *Expr // nil when there is a problem
	arms []*Tree
}

// Type returns the type of the formula's value; the broken type if it has a problem, which silences the errors that would
// follow from it.
func (f *Formula) Type() *plan.Type {
	if f.Expr == nil {
		return broken
	}
	return f.Expr.Type
}

// Visit visits every node of an expression, operands last.
func (e *Expr) Visit(visit func(*Expr)) {
	visit(e)
	for _, a := range e.Args {
		a.Visit(visit)
	}
}

// Mentions reports whether an expression reads a name for which a test holds, directly or through lets. It takes time
// linear in the expression and the lets behind it.
func (e *Expr) Mentions(test func(Object) bool) bool {
	return e.mentions(test, map[*Let]bool{})
}

// mentions is Mentions without the lets in seen, of which none leads to such a name. Two lets that each read the one before
// twice would otherwise double the work with every link of a chain.
func (e *Expr) mentions(test func(Object) bool, seen map[*Let]bool) bool {
	if e == nil {
		return false
	}
	if e.Op == OpRef {
		if test(e.Object) {
			return true
		}
		let, ok := e.Object.(*Let)
		if !ok || seen[let] {
			return false
		}
		seen[let] = true
		return let.Formula.Expr.mentions(test, seen)
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.mentions(test, seen) })
}

// readsAnyOf reports whether an expression reads one of some given fields, or may read any of them: the whole record, a
// field of something else, or nothing known. The lets in seen have been looked through.
func (e *Expr) readsAnyOf(fields map[string]bool, seen map[*Let]bool) bool {
	switch {
	case e == nil:
		return true
	case e.Op == OpField:
		if _, given := e.Args[0].Object.(*Given); given {
			return fields[e.Describe()]
		}
	case e.Op == OpTrait: // it reads fields of its character alone
		of := e.Args[0].Describe() + "."
		if _, given := e.Args[0].Object.(*Given); given {
			return slices.ContainsFunc(slices.Collect(maps.Keys(fields)),
				func(f string) bool { return strings.HasPrefix(f, of) })
		}
	case e.Op == OpRef:
		let, ok := e.Object.(*Let)
		if ok {
			looked := seen[let]
			seen[let] = true
			return !looked && let.Formula.Expr.readsAnyOf(fields, seen)
		}
		_, given := e.Object.(*Given)
		_, used := e.Object.(*Use) // whose rule may have been handed any of them
		return given || used
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.readsAnyOf(fields, seen) })
}

// anyReads reports whether one of the requirements reads one of the fields, or may.
func anyReads(requires []*Require, fields map[string]bool) bool {
	seen := map[*Let]bool{}
	return slices.ContainsFunc(requires, func(r *Require) bool { return r.Expr.readsAnyOf(fields, seen) })
}

// Behind returns the expression of the let that an expression names; nil of anything else.
func (e *Expr) Behind() *Expr {
	if e.Op != OpRef {
		return nil
	}
	if let, ok := e.Object.(*Let); ok {
		return let.Formula.Expr
	}
	return nil
}

// Negated is x of !x; nil of anything else.
func (e *Expr) Negated() *Expr {
	if e.Op == OpCall && e.Name == "logical_not" {
		return e.Args[0]
	}
	return nil
}

// Describe names an expression in a message.
func (e *Expr) Describe() string {
	switch e.Op {
	case OpRef:
		if o, ok := e.Object.(*Option); ok {
			return "option " + o.name
		}
		return e.Object.Name()
	case OpField, OpTrait:
		if row := e.Args[0]; row.Op == OpLookUp {
			return "column " + e.Name + " of table " + row.Object.Name()
		}
		return e.Args[0].Describe() + "." + e.Name
	case OpLookUp:
		return "what table " + e.Object.Name() + " gives"
	case OpCall:
		if e.Name == "index_list" && e.Args[0].Describe() != indescribable {
			return "an element of " + e.Args[0].Describe()
		}
	}
	return indescribable
}

// indescribable is what Describe says of an expression for which there are no words.
const indescribable = "this"

// broken is the type of what has an error that has been reported. It takes part in nothing and is silent.
var broken = &plan.Type{Kind: plan.Invalid}

// constantOf returns the number that an expression is, when it is a number or one with a sign.
func constantOf(e *Expr) (int64, bool) {
	switch {
	case e == nil:
		return 0, false
	case e.Op == OpConst && e.Type.Kind == plan.Int:
		return e.Value.Int, true
	case e.Op == OpCall && e.Name == "negate_int64":
		v, ok := constantOf(e.Args[0])
		return -v, ok
	}
	return 0, false
}
