package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// resolveText parses a text and resolves its names.
func (c *checker) resolveText(t *book.Text, s *Scope, subject string) {
	if found := c.newSite(c.parser, t, s, subject); found != nil {
		c.sites[t] = found
	}
}

// resolveFormula resolves an expression, or each one of a choice.
// Subjects name the part: "rule test, let base" of the key, and "rule test, let base, skill".
func (c *checker) resolveFormula(f *book.Formula, s *Scope, subject string) {
	if !f.By.Written() {
		c.resolveText(&f.Expr, s, subject)
		return
	}
	c.resolveText(&f.By, s, subject)
	for i := range f.Is {
		c.resolveText(&f.Is[i].Expr, s, subject+", "+f.Is[i].Value)
	}
}

// typeTree types the expression of a text; want is the type it is asked for, nil for any. It gives nil when there is none,
// or when there is a problem, which has been reported.
func (c *checker) typeTree(t *book.Text, want *plan.Type) *Tree {
	s := c.sites[t]
	if s == nil || s.expr == nil {
		return nil
	}
	tree := c.typeSite(s, want)
	if tree != nil {
		c.out.Trees = append(c.out.Trees, tree)
	}
	return tree
}

// typeText returns the expression of a text; nil as for typeTree.
func (c *checker) typeText(t *book.Text, want *plan.Type) *Expr {
	if tree := c.typeTree(t, want); tree != nil {
		return tree.Root
	}
	return nil
}

// typeTextAs returns the expression of a text that must be of a type.
func (c *checker) typeTextAs(t *book.Text, want *plan.Type, what string) *Expr {
	e := c.typeText(t, want)
	if e == nil || !c.reporterOf(t).checkFits(e, want, what) {
		return nil
	}
	return e
}

// reporterOf reports problems of a text that are found after it was typed.
func (c *checker) reporterOf(t *book.Text) *reporter {
	if s := c.sites[t]; s != nil {
		return c.reporterFor(s.subject)
	}
	return c.reporterFor("")
}

// typeFormula types a formula; want is the type it is asked for, nil for any.
func (c *checker) typeFormula(f *book.Formula, want *plan.Type) *Formula {
	if f.By.Written() {
		return c.typeChoice(f, want)
	}
	out := &Formula{Book: f}
	if tree := c.typeTree(&f.Expr, want); tree != nil {
		out.Expr, out.arms = tree.Root, []*Tree{tree}
	}
	return out
}

// typeChoice types a formula by the value of an option or an enum. It has an arm for each value and no other, and becomes
// one expression: where the choice was made is of no interest to anything that follows.
//
// Args of the result are the key and then the arms in the order of the enum, whatever order the
// author wrote: OpChoose finds an arm by the number of the word. All arms are typed even when the
// key has a problem, so that theirs are reported in the same run.
func (c *checker) typeChoice(f *book.Formula, want *plan.Type) *Formula {
	out := &Formula{Book: f}
	by := c.typeText(&f.By, nil)
	if by != nil && by.Type.Enum == nil && isOption(by) { // its values could not be read, which is reported
		by = nil
	}
	if by != nil && (by.Type.Kind != plan.String || by.Type.Enum == nil) {
		c.reporterOf(&f.By).addf("choice-open", f.By.At(0),
			"a formula is chosen by an option or by a string with an enum, not by %s", briefType(by.Type)).
			Repair = "write one formula, x > 0 ? a : b"
		by = nil
	}
	arms := map[string]*Expr{}
	for i := range f.Is {
		if tree := c.typeTree(&f.Is[i].Expr, want); tree != nil {
			arms[f.Is[i].Value] = tree.Root
			out.arms = append(out.arms, tree)
		}
	}
	if by == nil {
		return out
	}
	complete := c.checkArms(f, by)
	t := c.typeOfArms(f, arms)
	if !complete || t == nil {
		return out
	}
	out.Expr = &Expr{Op: OpChoose, Type: t, Place: by.Place, Args: []*Expr{by}}
	for _, v := range by.Type.Enum {
		out.Expr.Args = append(out.Expr.Args, arms[v])
	}
	return out
}

// checkArms reports the values for which a choice has no arm, and arms for no value; it says whether there are none of
// both.
//
// An arm for "skil" beside a missing "skill" is one slip and reported once, as a value that the
// key never has.
func (c *checker) checkArms(f *book.Formula, by *Expr) bool {
	r := c.reporterOf(&f.By)
	isValue := func(a book.Arm) bool { return hasValue(by.Type, a.Value) }
	var missing []string
	for _, v := range by.Type.Enum {
		if !slices.ContainsFunc(f.Is, func(a book.Arm) bool { return a.Value == v }) {
			missing = append(missing, v)
		}
	}
	meant := map[string]string{} // by arm that is no value
	for _, a := range f.Is {
		if !isValue(a) {
			near := diag.Nearest(a.Value, missing)
			if len(missing) == 1 && len(f.Is) == len(by.Type.Enum) {
				near = missing[0] // one arm is wrong, and one value lacks it
			}
			meant[a.Value] = near
			missing = slices.DeleteFunc(missing, func(v string) bool { return v == near }) // it is there, misspelt
		}
	}
	if len(missing) > 0 {
		r.addf("choice-incomplete", f.By.At(0), "there is no formula for %s = %s", by.Describe(),
			strings.Join(missing, ", ")).Repair = fmt.Sprintf(`write %s: "..." beside the others`, missing[0])
	}
	for _, a := range f.Is {
		if !isValue(a) {
			d := r.addf("choice-value", a.Place, "%s is never %s: it is one of %s", by.Describe(),
				a.Value, listEnum(by.Type))
			d.Repair = diag.DidYouMean(cmp.Or(meant[a.Value], a.Value), by.Type.Enum)
			d.Lacks = r.lackedRow(a.Value, by.Type)
		}
	}
	return !r.failed
}

// typeOfArms returns the one type of all arms; nil if they differ or have problems. The first arm sets the type and each
// further one is compared with those before, so that the odd one out is reported at its own place.
func (c *checker) typeOfArms(f *book.Formula, arms map[string]*Expr) *plan.Type {
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
			c.reporterOf(&f.Is[i].Expr).reportMismatch(e.Place, e.Type, t,
				"the arms of a choice have one type: %s stands beside %s", briefType(e.Type), briefType(t))
			whole = false
		default:
			t = joinTypes(t, e.Type)
		}
	}
	if !whole {
		return nil
	}
	return t
}

// checkFormulaFits checks every arm of a formula against the type it is asked for; nil asks for none.
func (c *checker) checkFormulaFits(f *Formula, want *plan.Type, what string) {
	if want == nil || f.Expr == nil {
		return
	}
	for _, arm := range f.arms {
		c.reporterFor(arm.Subject).checkFits(arm.Root, want, what)
	}
}

// typeLet types a named formula.
func (c *checker) typeLet(l *Let, want *plan.Type) {
	l.Formula = c.typeFormula(&l.Book.Formula, want)
	if l.cyclic {
		l.Formula.Expr = nil
	}
	l.typ = l.Formula.Type()
}

func (c *checker) resolveLets(list []book.Named, s *Scope, subject, part string) {
	for i := range list {
		c.resolveFormula(&list[i].Formula, s, fmt.Sprintf("%s, %s %s", subject, part, list[i].Name))
	}
}

// isOption reports whether an expression is the value of an option.
func isOption(e *Expr) bool {
	_, ok := e.Object.(*Option)
	return e.Op == OpRef && ok
}
