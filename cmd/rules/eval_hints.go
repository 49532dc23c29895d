package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// reportMisspelled says on stderr which strings of the input are looked up in a map of the character, are not
// there, and are nearly a key that is. A look-up with a default, get(map, key, 0), never fails, so that
// a slip counts for nothing and the sheet shows no trace of it.
//
// Which strings are keys is what asking knows: the input is given without the string, and the question for it
// suggests the keys of the maps that it leads to. A string that resembles none of them is what the author's
// default is there for, and no slip. Each string costs one asking of microseconds; that is why inputs
// in NDJSON, of which there may be millions, are not looked through.
func (q *question) reportMisspelled(find func(ask.Answers) ([]ask.Question, error), request *runtime.Request) {
	for _, m := range wordsIn("input", request.Input) {
		keys := suggestionsFor(find, request, m.path)
		for _, word := range m.words {
			if near := spell.Nearest(word, keys); near != "" && !slices.Contains(keys, word) {
				fmt.Fprintf(q.c.ErrOrStderr(), "rules: %s: the character has no %q; did you mean %q\n", m.path, word, near)
			}
		}
	}
}

// A wordMember is a member of the input that holds a string, or a list of strings.
type wordMember struct {
	path  string // "input.attack.skill"
	words []string
}

// wordsIn lists the members of an object that hold strings, at any depth, in the order of their paths. Strings in
// the objects of a list are left out: asking is for whole members, and a list is asked for as one.
func wordsIn(path string, text json.RawMessage) (out []wordMember) {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) == nil {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			out = append(out, wordsIn(path+"."+name, object[name])...)
		}
		return out
	}
	words := []string{""}
	if json.Unmarshal(text, &words[0]) != nil && json.Unmarshal(text, &words) != nil {
		return nil
	}
	return []wordMember{{path, words}}
}

// suggestionsFor returns the keys that a member of the input leads to; none when it is no key.
func suggestionsFor(
	find func(ask.Answers) ([]ask.Question, error), request *runtime.Request, path string,
) []string {
	_, inside, _ := strings.Cut(path, ".")
	known := ask.Answers{Character: request.Character, Input: withoutMember(request.Input, inside),
		Accepted: []string{"character"}}
	needs, err := find(known)
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

// withoutMember returns an object without the member at a path of names with dots; text that is no object as it is.
func withoutMember(text json.RawMessage, path string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	name, inside, nested := strings.Cut(path, ".")
	if nested {
		object[name] = withoutMember(object[name], inside)
	} else {
		delete(object, name)
	}
	without, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return without
}
