package site

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// The bounds of a grid.
const (
	maxGridRows  = 41
	maxGridCells = 256 // over two inputs
	gridReach    = 10  // steps to either side of a number that has no upper bound
)

// A varyField chooses an input that the odds are shown over.
type varyField struct {
	ID, Label string
	Choices   []choiceView
}

// chosen is the input; "" for none.
func (f *varyField) chosen() string {
	for _, c := range f.Choices {
		if c.Selected {
			return c.Value
		}
	}
	return ""
}

// newVaryField offers the fields of a form that a grid can run through.
func newVaryField(id, label string, fields []fieldView, chosen string) varyField {
	out := varyField{ID: id, Label: label}
	for i := range fields {
		if f := &fields[i]; len(f.Choices) > 0 || f.Number && f.Step == "1" {
			out.Choices = append(out.Choices, choiceView{Value: f.Path, Label: f.Label, Selected: f.Path == chosen})
		}
	}
	return out
}

// gridValues returns at most so many values of a field: its choices, or whole numbers within its bounds around its
// present value.
func gridValues(fields []fieldView, name string, most int) []json.RawMessage {
	var out []json.RawMessage
	f := &fields[slices.IndexFunc(fields, func(f fieldView) bool { return f.Path == name })]
	for _, c := range f.Choices {
		if c.Value != "" {
			out = append(out, jsontext.Quote(c.Value))
		}
	}
	if f.Number && f.Step == "1" {
		lo, hi := f.reach()
		for x := lo; x <= hi && len(out) < most; x++ {
			out = append(out, json.RawMessage(strconv.FormatInt(x, 10)))
		}
	}
	return out[:min(len(out), most)]
}

// reach returns the first and the last of at most maxGridRows whole numbers within the bounds of a field.
//
// The range is centred on the field's value, where the reader's interest lies: with a skill of 57, odds at 47 to 67 and
// not at 0 to 40. Where the field has few values, all of them are shown instead.
func (f *fieldView) reach() (lo, hi int64) {
	value, err := strconv.ParseInt(f.Value, 10, 64)
	const far = math.MaxInt64 - 2*gridReach // so that no sum below overflows, whatever a stranger typed
	value = min(max(value, -far), far)
	lo, hi = value-gridReach, value+gridReach
	least, noMin := strconv.ParseInt(f.Min, 10, 64)
	most, noMax := strconv.ParseInt(f.Max, 10, 64)
	if noMin == nil && (err != nil || lo < least) {
		lo, hi = least, least+2*gridReach
	}
	if noMin == nil && noMax == nil && most-least < maxGridRows {
		return least, most
	}
	if noMax == nil {
		hi = min(hi, most)
	}
	return lo, hi
}
