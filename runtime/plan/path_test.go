package plan_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestPath(t *testing.T) {
	for path, want := range map[string][]string{
		"name":                     {"name"},
		"place.height":             {"place", "height"},
		`skills["St. John"]`:       {"skills", "St. John"},
		`skills['St. John'].level`: {"skills", "St. John", "level"},
		`["a=b"].c`:                {"a=b", "c"},
		`a["say \"[x]\""]["b"]`:    {"a", `say "[x]"`, "b"},
		"hits[2].place":            {"hits[2]", "place"},
		"sword fighting":           {"sword fighting"},
		"a..b":                     {"a", "", "b"},
		"a.":                       {"a", ""},
		"":                         {""},
		`skills["St`:               {`skills["St`},
		`a["b"]c`:                  {"a", `["b"]c`},
	} {
		if got := plan.SplitPath(path); !slices.Equal(got, want) {
			t.Errorf("SplitPath(%s) = %q, want %q", path, got, want)
		}
	}
	for _, names := range [][]string{{"a"}, {"a", "St. John", "b"}, {"x=y", ""}, {"ä ö", `"]`, "it's", "["}} {
		if got := plan.SplitPath(plan.JoinPath(names...)); !slices.Equal(got, names) {
			t.Errorf("SplitPath(%s) = %q, want %q", plan.JoinPath(names...), got, names)
		}
	}
	for text, want := range map[string][2]string{
		"a=b=c":                {"a", "b=c"},
		`skills["x=y"]=["=1"]`: {`skills["x=y"]`, `["=1"]`},
		`x[1=2`:                {"x[1", "2"},
	} {
		if name, value, ok := plan.CutAssignment(text); !ok || name != want[0] || value != want[1] {
			t.Errorf("CutAssignment(%s) = %s, %s, %t", text, name, value, ok)
		}
	}
	if _, _, ok := plan.CutAssignment(`a["b=c"]`); ok {
		t.Error(`a["b=c"] is no assignment`)
	}
	shape := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "skills", Shape: &plan.Shape{Kind: plan.Map, Elem: &plan.Shape{Kind: plan.Int}}},
		{Name: "place", Shape: &plan.Shape{Kind: plan.Record}},
	}}
	for path, want := range map[string]string{
		"skills.St. John": `skills["St. John"]`, `skills["St. John"]`: "", "skills.navigation": "", "place.a.b": "",
	} {
		if got := shape.QuoteKey(path); got != want {
			t.Errorf("QuoteKey(%s) = %q, want %q", path, got, want)
		}
	}
}
