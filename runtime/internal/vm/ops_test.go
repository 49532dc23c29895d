package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every case is executed on operands that are read, and again on constants, which passes may compute: both must agree.
func TestOps(t *testing.T) {
	for _, group := range graphtest.OpCases {
		for _, c := range group.Cases {
			for _, constant := range []bool{false, true} {
				want := `{"r":` + c.Want + `}`
				switch {
				case group.Gives == nil && c.Want == "":
					want = `{"r":0}`
				case group.Gives == nil:
					want = "site 0: " + c.Want
				}
				checkAnswers(c.Build(group.Gives, constant), t, c.Op.String(), want)
				if c.Op.Has(plan.Symmetric) {
					checkAnswers(c.Reversed().Build(group.Gives, constant), t, c.Op.String()+" of the reverse", want)
				}
			}
		}
	}
}
