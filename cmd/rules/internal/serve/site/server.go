// Package site shows rulesets as pages that compute: the book with its chapters, every rule as a form with its odds beside
// it, procedures event by event, odds of dice.
//
// Pages are made on the server and work without a script; the script that comes with them sends forms as they change and
// puts the answer into the page. A handler reads a form, asks the edition in the library, and fills a view, which a
// template turns into HTML; it computes nothing of the game. The pages of the book are the same files that "rules book"
// writes to a directory: they link to each other by relative paths, and only what asks the server is missing there.
//
// # A page
//
// A reader opens /tempestas/try/test?as=ada. showForm finds the edition on the shelf of the
// library, which holds what was compiled last, and showRule makes the view:
//
//   - newTry fills the fields: from the form that was sent, else from the address, else from an
//     example that ships. It asks the rule which of them matter as they stand (needOf), so that the
//     page can say "not needed" beside the others.
//   - carryOut answers, when the form was sent: a sheet, something to decide first, or a refusal.
//   - oddsFor gives the odds of what the form asks, beside those of a kept setting or of another
//     state of the ruleset, and over one or two inputs.
//
// The view goes into the template "try", whole, and the bytes go out. Nothing about the reader
// stays here. A form is answered by a redirect to an address that holds the question and its faces
// (address.go): it is reloaded, gone back to and sent to a friend, and the server can be restarted
// between two clicks. Characters, the log of rolls, and a character that is too long for an address
// lie in the reader's browser (store.js, characters.js, rulings.js); the sheet of a character is a form that is
// sent whole and comes back whole (sheet.go), so that it works without a script too.
//
// # Live odds
//
// The script sends the form at once when a field changes, to /try/NAME/odds, and puts the parts that
// come back into the page: the odds, and the fields for what is now read of the character. The answer
// is made by the same code as the page (newTry, oddsFor), so both always agree. While one request is
// answered no other is sent, and of the changes that come meanwhile only the last: the server has one
// question of a reader at a time, however fast a slider moves. A reader who goes away closes the stop
// channel of the question, through the context of the request, and the engine of odds gives up.
//
// # What is kept
//
// Making a book costs as much as a hundred of its answers, and a comparison of two states as much
// as all golden cases. Both are kept for the shelf on which they were made (shelfCache). Saving a
// file puts another shelf in its place, and everything that was made of the old one is forgotten
// with it; no entry is ever invalidated by itself. Odds of a form are kept, too, by the digest of all
// that a reader typed, and bounded by their bytes.
//
// # Trust
//
// Strangers send forms. Numbers are bounded where they are read (gridValues, maxEvents), odds by a
// budget of states and by the gate of Options, and everything that a template shows is escaped by
// html/template. The only HTML that is not is drawn by package plot, which escapes its labels.
//
// # Files
//
// routes.go says who answers what. book.go, formulas.go, homebrew.go, links.go and search.go make
// the book; tryform.go, fields.go, shapeform.go, dieboxes.go, character.go, needs.go, example.go and
// kept_setting.go the form; rule.go, answer.go, decisions.go and question.go its answer, address.go
// where it is found again; headline.go, odds_of_form.go, odds_question.go, odds.go, vary_inputs.go,
// grid.go and chances.go its odds; sheet.go characters; rulings.go the rulings of a group; session.go tables, screen.go
// that of their master; play.go,
// playlog.go, playwhy.go and course.go procedures; write.go and markdown.go the book as files.
package site

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/style.css
var styleSheet []byte

//go:embed assets/live.js
var script []byte

//go:embed assets/gone.js
var goneScript []byte

//go:embed assets/store.js
var storeScript []byte

//go:embed assets/characters.js
var charactersScript []byte

//go:embed assets/rulings.js
var rulingsScript []byte

//go:embed assets/screen.js
var screenScript []byte

//go:embed assets/session.js
var sessionScript []byte

// Options are the bounds of the pages.
type Options struct {
	Budget int64                                // of states that one question for odds may meet
	Gate   func(next http.Handler) http.Handler // what is asked for odds goes through it; nil for none
	// Party are the characters for which states are compared; nil for none.
	HasFolder bool // characters are kept as files, below kept/ (package folder)
	Party     func(*plan.Plan) ([]revisions.Member, error)
	Workshop  *Workshop // for authors; nil where sources are not served
	// Sessions are the tables at which people play together; nil where none are kept.
	Sessions *session.Hub
	Reach    func() []string // the addresses by which other devices reach the server
}

// A Workshop tells authors how well the cases hold their rulesets.
type Workshop struct {
	// Examine plays the golden cases of a ruleset, and counts the branches that they take.
	Examine func(ruleset string) (*golden.Report, error)
	// LastScore is the last measurement by mutants, and whether the sources have changed since; nil when there is none.
	LastScore func(ruleset string) (card *scorecard.Card, stale bool)
}

// A server shows the editions of a library.
type server struct {
	library   *library.Library
	templates map[string]*template.Template
	books     shelfCache[*library.Edition, *bookView]
	changes   shelfCache[[2]*library.Edition, *revisions.Comparison]
	reports   shelfCache[string, *golden.Report]                    // by ruleset
	effects   shelfCache[*library.Edition, map[string][]effectView] // of rulings, by option
	examples  shelfCache[exampleKey, *golden.Case]
	odds      shelfCache[oddsKey, *oddspage.Distributions] // of forms, which strangers write
	Options
}

// parseTemplates parses every page with the layout and the parts that pages share.
func parseTemplates() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, name := range []string{"home", "contents", "chapter", "search", "searchall", "changes", "cases", "try", "play",
		"dice", "characters", "sheet", "rulings", "screen", "begin", "enter", "table", "error"} {
		t := template.Must(template.ParseFS(templateFiles, "templates/layout.html", "templates/parts.html",
			"templates/"+name+".html"))
		out[name] = t
	}
	return out
}

// A page is what the layout shows, whatever the page.
type page struct {
	Title      string
	Top        string // the way to the root of the site, relative
	Up         string // the way to the pages of the book, relative
	HasFolder  bool   // the server keeps characters
	HasTables  bool   // the server keeps sessions
	Static     bool   // nobody answers questions
	Generation uint64
	Book       *bookView
	Query      string
	Problems   []problemView
	Section    string // of the head of pages in which it lies; "" for none
	IsText     bool   // it is read, and not worked with
}

// newPage begins a page; depth is how many directories below the root it lies.
func (s *server) newPage(title string, depth int) page {
	p := page{Title: title, Top: strings.Repeat("../", depth), IsText: true, HasFolder: s.HasFolder,
		HasTables: s.Sessions != nil, Generation: s.library.Generation()}
	if depth == 0 {
		p.Top = "./"
	}
	if depth > 1 {
		p.Up = strings.Repeat("../", depth-1)
	}
	if err := s.library.Problem(); err != nil {
		p.Problems = problemsOf(err, s.library.Diagnostics())
	}
	return p
}

// write fills a template. A page is made whole before the first byte of it is sent.
func (s *server) write(w http.ResponseWriter, status int, name string, view any) {
	var b bytes.Buffer
	must.Succeed(s.templates[name].ExecuteTemplate(&b, "layout", view))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// writeError shows a page that says why there is no other.
func (s *server) writeError(w http.ResponseWriter, r *http.Request, status int, err error) {
	title, heading := "Not done", "It cannot be"
	switch status {
	case http.StatusNotFound:
		title, heading = "Not found", "There is no such page"
	case http.StatusForbidden:
		title, heading = "Not for you", "You do not sit at this table"
	}
	if _, is := errors.AsType[*library.LoadError](err); is { // the layout tells where
		status, title, heading = http.StatusServiceUnavailable, "Not ready", "These rules do not compile"
	} else if _, is := errors.AsType[*runtime.UnknownError](err); is {
		status, title, heading = http.StatusNotFound, "Not found", "There is no such page"
	}
	view := struct {
		page
		Heading  string
		Error    string
		Table    string            // the address of the table that was asked; "" for none
		Found    []*definitionView // that the address may have meant
		Rulesets []homeEntry       // where no book is named
	}{page: s.newPage(title, strings.Count(r.URL.Path, "/")-1), Heading: heading, Error: say.Capitalise(err.Error())}
	if id := cmp.Or(r.PathValue("id"), r.Form.Get(atField)); id != "" && status != http.StatusNotFound {
		view.Table = view.Top + "session/" + url.PathEscape(id) + "/"
	}
	if _, b, err := s.book(r); err == nil {
		view.Book = b
	}
	switch {
	case status != http.StatusNotFound:
	case view.Book != nil:
		name, _, _ := strings.Cut(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:], ".")
		view.Found, _ = view.Book.searchForgiving(strings.ReplaceAll(name, "_", " "))
		view.Found = view.Found[:min(len(view.Found), mostMeant)]
	default:
		for _, id := range s.library.Shelf().Rulesets() {
			view.Rulesets = append(view.Rulesets, homeEntry{Title: say.Capitalise(id), Path: id + "/index.html"})
		}
	}
	s.write(w, status, "error", view)
}

// mostMeant is how many definitions the page lists that an address may have meant.
const mostMeant = 8

// book is the book of the edition that a path names.
func (s *server) book(r *http.Request) (*library.Edition, *bookView, error) {
	ruleset, revision, _ := strings.Cut(r.PathValue("ruleset"), "@")
	e, err := s.library.Shelf().Find(ruleset, revision)
	if err != nil {
		return nil, nil, err
	}
	return e, s.bookOf(s.library.Shelf(), e), nil
}

func (s *server) bookOf(shelf *library.Shelf, e *library.Edition) *bookView {
	b, err := s.books.find(shelf, e, func() (*bookView, error) { return newBook(e, false), nil })
	must.Succeed(err)
	return b
}
