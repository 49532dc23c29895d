package site

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/eventstream"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
)

// Handler returns the handler of the pages and of the files that they need.
//
// Pages that count odds or play cases go through the gate (limitOdds); those that only show text do not. A form is sent
// by POST, because a character is too long for an address. The same page answers GET, by which a link opens it with
// fields filled in, and by which an answer is shown again (address.go).
func Handler(l *library.Library, o Options) http.Handler {
	s := &server{library: l, templates: parseTemplates(), odds: newOddsCache(), Options: o}
	m := http.NewServeMux()
	if s.Sessions != nil {
		all := http.NewServeMux() // of its own: a ruleset in a pattern stands for every name
		all.Handle("/session/", s.sessionRoutes())
		all.Handle("/", m)
		s.addBookRoutes(m)
		return all
	}
	s.addBookRoutes(m)
	return m
}

// addBookRoutes adds all that is below a ruleset, and the first page.
func (s *server) addBookRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /{$}", s.showHome)
	m.HandleFunc("GET /style.css", serveAsset("text/css; charset=utf-8", styleSheet))
	m.HandleFunc("GET /live.js", serveAsset("text/javascript; charset=utf-8", script))
	m.HandleFunc("GET /store.js", serveAsset("text/javascript; charset=utf-8", storeScript))
	m.HandleFunc("GET /gone.js", serveAsset("text/javascript; charset=utf-8", goneScript))
	m.HandleFunc("GET /characters.js", serveAsset("text/javascript; charset=utf-8", charactersScript))
	m.HandleFunc("GET /rulings.js", serveAsset("text/javascript; charset=utf-8", rulingsScript))
	m.HandleFunc("GET /screen.js", serveAsset("text/javascript; charset=utf-8", screenScript))
	m.HandleFunc("GET /session.js", serveAsset("text/javascript; charset=utf-8", sessionScript))
	m.HandleFunc("GET /generation", s.streamGenerations)
	m.Handle("GET /dice", s.limitOdds(s.showDice))
	m.HandleFunc("GET /search", s.showSearchAll)
	m.HandleFunc("POST /dice", s.rollDice)
	m.HandleFunc("GET /{ruleset}/{$}", s.showContents)
	m.HandleFunc("GET /{ruleset}/{page}", s.showPage)
	m.HandleFunc("GET /{ruleset}/characters", s.showCharacters)
	m.HandleFunc("GET /{ruleset}/character", s.showSheet)
	m.HandleFunc("POST /{ruleset}/character", s.showSheet)
	m.HandleFunc("GET /{ruleset}/rulings", s.showRulings)
	m.Handle("GET /{ruleset}/screen", s.limitOdds(s.showScreen))
	m.Handle("POST /{ruleset}/screen", s.limitOdds(s.showScreen))
	m.HandleFunc("GET /{ruleset}/search", s.showSearch)
	m.Handle("GET /{ruleset}/changes", s.limitOdds(s.showChanges))
	m.Handle("GET /{ruleset}/cases", s.limitOdds(s.showCases))
	m.Handle("GET /{ruleset}/try/{name}", s.limitOdds(s.showForm))
	m.Handle("POST /{ruleset}/try/{name}", s.limitOdds(s.showForm))
	m.Handle("POST /{ruleset}/try/{name}/odds", s.limitOdds(s.showOddsPart))
}

// limitOdds puts a page behind the gate of the server, where there is one.
func (s *server) limitOdds(h http.HandlerFunc) http.Handler {
	if s.Gate == nil {
		return h
	}
	return s.Gate(h)
}

// showForm shows the form of a rule or a procedure and, when it was sent, the answer.
func (s *server) showForm(w http.ResponseWriter, r *http.Request) {
	e, b, note, err := s.findAsked(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	if err := r.ParseForm(); err != nil {
		s.writeError(w, r, http.StatusBadRequest, err)
		return
	}
	switch id := r.PathValue("name"); {
	case slices.Contains(e.Program.ProcedureNames(), id):
		s.showPlay(w, r, e, b, id, note)
	case slices.Contains(e.Program.RuleNames(), id):
		s.showRule(w, r, e, b, id, note)
	default:
		s.writeError(w, r, http.StatusNotFound, describe.UnknownIn(e.Plan, "rule", id, describe.EvaluableNames(e.Plan)))
	}
}

// serveAsset serves a file that is part of the program. "no-cache" lets a browser keep it and ask
// each time: after an update of the program the old one must not stay.
func serveAsset(kind string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Write(text)
	}
}

// generationPause is how often a stream looks for a reload.
const generationPause = 200 * time.Millisecond

// streamGenerations tells a page when the rules were loaded anew.
func (s *server) streamGenerations(w http.ResponseWriter, r *http.Request) {
	stream, err := eventstream.Open(w, r)
	must.Succeed(err)
	defer stream.Close()
	tick := time.NewTicker(generationPause)
	defer tick.Stop()
	for {
		last := s.library.Generation()
		if !stream.Send("", strconv.AppendUint(nil, last, 10)) {
			return
		}
		for s.library.Generation() == last {
			if !eventstream.Wait(stream, tick.C) {
				return
			}
		}
	}
}
