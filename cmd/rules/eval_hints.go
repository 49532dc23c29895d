package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// reportMisspelled names on stderr the strings of the input that look like slips: used as keys of a map of the
// character, absent there, and nearly equal to a key that is present. A look-up with a default, get(map, key, 0), never
// fails, so that a slip counts for nothing and the sheet shows no trace of it.
//
// Partial evaluation knows which strings are keys. The input is given without the string, and the question for it
// suggests the keys of the maps that it leads to. A string that resembles none of them is the case for which the author
// wrote the default, and no slip. Each open string costs a partial evaluation, which takes microseconds; that is why
// inputs in NDJSON, of which there may be millions, are not looked through.
func (q *question) reportMisspelled(find func(runtime.Request) ([]ask.Need, error), request *runtime.Request) {
	for _, m := range openWordsIn(q.inputShape, nil, request.Input) {
		path := "input." + strings.Join(m.names, ".")
		keys := suggestionsFor(find, request, path, m.names)
		for _, word := range m.words {
			if near := spell.Nearest(word, keys); near != "" && !slices.Contains(keys, word) {
				fmt.Fprintf(q.c.ErrOrStderr(), "rules: %s: the character has no %q; did you mean %q\n", path, word, near)
			}
		}
	}
}

// A wordMember is a member of the input that holds a string, or a list of strings.
type wordMember struct {
	names []string // the fields that lead to it: attack, skill
	words []string
}

// openWordsIn returns the fields of a record that hold strings, at any depth, in the order of their declaration. Three
// kinds are left out: strings with a list of allowed values, which has judged them; the records of a list, which is
// asked for as one; and further characters, whose keys are their own.
func openWordsIn(shape *plan.Shape, names []string, text json.RawMessage) (out []wordMember) {
	words := []string{""}
	switch {
	case shape.Kind == plan.Record && !shape.Character:
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) != nil {
			return nil
		}
		for _, f := range shape.Fields {
			if member, given := object[f.Name]; given {
				out = append(out, openWordsIn(f.Shape, append(slices.Clip(names), f.Name), member)...)
			}
		}
		return out
	case isOpenString(shape) && json.Unmarshal(text, &words[0]) == nil:
	case shape.Kind == plan.List && isOpenString(shape.Elem) && json.Unmarshal(text, &words) == nil:
	default:
		return nil
	}
	return []wordMember{{names, words}}
}

func isOpenString(s *plan.Shape) bool { return s.Kind == plan.String && s.Enum == nil }

// suggestionsFor returns the keys that a member of the input leads to; none when it is no key.
func suggestionsFor(
	find func(runtime.Request) ([]ask.Need, error), request *runtime.Request, path string, names []string,
) []string {
	needs, err := find(runtime.Request{Character: request.Character, Input: withoutMember(request.Input, names),
		Accepted: []string{"character"}})
	if err != nil {
		return nil // a requirement refuses what is left: nothing can be said
	}
	for _, need := range needs {
		if need.Path == path {
			return need.Suggest
		}
	}
	return nil
}

// withoutMember returns an object without the member that some names lead to; text that is no object as it is.
func withoutMember(text json.RawMessage, names []string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	if name := names[0]; len(names) > 1 {
		object[name] = withoutMember(object[name], names[1:])
	} else {
		delete(object, name)
	}
	without, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return without
}
