package layout

import "testing"

// What can happen is told from what cannot, and what must from what mostly does.
func TestChancesNearNothingAndNearAll(t *testing.T) {
	for p, want := range map[float64]string{
		0: "0.0 %", 0.0004: "under 0.1 %", 0.0005: "0.1 %", 0.57: "57.0 %", 0.9994: "99.9 %", 0.9995: "over 99.9 %",
		0.9996: "over 99.9 %", 1: "100.0 %", 1 - 1e-9: "over 99.9 %",
		1 - 1e-13: "100.0 %", // summed from tenths, say
	} {
		if got := FormatRoundPercent(p); got != want {
			t.Errorf("%v is %q, want %q", p, got, want)
		}
	}
}
