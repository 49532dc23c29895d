package site_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestAddressKeepsTheAnswer rolls without faces: the browser is led to an address, which shows the same faces however often
// it is opened.
func TestAddressKeepsTheAnswer(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(server.URL+"/tempestas/try/test", form)
	if status, _ := read(t, answer, err); status != http.StatusSeeOther {
		t.Fatalf("status %d", status)
	}
	address := answer.Header.Get("Location")
	for _, want := range []string{"fell=seed+", "in.name=navigation", "in.difficulty=hard", "revision=", "rules=",
		url.QueryEscape(`{"skills":{"navigation":90}}`)} {
		if !strings.Contains(address, want) {
			t.Errorf("%s has no %s", address, want)
		}
	}
	var pages []string
	for range 2 {
		answer, err := http.Get(server.URL + address)
		_, text := read(t, answer, err)
		pages = append(pages, text)
	}
	expect(t, pages[0], "Link to this answer", `class="headline`)
	if pages[0] != pages[1] {
		t.Error("the address shows another answer")
	}
	// Rolling again from there draws anew, whatever faces the page holds.
	form.Set("fell", "seed 7")
	answer, err = client.PostForm(server.URL+"/tempestas/try/test", form)
	read(t, answer, err)
	if again := answer.Header.Get("Location"); again == address || strings.Contains(again, "fell=seed+7&") {
		t.Errorf("%s once more", again)
	}
}

// TestAddressByHandMeansWhatItSays types a few fields of an address: 80 less 30 is 50, and 43 is under it. The rest is as
// in the example that ships.
func TestAddressByHandMeansWhatItSays(t *testing.T) {
	server, _ := serve(t, "tempestas")
	get := func(query string) string {
		answer, err := http.Get(server.URL + "/tempestas/try/test?" + query)
		_, text := read(t, answer, err)
		return text
	}
	text := get("as=ada&in.difficulty=hard&dice=43&ch.skills.navigation=80")
	expect(t, text, "<dt>Active Value</dt><dd>50</dd>", "<dt>Success</dt><dd>yes</dd>",
		`name="in.difficulty" value="hard" checked`)
	if text := get("as=ada&in.difficulty=hard"); strings.Contains(text, `class="headline"`) {
		t.Error("it is rolled though nobody asked for a roll")
	}
	// Asked without faces: they fall once, and the address has them.
	answer, err := http.Get(server.URL + "/tempestas/try/test?asked=yes&in.name=navigation&" +
		url.Values{"character": {`{"skills": {"navigation": 90}}`}}.Encode())
	if read(t, answer, err); !strings.HasPrefix(answer.Request.URL.Query().Get("fell"), "seed ") {
		t.Errorf("led to %s", answer.Request.URL)
	}
	expect(t, get("dice=43&revision=0.0.9"), "This was asked of revision 0.0.9, which is not here")
	expect(t, get("dice=43&revision="+edition(t, "tempestas").Plan.Revision+"&homebrew=grim"),
		"with the homebrew grim, which is not here")
	expect(t, get("dice=43&revision="+edition(t, "tempestas").Plan.Revision+"&rules=0123456789abcdef"),
		"The rules have changed since this was asked")
}

// TestLongCharacterStaysInTheBrowser sends a character that is too long for an address: without the script it is answered
// at once, with it the address has the digest under which the browser keeps it, and says so where the character is missing.
func TestLongCharacterStaysInTheBrowser(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("dice", "43")
	form.Set("character", longCharacter())
	answer, err := http.PostForm(server.URL+"/tempestas/try/test", form)
	if _, text := read(t, answer, err); answer.Request.URL.RawQuery != "" || strings.Contains(text, "Link to this answer") {
		t.Error("there is an address for it")
	}
	form.Set("stored", "0123abcd")
	answer, err = http.PostForm(server.URL+"/tempestas/try/test", form)
	_, text := read(t, answer, err)
	if got := answer.Request.URL.Query(); got.Get("stored") != "0123abcd" || got.Has("character") {
		t.Errorf("led to %s", answer.Request.URL)
	}
	expect(t, text, `data-stored="0123abcd"`, "The character of this link is not in this browser")
	if strings.Contains(text, `class="headline"`) {
		t.Error("it is answered without its character")
	}
	form = answer.Request.URL.Query()
	form.Set("character", longCharacter())
	form.Set("here", "yes")
	answer, err = http.PostForm(server.URL+"/tempestas/try/test", form)
	_, text = read(t, answer, err)
	expect(t, text, "<dt>Success</dt><dd>yes</dd>", "Link to this answer")
}

func longCharacter() string {
	var out strings.Builder
	out.WriteString(`{"skills": {"navigation": 90`)
	for i := range 200 {
		out.WriteString(`, "` + strings.Repeat("x", i+1) + `": 1`)
	}
	return out.String() + "}}"
}

var stepForm = regexp.MustCompile(`<form method="post" action="task" class="play" id="ask">`)

// TestPlayHasAnAddress begins a task and rolls: each page has an address of its own, which shows the same play again, and
// looking at it rolls nothing.
func TestPlayHasAnAddress(t *testing.T) {
	p := carpentry(t)
	form := url.Values{"do": {"event roll"}, "asked": {"yes"}}
	for _, m := range hidden.FindAllStringSubmatch(p.page, -1) {
		form.Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	answer, err := http.PostForm(p.server.URL+p.path, form)
	_, rolled := read(t, answer, err)
	answer, err = http.Get(answer.Request.URL.String())
	_, again := read(t, answer, err)
	if !stepForm.MatchString(rolled) || rolled != again {
		t.Error("the address shows another play")
	}
	answer, err = http.Get(answer.Request.URL.String() + "&do=event+roll")
	if _, text := read(t, answer, err); strings.Count(text, `value="undo" class="quiet`) != 1 || strings.Contains(text, `value="back 1"`) {
		t.Error("an address rolls")
	}
}
