package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// formulaOf lowers a formula: an expression, or a choice among them.
func (s *scope) formulaOf(f *check.Formula) plan.Value {
	if f.By == nil {
		return s.expr(f.Expr)
	}
	by := s.expr(f.By)
	last := len(f.Arms) - 1
	outer := s.reach
	otherwise := outer
	is := make([]plan.ID, len(f.Arms))
	values := make([]plan.Value, len(f.Arms))
	for i, arm := range f.Arms {
		is[i] = s.op(plan.OpEqInt, plan.Bool, by.ID, s.symbol(arm.Value))
		s.reach = s.reaches(outer, is[i])
		if i == last {
			s.reach = otherwise
		}
		s.branch(arm.Expr.Place, "arm "+arm.Value, s.reach)
		values[i] = s.expr(arm.Expr)
		otherwise = s.reachesNot(otherwise, is[i])
	}
	s.reach = outer
	out := values[last]
	for i := last - 1; i >= 0; i-- {
		out = s.choose(is[i], values[i], out)
	}
	return s.withFault(out, by.Fault)
}

// expr lowers an expression.
func (s *scope) expr(e *check.Expr) plan.Value {
	switch e.Op {
	case check.Const:
		return s.constant(e)
	case check.Ref:
		return s.ref(e.Var)
	case check.Get:
		return s.get(e)
	case check.Has:
		return s.has(e)
	case check.Trait:
		return s.trait(e.Decl.(*check.TraitDef), s.expr(e.Args[0]))
	case check.Call:
		return s.call(e)
	case check.Look:
		return s.look(e)
	case check.Apply:
		return s.apply(e)
	case check.And, check.Or:
		return s.logic(e)
	case check.Cond:
		return s.cond(e)
	case check.MakeList:
		return s.makeList(e)
	case check.MakeMap:
		return s.makeMap(e)
	}
	return s.macro(e)
}

func (s *scope) constant(e *check.Expr) plan.Value {
	return scalar(e.Type, s.constBits(e.Type.Kind, e.Value), plan.None)
}

func (s *scope) constBits(kind plan.Kind, v check.Value) plan.ID {
	switch kind {
	case plan.Int:
		return s.int(v.Int)
	case plan.Double:
		return s.double(v.Double)
	case plan.Bool:
		return s.bool(v.Bool)
	}
	return s.symbol(v.String)
}

// ref is what a name stands for.
func (s *scope) ref(v *check.Var) plan.Value {
	switch v.Kind {
	case check.LetVar:
		return s.let(v)
	case check.OptionVar:
		if i, ok := s.plan.options[v]; ok {
			return scalar(v.Type, s.opImm(plan.OpOption, plan.String, i), plan.None)
		}
	}
	x, ok := s.vars[v]
	if !ok {
		panic("lower: no value for " + v.Name)
	}
	return x
}

func (s *scope) get(e *check.Expr) plan.Value {
	x := s.expr(e.Args[0])
	if x.Type.Kind == plan.Map {
		return s.lookUp(x, scalar(plan.StringType, s.symbol(e.Name), plan.None), s.site(e.Place))
	}
	i, _ := x.Type.Field(e.Name)
	out := x.Fields[i]
	out.Present = plan.None
	return out
}

func (s *scope) has(e *check.Expr) plan.Value {
	x := s.expr(e.Args[0])
	if x.Type.Kind == plan.Map {
		at := s.opImm(plan.OpFind, plan.Int, s.plan.typ(x.Type), x.ID, s.symbol(e.Name))
		return scalar(e.Type, s.op(plan.OpLeInt, plan.Bool, s.int(0), at), x.Fault)
	}
	i, _ := x.Type.Field(e.Name)
	return scalar(e.Type, s.presence(x.Fields[i]), x.Fault)
}

// lookUp is the value of a map's key.
func (s *scope) lookUp(m, key plan.Value, site int32) plan.Value {
	typ := s.plan.typ(m.Type)
	at := s.opImm(plan.OpFind, plan.Int, typ, m.ID, key.ID)
	missing := s.fault(plan.OpFindFault, site, typ, m.ID, key.ID)
	return s.withFault(s.entry(m, at), s.first(m.Fault, key.Fault, missing))
}

// trait lowers a trait as a property of a character.
func (s *scope) trait(t *check.TraitDef, of plan.Value) plan.Value {
	inner := s.within("trait "+t.Book.ID, t.Book.Cite.S)
	inner.vars[t.Self] = of
	var x plan.Value
	inner.in("", text(t.Formula.Text), func() {
		inner.reach = s.reach
		x = inner.formulaOf(t.Formula)
	})
	return x
}

// apply inlines a function.
func (s *scope) apply(e *check.Expr) plan.Value {
	f := e.Decl.(*check.FunctionDef)
	inner := s.within("function "+f.Book.ID, f.Book.Cite.S)
	faults := plan.None
	for i, p := range f.Params {
		x := s.expr(e.Args[i])
		faults = s.first(faults, s.deepFault(x))
		inner.vars[p] = x
	}
	var x plan.Value
	inner.in("", text(f.Formula.Text), func() {
		inner.reach = s.reach
		x = inner.formulaOf(f.Formula)
	})
	return s.withFault(x, faults)
}

// look finds a row of a table, or the column of it that the table gives.
func (s *scope) look(e *check.Expr) plan.Value {
	t := e.Decl.(*check.TableDef)
	key := s.expr(e.Args[0])
	index := s.plan.tableIndex(t)
	find := plan.OpRow
	if key.Type.Kind == plan.Double {
		find = plan.OpRowDouble
	}
	row := s.opImm(find, plan.Int, index, key.ID)
	missing := s.fault(plan.OpRowFault, s.site(e.Place), index, row, key.ID)
	v := read(t.Row, 0, func(offset int, kind plan.Kind) plan.ID {
		return s.opImm(plan.OpCell, kind, index<<32|int64(offset), row)
	})
	if t.Gives >= 0 {
		v = v.Fields[t.Gives]
	}
	return s.withFault(v, s.first(key.Fault, missing))
}

// logic lowers && and ||, which absorb a fault of one side when the other decides.
func (s *scope) logic(e *check.Expr) plan.Value {
	x := s.expr(e.Args[0])
	value, absorb := plan.OpAnd, plan.OpAndFault
	decides := s.not(x.ID)
	if e.Op == check.Or {
		value, absorb = plan.OpOr, plan.OpOrFault
		decides = x.ID
	}
	outer := s.reach
	s.branch(e.Place, "left decides", s.reaches(outer, decides))
	s.reach = s.reachesNot(outer, decides)
	s.branch(e.Place, "right decides", s.reach)
	y := s.expr(e.Args[1])
	s.reach = outer
	out := s.op(value, plan.Bool, x.ID, y.ID)
	if x.Fault == plan.None && y.Fault == plan.None {
		return scalar(e.Type, out, plan.None)
	}
	return scalar(e.Type, out, s.op(absorb, plan.Fault, x.ID, s.orOK(x.Fault), y.ID, s.orOK(y.Fault)))
}

func (s *scope) cond(e *check.Expr) plan.Value {
	c := s.expr(e.Args[0])
	outer := s.reach
	s.reach = s.reaches(outer, c.ID)
	s.branch(e.Args[1].Place, "then", s.reach)
	x := s.expr(e.Args[1])
	s.reach = s.reachesNot(outer, c.ID)
	s.branch(e.Args[2].Place, "else", s.reach)
	y := s.expr(e.Args[2])
	s.reach = outer
	return s.withFault(s.choose(c.ID, x, y), c.Fault)
}

// makeList lowers a list of the operands.
func (s *scope) makeList(e *check.Expr) plan.Value {
	items := make([]plan.Value, len(e.Args))
	t, fault := e.Type.Elem, plan.None
	for i, a := range e.Args {
		x := s.expr(a)
		fault = s.first(fault, x.Fault)
		items[i] = s.settle(x)
		if i == 0 {
			t = items[i].Type
		}
		t = join(t, items[i].Type)
	}
	if len(items) == 0 {
		return scalar(e.Type, s.bits(plan.List, 0), plan.None)
	}
	span := s.newSpan(s.int(int64(len(items))), t.Slots())
	for _, x := range items {
		span = s.append(span, s.bool(true), s.slots(s.fit(x, t)))
	}
	return scalar(plan.ListOf(t), span, fault)
}

// makeMap lowers a map literal entry by entry, so that its keys come to stand in order and a repeated key is replaced.
func (s *scope) makeMap(e *check.Expr) plan.Value {
	out := scalar(e.Type, s.bits(plan.Map, 0), plan.None)
	for i := 0; i+1 < len(e.Args); i += 2 {
		k, v := s.expr(e.Args[i]), s.expr(e.Args[i+1])
		fault := s.first(out.Fault, k.Fault, s.deepFault(v))
		out = s.with(out, k, v)
		out.Fault = fault
	}
	return out
}

// with is a map with one entry more, or replaced.
func (s *scope) with(m, key, v plan.Value) plan.Value {
	v = s.settle(v)
	t := *m.Type
	t.Elem = join(t.Elem, v.Type)
	m = s.fit(m, &t)
	args := append([]plan.ID{m.ID, key.ID}, s.slots(s.fit(v, t.Elem))...)
	id := s.here(plan.Node{Op: plan.OpWith, Kind: plan.Map, Args: args, Imm: s.plan.typ(&t), Site: -1})
	return plan.Value{Type: &t, ID: id, Fault: s.first(m.Fault, key.Fault, v.Fault), Present: plan.None}
}

// walk is the list that a macro walks: a list itself, or the sorted keys of a map.
func (s *scope) walk(e *check.Expr) plan.Value {
	x := s.expr(e)
	if x.Type.Kind != plan.Map {
		return x
	}
	keys := s.opImm(plan.OpKeys, plan.List, s.plan.typ(x.Type), x.ID)
	return scalar(plan.ListOf(&plan.Type{Kind: x.Type.Key}), keys, x.Fault)
}

func (s *scope) macro(e *check.Expr) plan.Value {
	list := s.walk(e.Args[0])
	defer s.enterLoop()()
	switch e.Op {
	case check.Map, check.Filter:
		return s.collect(e, list)
	case check.SortBy:
		return s.sortBy(e, list)
	case check.ExistsOne:
		return s.existsOne(e, list)
	}
	return s.quantify(e, list)
}

// item binds a macro's variable to an element.
func (s *scope) item(e *check.Expr, list plan.Value, i plan.ID) plan.Value {
	x := s.element(list, i)
	s.vars[e.Bind] = x
	return x
}

// quantify lowers all and exists: && and || over the elements, with the same absorption.
func (s *scope) quantify(e *check.Expr, list plan.Value) plan.Value {
	value, absorb := plan.OpAnd, plan.OpAndFault
	if e.Op == check.Exists {
		value, absorb = plan.OpOr, plan.OpOrFault
	}
	init := []plan.ID{s.bool(e.Op == check.All), s.ok()}
	res := s.loop(s.size(list.ID), init, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.item(e, list, i)
		p := s.expr(e.Args[1])
		out := s.op(value, plan.Bool, acc[0], p.ID)
		if p.Fault == plan.None {
			return []plan.ID{out}
		}
		return []plan.ID{out, s.op(absorb, plan.Fault, acc[0], acc[1], p.ID, p.Fault)}
	})
	return scalar(e.Type, res[0], s.first(list.Fault, second(res)))
}

// second is a loop's second result, when it has one.
func second(res []plan.ID) plan.ID {
	if len(res) < 2 {
		return plan.None
	}
	return res[1]
}

// carry is the fault of a loop after one more iteration, as the end of what the body returns: nothing when it cannot fail.
func (s *scope) carry(sofar, fault plan.ID) []plan.ID {
	if fault == plan.None {
		return nil
	}
	return []plan.ID{s.first(sofar, fault)}
}

func (s *scope) existsOne(e *check.Expr, list plan.Value) plan.Value {
	res := s.loop(s.size(list.ID), []plan.ID{s.int(0), s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.item(e, list, i)
		p := s.expr(e.Args[1])
		more := s.op(plan.OpAddInt, plan.Int, acc[0], s.sel(p.ID, s.int(1), s.int(0)))
		return append([]plan.ID{more}, s.carry(acc[1], p.Fault)...)
	})
	one := s.op(plan.OpEqInt, plan.Bool, res[0], s.int(1))
	return scalar(e.Type, one, s.first(list.Fault, second(res)))
}

// collect lowers map and filter. An element that fails fails the list; a field of an element that fails fails alone.
func (s *scope) collect(e *check.Expr, list plan.Value) plan.Value {
	n := s.size(list.ID)
	span := s.newSpan(n, 0)
	var elem *plan.Type
	res := s.loop(n, []plan.ID{span, s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		x, keep, fault := s.collected(e, list, i)
		elem = x.Type
		return append([]plan.ID{s.append(acc[0], keep, s.slots(x))}, s.carry(acc[1], fault)...)
	})
	s.g.Nodes[span].Imm = int64(elem.Slots())
	return scalar(plan.ListOf(elem), res[0], s.first(list.Fault, second(res)))
}

// collected is one element of a map or a filter, whether it is kept, and what fails the whole.
func (s *scope) collected(e *check.Expr, list plan.Value, i plan.ID) (x plan.Value, keep, fault plan.ID) {
	item := s.item(e, list, i)
	keep, fault = s.bool(true), plan.None
	if e.Op == check.Filter {
		p := s.expr(e.Args[1])
		return s.settle(item), p.ID, p.Fault
	}
	if len(e.Args) > 2 {
		p := s.expr(e.Args[2])
		keep, fault = p.ID, p.Fault
		s.reach = s.reaches(s.reach, p.ID)
	}
	x = s.settle(s.expr(e.Args[1]))
	own := x.Fault
	if own != plan.None && !s.isTrue(keep) {
		own = s.sel(keep, own, s.ok())
	}
	return x, keep, s.first(fault, own)
}

func (s *scope) sortBy(e *check.Expr, list plan.Value) plan.Value {
	n := s.size(list.ID)
	span := s.newSpan(n, 1)
	var key *plan.Type
	res := s.loop(n, []plan.ID{span, s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.item(e, list, i)
		k := s.expr(e.Args[1])
		key = k.Type
		return append([]plan.ID{s.append(acc[0], s.bool(true), []plan.ID{k.ID})}, s.carry(acc[1], k.Fault)...)
	})
	typ := s.plan.typ(list.Type)<<32 | s.plan.typ(plan.ListOf(key))
	sorted := s.opImm(plan.OpSortBy, plan.List, typ, list.ID, res[0])
	return scalar(list.Type, sorted, s.first(list.Fault, second(res)))
}
