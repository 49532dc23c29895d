// Package site shows rulesets as pages that compute: the book with its chapters, every rule as a form with its odds beside
// it, procedures event by event, odds of dice.
//
// Pages are made on the server and work without a script; the script that comes with them sends forms as they change and
// puts the answer into the page. A handler reads a form, asks the edition in the library, and fills a view, which a
// template turns into HTML; it computes nothing of the game. The pages of the book are the same files that WriteBook
// writes to a directory: they link to each other by relative paths, and only what asks the server is missing there.
package site

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/style.css
var styleSheet []byte

//go:embed assets/live.js
var script []byte

// Options are the bounds of the pages.
type Options struct {
	Budget int64                                // of states that one question for odds may meet
	Gate   func(next http.Handler) http.Handler // what is asked for odds goes through it; nil for none
	// Party are the characters for which states are compared; nil for none.
	Party    func(*plan.Plan) ([]revisions.Member, error)
	Workshop *Workshop // for authors; nil where sources are not served
}

// A server shows the editions of a library.
type server struct {
	library   *library.Library
	templates map[string]*template.Template
	books     bookCache
	changes   comparisonCache
	reports   reportCache
	Options
}

// Handler answers every path that is a page, or what a page needs.
func Handler(l *library.Library, o Options) http.Handler {
	s := &server{library: l, templates: parseTemplates(), Options: o}
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.showHome)
	m.HandleFunc("GET /style.css", serveAsset("text/css; charset=utf-8", styleSheet))
	m.HandleFunc("GET /live.js", serveAsset("text/javascript; charset=utf-8", script))
	m.HandleFunc("GET /generation", s.streamGenerations)
	m.Handle("GET /dice", s.bounded(s.showDice))
	m.HandleFunc("GET /{ruleset}/{$}", s.showContents)
	m.HandleFunc("GET /{ruleset}/{page}", s.showPage)
	m.HandleFunc("GET /{ruleset}/search", s.showSearch)
	m.Handle("GET /{ruleset}/changes", s.bounded(s.showChanges))
	m.Handle("GET /{ruleset}/cases", s.bounded(s.showCases))
	m.Handle("GET /{ruleset}/try/{name}", s.bounded(s.showForm))
	m.Handle("POST /{ruleset}/try/{name}", s.bounded(s.showForm))
	m.Handle("POST /{ruleset}/try/{name}/odds", s.bounded(s.showOddsPart))
	return m
}

func (s *server) bounded(h http.HandlerFunc) http.Handler {
	if s.Gate == nil {
		return h
	}
	return s.Gate(h)
}

// parseTemplates parses every page with the layout and the parts that pages share.
func parseTemplates() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, name := range []string{"home", "contents", "chapter", "search", "changes", "cases", "try", "play", "dice",
		"error"} {
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
	Static     bool   // nobody answers questions
	Generation uint64
	Book       *bookView
	Query      string
	Problems   []problemView
}

// A problemView is a diagnostic of sources that do not compile.
type problemView struct{ Place, Message, Repair string }

// newPage begins a page; depth is how many directories below the root it lies.
func (s *server) newPage(title string, depth int) page {
	p := page{Title: title, Top: strings.Repeat("../", depth), Generation: s.library.Generation()}
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

func problemsOf(err error, list []diag.Diagnostic) []problemView {
	if list == nil {
		return []problemView{{Message: err.Error()}}
	}
	var out []problemView
	for _, d := range list {
		if d.Severity == diag.Error {
			place := fmt.Sprintf("%s:%d:%d", d.Place.File, d.Place.Line, d.Place.Col)
			out = append(out, problemView{place, d.Subject + ": " + d.Message, d.Repair})
		}
	}
	return out
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
	if _, ok := errors.AsType[*runtime.UnknownError](err); ok {
		status = http.StatusNotFound
	}
	view := struct {
		page
		Error string
	}{s.newPage("Not found", strings.Count(r.URL.Path, "/")-1), err.Error()}
	s.write(w, status, "error", view)
}

func serveAsset(kind string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Write(text)
	}
}

// heartbeat is how often a silent stream says that it is still there.
const heartbeat = 15 * time.Second

// generationPause is how often a stream looks for a reload.
const generationPause = 200 * time.Millisecond

// streamGenerations tells a page, as server-sent events, when the rules were loaded anew.
func (s *server) streamGenerations(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	must.Succeed(ignoreUnsupported(control.SetReadDeadline(time.Time{})))
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	last := s.library.Generation()
	fmt.Fprintf(w, "data: %d\n\n", last)
	tick, spoken := time.NewTicker(generationPause), time.Now()
	defer tick.Stop()
	for control.Flush() == nil {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		switch now := s.library.Generation(); {
		case now != last:
			last = now
			fmt.Fprintf(w, "data: %d\n\n", now)
		case time.Since(spoken) > heartbeat:
			fmt.Fprint(w, ": still here\n\n")
		default:
			continue
		}
		spoken = time.Now()
	}
}

// ignoreUnsupported passes over what a recorder of answers, unlike a connection, cannot do.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
