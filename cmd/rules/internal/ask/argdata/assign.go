package argdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Assignment is a --set: a value at a path of the input.
type Assignment struct {
	Path  []string
	Value json.RawMessage
	File  string // whose text is the value, when it was written as @FILE
}

// Assign puts the values of --set into an object of a shape, each in a place of its own. A value @FILE is that of a file.
func Assign(object json.RawMessage, sets []string, shape *plan.Shape, files *Files) (json.RawMessage, error) {
	seen := map[string]bool{}
	for _, set := range sets {
		a, err := ParseAssignment(set, shape)
		if err == nil && a.File != "" {
			a.Value, err = readValue(files, a.File)
		}
		if err != nil {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
		name := strings.Join(a.Path, ".")
		// The later of two would win in silence, and one of them is most likely a slip.
		if seen[name] {
			return nil, fmt.Errorf("--set %s: %s is set already", set, name)
		}
		seen[name] = true
		if object, err = a.PutInto(object); err != nil {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
	}
	return object, nil
}

// readValue returns the value in a file of @FILE, which must be JSON as a whole: a character, or a
// list.
func readValue(files *Files, name string) (json.RawMessage, error) {
	text, err := files.Read("set", name)
	if err == nil && !json.Valid(text) {
		return nil, fmt.Errorf("%s is not one value of JSON", FileName(name))
	}
	return text, err
}

// ParseAssignment reads "name=value" or "a.b=value" for an object of a shape. The value is JSON where the shape asks for
// anything but a string; a string need not be quoted. Where no string is asked for, @FILE names a file. Whether the path
// exists and the value fits is for the decoder of the input to say.
func ParseAssignment(text string, shape *plan.Shape) (Assignment, error) {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok || name == "":
		return Assignment{}, errors.New("it is NAME=VALUE")
	case !utf8.ValidString(text):
		return Assignment{}, errors.New("it is not UTF-8")
	}
	path := strings.Split(name, ".")
	for _, step := range path {
		shape = shape.Member(step)
	}
	a := Assignment{Path: path, Value: jsonFor(shape, value)}
	// Where a string is wanted "@home" is that string. Without a shape nothing is known to be
	// wanted, and no file is opened.
	if file, ok := strings.CutPrefix(value, "@"); ok && shape != nil && shape.Kind != plan.String {
		a.File = file
	}
	return a, nil
}

// jsonFor returns a value as JSON for a shape. For a string only text that is quoted already is
// taken as JSON, so that 7 and true become strings.
func jsonFor(s *plan.Shape, value string) json.RawMessage {
	isString := s != nil && s.Kind == plan.String
	if json.Valid([]byte(value)) && (!isString || strings.HasPrefix(strings.TrimSpace(value), `"`)) {
		return json.RawMessage(value)
	}
	return jsontext.Quote(value)
}

// PutInto puts the value into an object, making the objects on its path that are not there.
//
// Members keep their order and their text: an input that was read from a file and changed by --set
// differs from it in nothing else, which golden cases written from it show.
func (a Assignment) PutInto(object json.RawMessage) (json.RawMessage, error) {
	if len(a.Path) == 0 {
		return a.Value, nil
	}
	list, err := jsontext.Members(object)
	if err != nil {
		return nil, err
	}
	at := -1
	for i, m := range list {
		if m.Name == a.Path[0] {
			at = i
		}
	}
	if at < 0 {
		at = len(list)
		list = append(list, jsontext.Member{Name: a.Path[0], Value: json.RawMessage("{}")})
	}
	if list[at].Value, err = (Assignment{Path: a.Path[1:], Value: a.Value}).PutInto(list[at].Value); err != nil {
		return nil, err
	}
	return jsontext.Join(list), nil
}
