package check

import "github.com/tabletop-rules/rules/runtime/plan"

// maxParts is how many parts a definition may come to when all that it calls, reads and uses is written out in it, as lowering
// does: a function that calls another twice, which calls another twice, and so on, is small to write and soon too large for any
// machine. What ships stays below a tenth of it.
const maxParts = 100_000

// sizes reports definitions that come to too many parts; of those that depend on each other the first.
func (c *pass) sizes() {
	m := &measure{pass: c, parts: map[any]float64{}}
	for _, f := range c.out.Functions {
		m.function(f)
	}
	for _, t := range c.out.Traits {
		m.trait(t)
	}
	for _, x := range c.out.Rules {
		m.rule(x)
	}
	for _, p := range c.out.Procedures {
		m.procedure(p)
	}
}

// A measure counts parts: the nodes of expressions, and those of all that is written out in their place.
type measure struct {
	*pass
	parts map[any]float64 // of functions, traits and rules; 0 of one that is reported
}

// once counts a definition the first time that it is asked for.
func (m *measure) once(x any, at plan.Place, subject string, count func() float64) float64 {
	n, counted := m.parts[x]
	if !counted {
		n = m.judge(count(), at, subject)
		m.parts[x] = n
	}
	return n
}

// judge reports a count that is too large, which counts no more then.
func (m *measure) judge(n float64, at plan.Place, subject string) float64 {
	if n <= maxParts {
		return n
	}
	m.diags.Addf("too-large", at, subject, "it comes to more than %d parts when all that it calls and uses is written out", maxParts).
		Repair = "name what is computed twice with a let, and read that"
	return 0
}

func (m *measure) function(f *FunctionDef) float64 {
	return m.once(f, f.Book.Place, "function "+f.Book.ID, func() float64 { return m.formula(f.Formula) })
}

func (m *measure) trait(t *TraitDef) float64 {
	return m.once(t, t.Book.Place, "trait "+t.Book.ID, func() float64 { return m.formula(t.Formula) })
}

func (m *measure) rule(x *RuleDef) float64 {
	return m.once(x, x.Book.Place, "rule "+x.Book.ID, func() float64 { return m.body(x.Body) })
}

// procedure judges each step alone, with what follows from the state.
func (m *measure) procedure(p *ProcedureDef) {
	subject := "procedure " + p.Book.ID
	lets := m.lets(p.Lets)
	m.judge(lets+m.requires(p.Ends)+m.lets(p.Outputs), p.Book.Place, subject)
	if p.Start != nil {
		m.judge(m.step(p.Start), p.Start.Book.Place, subject+", start")
	}
	for _, e := range p.Events {
		m.judge(lets+m.step(&e.Step)+m.expr(e.When), e.Book.Place, subject+", event "+e.Book.ID)
	}
}

func (m *measure) step(s *Step) float64 {
	n := m.body(s.Body)
	for _, x := range s.Next {
		n += m.formula(x.Let.Formula)
	}
	return n
}

func (m *measure) body(b *Body) float64 {
	n := m.lets(b.Lets) + m.requires(b.Requires) + m.lets(b.Outputs)
	for _, s := range b.Sources {
		if s.Die != nil {
			n += 1 + m.expr(s.Die.Faces) + m.expr(s.Die.Count)
		} else {
			n += m.use(s.Use)
		}
	}
	return n
}

func (m *measure) use(u *Use) float64 {
	n := m.rule(u.Rule) + m.lets(u.Inputs) + m.lets(u.Otherwise) + m.expr(u.Character) + m.expr(u.When) + m.expr(u.Input)
	for _, e := range u.Each {
		n += m.expr(e.List)
	}
	return n
}

func (m *measure) lets(list []*Let) (n float64) {
	for _, l := range list {
		n += m.formula(l.Formula)
	}
	return n
}

func (m *measure) requires(list []*Require) (n float64) {
	for _, r := range list {
		n += m.expr(r.Expr)
	}
	return n
}

func (m *measure) formula(f *Formula) float64 {
	n := m.expr(f.Expr) + m.expr(f.By)
	for _, a := range f.Arms {
		n += m.expr(a.Expr)
	}
	return n
}

func (m *measure) expr(e *Expr) float64 {
	if e == nil {
		return 0
	}
	n := 1.0
	for _, a := range e.Args {
		n += m.expr(a)
	}
	switch d := e.Decl.(type) {
	case *FunctionDef:
		n += m.function(d)
	case *TraitDef:
		n += m.trait(d)
	}
	return n
}
