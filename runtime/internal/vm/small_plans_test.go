package vm

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

var allSmallPlans = flag.Bool("all-small-plans", false, "execute every small plan, and not a sample")

// smallValues are the operands of small plans, by the letter of their kind: the ends of what numbers can be, and what lies
// about 0.
var smallValues = map[byte][]any{
	'i': {0, 1, -1, 3, int64(math.MaxInt64), int64(math.MinInt64)},
	'd': {0.0, math.Copysign(0, -1), 1.5, -1e300, math.Inf(1), math.NaN()},
	'b': {false, true},
	's': {"", "a", "12", "é"},
	'l': {graphtest.List{}, graphtest.List{1}, graphtest.List{3, -1}},
}

// An application is an operation on operands, each a value or another application.
type application struct {
	op   plan.Op
	args []any
}

// String returns the application as a printed plan has it.
func (a *application) String() string {
	var args []string
	for _, x := range a.args {
		args = append(args, fmt.Sprint(x))
	}
	return fmt.Sprintf("%s(%s)", a.op, strings.Join(args, ", "))
}

// smallOperations returns the operations whose operands and result are numbers, truths, texts or lists of ints.
func smallOperations() (ops []plan.Op) {
	for op := plan.OpConst; int(op) < plan.NumOps; op++ {
		row := op.Operation()
		isSmall := row.Immediate == plan.NoImmediate && !op.Has(plan.Effect) && op.OperandCount() > 0 && typeOf(row.Result) != nil
		for _, letter := range []byte(row.Operands) {
			isSmall = isSmall && smallValues[letter] != nil
		}
		if isSmall {
			ops = append(ops, op)
		}
	}
	return ops
}

// typeOf returns the type of a letter of the table of operations; nil of one that small plans have no type for.
func typeOf(letter byte) *plan.Type {
	return map[byte]*plan.Type{'i': plan.IntType, 'd': plan.DoubleType, 'b': plan.BoolType, 's': plan.StringType,
		'l': plan.ListOf(plan.IntType)}[letter]
}

// applications yields an operation on all values; nested are the applications that may stand in their place.
func applications(op plan.Op, nested []*application, yield func(*application)) {
	operands := op.Operation().Operands
	args := make([]any, len(operands))
	var fill func(k int, isNested bool)
	fill = func(k int, isNested bool) {
		if k == len(args) {
			if isNested || nested == nil {
				yield(&application{op, append([]any{}, args...)})
			}
			return
		}
		for _, v := range smallValues[operands[k]] {
			args[k] = v
			fill(k+1, isNested)
		}
		for _, a := range nested {
			if !isNested && a.op.Operation().Result == operands[k] {
				args[k] = a
				fill(k+1, true)
			}
		}
	}
	fill(0, false)
}

// build appends the nodes of an application, and returns its value and its fault, of which the first counts.
func (a *application) build(b *graphtest.Builder, constant bool) (value, fault plan.ID) {
	fault = b.NoFault()
	var args []plan.ID
	for _, x := range a.args {
		inner, isNested := x.(*application)
		if !isNested {
			args = append(args, b.Value(x, constant))
			continue
		}
		v, failed := inner.build(b, constant)
		args, fault = append(args, v), failed
	}
	kind := typeOf(a.op.Operation().Result).Kind
	value = b.Node(a.op, kind, 0, args...)
	if fails := a.op.Operation().Fails; fails != plan.OpInvalid {
		fault = b.Node(plan.OpFirstFault, plan.Fault, 0, fault, b.Node(fails, plan.Fault, 0, args...))
	}
	return value, fault
}

// canFail reports whether an operation of it tells of a failure.
func (a *application) canFail() bool {
	can := a.op.Operation().Fails != plan.OpInvalid
	for _, x := range a.args {
		inner, isNested := x.(*application)
		can = can || isNested && inner.canFail()
	}
	return can
}

// answer executes an application that is scheduled in some way.
func (a *application) answer(constant bool, opt schedule.Options) (string, error) {
	b := graphtest.NewBuilder()
	value, fault := a.build(b, constant)
	b.Output("r", typeOf(a.op.Operation().Result), value, fault)
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: b.IntShape(), Graph: b.Graph}}
	code, err := schedule.Make(b.Plan, &b.Graph, b.Options(opt))
	if err != nil {
		return "", err
	}
	frame := NewFrame(newTestImage(b, code), code)
	fillInput(b, frame)
	if err := Evaluate(frame, code, &b.Graph, dice.FromList(nil)); err != nil {
		return "", err
	}
	slot := func(id plan.ID) int64 {
		at, _ := code.Slot(id)
		return frame.slots[at]
	}
	if failed := slot(fault); failed != 0 {
		return "", FailureOf(frame, &b.Graph, failed)
	}
	bits, kind := slot(value), typeOf(a.op.Operation().Result).Kind
	switch {
	case kind == plan.List:
		return fmt.Sprint(frame.Elements(bits, 1)), nil
	case kind == plan.String:
		return frame.Text(bits), nil
	case kind == plan.Double && math.IsNaN(math.Float64frombits(uint64(bits))):
		return "NaN", nil
	}
	return fmt.Sprint(bits), nil
}

// TestSmallPlans executes the 166,392 plans of one operation, and of two the first of which the other reads, on all of
// smallValues. Each fails only with a failure that its operations declare; and it says the same whether its operands are
// constants or read, and with and without passes.
func TestSmallPlans(t *testing.T) {
	n, executed, failed := 0, 0, 0
	check := func(a *application, isSampled bool) {
		if n++; isSampled && n%997 > 0 && !*allSmallPlans {
			return
		}
		executed++
		want, wrong := a.answer(true, schedule.Options{Full: true})
		if wrong != nil {
			failed++
			_, isFailure := errors.AsType[*Failure](wrong)
			if !isFailure || !a.canFail() || strings.Contains(wrong.Error(), "damaged") {
				t.Errorf("%s: %v", a, wrong)
			}
		}
		for _, constant := range []bool{true, false} {
			got, err := a.answer(constant, schedule.Options{})
			if got != want || (err == nil) != (wrong == nil) || err != nil && messageOf(err) != messageOf(wrong) {
				t.Errorf("%s, of constants %v: %s, %v, and with no pass %s, %v", a, constant, got, err, want, wrong)
			}
		}
	}
	ops := smallOperations()
	var all []*application
	for _, op := range ops {
		applications(op, nil, func(a *application) { all = append(all, a) })
	}
	for _, a := range all {
		check(a, false)
	}
	for _, op := range ops {
		applications(op, all, func(a *application) { check(a, true) })
	}
	t.Logf("%d operations, %d plans, %d executed, %d failed", len(ops), n, executed, failed)
	if failed*100 < executed {
		t.Error("hardly any plan fails")
	}
}

// messageOf returns why something failed, without where.
func messageOf(err error) string {
	if f, isFailure := errors.AsType[*Failure](err); isFailure {
		return f.Msg
	}
	return err.Error()
}
