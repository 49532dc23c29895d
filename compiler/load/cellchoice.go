package load

import (
	"slices"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An author may say of which choice the words of a column are, for all rows or for one:
//
//	#Grade: "poor" | "fair" | "good"
//	keyed: [string]: grade: #Grade
//	rows: [string]: [...#Grade]
//
// CUE holds the cells to it and gives each its word alone. The order of the words is that of the choice, in whatever order
// the cells are written, so the choice is read from the expressions of a cell.

// A choiceKey names a choice among the expressions of a package. The expressions of a pattern are those of every row.
type choiceKey struct {
	expr  ast.Expr
	scope *site.Scope
}

// choiceOfCell returns the words of the choice to which a cell belongs, from the least; nil where no choice is said.
func (n *node) choiceOfCell() (words []string) {
	for _, s := range site.SplitConjuncts(n.sites) {
		if _, isValue := s.Expr.(*ast.BasicLit); isValue {
			continue
		}
		said := n.r.wordsOfChoice(s)
		switch {
		case len(said) < 2:
		case words == nil:
			words = slices.Clone(said)
		default:
			words = slices.DeleteFunc(words, func(w string) bool { return !slices.Contains(said, w) })
		}
	}
	return words
}

// wordsOfChoice returns the words of an expression that is a choice of words; nil of any other. Each is read once, for a
// choice among the keys of a large table stands for every row.
func (r *reader) wordsOfChoice(s site.Site) []string {
	key := choiceKey{s.Expr, s.Scope}
	words, isKnown := r.choices[key]
	if !isKnown {
		if _, of, isClear := shape.ReadQuietly(r.Module, []site.Site{s}); isClear && of.Kind == plan.String {
			words = of.Enum
		}
		r.choices[key] = words
	}
	return words
}
