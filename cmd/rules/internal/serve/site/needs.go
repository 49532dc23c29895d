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

// needOf asks a rule, or the start of a procedure, what it needs. What refuses what is given needs all of it, as far as is
// known.
//
// For the character, everything of the input counts as given and nothing of the character: what is
// asked for is what the rule reads with this input. For each field of the input, that field alone
// is left out: when the rule does not ask for it, it does not matter. It is one partial evaluation
// for each field, on graphs of some hundred nodes.
func needOf(e *library.Edition, id string, q *formQuestion, fields []string) need {
	out := need{idle: map[string]bool{}}
	asks := askerOf(e, id, q)
	if asks == nil {
		return out
	}
	for _, x := range asks(runtime.Request{Input: q.input, Accepted: []string{"input"}}) {
		if x.Kind == ask.Field && strings.HasPrefix(x.Path, "character.") {
			out.character = append(out.character, strings.TrimPrefix(x.Path, "character."))
		}
	}
	for _, field := range fields {
		if strings.Contains(field, ".") {
			continue
		}
		needs := asks(runtime.Request{Character: q.character, Input: withoutMember(q.input, field),
			Accepted: []string{"character"}})
		if needs != nil && !asksFor(needs, "input."+field) {
			out.idle[field] = true
		}
	}
	return out
}

// askerOf asks a rule or the start of a procedure what it needs besides what is known; nil when it has no such choice of
// options.
func askerOf(e *library.Edition, id string, q *formQuestion) func(runtime.Request) []ask.Need {
	choice := runtime.Choice{Options: q.options}
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

func asksFor(list []ask.Need, path string) bool {
	for _, x := range list {
		if x.Path == path || strings.HasPrefix(x.Path, path+".") {
			return true
		}
	}
	return false
}
