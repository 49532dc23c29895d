// Package check turns a resolved ruleset into a typed tree. Formulas are typed by CEL's checker in one environment per
// ruleset, extended per scope; what comes out is ours, and no later phase sees CEL. Only packages under compiler/check
// import it.
//
// Invariant: in a ruleset that was checked without an error every expression has a type without an open part, every
// reference leads to something checked, and an operation gets operands of the types it takes.
package check

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Run checks a resolved ruleset. The result is to be lowered only when diags has no error.
func Run(r *resolve.Ruleset, diags *diag.List) *Ruleset {
	c := &pass{
		language: newLanguage(Profile{}, diags),
		names:    r,
		out:      &Ruleset{Book: r.Book},
		scopes:   map[*resolve.Scope]*scope{},
		bound:    map[*resolve.Entity]bool{},
		shapes:   map[*Var]*plan.Shape{},
		rules:    map[*book.Rule]*RuleDef{},
	}
	c.language.ruleset = r.Book
	c.ruleset()
	return c.out
}

// A pass checks one ruleset. Definitions are checked in the order of resolve, each after those it refers to.
type pass struct {
	*language
	names  *resolve.Ruleset
	out    *Ruleset
	scopes map[*resolve.Scope]*scope
	bound  map[*resolve.Entity]bool
	shapes map[*Var]*plan.Shape // what is given: characters, inputs, events, states
	rules  map[*book.Rule]*RuleDef
}

func (c *pass) ruleset() {
	b := c.names.Book
	c.out.Character = c.character()
	for _, o := range b.Options {
		c.out.Options = append(c.out.Options, c.option(o))
	}
	for _, t := range b.Tables {
		c.out.Tables = append(c.out.Tables, c.table(t))
	}
	functions := map[*book.Function]*FunctionDef{}
	for _, f := range c.names.Functions {
		functions[f] = c.function(f)
	}
	traits := map[*book.Trait]*TraitDef{}
	for _, t := range c.names.Traits {
		traits[t] = c.trait(t)
	}
	for _, x := range c.names.Rules {
		c.rule(x)
	}
	c.echoes()
	for _, p := range b.Procedures {
		c.out.Procedures = append(c.out.Procedures, c.procedure(p))
	}
	c.inOrder(functions, traits)
	c.mapKeys()
	if !c.diags.Failed() {
		c.sizes()
	}
	if !c.diags.Failed() {
		c.totality()
	}
}

// inOrder lists definitions in the author's order.
func (c *pass) inOrder(functions map[*book.Function]*FunctionDef, traits map[*book.Trait]*TraitDef) {
	for _, f := range c.names.Book.Functions {
		c.out.Functions = append(c.out.Functions, functions[f])
	}
	for _, t := range c.names.Book.Traits {
		c.out.Traits = append(c.out.Traits, traits[t])
	}
	for _, x := range c.names.Book.Rules {
		c.out.Rules = append(c.out.Rules, c.rules[x])
	}
}

func (c *pass) character() *plan.Type {
	if c.names.Book.Character == nil {
		return &plan.Type{Kind: plan.Record, Character: true}
	}
	t := c.names.Book.Character.Type()
	t.Character = true
	return t
}

// typeOf is the type of a shape; all characters share one.
func (c *pass) typeOf(s *plan.Shape) *plan.Type {
	switch {
	case s == nil:
		return &plan.Type{Kind: plan.Record}
	case s.Character:
		return c.out.Character
	case s.Kind == plan.List:
		return plan.ListOf(c.typeOf(s.Elem))
	case s.Kind == plan.Map:
		return plan.MapOf(c.typeOf(s.Elem))
	case s.Kind != plan.Record:
		return s.Type()
	}
	t := &plan.Type{Kind: plan.Record}
	for _, m := range s.Fields {
		t.Fields = append(t.Fields, plan.Field{Name: m.Name, Type: c.typeOf(m.Shape), Optional: m.Optional})
	}
	return t
}

func (c *pass) option(o *book.Option) *OptionDef {
	t := &plan.Type{Kind: plan.String}
	for _, v := range o.Values {
		t.Enum = append(t.Enum, v.Name)
	}
	def := &OptionDef{Book: o}
	def.Var = &Var{Kind: OptionVar, Name: o.ID, Type: t, Decl: def}
	c.options[o.ID] = def.Var
	return def
}

func (c *pass) trait(t *book.Trait) *TraitDef {
	def := &TraitDef{Book: t}
	names := c.names.Scopes[t]
	def.Self = c.root(names, "character", c.names.Book.Character, def)
	def.Formula = c.formula(&t.Formula, nil)
	c.guard(def.Formula, nil)
	if c.names.Broken[t] {
		def.Formula.Type = broken
	}
	c.types.traits[t.ID] = def
	return def
}

func (c *pass) function(f *book.Function) *FunctionDef {
	def := &FunctionDef{Book: f}
	names := c.names.Scopes[f]
	for i := range f.Params {
		p := &f.Params[i]
		def.Params = append(def.Params, c.bind(names, p.Name, paramType(p.Type.S), def))
	}
	def.Formula = c.formula(&f.Formula, nil)
	if c.names.Broken[f] {
		def.Formula.Type = broken
	}
	if c.functions[f.ID] == nil && c.tables[f.ID] == nil {
		c.functions[f.ID] = def
		c.callable(f.ID, def.Params, def.Formula.Type)
	}
	return def
}

// paramType is the type of a parameter as written; load has refused every other.
func paramType(s string) *plan.Type {
	if elem, ok := strings.CutPrefix(s, "list("); ok {
		return plan.ListOf(paramType(strings.TrimSuffix(elem, ")")))
	}
	for _, t := range []*plan.Type{plan.IntType, plan.DoubleType, plan.BoolType, plan.StringType} {
		if t.String() == s {
			return t
		}
	}
	return broken
}
