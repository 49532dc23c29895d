package check

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// use checks what another rule is given. Its input and character are read only when its condition holds.
func (c *pass) use(u *Use, names *resolve.Scope, subject string) {
	b := u.Book
	inner := c.names.Uses[b].Scope
	for i := range b.Each {
		u.Each = append(u.Each, c.each(&b.Each[i], inner))
	}
	u.When = c.exprOf(&b.When, plan.BoolType, "when")
	c.guardExpr(&b.When, u.When, nil)
	u.Character = c.exprOf(&b.Character, c.out.Character, "the character of a use")
	c.guardUse(u, &b.Character, u.Character)
	if u.Rule == nil {
		return
	}
	c.input(u, subject)
	u.Otherwise = c.named(b.Otherwise, c.outputType(u, subject), nil)
	if len(b.Otherwise) > 0 && b.When.S == "" {
		c.diags.Addf("otherwise-unused", b.Otherwise[0].Place, subject, "there is nothing otherwise: the use has no when")
	}
}

// guardUse checks the optional fields that an expression reads where the use's condition holds. A condition with a
// problem says nothing.
func (c *pass) guardUse(u *Use, t *book.Text, e *Expr) {
	switch {
	case u.When != nil:
		c.guardExpr(t, e, whenTrue(u.When))
	case u.Book.When.S == "":
		c.guardExpr(t, e, nil)
	}
}

func (c *pass) each(n *book.Named, inner *resolve.Scope) *Each {
	text := &n.Formula.Expr
	out := &Each{Book: n, List: c.expr(text, nil)}
	c.guardExpr(text, out.List, nil)
	t := broken
	if out.List != nil {
		t = out.List.Type
	}
	if t.Kind != plan.List && t.Kind != plan.Invalid {
		c.at(text).addf("type", text.At(0), "a use walks lists, not %s", brief(t))
		t = broken
	}
	if t.Kind == plan.List {
		t = t.Elem
	}
	out.Var = c.bind(inner, n.Name, t, out)
	return out
}

// outputType finds the type of what otherwise gives, which must be an output of the rule.
func (c *pass) outputType(u *Use, subject string) func(*book.Named) *plan.Type {
	return func(n *book.Named) *plan.Type {
		if i, _ := u.Rule.Result.Field(n.Name); i >= 0 {
			return u.Rule.Result.Fields[i].Type
		}
		c.diags.Addf("unknown-output", n.Place, subject, "rule %s has no output %s", u.Rule.Book.ID, n.Name).
			Repair = diag.DidYouMean(n.Name, c.types.members(u.Rule.Result))
		return nil
	}
}

// input checks that a used rule gets all it asks for, as one record or field by field.
func (c *pass) input(u *Use, subject string) {
	b := u.Book
	shape := u.Rule.Book.Input
	if b.Input.S != "" {
		u.Input = c.expr(&b.Input, nil)
		c.guardUse(u, &b.Input, u.Input)
		if u.Input != nil {
			c.wholeInput(u, shape)
		}
		return
	}
	stray := false
	u.Inputs = c.named(b.Inputs, func(n *book.Named) *plan.Type {
		t := c.pathType(shape, n, subject, "rule "+u.Rule.Book.ID)
		stray = stray || t == nil
		return t
	}, u)
	if stray {
		return // what is missing may be what is misspelt
	}
	for _, m := range lacking(shape, "", paths(b.Inputs)) {
		c.diags.Addf("missing-input", b.Place, subject, "rule %s also needs input.%s", u.Rule.Book.ID, m)
	}
}

func paths(list []book.Named) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

// wholeInput checks a record that is handed on: what it lacks must have a default or be optional.
func (c *pass) wholeInput(u *Use, shape *plan.Shape) {
	at := c.at(&u.Book.Input)
	t := u.Input.Type
	if t.Kind != plan.Record {
		at.addf("type", u.Input.Place, "the input of a rule is a record, not %s", brief(t))
		return
	}
	if shape == nil {
		return
	}
	for i := range shape.Fields {
		m := &shape.Fields[i]
		k, _ := t.Field(m.Name)
		needed := !m.Optional && m.Default == ""
		switch {
		case k < 0 && needed:
			at.addf("missing-input", u.Input.Place, "rule %s also needs input.%s", u.Rule.Book.ID, m.Name)
		case k < 0:
		case t.Fields[k].Optional && needed:
			at.addf("missing-input", u.Input.Place, "rule %s needs input.%s, which may be missing here", u.Rule.Book.ID, m.Name)
		default:
			at.fits(&Expr{Op: Get, Type: t.Fields[k].Type, Place: u.Input.Place, Name: m.Name, Args: []*Expr{u.Input}},
				c.typeOf(m.Shape), "input."+m.Name)
		}
	}
}

// pathType is the type at a path into a shape; nil, with a diagnostic, when there is no such path.
func (c *pass) pathType(s *plan.Shape, n *book.Named, subject, of string) *plan.Type {
	for name := range strings.SplitSeq(n.Name, ".") {
		next := member(s, name)
		if next == nil {
			c.diags.Addf("unknown-member", n.Place, subject, "%s has no field %s", of, name).
				Repair = diag.DidYouMean(name, memberNames(s))
			return nil
		}
		if next.Character {
			next = c.names.Book.Character
		}
		s, of = next, of+"."+name
	}
	return c.typeOf(s)
}

// member is the shape of a record's field or a map's key.
func member(s *plan.Shape, name string) *plan.Shape {
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	if s.Kind != plan.Map {
		return nil
	}
	if s.Keys == nil {
		return s.Elem
	}
	for _, k := range s.Keys {
		if k == name {
			return s.Elem
		}
	}
	return nil
}

func memberNames(s *plan.Shape) []string {
	if s == nil {
		return nil
	}
	out := append([]string(nil), s.Keys...)
	for i := range s.Fields {
		out = append(out, s.Fields[i].Name)
	}
	return out
}

// lacking lists the members of a shape that have no default and that no path sets, in whole or in all they need.
func lacking(s *plan.Shape, prefix string, paths []string) []string {
	if s == nil {
		return nil
	}
	var out []string
	for i := range s.Fields {
		m := &s.Fields[i]
		path := prefix + m.Name
		whole, parts := sets(paths, path)
		switch {
		case whole:
		case parts && m.Default == "":
			out = append(out, lacking(m.Shape, path+".", paths)...)
		case !parts && m.Default == "" && !m.Optional:
			out = append(out, path)
		}
	}
	return out
}

// sets reports whether paths set a path as a whole or parts of it.
func sets(paths []string, path string) (whole, parts bool) {
	for _, p := range paths {
		whole = whole || p == path
		parts = parts || strings.HasPrefix(p, path+".")
	}
	return whole, parts
}

// otherwise checks that an output is read of a use with a condition only when the use says what it is otherwise.
func (c *pass) otherwise(b *Body, names *resolve.Scope) {
	needed := map[*plan.Type]*Use{}
	for _, src := range b.Sources {
		if u := src.Use; u != nil && u.Rule != nil && u.Book.When.S != "" {
			needed[record(u.Var.Type)] = u
		}
	}
	if len(needed) == 0 {
		return
	}
	for _, f := range c.out.Formulas {
		if site := c.names.Sites[f.Text]; within(site.Scope, names) {
			o := otherwise{at: c.at(f.Text), needed: needed}
			o.walk(f.Expr, false)
		}
	}
}

func record(t *plan.Type) *plan.Type {
	if t.Kind == plan.List {
		return t.Elem
	}
	return t
}

func within(s, names *resolve.Scope) bool {
	for ; s != nil; s = s.Around {
		if s == names {
			return true
		}
	}
	return false
}

// An otherwise looks for what is read of uses whose rule is not always rolled.
type otherwise struct {
	at     *formula
	needed map[*plan.Type]*Use
}

// walk visits an expression; parts says that only a field of its value is read.
func (o *otherwise) walk(e *Expr, parts bool) {
	u := o.needed[e.Type]
	switch {
	case e.Op == Get && o.needed[e.Args[0].Type] != nil:
		o.read(o.needed[e.Args[0].Type], e.Name, e.Place)
	case u != nil && !parts && e.Op == Ref && e.Var == u.Var:
		for i := range u.Rule.Result.Fields {
			o.read(u, u.Rule.Result.Fields[i].Name, e.Place)
		}
	}
	for _, a := range e.Args {
		o.walk(a, e.Op == Get)
	}
}

func (o *otherwise) read(u *Use, output string, at plan.Place) {
	for i := range u.Book.Otherwise {
		if u.Book.Otherwise[i].Name == output {
			return
		}
	}
	o.at.addf("otherwise-missing", at, "%s.%s has no value when rule %s is not used", u.Book.Name, output, u.Rule.Book.ID).
		Repair = "give use " + u.Book.Name + " otherwise: " + output
}
