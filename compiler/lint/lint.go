// Package lint finds in a typed ruleset what has a type, has a meaning, and still is not meant: keys that anybody may
// misspell, fields that can have one value only, definitions that nobody reads. It changes nothing, finds no error, and
// looks at trees and never at texts; a compiler that skipped it would give the same plans.
//
// Three questions are asked, each by a walk of its own:
//
//   - Is a misspelt key found? A look-up in a keyed table by a field that admits any string is an open door for one
//     (checkOpenKeys), and so is a map of which formulas read only keys that are written out (maps.go).
//   - Is a field meant as it stands? "skill: 0" says that skill is 0, and is meant as a default (single.go). A rule whose
//     outputs repeat its input computes nothing (checkEchoes).
//   - Who reads it? What nobody can ask for from outside and no formula reads is a leftover, or the other half of a
//     misspelling (unused.go).
//
// # One field
//
// An author has declared with!: string and writes
//
//	harm: "weapon(input.with) + roll"
//
// The tree has a look-up in table weapon by the field with. Its shape, found through the field's name (check.ShapeOf), is
// a string without an enum, and the table is found by words and not by numbers: so a sheet with a misspelt weapon passes
// every check that is made before the formula runs, and fails there. The warning says to close the field by the table's
// keys. Had the field stood in a state, nothing would be said, for what a state holds the procedure itself has put there.
//
// All but the repeating rules waits until all trees are there (check.Ruleset.Whole), because a formula that could not be
// typed is missing among the readers. The pages of the codes open-key, open-map, single-value, echo and unused have an
// example each that is compiled in a test.
//
// Invariant: every problem is judged on the tree of one expression, or on what all trees together read, so that a formula
// with a problem of its own hides nothing in the others. Everything that lowering relies on is found by package check.
package lint

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Check reports the oddities of a ruleset as warnings, whether or not everything in it could be typed.
func Check(r *check.Ruleset, diags *diag.List) {
	checkEchoes(r, diags)
	if !r.Whole {
		return
	}
	for _, t := range r.Trees {
		checkOpenKeys(t, r.Book, diags)
	}
	checkSingles(r, diags)
	checkMaps(r, diags)
	checkUnused(r, diags)
}

// checkEchoes reports rules that only give back their inputs. One that is walked by each makes records, and may.
func checkEchoes(r *check.Ruleset, diags *diag.List) {
	walked := map[*check.Rule]bool{}
	for b := range r.Bodies() {
		for _, s := range b.Sources {
			if s.Use != nil && len(s.Use.Each) > 0 {
				walked[s.Use.Rule] = true
			}
		}
	}
	for _, x := range r.Rules {
		if !walked[x] && isEcho(x.Body) {
			diags.Addf("echo", x.Place(), "rule "+x.Name(), "its outputs only repeat its input").
				Repair = "compute something of it, or leave the rule out"
		}
	}
}

func isEcho(b *check.Body) bool {
	for _, o := range b.Outputs {
		if o.Formula.Expr == nil || !isInput(o.Formula.Expr) {
			return false
		}
	}
	return len(b.Outputs) > 0
}

// isInput reports whether an expression is a part of the input, through lets.
func isInput(e *check.Expr) bool {
	switch {
	case e.Op == check.OpField:
		return isInput(e.Args[0])
	case e.Op != check.OpRef:
		return false
	case e.Behind() != nil:
		return isInput(e.Behind())
	}
	given, ok := e.Object.(*check.Given)
	return ok && given.Root == plan.InputRoot
}

// checkOpenKeys reports look-ups in a keyed table by a field that may be any string: a misspelt one is found by nobody
// before the formula fails. The values of a state the procedure itself has put there.
func checkOpenKeys(t *check.Tree, b *book.Ruleset, diags *diag.List) {
	t.Root.Visit(func(e *check.Expr) {
		if e.Op != check.OpLookUp {
			return
		}
		for i, table := range e.Object.(*check.Table).Keys() {
			key := e.Args[i]
			s := check.ShapeOf(key, b)
			isOpen := s != nil && s.Kind == plan.String && s.Enum == nil && !table.Book.Kind.HasNumbers()
			if !isOpen || rootOf(key) == plan.StateRoot {
				continue
			}
			d := diags.Addf("open-key", key.Place, t.Subject,
				"%s may be any string, and the table %s has only the keys of its %ss",
				key.Describe(), e.Object.Name(), table.Book.RowNoun())
			name := e.Object.Name()
			if table.Book.IsAcross {
				name += ".columns"
			}
			d.Repair = "write @key(" + name + ") behind the field's type"
			d.Related = []diag.Related{{Place: s.Place, Message: "the field"}}
		}
	})
}

// rootOf returns the record of a request that an expression reads by names of fields alone.
func rootOf(e *check.Expr) plan.Root {
	for e.Op == check.OpField {
		e = e.Args[0]
	}
	return e.Object.(*check.Given).Root
}
