package check_test

import (
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestGuards reads the optional field p.skill under conditions, and wants the column and the message where it may be
// missing.
func TestGuards(t *testing.T) {
	person := &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "name", Type: plan.StringType}, {Name: "skill", Type: plan.IntType, Optional: true},
	}}
	names := []*check.Param{
		check.NewParam("b", plan.BoolType), check.NewParam("p", person), check.NewParam("ps", plan.ListOf(person)),
	}
	for _, c := range []struct{ text, want string }{
		{"p.skill + 1", "3 unguarded: p.skill may be missing; read it behind has(p.skill)"},
		{"p.skill > 1 && has(p.skill)", "3 unguarded: p.skill may be missing; read it behind has(p.skill)"},
		{"has(p.skill) && p.skill > 1", ""},
		{"!has(p.skill) || p.skill > 1", ""},
		{"!has(p.skill) ? 0 : p.skill", ""},
		{"has(p.skill) || p.skill > 1", "19 unguarded: p.skill may be missing; read it behind has(p.skill)"},
		{"b || has(p.skill) ? p.skill : 0", "23 unguarded: p.skill may be missing; read it behind has(p.skill)"},
		{"ps.sum(x, has(x.skill) ? x.skill : 0)", ""},
		{"ps.sum(x, x.skill)", "13 unguarded: x.skill may be missing; read it behind has(x.skill)"},
		{"has(p.skill) && b ? p.skill : 0", ""},
		{"has(p.skill) == b ? p.skill : 0", "23 unguarded: p.skill may be missing; read it behind has(p.skill)"},
	} {
		var diags diag.List
		text := &book.Text{S: c.text, Runs: []book.Run{{Place: plan.Place{File: "f", Line: 1, Col: 1}}}}
		tree := check.CheckExpression(text, names, check.Profile{}, &diags)
		if tree == nil {
			t.Errorf("%s: %v", c.text, diags.Err())
			continue
		}
		got := ""
		for _, d := range diags.Sorted() {
			got += fmt.Sprintf("%d %s: %s; %s", d.Place.Col, d.Code, d.Message, d.Repair)
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
