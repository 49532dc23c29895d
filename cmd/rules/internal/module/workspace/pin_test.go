package workspace

import "testing"

func TestAddingAPinChangesNothingElse(t *testing.T) {
	const pin = "small 0.2.0"
	for text, want := range map[string]string{
		`{}`:               `{"$revision": "small 0.2.0"}`,
		`{ }`:              `{ "$revision": "small 0.2.0" }`,
		`{"a":1}` + "\n":   `{"$revision": "small 0.2.0", "a":1}` + "\n",
		"{\n  \"a\": 1\n}": "{\n  \"$revision\": \"small 0.2.0\",\n  \"a\": 1\n}",
		`{"a": {"$revision": "x"}, "$revision" : "small 0.1.0", "b": 2}`: "" +
			`{"a": {"$revision": "x"}, "$revision" : "small 0.2.0", "b": 2}`,
		`{"$revision":"0.1.0"}`: `{"$revision":"small 0.2.0"}`,
	} {
		got, err := (Pin{Revision: pin}).AddTo([]byte(text))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
		if !PinOf(got).IsSame(Pin{Revision: pin}) {
			t.Errorf("%s: it is pinned to %+v", got, PinOf(got))
		}
	}
	for _, text := range []string{``, `[]`, `{"a":}`, `{"a":1`, `3`} {
		if got, err := (Pin{Revision: pin}).AddTo([]byte(text)); err == nil {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestPinsNameHomebrews(t *testing.T) {
	pin := Pin{"small 0.2.0", &[]PinnedHomebrew{{"storm", "sha256:aa"}, {"rain", "sha256:bb"}}}
	for text, want := range map[string]string{
		`{"a":1}`: `{"$revision": "small 0.2.0", "$homebrews": {"storm":"sha256:aa","rain":"sha256:bb"}, "a":1}`,
		`{"$homebrews": {}, "$revision":"0.1.0"}`: "" +
			`{"$homebrews": {"storm":"sha256:aa","rain":"sha256:bb"}, "$revision":"small 0.2.0"}`,
	} {
		got, err := pin.AddTo([]byte(text))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
		if !PinOf(got).IsSame(pin) {
			t.Errorf("%s: it is pinned to %+v", got, PinOf(got))
		}
	}
	for text, named := range map[string]bool{`{}`: false, `{"$homebrews": {}}`: true, `{"$homebrews": "storm"}`: false,
		`{"$homebrews": {"storm": 1}}`: false, `[]`: false} {
		if got := PinOf([]byte(text)).Homebrews != nil; got != named {
			t.Errorf("%s: it names homebrews: %v", text, got)
		}
	}
}
