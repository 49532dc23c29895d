package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// Steps are the values of a number that a form offers.
type Steps struct {
	By      float64  `json:"by"`
	Minimum *float64 `json:"minimum,omitempty"`
	Maximum *float64 `json:"maximum,omitempty"`
}

// Rolls is the rule by which a field of a character is rolled.
type Rolls struct {
	Rule  string            `json:"rule"`          // or a procedure
	Input map[string]string `json:"input"`         // fields of its input that are filled in
	Key   string            `json:"key,omitempty"` // the field that has the key of the map
}

// addHints adds to the fields of a character, an input or an event how people are asked for them, and puts those first
// that are asked first.
func addHints(s *say.Speaker, root plan.Root, of string, fields []Field) {
	for i := range fields {
		f := &fields[i]
		h := s.HintOf(root, of, f.Name)
		f.Primary, f.order, f.Group = h.Primary, h.Order, h.Group
		if f.Group != "" && s.HasGlossary() {
			f.GroupLabel = s.GroupLabel(of, f.Group)
		}
		if h.Steps != nil {
			f.Steps = &Steps{By: h.Steps.By}
			f.Steps.Minimum, _ = h.Steps.Min.Split()
			f.Steps.Maximum, _ = h.Steps.Max.Split()
		}
		if h.Rolls != nil {
			f.Rolls = rollsOf(h.Rolls)
		}
	}
	// What is not asked first has the order 0, and 0 - 1 is the largest of all.
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(uint64(a.order-1), uint64(b.order-1)) })
}

func rollsOf(r *plan.Rolling) *Rolls {
	out := &Rolls{Rule: r.Rule, Input: map[string]string{}}
	for _, i := range r.Input {
		if i.Value == "" {
			out.Key = i.Name
		} else {
			out.Input[i.Name] = i.Value
		}
	}
	return out
}

// describeHints says the steps of a field and the rule by which it is rolled.
func (f *Field) describeHints() []string {
	var out []string
	if s := f.Steps; s != nil {
		text := "offered in steps of " + jsontext.Decimal(s.By) // no bound: others are taken
		if s.Minimum != nil && s.Maximum != nil {
			text += fmt.Sprintf(" from %s to %s", jsontext.Decimal(*s.Minimum), jsontext.Decimal(*s.Maximum))
		}
		out = append(out, text)
	}
	if f.Rolls != nil {
		out = append(out, "rolled by "+strings.Join(f.Rolls.words(), " "))
	}
	return out
}

// words are those of a command line that rolls the field.
func (r *Rolls) words() []string {
	out := []string{r.Rule}
	for name, value := range r.Input {
		out = append(out, name+"="+value)
	}
	slices.Sort(out[1:])
	if r.Key != "" {
		out = append(out, r.Key+"=…")
	}
	return out
}
