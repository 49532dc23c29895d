package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// walkedList returns the list that a macro walks: a list itself, or the sorted keys of a map.
func (s *scope) walkedList(e *check.Expr) plan.Value {
	x := s.lowerExpr(e)
	if x.Type.Kind != plan.Map {
		return x
	}
	keys := s.opImm(plan.OpKeys, plan.List, s.plan.internType(x.Type), x.ID)
	return newScalar(plan.ListOf(&plan.Type{Kind: x.Type.Key}), keys, x.Fault)
}

// A loopLowerer lowers macros as loops over the elements of a list.
type loopLowerer struct{ *scope }

// lowerMacro lowers a macro to a loop over the elements of a list, or over the keys of a map. The names of its body are
// entered for the body alone.
func (s *scope) lowerMacro(e *check.Expr) plan.Value {
	list := s.walkedList(e.Args[0])
	var start plan.Value
	if e.Op == check.OpFold {
		start = s.lowerExpr(e.Args[2])
	}
	defer s.enterLoop()()
	l := loopLowerer{s}
	switch e.Op {
	case check.OpMap, check.OpFilter:
		return l.lowerCollection(e, list)
	case check.OpSortBy:
		return l.lowerSortBy(e, list)
	case check.OpExistsOne:
		return l.lowerExistsOne(e, list)
	case check.OpFold:
		return l.lowerFold(e, list, start)
	}
	return l.lowerQuantifier(e, list)
}

// bindItem binds a macro's variable to an element.
func (s loopLowerer) bindItem(e *check.Expr, list plan.Value, i plan.ID) plan.Value {
	x := s.elementAt(list, i)
	s.vars[e.Item] = x
	s.elementTerms[e.Item] = s.trace.add(newTerm(plan.ParamTerm, e.Item.Name(), shownValue(x), nil))
	return x
}

// lowerPart lowers a part of a macro's body, and notes it as one term.
func (s loopLowerer) lowerPart(e *check.Expr) (plan.Value, int32) {
	s.trace.begin()
	v := s.lowerExpr(e)
	terms := s.trace.end()
	if len(terms) == 1 {
		return v, terms[0]
	}
	return v, s.trace.add(newTerm(plan.CallTerm, "", shownValue(v), terms))
}

// lowerElementPart returns the value of the only part of a macro's body, and notes the term of the element.
func (s loopLowerer) lowerElementPart(e *check.Expr, i plan.ID) plan.Value {
	v, term := s.lowerPart(e.Args[1])
	s.putElement(e, i, v, term)
	return v
}

// putElement notes the term of an element of a macro.
func (s loopLowerer) putElement(e *check.Expr, i plan.ID, made plan.Value, parts ...int32) {
	t := newTerm(plan.ElementTerm, macroNames[e.Op], shownValue(made), append([]int32{s.elementTerms[e.Item]}, parts...))
	t.Row = i
	s.trace.put(s.trace.add(t))
}

// lowerQuantifier lowers all and exists: && and || over the elements, with the same absorption.
//
// (CEL specification, "Macros": all(x, p) is a fold by &&.) [0, 1].exists(x, div_floor(1, x) > 0)
// is true, since the second element decides and absorbs the fault of the first. So every element is
// looked at; there is no early end.
func (s loopLowerer) lowerQuantifier(e *check.Expr, list plan.Value) plan.Value {
	value, absorb := plan.OpAnd, plan.OpAndFault
	if e.Op == check.OpExists {
		value, absorb = plan.OpOr, plan.OpOrFault
	}
	init := []plan.ID{s.bool(e.Op == check.OpAll), s.ok()}
	res := s.walkParts(list, init, func(part plan.Value, i plan.ID, acc []plan.ID) []plan.ID {
		s.bindItem(e, part, i)
		p := s.lowerElementPart(e, i)
		out := s.op(value, plan.Bool, acc[0], p.ID)
		if p.Fault == plan.None {
			return []plan.ID{out}
		}
		return []plan.ID{out, s.op(absorb, plan.Fault, acc[0], acc[1], p.ID, p.Fault)}
	})
	return newScalar(e.Type, res[0], s.firstFault(list.Fault, secondResult(res)))
}

// walkParts returns the carried values of a loop over a list. Over one that is joined of parts there is a loop over each,
// which goes on with the values of the one before.
func (s loopLowerer) walkParts(
	list plan.Value, carried []plan.ID, body func(part plan.Value, i plan.ID, acc []plan.ID) []plan.ID,
) []plan.ID {
	var made []plan.ID // fewer than are carried where no body fails
	s.walkEachPart(list, func(part plan.Value) plan.Value {
		made = s.loop(s.sizeOf(part.ID), carried, func(i plan.ID, acc []plan.ID) []plan.ID { return body(part, i, acc) })
		carried = append(slices.Clone(made), carried[len(made):]...)
		return part
	})
	return made
}

// secondResult returns the fault that a loop has carried beside its first result; None when carryFault has found that
// nothing in it can fail.
func secondResult(res []plan.ID) plan.ID {
	if len(res) < 2 {
		return plan.None
	}
	return res[1]
}

// lowerExistsOne counts, and fails when any element fails: as in CEL, exists_one absorbs nothing.
func (s loopLowerer) lowerExistsOne(e *check.Expr, list plan.Value) plan.Value {
	init := []plan.ID{s.int(0), s.ok()}
	res := s.walkParts(list, init, func(part plan.Value, i plan.ID, acc []plan.ID) []plan.ID {
		s.bindItem(e, part, i)
		p := s.lowerElementPart(e, i)
		more := s.op(plan.OpAddInt, plan.Int, acc[0], s.selectValue(p.ID, s.int(1), s.int(0)))
		return append([]plan.ID{more}, s.carryFault(acc[1], p.Fault)...)
	})
	one := s.op(plan.OpEqInt, plan.Bool, res[0], s.int(1))
	return newScalar(e.Type, one, s.firstFault(list.Fault, secondResult(res)))
}

// lowerFold carries the slots of the state, and one fault of it. As in CEL, a state that fails fails the next one only
// where that needs it, and a record fails as a whole.
func (s loopLowerer) lowerFold(e *check.Expr, list, start plan.Value) plan.Value {
	stateOf := func(carried []plan.ID) plan.Value {
		v := readSlots(e.Type, 0, func(offset int, _ plan.Kind) plan.ID { return carried[offset] })
		return s.withFault(v, carried[len(carried)-1])
	}
	carry := func(v plan.Value) []plan.ID {
		return append(s.slotsOf(s.fitLayout(v, e.Type)), s.faultOrOK(s.deepFault(v)))
	}
	res := s.walkParts(list, carry(start), func(part plan.Value, i plan.ID, acc []plan.ID) []plan.ID {
		s.bindItem(e, part, i)
		state := stateOf(acc)
		s.vars[e.State] = state
		s.elementTerms[e.State] = s.trace.add(newTerm(plan.ParamTerm, e.State.Name(), shownValue(state), nil))
		return carry(s.lowerElementPart(e, i))
	})
	return s.withFault(stateOf(res), list.Fault)
}

// lowerCollection lowers map and filter. An element that fails fails the list; a field of an element that fails fails
// alone.
// The stride of the new list is known only when an element has been lowered, because the layout
// says which fields may fail: new.span is made with 0 and corrected behind the loop.
func (s loopLowerer) lowerCollection(e *check.Expr, list plan.Value) plan.Value {
	return s.joinParts(s.walkEachPart(list, func(part plan.Value) plan.Value { return s.collectElements(e, part) }))
}

// collectElements lowers map and filter over a list that is one.
func (s loopLowerer) collectElements(e *check.Expr, list plan.Value) plan.Value {
	n := s.sizeOf(list.ID)
	span := s.newSpan(n, 0)
	var elem *plan.Type
	res := s.loop(n, []plan.ID{span, s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		x, keep, fault := s.lowerElement(e, list, i)
		elem = x.Type
		return append([]plan.ID{s.pushElement(acc[0], keep, s.slotsOf(x))}, s.carryFault(acc[1], fault)...)
	})
	s.g.Nodes[span].Imm = int64(elem.Slots())
	return newScalar(plan.ListOf(elem), res[0], s.firstFault(list.Fault, secondResult(res)))
}

// lowerElement returns one element of a map or a filter, whether it is kept, and the fault of the whole. With a filter
// before the map, xs.map(x, x > 0, div_floor(6, x)), the element's own fault counts only where it is kept.
func (s loopLowerer) lowerElement(e *check.Expr, list plan.Value, i plan.ID) (x plan.Value, keep, fault plan.ID) {
	item := s.bindItem(e, list, i)
	keep, fault = s.bool(true), plan.None
	if e.Op == check.OpFilter {
		p := s.lowerElementPart(e, i)
		return s.settleLayout(item), p.ID, p.Fault
	}
	var condition []int32
	if len(e.Args) > 2 {
		p, term := s.lowerPart(e.Args[2])
		keep, fault, condition = p.ID, p.Fault, []int32{term}
		s.reach = s.reachedWhen(s.reach, p.ID)
	}
	made, term := s.lowerPart(e.Args[1])
	s.putElement(e, i, made, append([]int32{term}, condition...)...)
	x = s.settleLayout(made)
	own := x.Fault
	if own != plan.None && !s.isTrue(keep) {
		own = s.selectValue(keep, own, s.ok())
	}
	return x, keep, s.firstFault(fault, own)
}

// lowerSortBy makes the list of all keys first, in one loop, and sorts by it in one operation, so
// that a key is computed once for each element and not once for each comparison.
func (s loopLowerer) lowerSortBy(e *check.Expr, list plan.Value) plan.Value {
	n := s.sizeOf(list.ID)
	span := s.newSpan(n, 1)
	var key *plan.Type
	res := s.loop(n, []plan.ID{span, s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.bindItem(e, list, i)
		k := s.lowerElementPart(e, i)
		if key = k.Type; e.Order != nil {
			k.ID, key = s.placeInOrder(k.ID, e.Order), plan.IntType
		}
		return append([]plan.ID{s.pushElement(acc[0], s.bool(true), []plan.ID{k.ID})}, s.carryFault(acc[1], k.Fault)...)
	})
	typ := s.plan.internType(list.Type)<<32 | s.plan.internType(plan.ListOf(key))
	sorted := s.opImm(plan.OpSortBy, plan.List, typ, list.ID, res[0])
	return newScalar(list.Type, sorted, s.firstFault(list.Fault, secondResult(res)))
}
