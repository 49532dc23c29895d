package golden

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// exampleSubjects say what the examples of a book are about: a book works an example through where it states the rule, so
// an example is about the definitions that cite its heading, or that carry out a statement under it.
//
// Headings are the only link between an example of the book and a definition that nobody has to
// maintain: both cite the book, each for its own reason.
type exampleSubjects struct {
	headings map[string][]string // of each statement and example: the parts of its heading
}

func newExampleSubjects(statements []Statement) exampleSubjects {
	s := exampleSubjects{headings: map[string][]string{}}
	for _, x := range statements {
		s.headings[x.ID] = headingParts(x.Heading)
	}
	return s
}

// headingParts returns the headings that a citation names, in lower case, the wider ones of "Ability Rolls, Extra Effort"
// too.
func headingParts(cite string) []string {
	var out []string
	for part := range strings.SplitSeq(cite, ";") {
		part = strings.ToLower(strings.TrimSpace(part))
		out = append(out, part)
		if wider, _, ok := strings.Cut(part, ","); ok {
			out = append(out, wider)
		}
	}
	return out
}

// isShownBy reports whether an example is about one of the definitions that a case evaluates. Ids that are no examples, and
// examples without a heading, are shown by naming them.
func (s exampleSubjects) isShownBy(id string, entries []*plan.Entry) bool {
	of, known := s.headings[id]
	if !known || len(of) == 0 {
		return true
	}
	shares := func(list []string) bool {
		return slices.ContainsFunc(list, func(x string) bool { return slices.Contains(of, x) })
	}
	return slices.ContainsFunc(entries, func(e *plan.Entry) bool {
		return shares(headingParts(e.Cite)) ||
			slices.ContainsFunc(e.Covers, func(id string) bool { return shares(s.headings[id]) })
	})
}
