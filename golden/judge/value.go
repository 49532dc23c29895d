package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
)

// A value of a formula is an int64, a float64, a bool, a string, a word, a list ([]any) or an *object.

// An object is a record, a map, a row of a table or the outputs of a use.
type object struct {
	names  []string
	fields map[string]any // a value, or a *thunk of one
	// traits finds what follows from a character; nil of any other object.
	traits func(o *object, name string) (value any, found bool, err error)
	// field says of a record that was read what it may have; nil of any other object.
	field *field
}

// A thunk is a value that is computed when it is first needed: "A let is a name for a formula: what is wrong in it counts
// only where its value is needed."
type thunk struct {
	compute func() (any, error)
	done    bool
	running bool
	value   any
	err     error
}

func newThunk(v any, err error) *thunk { return &thunk{done: true, value: v, err: err} }

func (t *thunk) valueOf() (any, error) {
	if t.done {
		return t.value, t.err
	}
	if t.running {
		return nil, &Unjudged{"a value depends on itself, or on a die that has not fallen"}
	}
	t.running = true
	t.value, t.err = t.compute()
	t.running, t.done = false, true
	return t.value, t.err
}

func newObject() *object { return &object{fields: map[string]any{}} }

func (o *object) setField(name string, v any) {
	if _, has := o.fields[name]; !has {
		o.names = append(o.names, name)
	}
	o.fields[name] = v
}

// getField returns a field, or else a trait: "a field, else the trait x".
func (o *object) getField(name string) (v any, found bool, err error) {
	v, found = o.fields[name]
	if t, isThunk := v.(*thunk); isThunk {
		v, err = t.valueOf()
		return v, true, err
	}
	if !found && o.traits != nil {
		return o.traits(o, name)
	}
	return v, found, nil
}

func (o *object) cloneObject() *object {
	out := &object{names: slices.Clone(o.names), fields: map[string]any{}, traits: o.traits, field: o.field}
	for name, v := range o.fields {
		out.fields[name] = v
	}
	return out
}

// withPath returns a copy in which the value at a path is another one.
func (o *object) withPath(path []string, v any) (*object, error) {
	out := o.cloneObject()
	if len(path) == 1 {
		out.setField(path[0], typedLike(v, o.fields[path[0]]))
		return out, nil
	}
	inner, _, err := o.getField(path[0])
	if err != nil {
		return nil, err
	}
	below, isObject := inner.(*object)
	if !isObject {
		below = newObject()
	}
	changed, err := below.withPath(path[1:], v)
	if err != nil {
		return nil, err
	}
	out.setField(path[0], changed)
	return out, nil
}

// textOf returns the string of a string or a word.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case word:
		return v.text, true
	}
	return "", false
}

// isEqual reports whether two values are the same. Numbers of two types are never the same type of a comparison in a
// ruleset, so they are compared as CEL does.
func isEqual(a, b any) (bool, error) {
	if s, isText := textOf(a); isText {
		t, alsoText := textOf(b)
		return alsoText && s == t, nil
	}
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return a == b, nil
		case float64:
			return types.Int(a).Equal(types.Double(b)) == types.True, nil
		}
	case float64:
		switch b := b.(type) {
		case float64:
			return a == b, nil
		case int64:
			return types.Double(a).Equal(types.Int(b)) == types.True, nil
		}
	case bool:
		y, isBool := b.(bool)
		return isBool && a == y, nil
	case []any:
		y, isList := b.([]any)
		if !isList || len(a) != len(y) {
			return false, nil
		}
		for i := range a {
			if same, err := isEqual(a[i], y[i]); err != nil || !same {
				return false, err
			}
		}
		return true, nil
	case *object:
		return areEqualObjects(a, b)
	}
	return false, nil
}

func areEqualObjects(a *object, b any) (bool, error) {
	y, isObject := b.(*object)
	if !isObject || len(a.names) != len(y.names) {
		return false, nil
	}
	for _, name := range a.names {
		v, _, err := a.getField(name)
		if err != nil {
			return false, err
		}
		w, found, err := y.getField(name)
		if err != nil || !found {
			return false, err
		}
		if same, err := isEqual(v, w); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// compareValues orders two values: numbers by size, words of a choice by its order, other strings by letters, false before
// true.
func compareValues(a, b any) (int, error) {
	_, isText := textOf(a)
	_, alsoText := textOf(b)
	x, y := celValue(a), celValue(b)
	switch {
	case isText && alsoText:
		return compareWords(a, b)
	case isText || x == nil || y == nil:
		return 0, &Unjudged{fmt.Sprintf("a comparison of %T with %T", a, b)}
	}
	return compareCEL(x, y)
}

// plainValue turns a value into JSON of Go: maps, lists, json.Number.
func plainValue(v any) (any, error) {
	switch v := v.(type) {
	case word:
		return v.text, nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case float64:
		return doubleNumber(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			x, err := plainValue(v[i])
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
		return out, nil
	case *object:
		out := map[string]any{}
		for _, name := range v.names {
			x, _, err := v.getField(name)
			if err != nil {
				return nil, err
			}
			if out[name], err = plainValue(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// doubleNumber writes a double "with a fraction or an exponent and no zero at the end that says nothing: 1.0".
func doubleNumber(v float64) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, &Failure{Msg: "the result is no number"}
	}
	s := string(text)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return json.Number(s), nil
}
