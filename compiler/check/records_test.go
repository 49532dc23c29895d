package check

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestMemberNamesHaveAnOrder holds that messages which list what may be read of a character say the same each time.
func TestMemberNamesHaveAnOrder(t *testing.T) {
	r := &registry{traits: map[string]*Trait{"speed": nil, "armor": nil, "might": nil, "wits": nil, "charm": nil}}
	typ := &plan.Type{Kind: plan.Record, Character: true, Fields: []plan.Field{{Name: "zeal"}, {Name: "age"}}}
	want := []string{"zeal", "age", "armor", "charm", "might", "speed", "wits"}
	for range 20 {
		if got := r.memberNames(typ); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
