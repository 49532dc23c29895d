package lower

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Options say what is made.
type Options struct {
	Revision string            // of the release; "" for none
	Rulings  map[string]string // option: the value that the release plays instead of the option's default
	Cover    bool              // mark the branches that formulas, requirements, guards and ends take
}

// A planner makes one plan.
type planner struct {
	out     *plan.Plan
	symbols map[string]int64
	tables  map[*check.Table]int64
	options map[*check.Option]int64
	// notations are the tables that lowering makes of dice as data, by their ids.
	notations map[string]int64
	cover     bool
}

// Ruleset lowers a checked ruleset.
func Ruleset(r *check.Ruleset, o Options) *plan.Plan {
	p := newPlanner(o)
	b := r.Book
	p.out.Ruleset, p.out.Title, p.out.Doc, p.out.Book, p.out.Author = b.ID, b.Title, b.Doc, b.Book, b.Author
	p.out.Revision, p.out.Character, p.out.Overlays = o.Revision, b.Character, b.Overlays
	p.internEnums(b.Character)
	for _, x := range r.Options {
		p.addOption(x, o.Rulings[x.Book.ID])
	}
	for _, t := range r.Tables {
		p.tableIndex(t)
	}
	for _, x := range r.Rules {
		p.out.Rules = append(p.out.Rules, p.lowerRule(x))
	}
	for _, x := range r.Procedures {
		p.out.Procedures = append(p.out.Procedures, p.lowerProcedure(x))
	}
	p.addEntries(r)
	return p.out
}

func newPlanner(o Options) *planner {
	p := &planner{
		out: &plan.Plan{}, symbols: map[string]int64{}, tables: map[*check.Table]int64{},
		options: map[*check.Option]int64{}, notations: map[string]int64{}, cover: o.Cover,
	}
	p.internSymbol("")
	return p
}

// internSymbol is the number of a string.
func (p *planner) internSymbol(s string) int64 {
	id, ok := p.symbols[s]
	if !ok {
		id = int64(len(p.out.Symbols))
		p.symbols[s] = id
		p.out.Symbols = append(p.out.Symbols, s)
	}
	return id
}

// internType is the number of a layout in the plan.
func (p *planner) internType(t *plan.Type) int64 {
	i := slices.IndexFunc(p.out.Types, func(u *plan.Type) bool { return sameLayout(t, u) })
	if i < 0 {
		i = len(p.out.Types)
		p.out.Types = append(p.out.Types, t)
	}
	return int64(i)
}

// internEnums gives a symbol to every string that a shape admits, so that reading compares numbers.
func (p *planner) internEnums(s *plan.Shape) {
	for _, e := range s.Enum {
		p.internSymbol(e)
	}
	if s.Elem != nil {
		p.internEnums(s.Elem)
	}
	for _, m := range s.Fields {
		p.internEnums(m.Shape)
	}
}

func (p *planner) addOption(o *check.Option, ruling string) {
	out := plan.Option{ID: o.Book.ID}
	for i, v := range o.Book.Values {
		out.Values = append(out.Values, v.Name)
		out.Symbols = append(out.Symbols, p.internSymbol(v.Name))
		if v.Name == o.Book.Default.S {
			out.Book = i
		}
	}
	out.Default = out.Book
	if ruling != "" {
		out.Default = slices.Index(out.Values, ruling)
	}
	p.options[o] = int64(len(p.out.Options))
	p.out.Options = append(p.out.Options, out)
}

// tableIndex is a table's number in the plan.
func (p *planner) tableIndex(t *check.Table) int64 {
	i, ok := p.tables[t]
	if !ok {
		i = int64(len(p.out.Tables))
		p.tables[t] = i
		p.out.Tables = append(p.out.Tables, p.newTable(t))
		if t.Across != nil {
			p.tableIndex(t.Across)
			p.addCellTable(t)
		}
	}
	return i
}

// addCellTable adds the cells of a table with two keys as the rows of a table of their own, right behind that of the
// columns: cell c of row r of n columns is row r * n + c there. Then reading a cell whose column is known only at run time
// is the operation that reads cells of every table, and no pass, machine or analysis needs another one.
func (p *planner) addCellTable(t *check.Table) {
	cells := p.out.Tables[p.tables[t]].Cells
	p.out.Tables = append(p.out.Tables, plan.IndexedTable(t.Name()+" cells", cellRowType(t), cells))
}

// cellRowType is a row of the table of cells.
func cellRowType(t *check.Table) *plan.Type {
	return &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "cell", Type: t.Type()}}}
}

// cellTableIndex is the number of the table of cells in the plan.
func (p *planner) cellTableIndex(t *check.Table) int64 { return p.tableIndex(t.Across) + 1 }

func (p *planner) newTable(t *check.Table) plan.Table {
	b := t.Book
	out := plan.Table{ID: b.ID, Kind: b.Kind, Row: t.Row}
	if b.IsAcross {
		out.ID = plan.AcrossID(b.ID)
	}
	switch {
	case b.Over.Range:
		out.Bounded, out.OverMin, out.OverMax = true, b.Over.Min, b.Over.Max
	case b.Over.Dice.Written():
		out.Bounded, out.OverMin, out.OverMax = true, float64(t.OverMin), float64(t.OverMax)
	}
	for i := range b.Rows {
		p.addRow(&out, b, &b.Rows[i])
	}
	out.Order = rowOrder(&out)
	return out
}

func (p *planner) addRow(out *plan.Table, t *book.Table, r *book.Row) {
	p.appendKey(out, r.RowKey)
	for i, c := range r.Cells {
		out.Cells = append(out.Cells, p.jsonSlots(decodeJSON(c.JSON), t.Columns[i].Shape)...)
	}
}

// appendKey gives a table the key of its next row.
func (p *planner) appendKey(out *plan.Table, k plan.RowKey) {
	if out.Kind.HasNumbers() {
		out.Lo, out.Hi, out.Above = append(out.Lo, k.Lo), append(out.Hi, k.Hi), append(out.Above, k.Above)
		return
	}
	out.Keys = append(out.Keys, p.internSymbol(k.Key))
}

// rowOrder is the rows by their limits; a limit that must be reached stands before the same limit that must be passed.
func rowOrder(t *plan.Table) []int32 {
	out := make([]int32, len(t.Lo))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(a, b int32) int {
		switch {
		case t.Lo[a] < t.Lo[b]:
			return -1
		case t.Lo[a] > t.Lo[b]:
			return 1
		case t.Above[a] == t.Above[b]:
			return 0
		case t.Above[b]:
			return -1
		}
		return 1
	})
	return out
}

func (p *planner) lowerRule(r *check.Rule) plan.Rule {
	p.internEnums(r.Book.Input)
	b := newBuilder(p)
	s := b.newScope("rule "+r.Book.ID, r.Book.Cite.S)
	s.bindRoot(r.Character, plan.CharacterRoot, p.out.Character)
	s.self = s.vars[r.Character]
	s.bindRoot(r.Input, plan.InputRoot, r.Book.Input)
	b.g.Outputs = s.lowerBody(r.Body, r.Type())
	s.countLets()
	return plan.Rule{ID: r.Book.ID, Cite: r.Book.Cite.S, Input: r.Book.Input, Graph: s.graph()}
}

// bindRoot makes a name stand for a root.
func (s *scope) bindRoot(v *check.Given, root plan.Root, shape *plan.Shape) {
	if v != nil && shape != nil {
		s.vars[v] = s.readRoot(root, shape.Type())
	}
}

// Expression lowers one expression as the only rule of a plan, "expression": the variables that it reads, lets and dice
// among them, are the fields of its input, its output is "value", and the plan has the given options.
func Expression(e *check.Expr, names []check.Object, options ...*check.Option) *plan.Plan {
	p := newPlanner(Options{})
	p.out.Ruleset = "expression"
	for _, o := range options {
		p.addOption(o, "")
	}
	b := newBuilder(p)
	s := b.newScope("expression", "")
	in := &plan.Shape{Kind: plan.Record}
	t := &plan.Type{Kind: plan.Record}
	for _, v := range names {
		in.Fields = append(in.Fields, plan.Member{Name: v.Name(), Shape: shapeOf(v.Type())})
		t.Fields = append(t.Fields, plan.Field{Name: v.Name(), Type: v.Type()})
	}
	p.internEnums(in)
	root := s.readRoot(plan.InputRoot, t)
	for i, v := range names {
		s.vars[v] = root.Fields[i]
		if let, ok := v.(*check.Let); ok {
			s.memo[let] = root.Fields[i]
		}
	}
	v := s.lowerExpr(e)
	out := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "value", Type: v.Type}}}
	b.g.Outputs = s.settleLayout(newRecord(out, []plan.Value{v}))
	p.out.Character = &plan.Shape{Kind: plan.Record}
	p.out.Rules = []plan.Rule{{ID: "expression", Input: in, Graph: b.g}}
	return p.out
}

// shapeOf is a shape that admits every value of a type.
func shapeOf(t *plan.Type) *plan.Shape {
	s := &plan.Shape{Kind: t.Kind, MaxItems: math.MaxInt32, Enum: t.Enum, Character: t.Character}
	if t.Elem != nil {
		s.Elem = shapeOf(t.Elem)
	}
	for _, f := range t.Fields {
		s.Fields = append(s.Fields, plan.Member{Name: f.Name, Shape: shapeOf(f.Type), Optional: f.Optional})
	}
	return s
}
