package check

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestEveryKindOfTableIsChecked(t *testing.T) {
	for kind := range plan.NumTableKinds {
		if checkKeys[kind] == nil {
			t.Errorf("keys of tables of kind %s are not checked", kind)
		}
	}
}
