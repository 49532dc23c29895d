package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// readsMore are the operations on one or two scalar slots whose values more than these slots decide: an immediate, the text
// of a symbol, the rows of a table, a list.
var readsMore = []plan.Op{
	plan.OpResult, plan.OpToIntFault, plan.OpFirstFault, plan.OpNewSpan, plan.OpRange, plan.OpRangeFault,
	plan.OpRow, plan.OpRowDouble, plan.OpRowFault, plan.OpCell, plan.OpCover, plan.OpIntToString, plan.OpDoubleToString,
	plan.OpBoolToString, plan.OpAnd, plan.OpOr,
}

// TestEveryTableHasEveryOperation fails when an operation was added to plans and forgotten in a package above: one without
// bounds, one that cannot be computed of constants, one that plan files may not hold as an instruction. That an operation
// is executed is held where it is, by a case for each.
func TestEveryTableHasEveryOperation(t *testing.T) {
	for op := plan.OpConst; int(op) < plan.NumOps; op++ {
		row := op.Operation()
		if !interval.HasTransfer(op) {
			t.Errorf("%s has no transfer function in interval", op)
		}
		scalar := row.Operands != "" && len(row.Operands) <= 2 && strings.Trim(row.Operands, "idbkf*") == ""
		switch computed := builtin.ScalarOf(op) != nil; {
		case scalar && !computed && !slices.Contains(readsMore, op):
			t.Errorf("%s takes scalars alone, and builtin does not compute it", op)
		case computed && !scalar:
			t.Errorf("%s takes %q, and builtin computes it as if they were scalars", op, row.Operands)
		case computed && row.Result != 'f' && vector.KernelOf(op) == nil:
			t.Errorf("%s has no kernel", op)
		}
		if source := row.Operands == "" || op == plan.OpResult || op == plan.OpLoop; schedule.IsInstruction(op) == source {
			t.Errorf("%s is an instruction: %v", op, !source)
		}
	}
}
