// Package jsonadvice says what to write in place of JSON that does not fit what a ruleset asks for. The error itself, which
// generated code has to the byte, says what is wrong; what is most likely meant is for the doors at which people stand.
package jsonadvice

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Fits reports whether a character fits a program, as the program itself does; its error says what to write, too.
func Fits(program *runtime.Program, character []byte) error {
	return Add(program.Fits(character), program.Plan().Character, character)
}

// Add adds to the message of an *runtime.InputError what to write. shape is what the root of the error must be, text
// the JSON in which it stands. An error that says so itself, or of which nothing is known, stays as it is, and any
// other.
func Add(err error, shape *plan.Shape, text []byte) error {
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return withRepair(e, shape, text)
	}
	return err
}

func withRepair(e *runtime.InputError, shape *plan.Shape, text []byte) *runtime.InputError {
	repair := ""
	switch steps := splitPath(e.Path); {
	case shape == nil || strings.Contains(e.Msg, "did you mean"):
	case !json.Valid(text):
		return withSyntax(e, text)
	case e.IsUnknown() && len(steps) > 0:
		parent, name := steps[:len(steps)-1], steps[len(steps)-1]
		repair = adviseUnknown(e.Root, shapeAt(shape, parent), name, valueAt(text, parent), len(parent) == 0)
	case e.IsMissing() && len(steps) > 0:
		if s := shapeAt(shape, steps); s != nil && (len(s.Enum) > 0 || s.Kind != plan.String) {
			repair = fmt.Sprintf("write %q: %s", steps[len(steps)-1], sampleOf(s))
		}
	case strings.HasPrefix(e.Msg, "must be ") && !strings.Contains(e.Msg, ": "):
		repair = adviseType(e.Root, shapeAt(shape, steps), valueAt(text, steps), len(steps) == 0)
	}
	if repair == "" {
		return e
	}
	out := *e
	out.Msg += ": " + repair
	return &out
}

// step is a step of a path: ".skills", "[2]", or a name in brackets and quotes that is no word.
var step = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.(\w+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]`) })

// splitPath returns the names and indices of the path of an error.
func splitPath(path string) (out []string) {
	for _, m := range step().FindAllStringSubmatch(path, -1) {
		name := m[1] + m[2]
		if m[3] != "" && json.Unmarshal([]byte(m[3]), &name) != nil {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// shapeAt returns the shape that a path leads to; nil where there is none.
func shapeAt(s *plan.Shape, steps []string) *plan.Shape {
	for _, name := range steps {
		switch {
		case s == nil:
			return nil
		case s.Kind == plan.List:
			s = s.Elem
		default:
			s = s.Member(name)
		}
	}
	return s
}

// valueAt returns the value that a path leads to in JSON; nil where there is none.
func valueAt(text json.RawMessage, steps []string) json.RawMessage {
	for _, name := range steps {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(text, &object) == nil {
			text = object[name]
		} else if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(text, &list) == nil && i < len(list) {
			text = list[i]
		} else {
			return nil
		}
	}
	return text
}

// adviseUnknown says what to do about a member that a record, or the root, does not have.
func adviseUnknown(root string, s *plan.Shape, name string, parent json.RawMessage, atRoot bool) string {
	var object, within map[string]json.RawMessage
	if s == nil || json.Unmarshal(parent, &object) != nil || object[name] == nil { // given by a flag
		return ""
	}
	if first, rest, dotted := strings.Cut(name, "."); dotted && s.Member(first) != nil {
		return fmt.Sprintf("write %q: {%q: %s}", first, rest, object[name])
	}
	if atRoot && object["ruleset"] != nil && object["revision"] != nil && s.Member("ruleset") == nil {
		return "this is an answer of the program, and no " + root
	}
	if json.Unmarshal(object[name], &within) == nil {
		var known []string
		for _, f := range s.Fields {
			if within[f.Name] != nil {
				known = append(known, strconv.Quote(f.Name))
			}
		}
		if len(known) > 0 {
			return fmt.Sprintf("write %s without %q around it", strings.Join(known, " and "), name)
		}
	}
	if atRoot && len(object) > 2 && countForeign(object, s) > len(object)/2 {
		return "most of this is of another program: write its numbers into the fields of this ruleset"
	}
	if root == "character" && atRoot {
		return "leave it out, or name the homebrew that has it"
	}
	return ""
}

// countForeign returns how many members of an object a record does not have.
func countForeign(object map[string]json.RawMessage, s *plan.Shape) (n int) {
	for name := range object {
		if s.Member(name) == nil {
			n++
		}
	}
	return n
}

// leadingNumber is a number with which a text begins: 16 (+2), +3, 30 ft.
var leadingNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\+?(-?[0-9]+(?:\.[0-9]+)?)\b`) })

// adviseType says what to write in place of a value of another type.
func adviseType(root string, s *plan.Shape, found json.RawMessage, whole bool) string {
	if s == nil || len(found) == 0 {
		return ""
	}
	var word string
	var words []string
	var object map[string]json.RawMessage
	isWord, isWords := json.Unmarshal(found, &word) == nil, json.Unmarshal(found, &words) == nil
	switch {
	case string(found) == "null":
		return ""
	case whole && root == "character" && found[0] == '[':
		return "one character stands alone, without [ ] around it"
	case s.Kind == plan.List && isWord:
		if list := listOf(s.Elem, word); list != "" {
			return "write " + list
		}
	case s.Kind == plan.List && json.Unmarshal(found, &object) == nil && s.Elem.Kind == plan.String && len(object) > 0:
		return "write " + quoteAll(slices.Sorted(maps.Keys(object)))
	case s.Kind == plan.List && found[0] != '{':
		return fmt.Sprintf("write [%s]", found)
	case s.Kind == plan.Map && isWords && len(words) > 0:
		return "write " + countsOf(words, s)
	case s.Kind == plan.Map && entriesOf(found, s) != "":
		return "write " + entriesOf(found, s)
	case s.Kind == plan.Map && len(s.Keys) > 0:
		return "write " + objectOf(s.Keys[:1], s)
	case s.Kind == plan.Map:
		return fmt.Sprintf(`write {"name": %s}`, sampleOf(s.Elem))
	case s.Kind == plan.Record:
		return "write " + sampleOf(s)
	case (s.Kind == plan.Int || s.Kind == plan.Double) && isWord:
		if m := leadingNumber().FindStringSubmatch(word); m != nil {
			return "write " + m[1]
		}
	case s.Kind == plan.Bool && isWord:
		switch strings.ToLower(word) {
		case "true", "yes", "y", "on", "x", "ja":
			return "write true, without quotes"
		case "false", "no", "n", "off", "", "nein":
			return "write false, without quotes"
		}
	case s.Kind == plan.Bool && (string(found) == "0" || string(found) == "1"):
		return fmt.Sprintf("write %t", found[0] == '1')
	case s.Kind == plan.String && (found[0] == '-' || '0' <= found[0] && found[0] <= '9'):
		return fmt.Sprintf(`write "%s"`, found)
	case s.Kind == plan.String && isWords && len(words) == 1:
		return fmt.Sprintf("write %q, without brackets", words[0])
	}
	return ""
}

// separators part the elements of a list that somebody wrote as one text.
var separators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*[,;|\n]\s*`) })

// listOf returns the list that a text means; "" when its parts are no such elements.
func listOf(elem *plan.Shape, text string) string {
	parts := separators().Split(strings.TrimSpace(text), -1)
	switch {
	case elem.Kind == plan.String:
		return quoteAll(parts)
	case elem.Kind != plan.Int && elem.Kind != plan.Double || slices.ContainsFunc(parts, func(p string) bool {
		return !json.Valid([]byte(p))
	}):
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// countsOf returns the map that a list of words means: of numbers how often each stands there.
func countsOf(words []string, s *plan.Shape) string {
	counts := map[string]int{}
	var keys []string
	for _, w := range words {
		if counts[w]++; counts[w] == 1 {
			keys = append(keys, w)
		}
	}
	if len(keys) == len(words) || s.Elem.Kind != plan.Int {
		return objectOf(keys, s)
	}
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%q: %d", k, counts[k])
	}
	return "{" + strings.Join(keys, ", ") + "}"
}

// entriesOf returns the map that a list of records means, [{"name": "lying", "value": 3}], each of which has a key and
// one value besides; "" of another list.
func entriesOf(list json.RawMessage, s *plan.Shape) string {
	var records []map[string]json.RawMessage
	if json.Unmarshal(list, &records) != nil || len(records) == 0 {
		return ""
	}
	var out []string
	for _, r := range records {
		var keys, values []string
		for _, name := range slices.Sorted(maps.Keys(r)) {
			var word string
			if json.Unmarshal(r[name], &word) == nil && (len(s.Keys) == 0 || slices.Contains(s.Keys, word)) {
				keys = append(keys, word)
			} else {
				values = append(values, string(r[name]))
			}
		}
		if len(keys) != 1 || len(values) != 1 {
			return ""
		}
		out = append(out, fmt.Sprintf("%q: %s", keys[0], values[0]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// objectOf returns a map that has some keys.
func objectOf(keys []string, s *plan.Shape) string {
	var out []string
	for _, k := range keys[:min(len(keys), maxFields)] {
		out = append(out, fmt.Sprintf("%q: %s", k, sampleOf(s.Member(k))))
	}
	if len(keys) > maxFields {
		out = append(out, "...")
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// maxFields is how many members of an object an example has.
const maxFields = 3

// sampleOf returns a value of a shape, for an example: its form counts, and not what it says.
func sampleOf(s *plan.Shape) string {
	switch {
	case s == nil:
		return "..."
	case len(s.Enum) > 0:
		return strconv.Quote(s.Enum[0])
	case s.Kind == plan.Int || s.Kind == plan.Double:
		return strconv.FormatFloat(partial.FittingNumber(s, 1), 'f', -1, 64)
	case s.Kind == plan.Bool:
		return "true"
	case s.Kind == plan.List:
		elements := slices.Repeat([]string{sampleOf(s.Elem)}, min(s.MinItems, maxFields))
		if s.MinItems > maxFields {
			elements = append(elements, "...")
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case s.Kind == plan.Record || s.Kind == plan.Map:
		var names []string
		for _, f := range s.Fields {
			if !f.Optional && f.Default == "" {
				names = append(names, f.Name)
			}
		}
		for _, f := range s.Fields {
			if s.Kind == plan.Record && (f.Optional || f.Default != "") {
				names = append(names, f.Name)
			}
		}
		return objectOf(names, s)
	}
	return `"..."`
}

// Numbers that are written as no JSON is.
var (
	ofMost     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?[0-9]+)\s*/\s*[0-9]+`) })
	thousands  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?[0-9]{1,3}(?:,[0-9]{3})+)\b`) })
	withUnit   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?[0-9]+)\s*([a-zA-Z%]+)`) })
	dieOfValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]*d[0-9]+`) })
)

// withSyntax returns an error of a text that is no JSON with what to write, where a number is written as books write it.
func withSyntax(e *runtime.InputError, text []byte) *runtime.InputError {
	lines := strings.Split(string(text), "\n")
	if e.Line < 1 || e.Line > len(lines) {
		return e
	}
	line := lines[e.Line-1]
	at := strings.LastIndexAny(line[:min(len(line), max(0, e.Col-1))], ":[{ ") + 1
	value := strings.TrimLeft(line[at:], " \t")
	out := *e
	switch {
	case ofMost().MatchString(value):
		out.Msg = fmt.Sprintf("%s is no number: write %s", ofMost().FindString(value),
			ofMost().FindStringSubmatch(value)[1])
	case thousands().MatchString(value):
		m := thousands().FindStringSubmatch(value)
		out.Msg = fmt.Sprintf("%s is no number: write %s", m[1], strings.ReplaceAll(m[1], ",", ""))
	case dieOfValue().MatchString(value):
		out.Msg = fmt.Sprintf("%s is no number: write %[1]q if dice stand there, or else what fell",
			dieOfValue().FindString(value))
	case withUnit().MatchString(value):
		m := withUnit().FindStringSubmatch(value)
		out.Msg = fmt.Sprintf("%s is no number: write %s", m[0], m[1])
	}
	return &out
}
