package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// rule checks a rule. Its result is the record of its outputs.
func (c *pass) rule(x *book.Rule) {
	def := &RuleDef{Book: x, Result: &plan.Type{Kind: plan.Record}}
	c.rules[x] = def
	names := c.names.Scopes[x]
	def.Character = c.root(names, "character", c.names.Book.Character, nil)
	def.Input = c.root(names, "input", x.Input, nil)
	def.Body = c.body(&x.Body, names, "rule "+x.ID)
	for _, o := range def.Body.Outputs {
		t := o.Formula.Type
		if c.names.Broken[x] {
			t = broken
		}
		def.Result.Fields = append(def.Result.Fields, plan.Field{Name: o.Book.Name, Type: t})
	}
}

// body checks a body: first what its names are, in the order of their dependencies, then what its sources ask.
func (c *pass) body(b *book.Body, names *resolve.Scope, subject string) *Body {
	out := &Body{}
	for _, src := range b.Sources {
		out.Sources = append(out.Sources, c.declare(src, names, subject))
	}
	lets := c.lets(names)
	for i := range out.Sources {
		c.source(&out.Sources[i], names, subject)
	}
	for i := range b.Lets {
		out.Lets = append(out.Lets, lets[&b.Lets[i]])
	}
	for i := range b.Outputs {
		out.Outputs = append(out.Outputs, lets[&b.Outputs[i]])
	}
	for i := range b.Requires {
		out.Requires = append(out.Requires, c.require(&b.Requires[i], "a requirement"))
	}
	c.otherwise(out, names)
	return out
}

// declare gives a die or a use its type, which depends on no formula.
func (c *pass) declare(src book.Source, names *resolve.Scope, subject string) Source {
	if src.Die != nil {
		die := &Die{Book: src.Die}
		die.Var = c.bind(names, src.Die.Name, c.shows(die, subject+", dice "+src.Die.Name), die)
		return Source{Die: die}
	}
	use := &Use{Book: src.Use, Rule: c.rules[c.names.Uses[src.Use].Rule]}
	use.Var = c.bind(names, src.Use.Name, resultOf(use), use)
	return Source{Use: use}
}

// resultOf is the type of a use: a record of its own, so that what is read of it can be told from other records.
func resultOf(u *Use) *plan.Type {
	if u.Rule == nil {
		return broken
	}
	t := *u.Rule.Result
	if len(u.Book.Each) > 0 {
		return plan.ListOf(&t)
	}
	return &t
}

// lets checks the lets and outputs of a scope in the order of their dependencies.
func (c *pass) lets(names *resolve.Scope) map[*book.Named]*Let {
	out := map[*book.Named]*Let{}
	for _, n := range names.Order {
		let := &Let{Book: n, Formula: c.formula(&n.Formula, nil)}
		if c.names.Broken[n] {
			let.Formula.Type = broken
		}
		c.guard(let.Formula, nil)
		let.Var = c.bind(names, n.Name, let.Formula.Type, let)
		out[n] = let
	}
	return out
}

// named checks formulas that are no names themselves: what a use is given, or otherwise gives. Under is the use whose
// condition holds where they are read, nil when it does not matter.
func (c *pass) named(list []book.Named, want func(*book.Named) *plan.Type, under *Use) []*Let {
	var out []*Let
	for i := range list {
		n := &list[i]
		let := &Let{Book: n}
		t := want(n)
		let.Formula = c.formula(&n.Formula, t)
		c.fitsFormula(let.Formula, t, n.Name)
		c.guard(let.Formula, under)
		out = append(out, let)
	}
	return out
}

// fitsFormula checks every arm of a formula against the type it is asked for; nil asks for none.
func (c *pass) fitsFormula(f *Formula, want *plan.Type, what string) {
	if want == nil || f.Type.Kind == plan.Invalid {
		return
	}
	if f.By == nil {
		c.at(&f.Text.Expr).fits(f.Expr, want, what)
		return
	}
	for i := range f.Text.Is {
		c.at(&f.Text.Is[i].Expr).fits(f.arm(f.Text.Is[i].Value), want, what)
	}
}

// require checks what must hold, or where a procedure ends.
func (c *pass) require(r *book.Require, what string) *Require {
	out := &Require{Book: r, Expr: c.exprOf(&r.Expr, plan.BoolType, what)}
	c.guardExpr(&r.Expr, out.Expr, nil)
	out.Early = !mentions(out.Expr, func(v *Var) bool { return v.Kind == DieVar || v.Kind == UseVar })
	return out
}

func (c *pass) source(src *Source, names *resolve.Scope, subject string) {
	if src.Die != nil {
		c.die(src.Die, subject+", dice "+src.Die.Book.Name)
		return
	}
	c.use(src.Use, names, subject+", use "+src.Use.Book.Name)
}

// constant is the number that an expression is, when it is a number or one with a sign.
func constant(e *Expr) (int64, bool) {
	switch {
	case e == nil:
		return 0, false
	case e.Op == Const && e.Type.Kind == plan.Int:
		return e.Value.Int, true
	case e.Op == Call && e.Name == "negate_int64":
		v, ok := constant(e.Args[0])
		return -v, ok
	}
	return 0, false
}

// echoes reports rules that only give back what they are given. One that is walked by each makes records, and may.
func (c *pass) echoes() {
	walked := map[*book.Rule]bool{}
	for u, use := range c.names.Uses {
		if len(u.Each) > 0 {
			walked[use.Rule] = true
		}
	}
	for _, x := range c.names.Book.Rules {
		if def := c.rules[x]; !walked[x] && def.echo() {
			c.diags.Addf("echo", x.Place, "rule "+x.ID, "its outputs only repeat its input")
		}
	}
}

func (d *RuleDef) echo() bool {
	for _, o := range d.Body.Outputs {
		if o.Formula.Expr == nil || !given(o.Formula.Expr) {
			return false
		}
	}
	return len(d.Body.Outputs) > 0
}

// given reports whether an expression is a part of the input, through lets.
func given(e *Expr) bool {
	switch {
	case e.Op == Get:
		return given(e.Args[0])
	case e.Op != Ref:
		return false
	case behind(e) != nil:
		return given(behind(e))
	}
	return e.Var.Kind == InputVar
}
