package lower

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A simple call is one value operation on scalars or lists, and the fault operation of its row on the same operands.
type simple struct {
	op   plan.Op
	swap bool // the operands stand the other way round: a > b is b < a
}

// simpleCalls lists CEL's own functions by overload id. Those of package builtin say their operation themselves.
//
// The ids are those of cel-go (common/overloads), among them both spellings of size. Comparisons
// that ask for greater use the operation for less with exchanged operands, so that there are half
// as many operations; "a != b" is not(equal) for NaN's sake, which differs from itself.
var simpleCalls = map[string]simple{
	"add_int64":       {op: plan.OpAddInt},
	"subtract_int64":  {op: plan.OpSubInt},
	"multiply_int64":  {op: plan.OpMulInt},
	"divide_int64":    {op: plan.OpDivTrunc},
	"modulo_int64":    {op: plan.OpModInt},
	"negate_int64":    {op: plan.OpNegInt},
	"add_double":      {op: plan.OpAddDouble},
	"subtract_double": {op: plan.OpSubDouble},
	"multiply_double": {op: plan.OpMulDouble},
	"divide_double":   {op: plan.OpDivDouble},
	"negate_double":   {op: plan.OpNegDouble},
	"int64_to_double": {op: plan.OpToDouble},
	"double_to_int64": {op: plan.OpTrunc},
	"logical_not":     {op: plan.OpNot},

	"less_int64":                  {op: plan.OpLtInt},
	"less_bool":                   {op: plan.OpLtInt},
	"less_equals_int64":           {op: plan.OpLeInt},
	"less_equals_bool":            {op: plan.OpLeInt},
	"greater_int64":               {op: plan.OpLtInt, swap: true},
	"greater_bool":                {op: plan.OpLtInt, swap: true},
	"greater_equals_int64":        {op: plan.OpLeInt, swap: true},
	"greater_equals_bool":         {op: plan.OpLeInt, swap: true},
	"less_double":                 {op: plan.OpLtDouble},
	"less_equals_double":          {op: plan.OpLeDouble},
	"greater_double":              {op: plan.OpLtDouble, swap: true},
	"greater_equals_double":       {op: plan.OpLeDouble, swap: true},
	"less_string":                 {op: plan.OpLtString},
	"less_equals_string":          {op: plan.OpLeString},
	"greater_string":              {op: plan.OpLtString, swap: true},
	"greater_equals_string":       {op: plan.OpLeString, swap: true},
	"less_int64_double":           {op: plan.OpLtIntDouble},
	"less_equals_int64_double":    {op: plan.OpLeIntDouble},
	"greater_int64_double":        {op: plan.OpLtDoubleInt, swap: true},
	"greater_equals_int64_double": {op: plan.OpLeDoubleInt, swap: true},
	"less_double_int64":           {op: plan.OpLtDoubleInt},
	"less_equals_double_int64":    {op: plan.OpLeDoubleInt},
	"greater_double_int64":        {op: plan.OpLtIntDouble, swap: true},
	"greater_equals_double_int64": {op: plan.OpLeIntDouble, swap: true},

	"add_string":         {op: plan.OpConcatString},
	"size_string":        {op: plan.OpSizeString},
	"string_size":        {op: plan.OpSizeString},
	"contains_string":    {op: plan.OpContains},
	"starts_with_string": {op: plan.OpStartsWith},
	"ends_with_string":   {op: plan.OpEndsWith},
	"int64_to_string":    {op: plan.OpIntToString},
	"double_to_string":   {op: plan.OpDoubleToString},
	"bool_to_string":     {op: plan.OpBoolToString},
	"string_to_int64":    {op: plan.OpStringToInt},
	"string_to_double":   {op: plan.OpStringToDouble},

	"size_list": {op: plan.OpSize},
	"list_size": {op: plan.OpSize},
	"size_map":  {op: plan.OpSize},
	"map_size":  {op: plan.OpSize},
}

// conversions give their operand as it is.
var conversions = map[string]bool{
	"int64_to_int64": true, "double_to_double": true, "bool_to_bool": true, "string_to_string": true,
}

// A callLowerer lowers calls of the language's functions on operands that are lowered.
type callLowerer struct{ *scope }

// lowerCall lowers a builtin or a function of CEL's.
func (s *scope) lowerCall(e *check.Expr) plan.Value {
	args := make([]plan.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.lowerExpr(a)
	}
	c := callLowerer{s}
	if len(args) == 1 && s.parts[args[0].ID] != nil {
		if v, ok := c.lowerOfParts(e, args[0]); ok {
			return v
		}
	}
	if e.Order != nil {
		return c.lowerOrdered(e, args)
	}
	if simple, ok := simpleCallOf(e.Name); ok {
		return c.lowerSimple(e, simple, args)
	}
	if conversions[e.Name] {
		return args[0]
	}
	return c.lowerSpecial(e, args)
}

// lowerOrdered lowers a comparison of words of a choice, or a list of such words that is sorted: by their places in it.
//
// For size: "small" | "medium" | "large" the comparison size >= 'medium' becomes that of two
// places: row of the word in a derived table with the places 0, 1 and 2. The constant's place is
// found by constant folding.
func (s callLowerer) lowerOrdered(e *check.Expr, args []plan.Value) plan.Value {
	if e.Name == "sort_list" {
		list := args[0]
		n := s.sizeOf(list.ID)
		span := s.newSpan(n, 1)
		places := s.loop(n, []plan.ID{span}, func(i plan.ID, acc []plan.ID) []plan.ID {
			place := s.placeInOrder(s.elementAt(list, i).ID, e.Order)
			return []plan.ID{s.pushElement(acc[0], s.bool(true), []plan.ID{place})}
		})
		typ := s.plan.internType(list.Type)<<32 | s.plan.internType(plan.ListOf(plan.IntType))
		return newScalar(list.Type, s.opImm(plan.OpSortBy, plan.List, typ, list.ID, places[0]), list.Fault)
	}
	for i, a := range args {
		args[i] = newScalar(plan.IntType, s.placeInOrder(a.ID, e.Order), a.Fault)
	}
	simple, _ := simpleCallOf(strings.TrimSuffix(e.Name, "string") + "int64")
	return s.lowerSimple(e, simple, args)
}

// placeInOrder returns the place of a word in the order of its choice, from 0: the row of a table of the plan's own.
func (s *scope) placeInOrder(word plan.ID, order []string) plan.ID {
	return s.opImm(plan.OpRow, plan.Int, s.plan.orderTable(order), word)
}

// orderTable returns the number in the plan of the table that has the words of a choice in their order.
func (p *planner) orderTable(order []string) int64 {
	return p.derivedTable(fmt.Sprintf("order %q", order), func(out *plan.Table) {
		out.Row = &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "place", Type: plan.IntType}}}
		for i, word := range order {
			p.appendKey(out, plan.WordKey(word))
			out.Cells = append(out.Cells, int64(i))
		}
	})
}

// simpleCallOf finds the operation that an overload is; false when it is more than one.
func simpleCallOf(overload string) (simple, bool) {
	if c, ok := simpleCalls[overload]; ok {
		return c, true
	}
	op := builtin.OverloadOp(overload)
	return simple{op: op}, op != plan.OpInvalid
}

// lowerSimple lowers a call that is one operation. The immediate of an operation on lists is the type of its first operand.
//
// The operation's row says whether it takes a type, which operation is its fault, and the immediate of that. So a new
// builtin that is one operation needs no line here.
func (s callLowerer) lowerSimple(e *check.Expr, c simple, args []plan.Value) plan.Value {
	ids, faults := make([]plan.ID, len(args)), make([]plan.ID, len(args))
	for i, a := range args {
		ids[i], faults[i] = a.ID, a.Fault
	}
	if c.swap {
		ids[0], ids[1] = ids[1], ids[0]
	}
	imm, row := int64(0), c.op.Operation()
	if row.Immediate == plan.TypeImmediate {
		imm = s.plan.internType(args[0].Type)
	}
	out := e.Type
	if out.Kind == plan.List && row.Immediate == plan.TypeImmediate { // whose elements are laid out as those that it takes
		out = args[0].Type
	}
	v := newScalar(out, s.opImm(c.op, out.Kind, imm, ids...), s.firstFault(faults...))
	if row.Fails != plan.OpInvalid {
		switch row.Fails.Operation().Immediate {
		case plan.NoImmediate:
			imm = 0
		case plan.OpImmediate: // what rounds
			imm = int64(c.op)
		}
		v.Fault = s.firstFault(v.Fault, s.faultOp(row.Fails, s.siteAt(e.Place), imm, ids...))
	}
	if builtin.TakesOnlyNumbers(e.Name) {
		v.Fault = s.firstFault(v.Fault, s.failOnNaN(e, args))
	}
	return v
}

// failOnNaN returns the fault of an operand, or an element of a list, that is NaN. Operands that no interval keeps from NaN
// are judged at run time.
func (s callLowerer) failOnNaN(e *check.Expr, args []plan.Value) plan.ID {
	ok := s.bool(true)
	for _, a := range args {
		switch {
		case a.Type.Kind == plan.Double:
			ok = s.and(ok, s.isNumber(a.ID))
		case a.Type.Kind == plan.List && a.Type.Elem.Kind == plan.Double:
			ok = s.and(ok, s.areNumbers(a))
		}
	}
	if s.isTrue(ok) {
		return plan.None
	}
	name, _, _ := strings.Cut(e.Name, "_")
	return s.failUnless(ok, e.Place, name+" of what is not a number (NaN, as 0.0 / 0.0 gives)")
}

// isNumber reports whether a double is not NaN: only NaN differs from itself.
func (s callLowerer) isNumber(x plan.ID) plan.ID { return s.op(plan.OpEqDouble, plan.Bool, x, x) }

// areNumbers reports whether no element of a list of doubles is NaN.
func (s callLowerer) areNumbers(list plan.Value) plan.ID {
	return s.loop(s.sizeOf(list.ID), []plan.ID{s.bool(true)}, func(i plan.ID, acc []plan.ID) []plan.ID {
		return []plan.ID{s.and(acc[0], s.isNumber(s.elementAt(list, i).ID))}
	})[0]
}

// lowerSpecial lowers the calls that are more than one operation.
// A call that is not listed cannot come here: TestEveryOverloadIsLowered calls each one that a
// formula may have.
func (s callLowerer) lowerSpecial(e *check.Expr, args []plan.Value) plan.Value {
	switch e.Name {
	case "equals":
		return s.lowerEquality(e, args, false)
	case "not_equals":
		return s.lowerEquality(e, args, true)
	case "add_list":
		return s.concatLists(args[0], args[1])
	case "index_list":
		missing := s.faultOp(plan.OpElemFault, s.siteAt(e.Place), 0, args[0].ID, args[1].ID)
		return s.withFault(s.elementAt(args[0], args[1].ID), s.firstFault(args[0].Fault, args[1].Fault, missing))
	case "index_map":
		return s.findEntry(args[0], args[1], s.siteAt(e.Place))
	case "in_list":
		return s.lowerInList(e, args[0], args[1])
	case "in_map":
		at := s.opImm(plan.OpFind, plan.Int, s.plan.internType(args[1].Type), args[1].ID, args[0].ID)
		return newScalar(e.Type, s.op(plan.OpLeInt, plan.Bool, s.int(0), at), s.firstFault(args[0].Fault, args[1].Fault))
	case "get_map":
		return s.lowerGet(args[0], args[1], args[2])
	case "with_map":
		return s.withEntry(args[0], args[1], args[2])
	case "with_record":
		return s.withFault(s.replaceAt(args[0], splitPath(e.Args[1].Value.String), args[2]), args[2].Fault)
	case "string_to_bool":
		return s.parseBool(e, args[0])
	case "range_1":
		from := newScalar(plan.IntType, s.int(0), plan.None)
		return s.lowerSimple(e, simple{op: plan.OpRange}, []plan.Value{from, args[0]})
	}
	panic("lower: no lowering for overload " + e.Name)
}

// parseBool reads a truth as CEL does.
// The words are those of Go's strconv.ParseBool, which the CEL specification lists for
// bool(string).
func (s callLowerer) parseBool(e *check.Expr, x plan.Value) plan.Value {
	isOne := func(words ...string) plan.ID {
		out := s.bool(false)
		for _, w := range words {
			out = s.or(out, s.op(plan.OpEqInt, plan.Bool, x.ID, s.symbolConst(w)))
		}
		return out
	}
	yes, no := isOne("1", "t", "true", "TRUE", "True"), isOne("0", "f", "false", "FALSE", "False")
	bad := s.failUnless(s.or(yes, no), e.Place, "type conversion error from 'string' to 'bool'")
	return newScalar(e.Type, yes, s.firstFault(x.Fault, bad))
}

// lowerEquality compares two values whole: where a part of either failed, the comparison has
// failed, even if other parts differ.
func (s callLowerer) lowerEquality(e *check.Expr, args []plan.Value, not bool) plan.Value {
	x, y := s.alignLayouts(args[0], args[1])
	id := s.equalValues(x, y)
	if not {
		id = s.not(id)
	}
	return newScalar(e.Type, id, s.firstFault(s.deepFault(x), s.deepFault(y)))
}

func (s callLowerer) concatLists(x, y plan.Value) plan.Value {
	x, y = s.alignLayouts(x, y)
	id := s.opImm(plan.OpConcat, plan.List, s.plan.internType(x.Type), x.ID, y.ID)
	return newScalar(x.Type, id, s.firstFault(x.Fault, y.Fault))
}

// lowerInList asks one operation about scalars, and compares records one by one in a loop.
func (s callLowerer) lowerInList(e *check.Expr, x, list plan.Value) plan.Value {
	fault := s.firstFault(s.deepFault(x), list.Fault)
	if list.Type.Elem.Scalar() {
		id := s.opImm(plan.OpHas, plan.Bool, s.plan.internType(list.Type), list.ID, x.ID)
		return newScalar(e.Type, id, fault)
	}
	res := s.loop(s.sizeOf(list.ID), []plan.ID{s.bool(false)}, func(i plan.ID, acc []plan.ID) []plan.ID {
		a, b := s.alignLayouts(s.elementAt(list, i), x)
		return []plan.ID{s.or(acc[0], s.equalValues(a, b))}
	})
	return newScalar(e.Type, res[0], fault)
}

func (s callLowerer) lowerGet(m, key, otherwise plan.Value) plan.Value {
	at := s.opImm(plan.OpFind, plan.Int, s.plan.internType(m.Type), m.ID, key.ID)
	there := s.op(plan.OpLeInt, plan.Bool, s.int(0), at)
	return s.withFault(s.selectBetween(there, s.entryAt(m, at), otherwise),
		s.firstFault(m.Fault, key.Fault, otherwise.Fault))
}

// lowerOfParts lowers a call on a list that is joined of parts, if its value is the sum of its values for the parts.
func (s callLowerer) lowerOfParts(e *check.Expr, list plan.Value) (out plan.Value, ok bool) {
	simple, _ := simpleCallOf(e.Name)
	if simple.op != plan.OpSize && simple.op != plan.OpSumInt {
		return out, false
	}
	for i, v := range s.eachPart(list, func(part plan.Value) plan.Value {
		return s.lowerSimple(e, simple, []plan.Value{part})
	}) {
		if i == 0 {
			out = v
		} else {
			out = s.lowerSimple(e, simpleCalls["add_int64"], []plan.Value{out, v})
		}
	}
	return out, true
}
