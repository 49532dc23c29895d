package markov

import (
	"errors"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// What happens in which order. States are numbered as they are met, so the order decides how sums of floats are
// rounded:
//
//   - BestCourse settles the moves under an aim (course_best.go), which meets states and writes their edges.
//   - In each turn every open state of the generation is expanded, then what has ended is taken out, then one event
//     happens.
//   - At last solve replaces sums over events by the closed form, where there is one.
//
// The loop ends after most events, or when less than 1e-15 is open, which is below the rounding of a sum near 1. A
// state is expanded the first time it is reached: a chain with few states and many events costs one question for each
// state, and one multiplication for each edge and event.

// Course follows a procedure for at most so many events, from its start or, when the question has a state, from there. Its
// chances are fractions as long as these are short; when the question is exact, however long they grow.
//
// With after greater than zero the situations after so many events are in the answer too. When outputs are asked for as
// well, they are those of that moment: the procedure is followed no further, and the ends are only those until then.
func (p *Process) Course(q odds.Question, policy Policy, after, most int) (*Course, error) {
	return p.BestCourse(q, policy, nil, after, most)
}

// BestCourse follows a procedure as Course does, but of the moves of the policy that can happen in a state, of their
// inputs and of what may be decided when dice have fallen, it takes what is best for an aim, however many events that
// takes. Without one it takes the first.
func (p *Process) BestCourse(q odds.Question, policy Policy, aim *Aim, after, most int) (*Course, error) {
	for _, m := range policy {
		if p.events[m.Event] == nil {
			return nil, &runtime.UnknownError{What: "event", Name: m.Event, Known: p.procedure.EventNames()}
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
	c := &chain{Process: p, q: q, policy: policy, aim: aim, states: newStateStore(p), judge: p.procedure.NewJudge(),
		exact: true,
		asked: q.Exact, inputs: make([]map[string]*eventInput, len(policy)),
		readers: map[*vm.Executor]*stateReader{}, refused: map[*reason]int{}}
	c.steps = eliminate.NewStepReader(c.readStates)
	c.q.Exact = true
	if q.Budget == 0 {
		c.q.Budget = odds.DefaultBudget
	}
	begin, err := c.begin()
	if err != nil {
		return nil, err
	}
	if aim != nil {
		if err := c.settleMoves(begin, most); err != nil {
			return nil, err
		}
	}
	out := &Course{}
	now := newGeneration(begin)
	for n := 0; ; n++ {
		c.followed = n
		for i := range now.cells { // which also finds where it is stuck
			if err := c.expand(now.cells[i].at); err != nil {
				return nil, err
			}
		}
		isAsked := n == after && after > 0
		if isAsked {
			out.After = c.situations(out.Ends, now)
			if err := c.takeOutputs(out, c.sharesOf(now), true); err != nil {
				return nil, err
			}
		}
		c.takeEnded(out, n, now)
		open := now.sumProbabilities()
		out.Open, out.Events = open, n
		if isAsked && len(c.q.Outputs) > 0 {
			break // of outputs after so many events, what happens later has no part in the answer
		}
		if open < 1e-15 && n >= after || n == most {
			break
		}
		now = c.advance(now)
	}
	out.States, out.Exact, out.Taken = len(c.nodes), c.exact, c.takenMoves(begin)
	for k := range out.Ends {
		if n := now.ended[c.ends[k]]; n != nil && c.exact {
			out.Ends[k].N = new(big.Rat).SetFrac(n, now.den)
		}
	}
	if after > 0 && len(c.q.Outputs) > 0 {
		out.finish()
		return out, nil
	}
	shares := c.solve(out, begin)
	out.finish()
	if after > 0 {
		return out, nil
	}
	if shares == nil {
		shares = c.sharesOf(now)
	}
	return out, c.takeOutputs(out, shares, false)
}

// advance lets the next event happen in every state of a generation, all of which are open.
func (c *chain) advance(now *generation) *generation {
	next := &generation{den: now.den, ended: now.ended}
	by := big.NewInt(1) // what this step makes of the denominator
	for k := range now.cells {
		if den := c.nodes[now.cells[k].at].den; den != nil && c.exact && by.Cmp(den) != 0 {
			by = pmf.LeastCommonMultiple(by, den)
		}
	}
	c.gathered.begin(len(c.nodes))
	for k := range now.cells {
		from := &c.nodes[now.cells[k].at]
		p, n := now.cells[k].p, now.cells[k].n
		if !c.exact || from.den == nil {
			n = nil
		}
		if n != nil {
			n = new(big.Int).Mul(n, new(big.Int).Quo(by, from.den))
			c.words += int64(len(n.Bits()) * len(from.next))
		}
		for _, e := range from.next {
			c.gathered.add(e.to, p*e.p, n, e.n)
		}
	}
	next.cells = c.gathered.take()
	if c.words > maxFractionWords && !c.asked {
		c.exact, c.q.Exact = false, false
	}
	if c.exact {
		next.den = new(big.Int).Mul(now.den, by)
		for end, n := range now.ended {
			next.ended[end] = n.Mul(n, by)
		}
	}
	return next
}

// takeEnded takes the states that have ended out of a generation.
//
// With it goes the weight: ended of the generation has what ended so far, over the denominator of now. An end that is
// reached later is multiplied by less, so absorbed keeps the denominator of its own generation beside each numerator.
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
			c.absorbed = append(c.absorbed, absorption{x.at, x.p, x.n, now.den})
		}
		e.By[n] += x.p
		e.P += x.p
		if x.n != nil && c.exact {
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
		e := End{Status: n.status, N: new(big.Rat)}
		if n.why != nil {
			e.Because = n.why.hindrances
		}
		c.ends, out.Ends = append(c.ends, key), append(out.Ends, e)
	}
	return key, &out.Ends[k]
}

// situations are the states that have been reached, after the ends that were reached before. An end without a state, such
// as a refusal, is one situation with those before.
func (c *chain) situations(ends []End, now *generation) (out []Situation) {
	for k, e := range ends {
		s := Situation{Status: e.Status, Because: e.Because, P: e.P}
		if c.exact {
			s.N = new(big.Rat)
			if n := now.ended[c.ends[k]]; n != nil {
				s.N.SetFrac(n, now.den)
			}
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
			if out[before].P += s.P; c.exact {
				out[before].N.Add(out[before].N, now.fraction(&now.cells[k]))
			}
			continue
		}
		character, state := c.texts(now.cells[k].at)
		if s.State = state; c.plan.Changes {
			s.Character = character
		}
		if c.exact {
			s.N = now.fraction(&now.cells[k])
		}
		out = append(out, s)
	}
	return out
}

// expand finds what the policy leads to from a state.
func (c *chain) expand(i int) error {
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
