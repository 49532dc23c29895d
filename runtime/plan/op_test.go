package plan_test

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestEveryOperationHasARow(t *testing.T) {
	seen := map[string]plan.Op{}
	for op := plan.OpConst; int(op) < plan.NumOps; op++ {
		row := op.Operation()
		if row.Name == "" || row.Result == 0 || row.Doc == "" {
			t.Errorf("the row of operation %d is missing or incomplete", op)
		}
		if other, ok := seen[row.Name]; ok {
			t.Errorf("operations %d and %d have the same name %q", other, op, row.Name)
		}
		seen[row.Name] = op
		if row.Fails != plan.OpInvalid && row.Fails.Operation().Result != 'f' {
			t.Errorf("%s fails by %s, which is no fault", op, row.Fails)
		}
		if op.Has(plan.Commutes) && (len(row.Operands) != 2 || row.Operands[0] != row.Operands[1]) {
			t.Errorf("%s commutes, and takes %q", op, row.Operands)
		}
		if of := row.Operands; op.Has(plan.Symmetric) && (of == "" || of[0] != 'l' && of[0] != 'p') {
			t.Errorf("%s is symmetric, and takes %q", op, of)
		}
		if op.Has(plan.ReadsSize) && !op.Has(plan.Symmetric) {
			t.Errorf("%s reads only the size of a list, and is not symmetric", op)
		}
	}
}
