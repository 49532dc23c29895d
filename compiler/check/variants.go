package check

import "github.com/tabletop-rules/rules/runtime/plan"

// A die is rolled again or on where its face lies in a band, and bands are part of the plan: odds and bounds are found by
// them. An author may also say by a formula on which faces, or under which condition. Such a die is rolled in variants,
// each with its own bands and under the condition that the formula gives just these; one of them holds whenever the die
// is rolled. So every other part of the program knows fixed bands only.

// A repeatExtents is the least and the greatest number that the formulas of a die's repeats may give; zero where a repeat
// has no formula, and where its numbers are more than maxVariants.
type repeatExtents struct{ again, explode numberRange }

type numberRange struct{ lo, hi int64 }

// variantsWithin returns the ways in which the die may be rolled: one alone when nothing about it is a formula.
func (d *Die) variantsWithin(x repeatExtents) []Variant {
	out := []Variant{{Rolls: d.Rolls}}
	out = d.Again.varyBand(out, x.again, func(r *plan.Die) *plan.Band { return &r.Again })
	if d.HasThrows() {
		return out
	}
	return d.Explode.varyBand(out, x.explode, func(r *plan.Die) *plan.Band { return &r.Explode })
}

// varyBand gives every variant each band that the repeat may have, when its formula gives one of some numbers.
//
// For explode: {on: ">=lucky", when: "hot"} with lucky from 5 to 6 one variant becomes three:
//
//	no band            where hot is false
//	explodes on >= 5   where hot is true and lucky is 5
//	explodes on >= 6   where hot is true and lucky is 6
//
// Variants exclude each other and one always holds. With a formula for rolling again too, the
// variants multiply.
func (r *Repeat) varyBand(list []Variant, numbers numberRange, band func(*plan.Die) *plan.Band) (out []Variant) {
	if r == nil || r.isFixed() {
		return list
	}
	add := func(v Variant, b plan.Band, conditions ...Condition) {
		*band(&v.Rolls) = b
		v.Conditions = append(v.Conditions[:len(v.Conditions):len(v.Conditions)], conditions...)
		out = append(out, v)
	}
	for _, v := range list {
		var when []Condition
		if r.When != nil {
			add(v, r.never(), Condition{r.When, 0})
			when = []Condition{{r.When, 1}}
		}
		if r.On == nil {
			add(v, r.fixed, when...)
			continue
		}
		operator, _, _ := r.Comparison()
		for n := numbers.lo; n <= numbers.hi; n++ {
			add(v, r.bandFor(operator, n), append(when[:len(when):len(when)], Condition{r.On, n})...)
		}
	}
	return out
}

// maxVariants bounds the variants of a die.
//
// Each variant is a roll of its own in the plan, with a condition. A die that explodes on >= n has
// as many variants as n has values: from 2 to 20 these are 19; with a condition one more, for when
// it does not hold.
const maxVariants = 64
