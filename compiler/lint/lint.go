// Package lint finds in a typed ruleset what has a type and still is not meant: optional fields that are read where they
// may be missing, keys that a map never has, definitions that nobody reads, and such as become too large when they are
// written out. It changes nothing, and looks at trees and never at texts.
//
// Four questions are asked, each by a walk of its own:
//
//   - Is an optional field there? By flow typing, as compilers of languages with null do it: conditions around an
//     expression prove that has(x.f) holds (guards.go). A type with a "maybe" in it would be the other way, and would make
//     every author unwrap values; here only the place of the reading decides.
//   - Can this key be? A key that is written out and that a closed map never has is a misspelling. A look-up in a keyed
//     table by a field that admits any string is an open door for one.
//   - How large does it get? Lowering writes out functions, traits and uses where they are asked for, so a chain of
//     definitions that each call the next twice doubles with every link: a dozen lines, and no machine holds it. The size
//     is computed, in time linear in what is written, before anything is written out (size.go).
//   - Who reads it? What nobody can ask for from outside and no formula reads is a leftover, or the other half of a
//     misspelling (unused.go).
//
// # One formula
//
// An author has declared cover?: int and writes
//
//	penalty: "has(input.cover) ? input.cover : 2 * input.cover"
//
// The tree has three readings of input.cover. checkGuards walks it with the facts that hold at each
// node, at first none. The node OpCond gives the first arm the fact "input.cover", since
// factsWhenTrue of an OpHas is its printed form, and the second arm what follows from the condition
// being false, which is nothing. So the first arm is fine, and the reading in the second is
// reported as unguarded, which is an error. Then checkKeys looks at the same tree for keys of closed
// maps; there are none. checkUnused does not run before the author has mended the formula.
//
// Order matters in Check: guards and keys are judged in every tree that could be typed, and so are
// rules that only repeat their input. The rest waits until nothing failed, because a formula that
// could not be typed is missing among the readers. TestGuards has the facts; the pages of the codes
// unguarded, open-key, open-map, echo, too-large and unused have an example each that is compiled in
// a test.
//
// Invariant: every problem is judged on the tree of one expression, or on what all trees together read, so that a formula
// with a problem of its own hides nothing in the others. What nobody reads is told only when all trees are there.
package lint

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Check reports what is odd about a ruleset, whether or not everything in it could be typed.
func Check(r *check.Ruleset, diags *diag.List) {
	for _, t := range r.Trees {
		checkGuards(t, diags)
		checkKeys(t, r.Book, diags)
	}
	checkEchoes(r, diags)
	if diags.Failed() {
		return
	}
	for _, t := range r.Trees {
		checkOpenKeys(t, r.Book, diags)
	}
	checkSingles(r, diags)
	checkSizes(r, diags)
	checkMaps(r, diags)
	checkUnused(r, diags)
}

// CheckExpression reports what is odd about an expression outside of a ruleset.
func CheckExpression(t *check.Tree, diags *diag.List) { checkGuards(t, diags) }

// checkEchoes reports rules that only give back what they are given. One that is walked by each makes records, and may.
func checkEchoes(r *check.Ruleset, diags *diag.List) {
	walked := map[*check.Rule]bool{}
	forEachBody(r, func(b *check.Body) {
		for _, s := range b.Sources {
			if s.Use != nil && len(s.Use.Each) > 0 {
				walked[s.Use.Rule] = true
			}
		}
	})
	for _, x := range r.Rules {
		if !walked[x] && isEcho(x.Body) {
			diags.Addf("echo", x.Place(), "rule "+x.Name(), "its outputs only repeat its input")
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

// forEachBody visits the bodies of rules and of the steps of procedures.
func forEachBody(r *check.Ruleset, visit func(*check.Body)) {
	for _, x := range r.Rules {
		visit(x.Body)
	}
	for _, p := range r.Procedures {
		if p.Start != nil {
			visit(p.Start.Body)
		}
		for _, e := range p.Events {
			visit(e.Body)
		}
	}
}

// visitTree visits every node of an expression, operands last.
func visitTree(e *check.Expr, visit func(*check.Expr)) {
	visit(e)
	for _, a := range e.Args {
		visitTree(a, visit)
	}
}

// checkKeys reports keys that are written out and that a map with a closed list of keys can never have.
func checkKeys(t *check.Tree, b *book.Ruleset, diags *diag.List) {
	visitTree(t.Root, func(e *check.Expr) {
		switch {
		case e.Op == check.OpField || e.Op == check.OpHas:
			checkKey(t, b, e.Args[0], e.Name, e.Place, diags)
		case e.Op != check.OpCall || len(e.Args) < 2 || e.Args[1].Op != check.OpConst:
		case e.Name == "index_map" || e.Name == "get_map" || e.Name == "with_map":
			checkKey(t, b, e.Args[0], e.Args[1].Value.String, e.Args[1].Place, diags)
		}
	})
}

// checkOpenKeys reports look-ups in a keyed table by a field that may be any string: a misspelt one is found by nobody
// before the formula fails. What a state holds, the procedure itself has put there.
func checkOpenKeys(t *check.Tree, b *book.Ruleset, diags *diag.List) {
	visitTree(t.Root, func(e *check.Expr) {
		if e.Op != check.OpLookUp {
			return
		}
		for i, table := range e.Object.(*check.Table).Keys() {
			key := e.Args[i]
			s := shapeOf(key, b)
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

func checkKey(t *check.Tree, b *book.Ruleset, of *check.Expr, name string, at plan.Place, diags *diag.List) {
	s := shapeOf(of, b)
	if s == nil || s.Kind != plan.Map || s.Keys == nil || check.ShapeAt(s, name) != nil {
		return
	}
	diags.Addf("unknown-member", at, t.Subject, "%s never has the key %s", of.Describe(), name).
		Repair = diag.DidYouMean(name, check.ShapeNames(s))
}

// rootOf is the record that comes with a request of which an expression is a part, through fields alone.
func rootOf(e *check.Expr) plan.Root {
	for e.Op == check.OpField {
		e = e.Args[0]
	}
	return e.Object.(*check.Given).Root
}

// shapeOf is the shape of a part of what is given; nil of anything else.
func shapeOf(e *check.Expr, b *book.Ruleset) *plan.Shape {
	var s *plan.Shape
	switch e.Op {
	case check.OpRef:
		if given, ok := e.Object.(*check.Given); ok {
			s = given.Shape
		}
	case check.OpField:
		s = check.ShapeAt(shapeOf(e.Args[0], b), e.Name)
	}
	if s != nil && s.Character {
		return b.Character
	}
	return s
}
