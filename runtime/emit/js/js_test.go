package js_test

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Every operation has a spelling.
func TestEveryOperationIsSpelled(t *testing.T) {
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		if emit.SpellingOf(op).JS == "" {
			t.Errorf("%v has no spelling in JavaScript", op)
		}
	}
}
