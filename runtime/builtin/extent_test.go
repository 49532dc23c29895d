package builtin

import (
	"slices"
	"testing"
)

// TestEveryOverloadSaysItsExtent fails when a function was added whose number, list or map nothing would bound: ranges and
// counts of dice made of it could never be written.
func TestEveryOverloadSaysItsExtent(t *testing.T) {
	unbounded := []string{"bool", "string", "R"}
	for _, f := range Table() {
		for _, o := range f.Overloads {
			if has, needs := o.Extent != nil, !slices.Contains(unbounded, o.Result); has != needs {
				t.Errorf("%s gives %s; it says its extent: %v", o.ID, o.Result, has)
			}
		}
	}
}
