package builtin

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestEveryOverloadSaysItsExtent fails when a function was added whose number, list or map nothing would bound: ranges and
// counts of dice made of it could never be written.
func TestEveryOverloadSaysItsExtent(t *testing.T) {
	unbounded := []string{"bool", "string", "R"}
	for _, f := range Table() {
		for _, o := range f.Overloads {
			if has, needs := o.Extent != nil, !slices.Contains(unbounded, o.Result); has != needs {
				t.Errorf("%s gives %s; it says its extent: %v", o.ID, o.Result, has)
			}
		}
	}
}

// A boundedOp is an operation on two numbers, of which one that takes a single number ignores the second.
type boundedOp struct {
	bound func(operands []*Extent) *Extent
	value func(a, b float64) float64 // NaN where it fails
	tight bool                       // each bound is the value of some operands
	whole bool                       // its operands are ints
}

// boundedOps are the operators, and every function of numbers by the id of its overload.
func boundedOps(t *testing.T) map[string]boundedOp {
	ops := map[string]boundedOp{
		"+": {bound: ofNumbers((*Extent).AddExtent), value: func(a, b float64) float64 { return a + b }, tight: true},
		"-": {bound: ofNumber((*Extent).Negate), value: func(a, _ float64) float64 { return -a }, tight: true},
		"*": {bound: ofNumbers((*Extent).Multiply), value: func(a, b float64) float64 { return a * b }, tight: true},
		"/": {bound: ofNumbers((*Extent).DivideBy), value: func(a, b float64) float64 { return a / b }},
		"%": {bound: ofNumbers((*Extent).RemainderOf), value: math.Mod, whole: true},
	}
	exact := []string{"abs_int", "abs_double", "max_int", "max_double", "min_int", "min_double"}
	for _, f := range Table() {
		for _, o := range f.Overloads {
			compute := ScalarOf(o.Op)
			if compute == nil {
				continue
			}
			x := boundedOp{bound: o.Extent, tight: slices.Contains(exact, o.ID), whole: o.Params[0] == "int"}
			x.value = func(a, b float64) float64 {
				switch isDivision := slices.ContainsFunc(divisions, func(d Function) bool { return d.Name == o.ID }); {
				case isDivision && b == 0 || o.Op == plan.OpPowInt && b < 0:
					return math.NaN()
				case x.whole:
					return float64(compute(int64(a), int64(b)))
				case o.Result == "int":
					return float64(compute(Bits(a), Bits(b)))
				}
				return Double(compute(Bits(a), Bits(b)))
			}
			ops[o.ID] = x
		}
	}
	if len(ops) < 20 {
		t.Fatalf("only %d operations are bounded", len(ops))
	}
	return ops
}

// TestExtentsBoundEveryValue goes over all operands between small bounds: no value lies beyond the extent, and where the
// extent is tight some value lies at each end of it.
func TestExtentsBoundEveryValue(t *testing.T) {
	for id, op := range boundedOps(t) {
		var steps []float64
		for n := -3.0; n <= 3; n++ {
			if steps = append(steps, n); !op.whole {
				steps = append(steps, n+0.5)
			}
		}
		visitIntervals(steps, func(xs []float64) {
			visitIntervals(steps, func(ys []float64) {
				x, y := ExtentBetween(xs[0], xs[len(xs)-1]), ExtentBetween(ys[0], ys[len(ys)-1])
				got := op.bound([]*Extent{x, y})
				least, greatest := math.Inf(1), math.Inf(-1)
				for _, a := range xs {
					for _, b := range ys {
						v := op.value(a, b)
						if math.IsNaN(v) {
							continue
						}
						if least, greatest = min(least, v), max(greatest, v); v < got.Lo || v > got.Hi {
							t.Fatalf("%s of %v and %v is %v, which is not from %v to %v", id, a, b, v, got.Lo, got.Hi)
						}
					}
				}
				if op.tight && (least != got.Lo || greatest != got.Hi) {
					t.Fatalf("%s from %v to %v and from %v to %v lies from %v to %v, and is said to lie from %v to %v", id,
						x.Lo, x.Hi, y.Lo, y.Hi, least, greatest, got.Lo, got.Hi)
				}
			})
		})
	}
}

// visitIntervals calls with the numbers of each interval between two of some ascending numbers.
func visitIntervals(steps []float64, visit func(between []float64)) {
	for i := range steps {
		for k := i; k < len(steps); k++ {
			visit(steps[i : k+1])
		}
	}
}

// TestExtentsOfUnboundedQuotients divides by what has no greatest value, so that a quotient comes as near to 0 as it will.
func TestExtentsOfUnboundedQuotients(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ dividend, divisor, want *Extent }{
		{UnboundedExtent(), ExtentBetween(2, inf), UnboundedExtent()},
		{UnboundedExtent(), ExtentBetween(-inf, -2), UnboundedExtent()},
		{ExtentBetween(4, inf), ExtentBetween(2, inf), ExtentBetween(0, inf)},
		{ExtentBetween(-6, 10), ExtentBetween(2, inf), ExtentBetween(-3, 5)},
	} {
		if got := c.dividend.DivideBy(c.divisor); got.Lo != c.want.Lo || got.Hi != c.want.Hi {
			t.Errorf("%v to %v by %v to %v: %v to %v", c.dividend.Lo, c.dividend.Hi, c.divisor.Lo, c.divisor.Hi, got.Lo, got.Hi)
		}
	}
}

// TestExtentsOfListsBoundTheirElements does so for the functions of lists and maps, with lists of up to three elements.
func TestExtentsOfListsBoundTheirElements(t *testing.T) {
	holds := func(what string, x *Extent, list ...int64) {
		t.Helper()
		if float64(len(list)) > x.MostElements() {
			t.Fatalf("%s has %d elements, and is said to have %v at most", what, len(list), x.MostElements())
		}
		e := x.ElementExtent().NumberOrUnbounded()
		for _, v := range list {
			if float64(v) < e.Lo || float64(v) > e.Hi {
				t.Fatalf("%s is %v: %d is not from %v to %v", what, list, v, e.Lo, e.Hi)
			}
		}
	}
	isNumber := func(what string, x *Extent, v int64) {
		t.Helper()
		holds(what, ExtentOfElements(1, x), v)
	}
	numbers := []float64{-2, -1, 0, 1, 2}
	visitIntervals(numbers, func(between []float64) {
		lo, hi := int64(between[0]), int64(between[len(between)-1])
		of := ExtentBetween(float64(lo), float64(hi))
		for size := range 4 {
			list := ExtentOfElements(float64(size), of)
			visitLists(lo, hi, size, func(elements []int64) {
				var sum int64
				for _, v := range elements {
					sum += v
				}
				isNumber(fmt.Sprintf("the sum of %v", elements), OverloadExtent("sum_list_int")([]*Extent{list}), sum)
				if size > 0 {
					isNumber(fmt.Sprintf("max of %v", elements), OverloadExtent("max_list_int")([]*Extent{list}), slices.Max(elements))
					isNumber(fmt.Sprintf("min of %v", elements), OverloadExtent("min_list_int")([]*Extent{list}), slices.Min(elements))
				}
				for _, id := range []string{"sort_list", "slice_list"} {
					holds(id, OverloadExtent(id)([]*Extent{list}), elements...)
				}
				for last := lo - 1; last <= hi+1; last++ {
					counts := make([]int64, max(0, last-lo+1))
					CountInts(counts, elements, lo)
					holds(fmt.Sprintf("counts(%v, %d, %d)", elements, lo, last),
						OverloadExtent("counts")([]*Extent{list, of, ExtentBetween(float64(last), float64(last))}), counts...)
				}
			})
		}
		visitIntervals(numbers, func(others []float64) {
			end := ExtentBetween(others[0], others[len(others)-1])
			for from := lo; from <= hi; from++ {
				for to := int64(end.Lo); to <= int64(end.Hi); to++ {
					var list []int64
					for v := from; v < to; v++ {
						list = append(list, v)
					}
					holds(fmt.Sprintf("range(%d, %d)", from, to), OverloadExtent("range_2")([]*Extent{of, end}), list...)
				}
			}
			for v := range int64(3) { // a map has a value, or the default stands for it
				either := OverloadExtent("get_map")([]*Extent{ExtentOfElements(2, of), nil, end})
				isNumber("a value of a map", either, min(hi, lo+v))
				isNumber("the default", either, min(int64(end.Hi), int64(end.Lo)+v))
				changed := OverloadExtent("with_map")([]*Extent{ExtentOfElements(2, of), nil, end})
				holds("a map with a value more", changed, lo, hi, int64(end.Lo), int64(end.Hi))
			}
		})
	})
	poured := OverloadExtent("pour")([]*Extent{ExtentBetween(0, 9), ExtentOfElements(3, ExtentBetween(0, 4))})
	holds("pour(9, [4, 4, 0])", poured, 4, 4, 0)
	records := &Extent{Fields: map[string]*Extent{"a": ExtentBetween(1, 2)}}
	united := records.Unite(&Extent{Fields: map[string]*Extent{"a": ExtentBetween(4, 5)}})
	isNumber("a field of one record", united.FieldExtent("a"), 1)
	isNumber("a field of the other", united.FieldExtent("a"), 5)
	empty, full := ExtentOfElements(0, nil), ExtentOfElements(2, ExtentBetween(1, 1))
	for _, x := range []*Extent{empty.Unite(full), full.Unite(empty)} {
		holds("one of two lists, of which one is empty", x, 1, 1)
		if x.ElementExtent() == nil || x.ElementExtent().Hi != 1 {
			t.Error("an empty list takes the bounds of another's elements away")
		}
	}
}

// visitLists calls with each list of so many ints between two.
func visitLists(lo, hi int64, size int, visit func([]int64)) {
	list := make([]int64, size)
	var fill func(at int)
	fill = func(at int) {
		if at == size {
			visit(list)
			return
		}
		for v := lo; v <= hi; v++ {
			list[at] = v
			fill(at + 1)
		}
	}
	fill(0)
}
