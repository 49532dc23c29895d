package jsonio

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
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

func TestAddPins(t *testing.T) {
	small := &plan.Plan{Ruleset: "small", Revision: "0.1.0"}
	for in, want := range map[string]string{
		`{}`:      `{"$revision":"small 0.1.0"}`,
		`{"a":1}`: `{"$revision":"small 0.1.0","a":1}`,
	} {
		if got := string((Pins{Revision: true}).AddTo([]byte(in), small)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	storms := &plan.Plan{Ruleset: "small", Revision: "0.1.0", Overlays: []string{"storm", "rain"},
		OverlayDigests: []string{"sha256:aa", "sha256:bb"}}
	for in, want := range map[string]string{
		`{}`:      `{"$homebrews":{"storm":"sha256:aa","rain":"sha256:bb"}}`,
		`{"a":1}`: `{"$homebrews":{"storm":"sha256:aa","rain":"sha256:bb"},"a":1}`,
	} {
		if got := string((Pins{Homebrews: true}).AddTo([]byte(in), storms)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
		if got := string((Pins{}).AddTo([]byte(in), storms)); got != in {
			t.Errorf("%s: got %s, want it as it is", in, got)
		}
	}
	if got, want := string((Pins{true, true}).AddTo([]byte(`{}`), small)),
		`{"$revision":"small 0.1.0","$homebrews":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHomebrewsOfACharacter plays characters with the homebrew storm, of a digest, and with rain, of which nobody has one.
func TestHomebrewsOfACharacter(t *testing.T) {
	s := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "a", Shape: &plan.Shape{Kind: plan.Int}, Default: "1"}}}
	for _, x := range []struct {
		overlays, digests []string
		text, want        string
	}{
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {"storm": "sha256:aa"}}`, ""},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"a": 2}`, ""},
		{[]string{"rain", "storm"}, []string{"sha256:bb", "sha256:aa"},
			`{"$homebrews": {"storm": "sha256:aa", "rain": "sha256:bb"}, "a": 2}`, ""},
		{nil, nil, `{"$homebrews": {}}`, ""},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {}}`,
			`character["$homebrews"]: the character is played without the homebrew storm, which is used here`},
		{nil, nil, `{"$homebrews": {"storm": "sha256:aa"}}`,
			`character["$homebrews"].storm: the character is played with the homebrew storm, which is not used here`},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {"storm": "sha256:cc"}}`,
			"the homebrew storm that is used here is another: its digest is sha256:aa, not sha256:cc"},
		{[]string{"storm"}, nil, `{"$homebrews": {"storm": "sha256:cc"}}`, "nobody knows the digest of the homebrew storm"},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {"storm": "sha256:aa", "storm": "sha256:aa"}}`,
			"stands here twice"},
		{nil, nil, `{"$homebrews": {}, "$homebrews": {}}`, "stands here twice"},
		{nil, nil, `{"$homebrews": "storm"}`, "must be an object, not a string"},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {"storm": 1}}`, "must be a string, not a number"},
		{[]string{"storm"}, []string{"sha256:aa"}, `{"$homebrews": {"storm": "sha256:aa",}}`, "leave out the comma"},
		{nil, nil, `{"$homebrews": {`, "a name in quotes is expected"},
	} {
		m := vm.NewImage(&plan.Plan{Ruleset: "small", Symbols: []string{""}, Character: s, Overlays: x.overlays,
			OverlayDigests: x.digests})
		_, err := NewDecoder(vm.NewStore(m)).DecodeSlots(NewRootSchema(m, plan.CharacterRoot, s), []byte(x.text))
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", x.text, err)
		case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: got %v, want %q", x.text, err, x.want)
		}
	}
}

// TestOthersArePinned wants other characters in an input to be judged by what they name, and the one that is played to keep
// its own pins.
func TestOthersArePinned(t *testing.T) {
	d, characters := smallCharacters()
	other := *characters.Shape
	other.Character = true
	input := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "them", Shape: &other, Optional: true},
		{Name: "crew", Shape: &plan.Shape{Kind: plan.List, Elem: &other, MaxItems: 3}, Default: "[]"},
	}}
	m := vm.NewImage(&plan.Plan{Ruleset: "small", Revision: "0.1.0", Symbols: []string{""}, Character: characters.Shape})
	r := NewRootSchema(m, plan.InputRoot, input)
	for text, want := range map[string]string{
		`{"them": {"$revision": "0.1.0", "$homebrews": {}, "a": 2}}`: "",
		`{"crew": [{"$revision": "0.1.0"}, {"$revision": "0.1.0"}]}`: "",
		`{"crew": [{}, {"$revision": "0.2.0"}]}`:                     `input.crew[1]["$revision"]: the character is pinned to "0.2.0"`,
		`{"them": {"$revision": "0.1.0", "$revision": "0.1.0"}}`:     `input.them["$revision"]: stands here twice`,
		`{"them": {"b": {"$revision": "0.1.0"}}}`:                    `input.them.b["$revision"]: there is no such field`,
		`{"$revision": "0.1.0"}`:                                     `input["$revision"]: there is no such field`,
	} {
		if _, err := d.DecodeSlots(characters, []byte(`{"$homebrews": {}}`)); err != nil {
			t.Fatal(err)
		}
		_, err := d.DecodeSlots(r, []byte(text))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
		if got, own := d.Pins(), (Pins{Homebrews: true}); got != own {
			t.Errorf("%s: the pins of the character are %v, want %v", text, got, own)
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
