package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerFunction lowers a function as the only thing in a graph, for its cases: the input has the parameters, and the output
// is "value". Formulas that call the function do not refer to it, since they have the function written out.
func (p *planner) lowerFunction(f *check.Function, tables []*check.Table) plan.Rule {
	b := newBuilder(p)
	s := b.newScope("function "+f.Book.ID, f.Book.Cite.S)
	in := &plan.Shape{Kind: plan.Record}
	for _, x := range f.Params {
		in.Fields = append(in.Fields, plan.Member{Name: x.Name(), Shape: p.parameterShape(x, tables)})
	}
	p.internEnums(in)
	root := s.readRoot(plan.InputRoot, in.Type())
	for i, x := range f.Params {
		s.vars[x] = root.Fields[i]
		if t := tableOfRow(x, tables); t != nil {
			table := p.tableIndex(t)
			s.vars[x] = s.readRow(table, t.Row, s.opImm(plan.OpRow, plan.Int, table, root.Fields[i].ID))
		}
	}
	s.inPart("", formulaText(f.Formula.Book), func() {
		v := s.lowerExpr(f.Formula.Expr)
		out := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "value", Type: v.Type}}}
		b.g.Outputs = s.settleLayout(newRecord(out, []plan.Value{v}))
	})
	return plan.Rule{ID: f.Book.ID, Cite: f.Book.Cite.S, Input: in, Graph: s.graph()}
}

// parameterShape returns the shape of an argument. A row of a keyed table is given by its key, and a character as all
// characters are.
func (p *planner) parameterShape(x *check.Param, tables []*check.Table) *plan.Shape {
	if t := tableOfRow(x, tables); t != nil {
		out := &plan.Shape{Kind: plan.String, KeyOf: t.Book.ID}
		for i := range t.Book.Rows {
			out.Enum = append(out.Enum, t.Book.Rows[i].Key)
		}
		return out
	}
	if x.Type().Character {
		return p.out.Character
	}
	return shapeOf(x.Type())
}

// tableOfRow returns the keyed table of whose rows a parameter is one; nil where it is no such row.
func tableOfRow(x *check.Param, tables []*check.Table) *check.Table {
	i := slices.IndexFunc(tables, func(t *check.Table) bool { return t.Row == x.Type() && t.Book.Kind == plan.KeyedTable })
	if i < 0 {
		return nil
	}
	return tables[i]
}
