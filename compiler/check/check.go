package check

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Check returns a ruleset with resolved names and types. Strings that are keys of a table get the table's keys as their
// Enum. The result is to be lowered only if diags has no error; parts that could not be typed are nil in it.
//
// The order: names and types; the size of the whole when it is written out, which needs all trees; bounds, which need every
// type, and take as long as the whole is large; last reads of parts that may be absent, judged in every tree that could be
// typed.
func Check(b *book.Ruleset, diags *diag.List) *Ruleset {
	c := &checker{
		language: newLanguage(b, Profile{}, diags), parser: syntax.NewParser(),
		out: &Ruleset{Book: b}, sites: map[*book.Text]*site{},
	}
	(&collector{language: c.language, out: c.out}).collectDefinitions()
	c.out.Character = characterType(b.Character)
	c.checkDefinitions()
	checkAllowances(b, diags)
	if !diags.Failed() {
		checkSizes(c.out, diags)
	}
	if !diags.Failed() {
		newBounder(c.out, diags).checkBounds()
	}
	for _, t := range c.out.Trees {
		checkGuards(t, diags)
		checkWrittenKeys(t, b, diags)
	}
	if diags.Failed() {
		diags.JoinUses(findUnread(b))
		relateWidened(b, diags)
	}
	c.out.Whole = !diags.Failed()
	return c.out
}

// checkDefinitions types the definitions kind by kind. Tables read no formulas, functions call tables and functions,
// traits call both, and rules read everything, so that whatever a formula needs has been typed, or is of its own kind and
// is typed when it is met.
func (c *checker) checkDefinitions() {
	for _, t := range c.out.Tables {
		c.checkTable(t)
	}
	for _, f := range c.out.Functions {
		c.resolveFunction(f)
	}
	for _, t := range c.out.Traits {
		c.resolveTrait(t)
	}
	for _, f := range c.out.Functions { // which may ask characters for their traits
		c.completeObject(f, plan.Place{})
	}
	for _, t := range c.out.Traits {
		c.completeObject(t, plan.Place{})
	}
	for _, x := range c.out.Rules {
		c.completeObject(x, plan.Place{})
	}
	for _, p := range c.book.Procedures {
		c.out.Procedures = append(c.out.Procedures, c.checkProcedure(p))
	}
}

// relateWidened tells of columns to which a homebrew gives another type where formulas of others have the wrong types: its
// author cannot mend them.
func relateWidened(b *book.Ruleset, diags *diag.List) {
	for _, w := range b.Widened {
		cause := diag.Related{Place: w.Place, Message: fmt.Sprintf("homebrew %s makes %s of %s %s here, and it was %s",
			w.Overlay, w.Column, w.Table, w.Is, w.Was)}
		diags.Relate(cause, "type", "no-promotion")
	}
}

// checkAllowances reports allowances of diagnostics that there are not.
func checkAllowances(b *book.Ruleset, diags *diag.List) {
	for i := range b.Allows {
		if code := &b.Allows[i].Code; code.S != "" && !slices.Contains(diag.Codes(), code.S) {
			diags.Addf("enum-value", code.Place, "", "there is no diagnostic %s", code.S).
				Repair = diag.DidYouMean(code.S, diag.Codes())
		}
	}
}
