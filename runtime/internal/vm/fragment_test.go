package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestProceedForgetsTooManyFaults lets an executor keep faults without end, as fields that have no value make them.
func TestProceedForgetsTooManyFaults(t *testing.T) {
	s := NewExecutor(NewImage(&plan.Plan{}))
	s.Proceed()
	s.faults = make([]fault, 1)
	if !s.Proceed() || len(s.faults) != 1 {
		t.Errorf("one fault is too many: %d stay", len(s.faults))
	}
	s.faults = make([]fault, 1<<18+1)
	if s.Proceed() || len(s.faults) != 0 {
		t.Errorf("%d faults stay", len(s.faults))
	}
}
