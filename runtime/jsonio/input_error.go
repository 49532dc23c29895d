package jsonio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// An InputError is JSON that does not fit what a rule asks for: malformed, of another type, out of bounds, missing,
// unknown or written twice.
type InputError struct {
	Root      string // what was read: "character", "input", "state", "event"
	Path      string // in it: ".skills.navigation", "[2].name"; empty for the whole
	Line, Col int    // 1-based, Col in bytes
	Msg       string
	offset    int // in bytes
}

// Error names the JSON path and, when what was given was text, the place in it.
func (e *InputError) Error() string {
	if e.Line == 0 {
		return e.Root + e.Path + ": " + e.Msg
	}
	return fmt.Sprintf("%s%s: %s (line %d, column %d)", e.Root, e.Path, e.Msg, e.Line, e.Col)
}

// finishError completes an error with what only the outermost call knows.
func (d *Decoder) finishError(r *Schema, err *InputError) error {
	err.Root = r.Root
	before := d.data[:min(err.offset, len(d.data))]
	err.Line = strings.Count(string(before), "\n") + 1
	err.Col = len(before) - strings.LastIndexByte(string(before), '\n')
	return err
}

// grammarError is an error of the grammar, where reading stopped.
func (d *Decoder) grammarError(format string, args ...any) *InputError {
	return &InputError{Msg: fmt.Sprintf(format, args...), offset: d.pos}
}

// valueError is an error of a value that has been read, at its beginning.
func (d *Decoder) valueError(start int, format string, args ...any) *InputError {
	return &InputError{Msg: fmt.Sprintf(format, args...), offset: start}
}

// atStep adds a step of the path to an error on its way out.
func (e *InputError) atStep(step string) *InputError {
	e.Path = step + e.Path
	return e
}

// PathStep is a name as a step of a path.
func PathStep(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

// KindNames names what JSON must be for a kind.
var KindNames = [...]string{
	plan.Int: "a whole number", plan.Double: "a number", plan.Bool: "true or false", plan.String: "a string",
	plan.List: "a list", plan.Map: "an object", plan.Record: "an object",
}

// typeError says what stands where a value of another type must.
func (d *Decoder) typeError(kind plan.Kind) *InputError {
	found := "nothing"
	switch c := d.peek(); {
	case c == '"':
		found = "a string"
	case c == '{':
		found = "an object"
	case c == '[':
		found = "a list"
	case c == '-' || '0' <= c && c <= '9':
		found = "a number"
	case c == 't' || c == 'f':
		found = "true or false"
	case c == 'n':
		found = "null"
	case c != 0:
		found = strconv.QuoteRune(rune(c))
	}
	return d.grammarError("must be %s, not %s", KindNames[kind], found)
}

// choiceError names what a word must be one of, and the one that was probably meant.
func (d *Decoder) choiceError(start int, must, found string, words []string) *InputError {
	msg := fmt.Sprintf("%s %s, not %q", must, OneOf(words), found)
	if near := spell.Nearest(found, words); near != "" {
		msg += fmt.Sprintf("; did you mean %q", near)
	}
	return d.valueError(start, "%s", msg)
}

func OneOf(words []string) string {
	const most = 12
	quoted := make([]string, 0, most+1)
	for _, w := range words[:min(len(words), most)] {
		quoted = append(quoted, strconv.Quote(w))
	}
	if len(words) > most {
		quoted = append(quoted, fmt.Sprintf("%d more", len(words)-most))
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}

// describeNext names what comes next, for messages about the grammar.
func (d *Decoder) describeNext() string {
	if c := d.peek(); c != 0 {
		return strconv.QuoteRune(rune(c))
	}
	return "the end"
}

func (d *Decoder) unknownField(start int, name string, r *Schema) *InputError {
	words := make([]string, len(r.Members))
	for i, m := range r.Members {
		words[i] = m.Name
	}
	if len(words) == 0 {
		return d.valueError(start, "there is no such field: nothing is asked for").atStep(PathStep(name))
	}
	msg := "there is no such field"
	if near := spell.Nearest(name, words); near != "" {
		msg += fmt.Sprintf("; did you mean %q", near)
	} else {
		msg += "; it must be " + OneOf(words)
	}
	return d.valueError(start, "%s", msg).atStep(PathStep(name))
}

// keyError says what a key must be.
func (d *Decoder) keyError(r *Schema, name []byte) *InputError {
	words := slices.Clone(r.Shape.Keys)
	for i := range r.Members {
		if !slices.Contains(words, r.Members[i].Name) {
			words = append(words, r.Members[i].Name)
		}
	}
	return d.choiceError(d.pos-len(name)-2, "a key must be", string(name), words)
}
