package api_test

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// serve answers from one ruleset that ships.
func serve(t *testing.T, ruleset string) *httptest.Server {
	t.Helper()
	return servePlans(t, gametest.ShippedPlan(t, ruleset))
}

// servePlans answers from plans.
func servePlans(t *testing.T, plans ...*plan.Plan) *httptest.Server {
	t.Helper()
	var editions []*library.Edition
	for _, p := range plans {
		editions = append(editions, library.NewEdition(p, rules.Files))
	}
	lib, err := library.Open(func() (*library.Shelf, error) { return library.NewShelf(editions, time.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(api.Handler(lib, api.Options{Budget: 200_000, Evaluating: 4, Counting: 2, Waiting: 8,
		Intake: webguard.NewIntake(api.WriteProblem)}))
	t.Cleanup(s.Close)
	return s
}

func send(t *testing.T, method, url, body string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return answer.StatusCode, out
}

const ada = `"character": {"skills": {"navigation": 90}}`

// TestAnswers asks what the book's worked example of navigation tells: 90 less 30 is 60, and a 43 succeeds with 4 tens.
func TestAnswers(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas"
	status, sheet := send(t, "POST", url+"/test/eval",
		`{`+ada+`, "input": {"name": "navigation", "difficulty": "hard"}, "dice": [43], "outputs": ["success", "offenciancy"]}`)
	output := sheet["output"].(map[string]any)
	if status != 200 || output["success"] != true || output["offenciancy"] != 4.0 {
		t.Errorf("status %d: %v", status, sheet)
	}
	status, chance := send(t, "POST", url+"@0.2.0/test/odds",
		`{`+ada+`, "input": {"name": "navigation", "difficulty": "hard"}, "outputs": ["active_value"], "exact": true}`)
	odds := chance["odds"].(map[string]any)["active_value"].(map[string]any)
	if status != 200 || odds["exact_mean"] != "60" {
		t.Errorf("status %d: %v", status, chance)
	}
	status, sum := send(t, "POST", strings.TrimSuffix(url, "/tempestas")+"/odds", `{"dice": "2d6", "exact": true}`)
	if status != 200 || sum["odds"].(map[string]any)["total"].(map[string]any)["exact_mean"] != "7" {
		t.Errorf("status %d: %v", status, sum)
	}
}

// TestPlayGoesOn plays a task roll by roll: the sheet that the server gave is all that it needs to go on.
func TestPlayGoesOn(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/task/eval"
	status, begun := send(t, "POST", url, `{"character": {"skills": {"carpentry": 60}},
		"input": {"name": "carpentry", "target_value": 8}, "events": [{"event": "roll", "dice": [23]}]}`)
	if status != 200 || begun["state"].(map[string]any)["pool"] != 2.0 {
		t.Fatalf("status %d: %v", status, begun)
	}
	text, err := json.Marshal(begun)
	if err != nil {
		t.Fatal(err)
	}
	status, later := send(t, "POST", url, `{"state": `+string(text)+`, "events": [{"event": "roll", "dice": [34]}]}`)
	if status != 200 || later["state"].(map[string]any)["pool"] != 5.0 {
		t.Errorf("status %d: %v", status, later)
	}
}

// TestFightGoesOn asks how a task ends that has two of the three that it needs: as TestOddsOfProcedures counts the faces for
// one that needs one.
func TestFightGoesOn(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/task/"
	status, begun := send(t, "POST", url+"eval", `{"character": {"skills": {"navigation": 90}, "fatigue": 4},
		"input": {"name": "navigation", "target_value": 3, "every": {"amount": 1, "unit": "day"}},
		"events": [{"event": "roll", "input": {"difficulty": "hard"}, "dice": [23]}]}`)
	if status != 200 || begun["state"].(map[string]any)["pool"] != 2.0 {
		t.Fatalf("status %d: %v", status, begun)
	}
	text, err := json.Marshal(begun)
	if err != nil {
		t.Fatal(err)
	}
	const policy = `"policy": ["roll {\"difficulty\": \"hard\"}"]`
	status, fight := send(t, "POST", url+"fight", `{"state": `+string(text)+`, `+policy+`}`)
	if status != 200 {
		t.Fatalf("status %d: %v", status, fight)
	}
	want := map[string]float64{"won": 52. / 95, "lost": 39. / 95, "lost_fools": 4. / 95}
	for _, x := range fight["ends"].([]any) {
		end := x.(map[string]any)
		if p := end["p"].(float64); math.Abs(p-want[end["status"].(string)]) > 1e-12 {
			t.Errorf("%v: %v", end["status"], p)
		}
		delete(want, end["status"].(string))
	}
	if len(want) > 0 {
		t.Errorf("%v did not happen", want)
	}
	status, p := send(t, "POST", url+"fight", `{"state": `+string(text)+`, "character": {}, `+policy+`}`)
	if status != 400 || !strings.Contains(p["detail"].(string), "a state, which has its own") {
		t.Errorf("a character beside a state: status %d, %v", status, p["detail"])
	}
}

// TestManySettingsAreBounded asks for more than one client may at once: a comparison works in the square of its options,
// and a table of fights draws each of them.
func TestManySettingsAreBounded(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/"
	const task = `"character": {"skills": {"navigation": 90}}, "input": {"name": "navigation", "target_value": 30,
		"every": {"amount": 1, "unit": "day"}}`
	for _, x := range [][3]string{
		{"test/compare", `{"character": {"skills": {"navigation": 90}}, "input": {"name": "navigation"}, "of": "offenciancy",
			"vary": ["complications=0..40"]}`, "at most 40 options"},
		{"test/compare", `{"character": {"skills": {"navigation": 90}}, "input": {"name": "navigation"}, "of": "P(success)",
			"vary": ["complications=0,10"]}`, "of:1:1: there is no function P"},
		{"task/fight", `{` + task + `, "vary": ["target_value=1..65"]}`, "more than 64 fights"},
		{"task/fight", `{` + task + `, "vary": ["target_value=1..8"], "plays": 40000}`,
			"40000 plays are more than the 500 that are drawn here for each of 8 settings"},
	} {
		if status, p := send(t, "POST", url+x[0], x[1]); status != 400 || !strings.Contains(p["detail"].(string), x[2]) {
			t.Errorf("%s: status %d, %v", x[1], status, p["detail"])
		}
	}
}

// TestOddsOfProcedures asks how a task ends. Of 100 faces 52 win, 39 lose and 4 are the fool's; the five without a ten are
// rolled again, so that of 95 that end it as many do so. After one roll those five go on. A day has 86,400 seconds.
func TestOddsOfProcedures(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/task/odds"
	const task = `"character": {"skills": {"navigation": 90}, "fatigue": 4},
		"input": {"name": "navigation", "target_value": 1, "every": {"amount": 1, "unit": "day"}},
		"policy": ["roll {\"difficulty\": \"hard\"}"]`
	status, course := send(t, "POST", url, `{`+task+`, "exact": true}`)
	ends := map[string]any{}
	for _, x := range course["ends"].([]any) {
		end := x.(map[string]any)
		ends[end["status"].(string)] = end["exact"]
	}
	if status != 200 || ends["won"] != "52/95" || ends["lost"] != "39/95" || ends["lost_fools"] != "4/95" ||
		course["exact_mean_events"] != "20/19" {
		t.Errorf("status %d: %v, mean %v", status, ends, course["exact_mean_events"])
	}
	status, both := send(t, "POST", url, `{`+task+`, "most": 1, "outputs": ["status", "elapsed"], "joint": true}`)
	won := 0.0
	for _, x := range both["joint"].([]any) {
		outcome := x.(map[string]any)
		if output := outcome["output"].(map[string]any); output["status"] == "won" && output["elapsed"] == 86400.0 {
			won = outcome["p"].(float64)
		}
	}
	if status != 200 || won != 0.52 || both["open"] != 0.05 {
		t.Errorf("status %d: after one roll won with %v, open with %v", status, won, both["open"])
	}
	for body, want := range map[string]string{
		`{"character": {}}`:                                           "a procedure needs a policy",
		`{` + task + `, "after": 2, "most": 1}`:                       "after 2, most 1",
		`{` + task + `, "after": 0}`:                                  "after 0: follow at least one event",
		`{` + task + `, "most": 0}`:                                   "most 0: follow at least one event",
		`{` + task + `, "joint": true, "vary": ["target_value=1,2"]}`: "joint has no meaning with vary",
		`{"policy": ["rol"]}`:                                         `did you mean "roll"`,
	} {
		if status, p := send(t, "POST", url, body); status != 400 || !strings.Contains(p["detail"].(string), want) {
			t.Errorf("%s: status %d, %v", body, status, p["detail"])
		}
	}
	if status, p := send(t, "POST", strings.TrimSuffix(url, "odds")+"fight", `{`+task+`, "most": 0}`); status != 400 ||
		!strings.HasPrefix(p["detail"].(string), "most 0: follow at least one event") {
		t.Errorf("a fight of no events: status %d: %v", status, p)
	}
	if status, p := send(t, "POST", strings.Replace(url, "task", "test", 1), `{"policy": ["roll"]}`); status != 400 ||
		p["detail"] != "policy has no meaning for a rule" {
		t.Errorf("status %d: %v", status, p)
	}
}

// TestProblems asks what cannot be answered. The code, the status and the path of each stay the same for clients.
func TestProblems(t *testing.T) {
	url := serve(t, "tempestas").URL
	tests := []struct {
		path, body string
		status     int
		code, at   string
	}{
		{"/v1/tempest/test/eval", `{}`, 404, "unknown-name", ""},
		{"/v1/tempestas@9.9.9/test/eval", `{}`, 404, "unknown-name", ""},
		{"/v1/tempestas/tst/eval", `{}`, 404, "unknown-name", ""},
		{"/v1/tempestas/test/evil", `{}`, 404, "unknown-path", ""},
		{"/v1/tempestas/test/eval", `{"charcter": {}}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{} {}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{}}`, 400, "bad-request", ""},
		{"/v1/odds", `{"dice": "d6"}]`, 400, "bad-request", ""},
		{"/v1/odds", `{"dice": "d6", "dice": "d8"}`, 400, "bad-request", ""},
		{"/v1/odds", `{"DICE": "d6"}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{"seed": 1, "Seed": 2}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{"options": {"heroic_band": "up", "heroic_band": "none"}}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{"dice": {"roll": [1], "roll": [2]}}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/ask", `{"Character": {}}`, 400, "bad-request", ""},
		{"/v1/tempestas/task/eval", `{"events": [{"event": "roll", "EVENT": "end"}]}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{"character": {"skills": {}, "skills": {}}}`, 422, "input", "character.skills"},
		{"/v1/tempestas/test/eval", `{"dice": [1], "seed": 2}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/eval", `{"options": {"heroic_bnd": "up"}}`, 400, "unknown-name", ""},
		{"/v1/tempestas/test/eval", `{` + ada + `, "input": {"name": "navigation", "difficulty": "hrd"}}`, 422, "input",
			"input.difficulty"},
		{"/v1/tempestas/test/eval", `{` + ada + `, "input": {"name": "navigation"}, "dice": [101]}`, 422, "dice", ""},
		{"/v1/tempestas/task/eval", `{"character": {"skills": {"carpentry": 60}}, "input": {"name": "carpentry",
			"target_value": 2}, "events": [{"event": "roll", "dice": [23]}, {"event": "roll", "dice": [23]}]}`, 409,
			"not-offered", ""},
		{"/v1/odds", `{"dice": "4d"}`, 422, "dice", ""},
		{"/v1/tempestas/test/odds", `{` + ada + `, "input": {"name": "navigation"}, "formulas": ["1 +"]}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/odds", `{` + ada + `, "input": {"name": "navigation"}, "given": "fo"}`, 400, "bad-request", ""},
		{"/v1/tempestas/test/odds", `{` + ada + `, "input": {"name": "navigation"}, "vary": ["xx"]}`, 400, "bad-request", ""},
	}
	for _, x := range tests {
		status, p := send(t, "POST", url+x.path, x.body)
		at, _ := p["path"].(string)
		if status != x.status || p["code"] != x.code || at != x.at || p["status"] != float64(x.status) || p["detail"] == "" {
			t.Errorf("%s %s: status %d, %v; want %d %s %s", x.path, x.body, status, p, x.status, x.code, x.at)
		}
	}
}

// TestProblemsSpeakOfMembers wants the parts of a question named as its members, which is what a program has sent.
func TestProblemsSpeakOfMembers(t *testing.T) {
	url := serve(t, "tempestas").URL
	const asked = ada + `, "input": {"name": "navigation", "target_value": 8}, `
	for _, x := range []struct{ path, members, detail string }{
		{"test/odds", `"given": "succes"`, "given:1:1: there is no succes here [unknown-name]\n    did you mean success?"},
		{"test/odds", `"vary": ["kind"]`, "vary kind: it is a name with values: write kind=*"},
		{"task/odds", `"best": "stauts"`, "best:1:1: there is no stauts here [unknown-name]\n    did you mean status?"},
		{"task/odds", `"policy": ["roll difficulty=hard"], "decide": ["roll.difficulty: \"hard\""]`,
			`decide roll.difficulty: "hard": policy roll {"difficulty":"hard"} gives difficulty too: leave one of them out`},
		{"task/odds", `"polcy": ["roll"]`, `there is no member "polcy"; did you mean "policy"`},
		{"task/odds", `"Policy": ["roll"]`, `there is no member "Policy": names are in small letters`},
		{"task/eval", `"events": [{"evnt": "roll"}]`, `there is no member "evnt"; did you mean "event"`},
		{"task/eval", `"events": [{"zeal": 1}]`, `there is no member "zeal"; there is dice, event, input`},
	} {
		status, p := send(t, "POST", url+"/v1/tempestas/"+x.path, "{"+asked+x.members+"}")
		if status != 400 || p["detail"] != x.detail {
			t.Errorf("%s %s: status %d, %v, not %s", x.path, x.members, status, p["detail"], x.detail)
		}
	}
}

// TestRefusalsSayWhatIsNeeded wants of a refusal what a player at the command line is told: what was compared, what was
// meant, and which events are offered instead.
func TestRefusalsSayWhatIsNeeded(t *testing.T) {
	url := serve(t, "tempestas").URL
	const none = "refused: the character has nothing of that name (Character Values; Testing by Chance): it needs "
	for _, x := range []struct {
		path, body string
		status     int
		detail     string
	}{
		{"test/eval", `{"input": {"name": "navigation"}}`, 422, none + "navigation (which one) to be among the skills: nothing"},
		{"test/eval", `{` + ada + `, "input": {"name": "navigatio"}}`, 422,
			none + `navigatio (which one) to be among the skills: navigation; did you mean "navigation"`},
		{"task/eval", `{` + ada + `, "input": {"name": "navigation", "target_value": 2}, "events": [{"event": "pay"}]}`, 409,
			`event pay is not offered: it needs can_continue(input.target_value, state.outcome, character.fatigue), and ` +
				`character.fatigue is 0, input.target_value is 2, state.outcome is "none"; offered: roll, stop`},
	} {
		status, p := send(t, "POST", url+"/v1/tempestas/"+x.path, x.body)
		if status != x.status || p["detail"] != x.detail {
			t.Errorf("%s: status %d, %v, not %s", x.path, status, p["detail"], x.detail)
		}
	}
}

// TestQuestionsOfOtherDoors asks as another address, another door or another language would be asked.
func TestQuestionsOfOtherDoors(t *testing.T) {
	url := serve(t, "tempestas").URL
	for _, x := range []struct {
		path, body string
		status     int
		detail     string
	}{
		{"test/eval?seed=3", `{` + ada + `, "input": {"name": "navigation"}}`, 400,
			"a question is asked in the body alone: put ?seed=3 into its object"},
		{"test/stream?seed=1", `{` + ada + `}`, 422,
			"is missing: the input of all lines stands in the query, ?input={...}, and a line is a character alone"},
		{"test", `{}`, 405,
			"this is asked by GET; questions go to /v1/tempestas/test/eval, or to another path of GET /v1/"},
		{"test/odds", `{` + ada + `, "input": {"name": "navigation"}, "given": "offenciancy + 1"}`, 400,
			`given offenciancy + 1: it is a number, and no condition: write "offenciancy + 1 >= 1"`},
		{"test/odds", `{` + ada + `, "input": {"name": "navigation"}, "vary": ["complications=1-5"]}`, 400,
			"vary complications=1-5: write complications=1..5"},
		{"task/eval", `{` + ada + `, "input": {"name": "navigation", "target_value": 2}, "events": [{"event": "roll",
			"input": {"difficulty": 3}}]}`, 422, "must be a string, not a number"},
		{"test/eval", `{"events": []}`, 400, "events has no meaning for a rule; procedures are contest, play, task"},
		{"task/eval", `{"state": {"procedure": "task"}, "dice": [5]}`, 400,
			`dice has no meaning for a state: an event has its own, {"event": "roll", "dice": [5]}`},
		{"task/eval", `{"state": "{}"}`, 422,
			"it cannot be of the type string: what is given is the whole sheet of the last answer, an object"},
		{"task/eval", `{"state": {"procedure": "task", "seed": "7"}}`, 422,
			"seed cannot be of the type string: what is given is the whole sheet of the last answer, an object"},
	} {
		status, p := send(t, "POST", url+"/v1/tempestas/"+x.path, x.body)
		if status != x.status || p["detail"] != x.detail {
			t.Errorf("%s %s: status %d, %v, not %s", x.path, x.body, status, p["detail"], x.detail)
		}
	}
}

// TestBodiesThatEndEarly wants to be told what is missing.
func TestBodiesThatEndEarly(t *testing.T) {
	url := serve(t, "tempestas").URL
	for body, want := range map[string]string{
		"":         "the body is empty: send a JSON object, {} for one without members",
		" ":        "the body is empty: send a JSON object, {} for one without members",
		" null\n":  "the body is null: send a JSON object, {} for one without members",
		`{"seed":`: "the JSON of the body ends before its object does",
	} {
		if status, p := send(t, "POST", url+"/v1/tempestas/test/eval", body); status != 400 || p["detail"] != want {
			t.Errorf("%q: status %d, %v", body, status, p["detail"])
		}
	}
}

// TestBodiesOfOtherTypes wants the member named with what it must be, in the words of JSON.
func TestBodiesOfOtherTypes(t *testing.T) {
	type embedded struct{ api.Chance }
	for body, want := range map[string]string{
		`[]`:                                 "the body must be an object, not a list",
		`7`:                                  "the body must be an object, not a number",
		`{"given": 7}`:                       "given must be a string, not a number",
		`{"exact": "yes"}`:                   "exact must be true or false, not a string",
		`{"after": 1.5}`:                     "after must be a whole number, not 1.5",
		`{"policy": "roll"}`:                 "policy must be a list, not a string",
		`{"policy": ["pay", ["roll"]]}`:      "policy[1] must be a string, not a list",
		`{"options": ["up"]}`:                "options must be an object, not a list",
		`{"options": {"heroic_band": true}}`: "options.heroic_band must be a string, not true or false",
		`{"given": null, "after": 1e99}`:     "after must be a whole number, not 1e99",
	} {
		if err := api.Decode([]byte(body), &embedded{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", body, err, want)
		}
	}
	for body, want := range map[string]string{
		`{"seed": -1}`: "seed must be a whole number from 0 to 18446744073709551615, not -1",
		`{"events": [{"event": "a"}, {"event": 3}]}`: "events[1].event must be a string, not a number",
		`{"events": ["roll"]}`:                       "events[0] must be an object, not a string",
		`{"events": {"event": "roll"}}`:              "events must be a list, not an object",
	} {
		if err := api.Decode([]byte(body), &api.Question{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", body, err, want)
		}
	}
}

// TestBodiesOfTypesThatReadThemselves takes what such types take.
func TestBodiesOfTypesThatReadThemselves(t *testing.T) {
	for _, body := range []string{`{"dice": [5, 3]}`, `{"dice": {"roll": [5]}}`, `{"character": null}`, `{"seed": null}`} {
		if err := api.Decode([]byte(body), &api.Question{}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	// No faces at all are said by leaving dice out, as on a command line.
	if err := api.Decode([]byte(`{"dice": null}`), &api.Question{}); err == nil {
		t.Error("null is taken for faces")
	}
	for _, body := range []string{`{"of": "total"}`, `{"of": ["total", "hit"]}`} {
		if err := api.Decode([]byte(body), &api.Contest{}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestBodiesThatAreNoJSON wants the place of what is none.
func TestBodiesThatAreNoJSON(t *testing.T) {
	for body, want := range map[string]string{
		"name=navigation":           `the body is no JSON: 'a' cannot stand at line 1, column 2: send an object, {"character": {...}, "input": {...}}`,
		"{'given': 1}":              `the body is no JSON: '\'' cannot stand at line 1, column 2: JSON has double quotes`,
		"{\"given\": 1,\n\n  é}":    `the body is no JSON: 'é' cannot stand at line 3, column 3`,
		`{"after": 1, "given": 1,}`: `the body is no JSON: '}' cannot stand at line 1, column 25`,
	} {
		err := api.Decode([]byte(body), &api.Chance{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, not %s", body, err, want)
		}
	}
}

// TestProblemsNameTheSameMember asks with members that have no meaning: each time the same one is told.
func TestProblemsNameTheSameMember(t *testing.T) {
	url := serve(t, "tempestas").URL
	for range 20 {
		_, p := send(t, "POST", url+"/v1/tempestas/test/eval", `{"state": {}, "events": [], "exact": true}`)
		if p["detail"] != "events has no meaning for a rule" {
			t.Fatalf("got %v", p)
		}
	}
}

// TestOpenAPINamesWhatIsServed looks up every path of the description with GET, and every reference.
func TestOpenAPINamesWhatIsServed(t *testing.T) {
	url := serve(t, "haze").URL
	_, doc := send(t, "GET", url+"/v1/openapi.json", "")
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	seen := 0
	for path, item := range doc["paths"].(map[string]any) {
		if _, reads := item.(map[string]any)["get"]; !reads {
			continue
		}
		seen++
		answer, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("GET %s: status %d", path, answer.StatusCode)
		}
	}
	if seen < 20 {
		t.Errorf("%d paths to read", seen)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), `"#/components/schemas/`)[1:] {
		if name, _, _ := strings.Cut(part, `"`); schemas[name] == nil {
			t.Errorf("there is no schema %s", name)
		}
	}
}

// TestMethods asks by a method that a path does not have: it says which it has.
func TestMethods(t *testing.T) {
	url := serve(t, "tempestas").URL
	for path, want := range map[string]string{
		"/v1/tempestas/test/eval": "POST", "/v1/tempestas/test": "GET", "/v1/": "GET", "/v1/odds": "GET, POST",
		"/v1/tempestas/test/evil": "",
	} {
		r, err := http.NewRequest(http.MethodDelete, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		status := http.StatusMethodNotAllowed
		if want == "" {
			status = http.StatusNotFound
		}
		if answer.StatusCode != status || answer.Header.Get("Allow") != want {
			t.Errorf("DELETE %s: status %d, allowed %q", path, answer.StatusCode, answer.Header.Get("Allow"))
		}
	}
}

// TestListedOperationsAreThere asks for each operation that GET /v1 lists, which are those that the description has, and
// for each link.
func TestListedOperationsAreThere(t *testing.T) {
	url := serve(t, "tempestas").URL
	r, err := http.Get(url + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var list []struct {
		Operations []struct{ Method, Path string }
	}
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, link := range r.Header.Values("Link") {
		path, _, _ := strings.Cut(strings.TrimPrefix(link, "<"), ">")
		found["GET "+path], found["POST "+path] = true, true
	}
	for _, x := range list[0].Operations {
		path := strings.ReplaceAll(x.Path, "{name}", "test")
		found[x.Method+" "+strings.Replace(path, "@0.2.0", "", 1)] = true
		asked, err := http.NewRequestWithContext(t.Context(), x.Method, url+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(asked)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusMethodNotAllowed {
			t.Errorf("%s %s: status %d", x.Method, path, answer.StatusCode)
		}
	}
	_, described := send(t, "GET", url+"/v1/openapi.json", "")
	for path, methods := range described["paths"].(map[string]any) {
		for method := range methods.(map[string]any) {
			isOfTest := strings.Contains(path+"/", "/test/") || !strings.HasPrefix(path, "/v1/tempestas/")
			if key := strings.ToUpper(method) + " " + path; isOfTest && path != "/v1" && !found[key] {
				t.Errorf("%s is not listed", key)
			}
		}
	}
}
