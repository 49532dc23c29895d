package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Comparing elements of two sorted lists, as where the highest die of one side meets the highest of the other.
//
// The i-th of one sorted list is a choice among its faces, and so is the k-th of the other. Compared as such, both stay
// alive from the first face on which one of them falls to the last, and with eleven pairs the states are all sorted lists.
// But where i falls on the face v, it is less than k when k falls behind v, and that is seen at v: as
//
//	lower(v) <= i < upper(v)  and  upper'(v) <= k
//
// of the positions at which the two lists have their elements of value v. With 3, 5 against 2, 5, 6, both from the lowest,
// is the element 1 of the first, 5, less than the element 2 of the second, 6? At v = 5 it is 1 <= 1 < 2, and the second
// list has 2 elements up to 5, 2 <= 2: yes. At every other v the first condition fails. For different v these exclude each
// other. So a comparison is their disjunction, a choice between two numbers by a comparison is one number and, for each
// face, a term; and a sum of such choices can be added up face by face: of a state only the sum so far is kept.
//
// The pairs that count at one face are mostly neighbours, (i, k), (i+1, k+1), …, and then as many of them count as there
// are numbers in an interval. So a face costs a few operations, however many pairs there are.
//
// Neighbours of one sorted list are such pairs too, and so are elements with a number added, s[i] + 1 == s[i + 1]. That
// one of many comparisons holds is the disjunction of all their terms, face by face, and that all hold is that none
// fails: of a state only whether it was seen is kept.
//
// The problem risk_12_11 of the benchmark takes 83,161 units of work, and 19,098,498 without; risk_20_20 is refused.
//
// Nothing is lost when a comparison turns out not to be summed: its disjunction is a node like any other. Both pools should
// be drawn in one direction, or v of one comes when v of the other is long gone; improve sees to that (partners).

// maxPairTerms bounds the terms of one sum, which each addition copies and sorts.
const maxPairTerms = 1 << 12

// noteStatistic remembers that a node is an element of the sorted dice of a pool. The values must be constants that differ
// and rise or fall throughout: bound finds the edge between smaller and greater values by them.
func (x *expander) noteStatistic(id plan.ID, b *bag, runs []run, index int64) {
	values := make([]int64, len(runs))
	for i, r := range runs {
		v, known := x.known(r.slots[0])
		if !known || len(r.slots) != 1 {
			return
		}
		values[i] = v
	}
	rising := func(a, b int64) int { return cmp.Compare(a, b) }
	falling := func(a, b int64) int { return cmp.Compare(b, a) }
	if len(b.pools) == 0 || len(slices.Compact(slices.Clone(values))) < len(values) ||
		!slices.IsSortedFunc(values, rising) && !slices.IsSortedFunc(values, falling) {
		return
	}
	x.statistics[id] = statistic{runs, index, b.pools, 0}
}

// noteExtreme remembers that a node is the least or the greatest of all dice of a pool, which is the first or the last of
// the sorted ones. Counts that are met from the greatest face down say of smaller faces too how many dice show them.
func (x *expander) noteExtreme(id plan.ID, b *bag, op plan.Op, size int64) {
	runs := slices.Clone(b.runs)
	slices.SortFunc(runs, func(r, s run) int {
		v, _ := x.known(r.slots[0])
		w, _ := x.known(s.slots[0])
		return cmp.Compare(v, w)
	})
	index := int64(0)
	if op == plan.OpGreatest {
		index = size - 1
	}
	x.noteStatistic(id, b, runs, index)
}

// compareToNumber compares a statistic with a number that lies on one of its sides. It is known where the last face before
// the number has been met, and no statistic has to be kept until then.
func (x *expander) compareToNumber(op plan.Op, s statistic, v int64, isLeft bool) (plan.ID, bool) {
	const far = math.MaxInt64 / 4
	if v < -far || v > far || s.shift < -far || s.shift > far {
		return 0, false
	}
	v -= s.shift
	// v < s says all of them: s < v is that not v-1 < s, and so on.
	negated := op != plan.OpEqInt && isLeft
	switch {
	case op == plan.OpLtInt && isLeft, op == plan.OpLeInt && !isLeft:
		v--
	}
	if op == plan.OpLeInt {
		op = plan.OpLtInt
	}
	var t pairTerm
	t.fromK, t.toK = plan.None, plan.None
	if !x.bound(&t, op, v, s) {
		return x.constant(plan.Bool, 0), true
	}
	holds := x.within(x.constant(plan.Int, s.index), t.fromK, t.toK)
	if negated {
		holds = x.compute(plan.OpNot, plan.Bool, holds)
	}
	return holds, true
}

// noteShifted remembers that a node is a statistic and a number.
func (x *expander) noteShifted(id plan.ID, n *plan.Node) {
	for k, a := range n.Args {
		s, ok := x.statistics[a]
		by, known := x.known(n.Args[1-k])
		if !ok || !known || n.Op == plan.OpSubInt && k == 1 {
			continue
		}
		if n.Op == plan.OpSubInt {
			by = -by
		}
		s.shift += by
		x.statistics[id] = s
	}
}

// evaluatePairs finds a node for one that compares two elements of sorted lists, or adds such comparisons up.
func (x *expander) evaluatePairs(n *plan.Node) (plan.ID, bool) {
	switch n.Op {
	case plan.OpLtInt, plan.OpLeInt, plan.OpEqInt:
		a, of := x.statistics[n.Args[0]]
		b, with := x.statistics[n.Args[1]]
		v, isNumber := x.known(n.Args[0])
		w, beforeNumber := x.known(n.Args[1])
		switch {
		case of && beforeNumber:
			return x.compareToNumber(n.Op, a, w, true)
		case with && isNumber:
			return x.compareToNumber(n.Op, b, v, false)
		case !of || !with:
		case n.Op == plan.OpLeInt: // not b < a, so that a rule that asks both asks one thing
			return x.compute(plan.OpNot, plan.Bool, x.comparePair(plan.OpLtInt, b, a)), true
		default:
			return x.comparePair(n.Op, a, b), true
		}
	case plan.OpAddInt, plan.OpSubInt:
		a, of := x.pairSumOf(n.Args[0])
		b, with := x.pairSumOf(n.Args[1])
		if !of || !with || len(a.terms)+len(b.terms) == 0 || len(a.terms)+len(b.terms) > maxPairTerms {
			return 0, false
		}
		if n.Op == plan.OpSubInt {
			b = b.times(-1)
		}
		return x.addPairs(a.plus(b)), true
	case plan.OpOr, plan.OpAnd:
		return x.joinTruths(n)
	case plan.OpMulInt:
		for k, a := range n.Args {
			sum, of := x.pairSumOf(a)
			if by, known := x.known(n.Args[1-k]); of && known && len(sum.terms) > 0 {
				return x.addPairs(sum.times(by)), true
			}
		}
	}
	return 0, false
}

// notePairs records the meaning of a node that was made of comparisons.
func (x *expander) notePairs(id plan.ID, n *plan.Node) {
	switch n.Op {
	case plan.OpAddInt, plan.OpSubInt:
		x.noteShifted(id, n)
	case plan.OpNot:
		if c, ok := x.conditions[n.Args[0]]; ok {
			c.negated = !c.negated
			x.conditions[id] = c
		}
		if t, ok := x.truths[n.Args[0]]; ok {
			x.truths[id] = pairTruth{t.terms, !t.negated}
		}
	case plan.OpSelect:
		c, ok := x.conditions[n.Args[0]]
		then, known := x.known(n.Args[1])
		other, sure := x.known(n.Args[2])
		if !ok || !known || !sure || n.Kind != plan.Int {
			return
		}
		x.sums[id] = c.choose(then, other)
	}
}

// choose returns one of two numbers by a condition, as a sum.
func (c pairCondition) choose(then, other int64) pairSum {
	if c.negated {
		then, other = other, then
	}
	sum := pairSum{number: other}
	for _, t := range c.terms {
		sum.terms = append(sum.terms, weightedTerm{t, then - other})
	}
	return sum
}

// pairSumOf is the sum that a node is, which may be a mere number. A condition is 1 or 0: a list of which only the size is
// read adds up those of its pushes (narrow.go).
func (x *expander) pairSumOf(id plan.ID) (pairSum, bool) {
	if v, known := x.known(id); known {
		return pairSum{number: v}, true
	}
	if c, ok := x.conditions[id]; ok {
		return c.choose(1, 0), true
	}
	sum, ok := x.sums[id]
	return sum, ok
}

// comparePair compares two statistics, a < b or a == b.
func (x *expander) comparePair(op plan.Op, a, b statistic) plan.ID {
	for _, p := range a.pools {
		for _, q := range b.pools {
			x.partners = append(x.partners, [2]*Pool{p, q})
		}
	}
	c := pairCondition{terms: x.pairTerms(op, a, b), others: func() []pairTerm {
		other := plan.OpLtInt
		if op == other {
			other = plan.OpEqInt
		}
		return slices.Concat(x.pairTerms(plan.OpLtInt, b, a), x.pairTerms(other, a, b))
	}}
	holds := x.constant(plan.Bool, 0)
	for _, t := range c.terms {
		holds = x.compute(plan.OpOr, plan.Bool, holds, x.holds(t))
	}
	x.conditions[holds] = c
	return holds
}

// pairTerms are the terms of a comparison, in the order in which they are met.
func (x *expander) pairTerms(op plan.Op, a, b statistic) (terms []pairTerm) {
	for _, r := range a.runs {
		t := pairTerm{poolsOf(a, b), r.at.rank, a.index, b.index, r.lower, r.upper, plan.None, plan.None}
		if v, _ := x.known(r.slots[0]); x.bound(&t, op, v+a.shift-b.shift, b) {
			terms = append(terms, t)
		}
	}
	slices.SortStableFunc(terms, func(s, t pairTerm) int { return cmp.Compare(s.rank, t.rank) })
	return terms
}

// joinTruths finds a node for one of two comparisons, or for both of them: "some die equals the next" is seen face by face,
// and nothing is kept but whether it was seen. Both hold unless one of them fails.
//
// Comparisons of other pools stay apart: each is known when its own pools have been met, and joined they would need all of
// them met together.
func (x *expander) joinTruths(n *plan.Node) (plan.ID, bool) {
	fails := n.Op == plan.OpAnd
	a, of := x.termsOf(n.Args[0], fails)
	b, with := x.termsOf(n.Args[1], fails)
	if !of || !with || len(a)+len(b) > maxPairTerms || !areOfSamePools(slices.Concat(a, b)) {
		return 0, false
	}
	var terms []weightedTerm
	for _, t := range slices.Concat(a, b) {
		terms = append(terms, weightedTerm{t, 1})
	}
	slices.SortFunc(terms, compareTerms)
	terms = slices.Compact(terms)
	some := x.constant(plan.Bool, 0)
	eachSequence(terms, func(same []weightedTerm) {
		holds := x.compute(plan.OpLtInt, plan.Bool, x.constant(plan.Int, 0), x.countPairs(same))
		some = x.emitPlain(plan.Node{Op: plan.OpOr, Kind: plan.Bool, Args: []plan.ID{some, holds}, Site: -1})
	})
	t := pairTruth{}
	for _, w := range terms {
		t.terms = append(t.terms, w.pairTerm)
	}
	x.truths[some] = t
	if fails {
		return x.compute(plan.OpNot, plan.Bool, some), true
	}
	return some, true
}

// areOfSamePools reports whether some terms compare the same pools.
func areOfSamePools(terms []pairTerm) bool {
	return !slices.ContainsFunc(terms, func(t pairTerm) bool { return t.pools != terms[0].pools })
}

// termsOf are terms of which one holds exactly when a node does or, on demand, fails.
func (x *expander) termsOf(id plan.ID, fails bool) ([]pairTerm, bool) {
	if t, ok := x.truths[id]; ok && t.negated == fails {
		return t.terms, true
	}
	c, ok := x.conditions[id]
	switch {
	case !ok:
		return nil, false
	case c.negated == fails:
		return c.terms, true
	}
	return c.others(), true
}

// bound bounds k, the position of an element of b, such that v < the element, or ==. It reports false when there is no such
// element.
func (x *expander) bound(t *pairTerm, op plan.Op, v int64, b statistic) bool {
	var same, below *run // of value v; of the greatest value below v
	falls := false       // the list stands in falling order
	last := int64(0)
	for i := range b.runs {
		r := &b.runs[i]
		at, _ := x.known(r.slots[0])
		falls = falls || i > 0 && at < last
		last = at
		switch {
		case at == v:
			same = r
		case at < v && (below == nil || !falls):
			below = r
		}
	}
	if op == plan.OpEqInt {
		if same == nil {
			return false
		}
		t.fromK, t.toK = same.lower, same.upper
		return true
	}
	// Behind the elements that are not as wanted: those up to v.
	edge := below
	if same != nil {
		edge = same
	}
	switch {
	case edge == nil:
	case falls:
		t.toK = edge.lower
	default:
		t.fromK = edge.upper
	}
	return true
}

// holds is the condition that a term is.
func (x *expander) holds(t pairTerm) plan.ID {
	out := x.within(x.constant(plan.Int, t.i), t.fromI, t.toI)
	return x.compute(plan.OpAnd, plan.Bool, out, x.within(x.constant(plan.Int, t.k), t.fromK, t.toK))
}

// within is the condition from <= i < to.
func (x *expander) within(i, from, to plan.ID) plan.ID {
	out := x.constant(plan.Bool, 1)
	if from != plan.None {
		out = x.compute(plan.OpLeInt, plan.Bool, from, i)
	}
	if to != plan.None {
		out = x.compute(plan.OpAnd, plan.Bool, out, x.compute(plan.OpLtInt, plan.Bool, i, to))
	}
	return out
}

func (s pairSum) times(by int64) pairSum {
	out := pairSum{number: s.number * by}
	for _, t := range s.terms {
		t.by *= by
		out.terms = append(out.terms, t)
	}
	return out
}

func (s pairSum) plus(t pairSum) pairSum {
	out := pairSum{s.number + t.number, slices.Clone(s.terms)}
	for _, b := range t.terms {
		k := slices.IndexFunc(out.terms, func(a weightedTerm) bool { return a.pairTerm == b.pairTerm })
		if k < 0 {
			out.terms = append(out.terms, b)
		} else {
			out.terms[k].by += b.by
		}
	}
	return out
}

// poolsOf are the heads of the pools of two statistics, the first one of each, the same whichever is compared with which.
func poolsOf(a, b statistic) [2]plan.ID {
	return [2]plan.ID{min(a.pools[0].Head, b.pools[0].Head), max(a.pools[0].Head, b.pools[0].Head)}
}

// maxJoined is how many pools may be compared in one sum that is added up face by face. More are not met so, but one by one
// (eliminate/build.go): then what each is compared with has a sum of its own.
const maxJoined = 4

// addPairs emits a sum, in the order in which its terms are met. It is written anew from all its terms whenever a summand
// is added; nothing reads the shorter sums before it, and they are not needed in the end.
func (x *expander) addPairs(s pairSum) plan.ID {
	pools := map[plan.ID]bool{}
	for _, t := range s.terms {
		pools[t.pools[0]], pools[t.pools[1]] = true, true
	}
	terms := slices.Clone(s.terms)
	out := x.constant(plan.Int, s.number)
	if len(pools) <= maxJoined {
		out = x.addTerms(out, terms)
	} else {
		slices.SortStableFunc(terms, func(a, b weightedTerm) int { return slices.Compare(a.pools[:], b.pools[:]) })
		for from := 0; from < len(terms); {
			to := from + 1
			for to < len(terms) && terms[to].pools == terms[from].pools {
				to++
			}
			sum := x.addTerms(x.constant(plan.Int, 0), terms[from:to])
			out = x.emitPlain(plan.Node{Op: plan.OpAddInt, Kind: plan.Int, Site: -1, Args: []plan.ID{out, sum}})
			from = to
		}
	}
	x.sums[out] = s
	return out
}

// addTerms emits a number and the terms that are added to it, which it sorts.
func (x *expander) addTerms(out plan.ID, terms []weightedTerm) plan.ID {
	slices.SortStableFunc(terms, compareTerms)
	eachSequence(terms, func(same []weightedTerm) {
		count := x.countPairs(same)
		by := x.constant(plan.Int, same[0].by)
		out = x.emitPlain(plan.Node{
			Op: plan.OpAddInt, Kind: plan.Int, Site: -1,
			Args: []plan.ID{out, x.emitPlain(
				plan.Node{Op: plan.OpMulInt, Kind: plan.Int, Args: []plan.ID{count, by}, Site: -1})},
		})
	})
	return out
}

// eachSequence calls do with the terms of successive pairs that differ in nothing else.
func eachSequence(terms []weightedTerm, do func(same []weightedTerm)) {
	for from := 0; from < len(terms); {
		to := from + 1
		for to < len(terms) && follows(terms[to-1], terms[to]) {
			to++
		}
		do(terms[from:to])
		from = to
	}
}

// compareTerms orders terms such that neighbouring pairs stand beside each other.
func compareTerms(a, b weightedTerm) int {
	return cmp.Or(
		cmp.Compare(a.rank, b.rank), cmp.Compare(a.by, b.by), cmp.Compare(a.fromI, b.fromI), cmp.Compare(a.toI, b.toI),
		cmp.Compare(a.fromK, b.fromK), cmp.Compare(a.toK, b.toK), cmp.Compare(a.i-a.k, b.i-b.k), cmp.Compare(a.i, b.i))
}

// follows reports whether a term is another one of the next pair.
func follows(a, b weightedTerm) bool {
	a.i, a.k = a.i+1, a.k+1
	return a == b
}

// countPairs is how many of some terms hold, that differ in their pair alone: i and k rise from one to the next. Since i-k
// is the same for all, the bounds on k are bounds on i when it is added, and the terms that hold are the i from the
// greatest lower bound up to the least upper one. Of the pairs (0,0), (1,1), (2,2) with 1 <= i < 3 and 2 <= k they are the
// i in max(0, 1, 2) .. min(3, 3): one.
func (x *expander) countPairs(terms []weightedTerm) plan.ID {
	t := terms[0]
	if len(terms) == 1 {
		return x.asCount(x.holds(t.pairTerm))
	}
	from, to := x.constant(plan.Int, t.i), x.constant(plan.Int, t.i+int64(len(terms)))
	ahead := x.constant(plan.Int, t.i-t.k)
	for _, bound := range [...]struct{ from, to, by plan.ID }{{t.fromI, t.toI, plan.None}, {t.fromK, t.toK, ahead}} {
		shifted := func(id plan.ID) plan.ID {
			if bound.by == plan.None {
				return id
			}
			return x.compute(plan.OpAddInt, plan.Int, id, bound.by)
		}
		if bound.from != plan.None {
			from = x.compute(plan.OpMaxInt, plan.Int, from, shifted(bound.from))
		}
		if bound.to != plan.None {
			to = x.compute(plan.OpMinInt, plan.Int, to, shifted(bound.to))
		}
	}
	return x.compute(plan.OpMaxInt, plan.Int, x.constant(plan.Int, 0), x.compute(plan.OpSubInt, plan.Int, to, from))
}
