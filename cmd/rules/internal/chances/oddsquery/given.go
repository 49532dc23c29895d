package oddsquery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
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
	} else if !hasValue(a.Request.Input, strings.Split(path, ".")) {
		return nil
	}
	return fmt.Errorf("%s: %s gives %s too: leave one of them out", by, where, path)
}

// Overlaps reports whether a text NAME=VALUE is about the field at a path, a part of it or a record around it.
func Overlaps(text, path string) bool {
	name, _, _ := strings.Cut(text, "=")
	return name == path || strings.HasPrefix(name, path+".") || strings.HasPrefix(path, name+".")
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
		if m.Event == event && hasValue(m.Input, strings.Split(path, ".")) {
			return fmt.Errorf("--decide %s: --policy %s %s gives %s too: leave one of them out", decision, event,
				m.Input, path)
		}
	}
	return nil
}
