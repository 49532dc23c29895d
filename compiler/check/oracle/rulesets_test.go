package oracle

import (
	"slices"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/portion"
)

// TestRulesets runs every formula that ships on values of the types that it reads.
func TestRulesets(t *testing.T) {
	var diags diag.List
	for _, release := range load.Release(load.Source{FS: rules.Files}, &diags) {
		checked := check.Check(release.Rules, &diags)
		if diags.Failed() {
			t.Fatal(diags.Err())
		}
		t.Run(release.Name, func(t *testing.T) {
			t.Parallel()
			rulesetAgrees(t, checked)
		})
	}
}

func rulesetAgrees(t *testing.T, rules *check.Ruleset) {
	r := newReference(rules)
	d := newDealer(1, r)
	failed, valued := 0, 0
	for _, c := range rules.Trees {
		p, err := newPair(c, r, rules.Options...)
		if err != nil {
			t.Fatalf("%s: %v", c.Text.S, err)
		}
		d.whole, d.words = trusting(c.Root), words(c.Root)
		for range portion.Of(5, 12) {
			if err := p.differ(d, chosen(d, rules, r)); err != nil {
				t.Errorf("%s: %v", diag.PlaceString(c.Text.Place), err)
				failed++
				break
			}
		}
		if failed == 10 {
			t.Fatal("and more")
		}
		if p.values > 0 {
			valued++
		}
	}
	t.Logf("%d formulas, %d with a value", len(rules.Trees), valued)
	if valued*10 < len(rules.Trees)*9 {
		t.Errorf("only %d of %d formulas ever had a value", valued, len(rules.Trees))
	}
}

// chosen is some choice of the options, which it also makes the reference's.
func chosen(d *dealer, rules *check.Ruleset, r *reference) map[string]string {
	out, vals := map[string]string{}, map[string]ref.Val{}
	for _, o := range rules.Options {
		v := pick(d, o.Type().Enum)
		out[o.Book.ID], vals[o.Book.ID] = v, types.String(v)
	}
	r.options = newRecord(vals)
	return out
}

// trusting reports whether an expression reads an optional field without asking for it: the guard stands elsewhere, in
// the condition of a use or in a let.
func trusting(e *check.Expr) bool {
	asked, read := map[string]bool{}, map[string]bool{}
	walk(e, func(e *check.Expr) {
		switch e.Op {
		case check.OpHas:
			asked[e.Name] = true
		case check.OpField:
			if i, _ := e.Args[0].Type.Field(e.Name); i >= 0 && e.Args[0].Type.Fields[i].Optional {
				read[e.Name] = true
			}
		}
	})
	for name := range read {
		if !asked[name] {
			return true
		}
	}
	return false
}

func walk(e *check.Expr, visit func(*check.Expr)) {
	visit(e)
	for _, a := range e.Args {
		walk(a, visit)
	}
}

// words are the strings that mean something to an expression: what it quotes, the keys of the tables that it looks at,
// and those of the traits and functions that it needs.
func words(e *check.Expr) []string {
	var out []string
	walk(e, func(e *check.Expr) {
		switch d := e.Object.(type) {
		case *check.Table:
			for _, row := range d.Book.Rows[:min(len(d.Book.Rows), 6)] {
				out = append(out, row.Key)
			}
		case *check.Trait:
			out = append(out, words(d.Formula.Expr)...)
		case *check.Function:
			out = append(out, words(d.Formula.Expr)...)
		}
		out = append(out, e.Name, e.Value.String)
		out = append(out, e.Type.Enum...)
	})
	slices.Sort(out)
	return slices.Compact(out)
}
