package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// completeObject types an object, after all that it depends on: a let after the names that its formula reads, a function
// after those that it calls, a rule after those that it uses. This is a depth-first walk of the dependences, as in
// go/types; an object that is met while it is itself underway depends on itself, which is reported at the place that leads
// back to it. Objects on such a cycle have no type, and nothing else is said about them.
//
// For let: {a: "b + 1", b: "a"} the walk is a, b, a: the last finds a underway, at the place of the name a in the text of
// b, and reports "it depends on itself: a -> b -> a". Both texts lose their expression, so that typing them, which follows
// when the walk returns, gives no type and no further message. Cost: each object is typed once and each reading followed
// once.
func (c *checker) completeObject(o Object, at plan.Place) {
	switch h := o.self(); h.progress {
	case typed:
		return
	case underway:
		c.reportCycle(o, at)
		return
	case pending:
		h.progress = underway
	}
	c.open = append(c.open, o)
	for _, r := range c.dependenciesOf(o) {
		c.completeObject(r.object, r.place)
	}
	c.open = c.open[:len(c.open)-1]
	o.self().progress = typed
	c.typeObject(o)
}

// dependenciesOf returns the objects that must be typed before an object, in the order of its texts.
//
// Of a rule only the rules that it uses count: its own texts read objects of its body, which typeRule completes. A text
// with a problem (expr nil) still has its reads, so that a cycle through it is found, and not its calls.
func (c *checker) dependenciesOf(o Object) []reading {
	var out []reading
	if x, ok := o.(*Rule); ok {
		for _, src := range x.Book.Body.Sources {
			if src.Use != nil && c.rules[src.Use.Rule.S] != nil {
				out = append(out, reading{c.rules[src.Use.Rule.S], src.Use.Rule.Place})
			}
		}
		return out
	}
	for _, t := range textsOf(o) {
		if s := c.sites[t]; s != nil {
			out = append(out, s.reads...)
			if s.expr != nil {
				out = append(out, s.asks...)
			}
		}
	}
	return out
}

// typeObject gives an object its type when everything that it reads has one. Kinds without a formula are typed when they
// are declared.
func (c *checker) typeObject(o Object) {
	switch o := o.(type) {
	case *Let:
		c.typeLet(o, nil)
	case *Die:
		c.dieChecker(o).typeDie()
	case *Use:
		c.typeUse(o)
	case *Trait:
		c.typeTrait(o)
	case *Function:
		c.typeFunction(o)
	case *Rule:
		c.typeRule(o)
	}
}

// reportCycle reports the objects that are underway from the given one on, which is a cycle, and takes all of them out
// of typing: each would otherwise be reported once more as something without a type.
func (c *checker) reportCycle(o Object, at plan.Place) {
	path := c.open[slices.Index(c.open, o):]
	names := make([]string, 0, len(path)+1)
	for _, x := range path {
		names = append(names, nameInCycle(x))
		c.markCyclic(x)
	}
	last := path[len(path)-1]
	d := c.diags.Addf("cycle", at, last.self().within+nameInCycle(last), "it depends on itself: %s",
		strings.Join(append(names, names[0]), " -> "))
	switch o.(type) {
	case *Use:
		if name := nameInCycle(o); len(path) == 1 && isStringValue(c.book, name) {
			d.Repair = fmt.Sprintf("%s without quotes is the use itself: the word stands in quotes, '%[1]s'", name)
		}
	case *Let:
		d.Repair = "a let is a name for a formula and keeps no value: give what comes of it another name"
		if len(path) > 1 {
			d.Repair = "a let is a name for a formula and keeps no value: one of these formulas must do without the others"
		}
	case *Function:
		d.Repair = "a function does not call itself: a list is walked by xs.fold(x, state, start, next), " +
			"and what goes on and on at the table is a procedure"
	case *Rule:
		d.Repair = "a rule does not use itself: what goes on and on at the table is a procedure"
	}
}

// nameInCycle names an object among those of its kind.
func nameInCycle(o Object) string {
	switch o.(type) {
	case *Trait:
		return "trait " + o.Name()
	case *Function:
		return "function " + o.Name()
	case *Rule:
		return "rule " + o.Name()
	}
	return o.Name()
}

// markCyclic leaves the formulas of an object untyped.
func (c *checker) markCyclic(o Object) {
	o.self().cyclic = true
	for _, t := range textsOf(o) {
		if s := c.sites[t]; s != nil {
			s.expr = nil
		}
	}
}
