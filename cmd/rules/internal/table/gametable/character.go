package gametable

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A question about one field of a character can be answered with a whole character: one that the ruleset ships, or that of
// a file. All that it leaves out is as by default, as of the character with which a session begins.

// characterAround returns the path of the character that a field belongs to, or is: "character" or "input.opponent"; empty
// for a field outside of characters.
func (s *Session) characterAround(field string) string {
	root := rootOf(field)
	if root == "character" {
		return root
	}
	id := s.moment.subject
	if s.moment.event != "" {
		id += "." + s.moment.event
	}
	shape := describe.InputOf(s.Program.Plan(), id)
	at, rest := root, field[len(root):]
	for shape != nil && !shape.Character && rest != "" {
		step := firstStep(rest)
		shape = stepInto(shape, step)
		at, rest = at+step, rest[len(step):]
	}
	if shape == nil || !shape.Character {
		return ""
	}
	return at
}

// firstStep returns the first step of a path, with the point or the brackets: ".name", "[0]".
func firstStep(path string) string {
	if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(path, "[")); err == nil { // which may have a bracket
		return path[:len("[")+len(quoted)+len("]")]
	}
	if path[0] == '[' {
		if end := strings.IndexByte(path, ']'); end >= 0 {
			return path[:end+1]
		}
		return path
	}
	if end := strings.IndexAny(path[1:], ".["); end >= 0 {
		return path[:end+1]
	}
	return path
}

// stepInto returns the shape of a member or an element; nil when there is none.
func stepInto(s *plan.Shape, step string) *plan.Shape {
	if step[0] == '[' {
		return s.Elem
	}
	i := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return "."+m.Name == step })
	if i < 0 {
		return nil
	}
	return s.Fields[i].Shape
}

// takeExample answers a question about a character with one that the ruleset ships.
func (s *Session) takeExample(p *Prompt) error {
	if p.Character == "" {
		return errors.New("this is no question about a character")
	}
	text := s.Example(s.moment.subject)
	if text == nil || s.Program.Fits(text) != nil {
		return errors.New("the ruleset ships no character that fits")
	}
	return s.takeCharacter(p.Character, text, true)
}

// takeFile answers a question about a character with that of a file.
func (s *Session) takeFile(p *Prompt, name string) error {
	if p.Character == "" {
		return errors.New("this is no question about a character")
	}
	text, err := safefile.Read(name)
	if err != nil {
		return err
	}
	whole, err := s.Program.FitsInPart(text)
	if err != nil {
		err = exit.PathOnly(jsonadvice.Add(err, s.Program.Plan().Character, text))
		return fmt.Errorf("%s: %v", name, err) // not %w: what wraps it is worded without the file
	}
	return s.takeCharacter(p.Character, text, whole)
}

// takeCharacter puts a character at a path. The absent members of one that is whole have their defaults.
//
// The answer goes through Known.Answer as any answer does, so that a character in a list, at "input.helpers[1].who", needs
// no code of its own.
func (s *Session) takeCharacter(path string, text []byte, whole bool) error {
	next := s.moment
	next.isDecision = false
	if path == "character" {
		next.request.Character = json.RawMessage(text)
	} else if err := next.request.Answer(&ask.Need{Kind: ask.Field, Path: path}, text); err != nil {
		return err
	}
	if whole {
		next.request.Accepted = append(slices.Clip(next.request.Accepted), path)
	}
	next.isWhole = next.isWhole || whole && path == "character"
	s.moveTo(next)
	return nil
}
