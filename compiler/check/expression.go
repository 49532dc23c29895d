package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
)

// CheckExpression checks one expression outside of a ruleset, in which the given names may be read. It gives nil when there
// is a problem, which is added to diags.
func CheckExpression(text *book.Text, names []*Param, p Profile, diags *diag.List) *Tree {
	tree := NewExpressionChecker(names, p).Check(text, diags)
	if tree != nil {
		checkGuards(tree, diags)
	}
	return tree
}

// An ExpressionChecker checks many expressions that read the same names. It is not to be used by several goroutines at
// once.
type ExpressionChecker struct {
	language *language
	scope    *Scope
	parser   *syntax.Parser
}

// NewExpressionChecker makes a checker of expressions that read the given names.
func NewExpressionChecker(names []*Param, p Profile) *ExpressionChecker {
	c := &ExpressionChecker{language: newLanguage(nil, p, nil), scope: newScope(nil), parser: syntax.NewParser()}
	for _, n := range names {
		c.scope.names[n.name] = n
	}
	return c
}

// Check checks one expression; see CheckExpression.
func (c *ExpressionChecker) Check(text *book.Text, diags *diag.List) *Tree {
	c.language.diags = diags
	s := c.language.newSite(c.parser, text, c.scope, "")
	if s == nil {
		s = &site{text: text}
		diags.Addf("syntax", text.At(0), "", "an expression is expected")
	}
	if s.expr == nil {
		return nil
	}
	return c.language.typeSite(s, nil)
}
