package check

import (
	"github.com/tabletop-rules/rules/runtime/dice"
)

// Every list has a bound that is known before anything is rolled. Lists come from shapes, which have one, and are
// mapped, filtered and joined, which keeps it; what is left to check is how many faces a die asks for and how far a
// range goes. Both are bounded by following the extents of what they are computed from.

// checkBounds follows every expression but those of functions, which are followed where they are called, with the extents
// of their arguments.
// Indexes come after all expressions, for they ask names whose extents are known then; dice come
// last, as their counts may be named.
func (b *bounder) checkBounds() {
	for _, t := range b.ruleset.Trees {
		if !t.scope.ofFunction {
			b.extentOfWhole(t.Root, b.names)
		}
	}
	b.checkIndexes()
	for x := range b.ruleset.Bodies() {
		b.checkDice(x.Body, x.Subject)
	}
}

func (b *bounder) checkDice(body *Body, subject string) {
	for _, src := range body.Sources {
		d := src.Die
		if d == nil {
			continue
		}
		at := subject + ", dice " + d.name
		if d.Count != nil {
			b.checkCountOfInput(d.Count, body, at)
		}
		if d.Count != nil && d.Most == 0 {
			b.boundCount(d, at)
		}
		b.boundSeries(d, at)
		b.boundRepeats(d, at)
		for _, r := range d.Data {
			b.boundRoll(r, body, at)
		}
	}
}

// boundSeries checks that a pool, and how often dice as data are rolled, has a bound.
func (b *bounder) boundSeries(d *Die, subject string) {
	if d.Pool != nil {
		b.names[d.Size] = b.extentOfWhole(d.Pool, b.names).ElementExtent()
	}
	e, most := d.Pool, b.mostRolls(d)
	if e == nil {
		e = d.Series
	}
	if e != nil && most > dice.MaxCount {
		b.diags.Addf("unbounded-dice", e.Place, subject, "nothing bounds how many dice are rolled").
			Repair = "bound what the formula reads"
	}
}
