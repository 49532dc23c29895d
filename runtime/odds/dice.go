package odds

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// named is a source as an error names it.
func (g *graph) named(id plan.ID) string {
	n := &g.nodes[id]
	if n.Op == plan.OpRoll {
		d := &g.Dice[n.Imm]
		return fmt.Sprintf("die %s (%s:%d:%d)", d.ID, d.Place.File, d.Place.Line, d.Place.Col)
	}
	for i := range g.Dice {
		if d := &g.Dice[i]; slices.Contains(d.Loops, id) {
			return fmt.Sprintf("die %s (%s:%d:%d)", d.ID, d.Place.File, d.Place.Line, d.Place.Col)
		}
	}
	return "the rule"
}

// A diceKey says what a die shows.
type diceKey struct {
	faces, on, times int64
}

// maxFaces bounds the faces of a die that are told apart.
const maxFaces = 1 << 20

// die is what one die shows, with what it explodes into.
func (e *engine[W]) die(d *plan.Die, faces int64, id plan.ID) (*table[W], error) {
	key := diceKey{faces: faces}
	if d.Explode && 1 <= d.On && d.On <= faces {
		key.on, key.times = d.On, d.Times
	}
	if t, ok := e.dice[key]; ok {
		return t, nil
	}
	if faces > maxFaces {
		return nil, &BudgetError{e.named(id), float64(faces), maxFaces, "faces"}
	}
	t := e.totals(key)
	e.dice[key] = t
	return t, nil
}

// totals are the totals of a chain. A chain without end is followed until it is unlikely enough that it goes on; the
// rest has ended as unfollowed.
func (e *engine[W]) totals(k diceKey) *table[W] {
	levels := int64(1)
	if k.on > 0 {
		levels = k.levels()
	}
	t := newTable[W](1)
	n := big.NewInt(k.faces)
	t.den = power(n, int(levels))
	den := t.den
	if !e.whole {
		t.den = one
	}
	share := new(big.Int).Set(den)
	for level := range levels {
		share = new(big.Int).Quo(share, n)
		w := e.of(share, den)
		for f := int64(1); f <= k.faces; f++ {
			if f != k.on || level == k.times && k.times > 0 {
				t.add([]int64{k.on*level + f}, w)
			}
		}
	}
	if k.on > 0 && k.times == 0 {
		t.end(Ending{Kind: Unfollowed, Message: fmt.Sprintf("a d%d explodes more than %d times", k.faces, levels-1)}, e.of(share, den))
	}
	return t
}

// levels is how many faces of a chain are followed.
func (k diceKey) levels() int64 {
	if k.times > 0 {
		return min(k.times+1, plan.MaxChain)
	}
	if k.faces == 1 {
		return 1
	}
	return min(plan.MaxChain, int64(math.Ceil(followed/math.Log2(float64(k.faces)))))
}

// list is the lists that dice show; where their order does not matter, one for all orders.
func (e *engine[W]) list(s *source, d *plan.Die, faces, count int64) (*table[W], error) {
	if count == 0 {
		return e.certain(0), nil
	}
	die, err := e.die(d, faces, s.id)
	if err != nil {
		return nil, err
	}
	if err := e.budget.spend(func() string { return e.named(s.id) }, ways(float64(len(die.w)), float64(count), s.sorted, d.Distinct)); err != nil {
		return nil, err
	}
	l := lister[W]{engine: e, die: die, out: newTable[W](1), sorted: s.sorted, distinct: d.Distinct}
	l.den = l.denominator(faces, count)
	if e.whole {
		l.out.den = l.den
	}
	l.walk(0, make([]int64, 0, count), int(count), e.unit)
	l.unfollowed(count)
	return l.out, nil
}

// ways is how many lists there are.
func ways(values, count float64, sorted, distinct bool) float64 {
	choose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return math.Exp(a - b - c)
	}
	orders, _ := math.Lgamma(count + 1)
	switch {
	case sorted && distinct:
		return choose(values, count)
	case distinct:
		return choose(values, count) * math.Exp(orders)
	case sorted:
		return choose(values+count-1, count)
	}
	return math.Pow(values, count)
}

// A lister lists lists.
type lister[W weight[W]] struct {
	*engine[W]
	die, out         *table[W]
	den              *big.Int
	sorted, distinct bool
}

// denominator is how many equally likely lists there are, or the denominator of one die's weights to the power of their number.
func (l *lister[W]) denominator(faces, count int64) *big.Int {
	switch {
	case l.distinct && l.sorted:
		return new(big.Int).Binomial(faces, count)
	case l.distinct:
		return new(big.Int).MulRange(faces-count+1, faces)
	}
	return power(l.die.den, int(count))
}

// walk adds the lists that begin with some values.
func (l *lister[W]) walk(from int, list []int64, left int, w W) {
	switch {
	case left == 0:
		if l.distinct {
			w = l.of(one, l.den)
		}
		l.out.add([]int64{l.stage.List(list)}, w)
	case l.sorted:
		l.walkSorted(from, list, left, w)
	default:
		for k := range l.die.w {
			if v := l.die.rows[k]; !l.distinct || !slices.Contains(list, v) {
				l.walk(0, append(list, v), left-1, w.times(l.die.w[k]))
			}
		}
	}
}

// walkSorted lets so many of the dice that are left show the next value.
func (l *lister[W]) walkSorted(from int, list []int64, left int, w W) {
	if from == len(l.die.w) {
		return
	}
	each := w
	for shown := 0; shown <= left; shown++ {
		if l.distinct && shown > 1 {
			return
		}
		ways := l.of(new(big.Int).Binomial(int64(left), int64(shown)), one)
		l.walk(from+1, list, left-shown, each.times(ways))
		each, list = each.times(l.die.w[from]), append(list, l.die.rows[from])
	}
}

// unfollowed is the weight of lists one of whose dice explodes too far: what is missing from the whole.
func (l *lister[W]) unfollowed(count int64) {
	if len(l.die.ended) > 0 {
		l.out.end(l.die.ended[0].why, l.missing(l.die, int(count)))
	}
}

// missing is the weight of so many dice of which at least one has ended.
func (e *engine[W]) missing(die *table[W], count int) W {
	var all, sum, short W
	for _, w := range die.w {
		sum = sum.plus(w)
	}
	short = die.ended[0].w
	before := e.unit // followed so far
	for range count {
		all = all.times(sum.plus(short)).plus(before.times(short))
		before = before.times(sum)
	}
	return all
}
