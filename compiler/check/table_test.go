package check

import (
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestEveryKindOfTableIsChecked wants a key that two rows have found in tables of all kinds.
func TestEveryKindOfTableIsChecked(t *testing.T) {
	for kind := range plan.NumTableKinds {
		row := book.Row{RowKey: plan.RowKey{Key: "one", Lo: 1, Hi: 2}}
		var diags diag.List
		keyChecker{Table: &book.Table{Kind: kind, Rows: []book.Row{row, row}}, diags: &diags}.check(keyRange{})
		if !diags.Failed() {
			t.Errorf("keys of tables of kind %s are not checked", kind)
		}
	}
}
