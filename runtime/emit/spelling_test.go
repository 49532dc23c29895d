package emit_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var operand = regexp.MustCompile(`\$[a-z]`)

// Every operation has a spelling in each language, whose template names no operand twice: one in place would be computed
// twice.
func TestEveryOperationIsSpelled(t *testing.T) {
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		s := emit.SpellingOf(op)
		for language, text := range map[string]string{"JavaScript": s.JS, "Go": s.Go} {
			if text == "" {
				t.Errorf("%v has no spelling in %s", op, language)
			}
			found := operand.FindAllString(text, -1)
			slices.Sort(found)
			if len(slices.Compact(slices.Clone(found))) != len(found) {
				t.Errorf("%v: %s names an operand twice", op, text)
			}
		}
	}
}
