package check

import (
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A checker checks one ruleset.
type checker struct {
	*language
	parser *syntax.Parser
	out    *Ruleset
	sites  map[*book.Text]*site // every text that an author wrote as a formula
	open   []Object             // those that are being typed, each read by the one before
}

// Check finds the names and the types of a ruleset. It closes the shapes the strings of which are keys of a table: their
// Enum is filled in. The result is to be lowered only when diags has no error; what could not be typed is nil in it.
func Check(b *book.Ruleset, diags *diag.List) *Ruleset {
	c := &checker{
		language: newLanguage(b, Profile{}, diags), parser: syntax.NewParser(),
		out: &Ruleset{Book: b}, sites: map[*book.Text]*site{},
	}
	(&collector{language: c.language, out: c.out}).collectDefinitions()
	c.out.Character = characterType(b.Character)
	c.checkDefinitions()
	if !diags.Failed() {
		newBounder(c.out, diags).checkBounds()
	}
	return c.out
}

// checkDefinitions types the definitions kind by kind. Tables read no formulas, functions call tables and functions, traits
// call both, and rules read everything, so that whatever a formula needs has been typed, or is of its own kind and is
// typed when it is met.
func (c *checker) checkDefinitions() {
	for _, t := range c.out.Tables {
		c.checkTable(t)
	}
	for _, f := range c.out.Functions {
		c.resolveFunction(f)
	}
	for _, t := range c.out.Traits {
		c.resolveTrait(t)
	}
	for _, f := range c.out.Functions { // which may ask characters for their traits
		c.completeObject(f, plan.Place{})
	}
	for _, t := range c.out.Traits {
		c.completeObject(t, plan.Place{})
	}
	for _, x := range c.out.Rules {
		c.completeObject(x, plan.Place{})
	}
	for _, p := range c.book.Procedures {
		c.out.Procedures = append(c.out.Procedures, c.checkProcedure(p))
	}
}

func characterType(s *plan.Shape) *plan.Type {
	if s == nil {
		return &plan.Type{Kind: plan.Record, Character: true}
	}
	t := s.Type()
	t.Character = true
	return t
}

// typeOfShape is the type of what a shape admits; all characters share one.
func (c *checker) typeOfShape(s *plan.Shape) *plan.Type {
	switch {
	case s == nil:
		return &plan.Type{Kind: plan.Record}
	case s.Character:
		return c.out.Character
	case s.Kind == plan.List:
		return plan.ListOf(c.typeOfShape(s.Elem))
	case s.Kind == plan.Map:
		return plan.MapOf(c.typeOfShape(s.Elem))
	case s.Kind != plan.Record:
		return s.Type()
	}
	t := &plan.Type{Kind: plan.Record}
	for _, m := range s.Fields {
		t.Fields = append(t.Fields, plan.Field{Name: m.Name, Type: c.typeOfShape(m.Shape), Optional: m.Optional})
	}
	return t
}

// newScope opens a scope that lies in no other: it has the options, and what is given there.
func (c *checker) newScope(given ...Object) *Scope {
	t := &plan.Type{Kind: plan.Record}
	for _, o := range c.out.Options {
		t.Fields = append(t.Fields, plan.Field{Name: o.name, Type: o.typ})
	}
	return newScope(nil, append(given, &OptionSet{header{name: "option", typ: t}})...)
}

// newGiven is the name of a record that comes with a request.
func (c *checker) newGiven(root plan.Root, name string, shape *plan.Shape) *Given {
	g := &Given{header: header{name: name, typ: c.typeOfShape(shape)}, Root: root, Shape: shape}
	if shape != nil {
		g.place = shape.Place
	}
	return g
}

func (c *checker) newCharacter() *Given {
	return &Given{header: header{name: "character", typ: c.out.Character}, Root: plan.CharacterRoot, Shape: c.book.Character}
}

// declareName adds a name to a scope, in which and around which no name may stand twice.
func (c *checker) declareName(s *Scope, subject string, o Object) {
	old := s.findObject(o.Name())
	if old == nil {
		s.names[o.Name()] = o
		return
	}
	d := c.diags.Addf("name-taken", o.Place(), subject, "%s is already the name of %s", o.Name(), describeObject(old))
	if old.Place().File != "" {
		d.Related = append(d.Related, diag.Related{Place: old.Place(), Message: "the other " + o.Name()})
	}
}

func (c *checker) resolveFunction(f *Function) {
	s := c.newScope()
	for i := range f.Book.Params {
		p := &f.Book.Params[i]
		param := &Param{header{name: p.Name, place: p.Place, typ: c.parameterType(&p.Type, "function "+f.name)}}
		f.Params = append(f.Params, param)
		c.declareName(s, "function "+f.name, param)
	}
	c.resolveFormula(&f.Book.Formula, s, "function "+f.name)
}

func (c *checker) typeFunction(f *Function) {
	f.Formula = c.typeFormula(&f.Book.Formula, nil)
	f.typ = f.Formula.Type()
	if c.callables[f.name] != f {
		return // the name is taken
	}
	args := make([]*types.Type, len(f.Params))
	for i, p := range f.Params {
		args[i] = c.types.toCEL(p.typ)
	}
	c.declareCallable(f.name, f.typ, map[string][]*types.Type{"apply_" + f.name: args})
}

func (c *checker) resolveTrait(t *Trait) {
	t.Self = c.newCharacter()
	c.resolveFormula(&t.Book.Formula, c.newScope(t.Self), "trait "+t.name)
}

func (c *checker) typeTrait(t *Trait) {
	t.Formula = c.typeFormula(&t.Book.Formula, nil)
	t.typ = t.Formula.Type()
	c.types.traits[t.name] = t
}
