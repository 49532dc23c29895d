package say

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Else is the case for every value that no other case is for.
const Else = "else"

// Show returns a value in JSON as people read it, by the name under which it stands: with its unit, its decimals and the
// words of choices. It is written beside its label, whose word a unit does not repeat.
func (t *Teller) Show(name string, text json.RawMessage) string {
	switch v := decodeJSON(text).(type) {
	case []any:
		if len(v) == 0 {
			return "none"
		}
		items := make([]string, len(v))
		for i, x := range v {
			items[i] = t.withoutRepeatedUnit(t.show(name, x), PathOf(name))
		}
		return joinAnd(items)
	case map[string]any:
		if len(v) == 0 {
			return "none"
		}
		return t.show(name, v)
	case string:
		if v == "" {
			return "none"
		}
		return t.show(name, v)
	default:
		return t.withoutRepeatedUnit(t.show(name, v), PathOf(name))
	}
}

// withoutRepeatedUnit returns a number without its unit where the label beside it has that word: "Rolls 1" and "Their
// Offenciancy 4".
func (t *Teller) withoutRepeatedUnit(shown string, path []string) string {
	w := t.speaker.names.find(t.within, path)
	if w == nil {
		return shown
	}
	label := " " + t.label(path) + " "
	for _, u := range w.Units {
		if !slices.ContainsFunc(u.Forms, func(f string) bool { return strings.Contains(label, " "+f+" ") }) {
			continue
		}
		for _, f := range u.Forms {
			if number, had := strings.CutSuffix(shown, " "+f); had {
				return number
			}
		}
	}
	return shown
}

// decodeJSON returns the value of a JSON text, whose numbers keep their text, or nil for a malformed one.
func decodeJSON(text []byte) any {
	var out any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// lookUp returns the value at a path in a decoded value; "" is the value itself. An absent member has the default of
// its shape, where the shape is known.
func lookUp(shape *plan.Shape, v any, path string) (any, bool) {
	for path != "" {
		members, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		var name string
		name, _, path, _ = plan.CutStep(path)
		member := findMember(shape, name)
		if v, ok = members[name]; !ok {
			if v, ok = defaultOf(member); !ok {
				return nil, false
			}
		}
		switch {
		case member != nil:
			shape = member.Shape
		case shape != nil:
			shape = shape.Elem
		}
	}
	return v, v != nil
}

func findMember(shape *plan.Shape, name string) *plan.Member {
	if shape == nil {
		return nil
	}
	i := slices.IndexFunc(shape.Fields, func(m plan.Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &shape.Fields[i]
}

// defaultOf returns the value of an absent member: its default, or a record whose members have theirs.
func defaultOf(m *plan.Member) (any, bool) {
	switch {
	case m == nil || m.Optional:
		return nil, false
	case m.Default != "":
		return decodeJSON(json.RawMessage(m.Default)), true
	case m.Shape.Kind == plan.Record || m.Shape.Kind == plan.Map:
		return map[string]any{}, true
	}
	return nil, false
}

// diceValue is the face of a die, or the list of those of several.
func diceValue(faces []int64) any {
	out := make([]any, len(faces))
	for i, f := range faces {
		out[i] = json.Number(strconv.FormatInt(f, 10))
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}

// show writes a value within a sentence.
func (t *Teller) show(name string, v any) string {
	path := PathOf(name)
	switch v := v.(type) {
	case bool:
		if w := t.truthWord(path, v); w != nil && len(w.Label) > 0 {
			return w.Label[0]
		}
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		return t.showNumber(path, string(v))
	case string:
		if w := t.speaker.names.find(t.within, append(path[:len(path):len(path)], v)); w != nil && len(w.Label) > 0 {
			return w.Label[0]
		}
		if identifier().MatchString(v) {
			return spellName(v)
		}
		return v
	case []any:
		var items []string
		for _, x := range v {
			items = append(items, t.show(name, x))
		}
		return joinAnd(items)
	case map[string]any:
		var items []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner := name + "." + key
			items = append(items, t.label(PathOf(inner))+" "+t.show(inner, v[key]))
		}
		return strings.Join(items, ", ")
	}
	return ""
}

// person is how a sentence calls somebody: by name, or "the opponent" when nobody told one.
func (t *Teller) person(name string, v any) string {
	members, _ := v.(map[string]any)
	if called, ok := members["name"].(string); ok && called != "" {
		return called
	}
	return "the " + t.label(PathOf(name))
}

// truthWord returns the word of a truth's value, or nil without one.
func (t *Teller) truthWord(path []string, holds bool) *plan.Word {
	w := t.speaker.names.find(t.within, path)
	switch {
	case w == nil:
		return nil
	case holds:
		return w.Yes
	}
	return w.No
}

// toneOf is the tone of a value: of the word of a choice; of a truth's yes or no, where yes has that of the truth itself.
func (t *Teller) toneOf(name string, v any) plan.Tone {
	path := PathOf(name)
	var w *plan.Word
	switch v := v.(type) {
	case bool:
		if w = t.truthWord(path, v); v && (w == nil || w.Tone == plan.OtherTone) {
			w = t.speaker.names.find(t.within, path)
		}
	case string:
		w = t.speaker.names.find(t.within, append(path[:len(path):len(path)], v))
	}
	if w == nil {
		return plan.OtherTone
	}
	return w.Tone
}

// showNumber writes a number with its decimals, a true minus and its unit: "−5 m".
func (t *Teller) showNumber(path []string, text string) string {
	size := int64(1)
	var forms []string
	if w := t.speaker.names.find(t.within, path); w != nil && len(w.Units) > 0 {
		unit := w.Units[len(w.Units)-1] // the smallest
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n != 0 {
			for _, u := range w.Units {
				if n%u.Size == 0 {
					unit, text = u, strconv.FormatInt(n/u.Size, 10)
					break
				}
			}
		}
		size, forms = unit.Size, unit.Forms
	}
	if strings.ContainsAny(text, ".eE") {
		v, _ := strconv.ParseFloat(text, 64)
		text = t.formatDouble(path[0], v/float64(size))
	}
	isOne := text == "1" || text == "-1"
	if digits, isNegative := strings.CutPrefix(text, "-"); isNegative {
		text = "−" + digits
	}
	if len(forms) == 0 {
		return text
	}
	return text + " " + formFor(forms, isOne)
}

// formatDouble writes a double with the decimals of its output, or as near as matters and without a fraction of 0.
func (t *Teller) formatDouble(output string, v float64) string {
	if digits, declared := t.decimals[output]; declared {
		return FormatDecimals(v, digits)
	}
	return strings.TrimSuffix(FormatNear(v), ".0")
}

// joinAnd writes a list: "a, b and c".
func joinAnd(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// isEmpty reports whether a value is nothing: 0, no, an empty text or list.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		n, err := v.Float64()
		return err == nil && n == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// chooseForm chooses a form by a truth, yes before no, or by a number.
func chooseForm(forms []string, v any) string {
	switch v := v.(type) {
	case bool:
		return formFor(forms, v)
	case json.Number:
		return formFor(forms, v == "1" || v == "-1")
	}
	return formFor(forms, false)
}

// Holds reports whether a case is for a value: a text as it is, "yes" or "no", a number or a comparison with one.
func Holds(is string, v any) bool {
	switch v := v.(type) {
	case string:
		return is == v
	case bool:
		return v && is == "yes" || !v && is == "no"
	case json.Number:
		sign, limit, ok := ParseComparison(is)
		n, err := v.Float64()
		if !ok || err != nil {
			return false
		}
		return matchesCase(n, sign, limit)
	}
	return false
}

func matchesCase(n float64, sign string, limit float64) bool {
	switch sign {
	case "<":
		return n < limit
	case "<=":
		return n <= limit
	case ">":
		return n > limit
	case ">=":
		return n >= limit
	}
	return n == limit
}

// ParseComparison reads the case of a number: "5", "<= 3".
func ParseComparison(text string) (sign string, limit float64, ok bool) {
	for _, s := range []string{"<=", ">=", "<", ">"} {
		if rest, found := strings.CutPrefix(text, s); found {
			sign, text = s, strings.TrimSpace(rest)
			break
		}
	}
	limit, err := strconv.ParseFloat(text, 64)
	return sign, limit, err == nil && !math.IsNaN(limit) && !math.IsInf(limit, 0)
}
