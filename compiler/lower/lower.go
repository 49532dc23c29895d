package lower

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// Options say what is made.
type Options struct {
	Revision string            // of the release; "" for none
	Rulings  map[string]string // option: the value that the release plays instead of the option's default
	Cover    bool              // mark the branches that formulas, requirements, guards and ends take
	// Functions says to make a graph of each function too, which cases of functions ask.
	Functions bool
}

// Ruleset returns the plan of a checked ruleset.
//
// Symbols are interned in the order in which they are met, so the order here decides a plan's bytes: options, tables,
// rules, procedures. The empty string is symbol 0, which a slot of a string also holds beside a fault.
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
	if o.Functions {
		for _, f := range r.Functions {
			p.out.Functions = append(p.out.Functions, p.lowerFunction(f, r.Tables))
		}
	}
	p.addEntries(r)
	return p.out
}

func newPlanner(o Options) *planner {
	p := &planner{
		out: &plan.Plan{}, symbols: map[string]int64{}, tables: map[*check.Table]int64{},
		options: map[*check.Option]int64{}, derived: map[string]int64{}, cover: o.Cover,
		terms: planfile.NewTermEncoder(),
	}
	p.internSymbol("")
	return p
}

// addOption adds an option. Book is the value that the book plays, Default the one that this release does when nobody
// chooses.
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

// lowerRule lowers a rule as the only thing in its graph: rules that use it write it out in theirs.
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

// Expression lowers one expression as the only rule of a plan, "expression": the variables that it reads, lets and dice
// among them, are the fields of its input, its output is "value", and the plan has the given options.
// Tests, the oracle and questions about a single condition use it.
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

// shapeOf makes a shape that admits every value of a type, for names that no author has described.
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
