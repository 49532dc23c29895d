package library

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
)

// maxPrepared bounds how many choices of one edition are kept prepared: strangers choose options, and each choice is a
// schedule in memory.
const maxPrepared = 256

// cached keeps what was made for a key, at most maxPrepared of it: the oldest goes first.
type cached[T any] struct {
	mu    sync.Mutex
	made  map[string]T
	order []string
}

// find returns the value that was made for a key, or makes it. Two that ask at once may both make it: the first one is
// kept.
//
// Nothing is locked while a value is made: a choice that takes long to prepare, or fails, must not hold up readers of
// others. Errors are not kept, for the same wrong choice seldom comes twice.
func (c *cached[T]) find(key string, make func() (T, error)) (T, error) {
	c.mu.Lock()
	out, ok := c.made[key]
	c.mu.Unlock()
	if ok {
		return out, nil
	}
	out, err := make()
	if err != nil {
		return out, err
	}
	return c.keep(key, out), nil
}

func (c *cached[T]) keep(key string, value T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.made[key]; ok {
		return first
	}
	if c.made == nil {
		c.made = map[string]T{}
	}
	if len(c.order) == maxPrepared {
		delete(c.made, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
	c.made[key], c.order = value, append(c.order, key)
	return value
}

// keyOf is a text that only equal choices of a name share. No outputs at all are another choice than all of them.
func keyOf(id string, c runtime.Choice) string {
	var options []string
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		options = append(options, name, c.Options[name])
	}
	return fmt.Sprintf("%q %q %t %q", id, options, c.Outputs == nil, c.Outputs)
}

// Rule is a rule prepared for a choice. Its errors are those of runtime.Program.Rule.
func (e *Edition) Rule(id string, c runtime.Choice) (*runtime.Rule, error) {
	return e.rules.find(keyOf(id, c), func() (*runtime.Rule, error) { return e.Program.Rule(id, c) })
}

// Procedure is a procedure prepared for a choice. Its errors are those of runtime.Program.Procedure.
func (e *Edition) Procedure(id string, c runtime.Choice) (*runtime.Procedure, error) {
	return e.procedures.find(keyOf(id, c), func() (*runtime.Procedure, error) { return e.Program.Procedure(id, c) })
}

// Reads returns which fields have a part in the answer of a rule or a procedure. Each field costs a folding of its graph,
// so that the answer is kept for the choice, character and input. Its errors are those of runtime.Rule.Reads.
func (e *Edition) Reads(id string, c runtime.Choice, q runtime.Request) (*ask.Reads, error) {
	digest := sha256.New()
	fmt.Fprintf(digest, "%q %q", q.Character, q.Input)
	return e.reads.find(keyOf(id, c)+string(digest.Sum(nil)), func() (*ask.Reads, error) {
		if slices.Contains(e.Program.ProcedureNames(), id) {
			procedure, err := e.Procedure(id, c)
			if err != nil {
				return nil, err
			}
			return procedure.Reads(q)
		}
		rule, err := e.Rule(id, c)
		if err != nil {
			return nil, err
		}
		return rule.Reads(q)
	})
}

// Asker returns a prepared question for the odds of a rule. All but its request and its budget is prepared once. Its
// errors are those of oddsquery.NewAsker.
func (e *Edition) Asker(q query.Question) (*oddsquery.Asker, error) {
	request := q.Request
	q.Request = runtime.Request{} // the prepared asker must not keep it
	a, err := e.askers.find(keyOfQuestion(&q), func() (*oddsquery.Asker, error) {
		return oddsquery.NewAsker(e.Program, q)
	})
	if err != nil {
		return nil, err
	}
	return a.For(request, q.Budget), nil
}

// keyOfQuestion is a text that only equal questions share.
func keyOfQuestion(q *query.Question) string {
	choice := runtime.Choice{Options: q.Options, Outputs: q.Outputs}
	return fmt.Sprintf("%s %q %q %q %q %q %t %t %t", keyOf(q.Subject, choice), q.Given, q.Formulas, q.Vary, q.Decide,
		q.Best, q.Exact, q.Joint, q.Quick)
}
