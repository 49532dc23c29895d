package kernel

import "testing"

// TestUnknownEvent names the event that was probably meant.
func TestUnknownEvent(t *testing.T) {
	p := &Play{procedure: &Procedure{Events: []Event{{ID: "roll"}, {ID: "stop"}}}}
	for name, want := range map[string]string{
		"rol":  `there is no event "rol"; did you mean "roll"`,
		"jump": `there is no event "jump"; there is roll, stop`,
	} {
		if err := p.Do(name, Request{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
