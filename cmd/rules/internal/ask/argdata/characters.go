package argdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Characters are the files of --character, which may be repeated: that of the character, and those of others, who are part
// of the input. It implements pflag.Value.
type Characters struct {
	Own    *string
	Others []string
}

// String implements pflag.Value.
func (c *Characters) String() string {
	if c.Own == nil {
		return ""
	}
	return *c.Own
}

// Set implements pflag.Value: it takes one more file.
func (c *Characters) Set(name string) error {
	switch {
	// The first is the character itself, wherever it stands among the flags.
	case *c.Own == "":
		*c.Own = name
	case name == Stdin && (*c.Own == Stdin || slices.Contains(c.Others, Stdin)):
		return errors.New("standard input holds one character, and is given already")
	default:
		c.Others = append(c.Others, name)
	}
	return nil
}

// Type implements pflag.Value.
func (c *Characters) Type() string { return "file" }

// PutInto puts the others into an input of a shape, as FillCharacter does. It is an error when no field is left for one.
func (c *Characters) PutInto(input json.RawMessage, shape *plan.Shape, files *Files) (json.RawMessage, error) {
	for _, name := range c.Others {
		text, err := files.Read("character", name)
		if err != nil {
			return nil, err
		}
		filled, path, err := FillCharacter(input, shape, text)
		paths := joinPaths(characterPaths(shape, nil))
		switch {
		case err != nil:
			return nil, fmt.Errorf("--character %s: %w", FileName(name), err)
		case len(paths) == 0:
			return nil, fmt.Errorf("--character %s: the input has no field for another character: ask for each by itself",
				FileName(name))
		case path == "":
			return nil, fmt.Errorf("--character %s: the input has no field left for another character: %s given already",
				FileName(name), strings.Join(paths, " and ")+areGiven(len(paths)))
		}
		input = filled
	}
	return input, nil
}

// FillCharacter puts another character into an input of a shape: into the first field of the type character, in the order
// of the schema, that has none yet. It gives the path of the field, "" when none is left.
func FillCharacter(input json.RawMessage, shape *plan.Shape, text []byte) (filled json.RawMessage, path string, err error) {
	at, ok := firstAbsent(input, characterPaths(shape, nil))
	if !ok {
		return input, "", nil
	}
	filled, err = PutInto(jsontext.OrObject(input), at, text)
	return filled, plan.JoinPath(at...), err
}

func areGiven(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// characterPaths returns the paths of the fields that hold a character, in the order of the schema.
// Those in lists and maps are none: there how many there are is part of the answer.
func characterPaths(s *plan.Shape, at []string) (out [][]string) {
	switch {
	case s == nil || s.Kind != plan.Record:
		return nil
	case s.Character:
		return [][]string{at}
	}
	for i := range s.Fields {
		path := append(append([]string{}, at...), s.Fields[i].Name)
		out = append(out, characterPaths(s.Fields[i].Shape, path)...)
	}
	return out
}

// firstAbsent returns the first of some paths at which an object has nothing; null counts as
// nothing.
func firstAbsent(object json.RawMessage, paths [][]string) ([]string, bool) {
	for _, path := range paths {
		if !hasValueAt(object, path) {
			return path, true
		}
	}
	return nil, false
}

func hasValueAt(object json.RawMessage, path []string) bool {
	for _, step := range path {
		var members map[string]json.RawMessage
		if json.Unmarshal(object, &members) != nil {
			return false
		}
		object = members[step]
	}
	return len(object) > 0 && string(object) != "null"
}

func joinPaths(paths [][]string) (out []string) {
	for _, path := range paths {
		out = append(out, plan.JoinPath(path...))
	}
	return out
}
