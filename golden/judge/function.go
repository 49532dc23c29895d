package judge

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

func isNaN(v any) bool {
	f, isDouble := v.(float64)
	return isDouble && math.IsNaN(f)
}

// walkElements is a function over elements: "xs.count(x, p), xs.sum(x, f), xs.sort_by(x, key). With a state that goes from
// element to element: xs.fold(x, state, start, next)".
func (s *scope) walkElements(c ast.CallExpr) (v any, is bool, err error) {
	args := c.Args()
	if !slices.Contains([]string{"count", "sum", "sort_by", "fold"}, c.FunctionName()) || args[0].Kind() != ast.IdentKind {
		return nil, false, nil
	}
	xs, err := s.evalElements(c.Target())
	if err != nil {
		return nil, true, err
	}
	name := args[0].AsIdent()
	if c.FunctionName() == "fold" {
		v, err = s.foldElements(xs, c)
		return v, true, err
	}
	each := make([]any, len(xs))
	for i, x := range xs {
		if each[i], err = s.withElement(name, x, c.Target()).evalExpr(args[1]); err != nil {
			return nil, true, err
		}
	}
	switch c.FunctionName() {
	case "count":
		n := int64(0)
		for _, x := range each {
			if x == true {
				n++
			}
		}
		return n, true, nil
	case "sum":
		if v, err = sumOf(each); len(each) == 0 {
			v, err = sumOfNothing(s.withName(name, s.elementSample(c.Target())).sampleOf(args[1]))
		}
		return v, true, err
	}
	v, err = sortedBy(xs, each)
	return v, true, err
}

// foldElements is "[3, 1].fold(x, most, 0, max(most, x)) is 3"; what is wrong in a value counts only where it is needed, "and
// so it is with the state of a fold".
func (s *scope) foldElements(xs []any, c ast.CallExpr) (any, error) {
	name, state, next := c.Args()[0].AsIdent(), c.Args()[1].AsIdent(), c.Args()[3]
	start := func() any { return s.sampleOf(c.Args()[2]) }
	v, err := s.evalExpr(c.Args()[2])
	if err != nil {
		v = start()
	}
	if hasWords(v) { // "the state of a fold is still a word of its choice", that of its start and of all that follows
		first := s.withName(name, s.elementSample(c.Target())).withSample(state, newThunk(v, nil), start)
		v = typedLike(v, first.sampleOf(next))
	}
	for _, x := range xs {
		inner := s.withElement(name, x, c.Target()).withSample(state, newThunk(v, err), start)
		var following any
		if following, err = inner.evalExpr(next); err == nil {
			v = typedLike(following, v)
		}
	}
	return v, err
}

// sumOf is "All numbers of a list together, added one after the other to 0, which it is when the list is empty": so 0.0 of
// -0.0 alone.
func sumOf(xs []any) (any, error) {
	sum := any(int64(0)) // of nothing, see sumOfNothing
	for _, x := range xs {
		var err error
		if sum, err = computeArithmetic(operators.Add, sum, x); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// sortedBy returns elements by their keys in ascending order; of equal keys the earlier element stays before the later.
func sortedBy(xs, keys []any) (any, error) {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	var failed error
	slices.SortStableFunc(order, func(i, j int) int {
		if one := map[bool]int{true: 1}; isNaN(keys[i]) || isNaN(keys[j]) { // "NaN stands first"
			return one[isNaN(keys[j])] - one[isNaN(keys[i])]
		}
		c, err := compareValues(keys[i], keys[j])
		if err != nil {
			failed = err
		}
		return c
	})
	out := make([]any, len(xs))
	for i, at := range order {
		out[i] = xs[at]
	}
	return out, failed
}

// callBuiltin is a function of "rules help functions", in the order of that page.
func callBuiltin(name string, args []any) (any, error) {
	switch name {
	case "abs":
		switch n := args[0].(type) {
		case int64:
			if n < 0 {
				return goValue(types.Int(n).Negate())
			}
			return n, nil
		case float64:
			return math.Abs(n), nil
		}
	case "ceil":
		return roundWhole(args[0], math.Ceil)
	case "floor":
		return roundWhole(args[0], math.Floor)
	case "round":
		return roundWhole(args[0], math.Round) // "a half away from zero"
	case "counts":
		return countFaces(args[0].([]any), args[1].(int64), args[2].(int64))
	case "div_away", "div_ceil", "div_floor", "div_half_up", "div_trunc":
		return divideInts(name, args[0].(int64), args[1].(int64))
	case "get":
		if m, isMap := args[0].(*object); isMap {
			k, _ := textOf(args[1])
			v, has := m.fields[k]
			if !has {
				v = args[2]
			}
			for _, name := range m.names {
				v = typedLike(v, m.fields[name])
			}
			return typedLike(v, args[2]), nil
		}
	case "max", "min":
		return findExtreme(name, args)
	case "pour":
		return pourAmount(args[0].(int64), args[1].([]any))
	case "pow":
		return raiseTo(args[0], args[1])
	case "range":
		return listIntegers(args)
	case "slice":
		return sliceList(args[0].([]any), args[1].(int64), args[2].(int64))
	case "sort":
		return sortedBy(args[0].([]any), args[0].([]any))
	case "sum":
		return sumOf(args[0].([]any))
	case "with":
		path, _ := textOf(args[1])
		if o, isObject := args[0].(*object); isObject {
			if _, has := o.fields[path]; has {
				return o.withPath([]string{path}, args[2])
			}
			return o.withPath(strings.Split(path, "."), args[2])
		}
	}
	return callStandard(name, args)
}

// callStandard is a function "of CEL itself".
func callStandard(name string, args []any) (any, error) {
	s, isText := "", false
	if len(args) > 0 {
		s, isText = textOf(args[0])
	}
	switch name {
	case "size":
		switch v := args[0].(type) {
		case []any:
			return int64(len(v)), nil
		case *object:
			return int64(len(v.names)), nil
		}
		if isText {
			return int64(len([]rune(s))), nil
		}
	case "int":
		if isText {
			return goValue(types.String(s).ConvertToType(types.IntType))
		}
		if f, isDouble := args[0].(float64); isDouble {
			return wholeOf(f)
		}
		if v := celValue(args[0]); v != nil {
			return goValue(v.ConvertToType(types.IntType))
		}
	case "double", "bool":
		to := map[string]*types.Type{"double": types.DoubleType, "bool": types.BoolType}[name]
		if isText {
			return goValue(types.String(s).ConvertToType(to))
		}
		if v := celValue(args[0]); v != nil {
			return goValue(v.ConvertToType(to))
		}
	case "string":
		if isText {
			return s, nil
		}
		if v := celValue(args[0]); v != nil {
			return goValue(v.ConvertToType(types.StringType))
		}
	case "contains", "startsWith", "endsWith":
		t, alsoText := textOf(args[1])
		if isText && alsoText {
			switch name {
			case "contains":
				return strings.Contains(s, t), nil
			case "startsWith":
				return strings.HasPrefix(s, t), nil
			}
			return strings.HasSuffix(s, t), nil
		}
	}
	return nil, &Unjudged{fmt.Sprintf("the function %s of %d arguments", name, len(args))}
}

// roundWhole rounds a double to an int; one that no int can be fails.
func roundWhole(v any, round func(float64) float64) (any, error) {
	if n, isInt := v.(int64); isInt {
		return n, nil
	}
	f, isDouble := v.(float64)
	if !isDouble {
		return nil, &Unjudged{fmt.Sprintf("the rounding of a %T", v)}
	}
	return wholeOf(round(f))
}

// wholeOf returns a double as an int, without what is behind its point.
func wholeOf(f float64) (any, error) {
	v, err := goValue(types.Double(f).ConvertToType(types.IntType))
	if err != nil {
		return nil, newFailure("%g is no int", f)
	}
	return v, nil
}

// countFaces is "How often each integer from one up to and with another stands in a list".
func countFaces(xs []any, from, to int64) (any, error) {
	out := []any{}
	for n := from; n <= to; n++ {
		times := int64(0)
		for _, x := range xs {
			if x == n {
				times++
			}
		}
		out = append(out, times)
	}
	return out, nil
}

// divideInts is the quotient, rounded as the name says.
func divideInts(name string, a, b int64) (any, error) {
	if b == 0 {
		return nil, newFailure("division by zero")
	}
	if a == math.MinInt64 && b == -1 {
		return nil, newFailure("integer overflow")
	}
	q, rest := a/b, a%b
	if rest == 0 {
		return q, nil
	}
	below := (rest < 0) != (b < 0) // the exact quotient is below q
	switch name {
	case "div_floor":
		if below {
			q--
		}
	case "div_ceil":
		if !below {
			q++
		}
	case "div_away":
		if below {
			q--
		} else {
			q++
		}
	case "div_half_up":
		// the floor of the quotient, and one more if what is left is at least half of the divisor
		if below {
			q, rest = q-1, rest+b
		}
		if absoluteOf(rest) >= absoluteOf(b)-absoluteOf(rest) {
			q++
		}
	}
	return q, nil
}

func absoluteOf(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// findExtreme is "The greatest of two or more numbers, or of a list that is not empty. It fails where one is NaN."
func findExtreme(name string, args []any) (any, error) {
	xs := args
	if l, isList := args[0].([]any); isList && len(args) == 1 {
		xs = l
	}
	if len(xs) == 0 {
		return nil, newFailure("%s of an empty list", name)
	}
	xs = promoteInts(slices.Clone(xs))
	best := xs[0]
	for _, x := range xs {
		if isNaN(x) {
			return nil, newFailure("%s of what is no number", name)
		}
		c, err := compareValues(x, best)
		if err != nil {
			return nil, err
		}
		if name == "max" && c > 0 || name == "min" && c < 0 {
			best = x
		}
	}
	return best, nil
}

// pourAmount is "What each capacity gets of an amount that fills them in order".
func pourAmount(amount int64, capacities []any) (any, error) {
	out := []any{}
	for _, c := range capacities {
		n := min(amount, c.(int64))
		n = max(n, 0)
		out = append(out, n)
		amount -= n
	}
	return out, nil
}

// raiseTo is "The first number to the power of the second"; an int that is too large fails.
func raiseTo(a, b any) (any, error) {
	x, isInt := a.(int64)
	n, alsoInt := b.(int64)
	if isInt && alsoInt {
		if n < 0 {
			return nil, newFailure("a negative power of an int")
		}
		v, err := any(int64(1)), error(nil)
		for range min(n, 100_000+n%2) { // more is of 1 and -1 alone, for which n may as well be less by an even number
			if v, err = computeArithmetic(operators.Multiply, v, x); err != nil {
				return nil, err
			}
			if v == int64(0) || x == 1 {
				break
			}
		}
		return v, nil
	}
	f, err := toDouble(a)
	if err != nil {
		return nil, err
	}
	g, err := toDouble(b)
	return math.Pow(f, g), err
}

func toDouble(v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, &Unjudged{fmt.Sprintf("a %T as a double", v)}
}

// listIntegers is "The integers from 0, or from the first number, up to but without the last".
func listIntegers(args []any) (any, error) {
	from, to := int64(0), args[0].(int64)
	if len(args) == 2 {
		from, to = to, args[1].(int64)
	}
	out := []any{}
	for n := from; n < to; n++ {
		if len(out) > 1_000_000 {
			return nil, &Unjudged{"a range of more than " + strconv.Itoa(len(out))}
		}
		out = append(out, n)
	}
	return out, nil
}

// sliceList is "The elements of a list from one index up to but without another".
func sliceList(xs []any, from, to int64) (any, error) {
	if from < 0 || to < from || to > int64(len(xs)) {
		return nil, newFailure("index out of bounds: from %d to %d", from, to)
	}
	return slices.Clone(xs[from:to]), nil
}
