package site

import (
	"io/fs"
	"path"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// characterOf is a character that ships with the ruleset; "" when it cannot be read.
func characterOf(e *library.Edition, name string) string {
	text, err := fs.ReadFile(e.Files, path.Join("golden", e.Plan.Ruleset, name+".json"))
	if err != nil {
		return ""
	}
	return indentJSON(text)
}

// inputOf returns the input of a rule for a shipped character: its own, ada_test.json beside ada.json, or else that of
// the example. In the example of another character, a name that is looked up in the character, such as that of a skill,
// becomes one that this character has: a form that begins with a refusal teaches nothing.
func inputOf(e *library.Edition, character string, n *describe.Needs, text, shipped []byte) []byte {
	own, err := fs.ReadFile(e.Files, path.Join("golden", e.Plan.Ruleset, character+"_"+n.ID+".json"))
	if err == nil {
		return own
	}
	asks := askerOf(e, n.ID, &formQuestion{})
	if asks == nil {
		return shipped
	}
	for i := range n.Input {
		f := &n.Input[i]
		known := runtime.Request{Character: text, Input: withoutMember(shipped, f.Name), Accepted: []string{"character"}}
		for k := range n.Input { // as by default: a name of a skill is wanted where a skill is what is asked about
			if k != i {
				known.Accepted = append(known.Accepted, "input."+n.Input[k].Name)
			}
		}
		if f.Type != "string" || memberText(shipped, f.Name) == "" {
			continue
		}
		for _, x := range asks(known) {
			if x.Path == "input."+f.Name && len(x.Suggest) > 0 && !slices.Contains(x.Suggest, memberText(shipped, f.Name)) {
				shipped = putInto(shipped, f, x.Suggest[0])
			}
		}
	}
	return shipped
}

// An exampleKey is the rule or procedure of which an example is kept.
type exampleKey struct {
	edition *library.Edition
	id      string
}

// exampleFor returns a character and an input that answer, or empty objects without the sources. Nobody may write to it.
//
// A release alone has no examples; its forms begin empty and name the missing fields.
func (s *server) exampleFor(e *library.Edition, n *describe.Needs) *golden.Case {
	found, err := s.examples.find(s.library.Shelf(), exampleKey{e, n.ID}, func() (*golden.Case, error) {
		if e.Files != nil {
			if c := example.FindAnswering(e.Files, e.Plan, n); c != nil {
				return c, nil
			}
		}
		return &golden.Case{Character: []byte("{}"), Input: []byte("{}")}, nil
	})
	must.Succeed(err)
	return found
}
