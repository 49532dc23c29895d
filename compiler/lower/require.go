package lower

import (
	"strconv"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerRequire lowers a requirement.
func (s *scope) lowerRequire(r *check.Require) {
	s.inPart("require "+strconv.Quote(r.Book.Message), r.Book.Expr.S, func() {
		s.trace.begin()
		v := s.lowerExpr(r.Expr)
		s.conditionTerm(plan.RequireTerm, r.Book.Message, v, r.Book.Expr.S, r.Book.Place)
		s.markBranch(r.Book.Place, "holds", s.reachedWhen(s.guard, v.ID))
		s.markBranch(r.Book.Place, "refuses", s.reachedUnless(s.guard, v.ID))
		s.addRequire(v, plan.Require{Message: r.Book.Message, Place: r.Book.Place, Name: s.subj, Cite: s.cite,
			Early: r.Early})
	})
}

// addRequire ends the evaluation when a condition does not hold, or fails.
func (s *scope) addRequire(v plan.Value, r plan.Require) {
	s.countRefused(v.ID)
	s.g.Requires = append(s.g.Requires, r)
	s.placeHere(plan.Node{
		Op: plan.OpRequire, Kind: plan.Bool, Args: []plan.ID{s.guard, v.ID, s.faultOrOK(v.Fault)},
		Imm: int64(len(s.g.Requires) - 1), Site: -1,
	})
}

// requireNoFault ends the evaluation when a fault happened that a use needs not to have happened.
func (s *scope) requireNoFault(fault plan.ID, at plan.Place) {
	if fault == plan.None {
		return
	}
	v := newScalar(plan.BoolType, s.bool(true), fault)
	s.addRequire(v, plan.Require{Place: at, Name: s.subj, Cite: s.cite})
}
