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

// unbounded is the extent of a number without bounds.
func unbounded() *extent { return between(math.Inf(-1), math.Inf(1)) }

func between(lo, hi float64) *extent { return &extent{lo: lo, hi: hi} }

func listOf(size float64, elem *extent) *extent { return &extent{size: size, elem: elem} }

// number is the extent of a number, without bounds when nothing is known.
func (x *extent) number() *extent {
	if x == nil {
		return unbounded()
	}
	return x
}

// most is how many elements a list or a map may have.
func (x *extent) most() float64 {
	if x == nil {
		return math.Inf(1)
	}
	return x.size
}

func (x *extent) element() *extent {
	if x == nil {
		return nil
	}
	return x.elem
}

func (x *extent) field(name string) *extent {
	switch {
	case x == nil:
		return nil
	case x.fields[name] != nil:
		return x.fields[name]
	}
	return x.elem // of a map
}

// or is the extent of what is one of two values.
func (x *extent) or(y *extent) *extent {
	if x == nil || y == nil {
		return nil
	}
	out := between(math.Min(x.lo, y.lo), math.Max(x.hi, y.hi))
	out.size = math.Max(x.size, y.size)
	out.elem = x.elemOr(y)
	for name := range x.fields {
		if out.fields == nil {
			out.fields = map[string]*extent{}
		}
		out.fields[name] = x.fields[name].or(y.fields[name])
	}
	return out
}

// elemOr joins elements; a list that is always empty says nothing about them.
func (x *extent) elemOr(y *extent) *extent {
	switch {
	case x.size == 0:
		return y.elem
	case y.size == 0:
		return x.elem
	}
	return x.elem.or(y.elem)
}

// ofShape is the extent of what a shape admits.
func ofShape(s, character *plan.Shape) *extent {
	if s == nil {
		return nil
	}
	if s.Character && character != nil {
		s = character
	}
	out := unbounded()
	if s.Min != nil {
		out.lo = s.Min.Value
	}
	if s.Max != nil {
		out.hi = s.Max.Value
	}
	out.elem = ofShape(s.Elem, character)
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
		out.fields[m.Name] = ofShape(m.Shape, character)
	}
	return out
}

// ofJSON is the extent of a value that is written out.
func ofJSON(text string) *extent {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return ofValue(v)
}

func ofValue(v any) *extent {
	switch v := v.(type) {
	case float64:
		return between(v, v)
	case []any:
		out := listOf(float64(len(v)), nil)
		for i, x := range v {
			if e := ofValue(x); i == 0 {
				out.elem = e
			} else {
				out.elem = out.elem.or(e)
			}
		}
		return out
	case map[string]any:
		out := &extent{fields: map[string]*extent{}}
		for name, x := range v {
			out.fields[name] = ofValue(x)
		}
		return out
	}
	return &extent{}
}

// Arithmetic of extents. What may overflow or fail has no bounds beyond those of the exact result.

func (x *extent) plus(y *extent) *extent { return between(x.lo+y.lo, x.hi+y.hi) }

func (x *extent) negated() *extent { return between(-x.hi, -x.lo) }

func (x *extent) times(y *extent) *extent {
	return hull(product(x.lo, y.lo), product(x.lo, y.hi), product(x.hi, y.lo), product(x.hi, y.hi))
}

// product takes 0 times an infinite bound for 0: the bound is never reached.
func product(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

func hull(v ...float64) *extent {
	out := between(math.Inf(1), math.Inf(-1))
	for _, f := range v {
		out.lo, out.hi = math.Min(out.lo, f), math.Max(out.hi, f)
	}
	return out
}

// over bounds a quotient; a divisor that may be near 0 leaves none.
func (x *extent) over(y *extent) *extent {
	if y.lo <= 0 && y.hi >= 0 {
		return unbounded()
	}
	return hull(quotient(x.lo, y.lo), quotient(x.lo, y.hi), quotient(x.hi, y.lo), quotient(x.hi, y.hi))
}

func quotient(a, b float64) float64 {
	if math.IsInf(b, 0) {
		return 0
	}
	return a / b
}

// whole widens to integers, however they are rounded.
func (x *extent) whole() *extent { return between(math.Floor(x.lo), math.Ceil(x.hi)) }

// modulo has the sign of the dividend.
func (x *extent) modulo(y *extent) *extent {
	most := math.Max(math.Abs(y.lo), math.Abs(y.hi)) - 1
	out := between(math.Max(x.lo, -most), math.Min(x.hi, most))
	if x.lo >= 0 {
		out.lo = 0
	}
	if x.hi <= 0 {
		out.hi = 0
	}
	return out
}

func (x *extent) power(y *extent) *extent {
	if x.lo < 0 || y.lo < 0 {
		return unbounded()
	}
	return hull(0, 1, math.Pow(x.hi, y.hi))
}

func (x *extent) absolute() *extent {
	if x.lo >= 0 {
		return x
	}
	return between(math.Max(0, -x.hi), math.Max(-x.lo, x.hi))
}

func (x *extent) least(y *extent) *extent {
	return between(math.Min(x.lo, y.lo), math.Min(x.hi, y.hi))
}

func (x *extent) greatest(y *extent) *extent {
	return between(math.Max(x.lo, y.lo), math.Max(x.hi, y.hi))
}

// total is the sum of up to so many elements.
func (x *extent) total() *extent {
	e := x.element().number()
	return hull(0, product(x.most(), e.lo), product(x.most(), e.hi))
}
