package site_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// navigation is the form of Ada's hard navigation: 90 less 30 is an Active Value of 60.
func navigation() url.Values {
	return url.Values{"asked": {"yes"}, "in.name": {"navigation"}, "in.difficulty": {"hard"}, "in.complications": {"0"},
		"character": {`{"skills": {"navigation": 90}}`}}
}

// post sends a form and gives the page that answers.
func post(t *testing.T, server *httptest.Server, path string, form url.Values) string {
	t.Helper()
	answer, err := http.PostForm(server.URL+path, form)
	status, text := read(t, answer, err)
	if status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, status, text)
	}
	return text
}

func expect(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestPlotsHaveNoStyleOfTheirOwn reads a page with plots: a style within a page is refused by the policy that the page
// comes with, and bars would be black on black.
func TestPlotsHaveNoStyleOfTheirOwn(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("odds", "all")
	text := post(t, server, "/tempestas/try/test", form)
	if !strings.Contains(text, `<svg class="plot"`) || strings.Contains(text, "<style") || strings.Contains(text, ` style="`) {
		t.Errorf("no plot, or a style in %s", text)
	}
	answer, err := http.Get(server.URL + "/style.css")
	_, style := read(t, answer, err)
	expect(t, style, ".plot .bar {", ".plot text {")
}

var keptField = regexp.MustCompile(`name="kept" value="([^"]*)"`)

// TestTwoSettings keeps a hard test and asks for a moderate one: both stand beside each other, named by what differs.
func TestTwoSettings(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("do", "keep")
	text := post(t, server, "/tempestas/try/test", form)
	kept := keptField.FindStringSubmatch(text)
	if kept == nil {
		t.Fatalf("nothing is kept in %s", text)
	}
	if strings.Contains(text, `class="headline"`) {
		t.Error("keeping a setting rolled")
	}
	form.Del("do")
	form.Set("kept", html.UnescapeString(kept[1]))
	form.Set("in.difficulty", "moderate")
	text = post(t, server, "/tempestas/try/test/odds", form)
	expect(t, text, `<th scope="col">Difficulty Hard</th><th scope="col">Difficulty Moderate</th>`,
		// 90 - 30 and 90 - 10, less 1 to 4, and 1 heroic above
		`<th scope="row">Success</th><td>yes in 57%</td><td>yes in 77%</td>`,
		// Tens of a success: of 10,000 pairs of 1 to 100, 5,580 and 2,556.
		"When both are rolled, Difficulty Moderate is more with 55.8%, less with 25.56%. In the first order Difficulty Moderate "+
			"dominates Difficulty Hard.",
		`class="bar s1"`, "Difficulty Hard: mean", "<th scope=\"col\">Difficulty Moderate, at least</th>")
	form.Set("do", "drop")
	if text = post(t, server, "/tempestas/try/test", form); keptField.MatchString(text) {
		t.Error("the setting is still kept")
	}
}

// TestAddressTellsFields follows a link that tells one field: the example tells the others, and what is told is not
// passed over. Ada's 90 less 10 is 80: of 100 numbers 5 to 80 succeed, and 1 heroic one above.
func TestAddressTellsFields(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/try/test?as=ada&odds=all&in.difficulty=moderate")
	status, text := read(t, answer, err)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	expect(t, text, `name="in.difficulty" value="moderate" checked`, "yes in 77%")
	answer, err = http.Get(server.URL + "/tempestas/try/test?as=ada&in.difficulty=absurd")
	_, text = read(t, answer, err)
	expect(t, text, "must be one of &#34;standard&#34;")
}

// TestGridAtTheEndOfNumbers varies an input without a greatest value around the greatest number that there is: the values
// come to an end, for one input and for two.
func TestGridAtTheEndOfNumbers(t *testing.T) {
	server, _ := serve(t, "tempestas")
	for _, damage := range []string{"9223372036854775797", "9223372036854775807"} {
		form := url.Values{"asked": {"yes"}, "in.using.name": {"navigation"}, "in.using.difficulty": {"hard"},
			"in.damage": {damage}, "character": {`{"skills": {"navigation": 90}}`}, "vary": {"damage"}}
		expect(t, post(t, server, "/tempestas/try/attack/odds", form), "Over Damage")
		form.Set("vary2", "using.difficulty")
		expect(t, post(t, server, "/tempestas/try/attack/odds", form), "Over Damage and Using, difficulty")
	}
}

// TestGridOverTwoInputs asks for the odds over difficulty and complications, points that are subtracted too.
func TestGridOverTwoInputs(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("vary", "difficulty")
	text := post(t, server, "/tempestas/try/test/odds", form)
	expect(t, text, `<tr><th scope="row">Success</th><td>Standard, Moderate, Hard</td><td>Standard, Moderate</td>`+
		`<td>none of these</td></tr>`)
	if strings.Contains(text, `<th scope="row">Fools Failure</th><td>none`) {
		t.Error("a chance that is never reached is listed")
	}
	form.Set("vary2", "complications")
	text = post(t, server, "/tempestas/try/test/odds", form)
	expect(t, text, "<h3>Over Difficulty and Complications</h3>", "<caption>Success</caption>",
		`<tr><th scope="row">Hard</th><td class="number shade-5">57%</td>`)
}

// TestGridOverTheCharacter asks from which skill on a hard test succeeds three times in four. A hard one takes 30 from the
// skill, 1 to 4 fail and one more is heroic: 57 of 100 with 90, and so 50 with 83 and 75 with 108.
func TestGridOverTheCharacter(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("vary", "character.skills.navigation")
	text := post(t, server, "/tempestas/try/test/odds", form)
	expect(t, text, "<h3>Over Navigation</h3>",
		`<tr><th scope="row">Success</th><td>85 to 140</td><td>110 to 140</td>`) // 52 and 77 of 100, by fives
}

// TestManyOutputsAreAskedOneByOne shows the odds of an attack of haze, whose fourteen outputs at once meet more states than
// this server's budget has: each by itself meets a few. That they are those of the joint distribution, the tests of
// tempestas hold.
func TestManyOutputsAreAskedOneByOne(t *testing.T) {
	server, _ := serve(t, "haze")
	answer, err := http.Get(server.URL + "/haze/try/attack?odds=all")
	_, text := read(t, answer, err)
	expect(t, text, "<dt>Success</dt><dd>yes in ", "<strong>Damage</strong>")
	if strings.Contains(text, "exact odds need") {
		t.Errorf("refused: %s", text)
	}
}

// TestOptionalRecordsStayAway opens the form of a rule whose example lacks an optional record, of which a member has a
// default: the record is not begun by that.
func TestOptionalRecordsStayAway(t *testing.T) {
	server, _ := serve(t, "supermen")
	answer, err := http.Get(server.URL + "/supermen/try/throw")
	_, text := read(t, answer, err)
	if strings.Contains(text, "input.at.opponents: is missing") {
		t.Error("the form begins a record that it cannot complete")
	}
}
