package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reference runs formulas on CEL's interpreter. What formulas call beside CEL's own functions is written here once
// more, from what the language says of it, and slowly: whole numbers are big.Int, quotients big.Rat.
type reference struct {
	interp  interpreter.Interpreter
	texts   map[*book.Text]*check.Tree
	planned map[*check.Tree]interpreter.Interpretable
	traits  map[string]*check.Trait
	options ref.Val // what is chosen, an object
}

// newReference knows the builtins, and the tables, functions and traits of a ruleset; nil is for expressions outside one.
func newReference(r *check.Ruleset) *reference {
	out := &reference{
		texts: map[*book.Text]*check.Tree{}, planned: map[*check.Tree]interpreter.Interpretable{},
		traits: map[string]*check.Trait{}, options: newObject(nil),
	}
	d := interpreter.NewDispatcher()
	for _, f := range stdlib.Functions() {
		bound, err := f.Bindings()
		must(err)
		must(d.Add(bound...))
	}
	for id, f := range builtins {
		must(d.Add(&functions.Overload{Operator: id, Function: f}))
	}
	if r != nil {
		out.define(r, d)
	}
	provider, err := types.NewRegistry()
	must(err)
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, types.DefaultTypeAdapter, provider)
	out.interp = interpreter.NewInterpreter(d, containers.DefaultContainer, provider, types.DefaultTypeAdapter, attributes)
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// define binds what a ruleset defines.
func (r *reference) define(rules *check.Ruleset, d interpreter.Dispatcher) {
	for _, c := range rules.Trees {
		r.texts[c.Text] = c
	}
	for _, t := range rules.Traits {
		r.traits[t.Book.ID] = t
	}
	for _, t := range rules.Tables {
		look := func(args ...ref.Val) ref.Val { return r.look(t, args...) }
		for _, kind := range []string{"", "_int", "_double", "_int_int", "_int_double", "_double_int", "_double_double"} {
			must(d.Add(&functions.Overload{Operator: "look_" + t.Book.ID + kind, Function: look}))
		}
	}
	for _, f := range rules.Functions {
		must(d.Add(&functions.Overload{Operator: "apply_" + f.Book.ID, Function: func(args ...ref.Val) ref.Val {
			vars := map[string]any{}
			for i, p := range f.Params {
				vars[p.Name()] = args[i]
			}
			return r.formula(f.Formula, vars)
		}}))
	}
}

// trait is what follows from a character.
func (r *reference) trait(self *object, name string) (ref.Val, bool) {
	t, ok := r.traits[name]
	if !ok {
		return nil, false
	}
	return r.formula(t.Formula, map[string]any{"character": self}), true
}

// formula is an expression, or the one that a choice chooses.
func (r *reference) formula(f *check.Formula, vars map[string]any) ref.Val {
	if !f.Book.By.Written() {
		return r.eval(r.texts[&f.Book.Expr], vars)
	}
	by := r.eval(r.texts[&f.Book.By], vars)
	for i := range f.Book.Is {
		if arm := &f.Book.Is[i]; by.Equal(types.String(arm.Value)) == types.True {
			return r.eval(r.texts[&arm.Expr], vars)
		}
	}
	return by
}

// eval runs one expression.
func (r *reference) eval(c *check.Tree, vars map[string]any) ref.Val {
	p, ok := r.planned[c]
	if !ok {
		var err error
		p, err = r.interp.NewInterpretable(c.AST)
		must(err)
		r.planned[c] = p
	}
	vars["option"] = r.options
	activation, err := interpreter.NewActivation(vars)
	must(err)
	return p.Eval(activation)
}

// findRow finds the row of a key by trying every row; -1 for none.
func findRow(t *check.Table, key ref.Val) int {
	if t.Book.Kind == plan.KeyedTable {
		return slices.IndexFunc(t.Book.Rows, func(r book.Row) bool { return types.String(r.Key) == key })
	}
	if k := number(key); k != nil && within(t, k) {
		return numbered(t.Book, k)
	}
	return -1
}

// look finds the row of a key and, where there is a second one, the column.
func (r *reference) look(t *check.Table, keys ...ref.Val) ref.Val {
	row := findRow(t, keys[0])
	if row < 0 {
		return types.NewErr("no such key: %v", keys[0])
	}
	if t.Across != nil {
		column := findRow(t.Across, keys[1])
		if column < 0 {
			return types.NewErr("no such key: %v", keys[1])
		}
		return cell(t.Book.Columns[column].Shape, parsed(t.Book.Rows[row].Cells[column].JSON))
	}
	vals := map[string]ref.Val{}
	for i, c := range t.Book.Columns {
		vals[c.Name] = cell(c.Shape, parsed(t.Book.Rows[row].Cells[i].JSON))
	}
	if t.Gives >= 0 {
		return vals[t.Book.Columns[t.Gives].Name]
	}
	return newRecord(vals)
}

// number is an int or a double as it is; nil for NaN. Infinities are farther out than any limit.
func number(v ref.Val) *big.Float {
	switch x := v.(type) {
	case types.Int:
		return new(big.Float).SetInt64(int64(x))
	case types.Double:
		if !math.IsNaN(float64(x)) {
			return big.NewFloat(float64(x))
		}
	}
	return nil
}

func within(t *check.Table, k *big.Float) bool {
	lo, hi := t.Book.Over.Min, t.Book.Over.Max
	switch {
	case t.Book.Over.Dice.S != "":
		lo, hi = float64(t.OverMin), float64(t.OverMax)
	case !t.Book.Over.Range:
		return true
	}
	return k.Cmp(big.NewFloat(lo)) >= 0 && k.Cmp(big.NewFloat(hi)) <= 0
}

// numbered is the band that holds a number, or the last step that it has reached or passed.
func numbered(t *book.Table, k *big.Float) int {
	found := -1
	for i, r := range t.Rows {
		against := k.Cmp(big.NewFloat(r.Lo))
		if against < 0 || r.Above && against == 0 {
			continue
		}
		if t.Kind == plan.BandsTable {
			if k.Cmp(big.NewFloat(r.Hi)) <= 0 {
				return i
			}
			continue
		}
		if found < 0 || r.Lo > t.Rows[found].Lo || r.Lo == t.Rows[found].Lo && r.Above {
			found = i
		}
	}
	return found
}

func parsed(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	must(d.Decode(&v))
	return v
}

// cell is the value of a cell.
func cell(s *plan.Shape, v any) ref.Val {
	switch x := v.(type) {
	case json.Number:
		if s.Kind == plan.Int {
			n, err := x.Int64()
			must(err)
			return types.Int(n)
		}
		f, err := x.Float64()
		must(err)
		return types.Double(f)
	case bool:
		return types.Bool(x)
	case string:
		return types.String(x)
	case []any:
		items := make([]ref.Val, len(x))
		for i := range x {
			items[i] = cell(s.Elem, x[i])
		}
		return list(items)
	case map[string]any:
		vals := map[string]ref.Val{}
		for k, v := range x {
			vals[k] = cell(part(s, k), v)
		}
		return newObject(vals)
	}
	panic(fmt.Sprintf("a cell is %v", v))
}

// part is the shape of a member of a record or a map.
func part(s *plan.Shape, name string) *plan.Shape {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Shape
		}
	}
	return s.Elem
}

func list(items []ref.Val) ref.Val { return types.NewRefValList(types.DefaultTypeAdapter, items) }

func items(v ref.Val) []ref.Val {
	var out []ref.Val
	for it := v.(traits.Lister).Iterator(); it.HasNext() == types.True; {
		out = append(out, it.Next())
	}
	return out
}

// builtins are the functions that formulas call, by overload id.
var builtins = map[string]functions.FunctionOp{
	"abs_int":      func(a ...ref.Val) ref.Val { return whole(new(big.Int).Abs(bigInt(a[0]))) },
	"abs_double":   func(a ...ref.Val) ref.Val { return types.Double(math.Copysign(double(a[0]), 1)) },
	"floor_double": rounding(floor),
	"ceil_double":  rounding(ceil),
	"round_double": rounding(func(r *big.Rat) *big.Int {
		if r.Sign() < 0 {
			return new(big.Int).Neg(halfUp(new(big.Rat).Neg(r)))
		}
		return halfUp(r)
	}),
	"div_floor":   division(floor),
	"div_ceil":    division(ceil),
	"div_half_up": division(halfUp),
	"div_trunc": division(func(r *big.Rat) *big.Int {
		if r.Sign() < 0 {
			return ceil(r)
		}
		return floor(r)
	}),
	"div_away": division(func(r *big.Rat) *big.Int {
		if r.Sign() < 0 {
			return floor(r)
		}
		return ceil(r)
	}),
	"pow_int": power,
	// held by its own tests
	"pow_double":      func(a ...ref.Val) ref.Val { return types.Double(builtin.PowDouble(double(a[0]), double(a[1]))) },
	"min_int":         func(a ...ref.Val) ref.Val { return best(a, -1) },
	"min_double":      func(a ...ref.Val) ref.Val { return best(a, -1) },
	"min_list_int":    func(a ...ref.Val) ref.Val { return best(items(a[0]), -1) },
	"min_list_double": func(a ...ref.Val) ref.Val { return best(items(a[0]), -1) },
	"max_int":         func(a ...ref.Val) ref.Val { return best(a, 1) },
	"max_double":      func(a ...ref.Val) ref.Val { return best(a, 1) },
	"max_list_int":    func(a ...ref.Val) ref.Val { return best(items(a[0]), 1) },
	"max_list_double": func(a ...ref.Val) ref.Val { return best(items(a[0]), 1) },
	"sum_list_int":    func(a ...ref.Val) ref.Val { return total(types.Int(0), items(a[0])) },
	"sum_list_double": func(a ...ref.Val) ref.Val { return total(types.Double(0), items(a[0])) },
	"range_1":         func(a ...ref.Val) ref.Val { return integers(types.Int(0), a[0].(types.Int)) },
	"range_2":         func(a ...ref.Val) ref.Val { return integers(a[0].(types.Int), a[1].(types.Int)) },
	"slice_list":      slice,
	"sort_list":       func(a ...ref.Val) ref.Val { return sortedBy(items(a[0]), items(a[0])) },
	"sort_by_int":     sortBy,
	"sort_by_double":  sortBy,
	"sort_by_string":  sortBy,
	"sort_by_bool":    sortBy,
	"pour":            pour,
	"counts":          counts,
	"get_map": func(a ...ref.Val) ref.Val {
		if v, ok := a[0].(traits.Mapper).Find(a[1]); ok {
			return v
		}
		return a[2]
	},
	"with": func(a ...ref.Val) ref.Val {
		o, key := asObject(a[0]), string(a[1].(types.String))
		if !o.record {
			return o.with(key, a[2])
		}
		return withPath(o, strings.Split(key, "."), a[2])
	},
}

// withPath is a copy with another value at a path.
func withPath(o *object, path []string, v ref.Val) ref.Val {
	if len(path) > 1 {
		inner, ok := o.vals[path[0]]
		if !ok {
			return types.NewErr("no such key: %s", path[0])
		}
		if v = withPath(inner.(*object), path[1:], v); types.IsError(v) {
			return v
		}
	}
	return o.with(path[0], v)
}

// anyFailure is what the reference says where CEL has no words.
const anyFailure = "a failure"

var errAny = types.NewErr(anyFailure)

func double(v ref.Val) float64 { return float64(v.(types.Double)) }

func bigInt(v ref.Val) *big.Int { return big.NewInt(int64(v.(types.Int))) }

func whole(n *big.Int) ref.Val {
	if !n.IsInt64() {
		return types.NewErr("integer overflow")
	}
	return types.Int(n.Int64())
}

// floor is the greatest integer that is not above r.
func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func ceil(r *big.Rat) *big.Int { return new(big.Int).Neg(floor(new(big.Rat).Neg(r))) }

func halfUp(r *big.Rat) *big.Int { return floor(new(big.Rat).Add(r, big.NewRat(1, 2))) }

// rounding makes an int of a double. As for CEL's int(), the least int is out of range.
func rounding(round func(*big.Rat) *big.Int) functions.FunctionOp {
	return func(a ...ref.Val) ref.Val {
		r := new(big.Rat).SetFloat64(double(a[0]))
		if r == nil || round(r).Cmp(big.NewInt(math.MinInt64)) == 0 {
			return types.NewErr("integer overflow")
		}
		return whole(round(r))
	}
}

func division(round func(*big.Rat) *big.Int) functions.FunctionOp {
	return func(a ...ref.Val) ref.Val {
		if a[1] == types.Int(0) {
			return types.NewErr("division by zero")
		}
		return whole(round(new(big.Rat).SetFrac(bigInt(a[0]), bigInt(a[1]))))
	}
}

func power(a ...ref.Val) ref.Val {
	base, exponent := bigInt(a[0]), bigInt(a[1])
	switch {
	case exponent.Sign() < 0:
		return errAny
	case base.CmpAbs(big.NewInt(1)) > 0 && exponent.Cmp(big.NewInt(64)) > 0:
		return types.NewErr("integer overflow")
	case base.CmpAbs(big.NewInt(1)) <= 0: // only whether there is a factor, and whether they are even, counts
		exponent = big.NewInt(int64(exponent.Bit(0)) + 2*int64(min(1, exponent.BitLen()/2)))
	}
	return whole(new(big.Int).Exp(base, exponent, nil))
}

// best is the first number that no later one is beyond, in a direction; NaN is beyond none, and none beyond NaN.
func best(list []ref.Val, direction types.Int) ref.Val {
	if len(list) == 0 {
		return errAny
	}
	if slices.ContainsFunc(list, isNaN) {
		return errAny
	}
	out := list[0]
	for _, v := range list[1:] {
		if v.(traits.Comparer).Compare(out) == direction {
			out = v
		}
	}
	return out
}

func isNaN(v ref.Val) bool {
	d, ok := v.(types.Double)
	return ok && math.IsNaN(float64(d))
}

// total adds from left to right, as + does.
func total(sum ref.Val, list []ref.Val) ref.Val {
	for _, v := range list {
		if sum = sum.(traits.Adder).Add(v); types.IsError(sum) {
			return sum
		}
	}
	return sum
}

func integers(from, to types.Int) ref.Val {
	var out []ref.Val
	for i := from; i < to; i++ {
		if len(out) == plan.MaxRange {
			return errAny
		}
		out = append(out, i)
	}
	return list(out)
}

func slice(a ...ref.Val) ref.Val {
	all, from, to := items(a[0]), a[1].(types.Int), a[2].(types.Int)
	if from < 0 || to < from || int(to) > len(all) {
		return errAny
	}
	return list(all[from:to])
}

func sortBy(a ...ref.Val) ref.Val { return sortedBy(items(a[0]), items(a[1])) }

// sortedBy inserts one element after the other behind those whose keys are not greater. NaN is less than any number.
func sortedBy(all, keys []ref.Val) ref.Val {
	var out, by []ref.Val
	for i, k := range keys {
		at := len(by)
		for at > 0 && less(k, by[at-1]) {
			at--
		}
		out, by = slices.Insert(out, at, all[i]), slices.Insert(by, at, k)
	}
	return list(out)
}

func less(a, b ref.Val) bool {
	if isNaN(a) || isNaN(b) {
		return isNaN(a) && !isNaN(b)
	}
	return a.(traits.Comparer).Compare(b) == types.IntNegOne
}

// counts compares every number of the range with every element.
func counts(a ...ref.Val) ref.Val {
	var out []ref.Val
	first, last := bigInt(a[1]), bigInt(a[2])
	for n := first; n.Cmp(last) <= 0; n = new(big.Int).Add(n, big.NewInt(1)) {
		if len(out) == plan.MaxRange {
			return errAny
		}
		times := 0
		for _, v := range items(a[0]) {
			if bigInt(v).Cmp(n) == 0 {
				times++
			}
		}
		out = append(out, types.Int(times))
	}
	return list(out)
}

func pour(a ...ref.Val) ref.Val {
	left := bigInt(a[0])
	bad := left.Sign() < 0
	var out []ref.Val
	for _, c := range items(a[1]) {
		room := bigInt(c)
		bad = bad || room.Sign() < 0
		if room.Cmp(left) > 0 {
			room = left
		}
		out = append(out, whole(room))
		left = new(big.Int).Sub(left, room)
	}
	if bad {
		return errAny
	}
	return list(out)
}

// asObject is a map as an object; a literal is one of CEL's own maps.
func asObject(v ref.Val) *object {
	if o, ok := v.(*object); ok {
		return o
	}
	m, vals := v.(traits.Mapper), map[string]ref.Val{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		k := it.Next()
		vals[string(k.(types.String))] = m.Get(k)
	}
	return newObject(vals)
}
