package say_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/say"
)

// TestHintsOfRecordsAreThoseOfTheirFields asks for the fields of a duel: of their record only those that have a place are
// asked first, and only because the record is; a record whose fields have none is asked first whole.
func TestHintsOfRecordsAreThoseOfTheirFields(t *testing.T) {
	hint := func(path string, primary int64, group string) plan.FieldHint {
		return plan.FieldHint{Root: plan.InputRoot, Of: "duel", Path: path, Primary: primary, Group: group}
	}
	words := planfile.EncodeWords(&plan.Words{Fields: []plan.FieldHint{
		hint("difficulty", 3, ""), hint("kind", 1, ""), hint("theirs", 4, "opponent"), hint("theirs.kind", 2, ""),
		hint("theirs.name", 1, ""), hint("weapon", 2, ""), hint("aside", 0, "rest"), hint("aside.kind", 1, ""),
		hint("blows[].weapon", 1, ""),
	}})
	speaker := say.NewSpeaker(&plan.Plan{Words: words})
	order := map[string]int64{}
	for path, want := range map[string]say.Hint{
		"kind": {Primary: 1}, "difficulty": {Primary: 3}, "theirs.kind": {Primary: 2, Group: "opponent"},
		"theirs.name": {Primary: 1, Group: "opponent"}, "theirs.bonus": {Group: "opponent"}, "weapon.reach": {Primary: 2},
		"aside.kind": {Group: "rest"}, "aside.other": {Group: "rest"}, "blows[].weapon": {}, "bonus": {},
	} {
		got := speaker.HintOf(plan.InputRoot, "duel", path)
		if got.Primary != want.Primary || got.Group != want.Group {
			t.Errorf("%s is asked %d, in %q", path, got.Primary, got.Group)
		}
		order[path] = got.Order
	}
	want := []string{"kind", "weapon.reach", "difficulty", "theirs.name", "theirs.kind"}
	if !slices.IsSortedFunc(want, func(a, b string) int { return int(order[a] - order[b]) }) || order["bonus"] != 0 {
		t.Errorf("the order is %v", order)
	}
	if got := speaker.HintOf(plan.EventRoot, "duel", "kind"); got.Primary != 0 {
		t.Error("a field of an event has the hint of one of an input")
	}
}
