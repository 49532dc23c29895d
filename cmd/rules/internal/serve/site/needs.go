package site

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
)

// A need is what a rule reads besides what a form has: found by asking the rule with that part left out.
type need struct {
	idle      map[string]bool // fields of the input that nothing reads, as the form is filled now
	character []string        // paths of the character that are read
}

// needOf returns the fields that a rule, or the start of a procedure, reads. On an error no field counts as unread.
func needOf(e *library.Edition, id string, q *formQuestion) need {
	out := need{idle: map[string]bool{}}
	reads, err := e.Reads(id, runtime.Choice{Options: q.Options},
		runtime.Request{Character: q.Request.Character, Input: q.Request.Input})
	if err != nil {
		return out
	}
	for i := range reads.Character {
		out.character = append(out.character, strings.TrimPrefix(reads.Character[i].Path, "character."))
	}
	for _, path := range reads.Idle {
		out.idle[strings.TrimPrefix(path, "input.")] = true
	}
	return out
}

// askerOf returns a function for the further needs of a rule or the start of a procedure, or nil when it has no such
// choice of options.
func askerOf(e *library.Edition, id string, q *formQuestion) func(runtime.Request) []ask.Need {
	choice := runtime.Choice{Options: q.Options}
	if slices.Contains(e.Program.ProcedureNames(), id) {
		procedure, err := e.Procedure(id, choice)
		if err != nil {
			return nil
		}
		return func(k runtime.Request) []ask.Need {
			reply, err := procedure.Ask(k)
			if err != nil {
				return nil
			}
			return reply.Needs
		}
	}
	rule, err := e.Rule(id, choice)
	if err != nil {
		return nil
	}
	return func(k runtime.Request) []ask.Need {
		reply, err := rule.Ask(k)
		if err != nil {
			return nil
		}
		return reply.Needs
	}
}
