package view

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// TestNumbersReadAsPeopleWriteThem writes sums of tenths, of which binary fractions have none: 49 times 1.1 is 53.9 on
// paper, and 53.900000000000006 in doubles.
func TestNumbersReadAsPeopleWriteThem(t *testing.T) {
	for value, want := range map[float64]string{49 * 1.1: "53.9", .1 + .2: "0.3", 8: "8.0", -0.5: "-0.5"} {
		if got := Text(jsonio.DoubleValue(value)); got != want {
			t.Errorf("%v reads %s, want %s", value, got, want)
		}
	}
	const record = `{"cost": 53.900000000000006, "name": "1.50000000000001", "list": [0.30000000000000004, 3]}`
	if got, want := TextOfJSON([]byte(record)), `{"cost": 53.9, "name": "1.50000000000001", "list": [0.3, 3]}`; got != want {
		t.Errorf("a record reads %s, want %s", got, want)
	}
}
