package odds

import (
	"strings"
	"testing"
)

// TestBudgetErrorTellsNumbersApart holds that a need just above the budget is not printed as the budget itself.
func TestBudgetErrorTellsNumbersApart(t *testing.T) {
	for needs, want := range map[float64]string{
		DefaultBudget + 7: "need more states, but the budget is 20 million",
		3e9:               "need about 3 billion states, but the budget is 20 million",
	} {
		err := &BudgetError{Subject: "sum", Needs: needs, Budget: DefaultBudget, What: "states"}
		if got := err.Error(); !strings.HasSuffix(got, want) {
			t.Errorf("%v: got %q, want it to end with %q", needs, got, want)
		}
	}
}

// TestFormatWork rounds to three digits, also across a border.
func TestFormatWork(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 950: "950", 100_000: "100000", 123_456: "123000", 999_600: "1 million", 20_000_000: "20 million",
		1_234_567: "1.23 million", 999_499_999: "999 million", 25.6e9: "25.6 billion", 3.456e12: "3460 billion", 1e18: "10^18",
	} {
		if got := FormatWork(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
