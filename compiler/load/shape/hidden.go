package shape

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/load/site"
)

// Hidden fields and definitions stand for types and numbers that other fields refer to. One that reads fields, and that
// nothing refers to, is a check of CUE's:
//
//	#Input: {low: int, high: int, _ordered: true & (low <= high)}
//
// CUE carries it out where both are known, and whoever gives a character or an input in JSON is not held to it. So it is
// refused, with the requirement or the bound that says the same.

// reportHiddenChecks reports the hidden fields and definitions of a struct that read its fields and that nothing reads.
func (w *Reader) reportHiddenChecks(in site.Site) {
	lit := in.Expr.(*ast.StructLit)
	inside := in.Enter(lit)
	for _, d := range lit.Elts {
		decl, isField := d.(*ast.Field)
		if !isField {
			continue
		}
		f := site.DeclaredField(decl, inside)
		if f.IsHidden() && f.Site.ReadsFields() && !w.RefersTo(lit, f.Name) {
			w.reportUnsayable(w.PlaceOf(f.Label.Pos()), "nothing reads "+f.Name+", so that what it says of fields is not held").
				Repair = w.adviseCheck(f.Site)
		}
	}
}

// adviseCheck returns how a check of fields is written that holds: a bound in #Character, or else a requirement.
func (w *Reader) adviseCheck(s site.Site) string {
	root := "character"
	if w.character != nil {
		_, root, _ = strings.Cut(w.subject, ", #")
		root = strings.ToLower(root)
	}
	check := comparisonIn(s.Expr)
	formula := ""
	if check != nil && w.member == "" { // else the path of the struct is not known here
		formula = w.prefixFields(s, check, root)
	}
	if !strings.Contains(formula, root+".") { // it reads a let
		advice := fmt.Sprintf(`a rule requires it, with the message for the player before it: require: "low is above high": `+
			`"%s.low <= %[1]s.high"`, root)
		if w.character == nil {
			advice = "bound a field by others of its struct, high: >=low, or " + advice
		}
		return advice
	}
	if w.character == nil && turned[check.Op] != token.ILLEGAL {
		if path, isField := s.WithExpr(check.X).SiblingPath(); isField && len(path) == 1 {
			return "bound the field itself: " + path[0] + ": " + check.Op.String() + w.TextOf(check.Y)
		}
		if path, isField := s.WithExpr(check.Y).SiblingPath(); isField && len(path) == 1 {
			return "bound the field itself: " + path[0] + ": " + turned[check.Op].String() + w.TextOf(check.X)
		}
	}
	return fmt.Sprintf(`a rule requires it, with the message for the player before it: require: "...": "%s"`, formula)
}

// prefixFields returns the text of an expression at a site with the name of a record, as in input.low, before each field that
// it reads.
func (w *Reader) prefixFields(s site.Site, x ast.Expr, record string) string {
	text, begin, end := w.TextOf(x), x.Pos().Offset(), 0
	var out strings.Builder
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // of which the last name is none of the struct
			ast.Walk(n.X, visit, nil)
			return false
		case *ast.Ident:
			at := n.Pos().Offset() - begin
			if _, isField := s.WithExpr(n).SiblingPath(); isField && end <= at && at <= len(text) {
				out.WriteString(text[end:at] + record + ".")
				end = at
			}
		}
		return true
	}
	ast.Walk(x, visit, nil)
	return out.String() + text[end:]
}

// turned are the comparisons that hold with their sides turned round.
var turned = map[token.Token]token.Token{
	token.LEQ: token.GEQ, token.LSS: token.GTR, token.GEQ: token.LEQ, token.GTR: token.LSS,
}

// comparisonIn returns the comparison in an expression such as true & (a <= b); nil where there is none.
func comparisonIn(x ast.Expr) *ast.BinaryExpr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return comparisonIn(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.AND:
			if left := comparisonIn(x.X); left != nil {
				return left
			}
			return comparisonIn(x.Y)
		case token.LEQ, token.LSS, token.GEQ, token.GTR, token.EQL, token.NEQ:
			return x
		}
	}
	return nil
}
