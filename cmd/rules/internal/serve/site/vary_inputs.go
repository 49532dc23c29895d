package site

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

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

// variedFields returns the fields over which the odds of a form can be shown: its input, and the numbers of the character
// that the rule reads.
func (v *tryPage) variedFields() []fieldView {
	out := slices.Clone(v.Input)
	for _, f := range v.CharacterFields {
		if f.Number && f.Value != "" {
			f.Path = plainCharacter + "." + f.Path
			out = append(out, f)
		}
	}
	return out
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
		lo, hi, step := f.reach()
		for x := lo; x <= hi && len(out) < most; x += step {
			out = append(out, json.RawMessage(strconv.FormatInt(x, 10)))
		}
	}
	return out[:min(len(out), most)]
}

// reach returns the first and the last of at most maxGridRows whole numbers within the bounds of a field, and how far they
// lie apart.
//
// The range is centred on the field's value, where the reader's interest lies: with a skill of 57, odds at 7 to 107 and not
// at 0 to 200. Where the field has few values, all of them are shown instead. A number of a character that is as large as
// those of percentage dice goes by fives.
func (f *fieldView) reach() (lo, hi, step int64) {
	value, err := strconv.ParseInt(f.Value, 10, 64)
	const far = math.MaxInt64 - 10*gridReach // so that no sum below overflows, whatever a stranger typed
	value = min(max(value, -far), far)
	if step = 1; strings.HasPrefix(f.Path, plainCharacter+".") && (value > 2*gridReach || value < -2*gridReach) {
		step = 5
	}
	lo, hi = value-gridReach*step, value+gridReach*step
	least, noMin := strconv.ParseInt(f.Min, 10, 64)
	most, noMax := strconv.ParseInt(f.Max, 10, 64)
	if noMin == nil && (err != nil || lo < least) {
		for lo < least && step > 1 {
			lo += step
		}
		if lo < least {
			lo, hi = least, least+2*gridReach
		}
	}
	if noMin == nil && noMax == nil && most-least < maxGridRows {
		return least, most, 1
	}
	if noMax == nil {
		hi = min(hi, most)
	}
	return lo, hi, step
}
