package odds

import (
	"strings"
	"testing"
)

// TestBudgetErrorTellsNumbersApart holds that a need just above the budget is not printed as the budget itself.
func TestBudgetErrorTellsNumbersApart(t *testing.T) {
	for needs, want := range map[float64]string{
		DefaultBudget + 7: "need a few more states, but the budget is 2e+07",
		3e9:               "need about 3e+09 states, but the budget is 2e+07",
	} {
		err := &BudgetError{Subject: "sum", Needs: needs, Budget: DefaultBudget, What: "states"}
		if got := err.Error(); !strings.HasSuffix(got, want) {
			t.Errorf("%v: got %q, want it to end with %q", needs, got, want)
		}
	}
}
