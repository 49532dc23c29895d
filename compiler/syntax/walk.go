package syntax

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// A walker collects what an expression refers to. Bound holds the variables of the macros around it.
type walker struct {
	expr  *Expr
	runes []rune
	bound []string
}

func (w *walker) walk(e ast.Expr) {
	switch e.Kind() {
	case ast.IdentKind:
		w.ref(e, nil)
	case ast.SelectKind:
		w.selects(e)
	case ast.CallKind:
		w.call(e)
	case ast.ListKind:
		w.each(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			w.walk(entry.AsMapEntry().Key())
			w.walk(entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, entry := range e.AsStruct().Fields() {
			w.walk(entry.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		w.macro(e)
	}
}

func (w *walker) each(list []ast.Expr) {
	for _, e := range list {
		w.walk(e)
	}
}

// selects reports a chain of fields with the name that it begins with.
func (w *walker) selects(e ast.Expr) {
	var path []Step
	for e.Kind() == ast.SelectKind {
		s := e.AsSelect()
		w.expr.Fields[s.FieldName()] = true
		path = append(path, Step{Name: s.FieldName(), Rune: w.fieldOffset(e)})
		e = s.Operand()
	}
	if e.Kind() != ast.IdentKind {
		w.walk(e)
		return
	}
	slices.Reverse(path)
	w.ref(e, path)
}

// fieldOffset is where the name of a selected field begins: after the dot, and in has(a.b), which CEL places at its
// parenthesis, after the dot behind the operand.
func (w *walker) fieldOffset(e ast.Expr) int {
	at := w.offset(e)
	if e.AsSelect().IsTestOnly() {
		at = w.offset(e.AsSelect().Operand())
		for at+1 < len(w.runes) && isName(w.runes[at]) {
			at++
		}
	}
	if at < len(w.runes) && w.runes[at] == '.' {
		at++
	}
	return at
}

func (w *walker) ref(e ast.Expr, path []Step) {
	name := e.AsIdent()
	if slices.Contains(w.bound, name) {
		return
	}
	w.expr.Refs = append(w.expr.Refs, Ref{Name: name, Rune: w.offset(e), Path: path})
}

func (w *walker) call(e ast.Expr) {
	c := e.AsCall()
	name := c.FunctionName()
	if _, operator := operators.FindReverse(name); !operator && name[0] != '@' {
		w.expr.Calls = append(w.expr.Calls, Call{Name: name, Rune: NameOffset(w.runes, w.offset(e)), Member: c.IsMemberFunction()})
	}
	if c.IsMemberFunction() {
		w.walk(c.Target())
	}
	w.each(c.Args())
}

// macro walks a comprehension. Its accumulator has a name that no author can write, and is bound like its variable.
func (w *walker) macro(e ast.Expr) {
	c := e.AsComprehension()
	w.walk(c.IterRange())
	w.expr.Binds = append(w.expr.Binds, Bind{Name: c.IterVar(), Rune: w.offset(e) + 1})
	w.bound = append(w.bound, c.IterVar(), c.AccuVar())
	w.walk(c.LoopStep())
	w.bound = w.bound[:len(w.bound)-2]
}

func (w *walker) offset(e ast.Expr) int { return Offset(w.expr.AST, e.ID()) }

// Offset is the place of a node that CEL gives: of an operator its sign, of a selection its dot, of a call its parenthesis.
func Offset(tree *ast.AST, id int64) int {
	r, _ := tree.SourceInfo().GetOffsetRange(id)
	return int(r.Start)
}

// NameOffset is where the name of a call begins: CEL places a call at its parenthesis.
func NameOffset(text []rune, at int) int {
	if at >= len(text) || text[at] != '(' {
		return at
	}
	start := at
	for start > 0 && isName(text[start-1]) {
		start--
	}
	return start
}

func isName(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
