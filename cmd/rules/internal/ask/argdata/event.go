package argdata

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// facesWord is the name under which an event on the command line brings its faces.
const facesWord = "dice"

// writtenEvent returns an event in JSON, as --events has it, as --event has it: "sneak skill=stealth"; "" of all else.
func writtenEvent(text string) string {
	var x struct {
		Event string
		Input map[string]any
	}
	if json.Unmarshal([]byte(text), &x) != nil || x.Event == "" {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(x.Input)) {
		value, err := json.Marshal(x.Input[name])
		if word, isWord := x.Input[name].(string); isWord {
			value = []byte(word)
		}
		if err != nil || strings.ContainsAny(string(value), " '") {
			return ""
		}
		x.Event += fmt.Sprintf(" %s=%s", name, value)
	}
	return x.Event
}

// calledEvent is an event that is written as a call, or as a name and its input behind a sign: sneak(skill=stealth),
// sneak: skill=stealth, sneak,skill=stealth.
var calledEvent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z_]\w*)\s*[(:,]\s*([^()]*?)\s*\)?$`)
})

// EventOfCall returns an event that is written as a call as --event has it: "sneak skill=stealth". A value alone is that of
// the first input that the event has. It is "" of all else, as of several events: rest, sneak skill=stealth.
func EventOfCall(text string, d *plan.Procedure) string {
	m := calledEvent().FindStringSubmatch(text)
	if m == nil || d.Event(m[1]) == nil || m[2] == "" {
		return ""
	}
	out, input := m[1], d.Event(m[1]).Input
	for i, word := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, named := strings.Cut(strings.Trim(word, `"'`), "=")
		if !named {
			if input == nil || i >= len(input.Fields) {
				return ""
			}
			name, value = input.Fields[i].Name, name
		}
		out += fmt.Sprintf(" %s=%s", name, strings.Trim(value, `"'`))
	}
	return out
}

// RefuseSeveral returns an error where commas join events in the value of a flag, of which each has a flag of its own; nil
// where not all of them are events.
func RefuseSeveral(flag, text string, d *plan.Procedure) error {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if name, _, _ := strings.Cut(part, " "); d.Event(name) == nil {
			return nil
		}
		out = append(out, "--"+flag+" '"+part+"'")
	}
	if len(out) < 2 {
		return nil
	}
	return fmt.Errorf("--%s %s: each event has a --%[1]s of its own: %[3]s", flag, text, strings.Join(out, " "))
}

// withFaces returns an event as it is written, with the faces that somebody gives under the name of their die, or without a
// name, as dice; "" where there are none such.
func withFaces(text string, e *plan.Event, sets []string, rest string) string {
	if e == nil {
		return ""
	}
	for _, set := range sets {
		name, value, _ := plan.CutAssignment(set)
		isNamed := func(d plan.Die) bool { return d.ID == name }
		if e.Input.Member(name) == nil && slices.ContainsFunc(e.Graph.Dice, isNamed) {
			return strings.Replace(text, set, facesWord+"="+value, 1)
		}
	}
	isNumber := func(m plan.Member) bool { return m.Shape.Kind == plan.Int || m.Shape.Kind == plan.Double }
	if rest == "" || strings.Trim(rest, "0123456789, ") != "" || slices.ContainsFunc(e.Input.Fields, isNumber) {
		return ""
	}
	faces := strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' })
	return strings.Replace(text, rest, facesWord+"="+strings.Join(faces, ","), 1)
}

// ParseEvent reads a value of --event (package phrase): the name of an event of a procedure, its input as NAME=VALUE or as
// an object, and its faces as dice=43,7 or dice=roll=43. Whether the procedure has such an event, and takes it, is for the
// play to say.
func ParseEvent(text string, d *plan.Procedure, files *Files) (e runtime.Step, err error) {
	p, err := phrase.SplitStep(text)
	if err != nil {
		return e, fmt.Errorf("--event %s: the input of the event is no JSON: %w", text, phrase.JSONError(err, text))
	}
	if p.Event == "" {
		return e, fmt.Errorf("--event %s: it is EVENT NAME=VALUE..., as in --event '%s'", text, cmp.Or(writtenEvent(text),
			EventOfCall(text, d), "roll difficulty=hard dice=35"))
	}
	e.Event, e.Input = p.Event, p.Input
	var shape *plan.Shape
	if x := d.Event(e.Event); x != nil {
		shape = x.Input
	}
	var sets, faces []string
	for _, word := range p.Sets {
		if value, ok := strings.CutPrefix(word, facesWord+"="); ok {
			faces = append(faces, value)
			continue
		}
		sets = append(sets, word)
	}
	// An input called dice could be meant as well. Guessing would roll with the input's value.
	if len(faces) > 0 && shape.Member(facesWord) != nil {
		return e, fmt.Errorf("--event %s: %s has an input that is called dice, too: write the event in a file for --events",
			text, e.Event)
	}
	if err := RefuseSeveral("event", text, d); err != nil {
		return e, err
	}
	if called := EventOfCall(text, d); called != "" && d.Event(e.Event) == nil {
		return e, fmt.Errorf("--event %s: an event is no call: write --event '%s'", text, called)
	}
	if meant := withFaces(text, d.Event(e.Event), sets, p.Rest); meant != "" {
		return e, fmt.Errorf("--event %s: faces that fell are %s=...: write --event '%s'", text, facesWord, meant)
	}
	if p.Rest != "" { // a word that is no NAME=VALUE, which Assign refuses
		word, _, _ := strings.Cut(p.Rest, " ")
		if strings.ContainsAny(word, `=:{["`) {
			word = p.Rest
		}
		sets = append(sets, word)
	}
	if len(sets) > 0 {
		if e.Input, err = Assign(jsontext.OrObject(p.Input), p.Input, sets, shape, files); err != nil {
			return e, fmt.Errorf("--event %s: %w", text, err)
		}
	}
	if len(faces) > 0 {
		if e.Dice, err = ParseGiven(faces, files); err != nil {
			return e, fmt.Errorf("--event %s: %w", text, err)
		}
	}
	return e, nil
}
