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
// be drawn in one direction, or v of one comes when v of the other is long gone; improveSettings sees to that (partners).

// maxPairTerms bounds the terms of one sum, which each addition copies and sorts.
const maxPairTerms = 1 << 12

// The comparisons of a graph are what is known of its nodes that are elements of sorted lists, that compare such elements,
// or that are made of such comparisons.
type comparisons struct {
	*emitter
	statistics map[plan.ID]statistic
	conditions map[plan.ID]pairCondition
	truths     map[plan.ID]pairTruth
	sums       map[plan.ID]pairSum
	partners   [][2]*Pool // that are compared, and should be met in the same order
}

func newComparisons(e *emitter) *comparisons {
	return &comparisons{
		emitter: e, statistics: map[plan.ID]statistic{}, conditions: map[plan.ID]pairCondition{},
		truths: map[plan.ID]pairTruth{}, sums: map[plan.ID]pairSum{},
	}
}

// A statistic is an element of a sorted list of constants: the runs of the list, and the position. It is the order
// statistic of probability theory; its node is a choice among faces, which this remembers for bag_pairs.go.
type statistic struct {
	runs  []run // with bounds, in their order
	index int64
	pools []*Pool
	shift int64 // that was added to the element
}

// A pairTerm is what one value contributes to a comparison of two positions i and k: the condition
// fromI <= i < toI and fromK <= k < toK. None is no bound.
type pairTerm struct {
	pools                  [2]plan.ID // heads of those that are compared
	rank                   int        // of the run, by which the terms are met
	i, k                   int64
	fromI, toI, fromK, toK plan.ID
}

// A pairCondition is one of some terms that exclude each other, or none of them. That they do is what lets a choice by it
// become a sum with one summand for each term: at most one of them counts.
type pairCondition struct {
	terms     []pairTerm
	others    func() []pairTerm // of which one holds when none of these does
	isNegated bool
}

// A pairTruth is that some of its terms hold or, negated, that none does.
type pairTruth struct {
	terms     []pairTerm
	isNegated bool
}

// A pairSum is a number and, for every term that holds, another one.
type pairSum struct {
	number int64
	terms  []weightedTerm
}

type weightedTerm struct {
	pairTerm
	factor int64
}

// noteStatistic remembers that a node is an element of the sorted dice of a pool. The values must be constants that differ
// and rise or fall throughout: boundPosition finds the edge between smaller and greater values by them.
func (cs *comparisons) noteStatistic(id plan.ID, b *bag, runs []run, index int64) {
	values := make([]int64, len(runs))
	for i, r := range runs {
		v, known := cs.constantValue(r.slots[0])
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
	cs.statistics[id] = statistic{runs, index, b.pools, 0}
}

// noteExtreme remembers that a node is the least or the greatest of all dice of a pool, which is the first or the last of
// the sorted ones. Counts that are met from the greatest face down say of smaller faces too how many dice show them.
func (cs *comparisons) noteExtreme(id plan.ID, b *bag, op plan.Op, size int64) {
	runs := slices.Clone(b.runs)
	slices.SortFunc(runs, func(r, s run) int {
		v, _ := cs.constantValue(r.slots[0])
		w, _ := cs.constantValue(s.slots[0])
		return cmp.Compare(v, w)
	})
	index := int64(0)
	if op == plan.OpGreatest {
		index = size - 1
	}
	cs.noteStatistic(id, b, runs, index)
}

// compareToNumber compares a statistic with a number that lies on one of its sides. It is known where the last face before
// the number has been met, and no statistic has to be kept until then.
func (cs *comparisons) compareToNumber(op plan.Op, s statistic, v int64, isLeft bool) (plan.ID, bool) {
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
	if !cs.boundPosition(&t, op, v, s) {
		return cs.constantNode(plan.Bool, 0), true
	}
	holds := cs.emitWithin(cs.constantNode(plan.Int, s.index), t.fromK, t.toK)
	if negated {
		holds = cs.emitOp(plan.OpNot, plan.Bool, holds)
	}
	return holds, true
}

// noteShifted remembers that a node is a statistic and a number.
func (cs *comparisons) noteShifted(id plan.ID, n *plan.Node) {
	for k, a := range n.Args {
		s, ok := cs.statistics[a]
		by, known := cs.constantValue(n.Args[1-k])
		if !ok || !known || n.Op == plan.OpSubInt && k == 1 {
			continue
		}
		if n.Op == plan.OpSubInt {
			by = -by
		}
		s.shift += by
		cs.statistics[id] = s
	}
}

// evaluatePairs finds a node for one that compares two elements of sorted lists, or adds such comparisons up.
func (cs *comparisons) evaluatePairs(n *plan.Node) (plan.ID, bool) {
	switch n.Op {
	case plan.OpLtInt, plan.OpLeInt, plan.OpEqInt:
		a, of := cs.statistics[n.Args[0]]
		b, with := cs.statistics[n.Args[1]]
		v, isNumber := cs.constantValue(n.Args[0])
		w, beforeNumber := cs.constantValue(n.Args[1])
		switch {
		case of && beforeNumber:
			return cs.compareToNumber(n.Op, a, w, true)
		case with && isNumber:
			return cs.compareToNumber(n.Op, b, v, false)
		case !of || !with:
		case n.Op == plan.OpLeInt: // not b < a, so that a rule that asks both asks one thing
			return cs.emitOp(plan.OpNot, plan.Bool, cs.comparePair(plan.OpLtInt, b, a)), true
		default:
			return cs.comparePair(n.Op, a, b), true
		}
	case plan.OpAddInt, plan.OpSubInt:
		a, of := cs.pairSumOf(n.Args[0])
		b, with := cs.pairSumOf(n.Args[1])
		if !of || !with || len(a.terms)+len(b.terms) == 0 || len(a.terms)+len(b.terms) > maxPairTerms {
			return 0, false
		}
		if n.Op == plan.OpSubInt {
			b = b.times(-1)
		}
		return cs.addPairs(a.plus(b)), true
	case plan.OpOr, plan.OpAnd:
		return cs.joinTruths(n)
	case plan.OpMulInt:
		for k, a := range n.Args {
			sum, of := cs.pairSumOf(a)
			if by, known := cs.constantValue(n.Args[1-k]); of && known && len(sum.terms) > 0 {
				return cs.addPairs(sum.times(by)), true
			}
		}
	}
	return 0, false
}

// notePairs records the meaning of a node that was made of comparisons.
func (cs *comparisons) notePairs(id plan.ID, n *plan.Node) {
	switch n.Op {
	case plan.OpAddInt, plan.OpSubInt:
		cs.noteShifted(id, n)
	case plan.OpNot:
		if c, ok := cs.conditions[n.Args[0]]; ok {
			c.isNegated = !c.isNegated
			cs.conditions[id] = c
		}
		if t, ok := cs.truths[n.Args[0]]; ok {
			cs.truths[id] = pairTruth{t.terms, !t.isNegated}
		}
	case plan.OpSelect:
		c, ok := cs.conditions[n.Args[0]]
		then, known := cs.constantValue(n.Args[1])
		other, sure := cs.constantValue(n.Args[2])
		if !ok || !known || !sure || n.Kind != plan.Int {
			return
		}
		cs.sums[id] = c.sumOfChoice(then, other)
	}
}

// sumOfChoice returns one of two numbers by a condition, as a sum.
func (c pairCondition) sumOfChoice(then, other int64) pairSum {
	if c.isNegated {
		then, other = other, then
	}
	sum := pairSum{number: other}
	for _, t := range c.terms {
		sum.terms = append(sum.terms, weightedTerm{t, then - other})
	}
	return sum
}

// pairSumOf returns a node as a sum, which may be a mere number. A condition is 1 or 0: a list of which only the size is
// read adds up those of its pushes (narrow.go).
func (cs *comparisons) pairSumOf(id plan.ID) (pairSum, bool) {
	if v, known := cs.constantValue(id); known {
		return pairSum{number: v}, true
	}
	if c, ok := cs.conditions[id]; ok {
		return c.sumOfChoice(1, 0), true
	}
	sum, ok := cs.sums[id]
	return sum, ok
}

// comparePair compares two statistics, a < b or a == b.
func (cs *comparisons) comparePair(op plan.Op, a, b statistic) plan.ID {
	for _, p := range a.pools {
		for _, q := range b.pools {
			cs.partners = append(cs.partners, [2]*Pool{p, q})
		}
	}
	c := pairCondition{terms: cs.pairTerms(op, a, b), others: func() []pairTerm {
		other := plan.OpLtInt
		if op == other {
			other = plan.OpEqInt
		}
		return slices.Concat(cs.pairTerms(plan.OpLtInt, b, a), cs.pairTerms(other, a, b))
	}}
	holds := cs.constantNode(plan.Bool, 0)
	for _, t := range c.terms {
		holds = cs.emitOp(plan.OpOr, plan.Bool, holds, cs.emitCondition(t))
	}
	cs.conditions[holds] = c
	return holds
}

// pairTerms returns the terms of a comparison, in the order in which they are met.
func (cs *comparisons) pairTerms(op plan.Op, a, b statistic) (terms []pairTerm) {
	for _, r := range a.runs {
		t := pairTerm{poolsOf(a, b), r.at.rank, a.index, b.index, r.lower, r.upper, plan.None, plan.None}
		if v, _ := cs.constantValue(r.slots[0]); cs.boundPosition(&t, op, v+a.shift-b.shift, b) {
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
func (cs *comparisons) joinTruths(n *plan.Node) (plan.ID, bool) {
	fails := n.Op == plan.OpAnd
	a, of := cs.termsOf(n.Args[0], fails)
	b, with := cs.termsOf(n.Args[1], fails)
	if !of || !with || len(a)+len(b) > maxPairTerms || !areOfSamePools(slices.Concat(a, b)) {
		return 0, false
	}
	var terms []weightedTerm
	for _, t := range slices.Concat(a, b) {
		terms = append(terms, weightedTerm{t, 1})
	}
	slices.SortFunc(terms, compareTerms)
	terms = slices.Compact(terms)
	some := cs.constantNode(plan.Bool, 0)
	eachSequence(terms, func(same []weightedTerm) {
		holds := cs.emitOp(plan.OpLtInt, plan.Bool, cs.constantNode(plan.Int, 0), cs.countPairs(same))
		some = cs.emitPlain(plan.Node{Op: plan.OpOr, Kind: plan.Bool, Args: []plan.ID{some, holds}, Site: -1})
	})
	t := pairTruth{}
	for _, w := range terms {
		t.terms = append(t.terms, w.pairTerm)
	}
	cs.truths[some] = t
	if fails {
		return cs.emitOp(plan.OpNot, plan.Bool, some), true
	}
	return some, true
}

// areOfSamePools reports whether some terms compare the same pools.
func areOfSamePools(terms []pairTerm) bool {
	return !slices.ContainsFunc(terms, func(t pairTerm) bool { return t.pools != terms[0].pools })
}

// termsOf returns terms of which one holds exactly when a node does or, on demand, fails.
func (cs *comparisons) termsOf(id plan.ID, fails bool) ([]pairTerm, bool) {
	if t, ok := cs.truths[id]; ok && t.isNegated == fails {
		return t.terms, true
	}
	c, ok := cs.conditions[id]
	switch {
	case !ok:
		return nil, false
	case c.isNegated == fails:
		return c.terms, true
	}
	return c.others(), true
}

// boundPosition bounds k, the position of an element of b, such that v < the element, or ==. It reports false when
// there is no such element.
func (cs *comparisons) boundPosition(t *pairTerm, op plan.Op, v int64, b statistic) bool {
	var same, below *run // of value v; of the greatest value below v
	falls := false       // the list stands in falling order
	last := int64(0)
	for i := range b.runs {
		r := &b.runs[i]
		at, _ := cs.constantValue(r.slots[0])
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

// emitCondition returns the node of the condition of a term.
func (cs *comparisons) emitCondition(t pairTerm) plan.ID {
	out := cs.emitWithin(cs.constantNode(plan.Int, t.i), t.fromI, t.toI)
	return cs.emitOp(plan.OpAnd, plan.Bool, out, cs.emitWithin(cs.constantNode(plan.Int, t.k), t.fromK, t.toK))
}

// emitWithin returns the node of the condition from <= i < to.
func (e *emitter) emitWithin(i, from, to plan.ID) plan.ID {
	out := e.constantNode(plan.Bool, 1)
	if from != plan.None {
		out = e.emitOp(plan.OpLeInt, plan.Bool, from, i)
	}
	if to != plan.None {
		out = e.emitOp(plan.OpAnd, plan.Bool, out, e.emitOp(plan.OpLtInt, plan.Bool, i, to))
	}
	return out
}

func (s pairSum) times(by int64) pairSum {
	out := pairSum{number: s.number * by}
	for _, t := range s.terms {
		t.factor *= by
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
			out.terms[k].factor += b.factor
		}
	}
	return out
}

// poolsOf returns the heads of the pools of two statistics, the first one of each, the same whichever is compared with
// which.
func poolsOf(a, b statistic) [2]plan.ID {
	return [2]plan.ID{min(a.pools[0].Head, b.pools[0].Head), max(a.pools[0].Head, b.pools[0].Head)}
}

// maxJoined is how many pools may be compared in one sum that is added up face by face. More are not met so, but one by one
// (eliminate/build.go): then what each is compared with has a sum of its own.
const maxJoined = 4

// addPairs emits a sum, in the order in which its terms are met. It is written anew from all its terms whenever a summand
// is added; nothing reads the shorter sums before it, and they are not needed in the end.
func (cs *comparisons) addPairs(s pairSum) plan.ID {
	pools := map[plan.ID]bool{}
	for _, t := range s.terms {
		pools[t.pools[0]], pools[t.pools[1]] = true, true
	}
	terms := slices.Clone(s.terms)
	out := cs.constantNode(plan.Int, s.number)
	if len(pools) <= maxJoined {
		out = cs.addTerms(out, terms)
	} else {
		slices.SortStableFunc(terms, func(a, b weightedTerm) int { return slices.Compare(a.pools[:], b.pools[:]) })
		for from := 0; from < len(terms); {
			to := from + 1
			for to < len(terms) && terms[to].pools == terms[from].pools {
				to++
			}
			sum := cs.addTerms(cs.constantNode(plan.Int, 0), terms[from:to])
			out = cs.emitPlain(plan.Node{Op: plan.OpAddInt, Kind: plan.Int, Site: -1, Args: []plan.ID{out, sum}})
			from = to
		}
	}
	cs.sums[out] = s
	return out
}

// addTerms emits a number and the terms that are added to it, which it sorts.
func (cs *comparisons) addTerms(out plan.ID, terms []weightedTerm) plan.ID {
	slices.SortStableFunc(terms, compareTerms)
	eachSequence(terms, func(same []weightedTerm) {
		count := cs.countPairs(same)
		by := cs.constantNode(plan.Int, same[0].factor)
		out = cs.emitPlain(plan.Node{
			Op: plan.OpAddInt, Kind: plan.Int, Site: -1,
			Args: []plan.ID{out, cs.emitPlain(
				plan.Node{Op: plan.OpMulInt, Kind: plan.Int, Args: []plan.ID{count, by}, Site: -1})},
		})
	})
	return out
}

// eachSequence calls do with the terms of successive pairs that differ in nothing else.
func eachSequence(terms []weightedTerm, do func(same []weightedTerm)) {
	for from := 0; from < len(terms); {
		to := from + 1
		for to < len(terms) && isNextPair(terms[to-1], terms[to]) {
			to++
		}
		do(terms[from:to])
		from = to
	}
}

// compareTerms orders terms such that neighbouring pairs stand beside each other.
func compareTerms(a, b weightedTerm) int {
	return cmp.Or(
		cmp.Compare(a.rank, b.rank), cmp.Compare(a.factor, b.factor), cmp.Compare(a.fromI, b.fromI),
		cmp.Compare(a.toI, b.toI),
		cmp.Compare(a.fromK, b.fromK), cmp.Compare(a.toK, b.toK), cmp.Compare(a.i-a.k, b.i-b.k), cmp.Compare(a.i, b.i))
}

// isNextPair reports whether b is the term a of the next pair.
func isNextPair(a, b weightedTerm) bool {
	a.i, a.k = a.i+1, a.k+1
	return a == b
}

// countPairs returns how many of some terms hold, that differ in their pair alone: i and k rise from one to the next.
// Since i-k is the same for all, the bounds on k are bounds on i when it is added, and the terms that hold are the i
// from the greatest lower bound up to the least upper one. Of the pairs (0,0), (1,1), (2,2) with 1 <= i < 3 and 2 <= k
// they are the i in max(0, 1, 2) .. min(3, 3): one.
func (cs *comparisons) countPairs(terms []weightedTerm) plan.ID {
	t := terms[0]
	if len(terms) == 1 {
		return cs.asCount(cs.emitCondition(t.pairTerm))
	}
	from, to := cs.constantNode(plan.Int, t.i), cs.constantNode(plan.Int, t.i+int64(len(terms)))
	ahead := cs.constantNode(plan.Int, t.i-t.k)
	for _, bound := range [...]struct{ from, to, by plan.ID }{{t.fromI, t.toI, plan.None}, {t.fromK, t.toK, ahead}} {
		shifted := func(id plan.ID) plan.ID {
			if bound.by == plan.None {
				return id
			}
			return cs.emitOp(plan.OpAddInt, plan.Int, id, bound.by)
		}
		if bound.from != plan.None {
			from = cs.emitOp(plan.OpMaxInt, plan.Int, from, shifted(bound.from))
		}
		if bound.to != plan.None {
			to = cs.emitOp(plan.OpMinInt, plan.Int, to, shifted(bound.to))
		}
	}
	return cs.emitOp(plan.OpMaxInt, plan.Int, cs.constantNode(plan.Int, 0), cs.emitOp(plan.OpSubInt, plan.Int, to, from))
}
