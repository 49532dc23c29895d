// Package resolve turns a book into a book whose names are known: every formula is parsed, every name that it reads is
// an entity, definitions stand in an order in which each comes after those it refers to. It knows no types, and imports
// of the CEL side only the parser, whose trees it hands on unread.
//
// Invariant: among the sites without a problem there are no cycles, and every name and call in them resolves.
package resolve

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Ruleset is a book with its names resolved.
type Ruleset struct {
	Book  *book.Ruleset
	Sites map[*book.Text]*Site // every formula, by its text

	Options    map[string]*book.Option
	Tables     map[string]*book.Table
	Traits     []*book.Trait    // each after the traits it reads
	Functions  []*book.Function // each after the functions it calls
	Rules      []*book.Rule     // each after the rules it uses
	Procedures []*book.Procedure
	Scopes     map[any]*Scope // of a *book.Trait, *book.Function, *book.Rule, *book.Step or *book.Procedure
	Ends       map[*book.Procedure]*Scope
	Uses       map[*book.Use]*Use
	// Broken holds the definitions and named formulas that are part of a cycle.
	Broken map[any]bool
}

// A Site is a formula where it stands.
type Site struct {
	Text    *book.Text
	Subject string // the definition and its part: "rule test, output success"
	Scope   *Scope
	Expr    *syntax.Expr // nil when it does not parse, or reads what is not there
	Reads   []*Entity    // each once, in the order of the text
}

// A Use is a use whose rule is known. Scope has the elements that it walks.
type Use struct {
	Rule  *book.Rule // nil when there is none of that name
	Scope *Scope
}

// Kind says what a name stands for.
type Kind uint8

// The kinds of entities.
const (
	Character Kind = iota
	Input
	Event
	State
	Options // the root of all options
	Die
	Let // a let or an output
	UseName
	Each
	Param
)

// An Entity is a name that formulas may read. The field that counts is the one of its kind.
type Entity struct {
	Kind  Kind
	Name  string
	Place plan.Place
	Die   *book.Die
	Use   *book.Use
	Named *book.Named // of a let or an each
	Param *book.Param
	Shape *plan.Shape // of an input, an event or a state
}

// A Scope is what may be read at a site: its own names and those around it.
type Scope struct {
	Around *Scope
	Names  map[string]*Entity
	// Order lists the own lets and outputs, each after those it reads.
	Order []*book.Named
}

// Find looks a name up from the inside out.
func (s *Scope) Find(name string) *Entity {
	for ; s != nil; s = s.Around {
		if e := s.Names[name]; e != nil {
			return e
		}
	}
	return nil
}

// all lists the names that can be read.
func (s *Scope) all() []string {
	var out []string
	for ; s != nil; s = s.Around {
		for name := range s.Names {
			out = append(out, name)
		}
	}
	return out
}
