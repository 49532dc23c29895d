package toolserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A shelvedRuleset is one that is served.
type shelvedRuleset struct {
	Ruleset  string `json:"ruleset"`
	Revision string `json:"revision"`
	Title    string `json:"title"`
	Book     string `json:"book"`
}

// A match is a definition that is about the words of a search.
type match struct {
	Ruleset string `json:"ruleset"`
	Kind    string `json:"kind"`
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Doc     string `json:"doc,omitempty"`
	Cite    string `json:"cite,omitempty"`
	score   int
}

// A searchResult is the answer of find.
type searchResult struct {
	Rulesets   []shelvedRuleset `json:"rulesets"`
	Characters []member         `json:"characters"`
	Matches    []match          `json:"matches"`
}

// maxMatches bounds the matches of a search; those that have the most words come first.
const maxMatches = 12

// findDefinitions searches the definitions of the rulesets, and lists the rulesets and the characters when it has no words.
func (s *server) findDefinitions(_ context.Context, c *call) (*answer, error) {
	var q struct {
		Words   string `json:"words"`
		Ruleset string `json:"ruleset"`
		Kind    string `json:"kind"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	editions, err := s.newestEditions(q.Ruleset)
	if err != nil {
		return nil, err
	}
	out := searchResult{Rulesets: []shelvedRuleset{}, Characters: s.Party.listMembers(editions), Matches: []match{}}
	words := splitWords(q.Words)
	for _, e := range editions {
		out.Rulesets = append(out.Rulesets, shelvedRuleset{e.Plan.Ruleset, e.Plan.Revision, e.Plan.Title, e.Plan.Book})
		if len(words) > 0 || q.Kind != "" || q.Ruleset != "" {
			out.Matches = append(out.Matches, matchesIn(e, words, q.Kind)...)
		}
	}
	slices.SortStableFunc(out.Matches, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	a := &answer{sentence: fmt.Sprintf("%s, %s, %s", plural.Of(len(out.Rulesets), "ruleset"),
		plural.Of(len(out.Characters), "character"), plural.Of(len(out.Matches), "definition"))}
	if len(words) > 0 {
		out.Matches = out.Matches[:min(len(out.Matches), maxMatches)]
	}
	for _, m := range out.Matches {
		a.data = append(a.data, strings.TrimSpace(fmt.Sprintf("%s %s %s %s: %s (%s)", m.Ruleset, m.Kind, m.ID, m.Label,
			m.Doc, m.Cite)))
	}
	if len(out.Matches) == 0 {
		for _, r := range out.Rulesets {
			a.data = append(a.data, fmt.Sprintf("%s %s: %s, %s", r.Ruleset, r.Revision, r.Title, r.Book))
		}
	}
	for _, m := range out.Characters {
		a.data = append(a.data, fmt.Sprintf("character %s of %s", m.Name, strings.Join(m.Rulesets, ", ")))
	}
	a.content = out
	return a, nil
}

// newestEditions returns the newest edition of each ruleset, or the one that is named.
func (s *server) newestEditions(name string) ([]*library.Edition, error) {
	if name != "" {
		e, err := s.findEdition(name)
		return []*library.Edition{e}, err
	}
	shelf := s.library.Shelf()
	var out []*library.Edition
	for _, id := range shelf.Rulesets() {
		e, err := shelf.Find(id, "")
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// splitWords returns the words of a search in small letters, without those too short to tell anything.
func splitWords(text string) (out []string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool {
		return strings.ContainsRune(" \t\n,.;:?!\"'()", c)
	}) {
		if len(word) > 2 {
			out = append(out, word)
		}
	}
	return out
}

// matchesIn returns the definitions of a kind that have some of the words, all of the kind without words. A word in a name
// counts four times, one in the author's texts twice, one in a table or a ruling once.
func matchesIn(e *library.Edition, words []string, kind string) (out []match) {
	speaker := say.NewSpeaker(e.Plan)
	for _, d := range rulebook.New(e.Plan, nil).All() {
		if kind != "" && d.Kind != kind {
			continue
		}
		m := match{Ruleset: e.Plan.Ruleset, Kind: d.Kind, ID: d.ID, Doc: docOf(&d.Definition), Cite: d.Cite}
		if speaker.HasGlossary() && (d.Kind == "rule" || d.Kind == "procedure" || d.Kind == "event") {
			m.Label = speaker.Of(d.ID).Title()
		}
		texts := [...]string{strings.ReplaceAll(d.ID, "_", " ") + " " + d.ID + " " + m.Label,
			m.Doc + " " + m.Cite + " " + strings.Join(d.Covers, " "), furtherText(&d.Definition)}
		for _, word := range words {
			for i, text := range texts {
				if strings.Contains(strings.ToLower(text), word) {
					m.score += 4 >> i
				}
			}
		}
		if m.score > 0 || len(words) == 0 {
			out = append(out, m)
		}
	}
	return out
}

// docOf returns the sentence about a definition.
func docOf(d *describe.Definition) string {
	switch {
	case d.Reading != nil:
		return d.Reading.Question
	case d.Erratum != nil:
		return d.Erratum.Printed
	}
	return d.Doc
}

// furtherText returns the other texts in which a search looks.
func furtherText(d *describe.Definition) string {
	var b strings.Builder
	if d.Reading != nil {
		b.WriteString(d.Reading.Ruled + " " + d.Reading.Why)
	}
	if d.Erratum != nil {
		b.WriteString(d.Erratum.Ruled + " " + d.Erratum.Why)
	}
	if d.Table != nil {
		for _, row := range d.Table.Cells {
			b.WriteString(strings.Join(row, " ") + " ")
		}
	}
	for i := range d.Input {
		b.WriteString(d.Input[i].Name + " " + d.Input[i].Doc + " ")
	}
	return b.String()
}
