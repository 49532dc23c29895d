package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// readBody reads the JSON object of a question.
//
// The size is bounded before, by the guard, whose reader gives a MaxBytesError here when a body
// goes on.
func readBody(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	return Decode(text, into)
}

// Decode reads a JSON object into a struct. A member that the struct does not have is an error, as is one that is there
// twice.
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(into); err != nil {
		return bodyError(err)
	}
	if string(bytes.TrimSpace(text)) == "null" { // which package json takes for an object without members
		return BadRequest("the body is null: send a JSON object, {} for one without members")
	}
	if _, err := d.Token(); err != io.EOF { // More would take a lone } or ] for the end
		return BadRequest("there is more text after the object")
	}
	return checkMembers(json.NewDecoder(bytes.NewReader(text)), reflect.TypeOf(into).Elem())
}

// checkMembers reads a value again and refuses members that package json lets pass or refuses without saying what there is:
// those that are there twice, of which it takes the last, those in other cases of letters, and those that the struct does
// not have. Programs before and behind this one may read them in another way. Records are judged where they are read.
func checkMembers(d *json.Decoder, t reflect.Type) error {
	if t == reflect.TypeFor[json.RawMessage]() {
		var record json.RawMessage
		return d.Decode(&record)
	}
	start, err := d.Token()
	if err != nil {
		return BadRequest(err.Error())
	}
	switch start {
	case json.Delim('{'):
		known := membersOf(t)
		var seen []string
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return BadRequest(err.Error())
			}
			name := token.(string)
			member, ok := known[name]
			switch {
			case slices.Contains(seen, name):
				return BadRequest("the member " + strconv.Quote(name) + " is there twice")
			case known != nil && !ok:
				return unknownMember(name, slices.Sorted(maps.Keys(known)))
			case known == nil:
				member = elementOf(t)
			}
			seen = append(seen, name)
			if err := checkMembers(d, member); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for d.More() {
			if err := checkMembers(d, elementOf(t)); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token() // the end
	return err
}

// unknownMember returns the error of a member that a struct does not have, with the nearest that it has, or all.
func unknownMember(name string, known []string) error {
	text := "there is no member " + strconv.Quote(name)
	switch near := spell.Nearest(strings.ToLower(name), known); {
	case len(known) == 0:
		return BadRequest(text)
	case slices.Contains(known, strings.ToLower(name)):
		return BadRequest(text + ": names are in small letters")
	case near != "":
		return BadRequest(text + "; did you mean " + strconv.Quote(near))
	}
	return BadRequest(text + "; there is " + strings.Join(known, ", "))
}

// membersOf returns the types of the members that a struct is read from; nil for other types and
// those that read themselves.
func membersOf(t reflect.Type) map[string]reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out[name] = f.Type
		}
	}
	return out
}

// elementOf returns the type of the elements of a list or a map. For types that read themselves it returns any.
func elementOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		return t.Elem()
	}
	return reflect.TypeFor[any]()
}

// bodyError says of JSON that cannot be read whether it is too long, missing, or cut off.
func bodyError(err error) error {
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return e
	}
	switch {
	case errors.Is(err, io.EOF):
		return BadRequest("the body is empty: send a JSON object, {} for one without members")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return BadRequest("the JSON of the body ends before its object does")
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return BadRequest(wordTypeError(e))
	}
	return BadRequest(err.Error())
}

// wordTypeError says what a member must be, without the names of Go's types. Of an element it names the list or the map.
func wordTypeError(e *json.UnmarshalTypeError) string {
	wanted := e.Type.String()
	switch e.Type.Kind() {
	case reflect.Bool:
		wanted = "true or false"
	case reflect.String:
		wanted = "a string"
	case reflect.Int:
		wanted = "a whole number"
	case reflect.Uint64:
		wanted = "a whole number that is not negative"
	case reflect.Float64:
		wanted = "a number"
	case reflect.Slice:
		wanted = "a list"
	case reflect.Map, reflect.Struct:
		wanted = "an object"
	}
	var given string // e.Value is its kind, with a number that does not fit "number 1.5"
	switch number, isNumber := strings.CutPrefix(e.Value, "number "); {
	case isNumber:
		given = number
	case e.Value == "array" || e.Value == "object":
		given = "an " + e.Value
	default:
		given = "a " + e.Value
	}
	path := slices.DeleteFunc(strings.Split(e.Field, "."), func(name string) bool {
		return name == "" || unicode.IsUpper(rune(name[0])) // a struct that is embedded has no name in JSON
	})
	return cmp.Or(strings.Join(path, "."), "the body") + " must be " + wanted + ", not " + given
}
