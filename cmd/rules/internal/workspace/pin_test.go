package workspace

import "testing"

func TestWithPinChangesNothingElse(t *testing.T) {
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
		got, err := WithPin([]byte(text), pin)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
		if PinOf(got) != pin {
			t.Errorf("%s: it is pinned to %q", got, PinOf(got))
		}
	}
	for _, text := range []string{``, `[]`, `{"a":}`, `{"a":1`, `3`} {
		if got, err := WithPin([]byte(text), pin); err == nil {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
