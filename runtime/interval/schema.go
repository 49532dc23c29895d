package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// schemaBounds bounds the values that the shapes of a plan admit.
type schemaBounds struct {
	plan    *plan.Plan
	symbols map[string]int64 // made when the first enum asks
}

// symbolOf returns the symbol of a string.
func (p *schemaBounds) symbolOf(s string) (id int64, ok bool) {
	if p.symbols == nil {
		p.symbols = make(map[string]int64, len(p.plan.Symbols))
		for i, text := range p.plan.Symbols {
			p.symbols[text] = int64(i)
		}
	}
	id, ok = p.symbols[s]
	return id, ok
}

// layout returns the intervals of the slots of a value that a shape admits. The order of slots must be that of
// plan.Type.Slots and of jsonio.Schema, by which leaves have their offsets: presence first, then the value.
func (p *schemaBounds) layout(s *plan.Shape) []Interval {
	switch s.Kind {
	case plan.Record:
		return p.record(s)
	case plan.List:
		return []Interval{{Min: int64(s.MinItems), Max: int64(s.MaxItems), Elem: p.layout(s.Elem)}}
	case plan.Map:
		return []Interval{{Max: mostEntries(s), Elem: p.entry(s)}}
	case plan.Int:
		return []Interval{intBounds(s)}
	case plan.Double:
		return []Interval{doubleBounds(s)}
	case plan.String:
		return []Interval{p.enum(s)}
	}
	return []Interval{anyOfKind(s.Kind)}
}

func (p *schemaBounds) record(s *plan.Shape) (out []Interval) {
	for i := range s.Fields {
		m := &s.Fields[i]
		slots := p.layout(m.Shape)
		if m.Optional {
			out = append(out, intInterval(0, 1))
			slots = withAbsence(slots, m.Shape)
		}
		out = append(out, slots...)
	}
	return out
}

// withAbsence returns the slots of an optional field, which are 0 when it is absent.
func withAbsence(slots []Interval, s *plan.Shape) []Interval {
	kinds := slotKinds(nil, s.Type())
	for i := range slots {
		slots[i] = slots[i].or0(kinds[i])
	}
	return slots
}

// slotKinds appends the kinds of the slots of a type.
func slotKinds(out []plan.Kind, t *plan.Type) []plan.Kind {
	if t.Kind != plan.Record {
		return append(out, t.Kind)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Optional {
			out = append(out, plan.Bool)
		}
		if f.Fallible {
			out = append(out, plan.Fault)
		}
		out = slotKinds(out, f.Type)
	}
	return out
}

// entry returns the slots of an entry of a map: its key, and the value that any of its keys may have.
func (p *schemaBounds) entry(s *plan.Shape) []Interval {
	value := p.layout(s.Elem)
	for i := range s.Fields {
		named := p.layout(s.Fields[i].Shape)
		if len(named) != len(value) {
			return nil
		}
		for k := range value {
			value[k] = value[k].join(named[k])
		}
	}
	return append([]Interval{anyOfKind(plan.String)}, value...)
}

// mostEntries returns how many entries a map may have.
func mostEntries(s *plan.Shape) int64 {
	if s.MaxItems > 0 {
		return int64(min(s.MaxItems, plan.MaxKeys))
	}
	return plan.MaxKeys
}

func intBounds(s *plan.Shape) Interval {
	out := anyOfKind(plan.Int)
	if b := s.Min; b != nil {
		if out.Min = int64(math.Ceil(b.Value)); b.Open && float64(out.Min) == b.Value {
			out.Min++
		}
	}
	if b := s.Max; b != nil {
		if out.Max = int64(math.Floor(b.Value)); b.Open && float64(out.Max) == b.Value {
			out.Max--
		}
	}
	if out.Min > out.Max {
		return anyOfKind(plan.Int)
	}
	return out
}

// doubleBounds: JSON has no number that is infinite, or none.
func doubleBounds(s *plan.Shape) Interval {
	out := doubleInterval(-math.MaxFloat64, math.MaxFloat64)
	if s.Min != nil {
		out.Low = s.Min.Value
	}
	if s.Max != nil {
		out.High = s.Max.Value
	}
	return out
}

// enum returns a string that is one of a list, each of which has a symbol.
func (p *schemaBounds) enum(s *plan.Shape) Interval {
	if len(s.Enum) == 0 {
		return anyOfKind(plan.String)
	}
	var list []int64
	for _, e := range s.Enum {
		id, ok := p.symbolOf(e)
		if !ok {
			return anyOfKind(plan.String)
		}
		list = append(list, id)
	}
	return symbolInterval(list)
}
