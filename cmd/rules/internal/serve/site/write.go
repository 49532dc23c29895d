package site

import (
	"bytes"
	"context"
	"html/template"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
)

// BookFiles are the pages of an edition's book as files, by name. They lie in one directory, link to each other by
// relative paths, and are the same bytes for the same edition, so that a book can be kept in version control and
// compared: nothing of the clock, of the machine or of the order of a map may get into a page.
func BookFiles(e *library.Edition) map[string][]byte {
	templates := parseTemplates()
	b := newBook(e, true)
	b.drawExamples(e)
	out := map[string][]byte{"style.css": styleSheet}
	p := page{Title: b.Title, Static: true, Top: "./", Book: b}
	out["index.html"] = renderPage(templates["contents"], p)
	for _, c := range b.Chapters {
		v := chapterPage{p, c}
		v.Title = c.Title + ", " + b.Title
		out[c.File] = renderPage(templates["chapter"], v)
	}
	return out
}

func renderPage(t *template.Template, view any) []byte {
	var b bytes.Buffer
	must.Succeed(t.ExecuteTemplate(&b, "layout", view))
	return b.Bytes()
}

// exampleBudget is how many states the odds of a worked example may meet. It is counted and not timed, so that the same
// ones are drawn on every machine.
const exampleBudget = 2_000_000

// drawExamples adds the odds to the worked examples of rules: a page without a server has no other ones. An example
// without odds, such as one with decisions after its dice, gives the reason.
//
// The odds are worked out when the page is written, within a budget that is counted in states: the book's bytes do not
// depend on the machine.
func (b *bookView) drawExamples(e *library.Edition) {
	for _, d := range b.allDefinitions() {
		if d.Kind != "rule" || d.Example == nil || len(describe.NeedsOf(e.Plan, d.ID).Dice) == 0 {
			continue
		}
		c := d.model.Example.Case
		q := &formQuestion{Question: query.Question{Subject: d.ID,
			Request: runtime.Request{Character: c.Character, Input: c.Input}}}
		found, err := oddsOfForm(context.Background(), e, q, exampleBudget)
		if err != nil {
			d.Example.Odds = &oddsView{Error: wordError(err)}
			continue
		}
		d.Example.Odds = newOddsView([]setting{{"", found, b.words.Of(d.ID)}})
	}
}
