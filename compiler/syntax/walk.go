package syntax

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// A walker collects what an expression refers to. Bound holds the variables of the macros around the node.
//
// A name is free or bound by the macros around it, and by nothing else: formulas have no other
// binders. The stack of bound names grows and shrinks with the walk, as the depth is bounded.
type walker struct {
	*Expr
	bound []string
}

// walk visits a node and its descendants, and notes the names and the functions that they read.
func (w *walker) walk(e ast.Expr) {
	switch e.Kind() {
	case ast.IdentKind:
		w.addRef(e, nil)
	case ast.SelectKind:
		w.walkSelection(e)
	case ast.CallKind:
		w.walkCall(e)
	case ast.ListKind:
		w.walkAll(e.AsList().Elements())
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
		w.walkMacro(e)
	}
}

func (w *walker) walkAll(list []ast.Expr) {
	for _, e := range list {
		w.walk(e)
	}
}

// walkSelection notes a chain of fields with the name that it begins with.
func (w *walker) walkSelection(e ast.Expr) {
	var path []Step
	for e.Kind() == ast.SelectKind {
		path = append(path, Step{Name: e.AsSelect().FieldName(), Place: w.FieldPlace(e)})
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		w.walk(e)
		return
	}
	slices.Reverse(path)
	w.addRef(e, path)
}

func (w *walker) addRef(e ast.Expr, path []Step) {
	if name := e.AsIdent(); !slices.Contains(w.bound, name) {
		w.Refs = append(w.Refs, Ref{Name: name, Place: w.Place(e), Offset: w.offset(e.ID()), Path: path})
	}
}

// walkCall visits the operands of a call, the receiver first.
func (w *walker) walkCall(e ast.Expr) {
	c := e.AsCall()
	name := c.FunctionName()
	if _, operator := operators.FindReverse(name); !operator && name[0] != '@' {
		at := w.nameOffset(w.offset(e.ID()))
		w.Calls = append(w.Calls, Call{Expr: e, Name: name, Place: w.text.At(at), Offset: at, Member: c.IsMemberFunction()})
	}
	if c.IsMemberFunction() {
		w.walk(c.Target())
	}
	w.walkAll(c.Args())
}

// walkMacro walks a comprehension. Its accumulator is bound like its variable; but for that of a fold it has a name that no
// author can write.
//
// The range of a macro is walked before its variable is bound, because it is evaluated outside: in
// xs.map(x, x) over a list that is called x, too, the first x is free.
func (w *walker) walkMacro(e ast.Expr) {
	c := e.AsComprehension()
	w.walk(c.IterRange())
	w.Binds = append(w.Binds, Bind{Name: c.IterVar(), Place: w.text.At(w.offset(e.ID()) + 1)})
	if IsFold(c) {
		w.walk(c.AccuInit())
		w.Binds = append(w.Binds, Bind{Name: c.AccuVar(), Place: w.text.At(w.offset(e.ID()) + 1)})
	}
	w.bound = append(w.bound, c.IterVar(), c.AccuVar())
	w.walk(c.LoopStep())
	w.bound = w.bound[:len(w.bound)-2]
}
