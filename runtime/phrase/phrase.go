// Package phrase reads an event as people write it: on a command line, in the header of a case, in a field of a page. There
// is one notation for an event that is to happen and for a move of a policy, in two spellings that may be mixed:
//
//	roll difficulty=hard place.height=3
//	roll {"difficulty": "hard", "place": {"height": 3}}
//	roll difficulty=hard: state.pool < 5      a move, with a guard behind the colon
//
// Split finds the parts, and needs no ruleset. What a value means depends on the schema of the event: "hard" is a string
// where one is asked for. So the parts become an input by ParseAssignment, with that schema.
package phrase

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Phrase is an event with its parts.
type Phrase struct {
	Event string
	Input json.RawMessage // the object behind the name; nil for none
	Sets  []string        // NAME=VALUE, in order
	Rest  string          // from the first word on that is neither, or the colon of a guard; empty for none
}

// SplitStep returns the parts of an event that is to happen. Its error is that of JSON; the phrase then has the event.
func SplitStep(text string) (Phrase, error) { return split(text, false) }

// SplitMove returns the parts of a move of a policy. A colon outside of quotes and brackets begins its guard.
func SplitMove(text string) (Phrase, error) { return split(text, true) }

func split(text string, hasGuard bool) (p Phrase, err error) {
	rest := strings.TrimSpace(text)
	end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n{", r) || hasGuard && r == ':' })
	if end < 0 {
		end = len(rest)
	}
	if strings.Contains(rest[:end], "=") { // the name is missing
		p.Rest = rest
		return p, nil
	}
	p.Event, rest = rest[:end], strings.TrimSpace(rest[end:])
	for rest != "" {
		if rest[0] == '{' && p.Input == nil {
			// The input ends where its JSON ends, which may have colons and braces in strings.
			d := json.NewDecoder(strings.NewReader(rest))
			if err := d.Decode(&p.Input); err != nil {
				return p, err
			}
			rest = strings.TrimSpace(rest[d.InputOffset():])
			continue
		}
		n := wordLength(rest, hasGuard)
		if !strings.Contains(rest[:n], "=") {
			break
		}
		p.Sets, rest = append(p.Sets, rest[:n]), strings.TrimSpace(rest[n:])
	}
	p.Rest = rest
	return p, nil
}

// JSONError returns the error of a text whose JSON cannot be read, with the quotes that it lacks.
func JSONError(err error, text string) error {
	switch _, object, _ := strings.Cut(text, "{"); {
	case strings.Contains(object, "'"):
		return errors.New("its texts stand in double quotes: {\"name\": \"value\"}")
	case !strings.Contains(object, "\""):
		return errors.New("names and texts stand in double quotes, {\"name\": \"value\"}, or without braces as name=value")
	}
	return err
}

// wordLength returns the length of the word at the beginning of a text: up to a blank or, where a guard may follow, a
// colon outside of quotes and brackets.
//
// A shell has already taken one level of quotes away. The rest follows JSON: blanks in strings and brackets belong to
// the value. Where brackets are wrong, the depth falls below zero and blanks part words again; the value is then
// refused as no JSON.
func wordLength(text string, hasGuard bool) int {
	depth, quoted, escaped := 0, false, false
	for i, r := range text {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("[{", r):
			depth++
		case strings.ContainsRune("]}", r):
			depth--
		case depth <= 0 && (strings.ContainsRune(" \t\r\n", r) || hasGuard && r == ':'):
			return i
		}
	}
	return len(text)
}

// InputFor returns the input of an event with a schema; nil if the phrase has none. No value may name a file.
func (p *Phrase) InputFor(shape *plan.Shape) (json.RawMessage, error) {
	out := p.Input
	var before []Assignment
	for _, set := range p.Sets {
		a, err := ParseAssignment(set, shape)
		if err == nil && a.File != "" {
			err = fmt.Errorf("a value is not read from the file %s here", a.File)
		}
		if err == nil {
			err = a.CheckGivenOnce(p.Input, before)
		}
		if err == nil {
			before = append(before, a)
			out, err = partial.With("event", out, plan.JoinPath(append([]string{"event"}, a.Path...)...), a.Value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
	}
	return out, nil
}
