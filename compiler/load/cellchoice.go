package load

import (
	"slices"
	"strings"

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
		case areOpposed(words, said):
			n.addf("table-type", "%s is of two choices with orders of their own: %s; and %s", n.name, strings.Join(words, ", "),
				strings.Join(said, ", ")).Repair = oneOrder
			return nil
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

// oneOrder is the repair for words of two choices.
const oneOrder = "keep one of the two choices, or write their words in one order"

// areOpposed reports whether two choices have words in common that each has in another order.
func areOpposed(a, b []string) bool {
	last := -1
	for _, w := range b {
		at := slices.Index(a, w)
		if at >= 0 && at < last {
			return true
		}
		last = max(last, at)
	}
	return false
}

// choiceOf returns the words of which the strings of a cell are said to be, or those in its lists.
func choiceOf(s *plan.Shape) []string {
	for s.Kind == plan.List && s.Elem != nil {
		s = s.Elem
	}
	return s.Enum
}

// reportOpposed reports the first cell of a column that is said to be of a choice with another order than that of a cell
// before it.
func reportOpposed(column []tableCell) {
	var choices []tableCell // the first cell of each
	for _, cell := range column {
		words := choiceOf(cell.shape)
		if words == nil || slices.ContainsFunc(choices, func(c tableCell) bool { return slices.Equal(choiceOf(c.shape), words) }) {
			continue
		}
		for _, first := range choices {
			if others := choiceOf(first.shape); areOpposed(others, words) {
				cell.row.r.addf("table-type", cell.node.placeOf(), cell.row.subject,
					"%s of row %s is of a choice in the order %s, and %s of row %s of one in the order %s", cell.node.name,
					cell.row.rowLabel(), strings.Join(words, ", "), first.node.name, first.row.rowLabel(), strings.Join(others, ", ")).
					Repair = oneOrder
				return
			}
		}
		choices = append(choices, cell)
	}
}
