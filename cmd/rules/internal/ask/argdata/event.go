package argdata

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// facesWord is the name under which an event on the command line brings its faces.
const facesWord = "dice"

// ParseEvent reads a value of --event: the name of an event of a procedure, what it brings as NAME=VALUE, and its faces as
// dice=43,7 or dice=roll=43. Blanks part the words, but not within quotes or brackets of JSON. Whether the procedure has
// such an event, and takes it, is for the play to say.
func ParseEvent(text string, d *plan.Procedure, files *Files) (e runtime.Step, err error) {
	words := splitWords(text)
	if len(words) == 0 || strings.Contains(words[0], "=") {
		return e, fmt.Errorf("--event %s: it is EVENT NAME=VALUE..., as in --event 'roll difficulty=hard dice=35'", text)
	}
	e.Event = words[0]
	var shape *plan.Shape
	if x := d.Event(e.Event); x != nil {
		shape = x.Input
	}
	var sets, faces []string
	for _, word := range words[1:] {
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
	if len(sets) > 0 {
		if e.Input, err = Assign([]byte("{}"), sets, shape, files); err != nil {
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

// splitWords parts a text at its blanks outside of quotes and brackets.
//
// A shell has already taken one level of quotes away. What is left follows JSON: blanks in strings
// and brackets belong to the value.
func splitWords(text string) (words []string) {
	var word strings.Builder
	depth, quoted, escaped := 0, false, false
	for _, r := range text {
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
			// It may fall below zero where brackets are wrong; then blanks part words again, and
			// the value is refused as no JSON.
			depth--
		case strings.ContainsRune(" \t\r\n", r) && depth <= 0:
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			continue
		}
		word.WriteRune(r)
	}
	if word.Len() > 0 {
		words = append(words, word.String())
	}
	return words
}
