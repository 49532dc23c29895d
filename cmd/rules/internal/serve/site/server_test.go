package site_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
)

func edition(t *testing.T, ruleset string) *library.Edition {
	t.Helper()
	return library.NewEdition(gametest.ShippedPlan(t, ruleset), rules.Files)
}

// serve shows one ruleset that ships; broken is what a reload says.
func serve(t *testing.T, ruleset string) (*httptest.Server, *library.Library) {
	t.Helper()
	e := edition(t, ruleset)
	loads := 0
	lib, err := library.Open(func() (*library.Shelf, error) {
		if loads++; loads > 1 {
			return nil, errors.New("a <broken> edit")
		}
		return library.NewShelf([]*library.Edition{e}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(site.Handler(lib, site.Options{Budget: 200_000}))
	t.Cleanup(s.Close)
	return s, lib
}

func read(t *testing.T, answer *http.Response, err error) (int, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// href finds where links, forms, styles and scripts of a page lead.
var href = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)

var walked = flag.String("walk", "tempestas", "walk all pages of these rulesets, with commas between them")

// TestEveryLinkLeads walks all pages of a ruleset from the first one, by links alone: each leads to a page, and each
// fragment to an element of it.
func TestEveryLinkLeads(t *testing.T) {
	for _, ruleset := range strings.Split(*walked, ",") {
		t.Run(ruleset, func(t *testing.T) {
			server, _ := serve(t, ruleset)
			pages := map[string]string{}
			todo := []string{server.URL + "/"}
			for len(todo) > 0 {
				at := todo[0]
				todo = todo[1:]
				base, err := url.Parse(at)
				if err != nil {
					t.Fatal(err)
				}
				if _, seen := pages[at]; seen || !strings.HasPrefix(at, server.URL) || strings.Contains(at, "/v1/") {
					continue
				}
				answer, err := http.Get(at)
				status, text := read(t, answer, err)
				if status != http.StatusOK {
					t.Fatalf("%s: status %d", at, status)
				}
				pages[at] = text
				for _, link := range href.FindAllStringSubmatch(text, -1) {
					to, err := base.Parse(strings.ReplaceAll(link[1], "&amp;", "&"))
					if err != nil {
						t.Fatalf("%s links to %q: %v", at, link[1], err)
					}
					to.Fragment = ""
					if to.RawQuery != "" && strings.Contains(to.Path, "/try/") {
						continue // a form, filled in: the form itself is walked
					}
					todo = append(todo, to.String())
				}
			}
			for at, text := range pages {
				base, _ := url.Parse(at)
				for _, link := range href.FindAllStringSubmatch(text, -1) {
					to, _ := base.Parse(link[1])
					fragment := to.Fragment
					to.Fragment = ""
					if fragment != "" && !strings.Contains(pages[to.String()], `id="`+fragment+`"`) {
						t.Errorf("%s links to %s, which has no %s", at, to, fragment)
					}
				}
			}
			if len(pages) < 15 {
				t.Errorf("%d pages", len(pages))
			}
		})
	}
}

// TestFormAnswers sends the form of the book's worked example of navigation, with a 43 and with a bad face.
func TestFormAnswers(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := url.Values{"asked": {"yes"}, "in.name": {"navigation"}, "in.difficulty": {"hard"}, "dice": {"43"}, "odds": {"all"},
		"character": {`{"skills": {"navigation": 90}}`}}
	answer, err := http.PostForm(server.URL+"/tempestas/try/test", form)
	status, text := read(t, answer, err)
	for _, want := range []string{"<dt>Active Value</dt><dd>60</dd>", "<dt>Success</dt><dd>yes</dd>",
		"yes in 57%"} { // 1 to 4 are a Fools Failure, 5 to 60 are under 60, and 61 is heroic above it
		if status != 200 || !strings.Contains(text, want) {
			t.Errorf("status %d, no %s", status, want)
		}
	}
	form.Set("dice", "101")
	answer, err = http.PostForm(server.URL+"/tempestas/try/test", form)
	if status, text = read(t, answer, err); status != 422 || !strings.Contains(text, `role="alert"`) {
		t.Errorf("status %d of a face that the die does not have", status)
	}
	form.Set("option.heroic_band", "none")
	form.Set("dice", "61")
	answer, err = http.PostForm(server.URL+"/tempestas/try/test", form)
	if _, text = read(t, answer, err); !strings.Contains(text, "<dt>Success</dt><dd>no</dd>") {
		t.Error("61 succeeds without a heroic band above 60")
	}
}

// field finds the play that a page holds.
var field = regexp.MustCompile(`name="log" value="([^"]*)"`)

// TestPlay plays a task of two rolls on the pages, and takes the second one back.
func TestPlay(t *testing.T) {
	server, _ := serve(t, "tempestas")
	log := ""
	send := func(form url.Values) string {
		t.Helper()
		form.Set("asked", "yes")
		form.Set("log", log)
		answer, err := http.PostForm(server.URL+"/tempestas/try/task", form)
		status, text := read(t, answer, err)
		found := field.FindStringSubmatch(text)
		if status != 200 || found == nil {
			t.Fatalf("status %d: %s", status, text)
		}
		log = strings.NewReplacer("&#34;", `"`, "&amp;", "&").Replace(found[1])
		return text
	}
	send(url.Values{"in.name": {"carpentry"}, "in.target_value": {"8"}, "character": {`{"skills": {"carpentry": 60}}`}})
	for _, step := range []struct{ do, dice, want string }{
		{"event roll", "23", "<dt class=\"lab\">Pool</dt><dd class=\"val\">2</dd><dd class=\"delta\">was 0</dd>"},
		{"event roll", "34", "<dt class=\"lab\">Pool</dt><dd class=\"val\">5</dd><dd class=\"delta\">was 2</dd>"},
		{"undo", "", "<dt class=\"lab\">Pool</dt><dd class=\"val\">2</dd><dd class=\"delta\">was 0</dd>"},
	} {
		if text := send(url.Values{"do": {step.do}, "dice roll": {step.dice}}); !strings.Contains(text, step.want) {
			t.Errorf("after %s %s: no %s in %s", step.do, step.dice, step.want, text)
		}
	}
}

// TestBrokenEditIsTold reloads into an error: pages go on, and say what is wrong, escaped.
func TestBrokenEditIsTold(t *testing.T) {
	server, lib := serve(t, "tempestas")
	if err := lib.Reload(); err == nil {
		t.Fatal("the reload succeeded")
	}
	answer, err := http.Get(server.URL + "/tempestas/")
	status, text := read(t, answer, err)
	if status != 200 || !strings.Contains(text, "a &lt;broken&gt; edit") {
		t.Errorf("status %d: %s", status, text)
	}
}

// TestBookIsTheSameOnEveryRun writes the books of all rulesets twice.
func TestBookIsTheSameOnEveryRun(t *testing.T) {
	rulesets := []string{"tempestas", "haze", "supermen", "zones", "hybrid"}
	for _, ruleset := range rulesets[:portion.Of(2, len(rulesets))] {
		first, second := site.BookFiles(edition(t, ruleset)), site.BookFiles(edition(t, ruleset))
		if len(first) < 5 || len(first) != len(second) {
			t.Errorf("%s: %d and %d pages", ruleset, len(first), len(second))
		}
		for name, text := range first {
			if !bytes.Equal(text, second[name]) {
				t.Errorf("%s of %s differs", name, ruleset)
			}
			for _, link := range href.FindAllStringSubmatch(string(text), -1) {
				file, _, _ := strings.Cut(strings.TrimPrefix(link[1], "./"), "#")
				if _, there := first[file]; file != "" && !there {
					t.Errorf("%s of %s links to %s, which is no file of the book", name, ruleset, link[1])
				}
			}
		}
		if !bytes.Equal(site.Markdown(edition(t, ruleset)), site.Markdown(edition(t, ruleset))) {
			t.Errorf("the document of %s differs", ruleset)
		}
	}
}

// TestReaderFinds follows what somebody who knows neither the game nor the program would try: the name of the character of
// the book's examples, what is ruled otherwise, and a ruling's other values.
func TestReaderFinds(t *testing.T) {
	server, _ := serve(t, "tempestas")
	page := func(path string) string {
		t.Helper()
		answer, err := http.Get(server.URL + path)
		status, text := read(t, answer, err)
		if status != http.StatusOK {
			t.Fatalf("%s: status %d", path, status)
		}
		return text
	}
	expect(t, page("/tempestas/search?q=ada"), `<a href="try/test?as=ada" class="try">try it as ada</a>`,
		"<strong>ada</strong> is a character that ships with this ruleset.")
	expect(t, page("/tempestas/try/test"), `<a href="test?as=ada">ada</a>`, "What was ruled about it")
	expect(t, page("/tempestas/try/percentage?as=ada"), `&#34;navigation&#34;: 90`)
	// The examples of single_test are of others; the form for Ada asks for a skill of hers.
	expect(t, page("/tempestas/try/single_test?as=ada"), `<option value="navigation" selected>`)
	expect(t, page("/tempestas/index.html"), `<h2 id="errata">Where the book is ruled otherwise</h2>`,
		`href="rulings.html#erratum.above_sixty"`)
	expect(t, page("/tempestas/testing.html"), `<a href="try/test?option.heroic_band=down">down</a>`)
	expect(t, page("/tempestas/try/test?option.heroic_band=down"), `name="option.heroic_band" value="down" checked`)
	expect(t, page("/tempestas/try/test"), `name="in.difficulty" value="hard" checked><b>Hard</b><span>−30</span>`)
	// The ruleset says what is asked first, in its order, and what stands in a list beside a number.
	form := page("/tempestas/try/test")
	first, folded, _ := strings.Cut(form, "<summary>More ")
	if !isInOrder(first, `name="in.kind"`, `name="in.name"`, `name="in.difficulty"`) || strings.Contains(first, "in.complications") {
		t.Error("kind, name and difficulty do not come first, or not alone")
	}
	expect(t, folded, `list="in.complications:offered"`, `<option value="0"><option value="5"><option value="10">`+
		`<option value="15"><option value="20"></datalist>`)
	expect(t, page("/tempestas/testing.html"), `<a id="statement.tempestas.test.success" href="#statement.`)
	expect(t, section(t, page("/tempestas/rulings.html"), "erratum.above_sixty"),
		`<dt>Switch</dt><dd><a href="rulings.html#option.heroic_band">heroic band</a></dd>`)
	expect(t, page("/tempestas/search?q=tempestas.test.success"), `<a href="testing.html#test">`)
	expect(t, page("/tempestas/search?q=ruled+otherwise"), `href="rulings.html#erratum.above_sixty"`)
	expect(t, page("/tempestas/search?q=heroic"), `<a href="heroic.html">Heroic</a> <span class="kind">chapter</span>`)
	found := page("/tempestas/search?q=heroic+success")
	if strings.Index(found, "#table.consequence") > strings.Index(found, "#option.heroic_cap") {
		t.Error("a ruling comes before what an outcome brings")
	}
}

// isInOrder reports whether parts stand in a text one behind the other.
func isInOrder(text string, parts ...string) bool {
	for _, part := range parts {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}
