package lower

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A scope is where a formula is evaluated: what its names stand for. A body has one, each use of it another.
// A function that is called in two formulas is lowered twice, in two scopes: names stand for other
// values in each. Nodes that come out the same are shared by the builder all the same.
type scope struct {
	values
	vars  map[check.Object]plan.Value
	memo  map[*check.Let]plan.Value // of lets, each lowered when it is first read
	shown map[*check.Let]bool       // of lets: the outputs
	// A let that is first read within a loop is still built at this level, in front of the loop,
	// since other formulas read it too.
	level int     // of the block in which the lets stand
	guard plan.ID // whether the body is evaluated at all
	subj  string  // "rule test"
	cite  string
	path  string     // before the ids of dice and named values: "" or "ours."
	named bool       // its named values go into the trace
	loops []plan.ID  // of the uses around it that walk lists; None for those that are being built
	self  plan.Value // the character of the body
	scopeTerms

	part    string // of the formula being lowered: "let value"
	formula string
	reach   plan.ID // whether the expression being lowered is needed, for coverage; None when nobody asks
	*reached
}

func (b *builder) newScope(subj, cite string) *scope {
	return &scope{
		values: values{b}, subj: subj, cite: cite, level: b.currentLevel(), guard: b.bool(true), named: true,
		reach: plan.None,
		vars:  map[check.Object]plan.Value{}, memo: map[*check.Let]plan.Value{}, shown: map[*check.Let]bool{},
		reached: newReached(), scopeTerms: newScopeTerms(),
	}
}

// innerScope returns the scope of a function or a trait, which is a part of the formula that asks for it.
func (s *scope) innerScope(subj, cite string) *scope {
	inner := s.builder.newScope(subj, cite)
	inner.named, inner.guard, inner.level, inner.reached = false, s.guard, s.level, s.reached
	return inner
}

// siteAt notes a place of the formula that is being lowered, with its subject and its text, for the message of a fault.
// Equal sites are one.
func (s *scope) siteAt(at plan.Place) int32 {
	name := s.subj
	if s.part != "" {
		name += ", " + s.part
	}
	return s.builder.internSite(plan.Site{Place: at, Name: name, Cite: s.cite, Text: s.formula})
}

// failUnless fails with a message when a condition does not hold.
func (s *scope) failUnless(ok plan.ID, at plan.Place, message string) plan.ID {
	return s.faultOp(plan.OpFail, s.siteAt(at), s.plan.internSymbol(message), ok)
}

// inPart lowers a part of the body, which messages name. reach starts anew with the guard: the needs of a part are judged
// within it.
func (s *scope) inPart(part, formula string, build func()) {
	oldPart, oldFormula, oldReach := s.part, s.formula, s.reach
	s.part, s.formula, s.reach = part, formula, s.guard
	build()
	s.part, s.formula, s.reach = oldPart, oldFormula, oldReach
}

// formulaText returns a formula as its author wrote it, on one line for each arm.
func formulaText(f *book.Formula) string {
	if !f.By.Written() {
		return f.Expr.S
	}
	out := "by " + f.By.S
	for _, a := range f.Is {
		out += "\n" + a.Value + ": " + a.Expr.S
	}
	return out
}
