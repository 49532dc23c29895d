package site

import "cuelang.org/go/cue/ast"

// PlainLoop returns the source of a comprehension that yields nothing but the names of a struct, for k, _ in x {k}, or the
// elements of a list, for k in x {k}; not ok of any other.
func PlainLoop(c *ast.Comprehension) (source ast.Expr, yieldsKey, ok bool) {
	if len(c.Clauses) != 1 {
		return nil, false, false
	}
	loop, isLoop := c.Clauses[0].(*ast.ForClause)
	body, isStruct := c.Value.(*ast.StructLit)
	if !isLoop || !isStruct || len(body.Elts) != 1 {
		return nil, false, false
	}
	embedded, isEmbedded := body.Elts[0].(*ast.EmbedDecl)
	if !isEmbedded {
		return nil, false, false
	}
	yielded, isName := embedded.Expr.(*ast.Ident)
	switch {
	case !isName:
	case loop.Key != nil && loop.Key.Name == yielded.Name:
		return loop.Source, true, true
	case loop.Value != nil && loop.Value.Name == yielded.Name:
		return loop.Source, false, true
	}
	return nil, false, false
}
