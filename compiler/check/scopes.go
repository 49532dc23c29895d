package check

import (
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// scope is the environment of a scope of names; what is readable there is bound as it becomes known.
func (c *pass) scope(s *resolve.Scope) *scope {
	if s == nil {
		return nil
	}
	if known := c.scopes[s]; known != nil {
		return known
	}
	out := newScope(c.types, c.base, c.scope(s.Around))
	if s.Around == nil {
		c.addOptions(out)
	}
	c.scopes[s] = out
	return out
}

// addOptions declares the record of the options for CEL; in the tree each option is a variable of its own.
func (c *pass) addOptions(s *scope) {
	t := &plan.Type{Kind: plan.Record}
	for _, o := range c.out.Options {
		t.Fields = append(t.Fields, plan.Field{Name: o.Book.ID, Type: o.Var.Type})
	}
	must(s.env.AddIdents(decls.NewVariable("option", c.types.cel(t))))
}

// bind gives a name of a scope its type, and makes it readable. A name that another one took is not: resolve said so.
func (c *pass) bind(s *resolve.Scope, name string, t *plan.Type, decl any) *Var {
	v := &Var{Name: name, Type: t, Decl: decl}
	e := s.Names[name]
	if e == nil || c.bound[e] {
		return v
	}
	v.Kind = varKind(e.Kind)
	c.bound[e] = true
	c.scope(s).add(c.types, v)
	return v
}

// root binds what is given: the character, the input, the event or the state.
func (c *pass) root(s *resolve.Scope, name string, shape *plan.Shape, decl any) *Var {
	t := c.out.Character
	if name != "character" {
		t = c.typeOf(shape)
	}
	v := c.bind(s, name, t, decl)
	c.shapes[v] = shape
	return v
}

func varKind(k resolve.Kind) VarKind {
	switch k {
	case resolve.Input:
		return InputVar
	case resolve.Event:
		return EventVar
	case resolve.State:
		return StateVar
	case resolve.Die:
		return DieVar
	case resolve.Let:
		return LetVar
	case resolve.UseName:
		return UseVar
	case resolve.Each:
		return EachVar
	case resolve.Param:
		return ParamVar
	}
	return CharacterVar
}

// callable declares a function of the ruleset.
func (c *pass) callable(name string, params []*Var, result *plan.Type) {
	args := make([]*types.Type, len(params))
	for i, p := range params {
		args[i] = c.types.cel(p.Type)
	}
	must(c.base.AddFunctions(newFunction(name, []decls.FunctionOpt{
		decls.Overload("apply_"+name, args, c.types.cel(result)),
	})))
}

// lookable declares a table. Bands and steps are looked up by an int or a double, because their keys are compared.
func (c *pass) lookable(t *TableDef) {
	result := c.types.cel(t.result())
	var opts []decls.FunctionOpt
	if t.Book.Kind == book.Keyed {
		opts = append(opts, decls.Overload("look_"+t.Book.ID, []*types.Type{types.StringType}, result))
	} else {
		opts = append(opts,
			decls.Overload("look_"+t.Book.ID+"_int", []*types.Type{types.IntType}, result),
			decls.Overload("look_"+t.Book.ID+"_double", []*types.Type{types.DoubleType}, result))
	}
	must(c.base.AddFunctions(newFunction(t.Book.ID, opts)))
}

// expr checks an expression; want is the type it is asked for, nil for any. It gives nil when there is none, or when
// there is a problem, which has been reported.
func (c *pass) expr(t *book.Text, want *plan.Type) *Expr {
	site := c.names.Sites[t]
	if site == nil || site.Expr == nil {
		return nil
	}
	s := c.scope(site.Scope)
	checked := c.compile(t, site.Expr, s, site.Subject, want)
	if checked == nil {
		return nil
	}
	c.out.Formulas = append(c.out.Formulas, checked)
	return checked.Expr
}

// exprOf checks an expression that must be of a type.
func (c *pass) exprOf(t *book.Text, want *plan.Type, what string) *Expr {
	e := c.expr(t, want)
	if e == nil || !c.at(t).fits(e, want, what) {
		return nil
	}
	return e
}

// at is where problems of an expression are reported that are found after it was checked.
func (c *pass) at(t *book.Text) *formula {
	f := &formula{language: c.language, text: t}
	if site := c.names.Sites[t]; site != nil {
		f.subject = site.Subject
	}
	return f
}
