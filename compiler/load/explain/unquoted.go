package explain

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
)

// A formula is a string of CUE's. An author who forgets the quotes has written an expression of CUE's instead, of names
// that CUE does not know: nothing is misspelt then, and to propose names that CUE does know would mislead.

// formulaFields are the fields that hold formulas, or maps of formulas.
var formulaFields = []string{
	"expr", "let", "output", "require", "when", "next", "ends", "otherwise", "each", "count", "die", "roll", "times",
	"input", "character",
}

// An unquoted formula is an expression that stands where a formula does, and its text.
type unquoted struct {
	expr ast.Expr
	text string
}

// findUnquoted finds the formula without quotes that a name stands in.
//
// In output: damage: base + 2 the unknown name is base, the innermost field around it is damage,
// and its value "base + 2" is the formula; an outer field, output, is one that holds formulas. A
// name that begins with _ or # cannot be a name of a formula and is left to the message about
// unknown references. The fields around a node are kept in a stack, as CUE's nodes do not know
// their parents.
func (r *Reporter) findUnquoted(f *ast.File, id *ast.Ident) (found unquoted, ok bool) {
	if strings.HasPrefix(id.Name, "_") || strings.HasPrefix(id.Name, "#") {
		return unquoted{}, false
	}
	var path []*ast.Field // the fields around the node that is walked
	ast.Walk(f, func(n ast.Node) bool {
		x, isField := n.(*ast.Field)
		if isField {
			path = append(path, x)
		}
		if n == ast.Node(id) && len(path) > 0 {
			value := path[len(path)-1].Value
			if _, isStruct := value.(*ast.StructLit); !isStruct && slices.ContainsFunc(path, holdsFormulas) {
				found, ok = unquoted{value, r.sourceOf(value)}, true
			}
		}
		return !ok
	}, func(n ast.Node) {
		if _, isField := n.(*ast.Field); isField && !ok {
			path = path[:len(path)-1]
		}
	})
	return found, ok && found.text != ""
}

func holdsFormulas(x *ast.Field) bool {
	name, _, err := ast.LabelName(x.Label)
	return err == nil && slices.Contains(formulaFields, name)
}

// sourceOf is the text of an expression on one line, in which a string of CUE's is one of a formula; "" of a longer one.
func (r *Reporter) sourceOf(x ast.Expr) string {
	from, to := x.Pos(), x.End()
	text := r.FileNamed(from.Filename()).Text
	if !from.IsValid() || !to.IsValid() || to.Offset() > len(text) || from.Offset() >= to.Offset() {
		return ""
	}
	s := text[from.Offset():to.Offset()]
	if strings.ContainsAny(s, "\n\\'") {
		return ""
	}
	return strings.ReplaceAll(s, `"`, "'")
}
