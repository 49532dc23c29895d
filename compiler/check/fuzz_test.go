package check

import (
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// FuzzExpression holds that no text makes the check panic, that there is either a tree or a problem, and that no part
// of a tree has an open type.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{
		"i + d * 2", "b ? [] : is", "is.map(x, x > 1, d).sum(x, x)", "ps.sort_by(x, x.name)[0].name",
		"has(p.skill) && p.skill > 1",
		"min(1, i, j)", "with(m, 'a', 1).a", "{'a': [1]}.all(k, k == s)", "[[], [1]][0] + []", "aspect == 'body'",
		"floor(i * 0.29)",
		"is.exists_one(x, x == 1) || i / 2 == 1", "1u + 2u", "p{}", "get(m, 'x', [])",
	} {
		f.Add(s)
	}
	strict, open := NewExpressionChecker(testNames(), Profile{}),
		NewExpressionChecker(testNames(), Profile{IntegerDivision: true, MapLiterals: true})
	f.Fuzz(func(t *testing.T, s string) {
		for _, b := range []*ExpressionChecker{strict, open} {
			var diags diag.List
			e := b.Check(placed(s), &diags)
			if (e == nil) != diags.Failed() {
				t.Fatalf("tree %v with problems %v", e, diags.Sorted())
			}
			if e != nil {
				checkClosed(t, e.Root)
			}
		}
	})
}

func checkClosed(t *testing.T, e *Expr) {
	if !isClosed(e.Type) {
		t.Errorf("%s has the type %s", show(e), e.Type)
	}
	if e.Op == OpRef && e.Object == nil || e.Op == OpCall && e.Name == "" || e.Place == (plan.Place{}) {
		t.Errorf("%s is incomplete", show(e))
	}
	for _, a := range e.Args {
		checkClosed(t, a)
	}
}
