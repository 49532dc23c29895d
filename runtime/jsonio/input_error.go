package jsonio

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
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

// MissingMsg is the message about a field that must be there and is not.
const MissingMsg = "is missing"

// IsMissing reports whether the error is about a field that must be there and is not.
func (e *InputError) IsMissing() bool { return e.Msg == MissingMsg }

// IsUnknown reports whether the error is about a field that there is not.
func (e *InputError) IsUnknown() bool { return strings.HasPrefix(e.Msg, unknownMsg) }

// Error returns the JSON path and, if the input was text, the place in it, with the message.
func (e *InputError) Error() string {
	if e.Line == 0 {
		return e.Root + e.Path + ": " + e.Msg
	}
	return fmt.Sprintf("%s%s: %s (line %d, column %d)", e.Root, e.Path, e.Msg, e.Line, e.Col)
}

// AsComputed returns the error of values that a procedure computed: nobody has written the JSON that it stands in, nor the
// string that stands for a double which JSON has no number for.
func (e InputError) AsComputed(values ...Value) error {
	e.Line, e.Col = 0, 0
	for _, v := range values {
		if what := v.NotANumber(); what != "" && strings.HasPrefix(e.Msg, "must be a number, not a string") {
			e.Msg = "must be a number, not " + what
		}
	}
	return &e
}

// atStep adds a step of the path to an error on its way out.
// The decoder knows no path while it reads, which would cost something for every member; an error
// gathers it as the calls return.
func (e *InputError) atStep(step string) *InputError {
	e.Path = step + e.Path
	return e
}

// PathStep returns a name as a step of a path.
func PathStep(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return "[" + string(appendString(nil, name)) + "]"
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
