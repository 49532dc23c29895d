package eliminate

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func keyOf(d *plan.Die, faces int64) diceKey {
	key := diceKey{faces: faces}
	if d.Again.Among(faces) {
		key.again, key.once = d.Again, d.Once
	}
	if d.Explode.Among(faces) {
		key.explode, key.times = d.Explode, d.Times
	}
	if d.AddsShown() {
		key.shows = fmt.Sprint(d.Shows)
	}
	return key
}

// maxFaces bounds the faces of a die that are told apart.
const maxFaces = 1 << 20

// dieTotals returns the distribution of one die's total, with its explosions.
func (e *engine[W]) dieTotals(d *plan.Die, faces int64, id plan.ID) (*Table[W], error) {
	key := keyOf(d, faces)
	if x := e.dice[key]; x != nil && (x.chargedTo == e.budget || e.budget.spent+x.cost <= e.budget.all) {
		return x.totals, e.chargeAgain(x, id)
	} // else making it tells what is too much
	// a damaged plan: chains are as long as what is listed
	if listed := int64(len(d.Shows)); d.AddsShown() && faces != listed {
		return nil, fmt.Errorf("%s: %d faces are rolled, but %d are listed", e.NameOf(id), faces, listed)
	}
	if n := totalsOf(d, faces); faces > maxFaces || d.AddsShown() && n > maxFaces {
		return nil, &odds.BudgetError{Subject: e.NameOf(id), Needs: max(float64(faces), n), Budget: maxFaces, What: "faces",
			Advice: fixedLimit}
	}
	before := e.budget.spent
	t, err := e.chainTotals(d, faces, id)
	if err != nil {
		return nil, err
	}
	t.stays = true
	e.dice[key] = &madeDie[W]{t, e.budget.spent - before, e.budget}
	return t, nil
}

// maxDice bounds the dice that outlive a question.
const maxDice = 64

// chargeAgain charges every question for a die once, so that the cost of a question does not depend on earlier ones.
func (e *engine[W]) chargeAgain(x *madeDie[W], id plan.ID) error {
	if x.chargedTo == e.budget {
		return nil
	}
	x.chargedTo = e.budget
	return e.chargeWork(id, float64(x.cost))
}

// chainTotals returns the totals of a chain. A chain without end is followed until it is unlikely enough that it goes on;
// the rest has ended as unfollowed.
func (e *engine[W]) chainTotals(d *plan.Die, faces int64, id plan.ID) (t *Table[W], err error) {
	t = NewTable[W](1)
	on, levels := pmf.Line[W]{Weights: []W{e.unit}}, 0
	if dice.Endless(d, faces) == "" {
		if on, levels, err = e.extendChains(d, faces, id, t); err != nil {
			return nil, err
		}
	}
	var rest W
	for _, w := range on.Weights {
		rest = rest.Plus(w)
	}
	if !rest.IsZero() {
		t.addEnding(odds.Ending{Kind: odds.Unfollowed,
			Message: fmt.Sprintf("a d%d explodes more than %d times", faces, levels-1)},
			rest)
	}
	return t, nil
}

// extendChains lets a chain meet one face after the other. The totals of chains that stop go into the table. It returns
// those of the chains that go on, and the number of their faces.
//
// In numbers: a d6 explodes on a 6 and is followed for 3 faces, so the denominator is 6³ = 216. After the first face
// the totals 1 to 5 stop, each with weight 36 for the faces that may fall behind it: 180 together. The second face adds
// 7 to 11 with 6 each (30), the third 13 to 17 with 1 each (5). The rest is 1, for three sixes: it goes on and is not
// followed. 180 + 30 + 5 + 1 is 216. So all totals have one denominator, and none is reduced on the way.
//
// It costs the totals of the chains that go on times the faces, for each level.
func (e *engine[W]) extendChains(d *plan.Die, faces int64, id plan.ID, t *Table[W]) (on pmf.Line[W], levels int,
	err error) {
	x := pmf.FallOf(d, faces)
	levels = x.Levels(d, faces)
	den := big.NewInt(x.Den)
	share := pmf.RaiseInt(den, levels)
	if e.isExact {
		t.den = share
	}
	on = pmf.Line[W]{Weights: []W{e.unit}}
	k := chainFace[W]{d: d, faces: faces, stays: e.weightOfFraction(big.NewInt(x.Stays), den),
		again: e.weightOfFraction(big.NewInt(x.Again), den)}
	if k.alone = levels == 1 && !d.AddsShown(); k.alone {
		t.rows, t.w = make([]int64, 0, faces), make([]W, 0, faces)
	}
	for level := range levels {
		if err := e.chargeWork(id, float64(len(on.Weights))*float64(faces)); err != nil {
			return on, 0, err
		}
		share = new(big.Int).Quo(share, den)
		k.share, k.last = e.weightOfFraction(share, share), level == int(d.Times) && d.Times > 0
		on = k.convolve(on, t)
	}
	return on, levels, nil
}

// A chainFace is one face of a chain.
//
// stays is the weight of each face that is kept, again that of each face that is thrown again and so comes only the
// second time. A d6 that throws a 1 again once has 7 and 1 over 36. share is the weight of all that could fall behind
// this face; a chain that stops here takes all of it.
type chainFace[W pmf.Weight[W]] struct {
	d            *plan.Die
	faces        int64
	stays, again W    // weights of the faces
	share        W    // weight of what falls after it
	last         bool // it explodes no more
	alone        bool // a chain is one face, so that every total comes once
}

// convolve adds the face to the totals of chains. Chains that stop go into a table; it returns those that go on.
func (k *chainFace[W]) convolve(on pmf.Line[W], t *Table[W]) pmf.Line[W] {
	least, most := faceBounds(k.d, k.faces)
	next := pmf.Line[W]{Lo: on.Lo + least}
	if !k.last && k.d.Explode.Among(k.faces) {
		next.Weights = make([]W, len(on.Weights)+int(most-least))
	}
	for i, w := range on.Weights {
		k.addFaces(on.Lo+int64(i), w.Times(k.stays), false, next, t)
		k.addFaces(on.Lo+int64(i), w.Times(k.again), true, next, t)
	}
	return pmf.TrimZeros(next)
}

// faceBounds returns the least and the most that one face adds to a chain.
func faceBounds(d *plan.Die, faces int64) (least, most int64) {
	if d.AddsShown() {
		return slices.Min(d.Shows), slices.Max(d.Shows)
	}
	return 1, faces
}

// addFaces extends a chain with a total by each face that is rolled again, or by each of the others. Chains that
// explode go into next, those that stop into t.
func (k *chainFace[W]) addFaces(total int64, w W, again bool, next pmf.Line[W], t *Table[W]) {
	if w.IsZero() {
		return
	}
	stops := w.Times(k.share)
	for f := int64(1); f <= k.faces; f++ {
		switch {
		case k.d.Again.Holds(f) != again:
		case next.Weights != nil && k.d.Explode.Holds(f):
			next.Add(total+k.d.Worth(f), w)
		case k.alone:
			t.appendRow([]int64{total + k.d.Worth(f)}, stops)
		default:
			t.addRow([]int64{total + k.d.Worth(f)}, stops)
		}
	}
}

// listDice returns the lists that dice show; where their order does not matter, or not behind the first dice, one for all
// orders.
func (e *engine[W]) listDice(s *source, d *plan.Die, faces, count, ordered int64) (*Table[W], error) {
	if count == 0 {
		return e.unitTable(0), nil
	}
	if s.ranks {
		faces = count
	}
	die, err := e.dieTotals(d, faces, s.id)
	if err != nil {
		return nil, err
	}
	lists := rewrite.CountLists(float64(len(die.w)), float64(count), s.sorted, d.Distinct)
	if ordered < count {
		orders, _ := math.Lgamma(float64(count-ordered) + 1)
		lists *= math.Exp(-orders)
	}
	if err := e.chargeWork(s.id, lists); err != nil {
		return nil, err
	}
	if slots := lists * float64(count); slots > vm.MaxKeptSlots { // all lists differ, and each is kept
		return nil, &odds.BudgetError{Subject: e.NameOf(s.id), Needs: slots, Budget: vm.MaxKeptSlots,
			What: "numbers in memory", Advice: cmp.Or(e.Advice(s.id), fixedLimit)}
	}
	l := listEnumerator[W]{engine: e, die: die, out: NewTable[W](1), ordered: int(ordered),
		sorted: s.sorted, distinct: d.Distinct}
	l.den = l.denominator(faces, count)
	if e.isExact {
		l.out.den = l.den
	}
	l.enumerate(0, make([]int64, 0, count), int(count), e.unit)
	l.addUnfollowed(count)
	return l.out, nil
}

// A listEnumerator yields every list of dice, or every multiset of them, with its weight.
//
// In numbers: 3d6 fall in 216 lists, and show 56 multisets. {1, 1, 4} has the coefficient C(3,2)·C(1,1) = 3: two of
// three dice show the 1, and the one that is left the 4. A hand of 5 of 52 cards has 311,875,200 orders and 2,598,960
// sets. Where only its first two cards are read in order, there are 52·51 orders of these and C(50,3) sets of the
// others, 51,979,200 lists.
//
// The recursion is as deep as the longest list and the faces; every leaf is one list that comes out, so its cost is
// that of the answer. For a hand all lists are equally likely and the weight of a leaf is one over their number.
type listEnumerator[W pmf.Weight[W]] struct {
	*engine[W]
	die, out         *Table[W]
	den              *big.Int
	ordered          int // of an unsorted hand: the order of the cards behind so many does not matter
	sorted, distinct bool
}

// denominator returns the number of equally likely lists, or the denominator of one die's weights to the power of
// their number.
func (l *listEnumerator[W]) denominator(faces, count int64) *big.Int {
	switch {
	case l.distinct && l.sorted:
		return new(big.Int).Binomial(faces, count)
	case l.distinct:
		n := int64(l.ordered)
		den := new(big.Int).Binomial(faces-n, count-n)
		return den.Mul(den, new(big.Int).MulRange(faces-n+1, faces))
	}
	return pmf.RaiseInt(l.die.den, int(count))
}

// enumerate adds the lists that begin with some values to the table.
func (l *listEnumerator[W]) enumerate(from int, list []int64, left int, w W) {
	switch {
	case left == 0:
		if l.distinct {
			w = l.weightOfFraction(one, l.den)
		}
		l.out.addRow([]int64{l.executor.List(list)}, w)
	case l.sorted || l.distinct && len(list) >= l.ordered:
		l.enumerateSorted(from, list, left, w)
	default:
		for k := range l.die.w {
			if v := l.die.rows[k]; !l.distinct || !slices.Contains(list, v) {
				l.enumerate(0, append(list, v), left-1, w.Times(l.die.w[k]))
			}
		}
	}
}

// enumerateSorted adds the lists in which none, one, two and so on of the remaining dice show the next value.
func (l *listEnumerator[W]) enumerateSorted(from int, list []int64, left int, w W) {
	if from == len(l.die.w) {
		return
	}
	each, isDealt := w, slices.Contains(list, l.die.rows[from]) // as one of the cards whose order matters
	for shown := 0; shown <= left; shown++ {
		if l.distinct && (shown > 1 || shown == 1 && isDealt) {
			return
		}
		ways := l.weightOfFraction(new(big.Int).Binomial(int64(left), int64(shown)), one)
		l.enumerate(from+1, list, left-shown, each.Times(ways))
		each, list = each.Times(l.die.w[from]), append(list, l.die.rows[from])
	}
}

// addUnfollowed adds the weight of the lists in which a die explodes too far: the difference to the whole.
func (l *listEnumerator[W]) addUnfollowed(count int64) {
	if len(l.die.ended) > 0 {
		l.out.addEnding(l.die.ended[0].why, l.weightOfEnded(l.die, int(count)))
	}
}

// weightOfEnded returns the weight of so many dice of which at least one has ended.
//
// Let S be the weight of all followed totals and T that of the rest. The answer is (S+T)^n - S^n. It is added up die by
// die (all others before it were followed, it is not, any may follow), since in floats the difference of two numbers
// near 1 would lose a tail of 1e-20.
func (e *engine[W]) weightOfEnded(die *Table[W], count int) W {
	var all, sum, short W
	for _, w := range die.w {
		sum = sum.Plus(w)
	}
	short = die.ended[0].w
	before := e.unit // followed so far
	for range count {
		all = all.Times(sum.Plus(short)).Plus(before.Times(short))
		before = before.Times(sum)
	}
	return all
}

// totalsOf returns the largest number of totals of one die.
func totalsOf(d *plan.Die, faces int64) float64 {
	switch {
	case faces > maxFaces:
		return float64(faces)
	case dice.Endless(d, faces) != "":
		return 0
	}
	least, most := faceBounds(d, faces)
	return float64(most-least+1) * float64(pmf.FallOf(d, faces).Levels(d, faces))
}
