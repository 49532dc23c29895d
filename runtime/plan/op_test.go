package plan

import "testing"

func TestEveryOperationHasARow(t *testing.T) {
	seen := map[string]Op{}
	for op := OpConst; int(op) < NumOps; op++ {
		row := op.Operation()
		if row.Name == "" || row.Result == 0 || row.Doc == "" {
			t.Errorf("the row of operation %d is missing or incomplete", op)
		}
		if other, ok := seen[row.Name]; ok {
			t.Errorf("operations %d and %d have the same name %q", other, op, row.Name)
		}
		seen[row.Name] = op
		if row.Fails != OpInvalid && row.Fails.Operation().Result != 'f' {
			t.Errorf("%s fails by %s, which is no fault", op, row.Fails)
		}
		if op.Has(Commutes) && (len(row.Operands) != 2 || row.Operands[0] != row.Operands[1]) {
			t.Errorf("%s commutes, and takes %q", op, row.Operands)
		}
		if of := row.Operands; op.Has(Symmetric) && (of == "" || of[0] != 'l' && of[0] != 'p') {
			t.Errorf("%s is symmetric, and takes %q", op, of)
		}
		if op.Has(ReadsSize) && !op.Has(Symmetric) {
			t.Errorf("%s reads only the size of a list, and is not symmetric", op)
		}
	}
}
