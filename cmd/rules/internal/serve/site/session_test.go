package site_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// TestRefusedDiceStayInTheLog rolls a jump of Quality 16 (golden/supermen/jump_overspent.txtar) and spends 17: who was
// refused has seen the dice, and all see that. What is refused before dice fall leaves nothing behind.
func TestRefusedDiceStayInTheLog(t *testing.T) {
	e := edition(t, "supermen")
	master := sitAsMaster(t, e)
	if _, err := rollJump(master, `{"spend": {"ep": 0, "height": 99}}`); err == nil || !strings.Contains(err.Error(), "36") {
		t.Errorf("99 on a chart that ends with 36: %v", err)
	}
	if a, err := rollJump(master, `{"spend": {"ep": 5, "height": 12}}`); err != nil || a.Refused == nil {
		t.Errorf("17 of a Quality of 16: %v", err)
	}
	log, err := session.Read(master.Transcript(session.Master))
	if err != nil || len(log.Rolls()) != 1 {
		t.Fatalf("%d rolls: %v", len(log.Rolls()), err)
	}
	refused := log.Rolls()[0]
	if refused.Headline != "It cannot be" || !strings.Contains(refused.Dice, "5, 6") {
		t.Errorf("the log tells %+v", refused.Told)
	}
	text := string(receipt.SplitLog(refused.Receipt)[0])
	verify := func(text string) []string {
		proof, err := receipt.ReadReceipt([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		proof.Digest = proof.ComputeDigest()
		proof.Text = proof.Printed()
		return proof.FindMismatches(e.Program)
	}
	if wrong := verify(text); wrong != nil {
		t.Errorf("the receipt of the refusal: %q", wrong)
	}
	for was, is := range map[string]string{`"height": 12`: `"height": 11`, `"refused": "`: `"refused": "Not `} {
		if wrong := verify(strings.Replace(text, was, is, 1)); wrong == nil {
			t.Errorf("%s for %s passes", is, was)
		}
	}
}

// TestDecideAtTheTable rolls a jump of Quality 16 and decides afterwards. What it is decided on lies in the log by then.
func TestDecideAtTheTable(t *testing.T) {
	e := edition(t, "supermen")
	master := sitAsMaster(t, e)
	a, err := rollJump(master, `{}`)
	if err != nil || strings.Join(a.Due, " ") != "spend.ep spend.height" || !strings.Contains(a.Dice, "5, 6") {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := rollJump(master, `{}`); err == nil {
		t.Error("the dice are rolled again before they are decided on")
	}
	if _, err := master.Decide(master.Who, json.RawMessage(`{"spend": {"ep": 5, "height": 12}}`)); err == nil ||
		!strings.Contains(err.Error(), "no more points") {
		t.Errorf("17 of a Quality of 16: %v", err)
	}
	if _, err := master.Decide(master.Who, json.RawMessage(`{"bonus": 5, "spend": {"height": 12}}`)); err == nil {
		t.Error("a bonus is given once the dice have fallen")
	}
	if _, err := master.Decide(master.Who, json.RawMessage(`{"spend": {"height": 12}}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := master.Decide(master.Who, json.RawMessage(`{}`)); err == nil {
		t.Error("it is decided twice")
	}
	log, err := session.Read(master.Transcript(session.Master))
	if err != nil || len(log.Rolls()) != 1 {
		t.Fatalf("%d rolls: %v", len(log.Rolls()), err)
	}
	proof, err := receipt.ReadReceipt(receipt.SplitLog(log.Rolls()[0].Receipt)[0])
	if err != nil {
		t.Fatal(err)
	}
	if wrong := proof.FindMismatches(e.Program); wrong != nil || !strings.Contains(string(proof.Output), `"left":4`) {
		t.Errorf("%q\n%s", wrong, proof.Output)
	}
}

// TestDrawnBeforeADecision decides on dice that the server has drawn: the log ties them to their seed, although the receipt
// of the roll has them as given.
func TestDrawnBeforeADecision(t *testing.T) {
	e := edition(t, "supermen")
	master := sitAsMaster(t, e)
	for isDue := false; !isDue; { // a jump that fails asks nothing
		a, err := master.Roll(master.Who, &session.Question{Rule: "jump", Character: json.RawMessage(jumper),
			Input: json.RawMessage(`{}`)}, session.Throw{}, "", false)
		if err != nil {
			t.Fatal(err)
		}
		isDue = len(a.Due) > 0
	}
	if _, err := master.Decide(master.Who, json.RawMessage(`{}`)); err != nil {
		t.Fatal(err)
	}
	log, err := session.Read(master.Transcript(session.Master))
	if err != nil {
		t.Fatal(err)
	}
	rolls := log.Receipts()
	last := rolls[len(rolls)-1]
	proof, err := receipt.ReadReceipt(receipt.SplitLog(last.Receipt)[0])
	if err != nil {
		t.Fatal(err)
	}
	throw, err := dice.ParseThrow(last.Fell[0].Throw)
	if err != nil || throw.Seed == nil {
		t.Fatalf("%s, %v", last.Fell[0].Throw, err)
	}
	if wrong := proof.FindOtherFaces(e.Program, throw, last.Fell[0].Faces); wrong != nil {
		t.Errorf("%q", wrong)
	}
	noticed := 0
	for seed := range uint64(5) { // one of them may draw the same faces
		if proof.FindOtherFaces(e.Program, dice.DrawnFrom(seed), last.Fell[0].Faces) != nil {
			noticed++
		}
	}
	if noticed < 3 {
		t.Errorf("%d of 5 other seeds are noticed", noticed)
	}
}

// openHub returns the tables of an empty directory.
func openHub(t *testing.T, e *library.Edition) (*session.Hub, *library.Library) {
	t.Helper()
	lib, err := library.Open(func() (*library.Shelf, error) {
		return library.NewShelf([]*library.Edition{e}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	hub := &session.Hub{Dir: t.TempDir(), Evaluate: site.NewEvaluator(lib), Now: time.Now,
		Warn: func(text string) { t.Log(text) }}
	if err := hub.Open(); err != nil {
		t.Fatal(err)
	}
	return hub, lib
}

// sitAsMaster begins a table.
func sitAsMaster(t *testing.T, e *library.Edition) *session.Place {
	t.Helper()
	hub, _ := openHub(t, e)
	id, code, err := hub.Begin("Friday", e.Plan.Ruleset)
	if err != nil {
		t.Fatal(err)
	}
	master, err := hub.Sit(id, session.Master+"."+code)
	if err != nil {
		t.Fatal(err)
	}
	return master
}

const jumper = `{"strength": 14, "agility": 12, "constitution": 12, "newoen": 10, "learning": 10, "charisma": 10,
	"height": 1.8, "mass": 100, "body_dp": 5}`

// rollJump rolls a jump with 5 and 6, whose Quality is 16.
func rollJump(master *session.Place, input string) (*session.Answer, error) {
	return master.Roll(master.Who, &session.Question{Rule: "jump",
		Character: json.RawMessage(jumper), Input: json.RawMessage(input)}, session.Throw{Faces: "5,6"}, "", false)
}

// TestDecideByForms rolls a jump at a table and decides by the forms of the pages, without a script: a decision that is
// refused is asked again, with the same dice.
func TestDecideByForms(t *testing.T) {
	hub, lib := openHub(t, edition(t, "supermen"))
	server := httptest.NewServer(site.Handler(lib, site.Options{
		Budget: 200_000, Sessions: hub, Reach: func() []string { return nil }}))
	defer server.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	send := func(path string, status int, form url.Values, wanted ...string) (string, string) {
		t.Helper()
		answer, err := client.PostForm(server.URL+path, form)
		got, page := read(t, answer, err)
		if got != status {
			t.Fatalf("%s: %d\n%s", path, got, page)
		}
		expect(t, page, wanted...)
		return answer.Request.URL.Path, page
	}
	path, _ := send("/session/", 200, url.Values{"called": {"Friday"}, "ruleset": {"supermen"}})
	at := strings.Split(path, "/")[2]
	form := url.Values{"asked": {"yes"}, "at": {at}, "do": {"table"}, "dice": {"5,6"}, "in.segment": {"0"}, "in.bonus": {"0"},
		"in.stressed": {"true"}, "character": {jumper}}
	path, _ = send("/supermen/try/jump", 200, form, "<h2>Now decide</h2>", "<dt>Quality</dt><dd>16</dd>",
		`name="decide.spend.height"`)
	if path != "/supermen/try/jump" {
		t.Errorf("the decision is at %s", path)
	}
	answer, err := client.Get(server.URL + "/session/" + at + "/") // the master ends what nobody decides
	_, table := read(t, answer, err)
	expect(t, table, "Your dice have fallen", `name="do" value="back"`)
	send("/supermen/try/jump", 409, form, "your dice have fallen", "<h2>Now decide</h2>")
	decide := url.Values{"asked": {"yes"}, "at": {at}, "do": {"decide"}, "decide.spend.ep": {"5"},
		"decide.spend.height": {"12"}, "fell": {"10,10"}} // nobody chooses other dice
	send("/supermen/try/jump", 409, decide, "no more points may be spent", "<h2>Now decide</h2>")
	decide.Set("decide.spend.ep", "0")
	path, page := send("/supermen/try/jump", 200, decide, "5, 6", "and decides now")
	if path != "/session/"+at+"/" || strings.Contains(page, "Your dice have fallen") {
		t.Errorf("the roll comes to %s\n%s", path, page)
	}
}

// TestPlayAtTheTable plays a procedure at a table by forms: each step is in the log, a step of somebody who has not seen
// the last one is refused, undo leads to the step before, and what is rolled again after it falls as it fell.
func TestPlayAtTheTable(t *testing.T) {
	e := edition(t, "tempestas")
	hub, lib := openHub(t, e)
	now := time.Now()
	hub.Now = func() time.Time { return now } // the clock stands still, so that somebody asks for too much at once
	server := httptest.NewServer(site.Handler(lib, site.Options{
		Budget: 200_000, Sessions: hub, Reach: func() []string { return nil }}))
	defer server.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	send := func(path string, status int, form url.Values) (*url.URL, string) {
		t.Helper()
		answer, err := client.PostForm(server.URL+path, form)
		got, page := read(t, answer, err)
		if got != status {
			t.Fatalf("%s with %v: %d\n%s", path, form, got, page)
		}
		return answer.Request.URL, page
	}
	address, _ := send("/session/", 200, url.Values{"called": {"Friday"}, "ruleset": {"tempestas"}})
	at := strings.Split(address.Path, "/")[2]
	begin := url.Values{"asked": {"yes"}, "at": {at}, "in.target_value": {"200"}, "in.name": {"carpentry"},
		"in.kind": {"skill"}, "character": {`{"skills": {"carpentry": 60}}`}}
	address, page := send("/tempestas/try/task", 200, begin)
	if address.Query().Get("at") != at || address.Query().Get("log") != "" {
		t.Errorf("the play is at %s", address)
	}
	step := regexp.MustCompile(`name="step" value="(\d+)"`)
	stepOf := func(page string) string {
		t.Helper()
		found := step.FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("no step:\n%s", page)
		}
		return found[1]
	}
	if strings.Contains(page, `name="log"`) || strings.Contains(page, `value="seed`) {
		t.Errorf("the page has the play itself:\n%s", page)
	}
	first := stepOf(page)
	roll := url.Values{"asked": {"yes"}, "at": {at}, "step": {first}, "do": {"event roll"}}
	_, page = send("/tempestas/try/task", 200, roll)
	second := stepOf(page)
	if first == second {
		t.Fatal("the roll is no step")
	}
	send("/tempestas/try/task", 409, roll) // of somebody who has not seen it
	roll.Set("step", second)
	for field, chosen := range map[string]string{"seed roll": "7", "dice roll": "seed 7"} { // nobody chooses the seed
		roll.Set(field, chosen)
		_, page = send("/tempestas/try/task", 409, roll)
		expect(t, page, "nobody chooses the seed")
		roll.Del(field)
	}
	if strings.Contains(page, `name="seed`) {
		t.Error("the page asks for a seed")
	}
	other := maps.Clone(begin)
	other["anew"], other["dice"] = []string{"yes"}, []string{"seed 7"}
	send("/tempestas/try/task", 409, other)
	_, page = send("/tempestas/try/task", 200, url.Values{"asked": {"yes"}, "at": {at}, "step": {second}, "do": {"undo"}})
	if stepOf(page) != first {
		t.Errorf("undo leads to step %s, not %s", stepOf(page), first)
	}
	roll.Set("step", first)
	_, page = send("/tempestas/try/task", 200, roll)
	third := stepOf(page)
	log, err := os.ReadFile(filepath.Join(hub.Dir, at+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	history, err := session.Read(log)
	if err != nil || strconv.Itoa(history.State.Play.N) != third || len(history.Receipts()) != 2 {
		t.Fatalf("%d receipts: %v", len(history.Receipts()), err)
	}
	var faces []string
	for _, x := range history.Receipts() {
		proof, err := receipt.ReadReceipt(receipt.SplitLog(x.Receipt)[0])
		if err != nil {
			t.Fatal(err)
		}
		if wrong := proof.FindMismatches(e.Program); wrong != nil {
			t.Error(wrong)
		}
		faces = append(faces, regexp.MustCompile(`"events":.*?"dice":(\{.*?\})`).FindStringSubmatch(string(proof.Sheet))[1])
	}
	if faces[0] != faces[1] {
		t.Errorf("after undo %s falls, and before %s", faces[1], faces[0])
	}
	answer, err := client.Get(server.URL + "/session/" + at + "/")
	if _, page := read(t, answer, err); !strings.Contains(page, "Go on with it") || !strings.Contains(page, "takes line") ||
		!strings.Contains(page, "drawn by the server") {
		t.Errorf("the table does not tell of the play:\n%s", page)
	}

	_, was := send("/tempestas/try/task", 200, url.Values{"asked": {"yes"}, "at": {at}, "step": {third}, "do": {"undo"}})
	kept := &http.Request{Header: http.Header{}}
	for _, cookie := range jar.Cookies(address) {
		kept.AddCookie(cookie)
	}
	place, err := hub.PlaceOf(kept, at)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // more than anybody may ask for at once
		_ = place.Act(url.Values{"do": {"show"}, "n": {"1"}})
	}
	_, page = send("/tempestas/try/task", 429, roll)
	if stepOf(page) != first || strings.Count(page, "<li") != strings.Count(was, "<li") {
		t.Errorf("dice that are in no record are shown:\n%s", page)
	}
}
