package toolserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
)

// A shownBook is the answer of show.
type shownBook struct {
	Source      source                 `json:"source"`
	Definitions []*rulebook.Definition `json:"definitions"`
}

// showDefinitions tells a definition as the book has it, with its table, its rulings and a worked example.
func (s *server) showDefinitions(_ context.Context, c *call) (*answer, error) {
	var q struct {
		Ruleset string `json:"ruleset"`
		Name    string `json:"name"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	e, err := s.findEdition(q.Ruleset)
	if err != nil {
		return nil, err
	}
	book := rulebook.New(e.Plan, e.Files)
	list := book.Named(q.Name)
	if len(list) == 0 {
		return nil, describe.UnknownIn(e.Plan, "definition, chapter or statement", q.Name, book.Names())
	}
	out := &answer{content: shownBook{sourceOf(e, q.Name), list}}
	out.sentence = fmt.Sprintf("%d definitions of %s %s", len(list), e.Plan.Ruleset, e.Plan.Revision)
	if d := list[0]; len(list) == 1 {
		out.sentence = fmt.Sprintf("%s %s of %s %s (%s)", d.Kind, d.ID, e.Plan.Ruleset, e.Plan.Revision, quote(d.Cite))
	}
	page := &layout.Page{}
	present.PrintDefinitions(page, list, false)
	out.data, err = linesOf(page)
	return out, err
}

// linesOf returns the lines of a page.
func linesOf(page *layout.Page) ([]string, error) {
	var text strings.Builder
	if err := page.Flush(&text); err != nil {
		return nil, err
	}
	return strings.Split(strings.Trim(text.String(), "\n"), "\n"), nil
}

// A ruleNeeds is the answer of needs.
type ruleNeeds struct {
	Source     source          `json:"source"`
	Needs      *describe.Needs `json:"needs"`
	Characters []string        `json:"characters"` // that the rule can be asked for by name
}

// listNeeds tells what must be known before a rule or a procedure can be carried out.
func (s *server) listNeeds(_ context.Context, c *call) (*answer, error) {
	var q subjectArgs
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	e, err := s.findSubject(&q, nil, nil, "rule", "procedure")
	if err != nil {
		return nil, err
	}
	out := ruleNeeds{Source: sourceOf(e, q.Rule), Needs: describe.NeedsOf(e.Plan, q.Rule), Characters: []string{}}
	for _, m := range s.Party.listMembers([]*library.Edition{e}) {
		out.Characters = append(out.Characters, m.Name)
	}
	a := &answer{content: out, sentence: fmt.Sprintf("%s %s of %s %s; characters: %s", out.Needs.Kind, q.Rule,
		e.Plan.Ruleset, e.Plan.Revision, strings.Join(out.Characters, ", "))}
	page := &layout.Page{}
	present.PrintNeeds(page, out.Needs)
	a.data, err = linesOf(page)
	return a, err
}
