package judge

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// orderOfOutput returns the words of the choice that an output of a rule is; nil of any other. "The words of a choice,
// "poor" | "fair" | "good", a column or the keys of a table, or the values of an option, go by the order in which they are
// written": a word in quotes that stands for such an output is one of them.
func (r *Ruleset) orderOfOutput(x *rule, name string) []string {
	for _, list := range [][]named{x.lets, x.outputs} {
		for _, n := range list {
			if n.name == name && n.text != name {
				return r.orderOf(x, n.formula)
			}
		}
	}
	return nil
}

func (r *Ruleset) orderOf(x *rule, f formula) []string {
	for _, c := range f.cases {
		if order := r.orderOf(x, c.(formula)); order != nil {
			return order
		}
	}
	if e, err := r.parseFormula(f.text); err == nil && f.text != "" {
		return r.orderOfExpr(x, e)
	}
	return nil
}

func (r *Ruleset) orderOfExpr(x *rule, e ast.Expr) []string {
	switch e.Kind() {
	case ast.IdentKind:
		return r.orderOfOutput(x, e.AsIdent())
	case ast.CallKind:
		c := e.AsCall()
		if c.FunctionName() == operators.Conditional {
			if order := r.orderOfExpr(x, c.Args()[1]); order != nil {
				return order
			}
			return r.orderOfExpr(x, c.Args()[2])
		}
		if t := r.tables[c.FunctionName()]; t != nil {
			return t.orderOfCell(t.gives)
		}
	case ast.SelectKind:
		s := e.AsSelect()
		if order := r.orderOfColumn(s.Operand(), s.FieldName()); order != nil {
			return order
		}
		path, _ := pathOf(e)
		return r.orderAt(x, path)
	}
	return nil
}

// orderOfColumn returns the words of a column of the row that a formula gives: of a table, or of one of two tables that a
// condition chooses.
func (r *Ruleset) orderOfColumn(row ast.Expr, column string) []string {
	if row.Kind() != ast.CallKind {
		return nil
	}
	c := row.AsCall()
	if c.FunctionName() == operators.Conditional {
		if order := r.orderOfColumn(c.Args()[1], column); order != nil {
			return order
		}
		return r.orderOfColumn(c.Args()[2], column)
	}
	if t := r.tables[c.FunctionName()]; t != nil {
		return t.orderOfCell(column)
	}
	return nil
}

// orderAt returns the words of a field of the character or the input, or of an output of a use.
func (r *Ruleset) orderAt(x *rule, path []string) []string {
	if len(path) < 2 {
		return nil
	}
	f := map[string]*field{"input": x.input, "character": r.character}[path[0]]
	for _, name := range path[1:] {
		if f != nil {
			f = f.fieldNamed(name)
		}
	}
	if f != nil {
		return f.wordsIn(r)
	}
	for _, c := range x.chances {
		if c.id == path[0] && c.use != nil {
			return r.orderOfOutput(r.rules[c.use.rule], path[1])
		}
	}
	return nil
}

func (t *table) orderOfCell(column string) []string {
	for _, x := range t.rows {
		if len(x.crossed) > 0 {
			w, _ := x.crossed[0].(word)
			return w.order
		}
		if w, isWord := x.cells.fields[column].(word); isWord {
			return w.order
		}
	}
	return nil
}
