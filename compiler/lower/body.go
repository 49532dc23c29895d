package lower

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func splitPath(path string) []string { return strings.Split(path, ".") }

// lowerBody lowers a body in the order in which it is carried out: the early requirements, the dice and uses as written,
// the other requirements, the outputs. It gives the outputs.
func (s *scope) lowerBody(b *check.Body, result *plan.Type) plan.Value {
	s.markOutputs(b.Outputs)
	for _, r := range b.Requires {
		if r.Early {
			s.lowerRequire(r)
		}
	}
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
	for _, r := range b.Requires {
		if !r.Early {
			s.lowerRequire(r)
		}
	}
	return s.gatherOutputs(b.Outputs, result)
}

// lowerDecision lowers a field that is decided now: what bounds it, and the requirements that it must meet. Of a rule that
// is used only these remain, for it is the using rule that asks.
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
		s.lowerBound(d, r)
	}
}

// lowerBound lowers a requirement that a decision must meet. Like the bounds of other fields it has no branches.
func (s *scope) lowerBound(d *check.Decision, r *check.Require) {
	s.inPart("decide "+d.Book.Path, r.Book.Expr.S, func() {
		s.reach = plan.None
		s.trace.begin()
		v := s.lowerExpr(r.Expr)
		s.conditionTerm(plan.RequireTerm, r.Book.Message, v, r.Book.Expr.S, r.Book.Place)
		s.addRequire(v, plan.Require{Message: r.Book.Message, Place: r.Book.Place, Name: s.subj, Cite: s.cite})
	})
}

// boundValue is the value of a formula of a decision, which no trace shows by itself; without an ID when there is none.
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

// addName records a named value for the trace.
func (s *scope) addName(kind plan.NameKind, name string, v plan.Value, f *check.Formula) {
	if !s.named {
		return
	}
	n := plan.Named{Name: s.path + name, Kind: kind, Value: v, Cite: s.cite, Option: -1}
	if f != nil {
		n.Formula, n.Place = formulaText(f.Book), f.Book.Place
		n.Option = s.chosenBy(f)
		n.Overlays = s.plan.overlaysOf(f)
	}
	s.g.Names = append(s.g.Names, n)
}

// chosenBy is the option that chooses among a formula's arms, -1 when none does.
func (s *scope) chosenBy(f *check.Formula) int32 {
	if f.Expr == nil || f.Expr.Op != check.OpChoose {
		return -1
	}
	option, ok := f.Expr.Args[0].Object.(*check.Option)
	if !ok {
		return -1
	}
	return int32(s.plan.options[option])
}

// lowerRequire lowers a requirement.
func (s *scope) lowerRequire(r *check.Require) {
	s.inPart("require "+strconv.Quote(r.Book.Message), r.Book.Expr.S, func() {
		s.trace.begin()
		v := s.lowerExpr(r.Expr)
		s.conditionTerm(plan.RequireTerm, r.Book.Message, v, r.Book.Expr.S, r.Book.Place)
		s.markBranch(r.Book.Place, "holds", s.reachedWhen(s.guard, v.ID))
		s.markBranch(r.Book.Place, "refuses", s.reachedUnless(s.guard, v.ID))
		s.addRequire(v, plan.Require{Message: r.Book.Message, Place: r.Book.Place, Name: s.subj, Cite: s.cite, Early: r.Early})
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
