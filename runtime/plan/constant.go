package plan

import (
	"math"
	"strconv"
	"strings"
)

// Constant returns a constant of the plan, a table's cell among them, for reading.
func (p *Plan) Constant(t *Type, slots []int64) string {
	switch t.Kind {
	case Double:
		return FormatDouble(math.Float64frombits(uint64(slots[0])))
	case Bool:
		return strconv.FormatBool(slots[0] != 0)
	case String:
		return strconv.Quote(p.Symbols[slots[0]])
	case List, Map:
		return p.constantSpan(t, slots[0])
	case Record:
		return p.constantRecord(t, slots)
	}
	return strconv.FormatInt(slots[0], 10)
}

func (p *Plan) constantSpan(t *Type, span int64) string {
	var parts []string
	offset, stride := int(span>>32), t.Stride()
	for i := range int(uint32(span)) {
		slots := p.Consts[offset+i*stride:]
		if t.Kind == Map {
			key := &Type{Kind: t.Key}
			parts = append(parts, p.Constant(key, slots)+": "+p.Constant(t.Elem, slots[1:]))
			continue
		}
		parts = append(parts, p.Constant(t.Elem, slots))
	}
	if t.Kind == Map {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (p *Plan) constantRecord(t *Type, slots []int64) string {
	var parts []string
	for i := range t.Fields {
		f := &t.Fields[i]
		value := slots[f.Slots()-f.Type.Slots():]
		if !f.Optional || slots[0] != 0 {
			parts = append(parts, f.Name+": "+p.Constant(f.Type, value))
		}
		slots = slots[f.Slots():]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
