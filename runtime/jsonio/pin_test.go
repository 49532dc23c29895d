package jsonio

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// smallCharacters reads characters of the ruleset small.
func smallCharacters() (*Decoder, *Schema) {
	inner := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "x", Shape: &plan.Shape{Kind: plan.Int},
		Optional: true}}}
	s := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "a", Shape: &plan.Shape{Kind: plan.Int}, Default: "1"},
		{Name: "b", Shape: inner, Default: "{}"},
	}}
	m := vm.NewImage(&plan.Plan{Ruleset: "small", Revision: "0.1.0", Symbols: []string{""}, Character: s})
	return NewDecoder(vm.NewStore(m)), NewRootSchema(m, plan.CharacterRoot, s)
}

func TestPin(t *testing.T) {
	for text, want := range map[string]string{
		`{"$revision": "small 0.1.0", "a": 2}`:          "",
		`{"a": 2, "$revision": "small 0.1.0", "b": {}}`: "",
		`{"$revision": "small 0.2.0"}`: "" +
			`character["$revision"]: the character is pinned to "small 0.2.0", and this is "small 0.1.0"`,
		`{"$revision": "large 0.1.0"}`:                                      `pinned to "large 0.1.0"`,
		`{"$revision": 1}`:                                                  "must be a string, not a number",
		`{"$revision": "small 0.1.0", "$revision": "small 0.1.0"}`:          "stands here twice",
		`{"$revision" "small 0.1.0"}`:                                       "a colon must follow",
		`{"b": {"$revision": "small 0.1.0"}}`:                               "there is no such field",
		`{"$Revision": "small 0.1.0"}`:                                      "there is no such field",
		`{"$revision": "small 0.1.0", "$revision": "small 0.1.0", "a": 2 }`: "stands here twice",
	} {
		d, schema := smallCharacters()
		_, err := d.DecodeSlots(schema, []byte(text))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func TestPinPlace(t *testing.T) {
	d, schema := smallCharacters()
	_, err := d.DecodeSlots(schema, []byte("{\n \"$revision\": \"small 9.0.0\"}"))
	if e, ok := errors.AsType[*InputError](err); !ok || e.Line != 2 || e.Col != 15 {
		t.Errorf("got %+v, want line 2, column 15", err)
	}
}

func TestRepin(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:      `{"$revision":"small 0.1.0"}`,
		`{"a":1}`: `{"$revision":"small 0.1.0","a":1}`,
	} {
		if got := string(AddPin([]byte(in), "small 0.1.0")); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// TestInputIsNotPinned holds that only characters are.
func TestInputIsNotPinned(t *testing.T) {
	d, characters := smallCharacters()
	r := NewSchema("input", characters.Shape, func(string) int64 { return -1 })
	if _, err := d.DecodeSlots(r, []byte(`{"$revision": "small 0.1.0"}`)); err == nil {
		t.Error("an input was pinned")
	}
}
