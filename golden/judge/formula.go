package judge

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

type parsedFormula struct {
	expr ast.Expr
	err  error
}

// parser parses CEL with the macros of its standard: has, all, exists, exists_one, map, filter.
var parser = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewCustomEnv(cel.Macros(cel.StandardMacros...))
})

func (r *Ruleset) parseFormula(text string) (ast.Expr, error) {
	if p, has := r.parsed[text]; has {
		return p.expr, p.err
	}
	env, err := parser()
	if err != nil {
		return nil, err
	}
	var p parsedFormula
	tree, issues := env.Parse(text)
	if p.err = issues.Err(); p.err == nil {
		p.expr = tree.NativeRep().Expr()
	} else {
		p.err = &Unjudged{p.err.Error()}
	}
	r.parsed[text] = p
	return p.expr, p.err
}

// A scope finds the values of names.
type scope struct {
	r      *Ruleset
	chosen map[string]string // of each option
	lookup func(name string) (v any, found bool, err error)
	// sample returns a value of the type of a name.
	sample func(name string) any
}

// withName returns the scope in which one more name has a value.
func (s *scope) withName(name string, v any) *scope { return s.withThunk(name, newThunk(v, nil)) }

func (s *scope) withThunk(name string, t *thunk) *scope {
	return s.withSample(name, t, func() any { v, _ := t.valueOf(); return v })
}

// withElement returns the scope in which a name stands for an element of a list.
func (s *scope) withElement(name string, x any, list ast.Expr) *scope {
	return s.withSample(name, newThunk(x, nil), func() any { return s.elementSample(list) })
}

func (s *scope) withSample(name string, t *thunk, sample func() any) *scope {
	return &scope{r: s.r, chosen: s.chosen, lookup: func(n string) (any, bool, error) {
		if n == name {
			v, err := t.valueOf()
			return v, true, err
		}
		return s.lookup(n)
	}, sample: func(n string) any {
		if n == name {
			return sample()
		}
		return s.sample(n)
	}}
}

// evalFormula evaluates a formula: of a choice, the one for the value of its option or of its key.
func (s *scope) evalFormula(f formula) (any, error) {
	switch {
	case f.constant != nil:
		return f.constant, nil
	case f.option != "":
		return s.chosenCase(f, s.chosen[f.option])
	case f.by != "":
		v, err := s.evalText(f.by)
		if err != nil {
			return nil, err
		}
		key, isText := textOf(v)
		if !isText {
			key = fmt.Sprint(v)
		}
		return s.chosenCase(f, key)
	}
	return s.evalText(f.text)
}

func (s *scope) chosenCase(f formula, key string) (any, error) {
	c, has := f.cases[key]
	if !has {
		return nil, &Unjudged{fmt.Sprintf("there is no case %q", key)}
	}
	v, err := s.evalFormula(c.(formula))
	if err == nil && hasWords(v) {
		v = typedLike(v, s.sampleOfFormula(f))
	}
	return v, err
}

func (s *scope) evalText(text string) (any, error) {
	e, err := s.r.parseFormula(text)
	if err != nil {
		return nil, err
	}
	v, err := s.evalExpr(e)
	if f, isFailure := err.(*Failure); isFailure && f.In == "" {
		err = &Failure{f.Msg, text}
	}
	return v, err
}

// evalTruth evaluates a condition.
func (s *scope) evalTruth(text string) (bool, error) {
	v, err := s.evalText(text)
	if err != nil {
		return false, err
	}
	b, isBool := v.(bool)
	if !isBool {
		return false, &Unjudged{fmt.Sprintf("the condition %s is a %T", text, v)}
	}
	return b, nil
}

// evalExpr evaluates an expression as CEL does: operands first, but for &&, || and ?:.
func (s *scope) evalExpr(e ast.Expr) (any, error) {
	switch e.Kind() {
	case ast.LiteralKind:
		v, err := goValue(e.AsLiteral())
		if text, isText := v.(string); isText {
			return newQuotedWord(text), err
		}
		return v, err
	case ast.IdentKind:
		return s.evalName(e.AsIdent())
	case ast.SelectKind:
		return s.evalSelection(e.AsSelect())
	case ast.CallKind:
		return s.evalCall(e.AsCall())
	case ast.ListKind:
		out := []any{}
		for _, x := range e.AsList().Elements() {
			v, err := s.evalExpr(x)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return joinElements(out), nil
	case ast.MapKind:
		return s.evalRecord(e.AsMap())
	case ast.ComprehensionKind:
		return s.evalComprehension(e.AsComprehension())
	}
	return nil, &Unjudged{fmt.Sprintf("an expression of kind %v", e.Kind())}
}

// promoteInts makes all numbers doubles when one is.
func promoteInts(xs []any) []any {
	doubles := false
	for _, x := range xs {
		_, isDouble := x.(float64)
		doubles = doubles || isDouble
	}
	for i, x := range xs {
		if n, isInt := x.(int64); isInt && doubles {
			xs[i] = float64(n)
		}
	}
	return xs
}

func (s *scope) evalName(name string) (any, error) {
	v, found, err := s.lookup(name)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, &Unjudged{"nothing is called " + name}
	}
	return v, nil
}

// evalSelection is a field, a key of a map, a column or an output; or has(x.y).
func (s *scope) evalSelection(x ast.SelectExpr) (any, error) {
	v, err := s.evalExpr(x.Operand())
	if err != nil {
		return nil, err
	}
	o, isObject := v.(*object)
	if !isObject {
		return nil, &Unjudged{fmt.Sprintf("the field %s of a %T", x.FieldName(), v)}
	}
	if x.IsTestOnly() {
		_, has := o.fields[x.FieldName()]
		return has, nil
	}
	w, found, err := o.getField(x.FieldName())
	if err == nil && !found {
		return nil, newFailure("no such key: %s", x.FieldName())
	}
	return w, err
}

// evalRecord is "{'harm': 1, 'luck': input.luck}".
func (s *scope) evalRecord(m ast.MapExpr) (any, error) {
	o := newObject()
	for _, x := range m.Entries() {
		entry := x.AsMapEntry()
		k, err := s.evalExpr(entry.Key())
		if err != nil {
			return nil, err
		}
		v, err := s.evalExpr(entry.Value())
		if err != nil {
			return nil, err
		}
		name, isText := textOf(k)
		if !isText {
			return nil, &Unjudged{"a map by something that is no string"}
		}
		o.setField(name, v)
	}
	values := make([]any, len(o.names))
	for i, name := range o.names {
		values[i] = o.fields[name]
	}
	for i, v := range joinElements(values) {
		o.fields[o.names[i]] = v
	}
	return o, nil
}

// evalComprehension is what cel-go makes of all, exists, exists_one, map and filter.
func (s *scope) evalComprehension(c ast.ComprehensionExpr) (any, error) {
	xs, err := s.evalElements(c.IterRange())
	if err != nil {
		return nil, err
	}
	accu := newThunk(s.evalExpr(c.AccuInit()))
	for _, x := range xs {
		inner := s.withThunk(c.AccuVar(), accu)
		goOn, err := inner.evalExpr(c.LoopCondition())
		if err != nil {
			return nil, err
		}
		if goOn == false {
			break
		}
		inner = inner.withElement(c.IterVar(), x, c.IterRange())
		accu = newThunk(inner.evalExpr(c.LoopStep()))
	}
	return s.withThunk(c.AccuVar(), accu).evalExpr(c.Result())
}

// evalElements returns those of a list, or the keys of a map: "What goes over a map goes over its keys, by letters."
func (s *scope) evalElements(e ast.Expr) ([]any, error) {
	v, err := s.evalExpr(e)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case []any:
		return v, nil
	case *object:
		out := make([]any, len(v.names))
		for i, name := range slices.Sorted(slices.Values(v.names)) {
			out[i] = name
		}
		return out, nil
	}
	return nil, &Unjudged{fmt.Sprintf("a walk over a %T", v)}
}

// celValue returns the value of cel-go for a number or a truth; nil for any other.
func celValue(v any) ref.Val {
	switch v := v.(type) {
	case int64:
		return types.Int(v)
	case float64:
		return types.Double(v)
	case bool:
		return types.Bool(v)
	}
	return nil
}

// goValue returns the value of one of cel-go.
func goValue(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Int:
		return int64(v), nil
	case types.Double:
		return float64(v), nil
	case types.Bool:
		return bool(v), nil
	case types.String:
		return string(v), nil
	case *types.Err:
		return nil, newFailure("%v", v)
	}
	return nil, &Unjudged{fmt.Sprintf("a value of type %v", v.Type())}
}

func compareCEL(x, y ref.Val) (int, error) {
	c, isComparer := x.(traits.Comparer)
	if !isComparer {
		return 0, &Unjudged{"a comparison of " + x.Type().TypeName()}
	}
	v, err := goValue(c.Compare(y))
	if err != nil {
		return 0, err
	}
	return int(v.(int64)), nil
}

// computeArithmetic computes + - * / %: "+ - * and comparisons mix int and double".
func computeArithmetic(op string, a, b any) (any, error) {
	x, y := celValue(a), celValue(b)
	if x == nil || y == nil {
		return nil, &Unjudged{fmt.Sprintf("%T %s %T", a, op, b)}
	}
	if x.Type() != y.Type() {
		x, y = x.ConvertToType(types.DoubleType), y.ConvertToType(types.DoubleType)
	}
	switch op {
	case operators.Add:
		return goValue(x.(traits.Adder).Add(y))
	case operators.Subtract:
		return goValue(x.(traits.Subtractor).Subtract(y))
	case operators.Multiply:
		return goValue(x.(traits.Multiplier).Multiply(y))
	case operators.Divide:
		return goValue(x.(traits.Divider).Divide(y))
	}
	return goValue(x.(traits.Modder).Modulo(y))
}

// evalCall is an operator, a function with elements ("xs.sum(x, f)"), a table, a function of the ruleset or one of the
// language.
func (s *scope) evalCall(c ast.CallExpr) (any, error) {
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return s.evalLogic(c.Args(), false)
	case operators.LogicalOr:
		return s.evalLogic(c.Args(), true)
	case operators.Conditional:
		v, err := s.evalExpr(c.Args()[0])
		if err != nil {
			return nil, err
		}
		chosen, other := c.Args()[1], c.Args()[2]
		if v != true {
			chosen, other = other, chosen
		}
		if v, err = s.evalExpr(chosen); err == nil && hasWords(v) {
			v = typedLike(v, s.sampleOf(other))
		}
		return v, err
	case operators.NotStrictlyFalse:
		v, err := s.evalExpr(c.Args()[0])
		return err != nil || v != false, nil
	}
	if c.IsMemberFunction() && len(c.Args()) > 0 {
		if v, is, err := s.walkElements(c); is {
			return v, err
		}
	}
	var args []any
	if c.IsMemberFunction() {
		v, err := s.evalExpr(c.Target())
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	for i, a := range c.Args() {
		v, err := s.evalExpr(a)
		// "The row of a chart is looked up before the key of the column is computed."
		if t := s.r.tables[c.FunctionName()]; err == nil && t != nil && i == 0 && !c.IsMemberFunction() {
			_, err = t.findRow(v)
		}
		if err != nil {
			return nil, err
		}
		if xs, isList := v.([]any); isList && len(xs) == 0 && c.FunctionName() == "sum" {
			return sumOfNothing(s.elementSample(a))
		}
		args = append(args, v)
	}
	if v, is, err := computeOperator(c.FunctionName(), args); is {
		return v, err
	}
	if !c.IsMemberFunction() {
		if t := s.r.tables[c.FunctionName()]; t != nil {
			return t.lookUp(args)
		}
		if f := s.r.functions[c.FunctionName()]; f != nil {
			return s.applyFunction(f, args)
		}
	}
	return callBuiltin(c.FunctionName(), args)
}

// applyFunction carries a function out: "It sees nothing else: no character, no input, no dice."
func (s *scope) applyFunction(f *function, args []any) (any, error) {
	value := func(i int) any { return asParameter(args[i], f.params[f.order[i]]) }
	return s.scopeOfFunction(f, value).evalFormula(f.expr)
}

func (s *scope) scopeOfFunction(f *function, value func(i int) any) *scope {
	return &scope{r: s.r, chosen: s.chosen, lookup: func(name string) (any, bool, error) {
		if i := slices.Index(f.order, name); i >= 0 {
			return value(i), true, nil
		}
		return s.optionRoot(name)
	}, sample: func(name string) any {
		if i := slices.Index(f.order, name); i >= 0 {
			if v := value(i); tellsType(v) { // a word that is passed "is still a word of its choice"
				return v
			}
		}
		return s.r.sampleOfType(f.params[name])
	}}
}

// asParameter makes an int a double where that is what the parameter is.
func asParameter(v any, typ string) any {
	if n, isInt := v.(int64); isInt && typ == "double" {
		return float64(n)
	}
	return v
}

// optionRoot is "option.x, the value of an option".
func (s *scope) optionRoot(name string) (any, bool, error) {
	if name != "option" {
		return nil, false, nil
	}
	o := newObject()
	for id, value := range s.chosen {
		o.setField(id, word{text: value, order: s.r.optionValues[id]})
	}
	return o, true, nil
}

// evalLogic is && and ||, which absorb an error when another operand decides.
func (s *scope) evalLogic(args []ast.Expr, decides bool) (any, error) {
	var failed error
	for _, a := range args {
		v, err := s.evalExpr(a)
		if err != nil {
			if _, isFailure := err.(*Failure); !isFailure {
				return nil, err
			}
			if failed == nil {
				failed = err
			}
			continue
		}
		if v == decides {
			return decides, nil
		}
	}
	if failed != nil {
		return nil, failed
	}
	return !decides, nil
}

// computeOperator is an operator; is is false of any other function.
func computeOperator(name string, args []any) (v any, is bool, err error) {
	switch name {
	case operators.Equals, operators.NotEquals:
		same, err := isEqual(args[0], args[1])
		return same == (name == operators.Equals), true, err
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		if isNaN(args[0]) || isNaN(args[1]) {
			return false, true, nil
		}
		c, err := compareValues(args[0], args[1])
		switch name {
		case operators.Less:
			return c < 0, true, err
		case operators.LessEquals:
			return c <= 0, true, err
		case operators.Greater:
			return c > 0, true, err
		}
		return c >= 0, true, err
	case operators.LogicalNot:
		b, isBool := args[0].(bool)
		if !isBool {
			return nil, true, &Unjudged{"! of what is no truth"}
		}
		return !b, true, nil
	case operators.Negate:
		if x := celValue(args[0]); x != nil {
			v, err = goValue(x.(traits.Negater).Negate())
			return v, true, err
		}
		return nil, true, &Unjudged{"- of what is no number"}
	case operators.Add:
		v, err = addValues(args[0], args[1])
		return v, true, err
	case operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		v, err = computeArithmetic(name, args[0], args[1])
		return v, true, err
	case operators.In, operators.OldIn:
		v, err = isIn(args[0], args[1])
		return v, true, err
	case operators.Index:
		v, err = elementAt(args[0], args[1])
		return v, true, err
	}
	return nil, false, nil
}

// addValues adds numbers, and puts strings or lists one behind the other.
func addValues(a, b any) (any, error) {
	if s, isText := textOf(a); isText {
		t, alsoText := textOf(b)
		if !alsoText {
			return nil, &Unjudged{"a string + something else"}
		}
		return s + t, nil
	}
	if xs, isList := a.([]any); isList {
		ys, alsoList := b.([]any)
		if !alsoList {
			return nil, &Unjudged{"a list + something else"}
		}
		return joinElements(append(append([]any{}, xs...), ys...)), nil
	}
	return computeArithmetic(operators.Add, a, b)
}

// isIn reports whether a list has a value, or a map a key.
func isIn(x, xs any) (bool, error) {
	switch xs := xs.(type) {
	case []any:
		for _, y := range xs {
			if same, err := isEqual(x, y); err != nil || same {
				return same, err
			}
		}
		return false, nil
	case *object:
		s, _ := textOf(x)
		_, has := xs.fields[s]
		return has, nil
	}
	return false, &Unjudged{fmt.Sprintf("in a %T", xs)}
}

// elementAt is xs[0] or m['key'].
func elementAt(xs, i any) (any, error) {
	switch xs := xs.(type) {
	case []any:
		n, isInt := i.(int64)
		if !isInt {
			return nil, &Unjudged{"an index that is no int"}
		}
		if n < 0 || n >= int64(len(xs)) {
			return nil, newFailure("index out of bounds: %d", n)
		}
		return xs[n], nil
	case *object:
		s, isText := textOf(i)
		if !isText {
			return nil, &Unjudged{"a key that is no string"}
		}
		v, found, err := xs.getField(s)
		if err == nil && !found {
			return nil, newFailure("no such key: %s", s)
		}
		return v, err
	}
	return nil, &Unjudged{fmt.Sprintf("an element of a %T", xs)}
}
