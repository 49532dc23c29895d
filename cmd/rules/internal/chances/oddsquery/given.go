package oddsquery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// refuseGiven refuses to decide a field of the input that --set, --vary or --input gives: one of the two would be passed
// over in silence. by is the flag that decides the field.
func (a *Asker) refuseGiven(by, path string) error {
	isAbout := func(text string) bool { return Overlaps(text, path) }
	where := "the input"
	if k := slices.IndexFunc(a.Sets, isAbout); k >= 0 {
		where = "--set " + a.Sets[k]
	} else if k := slices.IndexFunc(a.Vary, isAbout); k >= 0 {
		where = "--vary " + a.Vary[k]
	} else if !hasValue(a.Request.Input, plan.SplitPath(path)) {
		return nil
	}
	return fmt.Errorf("%s: %s gives %s too: leave one of them out", by, where, path)
}

// RefuseOpenGiven refuses a --vary of what --set or --option gives as well, which would be passed over in silence. A
// part of a record that is set may be left open, and so may what a file gives.
func RefuseOpenGiven(vary, sets, options []string) error {
	for _, open := range vary {
		name, _, _ := plan.CutAssignment(strings.TrimPrefix(open, inputRoot+"."))
		for _, given := range []struct {
			flag, root string
			texts      []string
		}{{"--set", "", sets}, {"--option", optionRoot + ".", options}} {
			for _, text := range given.texts {
				set, _, _ := plan.CutAssignment(text)
				if isWithin(given.root+set, name) {
					return fmt.Errorf("--vary %s: %s %s gives %s too: leave one of them out", open, given.flag, text, name)
				}
			}
		}
	}
	return nil
}

// Overlaps reports whether a text NAME=VALUE is about the field at a path, a part of it or a record around it.
func Overlaps(text, path string) bool {
	name, _, _ := plan.CutAssignment(text)
	return isWithin(name, path) || isWithin(path, name)
}

// isWithin reports whether a path is another one or that of a part of it.
func isWithin(path, whole string) bool {
	part, all := plan.SplitPath(path), plan.SplitPath(whole)
	return len(part) >= len(all) && slices.Equal(part[:len(all)], all)
}

// withDecided returns an object with a value in each field that is decided when dice have fallen, that must be there and is
// not: an input is read whole before, and what is decided takes the place of the value.
func withDecided(object json.RawMessage, shape *plan.Shape, choices []odds.Choice) (json.RawMessage, error) {
	for _, c := range choices {
		path := plan.SplitPath(c.Path)
		if !isAbsent(object, shape, path) {
			continue
		}
		var err error
		value := partial.AppendPlaceholder(nil, shape.Path(path))
		if object, err = argdata.PutInto(jsontext.OrObject(object), path, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// isAbsent reports whether an object lacks a field at a path, or a record around it, that must be there.
func isAbsent(object json.RawMessage, shape *plan.Shape, path []string) bool {
	for i, name := range path {
		if !hasValue(object, path[:i+1]) {
			at := slices.IndexFunc(shape.Fields, func(m plan.Member) bool { return m.Name == name })
			return at >= 0 && !shape.Fields[at].Optional && shape.Fields[at].Default == ""
		}
		shape = shape.Member(name)
	}
	return false
}

// hasValue reports whether an object has a value at a path.
func hasValue(object json.RawMessage, path []string) bool {
	list, err := jsontext.Members(jsontext.OrObject(object))
	if err != nil {
		return false // it is refused where it is read
	}
	k := slices.IndexFunc(list, func(m jsontext.Member) bool { return m.Name == path[0] })
	return k >= 0 && (len(path) == 1 || hasValue(list[k].Value, path[1:]))
}

// refuseGivenByPolicy refuses to decide a field that a move of the policy gives.
func refuseGivenByPolicy(decision, event, path string, policy runtime.Policy) error {
	for _, m := range policy {
		if m.Event == event && hasValue(m.Input, plan.SplitPath(path)) {
			return fmt.Errorf("--decide %s: --policy %s %s gives %s too: leave one of them out", decision, event,
				m.Input, path)
		}
	}
	return nil
}
