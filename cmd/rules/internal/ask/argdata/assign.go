package argdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Assign puts the values of NAME=VALUE texts into an object of a shape. Each gives another field, and none of those that
// fixed has; other values of the object are replaced. A value @FILE is that of a file.
func Assign(object, fixed json.RawMessage, sets []string, shape *plan.Shape, files *Files) (json.RawMessage, error) {
	var before []phrase.Assignment
	for _, set := range sets {
		a, err := phrase.ParseAssignment(set, shape)
		if err == nil && a.Path[0] == "character" && shape != nil && shape.Member("character") == nil {
			err = errors.New("--set is for the input; a character is a file, --character FILE")
		}
		if err == nil {
			_, text, _ := plan.CutAssignment(set)
			err = checkForm(a, text, shape.Path(a.Path))
		}
		if err == nil && a.File != "" {
			a.Value, err = readValue(files, a.File)
		}
		if err == nil {
			err = a.CheckGivenOnce(fixed, before)
		}
		if err == nil {
			before = append(before, a)
			object, err = PutInto(object, a.Path, a.Value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set, err)
		}
	}
	return object, nil
}

// checkForm returns the error of the value of an assignment that has the form of something else: a range of numbers, or the
// name of a file without @.
func checkForm(a phrase.Assignment, text string, shape *plan.Shape) error {
	name := plan.JoinPath(a.Path...)
	switch {
	case shape == nil || a.File != "":
	case shape.Kind != plan.Record && manySettings().MatchString(text):
		parts := separator().Split(text, -1)
		return fmt.Errorf("it is one value, and each has a --set of its own: --set %s=%s", name,
			strings.Join(parts, " --set "))
	case shape.Kind == plan.Int && strings.HasPrefix(text, "+"):
		return fmt.Errorf("a number has no plus: write %s=%s", name, strings.TrimPrefix(text, "+"))
	case (shape.Kind == plan.Int || shape.Kind == plan.Double) && phrase.RangeOf(text) != "":
		return fmt.Errorf("it is one value; rules odds --vary %s=%s asks for one after another", name, phrase.RangeOf(text))
	case (shape.Kind == plan.Record || shape.Kind == plan.List || shape.Kind == plan.Map) &&
		strings.HasSuffix(text, ".json"):
		return fmt.Errorf("a file stands behind @: %s=@%s", name, text)
	}
	return nil
}

// manySettings are further settings behind the first, wood,means=foot.
var manySettings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w.-]+(\s*[, ]\s*[a-z][\w.]*=[\w.-]+)+$`)
})

// separator parts settings that stand in one text.
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*[, ]\s*`) })

// readValue returns the value in a file of @FILE, which must be JSON as a whole: a character, or a
// list.
func readValue(files *Files, name string) (json.RawMessage, error) {
	text, err := files.Read("set", name)
	if err == nil && !json.Valid(text) {
		return nil, fmt.Errorf("%s is not one value of JSON", FileName(name))
	}
	return text, err
}

// PutInto puts a value at a path of an object, making the objects on the path that are not there.
//
// Members keep their order and their text: an input that was read from a file and changed by --set
// differs from it in nothing else, which golden cases written from it show.
func PutInto(object json.RawMessage, path []string, value json.RawMessage) (json.RawMessage, error) {
	if len(path) == 0 {
		return value, nil
	}
	list, err := jsontext.Members(object)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(m jsontext.Member) bool { return m.Name == path[0] })
	if at < 0 {
		at = len(list)
		list = append(list, jsontext.Member{Name: path[0], Value: json.RawMessage("{}")})
	}
	if list[at].Value, err = PutInto(list[at].Value, path[1:], value); err != nil {
		return nil, err
	}
	return jsontext.Join(list), nil
}
