package site_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestScreenKeepsItsText sends characters of which some or all have no room on the screen: the text comes back whole, and
// the page says why they are not there.
func TestScreenKeepsItsText(t *testing.T) {
	server, _ := serve(t, "tempestas")
	var party []map[string]any
	for i := range 17 {
		party = append(party, map[string]any{"name": fmt.Sprintf("P%02d", i+1), "character": map[string]any{}})
	}
	tooMany, err := json.Marshal(party)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct{ party, said string }{
		"no JSON":            {`[{"name": "Ada", "character": {}`, "no list of objects"},
		"a name of a number": {`[{"name": "Ada", "character": {}}, {"name": 7}]`, "no list of objects"},
		"seventeen":          {string(tooMany), "the text keeps all 17"},
	} {
		answer, err := http.PostForm(server.URL+"/tempestas/screen", url.Values{"party": {x.party}, "pin": {"rule.test"}})
		status, page := read(t, answer, err)
		if page = html.UnescapeString(page); status != http.StatusOK || !strings.Contains(page, ">"+x.party+"</textarea>") ||
			!strings.Contains(page, x.said) {
			t.Errorf("%s: %d\n%s", name, status, page)
		}
		if rows := strings.Count(page, `<th scope="row">P`); name == "seventeen" && rows != 16 {
			t.Errorf("%d characters stand there", rows)
		}
	}
}

// TestRollStaysAtItsTable sends rolls for a table that is not there: they are refused, and fall nowhere else.
func TestRollStaysAtItsTable(t *testing.T) {
	server, _ := serve(t, "tempestas")
	const table = "aaaaaaaaaaaaaaaa"
	for name, x := range map[string]struct {
		page string
		form url.Values
		said string
	}{
		"a form":     {"try/test", url.Values{"do": {"table"}, "asked": {"yes"}, "in.skill": {"climb"}}, "<html"},
		"the screen": {"screen", url.Values{"roll": {"rule.test 0 Ada"}}, "<html"},
		"its script": {"screen", url.Values{"roll": {"rule.test 0 Ada"}, "part": {"yes"}}, "There is no such table"},
	} {
		x.form.Set("at", table)
		answer, err := http.PostForm(server.URL+"/tempestas/"+x.page, x.form)
		status, page := read(t, answer, err)
		if status != http.StatusForbidden || !strings.Contains(page, x.said) || !strings.Contains(page, "here is no such table") ||
			strings.Contains(page, "no such page") {
			t.Errorf("%s: %d\n%s", name, status, page)
		}
	}
}

// TestScreenRollsWhatItsButtonSays presses a button of a screen whose pins and characters were changed since it was shown.
func TestScreenRollsWhatItsButtonSays(t *testing.T) {
	server, _ := serve(t, "tempestas")
	const party = `[{"name": "Ada", "character": {"skills": {"climb": 40}}}, {"name": "Bela", "character": {"skills": {"climb": 50}}}]`
	rolled := regexp.MustCompile(`(?s)<p><b>([^<]*)</b> <span class="soft">([^<]*)</span></p>`)
	for name, x := range map[string]struct {
		pins   []string
		roll   string
		who    string // of the first that is rolled
		wanted string // on the page
	}{
		"its pin is another column now": {[]string{"rule.test"}, "rule.test 1 Bela", "Bela", ""},
		"its pin was emptied":           {[]string{"trait.strength"}, "rule.test 1 Bela", "Bela", ""},
		"another stands in the place":   {[]string{"rule.test"}, "rule.test 0 Bela", "", "is not here any more"},
		"no such pin":                   {[]string{"rule.test"}, "rule.nothing 0 Ada", "", "does not stand here any more"},
		"a trait":                       {[]string{"rule.test"}, "trait.strength 0 Ada", "", "does not stand here any more"},
	} {
		answer, err := http.PostForm(server.URL+"/tempestas/screen",
			url.Values{"party": {party}, "pin": x.pins, "roll": {x.roll}, "in.name": {"climb"}})
		status, page := read(t, answer, err)
		who := ""
		if found := rolled.FindStringSubmatch(page); found != nil {
			who = found[1]
		}
		if status != http.StatusOK || who != x.who || !strings.Contains(page, x.wanted) {
			t.Errorf("%s: %d, %q rolls\n%s", name, status, who, page)
		}
	}
}
