package builtin

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Extent bounds what a formula means, in exact arithmetic: bounds of a slot, which wraps and holds 0 beside a fault,
// are those of package interval. It bounds a value: of a number between what it lies, of a list or a map how many
// elements it has at most. A nil extent bounds nothing.
//
// Which fields count depends on the value: Lo and Hi of a number (either may be infinite), Size and
// Elem of a list or a map, Fields of a record by name. Fields and Elem may be nil where nothing is
// known. Extents are shared and never changed once made.
type Extent struct {
	Lo, Hi float64
	Size   float64
	Elem   *Extent
	Fields map[string]*Extent
}

// UnboundedExtent returns the extent of a number without bounds.
func UnboundedExtent() *Extent { return ExtentBetween(math.Inf(-1), math.Inf(1)) }

// ExtentBetween returns the extent of a number between two bounds, both inside.
func ExtentBetween(lo, hi float64) *Extent { return &Extent{Lo: lo, Hi: hi} }

// ExtentOfElements returns the extent of a list or a map of at most so many elements.
func ExtentOfElements(size float64, elem *Extent) *Extent { return &Extent{Size: size, Elem: elem} }

// NumberOrUnbounded returns the extent of a number, without bounds when nothing is known.
func (x *Extent) NumberOrUnbounded() *Extent {
	if x == nil {
		return UnboundedExtent()
	}
	return x
}

// MostElements returns how many elements a list or a map may have.
func (x *Extent) MostElements() float64 {
	if x == nil {
		return math.Inf(1)
	}
	return x.Size
}

func (x *Extent) ElementExtent() *Extent {
	if x == nil {
		return nil
	}
	return x.Elem
}

func (x *Extent) FieldExtent(name string) *Extent {
	switch {
	case x == nil:
		return nil
	case x.Fields[name] != nil:
		return x.Fields[name]
	}
	return x.Elem // of a map
}

// Unite returns the extent of a value that is one of two.
func (x *Extent) Unite(y *Extent) *Extent {
	if x == nil || y == nil {
		return nil
	}
	out := ExtentBetween(math.Min(x.Lo, y.Lo), math.Max(x.Hi, y.Hi))
	out.Size = math.Max(x.Size, y.Size)
	out.Elem = x.UniteElements(y)
	for name := range x.Fields {
		if out.Fields == nil {
			out.Fields = map[string]*Extent{}
		}
		out.Fields[name] = x.Fields[name].Unite(y.Fields[name])
	}
	return out
}

// UniteElements joins elements; a list that is always empty says nothing about them.
func (x *Extent) UniteElements(y *Extent) *Extent {
	switch {
	case x.Size == 0:
		return y.Elem
	case y.Size == 0:
		return x.Elem
	}
	return x.Elem.Unite(y.Elem)
}

// Arithmetic of extents. What may overflow or fail has no bounds beyond those of the exact result.

func (x *Extent) AddExtent(y *Extent) *Extent { return ExtentBetween(x.Lo+y.Lo, x.Hi+y.Hi) }

func (x *Extent) Negate() *Extent { return ExtentBetween(-x.Hi, -x.Lo) }

func (x *Extent) Multiply(y *Extent) *Extent {
	return hullOf(multiplyBounds(x.Lo, y.Lo), multiplyBounds(x.Lo, y.Hi), multiplyBounds(x.Hi, y.Lo),
		multiplyBounds(x.Hi, y.Hi))
}

// multiplyBounds takes 0 times an infinite bound for 0: the bound is never reached.
func multiplyBounds(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

func hullOf(v ...float64) *Extent {
	out := ExtentBetween(math.Inf(1), math.Inf(-1))
	for _, f := range v {
		out.Lo, out.Hi = math.Min(out.Lo, f), math.Max(out.Hi, f)
	}
	return out
}

// DivideBy bounds a quotient; a divisor that may be near 0 leaves none.
func (x *Extent) DivideBy(y *Extent) *Extent {
	if y.Lo <= 0 && y.Hi >= 0 {
		return UnboundedExtent()
	}
	return hullOf(divideBounds(x.Lo, y.Lo), divideBounds(x.Lo, y.Hi), divideBounds(x.Hi, y.Lo), divideBounds(x.Hi, y.Hi))
}

func divideBounds(a, b float64) float64 {
	if math.IsInf(b, 0) {
		return 0
	}
	return a / b
}

// WidenToWhole widens to integers, however they are rounded.
func (x *Extent) WidenToWhole() *Extent { return ExtentBetween(math.Floor(x.Lo), math.Ceil(x.Hi)) }

// RemainderOf has the sign of the dividend.
func (x *Extent) RemainderOf(y *Extent) *Extent {
	most := math.Max(math.Abs(y.Lo), math.Abs(y.Hi)) - 1
	out := ExtentBetween(math.Max(x.Lo, -most), math.Min(x.Hi, most))
	if x.Lo >= 0 {
		out.Lo = 0
	}
	if x.Hi <= 0 {
		out.Hi = 0
	}
	return out
}

func (x *Extent) raiseTo(y *Extent) *Extent {
	if x.Lo < 0 || y.Lo < 0 {
		return UnboundedExtent()
	}
	return hullOf(0, 1, PowDouble(x.Hi, y.Hi))
}

func (x *Extent) absoluteValue() *Extent {
	if x.Lo >= 0 {
		return x
	}
	return ExtentBetween(math.Max(0, -x.Hi), math.Max(-x.Lo, x.Hi))
}

func (x *Extent) minWith(y *Extent) *Extent {
	return ExtentBetween(math.Min(x.Lo, y.Lo), math.Min(x.Hi, y.Hi))
}

func (x *Extent) maxWith(y *Extent) *Extent {
	return ExtentBetween(math.Max(x.Lo, y.Lo), math.Max(x.Hi, y.Hi))
}

// sumOfElements returns the sum of up to so many elements.
func (x *Extent) sumOfElements() *Extent {
	e := x.ElementExtent().NumberOrUnbounded()
	return hullOf(0, multiplyBounds(x.MostElements(), e.Lo), multiplyBounds(x.MostElements(), e.Hi))
}

// The extents of functions. Each takes those of the operands, of which nil is one that nothing bounds.

// ofNumber bounds a function of a number.
func ofNumber(bound func(x *Extent) *Extent) func([]*Extent) *Extent {
	return func(operands []*Extent) *Extent { return bound(operands[0].NumberOrUnbounded()) }
}

// ofNumbers bounds a function of two numbers.
func ofNumbers(bound func(x, y *Extent) *Extent) func([]*Extent) *Extent {
	return func(operands []*Extent) *Extent {
		return bound(operands[0].NumberOrUnbounded(), operands[1].NumberOrUnbounded())
	}
}

// wholeQuotient bounds a quotient however it is rounded, so that all divisions share it.
// 7 / 2 lies in 3 to 4, whichever of the roundings is meant.
func wholeQuotient(x, y *Extent) *Extent { return x.DivideBy(y).WidenToWhole() }

func anElement(operands []*Extent) *Extent { return operands[0].ElementExtent() }

func theSameList(operands []*Extent) *Extent { return operands[0] }

func sumOfList(operands []*Extent) *Extent { return operands[0].sumOfElements() }

// countsOfElements has an element for each face from the second operand to the third.
func countsOfElements(operands []*Extent) *Extent {
	faces := operands[2].NumberOrUnbounded().Hi - operands[1].NumberOrUnbounded().Lo + 1
	return ExtentOfElements(math.Min(plan.MaxRange, math.Max(0, faces)), ExtentBetween(0, operands[0].MostElements()))
}

// pouredInto has an element for each capacity, which gets no more than that.
func pouredInto(operands []*Extent) *Extent {
	capacities := operands[1]
	most := capacities.ElementExtent().NumberOrUnbounded().Hi
	return ExtentOfElements(capacities.MostElements(), ExtentBetween(0, most))
}

// RangeEnds returns the bounds of where a range begins and ends: with one operand it begins at 0.
func RangeEnds(operands []*Extent) (from, to *Extent) {
	if len(operands) == 1 {
		return ExtentBetween(0, 0), operands[0].NumberOrUnbounded()
	}
	return operands[0].NumberOrUnbounded(), operands[1].NumberOrUnbounded()
}

func rangeOf(operands []*Extent) *Extent {
	from, to := RangeEnds(operands)
	size := math.Min(plan.MaxRange, math.Max(0, to.Hi-from.Lo))
	return ExtentOfElements(size, ExtentBetween(from.Lo, to.Hi-1))
}

func valueOrDefault(operands []*Extent) *Extent {
	return operands[0].ElementExtent().Unite(operands[2])
}

func withAValue(operands []*Extent) *Extent {
	return ExtentOfElements(plan.MaxKeys, operands[0].ElementExtent().Unite(operands[2]))
}
