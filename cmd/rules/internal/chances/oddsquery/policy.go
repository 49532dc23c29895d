package oddsquery

// A policy is a list of moves, tried from the first to the last in every state: the first whose
// guard holds and whose event is offered happens. Its order is therefore a strategy, and a last
// move without a guard is "else".
//
//	--policy 'pay: state.owes' --policy 'roll {"difficulty": "hard"}: true'
//
// A guard is compiled once, as a rule of its own over four records (character, input, state,
// option), and evaluated for every state that is met.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ParsePolicy reads a policy for a procedure: the events in the order in which they are tried, each with its guard. Options
// are those that are played beside the plan's defaults; guards may read them.
func ParsePolicy(p *plan.Plan, id string, moves []string, options map[string]string) (runtime.Policy, error) {
	played := playedOptions(p, options)
	var out runtime.Policy
	for _, text := range moves {
		m, err := parseMove(p, id, text, played)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// parseMove reads a move (package phrase); without a guard it always holds.
func parseMove(p *plan.Plan, id, text string, options []byte) (m runtime.Move, err error) {
	move, err := phrase.SplitMove(text)
	if err != nil {
		return m, fmt.Errorf("--policy %s: the input of the event is no JSON: %w", text, phrase.JSONError(err, text))
	}
	var shape *plan.Shape
	if e := p.Procedure(id).Event(move.Event); e != nil {
		shape = e.Input
	}
	if err := argdata.RefuseSeveral("policy", text, p.Procedure(id)); err != nil {
		return m, err
	}
	if called := argdata.EventOfCall(text, p.Procedure(id)); called != "" && !strings.Contains(text, ":") {
		return m, fmt.Errorf("--policy %s: an event is no call: write --policy '%s'", text, called)
	}
	m.Event = move.Event
	if m.Input, err = move.InputFor(shape); err != nil {
		return m, fmt.Errorf("--policy %s: %w", text, err)
	}
	if move.Rest == "" {
		return m, nil
	}
	formula, found := strings.CutPrefix(move.Rest, ":")
	if !found {
		return m, fmt.Errorf("--policy %s: it is EVENT: GUARD or EVENT INPUT: GUARD, and what is tried next a "+
			"--policy of its own: --policy '%s: state.x < 5' --policy '...'", text,
			cmp.Or(firstEvent(p, id, m.Event), "EVENT"))
	}
	// With as many blanks before it as there are code points, a place in the formula is one in the flag.
	before := utf8.RuneCountInString(text) - utf8.RuneCountInString(formula)
	m.Condition = strings.TrimSpace(formula)
	m.Guard, m.StateReads, err = compileGuard(p, id, strings.Repeat(" ", before)+formula, options)
	return m, err
}

// firstEvent returns the name if an event of a procedure has it, or else that of its first one.
func firstEvent(p *plan.Plan, id, name string) string {
	names := p.Procedure(id).EventNames()
	if len(names) == 0 || slices.Contains(names, name) {
		return name
	}
	return names[0]
}

// compileGuard compiles a condition over the character, the input, the state and the options of a procedure. It returns
// the fields of the state that it reads, too.
func compileGuard(p *plan.Plan, id, text string, options []byte) (
	guard func(character, input, state []byte) (bool, error), reads []string, err error) {
	f, valueIn, err := compileOverState(p, id, "--policy", text, options)
	if err != nil {
		return nil, nil, err
	}
	if f.kind != plan.Bool {
		return nil, nil, noCondition("--policy", text, f.kind)
	}
	return func(character, input, state []byte) (bool, error) {
		v, err := valueIn(character, input, state)
		return v.Bool(), err
	}, f.stateFields, nil
}

// compileOverState compiles a formula over the character, the input, the state and the options of a procedure. It
// returns the formula and a function that evaluates it in a state. The options do not change in a course, so they are
// given once.
func compileOverState(p *plan.Plan, id, flag, text string, options []byte) (
	f *formula, valueIn func(character, input, state []byte) (runtime.Value, error), err error) {
	compiled, err := compiler.Guard(p, id, text, flag)
	if err != nil {
		return nil, nil, exit.AsUsageError(err)
	}
	if f, err = newFormula(compiled, text); err != nil {
		return nil, nil, err
	}
	return f, func(character, input, state []byte) (runtime.Value, error) {
		records := map[string][]byte{
			"character": character, "input": jsontext.OrObject(input), "state": state, "option": options,
		}
		return f.valueFor(func(name string, b []byte) []byte { return append(b, records[name]...) })
	}, nil
}

// playedOptions returns the values of all options as a JSON object: the chosen ones, and the defaults of the plan for
// the others.
func playedOptions(p *plan.Plan, chosen map[string]string) []byte {
	out := map[string]string{}
	for _, o := range p.Options {
		out[o.ID] = o.Values[o.Default]
	}
	maps.Copy(out, chosen)
	text, err := json.Marshal(out)
	must.Succeed(err)
	return text
}
