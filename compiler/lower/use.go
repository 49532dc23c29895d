package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A useLowerer writes a used rule out in the place of the use.
type useLowerer struct{ *scope }

// lowerUse inlines another rule.
func (s *scope) lowerUse(u *check.Use) {
	s.inPart("use "+u.Book.Name, u.Book.Rule.S, func() {
		if len(u.Each) > 0 {
			s.trace.begin()
			s.vars[u] = useLowerer{s}.inlineEach(u)
			s.eachTerm(u, s.vars[u], s.trace.end())
		} else {
			s.vars[u] = useLowerer{s}.inlineOnce(u, s.path+u.Book.Name+".", s.named)
		}
	})
	s.addName(plan.UseName, u.Book.Name, s.vars[u], nil)
}

// inlineOnce inlines one use and returns its outputs.
//
// The steps: the condition; the inputs, under the condition; the body of the used rule in a scope of its own, with the
// condition as its guard, so that its requirements are not judged, and its dice not rolled, where it does not hold; then
// for each output the choice between it and its otherwise. The used rule's lets have the path of the use before their names
// in a trace, "ours.base".
func (s useLowerer) inlineOnce(u *check.Use, path string, named bool) plan.Value {
	s.trace.begin()
	when := s.lowerWhen(u)
	whenTerms := s.trace.end()
	guard, reach := s.guard, s.reach
	s.guard, s.reach = s.and(s.guard, when), s.and(s.guard, when)
	inner := s.builder.newScope("rule "+u.Rule.Book.ID, u.Rule.Book.Cite.S)
	inner.path, inner.named, inner.guard, inner.loops = path, named, s.guard, s.loops
	s.trace.begin()
	inner.self = s.lowerCharacter(u)
	inner.givenTerms[u.Rule.Character] = s.trace.end()
	inner.vars[u.Rule.Character] = inner.self
	inner.vars[u.Rule.Input] = s.lowerInput(u, inner)
	s.guard = guard
	out := inner.lowerBody(u.Rule.Body, u.Rule.Type())
	inner.countLets()
	s.reach = s.reachedUnless(guard, when)
	s.useTerms[u] = inner.outputTerms(u)
	out = s.chooseOtherwise(u, when, whenTerms, out)
	s.reach = reach
	return out
}

// lowerWhen lowers the condition of a use. A condition that fails is a requirement that fails: nobody could say whether
// the dice of the rule are to be rolled.
func (s useLowerer) lowerWhen(u *check.Use) plan.ID {
	if u.When == nil {
		return s.bool(true)
	}
	v := s.lowerExpr(u.When)
	s.requireNoFault(v.Fault, u.When.Place)
	s.markBranch(u.When.Place, "used", s.reachedWhen(s.guard, v.ID))
	s.markBranch(u.When.Place, "not used", s.reachedUnless(s.guard, v.ID))
	return v.ID
}

func (s useLowerer) lowerCharacter(u *check.Use) plan.Value {
	if u.Character == nil {
		return s.self
	}
	v := s.lowerExpr(u.Character)
	s.requireNoFault(s.deepFault(v), u.Character.Place)
	return v
}

// lowerInput returns the input of the used rule: given as a record or field by field, completed by its defaults and checked
// against its bounds. Both ways end in a requirement: a use with an input that its rule refuses ends the evaluation, at the
// place of the input.
func (s useLowerer) lowerInput(u *check.Use, inner *scope) plan.Value {
	shape := u.Rule.Book.Input
	if u.Input != nil {
		s.trace.begin()
		v := s.completeRecord(s.lowerExpr(u.Input), shape)
		inner.givenTerms[u.Rule.Input] = s.trace.end()
		s.requireNoFault(s.firstFault(s.deepFault(v), limits(s).outsideShape(v, shape, u.Input.Place)), u.Input.Place)
		return v
	}
	given := map[string]plan.Value{}
	places := map[string]plan.Place{}
	for _, l := range u.Inputs {
		s.trace.begin()
		given[l.Book.Name], places[l.Book.Name] = s.lowerExpr(l.Formula.Expr), l.Book.Formula.Place
		inner.inputTerms[l.Book.Name] = s.trace.end()
	}
	v := s.assembleRecord(shape, "", given)
	for i, m := range shape.Fields {
		at := u.Book.Place
		if p, ok := places[m.Name]; ok {
			at = p
		}
		f := s.firstFault(s.deepFault(v.Fields[i]), limits(s).outsideShape(v.Fields[i], m.Shape, at))
		if f != plan.None && v.Fields[i].Present != plan.None {
			f = s.selectValue(v.Fields[i].Present, f, s.ok())
		}
		s.requireNoFault(f, at)
	}
	return v
}

// chooseOtherwise returns the choice between the output of a use and its otherwise. Outputs without an otherwise keep the
// value of a rule that was not used, which is senseless; check has seen that nobody reads them.
func (s useLowerer) chooseOtherwise(u *check.Use, when plan.ID, whenTerms []int32, out plan.Value) plan.Value {
	if u.When == nil {
		return out
	}
	fields := append([]plan.Value(nil), out.Fields...)
	for _, l := range u.Otherwise {
		i, _ := out.Type.Field(l.Book.Name)
		s.trace.begin()
		fields[i] = s.selectBetween(when, out.Fields[i], s.lowerExpr(l.Formula.Expr))
		s.useTerms[u].addOtherwise(l.Book.Name, whenTerms, s.trace.end())
	}
	return s.settleLayout(newRecord(s.withLayouts(out.Type, fields), fields))
}

// withLayouts returns a record type with the layouts of its fields' values.
func (s useLowerer) withLayouts(t *plan.Type, fields []plan.Value) *plan.Type {
	out := *t
	out.Fields = append([]plan.Field(nil), t.Fields...)
	for i := range fields {
		out.Fields[i].Type = fields[i].Type
	}
	return &out
}

// inlineEach inlines a use once for each element of its lists, and gives the list of its outputs.
//
// The body is lowered once, within a loop. Its dice note the loop, because the odds unroll it and a
// caller gives faces for each iteration; the loop has no node until it is closed, so a placeholder
// stands in Loops until then.
func (s useLowerer) inlineEach(u *check.Use) plan.Value {
	lists := make([]plan.Value, len(u.Each))
	var n plan.ID
	for i, e := range u.Each {
		lists[i] = s.walkedList(e.List)
		s.requireNoFault(lists[i].Fault, e.List.Place)
		size := s.sizeOf(lists[i].ID)
		if i == 0 {
			n = size
			continue
		}
		same := s.op(plan.OpEqInt, plan.Bool, n, size)
		message := s.plan.internSymbol("the lists that " + u.Book.Name + " walks differ in length")
		s.requireNoFault(s.faultOp(plan.OpFail, s.siteAt(e.List.Place), message, same), e.List.Place)
	}
	n = s.selectValue(s.guard, n, s.int(0))
	span := s.newSpan(n, 0)
	loops, first := s.loops, len(s.g.Dice)
	var elem *plan.Type
	res := s.loop(n, []plan.ID{span}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.loops = append(append([]plan.ID(nil), loops...), plan.None)
		for k, e := range u.Each {
			s.vars[e] = s.elementAt(lists[k], i)
			s.elementTerms[e] = s.trace.add(newTerm(plan.ParamTerm, e.Name(), shownValue(s.vars[e]), nil))
		}
		s.trace.begin()
		x := s.inlineOnce(u, s.path+u.Book.Name+"[*].", false)
		s.trace.end()
		s.putUseOfElement(u, i, x)
		elem = x.Type
		return []plan.ID{s.pushElement(acc[0], s.bool(true), s.slotsOf(x))}
	})
	s.loops = loops
	for k := range s.g.Dice[first:] { // the loop has a node only now
		s.g.Dice[first+k].Loops[len(loops)] = s.g.Nodes[res[0]].Args[0]
	}
	s.g.Nodes[span].Imm = int64(elem.Slots())
	return newScalar(plan.ListOf(elem), res[0], plan.None)
}
