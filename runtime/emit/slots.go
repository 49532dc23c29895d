package emit

import (
	"strconv"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// AppendSlots appends the literals of the slots of a value of a type: those of records field by field, as literal writes
// one slot, with noFault in the place of each error.
func AppendSlots(out []string, t *plan.Type, slots []int64, noFault string,
	literal func(t *plan.Type, kind plan.Kind, bits int64) string) []string {
	if t.Kind != plan.Record {
		return append(out, literal(t, t.Kind, slots[0]))
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Optional {
			out, slots = append(out, strconv.FormatBool(slots[0] != 0)), slots[1:]
		}
		if f.Fallible {
			out, slots = append(out, noFault), slots[1:]
		}
		size := f.Type.Slots()
		out, slots = AppendSlots(out, f.Type, slots[:size], noFault, literal), slots[size:]
	}
	return out
}
