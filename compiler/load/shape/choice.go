package shape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An arm is one alternative of a choice.
type arm struct {
	meaning
	marked bool   // as the default
	text   string // of its expression
	// isSibling reports whether it is marked and refers to a field of the struct in which the choice stands.
	isSibling bool
}

// markedDefault is the default of a choice: the marked alternative, or that of an alternative that is itself a choice.
// (CUE specification, "Default values": the mark is a star; here the first that is marked counts.)
func markedDefault(arms []arm) string {
	for _, a := range arms {
		if a.marked {
			return cmp.Or(a.constant, a.defaultValue())
		}
	}
	for _, a := range arms {
		if a.fallback != "" {
			return a.fallback
		}
	}
	return ""
}

// otherMark returns another value that is marked as the default; "" when there is none.
func otherMark(arms []arm, first string) string {
	for _, a := range arms {
		if a.marked && a.constant != "" && a.constant != first {
			return a.constant
		}
	}
	return ""
}

// widerArms returns the alternatives without the values that another one allows anyway.
//
// In *0 | int the 0 is a default and no alternative, since int allows it: int is left. In *"open" | "open" | "shut" the
// second "open" goes, since an equal constant stands before it. A later alternative may remove a constant only by being
// wider, so that of two equal constants one stays.
func widerArms(arms []arm) (out []arm) {
	for i, a := range arms {
		if a.constant != "" && slices.ContainsFunc(arms[i+1:], a.isWithin) ||
			a.constant != "" && slices.ContainsFunc(arms[:i], func(b arm) bool {
				return b.constant == a.constant || a.isWithin(b)
			}) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// isWithin reports whether an alternative that is more than one value allows this value.
func (a arm) isWithin(b arm) bool {
	return b.constant == "" && !b.unclear && FitsShape(a.constant, b.Shape)
}

// reportUnmarked reports a value beside a type that has it anyway, 3 | int: to CUE that is int, and whoever writes it means
// a default, or, where another value is one, that only this value may stand beside it.
func (w *Reader) reportUnmarked(arms []arm, fallback string) {
	for _, a := range arms {
		wide := slices.IndexFunc(arms, a.isWithin)
		if a.constant == "" || a.marked || wide < 0 || a.constant == fallback {
			continue
		}
		d := w.reportUnsayable(a.Place, a.constant+" is among what the other side of | allows anyway")
		d.Repair = fmt.Sprintf("a default is marked by a star: *%s | %s", a.constant, strings.TrimLeft(arms[wide].text, "*"))
		if fallback != "" {
			d.Repair = fmt.Sprintf("leave it out, or write the other values one by one in place of %s", arms[wide].text)
		}
		return
	}
}

// choiceOf returns the elements of a list in JSON as a choice is written, "poor" | "fair"; "" of no list of scalars.
func choiceOf(list string) string {
	var elements []json.RawMessage
	if json.Unmarshal([]byte(list), &elements) != nil {
		return ""
	}
	words := make([]string, len(elements))
	for i, e := range elements {
		if words[i] = string(e); strings.ContainsAny(words[i][:1], "[{") {
			return ""
		}
	}
	return strings.Join(words, " | ")
}

// literalStrings are the values of alternatives that are all strings written out, each once.
func literalStrings(arms []arm) (out []string, ok bool) {
	for _, a := range arms {
		if a.Kind != plan.String || a.Enum == nil {
			return nil, false
		}
		for _, s := range a.Enum {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out, true
}

// singleType is the shape of the only alternative that is more than one value; nil when there are several or none.
func singleType(arms []arm) *plan.Shape {
	var out *plan.Shape
	for _, a := range arms {
		switch {
		case a.constant != "":
		case out != nil:
			return nil
		default:
			out = a.Shape
		}
	}
	return out
}

// maxGaps bounds the numbers between whole numbers that are written out, each of which the shape excludes.
//
// A shape excludes numbers one by one (Shape.Not), each tested at every reading of an input; 1 |
// 1000 would exclude 998. Beyond the bound the choice is reported, and an author writes bounds or
// names.
const maxGaps = 200

// literalInts is the shape of alternatives that are all whole numbers written out; nil of others. A shape says it by the
// least, the greatest, and the numbers between them that are none of them.
func literalInts(arms []arm, at plan.Place) *plan.Shape {
	values := map[int64]bool{}
	for _, a := range arms {
		if a.constant == "" || a.Kind != plan.Int || a.Min == nil {
			return nil
		}
		values[int64(a.Min.Value)] = true
	}
	sorted := slices.Sorted(maps.Keys(values))
	if len(sorted) < 2 || sorted[len(sorted)-1]-sorted[0] > maxGaps {
		return nil
	}
	out := &plan.Shape{Kind: plan.Int, Place: at}
	out.Min, out.Max = &plan.Bound{Value: float64(sorted[0])}, &plan.Bound{Value: float64(sorted[len(sorted)-1])}
	for n := sorted[0]; n < sorted[len(sorted)-1]; n++ {
		if !values[n] {
			out.Not = append(out.Not, plan.Bound{Value: float64(n)})
		}
	}
	return out
}
