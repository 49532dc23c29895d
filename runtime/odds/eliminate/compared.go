package eliminate

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice that are only compared with each other.
//
// The problem. Who acts first, second and so on among eight is decided by eight dice, of which each is compared with each:
// no die is done before the last has fallen, so eight d20 are 25,600,000,000 states.
//
// The idea. What comparisons can tell of n numbers is their weak order: who is lowest, alone or with whom, who comes next.
// Of eight numbers there are 545,835 (the eighth Fubini number), however many faces the dice have. So the dice are met
// together, as one source, which shows each die as the number of its place. The weights follow from the lowest place up:
// that the dice of a place show v, and those of the places before it less, has the weight of all smaller values of the
// place before times one for each of its dice that has the face v.
//
// In numbers: three d4. That a is below b and b below c has the weight C(4,3) = 4 of 64: place 1 at 1, 2; place 2 at 2, 3
// with the weights 1, 2; place 3 at 3, 4 with 1, 3, which are 4. That a and b are equal, and below c, has 6.
//
// The problem order_of_4 of the benchmark takes 150 units of work, and 168,520 without.
//
// A number that is added to a die, and to nothing else that reads it, moves its faces: a die of 20 with a bonus of 3 has
// those from 4 to 23.
//
// One die that is compared with all others needs none of that: then each of the others is done at once. So this is a form
// of a rule that has its turn after others (answer.go).

// maxCompared is how many dice may be met together.
const maxCompared = 9

// A comparedValue is a die, a list of dice, or the sum of a die and a number, of which only comparisons are read.
type comparedValue struct {
	id    plan.ID
	roll  plan.ID
	added plan.ID // None for a mere die
	count int     // of a list; else 1
}

// comparedValues returns the dice of the outermost block if nodes read only how they compare; none when there are
// too few or too many for that to be a gain.
func (b *builder) comparedValues() (out []comparedValue) {
	dice := 0
	for _, id := range b.own {
		n := &b.Nodes[id]
		if n.Op != plan.OpRoll {
			continue
		}
		v, ok := b.comparedValue(id, n)
		if !ok {
			return nil
		}
		out = append(out, v)
		dice += v.count
	}
	var ids []plan.ID
	for _, v := range out {
		ids = append(ids, v.id)
	}
	if dice < 3 || dice > maxCompared || !b.readsRanks(ids...) {
		return nil
	}
	return out
}

// comparedValue returns the value of a roll that comparisons read, and reports whether the roll can be joined by them.
func (b *builder) comparedValue(id plan.ID, n *plan.Node) (v comparedValue, ok bool) {
	d := &b.Dice[n.Imm]
	guard, known := b.Constant(n.Args[0])
	faces, _ := b.Constant(n.Args[1])
	v = comparedValue{id, id, plan.None, 1}
	if !known || guard != 1 || b.EndsEvaluation(id) || d.Distinct || d.Again.Among(faces) || d.Explode.Among(faces) ||
		d.Shows != nil || b.Heads[id] != nil {
		return v, false
	}
	if _, isDraw := b.Draws[id]; isDraw {
		return v, false
	}
	if d.List {
		count, _ := b.Constant(n.Args[2])
		v.count = int(min(count, maxCompared+1))
		return v, count > 0
	}
	if users := b.Users[id]; len(users) == 1 && b.Nodes[users[0]].Op == plan.OpAddInt && !b.IsResult(id) {
		sum := &b.Nodes[users[0]]
		added := sum.Args[0]
		if added == id {
			added = sum.Args[1]
		}
		if added != id && b.BlockOf[users[0]] == b.block && b.dependenceOf(added).isEmpty() {
			v.id, v.added = users[0], added
		}
	}
	return v, true
}

// joinCompared makes one source of values that are only compared.
func (b *builder) joinCompared(values []comparedValue) {
	s := &source{kind: comparedSource, id: values[0].id, compared: values}
	b.bit[s.id] = singleSet(len(b.bit))
	for _, v := range values {
		if v.id != v.roll {
			b.inside[v.roll] = true
		}
		b.sourceAt[v.id] = s
		s.gives = append(s.gives, v.id)
		for _, id := range []plan.ID{b.Nodes[v.roll].Args[1], v.added} {
			if id != plan.None && !slices.Contains(s.ins, id) {
				s.ins = append(s.ins, id)
			}
		}
	}
	clear(b.memo)
}

// countWeakOrders returns the number of weak orders of n numbers: any k of them may be the lowest.
func countWeakOrders(n int) float64 {
	orders := []float64{1}
	for m := 1; m <= n; m++ {
		sum := 0.0
		for k := int64(1); k <= int64(m); k++ {
			ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(m), k)).Float64()
			sum += ways * orders[m-int(k)]
		}
		orders = append(orders, sum)
	}
	return orders[n]
}

// A placing lists the weak orders of dice from the lowest place up.
//
// The weights of one depth are by the value of the last place, counted from the lowest value of all; those of no place
// stand at 0, below every value.
type placing[W pmf.Weight[W]] struct {
	from, to []int64 // of each die, its faces, counted from 1
	places   []int64 // of each die that has one
	weights  [][]W   // of each number of places
	show     func(w W) error
}

// comparedClasses returns the weak orders of dice that are only compared: a column for each die.
func (e *engine[W]) comparedClasses(s *source) (*Table[W], error) {
	x := placing[W]{}
	den := big.NewInt(1)
	for _, v := range s.compared {
		faces, added := e.env[e.Nodes[v.roll].Args[1]], int64(0)
		if v.added != plan.None {
			added = e.env[v.added]
		}
		for range v.count {
			x.from, x.to = append(x.from, added+1), append(x.to, added+faces)
			den.Mul(den, big.NewInt(faces))
		}
	}
	lowest, highest := slices.Min(x.from), slices.Max(x.to)
	if highest-lowest >= maxFaces {
		return nil, &odds.BudgetError{Subject: e.NameOf(s.compared[0].roll), Needs: float64(highest - lowest),
			Budget: maxFaces, What: "faces", Advice: fixedLimit}
	}
	for i := range x.from {
		x.from[i], x.to[i] = x.from[i]-lowest+1, x.to[i]-lowest+1
	}
	x.places = make([]int64, len(x.from))
	x.weights = make([][]W, len(x.from)+1)
	for k := range x.weights {
		x.weights[k] = make([]W, highest-lowest+2)
	}
	orders := countWeakOrders(len(x.from))
	if err := e.chargeWork(s.compared[0].roll, orders); err != nil {
		return nil, err
	}
	t := e.emptyTable(len(s.gives))
	if e.isExact {
		t.den = den
	}
	if slices.Min(x.to)-slices.Max(x.from) >= int64(len(x.from)) { // then all orders come
		if err := e.judgeSize(s.compared[0].roll, int(orders), t.width, t.den); err != nil {
			return nil, err
		}
	}
	row := make([]int64, len(s.gives))
	x.show = func(w W) error {
		at := 0
		for k, v := range s.compared {
			if e.Dice[e.Nodes[v.roll].Imm].List {
				row[k] = e.executor.List(slices.Clone(x.places[at : at+v.count]))
			} else {
				row[k] = x.places[at]
			}
			at += v.count
		}
		t.appendRow(row, w)
		return e.judgeSize(s.compared[0].roll, len(t.w), t.width, t.den)
	}
	x.weights[0][0] = e.weightOfFraction(one, den)
	return t, x.placeDice(1, 1<<len(x.from)-1)
}

// placeDice gives any of the dice that are left the next place, and goes on with the others.
func (x *placing[W]) placeDice(place int, left uint) error {
	before, after := x.weights[place-1], x.weights[place]
	for dice := left; dice > 0; dice = (dice - 1) & left {
		from, to := int64(1), int64(len(before)-1)
		for i := range x.places {
			if dice>>i&1 != 0 {
				from, to = max(from, x.from[i]), min(to, x.to[i])
				x.places[i] = int64(place)
			}
		}
		var below, all W // of the places before, and with this one
		clear(after)
		for v := range before {
			if int64(v) >= from && int64(v) <= to {
				after[v] = below
				all = all.Plus(below)
			}
			below = below.Plus(before[v])
		}
		if all.IsZero() {
			continue
		}
		var err error
		if dice == left {
			err = x.show(all)
		} else {
			err = x.placeDice(place+1, left&^dice)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
