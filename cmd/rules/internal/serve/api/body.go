package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// readBody reads the text of a question, for Decode.
//
// The size is bounded before, by the guard, whose reader gives a MaxBytesError here when a body
// goes on.
func readBody(r *http.Request) ([]byte, error) {
	if r.URL.RawQuery != "" { // what stands there would be passed over
		return nil, BadRequest("a question is asked in the body alone: put ?" + r.URL.RawQuery + " into its object")
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyError(err)
	}
	return text, nil
}

// Decode reads a JSON object into a struct. A member that the struct does not have is an error, as is one that is there
// twice or is of another type.
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	var object json.RawMessage
	if err := d.Decode(&object); err != nil {
		return syntaxError(err, text)
	}
	if string(object) == "null" { // which package json takes for an object without members
		return BadRequest("the body is null: send a JSON object, {} for one without members")
	}
	if _, err := d.Token(); err != io.EOF { // More would take a lone } or ] for the end
		return BadRequest("there is more text after the object")
	}
	if err := checkMembers(json.NewDecoder(bytes.NewReader(object)), reflect.TypeOf(into).Elem(), ""); err != nil {
		return err
	}
	if err := json.Unmarshal(object, into); err != nil {
		return bodyError(err)
	}
	return nil
}

// syntaxError says of a body that is no JSON whether it is missing or cut off, or else where it is none.
func syntaxError(err error, text []byte) error {
	e, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case errors.Is(err, io.EOF):
		return BadRequest("the body is empty: send a JSON object, {} for one without members")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return BadRequest("the JSON of the body ends before its object does")
	case !ok:
		return BadRequest(err.Error())
	}
	at := int(e.Offset) - 1 // of the character that cannot stand there
	before := text[:at]
	line, column := 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	what, _ := utf8.DecodeRune(text[at:])
	message := fmt.Sprintf("the body is no JSON: %q cannot stand at line %d, column %d", what, line, column)
	if advice := jsonio.AdviseSyntax(text, at); advice != "" {
		return BadRequest(message + advice)
	}
	return BadRequest(message + `: send an object, {"character": {...}, "input": {...}}`)
}

// checkMembers reads a value again and refuses members that package json lets pass or refuses without saying where they
// are and what is wanted: those that are there twice, of which it takes the last, those in other cases of letters, those
// that the struct does not have, and those of another type. Programs before and behind this one may read them in another
// way. Types that read themselves judge themselves, and records are judged where they are read. path is that of the value.
func checkMembers(d *json.Decoder, t reflect.Type, path string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		var record json.RawMessage
		return d.Decode(&record)
	}
	start, err := d.Token()
	if err != nil {
		return BadRequest(err.Error())
	}
	if start == nil && t == reflect.TypeFor[dice.Faces]() { // which package json takes for no faces, that are then drawn
		return BadRequest(path + ` is null: faces are a list, [5, 2], or lists by the id of their die, {"roll": [8]}`)
	}
	if wanted := wantedBy(t); wanted != "" && start != nil && kindOfToken(start) != wanted {
		return BadRequest(fmt.Sprintf("%s must be %s, not %s", cmp.Or(path, "the body"), wanted, kindOfToken(start)))
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
			if err := checkMembers(d, member, strings.TrimPrefix(path+"."+name, ".")); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if err := checkMembers(d, elementOf(t), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token() // the end
	return err
}

// Kinds of values, as messages name them.
const (
	aTruth, aString, aNumber, aList, anObject = "true or false", "a string", "a number", "a list", "an object"
)

// wantedBy returns which kind of value a type is read from; "" of any, and of types that read themselves.
func wantedBy(t reflect.Type) string {
	if readsItself(t) {
		return ""
	}
	switch t.Kind() {
	case reflect.Bool:
		return aTruth
	case reflect.String:
		return aString
	case reflect.Int, reflect.Uint64, reflect.Float64:
		return aNumber
	case reflect.Slice:
		return aList
	case reflect.Map, reflect.Struct:
		return anObject
	}
	return ""
}

// kindOfToken returns the kind of value that begins with a token of JSON.
func kindOfToken(token json.Token) string {
	switch token {
	case json.Delim('{'):
		return anObject
	case json.Delim('['):
		return aList
	}
	switch token.(type) {
	case bool:
		return aTruth
	case string:
		return aString
	}
	return aNumber
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
	if t.Kind() != reflect.Struct || readsItself(t) {
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

func readsItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// elementOf returns the type of the elements of a list or a map. For types that read themselves it returns any.
func elementOf(t reflect.Type) reflect.Type {
	if !readsItself(t) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
		return t.Elem()
	}
	return reflect.TypeFor[any]()
}

// bodyError says of a body that cannot be read whether it is too long, or which of its numbers does not fit.
func bodyError(err error) error {
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return e
	}
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return BadRequest(err.Error())
	}
	if number, isNumber := strings.CutPrefix(e.Value, "number "); isNumber {
		wanted := "a whole number"
		if e.Type.Kind() == reflect.Uint64 {
			wanted += " from 0 to " + strconv.FormatUint(math.MaxUint64, 10)
		}
		path := slices.DeleteFunc(strings.Split(e.Field, "."), func(name string) bool {
			return name == "" || unicode.IsUpper(rune(name[0])) // a struct that is embedded has no name in JSON
		})
		return BadRequest(strings.Join(path, ".") + " must be " + wanted + ", not " + number)
	}
	return BadRequest(err.Error())
}
