package jsonio

import (
	"math"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Bounds that fields of one record set for each other are judged when the whole record has been read, for the order of
// its members is the writer's. Every other bound is judged where the number stands.

// A number is one that a slot holds.
type number struct {
	whole bool
	int   int64
	value float64
}

// add returns the sum of two numbers. Whole numbers stay exact as long as an int64 holds them.
func (n number) add(m number) number {
	sum := n.int + m.int
	return number{n.whole && m.whole && !builtin.AddOverflows(n.int, m.int), sum, n.value + m.value}
}

// compare returns -1, 0 or 1.
func (n number) compare(m number) int {
	if n.whole && m.whole {
		return compareOrdered(n.int, m.int)
	}
	return compareOrdered(n.value, m.value)
}

func compareOrdered[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// String returns the number as JSON has it.
func (n number) String() string {
	if n.whole {
		return strconv.FormatInt(n.int, 10)
	}
	return plan.FormatDouble(n.value)
}

// HasLimits reports whether fields of the record, or of records in it, set bounds for each other.
func (r *Schema) HasLimits() bool {
	for i := range r.Members {
		if m := &r.Members[i]; m.Shape.Limits != nil || m.Shape.Kind == plan.Record && m.Schema.HasLimits() {
			return true
		}
	}
	return false
}

// JudgeLimits judges the bounds that fields of a record, and of the records in it, set for each other. slots are those of
// the record in the frame. Those of elements of lists and of values of maps have been judged when these were read.
func (r *Schema) JudgeLimits(f *vm.Frame, slots []int64) *InputError {
	for i := range r.Members {
		m := &r.Members[i]
		if m.Shape.Kind != plan.Record || m.Optional && slots[m.At] == 0 {
			continue
		}
		if err := m.Schema.JudgeLimits(f, slots[m.At+m.presenceSlots():]); err != nil {
			return err.atStep(PathStep(m.Name))
		}
	}
	return r.judgeOwnLimits(f, slots)
}

// judgeOwnLimits judges the bounds of the fields of one record.
func (r *Schema) judgeOwnLimits(f *vm.Frame, slots []int64) *InputError {
	for _, i := range r.limited {
		m := &r.Members[i]
		v, ok := r.numberAt(f, slots, []string{m.Name})
		for k := range m.Shape.Limits {
			if l := &m.Shape.Limits[k]; ok {
				if err := r.judgeLimit(f, slots, v, l); err != nil {
					err.Root = r.Root
					return err.atStep(PathStep(m.Name))
				}
			}
		}
	}
	return nil
}

func (r *Schema) judgeLimit(f *vm.Frame, slots []int64, v number, l *plan.Limit) *InputError {
	sum := number{l.Plus == math.Trunc(l.Plus), int64(l.Plus), l.Plus}
	for _, path := range l.Sum {
		term, ok := r.numberAt(f, slots, path)
		if !ok {
			return nil
		}
		sum = sum.add(term)
	}
	order := v.compare(sum)
	if !l.Upper {
		order = -order
	}
	if order < 0 || order == 0 && !l.Open {
		return nil
	}
	return &InputError{Msg: "must be " + l.Comparison() + " " + l.String() + ", which is " + sum.String() + ", not " +
		v.String()}
}

// numberAt returns the number at a path of names from a record; not ok where a part of the path is absent.
func (r *Schema) numberAt(f *vm.Frame, slots []int64, path []string) (n number, ok bool) {
	for _, name := range path {
		i := r.findMember([]byte(name))
		switch {
		case r.Shape.Kind == plan.Map:
			if slots = r.entryAt(f, slots[0], name); slots == nil {
				return number{}, false
			}
			if i < 0 {
				r = r.elem
			} else {
				r = r.Members[i].Schema
			}
		case i < 0:
			return number{}, false
		default:
			m := &r.Members[i]
			if m.Optional && slots[m.At] == 0 {
				return number{}, false
			}
			slots, r = slots[m.At+m.presenceSlots():], m.Schema
		}
	}
	switch r.Shape.Kind {
	case plan.Int:
		return number{true, slots[0], float64(slots[0])}, true
	case plan.Double:
		return number{value: builtin.Double(slots[0])}, true
	}
	return number{}, false
}

// entryAt returns the slots of the value under a key of a map; nil where the map has no such key.
func (r *Schema) entryAt(f *vm.Frame, span int64, key string) []int64 {
	for all := f.Elements(span, r.stride); len(all) >= r.stride; all = all[r.stride:] {
		if f.Text(all[0]) == key {
			return all[1:r.stride]
		}
	}
	return nil
}
