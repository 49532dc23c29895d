package partial_test

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var number = &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: 3, Open: true}, Not: []plan.Bound{{Value: 4}}}

// shape is {size!: int, name?: string, place!: {height!: double}, hits!: [...int], skills!: [string]: {level!: int}}.
var shape = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
	{Name: "size", Shape: number},
	{Name: "name", Shape: &plan.Shape{Kind: plan.String}, Optional: true},
	{Name: "place", Shape: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "height", Shape: &plan.Shape{Kind: plan.Double, Min: &plan.Bound{Value: 0, Open: true},
			Max: &plan.Bound{Value: 1e-6, Open: true}}},
	}}},
	{Name: "hits", Shape: &plan.Shape{Kind: plan.List, Elem: number, MinItems: 2, MaxItems: 4}},
	{Name: "skills", Shape: &plan.Shape{Kind: plan.Map, Elem: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "level", Shape: number},
	}}}},
}}

// TestComplete wants the gaps of a record, and JSON that the decoder takes.
func TestComplete(t *testing.T) {
	image := vm.NewImage(&plan.Plan{Symbols: []string{""}})
	schema := jsonio.NewSchema("input", shape, image.SymbolOf)
	for _, c := range []struct {
		text     string
		accepted []string
		want     []string
	}{
		{"", nil, []string{"input.size", "input.name", "input.place.height", "input.hits", "input.skills"}},
		{`{"size": 5, "hits": [5, null], "skills": {"a.b": null, "c": {"level": 7}}}`, []string{"input.name"},
			[]string{"input.place.height", "input.hits[1]", `input.skills["a.b"].level`}},
		{`{"size": 5, "place": {"height": 1e-7}, "hits": [5, 6], "skills": {}}`, []string{"input"}, nil},
	} {
		r, err := partial.Complete("input", shape, []byte(c.text), c.accepted)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jsonio.NewDecoder(vm.NewStore(image)).DecodeSlots(schema, r.JSON); err != nil {
			t.Errorf("%s is completed to %s: %v", c.text, r.JSON, err)
		}
		var got []string
		for _, g := range r.Gaps {
			got = append(got, g.Path)
		}
		if len(got) != len(c.want) {
			t.Fatalf("%s lacks %q, not %q", c.text, got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s lacks %q, not %q", c.text, got, c.want)
			}
		}
	}
}

// TestWith puts values at paths.
func TestWith(t *testing.T) {
	for _, c := range []struct{ text, path, value, want, wrong string }{
		{``, "input.place.height", "2", `{"place":{"height":2}}`, ""},
		{`{"hits":[1,null]}`, "input.hits[1]", "3", `{"hits":[1,3]}`, ""},
		{`{"hits":null}`, "input.hits[1]", "3", "", "input: has no such part"},
		{`{"a":1}`, `input["a b"]["c\"d"]`, `"x"`, `{"a":1,"a b":{"c\"d":"x"}}`, ""},
		{`{"a":1}`, "input.a.b", "2", "", "input: has no such part"},
		{`{}`, "inputs", "2", "", "inputs: is no path of the input"},
		{`{}`, "input[x]", "2", "", "input[x]: is no path of the input"},
		{`{}`, "input.a", "{", "", "input.a: the JSON does not end"},
	} {
		got, err := partial.With("input", []byte(c.text), c.path, []byte(c.value))
		wrong := ""
		if err != nil {
			wrong = err.Error()
		}
		if string(got) != c.want || wrong != c.wrong {
			t.Errorf("%s with %s at %s is %s (%v)", c.text, c.value, c.path, got, err)
		}
	}
}
