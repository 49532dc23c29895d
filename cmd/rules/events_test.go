package main

import "testing"

func FuzzReadEvent(f *testing.F) {
	f.Add([]byte(`{"event": "roll", "input": {"a": 1}, "dice": [43]}`))
	f.Add([]byte(`{"event": "roll", "dice": {"ours.roll": [43]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e event
		if err := readEvent(text, &e); err == nil && e.Event == "" {
			t.Errorf("%s has no event", text)
		}
	})
}
