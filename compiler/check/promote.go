package check

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
)

// promoteIntegers rewrites every operator that mixes an int and a double so that the int is converted, and reports whether
// there was one. The result is standard CEL once it is checked again.
//
// In post-order, as 1 + 2.5 * x must convert x before the sum is looked at; the sum itself has been typed by CEL already. A
// new node has the offset of the int that it wraps, so that an error points to the author's text.
func promoteIntegers(tree *ast.AST) bool {
	p := promoter{tree: tree, factory: ast.NewExprFactory()}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(p.promoteOperands))
	return p.next > 0
}

type promoter struct {
	tree    *ast.AST
	factory ast.ExprFactory
	next    int64 // id of the next node; 0 before the first
}

// promoteOperands converts the int among the operands of a mixed operator. CEL has decided on an overload by then, and
// the name of the overload says on which side the int stands.
func (p *promoter) promoteOperands(e ast.Expr) {
	ids := p.tree.GetOverloadIDs(e.ID())
	if e.Kind() != ast.CallKind || len(ids) != 1 {
		return
	}
	args := e.AsCall().Args()
	switch {
	case !isMixed(ids[0]):
	case strings.HasSuffix(ids[0], intDouble):
		args[0] = p.newConversion(args[0])
	default:
		args[1] = p.newConversion(args[1])
	}
}

// isMixed tells the mixed operators, which promotion replaces, from CEL's comparisons of an int with a double.
func isMixed(id string) bool {
	name, ok := strings.CutSuffix(id, intDouble)
	if !ok {
		name, ok = strings.CutSuffix(id, doubleInt)
	}
	switch name {
	case "add", "subtract", "multiply", "divide":
		return ok
	}
	return false
}

// newConversion returns an expression wrapped in double(x). The new node needs an id that no node has, and takes the place
// of the wrapped one, so that an error of the conversion points at the int.
func (p *promoter) newConversion(e ast.Expr) ast.Expr {
	if p.next == 0 {
		p.next = ast.MaxID(p.tree) + 1
	}
	info := p.tree.SourceInfo()
	if at, ok := info.GetOffsetRange(e.ID()); ok {
		info.SetOffsetRange(p.next, at)
	}
	call := p.factory.NewCall(p.next, overloads.TypeConvertDouble, e)
	p.next++
	return call
}
