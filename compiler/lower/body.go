package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerBody lowers a body in the order in which it is carried out: the early requirements, the dice and uses as written,
// the other requirements, the outputs. It gives the outputs.
//
// Lets do not occur in it: each is lowered when something first reads it. So an early requirement
// may pull a let in front of the dice, and a let that nobody reads makes no node. The order of
// nodes with an effect is the order of evaluation; that of the others means nothing (schedule makes
// its own).
func (s *scope) lowerBody(b *check.Body, result *plan.Type) plan.Value {
	s.markOutputs(b.Outputs)
	s.lowerRequires(b, true)
	for i, src := range b.Sources {
		if src.Die != nil {
			s.lowerDie(src.Die)
		} else {
			s.lowerUse(src.Use)
		}
		for _, d := range b.Decisions {
			if d.Last == i {
				s.lowerDecision(d)
			}
		}
	}
	s.lowerRequires(b, false)
	return s.gatherOutputs(b.Outputs, result)
}

// lowerRequires lowers the requirements that are judged before any die is rolled, or the others. A key of the character's
// map is judged where it comes from outside: a rule that uses another may give it the name of a skill that the character
// lacks.
func (s *scope) lowerRequires(b *check.Body, early bool) {
	s.lowerKeys(b.FirstKeys, early)
	for _, r := range b.Requires {
		if r.Early == early {
			s.lowerRequire(r)
		}
	}
	s.lowerKeys(b.LastKeys, early)
}

func (s *scope) lowerKeys(keys []*check.Require, early bool) {
	for _, r := range keys {
		if r.Early == early && s.path == "" {
			s.lowerBound("key", r)
		}
	}
}

// lowerDecision lowers a field that is decided now: its bounds, and the requirements that it must meet. Of a rule that is
// used only these remain, for it is the using rule that asks.
func (s *scope) lowerDecision(d *check.Decision) {
	if s.path == "" && s.named {
		out := plan.Decision{Root: d.Of.Root, Path: d.Book.Path, Place: d.Book.Place, Dice: int32(len(s.g.Dice))}
		for _, name := range d.Book.After {
			out.After = append(out.After, name.S)
		}
		out.When, out.Least, out.Most = s.boundValue(d.When), s.boundValue(d.Least), s.boundValue(d.Most)
		s.g.Decisions = append(s.g.Decisions, out)
	}
	for _, r := range d.Requires {
		s.lowerBound("decide "+d.Book.Path, r)
	}
}

// lowerBound lowers a requirement that a decision or a key must meet. Like the bounds of other fields it has no branches.
func (s *scope) lowerBound(part string, r *check.Require) {
	s.inPart(part, r.Book.Expr.S, func() {
		s.reach = plan.None
		s.trace.begin()
		v := s.lowerExpr(r.Expr)
		s.conditionTerm(plan.RequireTerm, r.Book.Message, v, r.Book.Expr.S, r.Book.Place)
		s.addRequire(v, plan.Require{Message: r.Book.Message, Place: r.Book.Place, Name: s.subj, Cite: s.cite,
			Early: r.Early})
	})
}

// boundValue returns the value of a formula of a decision, which no trace shows by itself; without an ID when there is
// none.
func (s *scope) boundValue(e *check.Expr) plan.Value {
	if e == nil {
		return noValue()
	}
	var v plan.Value
	s.inPart(s.part, s.formula, func() {
		s.reach = plan.None
		s.trace.begin()
		v = s.lowerExpr(e)
		s.trace.end()
	})
	return v
}

// markOutputs tells the outputs from the other lets.
func (s *scope) markOutputs(outputs []*check.Let) {
	for _, o := range outputs {
		s.shown[o] = true
	}
}

// gatherOutputs gathers outputs in a record.
func (s *scope) gatherOutputs(lets []*check.Let, result *plan.Type) plan.Value {
	fields := make([]plan.Value, len(lets))
	for i, l := range lets {
		fields[i] = s.lowerLet(l)
	}
	return s.settleLayout(newRecord(result, fields))
}

// bindRoot makes a name stand for a root.
func (s *scope) bindRoot(v *check.Given, root plan.Root, shape *plan.Shape) {
	if v != nil && shape != nil {
		s.vars[v] = s.readRoot(root, shape.Type())
	}
}
