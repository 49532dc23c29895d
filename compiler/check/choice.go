package check

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// formula checks a formula; want is the type it is asked for, nil for any. Its type is broken when there is a problem.
func (c *pass) formula(f *book.Formula, want *plan.Type) *Formula {
	if f.By.Written() {
		return c.choice(f, want)
	}
	out := &Formula{Text: f, Type: broken, Expr: c.expr(&f.Expr, want)}
	if out.Expr != nil {
		out.Type = out.Expr.Type
	}
	return out
}

// choice checks a formula by the value of an option or an enum: it has an arm for each value and no other.
func (c *pass) choice(f *book.Formula, want *plan.Type) *Formula {
	out := &Formula{Text: f, Type: broken, By: c.expr(&f.By, nil)}
	by := c.at(&f.By)
	if out.By != nil && (out.By.Type.Kind != plan.String || out.By.Type.Enum == nil) {
		by.addf("choice-open", f.By.At(0), "by must be an option or a string with an enum, not %s", brief(out.By.Type))
		out.By = nil
	}
	arms := c.arms(f, want)
	if out.By == nil {
		return out
	}
	complete := c.complete(f, out.By, arms)
	t := c.armType(f, arms)
	if !complete || t == nil {
		return out
	}
	for _, v := range out.By.Type.Enum {
		out.Arms = append(out.Arms, Arm{Value: v, Expr: arms[v]})
	}
	out.Type = t
	return out
}

func (c *pass) arms(f *book.Formula, want *plan.Type) map[string]*Expr {
	arms := map[string]*Expr{}
	for i := range f.Is {
		arms[f.Is[i].Value] = c.expr(&f.Is[i].Expr, want)
	}
	return arms
}

func (c *pass) complete(f *book.Formula, by *Expr, arms map[string]*Expr) bool {
	ok := true
	var missing []string
	for _, v := range by.Type.Enum {
		if _, there := arms[v]; !there {
			missing = append(missing, v)
		}
	}
	for i := range f.Is {
		if !hasValue(by.Type, f.Is[i].Value) {
			near := diag.Nearest(f.Is[i].Value, missing)
			missing = slices.DeleteFunc(missing, func(v string) bool { return v == near }) // it is there, misspelt
		}
	}
	if len(missing) > 0 {
		c.at(&f.By).addf("choice-incomplete", f.By.At(0), "there is no formula for %s = %s", describe(by), strings.Join(missing, ", "))
		ok = false
	}
	for i := range f.Is {
		arm := &f.Is[i]
		if !hasValue(by.Type, arm.Value) {
			c.at(&f.By).addf("choice-value", arm.Place, "%s is never %s: it is one of %s", describe(by), arm.Value, values(by.Type)).
				Repair = diag.DidYouMean(arm.Value, by.Type.Enum)
			ok = false
		}
	}
	return ok
}

// armType is the one type of all arms, nil when they differ or have problems.
func (c *pass) armType(f *book.Formula, arms map[string]*Expr) *plan.Type {
	var t *plan.Type
	whole := true
	for i := range f.Is {
		e := arms[f.Is[i].Value]
		switch {
		case e == nil:
			whole = false
		case t == nil:
			t = e.Type
		case !e.Type.Same(t):
			c.at(&f.Is[i].Expr).mismatch(e.Place, e.Type, t, "the arms of a choice have one type: %s stands beside %s", brief(e.Type), brief(t))
			whole = false
		default:
			t = join(t, e.Type)
		}
	}
	if !whole {
		return nil
	}
	return t
}

// arm is the expression for a value.
func (f *Formula) arm(value string) *Expr {
	for _, a := range f.Arms {
		if a.Value == value {
			return a.Expr
		}
	}
	return nil
}

// exprs lists the expressions of a formula that are there.
func (f *Formula) exprs() []*Expr {
	if f.By == nil {
		if f.Expr == nil {
			return nil
		}
		return []*Expr{f.Expr}
	}
	out := []*Expr{f.By}
	for _, a := range f.Arms {
		out = append(out, a.Expr)
	}
	return out
}
