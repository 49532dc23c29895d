package site_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
)

// TestTraceIsATree reads how a hard navigation came about: the value rests on the look-up of the difficulty, which leads to
// its row in the book.
func TestTraceIsATree(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("dice", "43")
	text := post(t, server, "/tempestas/try/test", form)
	expect(t, text, `<a href="../difficulty.html#table.difficulty.hard">table difficulty</a>`,
		`<span class="kind">table, row hard</span>`, `<a href="../testing.html#test">`)
	if at := strings.Index(text, `<section class="trace"`); at < 0 || strings.Count(text[at:], "<details>") < 10 {
		t.Error("no tree")
	}
}

// TestReceiptHolds takes the receipt from the page and carries it out again.
func TestReceiptHolds(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("seed", "7")
	text := post(t, server, "/tempestas/try/test", form)
	_, rest, _ := strings.Cut(text, `<summary>Receipt</summary>`)
	_, rest, _ = strings.Cut(rest, "data-copy>")
	written, _, _ := strings.Cut(rest, "</pre>")
	r, err := receipt.ReadReceipt([]byte(html.UnescapeString(written)))
	if err != nil {
		t.Fatal(err)
	}
	if found := r.FindMismatches(edition(t, "tempestas").Program); len(found) > 0 || r.Seed == nil || *r.Seed != 7 {
		t.Errorf("%q of %s", found, written)
	}
}

var fellField = regexp.MustCompile(`name="fell" value="([^"]*)"`)

// TestWhyNot asks why a roll of 62 fails: 60 is the Active Value, 61 is heroic above it, so 1 less succeeds. The faces are
// those that fell, whatever the seed would draw.
func TestWhyNot(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("dice", "62")
	text := post(t, server, "/tempestas/try/test", form)
	fell := fellField.FindStringSubmatch(text)
	if fell == nil {
		t.Fatalf("no faces are held in %s", text)
	}
	form.Set("why", "success")
	form.Set("fell", fell[1])
	form.Del("dice")
	text = post(t, server, "/tempestas/try/test", form)
	expect(t, text, "Why Success is so", "Roll 61 instead of 62</a> → <strong>Success: yes</strong>",
		"Difficulty: Moderate instead of Hard</a>")
}

// TestWhyRefused names an arm twice, which is refused, and asks what would let the test pass.
func TestWhyRefused(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("in.areas", `["arm", "arm"]`)
	refused := func() string {
		answer, err := http.PostForm(server.URL+"/tempestas/try/test", form)
		status, text := read(t, answer, err)
		if status != http.StatusUnprocessableEntity || !strings.Contains(text, "no area hampers twice") {
			t.Fatalf("status %d: %s", status, text)
		}
		return text
	}
	text := refused()
	expect(t, text, `name="why" value="active_value"`, "What would let it pass?")
	form.Set("why", "active_value")
	form.Set("fell", fellField.FindStringSubmatch(text)[1])
	expect(t, refused(), "Why Active Value is so", "No other face, number, choice or ruling alone gives another answer.")
}

// TestDecisionComesAfterTheRoll rolls a leap of supermen: what Quality is spent on is asked when the dice have fallen, with
// what is known by then, and the answer has the same faces.
func TestDecisionComesAfterTheRoll(t *testing.T) {
	server, _ := serve(t, "supermen")
	answer, err := http.Get(server.URL + "/supermen/try/jump")
	_, text := read(t, answer, err)
	form := url.Values{"asked": {"yes"}}
	for _, x := range regexp.MustCompile(`<(?:input|textarea)[^>]* name="(in\.[^"]*|character)"([^>]*)>([^<]*)`).
		FindAllStringSubmatch(text, -1) {
		value := regexp.MustCompile(` value="([^"]*)"`).FindStringSubmatch(x[2])
		if value != nil {
			x[3] = value[1]
		}
		form.Set(x[1], html.UnescapeString(x[3]))
	}
	for _, x := range regexp.MustCompile(`(?s)<select[^>]* name="(in\.[^"]*)">.*?<option value="([^"]*)" selected`).
		FindAllStringSubmatch(text, -1) {
		form.Set(x[1], x[2])
	}
	if form.Get("in.spend") != "" {
		t.Fatal("the example decides before the roll")
	}
	form.Set("dice", "10,10")
	text = post(t, server, "/supermen/try/jump", form)
	fell := fellField.FindStringSubmatch(text)
	expect(t, text, "<h2>Now decide</h2>", `name="decide.spend.height"`, "<dt>Quality</dt><dd>7</dd>")
	form.Set("do", "decide")
	form.Set("decide.spend.ep", "0")
	form.Set("decide.spend.height", "7")
	form.Set("fell", fell[1])
	form.Del("dice")
	text = post(t, server, "/supermen/try/jump", form)
	expect(t, text, `class="headline"`, "10, 10", "<dt>Quality left</dt><dd>0</dd>") // of a Quality of 7

	// Why is asked of the same faces and the same decision.
	expect(t, text, `name="decide.spend.height" value="7"`)
	form.Del("do")
	form.Set("why", "left")
	text = post(t, server, "/supermen/try/jump", form)
	expect(t, text, "Why Quality left is so", "<dt>Quality left</dt><dd>0</dd>")
}

// TestWhyAlsoWhereADieDoesNotFall asks why a fumble missed (golden/haze/attack_fumbled.txtar): an 8 had hit a sum of 8, and
// the die of the fumble would not have fallen.
func TestWhyAlsoWhereADieDoesNotFall(t *testing.T) {
	server, _ := serve(t, "haze")
	const others = `"constitution": 5, "willpower": 5, "wits": 5, "intelligence": 5, "wisdom": 5, "charisma": 5, "empathy": 5},
		"exhaustion": {"body": 9, "mind": 9, "soul": 9}, "skills": `
	text := post(t, server, "/haze/try/attack", url.Values{"asked": {"yes"}, "dice": {"10,3"}, "why": {"success"},
		"in.using.skill": {"swordplay"},
		"in.defender":    {`{"abilities": {"strength": 5, "agility": 6, ` + others + `{"dodge": 1}}`},
		"character":      {`{"abilities": {"strength": 6, "agility": 6, ` + others + `{"swordplay": 2}}`}})
	expect(t, text, "8 instead of 10")
}
