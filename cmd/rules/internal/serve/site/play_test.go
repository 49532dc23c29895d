package site_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
)

// hidden finds the hidden fields of a page.
var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// A player plays a procedure on its page: it sends the hidden fields of the last page along.
type player struct {
	t      *testing.T
	server *httptest.Server
	path   string
	page   string
}

// send sends a form and gives the page, whose status is to be the one that is wanted.
func (p *player) send(status int, form url.Values) string {
	p.t.Helper()
	for _, m := range hidden.FindAllStringSubmatch(p.page, -1) {
		if name := html.UnescapeString(m[1]); !form.Has(name) {
			form.Set(name, html.UnescapeString(m[2]))
		}
	}
	form.Set("asked", "yes")
	answer, err := http.PostForm(p.server.URL+p.path, form)
	got, text := read(p.t, answer, err)
	if got != status {
		p.t.Fatalf("status %d: %s", got, text)
	}
	p.page = text
	return text
}

// carpentry begins a task of a Target Value of 8 for a carpenter of 60.
func carpentry(t *testing.T) *player {
	server, _ := serve(t, "tempestas")
	p := &player{t: t, server: server, path: "/tempestas/try/task"}
	p.send(http.StatusOK, url.Values{"in.name": {"carpentry"}, "in.target_value": {"8"},
		"character": {`{"skills": {"carpentry": 60}}`}})
	return p
}

// TestPlayHasOdds follows a task to its end. Of a Target Value of 1, which has a single attempt, a roll of 10 to 60 wins,
// 1 to 5 are a Fools Failure, above 60 it is lost, and 6 to 9 succeed with tens of 0, so that it goes on: it is won in 51
// of the 96 that end it, after 100 / 96 rolls.
func TestPlayHasOdds(t *testing.T) {
	server, _ := serve(t, "tempestas")
	p := &player{t: t, server: server, path: "/tempestas/try/task"}
	form := url.Values{"in.name": {"carpentry"}, "in.target_value": {"1"}, "character": {`{"skills": {"carpentry": 60}}`},
		"policy": {"roll: true"}, "do": {"odds"}}
	expect(t, p.send(http.StatusOK, form), `Won</th><td class="num"><b>53 %</b></td>`, "<p>Events until an end: 1.0 on average.</p>")

	// It is followed on from where the play stands, and by another policy.
	form.Del("do")
	expect(t, p.send(http.StatusOK, form), `<p class="headline tone-other">Pool 0 of 1</p>`, `Won</th><td class="num"><b>53 %</b></td>`)
	expect(t, p.send(http.StatusOK, url.Values{"policy": {"nonesuch: true"}}), `<p class="error">`, "nonesuch")
	if text := p.send(http.StatusOK, url.Values{"do": {"noodds"}}); strings.Contains(text, "Events until an end") {
		t.Error("the odds are still shown")
	}
}

// TestEndsBesideKeptOnes keeps a setting of the task above, and lowers the skill: then 10 to 30 win, 21 of 96.
func TestEndsBesideKeptOnes(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := url.Values{"asked": {"yes"}, "in.name": {"carpentry"}, "in.target_value": {"1"}, "policy": {"roll: true"},
		"character": {`{"skills": {"carpentry": 60}}`}, "do": {"keep"}}
	expect(t, post(t, server, "/tempestas/try/task", form), `name="kept" value="`, "Stop comparing",
		"Exact: over every way in which the dice can fall.", "now, the same")
	kept := url.Values{"in.name": {"carpentry"}, "in.target_value": {"1"}, "character": {`{"skills": {"carpentry": 60}}`},
		"policy": {"roll: true"}}
	form.Set("kept", kept.Encode())
	form.Set("do", "")
	form.Set("follow", "yes")
	form.Set("character", `{"skills": {"carpentry": 30}}`)
	expect(t, post(t, server, "/tempestas/try/task/odds", form), `<div data-part="course">`, "character as it was",
		"character as it is", `Won</th><td class="num"><b>53 %</b></td>`, `Won</th><td class="num"><b>22 %</b></td>`)
}

// TestPlayTellsWhatIsNotOffered reads why events are not offered, as their author says it.
func TestPlayTellsWhatIsNotOffered(t *testing.T) {
	expect(t, carpentry(t).page, "<h3>Pay 5 Fatigue</h3><p>Not yet: Nothing is to be paid for",
		"<h3>Decline</h3><p>Not yet: Only a failed roll can be declined")
}

// TestPlayTellsWhy asks why the last roll of a task gave what it gave: 34 is under 60, and its tens are 3.
func TestPlayTellsWhy(t *testing.T) {
	p := carpentry(t)
	p.send(http.StatusOK, url.Values{"do": {"event roll"}, "dice roll": {"34"}})
	expect(t, p.send(http.StatusOK, url.Values{"why": {"offenciancy"}}), "Why Offenciancy is so",
		"Roll 29 instead of 34 → <strong>Offenciancy: 2</strong>")
}

// TestPlayGoesBack rolls three times and goes back to after the first, then to the beginning, and not to where it has not
// been: 23 and 34 are under 60, and their tens are 2 and 3.
func TestPlayGoesBack(t *testing.T) {
	p := carpentry(t)
	for _, face := range []string{"23", "11", "12"} {
		p.send(http.StatusOK, url.Values{"do": {"event roll"}, "dice roll": {face}})
	}
	expect(t, p.page, `value="back 1"`, `value="back 0"`, "Pool 4 of 8")
	expect(t, p.send(http.StatusOK, url.Values{"do": {"back 1"}}), "Pool 2 of 8")
	expect(t, p.send(http.StatusOK, url.Values{"do": {"back 0"}}), "Pool 0 of 8")
	expect(t, p.send(http.StatusUnprocessableEntity, url.Values{"do": {"back 4"}}), "one cannot go back")
}

// TestEventsRollBySeed rolls twice by one seed: in the same place of the play the same faces fall.
func TestEventsRollBySeed(t *testing.T) {
	var faces []string
	for range 2 {
		text := carpentry(t).send(http.StatusOK, url.Values{"do": {"event roll"}, "seed roll": {"7"}})
		found := regexp.MustCompile(`<b>Roll</b> Roll ([0-9]+)`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("nothing was rolled in %s", text)
		}
		faces = append(faces, found[1])
	}
	if faces[0] != faces[1] {
		t.Errorf("%q fell", faces)
	}
	expect(t, carpentry(t).send(http.StatusUnprocessableEntity, url.Values{"do": {"event roll"}, "seed roll": {"x"}}),
		"seed x: a seed is a whole number from 0")
}

// TestPlayHasAReceipt takes the receipt of a play from its page and carries it out again.
func TestPlayHasAReceipt(t *testing.T) {
	p := carpentry(t)
	text := p.send(http.StatusOK, url.Values{"do": {"event roll"}, "dice roll": {"34"}})
	_, rest, _ := strings.Cut(text, "<summary>How it came about, receipt</summary>")
	_, rest, _ = strings.Cut(rest, "data-copy>")
	written, _, _ := strings.Cut(rest, "</pre>")
	r, err := receipt.ReadReceipt([]byte(html.UnescapeString(written)))
	if err != nil {
		t.Fatal(err)
	}
	if found := r.FindMismatches(edition(t, "tempestas").Program); len(found) > 0 || r.Procedure != "task" {
		t.Errorf("%q of %s", found, written)
	}
}

// TestEventDecidesAfterItsRoll rolls a move of supermen: what Quality is spent on is asked when the dice have fallen, and
// the event happens with the same faces. Then it is refused, because the roll takes time, and told what would let it pass.
func TestEventDecidesAfterItsRoll(t *testing.T) {
	server, _ := serve(t, "supermen")
	p := &player{t: t, server: server, path: "/supermen/try/movement"}
	p.send(http.StatusOK, url.Values{"in.segment": {"1"}, "character": {`{"strength": 14, "agility": 12, "constitution": 12, "newoen": 10,
		"learning": 10, "charisma": 10, "height": 1.8, "mass": 100, "body_dp": 5}`}})
	roll := func(status int, do string) string {
		t.Helper()
		return p.send(status, url.Values{"do": {do}, "roll in.segment": {"1"}, "dice roll": {"3,4"},
			"roll in.attacking": {"false"}, "roll in.stressed": {"true"}})
	}
	expect(t, roll(http.StatusOK, "event roll"), "Roll: now decide", `name="roll decide.spend.ep"`,
		`<input type="hidden" name="roll fell" value="3,4">`)
	refused := p.send(http.StatusUnprocessableEntity, url.Values{"do": {"decide roll"}, "roll decide.spend.ep": {"99"},
		"roll decide.spend.turn": {"0"}, "roll decide.spend.defense": {"0"}, "roll decide.spend.speed": {"0"}})
	expect(t, refused, "must be at most 9, not 99", "Roll: now decide", `<input type="hidden" name="roll fell" value="3,4">`)
	text := p.send(http.StatusOK, url.Values{"do": {"decide roll"}, "roll decide.spend.ep": {"1"},
		"roll decide.spend.turn": {"0"}, "roll decide.spend.defense": {"0"}, "roll decide.spend.speed": {"0"}})
	expect(t, text, "<b>Roll</b> Dice 3, 4", `<dt>Rolled</dt><dd>7</dd>`)
	expect(t, roll(http.StatusUnprocessableEntity, "event roll"), "the last Move Roll is not over",
		`value="whynot roll"`, `name="roll in.segment" type="number" value="1"`)
	expect(t, roll(http.StatusOK, "whynot roll"), "Why Roll is refused",
		"Segment 7 instead of 1")
}

// TestEventReadsRows gives a roll of a task a row of a list: the handicap of the arm, 20 points of a skill of 60, is in its
// way, so that 45 fails, which would succeed without.
func TestEventReadsRows(t *testing.T) {
	server, _ := serve(t, "tempestas")
	p := &player{t: t, server: server, path: "/tempestas/try/task"}
	text := p.send(http.StatusOK, url.Values{"in.name": {"carpentry"}, "in.target_value": {"8"},
		"character": {`{"skills": {"carpentry": 60}, "handicaps": {"arm": 20}}`}})
	expect(t, text, `name="roll in.areas[0]"`)
	text = p.send(http.StatusOK, url.Values{"do": {"event roll"}, "dice roll": {"45"}, "roll in.areas[0]": {"arm"}})
	expect(t, text, "Failure", "45 against 40")
}

// TestPageOfPlayHasItsStatus ends the story of friendships, of whose end the headline says nothing.
func TestPageOfPlayHasItsStatus(t *testing.T) {
	server, _ := serve(t, "haze")
	p := &player{t: t, server: server, path: "/haze/try/friends"}
	const ann = `{"abilities": {"strength": 6, "agility": 6, "constitution": 5, "willpower": 4, "wits": 5, "intelligence": 4,
		"wisdom": 4, "charisma": 5, "empathy": 4}, "exhaustion": {"body": 8, "mind": 6, "soul": 6}}`
	const over = `<p class="headline">Over</p>`
	if text := p.send(http.StatusOK, url.Values{"character": {ann}}); strings.Contains(text, over) {
		t.Error("it is over before it is")
	}
	expect(t, p.send(http.StatusOK, url.Values{"do": {"event part"}}), over, "Friends of ")
}
