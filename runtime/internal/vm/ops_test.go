package vm

import (
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"testing"
)

// Every case is executed on operands that are read, and again on constants, which passes may compute: both must agree.
func TestOps(t *testing.T) {
	for _, group := range graphtest.OpCases {
		for _, c := range group.Cases {
			for _, constant := range []bool{false, true} {
				b := c.Build(group.Gives, constant)
				want := `{"r":` + c.Want + `}`
				switch {
				case group.Gives == nil && c.Want == "":
					want = `{"r":0}`
				case group.Gives == nil:
					want = "site 0: " + c.Want
				}
				checkAnswers(b, t, c.Op.String(), want)
			}
		}
	}
}
