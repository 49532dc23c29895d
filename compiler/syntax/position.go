package syntax

import (
	"math"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// CEL says of a node where its text begins, but not always where an author would point: an operator is at its sign, a
// selection at its dot, a call at its parenthesis, has(a.b) at its parenthesis too. What follows is the only code that
// knows this.

// Place returns where a node stands: a call and a field at the name, an operator at its sign.
func (e *Expr) Place(node ast.Expr) plan.Place {
	at := e.offset(node.ID())
	if node.Kind() == ast.SelectKind && at < len(e.runes) && e.runes[at] == '.' {
		return e.text.At(at + 1)
	}
	return e.text.At(e.nameOffset(at))
}

// FieldPlace returns where the name of the field stands that a node selects, also in has(a.b).
func (e *Expr) FieldPlace(node ast.Expr) plan.Place {
	at := e.offset(node.ID())
	if node.AsSelect().IsTestOnly() {
		at = e.offset(node.AsSelect().Operand().ID())
		for at+1 < len(e.runes) && isNameRune(e.runes[at]) {
			at++
		}
	}
	if at < len(e.runes) && e.runes[at] == '.' {
		at++
	}
	return e.text.At(at)
}

// Text returns a node as a formula has it, with blanks around operators and texts in single quotes; "" of what cannot be
// written. It is made from the tree, which knows where each node begins and of none where it ends.
func (e *Expr) Text(node ast.Expr) string {
	text, err := parser.Unparse(node, e.AST.SourceInfo(), parser.WrapOnColumn(math.MaxInt32))
	if err != nil {
		return ""
	}
	if !strings.Contains(text, "'") {
		text = strings.ReplaceAll(text, `"`, "'")
	}
	return text
}

// Start returns the place of the whole formula.
func (e *Expr) Start() plan.Place { return e.text.At(0) }

// offset counts from the beginning of the formula, in code points, as CEL does.
func (e *Expr) offset(id int64) int {
	r, _ := e.AST.SourceInfo().GetOffsetRange(id)
	return int(r.Start)
}

// nameOffset goes back from the parenthesis of a call to its name.
//
// A call whose parenthesis stands behind a blank, f (x), keeps the place of the parenthesis: going
// back over blanks would take the operator before a bracket for a name.
func (e *Expr) nameOffset(at int) int {
	if at >= len(e.runes) || e.runes[at] != '(' {
		return at
	}
	start := at
	for start > 0 && isNameRune(e.runes[start-1]) {
		start--
	}
	return start
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
