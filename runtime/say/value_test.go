package say

import (
	"encoding/json"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestLookUpDefaults reads what a person left out: its default, in a record that was left out too, and nothing where the
// shape has neither.
func TestLookUpDefaults(t *testing.T) {
	number := &plan.Shape{Kind: plan.Int}
	shape := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "wounds", Shape: number, Default: "0"},
		{Name: "zone", Shape: &plan.Shape{
			Kind: plan.Record, Fields: []plan.Member{{Name: "size", Shape: number, Default: "25"}},
		}},
		{Name: "rank", Shape: number, Optional: true},
		{Name: "skills", Shape: &plan.Shape{
			Kind: plan.Map, Elem: number, Fields: []plan.Member{{Name: "melee", Shape: number, Default: "1"}},
		}},
	}}
	for _, c := range []struct{ record, path, want string }{
		{`{}`, "wounds", "0"},
		{`{"wounds": 3}`, "wounds", "3"},
		{`{}`, "zone.size", "25"},
		{`{"zone": {"size": 5}}`, "zone.size", "5"},
		{`{}`, "rank", ""},
		{`{"rank": 2}`, "rank", "2"},
		{`{}`, "skills.melee", "1"},
		{`{"skills": {"stealth": 4}}`, "skills.stealth", "4"},
		{`{"skills": {}}`, "skills.stealth", ""},
	} {
		got, known := lookUp(shape, decodeJSON([]byte(c.record)), c.path)
		if known != (c.want != "") || known && got != json.Number(c.want) {
			t.Errorf("%s of %s is %v, want %q", c.path, c.record, got, c.want)
		}
	}
}
