package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
)

// An optional field may be read only where has() is known to hold. The guard follows the truth of has() through &&, ||,
// ?:, !, and through lets that are such a condition.

// known is the optional fields that are there, by the printed form of the expression that reads them.
type known map[string]bool

// guard checks the optional fields that a formula reads, where the condition of a use holds when one is given.
func (c *pass) guard(f *Formula, under *Use) {
	check := func(t *book.Text, e *Expr) {
		if under != nil {
			c.guardUse(under, t, e)
			return
		}
		c.guardExpr(t, e, nil)
	}
	if f.By == nil {
		check(&f.Text.Expr, f.Expr)
		return
	}
	check(&f.Text.By, f.By)
	for i := range f.Text.Is {
		check(&f.Text.Is[i].Expr, f.arm(f.Text.Is[i].Value))
	}
}

func (c *pass) guardExpr(t *book.Text, e *Expr, given known) {
	if e != nil {
		g := guard{at: c.at(t)}
		g.walk(e, given)
	}
}

type guard struct {
	at *formula
}

func (g *guard) walk(e *Expr, given known) {
	if e == nil {
		return
	}
	switch e.Op {
	case And:
		g.walk(e.Args[0], given)
		g.walk(e.Args[1], both(given, whenTrue(e.Args[0])))
	case Or:
		g.walk(e.Args[0], given)
		g.walk(e.Args[1], both(given, whenFalse(e.Args[0])))
	case Cond:
		g.walk(e.Args[0], given)
		g.walk(e.Args[1], both(given, whenTrue(e.Args[0])))
		g.walk(e.Args[2], both(given, whenFalse(e.Args[0])))
	case Get:
		g.get(e, given)
	default:
		for _, a := range e.Args {
			g.walk(a, given)
		}
	}
}

func (g *guard) get(e *Expr, given known) {
	g.walk(e.Args[0], given)
	t := e.Args[0].Type
	i, _ := t.Field(e.Name)
	if i < 0 || !t.Fields[i].Optional || given[printed(e)] {
		return
	}
	name := describe(e)
	g.at.addf("unguarded", e.Place, "%s may be missing", name).
		Repair = "read it behind has(" + name + ")"
}

// whenTrue is what is known when a condition holds, whenFalse when it does not.
func whenTrue(e *Expr) known {
	switch e.Op {
	case Has:
		return known{printed(e): true}
	case And:
		return both(whenTrue(e.Args[0]), whenTrue(e.Args[1]))
	case Or:
		return either(whenTrue(e.Args[0]), whenTrue(e.Args[1]))
	}
	if not := negated(e); not != nil {
		return whenFalse(not)
	}
	if let := behind(e); let != nil {
		return whenTrue(let)
	}
	return known{}
}

func whenFalse(e *Expr) known {
	switch e.Op {
	case Or:
		return both(whenFalse(e.Args[0]), whenFalse(e.Args[1]))
	case And:
		return either(whenFalse(e.Args[0]), whenFalse(e.Args[1]))
	}
	if not := negated(e); not != nil {
		return whenTrue(not)
	}
	if let := behind(e); let != nil {
		return whenFalse(let)
	}
	return known{}
}

// negated is x of !x.
func negated(e *Expr) *Expr {
	if e.Op == Call && e.Name == "logical_not" {
		return e.Args[0]
	}
	return nil
}

// behind is the expression that a let stands for.
func behind(e *Expr) *Expr {
	if e.Op != Ref || e.Var.Kind != LetVar {
		return nil
	}
	if let, ok := e.Var.Decl.(*Let); ok {
		return let.Formula.Expr
	}
	return nil
}

func both(a, b known) known {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(a)
	if out == nil {
		out = known{}
	}
	maps.Copy(out, b)
	return out
}

func either(a, b known) known {
	out := known{}
	for k := range a {
		if b[k] {
			out[k] = true
		}
	}
	return out
}

// printed identifies an expression: equal prints mean equal values within one scope. A field and has() of it print alike.
func printed(e *Expr) string {
	var b strings.Builder
	e.print(&b)
	return b.String()
}

func (e *Expr) print(b *strings.Builder) {
	switch e.Op {
	case Ref:
		b.WriteString(e.Var.Name)
		return
	case Const:
		b.WriteString(e.Type.String() + strconv.Quote(e.Value.String) + strconv.FormatInt(e.Value.Int, 10) +
			strconv.FormatFloat(e.Value.Double, 'g', -1, 64) + strconv.FormatBool(e.Value.Bool))
		return
	case Get, Has, Trait:
		e.Args[0].print(b)
		b.WriteString("." + e.Name)
		return
	}
	b.WriteString(strconv.Itoa(int(e.Op)) + e.Name + "(")
	for _, a := range e.Args {
		a.print(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// mentions reports whether an expression reads a variable for which a test holds, through lets.
func mentions(e *Expr, test func(*Var) bool) bool {
	if e == nil {
		return false
	}
	if e.Op == Ref {
		return test(e.Var) || throughLet(e.Var, test)
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return mentions(a, test) })
}

func throughLet(v *Var, test func(*Var) bool) bool {
	let, ok := v.Decl.(*Let)
	if !ok || v.Kind != LetVar {
		return false
	}
	return slices.ContainsFunc(let.Formula.exprs(), func(e *Expr) bool { return mentions(e, test) })
}
