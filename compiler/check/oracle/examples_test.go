package oracle

import (
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/builtin"
)

// TestExamples runs the examples of every builtin: both sides of each have one value.
func TestExamples(t *testing.T) {
	for _, f := range builtin.Table() {
		if len(f.Examples) == 0 {
			t.Errorf("%s has no example", f.Name)
		}
		for _, e := range f.Examples {
			got, want := valueOf(t, e.Expr), valueOf(t, e.Want)
			if got.Kind() != want.Kind() || got.String() != want.String() {
				t.Errorf("%s is %v, not %s", e.Expr, got, e.Want)
			}
		}
	}
}

func valueOf(t *testing.T, text string) runtime.Value {
	var diags diag.List
	c := check.CheckExpression(&book.Text{S: text}, nil, profile, &diags)
	if c == nil {
		t.Fatalf("%s: %v", text, diags.Err())
	}
	v, err := evaluate(lower.Expression(c.Root, nil), nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
