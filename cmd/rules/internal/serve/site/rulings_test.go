package site_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestRulingsOfAGroup opens the rulings of an address: what is played otherwise is marked, the contradiction that the book
// prints stands beside it, and so does a case that shows what changes. 66 less a handicap of 15 is 51, and 51 is above an
// Active Value of 50: a failure. Taken from the value, the handicap leaves 35 of 50, and 66 is above that too.
func TestRulingsOfAGroup(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/rulings?option.handicap_from=roll&option.heroic_band=up&option.no_such=x")
	status, text := read(t, answer, err)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	// What is played anyway is no ruling of the group; what the book does not have is told, and stays in the address.
	if got := answer.Request.URL.RawQuery; got != "option.handicap_from=roll&option.no_such=x" {
		t.Errorf("the address has %s", got)
	}
	expect(t, text, "<b>1 of 18</b> is not as ruled here", "no such ruling as the link names: no such: x",
		`name="option.handicap_from" value="roll" checked`, `name="option.heroic_band" value="up" checked data-release`,
		`<span class="tag mine">yours</span>`, "Active Value <del>35</del> → <b>50</b>",
		"with a skill of 90 and an Active Value of 60, every roll above 60 fails", "&#34;handicap_from&#34;: &#34;roll&#34;")
	if strings.Count(text, "yours") != 1 {
		t.Error("another ruling is called theirs")
	}
	// The page of the option says which rules read it, and leads to their forms under each value, and back here.
	answer, err = http.Get(server.URL + "/tempestas/rulings.html")
	_, text = read(t, answer, err)
	expect(t, text, `href="rulings#ruling.heroic_band"`, `<a href="try/test?option.heroic_band=none">none</a>`)
}
