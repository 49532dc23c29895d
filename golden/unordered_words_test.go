package golden_test

import (
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// Words of two choices that have them the other way round have no order: neither in a plan nor in its file, neither alone
// nor as a field of a record, and whatever other output has the same words in an order.
func TestWordsWithoutAnOrder(t *testing.T) {
	p, diags := gametest.Compile(t, map[string]string{"arms": `
		rules: arms: {
			cite: "x"
			#Input: {
				up: *"low" | "high"
				down: *"high" | "low"
				a: {up: *"low" | "high"}
				b: {up: *"high" | "low"}
			}
			dice: d: "d6"
			let: record: "d > 3 ? input.a : input.b"
			output: {
				rising: "input.up"
				either: "d > 3 ? input.up : input.down"
				field: "record.up"
				falling: "input.down"
			}
		}`})
	if p == nil {
		t.Fatal("it is not compiled", diags)
	}
	read, err := planfile.Read(planfile.Write(p, nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, ordered := range map[string]bool{"rising": true, "either": false, "field": false, "falling": true} {
		of := p.Rules[0].Graph.Outputs.Type
		i, _ := of.Field(name)
		if got := of.Fields[i].Type.Order() != nil; got != ordered {
			t.Errorf("%s: its words have an order: %t", name, got)
		}
		if got := read.Rules[0].Graph.Outputs.Type.Fields[i].Type.Order() != nil; got != ordered {
			t.Errorf("%s: its words have an order in the file: %t", name, got)
		}
	}
}
