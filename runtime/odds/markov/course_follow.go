package markov

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// What happens in which order. States are numbered as they are met, so the order decides how sums of floats are
// rounded:
//
//   - BestCourse chooses the moves under an aim (course_best.go), which meets states and writes their edges.
//   - In each turn every open state of the generation is expanded, then what has ended is taken out, then one event
//     happens. That tells with which event it ends. After the last turn only the guards are judged, which say where the
//     course is stuck: what an event would do that is not followed has no part in the answer, nor has a failure of it.
//   - The states that no event has reached yet are met, as long as there are not too many.
//   - If these are all, solve replaces the sums over events by what they come to in the end. If not, the events are
//     followed again in fractions, where these are known, and the answer is a bound.
//
// The loop ends after most events, or when less is open than the rounding of a sum near 1. A state is expanded the first
// time it is reached: a chain with few states and many events costs one question for each state, and one multiplication
// for each edge and event.

// Course follows a procedure from its start or, when the question has a state, from there: for at most so many events or,
// with most 0, until nothing is open, however many that takes. Its chances are fractions as long as these are short; when
// the question is exact, as long as the budget lasts.
//
// With after greater than zero the situations after so many events are in the answer too. When outputs are asked for as
// well, they are those of that moment: the procedure is followed no further, and the ends are only those until then.
func (p *Process) Course(q odds.Question, policy Policy, after, most int) (*Course, error) {
	return p.BestCourse(q, policy, nil, after, most)
}

// BestCourse follows a procedure as Course does, but makes the best choice for an aim, however many events the aim
// takes. The choice is among the moves of the policy that can happen in a state, their inputs, and the fields decided
// after dice have fallen. Without an aim it takes the first.
func (p *Process) BestCourse(q odds.Question, policy Policy, aim *Aim, after, most int) (*Course, error) {
	for _, m := range policy {
		if p.events[m.Event] == nil {
			return nil, &plan.UnknownError{What: "event", Name: m.Event, Known: p.plan.EventNames()}
		}
	}
	if aim != nil && !p.compares {
		return nil, errors.New("a course aims at something only if its process compares choices")
	}
	for _, root := range [...]plan.Root{plan.CharacterRoot, plan.InputRoot} {
		if len(q.Records[root]) == 0 {
			q.Records[root] = []byte("{}")
		}
	}
	for root, text := range q.Records { // guards and choices read defaults that are not given
		if r := plan.Root(root); len(text) > 0 {
			q.Records[root] = jsonio.Complete(p.image, jsonio.NewRootSchema(p.image, r, p.shapeOf(r)), text)
		}
	}
	var counters []bool
	if aim == nil && after == 0 { // where states are shown, they are shown as they are
		counters = p.findCounters(policy, q.Outputs)
	}
	c := &chain{Process: p, q: q, policy: policy, aim: aim, states: newStateStore(p, counters), judge: p.closing.NewJudge(),
		exact: true,
		asked: q.Exact, inputs: make([]map[string]*eventInput, len(policy)),
		readers: map[*vm.Executor]*stateReader{}, answers: map[any]outcome{}, refused: map[*reason]int{}}
	p.start.BeginCourse()
	for _, r := range p.events {
		r.BeginCourse()
	}
	c.steps = eliminate.NewStepReader(c.readStates)
	c.q.Exact = true
	if q.Budget == 0 {
		c.q.Budget = odds.DefaultBudget
	}
	begin, err := c.startNodes()
	if err != nil {
		return nil, err
	}
	if aim != nil {
		if err := c.chooseMoves(begin, most); err != nil {
			return nil, err
		}
	}
	out := &Course{}
	now, err := c.followEvents(out, begin, after, most)
	if err != nil {
		return nil, err
	}
	if now == nil {
		out.States = len(c.nodes)
		out.boundMean()
		return out, nil
	}
	isClosed, err := c.meetAll(begin, out.Open, most)
	if err != nil {
		return nil, err
	}
	out.States, out.Taken = len(c.nodes), c.takenMoves(begin)
	var shares []share
	if isClosed {
		shares = c.solve(out, begin)
	}
	if !out.Solved {
		if c.exact {
			now = c.followAgain(out, begin)
		}
		shares = c.sharesOf(now)
		out.boundMean()
	}
	if after > 0 {
		return out, nil
	}
	return out, c.takeOutputs(out, shares, false)
}

// followEvents lets one event after the other happen: in fractions until the situation after so many events, and then in
// floats. It returns the last generation; nil where that situation was all that is asked for. Where nobody says how many
// events are wanted, many states are followed for fewer of them.
func (c *chain) followEvents(out *Course, begin map[int]*big.Rat, after, most int) (*generation, error) {
	cells, mostCells := 0, math.MaxInt
	if most == 0 {
		most, mostCells = max(DefaultMostEvents, after), maxFollowed
	}
	now := newGeneration(begin)
	for n := 0; ; n++ {
		c.followed = n
		isAsked := n == after && after > 0
		isLast := n == most || isAsked && len(c.q.Outputs) > 0
		for i := range now.cells { // which also finds where it is stuck
			reach := c.expandNode
			if isLast && c.aim == nil { // the best moves have been looked for behind it
				reach = c.judgeStuck
			}
			if err := reach(now.cells[i].at); err != nil {
				return nil, err
			}
		}
		if isAsked {
			out.After = c.listSituations(out.Ends, now)
			if err := c.takeOutputs(out, c.sharesOf(now), true); err != nil {
				return nil, err
			}
		}
		c.takeEnded(out, n, now)
		out.Open, out.Events = now.sumProbabilities(), n
		if isAsked && len(c.q.Outputs) > 0 { // of these, what happens later has no part in the answer
			c.setFractions(out, now)
			return nil, nil
		}
		if n >= after {
			now.den = nil
		}
		cells += len(now.cells)
		if n >= after && (out.Open < negligible || cells > mostCells) || n == most {
			return now, nil
		}
		now = c.advance(now)
	}
}

// meetAll meets all states that may be reached and reports whether these are all: not if no more than most events may
// happen and something is open after them, and not if they are too many.
func (c *chain) meetAll(begin map[int]*big.Rat, open float64, most int) (bool, error) {
	limit := MaxStates
	switch {
	case open < negligible:
		limit = len(c.nodes) + moreStates
	case most > 0:
		return false, nil
	}
	waiting := c.reachableNodes(begin)
	seen := make([]bool, len(c.nodes))
	for _, i := range waiting {
		seen[i] = true
	}
	for k := 0; k < len(waiting); k++ {
		i := waiting[k]
		if c.nodes[i].status != Open {
			continue
		}
		if c.nodes[i].next == nil {
			if len(c.nodes) > limit {
				return false, nil
			}
			err := c.expandNode(i)
			if _, is := errors.AsType[*odds.BudgetError](err); is {
				return false, nil
			}
			if err != nil {
				return false, err
			}
		}
		seen = append(seen, make([]bool, len(c.nodes)-len(seen))...)
		for _, e := range c.nodes[i].next {
			if !seen[e.to] {
				seen[e.to] = true
				waiting = append(waiting, e.to)
			}
		}
	}
	return true, nil
}

// followAgain follows as many events as before, in fractions, and sets the exact probabilities of the ends and of the
// open courses.
func (c *chain) followAgain(out *Course, begin map[int]*big.Rat) *generation {
	again, now := &Course{Ends: slices.Clone(out.Ends)}, newGeneration(begin)
	for k := range again.Ends {
		again.Ends[k].By = nil
	}
	c.absorbed, c.words = c.absorbed[:0], 0
	for n := 0; ; n++ {
		c.takeEnded(again, n, now)
		if n == out.Events {
			break
		}
		now = c.advance(now)
	}
	c.setFractions(out, now)
	return now
}

// setFractions sets the probabilities of the ends, and of the open courses, to those of a generation, if that has
// fractions.
func (c *chain) setFractions(out *Course, now *generation) {
	if now.den == nil {
		return
	}
	out.Exact = true
	open := new(big.Int)
	for k := range now.cells {
		open.Add(open, now.cells[k].n)
	}
	out.OpenN = new(big.Rat).SetFrac(open, now.den)
	out.Open, _ = out.OpenN.Float64()
	for k := range out.Ends {
		e := &out.Ends[k]
		e.N = now.fractionOfEnd(c.ends[k])
		e.P, _ = e.N.Float64()
	}
}

// advance lets the next event happen in every state of a generation, all of which are open. It goes on in floats where
// the fractions of an edge are not known, and where they have grown too long.
func (c *chain) advance(now *generation) *generation {
	next := &generation{ended: now.ended}
	isExact := now.den != nil && c.exact && (c.asked || c.words <= maxFractionWords)
	by := big.NewInt(1) // what this step makes of the denominator
	for k := range now.cells {
		if den := c.nodes[now.cells[k].at].den; isExact && by.Cmp(den) != 0 {
			by = pmf.LeastCommonMultiple(by, den)
		}
	}
	c.gathered.begin(len(c.nodes))
	for k := range now.cells {
		from := &c.nodes[now.cells[k].at]
		p, n := now.cells[k].p, now.cells[k].n
		if !isExact {
			n = nil
		} else {
			n = new(big.Int).Mul(n, new(big.Int).Quo(by, from.den))
			c.words += int64(len(n.Bits()) * len(from.next))
		}
		for _, e := range from.next {
			c.gathered.add(e.to, p*e.p, n, e.n)
		}
	}
	next.cells = c.gathered.take()
	if isExact {
		next.den = new(big.Int).Mul(now.den, by)
		for end, n := range now.ended {
			next.ended[end] = n.Mul(n, by)
		}
	}
	return next
}

// takeEnded takes the states that have ended out of a generation.
//
// Their weight goes with them: ended of the generation holds the weight that has ended so far, over the denominator of
// now. An end that is reached later is multiplied by less, so absorbed keeps the denominator of its own generation
// beside each numerator.
func (c *chain) takeEnded(out *Course, n int, now *generation) {
	now.cells = slices.DeleteFunc(now.cells, func(x cell) bool {
		if c.nodes[x.at].status == Open {
			return false
		}
		end, e := c.endOf(out, x.at)
		for len(e.By) <= n {
			e.By = append(e.By, 0)
		}
		if len(c.q.Outputs) > 0 {
			a := absorption{at: x.at, p: x.p, den: now.den}
			if now.den != nil {
				a.n = x.n
			}
			c.absorbed = append(c.absorbed, a)
		}
		e.By[n] += x.p
		e.P += x.p
		if now.den != nil {
			if now.ended[end] == nil {
				now.ended[end] = new(big.Int)
			}
			now.ended[end].Add(now.ended[end], x.n)
		}
		return true
	})
}

// endOf returns the end of a course that a node is, which is added when it is a new one.
func (c *chain) endOf(out *Course, i int) (endKey, *End) {
	n := &c.nodes[i]
	key := endKey{n.status, n.why}
	k := slices.Index(c.ends, key)
	if k < 0 {
		k = len(c.ends)
		e := End{Status: n.status}
		if n.why != nil {
			e.Because = n.why.hindrances
		}
		c.ends, out.Ends = append(c.ends, key), append(out.Ends, e)
	}
	return key, &out.Ends[k]
}

// listSituations returns the states that have been reached, after the ends that were reached before. An end without a
// state, such as a refusal, is one situation with those before.
func (c *chain) listSituations(ends []End, now *generation) (out []Situation) {
	for k, e := range ends {
		s := Situation{Status: e.Status, Because: e.Because, P: e.P}
		if now.den != nil {
			s.N = now.fractionOfEnd(c.ends[k])
		}
		out = append(out, s)
	}
	for k := range now.cells {
		n := &c.nodes[now.cells[k].at]
		s := Situation{Status: n.status, P: now.cells[k].p}
		if n.why != nil {
			s.Because = n.why.hindrances
		}
		before := slices.Index(c.ends, endKey{n.status, n.why})
		if before >= 0 && n.state < 0 && (c.given == nil || now.cells[k].at > 0) {
			if out[before].P += s.P; now.den != nil {
				out[before].N.Add(out[before].N, now.fractionOf(&now.cells[k]))
			}
			continue
		}
		character, state := c.textsOf(now.cells[k].at)
		if s.State = state; c.plan.Changes {
			s.Character = character
		}
		if now.den != nil {
			s.N = now.fractionOf(&now.cells[k])
		}
		out = append(out, s)
	}
	return out
}

// expandNode finds the edges of a state under the policy.
func (c *chain) expandNode(i int) error {
	n := &c.nodes[i]
	if n.next != nil || n.status != Open {
		return nil
	}
	offers, hindrances, err := c.findOffers(i, 1)
	if err != nil {
		return err
	}
	n = &c.nodes[i] // following may have moved it
	if len(offers) == 0 {
		n.status, n.why = Stuck, c.reasonOf(hindrances)
		return nil
	}
	o := &offers[0]
	if err := c.makeChoices(i, o); err != nil { // of a state that was too unlikely to be explored: the first ones
		return err
	}
	n = &c.nodes[i]
	n.next, n.den = o.edges, o.den
	return nil
}

// judgeStuck finds whether a state is stuck from which no event is followed: as in expandNode, where no move of the
// policy is offered.
func (c *chain) judgeStuck(i int) error {
	if n := &c.nodes[i]; n.next != nil || n.status != Open {
		return nil
	}
	if err := c.fixRoots(); err != nil {
		return err
	}
	var hindrances []Hindrance
	for k := range c.policy {
		why, err := c.hindranceBefore(i, &c.policy[k])
		if why == nil || err != nil {
			return err
		}
		hindrances = append(hindrances, *why)
	}
	c.nodes[i].status, c.nodes[i].why = Stuck, c.reasonOf(hindrances)
	return nil
}
