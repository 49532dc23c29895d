package site

// # A table in the browser
//
// Package session decides all that happens at a table. These pages show it: how one begins a session, how one enters it,
// and the table itself, whose parts come anew with each event. What is rolled is asked on the form of its rule, as
// everywhere: the field "at" of its address names the table, and its bar then has a button that rolls there.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/say"
)

// atField names the table at which a form is asked.
const atField = "at"

// doTable is the value of the field "do" by which a form rolls at its table. The field "how" holds one of the ways below.
const (
	doTable     = "table"
	howField    = "how"
	howHidden   = "hidden"   // only the master sees it
	howTogether = "together" // with dice that nobody can choose
)

// sessionRoutes returns the handler of the tables, below /session/.
func (s *server) sessionRoutes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /session/{$}", s.showBegin)
	m.HandleFunc("POST /session/{$}", s.beginSession)
	m.HandleFunc("GET /session/{id}/{$}", s.showTable)
	m.HandleFunc("POST /session/{id}/enter", s.enterTable)
	m.HandleFunc("POST /session/{id}/do", s.actAtTable)
	m.HandleFunc("GET /session/{id}/events", s.streamTable)
	m.HandleFunc("GET /session/{id}/play", s.streamPlay)
	m.HandleFunc("GET /session/{id}/transcript", s.sendTranscript)
	m.HandleFunc("GET /session/{id}/receipt/{n}", s.sendReceipt)
	return m
}

// A beginPage is the form that begins a session.
type beginPage struct {
	page
	Rulesets []choiceView
	Called   string
	Error    string
}

func (s *server) showBegin(w http.ResponseWriter, r *http.Request) {
	s.writeBegin(w, http.StatusOK, "", r.URL.Query().Get("ruleset"), "")
}

func (s *server) writeBegin(w http.ResponseWriter, status int, called, ruleset, wrong string) {
	v := beginPage{page: s.newPage("Play together", 1), Called: called, Error: wrong}
	v.IsText = false
	for _, id := range s.library.Shelf().Rulesets() {
		v.Rulesets = append(v.Rulesets, choiceView{Value: id, Label: say.Capitalise(id), Selected: id == ruleset})
	}
	s.write(w, status, "begin", v)
}

func (s *server) beginSession(w http.ResponseWriter, r *http.Request) {
	ruleset, called := r.FormValue("ruleset"), strings.TrimSpace(r.FormValue("called"))
	if !slices.Contains(s.library.Shelf().Rulesets(), ruleset) {
		s.writeBegin(w, http.StatusUnprocessableEntity, called, ruleset, "Choose the rules that you play by.")
		return
	}
	id, code, err := s.Sessions.Begin(cmp.Or(called, say.Capitalise(ruleset)), ruleset)
	if err != nil {
		s.writeBegin(w, http.StatusUnprocessableEntity, called, ruleset, say.Capitalise(err.Error())+".")
		return
	}
	place, err := s.Sessions.Sit(id, session.Master+"."+code)
	must.Succeed(err)
	place.Keep(w)
	http.Redirect(w, r, id+"/", http.StatusSeeOther)
}

// An enterPage asks for the code of a link. The script of the page has it already.
type enterPage struct {
	page
	Code, Name, Error string
}

func (s *server) writeEnter(w http.ResponseWriter, r *http.Request, status int, err error) {
	v := enterPage{page: s.newPage("Enter the table", 2), Code: r.PostForm.Get("code"), Name: r.PostForm.Get("name")}
	v.IsText = false
	if err != nil {
		v.Error = say.Capitalise(err.Error()) + "."
	}
	s.write(w, status, "enter", v)
}

func (s *server) enterTable(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.Enter(r.PathValue("id"), r.FormValue("code"), r.FormValue("name"))
	if err != nil {
		s.writeEnter(w, r, statusOfTable(err), err)
		return
	}
	place.Keep(w)
	http.Redirect(w, r, "./", http.StatusSeeOther)
}

// statusOfTable returns the status by which an error of a table is answered.
func statusOfTable(err error) int {
	switch {
	case errors.Is(err, session.ErrNotHere):
		return http.StatusForbidden
	case errors.Is(err, session.ErrGreedy):
		return http.StatusTooManyRequests
	}
	return http.StatusConflict
}

// A tablePage is a table as one of those who sit at it sees it.
type tablePage struct {
	page
	*session.View
	ID        string
	IsMaster  bool
	Seat      *session.Seat // of the player; nil of anybody else
	Links     []tableLink   // that the master gives to others, and a player to another device
	IsOutside bool          // other devices cannot reach the address by which the page was opened
	Addresses []string      // by which they may
	Rolls     []rollView
	Plays     []linkView // procedures
	IsCut     bool       // the first lines of the log are left out
}

// A tableLink is a link to the table.
type tableLink struct{ For, URL string }

func (s *server) showTable(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	if err != nil {
		s.writeEnter(w, r, http.StatusOK, nil)
		return
	}
	v := newTablePage(place, r.URL.Query().Has("all"))
	e, b, err := s.editionOf(v.State.Begin.Ruleset)
	if err != nil {
		s.writeError(w, r, http.StatusServiceUnavailable, err)
		return
	}
	v.page = s.newPage(v.State.Begin.Title, 2)
	v.IsText, v.Book, v.Up = false, b, v.Top+v.State.Begin.Ruleset+"/"
	v.addLinks(place, r.Host)
	v.addRolls(e, b)
	if v.Addresses = s.Reach(); isLoopback(r.Host) {
		v.IsOutside = true
	}
	s.write(w, http.StatusOK, "table", v)
}

// mostEntries is the number of lines of the log that a page or an event has at most, unless the whole log is asked for.
const mostEntries = 60

func newTablePage(place *session.Place, all bool) *tablePage {
	v := &tablePage{View: place.View(place.Who, 0), ID: place.ID, IsMaster: place.Who == session.Master}
	for i := range v.State.Seats {
		if v.State.Seats[i].ID == place.Who {
			v.Seat = &v.State.Seats[i]
		}
	}
	if !all {
		v.cutEntries()
	}
	slices.Reverse(v.Entries)
	return v
}

// cutEntries leaves out the first lines of a long log.
func (v *tablePage) cutEntries() {
	if n := len(v.Entries); n > mostEntries {
		v.Entries, v.IsCut = v.Entries[n-mostEntries:], true
	}
}

// editionOf returns the newest edition of a ruleset, and its book.
func (s *server) editionOf(ruleset string) (*library.Edition, *bookView, error) {
	shelf := s.library.Shelf()
	e, err := shelf.Find(ruleset, "")
	if err != nil {
		return nil, nil, err
	}
	return e, s.bookOf(shelf, e), nil
}

// isLoopback reports whether only this machine can reach a host.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (v *tablePage) addLinks(place *session.Place, host string) {
	add := func(whom, code string) {
		v.Links = append(v.Links, tableLink{whom, "http://" + host + "/session/" + v.ID + "/#" + code})
	}
	if codes := place.Codes(); v.IsMaster {
		add("For players", "players."+codes.Players)
		add("For spectators", session.Spectator+"."+codes.Spectators)
		add("Your own, for another device: whoever has it is the master", place.Key)
	} else if v.Seat != nil {
		add("Your own, for another device", place.Key)
	}
}

// addRolls lists the rules that the master or a player can roll, and the procedures that all can play.
func (v *tablePage) addRolls(e *library.Edition, b *bookView) {
	own := url.Values{atField: {v.ID}}
	switch {
	case v.Seat != nil && v.Seat.Character != nil:
		v.Rolls = rollsOf(e, b, e.Program.RuleNames(), v.Seat.Character, own, v.Up)
	case v.IsMaster:
		for _, id := range e.Program.RuleNames() {
			if needs := describe.NeedsOf(e.Plan, id); len(needs.Dice) > 0 {
				v.Rolls = append(v.Rolls, rollView{Title: needs.Title(), Link: v.Up + "try/" + id + withQuery(own)})
			}
		}
	default:
		return
	}
	for _, id := range e.Program.ProcedureNames() {
		v.Plays = append(v.Plays, linkView{describe.NeedsOf(e.Plan, id).Title(), v.Up + "try/" + id + withQuery(own)})
	}
}

func (s *server) actAtTable(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	if err == nil {
		if err = r.ParseForm(); err == nil {
			err = s.checkFit(place, r.PostForm)
		}
		if err == nil {
			err = place.Act(r.PostForm)
		}
	}
	isScript := r.Header.Get("Accept") == "text/plain"
	switch {
	case err != nil && isScript:
		http.Error(w, say.Capitalise(err.Error())+".", statusOfTable(err))
	case err != nil:
		s.writeError(w, r, statusOfTable(err), err)
	case isScript:
		w.WriteHeader(http.StatusNoContent)
	default:
		http.Redirect(w, r, "./", http.StatusSeeOther)
	}
}

// checkFit refuses a character that is none of the rules that are played, and rulings that they do not have.
func (s *server) checkFit(place *session.Place, form url.Values) error {
	e, _, err := s.editionOf(place.State().Begin.Ruleset)
	if err != nil {
		return err
	}
	switch form.Get("do") {
	case "bring":
		return jsonadvice.Fits(e.Program, []byte(form.Get("character")))
	case "rule":
		var rulings session.Rulings
		if names := e.Program.RuleNames(); json.Unmarshal([]byte(form.Get("rulings")), &rulings) == nil && len(names) > 0 {
			_, err = e.Program.Rule(names[0], runtime.Choice{Options: rulings.Options})
		}
	}
	return err
}

// A tableNews is what an event brings to a page: entries of the log, by their number, and the parts that are live.
type tableNews struct {
	Entries []newsEntry       `json:"entries"`
	IsCut   bool              `json:"isCut,omitempty"` // entries are missing between the page's and these
	Parts   map[string]string `json:"parts"`           // by the id of their element
}

type newsEntry struct {
	N    int    `json:"n"`
	HTML string `json:"html"`
}

// liveParts are the parts of a table's page that come anew with each event, by the id of their element.
var liveParts = []string{"undecided", "play", "party", "round", "turns", "head-line"}

func (s *server) streamTable(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	if err == nil {
		err = place.Stream(w, r, func(view *session.View) []byte { return s.renderNews(place, view) })
	}
	if err != nil {
		http.Error(w, err.Error(), statusOfTable(err))
	}
}

func (s *server) streamPlay(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	if err == nil {
		err = place.StreamPlay(w, r)
	}
	if err != nil {
		http.Error(w, err.Error(), statusOfTable(err))
	}
}

func (s *server) renderNews(place *session.Place, view *session.View) []byte {
	v := &tablePage{View: view, ID: place.ID, IsMaster: place.Who == session.Master}
	draw := func(name string, data any) string {
		var b bytes.Buffer
		must.Succeed(s.templates["table"].ExecuteTemplate(&b, name, data))
		return b.String()
	}
	v.cutEntries()
	news := tableNews{IsCut: v.IsCut, Parts: map[string]string{}}
	for _, e := range v.Entries {
		news.Entries = append(news.Entries, newsEntry{e.N, draw("entry", v.Line(e))})
	}
	for _, part := range liveParts {
		news.Parts[part] = draw(part, v)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	must.Succeed(e.Encode(news))
	return bytes.TrimSpace(out.Bytes())
}

// sendReceipt sends the receipt of a roll, as a file that "rules verify" reads.
func (s *server) sendReceipt(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	var roll *session.Roll
	if err == nil {
		roll, err = place.RollOf(r.PathValue("n"))
	}
	if err != nil {
		http.Error(w, err.Error(), statusOfTable(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	must.Succeed(jsontext.PrintIndented(w, roll.Receipt))
}

func (s *server) sendTranscript(w http.ResponseWriter, r *http.Request) {
	place, err := s.Sessions.PlaceOf(r, r.PathValue("id"))
	if err != nil {
		http.Error(w, err.Error(), statusOfTable(err))
		return
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+place.ID+`.jsonl"`)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(place.Transcript(place.Who))
}

// A logLine is an entry of the log in words.
type logLine struct {
	session.Entry
	Name, Text string
	Roll       *session.Roll
	Time       string
	Dice       string // whence the faces are
	CanBack    bool
	CanShow    bool
}

// Line returns an entry in words. Of a record that only matters to the dice, Text is empty.
func (v *tablePage) Line(e session.Entry) *logLine {
	out := &logLine{Entry: e}
	r := e.Record
	if r == nil {
		out.Name, out.Text = v.State.NameOf(session.Master), "does something that is hidden"
		return out
	}
	out.Name, out.Time = v.State.NameOf(e.By), time.UnixMilli(r.At).UTC().Format("15:04")
	name := v.State.NameOf
	switch {
	case r.Begin != nil:
		out.Name, out.Text = r.Begin.Title, "begins"
	case r.Join != nil:
		out.Text = "joins"
	case r.Bring != nil:
		out.Text = "plays " + r.Bring.Called
	case r.Roll != nil:
		out.addRoll(v, r)
	case r.Fell != nil:
		asked := strings.TrimSuffix(r.Fell.Title+", "+r.Fell.Asked, ", ")
		out.Text = fmt.Sprintf("rolls %s: %s, and decides now", asked, r.Fell.Dice)
		out.Name = cmp.Or(r.Fell.Who, out.Name)
	case r.Play != nil:
		out.Text = r.Play.Title + ", " + r.Play.Asked
		for _, more := range []string{r.Play.Headline, r.Play.Dice} {
			if more != "" {
				out.Text += ": " + more
			}
		}
	case r.Rulings != nil:
		out.Text = rulingsText(len(r.Rulings.Options))
	case r.Back != nil:
		out.Text = fmt.Sprintf("takes line %d back", r.Back.N)
	case r.Show != nil:
		out.Text = fmt.Sprintf("shows the hidden roll %d", r.Show.N)
	case r.Open != nil:
		out.Text = "wants to roll " + strings.TrimSuffix(r.Open.Told.Title+", "+r.Open.Told.Asked, ", ") +
			" with dice that nobody can choose"
	case r.Omit != nil:
		out.Text = "goes on without " + name(r.Omit.Who) + ", who did not come in time"
	case r.CallOff != nil:
		out.Text = "calls the dice off" + strings.TrimSuffix(": "+r.CallOff.Why, ": ")
	case r.Remove != nil:
		out.Text = "takes " + name(r.Remove.Who) + " from the table"
	case r.Torn != nil:
		out.Text = fmt.Sprintf("was stopped while it wrote: %d bytes that nobody was told of are cut off", r.Torn.Bytes)
	case r.End != nil:
		out.Text = "ends the session"
	}
	return out
}

// rulingsText says how many rulings are not as the rules have them.
func rulingsText(n int) string {
	switch n {
	case 0:
		return "plays all rulings as the rules have them"
	case 1:
		return "plays one ruling otherwise than the rules have it"
	}
	return fmt.Sprintf("plays %d rulings otherwise than the rules have them", n)
}

// RulingsText returns the rulings of the table, as a file has them; "" where all are as the rules have them.
func (v *tablePage) RulingsText() string {
	if len(v.State.Rulings) == 0 {
		return ""
	}
	text, err := json.MarshalIndent(session.Rulings{Options: v.State.Rulings}, "", "  ")
	must.Succeed(err)
	return string(text)
}

// addRoll adds the words of a roll.
func (l *logLine) addRoll(v *tablePage, r *session.Record) {
	roll := *r.Roll
	l.Roll = &roll
	fell := l.Fell
	if r.Roll.Round != 0 || len(fell) > 0 && fell[0].Round != 0 {
		l.Dice = "dice that nobody could choose"
	} else if len(fell) > 0 { // the receipt has the first ones as given
		l.Dice, _ = originsOf(fell[0].Throw)
	} else if proof, err := receipt.ReadReceipt([]byte(indentJSON(r.Roll.Receipt) + "\n")); err == nil {
		switch {
		case len(proof.Dice) == 0:
		case proof.Seed == nil:
			l.Dice = typedFaces
		case proof.Given != nil:
			l.Dice = partlyTyped
		default:
			l.Dice = drawnFaces
		}
	}
	if roll.Who != "" {
		l.Name = roll.Who
	}
	l.CanBack = v.IsMaster && !l.IsBack && !v.State.Ended
	l.CanShow = v.IsMaster && roll.Hidden && !l.IsShown && !v.State.Ended
}

// IsPresent reports whether somebody watches the table now.
func (v *tablePage) IsPresent(who string) bool { return slices.Contains(v.Present, who) }

// Asks returns what the player is to send for the round, as session.Round says; "" for nothing.
func (v *tablePage) Asks() string { return v.State.Round.Asks(v.Who) }

// Names returns the names of several at the table.
func (v *tablePage) Names(who []string) string {
	var out []string
	for _, id := range who {
		out = append(out, v.State.NameOf(id))
	}
	return strings.Join(out, ", ")
}

// Patience returns for how many seconds all wait for one of them.
func (v *tablePage) Patience() int { return session.Patience / 1000 }

// CanOmit reports whether the viewer may go on without another.
func (v *tablePage) CanOmit(who string) bool {
	return v.IsMaster || who != v.Who && slices.Contains(v.State.Round.Open.Among, v.Who)
}
