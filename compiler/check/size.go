package check

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxParts is how many parts a definition may come to when all that it calls, reads and uses is written out in it, as
// lowering does: a function that calls another twice, which calls another twice, and so on, is small to write and soon too
// large for any machine. What ships stays below a tenth of it.
// It is counted in nodes of the tree, each of which becomes a few nodes of the graph.
const maxParts = 100_000

// A sizer counts parts: the nodes of expressions, and those of all that is written out in their place. It counts in
// doubles, which grow beyond any bound without wrapping around.
type sizer struct {
	diags *diag.List
	parts map[Object]float64 // of functions, traits and rules; 0 of one that is reported
}

// checkSizes reports definitions that come to too many parts; of those that depend on each other the first.
func checkSizes(r *Ruleset, diags *diag.List) {
	s := &sizer{diags: diags, parts: map[Object]float64{}}
	for _, f := range r.Functions {
		s.definitionSize(f)
	}
	for _, t := range r.Traits {
		s.definitionSize(t)
	}
	for _, x := range r.Rules {
		s.definitionSize(x)
	}
	for _, p := range r.Procedures {
		s.checkProcedure(p)
	}
}

// definitionSize counts a function, a trait or a rule the first time that it is asked for.
//
// Functions, traits and rules depend on each other without cycles (check), so that the recursion
// ends. A definition that is too large counts 0 for those that use it: they would all be reported
// for one mistake.
func (s *sizer) definitionSize(o Object) float64 {
	if n, ok := s.parts[o]; ok {
		return n
	}
	n := 0.0
	switch o := o.(type) {
	case *Function:
		n = s.checkLimit(s.exprSize(o.Formula.Expr), o.Place(), "function "+o.Name())
	case *Trait:
		n = s.checkLimit(s.exprSize(o.Formula.Expr), o.Place(), "trait "+o.Name())
	case *Rule:
		n = s.checkLimit(s.bodySize(o.Body), o.Place(), "rule "+o.Name())
	}
	s.parts[o] = n
	return n
}

// checkLimit reports a count that is too large, which counts no more then.
func (s *sizer) checkLimit(n float64, at plan.Place, subject string) float64 {
	if n <= maxParts {
		return n
	}
	s.diags.Addf("too-large", at, subject,
		"it comes to more than %d parts when all that it calls and uses is written out", maxParts).
		Repair = "name what is computed twice with a let, and read that"
	return 0
}

// checkProcedure judges each step alone, with the formulas that follow from the state.
func (s *sizer) checkProcedure(p *Procedure) {
	subject := "procedure " + p.Book.ID
	lets := s.letsSize(p.Lets)
	s.checkLimit(lets+s.requiresSize(p.Ends)+s.letsSize(p.Outputs), p.Book.Place, subject)
	if p.Start != nil {
		s.checkLimit(s.stepSize(p.Start), p.Start.Book.Place, subject+", start")
	}
	for _, e := range p.Events {
		s.checkLimit(lets+s.stepSize(&e.Step)+s.exprSize(e.When), e.Book.Place, subject+", event "+e.Book.ID)
	}
}

func (s *sizer) stepSize(x *Step) float64 {
	n := s.bodySize(x.Body)
	for _, next := range x.Next {
		n += s.exprSize(next.Let.Formula.Expr)
	}
	return n
}

// bodySize returns the size of the parts that are lowered once for a body. A let counts where it is declared and not where
// it is read, as all readers share its nodes.
func (s *sizer) bodySize(b *Body) float64 {
	n := s.letsSize(b.Lets) + s.requiresSize(b.Requires) + s.letsSize(b.Outputs)
	for _, d := range b.Decisions {
		n += s.requiresSize(d.Requires)
	}
	for _, src := range b.Sources {
		if src.Die != nil {
			n += 1 + s.exprSize(src.Die.Faces) + s.exprSize(src.Die.Count) + s.exprSize(src.Die.Pool)
		} else {
			n += s.useSize(src.Use)
		}
	}
	return n
}

// useSize counts the rule that is used as written out here, once: a use that walks lists becomes a loop, whatever their
// lengths.
func (s *sizer) useSize(u *Use) float64 {
	n := s.definitionSize(u.Rule) + s.letsSize(u.Inputs) + s.letsSize(u.Otherwise) +
		s.exprSize(u.Character) + s.exprSize(u.When) + s.exprSize(u.Input)
	for _, e := range u.Each {
		n += s.exprSize(e.List)
	}
	return n
}

func (s *sizer) letsSize(list []*Let) (n float64) {
	for _, l := range list {
		n += s.exprSize(l.Formula.Expr)
	}
	return n
}

func (s *sizer) requiresSize(list []*Require) (n float64) {
	for _, r := range list {
		n += s.exprSize(r.Expr)
	}
	return n
}

// exprSize counts the nodes of an expression, and for each call of a function or reading of a trait those of its
// formula, which are written out anew at each.
func (s *sizer) exprSize(e *Expr) float64 {
	if e == nil {
		return 0
	}
	n := 1.0
	for _, a := range e.Args {
		n += s.exprSize(a)
	}
	switch e.Op {
	case OpApply, OpTrait:
		n += s.definitionSize(e.Object)
	}
	return n
}
