package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
)

// Expression checks one expression outside a ruleset, in which the given names may be read. It gives nil when there is
// a problem, which is added to diags.
func Expression(text *book.Text, vars []*Var, p Profile, diags *diag.List) *Checked {
	return NewBench(vars, p).Expression(text, diags)
}

// A Bench checks many expressions that read the same names. It is not to be used by several goroutines at once.
type Bench struct {
	language *language
	scope    *scope
	parser   *syntax.Parser
}

// NewBench makes a bench for expressions that read the given names.
func NewBench(vars []*Var, p Profile) *Bench {
	l := newLanguage(p, nil)
	s := newScope(l.types, l.base, nil)
	for _, v := range vars {
		s.add(l.types, v)
	}
	return &Bench{language: l, scope: s, parser: syntax.NewParser()}
}

// Expression checks one expression; see the function of that name.
func (b *Bench) Expression(text *book.Text, diags *diag.List) *Checked {
	expr, wrong := b.parser.Parse(text.S)
	if wrong != nil {
		diags.Addf("syntax", text.At(wrong.Rune), "", "%s", wrong.Message)
		return nil
	}
	b.language.diags = diags
	checked := b.language.compile(text, expr, b.scope, "", nil)
	if checked != nil {
		g := guard{at: &formula{language: b.language, text: text}}
		g.walk(checked.Expr, known{})
	}
	if diags.Failed() {
		return nil
	}
	return checked
}
