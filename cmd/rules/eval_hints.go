package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// reportMisspelled says on stderr which strings at the top of the input are looked up in a map of the
// character, are not there, and are nearly a key that is. A look-up with a default, get(map, key, 0), never fails, so that
// a slip counts for nothing and the sheet shows no trace of it.
//
// Which strings are keys is what Ask knows: the input is given without the string, and the question for it
// suggests the keys of the maps that it leads to. A string that resembles none of them is what the author's
// default is there for, and no slip.
func (q *question) reportMisspelled(rule *runtime.Rule, request *runtime.Request) {
	var input map[string]json.RawMessage
	if json.Unmarshal(request.Input, &input) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(input)) {
		words := []string{""}
		if json.Unmarshal(input[name], &words[0]) != nil && json.Unmarshal(input[name], &words) != nil {
			continue
		}
		keys := suggestionsFor(rule, request, input, name)
		for _, word := range words {
			if near := spell.Nearest(word, keys); near != "" && !slices.Contains(keys, word) {
				fmt.Fprintf(q.c.ErrOrStderr(), "rules: input.%s: the character has no %q; did you mean %q\n", name,
					word, near)
			}
		}
	}
}

// suggestionsFor are the keys that a member of the input leads to; none when it is no key.
func suggestionsFor(
	rule *runtime.Rule, request *runtime.Request, input map[string]json.RawMessage, name string,
) []string {
	rest := maps.Clone(input)
	delete(rest, name)
	text, err := json.Marshal(rest)
	if err != nil {
		return nil
	}
	known := runtime.Known{Character: request.Character, Input: text, Accepted: []string{"character"}}
	asked, err := rule.Ask(known)
	if err != nil {
		return nil // a requirement refuses what is left: nothing can be said
	}
	for _, need := range asked.Needs {
		if need.Path == "input."+name {
			return need.Suggest
		}
	}
	return nil
}
