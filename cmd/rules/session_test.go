package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
)

// A guest is a browser at a table, without a script.
type guest struct {
	t      *testing.T
	client *http.Client
	server string
}

func newGuest(t *testing.T, server string) *guest {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &guest{t, &http.Client{Jar: jar}, strings.TrimSuffix(server, "/")}
}

// send sends a form, or gets a page without one, and returns the status and the page that it comes to.
func (g *guest) send(path, form string, header ...string) (int, string) {
	g.t.Helper()
	method := "GET"
	if form != "" {
		method = "POST"
	}
	q, err := http.NewRequestWithContext(g.t.Context(), method, g.server+path, strings.NewReader(form))
	if err != nil {
		g.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	a, err := g.client.Do(q)
	if err != nil {
		g.t.Fatal(err)
	}
	defer a.Body.Close()
	page, err := io.ReadAll(a.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return a.StatusCode, string(page)
}

// readEvent returns the data of the first event of a stream.
func (g *guest) readEvent(path string) string {
	g.t.Helper()
	q, err := http.NewRequestWithContext(g.t.Context(), "GET", g.server+path, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	a, err := g.client.Do(q)
	if err != nil {
		g.t.Fatal(err)
	}
	defer a.Body.Close()
	for lines := bufio.NewReader(a.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			g.t.Fatal(err)
		}
		if data, is := strings.CutPrefix(line, "data: "); is {
			return data
		}
	}
}

// must sends a form that is answered well.
func (g *guest) must(path, form string) string {
	g.t.Helper()
	status, page := g.send(path, form)
	if status != http.StatusOK {
		g.t.Fatalf("%s with %s: %d\n%s", path, form, status, page)
	}
	return page
}

// TestSessionWithoutScript plays an evening by forms alone, lets strangers and players try what they may not, and verifies
// the log.
func TestSessionWithoutScript(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if status, said := runLine("init game"); status != 0 {
		t.Fatal(said)
	}
	t.Chdir("game")
	server, stop := startServer(t, "--session", "tables")
	master, ada, eve := newGuest(t, server), newGuest(t, server), newGuest(t, server)
	page := master.must("/session/", "called=Friday&ruleset=game")
	link := regexp.MustCompile(`/session/([a-z2-7]{16})/#(players\.[0-9a-f]{32})`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("the master has no link for players:\n%s", page)
	}
	table := "/session/" + link[1] + "/"
	ada.must(table+"enter", "name=Ada&code="+link[2])
	bring := "do=bring&called=Ada&character=" + url.QueryEscape(`{"agility":7}`)
	ada.must(table+"do", bring)
	roll := "/game/try/" + regexp.MustCompile(`/game/try/(\w+)`).FindStringSubmatch(ada.must(table, ""))[1]
	form := "asked=yes&do=table&at=" + link[1]
	for name, value := range exampleFields(t, ada.must(roll+"?at="+link[1], "")) {
		form += "&" + url.QueryEscape(name) + "=" + url.QueryEscape(value)
	}
	if page := ada.must(roll, form); !strings.Contains(page, "drawn by the server") {
		t.Errorf("Ada's roll is not in the log:\n%s", page)
	}
	if page := master.must(roll, form+"&how=hidden&who=Wyvern"); !strings.Contains(page, "Wyvern") {
		t.Errorf("the hidden roll is not in the log of the master:\n%s", page)
	}
	if page := ada.must(table, ""); strings.Contains(page, "Wyvern") {
		t.Error("a player sees the hidden roll")
	}

	for name, x := range map[string]struct {
		who        *guest
		path, form string
		status     int
		header     []string
	}{
		"a stranger reads the log":             {eve, table + "transcript", "", 403, nil},
		"a stranger watches":                   {eve, table + "events", "", 403, nil},
		"a stranger reads a receipt":           {eve, table + "receipt/4", "", 403, nil},
		"a stranger acts":                      {eve, table + "do", "do=end", 403, nil},
		"a stranger enters by a guess":         {eve, table + "enter", "name=Eve&code=players." + strings.Repeat("0", 32), 403, nil},
		"a stranger enters another table":      {eve, "/session/aaaaaaaaaaaaaaaa/enter", "name=Eve&code=" + link[2], 403, nil},
		"a player ends the session":            {ada, table + "do", "do=end", 409, nil},
		"a player looks behind a hidden roll":  {ada, table + "do", "do=show&n=5", 409, nil},
		"a player reads a hidden receipt":      {ada, table + "receipt/5", "", 403, nil},
		"a player hides a roll":                {ada, roll, form + "&how=hidden", 409, nil},
		"a stranger rolls at the table":        {eve, roll, form, 403, nil},
		"a player rolls on the screen":         {ada, "/game/screen", "roll=rule.leap+0+Ada&at=" + link[1], 403, nil},
		"a player chooses the seed":            {ada, roll, form + "&seed=7", 409, nil},
		"a player does nothing that there is":  {ada, table + "do", "do=win", 409, nil},
		"a page elsewhere acts for the master": {master, table + "do", "do=end", 403, []string{"Sec-Fetch-Site", "cross-site"}},
	} {
		if status, page := x.who.send(x.path, x.form, x.header...); status != x.status {
			t.Errorf("%s: %d, not %d\n%s", name, status, x.status, page)
		}
	}
	page = eve.must("/session/", "") + eve.must(table, "")
	if strings.Contains(page, "Ada") || strings.Contains(page, link[1]) {
		t.Errorf("a stranger sees the table:\n%s", page)
	}

	for range 30 { // with those above more than an event has
		for who, form := range map[*guest]string{master: "do=turns&order=Ada", ada: bring} {
			if status, page := who.send(table+"do", form, "Accept", "text/plain"); status != http.StatusNoContent {
				t.Fatalf("%s: %d\n%s", form, status, page)
			}
		}
	}
	first := ada.readEvent(table + "events")
	if n := strings.Count(first, `"n":`); n != 60 || !strings.Contains(first, `"isCut":true`) {
		t.Errorf("the first event has %d lines:\n%s", n, first)
	}

	transcript := ada.must(table+"transcript", "")
	stop()
	log := filepath.Join("tables", link[1]+".jsonl")
	if status, said := verifyFile(log); status != 0 || strings.Count(said, "everything matches") != 2 {
		t.Errorf("the log: %d\n%s", status, said)
	}
	if err := os.WriteFile("seen.jsonl", []byte(transcript), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, said := verifyFile("seen.jsonl"); status != 0 || !strings.Contains(said, "hidden here: 1") {
		t.Errorf("the transcript: %d\n%s", status, said)
	}
	altered := strings.Replace(transcript, `"name":"Ada"`, `"name":"Eve"`, 1)
	if err := os.WriteFile("seen.jsonl", []byte(altered), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, said := verifyFile("seen.jsonl"); status != 1 || !strings.Contains(said, "line 3") {
		t.Errorf("an altered transcript: %d\n%s", status, said)
	}
}

// verifyFile returns what "rules verify" says of a file.
func verifyFile(name string) (status int, said string) {
	var out bytes.Buffer
	status = Main([]string{"verify", name}, strings.NewReader(""), &out, &out)
	return status, out.String()
}

// exampleFields returns the fields of the input as the form of a rule comes filled.
func exampleFields(t *testing.T, page string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`name="(in\.[^"]*)" type="number" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		out[m[1]] = m[2]
	}
	for _, m := range regexp.MustCompile(`name="(in\.[^"]*)" value="([^"]*)" checked`).FindAllStringSubmatch(page, -1) {
		out[m[1]] = m[2]
	}
	chosen := regexp.MustCompile(`(?s)name="(in\.[^"]*)">.*?value="([^"]*)" selected`)
	for _, m := range chosen.FindAllStringSubmatch(page, -1) {
		out[m[1]] = m[2]
	}
	return out
}

// TestLogIsHeldToItsRulings verifies the log of a server that rolls by the rules as they are, although its table plays
// otherwise: no line of the log says that, because a receipt has only the rulings that differ.
func TestLogIsHeldToItsRulings(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if status, said := runLine("init game"); status != 0 {
		t.Fatal(said)
	}
	t.Chdir("game")
	p, err := (&settings{}).CompileRuleset("game")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(func() (*library.Shelf, error) {
		return library.NewShelf([]*library.Edition{library.NewEdition(p, nil)}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	honest := site.NewEvaluator(lib)
	for name, x := range map[string]struct {
		evaluate session.Evaluator
		status   int
		said     string
	}{
		"a server that keeps to them": {honest, 0, "everything matches"},
		"one that does not": {func(ruleset string, q *session.Question, fell string) (*session.Answer, error) {
			plain := *q
			plain.Options = nil
			return honest(ruleset, &plain, fell)
		}, 1, "the table plays by map[tie:missed]"},
	} {
		hub := &session.Hub{Dir: t.TempDir(), Evaluate: x.evaluate, Now: time.Now, Warn: func(text string) { t.Log(text) }}
		if err := hub.Open(); err != nil {
			t.Fatal(err)
		}
		id, code, err := hub.Begin("Friday", "game")
		if err != nil {
			t.Fatal(err)
		}
		master, err := hub.Sit(id, session.Master+"."+code)
		if err != nil {
			t.Fatal(err)
		}
		if err := master.Act(url.Values{"do": {"rule"}, "rulings": {`{"options": {"tie": "missed"}}`}}); err != nil {
			t.Fatal(err)
		}
		if _, err := master.Roll(master.Who, &session.Question{Rule: "leap", Character: json.RawMessage(`{"agility": 7}`),
			Input: json.RawMessage(`{"over": "brook"}`)}, session.Throw{Faces: "2"}, "", false); err != nil {
			t.Fatal(err)
		}
		if status, said := verifyFile(filepath.Join(hub.Dir, id+".jsonl")); status != x.status || !strings.Contains(said, x.said) {
			t.Errorf("%s: %d\n%s", name, status, said)
		}
	}
}
