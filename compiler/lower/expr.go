package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerChoose lowers a choice: a chain of selections, by the enum's values in their order. The last
// arm needs no question, as the key has no other value. Arms are lowered from the first to the
// last, since an arm is reached only where those before it are not chosen (otherwise); selections
// are built from the last to the first, each around those behind it. The comparison of the last arm
// is dead code.
func (s *scope) lowerChoose(e *check.Expr) plan.Value {
	by, arms := s.lowerExpr(e.Args[0]), e.Args[1:]
	last := len(arms) - 1
	outer := s.reach
	otherwise := outer
	is := make([]plan.ID, len(arms))
	values := make([]plan.Value, len(arms))
	for i, arm := range arms {
		value := e.Args[0].Type.Enum[i]
		is[i] = s.op(plan.OpEqInt, plan.Bool, by.ID, s.symbolConst(value))
		s.reach = s.reachedWhen(outer, is[i])
		if i == last {
			s.reach = otherwise
		}
		s.markBranch(arm.Place, "arm "+value, s.reach)
		values[i] = s.lowerExpr(arm)
		otherwise = s.reachedUnless(otherwise, is[i])
	}
	s.reach = outer
	out := values[last]
	for i := last - 1; i >= 0; i-- {
		out = s.selectBetween(is[i], values[i], out)
	}
	return s.withFault(out, by.Fault)
}

// lowerExpr lowers an expression, and notes its term.
func (s *scope) lowerExpr(e *check.Expr) plan.Value {
	s.trace.begin()
	v := withWords(s.lowerOperation(e), e.Type)
	s.putTerm(e, v, s.trace.end())
	return v
}

// lowerLet returns the value of a let or an output. Recursion ends because check found no cycle. Terms that are being
// gathered around it are set aside: a reader of the let gets the term of its name, and not the terms of its formula.
func (s *scope) lowerLet(l *check.Let) plan.Value {
	s.noteReader(l)
	if x, ok := s.memo[l]; ok {
		return x
	}
	part, kind := "let ", plan.LetName
	if s.shown[l] {
		part, kind = "output ", plan.OutputName
	}
	var x plan.Value
	s.buildAtLevel(s.level, func() {
		s.inPart(part+l.Name(), formulaText(l.Formula.Book), func() {
			s.trace.begin()
			s.underLet(l, func() { x = s.lowerExpr(l.Formula.Expr) })
		})
	})
	s.memo[l] = x
	s.addName(kind, l.Name(), x, l.Formula)
	s.letTerms[l] = s.nameTerm(l.Name(), x, s.trace.end(), l.Formula)
	return x
}

// lowerOperation returns the value of an expression with its operands. Its type is the expression's but for the layout and
// for the words that a string may be: those are of one of the operands.
func (s *scope) lowerOperation(e *check.Expr) plan.Value {
	switch e.Op {
	case check.OpConst:
		return s.lowerConst(e)
	case check.OpRef:
		return s.lowerRef(e.Object)
	case check.OpField:
		return s.lowerField(e)
	case check.OpHas:
		return s.lowerHas(e)
	case check.OpTrait:
		return s.lowerTrait(e.Object.(*check.Trait), s.lowerExpr(e.Args[0]))
	case check.OpCall:
		return s.lowerCall(e)
	case check.OpLookUp:
		return s.lowerLookUp(e)
	case check.OpApply:
		return s.lowerApply(e)
	case check.OpAnd, check.OpOr:
		return s.lowerLogic(e)
	case check.OpCond:
		return s.lowerCond(e)
	case check.OpChoose:
		return s.lowerChoose(e)
	case check.OpMakeList:
		return s.lowerList(e)
	case check.OpMakeMap:
		return s.lowerMap(e)
	}
	return s.lowerMacro(e)
}

func (s *scope) lowerConst(e *check.Expr) plan.Value {
	return newScalar(e.Type, s.valueConst(e.Type.Kind, e.Value), plan.None)
}

// valueConst returns a constant as a slot holds it: a string is the number of its symbol.
func (s *scope) valueConst(kind plan.Kind, v check.Value) plan.ID {
	switch kind {
	case plan.Int:
		return s.int(v.Int)
	case plan.Double:
		return s.double(v.Double)
	case plan.Bool:
		return s.bool(v.Bool)
	}
	return s.symbolConst(v.String)
}

// lowerRef returns the value of a name. A let is lowered when it is first read; an option is a node of its own, which a
// request may set; everything else has been bound by the part that declares it, or lowering has a defect.
func (s *scope) lowerRef(o check.Object) plan.Value {
	switch o := o.(type) {
	case *check.Let:
		return s.lowerLet(o)
	case *check.Option:
		return newScalar(o.Type(), s.opImm(plan.OpOption, plan.String, s.plan.options[o]), plan.None)
	}
	x, ok := s.vars[o]
	if !ok {
		panic("lower: no value for " + o.Name())
	}
	return x
}

// lowerField reads a field: of a record it is a field of the tuple, without a node of its own, and
// has the presence no more, which check has seen to be known here (checkGuards); of a map it is a search.
func (s *scope) lowerField(e *check.Expr) plan.Value {
	x := s.lowerExpr(e.Args[0])
	if x.Type.Kind == plan.Map {
		return s.findEntry(x, newScalar(plan.StringType, s.symbolConst(e.Name), plan.None), s.siteAt(e.Place))
	}
	i, _ := x.Type.Field(e.Name)
	out := x.Fields[i]
	out.Present = plan.None
	return out
}

func (s *scope) lowerHas(e *check.Expr) plan.Value {
	x := s.lowerExpr(e.Args[0])
	if x.Type.Kind == plan.Map {
		at := s.opImm(plan.OpFind, plan.Int, s.plan.internType(x.Type), x.ID, s.symbolConst(e.Name))
		return newScalar(e.Type, s.op(plan.OpLeInt, plan.Bool, s.int(0), at), x.Fault)
	}
	i, _ := x.Type.Field(e.Name)
	return newScalar(e.Type, s.presenceOf(x.Fields[i]), x.Fault)
}

// findEntry returns the value of a map's key. The element at -1, for a key that is missing, reads as 0, and the fault
// beside it says so.
func (s *scope) findEntry(m, key plan.Value, site int32) plan.Value {
	typ := s.plan.internType(m.Type)
	at := s.opImm(plan.OpFind, plan.Int, typ, m.ID, key.ID)
	missing := s.faultOp(plan.OpFindFault, site, typ, m.ID, key.ID)
	return s.withFault(s.entryAt(m, at), s.firstFault(m.Fault, key.Fault, missing))
}

// lowerTrait lowers a trait as a property of a character.
// of need not be the character of the body: state.them.strong asks another one.
func (s *scope) lowerTrait(t *check.Trait, of plan.Value) plan.Value {
	inner := s.innerScope("trait "+t.Book.ID, t.Book.Cite.S)
	inner.givenTerms[t.Self] = s.trace.current()
	inner.vars[t.Self] = of
	var x plan.Value
	inner.inPart("", formulaText(t.Formula.Book), func() {
		inner.reach = s.reach
		x = inner.lowerExpr(t.Formula.Expr)
	})
	return x
}

// lowerApply inlines a function.
//
// As in CEL, a call fails when an argument fails, even one that the formula of the function does
// not read: so the faults of all arguments are added to the result. An argument is lowered once,
// however often the formula reads its parameter.
func (s *scope) lowerApply(e *check.Expr) plan.Value {
	f := e.Object.(*check.Function)
	inner := s.innerScope("function "+f.Book.ID, f.Book.Cite.S)
	faults := plan.None
	for i, p := range f.Params {
		s.trace.begin()
		x := s.lowerExpr(e.Args[i])
		inner.argumentTerm(p, x, s.trace.end())
		faults = s.firstFault(faults, s.deepFault(x))
		inner.vars[p] = x
	}
	var x plan.Value
	inner.inPart("", formulaText(f.Formula.Book), func() {
		inner.reach = s.reach
		x = inner.lowerExpr(f.Formula.Expr)
	})
	return s.withFault(x, faults)
}

// lowerLookUp finds a row of a table, or the column of it that the table gives.
func (s *scope) lowerLookUp(e *check.Expr) plan.Value {
	t := e.Object.(*check.Table)
	row := s.findRow(e, 0, t)
	if t.Across != nil {
		return s.lowerCell(e, t, row)
	}
	v := s.readRow(s.plan.tableIndex(t), t.Row, row.id)
	if t.Gives >= 0 {
		v = v.Fields[t.Gives]
	}
	return s.withFault(v, s.firstFault(row.key, row.missing))
}

// lowerCell finds the column of a table with two keys, and reads the cell where it meets a row.
// A key that is not found makes the row -1, and the number of the cell senseless; cell reads 0
// there and the fault says why.
func (s *scope) lowerCell(e *check.Expr, t *check.Table, row foundRow) plan.Value {
	column := s.findRow(e, 1, t.Across)
	width := s.int(int64(len(t.Across.Book.Rows)))
	at := s.op(plan.OpAddInt, plan.Int, s.op(plan.OpMulInt, plan.Int, row.id, width), column.id)
	v := s.readRow(s.plan.cellTableIndex(t), cellRowType(t), at).Fields[0]
	s.foundRows[at] = row.id
	return s.withFault(v, s.firstFault(row.key, row.missing, column.key, column.missing))
}

// A foundRow is the number of the row that a key finds, -1 for none, with the faults of the key and of finding none.
type foundRow struct{ id, key, missing plan.ID }

// findRow looks an argument of a look-up up in a table.
func (s *scope) findRow(e *check.Expr, arg int, t *check.Table) foundRow {
	key := s.lowerExpr(e.Args[arg])
	find := plan.OpRow
	if key.Type.Kind == plan.Double {
		find = plan.OpRowDouble
	}
	index := s.plan.tableIndex(t)
	row := s.opImm(find, plan.Int, index, key.ID)
	return foundRow{row, key.Fault, s.faultOp(plan.OpRowFault, s.siteAt(e.Place), index, row, key.ID)}
}

// readRow reads the cells of a row.
func (s *scope) readRow(table int64, of *plan.Type, row plan.ID) plan.Value {
	return readSlots(of, 0, func(offset int, kind plan.Kind) plan.ID {
		return s.opImm(plan.OpCell, kind, table<<32|int64(offset), row)
	})
}

// lowerLogic lowers && and ||, which absorb a fault of one side when the other decides.
//
// (CEL specification, "Logical Operators": commutative, an error only where neither side decides.)
// and.fault takes both values and both faults: it is 0 when either side is false without a fault,
// else the first fault.
func (s *scope) lowerLogic(e *check.Expr) plan.Value {
	x := s.lowerExpr(e.Args[0])
	value, absorb := plan.OpAnd, plan.OpAndFault
	decides := s.not(x.ID)
	if e.Op == check.OpOr {
		value, absorb = plan.OpOr, plan.OpOrFault
		decides = x.ID
	}
	outer := s.reach
	s.markBranch(e.Place, "left decides", s.reachedWhen(outer, decides))
	s.reach = s.reachedUnless(outer, decides)
	s.markBranch(e.Place, "right decides", s.reach)
	y := s.lowerExpr(e.Args[1])
	s.reach = outer
	out := s.op(value, plan.Bool, x.ID, y.ID)
	if x.Fault == plan.None && y.Fault == plan.None {
		return newScalar(e.Type, out, plan.None)
	}
	return newScalar(e.Type, out, s.op(absorb, plan.Fault, x.ID, s.faultOrOK(x.Fault), y.ID, s.faultOrOK(y.Fault)))
}

// lowerCond lowers both arms and selects between their values. Each arm counts as reached only where the condition says
// so, which coverage asks; both are computed.
func (s *scope) lowerCond(e *check.Expr) plan.Value {
	c := s.lowerExpr(e.Args[0])
	outer := s.reach
	s.reach = s.reachedWhen(outer, c.ID)
	s.markBranch(e.Args[1].Place, "then", s.reach)
	x := s.lowerExpr(e.Args[1])
	s.reach = s.reachedUnless(outer, c.ID)
	s.markBranch(e.Args[2].Place, "else", s.reach)
	y := s.lowerExpr(e.Args[2])
	s.reach = outer
	return s.withFault(s.selectBetween(c.ID, x, y), c.Fault)
}

// lowerList lowers a list of the operands.
// Elements are of one type, but an element whose field may fail has one slot more: all are given
// the joint layout.
func (s *scope) lowerList(e *check.Expr) plan.Value {
	items := make([]plan.Value, len(e.Args))
	t, fault := e.Type.Elem, plan.None
	for i, a := range e.Args {
		x := s.lowerExpr(a)
		fault = s.firstFault(fault, x.Fault)
		items[i] = s.settleLayout(x)
		if i == 0 {
			t = items[i].Type
		}
		t = joinLayouts(t, items[i].Type)
	}
	if len(items) == 0 {
		return newScalar(e.Type, s.constBits(plan.List, 0), plan.None)
	}
	span := s.newSpan(s.int(int64(len(items))), t.Slots())
	for _, x := range items {
		span = s.pushElement(span, s.bool(true), s.slotsOf(s.fitLayout(x, t)))
	}
	return newScalar(plan.ListOf(t), span, fault)
}

// lowerMap lowers a map literal entry by entry, so that its keys come to stand in order and a repeated key is replaced.
func (s *scope) lowerMap(e *check.Expr) plan.Value {
	out := newScalar(e.Type, s.constBits(plan.Map, 0), plan.None)
	for i := 0; i+1 < len(e.Args); i += 2 {
		k, v := s.lowerExpr(e.Args[i]), s.lowerExpr(e.Args[i+1])
		fault := s.firstFault(out.Fault, k.Fault, s.deepFault(v))
		out = s.withEntry(out, k, v)
		out.Fault = fault
	}
	return out
}
