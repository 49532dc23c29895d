package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// serveRevisions answers from two revisions of a game: in 0.1.0 a club does 2 harm, in 0.2.0 there is none, and a sword
// does 6 instead of 5.
func serveRevisions(t *testing.T) *httptest.Server {
	t.Helper()
	var plans []*plan.Plan
	for revision, weapons := range map[string]string{"0.1.0": "club: harm: 2, sword: harm: 5", "0.2.0": "sword: harm: 6"} {
		p := gametest.Small(t, map[string]string{"weapons": `
#Character: weapon!: string @key(weapon)
tables: weapon: {cite: "Weapons", gives: "harm", keyed: {` + weapons + `}}
rules: strike: {cite: "Striking", dice: roll: "d6", output: {harm: "weapon(character.weapon)", thrown: "roll"}}
procedures: duel: {
	cite: "Duels"
	#State: done: *0 | int & >=0 & <=1
	events: hit: next: done: "1"
	ends: over: "state.done == 1"
	output: harm: "weapon(character.weapon)"
}
`}).Plan()
		p.Revision = revision
		plans = append(plans, p)
	}
	return servePlans(t, plans...)
}

// TestPinsChooseTheRevision asks for characters that are pinned: the revision of the pin answers where the request names
// none, and a revision that is named refuses other pins.
func TestPinsChooseTheRevision(t *testing.T) {
	url := serveRevisions(t).URL + "/v1/game"
	const club, sword = `{"$revision": "%s", "weapon": "club"}`, `{"$revision": "%s", "weapon": "sword"}`
	for _, c := range []struct {
		path, header, character, pin string
		status                       int
		says                         []string
	}{
		{"/strike/eval", "", club, "0.1.0", 200, []string{`"revision":"0.1.0"`, `"harm":2`}},
		{"/strike/eval", "", sword, "game 0.1.0", 200, []string{`"revision":"0.1.0"`, `"harm":5`}},
		{"/strike/eval", "", sword, "0.2.0", 200, []string{`"revision":"0.2.0"`, `"harm":6`}},
		{"/strike/ask", "", club, "0.1.0", 200, []string{`"die":"roll"`}},
		{"/strike/odds", "", club, "0.1.0", 200, []string{`"revision": "0.1.0"`, `"mean": 2`}},
		{"/duel/eval", "", club, "0.1.0", 200, []string{`"revision":"0.1.0"`, `"harm":2`}},
		{"/strike/eval", "", sword, "0.3.0", 422, []string{`"code":"input"`, `"path":"character[\"$revision\"]"`,
			`the character is pinned to \"0.3.0\", which is not served; there is game 0.2.0, game 0.1.0`}},
		{"/strike/eval", "", sword, "other 0.1.0", 422, []string{`pinned to \"other 0.1.0\", which is not served`}},
		{"@0.1.0/strike/eval", "", sword, "0.1.0", 200, []string{`"harm":5`}},
		{"@0.2.0/strike/eval", "", sword, "0.1.0", 422, []string{`pinned to \"0.1.0\", and this is \"game 0.2.0\"`}},
		{"/strike/eval", "0.1.0", sword, "0.2.0", 422, []string{`pinned to \"0.2.0\", and this is \"game 0.1.0\"`}},
	} {
		body := `{"character": ` + fmt.Sprintf(c.character, c.pin) + `}`
		if status, text := ask(t, url+c.path, c.header, body); status != c.status || !hasAll(text, c.says) {
			t.Errorf("%s %s %s: status %d, %s", c.path, c.header, body, status, text)
		}
	}
	if status, text := ask(t, url+"/strike/eval", "", `{"character": {"weapon": "sword"}}`); status != 200 ||
		!hasAll(text, []string{`"revision":"0.2.0"`, `"harm":6`}) {
		t.Errorf("without a pin: status %d, %s", status, text)
	}
	_, begun := ask(t, url+"@0.1.0/duel/eval", "", `{"character": {"weapon": "club"}}`)
	if status, text := ask(t, url+"/duel/eval", "", `{"state": `+begun+`, "events": [{"event": "hit"}]}`); status != 200 ||
		!hasAll(text, []string{`"revision":"0.1.0"`, `"status":"over"`}) {
		t.Errorf("a state of 0.1.0: status %d, %s", status, text)
	}
}

// TestStreamsFollowPins answers each line of a stream by the revision that its character is pinned to, with the faces that
// the line has where the revision is named.
func TestStreamsFollowPins(t *testing.T) {
	url := serveRevisions(t).URL + "/v1/game"
	lines := []string{`{"$revision": "0.1.0", "weapon": "club"}`, ``, `{"weapon": "sword"}`,
		`{"$revision": "0.3.0", "weapon": "sword"}`, `{"$revision": "game 0.1.0", "weapon": "sword"}`}
	status, text := ask(t, url+"/strike/stream?seed=3", "", strings.Join(lines, "\n")+"\n")
	answers := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	want := [][]string{{`"revision":"0.1.0"`, `"harm":2`}, {`"error":{"line":2,`, "must be an object, not nothing"},
		{`"revision":"0.2.0"`, `"harm":6`},
		{`"error":{"line":4,"path":"character[\"$revision\"]"`, "which is not served; there is game 0.2.0, game 0.1.0"},
		{`"revision":"0.1.0"`, `"harm":5`}}
	if status != 200 || len(answers) != len(want) {
		t.Fatalf("status %d: %s", status, text)
	}
	for i := range want {
		if !hasAll(answers[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i+1, answers[i], want[i])
		}
	}
	_, named := ask(t, url+"@0.1.0/strike/stream?seed=3", "", strings.Join(lines, "\n")+"\n")
	of010 := strings.Split(named, "\n")
	if of010[0] != answers[0] || of010[4] != answers[4] {
		t.Errorf("by 0.1.0 alone: %s, want %s and %s", named, answers[0], answers[4])
	}
	if status, text := ask(t, url+"/nonesuch/stream", "", ""); status != 404 || !strings.Contains(text, "unknown-name") {
		t.Errorf("a rule that no revision has: status %d, %s", status, text)
	}
}

// ask sends a question, with a revision in the header unless it is empty.
func ask(t *testing.T, url, revision, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if revision != "" {
		r.Header.Set("Rules-Revision", revision)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

func hasAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
