package phrase

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Assignment is a value at a path of an object.
type Assignment struct {
	Path  []string
	Value json.RawMessage
	File  string // whose text is the value, when it was written as @FILE
}

// ParseAssignment reads "name=value" or "a.b=value" for an object of a shape. The value is JSON where the shape asks for
// anything but a string; a string need not be quoted. Where no string is asked for, @FILE names a file. Whether the path
// exists and the value fits is for the decoder of the input to say.
func ParseAssignment(text string, shape *plan.Shape) (Assignment, error) {
	name, value, ok := plan.CutAssignment(text)
	switch {
	case !ok || name == "":
		return Assignment{}, NoAssignment(text, shape)
	case !utf8.ValidString(text):
		return Assignment{}, errors.New("it is not UTF-8")
	}
	path := plan.SplitPath(name)
	if len(path) > 1 && path[0] == "input" && shape != nil && shape.Member("input") == nil {
		return Assignment{}, fmt.Errorf("fields of the input stand alone: write %s=%s", plan.JoinPath(path[1:]...), value)
	}
	if quoted := shape.QuoteKey(name); quoted != "" {
		return Assignment{}, fmt.Errorf("a name with a dot stands in brackets and quotes: write %s=%s", quoted, value)
	}
	shape = shape.Path(path)
	if err := checkJSON(shape, value); err != nil {
		return Assignment{}, err
	}
	a := Assignment{Path: path, Value: valueFor(shape, value)}
	// Where a string is wanted "@home" is that string. Without a shape nothing is known to be
	// wanted, and no file is opened.
	if file, ok := strings.CutPrefix(value, "@"); ok && shape != nil && shape.Kind != plan.String {
		a.File = file
	}
	return a, nil
}

// checkJSON returns the error of a list, a map or a record that is begun as JSON and is none, with the column in it.
func checkJSON(shape *plan.Shape, value string) error {
	if shape == nil || shape.Kind != plan.List && shape.Kind != plan.Map && shape.Kind != plan.Record ||
		!strings.HasPrefix(value, "[") && !strings.HasPrefix(value, "{") {
		return nil
	}
	var raw json.RawMessage
	err := json.Unmarshal([]byte(value), &raw)
	switch wrong, isSyntax := errors.AsType[*json.SyntaxError](err); {
	case err == nil:
		return nil
	case isSyntax && int(wrong.Offset) < len(value):
		return fmt.Errorf("%s is no JSON, from its column %d on: texts stand in double quotes", value, wrong.Offset)
	}
	return fmt.Errorf("%s is no JSON: it ends before it is closed", value)
}

// CheckGivenOnce returns an error where a field has a value already, of an object or of an assignment before. The later of
// two would win in silence, and one of them is most likely a slip. A part may come behind its whole, if that leaves it out.
func (a Assignment) CheckGivenOnce(object json.RawMessage, before []Assignment) error {
	for _, b := range before {
		n := min(len(a.Path), len(b.Path))
		switch {
		case !slices.Equal(a.Path[:n], b.Path[:n]):
		case n < len(b.Path):
			return fmt.Errorf("%s is given before, which is a part of it", plan.JoinPath(b.Path...))
		case hasField(b.Value, a.Path[n:]):
			return errors.New(plan.JoinPath(a.Path...) + " is given twice")
		}
	}
	if hasField(object, a.Path) {
		return errors.New(plan.JoinPath(a.Path...) + " is given twice")
	}
	return nil
}

// hasField reports whether a value has a value at a path.
func hasField(value json.RawMessage, path []string) bool {
	if len(path) == 0 {
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return false
	}
	member, ok := members[path[0]]
	return ok && hasField(member, path[1:])
}

// NoAssignment returns the error of a text that is not NAME=VALUE, with the form that is meant where that can be told: of
// a value without its name the first field of the shape that may have it. The shape may be nil.
func NoAssignment(text string, shape *plan.Shape) error {
	if settings := settingsOf(text); settings != nil {
		return fmt.Errorf("it is one NAME=VALUE, and each other stands by itself: write %s",
			strings.Join(settings, " and "))
	}
	text = strings.Trim(text, "{} ")
	name, value, ok := strings.Cut(text, ":")
	if !ok || name == "" || value == "" {
		if field := fieldOf(text, shape); field != "" {
			return fmt.Errorf("it is NAME=VALUE: write %s=%s", field, text)
		}
		if m := shape.Member(text); m != nil && m.Kind == plan.Bool {
			return fmt.Errorf("it is NAME=VALUE: write %s=true", text)
		}
		return errors.New("it is NAME=VALUE")
	}
	if first, _, isMany := strings.Cut(value, ","); isMany && strings.Contains(value, ":") &&
		!strings.ContainsAny(value, "{[\"") {
		return fmt.Errorf("it is one NAME=VALUE, and each other stands by itself: write %s=%s", name,
			strings.TrimSpace(first))
	}
	return fmt.Errorf("it is NAME=VALUE: write %s=%s", name, strings.TrimSpace(value))
}

// settingsOf returns the members of a JSON object as assignments, in the order of their names; nil of any other text,
// and of an object within which are others.
func settingsOf(text string) (out []string) {
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch object[name].(type) {
		case map[string]any, []any, nil:
			return nil
		}
		out = append(out, fmt.Sprintf("%s=%v", name, object[name]))
	}
	return out
}

// fieldOf returns the first field of a record that may have a value: a word of a choice, a number. It is "" of a name of a
// field, which lacks its value.
func fieldOf(value string, record *plan.Shape) string {
	if record == nil || record.Member(value) != nil {
		return ""
	}
	number, err := strconv.ParseFloat(value, 64)
	for _, f := range record.Fields {
		isNumber := err == nil && (f.Shape.Kind == plan.Double || f.Shape.Kind == plan.Int && number == math.Trunc(number))
		if isNumber || slices.Contains(f.Shape.Enum, value) {
			return f.Name
		}
	}
	return ""
}

// RangeOf returns a range of whole numbers as it is written, 2..5, from a text that has it in whatever form; "" if it is
// none.
func RangeOf(text string) string {
	m := regexp.MustCompile(`^(-?[0-9]+)(?:\.{2,3}|-|–|:| to )(-?[0-9]+)$`).FindStringSubmatch(text) // for a message
	if m == nil {
		return ""
	}
	return m[1] + ".." + m[2]
}

// valueFor returns a value as JSON for a shape. For a string only text that is quoted already is
// taken as JSON, so that 7 and true become strings.
func valueFor(s *plan.Shape, value string) json.RawMessage {
	isString := s != nil && s.Kind == plan.String
	if json.Valid([]byte(value)) && (!isString || strings.HasPrefix(strings.TrimSpace(value), `"`)) {
		return json.RawMessage(value)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // a string is JSON
	}
	return bytes.TrimSpace(out.Bytes())
}
