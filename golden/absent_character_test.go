package golden_test

import (
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestAbsentCharacterInList reads the plans of rules that list a character which who uses the rule does not give: of its lists
// and maps nothing is known but that they are such.
func TestAbsentCharacterInList(t *testing.T) {
	for _, condition := range []string{
		"[input.target, input.target].exists(c, c.might > 3)",
		"[input.target, input.target].exists(c, c.skills.exists(k, c.skills[k] > 2))",
		"[input.target, input.target].exists(c, c.bag.sum(b, b.n + sum(b.of)) > 3)",
		"[input.target, with(input.target, 'might', 3)].map(c, c.bag).exists(b, b.exists(q, q.marks.exists(k, q.marks[k] > 2)))",
		"[input.target.bag, input.target.bag].exists(b, b.exists(x, x.n > 2))",
	} {
		p := gametest.CompileParts(t, fmt.Sprintf(`
#Character: {
	might!: int & >=0 & <=9
	skills: [string]: int & >=0 & <=6
	bag: [...{n: *1 | int, of: [...int] & list.MaxItems(3), marks: [string]: int}] & list.MaxItems(3)
}
rules: aimed: {
	cite: "x"
	#Input: target?: #Character
	output: met: "has(input.target) && %s"
}
rules: misses: {
	cite: "x"
	use: aim: {rule: "aimed"}
	output: met: "aim.met"
}
`, condition))
		if _, err := planfile.Read(planfile.Write(p, nil)); err != nil {
			t.Errorf("%s: %v", condition, err)
		}
	}
}
