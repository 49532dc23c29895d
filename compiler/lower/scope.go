package lower

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A scope is where a formula is evaluated: what its names stand for. A body has one, each use of it another.
type scope struct {
	*builder
	vars  map[*check.Var]plan.Value
	memo  map[*check.Var]plan.Value // of lets, each lowered when it is first read
	shown map[*check.Var]bool       // of lets: the outputs
	level int                       // of the block in which the lets stand
	guard plan.ID                   // whether the body is evaluated at all
	subj  string                    // "rule test"
	cite  string
	path  string     // before the ids of dice and named values: "" or "ours."
	named bool       // its named values go into the trace
	loops []plan.ID  // of the uses around it that walk lists; None for those that are being built
	self  plan.Value // the character of the body

	part    string // of the formula being lowered: "let value"
	formula string
	reach   plan.ID // whether the expression being lowered is needed, for coverage; None when nobody asks
	*reached
}

func (b *builder) scope(subj, cite string) *scope {
	return &scope{
		builder: b, subj: subj, cite: cite, level: b.level(), guard: b.bool(true), named: true, reach: plan.None,
		vars: map[*check.Var]plan.Value{}, memo: map[*check.Var]plan.Value{}, shown: map[*check.Var]bool{}, reached: newReached(),
	}
}

// within is the scope of a function or a trait, which is a part of the formula that asks for it.
func (s *scope) within(subj, cite string) *scope {
	inner := s.builder.scope(subj, cite)
	inner.named, inner.guard, inner.level, inner.reached = false, s.guard, s.level, s.reached
	return inner
}

// site is a place in the formula being lowered.
func (s *scope) site(at plan.Place) int32 {
	name := s.subj
	if s.part != "" {
		name += ", " + s.part
	}
	return s.builder.site(plan.Site{Place: at, Name: name, Cite: s.cite, Text: s.formula})
}

// in lowers a part of the body, which messages name.
func (s *scope) in(part, formula string, build func()) {
	oldPart, oldFormula, oldReach := s.part, s.formula, s.reach
	s.part, s.formula, s.reach = part, formula, s.guard
	build()
	s.part, s.formula, s.reach = oldPart, oldFormula, oldReach
}

// text is a formula as its author wrote it, on one line for each arm.
func text(f *book.Formula) string {
	if !f.By.Written() {
		return f.Expr.S
	}
	out := "by " + f.By.S
	for _, a := range f.Is {
		out += "\n" + a.Value + ": " + a.Expr.S
	}
	return out
}

// let is the value of a let or an output.
func (s *scope) let(v *check.Var) plan.Value {
	s.needs(v)
	if x, ok := s.memo[v]; ok {
		return x
	}
	let := v.Decl.(*check.Let)
	part, kind := "let ", plan.LetName
	if s.shown[v] {
		part, kind = "output ", plan.OutputName
	}
	var x plan.Value
	s.at(s.level, func() {
		s.in(part+v.Name, text(let.Formula.Text), func() {
			s.ofLet(v, func() { x = s.formulaOf(let.Formula) })
		})
	})
	s.memo[v] = x
	s.name(kind, v.Name, x, let.Formula)
	return x
}
