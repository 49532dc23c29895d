package golden

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/jsontree"
)

func TestCompare(t *testing.T) {
	for _, x := range []struct {
		want, got string
		near      float64
		diff      string // the differences, a line each
	}{
		{`{"a": 1}`, `{"a": 1, "b": 2}`, 0, ``},
		{`{"a": 1.0}`, `{"a": 1}`, 0, ``},
		{`{"a": 1e2}`, `{"a": 100}`, 0, ``},
		{`{"a": -0.0}`, `{"a": 0}`, 0, ``},
		{`{"a": {"b": [1, {"c": "x"}]}}`, `{"a": {"b": [1, {"c": "x", "d": null}], "e": 1}}`, 0, ``},
		{`{"a": 1}`, `{"a": 2}`, 0, `a: want 1, got 2`},
		{`{"a": 9007199254740993}`, `{"a": 9007199254740992}`, 0, `a: want 9007199254740993, got 9007199254740992`},
		{`{"a": 0.3}`, `{"a": 0.30000000000000004}`, 0, `a: want 0.3, got 0.30000000000000004`},
		{`{"a": 0.3}`, `{"a": 0.30000000000000004}`, 1e-9, ``},
		{`{"a": 5}`, `{"a": 6}`, 0.5, `a: want 5, got 6`},
		{`{"a": 1}`, `{"a": "1"}`, 0, `a: want 1, got "1"`},
		{`{"a": true}`, `{"a": false}`, 0, `a: want true, got false`},
		{`{"a": null}`, `{"a": 0}`, 0, `a: want null, got 0`},
		{`{"a": "<b>"}`, `{"a": "c"}`, 0, `a: want "<b>", got "c"`},
		{`{"odds": {"done": 0.5}}`, `{"odds": {"done": {"false": 0.25, "true": 0.75}}}`, 0,
			`odds.done: want 0.5, got {"false": 0.25, "true": 0.75}; chances stand by the value: {"done": {"true": 0.5}}`},
		{`{"output": {"hp": 3}}`, `{"output": {"hit": 1}, "state": {"hp": 3}}`, 0,
			`output.hp: want 3, but there is no such member; it is of the state: {"state": {"hp": ...}}`},
		{`{"a": {"b": 1}}`, `{"a": {}}`, 0, `a.b: want 1, but there is no such member`},
		{`{"output": {"hits": 1}}`, `{"output": {"hit": 1}}`, 0,
			`output.hits: want 1, but there is no such member; did you mean hit`},
		{`{"outputs": {"hit": 1}}`, `{"output": {"hit": 1}}`, 0,
			`outputs: want {"hit": 1}, but there is no such member; did you mean output`},
		{`{"hit": 1}`, `{"output": {"hit": 1}}`, 0,
			`hit: want 1, but there is no such member; outputs stand under output: {"output": {"hit": ...}}`},
		{`{"output": {"hit": "true"}}`, `{"output": {"hit": true}}`, 0,
			`output.hit: want "true", got true; write it without quotes`},
		{`{"output": {"hit": "2 + 1"}}`, `{"output": {"hit": 3}}`, 0,
			`output.hit: want "2 + 1", got 3; arithmetic is written {"cel": "2 + 1"}`},
		{`{"output": {"day": "2-1"}}`, `{"output": {"day": "x"}}`, 0, `output.day: want "2-1", got "x"`},
		{`{"odds": {"hit": "50%"}}`, `{"odds": {"hit": 0.5}}`, 0,
			`odds.hit: want "50%", got 0.5; a chance is a part of 1: write 0.25 or "1/4"`},
		{`{"mean": {"hits": 0.667}}`, `{"mean": {"hits": 0.6666666666666666}}`, 0,
			`mean.hits: want 0.667, got 0.6666666666666666; it is rounded: write the header near: 1e-3, or a fraction in quotes, as "1/6"`},
		{`{"mean": {"hits": 0.66}}`, `{"mean": {"hits": 0.6766666666666666}}`, 0,
			`mean.hits: want 0.66, got 0.6766666666666666`},
		{`{"mean": {"hits": 0.5}}`, `{"mean": {"hits": 0.55}}`, 0, `mean.hits: want 0.5, got 0.55`},
		{`{"a b": {"c": 1}}`, `{"a b": {"c": 2}}`, 0, `["a b"].c: want 1, got 2`},
		{`{"a": [1, 2]}`, `{"a": [1, 3]}`, 0, `a[1]: want 2, got 3`},
		{`{"a": [1, 2]}`, `{"a": [1]}`, 0, `a: want [1, 2], got [1]`},
		{`{"a": [{}, {"b": 1}]}`, `{"a": [{"b": 0}, {"b": 2}]}`, 0, `a[1].b: want 1, got 2`},
		{`{"a": 1, "b": 2}`, `{"b": 3, "a": 2}`, 0, "a: want 1, got 2\nb: want 2, got 3"},
		{`{}`, `[]`, 0, `the sheet: want {}, got []`},
	} {
		want, err1 := jsontree.ReadTree([]byte(x.want))
		got, err2 := jsontree.ReadTree([]byte(x.got))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		var lines []string
		for _, d := range CompareTrees(want, got, x.near) {
			lines = append(lines, d.String())
		}
		if diff := strings.Join(lines, "\n"); diff != x.diff {
			t.Errorf("%s and %s: %q, want %q", x.want, x.got, diff, x.diff)
		}
	}
}
