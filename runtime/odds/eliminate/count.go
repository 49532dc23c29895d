package eliminate

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The weights of a pool. Let w_c be the weight of a class of faces and W the sum of all. That k₁, k₂, … of n dice show
// the classes has the weight Π C(left_c, k_c)·w_c^k_c over the denominator W^n, where left_c is n less the counts before
// c. A draw gives one factor of it. Nothing is normalised on the way: as conditional probabilities the factors would have
// the denominators (W-w₁)^left, …, and exact fractions would grow several times as long. So a state between two draws of
// a pool has a weight that is too small by the weight of all that the dice that are left may still show; that no
// evaluation ends there is seen to when the sources are ordered (closed in dependence.go). Only the tail of dice that
// explode does, and gets its weight at last (completeTail in answer.go).
//
// The last class has no draw of its own: the draw before it gives the factor w^left for the dice that show it.
//
// Of a hand without replacement the factors are C(cards of the class, k), over C(all cards, n).
//
// In numbers: 3d6 with the classes six, five and the rest have the weights 1, 1 and 4, so W is 6 and the denominator
// 216. The first draw gives the counts 0, 1, 2, 3 of sixes with the weights 1, 3, 3, 1: their sum is 8, and not yet
// 216. One six leaves 2 dice. The second draw gives the counts 0, 1, 2 of fives with C(2,k)·4^(2-k) = 16, 8, 1, which
// add up to 25. One six so has 3·25 = 75 of 216, as it should: 3·(1/6)·(5/6)².

// poolHead returns the number of dice of a pool as a class, over the denominator of all its draws.
func (e *engine[W]) poolHead(s *source, d *plan.Die, faces, count int64) (*Table[W], error) {
	t := e.emptyTable(1)
	weight, den := e.unit, one
	switch {
	case count == 0 || !e.IsDrawn(e.Heads[s.id]):
	case d.Distinct:
		den = new(big.Int).Binomial(faces, count)
		weight = e.weightOfFraction(one, den)
	default:
		die, err := e.dieTotals(d, faces, s.id)
		if err != nil {
			return nil, err
		}
		den = e.powerOfDenominator(die.den, count)
	}
	if e.isExact {
		t.den = den
	}
	t.appendRow([]int64{count}, weight)
	return t, nil
}

// drawCount returns how many of the dice that are left show a class of faces, as 1 more than that.
//
// In the graph a draw is the roll of one die of left+1 faces (package rewrite), and no die shows 0. Hence the 1 more,
// in the class and in ins[0].
func (e *engine[W]) drawCount(s *source, ins []int64) (*Table[W], error) {
	left := ins[0] - 1
	if left == 0 {
		return e.unitTable(1), nil
	}
	draw := e.Draws[s.id]
	isEnough := draw.Pool.IsEnough(draw.Step, left)
	if !isEnough {
		if err := e.chargeWork(s.id, float64(left)); err != nil {
			return nil, err
		}
	}
	if draw.Pool.Die.Distinct && s.results == nil {
		t := e.emptyTable(1)
		e.drawCards(t, draw, left, ins[1])
		return t, nil
	}
	t := e.emptyTable(1)
	if draw.Pool.Sizes != nil {
		if isEnough {
			e.drawUnread(t, draw, left, func(k int) W { return e.ofCount(big.NewInt(int64(len(draw.Pool.Classes[k])))) })
		} else {
			e.drawSized(t, draw, left)
		}
		return t, nil
	}
	die, err := e.poolDie(s, &draw.Pool.Die, ins)
	if err != nil {
		return nil, err
	}
	if isEnough {
		e.drawUnread(t, draw, left, func(k int) W { return e.weightOf(die, draw.Pool.Classes[k]) })
	} else {
		e.drawFaces(t, draw, die, left)
	}
	return t, nil
}

// drawUnread lets all dice that are left show a class, with the weight of all that they may show: nothing reads them.
func (e *engine[W]) drawUnread(t *Table[W], draw rewrite.Draw, left int64, weightOf func(k int) W) {
	var sum W
	for k := range draw.Pool.Classes[draw.Step:] {
		sum = sum.Plus(weightOf(draw.Step + k))
	}
	if w := powerOf(sum, left, e.unit); !w.IsZero() {
		t.appendRow([]int64{left + 1}, w)
	}
}

// headOfSizes begins the draws of dice of several sizes. Dice that join at the last class show it, for which there is no
// draw: the weight of that is in the head's.
func (e *engine[W]) headOfSizes(p *rewrite.Pool) (*Table[W], error) {
	t := e.emptyTable(1)
	weight, den := e.unit, one
	if e.IsDrawn(p) {
		for _, size := range p.Sizes {
			den = new(big.Int).Mul(den, big.NewInt(size))
		}
		last := len(p.Classes) - 1
		weight = e.weightOfFraction(pmf.RaiseInt(big.NewInt(int64(len(p.Classes[last]))), int(p.Joining(last))), den)
	}
	if e.isExact {
		t.den = den
	}
	t.appendRow([]int64{int64(len(p.Sizes))}, weight)
	return t, nil
}

// drawSized returns the counts of a class of the faces of dice that all have them: each shows every face with the weight 1.
func (e *engine[W]) drawSized(t *Table[W], draw rewrite.Draw, left int64) {
	classes := draw.Pool.Classes
	weightOf := func(k int) W { return e.ofCount(big.NewInt(int64(len(classes[k])))) }
	shown := pmf.ListPowers(weightOf(draw.Step), int(left), e.unit)
	rest := []W(nil)
	if draw.Step == len(classes)-2 {
		rest = pmf.ListPowers(weightOf(draw.Step+1), int(left), e.unit)
	}
	e.eachCount(t, left, 0, func(k int64) W {
		if rest == nil {
			return shown[k]
		}
		return shown[k].Times(rest[left-k])
	})
}

// poolDie returns one die of the pool that a draw belongs to.
func (e *engine[W]) poolDie(s *source, d *plan.Die, ins []int64) (*Table[W], error) {
	if s.results != nil {
		return e.classesOf(s.results, nil)
	}
	return e.dieTotals(d, ins[1], s.id)
}

// resultsHead begins the draws of so many results of a loop.
func (e *engine[W]) resultsHead(s *source, count int64) (*Table[W], error) {
	if count <= 0 || !e.IsDrawn(e.Heads[s.id]) {
		return e.unitTable(), nil
	}
	die, err := e.classesOf(s.results, nil)
	if err != nil {
		return nil, err
	}
	t := e.unitTable()
	t.den = e.powerOfDenominator(die.den, count)
	if len(die.ended) > 0 {
		t.addEnding(die.ended[0].why, e.weightOfEnded(die, int(count)))
	}
	return t, nil
}

// drawFaces returns the counts of a class of the faces of dice.
//
// A class of no weight (faces that this die does not have) is drawn too, as it belongs to the graph and not to the
// character. If all later classes are such, only the count of all dice that are left has any future, and least says so.
func (e *engine[W]) drawFaces(t *Table[W], draw rewrite.Draw, die *Table[W], left int64) {
	classes := draw.Pool.Classes
	shown := pmf.ListPowers(e.weightOf(die, classes[draw.Step]), int(left), e.unit)
	if draw.Step == len(classes)-2 {
		rest := pmf.ListPowers(e.weightOf(die, classes[draw.Step+1]), int(left), e.unit)
		e.eachCount(t, left, 0, func(k int64) W { return shown[k].Times(rest[left-k]) })
		return
	}
	least := left // when no later class can be shown
	if slices.ContainsFunc(classes[draw.Step+1:], func(c rewrite.Class) bool { return !e.weightOf(die, c).IsZero() }) {
		least = 0
	}
	e.eachCount(t, left, least, func(k int64) W { return shown[k] })
}

// eachCount adds the counts from least to left, with their binomial coefficients.
func (e *engine[W]) eachCount(t *Table[W], left, least int64, factor func(k int64) W) {
	ways := e.binomialsOf(int(left))
	for k := least; k <= left; k++ {
		if w := factor(k).Times(ways[k]); !w.IsZero() {
			t.appendRow([]int64{k + 1}, w)
		}
	}
}

// binomialsOf returns the binomial coefficients of n. Every draw of every pool asks for those of the dice that are left, so
// they are kept for all questions: of the few hundred dice that a pool may have, and not of more results of loops.
func (e *engine[W]) binomialsOf(n int) []W {
	const mostKept = 256
	if n >= mostKept {
		return pmf.ListBinomials(n, e.ofCount)
	}
	if e.binomials == nil {
		e.binomials = pmf.NewBinomials(e.ofCount, mostKept-1)
	}
	return e.binomials.Row(n)
}

// weightOf returns the weight of a class of faces.
func (e *engine[W]) weightOf(die *Table[W], c rewrite.Class) (sum W) {
	for i, w := range die.w {
		for _, f := range c {
			if die.rows[i] == f {
				sum = sum.Plus(w)
			}
		}
	}
	return sum
}

// drawCards returns the counts of a class of cards in a hand.
func (e *engine[W]) drawCards(t *Table[W], draw rewrite.Draw, left, faces int64) {
	classes := draw.Pool.Classes
	cards := func(list []rewrite.Class) (n int64) {
		for _, c := range list {
			for _, f := range c {
				if f <= faces {
					n++
				}
			}
		}
		return n
	}
	own, after := cards(classes[draw.Step:draw.Step+1]), cards(classes[draw.Step+1:])
	for k := max(0, left-after); k <= min(left, own); k++ {
		ways := new(big.Int).Binomial(own, k)
		if draw.Step == len(classes)-2 {
			ways.Mul(ways, new(big.Int).Binomial(after, left-k))
		}
		t.appendRow([]int64{k + 1}, e.weightOfFraction(ways, one))
	}
}
