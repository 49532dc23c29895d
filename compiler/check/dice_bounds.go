package check

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice are where a ruleset can ask for too much: a count, a pool, a series and the faces on which a die is rolled again
// may all be formulas. So every die of a body is asked for the most that each of them can be, and a die without a bound
// is an error at its formula. What is found is kept in the die (Most, Variants, Roll.Most), since lowering makes room for
// just that.
//
// A die may be asked for its extent before it is bounded, by a formula of another body that follows a use. It is then
// measured by its formulas, with the limits of dice as the last resort, and nothing is reported.

// checkDice bounds the dice of a body and reports those that cannot be rolled.
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

// boundCount finds how many dice a computed count may ask for.
func (b *bounder) boundCount(d *Die, subject string) {
	most := b.extentOfWhole(d.Count, b.names).NumberOrUnbounded().Hi
	if most > dice.MaxCount {
		b.diags.Addf("unbounded-dice", d.Count.Place, subject, "nothing bounds how many dice are rolled").
			Repair = "give the die most: a number that the count never exceeds"
		return
	}
	d.Most = int(math.Max(0, most))
}

// checkCountOfInput reports a computed count that some input makes negative. Extents hold more than can happen, so this is
// said only where they are exact: each given field is read once, by operations that rise or fall with each operand, and no
// requirement that is judged before the dice reads one of them. Where the count depends on dice, nothing is said.
//
// input.level - 3 with a level from 1 to 9 can be -2, and that is reported. input.a - input.a is not exact, since a is read
// twice and both occurrences have the same value: its extent holds numbers that it never is.
func (b *bounder) checkCountOfInput(count *Expr, body *Body, subject string) {
	read := map[string]bool{}
	if _, known := constantOf(count); known || !isExact(count, read, map[*Let]bool{}) {
		return
	}
	early := slices.DeleteFunc(slices.Clone(body.Requires), func(r *Require) bool { return !r.Early })
	if anyReads(early, read) {
		return
	}
	x := b.extentOfWhole(count, b.names).NumberOrUnbounded()
	if x.Lo < 0 && !math.IsInf(x.Lo, 0) {
		b.diags.Addf("die-count", count.Place, subject, "the count can be %s, and a count of dice is at least 0",
			formatNumber(x.Lo)).
			Repair = "bound what is given, or write max(0, ...)"
	}
}

// isExact reports whether both ends of an expression's extent are values that it can have. read are the given fields that
// are read, each once; constant has the lets that were looked through, and whether they read no field, so that they may be
// read again.
func isExact(e *Expr, read map[string]bool, constant map[*Let]bool) bool {
	switch e.Op {
	case OpConst:
		return e.Type.Kind == plan.Int
	case OpRef:
		let, ok := e.Object.(*Let)
		if !ok {
			return false
		}
		if again, looked := constant[let]; looked {
			return again
		}
		before := len(read)
		exact := isExact(let.Formula.Expr, read, constant)
		constant[let] = exact && len(read) == before
		return exact
	case OpField:
		name := e.Describe()
		_, given := e.Args[0].Object.(*Given)
		i, _ := e.Args[0].Type.Field(e.Name)
		exact := given && i >= 0 && !e.Args[0].Type.Fields[i].Optional && !read[name]
		read[name] = true
		return exact
	case OpCond: // an arm is taken or not as one truth is given, which nothing else reads
		return e.Args[0].Op == OpField &&
			!slices.ContainsFunc(e.Args, func(a *Expr) bool { return !isExact(a, read, constant) })
	case OpCall:
		switch e.Name {
		case "add_int64", "subtract_int64", "multiply_int64", "negate_int64", "min_int", "max_int":
			return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !isExact(a, read, constant) })
		}
	}
	return false
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

// mostRolls returns how many values the list of a pool or of a series has at most.
func (b *bounder) mostRolls(d *Die) float64 {
	if d.Pool != nil {
		return b.extentOfWhole(d.Pool, b.names).MostElements()
	}
	if d.Series != nil {
		return b.extentOfWhole(d.Series, b.names).NumberOrUnbounded().Hi
	}
	return 1
}

// boundRepeats finds the ways in which a die may be rolled, and reports one that may be rolled in too many.
func (b *bounder) boundRepeats(d *Die, subject string) {
	extents, n, at := b.measureRepeats(d)
	if n > maxVariants {
		b.diags.Addf("unbounded-dice", at, subject,
			"the faces on which it is rolled again or on may be more than %d", maxVariants).
			Repair = "bound what the formula reads, or write a number"
		return
	}
	d.Variants = d.variantsWithin(extents)
}

// measureRepeats finds the numbers that the formulas of repeats may give. It gives how many variants that makes at most,
// and the place of a formula.
// Bounds beyond maxVariants are left out, as they may be infinite.
func (b *bounder) measureRepeats(d *Die) (out repeatExtents, variants float64, at plan.Place) {
	variants = 1
	for _, m := range []struct {
		*Repeat
		numbers *numberRange
	}{{d.Again, &out.again}, {d.Explode, &out.explode}} {
		if m.Repeat == nil || m.isFixed() || m.Repeat == d.Explode && d.HasThrows() {
			continue
		}
		values := 1.0
		if m.On != nil {
			x := b.extentOfWhole(m.On, b.names).NumberOrUnbounded()
			values, at = x.Hi-x.Lo+1, m.On.Place
			if values <= maxVariants {
				*m.numbers = numberRange{int64(x.Lo), int64(x.Hi)}
			}
		}
		if m.When != nil {
			values, at = values+1, m.When.Place
		}
		variants *= values
	}
	return out, variants, at
}

// boundRoll finds how many dice a roll may ask for, so that every list of them has a bound.
// A finite bound that is too large and no bound at all are two messages: in the first case the
// author sees the number that comes out.
func (b *bounder) boundRoll(r *Roll, body *Body, subject string) {
	if r.Times == nil {
		r.Most = 1
		return
	}
	b.checkCountOfInput(r.Times, body, subject)
	most := float64(r.Most)
	if r.Most == 0 {
		most = math.Max(0, b.extentOfWhole(r.Times, b.names).NumberOrUnbounded().Hi)
	}
	for _, f := range r.Forms {
		for i := range f.Dice.Terms {
			n := most * float64(f.Dice.Terms[i].Count)
			switch {
			case n <= dice.MaxCount, f.Dice.Terms[i].Count == 0: // a number stays as it is, however often
				continue
			case !math.IsInf(n, 0):
				b.diags.Addf("die-count", r.Times.Place, subject, "%s is rolled up to %s times: %s dice cannot be rolled",
					f.Text, formatNumber(most), formatNumber(n))
				return
			}
			b.diags.Addf("unbounded-dice", r.Times.Place, subject, "nothing bounds how often %s is rolled", f.Text).
				Repair = "give the roll most: a number that times never exceeds"
			return
		}
	}
	r.Most = int(math.Min(most, dice.MaxCount))
}

// dieExtent returns the extent of the value under a die's name: of a sum, of a list of sums, or of the faces.
func (b *bounder) dieExtent(d *Die) *builtin.Extent {
	var sum *builtin.Extent
	if d.Sum != nil {
		least, most := d.Sum.Bounds()
		sum = builtin.ExtentBetween(float64(least), float64(most))
	}
	if len(d.Data) > 0 {
		sum = b.dataExtent(d)
	}
	switch {
	case sum != nil && d.Series != nil:
		return builtin.ExtentOfElements(math.Max(0, b.mostRolls(d)), sum)
	case sum != nil:
		return sum
	}
	return b.facesExtent(d)
}

// facesExtent returns the extent of a face, or of a list of dice.
//
// A face of a plain d6 lies in 1 to 6; of one that explodes without end, in 1 to the largest total
// that the repeats allow (interval.DieTotals); of a die with variants, in the union over them. A
// die whose number of faces has no bound has none.
func (b *bounder) facesExtent(d *Die) *builtin.Extent {
	face := builtin.UnboundedExtent()
	if d.Pool != nil {
		b.names[d.Size] = b.extentOfWhole(d.Pool, b.names).ElementExtent()
	}
	if shows := d.Rolls.Shows; shows != nil && !d.AddsShown() {
		face = builtin.ExtentBetween(float64(slices.Min(shows)), float64(slices.Max(shows)))
	} else if d.Rows != nil {
		face = b.lookUpExtent(d.Rows)
	} else if most := b.extentOfWhole(d.Faces, b.names).NumberOrUnbounded().Hi; most < math.MaxInt64 {
		face = nil
		extents, _, _ := b.measureRepeats(d) // a count may ask before the dice are bounded
		for _, v := range d.variantsWithin(extents) {
			least, most := interval.DieTotals(&v.Rolls, int64(most))
			if x := builtin.ExtentBetween(float64(least), float64(most)); face == nil {
				face = x
			} else {
				face = face.Unite(x)
			}
		}
	}
	throws := 1.0
	if d.HasThrows() { // each of at most as many dice as the one before it
		further, _ := d.Throws()
		throws += float64(further)
	}
	switch {
	case d.Pool != nil:
		return builtin.ExtentOfElements(b.mostRolls(d), face)
	case d.Count == nil:
		return face
	case d.Most > 0:
		return builtin.ExtentOfElements(throws*float64(d.Most), face)
	}
	count := b.extentOfWhole(d.Count, b.names).NumberOrUnbounded().Hi
	return builtin.ExtentOfElements(throws*math.Min(dice.MaxCount, count), face)
}

// dataExtent returns the extent of the total of dice as data.
func (b *bounder) dataExtent(d *Die) *builtin.Extent {
	out := builtin.ExtentBetween(0, 0)
	for _, r := range d.Data {
		times := builtin.ExtentBetween(1, 1)
		if r.Times != nil {
			times = b.extentOfWhole(r.Times, b.names).NumberOrUnbounded()
		}
		if r.Book.Most > 0 {
			times = builtin.ExtentBetween(0, math.Min(times.Hi, float64(r.Book.Most)))
		}
		var one *builtin.Extent
		for i, f := range r.Forms {
			if x := formExtent(f.Dice, times); i == 0 {
				one = x
			} else {
				one = one.Unite(x)
			}
		}
		out = out.AddExtent(one.NumberOrUnbounded())
	}
	return out
}

// formExtent returns the extent of the total of dice that are rolled as often as times says. A constant of the notation is
// added once, however often the dice are rolled: twice "2d6 + 3" is 4d6 + 3. But 0 times it is 0, and less often it has no
// value.
func formExtent(e *dice.Expression, times *builtin.Extent) *builtin.Extent {
	never := builtin.ExtentBetween(0, 0)
	if times.Hi <= 0 {
		return never
	}
	if times.Lo <= 0 {
		return never.Unite(formExtent(e, builtin.ExtentBetween(1, times.Hi)))
	}
	out := builtin.ExtentBetween(0, 0)
	for i := range e.Terms {
		least, most := e.Terms[i].Bounds()
		x := builtin.ExtentBetween(float64(least), float64(most))
		if e.Terms[i].Count > 0 {
			x = x.Multiply(times)
		}
		out = out.AddExtent(x)
	}
	return out
}
