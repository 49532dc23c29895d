package plan

import "testing"

func TestEveryOperationHasASignature(t *testing.T) {
	seen := map[string]Op{}
	for op := OpConst; int(op) < NumOps; op++ {
		s := signatures[op]
		if s.name == "" || s.gives == 0 {
			t.Errorf("operation %d has no signature", op)
		}
		if other, ok := seen[s.name]; ok {
			t.Errorf("operations %d and %d have the same name %q", other, op, s.name)
		}
		seen[s.name] = op
	}
}
