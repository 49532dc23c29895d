package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A character is in a form twice: as JSON, whole, and as a field for each part that the rule reads. A field that was
// changed wins over the JSON, and any other leaves what stands there, so that a character can be pasted over the one that
// the page came with. The page carries that one in a hidden field to tell which fields were changed.

// Names of the fields of a form that are about the character.
const (
	characterPrefix = "ch."
	characterBefore = "was" // the character that the page came with
)

// mergeCharacter puts the changed fields of a form into its character.
//
// The hidden field is the character as the page was made. Without it, a pasted character and a
// field left as it was could not be told from a character left as it was and a changed field.
func mergeCharacter(e *library.Edition, form url.Values) {
	if before := form.Get(characterBefore); before != "" {
		form.Set("character", changeCharacter(e, form.Get("character"), before, form))
	}
}

// changeCharacter puts the fields of a form that differ from the character before into another one. An address has no
// character before: its fields count as they are.
func changeCharacter(e *library.Edition, character, before string, form url.Values) string {
	text := json.RawMessage(character)
	if !json.Valid(text) {
		return character
	}
	known := describe.FieldsOf(e.Plan.Character)
	for name, values := range form {
		path, is := strings.CutPrefix(name, characterPrefix)
		if !is || values[0] == memberText([]byte(before), path) {
			continue
		}
		f := characterField(known, path)
		switch {
		case f == nil: // no field of ours
		case values[0] == "":
			text = withoutMember(text, path)
		default:
			text = putInto(text, f, values[0])
		}
	}
	return indentJSON(text)
}

// characterField is the part of a character at a path, by which a map has keys; nil when there is none, or when it is a
// record that other fields make up.
func characterField(known []describe.Field, path string) *describe.Field {
	for _, f := range known {
		elem, isMap := strings.CutPrefix(f.Type, "map of ")
		switch {
		case isMap && matchesPath(f.Name+".*", path) && isPlain(elem):
			return &describe.Field{Name: path, Type: elem}
		case matchesPath(f.Name, path) && f.Type != "object":
			f.Name = path
			return &f
		}
	}
	return nil
}

// isPlain reports whether a type has values that one field of a form holds.
func isPlain(kind string) bool {
	return kind == "int" || kind == "double" || kind == "bool" || kind == "string"
}

// matchesPath reports whether a path is one of those that a pattern such as "skills.*" stands for.
func matchesPath(pattern, path string) bool {
	a, b := plan.SplitPath(pattern), plan.SplitPath(path)
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || x == "*" })
}

// characterFields are the parts of a character that are read, as fields of a form.
func characterFields(e *library.Edition, reads []string, character []byte) []fieldView {
	known := describe.FieldsOf(e.Plan.Character)
	var out []fieldView
	for _, path := range reads {
		names := plan.SplitPath(path)
		if f := characterField(known, path); f != nil && path == plan.JoinPath(names...) {
			if f.Label == "" { // a key that the player chose has no words of the ruleset
				f.Label = say.Capitalise(spacedName(names[len(names)-1]))
			}
			v := newField(f, memberText(character, path))
			v.ID = characterPrefix + path
			out = append(out, v)
		}
	}
	return out
}
