package check

import (
	"encoding/json"
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An extent bounds a value: of a number between what it lies, of a list or a map how many elements it has at most. A nil
// extent bounds nothing.
type extent struct {
	lo, hi float64
	size   float64
	elem   *extent
	fields map[string]*extent
}

// unboundedExtent is the extent of a number without bounds.
func unboundedExtent() *extent { return extentBetween(math.Inf(-1), math.Inf(1)) }

func extentBetween(lo, hi float64) *extent { return &extent{lo: lo, hi: hi} }

func extentOfElements(size float64, elem *extent) *extent { return &extent{size: size, elem: elem} }

// numberOrUnbounded is the extent of a number, without bounds when nothing is known.
func (x *extent) numberOrUnbounded() *extent {
	if x == nil {
		return unboundedExtent()
	}
	return x
}

// mostElements is how many elements a list or a map may have.
func (x *extent) mostElements() float64 {
	if x == nil {
		return math.Inf(1)
	}
	return x.size
}

func (x *extent) elementExtent() *extent {
	if x == nil {
		return nil
	}
	return x.elem
}

func (x *extent) fieldExtent(name string) *extent {
	switch {
	case x == nil:
		return nil
	case x.fields[name] != nil:
		return x.fields[name]
	}
	return x.elem // of a map
}

// unite is the extent of what is one of two values.
func (x *extent) unite(y *extent) *extent {
	if x == nil || y == nil {
		return nil
	}
	out := extentBetween(math.Min(x.lo, y.lo), math.Max(x.hi, y.hi))
	out.size = math.Max(x.size, y.size)
	out.elem = x.uniteElements(y)
	for name := range x.fields {
		if out.fields == nil {
			out.fields = map[string]*extent{}
		}
		out.fields[name] = x.fields[name].unite(y.fields[name])
	}
	return out
}

// uniteElements joins elements; a list that is always empty says nothing about them.
func (x *extent) uniteElements(y *extent) *extent {
	switch {
	case x.size == 0:
		return y.elem
	case y.size == 0:
		return x.elem
	}
	return x.elem.unite(y.elem)
}

// extentOfShape is the extent of what a shape admits.
func extentOfShape(s, character *plan.Shape) *extent {
	if s == nil {
		return nil
	}
	if s.Character && character != nil {
		s = character
	}
	out := unboundedExtent()
	if s.Min != nil {
		out.lo = s.Min.Value
	}
	if s.Max != nil {
		out.hi = s.Max.Value
	}
	out.elem = extentOfShape(s.Elem, character)
	switch s.Kind {
	case plan.List:
		out.size = float64(s.MaxItems)
	case plan.Map:
		out.size = plan.MaxKeys
	}
	for _, m := range s.Fields {
		if out.fields == nil {
			out.fields = map[string]*extent{}
		}
		out.fields[m.Name] = extentOfShape(m.Shape, character)
	}
	return out
}

// extentOfJSON is the extent of a value that is written out.
func extentOfJSON(text string) *extent {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return extentOfValue(v)
}

func extentOfValue(v any) *extent {
	switch v := v.(type) {
	case float64:
		return extentBetween(v, v)
	case []any:
		out := extentOfElements(float64(len(v)), nil)
		for i, x := range v {
			if e := extentOfValue(x); i == 0 {
				out.elem = e
			} else {
				out.elem = out.elem.unite(e)
			}
		}
		return out
	case map[string]any:
		out := &extent{fields: map[string]*extent{}}
		for name, x := range v {
			out.fields[name] = extentOfValue(x)
		}
		return out
	}
	return &extent{}
}

// Arithmetic of extents. What may overflow or fail has no bounds beyond those of the exact result.

func (x *extent) addExtent(y *extent) *extent { return extentBetween(x.lo+y.lo, x.hi+y.hi) }

func (x *extent) negate() *extent { return extentBetween(-x.hi, -x.lo) }

func (x *extent) multiply(y *extent) *extent {
	return hullOf(multiplyBounds(x.lo, y.lo), multiplyBounds(x.lo, y.hi), multiplyBounds(x.hi, y.lo),
		multiplyBounds(x.hi, y.hi))
}

// multiplyBounds takes 0 times an infinite bound for 0: the bound is never reached.
func multiplyBounds(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

func hullOf(v ...float64) *extent {
	out := extentBetween(math.Inf(1), math.Inf(-1))
	for _, f := range v {
		out.lo, out.hi = math.Min(out.lo, f), math.Max(out.hi, f)
	}
	return out
}

// divideBy bounds a quotient; a divisor that may be near 0 leaves none.
func (x *extent) divideBy(y *extent) *extent {
	if y.lo <= 0 && y.hi >= 0 {
		return unboundedExtent()
	}
	return hullOf(divideBounds(x.lo, y.lo), divideBounds(x.lo, y.hi), divideBounds(x.hi, y.lo), divideBounds(x.hi, y.hi))
}

func divideBounds(a, b float64) float64 {
	if math.IsInf(b, 0) {
		return 0
	}
	return a / b
}

// widenToWhole widens to integers, however they are rounded.
func (x *extent) widenToWhole() *extent { return extentBetween(math.Floor(x.lo), math.Ceil(x.hi)) }

// remainderOf has the sign of the dividend.
func (x *extent) remainderOf(y *extent) *extent {
	most := math.Max(math.Abs(y.lo), math.Abs(y.hi)) - 1
	out := extentBetween(math.Max(x.lo, -most), math.Min(x.hi, most))
	if x.lo >= 0 {
		out.lo = 0
	}
	if x.hi <= 0 {
		out.hi = 0
	}
	return out
}

func (x *extent) raiseTo(y *extent) *extent {
	if x.lo < 0 || y.lo < 0 {
		return unboundedExtent()
	}
	return hullOf(0, 1, math.Pow(x.hi, y.hi))
}

func (x *extent) absoluteValue() *extent {
	if x.lo >= 0 {
		return x
	}
	return extentBetween(math.Max(0, -x.hi), math.Max(-x.lo, x.hi))
}

func (x *extent) minWith(y *extent) *extent {
	return extentBetween(math.Min(x.lo, y.lo), math.Min(x.hi, y.hi))
}

func (x *extent) maxWith(y *extent) *extent {
	return extentBetween(math.Max(x.lo, y.lo), math.Max(x.hi, y.hi))
}

// sumOfElements is the sum of up to so many elements.
func (x *extent) sumOfElements() *extent {
	e := x.elementExtent().numberOrUnbounded()
	return hullOf(0, multiplyBounds(x.mostElements(), e.lo), multiplyBounds(x.mostElements(), e.hi))
}
