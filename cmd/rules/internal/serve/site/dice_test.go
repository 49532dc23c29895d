package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestDiceSideBySide compares two dice with one: 7 or more in 21 of 36 and 6 of 12, at most 2 in 1 of 36 and 2 of 12. Of 36
// throws 2 or less come once and 12 once, so that 3 to 11 are nine in ten and more.
func TestDiceSideBySide(t *testing.T) {
	server, _ := serve(t, "tempestas")
	get := func(query string) string {
		t.Helper()
		answer, err := http.Get(server.URL + "/dice?" + query)
		status, text := read(t, answer, err)
		if status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
		return text
	}
	expect(t, get("e=2d6&e=1d12&show=at-least"), "<b>7</b> <span class=\"soft\">on average, at least nine in ten from 3 to 11",
		"<b>6.5</b>", `<th scope="row">7</th><td class="num">58.3333%</td><td class="num">50.0000%</td>`, `class="line s1"`,
		`<h2 id="pl">Chance of at least</h2>`, `text-anchor="end">50%</text>`)
	expect(t, get("e=2d6,1d12&show=at-most"), `<th scope="row">2</th><td class="num">2.7778%</td><td class="num">16.6667%</td>`)
	expect(t, get("e=2d6&e=2y6&e=1d12"), `value="2y6"`, `aria-invalid="true"`, `<th scope="row">12</th>`)
	if text := get("e=2d6&roll=0"); strings.Contains(text, "rolled-n") && !strings.Contains(text, "seed") {
		t.Error("an address without a seed rolls")
	}

	// A roll has an address, which shows it again: four and what the die shows.
	answer, err := http.PostForm(server.URL+"/dice", url.Values{"e": {"2d6", "1d2+4"}, "roll": {"1"}, "show": {"at-most"}})
	_, text := read(t, answer, err)
	if !regexp.MustCompile(`role="status">(5</b> <span class="soft">1|6</b> <span class="soft">2) </span>`).MatchString(text) {
		t.Errorf("no roll of 1d2+4 in %s", text)
	}
	answer, err = http.Get(answer.Request.URL.String())
	if _, again := read(t, answer, err); again != text || answer.Request.URL.Query().Get("show") != "at-most" {
		t.Errorf("%s shows another roll", answer.Request.URL)
	}
}
