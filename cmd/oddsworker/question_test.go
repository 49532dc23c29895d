package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

// hard is the navigation of golden/tempestas/odds_navigation.txtar, which has the arithmetic: it succeeds 57 times of 100.
const hard = `"character": {"statistics": {"int": 25}, "skills": {"navigation": 90}, "fatigue": 20},
	"input": {"name": "navigation", "difficulty": "hard"}`

// TestAnswers asks of what is known from the book, and what cannot be asked.
func TestAnswers(t *testing.T) {
	s := newSolver(runtime.New(gametest.ShippedPlan(t, "tempestas")))
	for _, x := range []struct {
		question string
		answer   string // what is compared
	}{
		{`{"subject": "test", ` + hard + `, "outputs": ["success"], "exact": true}`,
			`{"false": "43/100", "true": "57/100"}`},
		{`{"subject": "test", ` + hard + `, "outputs": ["success"], "exact": true, "joint": true}`,
			`{"false": "43/100", "joint": 2, "true": "57/100"}`},
		{`{"subject": "test", "input": {"name": "navigation", "difficulty": "odd"}}`,
			`{"code": "input", "path": "input.difficulty"}`},
		{`{"subject": "test", "given": null, ` + hard + `, "outputs": ["success"], "exact": true}`,
			`{"false": "43/100", "true": "57/100"}`},
		{`{"subject": "test"} {}`, `{"code": "bad-request"}`},
		{`{"subject": "tset"}`, `{"code": "unknown-name"}`},
		{`{"subject": "test", "given": "success"}`, `{"code": "bad-request"}`},
		{`{"subject": "test", "policy": ["roll"]}`, `{"code": "bad-request"}`},
		{`{"subject": "test", "colour": 1}`, `{"code": "bad-request"}`},
		{`{"subject": "test", ` + hard + `, "budget": 1}`, `{"code": "too-large"}`},
		{`{"subject": "task"}`, `{"code": "bad-request"}`},
		{`{"subject": "task", "policy": ["roll: state.pool > 1"]}`, `{"code": "bad-request"}`},
		{`{"subject": "task", "policy": ["roll"], "joint": true}`, `{"code": "bad-request"}`},
		{`{"subject": "task", "policy": ["roll"], "after": -1}`, `{"code": "bad-request"}`},
		{`{"subject": "task", "policy": ["roll"], "after": 0}`, `{"code": "bad-request"}`},
		{`{"subject": "task", "policy": ["roll"], "most": 0}`, `{"code": "bad-request"}`},
		// Of a value of 60, 61 to 100 fail, 1 to 5 are a fool's failure, and 6 to 9 are a success whose tens digit is 0:
		// it goes on. The other 51 have at least the one that is asked for.
		{`{"subject": "task", "character": {"skills": {"navigation": 60}},
			"input": {"name": "navigation", "target_value": 1}, "policy": ["roll"], "most": 1}`,
			`{"lost": "2/5", "lost_fools": "1/20", "won": "51/100"}`},
	} {
		if got := summarize(t, s.answer([]byte(x.question))); got != strings.ReplaceAll(x.answer, " ", "") {
			t.Errorf("%s\nis %s, not %s", x.question, got, x.answer)
		}
	}
}

// summarize returns the fractions of an output or of the ends, how many outcomes there are together, and the code and the
// path of a problem, as an object.
func summarize(t *testing.T, answer []byte) string {
	t.Helper()
	var a struct {
		Problem map[string]any
		Odds    map[string]struct {
			Distribution []struct {
				Value json.RawMessage
				Exact string
			}
		}
		Joint []any
		Ends  []struct{ Status, Exact string }
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, name := range []string{"code", "path"} {
		if value, ok := a.Problem[name]; ok {
			out[name] = value
		}
	}
	for _, output := range a.Odds {
		for _, v := range output.Distribution {
			out[string(v.Value)] = v.Exact
		}
	}
	for _, e := range a.Ends {
		out[e.Status] = e.Exact
	}
	if a.Joint != nil {
		out["joint"] = len(a.Joint)
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
