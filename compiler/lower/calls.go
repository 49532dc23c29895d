package lower

import (
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

// call lowers a builtin or a function of CEL's.
func (s *scope) call(e *check.Expr) plan.Value {
	args := make([]plan.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.expr(a)
	}
	if c, ok := simpleCallOf(e.Name); ok {
		return s.simple(e, c, args)
	}
	if conversions[e.Name] {
		return args[0]
	}
	return s.special(e, args)
}

// simpleCallOf finds the operation that an overload is; false when it is more than one.
func simpleCallOf(overload string) (simple, bool) {
	if c, ok := simpleCalls[overload]; ok {
		return c, true
	}
	op := builtin.OverloadOp(overload)
	return simple{op: op}, op != plan.OpInvalid
}

// simple lowers a call that is one operation. The immediate of an operation on lists is the type of its first operand.
func (s *scope) simple(e *check.Expr, c simple, args []plan.Value) plan.Value {
	ids, faults := make([]plan.ID, len(args)), make([]plan.ID, len(args))
	for i, a := range args {
		ids[i], faults[i] = a.ID, a.Fault
	}
	if c.swap {
		ids[0], ids[1] = ids[1], ids[0]
	}
	imm, row := int64(0), c.op.Operation()
	if row.Immediate == plan.TypeImmediate {
		imm = s.plan.typ(args[0].Type)
	}
	out := e.Type
	if out.Kind == plan.List && row.Immediate == plan.TypeImmediate { // whose elements are laid out as those that it takes
		out = args[0].Type
	}
	v := scalar(out, s.opImm(c.op, out.Kind, imm, ids...), s.first(faults...))
	if row.Fails != plan.OpInvalid {
		switch row.Fails.Operation().Immediate {
		case plan.NoImmediate:
			imm = 0
		case plan.OpImmediate: // what rounds
			imm = int64(c.op)
		}
		v.Fault = s.first(v.Fault, s.fault(row.Fails, s.site(e.Place), imm, ids...))
	}
	return v
}

// special lowers the calls that are more than one operation.
func (s *scope) special(e *check.Expr, args []plan.Value) plan.Value {
	switch e.Name {
	case "equals":
		return s.compare(e, args, false)
	case "not_equals":
		return s.compare(e, args, true)
	case "add_list":
		return s.concat(args[0], args[1])
	case "index_list":
		missing := s.fault(plan.OpElemFault, s.site(e.Place), 0, args[0].ID, args[1].ID)
		return s.withFault(s.element(args[0], args[1].ID), s.first(args[0].Fault, args[1].Fault, missing))
	case "index_map":
		return s.lookUp(args[0], args[1], s.site(e.Place))
	case "in_list":
		return s.inList(e, args[0], args[1])
	case "in_map":
		at := s.opImm(plan.OpFind, plan.Int, s.plan.typ(args[1].Type), args[1].ID, args[0].ID)
		return scalar(e.Type, s.op(plan.OpLeInt, plan.Bool, s.int(0), at), s.first(args[0].Fault, args[1].Fault))
	case "get_map":
		return s.getMap(args[0], args[1], args[2])
	case "with_map":
		return s.with(args[0], args[1], args[2])
	case "with_record":
		return s.withFault(s.replace(args[0], splitPath(e.Args[1].Value.String), args[2]), args[2].Fault)
	case "string_to_bool":
		return s.toBool(e, args[0])
	case "range_1":
		from := scalar(plan.IntType, s.int(0), plan.None)
		return s.simple(e, simple{op: plan.OpRange}, []plan.Value{from, args[0]})
	}
	panic("lower: no lowering for overload " + e.Name)
}

// toBool reads a truth as CEL does.
func (s *scope) toBool(e *check.Expr, x plan.Value) plan.Value {
	isOne := func(words ...string) plan.ID {
		out := s.bool(false)
		for _, w := range words {
			out = s.or(out, s.op(plan.OpEqInt, plan.Bool, x.ID, s.symbol(w)))
		}
		return out
	}
	yes, no := isOne("1", "t", "true", "TRUE", "True"), isOne("0", "f", "false", "FALSE", "False")
	bad := s.unless(s.or(yes, no), e.Place, "type conversion error from 'string' to 'bool'")
	return scalar(e.Type, yes, s.first(x.Fault, bad))
}

func (s *scope) compare(e *check.Expr, args []plan.Value, not bool) plan.Value {
	x, y := s.alike(args[0], args[1])
	id := s.equal(x, y)
	if not {
		id = s.not(id)
	}
	return scalar(e.Type, id, s.first(s.deepFault(x), s.deepFault(y)))
}

func (s *scope) concat(x, y plan.Value) plan.Value {
	x, y = s.alike(x, y)
	id := s.opImm(plan.OpConcat, plan.List, s.plan.typ(x.Type), x.ID, y.ID)
	return scalar(x.Type, id, s.first(x.Fault, y.Fault))
}

func (s *scope) inList(e *check.Expr, x, list plan.Value) plan.Value {
	fault := s.first(s.deepFault(x), list.Fault)
	if list.Type.Elem.Scalar() {
		id := s.opImm(plan.OpHas, plan.Bool, s.plan.typ(list.Type), list.ID, x.ID)
		return scalar(e.Type, id, fault)
	}
	res := s.loop(s.size(list.ID), []plan.ID{s.bool(false)}, func(i plan.ID, acc []plan.ID) []plan.ID {
		a, b := s.alike(s.element(list, i), x)
		return []plan.ID{s.or(acc[0], s.equal(a, b))}
	})
	return scalar(e.Type, res[0], fault)
}

func (s *scope) getMap(m, key, otherwise plan.Value) plan.Value {
	at := s.opImm(plan.OpFind, plan.Int, s.plan.typ(m.Type), m.ID, key.ID)
	there := s.op(plan.OpLeInt, plan.Bool, s.int(0), at)
	return s.withFault(s.choose(there, s.entry(m, at), otherwise), s.first(m.Fault, key.Fault, otherwise.Fault))
}

// replace is a value with another value at a path: a field of a record, or a key of a map.
func (s *scope) replace(v plan.Value, path []string, with plan.Value) plan.Value {
	if len(path) == 0 {
		return s.fit(with, v.Type)
	}
	if v.Type.Kind == plan.Map {
		key := scalar(plan.StringType, s.symbol(path[0]), plan.None)
		if len(path) > 1 {
			at := s.opImm(plan.OpFind, plan.Int, s.plan.typ(v.Type), v.ID, key.ID)
			with = s.replace(s.entry(v, at), path[1:], with)
		}
		return s.with(v, key, with)
	}
	i, _ := v.Type.Field(path[0])
	out := v
	out.Fields = append([]plan.Value(nil), v.Fields...)
	present := out.Fields[i].Present
	out.Fields[i] = s.replace(v.Fields[i], path[1:], with)
	if present != plan.None {
		out.Fields[i].Present = s.bool(true)
	}
	return out
}
