package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/eventstream"
)

// cookiePrefix begins the names of the cookies that keep a place in a browser.
const cookiePrefix = "seat-"

// cookieAge is for how long a browser keeps a place.
const cookieAge = 400 * 24 * time.Hour

// Keep keeps a place in the browser. Scripts cannot read it, and a page elsewhere cannot act with it.
func (p *Place) Keep(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: cookiePrefix + p.ID, Value: p.Key, Path: "/", MaxAge: int(cookieAge.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// PlaceOf returns the place that a browser keeps at a table. Its error is ErrNotHere.
func (h *Hub) PlaceOf(r *http.Request, id string) (*Place, error) {
	cookie, err := r.Cookie(cookiePrefix + id)
	if err != nil {
		return nil, ErrNotHere
	}
	return h.Sit(id, cookie.Value)
}

// Enter takes a place by the code of a link: "players.CODE" with a name, or "WHO.SECRET" as a browser keeps it.
func (h *Hub) Enter(id, code, name string) (*Place, error) {
	code = strings.TrimSpace(code)
	if i := strings.LastIndexByte(code, '#'); i >= 0 { // a whole link was pasted
		code = code[i+1:]
	}
	if secret, is := strings.CutPrefix(code, "players."); is {
		return h.Join(id, secret, name)
	}
	return h.Sit(id, code)
}

// Act carries out what a form of the page asks for, in its field "do".
func (p *Place) Act(form url.Values) error {
	number := func(name string) int {
		n, err := strconv.Atoi(form.Get(name))
		if err != nil {
			return 0
		}
		return n
	}
	r := &Record{}
	switch form.Get("do") {
	case "bring":
		r.Bring = &Bring{Called: strings.TrimSpace(form.Get("called")),
			Character: compactJSON([]byte(form.Get("character")))}
		if !json.Valid(r.Bring.Character) {
			return errors.New("the character is no JSON")
		}
	case "back":
		r.Back = &Of{number("n")}
	case "show":
		r.Show = &Of{number("n")}
	case "commit":
		r.Commit = &Commit{number("round"), form.Get("commitment")}
	case "reveal":
		r.Reveal = &Reveal{number("round"), form.Get("nonce")}
	case "omit":
		r.Omit = &Omit{number("round"), form.Get("who")}
	case "off":
		r.CallOff = &CallOff{Round: number("round")}
	case "remove":
		r.Remove = &Remove{form.Get("who")}
	case "rule":
		r.Rulings = &Rulings{}
		if text := strings.TrimSpace(form.Get("rulings")); text != "" && json.Unmarshal([]byte(text), r.Rulings) != nil {
			return errors.New("these are no rulings: the page of rulings has them as a file")
		}
		if r.Rulings.Options == nil {
			r.Rulings.Options = map[string]string{}
		}
	case "turns":
		if r.Turns = (&Turns{Order: ReadOrder(form.Get("order"))}); len(r.Turns.Order) > 0 {
			r.Turns.Round = 1
		}
	case "next":
		if r.Turns = p.nextTurn(); r.Turns == nil {
			return errors.New("nobody takes turns")
		}
	case "end":
		r.End = &End{}
	default:
		return fmt.Errorf("%q is nothing that can be done here", form.Get("do"))
	}
	return p.Do(p.Who, r)
}

// ReadOrder reads an order of turns: a line each, a name and after its last colon the value that gave the place.
func ReadOrder(text string) []Turn {
	out := []Turn{}
	for line := range strings.Lines(text) {
		name, value := strings.TrimSpace(line), ""
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name, value = name[:i], name[i+1:]
		}
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, Turn{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return out
}

// nextTurn returns the turns with the next one, or nil where nobody takes any.
func (p *Place) nextTurn() *Turns {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.history.State.Turns
	if now == nil {
		return nil
	}
	out := *now
	if out.Now++; out.Now == len(out.Order) {
		out.Now, out.Round = 0, out.Round+1
	}
	return &out
}

// Stream sends what happens as server-sent events, whose id is the number of the last record in it. A browser that
// connects again names the last one that it has seen, and gets all that came after it in one event.
func (p *Place) Stream(w http.ResponseWriter, r *http.Request, render func(*View) []byte) error {
	after, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	if err != nil {
		after, _ = strconv.Atoi(r.URL.Query().Get("after"))
	}
	watcher, err := p.Watch(p.Who)
	if err != nil {
		return err
	}
	return p.follow(w, r, watcher, func() (*State, int, []byte) {
		v := p.View(p.Who, after)
		after = v.State.N
		return &v.State, after, render(v)
	})
}

// StreamPlay sends the number of the record up to which the play of the table has come, 0 for none, and again with each
// change.
func (p *Place) StreamPlay(w http.ResponseWriter, r *http.Request) error {
	watcher, err := p.WatchBeside(p.Who)
	if err != nil {
		return err
	}
	told := -1
	return p.follow(w, r, watcher, func() (*State, int, []byte) {
		state, step := p.State(), 0
		if state.Play != nil {
			step = state.Play.N
		}
		if step == told {
			return &state, step, nil
		}
		told = step
		return &state, step, []byte(strconv.Itoa(step))
	})
}

// follow sends what there is to tell after each change, with its number, until somebody goes or is removed from the table.
// Nothing is sent where the text is nil. It closes the watcher.
func (p *Place) follow(w http.ResponseWriter, r *http.Request, watcher *Watcher, tell func() (*State, int, []byte)) error {
	defer watcher.Close()
	stream, err := eventstream.Open(w, r)
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		state, n, text := tell()
		if seat := state.findSeat(p.Who); seat != nil && seat.Removed {
			return nil
		}
		if text != nil && !stream.Send(strconv.Itoa(n), text) || !eventstream.Wait(stream, watcher.News) {
			return nil
		}
	}
}
