package check

import (
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Checked is an expression in both forms: the tree that is lowered, and the standard CEL that it was made from, for a
// reference implementation to run.
type Checked struct {
	Text *book.Text
	Expr *Expr
	Vars []*Var   // what it reads, each once, in the order of the text; options not among them
	AST  *ast.AST // checked; an int meets a double only behind double(...)
}

// A language is what formulas of one ruleset are checked with.
type language struct {
	types     *registry
	base      *checker.Env
	profile   Profile
	options   map[string]*Var
	tables    map[string]*TableDef
	functions map[string]*FunctionDef
	ruleset   *book.Ruleset // nil for an expression outside of one
	diags     *diag.List
}

func newLanguage(p Profile, diags *diag.List) *language {
	l := &language{
		types: newRegistry(), profile: p, diags: diags,
		options: map[string]*Var{}, tables: map[string]*TableDef{}, functions: map[string]*FunctionDef{},
	}
	l.base = newEnv(l.types, p)
	return l
}

// A formula is an expression to be checked: where it stands, and of what type it is wanted, if that is known.
type formula struct {
	*language
	text    *book.Text
	runes   []rune
	subject string
	scope   *scope
	tree    *ast.AST
	macros  []*Var // the variables of the macros around the node that is built
	broken  bool
}

// compile checks a parsed expression; it gives nil when there is a problem, which has been reported.
func (l *language) compile(text *book.Text, expr *syntax.Expr, s *scope, subject string, want *plan.Type) *Checked {
	source := common.NewTextSource(text.S)
	f := &formula{language: l, text: text, runes: []rune(text.S), subject: subject, scope: s}
	tree, errs := checker.Check(expr.AST, source, s.env)
	f.tree = tree
	if found := errs.GetErrors(); len(found) > 0 {
		f.report(found)
		return nil
	}
	if promote(tree) {
		f.tree, errs = checker.Check(tree, source, s.env)
		if found := errs.GetErrors(); len(found) > 0 {
			panic("check: a promoted formula does not check: " + found[0].Message)
		}
	}
	e := f.build(f.tree.Expr(), want)
	if f.broken {
		return nil
	}
	return &Checked{Text: text, Expr: e, Vars: f.reads(expr), AST: f.tree}
}

func (f *formula) reads(expr *syntax.Expr) []*Var {
	var out []*Var
	seen := map[*Var]bool{}
	for _, ref := range expr.Refs {
		if v := f.scope.find(ref.Name); v != nil && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// place is where a node stands: a call and a field at the name, an operator at its sign.
func (f *formula) place(e ast.Expr) plan.Place {
	at := syntax.Offset(f.tree, e.ID())
	if e.Kind() == ast.SelectKind && at < len(f.runes) && f.runes[at] == '.' {
		return f.text.At(at + 1)
	}
	return f.text.At(syntax.NameOffset(f.runes, at))
}

func (f *formula) addf(code diag.Code, at plan.Place, format string, args ...any) *diag.Diagnostic {
	f.broken = true
	return f.diags.Addf(code, at, f.subject, format, args...)
}
